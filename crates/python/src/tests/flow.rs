//! What values carry to calls: a rule of the flow of values each. A line says in a comment what runs there.

use super::harness::Fixture;

/// Checks each line of `a.py`, or of the file named first, that says what runs there.
#[track_caller]
pub(super) fn check(text: &str) {
    let fixture = Fixture::new(text);
    let first = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("#- "));
    let (found, said) = fixture.flow(first.unwrap_or("a.py").trim());
    assert!(!said.is_empty(), "a line says what runs");
    assert_eq!(found, said);
}

#[test]
fn a_name_that_holds_a_function_runs_it_and_two_assignments_both() {
    check(
        "
        import sys
        def f(): ...
        def g(): ...
        h = f
        if sys.argv:
            h = g
        def main():
            h()          # runs a.f, a.g
        ",
    );
}

#[test]
fn defaults_keywords_and_spread_arguments_reach_their_parameters() {
    check(
        "
        def f(): ...
        def g(): ...
        def by_default(x=f):
            x()          # runs a.f
        def by_name(x, y):
            x()          # runs a.f
            y()          # runs a.g
        def by_index(x, y):
            x()          # runs a.f
            y()          # runs a.g
        def rest(x, *args, **kwargs):
            args[0]()    # runs a.g
            kwargs['k']()  # runs a.f
        by_default()
        by_name(y=g, x=f)
        by_index(*(f, g))
        rest(1, g, k=f)
        ",
    );
}

#[test]
fn two_calls_of_a_maker_give_two_functions() {
    check(
        "
        def f(): ...
        def g(): ...
        def maker(inner):
            def run():
                return inner()
            return run
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        one = maker(A)
        two = maker(B)
        def main():
            one().go()   # runs a.A.go, a.maker.<locals>.run
            two().go()   # runs a.B.go, a.maker.<locals>.run
        ",
    );
}

#[test]
fn a_constant_key_of_a_dictionary_gives_its_value_and_an_unknown_one_all() {
    check(
        "
        def f(): ...
        def g(): ...
        table = {'f': f, 'g': g}
        def main(key):
            table['f']()         # runs a.f
            table[key]()         # runs a.f, a.g
            table.get('g')()     # runs a.g
            for name, run in table.items():
                run()            # runs a.f, a.g
        ",
    );
}

#[test]
fn loops_and_unpacking_give_elements() {
    check(
        "
        def f(): ...
        def g(): ...
        for one in [f, g]:
            one()                # runs a.f, a.g
        (x, y), z = (f, g), 1
        def main(pair=(f, g)):
            a, b = pair
            a()                  # runs a.f
            b()                  # runs a.g
        ",
    );
}

#[test]
fn what_is_appended_to_a_list_is_its_element() {
    check(
        "
        from collections import defaultdict
        def f(): ...
        def g(): ...
        table = {}
        other = defaultdict(list)
        table.setdefault('k', []).append(f)
        other['k'].append(g)
        def main():
            for one in table['k']:
                one()            # runs a.f
            for one in other['j']:
                pass
            for one in other['k']:
                one()            # runs a.g
        ",
    );
}

#[test]
fn an_attribute_holds_what_any_method_stores() {
    check(
        "
        def f(): ...
        class Base:
            def run(self):
                self.hook()      # runs a.f
        class Sub(Base):
            def __init__(self):
                self.hook = f
        ",
    );
}

#[test]
fn a_bound_method_keeps_its_object() {
    check(
        "
        class A:
            def go(self): ...
            def own(self):
                self.go()        # runs a.A.go, a.B.go
        class B(A):
            def go(self): ...
        kept = B().own
        def main():
            kept()               # runs a.A.own
        ",
    );
}

#[test]
fn cls_of_a_class_method_is_the_subclass() {
    check(
        "
        class A:
            @classmethod
            def make(cls):
                return cls()
            def go(self): ...
        class B(A):
            def go(self): ...
        def main(run=B.make):
            run()                # runs a.A.make
        ",
    );
}

#[test]
fn super_follows_the_order_of_the_receiver() {
    check(
        "
        class A:
            def go(self): ...
        class B(A):
            def go(self):
                super().go()     # runs a.A.go, a.C.go
        class C(A):
            def go(self): ...
        class D(B, C): ...
        D().go()
        ",
    );
}

#[test]
fn a_property_runs_its_getter_and_its_setter() {
    check(
        "
        class A:
            @property
            def x(self): ...
            @x.setter
            def x(self, value): ...
        def main(a):
            a.x                  # runs a.A.x
            a.x = 1              # runs a.A.x#2
        main(A())
        ",
    );
}

#[test]
fn a_descriptor_of_the_workspace_runs_its_get() {
    check(
        "
        def f(): ...
        class Lazy:
            def __init__(self, make):
                self.make = make
            def __get__(self, object, owner):
                return self.make
        class A:
            x = Lazy(f)
        def main(a):
            a.x()                # runs a.Lazy.__get__, a.f
        main(A())
        ",
    );
}

#[test]
fn a_call_of_an_object_runs_call() {
    check(
        "
        class A:
            def __call__(self): ...
        def main(run):
            run()                # runs a.A.__call__
        main(A())
        ",
    );
}

#[test]
fn a_decorator_with_wraps_gives_the_wrapper_that_runs_the_function() {
    check(
        "
        import functools
        def deco(f):
            @functools.wraps(f)
            def wrapper():
                return f()       # runs a.task
            return wrapper
        @deco
        def task(): ...
        def main():
            task()               # runs a.deco.<locals>.wrapper
        ",
    );
}

#[test]
fn a_registering_decorator_with_arguments_returns_the_function_and_stores_it() {
    check(
        "
        table = {}
        def register(name):
            def inner(f):
                table[name] = f
                return f
            return inner
        @register('x')
        def task(): ...
        def main(key):
            task()               # runs a.task
            table[key]()         # runs a.task
        ",
    );
}

#[test]
fn a_class_decorator_keeps_the_class() {
    check(
        "
        def deco(cls):
            return cls
        @deco
        class A: ...
        @deco
        class B: ...
        def main():
            A()                  # runs a.A
        ",
    );
}

#[test]
fn a_partial_calls_its_function_with_both_arguments() {
    check(
        "
        from functools import partial
        def f(): ...
        def g(): ...
        def run(x, y):
            x()                  # runs a.f
            y()                  # runs a.g
        bound = partial(run, f)
        def main():
            bound(g)             # runs a.run
        ",
    );
}

#[test]
fn a_generic_function_runs_what_is_registered() {
    check(
        "
        from functools import singledispatch
        @singledispatch
        def show(x): ...
        @show.register(int)
        def of_int(x): ...
        def main():
            show(1)              # runs a.of_int, a.show
        ",
    );
}

#[test]
fn a_context_manager_gives_what_it_yields() {
    check(
        "
        from contextlib import contextmanager
        class A:
            def go(self): ...
        @contextmanager
        def opened():
            yield A()
        with opened() as a:
            a.go()               # runs a.A.go
        ",
    );
}

#[test]
fn what_is_sent_to_a_generator_reaches_its_yield() {
    check(
        "
        def f(): ...
        def consumer():
            while True:
                run = yield
                run()            # runs a.f
        it = consumer()
        it.send(f)
        ",
    );
}

#[test]
fn fixtures_are_given_by_name_and_the_nearest_wins() {
    check(
        "
        #- tests/test_a.py
        import pytest
        def test_one(thing, other):
            thing.go()           # runs tests.conftest.A.go
            other.go()           # runs tests.test_a.B.go
        class B:
            def go(self): ...
        @pytest.fixture
        def other():
            yield B()
        class TestMore:
            @pytest.fixture
            def thing(self, thing):
                thing.go()       # runs tests.conftest.A.go
                return B()
            def test_two(self, thing):
                thing.go()       # runs tests.test_a.B.go
        #- tests/__init__.py
        #- tests/conftest.py
        import pytest
        class A:
            def go(self): ...
        @pytest.fixture()
        def thing():
            return A()
        ",
    );
}

#[test]
fn parametrize_gives_values_by_index() {
    check(
        "
        #- test_a.py
        import pytest
        def f(): ...
        def g(): ...
        @pytest.mark.parametrize('run, n', [(f, 1), pytest.param(g, 2)])
        def test_one(run, n):
            run()                # runs test_a.f, test_a.g
        @pytest.mark.parametrize('run', [f])
        def test_two(run):
            run()                # runs test_a.f
        @pytest.fixture(params=[g])
        def param(request):
            return request.param
        def test_three(param):
            param()              # runs test_a.g
        ",
    );
}

#[test]
fn getattr_with_a_constant_start_runs_the_methods_that_begin_with_it() {
    check(
        "
        class Visitor:
            def visit(self, name):
                method = getattr(self, f'visit_{name}')
                method()         # runs a.Visitor.visit_a, a.Visitor.visit_b
                other = getattr(self, 'leave_' + name)
                other()          # runs a.Visitor.leave_a
            def visit_a(self): ...
            def visit_b(self): ...
            def leave_a(self): ...
        ",
    );
}

#[test]
fn a_function_for_a_library_runs_at_its_call() {
    check(
        "
        class A:
            def go(self): ...
        def by(a):
            a.go()               # runs a.A.go
        sorted([A()], key=by)    # runs a.A, a.by
        ",
    );
}

#[test]
fn a_test_of_isinstance_lets_only_its_objects_pass() {
    check(
        "
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        def main(x):
            if isinstance(x, A):
                x.go()           # runs a.A.go
            else:
                x.go()           # runs a.B.go
        main(A())
        main(B())
        ",
    );
}

#[test]
fn of_a_call_of_many_functions_only_the_results_of_the_first_32_are_followed() {
    let mut text = String::from("def first(): ...\ndef last(): ...\n");
    for number in 0..32 {
        text.push_str(&format!("def f{number}(): return first\n"));
    }
    text.push_str("def f32(): return last\n");
    let all: Vec<_> = (0..33).map(|number| format!("f{number}")).collect();
    text.push_str(&format!(
        "def main():\n    for f in [{}]:\n",
        all.join(", ")
    ));
    text.push_str("        result = f()\n        result()  # runs a.first\n");
    check(&text);
}

#[test]
fn what_cast_gets_is_what_it_gives() {
    check(
        "
        import typing as t
        from functools import update_wrapper
        F = t.TypeVar('F', bound=t.Callable[..., t.Any])
        def checked(function: F) -> F:
            def run(self, *args: t.Any) -> t.Any:
                return function(self, *args)  # runs a.App.route
            return t.cast(F, update_wrapper(run, function))
        class App:
            @checked
            def route(self): ...
        def main(app: App):
            app.route()  # runs a.checked.<locals>.run
        ",
    );
}

#[test]
fn a_name_that_a_module_has_by_a_star_import_of_a_star_import_is_the_declaring_modules() {
    check(
        "
        #- a.py
        import pkg
        def main():
            pkg.made().go()          # runs pkg.one.A.go, pkg.one.deco.<locals>.run
        #- pkg/__init__.py
        from pkg.all import *
        #- pkg/all.py
        from pkg.one import *
        #- pkg/one.py
        class A:
            def go(self): ...
        def deco(f):
            def run():
                return f()
            return run
        @deco
        def made():
            return A()
        ",
    );
}

#[test]
fn the_factory_of_a_field_makes_what_its_attribute_holds() {
    check(
        "
        from dataclasses import dataclass, field
        from attrs import Factory, define
        def f(): ...
        def g(): ...
        @dataclass
        class Kept:
            jobs: list = field(default_factory=list)
            def add(self, job):
                self.jobs.append(job)
            def run(self):
                for job in self.jobs:
                    job()            # runs a.f
        @define
        class Pairs:
            pairs: list = Factory(list)
            def add(self, job):
                self.pairs.insert(0, (job, 1))
            def run(self):
                for job, _ in self.pairs:
                    job()            # runs a.g
        Kept().add(f)
        Pairs().add(g)
        ",
    );
}

#[test]
fn each_class_makes_its_own_objects_where_nothing_is_known_of_what_dunder_new_returns() {
    check(
        "
        from unknown import made
        class A:
            @made
            def __new__(cls): ...
            def go(self): ...
        class B:
            @made
            def __new__(cls): ...
            def go(self): ...
        def main(kind):
            kind().go()          # runs a.A, a.A.__new__, a.A.go, a.B, a.B.__new__, a.B.go
        main(A)
        main(B)
        ",
    );
}

#[test]
fn a_test_runs_what_a_class_below_keeps_in_an_attribute_that_its_own_class_keeps_too() {
    check(
        "
        class A:
            def __init__(self): ...
            def go(self): ...
        class B(A):
            def __init__(self): ...
            def go(self): ...
        class TestOne:
            def setup_method(self):
                self.kind = A
            def test_it(self):
                made = self.kind()   # runs a.A, a.A.__init__, a.B, a.B.__init__
                made.go()            # runs a.A.go, a.B.go
        class TestTwo(TestOne):
            def setup_method(self):
                self.kind = B
        ",
    );
}

#[test]
fn a_class_statement_gives_descriptors_their_names() {
    check(
        "
        class Field:
            def __set_name__(self, owner, name):
                owner.added()        # runs a.Model.added
        def make():
            return Field()
        class Model:                 # runs a.Field.__set_name__
            first = make()
            @classmethod
            def added(cls): ...
        ",
    );
}

#[test]
fn a_default_is_the_object_that_the_variable_holds_whatever_is_stored_later() {
    check(
        "
        def f(): ...
        def g(): ...
        def h(): ...
        def outer(c):
            hooks = {}
            if c:
                more = [f]
            else:
                more = []
            table = dict(a=1)
            def run(name, _hooks=hooks, _more=more, _table=table):
                _hooks[name]()       # runs a.f
                for one in _more:
                    one()            # runs a.f, a.g
                _table[name]()       # runs a.h
            hooks['a'] = f
            more.append(g)
            table['b'] = h
            run('a')
        ",
    );
}

#[test]
fn what_a_test_framework_gets_to_run_is_run_with_the_arguments_behind_it() {
    check(
        "
        import pytest
        class A:
            def go(self): ...
        def f(x):
            x.go()                             # runs a.A.go
        def main():
            pytest.raises(ValueError, f, A())  # runs a.A, a.f
        ",
    );
}

#[test]
fn a_slice_is_a_sequence_of_elements_and_one_that_is_stored_puts_its_elements_there() {
    check(
        "
        def f(): ...
        def g(): ...
        def main(key):
            table = {}
            table.setdefault(key, []).append((1, f))
            for number, job in table[key][1:]:
                job()                          # runs a.f
            rest = table[key]
            while rest:
                rest = rest[1:]
                rest[0][1]()                   # runs a.f
            jobs = []
            jobs[0:1] = [g]
            jobs[0]()                          # runs a.g
        ",
    );
}

#[test]
fn a_class_decorator_may_return_an_object_instead_of_the_class() {
    check(
        "
        class curry:
            def __init__(self, made):
                self.made = made
            def __call__(self, *args):
                return self.made(*args)        # runs a.Job, a.Job.__init__
        def same(made):
            return made
        @curry
        class Job:
            def __init__(self, x): ...
        @same
        class Plain: ...
        @same
        class Other: ...
        def main():
            Job(1)                             # runs a.Job, a.Job.__init__, a.curry.__call__
            Plain()                            # runs a.Plain
        ",
    );
}

#[test]
fn a_class_that_a_call_of_type_makes_has_what_its_bases_have() {
    check(
        "
        class Base:
            def __init__(self): ...
            def go(self): ...
        def made(name):
            return type(name, (Base,), {})
        def main():
            made('A')().go()     # runs a.Base, a.Base.__init__, a.Base.go, a.made
        ",
    );
}
