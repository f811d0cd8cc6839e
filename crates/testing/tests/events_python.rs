//! The exact queries that an edit of Python may run, by the events of the database. A body edit
//! runs the queries of its own file and the join of its package; results that other files infer
//! from it are compared before those files run.

use codeweft_testing::events::{QueryRuns, QueryWatch};
use codeweft_testing::fixture::texts;

/// `b`, `c` and `d` infer from `a`; no module imports `d`. `a/plain` is unrelated to them.
const FIXTURE: &str = r#"
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

def own():
    return Item().run()
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
    "file_ranges",
    "file_report",
    "file_secrets",
];

fn workspace() -> QueryWatch {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "a.core.Item.run");
    workspace.ask();
    workspace
}

/// Returns the workspace with a file open, queried once.
fn opened(path: &str) -> (QueryWatch, QueryRuns) {
    let mut workspace = workspace();
    workspace.open(path);
    let before = workspace.ask();
    (workspace, before)
}

/// Returns what a file's own queries and these others print: `name key` or `name × times`.
fn expected(own: &str, others: &[&str]) -> String {
    let own = OWN.iter().map(|query| format!("{query} {own}"));
    let own = own.chain(["edited_text_looks_up".to_owned()]);
    let others = others.iter().map(|&query| query.to_owned());
    let mut lines: Vec<String> = own.chain(others).collect();
    lines.sort();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn runs(ran: &QueryRuns, own: &str, others: &[&str]) {
    assert_eq!(ran.printed(), expected(own, others));
}

/// Asserts what runs if a body uses more of what its file used before: the index of the unit
/// consists of the same groups.
fn joined(ran: &QueryRuns, own: &str) {
    let uses = format!("file_uses {own}");
    let flow = [
        "py_flow",
        "py_flow_escaped",
        "py_flow_fragment",
        "py_flow_body_facts",
        "py_flow_seeds",
        "py_flow_targets × 10",
    ];
    runs(
        ran,
        own,
        &[&flow[..], &[&uses, "py_group_index", "py_part_uses"]].concat(),
    );
}

/// Asserts what runs if the items of `a/core.py` change: the queried names are resolved again, and
/// if the results are equal nothing else runs. Keys of one name are not printed.
fn items_run(ran: &QueryRuns, others: &[&str]) {
    let again = [
        "class_info × 2",
        "class_members × 2",
        "class_statement × 2",
        "field_values",
        "file_items_by_symbol a/core.py",
        "file_symbols a/core.py",
        "file_uses a/core.py",
        "name_index",
        "py_class_rows",
        "py_flow",
        "py_flow_classes",
        "py_flow_declarations",
        "py_follows_values",
        "py_hierarchy",
        "py_part_uses",
        "py_symbols",
    ];
    runs(ran, "a/core.py", &[&again[..], others].concat());
}

#[test]
fn opening_a_module_that_others_infer_from_runs_nothing_of_other_files() {
    let mut workspace = workspace();
    workspace.open("a/core.py");
    let joins = [
        "computed_names",
        "file_uses a/core.py",
        "unit_incomplete_files a:Base",
        "py_flow",
        "py_flow_fragment",
        "py_flow_body_facts",
        "py_flow_seeds",
        "py_group_index",
        "py_unit_index",
        "unit_broken a:Base",
    ];
    runs(&workspace.ask(), "a/core.py", &joins);
    workspace.open("a/core.py");
    assert_eq!(workspace.ask().printed(), "");
}

#[test]
fn an_edit_in_a_large_folder_joins_the_group_of_its_file_only() {
    let mut files = texts(FIXTURE);
    files.extend((0..100).map(|at| {
        let text = format!("from a.core import make\n\ndef f{at}():\n    return make({at})\n");
        (format!("e/f{at:03}.py"), text)
    }));
    let mut workspace = QueryWatch::new(files, "a.core.Item.run");
    workspace.ask();
    workspace.open("e/f050.py");
    let of_groups = |ran: &QueryRuns| {
        let printed = ran.printed();
        let lines = printed.lines().map(str::to_owned);
        let joins = [
            "computed_names",
            "py_group_index",
            "file_uses",
            "saved_literal",
        ];
        let lines = lines.filter(|line| joins.iter().any(|join| line.starts_with(join)));
        lines.collect::<Vec<String>>()
    };
    let opened = ["computed_names", "file_uses e/f050.py", "py_group_index"];
    assert_eq!(of_groups(&workspace.ask()), opened);
    workspace.replace("e/f050.py", "make(50)", "make(50).run()");
    let edited = ["file_uses e/f050.py", "py_group_index"];
    assert_eq!(of_groups(&workspace.ask()), edited);
}

#[test]
fn each_changed_body_is_resolved_by_itself_and_the_others_keep_their_uses() {
    let (mut workspace, _) = opened("a/core.py");
    let text = workspace.text("a/core.py");
    let text = text.replace("    note = 1\n", "    note = 1\n    Item().run()\n");
    let text = text.replace("    return 2\n", "    Item().run()\n    return 2\n");
    workspace.type_in("a/core.py", text);
    let uses = [
        "file_uses a/core.py",
        "py_flow",
        "py_flow_escaped",
        "py_flow_fragment",
        "py_flow_body_facts",
        "py_flow_seeds",
        "py_flow_targets × 10",
        "py_group_index",
        "py_part_uses × 2",
    ];
    runs(&workspace.ask(), "a/core.py", &uses);
    workspace.replace("a/core.py", "    note = 1\n", "    note = 1\n    Item()\n");
    joined(&workspace.ask(), "a/core.py");
}

#[test]
fn a_comment_or_a_blank_line_runs_only_the_queries_of_its_file() {
    for line in ["# A note.\n", "\n"] {
        for at in ["def make", "    note = 1", "    return Item()"] {
            let (mut workspace, _) = opened("a/core.py");
            workspace.replace("a/core.py", at, &format!("{line}{at}"));
            runs(&workspace.ask(), "a/core.py", &[]);
        }
    }
}

#[test]
fn a_changed_literal_runs_only_the_queries_of_its_file() {
    let (mut workspace, _) = opened("a/core.py");
    workspace.replace("a/core.py", "note = 1", "note = 2");
    runs(&workspace.ask(), "a/core.py", &[]);
}

#[test]
fn a_body_edit_of_known_names_runs_the_uses_of_its_file_and_the_join_of_its_package() {
    let (mut workspace, _) = opened("b/use.py");
    workspace.replace("b/use.py", "    x = 1\n", "    x = 1\n    make(x).run()\n");
    let ran = workspace.ask();
    joined(&ran, "b/use.py");
    assert!(ran.answer.contains("\"site_count\":2"), "{}", ran.answer);
}

#[test]
fn a_body_edit_in_a_module_that_others_infer_from_runs_nothing_of_other_files() {
    let (mut workspace, _) = opened("a/core.py");
    let more = "    note = 1\n    Item().run()\n";
    workspace.replace("a/core.py", "    note = 1\n", more);
    let ran = workspace.ask();
    joined(&ran, "a/core.py");
}

#[test]
fn a_change_of_a_functions_result_runs_the_uses_of_its_callers_only() {
    let (mut workspace, before) = opened("a/core.py");
    workspace.replace("a/core.py", "return Item()\n", "return Part()\n");
    let others = [
        "declared_name × 3",
        "class_member × 2",
        "function_body × 4",
        "function_form × 4",
        "function_header",
        "file_uses b/use.py",
        "file_uses c/use.py",
        "file_uses d/last.py",
        // Those of `a`, `b` and `c`: the uses of `d` are equal. The uses of `a` have equal targets.
        "py_flow_escaped",
        "py_flow_fragment × 3",
        "py_flow_body_facts",
        "py_flow_seeds × 4",
        "py_flow_targets × 10",
        "py_group_index × 3",
        "py_unit_index × 2",
        "returned × 2",
        "final_returned × 2",
    ];
    let ran = workspace.ask();
    items_run(&ran, &others);
    assert_ne!(ran.answer, before.answer);
}

#[test]
fn a_change_of_a_return_with_an_equal_result_runs_no_uses_of_other_files() {
    let (mut workspace, _) = opened("a/core.py");
    workspace.replace("a/core.py", "return Item()\n", "return Item() or Item()\n");
    let others = [
        "declared_name × 4",
        "function_body × 3",
        "function_form × 3",
        "function_header",
        "py_flow_escaped",
        "py_flow_fragment",
        "py_flow_body_facts",
        "py_flow_seeds",
        "py_flow_targets × 10",
        "py_group_index",
        "returned",
    ];
    items_run(&workspace.ask(), &others);
}

#[test]
fn a_new_store_runs_no_uses_of_other_files() {
    let (mut workspace, before) = opened("a/core.py");
    workspace.replace(
        "a/core.py",
        "        self.part = Part()\n",
        "        self.part = Part()\n        self.more = Item()\n",
    );
    let others = [
        "declared_name × 4",
        "class_member × 4",
        "function_body × 3",
        "function_form × 3",
        "function_header",
        "py_flow_escaped",
        "py_flow_fragment",
        "py_flow_body_facts",
        "py_flow_seeds",
        "py_flow_targets × 10",
        "py_group_index",
        "py_unit_index",
    ];
    let ran = workspace.ask();
    items_run(&ran, &others);
    assert_eq!(
        ran.answer.matches("\"id\"").count(),
        before.answer.matches("\"id\"").count()
    );
}

#[test]
fn the_annotation_of_a_parameter_runs_the_uses_of_the_functions_callers_only() {
    let (mut workspace, _) = opened("a/core.py");
    workspace.replace("a/core.py", "def make(n)", "def make(n: int)");
    let others = [
        "declared_name × 5",
        "function_body × 3",
        "function_form × 3",
        "function_header × 2",
        "file_uses b/use.py",
        "file_uses c/use.py",
        "file_uses d/last.py",
        "py_flow_fragment",
        "py_flow_body_facts",
        "py_flow_seeds × 4",
        "py_group_index",
        "py_unit_index",
        "signature",
    ];
    items_run(&workspace.ask(), &others);
}

#[test]
fn a_new_private_function_runs_no_uses_of_other_files() {
    let (mut workspace, _) = opened("a/core.py");
    let more = "def _more(n):\n    return 4\n\ndef other";
    workspace.replace("a/core.py", "def other", more);
    let others = [
        "declared_name × 4",
        "function_body × 3",
        "function_form × 3",
        "function_header",
        "py_flow_escaped",
        "py_flow_fragment",
        "py_flow_body_facts",
        "py_flow_seeds",
        "py_flow_targets × 10",
        "py_group_index",
    ];
    items_run(&workspace.ask(), &others);
}

#[test]
fn an_edit_in_a_module_without_importers_runs_nothing_of_other_files() {
    let (mut workspace, _) = opened("d/last.py");
    workspace.replace("d/last.py", "make(3)", "make(4).run()");
    workspace.replace(
        "d/last.py",
        "def fourth",
        "def fifth(it):\n    return it\n\ndef fourth",
    );
    for query in workspace.ask().executed.keys() {
        let of_others = ["a/", "b/", "c/", "a:", "b:", "c:"];
        assert!(
            !of_others.iter().any(|other| query.contains(other)),
            "{query}"
        );
    }
}

/// The edits of this file's tests: file, old text, new text.
const EDITS: [(&str, &str, &str); 8] = [
    ("b/use.py", "    x = 1\n", "\n    x = 1\n"),
    ("b/use.py", "    x = 1\n", "    x = 1\n    make(x).run()\n"),
    ("a/core.py", "note = 1", "note = 2"),
    ("a/core.py", "return Item()\n", "return Part()\n"),
    ("a/core.py", "return Item()\n", "return Item() or Item()\n"),
    (
        "a/core.py",
        "        return self.part\n",
        "        return self.part.run()\n",
    ),
    ("a/core.py", "def make(n)", "def make(n: int)"),
    (
        "a/core.py",
        "def other",
        "def _more(n):\n    return 4\n\ndef other",
    ),
];

#[test]
fn undoing_an_edit_runs_no_file_that_the_edit_did_not_and_gives_the_old_bytes() {
    for (path, old, new) in EDITS {
        let (mut workspace, before) = opened(path);
        let text = workspace.text(path).to_owned();
        workspace.replace(path, old, new);
        let edit = workspace.ask();
        workspace.type_in(path, text);
        let undo = workspace.ask();
        assert_eq!(undo.answer, before.answer, "{new}");
        for query in undo.executed.keys().filter(|query| query.contains('/')) {
            assert!(
                edit.executed.contains_key(query),
                "undoing {new} runs {query}"
            );
        }
    }
}
