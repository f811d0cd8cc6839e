//! Value flow: calls, functions as values, and unknown values.

use expect_test::expect;

use super::flows::{check, check_all};

#[test]
fn a_call_of_an_interface_method_is_a_site_at_the_receivers_node() {
    check(
        "
func f(i I, s []I) {
	i.M()
	s[0].M()
	go i.M()
	defer get().M()
}

func get() I
",
        expect![[r#"
            call M:15 at f(0) I.M
            call M:16 at element I I.M
            call M:17 at f(0) I.M
            call M:18 at get result 0 I.M
            source unknown assembly -> get result 0 (returned get:21)
        "#]],
    );
}

#[test]
fn a_receiver_without_a_node_gets_one() {
    check(
        "
func f(a any, t *T) {
	I(t).M()
	a.(I).M()
}
",
        expect![[r#"
            call M:15 at local 0 I.M
            call M:16 at local 1 I.M
            f(0) -> local 1 if I
            source *T -> local 0 (converted t:15)
        "#]],
    );
}

#[test]
fn arguments_flow_into_the_parameters_of_a_declared_function() {
    check(
        "
func one(i I, a any, rest ...I) {}

func two() (*T, *T) { return nil, nil }

func f(t *T, s []I) {
	one(t, t, t, t)
	one(nil, 1, s...)
	one(two())
}
",
        expect![[r#"
            source *T -> element I (argument t:19)
            source *T -> one(0) (argument t:19)
            source *T -> one(0) (argument two:21)
            source *T -> one(1) (argument t:19)
            source *T -> one(1) (argument two:21)
        "#]],
    );
}

#[test]
fn arguments_flow_into_the_parameters_of_an_interfaces_method() {
    check(
        "
type K interface{ Put(I) I }

func f(k K, t *T) I { return k.Put(t) }
",
        expect![[r#"
            K.Put result 0 -> f result 0
            call Put:16 at f(0) K.Put
            source *T -> K.Put(0) (argument t:16)
        "#]],
    );
}

#[test]
fn arguments_flow_into_the_parameters_of_a_signature() {
    check(
        "
func f(g func(I) (I, I), t *T) {
	a, b := g(t)
	_, _ = a, b
}
",
        expect![[r#"
            call g:15 at f(0)
            func(I) (I, I) result 0 -> local 0
            func(I) (I, I) result 1 -> local 1
            source *T -> func(I) (I, I) (0) (argument t:15)
        "#]],
    );
}

#[test]
fn a_literal_called_immediately_has_no_site() {
    check(
        "
func f(t *T) {
	i := func(i I) I { return i }(t)
	_ = i
}
",
        expect![[r#"
            func(I) I (0) -> local 0
            func(I) I result 0 -> local 1
            local 0 -> func(I) I result 0
            source *T -> func(I) I (0) (argument t:15)
        "#]],
    );
}

#[test]
fn a_call_of_a_function_value_is_a_site() {
    check(
        "
type S struct{ f func() }

func get() func() { return nil }

func f(s S, fs []func()) {
	s.f()
	fs[0]()
	get()()
	go s.f()
}
",
        expect![[r#"
            call (:20 at element func()
            call (:21 at get result 0
            call f:19 at S.f
            call f:22 at S.f
        "#]],
    );
}

#[test]
fn a_local_literal_has_a_site_although_its_call_is_resolved() {
    check(
        "
func f() {
	g := func() {}
	g()
	defer g()
}
",
        expect![[r#"
            call g:16 at local 0
            call g:17 at local 0
            source literal of f func() -> local 0 (assigned g:15)
        "#]],
    );
}

#[test]
fn a_function_used_as_a_value_is_linked_to_its_signature() {
    check(
        "
func h(i I, n int) (I, error) { return i, nil }

func f() {
	g := h
	_ = g
	h(nil, 1)
}
",
        expect![[r#"
            func(I, int) (I, error) (0) -> h(0)
            h result 0 -> func(I, int) (I, error) result 0
            h result 1 -> func(I, int) (I, error) result 1
            h(0) -> h result 0
            source function h -> local 0 (assigned h:17)
        "#]],
    );
}

#[test]
fn a_method_value_is_linked_without_its_receiver() {
    check(
        "
type S struct{}

func (S) Do(i I) {}

func f(s S) {
	g := s.Do
	_ = g
}
",
        expect![[r#"
            func(I) (0) -> S.Do(0)
            source function S.Do -> local 0 (assigned Do:19)
        "#]],
    );
}

#[test]
fn a_method_expression_has_its_receiver_first() {
    check(
        "
type F func()

func (F) Do(i I) {}

func f(g F) {
	h := F.Do
	_ = h
	F.Do(g, nil)
}
",
        expect![[r#"
            f(0) -> F.Do(receiver)
            func(F, I) (0) -> F.Do(receiver)
            func(F, I) (1) -> F.Do(0)
            source function F.Do -> local 0 (assigned Do:19)
        "#]],
    );
}

#[test]
fn a_method_of_an_interface_used_as_a_value() {
    check(
        "
type K interface{ Put(I) I }

func f(k K) {
	g := k.Put
	h := K.Put
	_, _ = g, h
}
",
        expect![[r#"
            K.Put result 0 -> func(I) I result 0
            K.Put result 0 -> func(K, I) I result 0
            func(I) I (0) -> K.Put(0)
            func(K, I) I (0) -> K.Put(receiver)
            func(K, I) I (1) -> K.Put(0)
            source interface method K.Put -> local 0 (assigned Put:17)
            source interface method K.Put -> local 1 (assigned Put:18)
        "#]],
    );
}

#[test]
fn a_method_expression_of_an_interface_is_called_on_its_first_argument() {
    check(
        "
func f(i I) { I.M(i) }
",
        expect![[r#"
            call M:14 at local 0 I.M
            f(0) -> local 0
        "#]],
    );
}

#[test]
fn a_function_type_with_methods_is_a_value_and_flows_into_its_receiver() {
    check(
        "
type F func(I)

func (f F) M() { f(nil) }

func g(I) {}

func f() {
	var i I = F(g)
	h := F(func(I) {})
	i = h
	h.M()
	_ = i
	var a any = h
	_ = a
}
",
        expect![[r#"
            call f:16 at F.M(receiver)
            func(I) (0) -> g(0)
            local 1 -> F.M(receiver)
            local 1 -> local 2
            source F -> local 0 (assigned F:21)
            source F -> local 0 (assigned h:23)
            source F -> local 2 (assigned h:26)
            source function g -> F.M(receiver) (argument F:21)
            source literal of f func(I) -> local 1 (assigned F:22)
        "#]],
    );
}

#[test]
fn a_function_comes_back_from_an_interface_through_its_receiver() {
    check(
        "
type F func()

func (F) M() {}

func f(i I) {
	g := i.(F)
	g()
}
",
        expect![[r#"
            F.M(receiver) -> local 0
            call g:20 at local 1
            f(0) -> local 0 if F
            local 0 -> local 1
        "#]],
    );
}

#[test]
fn a_pointer_to_a_function_flows_into_its_receiver() {
    check(
        "
type F func()

func (F) M() {}

func f(p *F) { var i I = p; p.M(); _ = i }
",
        expect![[r#"
            pointee F -> F.M(receiver)
            source *F -> local 0 (assigned p:18)
        "#]],
    );
}

#[test]
fn a_promoted_method_is_called_on_the_embedded_field() {
    check(
        "
type S struct{ I }

type D struct{ *S }

func f(s *S, d D) {
	s.M()
	d.M()
	s.I.M()
}
",
        expect![[r#"
            call M:19 at S.I I.M
            call M:20 at S.I I.M
            call M:21 at S.I I.M
        "#]],
    );
}

#[test]
fn a_promoted_method_of_a_function_type_gets_the_field() {
    check(
        "
type F func()

func (F) M() {}

type S struct{ F }

func f(s S) { s.M() }
",
        expect![[r#"
            S.F -> F.M(receiver)
        "#]],
    );
}

#[test]
fn an_embedded_interface_of_an_interface_is_the_same_node() {
    check(
        "
func f(j J) { j.M() }
",
        expect![[r#"
            call M:14 at f(0) I.M
        "#]],
    );
}

#[test]
fn parameters_of_a_literal_come_from_its_signature() {
    check(
        "
func f() {
	g := func(i I) { i.M() }
	_ = g
}
",
        expect![[r#"
            call M:15 at local 0 I.M
            func(I) (0) -> local 0
            source literal of f func(I) -> local 1 (assigned i:15)
        "#]],
    );
}

#[test]
fn the_body_of_a_loop_over_a_function_is_a_function() {
    check(
        "
func seq(yield func(I) bool) {}

func pairs() func(func(I, error) bool) { return nil }

type S struct{}

func (S) All(yield func(I) bool) {}

func f(s S) {
	for i := range seq {
		i.M()
	}
	for k, v := range pairs() {
		_, _ = k, v
	}
	var i I
	for i = range s.All {
	}
	_ = i
}
",
        expect![[r#"
            call M:24 at local 0 I.M
            func(I) bool (0) -> local 0
            func(I) bool (0) -> local 3
            func(I, error) bool (0) -> local 1
            func(I, error) bool (1) -> local 2
            source literal of f func(I) bool -> S.All(0) (argument All:30)
            source literal of f func(I) bool -> seq(0) (argument seq:23)
            source literal of f func(I, error) bool -> func(func(I, error) bool) (0) (argument pairs:26)
        "#]],
    );
}

#[test]
fn an_unknown_value_flows_into_a_followed_node() {
    check_all(
        "
//- a.go
package m

import \"absent/x\"

type I interface{ M() }

func take(i I) {}

func f() {
	var i I = x.New()
	take(x.Value)
	y := x.New()
	take(y)
	_ = i
}
",
        expect![[r#"
            source unknown unknown_receiver -> local 0 (assigned New:10)
            source unknown unknown_receiver -> take(0) (argument Value:11)
            source unknown unknown_receiver -> take(0) (argument y:13)
        "#]],
    );
}

#[test]
fn a_value_of_cgo_is_unknown() {
    check_all(
        "
//- a.go
package m

import \"C\"

func f() {
	var a any = C.get()
	_ = a
}
",
        expect![[r#"
            source unknown cgo -> local 0 (assigned get:6)
        "#]],
    );
}

#[test]
fn the_results_of_a_function_without_body_are_unknown() {
    check(
        "
func load() (I, int)

func (*T) load(I) any
",
        expect![[r#"
            source unknown assembly -> T.load result 0 (returned load:16)
            source unknown assembly -> load result 0 (returned load:14)
        "#]],
    );
}

#[test]
fn values_read_through_an_unsafe_pointer_are_unknown() {
    check_all(
        "
//- a.go
package m

import \"unsafe\"

type words struct{ a, b uintptr }

func f(p unsafe.Pointer) any { return *(*any)(p) }

func pack() any {
	var i any
	w := (*words)(unsafe.Pointer(&i))
	w.a = 1
	return i
}

func word(i any) uintptr {
	p := &i
	_ = uintptr(unsafe.Pointer(&i))
	return *(*uintptr)(unsafe.Pointer(p)) + *(*uintptr)(unsafe.Pointer(&i))
}
",
        expect![[r#"
            local 0 -> pack result 0
            local 0 -> pointee any
            pointee any -> local 0
            pointee any -> word(0)
            source unknown reflection -> f result 0 (returned (:7)
            source unknown reflection -> local 0 (assigned Pointer:11)
            word(0) -> pointee any
        "#]],
    );
}
