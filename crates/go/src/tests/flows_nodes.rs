//! Value flow: fields, elements, pointers and channels.

use expect_test::expect;

use super::flows::{check, check_all};

#[test]
fn elements_of_slices_and_arrays_share_a_node_per_type() {
    check(
        "
func f(s []I, a *[2]I, t *T) I {
	s[0] = t
	s = append(s, t, a[1])
	s = append(s, s...)
	_ = [...]I{t}
	for _, i := range a {
		_ = i
	}
	return s[0]
}
",
        expect![[r#"
            element I -> f result 0
            element I -> local 0
            source *T -> element I (assigned t:15)
            source *T -> element I (element t:16)
            source *T -> element I (element t:18)
        "#]],
    );
}

#[test]
fn keys_and_values_of_maps() {
    check(
        "
func f(m map[I]any, t *T) {
	m[t] = t
	_ = map[I]I{t: t}
	for k, v := range m {
		_, _ = k, v
	}
	x, ok := m[t]
	_, _ = x, ok
}
",
        expect![[r#"
            key I -> local 0
            source *T -> key I (element t:15)
            source *T -> key I (element t:16)
            source *T -> value I (element t:16)
            source *T -> value any (assigned t:15)
            value any -> local 1
            value any -> local 2
        "#]],
    );
}

#[test]
fn sent_values_are_received() {
    check(
        "
func f(c chan I, t *T) {
	c <- t
	i := <-c
	for j := range c {
		_ = j
	}
	select {
	case c <- i:
	case k, ok := <-c:
		_, _ = k, ok
	}
}
",
        expect![[r#"
            local 0 -> received I
            received I -> local 0
            received I -> local 1
            received I -> local 2
            source *T -> received I (sent t:15)
        "#]],
    );
}

#[test]
fn pointers_to_a_followed_variable_read_and_write_it() {
    check(
        "
func f(t *T) {
	var i I
	p := &i
	*p = t
	_ = *p
}

type S struct{ i I }

func g(s *S) *I { return &s.i }
",
        expect![[r#"
            S.i -> pointee I
            local 0 -> pointee I
            pointee I -> S.i
            pointee I -> local 0
            source *T -> pointee I (assigned t:17)
        "#]],
    );
}

#[test]
fn new_of_a_value_flows_into_its_pointee() {
    check(
        "
func f(i I) *I { return new(i) }
",
        expect![[r#"
            f(0) -> pointee I
        "#]],
    );
}

#[test]
fn fields_by_key_by_position_and_by_selector() {
    check(
        "
type S struct {
	i I
	f func()
}

func h() {}

func f(t *T, s S) {
	_ = S{i: t}
	_ = &S{t, h}
	s.i = t
	i := s.i
	_ = i
}
",
        expect![[r#"
            S.i -> local 0
            source *T -> S.i (assigned t:24)
            source *T -> S.i (element t:22)
            source *T -> S.i (element t:23)
            source function h -> S.f (element h:23)
        "#]],
    );
}

#[test]
fn elided_composites_flow_into_fields() {
    check(
        "
type S struct{ i I }

func f(t *T) {
	_ = []S{{t}}
	_ = map[string]*S{\"a\": {i: t}}
}
",
        expect![[r#"
            source *T -> S.i (element t:17)
            source *T -> S.i (element t:18)
        "#]],
    );
}

#[test]
fn a_package_variable_is_one_node_in_all_packages() {
    check_all(
        "
//- a/a.go
package a

type I interface{ M() }

var V I

//- b/b.go
package b

import \"m/a\"

type T struct{}

func (T) M() {}

func f() {
	a.V = T{}
	a.V.M()
}
",
        expect![[r#"
            call M:11 at a.V a.I.M
            source m/b.T -> a.V (assigned T:10)
        "#]],
    );
}

#[test]
fn equal_structs_share_their_fields_when_converted() {
    check(
        "
type A struct{ i I }

type B struct{ i I }

func f(a A, p *A) {
	_ = B(a)
	_ = (*B)(p)
}
",
        expect![[r#"
            A.i -> B.i
            B.i -> A.i
        "#]],
    );
}
