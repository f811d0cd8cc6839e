//! What values carry where runs of one function are kept apart.

use super::flow::check;

#[test]
fn each_object_that_a_class_makes_as_a_decorator_wraps_its_own_function() {
    check(
        "
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        class timed:
            def __init__(self, f):
                self.f = f
            def __call__(self, *args):
                return self.f(*args)
        @timed
        def first(x):
            x.go()           # runs a.A.go
            return B()
        @timed
        def second(x):
            x.go()           # runs a.B.go
            return A()
        a, b = A(), B()
        def main():
            first(a).go()    # runs a.B.go, a.timed.__call__
            second(b).go()   # runs a.A.go, a.timed.__call__
        ",
    );
}

#[test]
fn an_object_that_dunder_new_makes_for_a_decorator_with_arguments_is_one_of_its_own() {
    check(
        "
        from functools import partial
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        class dispatched:
            def __new__(cls, f, *, name=None):
                self = object.__new__(cls)
                self.f = f
                return self
            def __call__(self, *args):
                return self.f(*args)
        @partial(dispatched, name='one')
        def first(x):
            x.go()           # runs a.A.go
        @dispatched
        def second(x):
            x.go()           # runs a.B.go
        a, b = A(), B()
        def main():
            first(a)         # runs a.dispatched.__call__
            second(b)        # runs a.dispatched.__call__
        ",
    );
}

#[test]
fn a_function_that_is_given_dunder_wrapped_may_run_it() {
    check(
        "
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        def lazily(wrapper, args): ...
        class checked:
            def __init__(self, test):
                self.test = test
            def __call__(self, f):
                def run(*args):
                    return lazily(run, args)
                run.__wrapped__ = f
                return run
        def small(x): ...
        @checked(small)
        def first(x):
            x.go()           # runs a.A.go
            return B()
        @checked(small)
        def second(x):
            x.go()           # runs a.B.go
        a, b = A(), B()
        def main():
            first(a).go()    # runs a.B.go, a.checked.__call__.<locals>.run, a.first
            second(b)        # runs a.checked.__call__.<locals>.run, a.second
        ",
    );
}

#[test]
fn a_call_in_a_separate_run_is_a_call_of_its_own() {
    check(
        "
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        def inner(f):
            def run():
                return f()
            return run
        def outer(f):
            def later():
                return f()
            return inner(later)
        first = outer(A)
        second = outer(B)
        def main():
            first().go()     # runs a.A.go, a.inner.<locals>.run
            second().go()    # runs a.B.go, a.inner.<locals>.run
        ",
    );
}

#[test]
fn functions_that_make_each_other_have_an_end() {
    check(
        "
        def f(): ...
        def ping(g, n):
            def run():
                g()          # runs a.f, a.pong.<locals>.run
                return pong(run, n)
            return run
        def pong(g, n):
            def run():
                g()          # runs a.f, a.ping.<locals>.run
                return ping(run, n)
            return run
        one, other = ping(f, 1), pong(f, 1)
        def main():
            one()            # runs a.ping.<locals>.run
            other()          # runs a.pong.<locals>.run
        ",
    );
}

#[test]
fn a_decorator_that_returns_what_it_gets_gives_each_function_itself() {
    check(
        "
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        kept = []
        def register(f):
            kept.append(f)
            return f
        @register
        def first():
            return A()
        @register
        def second():
            return B()
        def main():
            first().go()     # runs a.A.go, a.first
            second().go()    # runs a.B.go, a.second
            kept[0]()        # runs a.first, a.second
        ",
    );
}

#[test]
fn a_function_that_gives_back_a_parameter_gives_each_call_what_that_passes() {
    check(
        "
        class A:
            def go(self): ...
        class B:
            def go(self): ...
        def first_set(given, default):
            return default if given is None else given
        def listed(one):
            return one if isinstance(one, list) else [one]
        class Job:
            def __init__(self, a, b):
                self.a = first_set(a, None)
                self.b = first_set(None, b)
            def run(self):
                self.a.go()          # runs a.A.go
                self.b.go()          # runs a.B.go
        def main():
            Job(A(), B()).run()
            for one in listed(A()):
                one.go()             # runs a.A.go
            for one in listed([B()]):
                one.go()             # runs a.B.go
        ",
    );
}
