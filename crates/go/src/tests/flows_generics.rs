//! Value flow: generic code.

use expect_test::expect;

use super::flows::check;

#[test]
fn a_call_of_a_generic_function_is_an_instance() {
    check(
        "
func id[E any](e E) E { return e }

func pair[A, B any](a A) {}

func f(t *T, i I) {
	_ = id(t)
	_ = id[I](t)
	j := id(i)
	pair[int, I](1)
	pair[*T, string](t)
	_ = j
}
",
        expect![[r#"
            f(1) -> id(0)
            id result 0 -> local 0 if I
            id$0 -> id result 0
            id(0) -> id result 0
            instance id[*T]
            instance id[I]
            instance pair[*T, string]
            instance pair[int, I]
            source *T -> id(0) (argument t:20)
        "#]],
    );
}

#[test]
fn a_value_of_a_type_parameter_holds_its_arguments() {
    check(
        "
func f[E I](e E) {
	e.M()
	var i I = e
	var a any = e
	x := e
	_, _, _ = i, a, x
}
",
        expect![[r#"
            call M:15 at f(0) I.M
            f$0 -> f(0)
            f$0 -> local 0 if I
            f$0 -> local 1
            f$0 -> local 2
            f(0) -> local 0 if I
            f(0) -> local 1
            f(0) -> local 2
        "#]],
    );
}

#[test]
fn a_function_without_results_is_inferred_too() {
    check(
        "
func run[E any](e E, f func(E)) {}

func f(t *T) {
	run(t, func(t *T) {})
}
",
        expect![[r#"
            instance run[*T]
            source literal of f func(*T) -> run(1) (argument t:17)
        "#]],
    );
}

#[test]
fn a_generic_type_is_an_instance_where_it_is_written() {
    check(
        "
type Box[E any] struct{ e E }

type Alias[E any] = Box[[]E]

var b Box[int]

func (b *Box[E]) Get() E { return b.e }

func f(b *Box[*T], a Alias[I]) { _ = Box[Box[string]]{} }
",
        expect![[r#"
            Box$0 -> Box.Get result 0
            Box.e -> Box.Get result 0
            instance Box[*T]
            instance Box[Box[string]]
            instance Box[[]Alias$0]
            instance Box[[]I]
            instance Box[int]
            instance Box[string]
        "#]],
    );
}

#[test]
fn a_generic_type_is_an_instance_where_it_is_inferred() {
    check(
        "
type Box[E any] struct{ e E }

func box[E any](e E) *Box[E] { return &Box[E]{e} }

func f(t *T) { _ = box(t) }
",
        expect![[r#"
            box$0 -> Box.e
            box(0) -> Box.e
            instance Box[*T]
            instance Box[box$0]
            instance box[*T]
        "#]],
    );
}

#[test]
fn a_method_of_an_instance_receives_what_its_own_types_allow() {
    check(
        "
type Box[E any] struct{ e E }

func (b *Box[E]) Put(e E) { b.e = e }

func f(a *Box[*T], b *Box[I], t *T, i I) {
	a.Put(t)
	b.Put(t)
	b.Put(i)
}
",
        expect![[r#"
            Box$0 -> Box.e
            Box.Put(0) -> Box.e
            f(3) -> Box.Put(0)
            instance Box[*T]
            instance Box[I]
            source *T -> Box.Put(0) (argument t:20)
        "#]],
    );
}

#[test]
fn values_from_an_instance_are_filtered_by_its_own_type() {
    check(
        "
type Box[E any] struct{ e E }

func (b *Box[E]) Get() E { return b.e }

func f(b *Box[I]) {
	i := b.e
	j := b.Get()
	b.e.M()
	_, _ = i, j
}
",
        expect![[r#"
            Box$0 -> Box.Get result 0
            Box.Get result 0 -> local 1 if I
            Box.e -> Box.Get result 0
            Box.e -> local 0 if I
            Box.e -> local 2 if I
            call M:21 at local 2 I.M
            instance Box[I]
        "#]],
    );
}

#[test]
fn a_generic_function_as_a_value_has_the_signature_of_its_instance() {
    check(
        "
func id[E any](e E) E { return e }

func apply[A any](a A, f func(A) A) {}

func f(i I) {
	g := id[I]
	apply(i, id)
	_ = g
}
",
        expect![[r#"
            f(0) -> apply(0)
            func(I) I (0) -> id(0)
            id result 0 -> func(I) I result 0
            id$0 -> id result 0
            id(0) -> id result 0
            instance apply[I]
            instance id[I]
            source function id -> apply(1) (argument id:20)
            source function id -> local 0 (assigned id:19)
        "#]],
    );
}

#[test]
fn a_conversion_to_a_type_parameter_and_back() {
    check(
        "
func f[E any](e E) {
	_ = any(e).(I)
	switch x := any(e).(type) {
	case I:
		_ = x
	}
}
",
        expect![[r#"
            f$0 -> local 0
            f$0 -> local 1
            f(0) -> local 0
            f(0) -> local 1
            local 1 -> local 2 if I
        "#]],
    );
}

#[test]
fn a_method_of_a_pointer_constraint() {
    check(
        "
type Setter[E any] interface {
	*E
	M()
}

func f[E any, S Setter[E]]() {
	var e E
	S(&e).M()
}
",
        expect![[r#"
            call M:21 at local 1 Setter.M
            f$1 -> local 1
            instance Setter[f$0]
            local 0 -> pointee f$0
            pointee f$0 -> local 0
        "#]],
    );
}

#[test]
fn generic_methods_have_type_parameters_of_their_own() {
    check(
        "
type Box[E any] struct{}

func (Box[E]) Map[F any](f func(E) F) {}

func f(b Box[int], t *T) { b.Map(func(int) *T { return t }) }
",
        expect![[r#"
            instance Box.Map[*T]
            instance Box[int]
            source literal of f func(int) *T -> Box.Map(0) (argument int:18)
        "#]],
    );
}
