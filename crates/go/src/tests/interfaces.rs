//! Interfaces and type sets (Go spec, Interface types).

use expect_test::expect;

use super::{calls, implements};

#[test]
fn embedded_interfaces_merge_equal_methods() {
    let text = r#"
package m

type Reader interface { Read() int; Close() }
type Writer interface { Write() int; Close() }

type Both interface { Reader; Writer }

type File struct{}

func (File) Read() int  { return 0 }
func (File) Write() int { return 0 }
func (File) Close()     {}

func f(b Both) {
    b.Read()
    b.Write()
    b.Close()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:16:7 Read: m.f -> m.Reader.Read
        a.go:17:7 Write: m.f -> m.Writer.Write
        a.go:18:7 Close: m.f -> m.Reader.Close
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.File -> m.Both
        m.File -> m.Reader
        m.File -> m.Writer
    "#]],
    );
}

#[test]
fn interface_embedding_interface_of_other_package() {
    let text = r#"
package m

import "m/b"

type Shape interface {
    b.Named
    Area() int
}

type Square struct{}

func (Square) Name() string { return "" }
func (Square) Area() int    { return 0 }

func f(s Shape) {
    s.Name()
    var n b.Named = s
    n.Name()
}
//- b/b.go
package b

type Named interface{ Name() string }
"#;
    calls(
        text,
        expect![[r#"
        a.go:17:7 Name: m.f -> b.Named.Name
        a.go:19:7 Name: m.f -> b.Named.Name
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.Square -> b.Named
        m.Square -> m.Shape
    "#]],
    );
}

#[test]
fn error_from_universe() {
    let text = r#"
package m

type E struct{}

func (*E) Error() string { return "" }

type Wrapped interface {
    error
    Unwrap() error
}

func f(err error, w Wrapped) string {
    return err.Error() + w.Error() + w.Unwrap().Error()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:16 Error: m.f -> error.Error
        a.go:14:28 Error: m.f -> error.Error
        a.go:14:40 Unwrap: m.f -> m.Wrapped.Unwrap
        a.go:14:49 Error: m.f -> error.Error
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.E -> error (pointer)
    "#]],
    );
}

#[test]
fn union_of_types_and_tildes() {
    calls(
        r#"
package m

type Number interface { ~int | ~float64 | Special }

type Special int

func (Special) M() {}

type Named interface {
    ~int | ~string
    Name() Special
}

func sum[N Number](list []N) N {
    var total N
    for _, n := range list { total += n }
    return total
}

func names[T Named](list []T) {
    for _, t := range list { t.Name().M() }
}

func f(s []Special) { sum(s).M() }
"#,
        expect![[r#"
            a.go:22:32 Name: m.names -> m.Named.Name
            a.go:22:39 M: m.names -> m.Special.M
            a.go:25:23 sum: m.f -> m.sum
            a.go:25:30 M: m.f -> m.Special.M
        "#]],
    );
}

#[test]
fn intersection_of_embedded_unions() {
    calls(
        r#"
package m

type Ints interface { []int | []Item }
type Items interface { []Item | []string }

type Both interface { Ints; Items }

type Item struct{}

func (Item) M() {}

func f[T Both](list T) {
    for _, item := range list { item.M() }
    list[0].M()
}
"#,
        expect![[r#"
            a.go:14:38 M: m.f -> m.Item.M
            a.go:15:13 M: m.f -> m.Item.M
        "#]],
    );
}

#[test]
fn comparable_strict_and_by_interface() {
    let text = r#"
package m

type Key interface { comparable; Key() string }

type ID int

func (ID) Key() string { return "" }

type Plain interface{ Key() string }

func set[K comparable, V any](m map[K]V, k K, v V) K { m[k] = v; return k }

func find[K Key](k K) { k.Key() }

func f(p Plain) {
    set(map[Plain]int{}, p, 1).Key()
    set(map[ID]int{}, 1, 1).Key()
    find(ID(1))
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:27 Key: m.find -> m.Key.Key
        a.go:17:5 set: m.f -> m.set
        a.go:17:32 Key: m.f -> m.Plain.Key
        a.go:18:5 set: m.f -> m.set
        a.go:18:29 Key: m.f -> m.ID.Key
        a.go:19:5 find: m.f -> m.find
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.ID -> m.Plain
    "#]],
    );
}

#[test]
fn interface_with_unexported_method_only_own_package() {
    implements(
        r#"
package m

import "m/b"

type Mine struct{}

func (Mine) seal() {}

type Own interface{ seal() }

type Through struct{ b.Sealed }

type ThroughType struct{ b.Impl }
//- b/b.go
package b

type Sealed interface{ seal() }

type Impl struct{}

func (Impl) seal() {}
"#,
        expect![[r#"
            b.Impl -> b.Sealed
            m.Mine -> m.Own
            m.Through -> b.Sealed
            m.ThroughType -> b.Sealed
        "#]],
    );
}

#[test]
fn interface_implements_interface() {
    // A call through the larger interface is a call of the method in its own method set.
    let text = r#"
package m

type Small interface{ M() }

type Large interface { M(); N() }

type Embedding interface { Small; N() }

func f(l Large, e Embedding) {
    l.M()
    e.M()
    var s Small = l
    s.M()
    Small(e).M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:11:7 M: m.f -> m.Large.M
        a.go:12:7 M: m.f -> m.Small.M
        a.go:14:7 M: m.f -> m.Small.M
        a.go:15:14 M: m.f -> m.Small.M
    "#]],
    );
    // Pairs of interfaces have no rows: `implements` starts from concrete types.
    implements(text, expect![[""]]);
}

#[test]
fn interface_declared_in_function() {
    let text = r#"
package m

type T struct{}

func (T) M() {}

func f(x any) {
    type doer interface{ M() }
    if d, ok := x.(doer); ok {
        d.M()
    }
    if d, ok := x.(interface{ M() }); ok {
        d.M()
    }
    if d, ok := x.(interface { M(); N(int) error }); ok {
        d.M()
        _ = d.N(1).Error()
    }
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:11:11 M: m.f -> m.f.doer.M
        a.go:14:11 M: m.f -> m.f.M
        a.go:17:11 M: m.f -> m.f.M
        a.go:18:15 N: m.f -> m.f.N
        a.go:18:20 Error: m.f -> error.Error
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.T -> m.f.doer
    "#]],
    );
}
