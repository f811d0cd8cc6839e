//! Which calls are closed, so that what flows to them is all that they run: a rule each. A line says in a comment what its call is.

use super::flow::check;
use super::harness::Fixture;

/// Checks each line of `a.py` that says what its call is.
#[track_caller]
fn check_closed(text: &str) {
    let fixture = Fixture::new(text);
    let (found, said) = fixture.closed("a.py");
    assert!(!said.is_empty(), "a line says what its call is");
    assert_eq!(found, said);
}

/// Two classes with a method of one name, and a module that is not loaded.
const JOBS: &str = "
import absent
class A:
    def go(self): ...
class B:
    def go(self): ...
";

#[track_caller]
fn check_jobs(text: &str) {
    let lines = text
        .lines()
        .map(|line| line.strip_prefix("        ").unwrap_or(line));
    check_closed(&format!("{JOBS}{}", lines.collect::<Vec<_>>().join("\n")));
}

#[test]
fn a_call_of_all_that_comes_there_is_closed_and_of_one_function_exact() {
    check_jobs(
        "
        def _run(job):
            job.go()         # is exact
        def _either(job):
            job.go()         # is closed
        def main():
            _run(A())
            _either(A())
            _either(B())
        ",
    );
}

#[test]
fn what_is_imported_for_type_checkers_or_fails_is_not_what_runs() {
    check_closed(
        "
        #- older.py
        kept = 1
        #- marks.py
        import sys
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from absent import mark as mark
        elif sys.version_info >= (3, 99):
            from older import mark
        else:
            def mark(function):
                return function
        try:
            from older import other
        except ImportError:
            def other(function):
                return function
        #- a.py
        from marks import mark, other
        def main():
            mark(1)       # is exact
            other(1)      # is exact
        ",
    );
}

#[test]
fn what_another_release_imports_is_not_what_runs() {
    check_closed(
        "
        #- .venv/pyvenv.cfg
        version = 3.11.7
        #- typing_more.py
        def later(function):
            return function
        def kept(function):
            return function
        #- marks.py
        import sys
        if sys.version_info >= (3, 12):
            from typing_more import later
        else:
            def later(function):
                return function
        if sys.version_info >= (3, 11):
            from typing_more import kept
        else:
            def kept(function):
                return function
        try:
            from typing import override
        except ImportError:
            def override(function):
                return function
        try:
            from typing import reveal_type
        except ImportError:
            def reveal_type(function):
                return function
        #- a.py
        from marks import later, kept, override, reveal_type
        def main():
            later(1)            # is exact
            kept(1)             # is closed
            override(1)         # is exact
            reveal_type(1)      # is closed
        ",
    );
}

#[test]
fn a_framework_may_pass_anything_to_what_is_registered_with_it() {
    check_jobs(
        "
        from flask import Flask
        app = Flask(__name__)
        @app.errorhandler(404)
        def _missing(job):
            job.go()             # is open
        def _later(job):
            job.go()             # is open
        app.register_error_handler(500, _later)
        def _plain(job):
            job.go()             # is exact
        def main():
            _missing(A())        # is exact
            _later(A())          # is exact
            _plain(A())          # is exact
        ",
    );
}

#[test]
fn code_outside_may_pass_anything_to_a_public_function() {
    check_jobs(
        "
        def run(job):
            job.go()         # is exact, open to others
        def call(job):
            job()            # is closed, open to others
        def declared(job: A):
            job.go()         # is exact
        def _private(job):
            job()            # is exact
        def main():
            run(A())
            call(main)
            declared(A())
            _private(main)
        ",
    );
}

#[test]
fn a_parameter_that_nothing_is_passed_to_is_open() {
    check_jobs(
        "
        class Keeper:
            def __init__(self):
                self.job = A()
            def _put(self, job):
                self.job = job
            def _run(self):
                self.job.go()      # is open
        class Other:
            def __init__(self):
                self.job = A()
            def _run(self):
                self.job.go()      # is exact
        ",
    );
}

#[test]
fn a_method_that_says_that_it_overrides_another_is_that_method() {
    check_jobs(
        "
        from typing import override
        class Base:
            def __call__(self):
                pass
        class Below(Base):
            @override
            def __call__(self):
                pass
        def main():
            job = Below()
            def inner():
                job()            # is exact
            inner()
        ",
    );
}

#[test]
fn what_an_absent_module_gives_is_open_and_what_a_type_declares_is_not() {
    check_jobs(
        "
        def main(flag):
            job = absent.job() if flag else A()
            job.go()         # is open
            jobs = [absent.job(), A()]
            for one in jobs:
                one.go()     # is open
            known = [A(), A()]
            for one in known:
                one.go()     # is exact
            _declared(absent.job())
        def _declared(job: A):
            job.go()         # is exact
        ",
    );
}

#[test]
fn an_attribute_that_no_class_has_is_open_below_an_unknown_base_and_not_there_else() {
    check_jobs(
        "
        class Known: ...
        class Below(absent.Base): ...
        def _known(one):
            one.go()         # is exact
        def _below(one):
            one.go()         # is open
        def main():
            _known(Known())
            _known(A())
            _below(Below())
            _below(A())
        ",
    );
}

#[test]
fn an_object_with_attributes_under_computed_names_may_have_any() {
    check_jobs(
        "
        class Bag:
            def __init__(self, values):
                for name in values:
                    setattr(self, name, values[name])
        def _run(one):
            one.go()         # is open
        def main(values):
            _run(Bag(values))
            _run(A())
        ",
    );
}

#[test]
fn the_dictionary_of_an_object_that_takes_others_may_have_any_name() {
    check_jobs(
        "
        class Bag:
            def __init__(self, **values):
                vars(self).update(**values)
        def _run(one):
            one.go()         # is open
        def main():
            _run(Bag(size=1))
            _run(A())
        ",
    );
}

#[test]
fn a_container_has_the_attributes_of_its_kind_alone() {
    check_jobs(
        "
        def main(flag):
            one = [A()] if flag else A()
            one.go()         # is exact
        ",
    );
}

#[test]
fn a_set_that_lacks_containers_is_open_for_their_elements_alone() {
    let lists = "    _first([A()])\n    _either([A()])\n".repeat(20);
    check_jobs(&format!(
        "
def _first(jobs):
    jobs[0].go()     # is open
def _either(one):
    one.go()         # is exact
def main():
    _either(A())
{lists}"
    ));
}

#[test]
fn a_partial_runs_one_function() {
    check_closed(
        "
        from functools import partial
        def f(x): ...
        def main():
            one = partial(f, 1)
            one()            # is exact
        ",
    );
}

#[test]
fn a_mark_of_pytest_passes_a_function_to_nothing() {
    check_jobs(
        "
        import pytest
        @pytest.mark.slow
        def _marked(job):
            job.go()         # is exact
        @absent.mark
        def _held(job):
            job.go()         # is open
        def main():
            _marked(A())
            _held(A())
        ",
    );
}

#[test]
fn a_function_that_is_passed_to_code_that_is_not_followed_gets_anything() {
    check_jobs(
        "
        def _hook(job):
            job.go()         # is open
        def _inner(job):
            job.go()         # is exact
        def main():
            absent.register(_hook)
            _hook(A())
            isinstance(_inner, A)
            _inner(A())
        ",
    );
}

#[test]
fn a_protocol_is_not_all_that_runs() {
    check_closed(
        "
        from typing import Protocol
        class Job(Protocol):
            def go(self): ...
        class Own:
            def go(self): ...
        def _run(make: type[Job]):
            make().go()      # is closed
        ",
    );
}

#[test]
fn an_object_that_can_be_called_runs_one_function() {
    check_closed(
        "
        class Caller:
            def __call__(self): ...
        def main():
            one = {'a': Caller()}['a']
            one()            # is exact
        ",
    );
}

#[test]
fn a_full_set_is_open() {
    let classes: Vec<String> = (0..70)
        .map(|number| format!("class C{number}:\n    def go(self): ...\n"))
        .collect();
    let made: Vec<String> = (0..70)
        .map(|number| format!("    _run(C{number}())\n"))
        .collect();
    check_closed(&format!(
        "{}def _run(job):\n    job.go()    # is open\ndef main():\n{}",
        classes.concat(),
        made.concat()
    ));
}

#[test]
fn the_dictionary_of_an_object_holds_its_attributes() {
    check(
        "
        class A:
            def go(self): ...
        class Keeper:
            def __init__(self):
                self.__dict__['job'] = A()
                vars(self).update(other=A())
                self.third = A()
            def run(self):
                self.job.go()                # runs a.A.go
                self.other.go()              # runs a.A.go
                self.__dict__['third'].go()  # runs a.A.go
                self.__dict__.get('third').go()  # runs a.A.go
        Keeper().run()
        ",
    );
}

#[test]
fn a_function_that_wraps_itself_runs_once() {
    check(
        "
        def outer():
            def run(): ...
            run.__wrapped__ = run
            return run
        def main():
            outer()()        # runs a.outer, a.outer.<locals>.run
        ",
    );
}

#[test]
fn what_is_spread_into_a_library_function_is_open_where_it_is_not_followed() {
    check_jobs(
        "
        def main():
            jobs = [A(), A()]
            last = max(*jobs)
            either = last or A()
            either.go()      # is open
            best = max(jobs)
            best.go()        # is exact
        ",
    );
}

#[test]
fn the_parameters_of_a_test_are_spread_from_a_constant() {
    check(
        "
        #- test_a.py
        import pytest
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        ROW = (A(), 1)
        @pytest.mark.parametrize('job, count', [pytest.param(*ROW, id='a'), pytest.param(B(), 2)])
        def test_jobs(job, count):
            job.go()             # runs test_a.A.go, test_a.B.go
        ",
    );
}

#[test]
fn of_a_function_that_is_followed_apart_only_the_runs_that_have_callers_count() {
    check_jobs(
        "
        def _maker(first):
            def run(job):
                first.go()   # is exact
                job.go()     # is exact
            return run
        def main():
            _maker(A())(B())
        ",
    );
}

#[test]
fn a_parameter_that_operators_do_not_pass_holds_its_default() {
    check_jobs(
        "
        class Base:
            def __setitem__(self, key, value): ...
        class Below(Base):
            def __setitem__(self, key, value, store=Base.__setitem__):
                store(self, key, value)     # is exact, open to others
            def __call__(self, key, store=Base.__setitem__):
                store(self, key, key)       # is closed, open to others
            def put(self, key, store=Base.__setitem__):
                store(self, key, key)       # is closed, open to others
        def main():
            Below()[1] = 2
            Below()(1)
            Below().put(1)
        ",
    );
}

#[test]
fn what_a_slice_of_further_arguments_holds_is_open() {
    check_jobs(
        "
        def _all(*jobs):
            rest = jobs[1:]
            job = rest[0] if rest else A()
            job.go()             # is open
        def _known(jobs):
            for job in jobs[1:]:
                job.go()         # is exact
        def main():
            _all(A(), A())
            _known([A(), A()])
        ",
    );
}

#[test]
fn a_method_over_which_something_may_be_stored_by_the_start_of_a_name_is_open() {
    check_closed(
        "
        class Model:
            def is_own(self): ...
            def own(self): ...
        class Other:
            def is_own(self): ...
        def check(): ...
        def put(model, state):
            setattr(model, f'is_{state}', check)
        def _run(model, other):
            model.is_own()      # is open
            model.own()         # is exact
            model.is_open()     # is open
            other.is_own()      # is exact
        def main(state):
            model = Model()
            put(model, state)
            _run(model, Other())
        ",
    );
}
