//! Type parameters and instantiation (Go spec, Type parameter declarations, Instantiations).

use expect_test::expect;

use super::{calls, implements, types};

#[test]
fn generic_type_methods_in_terms_of_its_params() {
    calls(
        r#"
package m

type Pair[K comparable, V any] struct {
    key K
    val V
}

func (p Pair[K, V]) Key() K           { return p.key }
func (p *Pair[K, V]) Swap(v V) (K, V) { return p.Key(), p.val }

type A string
type B struct{}

func (A) M() {}
func (B) N() {}

func f(p Pair[A, B]) {
    p.Key().M()
    p.val.N()
    k, v := p.Swap(B{})
    k.M()
    v.N()
}
"#,
        expect![[r#"
            a.go:10:50 Key: m.Pair.Swap -> m.Pair.Key
            a.go:19:7 Key: m.f -> m.Pair.Key
            a.go:19:13 M: m.f -> m.A.M
            a.go:20:11 N: m.f -> m.B.N
            a.go:21:15 Swap: m.f -> m.Pair.Swap
            a.go:22:7 M: m.f -> m.A.M
            a.go:23:7 N: m.f -> m.B.N
        "#]],
    );
}

#[test]
fn receiver_renames_type_params() {
    calls(
        r#"
package m

type Pair[K, V any] struct { first K; second V }

func (p Pair[V, K]) First() V   { return p.first }
func (q Pair[X, Y]) Second() Y  { return q.second }
func (q Pair[X, Y]) Swapped() Pair[Y, X] { return Pair[Y, X]{q.second, q.first} }

type A struct{}
type B struct{}

func (A) M() {}
func (B) N() {}

func f(p Pair[A, B]) {
    p.First().M()
    p.Second().N()
    p.Swapped().First().N()
}
"#,
        expect![[r#"
            a.go:17:7 First: m.f -> m.Pair.First
            a.go:17:15 M: m.f -> m.A.M
            a.go:18:7 Second: m.f -> m.Pair.Second
            a.go:18:16 N: m.f -> m.B.N
            a.go:19:7 Swapped: m.f -> m.Pair.Swapped
            a.go:19:17 First: m.f -> m.Pair.First
            a.go:19:25 N: m.f -> m.B.N
        "#]],
    );
}

#[test]
fn receiver_with_blank_type_param() {
    calls(
        r#"
package m

type Pair[K, V any] struct { first K; second V }

func (p Pair[_, V]) Second() V { return p.second }
func (Pair[_, _]) Len() int    { return 2 }
func (*Pair[K, _]) None(K)     {}

type B struct{}

func (B) N() {}

func f(p Pair[int, B]) {
    p.Second().N()
    p.Len()
    p.None(1)
}
"#,
        expect![[r#"
            a.go:15:7 Second: m.f -> m.Pair.Second
            a.go:15:16 N: m.f -> m.B.N
            a.go:16:7 Len: m.f -> m.Pair.Len
            a.go:17:7 None: m.f -> m.Pair.None
        "#]],
    );
}

#[test]
fn instance_implements_generic_interface_instance() {
    implements(
        r#"
package m

type Getter[E any] interface{ Get() E }

type Ints struct{}

func (Ints) Get() int { return 0 }

type Strings struct{}

func (*Strings) Get() string { return "" }

func f(g Getter[int], s Getter[string], u Getter[*Ints]) {}
"#,
        expect![[r#"
            m.Ints -> m.Getter[int]
            m.Strings -> m.Getter[string] (pointer)
        "#]],
    );
}

#[test]
fn generic_type_implements_for_all_arguments() {
    implements(
        r#"
package m

type Closer interface{ Close() error }

type Box[E any] struct{ e E }

func (*Box[E]) Close() error { return nil }

func (*Box[E]) Get() E { var e E; return e }

type Wrap[E Closer] struct{ E2 Box[E]; Closer }
"#,
        expect![[r#"
            m.Box -> m.Closer (pointer)
            m.Wrap -> m.Closer
        "#]],
    );
}

#[test]
fn generic_type_implements_only_as_instance() {
    implements(
        r#"
package m

type Stringer interface{ String() string }

type Box[E any] struct{ e E }

func (b Box[E]) String() E { return b.e }

func Make[E any](e E) Box[E] { return Box[E]{e} }

var _ Box[int]

var x Box[string]

func f() {
    _ = Box[[]byte]{}
}
"#,
        expect![[r#"
            m.Box[string] -> m.Stringer
        "#]],
    );
}

#[test]
fn method_call_on_type_parameter() {
    calls(
        r#"
package m

type Stringer interface{ String() string }

type Named interface {
    ~int
    Name() string
}

func f[S Stringer, N Named, L interface{ Less(L) bool }](s S, n N, a, b L, list []S) {
    s.String()
    n.Name()
    a.Less(b)
    for _, s := range list { s.String() }
    get := s.String
    get()
    _ = S.String
}
"#,
        expect![[r#"
            a.go:12:7 String: m.f -> m.Stringer.String
            a.go:13:7 Name: m.f -> m.Named.Name
            a.go:14:7 Less: m.f -> m.f.Less
            a.go:15:32 String: m.f -> m.Stringer.String
            a.go:17:5 get: open, function_value
        "#]],
    );
}

#[test]
fn method_of_pointer_constraint_pattern_pt() {
    calls(
        r#"
package m

type Setter[T any] interface {
    *T
    Set(string)
}

type Conf struct{ n int }

func (c *Conf) Set(string) {}
func (c Conf) M()          {}

func Load[T any, PT Setter[T]](text string) T {
    var t T
    PT(&t).Set(text)
    p := PT(&t)
    p.Set(text)
    return t
}

func Each[T any, PT interface { *T; Set(string) }](list []T) []T {
    for i := range list {
        PT(&list[i]).Set("")
    }
    return list
}

func f() {
    Load[Conf]("").M()
    Each([]Conf{})[0].M()
}
"#,
        expect![[r#"
            a.go:16:12 Set: m.Load -> m.Setter.Set
            a.go:18:7 Set: m.Load -> m.Setter.Set
            a.go:24:22 Set: m.Each -> m.Each.Set
            a.go:30:5 Load: m.f -> m.Load
            a.go:30:20 M: m.f -> m.Conf.M
            a.go:31:5 Each: m.f -> m.Each
            a.go:31:23 M: m.f -> m.Conf.M
        "#]],
    );
}

#[test]
fn type_parameter_conversion_and_index() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func conv[To ~int | ~float64, From ~int](f From) To { return To(f) }

func at[S ~[]E | ~[3]E, E interface{ M() }](s S) {
    s[0].M()
    E(s[1]).M()
}

func bytes[B ~string | ~[]byte](b B) byte { return b[0] }

type Number float64

func (Number) N() {}

func f() {
    conv[Number](1).N()
    at[[]T, T](nil)
}
"#,
        expect![[r#"
            a.go:11:10 M: m.at -> m.at.M
            a.go:12:13 M: m.at -> m.at.M
            a.go:22:5 conv: m.f -> m.conv
            a.go:22:21 N: m.f -> m.Number.N
            a.go:23:5 at: m.f -> m.at
        "#]],
    );
}

#[test]
fn core_type_range_and_make() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func ranges[S ~[]T, M ~map[string]T, C ~chan T, F ~func(func(int, T) bool), P ~*[3]T](s S, m M, c C, f F, p P) {
    for _, t := range s { t.M() }
    for _, t := range m { t.M() }
    for t := range c { t.M() }
    for _, t := range f { t.M() }
    for _, t := range p { t.M() }
    made := make(S, 1)
    made[0].M()
    made = append(made, T{})
    append(made, T{})[0].M()
    (<-make(C)).M()
    s[1:][0].M()
    p[1:][0].M()
    S{{}}[0].M()
}

func calls[F ~func() T](f F) { f().M() }
"#,
        expect![[r#"
            a.go:9:29 M: m.ranges -> m.T.M
            a.go:10:29 M: m.ranges -> m.T.M
            a.go:11:26 M: m.ranges -> m.T.M
            a.go:12:29 M: m.ranges -> m.T.M
            a.go:13:29 M: m.ranges -> m.T.M
            a.go:15:13 M: m.ranges -> m.T.M
            a.go:17:26 M: m.ranges -> m.T.M
            a.go:18:17 M: m.ranges -> m.T.M
            a.go:19:14 M: m.ranges -> m.T.M
            a.go:20:14 M: m.ranges -> m.T.M
            a.go:21:14 M: m.ranges -> m.T.M
            a.go:24:32 f: open, function_value
            a.go:24:36 M: m.calls -> m.T.M
        "#]],
    );
}

#[test]
fn recursive_generic_type_and_constraint() {
    calls(
        r#"
package m

type Node[K Ordered[K], V any] struct {
    left, right *Node[K, V]
    key         K
    val         V
}

type Ordered[K any] interface{ Compare(K) int }

func (n *Node[K, V]) Find(k K) *Node[K, V] {
    if n.key.Compare(k) < 0 { return n.left.Find(k) }
    return n.right.Find(k)
}

type Key int

func (Key) Compare(Key) int { return 0 }

type Val struct{}

func (Val) M() {}

func Min[K Ordered[K]](a, b K) K {
    if a.Compare(b) < 0 { return a }
    return Min(b, a)
}

func f(n *Node[Key, Val]) {
    n.Find(1).val.M()
    n.left.right.key.Compare(2)
    Min(Key(1), 2).Compare(3)
}
"#,
        expect![[r#"
            a.go:13:14 Compare: m.Node.Find -> m.Ordered.Compare
            a.go:13:45 Find: m.Node.Find -> m.Node.Find
            a.go:14:20 Find: m.Node.Find -> m.Node.Find
            a.go:26:10 Compare: m.Min -> m.Ordered.Compare
            a.go:27:12 Min: m.Min -> m.Min
            a.go:31:7 Find: m.f -> m.Node.Find
            a.go:31:19 M: m.f -> m.Val.M
            a.go:32:22 Compare: m.f -> m.Key.Compare
            a.go:33:5 Min: m.f -> m.Min
            a.go:33:20 Compare: m.f -> m.Key.Compare
        "#]],
    );
}

#[test]
fn expanding_generic_type_does_not_hang() {
    calls(
        r#"
package m

type Grow[P any] struct {
    next *Grow[[]P]
    item P
}

func (g *Grow[P]) M() *Grow[[]P] { return g.next }

func f(g *Grow[int]) {
    g.M().next.M().M()
    g.next.next.next.item[0][0][0]++
}
"#,
        expect![[r#"
            a.go:12:7 M: m.f -> m.Grow.M
            a.go:12:16 M: m.f -> m.Grow.M
            a.go:12:20 M: m.f -> m.Grow.M
        "#]],
    );
}

#[test]
fn instance_of_generic_alias_with_fewer_params() {
    let text = r#"
package m

type Map[K comparable, V any] map[K]V

func (m Map[K, V]) Get(k K) V { return m[k] }

type Named[V any] = Map[string, V]

type Sets[K comparable] = map[K]struct{}

type T struct{}

func (T) M() {}

func f(n Named[T]) {
    n.Get("").M()
    Named[*T]{}.Get("").M()
}

var a Named[T]
var b Sets[T]
"#;
    calls(
        text,
        expect![[r#"
        a.go:17:7 Get: m.f -> m.Map.Get
        a.go:17:15 M: m.f -> m.T.M
        a.go:18:17 Get: m.f -> m.Map.Get
        a.go:18:25 M: m.f -> m.T.M
    "#]],
    );
    types(
        text,
        &["a", "b"],
        expect![[r#"
        a m.Map[string, m.T]
        b map[m.T]struct{}
    "#]],
    );
}

#[test]
fn generic_struct_field_selection_after_substitution() {
    calls(
        r#"
package m

type Inner[A any] struct { one A; list []A }

type Outer[A, B any] struct {
    Inner[B]
    both map[string]struct { a A; b *B }
    f    func(A) (B, error)
}

type A struct{}
type B struct{}

func (A) M() {}
func (B) N() {}

func f(o *Outer[A, B]) {
    o.one.N()
    o.list[0].N()
    o.both[""].a.M()
    o.both[""].b.N()
    b, err := o.f(A{})
    b.N()
    _ = err.Error()
}
"#,
        expect![[r#"
            a.go:19:11 N: m.f -> m.B.N
            a.go:20:15 N: m.f -> m.B.N
            a.go:21:18 M: m.f -> m.A.M
            a.go:22:18 N: m.f -> m.B.N
            a.go:23:17 f: open, function_value
            a.go:24:7 N: m.f -> m.B.N
            a.go:25:13 Error: m.f -> error.Error
        "#]],
    );
}
