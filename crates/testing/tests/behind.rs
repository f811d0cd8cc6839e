//! Calls through `super()` and of classes known as "it or a subclass": both directions agree.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::Fixture;
use codeweft_testing::fixture::texts;
use expect_test::{Expect, expect};

const WORLD: &str = r#"
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
    let world = Fixture::of(texts(WORLD)).load();
    let mut lines = String::new();
    for &(operation, target) in questions {
        let answer = world.host.ask(&GraphRequest::new(operation, target));
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
fn a_super_call_runs_the_next_method_of_each_subclass_and_no_override_of_its_own_class() {
    let callees = ["a.Left.m", "a.Right.m", "a.Both.m", "a.Below.m"];
    let callees = callees.map(|target| (Operation::Callees, target));
    check(&callees, expect![[""]]);
    let callers = ["a.Base.m", "a.Left.m", "a.Right.m", "a.Both.m", "a.Below.m"];
    let callers = callers.map(|target| (Operation::Callers, target));
    check(&callers, expect![[""]]);
}

#[test]
fn a_mixins_super_call_runs_what_stands_behind_it_in_a_subclass() {
    check(
        &[
            (Operation::Callees, "a.Mixin.__init__"),
            (Operation::Callers, "a.Root.__init__"),
        ],
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn a_static_method_called_through_an_object_may_be_a_subclasses() {
    check(
        &[
            (Operation::Callees, "a.Some.t"),
            (Operation::Callers, "a.Other.s"),
        ],
        expect![[""]],
    );
}
