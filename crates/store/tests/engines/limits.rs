//! What the database does not have, and rows that cannot be read.

use std::time::Duration;

use codeweft_graph::answer::{
    ApiError, ErrorType, GraphRequest, GraphResponse, Operation, WarningKind,
};
use codeweft_store::{EdgeType, ExportOptions, SqlFile, answer_from_file, format_named};
use codeweft_testing::Fixture;
use expect_test::expect;
use rusqlite::Connection;

use super::fixtures;

/// An export of a fixture, removed when dropped.
struct Export(tempfile::TempDir);

impl Export {
    fn of(text: &str) -> Export {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = ExportOptions {
            edges: EdgeType::ALL.to_vec(),
            ..ExportOptions::default()
        };
        let world = Fixture::new(text).load();
        let format = format_named("sqlite").expect("a format");
        let path = folder.path().join("graph.db");
        format
            .write_file(world.host.db(), &options, 1, &path)
            .expect("written");
        Export(folder)
    }

    fn change(&self, statements: &str) {
        let connection = Connection::open(self.0.path().join("graph.db")).expect("a file");
        connection.execute_batch(statements).expect(statements);
    }

    fn ask(&self, request: GraphRequest) -> Result<GraphResponse, ApiError> {
        let path = self.0.path().join("graph.db");
        let mut file = SqlFile::open(&path).expect("an export");
        let request = request.check().expect("a request within bounds");
        answer_from_file(&mut file, &request, Duration::from_secs(60))
    }
}

fn shapes() -> Export {
    let mut all = fixtures::ALL.iter();
    let found = all.find(|(name, _)| *name == "shapes");
    Export::of(found.expect("a fixture").1)
}

fn refusal(export: &Export, request: GraphRequest) -> String {
    let error = export.ask(request).expect_err("it is refused");
    format!(
        "{:?}: {}; {}",
        error.error_type, error.message, error.fallback_suggestion
    )
}

#[test]
fn what_the_database_does_not_have_is_an_error_that_names_the_live_database() {
    let export = shapes();
    let plain = |operation, target: &str| GraphRequest::new(operation, target);
    let requests = [
        GraphRequest {
            depth: 7,
            ..plain(Operation::Callers, "sum")
        },
        GraphRequest {
            include_unresolved: true,
            ..plain(Operation::Callers, "sum")
        },
        GraphRequest {
            diff: true,
            ..plain(Operation::Impact, "HEAD")
        },
        plain(Operation::Search, "sum"),
        plain(Operation::References, "main.go:18:10"),
        plain(Operation::Definition, "main.go:11:6"),
        plain(Operation::Definition, "main.go:99"),
        plain(Operation::Callers, "summ"),
        plain(Operation::Callers, "Area"),
        plain(Operation::Callers, "shape.Shape"),
        plain(Operation::Callers, "other_windows.go"),
    ];
    let words: Vec<String> = requests.map(|request| refusal(&export, request)).into();
    expect![[r#"
        InvalidRequest: depth: 7 is out of bounds 1 to 6 of the SQL engine; correct the request and ask again
        LimitExceeded: include_unresolved: the database has no calls by name alone; ask the live database: codeweft query without --db
        LimitExceeded: diff: the database has one state of the texts; ask the live database: codeweft query without --db
        LimitExceeded: search: the SQL engine does not answer it; ask the live database: codeweft query without --db
        LimitExceeded: main.go:18:10: no declaration and no resolved use of one is there, and local variables are not in the database; ask the live database: codeweft query without --db
        LimitExceeded: main.go:11:6: no declaration and no resolved use of one is there, and local variables are not in the database; ask the live database: codeweft query without --db
        TargetNotFound: main.go:99: the file has 30 lines; give a line of the file
        TargetNotFound: no symbol, package or file fits summ; nearest: m.sum; search finds others
        AmbiguousTarget: Area fits 3 symbols; ask with one of the candidates
        InvalidRequest: callers of shape.Shape: shape.Shape is a interface: callers takes functions, methods and packages; ask type_usages; callers takes functions, methods and packages; ask type_usages
        TargetNotFound: other_windows.go: the file is left out under linux/amd64 cgo=0 tags=; ask under a configuration that chooses it
    "#]].assert_eq(&(words.join("\n") + "\n"));
}

#[test]
fn impact_and_path_are_cut_to_six_steps_and_say_so() {
    let chain: Vec<String> = (0..10)
        .map(|at| format!("func f{at}() {{ f{}() }}\n", at + 1))
        .collect();
    let text = format!(
        "//- main.go\npackage main\n\n{}func f10() {{}}\n",
        chain.concat()
    );
    let export = Export::of(&text);
    let impact = GraphRequest {
        depth: 8,
        ..GraphRequest::new(Operation::Impact, "f10")
    };
    let found = export.ask(impact).expect("an answer");
    assert_eq!((found.total_found, found.truncated), (6, true));
    assert!(!found.completeness.complete);
    let path = |to: &str| GraphRequest {
        to: to.to_owned(),
        ..GraphRequest::new(Operation::Path, "f0")
    };
    let found = export.ask(path("f6")).expect("an answer");
    assert_eq!((found.total_found, found.truncated), (7, false));
    let found = export.ask(path("f7")).expect("an answer");
    assert_eq!((found.total_found, found.truncated), (0, true));
    expect![[r#"
        Some("no path within the depth found; only 6 steps were followed under linux/amd64 cgo=0 tags=")
    "#]].assert_eq(&format!("{:?}\n", found.completeness.words));
}

#[test]
fn a_row_that_cannot_be_read_is_left_out_and_counted() {
    let export = shapes();
    let callers = || GraphRequest {
        depth: 2,
        ..GraphRequest::new(Operation::Callers, "m.sum")
    };
    let whole = export.ask(callers()).expect("an answer");
    let ids = |found: &GraphResponse| {
        let ids = found.results.iter().map(|row| row.node.id.clone());
        ids.collect::<Vec<_>>().join(" ")
    };
    expect![[r#"
        m.TestSum m.main
    "#]]
    .assert_eq(&(ids(&whole) + "\n"));
    export.change(
        "UPDATE symbol_rows SET kind = 99 WHERE symbol_id = 'm.TestSum';
         INSERT INTO users SELECT target, 1, 123456 FROM users WHERE target = (SELECT sid FROM symbol_rows WHERE symbol_id = 'm.sum') LIMIT 1;
         INSERT INTO uses SELECT 123456, 1, 1, sid, 1 FROM symbol_rows WHERE symbol_id = 'm.sum'",
    );
    let found = export.ask(callers()).expect("an answer");
    expect![[r#"
        m.main
        Some("1 caller shown; hidden: 1 caller by calls of function literals made in it (listed with `include_literal_calls`); 2 sites could call it or a caller of it; 2 rows of the database could not be read under linux/amd64 cgo=0 tags=")
        Some(Warning { file: "", line: None, kind: Unreadable, message: "rows of the database that could not be read, and are skipped: 2" })
    "#]].assert_eq(&format!(
        "{}\n{:?}\n{:?}\n",
        ids(&found),
        found.completeness.words,
        found.warnings.iter().find(|one| one.kind == WarningKind::Unreadable)
    ));
    assert!(whole.completeness.complete || whole.completeness.unresolved_sites > 0);
    assert!(!found.completeness.complete);
}

#[test]
fn a_deadline_ends_a_request() {
    let path = shapes();
    let file = path.0.path().join("graph.db");
    let mut file = SqlFile::open(&file).expect("an export");
    let request = GraphRequest::new(Operation::Impact, "shape.Shape.Area");
    let request = request.check().expect("a request within bounds");
    let error = answer_from_file(&mut file, &request, Duration::ZERO);
    // So small a file may be read before the clock is looked at.
    if let Err(error) = error {
        assert_eq!(error.error_type, ErrorType::LimitExceeded);
    }
    let again = answer_from_file(&mut file, &request, Duration::from_secs(60));
    assert!(again.is_ok(), "the file is open for the next request");
}

#[test]
fn targets_are_what_the_live_engine_takes_them_for() {
    // The forms of a target beside whole ids; the fixtures' test has the ids.
    for (text, targets) in [
        (
            super::fixtures::ALL[0].1,
            &[
                "Circle.Area",
                "shape.Circle",
                "(*Circle).Area",
                "circle.area",
                "shape",
                "m/shape",
                "shape/shape.go",
                "main.go",
                "main.go:14",
                "main.go:12",
                "main.go:1",
                "main.go:14:6",
                "main.go:15:12",
                "shape/shape.go:22:23",
                "main.go:sum",
                "%Area",
                "shape.*",
                "shape.S*",
                "go:shape.Round",
                "py:shape.Round",
                "Box.Area",
                "s.Size",
                "Roun",
                "nothing",
                "a[*",
                "List[Square].Add",
                "main.go:sun",
                "*.go",
                "shape/shape.go:3",
                "main.go:3:9",
            ][..],
        ),
        (
            super::fixtures::ALL[2].1,
            &[
                "Job.run",
                "run",
                "app",
                "app.main",
                "app/main.py",
                "main.py",
                "app/main.py:12",
                "app/base.py:5",
                "work",
                "Work",
                "make.nested",
                "app.main.make.nested",
                "inner",
                "Letter.limit",
                "mail.run",
                "app/main.py:8:8",
                "app/main.py:9:6",
                "%run%",
                "app.*",
                "app.Job",
                "base.Job",
                "tests",
                "tests/test_main.py",
            ][..],
        ),
        (
            super::fixtures::ALL[3].1,
            &[
                "home",
                "home#2",
                "pkg.one.home#1",
                "name",
                "Handler.name",
                "pkg.Handler",
                "pkg/one.py:38",
                "Deep",
                "pkg",
            ][..],
        ),
    ] {
        let world = Fixture::new(text).load();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut engines = super::compare::Engines::new(world.host.db(), 1, folder.path());
        for target in targets {
            for operation in super::OPERATIONS {
                let mut request = GraphRequest::new(operation, *target);
                if operation == Operation::Path {
                    request.to = "main".to_owned();
                    request.depth = 6;
                }
                let differences = engines.differences(&request);
                let differences: Vec<_> = differences
                    .iter()
                    .filter(|one| one.cause != super::compare::LIBRARIES)
                    .collect();
                assert!(
                    differences.is_empty(),
                    "{operation:?} {target}: {differences:#?}"
                );
            }
        }
    }
}
