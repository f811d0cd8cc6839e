//! Special methods that builtins, operations and attribute references run (Python reference, "Data
//! model"; Python library, "Built-in Functions").

use expect_test::{Expect, expect};

use super::harness::Fixture;

/// Checks the calls of the workspace's own functions in a text.
fn check(text: &str, expected: Expect) {
    let uses = Fixture::new(text).uses("a.py");
    let calls = uses
        .lines()
        .filter(|line| line.contains("-> a.") && line.contains(" call"));
    expected.assert_eq(&calls.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn a_builtin_runs_the_special_method_of_its_argument() {
    check(
        "
        class A:
            def __len__(self): ...
            def __str__(self): ...
            def __repr__(self): ...
            def __hash__(self): ...
            def __bool__(self): ...
            def __int__(self): ...
            def __abs__(self): ...
            def __round__(self): ...
            def __dir__(self): ...
            def __format__(self, spec): ...
            def __divmod__(self, other): ...
            def __pow__(self, other): ...
        def f(a: A):
            len(a)
            str(a)
            repr(a)
            hash(a)
            bool(a)
            int(a)
            abs(a)
            round(a)
            dir(a)
            format(a)
            divmod(a, 2)
            pow(a, 2)
            print(1, a)
            '{}'.format(a)
        ",
        expect![[r#"
            15:5 len -> a.A.__len__ call
            16:5 str -> a.A.__str__ call
            17:5 repr -> a.A.__repr__ call
            18:5 hash -> a.A.__hash__ call
            19:5 bool -> a.A.__bool__ call
            20:5 int -> a.A.__int__ call
            21:5 abs -> a.A.__abs__ call
            22:5 round -> a.A.__round__ call
            23:5 dir -> a.A.__dir__ call
            24:5 format -> a.A.__format__ call
            25:5 divmod -> a.A.__divmod__ call
            26:5 pow -> a.A.__pow__ call
            27:5 print -> a.A.__str__ call
            28:10 format -> a.A.__format__ call
        "#]],
    );
}

#[test]
fn a_special_method_of_object_yields_to_the_next() {
    check(
        "
        class Shown:
            def __repr__(self): ...
        class Sized:
            def __len__(self): ...
        def f(a: Shown, b: Sized):
            str(a)
            f'{a}'
            '%s' % a
            '%s %d' % (a, 1)
            bool(b)
            str(b)
        ",
        expect![[r#"
            6:5 str -> a.Shown.__repr__ call
            7:8 a -> a.Shown.__repr__ call
            8:10 % -> a.Shown.__repr__ call
            9:13 % -> a.Shown.__repr__ call
            10:5 bool -> a.Sized.__len__ call
        "#]],
    );
}

#[test]
fn builtins_that_iterate_run_the_iterator_too() {
    check(
        "
        class Step:
            def __next__(self): ...
        class Many:
            def __iter__(self):
                return Step()
        def f(m: Many, s: Step):
            list(m)
            iter(m)
            next(s)
            sum(m)
            for x in m: ...
        ",
        expect![[r#"
            5:16 Step -> a.Step call direct
            7:5 list -> a.Many.__iter__ call value
            7:5 list -> a.Step.__next__ call value direct
            8:5 iter -> a.Many.__iter__ call
            9:5 next -> a.Step.__next__ call
            10:5 sum -> a.Many.__iter__ call value
            10:5 sum -> a.Step.__next__ call value direct
            11:14 m -> a.Many.__iter__ call
            11:14 m -> a.Step.__next__ call value direct
        "#]],
    );
}

#[test]
fn builtins_compare_and_add_the_elements() {
    check(
        "
        class A:
            def __lt__(self, other): ...
            def __eq__(self, other): ...
            def __add__(self, other): ...
            def size(self): ...
        def f(xs: list[A], a: A):
            sorted(xs)
            sorted(xs, key=A.size)
            xs.sort()
            max(xs)
            min(a, a)
            sum(xs)
            xs.index(a)
            a in xs
        ",
        expect![[r#"
            7:5 sorted -> a.A.__lt__ call
            8:5 sorted -> a.A.size call value direct
            9:8 sort -> a.A.__lt__ call
            10:5 max -> a.A.__lt__ call
            11:5 min -> a.A.__lt__ call
            12:5 sum -> a.A.__add__ call
            13:8 index -> a.A.__eq__ call
            14:7 in -> a.A.__eq__ call
        "#]],
    );
}

#[test]
fn isinstance_runs_the_check_of_the_metaclass() {
    check(
        "
        class Meta(type):
            def __instancecheck__(cls, one): ...
            def __subclasscheck__(cls, one): ...
            def __len__(cls): ...
        class C(metaclass=Meta): ...
        def f(x):
            isinstance(x, C)
            isinstance(x, (int, C))
            issubclass(x, C)
            len(C)
        ",
        expect![[r#"
            7:5 isinstance -> a.Meta.__instancecheck__ call direct
            8:5 isinstance -> a.Meta.__instancecheck__ call direct
            9:5 issubclass -> a.Meta.__subclasscheck__ call direct
            10:5 len -> a.Meta.__len__ call direct
        "#]],
    );
}

#[test]
fn attribute_references_run_the_classes_hooks() {
    check(
        "
        class A:
            x: int
            def __getattribute__(self, name): ...
            def __setattr__(self, name, value): ...
            def __delattr__(self, name): ...
        class B:
            def __getattr__(self, name): ...
        def f(a: A, b: B):
            a.x
            a.x = 1
            del a.x
            b.anything
            getattr(b, 'y')
        ",
        expect![[r#"
            9:7 x -> a.A.__getattribute__ call value
            10:7 x -> a.A.__setattr__ call
            11:11 x -> a.A.__delattr__ call
            12:7 anything -> a.B.__getattr__ call value
            13:5 getattr -> a.B.__getattr__ call
        "#]],
    );
}

#[test]
fn a_method_of_a_class_that_decides_what_its_attributes_are_is_no_exact_target() {
    check(
        "
        class A:
            def go(self): ...
        class B(A):
            def __getattribute__(self, name): ...
        a, b = A(), B()
        a.go()
        b.go()
        ",
        expect![[r#"
            5:8 A -> a.A call direct
            5:13 B -> a.B call direct
            6:3 go -> a.A.go call direct
            7:3 go -> a.A.go call value direct
            7:3 go -> a.B.__getattribute__ call value direct
        "#]],
    );
}

#[test]
fn a_modules_getattr_runs_for_names_that_it_does_not_bind() {
    check(
        "
        #- a.py
        from b import known, missing
        import b
        b.known
        b.other
        def __getattr__(name): ...
        import a
        a.nothing
        #- b.py
        known = 1
        def __getattr__(name): ...
        ",
        expect![[r#"
            7:3 nothing -> a.__getattr__ call value direct
        "#]],
    );
    let fixture = Fixture::new(
        "
        #- a.py
        from b import known, missing
        import b
        b.known
        b.other
        #- b.py
        known = 1
        def __getattr__(name): ...
        ",
    );
    expect![[r#"
        1:15 known -> b.known import direct
        1:22 missing -> b.__getattr__ call value direct
        2:8 b -> b import direct
        3:1 b -> b value direct
        3:3 known -> b.known read direct
        4:1 b -> b value direct
        4:3 other -> b.__getattr__ call value direct
        4:3 other open unknown_receiver
    "#]]
    .assert_eq(&fixture.uses("a.py"));
}

#[test]
fn subscripts_of_builtin_containers_run_their_index() {
    check(
        "
        class Key:
            def __hash__(self): ...
            def __index__(self): ...
        class Default(dict[str, int]):
            def __missing__(self, key): ...
        def f(xs: list[int], d: dict[Key, int], k: Key, m: Default):
            xs[k]
            d[k]
            d[k] = 1
            del xs[k]
            d.get(k)
            m['a']
        ",
        expect![[r#"
            7:7 [ -> a.Key.__index__ call
            8:6 [ -> a.Key.__hash__ call
            9:6 [ -> a.Key.__hash__ call
            10:11 [ -> a.Key.__index__ call
            11:7 get -> a.Key.__hash__ call
            12:6 [ -> a.Default.__missing__ call
        "#]],
    );
}

#[test]
fn a_class_body_runs_set_name() {
    check(
        "
        class Field:
            def __set_name__(self, owner, name): ...
        class C:
            one = Field()
            two = 2
        ",
        expect![[r#"
            3:7 C -> a.Field.__set_name__ call value direct
            4:11 Field -> a.Field call direct
        "#]],
    );
}

#[test]
fn raising_a_class_calls_it() {
    check(
        "
        class Failed(Exception):
            def __init__(self): ...
        class Why(Exception):
            def __init__(self): ...
        def f(kind: type[Failed]):
            raise Failed
        def g():
            raise Failed from Why
        def h(kind: type[Failed], error: Failed):
            if kind:
                raise kind
            raise error
        def i():
            raise Failed()
        ",
        expect![[r#"
            6:11 Failed -> a.Failed call direct
            6:11 Failed -> a.Failed.__init__ call direct
            8:11 Failed -> a.Failed call direct
            8:11 Failed -> a.Failed.__init__ call direct
            8:23 Why -> a.Why call direct
            8:23 Why -> a.Why.__init__ call direct
            11:15 kind -> a.Failed call value
            11:15 kind -> a.Failed.__init__ call value
            14:11 Failed -> a.Failed call direct
            14:11 Failed -> a.Failed.__init__ call direct
        "#]],
    );
}

#[test]
fn builtins_call_the_functions_that_they_are_given() {
    check(
        "
        class A:
            def size(self): ...
        def one(a): ...
        def f(xs: list[A]):
            map(one, xs)
            filter(one, xs)
            min(xs, key=one)
            xs.sort(key=lambda a: 1)
        ",
        expect![[r#"
            5:5 map -> a.one call value direct
            6:5 filter -> a.one call value direct
            7:5 min -> a.one call value direct
            8:8 sort -> a.f.<locals>.<lambda> call value direct
        "#]],
    );
}

#[test]
fn the_only_function_that_a_call_returns_is_exact_and_one_of_two_is_not() {
    check(
        "
        def maker():
            def run(): ...
            return run
        def other(x):
            def one(): ...
            def two(): ...
            return one if x else two
        def f(x):
            maker()()
            other(x)()
        ",
        expect![[r#"
            9:5 maker -> a.maker call direct
            9:12 ( -> a.maker.<locals>.run call direct
            10:5 other -> a.other call direct
            10:13 ( -> a.other.<locals>.one call value direct
            10:13 ( -> a.other.<locals>.two call value direct
        "#]],
    );
}

#[test]
fn calling_type_of_an_object_may_construct_a_subclass() {
    check(
        "
        class C:
            def __init__(self): ...
            def m(self): ...
        class D(C):
            def m(self): ...
        def f(c: type[C], one: C):
            c()
            c().m()
            type(one)().m()
            C().m()
            c.m(one)
        ",
        expect![[r#"
            7:5 c -> a.C call value
            7:5 c -> a.C.__init__ call value
            8:5 c -> a.C call value
            8:5 c -> a.C.__init__ call value
            8:9 m -> a.C.m call
            9:14 ( -> a.C call value
            9:14 ( -> a.C.__init__ call value
            9:17 m -> a.C.m call
            10:5 C -> a.C call direct
            10:5 C -> a.C.__init__ call direct
            10:9 m -> a.C.m call direct
            11:7 m -> a.C.m call
        "#]],
    );
}
