//! The scope that a name belongs to (Python reference, "Naming and binding").

use expect_test::{Expect, expect};

use super::harness::Fixture;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).uses("a.py"));
}

#[test]
fn a_local_hides_a_global_in_its_whole_function() {
    check(
        "
        def target(): ...
        def f(target):
            target()
        def g():
            target()
        def h():
            target = None
            return target
        ",
        expect![[r#"
            3:5 target open function_value
            5:5 target -> a.target call direct
        "#]],
    );
}

#[test]
fn a_class_is_skipped_by_the_functions_inside_it() {
    check(
        "
        def name(): ...
        class C:
            def name(self): ...
            bound = name
            def m(self):
                return name()
        ",
        expect![[r#"
            4:5 bound -> a.C.bound write direct
            4:13 name -> a.C.name value direct
            6:16 name -> a.name call direct
        "#]],
    );
}

#[test]
fn a_global_statement_binds_the_modules_name() {
    check(
        "
        def first(): ...
        def second(): ...
        chosen = first
        def choose():
            global chosen
            chosen = second
        def run():
            chosen()
        ",
        expect![[r#"
            3:1 chosen -> a.chosen write direct
            3:10 first -> a.first value direct
            5:12 chosen -> a.chosen read direct
            6:5 chosen -> a.chosen write direct
            6:14 second -> a.second value direct
            8:5 chosen -> a.chosen read direct
            8:5 chosen -> a.first call value direct
            8:5 chosen -> a.second call value direct
        "#]],
    );
}

#[test]
fn a_nonlocal_statement_binds_the_name_of_a_function_two_around() {
    check(
        "
        def first(): ...
        def second(): ...
        def outer():
            chosen = first
            def middle():
                def inner():
                    nonlocal chosen
                    chosen = second
                inner()
            middle()
            chosen()
        ",
        expect![[r#"
            4:14 first -> a.first value direct
            8:22 second -> a.second value direct
            9:9 inner -> a.outer.<locals>.middle.<locals>.inner call direct
            10:5 middle -> a.outer.<locals>.middle call direct
            11:5 chosen -> a.first call value direct
            11:5 chosen -> a.second call value direct
        "#]],
    );
}

#[test]
fn a_comprehension_has_a_scope_of_its_own_but_for_its_first_iterable() {
    check(
        "
        def f(): ...
        class C:
            f = [1]
            a = [f for f in f]
            b = [f() for x in (1,)]
        ",
        expect![[r#"
            3:5 f -> a.C.f write direct
            4:5 a -> a.C.a write direct
            4:21 f -> a.C.f read direct
            5:5 b -> a.C.b write direct
            5:10 f -> a.f call direct
        "#]],
    );
}

#[test]
fn a_walrus_in_a_comprehension_binds_a_name_of_the_function() {
    check(
        "
        def f(): ...
        def g():
            [found := f for x in (1,)]
            found()
        ",
        expect![[r#"
            3:15 f -> a.f value direct
            4:5 found -> a.f call direct
        "#]],
    );
}

#[test]
fn the_name_of_a_handler_is_gone_behind_it() {
    check(
        "
        def error(): ...
        def f():
            try:
                pass
            except OSError as error:
                pass
            error()
        try:
            pass
        except OSError as late:
            late.strerror
        ",
        expect![[r#"
            5:12 OSError -> builtins.OSError assertion direct
            7:5 error open function_value
            10:8 OSError -> builtins.OSError assertion direct
            10:19 late -> a.late write direct
            11:5 late -> a.late read direct
            11:10 strerror -> builtins.OSError.strerror read direct
        "#]],
    );
}

#[test]
fn a_private_name_is_that_of_its_own_class() {
    check(
        "
        class A:
            def __m(self): ...
            def use(self):
                self.__m()
        class B(A):
            def __m(self): ...
            def other(self):
                self.__m()
                self._A__m()
        ",
        expect![[r#"
            4:14 __m -> a.A.__m call
            5:9 A -> a.A embed direct
            8:14 __m -> a.B.__m call
            9:14 _A__m -> a.A.__m call
        "#]],
    );
}

#[test]
fn a_default_is_evaluated_where_the_function_is_declared() {
    check(
        "
        def make(): ...
        def outer():
            def make(): ...
            def inner(value=make()):
                return value
        ",
        expect![[r#"
            4:21 make -> a.outer.<locals>.make call direct
        "#]],
    );
}

#[test]
fn a_closure_sees_what_the_function_around_binds_last() {
    check(
        "
        def first(): ...
        def second(): ...
        def outer():
            chosen = first
            def inner():
                chosen()
            chosen = second
            return inner
        ",
        expect![[r#"
            4:14 first -> a.first value direct
            6:9 chosen -> a.first call value direct
            6:9 chosen -> a.second call value direct
            7:14 second -> a.second value direct
            8:12 inner -> a.outer.<locals>.inner value direct
        "#]],
    );
}

#[test]
fn a_type_parameter_hides_a_global_in_its_declaration() {
    check(
        "
        class T: ...
        def f[T](x: T) -> T:
            return x
        def g(x: T) -> T:
            return x
        ",
        expect![[r#"
            4:10 T -> a.T parameter direct
            4:16 T -> a.T result direct
        "#]],
    );
}
