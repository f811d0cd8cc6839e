//! Expressions and statements of Go, a rule each.

mod printed;

use expect_test::{Expect, expect};
use printed::{declarations, statements};

fn check(body: &str, expected: Expect) {
    expected.assert_eq(&statements(body));
}

fn check_file(text: &str, expected: Expect) {
    expected.assert_eq(&declarations(text));
}

#[test]
fn an_index_or_instantiation_with_one_argument_is_a_call() {
    check(
        "a[i](x); f[int](x); x.f[T](1)",
        expect![[r#"
        (call (callee (index a i)) x)
        (call (callee (index f int)) x)
        (call (callee (index (. x f) T)) 1)
    "#]],
    );
}

#[test]
fn the_same_with_no_or_more_arguments_is_the_same_node() {
    check(
        "a[i](); f[int](x, y); f[int, string](x); x.y.f[[]int](z)",
        expect![[r#"
            (call (callee (index a i)))
            (call (callee (index f int)) x y)
            (call (callee (index f int string)) x)
            (call (callee (index (. (. x y) f) ([] int))) z)
        "#]],
    );
}

#[test]
fn an_index_without_call_may_hold_an_expression_or_a_type() {
    check(
        "_ = f[int]; _ = m[pkg.T]; _ = a[i]; _ = f[int, *T]; _ = g[[]int]",
        expect![[r#"
            (= (_) ((index f int)))
            (= (_) ((index m (. pkg T))))
            (= (_) ((index a i)))
            (= (_) ((index f int (* T))))
            (= (_) ((index g ([] int))))
        "#]],
    );
}

#[test]
fn a_conversion_to_a_type_literal_is_a_call_of_the_type() {
    check(
        "_ = []byte(x); _ = (chan int)(x); _ = interface{ M() }(x); _ = map[K]V(x); _ = (func())(x)",
        expect![[r#"
            (= (_) ((call ([] byte) x)))
            (= (_) ((call (chan int) x)))
            (= (_) ((call (interface (method M ())) x)))
            (= (_) ((call (map K V) x)))
            (= (_) ((call (func ()) x)))
        "#]],
    );
}

#[test]
fn conversions_and_method_expressions_of_names_are_calls_and_selections() {
    check(
        "T(x); (*T)(x); (*T).M; pkg.T.M(x); (*pkg.T).M(x)",
        expect![[r#"
            (call T x)
            (call (callee (* T)) x)
            (. (* T) M)
            (call (. (. pkg T) M) x)
            (call (. (* (. pkg T)) M) x)
        "#]],
    );
}

#[test]
fn the_argument_of_new_is_type_or_value() {
    check(
        "new(x); new(x.y); new(a[i]); new(true); new(*p); new([]int); make([]int, 3, n); make(map[K]V)",
        expect![[r#"
            (call new x)
            (call new (. x y))
            (call new (index a i))
            (call new true)
            (call new (* p))
            (call new ([] int))
            (call make ([] int) 3 n)
            (call make (map K V))
        "#]],
    );
}

#[test]
fn predeclared_values_are_names() {
    check(
        "_, _, _, _ = true, false, nil, iota",
        expect![[r#"
        (= (_ _ _ _) (true false nil iota))
    "#]],
    );
}

#[test]
fn a_star_before_an_indexed_call_dereferences_its_result() {
    check(
        "*a[i](x); **p.a[i](x).b; *f[int](x) + 1; *(*[]byte)(x); (*S[K, V]).M",
        expect![[r#"
            (* (call (callee (index a i)) x))
            (* (* (. (call (callee (index (. p a) i)) x) b)))
            (+ (* (call (callee (index f int)) x)) 1)
            (* (call (callee (* ([] byte))) x))
            (. (* (index S K V)) M)
        "#]],
    );
}

#[test]
fn keys_of_composites_are_names_or_expressions() {
    check(
        "_ = T{a: 1, b: x}; _ = M{1: x, k: {y}}; _ = []T{{x}, &T{y}}",
        expect![[r#"
            (= (_) ((lit T (: a 1) (: b x))))
            (= (_) ((lit M (: 1 x) (: k (lit ? y)))))
            (= (_) ((lit ([] T) (lit ? x) (& (lit T y)))))
        "#]],
    );
}

#[test]
fn elements_without_names_calls_and_functions_are_constant() {
    check(
        r#"_ = []int{1, -2, 1 + 2, 'a', "s"}; _ = M{"a": 1, "b": x, "c": {1, 2}, "d": T{}, f(): 1}"#,
        expect![[r#"
            (= (_) ((lit ([] int) const const const const str/0)))
            (= (_) ((lit M (: str/0 1) (: str/0 x) (: str/0 (lit ? const const)) (: str/0 (lit T)) (: (call f) 1))))
        "#]],
    );
}

#[test]
fn array_literals_with_dots_tell_their_length_where_keys_are_literals() {
    check(
        "_ = [...]int{1, 2}; _ = [...]int{5: 1, 2}; _ = [...]T{'a': x}; _ = [...]T{k: 1, 2}",
        expect![[r#"
            (= (_) ((lit (array 2 int) const const)))
            (= (_) ((lit (array 7 int) (: 5 1) const)))
            (= (_) ((lit (array 98 T) (: '97' x))))
            (= (_) ((lit (array... T) (: k 1) const)))
        "#]],
    );
}

#[test]
fn literals_keep_integers_runes_and_string_lengths() {
    check(
        r#"_ = 0x_FF; _ = 0b11; _ = 017; _ = 1_000; _ = 0o7; _ = '\n'; _ = '\u00e9'; _ = 1.5e3; _ = 2i
_ = "aé\n\x41\u00e9\101"
_ = 340282366920938463463374607431768211456"#,
        expect![[r#"
            (= (_) (255))
            (= (_) (3))
            (= (_) (15))
            (= (_) (1000))
            (= (_) (7))
            (= (_) ('10'))
            (= (_) ('233'))
            (= (_) (float))
            (= (_) (imaginary))
            (= (_) (str/0))
            (= (_) (big))
        "#]],
    );
    check(
        "_ = `a\r\n\\n`",
        expect![[r#"
            (= (_) (str/0))
        "#]],
    );
}

#[test]
fn operators_keep_what_typing_needs() {
    check(
        "_ = a + b*c - d; _ = a == b && c < d || !e; _ = a &^ b << 2 >> c; _ = ^a | -b; _ = <-ch; _ = &x",
        expect![[r#"
            (= (_) ((- (+ a (* b c)) d)))
            (= (_) ((logic (logic (cmp a b) (cmp c d)) (! e))))
            (= (_) ((>> (<< (&^ a b) 2) c)))
            (= (_) ((| (^ a) (- b))))
            (= (_) ((<- ch)))
            (= (_) ((& x)))
        "#]],
    );
}

#[test]
fn parentheses_are_dropped() {
    check(
        "(((a))).b(); ((f))((x)); (a)(x); (a[i])(x); (<-ch)()",
        expect![[r#"
            (call (. a b))
            (call f x)
            (call a x)
            (call (callee (index a i)) x)
            (call (callee (<- ch)))
        "#]],
    );
}

#[test]
fn calls_of_results_and_literals_mark_the_callee() {
    check(
        "f()()(1); func(){}(); f(xs...); x.(T)(1); a[1:2:3]; a[:n]",
        expect![[r#"
            (call (callee (call (callee (call f)))) 1)
            (call (func () {}))
            (call... f xs)
            (call (callee (assert x T)) 1)
            (slice a 1 2 3)
            (slice a n)
        "#]],
    );
}

#[test]
fn arrows_belong_to_the_leftmost_chan() {
    check_file(
        "type A chan<- chan int\ntype B chan (<-chan int)\ntype C <-chan <-chan int\ntype D chan<- chan<- chan int",
        expect![[r#"
            type A (chan<- (chan int))
            type B (chan (<-chan int))
            type C (<-chan (<-chan int))
            type D (chan<- (chan<- (chan int)))
        "#]],
    );
}

#[test]
fn if_chains_nest_in_their_else() {
    check(
        "if x := f(); x { a() } else if b { c() } else { d() }",
        expect![[r#"
            (if (:= (x) ((call f))) x  {
              (call a)} (if _ b  {
              (call c)}  {
              (call d)}))
        "#]],
    );
}

#[test]
fn for_statements_come_in_all_forms() {
    check(
        "for { a() }
for x { break }
for i := 0; i < n; i++ { continue }
for ; ; {}
for range ch {}
for i := range 10 {}
for k, v = range m {}
for _, v := range f {}",
        expect![[r#"
            (for _ ? _  {
              (call a)})
            (for _ x _  {})
            (for (:= (i) (0)) (cmp i n) (step i)  {})
            (for _ ? _  {})
            (range ? ? ch  {})
            (range:= i ? 10  {})
            (range k v m  {})
            (range:= _ v f  {})
        "#]],
    );
}

#[test]
fn switches_keep_init_tag_and_clauses() {
    check(
        "switch x := f(); x { case 1, a: b(); fallthrough; default: c() }
switch { case a > 1: }
switch y := x.(type) { case int, []string: y(); case nil: default: }
switch x := f(); x.(type) {}",
        expect![[r#"
            (switch (:= (x) ((call f))) x
              (case 1 a)
                (call b)
              (case)
                (call c))
            (switch _ ?
              (case (cmp a 1)))
            (typeswitch _ y x
              (case int ([] string))
                (call y)
              (case nil)
              (case))
            (typeswitch (:= (x) ((call f))) _ x)
        "#]],
    );
}

#[test]
fn selects_keep_their_communications() {
    check(
        "select { case x, ok := <-ch: f(); case a[i] = <-ch: case ch <- 1: case <-ch: default: g() }",
        expect![[r#"
            (select
              (case (:= (x ok) ((<- ch))))
                (call f)
              (case (= ((index a i)) ((<- ch))))
              (case (send ch 1))
              (case (<- ch))
              (case _)
                (call g))
        "#]],
    );
}

#[test]
fn labels_stay_with_their_branches() {
    check(
        "L: for { break L }\ngoto L\nM:\n",
        expect![[r#"
            (label L (for _ ? _  {
              (branch L)}))
            (branch L)
            (label M _)
        "#]],
    );
}

#[test]
fn local_declarations_group_and_repeat() {
    check(
        "var x int
var a, b = f()
var ( c T = 1; d, e = g() )
const k = iota
const ( m, n = iota, 1; o, p; _, _ )
type t = int
type ( u struct{ x int }; v u )",
        expect![[r#"
            (var (x) int ())
            (var (a b) ? ((call f)))
            (group
              (var (c) T (1))
              (var (d e) ? ((call g))))
            (const/0 (k) ? (iota))
            (group
              (const/0 (m n) ? (iota 1))
              (const/1 (o p) ? (iota 1))
              (const/2 (_ _) ? (iota 1)))
            (alias t int)
            (group
              (type u (struct (x int)))
              (type v u))
        "#]],
    );
}

#[test]
fn simple_statements_keep_their_operands() {
    check(
        "x++; y--; a, b = b, a; c += 2; d := 1; ch <- v; go f(); defer g(); return a, b",
        expect![[r#"
            (step x)
            (step y)
            (= (a b) (b a))
            (op= c 2)
            (:= (d) (1))
            (send ch v)
            (go (call f))
            (defer (call g))
            (return a b)
        "#]],
    );
}

#[test]
fn a_conversion_to_a_receiving_channel_needs_parentheses() {
    check(
        "<-chan int(x); _ = <-chan int(x); f(<-chan int(x), y); <-chan T(x).f; (<-chan int)(x); chan<- int(x)",
        expect![[r#"
            (<- (call (chan int) x))
            (= (_) ((<- (call (chan int) x))))
            (call f (<- (call (chan int) x)) y)
            (<- (. (call (chan T) x) f))
            (call (<-chan int) x)
            (call (chan<- int) x)
        "#]],
    );
}

#[test]
fn the_length_of_a_string_is_kept_only_where_a_type_can_depend_on_it() {
    check_file(
        "package p\nconst C = \"abc\"\nvar V = \"abc\"\nfunc f() {\n\tconst c = \"abc\"\n\tf(\"abc\", [len(\"abc\")]int{})\n}\n",
        expect![[r#"
            const C = str/3 iota 0
            var V ~ str/0
            func f ()
            body V
              str/0
            body f {
                (const/0 (c) ? (str/3))
                (call f str/0 (lit (array (call len str/3) int)))}
        "#]],
    );
}

#[test]
fn the_first_strings_of_a_composite_literal_are_kept() {
    let all: Vec<String> = (0..70).map(|number| format!("\"s{number}\"")).collect();
    let printed = statements(&format!("_ = []string{{{}}}", all.join(", ")));
    assert_eq!(printed.matches("str/").count(), 64, "{printed}");
    assert_eq!(printed.matches("const").count(), 6, "{printed}");
}
