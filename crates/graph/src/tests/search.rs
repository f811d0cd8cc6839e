//! Search of declarations by a part of their name.

use codeweft_db::RootDb;
use expect_test::expect;

use super::{answer, execute, lines, toy};
use crate::RevisionCache;
use crate::answer::{GraphRequest, Operation, Within, verdict};
use crate::editor::{self, EditorGraph};

fn world() -> RootDb {
    toy::load(
        "
//- app/app.go
fn ReadAll
fn Read
struct Reader
method Reader.Read
fn spreadAll
//- app/app_test.go
fn readTwice
//- io/io_windows.go
excluded
fn ReadAt
//- io/io.go
fn Write
//- /lib/lib/lib.go
fn Read
fn ReadByte
",
    )
}

fn ids(db: &RootDb, request: &GraphRequest) -> Vec<String> {
    let answer = execute(db, request).unwrap();
    let results = answer.results.into_iter();
    results.map(|result| result.node.id).collect()
}

#[test]
fn the_best_matches_of_the_workspace_come_before_those_of_libraries() {
    expect![[r#"
        app.Read
        app.Reader.Read
        app.Reader
        app.ReadAll
        app.readTwice
        app.spreadAll
        lib.Read
        lib.ReadByte
    "#]]
    .assert_eq(&answer(&world(), Operation::Search, "read"));
}

#[test]
fn the_container_of_a_text_is_part_of_the_search_and_signs_are_not() {
    let db = world();
    for text in [
        "Reader.Read",
        "(*Reader).Read",
        "app.Reader.Read()",
        " Reader.read* ",
    ] {
        let found = ids(&db, &GraphRequest::new(Operation::Search, text));
        assert_eq!(found, ["app.Reader.Read"], "{text}");
    }
    let found = ids(&db, &GraphRequest::new(Operation::Search, "app.read"));
    assert_eq!(found[..2], ["app.Read", "app.Reader.Read"]);
}

#[test]
fn a_cut_search_counts_all_matches_of_the_workspace_and_of_libraries() {
    let request = GraphRequest {
        max_results: 2,
        ..GraphRequest::new(Operation::Search, "read")
    };
    let answer = execute(&world(), &request).unwrap();
    assert_eq!((answer.total_found, answer.total_returned), (8, 2));
    let counts = answer.counts.clone().unwrap();
    assert_eq!((counts.workspace.nodes, counts.libraries.nodes), (6, 2));
    expect![[r#"
        app.Read
        app.Reader.Read
        2 of 8, cut at None: exclude_patterns: app would leave 2 of 8
    "#]]
    .assert_eq(&lines(&Ok(answer)));
}

#[test]
fn filters_of_a_search_hide_and_say_how_many() {
    let request = GraphRequest {
        within: Within::Workspace,
        include_tests: false,
        ..GraphRequest::new(Operation::Search, "read")
    };
    let answer = execute(&world(), &request).unwrap();
    assert_eq!(answer.total_found, 5);
    expect!["5 declarations shown; hidden: 2 declarations in libraries, 1 declaration in tests; otherwise complete under toy/1"]
        .assert_eq(&verdict(&answer));
}

#[test]
fn no_match_is_an_empty_answer_in_words() {
    let answer = execute(&world(), &GraphRequest::new(Operation::Search, "Nothing")).unwrap();
    assert_eq!(
        (answer.total_found, answer.completeness.complete),
        (0, true)
    );
    expect!["no declaration found; complete under toy/1"].assert_eq(&verdict(&answer));
}

#[test]
fn a_file_that_is_not_built_and_declares_the_whole_name_leaves_a_search_open() {
    let db = world();
    expect![[r#"
        no declaration found; 1 site could declare more under toy/1
          io/io_windows.go:2:4 excluded_file
    "#]]
    .assert_eq(&answer(&db, Operation::Search, "readAt"));
    // A part of the name is no reason to look there.
    let answer = execute(&db, &GraphRequest::new(Operation::Search, "ReadA")).unwrap();
    assert!(answer.completeness.complete);
}

#[test]
fn a_language_before_the_text_is_the_only_one_that_is_searched() {
    let db = toy::load(
        "
//- app/a.go
fn One
//- app/b.py
fn One
",
    );
    let files = |text: &str| {
        let answer = execute(&db, &GraphRequest::new(Operation::Search, text)).unwrap();
        let files = answer.results.into_iter().map(|result| result.node.file);
        files.collect::<Vec<String>>()
    };
    assert_eq!(files("One"), ["app/a.go", "app/b.py"]);
    assert_eq!(files("py:One"), ["app/b.py"]);
}

#[test]
fn editors_get_the_first_rows_of_the_same_order() {
    let db = world();
    let cache = RevisionCache::default();
    for text in ["read", "r", "e", "Reader.Read", "app.", "all", ""] {
        let request = match text {
            // A request has a target.
            "" => GraphRequest::new(Operation::Search, "*"),
            _ => GraphRequest::new(Operation::Search, text),
        };
        let all = ids(&db, &request);
        for most in [0, 1, 3, 7, 100] {
            let graph = EditorGraph::new(&db, &cache, 2);
            let first = editor::search(&graph, text, most).into_iter();
            let first: Vec<String> = first.map(|symbol| graph.id(symbol)).collect();
            assert_eq!(first, all[..most.min(all.len())], "{text} {most}");
        }
    }
}
