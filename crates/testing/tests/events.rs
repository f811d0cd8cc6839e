//! What an edit may run: the exact queries, by the events of the database (design: a body edit
//! runs its own file and the join of its unit, and what nobody reads runs nothing).

use codeweft_testing::events::{Ran, Watched};
use codeweft_testing::fixture::texts;

/// Every file calls `a.X` but `a2` and `b2`; nobody imports `d`.
const WORLD: &str = r#"
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
const OWN: [&str; 5] = [
    "lower",
    "file_bodies",
    "file_identifiers",
    "file_ranges",
    "file_report",
];

/// The world with a file open, asked once.
fn opened(path: &str) -> (Watched, Ran) {
    let mut world = Watched::new(texts(WORLD), "a.X");
    world.ask();
    world.open(path);
    let before = world.ask();
    (world, before)
}

/// What a file's own queries and these others print: `name key` or `name × times`.
fn expected(own: &str, others: &[&str]) -> String {
    // The uses of an edited file are resolved part by part.
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

fn runs(ran: &Ran, own: &str, others: &[&str]) {
    assert_eq!(ran.printed(), expected(own, others));
}

#[test]
fn opening_a_file_for_the_first_time_runs_its_own_queries_and_the_joins_of_its_unit() {
    let mut world = Watched::new(texts(WORLD), "a.X");
    world.ask();
    world.open("b/b1.go");
    let joins = [
        "file_uses b/b1.go",
        "unit_broken b:Base",
        "unit_flows b:Base",
        "unit_index b:Base",
        "unit_identifiers b:Base",
    ];
    assert_eq!(world.ask().printed(), printed("b/b1.go", &joins, None));
    world.open("b/b1.go");
    assert_eq!(world.ask().printed(), "");
}

#[test]
fn opening_a_file_that_all_import_runs_no_declaration_and_no_uses_of_others() {
    let mut world = Watched::new(texts(WORLD), "a.X");
    world.ask();
    world.open("a/a1.go");
    let joins = [
        "file_uses a/a1.go",
        "unit_broken a:Base",
        "unit_flows a:Base",
        "unit_index a:Base",
        "unit_identifiers a:Base",
    ];
    assert_eq!(world.ask().printed(), printed("a/a1.go", &joins, None));
}

#[test]
fn opening_a_file_verifies_no_more_than_an_edit() {
    let mut world = Watched::new(texts(WORLD), "a.X");
    world.ask();
    world.open("a/a1.go");
    let opened = world.ask();
    world.replace("a/a1.go", "func own", "// A note.\nfunc own");
    let edited = world.ask();
    // What the file itself has of the settled text.
    let own = OWN.len() + 1;
    assert!(
        opened.validated <= edited.validated + own,
        "{} memos, of an edit {}",
        opened.validated,
        edited.validated
    );
}

#[test]
fn a_blank_line_runs_that_files_own_queries_and_nothing_else() {
    for at in ["func F", "\tx := 1", "package b"] {
        let (mut world, _) = opened("b/b1.go");
        world.replace("b/b1.go", at, &format!("\n{at}"));
        runs(&world.ask(), "b/b1.go", &[]);
    }
}

#[test]
fn a_comment_runs_that_files_own_queries_and_nothing_else() {
    for at in ["func F", "\tx := 1", "\treturn"] {
        let (mut world, _) = opened("b/b1.go");
        world.replace("b/b1.go", at, &format!("// A note.\n{at}"));
        runs(&world.ask(), "b/b1.go", &[]);
    }
}

#[test]
fn a_body_edit_of_known_names_runs_its_files_uses_and_the_join_of_its_unit() {
    let (mut world, _) = opened("b/b1.go");
    world.replace("b/b1.go", "\treturn", "\tx = a.X(x)\n\treturn");
    let ran = world.ask();
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
fn a_body_edit_that_brings_a_name_joins_the_mentions_of_its_unit_too() {
    let (mut world, _) = opened("b/b1.go");
    world.replace("b/b1.go", "\tx := 1", "\tx := 1\n\ta.Other()");
    let joins = [
        // `a.Other` is asked for the first time.
        "decl",
        "file_uses b/b1.go",
        "unit_flows b:Base",
        "unit_index b:Base",
        "unit_identifiers b:Base",
    ];
    runs(&world.ask(), "b/b1.go", &joins);
}

#[test]
fn a_body_edit_without_effect_on_uses_joins_nothing() {
    let (mut world, _) = opened("b/b1.go");
    world.replace("b/b1.go", "x := 1", "x := 2 + 3");
    runs(&world.ask(), "b/b1.go", &["file_uses b/b1.go"]);
}

#[test]
fn the_type_of_a_parameter_runs_the_uses_of_the_files_that_use_it_and_no_others() {
    let (mut world, _) = opened("a/a1.go");
    world.replace("a/a1.go", "X(n int)", "X(n int64)");
    let others = [
        // The two names of `a` that were asked: `X` and `T`.
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
    assert_eq!(world.ask().printed(), printed("a/a1.go", &others, None));
}

#[test]
fn the_name_of_a_parameter_runs_no_uses_of_other_files() {
    let (mut world, _) = opened("a/a1.go");
    world.replace(
        "a/a1.go",
        "X(n int) int {\n\treturn n",
        "X(m int) int {\n\treturn m",
    );
    let others = [
        "file_uses a/a1.go",
        "unit_decls a:Base",
        "unit_identifiers a:Base",
        "unit_scope a:Base",
        "unit_symbols a:Base",
    ];
    runs(&world.ask(), "a/a1.go", &others);
}

#[test]
fn a_private_function_more_runs_nothing_of_importers() {
    let (mut world, _) = opened("a/a1.go");
    world.replace(
        "a/a1.go",
        "func own",
        "func more() int { return 4 }\n\nfunc own",
    );
    let others = [
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
    runs(&world.ask(), "a/a1.go", &others);
}

#[test]
fn an_edit_that_nobody_sees_runs_nothing_of_others() {
    let (mut world, _) = opened("d/d1.go");
    world.replace("d/d1.go", "a.X(3)", "a.X(3) + a.X(4)");
    runs(
        &world.ask(),
        "d/d1.go",
        &[
            "file_uses d/d1.go",
            "unit_flows d:Base",
            "unit_index d:Base",
        ],
    );
    world.replace("d/d1.go", "func F()", "func More() {}\n\nfunc F(n string)");
    let ran = world.ask();
    for query in ran.executed.keys() {
        let of_others = ["a/", "b/", "c/", "a:", "b:", "c:"];
        assert!(
            !of_others.iter().any(|other| query.contains(other)),
            "{query}"
        );
    }
}

#[test]
fn an_import_more_runs_the_uses_of_its_file_and_not_of_its_sister() {
    let (mut world, _) = opened("b/b1.go");
    world.replace(
        "b/b1.go",
        "import \"m/a\"",
        "import \"m/a\"\nimport \"m/c\"",
    );
    let others = [
        "file_imports b/b1.go",
        // Its bodies name nothing of the new import, so their uses are equal.
        "file_uses b/b1.go",
        "import_cuts",
        "unit_files b:Base",
        "unit_import_rows b:Base",
        "unit_imports b:Base",
        // The name by which `c` is known is asked for the first time.
        "unit_name c:Base",
        "unit_symbols b:Base",
    ];
    assert_eq!(world.ask().printed(), printed("b/b1.go", &others, None));
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
        let (mut world, before) = opened(path);
        let text = world.text(path).to_owned();
        world.replace(path, old, new);
        let edit = world.ask();
        world.type_in(path, text);
        let undo = world.ask();
        assert_eq!(undo.answer, before.answer, "{new}");
        let times_of = |query: &str| edit.executed.get(query).copied().unwrap_or(0);
        for (query, times) in &undo.executed {
            // The uses of the old bodies are those of the settled text: no part of its own.
            let parts = match *query == format!("file_uses {path}") {
                true => times_of("part_uses"),
                false => 0,
            };
            let of_edit = times_of(query) + parts;
            assert!(
                *times <= of_edit,
                "undoing {new} runs {query} {times} times"
            );
        }
    }
}

/// The world with tests of `a` beside it.
fn with_tests() -> Watched {
    let mut all = texts(WORLD);
    all.extend(texts(
        "//- a/in_test.go\npackage a\n\nfunc more() { check() }\n\nfunc check() int { return X(5) }\n\
         //- a/out_test.go\npackage a_test\n\nimport \"m/a\"\n\nfunc more() { check() }\n\nfunc check() int { return a.X(6) }\n",
    ));
    Watched::new(all, "a.X")
}

#[test]
fn an_edit_of_a_test_runs_nothing_of_the_package_it_tests() {
    for (path, unit) in [
        ("a/in_test.go", "a:InTest"),
        ("a/out_test.go", "a_test:XTest"),
    ] {
        let mut world = with_tests();
        world.ask();
        world.open(path);
        world.ask();
        let uses = format!("file_uses {path}");
        world.replace(path, "return ", "return 1 + ");
        runs(&world.ask(), path, &[&uses]);
        world.replace(path, "return ", "check(); return ");
        runs(
            &world.ask(),
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
fn a_method_more_runs_the_hierarchy_of_its_unit_and_no_uses_of_files_that_do_not_name_its_type() {
    let mut world = Watched::new(texts(WORLD), "a.T.M");
    world.ask();
    world.open("a/a1.go");
    world.ask();
    world.replace("a/a1.go", "func own", "func (t T) N() {}\n\nfunc own");
    let ran = world.ask();
    let of = |name: &str| -> Vec<&String> {
        let queries = ran.executed.keys();
        queries.filter(|query| query.starts_with(name)).collect()
    };
    assert_eq!(of("file_uses"), ["file_uses a/a1.go"]);
    assert_eq!(of("impl_index"), ["impl_index a:Base"]);
    assert_eq!(of("unit_decls"), ["unit_decls a:Base"]);
}

#[test]
fn a_function_is_asked_without_the_hierarchy() {
    let mut world = Watched::new(texts(WORLD), "a.X");
    let ran = world.ask();
    let mut queries = ran.executed.keys();
    assert!(!queries.any(|query| query.starts_with("impl_index")));
}

#[test]
fn a_constraint_toggled_runs_nothing_of_units_that_do_not_import_it() {
    let (mut world, before) = opened("b/b2.go");
    let text = world.text("b/b2.go").to_owned();
    world.type_in("b/b2.go", format!("//go:build ignore\n\n{text}"));
    let ran = world.ask();
    for query in ran.executed.keys() {
        let of_others = ["a/", "c/", "d/", "a:", "c:", "d:"];
        assert!(
            !of_others.iter().any(|other| query.contains(other)),
            "{query}"
        );
    }
    world.type_in("b/b2.go", text);
    assert_eq!(world.ask().answer, before.answer);
}

#[test]
fn an_import_cycle_typed_and_undone_gives_the_old_bytes() {
    let (mut world, before) = opened("a/a1.go");
    let text = world.text("a/a1.go").to_owned();
    world.replace(
        "a/a1.go",
        "package a",
        "package a\n\nimport \"m/b\"\n\nvar _ = b.F",
    );
    world.ask();
    world.type_in("a/a1.go", text);
    assert_eq!(world.ask().answer, before.answer);
}

/// A world with a file of many bodies, large enough to be resolved in chunks.
fn with_large_file() -> codeweft_testing::Texts {
    let mut all = texts(WORLD);
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
    let mut world = Watched::new(with_large_file(), "a.X");
    let chunks = world.ask().executed["chunk_uses"];
    assert!(chunks > 5, "{chunks} chunks");
    world.open("e/large.go");
    let opened = world.ask();
    assert!(!opened.executed.contains_key("chunk_uses"));
    let edited = [
        "file_uses e/large.go",
        "unit_flows e:Base",
        "unit_index e:Base",
    ];
    let head = "func f150(n int) int {\n";
    world.replace("e/large.go", head, &format!("{head}\tn += a.X(n)\n"));
    let ran = world.ask();
    runs(&ran, "e/large.go", &edited);
    assert_ne!(ran.answer, opened.answer);
    // A comment stops at the bodies.
    world.replace("e/large.go", head, &format!("{head}\t// A note.\n"));
    runs(&world.ask(), "e/large.go", &[]);
}

/// What a package of a larger world does with `a.X`.
#[derive(Clone, Copy, Debug)]
enum Sees {
    /// It does not import `a`.
    Nothing,
    /// It imports `a` and does not name `X`.
    Package,
    /// It calls `a.X` in its first file.
    Function,
}

/// How many memos a body edit of `b1` validates in a world of so many packages more, each with so
/// many files.
fn validated(packages: usize, files: usize, sees: Sees) -> usize {
    let mut all = texts(WORLD);
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
    let mut world = Watched::new(all, "a.X");
    world.ask();
    world.open("b/b1.go");
    world.ask();
    world.replace("b/b1.go", "\treturn", "\tx = a.X(x)\n\treturn");
    let ran = world.ask();
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
fn what_an_edit_validates_grows_by_the_units_asked_and_by_nothing_else() {
    for sees in [Sees::Nothing, Sees::Package, Sees::Function] {
        let [base, double, triple] = [10, 20, 30].map(|packages| validated(packages, 2, sees));
        assert_eq!(triple - double, double - base, "{sees:?}");
        let each = (double - base) / 10;
        assert_eq!(base - 10 * each, double - 20 * each, "{sees:?}");
        println!("{sees:?}: {each} memos for each unit asked");
        // One more for each query of a unit that a question for callers asks, and no more.
        assert!(each <= 12, "{sees:?}: {each} memos for each unit asked");
    }
}

#[test]
fn what_an_edit_validates_does_not_grow_with_files_that_do_not_name_the_target() {
    for sees in [Sees::Nothing, Sees::Package] {
        assert_eq!(validated(10, 2, sees), validated(10, 8, sees), "{sees:?}");
    }
    // Whether a unit that answers could be read in full is asked of each of its files.
    let files = [2, 4, 6].map(|files| validated(10, files, Sees::Function));
    assert!(files[1] - files[0] <= 20, "{files:?}");
    assert_eq!(files[2] - files[1], files[1] - files[0]);
}
