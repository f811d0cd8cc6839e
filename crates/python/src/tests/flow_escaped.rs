//! Which functions and classes leave, as values, to code that is not followed: a rule each. The line of a declaration says in a
//! comment whether it leaves.

use super::harness::Fixture;

/// Checks each declaration of `a.py` whose line says whether it leaves.
#[track_caller]
fn check_escaped(text: &str) {
    let lines = text
        .lines()
        .map(|line| line.strip_prefix("        ").unwrap_or(line));
    let fixture = Fixture::new(&format!(
        "import absent\n{}",
        lines.collect::<Vec<_>>().join("\n")
    ));
    let (found, said) = fixture.escaped("a.py");
    assert!(!said.is_empty(), "a line says whether something leaves");
    assert_eq!(found, said);
}

/// Checks the declarations of `test_a.py` in a fixture of several files.
#[track_caller]
fn check_test(text: &str) {
    let lines = text
        .lines()
        .map(|line| line.strip_prefix("        ").unwrap_or(line));
    let fixture = Fixture::new(lines.collect::<Vec<_>>().join("\n").trim_start());
    let (found, said) = fixture.escaped("test_a.py");
    assert!(!said.is_empty(), "a line says whether something leaves");
    assert_eq!(found, said);
}

#[test]
fn a_function_that_is_called_wherever_it_comes_stays() {
    check_escaped(
        "
        def f(): pass                    # stays
        def g(): pass                    # stays
        def _run(job):
            job()
        def _make():
            return g
        class _Box:
            def __init__(self, job):
                self.job = job
        def main():
            _run(f)
            for one in [f, _make()]:
                one()
            _Box(f).job()
            {'a': g}['a']()
        ",
    );
}

#[test]
fn what_a_library_gets_leaves_with_what_is_in_it() {
    check_escaped(
        "
        from functools import partial
        def by_argument(): pass          # leaves
        def by_keyword(): pass           # leaves
        def in_list(): pass              # leaves
        def spread(): pass               # leaves
        def in_tuple_of_dict(): pass     # leaves
        def in_partial(): pass           # leaves
        def returned(): pass             # leaves
        def maker():                     # leaves
            return returned
        def yielded(): pass              # leaves
        def generator():                 # stays
            yield yielded
        class Class: pass                # leaves
        def main():
            absent.register(by_argument, key=by_keyword)
            absent.register([in_list])
            absent.register(*[spread])
            absent.register({'a': (in_tuple_of_dict, 1)})
            absent.register(partial(in_partial, 1))
            absent.register(maker)
            absent.register(generator())
            absent.register(Class)
        ",
    );
}

#[test]
fn what_an_iterator_of_the_library_calls_leaves_since_its_elements_may_be_taken_anywhere() {
    check_escaped(
        "
        from itertools import groupby
        def sent(x): return x            # leaves
        def key(x): return x             # leaves
        def at_once(x): return x         # stays
        def main():
            absent.take(map(sent, [1]))
            [list(group) for _, group in groupby([1], key)]
            sorted([1], key=at_once)
        ",
    );
}

#[test]
fn what_is_stored_where_it_is_not_seen_leaves() {
    check_escaped(
        "
        def stored(): pass               # leaves
        def put(): pass                  # leaves
        def named(): pass                # leaves
        def kept(): pass                 # stays
        class _Own: pass
        def main(name):
            absent.hook = stored
            absent.hooks['a'] = put
            own = _Own()
            setattr(own, name, named)
            own.hook = kept
            own.hook()
        ",
    );
}

#[test]
fn what_a_rule_of_a_library_does_not_take_leaves() {
    check_escaped(
        "
        from collections import defaultdict
        from dataclasses import field
        def in_second(): pass            # leaves
        def first(): pass                # leaves
        def setter(self, value): pass    # leaves
        def key(x): return x             # stays
        def made(): pass                 # leaves
        def main():
            defaultdict(first, {'a': in_second})['b']
            property(first, setter)
            sorted([1], key=key)
            field(default_factory=made)
        ",
    );
}

#[test]
fn what_a_class_of_a_library_may_read_of_its_objects_leaves() {
    check_escaped(
        "
        def hook(): pass                 # leaves
        def own(): pass                  # stays
        def result(): pass               # leaves
        class Below(absent.Base):        # stays
            hook = hook
            def run(self):               # stays
                return result
        class Own:                       # stays
            hook = own
        def main():
            Own().hook()
            Below()
        ",
    );
}

#[test]
fn what_is_read_of_an_unknown_object_is_what_any_object_holds_under_the_name() {
    check_escaped(
        "
        def read(): pass                 # leaves
        def other(): pass                # stays
        class _C:
            def __init__(self):
                self.hook = read
                self.rest = other
        def main():
            _C().rest()
            absent.get().hook()
        ",
    );
}

#[test]
fn names_that_are_values_read_all_that_an_object_holds() {
    check_escaped(
        "
        def read(): pass                 # leaves
        def other(): pass                # stays
        class _C:
            def __init__(self):
                self.hook = read
        class _D:
            def __init__(self):
                self.hook = other
        def _look(x):
            return getattr(x, absent.name)
        def main():
            _look(_C())()
            _D().hook()
        ",
    );
}

#[test]
fn a_decorator_of_the_workspace_that_calls_what_it_gets_keeps_it_and_one_of_a_library_does_not() {
    check_escaped(
        "
        def _own(f):
            def run(*args):              # stays
                return f(*args)
            return run
        @_own
        def f(): pass                    # stays
        @absent.route
        def g(): pass                    # leaves
        def main():
            f()
        ",
    );
}

#[test]
fn code_outside_has_what_public_functions_return_and_nothing_of_the_tests() {
    check_escaped(
        "
        def call(callback):              # stays
            callback(used)
        def used(): pass                 # leaves
        def make():
            def inner(): pass            # leaves
            return inner
        def _make():
            def inner(): pass            # stays
            return inner
        ",
    );
    check_test(
        "
        #- lib.py
        def call(callback, x):
            callback(x)
        #- test_a.py
        import lib
        def mine(x): x()
        def theirs(): pass               # stays
        def test_it():
            lib.call(mine, theirs)
        ",
    );
}

#[test]
fn monkeypatch_stores_what_it_is_given() {
    check_test(
        "
        #- test_a.py
        def patched(): pass              # stays
        def replaced(): pass             # stays
        def by_path(): pass              # leaves
        class _C:
            def run(self): pass
        def test_it(monkeypatch):
            monkeypatch.setattr(_C, 'run', patched)
            _C().run()
            with monkeypatch.context() as patch:
                patch.setitem({}, 'a', replaced)
            monkeypatch.setattr('test_a._C.run', by_path)
        ",
    );
}

#[test]
fn a_workspace_that_is_too_large_to_be_followed_lets_everything_leave() {
    let mut text = "def first(): pass   # leaves\n".to_owned();
    for number in 0..12_001 {
        text.push_str(&format!("def f{number}(): pass\n"));
    }
    let (found, said) = Fixture::new(&text).escaped("a.py");
    assert!(!said.is_empty());
    assert_eq!(found, said);
}

#[test]
fn what_is_spread_out_of_a_table_of_names_leaves() {
    check_escaped(
        "
        def spread(): pass               # leaves
        class _Names: pass
        def main():
            _Names().hook = spread
            names = {**vars(_Names())}
            names['hook']()
        ",
    );
}

#[test]
fn what_a_full_set_lost_leaves() {
    let mut text = "import absent\n".to_owned();
    for number in 0..40 {
        text.push_str(&format!("def f{number}(): pass\n"));
    }
    text.push_str("def kept(): pass    # stays\n");
    let lists: Vec<String> = (0..40).map(|number| format!("[f{number}]")).collect();
    text.push_str(&format!(
        "def main(n):\n    for one in ({},):\n        one[0]()\n    [kept][0]()\n",
        lists.join(", ")
    ));
    let fixture = Fixture::new(&text);
    let leaves = |name: &str| crate::flow::may_escape(fixture.database(), fixture.symbol(name));
    let lost = (0..40).filter(|number| leaves(&format!("a.f{number}")));
    // A set of a small program has sixteen containers.
    assert_eq!(lost.count(), 24);
    assert!(!leaves("a.kept"));
}

#[test]
fn an_object_of_a_library_holds_only_what_objects_of_classes_below_it_do() {
    check_escaped(
        "
        def kept(): pass                 # stays
        def below(): pass                # leaves
        class _Mine:
            def __init__(self):
                self.callback = kept
        class _Below(ValueError):
            def __init__(self):
                self.push = below
        class _Failed:
            def __init__(self):
                self.error = ValueError()
            def close(self):
                self.error.callback()
                self.error.push()
        def main():
            _Failed().close()
            _Mine().callback()
            _Below()
        ",
    );
}

#[test]
fn what_a_library_runs_at_once_or_only_inspects_stays() {
    check_escaped(
        "
        from pytest import raises
        def run(): pass                  # stays
        def inspected(): pass            # stays
        def with_keywords(): pass        # leaves
        def main():
            raises(ValueError, run)
            raises(ValueError, with_keywords, key=1)
            hasattr(inspected, 'hook') or any([inspected])
        ",
    );
}

#[test]
fn what_an_exception_keeps_is_called_by_none_but_its_objects_are_printed() {
    check_escaped(
        "
        def f(): pass                    # stays
        def g(): pass                    # stays
        def h(): pass                    # leaves
        def shown(): pass                # leaves
        class _Shown:
            def __str__(self):
                return shown
        def main(flag):
            if flag:
                raise ValueError('no', f, [g], _Shown())
            raise absent.Error(h)
        ",
    );
}

#[test]
fn an_unknown_object_may_be_a_function_with_attributes() {
    check_escaped(
        "
        def wrapped(): pass              # leaves
        def other(): pass                # stays
        def _wrap(f):
            def run(): pass
            run.wrapped = f
            return run
        def main():
            _wrap(wrapped)()
            _Holder().rest = other
            absent.get().wrapped
        class _Holder: pass
        ",
    );
}

#[test]
fn what_a_decorator_makes_of_a_test_is_run_by_the_runner() {
    check_test(
        "
        #- test_a.py
        def quiet(test):
            def wrapper(self):           # leaves
                test(self)
            return wrapper
        class TestAll:
            @quiet
            def test_one(self): pass     # stays
            def own(self): pass          # stays
        ",
    );
}

#[test]
fn a_module_with_the_name_of_a_test_is_none() {
    check_test(
        "
        #- test_b.py
        import test_a
        #- test_a.py
        def f(): pass                    # stays
        kept = [f]
        def _use():
            kept[0]()
        ",
    );
}
