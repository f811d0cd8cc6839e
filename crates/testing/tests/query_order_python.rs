//! Python inference does not depend on which file is queried first: if modules infer from each
//! other in cycles, each order makes another query the head of the cycle.

use codeweft_testing::fixture::texts;
use codeweft_testing::generate::{Size, python};
use codeweft_testing::rows::uses;
use codeweft_testing::{Fixture, SeededRng, Texts};

/// Asserts that the uses are the same in every order; returns their lines.
fn same(texts: &Texts, case: &str) -> Vec<String> {
    let asked = |order: u64| {
        let workspace = Fixture::of(texts.clone()).load();
        uses(workspace.host.db(), &mut SeededRng::new(order))
    };
    let first = asked(0);
    for order in 1..6 {
        assert_eq!(asked(order), first, "{case}");
    }
    first
}

fn has(lines: &[String], part: &str) {
    assert!(lines.iter().any(|line| line.contains(part)), "{lines:#?}");
}

#[test]
fn generated_cycles_are_inferred_alike_in_every_order() {
    for seed in 0..4 {
        let size = Size {
            packages: 2,
            files: 2,
            functions: 3,
        };
        let lines = same(&python::workspace(seed, size), &format!("seed {seed}"));
        assert!(lines.len() > 100);
    }
}

#[test]
fn a_class_that_is_its_own_ancestor_across_modules_is_inferred_alike_in_every_order() {
    let lines = same(
        &texts(
            r#"//- a.py
from b import *
class A(B):
    def __init__(self):
        self.run()
    def run(self):
        pass
//- b.py
import c
class B(c.C):
    pass
made = c.C().run()
//- c.py
from a import A
class C(A):
    pass
made = C().run()
//- d.py
from c import C
class D(C):
    pass
made = D().run()
"#,
        ),
        "a cycle of bases",
    );
    has(&lines, "b.py:4:10 b -> c.C Call Exact");
}

#[test]
fn a_base_bound_in_several_branches_is_inferred_alike_in_every_order() {
    same(
        &texts(
            r#"//- a.py
class X:
    def run(self):
        pass
class Y:
    def run(self):
        pass
//- b.py
try:
    from a import Y as Base
except ImportError:
    from a import X as Base
class D(Base):
    pass
D().run()
//- c.py
from a import X
X().run()
//- d.py
from a import Y
Y().run()
"#,
        ),
        "a base of two branches",
    );
}

#[test]
fn results_that_depend_on_each_other_across_modules_are_inferred_alike_in_every_order() {
    let lines = same(
        &texts(
            r#"//- a.py
import b
class A:
    def run(self):
        return self
    def turn(self):
        return b.B()
def make(n):
    if n:
        return A()
    return b.make(n).turn()
//- b.py
import a
class B(a.A):
    def turn(self):
        return a.make(1)
def make(n):
    it = a.make(n)
    while n:
        it = it.turn()
    return it.run()
//- c.py
import a, b
a.make(1).run()
b.make(1).turn()
"#,
        ),
        "results in a cycle",
    );
    has(&lines, "c.py:2:11 c -> a.A.run Call");
}

#[test]
fn attributes_that_depend_on_each_other_are_inferred_alike_in_every_order() {
    let lines = same(
        &texts(
            r#"//- a.py
import b
class A:
    def __init__(self):
        self.part = b.B().part
        self.mine = self.part.mine
    def run(self):
        return self.mine.part
//- b.py
import a
class B:
    def __init__(self):
        self.part = a.A()
        self.mine = self.part.run()
    def run(self):
        return self.part
//- c.py
import a, b
a.A().run().run()
b.B().mine.run()
b.B().run().run()
"#,
        ),
        "attributes in a cycle",
    );
    has(&lines, "c.py:4:13 c -> a.A.run Call");
}

#[test]
fn star_imports_in_a_cycle_bind_the_same_names_in_every_order() {
    let lines = same(
        &texts(
            r#"//- a.py
from b import *
def one():
    return two()
//- b.py
from c import *
def two():
    return three()
//- c.py
from a import *
def three():
    return one()
//- d.py
from a import *
one()
two()
three()
"#,
        ),
        "star imports in a cycle",
    );
    for name in ["a.one", "b.two", "c.three"] {
        has(&lines, &format!("d -> {name} Call Exact"));
    }
}

#[test]
fn an_attribute_that_depends_on_itself_is_inferred_alike_in_every_order() {
    same(
        &texts(
            r#"//- a.py
import b
class A:
    name = 'run'
    def run(self):
        return getattr(self, b.pick(self))()
    def other(self):
        return 'run' if b.pick(self) else getattr(self, b.pick(self))
//- b.py
import a
def pick(it):
    found = a.A().run()
    if isinstance(found, str):
        return found
    if not isinstance(found, a.A):
        return a.A()
    return getattr(found, a.A().other())
//- c.py
import a, b
b.pick(1).run()
a.A().run().other()
//- d.py
import a, b
a.A().other().run()
b.pick(b.pick(1)).other()
"#,
        ),
        "names that are values",
    );
}

#[test]
fn bases_computed_from_their_own_subclasses_are_inferred_alike_in_every_order() {
    same(
        &texts(
            r#"//- a.py
import b
class A(b.base()):
    kind = b.B
    def run(self):
        return self.kind().turn()
//- b.py
import a
def base():
    return a.A.kind
class B:
    kind = None
    def turn(self):
        return a.A().kind
class C(a.A().run()):
    pass
//- c.py
import a, b
a.A().run().turn()
b.C().turn()
b.C().kind().turn()
"#,
        ),
        "bases that are values",
    );
}
