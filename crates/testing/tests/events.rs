//! The exact queries that an edit may run, by the events of the database: a body edit runs the
//! queries of its own file and the join of its unit, and an edit that no other file reads runs
//! nothing else.

use codeweft_testing::events::{QueryRuns, QueryWatch};
use codeweft_testing::fixture::texts;

/// Every file calls `a.X` but `a2` and `b2`; no package imports `d`.
const FIXTURE: &str = r#"
//- a/a1.go
package a

// T has a method.
type T struct{ F int }

func (t *T) M() int { return t.F }

// X is what all call.
func X(n int) int {
	return n
}

func own() int {
	return X(1)
}
//- a/a2.go
package a

func Other() int { return 2 }
//- b/b1.go
package b

import "m/a"

func F() int {
	x := 1
	return a.X(x)
}
//- b/b2.go
package b

func G() int { return 3 }
//- c/c1.go
package c

import "m/a"

func F() int { return a.X(2) }
//- d/d1.go
package d

import "m/a"

func F() int { return a.X(3) }
"#;

/// The queries of one file's own text.
const OWN: [&str; 6] = [
    "lower",
    "file_bodies",
    "file_identifiers",
    "file_ranges",
    "file_report",
    "file_secrets",
];

/// Returns the workspace with a file open, queried once.
fn opened(path: &str) -> (QueryWatch, QueryRuns) {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "a.X");
    workspace.ask();
    workspace.open(path);
    let before = workspace.ask();
    (workspace, before)
}

/// Returns what a file's own queries and these others print: `name key` or `name × times`.
fn expected(own: &str, others: &[&str]) -> String {
    // The uses of an edited file are resolved in parts.
    let uses = format!("file_uses {own}");
    let parts = others.contains(&&*uses).then(|| "part_uses".to_owned());
    printed(own, others, parts)
}

fn printed(own: &str, others: &[&str], parts: Option<String>) -> String {
    let own = OWN.iter().map(|query| format!("{query} {own}"));
    let others = others.iter().map(|&query| query.to_owned());
    let mut lines: Vec<String> = own.chain(others).chain(parts).collect();
    lines.sort();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn runs(ran: &QueryRuns, own: &str, others: &[&str]) {
    assert_eq!(ran.printed(), expected(own, others));
}

#[test]
fn opening_a_file_for_the_first_time_runs_its_own_queries_and_the_joins_of_its_unit() {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "a.X");
    workspace.ask();
    workspace.open("b/b1.go");
    let joins = [
        "file_uses b/b1.go",
        "unit_broken b:Base",
        "unit_incomplete_files b:Base",
        "unit_flows b:Base",
        "unit_index b:Base",
        "unit_identifiers b:Base",
    ];
    assert_eq!(workspace.ask().printed(), printed("b/b1.go", &joins, None));
    workspace.open("b/b1.go");
    assert_eq!(workspace.ask().printed(), "");
}

#[test]
fn opening_a_file_that_all_import_runs_no_declaration_and_no_uses_of_other_files() {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "a.X");
    workspace.ask();
    workspace.open("a/a1.go");
    let joins = [
        "file_uses a/a1.go",
        "unit_broken a:Base",
        "unit_incomplete_files a:Base",
        "unit_flows a:Base",
        "unit_index a:Base",
        "unit_identifiers a:Base",
    ];
    assert_eq!(workspace.ask().printed(), printed("a/a1.go", &joins, None));
}

#[test]
fn opening_a_file_validates_no_more_than_an_edit() {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "a.X");
    workspace.ask();
    workspace.open("a/a1.go");
    let opened = workspace.ask();
    workspace.replace("a/a1.go", "func own", "// A note.\nfunc own");
    let edited = workspace.ask();
    // The file's own queries over the saved text.
    let own = OWN.len() + 1;
    assert!(
        opened.validated <= edited.validated + own,
        "{} memos, of an edit {}",
        opened.validated,
        edited.validated
    );
}

#[test]
fn a_blank_line_runs_only_the_queries_of_its_file() {
    for at in ["func F", "\tx := 1", "package b"] {
        let (mut workspace, _) = opened("b/b1.go");
        workspace.replace("b/b1.go", at, &format!("\n{at}"));
        runs(&workspace.ask(), "b/b1.go", &[]);
    }
}

#[test]
fn a_comment_runs_only_the_queries_of_its_file() {
    for at in ["func F", "\tx := 1", "\treturn"] {
        let (mut workspace, _) = opened("b/b1.go");
        workspace.replace("b/b1.go", at, &format!("// A note.\n{at}"));
        runs(&workspace.ask(), "b/b1.go", &[]);
    }
}

#[test]
fn a_body_edit_of_known_names_runs_the_uses_of_its_file_and_the_join_of_its_unit() {
    let (mut workspace, _) = opened("b/b1.go");
    workspace.replace("b/b1.go", "\treturn", "\tx = a.X(x)\n\treturn");
    let ran = workspace.ask();
    runs(
        &ran,
        "b/b1.go",
        &[
            "file_uses b/b1.go",
            "unit_flows b:Base",
            "unit_index b:Base",
        ],
    );
    assert!(ran.answer.contains("\"site_count\":2"), "{}", ran.answer);
}

#[test]
fn a_body_edit_with_a_new_name_joins_the_identifiers_of_its_unit_as_well() {
    let (mut workspace, _) = opened("b/b1.go");
    workspace.replace("b/b1.go", "\tx := 1", "\tx := 1\n\ta.Other()");
    let joins = [
        // `a.Other` is queried for the first time.
        "decl",
        "file_uses b/b1.go",
        "unit_flows b:Base",
        "unit_index b:Base",
        "unit_identifiers b:Base",
    ];
    runs(&workspace.ask(), "b/b1.go", &joins);
}

#[test]
fn a_body_edit_without_effect_on_uses_joins_nothing() {
    let (mut workspace, _) = opened("b/b1.go");
    workspace.replace("b/b1.go", "x := 1", "x := 2 + 3");
    runs(&workspace.ask(), "b/b1.go", &["file_uses b/b1.go"]);
}

#[test]
fn a_changed_parameter_type_runs_the_uses_of_the_using_files_only() {
    let (mut workspace, _) = opened("a/a1.go");
    workspace.replace("a/a1.go", "X(n int)", "X(n int64)");
    let others = [
        "base_of_receiver",
        // The two queried names of `a`: `X` and `T`.
        "decl × 2",
        "type_def",
        "file_uses a/a1.go",
        "file_uses b/b1.go",
        "file_uses c/c1.go",
        "file_uses d/d1.go",
        "unit_decls a:Base",
        "unit_identifiers a:Base",
        "unit_scope a:Base",
        "unit_symbols a:Base",
    ];
    assert_eq!(workspace.ask().printed(), printed("a/a1.go", &others, None));
}

#[test]
fn a_renamed_parameter_runs_no_uses_of_other_files() {
    let (mut workspace, _) = opened("a/a1.go");
    workspace.replace(
        "a/a1.go",
        "X(n int) int {\n\treturn n",
        "X(m int) int {\n\treturn m",
    );
    let others = [
        "base_of_receiver",
        "file_uses a/a1.go",
        "unit_decls a:Base",
        "unit_identifiers a:Base",
        "unit_scope a:Base",
        "unit_symbols a:Base",
    ];
    runs(&workspace.ask(), "a/a1.go", &others);
}

#[test]
fn a_new_private_function_runs_nothing_of_importers() {
    let (mut workspace, _) = opened("a/a1.go");
    workspace.replace(
        "a/a1.go",
        "func own",
        "func more() int { return 4 }\n\nfunc own",
    );
    let others = [
        "base_of_receiver",
        "decl × 2",
        "type_def",
        "file_uses a/a1.go",
        "unit_decls a:Base",
        "unit_flows a:Base",
        "unit_index a:Base",
        "unit_identifiers a:Base",
        "unit_scope a:Base",
        "unit_symbols a:Base",
    ];
    runs(&workspace.ask(), "a/a1.go", &others);
}

#[test]
fn a_new_function_above_others_runs_no_uses_of_the_packages_other_files() {
    // A file with a method on a type of the edited file, and one that names functions behind the new one.
    let fixture = format!(
        "{FIXTURE}//- a/a3.go\npackage a\n\nfunc (t *T) More() int {{ return t.M() + own() + X(1) }}\n\n\
         func sum(ts []T) (n int) {{\n\tfor _, t := range ts {{\n\t\tn += t.F\n\t}}\n\treturn n\n}}\n"
    );
    let mut workspace = QueryWatch::new(texts(&fixture), "a.X");
    workspace.ask();
    workspace.open("a/a1.go");
    workspace.ask();
    for (old, new) in [
        ("// T has", "func first() int { return X(4) }\n\n// T has"),
        ("func first() int { return X(4) }\n\n", ""),
    ] {
        workspace.replace("a/a1.go", old, new);
        let ran = workspace.ask();
        let uses = ran.executed.keys().filter(|query| query.contains("_uses"));
        let of_others: Vec<_> = uses.filter(|query| query.contains(".go")).collect();
        assert_eq!(of_others, ["file_uses a/a1.go"]);
    }
}

#[test]
fn an_edit_without_a_visible_effect_runs_nothing_of_other_files() {
    let (mut workspace, _) = opened("d/d1.go");
    workspace.replace("d/d1.go", "a.X(3)", "a.X(3) + a.X(4)");
    runs(
        &workspace.ask(),
        "d/d1.go",
        &[
            "file_uses d/d1.go",
            "unit_flows d:Base",
            "unit_index d:Base",
        ],
    );
    workspace.replace("d/d1.go", "func F()", "func More() {}\n\nfunc F(n string)");
    let ran = workspace.ask();
    for query in ran.executed.keys() {
        let of_others = ["a/", "b/", "c/", "a:", "b:", "c:"];
        assert!(
            !of_others.iter().any(|other| query.contains(other)),
            "{query}"
        );
    }
}

#[test]
fn a_new_import_runs_the_uses_of_its_file_and_not_of_the_packages_other_files() {
    let (mut workspace, _) = opened("b/b1.go");
    workspace.replace(
        "b/b1.go",
        "import \"m/a\"",
        "import \"m/a\"\nimport \"m/c\"",
    );
    let others = [
        "file_imports b/b1.go",
        // Its bodies do not use the new import, so their uses are equal.
        "file_uses b/b1.go",
        "import_cuts",
        "unit_files b:Base",
        "unit_import_rows b:Base",
        "unit_imports b:Base",
        // The name of unit `c` is queried for the first time.
        "unit_name c:Base",
        "unit_symbols b:Base",
    ];
    assert_eq!(workspace.ask().printed(), printed("b/b1.go", &others, None));
}

/// The edits of this file's tests: file, old text, new text.
const EDITS: [(&str, &str, &str); 10] = [
    ("b/b1.go", "\tx := 1", "\n\tx := 1"),
    ("b/b1.go", "\tx := 1", "\t// A note.\n\tx := 1"),
    ("b/b1.go", "\treturn", "\tx = a.X(x)\n\treturn"),
    ("b/b1.go", "\tx := 1", "\tx := 1\n\ta.Other()"),
    ("b/b1.go", "x := 1", "x := 2 + 3"),
    ("a/a1.go", "X(n int)", "X(n int64)"),
    (
        "a/a1.go",
        "X(n int) int {\n\treturn n",
        "X(m int) int {\n\treturn m",
    ),
    (
        "a/a1.go",
        "func own",
        "func more() int { return 4 }\n\nfunc own",
    ),
    ("d/d1.go", "a.X(3)", "a.X(3) + a.X(4)"),
    (
        "b/b1.go",
        "import \"m/a\"",
        "import \"m/a\"\nimport \"m/c\"",
    ),
];

#[test]
fn undoing_an_edit_runs_no_more_than_the_edit_and_gives_the_old_bytes() {
    for (path, old, new) in EDITS {
        let (mut workspace, before) = opened(path);
        let text = workspace.text(path).to_owned();
        workspace.replace(path, old, new);
        let edit = workspace.ask();
        workspace.type_in(path, text);
        let undo = workspace.ask();
        assert_eq!(undo.answer, before.answer, "{new}");
        let times_of = |query: &str| edit.executed.get(query).copied().unwrap_or(0);
        for (query, times) in &undo.executed {
            // The uses of the old bodies are those of the saved text: no part of their own.
            let parts = if *query == format!("file_uses {path}") {
                times_of("part_uses")
            } else {
                0
            };
            let of_edit = times_of(query) + parts;
            assert!(
                *times <= of_edit,
                "undoing {new} runs {query} {times} times"
            );
        }
    }
}

/// Returns the workspace with tests of `a`.
fn with_tests() -> QueryWatch {
    let mut all = texts(FIXTURE);
    all.extend(texts(
        r#"//- a/in_test.go
package a

func more() { check() }

func check() int { return X(5) }
//- a/out_test.go
package a_test

import "m/a"

func more() { check() }

func check() int { return a.X(6) }
"#,
    ));
    QueryWatch::new(all, "a.X")
}

#[test]
fn an_edit_of_a_test_runs_nothing_of_the_package_it_tests() {
    for (path, unit) in [
        ("a/in_test.go", "a:InTest"),
        ("a/out_test.go", "a_test:XTest"),
    ] {
        let mut workspace = with_tests();
        workspace.ask();
        workspace.open(path);
        workspace.ask();
        let uses = format!("file_uses {path}");
        workspace.replace(path, "return ", "return 1 + ");
        runs(&workspace.ask(), path, &[&uses]);
        workspace.replace(path, "return ", "check(); return ");
        runs(
            &workspace.ask(),
            path,
            &[
                &uses,
                &format!("unit_flows {unit}"),
                &format!("unit_index {unit}"),
            ],
        );
    }
}

#[test]
fn a_new_method_runs_the_hierarchy_of_its_unit_and_no_uses_of_files_that_do_not_name_its_type() {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "a.T.M");
    workspace.ask();
    workspace.open("a/a1.go");
    workspace.ask();
    workspace.replace("a/a1.go", "func own", "func (t T) N() {}\n\nfunc own");
    let ran = workspace.ask();
    let of = |name: &str| -> Vec<&String> {
        let queries = ran.executed.keys();
        queries.filter(|query| query.starts_with(name)).collect()
    };
    assert_eq!(of("file_uses"), ["file_uses a/a1.go"]);
    assert_eq!(of("impl_index"), ["impl_index a:Base"]);
    assert_eq!(of("unit_decls"), ["unit_decls a:Base"]);
}

#[test]
fn a_query_of_a_function_does_not_read_the_hierarchy() {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "a.X");
    let ran = workspace.ask();
    let mut queries = ran.executed.keys();
    assert!(!queries.any(|query| query.starts_with("impl_index")));
}

#[test]
fn a_toggled_build_constraint_runs_nothing_of_units_that_do_not_import_the_package() {
    let (mut workspace, before) = opened("b/b2.go");
    let text = workspace.text("b/b2.go").to_owned();
    workspace.type_in("b/b2.go", format!("//go:build ignore\n\n{text}"));
    let ran = workspace.ask();
    for query in ran.executed.keys() {
        let of_others = ["a/", "c/", "d/", "a:", "c:", "d:"];
        assert!(
            !of_others.iter().any(|other| query.contains(other)),
            "{query}"
        );
    }
    workspace.type_in("b/b2.go", text);
    assert_eq!(workspace.ask().answer, before.answer);
}

#[test]
fn an_import_cycle_added_and_undone_gives_the_old_bytes() {
    let (mut workspace, before) = opened("a/a1.go");
    let text = workspace.text("a/a1.go").to_owned();
    workspace.replace(
        "a/a1.go",
        "package a",
        "package a\n\nimport \"m/b\"\n\nvar _ = b.F",
    );
    workspace.ask();
    workspace.type_in("a/a1.go", text);
    assert_eq!(workspace.ask().answer, before.answer);
}

/// Returns a workspace with a file of many bodies, large enough to be resolved in chunks.
fn with_large_file() -> codeweft_testing::Texts {
    let mut all = texts(FIXTURE);
    let mut large = String::from("package e\n\nimport \"m/a\"\n");
    for number in 0..300 {
        large += &format!("\nfunc f{number}(n int) int {{\n");
        for line in 0..10 {
            large += &format!("\tn += a.X(n) + {line}\n");
        }
        large += "\treturn n\n}\n";
    }
    all.insert("e/large.go".to_owned(), large);
    all
}

#[test]
fn a_body_edit_in_a_file_of_many_bodies_resolves_one_chunk() {
    let mut workspace = QueryWatch::new(with_large_file(), "a.X");
    let chunks = workspace.ask().executed["chunk_uses"];
    assert!(chunks > 5, "{chunks} chunks");
    workspace.open("e/large.go");
    let opened = workspace.ask();
    assert!(!opened.executed.contains_key("chunk_uses"));
    let edited = [
        "file_uses e/large.go",
        "unit_flows e:Base",
        "unit_index e:Base",
    ];
    let head = "func f150(n int) int {\n";
    workspace.replace("e/large.go", head, &format!("{head}\tn += a.X(n)\n"));
    let ran = workspace.ask();
    runs(&ran, "e/large.go", &edited);
    assert_ne!(ran.answer, opened.answer);
    // A comment changes nothing after the bodies query.
    workspace.replace("e/large.go", head, &format!("{head}\t// A note.\n"));
    runs(&workspace.ask(), "e/large.go", &[]);
}

/// The relation of the further packages to `a.X`.
#[derive(Clone, Copy, Debug)]
enum Sees {
    /// They do not import `a`.
    Nothing,
    /// They import `a` and do not name `X`.
    Package,
    /// They call `a.X` in their first file.
    Function,
}

/// Returns how many memos a body edit of `b1` validates in a workspace of `packages` more packages,
/// each with `files` files.
fn validated(packages: usize, files: usize, sees: Sees) -> usize {
    let mut all = texts(FIXTURE);
    for package in 0..packages {
        for file in 0..files {
            let call = match sees {
                Sees::Nothing => "",
                Sees::Package => "import \"m/a\"\n\nvar t a.T\n",
                Sees::Function => "import \"m/a\"\n\nvar t = a.X(4)\n",
            };
            let call = if file == 0 { call } else { "" };
            let text = format!("package p{package}\n\n{call}\nfunc F{file}() int {{ return 4 }}\n");
            all.insert(format!("p{package}/f{file}.go"), text);
        }
    }
    let mut workspace = QueryWatch::new(all, "a.X");
    workspace.ask();
    workspace.open("b/b1.go");
    workspace.ask();
    workspace.replace("b/b1.go", "\treturn", "\tx = a.X(x)\n\treturn");
    let ran = workspace.ask();
    runs(
        &ran,
        "b/b1.go",
        &[
            "file_uses b/b1.go",
            "unit_flows b:Base",
            "unit_index b:Base",
        ],
    );
    ran.validated
}

#[test]
fn validation_grows_with_the_number_of_candidate_units_only() {
    for sees in [Sees::Nothing, Sees::Package, Sees::Function] {
        let [base, double, triple] = [10, 20, 30].map(|packages| validated(packages, 2, sees));
        assert_eq!(triple - double, double - base, "{sees:?}");
        let each = (double - base) / 10;
        assert_eq!(base - 10 * each, double - 20 * each, "{sees:?}");
        println!("{sees:?}: {each} memos for each unit asked");
        // At most one for each query of a unit that a query of callers needs, and the scan of the file whose line is listed.
        assert!(each <= 13, "{sees:?}: {each} memos for each unit asked");
    }
}

#[test]
fn validation_does_not_grow_with_files_that_do_not_name_the_target() {
    for sees in [Sees::Nothing, Sees::Package] {
        assert_eq!(validated(10, 2, sees), validated(10, 8, sees), "{sees:?}");
    }
    // Whether a candidate unit was read in full is checked for each of its files.
    let files = [2, 4, 6].map(|files| validated(10, files, Sees::Function));
    assert!(files[1] - files[0] <= 20, "{files:?}");
    assert_eq!(files[2] - files[1], files[1] - files[0]);
}
