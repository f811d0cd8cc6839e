//! Classes: construction, attributes, methods, method resolution order, `super`.

use expect_test::{Expect, expect};

use super::harness::Fixture;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).uses("a.py"));
}

#[test]
fn a_class_call_is_one_of_the_class_and_of_its_constructor() {
    check(
        "
        class Own:
            def __init__(self): ...
        class Inherits(Own): ...
        class New:
            def __new__(cls):
                return super().__new__(cls)
            def __init__(self): ...
        class Plain: ...
        Own()
        Inherits()
        New()
        Plain()
        ",
        expect![[r#"
            3:16 Own -> a.Own embed direct
            6:16 super -> builtins.super call direct
            6:24 __new__ -> builtins.object.__new__ call direct
            9:1 Own -> a.Own call direct
            9:1 Own -> a.Own.__init__ call direct
            10:1 Inherits -> a.Inherits call direct
            10:1 Inherits -> a.Own.__init__ call direct
            11:1 New -> a.New call direct
            11:1 New -> a.New.__init__ call direct
            11:1 New -> a.New.__new__ call direct
            12:1 Plain -> a.Plain call direct
        "#]],
    );
}

#[test]
fn an_attribute_is_found_whichever_method_stores_it() {
    check(
        "
        class Part:
            def work(self): ...
        class C:
            shared = Part()
            def __init__(self):
                self.own = Part()
            def late(self):
                self.other = Part()
            def use(self):
                self.own.work()
                self.other.work()
                self.shared.work()
                C.shared.work()
        ",
        expect![[r#"
            4:5 shared -> a.C.shared write direct
            4:14 Part -> a.Part call direct
            6:14 own -> a.C.own write direct
            6:20 Part -> a.Part call direct
            8:14 other -> a.C.other write direct
            8:22 Part -> a.Part call direct
            10:14 own -> a.C.own read direct
            10:18 work -> a.Part.work call direct
            11:14 other -> a.C.other read direct
            11:20 work -> a.Part.work call direct
            12:14 shared -> a.C.shared read direct
            12:21 work -> a.Part.work call direct
            13:9 C -> a.C value direct
            13:11 shared -> a.C.shared read direct
            13:18 work -> a.Part.work call direct
        "#]],
    );
}

#[test]
fn static_and_class_methods_are_called_through_class_and_object() {
    check(
        "
        class C:
            @staticmethod
            def s(): ...
            @classmethod
            def k(cls):
                cls.s()
                return cls()
            def m(self):
                self.s()
                self.k()
        C.s()
        C.k().m()
        C.m(C())
        ",
        expect![[r#"
            2:6 staticmethod -> builtins.staticmethod call direct
            4:6 classmethod -> builtins.classmethod call direct
            6:13 s -> a.C.s call
            7:16 cls -> a.C call value
            9:14 s -> a.C.s call
            10:14 k -> a.C.k call
            11:1 C -> a.C value direct
            11:3 s -> a.C.s call direct
            12:1 C -> a.C value direct
            12:3 k -> a.C.k call direct
            12:7 m -> a.C.m call
            13:1 C -> a.C value direct
            13:3 m -> a.C.m call direct
            13:5 C -> a.C call direct
        "#]],
    );
}

#[test]
fn a_class_method_called_through_a_subclass_makes_that_subclass() {
    check(
        "
        class Base:
            @classmethod
            def make(cls):
                return cls()
            def run(self): ...
        class Sub(Base):
            def run(self): ...
        Sub.make().run()
        ",
        expect![[r#"
            2:6 classmethod -> builtins.classmethod call direct
            4:16 cls -> a.Base call value
            6:11 Base -> a.Base embed direct
            8:1 Sub -> a.Sub value direct
            8:5 make -> a.Base.make call direct
            8:12 run -> a.Sub.run call
        "#]],
    );
}

#[test]
fn a_method_kept_as_a_value_is_called_with_its_object() {
    check(
        "
        class C:
            def m(self): ...
            def __init__(self):
                self.callback = self.m
            def run(self):
                self.callback()
        kept = C().m
        kept()
        ",
        expect![[r#"
            4:14 callback -> a.C.callback write direct
            4:30 m -> a.C.m value direct
            6:14 callback -> a.C.callback read direct
            6:14 callback -> a.C.m call value
            7:1 kept -> a.kept write direct
            7:8 C -> a.C call direct
            7:8 C -> a.C.__init__ call direct
            7:12 m -> a.C.m value direct
            8:1 kept -> a.C.m call direct
            8:1 kept -> a.kept read direct
        "#]],
    );
}

#[test]
fn an_object_with_call_is_called_by_it() {
    check(
        "
        class C:
            def __call__(self): ...
        c = C()
        c()
        ",
        expect![[r#"
            3:1 c -> a.c write direct
            3:5 C -> a.C call direct
            4:1 c -> a.C.__call__ call direct
            4:1 c -> a.c read direct
        "#]],
    );
}

#[test]
fn a_metaclass_runs_where_its_class_is_called_and_declared() {
    check(
        "
        class Meta(type):
            def __call__(cls, *args): ...
            def __new__(mcs, name, bases, body): ...
        class C(metaclass=Meta):
            def __init__(self): ...
        C()
        ",
        expect![[r#"
            1:12 type -> builtins.type embed direct
            4:7 C -> a.Meta.__new__ call direct
            4:19 Meta -> a.Meta value direct
            6:1 C -> a.C call direct
            6:1 C -> a.C.__init__ call direct
            6:1 C -> a.Meta.__call__ call direct
        "#]],
    );
}

#[test]
#[ignore = "`__set_name__` is not called yet"]
fn a_class_statement_runs_hooks_of_bases_and_members() {
    check(
        "
        class Field:
            def __set_name__(self, owner, name): ...
        class Base:
            def __init_subclass__(cls): ...
        class C(Base):
            field = Field()
        ",
        expect![[r#"
            5:7 C -> a.Base.__init_subclass__ call direct
            5:7 C -> a.Field.__set_name__ call direct
            5:9 Base -> a.Base embed direct
            6:5 field -> a.C.field write direct
            6:13 Field -> a.Field call direct
        "#]],
    );
}

#[test]
fn nested_classes_are_attributes_of_their_class() {
    check(
        "
        class Outer:
            class Inner:
                def m(self): ...
            def make(self):
                return self.Inner()
        Outer.Inner().m()
        Outer().make().m()
        ",
        expect![[r#"
            5:21 Inner -> a.Outer.Inner call direct
            6:1 Outer -> a.Outer value direct
            6:7 Inner -> a.Outer.Inner call direct
            6:15 m -> a.Outer.Inner.m call direct
            7:1 Outer -> a.Outer call direct
            7:9 make -> a.Outer.make call direct
            7:16 m -> a.Outer.Inner.m call direct
        "#]],
    );
}

#[test]
fn the_order_of_bases_is_not_depth_first() {
    check(
        "
        class Root:
            def m(self): ...
        class Left(Root): ...
        class Right(Root):
            def m(self): ...
        class Both(Left, Right): ...
        Both().m()
        ",
        expect![[r#"
            3:12 Root -> a.Root embed direct
            4:13 Root -> a.Root embed direct
            6:12 Left -> a.Left embed direct
            6:18 Right -> a.Right embed direct
            7:1 Both -> a.Both call direct
            7:8 m -> a.Right.m call direct
        "#]],
    );
}

#[test]
fn super_is_the_next_class_in_the_order() {
    check(
        "
        class Root:
            def m(self): ...
            @classmethod
            def k(cls): ...
        class Left(Root):
            def m(self):
                super().m()
            @classmethod
            def k(cls):
                super().k()
        class Right(Root):
            def m(self):
                super(Right, self).m()
        class Both(Left, Right):
            def m(self):
                super().m()
                super().missing()
        ",
        expect![[r#"
            3:6 classmethod -> builtins.classmethod call direct
            5:12 Root -> a.Root embed direct
            7:9 super -> builtins.super call direct
            7:17 m -> a.Root.m call direct
            8:6 classmethod -> builtins.classmethod call direct
            10:9 super -> builtins.super call direct
            10:17 k -> a.Root.k call direct
            11:13 Root -> a.Root embed direct
            13:9 super -> builtins.super call direct
            13:15 Right -> a.Right value direct
            13:28 m -> a.Root.m call direct
            14:12 Left -> a.Left embed direct
            14:18 Right -> a.Right embed direct
            16:9 super -> builtins.super call direct
            16:17 m -> a.Left.m call direct
            17:9 super -> builtins.super call direct
            17:17 missing open unknown_receiver
        "#]],
    );
}

#[test]
fn a_call_through_self_is_of_the_declared_method_and_a_subclass_may_run_its_own() {
    let fixture = Fixture::new(
        "
        class Base:
            def run(self):
                self.step()
            def step(self): ...
        class Sub(Base):
            def step(self): ...
        ",
    );
    expect![[r#"
        3:14 step -> a.Base.step call
        5:11 Base -> a.Base embed direct
    "#]]
    .assert_eq(&fixture.uses("a.py"));
    assert_eq!(fixture.runs("a.Base.step", "a.Sub"), "a.Sub.step");
    assert_eq!(fixture.runs("a.Base.step", "a.Base"), "a.Base.step");
    assert_eq!(fixture.runs("a.Base.run", "a.Sub"), "a.Base.run");
}

#[test]
fn an_augmented_store_into_a_property_reads_and_stores() {
    check(
        "
        class C:
            @property
            def x(self): ...
            @x.setter
            def x(self, value): ...
        def f(c: C):
            c.x += 1
        ",
        expect![[r#"
            2:6 property -> builtins.property call direct
            4:6 x -> a.C.x value direct
            6:10 C -> a.C parameter direct
            7:7 x -> a.C.x call
            7:7 x -> a.C.x#2 call
            7:9 + open unknown_receiver
        "#]],
    );
}

#[test]
fn properties_run_where_they_are_read_stored_and_deleted() {
    check(
        "
        class C:
            @property
            def x(self): ...
            @x.setter
            def x(self, value): ...
            @x.deleter
            def x(self): ...
        def f(c: C):
            c.x
            c.x = 1
            del c.x
        ",
        expect![[r#"
            2:6 property -> builtins.property call direct
            4:6 x -> a.C.x value direct
            6:6 x -> a.C.x value direct
            8:10 C -> a.C parameter direct
            9:7 x -> a.C.x call
            10:7 x -> a.C.x#2 call
            11:11 x -> a.C.x#3 call
        "#]],
    );
}

#[test]
#[ignore = "the method is listed twice"]
fn an_instance_attribute_stands_before_a_method_of_its_name() {
    check(
        "
        def other(): ...
        class C:
            def run(self): ...
            def __init__(self):
                self.run = other
            def use(self):
                self.run()
        ",
        expect![[r#"
            5:14 run -> a.C.run write direct
            5:20 other -> a.other value direct
            7:14 run -> a.C.run call value
            7:14 run -> a.other call value direct
        "#]],
    );
}

#[test]
fn super_calls_run_exactly_the_next_method_of_their_own_class() {
    check(
        "
        class Base:
            def m(self): ...
            @property
            def p(self): ...
        class C(Base):
            def m(self):
                super().m()
                super(C, self).m()
                super().p
        class D(C):
            def m(self): ...
        ",
        expect![[r#"
            3:6 property -> builtins.property call direct
            5:9 Base -> a.Base embed direct
            7:9 super -> builtins.super call direct
            7:17 m -> a.Base.m call direct
            8:9 super -> builtins.super call direct
            8:15 C -> a.C value direct
            8:24 m -> a.Base.m call direct
            9:9 super -> builtins.super call direct
            9:17 p -> a.Base.p call direct
            10:9 C -> a.C embed direct
        "#]],
    );
}
