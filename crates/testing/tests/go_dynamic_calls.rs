//! `test-fixtures/go-reach`: the ways in which a method can be called dynamically, each of which
//! `callers` must know. Its `vta.tsv` is the result of x/tools' variable type analysis: callee, its
//! name, call, caller, its name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use codeweft_graph::answer::{Completeness, GraphRequest, GraphResponse, Node, Operation};
use codeweft_testing::fixture::Workspace;
use codeweft_testing::rows::export;
use codeweft_testing::{Fixture, Texts};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-fixtures/go-reach")
}

fn load() -> Workspace {
    let mut texts = Texts::new();
    for below in ["", "kit/"] {
        let files = fs::read_dir(folder().join(below)).expect("the fixture");
        for file in files.map(|file| file.expect("a file").path()) {
            let name = file.file_name().expect("a name").to_string_lossy();
            if file.is_file() && !name.ends_with(".tsv") {
                let text = fs::read_to_string(&file).expect("a text");
                texts.insert(format!("{below}{name}"), text);
            }
        }
    }
    Fixture::of(texts).load()
}

#[test]
fn both_ends_of_every_exported_edge_are_nodes_where_files_with_local_types_outnumber_packages() {
    let (lines, loose) = export(load().host.db(), 1);
    assert_eq!(loose, [""; 0]);
    let implements = lines.iter().filter(|line| line.contains("\"implements\""));
    assert!(implements.count() > 20);
}

/// The calls of variable type analysis.
struct Truth {
    /// (position of the callee, call, position of the caller).
    calls: BTreeSet<(String, String, String)>,
    /// The name of each callee.
    names: BTreeMap<String, String>,
}

fn truth() -> Truth {
    let text = fs::read_to_string(folder().join("vta.tsv")).expect("the judge's calls");
    let (mut calls, mut names) = (BTreeSet::new(), BTreeMap::new());
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [callee, name, call, caller, _] = fields[..] else {
            panic!("not a call: {line}");
        };
        calls.insert((callee.to_owned(), call.to_owned(), caller.to_owned()));
        names.insert(callee.to_owned(), name.to_owned());
    }
    Truth { calls, names }
}

fn ask(workspace: &Workspace, operation: Operation, target: &str) -> GraphResponse {
    let mut request = GraphRequest::new(operation, target);
    request.depth = 1;
    request.max_results = 500;
    request.include_context = false;
    // The truth of the calls has those of literals, by the function around.
    request.include_literal_calls = matches!(operation, Operation::Callers | Operation::Callees);
    let answer = workspace.host.ask(&request);
    answer.unwrap_or_else(|error| panic!("{operation:?} {target}: {}", error.message))
}

fn place(node: &Node) -> String {
    format!("{}:{}:{}", node.file, node.name_line, node.name_column)
}

/// Returns the calls of an answer: the positions of the other end and of the call.
fn calls(answer: &GraphResponse) -> BTreeSet<(String, String)> {
    let mut calls = BTreeSet::new();
    for result in &answer.results {
        for site in &result.sites {
            let at = format!("{}:{}:{}", site.file, site.line, site.column);
            calls.insert((place(&result.node), at));
        }
    }
    calls
}

#[test]
fn callers_equal_those_of_variable_type_analysis_and_the_answers_are_complete() {
    let (workspace, truth) = (load(), truth());
    let mut wrong = Vec::new();
    for (callee, name) in &truth.names {
        let answer = ask(&workspace, Operation::Callers, callee);
        let listed = calls(&answer);
        let own = truth.calls.iter().filter(|(of, ..)| of == callee);
        for (_, call, caller) in own {
            if !listed.contains(&(caller.clone(), call.clone())) {
                wrong.push(format!("{name} lacks {call}"));
            }
        }
        if !answer.completeness.complete {
            wrong.push(format!("{name} is not complete"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn calls_excluded_by_variable_type_analysis_are_listed_only_as_documented() {
    let (workspace, truth) = (load(), truth());
    let mut more = Vec::new();
    for (callee, name) in &truth.names {
        for (caller, call) in calls(&ask(&workspace, Operation::Callers, callee)) {
            if !truth
                .calls
                .contains(&(callee.clone(), call.clone(), caller))
            {
                more.push(format!("{name} at {call}"));
            }
        }
    }
    let expected = [
        // A method value of an interface: its targets are those of the class hierarchy.
        "(reach.Work).Do at values.go:56:2",
        "(reach.Work).Do at values.go:58:2",
        "(reach.Task).Do at values.go:29:22",
        // The callee is a function literal in it.
        "reach.closure at values.go:48:11",
    ];
    // A loop over a function calls it, which x/tools counts and does not print.
    more.retain(|line| !line.contains(" at sequences.go:"));
    assert_eq!(more, expected);
}

/// Returns the functions and methods of the workspace, and every method of an interface, by id.
fn declared(workspace: &Workspace) -> Vec<String> {
    codeweft_testing::rows::placed(workspace.host.db())
        .into_iter()
        .map(|one| one.id)
        .collect()
}

#[test]
fn callers_are_the_inverse_of_callees_site_by_site() {
    let workspace = load();
    let (mut forward, mut backward) = (BTreeSet::new(), BTreeSet::new());
    for id in declared(&workspace) {
        let own = |answer: &GraphResponse| {
            let results = answer.results.iter();
            let rows = results.flat_map(|result| {
                let sites = result.sites.iter();
                sites.map(|site| {
                    let at = format!("{}:{}:{}", site.file, site.line, site.column);
                    (result.node.id.clone(), at, site.resolution.to_owned())
                })
            });
            rows.collect::<Vec<_>>()
        };
        for (to, at, resolution) in own(&ask(&workspace, Operation::Callees, &id)) {
            forward.insert((id.clone(), to, at, resolution));
        }
        for (from, at, resolution) in own(&ask(&workspace, Operation::Callers, &id)) {
            backward.insert((from, id.clone(), at, resolution));
        }
    }
    // Packages are no functions: the calls of their initialisers are queried in one direction only.
    let known: BTreeSet<String> = declared(&workspace).into_iter().collect();
    backward.retain(|(from, ..)| known.contains(from));
    forward.retain(|(_, to, ..)| known.contains(to));
    assert!(forward.len() > 100);
    let lacking: Vec<_> = backward.symmetric_difference(&forward).collect();
    assert!(lacking.is_empty(), "{lacking:#?}");
}

#[test]
fn implements_is_the_inverse_of_implementations() {
    let workspace = load();
    let (mut runs, mut stands_for) = (BTreeSet::new(), BTreeSet::new());
    for one in codeweft_testing::rows::placed(workspace.host.db()) {
        let others = |operation| {
            let answer = ask(&workspace, operation, &one.id);
            let ids = answer.results.into_iter().map(|result| result.node.id);
            ids.collect::<Vec<_>>()
        };
        let is_method = one.id.matches('.').count() > 1;
        if one.of_interface {
            let found = others(Operation::Implementations).into_iter();
            runs.extend(found.map(|run| (run, one.id.clone())));
        } else if is_method {
            let found = others(Operation::Implements).into_iter();
            stands_for.extend(found.map(|stood| (one.id.clone(), stood)));
        }
    }
    // The methods of interface literals in bodies have no row to query here.
    let asked: BTreeSet<String> = codeweft_testing::rows::placed(workspace.host.db())
        .into_iter()
        .filter(|one| one.of_interface)
        .map(|one| one.id)
        .collect();
    stands_for.retain(|(_, stood)| asked.contains(stood));
    assert!(runs.len() > 30, "{runs:?}");
    let lacking: Vec<_> = runs.symmetric_difference(&stands_for).collect();
    assert!(lacking.is_empty(), "{lacking:#?}");
}

/// Returns whether an answer is sound: it lists the caller, or reports that it may lack one.
fn is_sound(answer: &GraphResponse, caller: &str, muted: Option<&str>) -> bool {
    let Completeness { by_reason, .. } = &answer.completeness;
    let mut reasons = by_reason.keys();
    let complete = reasons.all(|reason| Some(reason.as_str()) == muted);
    let mut listed = answer.results.iter();
    !complete || listed.any(|result| result.node.id == caller)
}

#[test]
fn each_reason_alone_prevents_a_false_complete() {
    for (reason, target, caller, text) in REASONS {
        let fixture = Fixture::of(codeweft_testing::fixture::texts(text));
        let workspace = fixture
            .setting("cgo", &(*reason == "cgo").to_string())
            .load();
        let answer = ask(&workspace, Operation::Callers, target);
        let reasons = answer.completeness.by_reason.keys();
        let reasons: Vec<&str> = reasons.map(String::as_str).collect();
        assert_eq!(reasons, [*reason], "{target}");
        let mut listed = answer.results.iter();
        assert!(!listed.any(|result| result.node.id == *caller), "{target}");
        assert!(is_sound(&answer, caller, None), "{reason}");
        assert!(
            !is_sound(&answer, caller, Some(reason)),
            "{reason} is not needed"
        );
    }
}

#[test]
fn reflection_is_reported_at_the_call_that_passes_the_value() {
    let (.., text) = REASONS[0];
    let workspace = Fixture::of(codeweft_testing::fixture::texts(text)).load();
    let answer = ask(&workspace, Operation::Callers, "m.Served.Public");
    let sites = answer.completeness.first.iter();
    let sites: Vec<_> = sites
        .map(|site| (site.file.as_str(), site.line, site.column))
        .collect();
    assert_eq!(sites, [("m.go", 9, 29)]);
}

/// A reason of incompleteness, a target, its hidden caller, and a workspace in which no other
/// reason occurs. `function_value` does not occur in Go: every call of a function value is tracked,
/// and an unknown one has the reason for which it is unknown.
const REASONS: &[(&str, &str, &str, &str)] = &[
    (
        "reflection",
        "m.Served.Public",
        "m.serve",
        "
//- go.work
go 1.25

use .
use ./reflect
//- go.mod
module m

go 1.25
//- reflect/go.mod
module reflect
//- reflect/reflect.go
package reflect

type Value struct{}

func (Value) Method(int) Value { return Value{} }

func (Value) Call([]Value) []Value { return nil }

func ValueOf(any) Value { return Value{} }
//- m.go
package m

import \"reflect\"

type Served struct{}

func (Served) Public() {}

func serve(x any) { reflect.ValueOf(x).Method(0).Call(nil) }

func Start() { serve(Served{}) }
",
    ),
    (
        "linkname",
        "a.hidden",
        "b.Run",
        "
//- go.mod
module m

go 1.25
//- a/a.go
package a

func hidden() {}
//- b/b.go
package b

import _ \"unsafe\"

//go:linkname call m/a.hidden
func call()

func Run() { call() }
",
    ),
    (
        "cgo",
        "m.Square.Area",
        "m.Run",
        "
//- go.mod
module m

go 1.25
//- m.go
package m

import \"C\"

type Shape interface{ Area() int }

type Square struct{}

func (Square) Area() int { return 1 }

var kept Shape = Square{}

func Run() {
	var s Shape = C.shape()
	s.Area()
}
",
    ),
    (
        "assembly",
        "m.Square.Area",
        "m.Run",
        "
//- go.mod
module m

go 1.25
//- m.go
package m

type Shape interface{ Area() int }

type Square struct{}

func (Square) Area() int { return 1 }

var kept Shape = Square{}

func load() Shape

func Run() { load().Area() }
//- load_amd64.s
TEXT ·load(SB), 4, $0-16
	RET
",
    ),
    (
        "excluded_file",
        "m.helper",
        "m.Run",
        "
//- go.mod
module m

go 1.25
//- m.go
package m

func helper() {}
//- m_windows.go
package m

func Run() { helper() }
",
    ),
    (
        "parse_error",
        "m.helper",
        "m.Run",
        "
//- go.mod
module m

go 1.25
//- m.go
package m

func helper() {}
//- broken.go
package m

func Run() { if { ) helper( }
",
    ),
    (
        "unknown_receiver",
        "m.Square.Area",
        "m.Run",
        "
//- go.mod
module m

go 1.25
//- m.go
package m

import \"example.com/absent\"

type Shape interface{ Area() int }

type Square struct{}

func (Square) Area() int { return 1 }

func Start() { absent.Keep(Square{}) }

func Run() {
	var s Shape = absent.Kept()
	s.Area()
}
",
    ),
];
