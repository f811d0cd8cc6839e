//! What an edit of Python may run: the exact queries, by the events of the database. A body edit
//! runs its own file and the join of its package; what others infer from it is compared before
//! they run.

use codeweft_testing::events::{Ran, Watched};
use codeweft_testing::fixture::texts;

/// `b`, `c` and `d` infer from `a`; nobody imports `d`. `a/plain` is beside it and apart.
const WORLD: &str = r#"
//- a/__init__.py
//- a/core.py
class Item:
    def __init__(self):
        self.part = Part()

    def run(self):
        return self.part

class Part:
    def run(self):
        return 1

def make(n):
    note = 1
    return Item()

def other(n):
    return 2
//- a/plain.py
def apart():
    return 3
//- b/__init__.py
//- b/use.py
from a.core import make

def first(n):
    x = 1
    return make(x).run()
//- b/calm.py
from a.core import other

def second(n):
    return other(n)
//- c/__init__.py
//- c/use.py
from a.core import make

def third(n):
    return make(2).run()
//- d/__init__.py
//- d/last.py
from a.core import make

def fourth(n):
    return make(3)
"#;

/// The queries of one file's own text.
const OWN: [&str; 5] = [
    "lower",
    "file_bodies",
    "file_mentions",
    "file_ranges",
    "file_report",
];

fn world() -> Watched {
    let mut world = Watched::new(texts(WORLD), "a.core.Item.run");
    world.ask();
    world
}

/// The world with a file open, asked once.
fn opened(path: &str) -> (Watched, Ran) {
    let mut world = world();
    world.open(path);
    let before = world.ask();
    (world, before)
}

/// What a file's own queries and these others print: `name key` or `name × times`.
fn expected(own: &str, others: &[&str]) -> String {
    let own = OWN.iter().map(|query| format!("{query} {own}"));
    let others = others.iter().map(|&query| query.to_owned());
    let mut lines: Vec<String> = own.chain(others).collect();
    lines.sort();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn runs(ran: &Ran, own: &str, others: &[&str]) {
    assert_eq!(ran.printed(), expected(own, others));
}

#[test]
fn opening_a_module_that_others_infer_from_runs_nothing_of_others() {
    let mut world = world();
    world.open("a/core.py");
    runs(&world.ask(), "a/core.py", &[]);
    world.open("a/core.py");
    assert_eq!(world.ask().printed(), "");
}

#[test]
fn a_comment_or_a_blank_line_runs_that_files_own_queries_and_nothing_else() {
    for line in ["# A note.\n", "\n"] {
        for at in ["def make", "    note = 1", "    return Item()"] {
            let (mut world, _) = opened("a/core.py");
            world.replace("a/core.py", at, &format!("{line}{at}"));
            runs(&world.ask(), "a/core.py", &[]);
        }
    }
}

#[test]
fn a_literal_runs_that_files_own_queries_and_nothing_else() {
    let (mut world, _) = opened("a/core.py");
    world.replace("a/core.py", "note = 1", "note = 2");
    runs(&world.ask(), "a/core.py", &[]);
}

#[test]
fn a_body_edit_of_known_names_runs_its_files_uses_and_the_join_of_its_package() {
    let (mut world, _) = opened("b/use.py");
    world.replace("b/use.py", "    x = 1\n", "    x = 1\n    make(x).run()\n");
    let ran = world.ask();
    runs(&ran, "b/use.py", &["file_uses b/use.py", "py_unit_index b:Base"]);
}

#[test]
fn a_body_edit_in_a_module_that_others_infer_from_runs_nothing_of_others() {
    let (mut world, _) = opened("a/core.py");
    world.replace("a/core.py", "    note = 1\n", "    note = 1\n    Item().run()\n");
    let ran = world.ask();
    runs(&ran, "a/core.py", &["file_uses a/core.py", "py_unit_index a:Base"]);
}

#[test]
fn a_change_of_what_a_function_gives_back_runs_what_was_inferred_from_it() {
    let (mut world, _) = opened("a/core.py");
    world.replace("a/core.py", "return Item()", "return Part()");
    runs(&world.ask(), "a/core.py", &[]);
}

#[test]
fn a_change_of_a_return_that_gives_the_same_runs_no_uses_of_others() {
    let (mut world, _) = opened("a/core.py");
    world.replace("a/core.py", "return Item()", "return Item() or Item()");
    runs(&world.ask(), "a/core.py", &[]);
}

#[test]
fn a_store_more_into_an_attribute_runs_those_who_read_it() {
    let (mut world, _) = opened("a/core.py");
    world.replace(
        "a/core.py",
        "        self.part = Part()\n",
        "        self.part = Part()\n        self.more = Item()\n",
    );
    runs(&world.ask(), "a/core.py", &[]);
}

#[test]
fn the_annotation_of_a_parameter_runs_its_callers_files_and_no_others() {
    let (mut world, _) = opened("a/core.py");
    world.replace("a/core.py", "def make(n)", "def make(n: int)");
    runs(&world.ask(), "a/core.py", &[]);
}

#[test]
fn a_private_function_more_runs_no_uses_of_others() {
    let (mut world, _) = opened("a/core.py");
    world.replace("a/core.py", "def other", "def _more(n):\n    return 4\n\ndef other");
    runs(&world.ask(), "a/core.py", &[]);
}

#[test]
fn an_edit_in_a_module_that_nobody_imports_runs_nothing_of_others() {
    let (mut world, _) = opened("d/last.py");
    world.replace("d/last.py", "    return make(3)", "    return make(4).run()");
    runs(&world.ask(), "d/last.py", &[]);
}
