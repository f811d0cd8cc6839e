//! The comparison on made-up graphs and made-up lines of the judge.

use codeweft_graph::export::{EdgeRow, EdgeType, Location, PackageRows};
use codeweft_ide::api::{Node, ReceiverKind};
use expect_test::{Expect, expect};

use super::compare::Comparison;
use super::lines;
use super::ours::{CodeweftGraph, plain};
use super::report::{ComparedKind, Differences, MAX_LISTED, Report, Row};

/// Parses a declaration: `kind id file:line:column`.
fn node(text: &str) -> Node {
    let words: Vec<&str> = text.split(' ').collect();
    let mut position = words[2].rsplitn(3, ':');
    let mut number = || position.next().and_then(|word| word.parse().ok());
    let (column, line) = (number().unwrap_or(0), number().unwrap_or(0));
    let file = position.next().unwrap_or_default().to_owned();
    Node {
        signature: None,
        id: words[1].to_owned(),
        kind: words[0].to_owned(),
        name: String::new(),
        external: file.starts_with('/'),
        file,
        start_line: line,
        end_line: line,
        start_pos: 0,
        end_pos: 0,
        name_line: line,
        name_column: column,
        language: "go".to_owned(),
        visibility: "public".to_owned(),
        package: String::new(),
        unsaved: false,
    }
}

/// Parses an edge: `calls|references|imports from to file:line:column` or `implements type
/// interface value`.
fn edge(text: &str) -> EdgeRow {
    let words: Vec<&str> = text.split(' ').collect();
    let (edge_type, receiver) = match words[0] {
        "calls" => (EdgeType::Calls, None),
        "imports" => (EdgeType::Imports, None),
        "references" => (EdgeType::References, None),
        _ if words[3] == "value" => (EdgeType::Implements, Some(ReceiverKind::Value)),
        _ => (EdgeType::Implements, Some(ReceiverKind::Pointer)),
    };
    let location = receiver.is_none().then(|| {
        let parts: Vec<&str> = words[3].split(':').collect();
        Location {
            file: parts[0].into(),
            line: parts[1].parse().expect("a line"),
            column: parts[2].parse().expect("a column"),
        }
    });
    EdgeRow {
        usage: None,
        from: words[1].into(),
        to: words[2].into(),
        edge_type,
        location,
        resolution: (edge_type == EdgeType::Calls).then(|| "exact".to_owned()),
        kind: None,
        receiver,
        type_args: Vec::new(),
        test: false,
        reason: None,
        in_literal: false,
        of_literal: false,
    }
}

const NODES: &[&str] = &[
    "package m a.go:1:9",
    "function m.A a.go:3:6",
    "function m.B b.go:3:6",
    "interface m.I a.go:9:6",
    "struct m.T b.go:9:6",
    "package fmt /go/src/fmt/print.go:1:9",
    "function fmt.Print /go/src/fmt/print.go:8:6",
    "package testdata/p /w/testdata/p/p.go:1:9",
    "function testdata/p.F /w/testdata/p/p.go:3:6",
];

/// Returns the judge's line of a package with these files.
fn package(pkg: &str, files: &[&str], imports: &[&str], errors: u32) -> String {
    let first: Vec<&str> = (0..errors).map(|_| "it is broken").collect();
    serde_json::json!({
        "k": "package", "pkg": pkg, "files": files, "imports": imports, "errors": errors,
        "first_errors": first,
    })
    .to_string()
}

fn compared(edges: &[&str], judge: &[String]) -> Report {
    let sources = [
        "a.go",
        "b.go",
        "a_windows.go",
        "b_test.go",
        "testdata/p/p.go",
    ]
    .map(str::to_owned);
    let mut ours = CodeweftGraph::new("/w", &sources);
    ours.add(PackageRows {
        name: "m".into(),
        external: false,
        nodes: NODES.iter().map(|text| node(text)).collect(),
        edges: edges.iter().map(|text| edge(text)).collect(),
    });
    ours.finish();
    let mut comparison = Comparison::new(&mut ours, false);
    let mut text = judge.join("\n");
    text.push('\n');
    lines::each(text.as_bytes(), &mut |line| comparison.take(line)).expect("lines");
    comparison.end_of_run(true);
    comparison.finish()
}

fn check(edges: &[&str], judge: &[&str], expected: Expect) {
    let mut lines = vec![package("example.com/m", &["a.go", "b.go"], &["fmt"], 0)];
    lines.extend(judge.iter().map(|line| (*line).to_owned()));
    expected.assert_eq(&printed_counts(&compared(edges, &lines)));
}

/// Returns the counts of the kinds that have any, and the differences.
fn printed_counts(report: &Report) -> String {
    let mut text = String::new();
    for (kind, counts) in &report.by_kind {
        if counts.agreed + counts.only_ours + counts.only_theirs > 0 {
            text.push_str(&format!(
                "{kind:?}: {} agreed, {} only ours, {} only theirs\n",
                counts.agreed, counts.only_ours, counts.only_theirs
            ));
        }
    }
    for (side, rows) in [("ours", &report.only_ours), ("theirs", &report.only_theirs)] {
        for row in rows {
            text.push_str(&format!(
                "only {side}: {}:{}:{} {:?} {} {}\n",
                row.file,
                row.line,
                row.column,
                row.kind,
                row.from.as_deref().unwrap_or("-"),
                row.to
            ));
        }
    }
    text
}

const CALL_B: &str = r#"{"k":"call","kind":"static","at":"a.go:4:2","caller":"example.com/m.A","callee":"example.com/m.B","callee_def":"b.go:3:6"}"#;

#[test]
fn a_call_agrees_if_position_and_target_agree() {
    check(
        &["calls m.A m.B a.go:4:2"],
        &[CALL_B],
        expect![[r#"
            Calls: 1 agreed, 0 only ours, 0 only theirs
        "#]],
    );
    check(
        &["calls m.A m.A a.go:4:2"],
        &[CALL_B],
        expect![[r#"
            Calls: 0 agreed, 1 only ours, 1 only theirs
            only ours: a.go:4:2 Calls m.A m.A
            only theirs: a.go:4:2 Calls example.com/m.A example.com/m.B
        "#]],
    );
}

#[test]
fn pairs_printed_twice_by_the_judge_count_once() {
    check(
        &[],
        &[CALL_B, CALL_B],
        expect![[r#"
            Calls: 0 agreed, 0 only ours, 1 only theirs
            only theirs: a.go:4:2 Calls example.com/m.A example.com/m.B
        "#]],
    );
}

#[test]
fn a_call_into_a_library_is_matched_by_id_if_the_copies_differ() {
    let call = r#"{"k":"call","kind":"static","at":"a.go:4:2","caller":"m.A","callee":"fmt.Print","callee_def":"/other/go/src/fmt/print.go:8:6"}"#;
    check(
        &["calls m.A fmt.Print a.go:4:2"],
        &[call],
        expect![[r#"
            Calls: 1 agreed, 0 only ours, 0 only theirs
        "#]],
    );
}

#[test]
fn an_exact_call_of_what_the_judge_calls_a_function_value_is_wrong_and_calls_of_literals_are_not_judged()
 {
    let call =
        |kind: &str, line: u32| format!(r#"{{"k":"call","kind":"{kind}","at":"a.go:{line}:2"}}"#);
    let (dynamic, closure) = (call("dynamic", 4), call("closure", 5));
    check(
        &["calls m.A m.B a.go:4:2", "calls m.A m.B a.go:5:2"],
        &[&dynamic, &closure],
        expect![[r#"
            Calls: 0 agreed, 1 only ours, 0 only theirs
            only ours: a.go:4:2 Calls m.A m.B
        "#]],
    );
}

#[test]
fn a_call_is_not_compared_again_as_a_reference_and_locals_are_no_edges() {
    let of_call =
        r#"{"k":"use","kind":"func","at":"a.go:4:2","def":"b.go:3:6","id":"example.com/m.B"}"#;
    let value =
        r#"{"k":"use","kind":"func","at":"a.go:5:2","def":"b.go:3:6","id":"example.com/m.B"}"#;
    let local = r#"{"k":"use","kind":"local","at":"a.go:6:2","def":"a.go:5:1","local":true}"#;
    let field = r#"{"k":"use","kind":"field","name":"F","at":"a.go:7:2","def":"b.go:10:2"}"#;
    check(
        &[
            "calls m.A m.B a.go:4:2",
            "references m.A m.B a.go:5:2",
            "references m.A m.B a.go:6:2",
        ],
        &[CALL_B, of_call, value, local, field],
        expect![[r#"
            Calls: 1 agreed, 0 only ours, 0 only theirs
            References: 1 agreed, 1 only ours, 1 only theirs
            only ours: a.go:6:2 References m.A m.B
            only theirs: a.go:7:2 References - field F at b.go:10:2
        "#]],
    );
}

#[test]
fn imports_are_compared_by_folder_and_by_path() {
    let import = |line: u32, path: &str, dir: &str| {
        format!(r#"{{"k":"import","at":"a.go:{line}:8","path":"{path}","dir":"{dir}"}}"#)
    };
    let lines = [
        import(2, "fmt", "/usr/fmt"),
        import(3, "example.com/m", "."),
        import(4, "os", ""),
    ];
    check(
        &[
            "imports m fmt a.go:2:8",
            "imports m m a.go:3:8",
            "imports m fmt a.go:4:8",
        ],
        &[&lines[0], &lines[1], &lines[2]],
        expect![[r#"
            Imports: 2 agreed, 1 only ours, 1 only theirs
            only ours: a.go:4:8 Imports m fmt
            only theirs: a.go:4:8 Imports - os
        "#]],
    );
}

#[test]
fn a_package_below_the_root_reached_only_by_an_import_has_the_same_file() {
    let import =
        r#"{"k":"import","at":"a.go:2:8","path":"example.com/m/testdata/p","dir":"testdata/p"}"#;
    let call = r#"{"k":"call","kind":"static","at":"a.go:4:2","callee":"example.com/m/testdata/p.F","callee_def":"testdata/p/p.go:3:6"}"#;
    check(
        &[
            "imports m testdata/p a.go:2:8",
            "calls m.A testdata/p.F a.go:4:2",
        ],
        &[import, call],
        expect![[r#"
            Calls: 1 agreed, 0 only ours, 0 only theirs
            Imports: 1 agreed, 0 only ours, 0 only theirs
        "#]],
    );
}

#[test]
fn implements_is_compared_with_its_receiver() {
    let types = [
        r#"{"k":"type","kind":"interface","id":"example.com/m.I","def":"a.go:9:6","methods":1}"#,
        r#"{"k":"type","kind":"struct","id":"example.com/m.T","def":"b.go:9:6"}"#,
    ];
    let pair = r#"{"k":"impl","type":"example.com/m.T","type_def":"b.go:9:6","iface":"example.com/m.I","iface_def":"a.go:9:6","ptr":true,"methods":1}"#;
    check(
        &["implements m.T m.I pointer"],
        &[types[0], types[1], pair],
        expect![[r#"
            Implements: 1 agreed, 0 only ours, 0 only theirs
        "#]],
    );
    check(
        &["implements m.T m.I value"],
        &[types[0], types[1], pair],
        expect![[r#"
            Implements: 0 agreed, 1 only ours, 1 only theirs
            only ours: b.go:9:6 Implements m.T m.I
            only theirs: b.go:9:6 Implements example.com/m.T example.com/m.I
        "#]],
    );
}

#[test]
fn files_that_are_not_judged_are_not_compared_but_counted() {
    let lines = [package("example.com/m", &["a.go", "generated.go"], &[], 0)];
    let call = r#"{"k":"call","kind":"static","at":"generated.go:4:2","callee":"example.com/m.B","callee_def":"b.go:3:6"}"#;
    let into = r#"{"k":"call","kind":"static","at":"a.go:4:2","callee":"example.com/m.G","callee_def":"generated.go:3:6"}"#;
    let lines = [&lines[..], &[call.to_owned(), into.to_owned()]].concat();
    let report = compared(&["calls m.B m.A b.go:4:2"], &lines);
    assert_eq!(printed_counts(&report), "");
    assert_eq!(report.accuracy, None);
    let apart = &report.not_compared;
    // b.go and a_windows.go; b_test.go is a test, and tests are not judged.
    assert_eq!(apart.files_excluded, 2);
    assert_eq!(
        (apart.files_not_read, apart.sites_of_files_not_read),
        (1, 2)
    );
}

#[test]
fn with_type_errors_only_what_the_judge_resolved_is_compared() {
    let lines = [
        package("example.com/n", &["b.go"], &[], 1),
        package("example.com/m", &["a.go"], &["example.com/n"], 0),
        CALL_B.to_owned(),
    ];
    let edges = [
        "calls m.A m.A a.go:4:2",
        "calls m.A m.A a.go:5:2",
        "calls m.B m.A b.go:5:2",
    ];
    let report = compared(&edges, &lines);
    assert_eq!(
        printed_counts(&report),
        "Calls: 0 agreed, 1 only ours, 1 only theirs\n\
         only ours: a.go:4:2 Calls m.A m.A\n\
         only theirs: a.go:4:2 Calls example.com/m.A example.com/m.B\n"
    );
    let apart = &report.not_compared;
    assert_eq!(
        (apart.packages_with_errors, apart.sites_without_verdict),
        (2, 2)
    );
    let error = ("example.com/n".to_owned(), "it is broken".to_owned());
    assert_eq!(apart.errors, [error]);
}

#[test]
fn a_failed_run_of_the_judge_counts_no_differences() {
    let mut ours = CodeweftGraph::new("/w", &["a.go".to_owned()]);
    ours.add(PackageRows {
        name: "m".into(),
        external: false,
        nodes: NODES.iter().map(|text| node(text)).collect(),
        edges: vec![edge("calls m.A m.B a.go:4:2")],
    });
    ours.finish();
    let mut comparison = Comparison::new(&mut ours, false);
    let text = package("example.com/m", &["a.go"], &[], 0) + "\n";
    lines::each(text.as_bytes(), &mut |line| comparison.take(line)).expect("lines");
    assert_eq!(comparison.end_of_run(false), 0);
    assert_eq!(printed_counts(&comparison.finish()), "");
}

#[test]
fn accuracy_is_the_share_of_agreed_pairs() {
    let lines = [
        package("example.com/m", &["a.go"], &[], 0),
        CALL_B.to_owned(),
    ];
    let edges = [
        "calls m.A m.B a.go:4:2",
        "calls m.A m.B a.go:5:2",
        "calls m.A m.B a.go:6:2",
        "calls m.A m.B a.go:7:2",
    ];
    let report = compared(&edges, &lines);
    assert_eq!(report.accuracy, Some(0.25));
    let calls = &report.by_kind[&ComparedKind::Calls];
    assert_eq!((calls.precision, calls.recall), (Some(0.25), Some(1.0)));
}

#[test]
fn only_the_first_differences_by_file_and_line_are_kept() {
    let mut differences = Differences::default();
    for line in (1..=1000).rev() {
        differences.add(Row {
            file: "a.go".into(),
            line,
            column: 1,
            kind: ComparedKind::Calls,
            from: None,
            to: "m.B".into(),
            receiver: None,
        });
    }
    let mut report = Report::default();
    report.finish(differences, Differences::default());
    assert_eq!(
        (report.only_ours.len(), report.only_ours_total),
        (MAX_LISTED, 1000)
    );
    assert_eq!(report.only_ours[199].line, 200);
}

#[test]
fn lines_of_other_kinds_are_skipped_and_invalid_lines_are_errors() {
    let mut kinds = Vec::new();
    let text = "{\"k\":\"implm\",\"methods\":[1]}\n{\"k\":\"use\",\"at\":\"a:1:1\"}\n";
    lines::each(text.as_bytes(), &mut |line| kinds.push(line.k.to_string())).expect("lines");
    assert_eq!(kinds, ["use"]);
    assert!(lines::each(&b"{}\n"[..], &mut |_| {}).is_err());
    assert!(lines::each(&b"{\"k\":\"use\"}"[..], &mut |_| {}).is_err());
}

#[test]
fn the_judges_ids_are_converted_to_ours() {
    assert_eq!(plain("(*net/http.Server).Serve"), "net/http.Server.Serve");
    assert_eq!(plain("(error).Error"), "error.Error");
    assert_eq!(plain("fmt.Print"), "fmt.Print");
}
