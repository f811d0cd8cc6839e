//! Calls through `super()` and on receivers known as "this class or a subclass": both directions
//! agree.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::Fixture;
use codeweft_testing::fixture::texts;
use expect_test::{Expect, expect};

const FIXTURE: &str = r#"
//- pyproject.toml
//- a.py
class Base:
    def m(self): ...
class Left(Base):
    def m(self):
        super().m()
class Right(Base):
    def m(self):
        super().m()
class Both(Left, Right):
    def m(self):
        super().m()
class Below(Left):
    def m(self):
        super().m()
class Mixin:
    def __init__(self):
        super().__init__()
class Root:
    def __init__(self): ...
class All(Mixin, Root): ...
class Some:
    @staticmethod
    def s(): ...
    def t(self):
        self.s()
class Other(Some):
    @staticmethod
    def s(): ...
def make(some: type[Some]):
    some()
"#;

fn check(questions: &[(Operation, &str)], expected: Expect) {
    let workspace = Fixture::of(texts(FIXTURE)).load();
    let mut lines = String::new();
    for &(operation, target) in questions {
        let answer = workspace.host.ask(&GraphRequest::new(operation, target));
        lines += &format!("{} {target}\n", operation.wire_name());
        for result in answer.expect("an answer").results {
            for site in result.sites {
                let (id, line) = (&result.node.id, site.line);
                if !id.starts_with("builtins.super") {
                    lines += &format!("    {id} {line} {}\n", site.resolution);
                }
            }
        }
    }
    expected.assert_eq(&lines);
}

#[test]
fn a_super_call_may_run_the_next_method_in_the_mro_of_each_subclass_and_no_override_in_its_own_class()
 {
    let callees = ["a.Left.m", "a.Right.m", "a.Both.m", "a.Below.m"];
    let callees = callees.map(|target| (Operation::Callees, target));
    check(
        &callees,
        expect![[r#"
        callees a.Left.m
            a.Base.m 5 exact
            a.Right.m 5 dispatch
        callees a.Right.m
            a.Base.m 8 exact
        callees a.Both.m
            a.Left.m 11 exact
        callees a.Below.m
            a.Left.m 14 exact
    "#]],
    );
    let callers = ["a.Base.m", "a.Left.m", "a.Right.m", "a.Both.m", "a.Below.m"];
    let callers = callers.map(|target| (Operation::Callers, target));
    check(
        &callers,
        expect![[r#"
        callers a.Base.m
            a.Left.m 5 exact
            a.Right.m 8 exact
        callers a.Left.m
            a.Below.m 14 exact
            a.Both.m 11 exact
        callers a.Right.m
            a.Left.m 5 dispatch
        callers a.Both.m
        callers a.Below.m
    "#]],
    );
}

#[test]
fn a_mixins_super_call_runs_the_next_class_in_the_mro_of_a_subclass() {
    check(
        &[
            (Operation::Callees, "a.Mixin.__init__"),
            (Operation::Callers, "a.Root.__init__"),
        ],
        expect![[r#"
            callees a.Mixin.__init__
                a.Root.__init__ 17 dispatch
                builtins.object.__init__ 17 exact
            callers a.Root.__init__
                a.Mixin.__init__ 17 dispatch
        "#]],
    );
}

#[test]
fn a_class_known_by_a_base_makes_objects_of_subclasses() {
    check(
        &[
            (Operation::Callees, "a.make"),
            (Operation::Callers, "a.Other"),
            (Operation::Callers, "a.Some"),
        ],
        expect![[r#"
            callees a.make
                a.Other 30 value
                a.Some 30 value
            callers a.Other
                a.make 30 value
            callers a.Some
                a.make 30 value
        "#]],
    );
}

#[test]
fn a_static_method_called_through_an_object_may_be_a_subclasses() {
    check(
        &[
            (Operation::Callees, "a.Some.t"),
            (Operation::Callers, "a.Other.s"),
        ],
        expect![[r#"
            callees a.Some.t
                a.Other.s 25 dispatch
                a.Some.s 25 exact
            callers a.Other.s
                a.Some.t 25 dispatch
        "#]],
    );
}
