//! What values carry to attributes whose names are computed.

use super::flow::check;

#[test]
fn getattr_with_names_from_elsewhere_runs_the_methods_that_the_object_has() {
    check(
        "
        class Model:
            def first(self): ...
            def second(self): ...
            def third(self): ...
        class Machine:
            def __init__(self, model: Model, names):
                self.model = model
                self.names = names
            def run(self):
                for name in self.names:
                    getattr(self.model, name)()      # runs a.Model.first, a.Model.second
        def main():
            Machine(Model(), ['first', 'second', 'fourth']).run()
        ",
    );
}

#[test]
fn each_read_of_an_attribute_runs_the_hook_of_the_class() {
    check(
        "
        class Base:
            def go(self): ...
        class Locked(Base):
            def __getattribute__(self, name):
                return super().__getattribute__(name)
        def main(locked: Locked):
            locked.go()          # runs a.Base.go, a.Locked.__getattribute__
        ",
    );
}

#[test]
fn what_a_hook_makes_runs_instead_of_the_attribute_and_gives_no_result() {
    check(
        "
        from functools import partial
        class Part:
            def go(self): ...
        class Base:
            part_class = Part
            def make(self):
                return Part()
            def __getattr__(self, name):
                return self.__getattribute__(name)
        class Locked(Base):
            def __getattribute__(self, name):
                read = super().__getattribute__
                if name.startswith('_'):
                    return read(name)
                return partial(read('_locked'), read(name))
            def _locked(self, function, *args):
                return function(*args)
        def main(locked):
            locked.make().go()   # runs a.Base.make, a.Locked.__getattribute__, a.Locked._locked, a.Part.go
        main(Locked())
        ",
    );
}

#[test]
fn the_hook_for_missing_attributes_gets_the_name() {
    check(
        "
        class Inner:
            def go(self): ...
            def stop(self): ...
        class Outer:
            def __init__(self):
                self.inner = Inner()
            def __getattr__(self, name):
                return getattr(self.inner, name)
        def main(outer: Outer):
            outer.go()           # runs a.Inner.go, a.Outer.__getattr__
        ",
    );
}

#[test]
fn methods_of_strings_keep_the_start_of_a_computed_name() {
    check(
        "
        class Filter:
            def _process_where(self): ...
            def _process_case(self): ...
            def on_enter(self): ...
            def other(self): ...
            def run(self, part, kind):
                name = f'_process_{type(part).__name__}'
                getattr(self, name.lower())()        # runs a.Filter._process_case, a.Filter._process_where
                getattr(self, 'on_{0}'.format(kind))()   # runs a.Filter.on_enter
        ",
    );
}

#[test]
fn of_a_declared_object_a_method_of_a_mixin_before_its_class_runs_too() {
    check(
        "
        class Mixin:
            def name(self): ...
        class Token:
            def name(self): ...
        class Named(Mixin, Token): ...
        class Plain(Token): ...
        def main(token: Token):
            token.name()         # runs a.Mixin.name, a.Token.name
        ",
    );
}

#[test]
fn setattr_with_names_from_elsewhere_stores_attributes_that_the_class_does_not_have() {
    check(
        "
        class Model:
            def own(self): ...
        class Machine:
            def __init__(self, model):
                self.model = model
            def add(self, name):
                setattr(self.model, name, self.run)
            def run(self): ...
        def main():
            model = Model()
            machine = Machine(model)
            for name in ['walk', 'own']:
                machine.add(name)
            model.walk()         # runs a.Machine.run
            model.own()          # runs a.Model.own
        ",
    );
}

#[test]
fn setattr_with_the_start_of_a_name_stores_the_attributes_that_begin_with_it() {
    check(
        "
        class Model:
            def is_own(self): ...
        class Machine:
            def add(self, model, state):
                setattr(model, 'is_%s' % state, self.check)
                self.put(model, f'to_{state}', self.go)
            def put(self, model, key, function):
                setattr(model, key, function)
            def check(self): ...
            def go(self): ...
        def main(state):
            model = Model()
            Machine().add(model, state)
            model.is_open()      # runs a.Machine.check
            model.to_open()      # runs a.Machine.go
            model.is_own()       # runs a.Model.is_own
        ",
    );
}

#[test]
fn each_call_of_a_function_that_stores_a_parameter_under_another_one_stores_its_own() {
    check(
        "
        class Model: ...
        def walk(): ...
        def run(): ...
        def put(model, name, function):
            setattr(model, name, function)
        def main():
            model = Model()
            put(model, 'walk', walk)
            put(model, 'run', run)
            model.walk()         # runs a.walk
            model.run()          # runs a.run
        ",
    );
}
