//! What is inferred of Python does not depend on which file was asked first: where modules infer
//! from each other in rings, each order makes another query the head of the cycle.

use codeweft_testing::fixture::texts;
use codeweft_testing::generate::{Size, python};
use codeweft_testing::rows::uses;
use codeweft_testing::{Fixture, SeededRng, Texts};

/// The lines of uses, which are the same in every order.
fn same(texts: &Texts, told: &str) -> Vec<String> {
    let asked = |order: u64| {
        let workspace = Fixture::of(texts.clone()).load();
        uses(workspace.host.db(), &mut SeededRng::new(order))
    };
    let first = asked(0);
    for order in 1..6 {
        assert_eq!(asked(order), first, "{told}");
    }
    first
}

fn has(lines: &[String], part: &str) {
    assert!(lines.iter().any(|line| line.contains(part)), "{lines:#?}");
}

#[test]
fn generated_rings_are_inferred_alike_in_every_order() {
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
fn a_class_that_is_its_own_ancestor_over_modules_is_the_same_in_every_order() {
    let lines = same(
        &texts(
            "//- a.py\nfrom b import *\nclass A(B):\n    def __init__(self):\n        self.run()\n    def run(self):\n        pass\n\
             //- b.py\nimport c\nclass B(c.C):\n    pass\nmade = c.C().run()\n\
             //- c.py\nfrom a import A\nclass C(A):\n    pass\nmade = C().run()\n\
             //- d.py\nfrom c import C\nclass D(C):\n    pass\nmade = D().run()\n",
        ),
        "a ring of bases",
    );
    has(&lines, "b.py:4:10 b -> c.C Call Exact");
}

#[test]
fn of_a_base_that_several_branches_bind_the_same_is_taken_in_every_order() {
    same(
        &texts(
            "//- a.py\nclass X:\n    def run(self):\n        pass\nclass Y:\n    def run(self):\n        pass\n\
             //- b.py\ntry:\n    from a import Y as Base\nexcept ImportError:\n    from a import X as Base\nclass D(Base):\n    pass\nD().run()\n\
             //- c.py\nfrom a import X\nX().run()\n\
             //- d.py\nfrom a import Y\nY().run()\n",
        ),
        "a base of two branches",
    );
}

#[test]
fn results_that_need_each_other_over_modules_are_the_same_in_every_order() {
    let lines = same(
        &texts(
            "//- a.py\nimport b\nclass A:\n    def run(self):\n        return self\n    def turn(self):\n        return b.B()\ndef make(n):\n    if n:\n        return A()\n    return b.make(n).turn()\n\
             //- b.py\nimport a\nclass B(a.A):\n    def turn(self):\n        return a.make(1)\ndef make(n):\n    it = a.make(n)\n    while n:\n        it = it.turn()\n    return it.run()\n\
             //- c.py\nimport a, b\na.make(1).run()\nb.make(1).turn()\n",
        ),
        "results in a ring",
    );
    has(&lines, "c.py:2:11 c -> a.A.run Call");
}

#[test]
fn attributes_that_need_each_other_are_the_same_in_every_order() {
    let lines = same(
        &texts(
            "//- a.py\nimport b\nclass A:\n    def __init__(self):\n        self.part = b.B().part\n        self.mine = self.part.mine\n    def run(self):\n        return self.mine.part\n\
             //- b.py\nimport a\nclass B:\n    def __init__(self):\n        self.part = a.A()\n        self.mine = self.part.run()\n    def run(self):\n        return self.part\n\
             //- c.py\nimport a, b\na.A().run().run()\nb.B().mine.run()\nb.B().run().run()\n",
        ),
        "attributes in a ring",
    );
    has(&lines, "c.py:4:13 c -> a.A.run Call");
}

#[test]
fn star_imports_in_a_ring_bring_the_same_names_in_every_order() {
    let lines = same(
        &texts(
            "//- a.py\nfrom b import *\ndef one():\n    return two()\n\
             //- b.py\nfrom c import *\ndef two():\n    return three()\n\
             //- c.py\nfrom a import *\ndef three():\n    return one()\n\
             //- d.py\nfrom a import *\none()\ntwo()\nthree()\n",
        ),
        "star imports in a ring",
    );
    for name in ["a.one", "b.two", "c.three"] {
        has(&lines, &format!("d -> {name} Call Exact"));
    }
}

#[test]
fn an_attribute_that_decides_about_itself_is_the_same_in_every_order() {
    same(
        &texts(
            "//- a.py\nimport b\nclass A:\n    name = 'run'\n    def run(self):\n        return getattr(self, b.pick(self))()\n    def other(self):\n        return 'run' if b.pick(self) else getattr(self, b.pick(self))\n\
             //- b.py\nimport a\ndef pick(it):\n    found = a.A().run()\n    if isinstance(found, str):\n        return found\n    if not isinstance(found, a.A):\n        return a.A()\n    return getattr(found, a.A().other())\n\
             //- c.py\nimport a, b\nb.pick(1).run()\na.A().run().other()\n\
             //- d.py\nimport a, b\na.A().other().run()\nb.pick(b.pick(1)).other()\n",
        ),
        "names that are values",
    );
}

#[test]
fn bases_that_are_computed_from_their_classes_are_the_same_in_every_order() {
    same(
        &texts(
            "//- a.py\nimport b\nclass A(b.base()):\n    kind = b.B\n    def run(self):\n        return self.kind().turn()\n\
             //- b.py\nimport a\ndef base():\n    return a.A.kind\nclass B:\n    kind = None\n    def turn(self):\n        return a.A().kind\nclass C(a.A().run()):\n    pass\n\
             //- c.py\nimport a, b\na.A().run().turn()\nb.C().turn()\nb.C().kind().turn()\n",
        ),
        "bases that are values",
    );
}
