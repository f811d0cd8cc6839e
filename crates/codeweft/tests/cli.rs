//! The command line on a small Go module: an answer of each operation, exit codes, output forms.

mod fixture;

use std::io::Read as _;
use std::process::Stdio;

use expect_test::{Expect, expect};
use fixture::{codeweft, fixture, run};
use serde_json::Value;

/// Queries the small module; returns the output and the exit code.
fn asked(arguments: &[&str]) -> String {
    let root = fixture("go-small");
    let mut all = vec!["query"];
    all.extend(arguments);
    all.extend(["--root", root.to_str().expect("UTF-8")]);
    let (code, out, err) = run(&all);
    format!("{out}{err}exit {code}\n")
}

fn check(arguments: &[&str], expected: Expect) {
    expected.assert_eq(&asked(arguments));
}

fn json(arguments: &[&str]) -> (i32, Value) {
    let root = fixture("go-small");
    let mut all = arguments.to_vec();
    all.extend(["--json", "--root", root.to_str().expect("UTF-8")]);
    let (code, out, _) = run(&all);
    assert_eq!(out.lines().count(), 1, "one line: {out}");
    (code, serde_json::from_str(&out).expect("JSON"))
}

#[test]
fn callers_of_a_method_count_calls_through_its_interface() {
    check(
        &["callers", "English.Greet"],
        expect![[r#"
            greet/loud.go
              10  greet.Loud.Shout
              11    return l.Greet(name) + "!"
            greet/greet.go
              26  greet.Say
              27    return g.Greet(name)  [dispatch]
            greet/greet_test.go
               7  greet.TestEnglish
               8    if (English{}).Greet("x") != "Hello, x"
            3 callers; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn callers_of_an_interface_method() {
    check(
        &["callers", "Greeter.Greet"],
        expect![[r#"
            greet/greet.go
              26  greet.Say
              27    return g.Greet(name)
            1 caller; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn callers_over_several_steps_name_the_cycle() {
    check(
        &["callers", "chain.third", "--depth", "3"],
        expect![[r#"
            chain/chain.go
               7  chain.second
               7    func second(n int) int { return third(n) + 1 }
               5    chain.First
               5      func First(n int) int { return second(n) }
               9    chain.third
              11      return second(n - 1)
            cmd/small/main.go
              13      cmd/small.main
              16        chain.First(3)
            cycle: chain.second -> chain.third
            4 callers; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn callers_of_an_uncalled_function() {
    check(
        &["callers", "chain.Alone"],
        expect![[r#"
        no caller found; complete under linux/amd64 cgo=0 tags=
        exit 1
    "#]],
    );
}

#[test]
fn callers_through_a_table_of_functions() {
    check(
        &["callers", "values.twice"],
        expect![[r#"
            values/values.go
               9  values.Run
              10    return table[name](n)  [value]
            1 caller; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn callers_that_an_excluded_file_may_contain() {
    check(
        &["callers", "platform.Name"],
        expect![[r#"
        warning: platform/only.go: left out under linux/amd64 cgo=0 tags=, and mentions the name
        no caller found; 1 site could call it under linux/amd64 cgo=0 tags=: platform/only.go:6:31 excluded_file
        exit 1
    "#]],
    );
}

#[test]
fn a_file_that_cannot_be_read_in_full_is_reported() {
    check(
        &["callers", "broken.half"],
        expect![[r#"
            broken/broken.go
              5  broken.Whole
              5    func Whole() int { return half() }
            warning: broken/broken.go:9: this line could not be read
            1 caller found; 1 site could call it under linux/amd64 cgo=0 tags=: broken/broken.go:9:1 parse_error
            exit 0
        "#]],
    );
}

#[test]
fn callees_include_the_dispatch_targets_of_interface_calls() {
    check(
        &["callees", "greet.Say"],
        expect![[r#"
            greet/greet.go
               7  greet.Greeter.Greet
              27    return g.Greet(name)
              14  greet.English.Greet
              27    return g.Greet(name)  [dispatch]
              20  greet.French.Greet
              27    return g.Greet(name)  [dispatch]
            3 callees; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn dependencies_of_a_package() {
    check(
        &["dependencies", "cmd/small"],
        expect![[r#"
            chain/chain.go
              2  chain
                   cmd/small/main.go:6: "example.com/small/chain"
            greet/greet.go
              3  greet
                   cmd/small/main.go:7: hello "example.com/small/greet"
            values/values.go
              2  values
                   cmd/small/main.go:8: "example.com/small/values"
            3 dependencies; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn dependents_of_a_package() {
    check(
        &["dependents", "greet"],
        expect![[r#"
            cmd/small/main.go
              3  cmd/small
              7    hello "example.com/small/greet"
            greet/outside_test.go
              1  greet_test
              8    "example.com/small/greet"
            2 dependents; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn usages_of_a_type() {
    check(
        &["type_usages", "shapes.Point"],
        expect![[r#"
            shapes/shapes.go
               9  shapes.Line
               9    type Line struct{ From, To Point }
              15  shapes.Move
              15    func Move(p Point, by int) Point
              16    return Point{X: p.X + by, Y: p.Y + by}
              20  shapes.Both
              20    func Both(l Line) Pair[Point]
              21    return Pair[Point]{A: l.From, B: l.To}
            3 users of the type; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn implementations_of_an_interface() {
    check(
        &["implementations", "greet.Greeter"],
        expect![[r#"
            greet/greet.go
              11  greet.English  [value]: type English struct{}
              17  greet.French  [pointer]: type French struct{ count int }
            greet/loud.go
               4  greet.Loud  [value]: type Loud struct
            3 implementations; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn interfaces_of_a_type() {
    check(
        &["implements", "greet.French"],
        expect![[r#"
            greet/greet.go
              6  greet.Greeter  [pointer]: type Greeter interface
            1 interface; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn references_of_a_function() {
    check(
        &["references", "greet.Default"],
        expect![[r#"
            cmd/small/main.go
               3  cmd/small
              11    var first = hello.Default()
            greet/outside_test.go
              11  greet_test.TestSay
              12    greet.Say(greet.Default(), "y")
            2 referrers; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn definition_at_a_position() {
    check(
        &["definition", "cmd/small/main.go:16:8"],
        expect![[r#"
            chain/chain.go
              5  chain.First: func First(n int) int
            1 definition; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn impact_of_a_change() {
    check(
        &["impact", "Greeter.Greet"],
        expect![[r#"
            cmd/small/main.go
              13  cmd/small.main  [lost_implementation, must_update]
              15    hello.Say(&hello.French{}, "monde")
            greet/greet.go
              14  greet.English.Greet  [implementation, must_update]: func (English) Greet(name string) string
              20  greet.French.Greet  [implementation, must_update]: func (f *French) Greet(name string) string
              26  greet.Say  [direct_caller, must_update]
              27    return g.Greet(name)
              31  greet.Default  [lost_implementation, must_update]
              31    func Default() Greeter { return English{} }
            greet/loud.go
              10    greet.Loud.Shout  [transitive_caller, review_needed]
              11      return l.Greet(name) + "!"
            greet/greet_test.go
               7    greet.TestEnglish  [transitive_caller, review_needed]
               8      if (English{}).Greet("x") != "Hello, x"
            greet/outside_test.go
              11    greet_test.TestSay  [transitive_caller, review_needed]
              12      greet.Say(greet.Default(), "y")
            implementations 2, direct callers 1, transitive callers 3, type usages 0; files 5, packages 3, external packages 2
            8 reached nodes; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
    check(
        &["impact", "chain.last", "--change-type", "behavior"],
        expect![[r#"
            chain/chain.go
               9  chain.third  [direct_caller, review_needed]
              13    return last()
               7    chain.second  [transitive_caller, review_needed]
               7      func second(n int) int { return third(n) + 1 }
               5      chain.First  [transitive_caller, review_needed]
               5        func First(n int) int { return second(n) }
            cycle: chain.second -> chain.third
            implementations 0, direct callers 1, transitive callers 2, type usages 0; files 1, packages 1, external packages 0
            3 reached nodes; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn a_path_of_calls() {
    check(
        &["path", "main", "--to", "chain.last"],
        expect![[r#"
            cmd/small/main.go
              13  cmd/small.main: func main()
            chain/chain.go
               5  chain.First
                    cmd/small/main.go:16: chain.First(3)
               7  chain.second
               5    func First(n int) int { return second(n) }
               9  chain.third
               7    func second(n int) int { return third(n) + 1 }
              16  chain.last
              13    return last()
            5 nodes on the path; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn a_search_lists_each_match_with_its_file_and_counts_all() {
    check(
        &["search", "greet", "--max-results", "4"],
        expect![[r#"
        greet/greet.go:7  greet.Greeter.Greet: Greet(name string) string
        greet/greet.go:14  greet.English.Greet: func (English) Greet(name string) string
        greet/greet.go:20  greet.French.Greet: func (f *French) Greet(name string) string
        greet/greet.go:3  greet: package
        cut: max_results: up to 500 lists more of 6
        4 of 6 declarations shown; complete under linux/amd64 cgo=0 tags=
        exit 0
    "#]],
    );
    check(
        &["search", "greet.Say"],
        expect![[r#"
        greet/greet.go:26  greet.Say: func Say(g Greeter, name string) string
        greet/outside_test.go:11  greet_test.TestSay: func TestSay(t *testing.T)
        2 declarations; complete under linux/amd64 cgo=0 tags=
        exit 0
    "#]],
    );
}

#[test]
fn a_search_without_a_match_is_an_empty_answer() {
    check(
        &["search", "Nothing"],
        expect![[r#"
        no declaration found; complete under linux/amd64 cgo=0 tags=
        exit 1
    "#]],
    );
}

#[test]
fn an_outline_is_in_text_order_with_its_nesting() {
    check(
        &["outline", "greet/greet.go"],
        expect![[r#"
        greet/greet.go
           6  greet.Greeter: type Greeter interface
           7    greet.Greeter.Greet: Greet(name string) string
          11  greet.English: type English struct{}
          14    greet.English.Greet: func (English) Greet(name string) string
          17  greet.French: type French struct{ count int }
          17    greet.French.count: count int
          20    greet.French.Greet: func (f *French) Greet(name string) string
          26  greet.Say: func Say(g Greeter, name string) string
          31  greet.Default: func Default() Greeter
          33  greet.join: func join(word, name string) string
        10 declarations found; complete under linux/amd64 cgo=0 tags=
        exit 0
    "#]],
    );
    check(
        &["outline", "greet.French"],
        expect![[r#"
        greet/greet.go
          17  greet.French.count: count int
          20  greet.French.Greet: func (f *French) Greet(name string) string
        2 declarations; complete under linux/amd64 cgo=0 tags=
        exit 0
    "#]],
    );
}

#[test]
fn a_table_has_code_on_request() {
    check(
        &[
            "definition",
            "chain.last",
            "--include-context",
            "--context-lines",
            "0",
        ],
        expect![[r#"
            chain/chain.go
              16  chain.last
                // Lines 16-16
                func last() int { return 0 }
            1 definition; complete under linux/amd64 cgo=0 tags=
            exit 0
        "#]],
    );
}

#[test]
fn an_unknown_target() {
    check(
        &["callers", "chain.Frist"],
        expect![[r#"
            codeweft: no symbol, package or file fits chain.Frist
            codeweft: nearest: chain.First, cmd/small.first; search finds others
            exit 1
        "#]],
    );
}

#[test]
fn a_name_with_several_targets() {
    check(
        &["callers", "Greet"],
        expect![[r#"
        codeweft: Greet fits 3 symbols
        codeweft:   greet.English.Greet
        codeweft:   greet.French.Greet
        codeweft:   greet.Greeter.Greet
        codeweft: ask with one of the candidates
        exit 2
    "#]],
    );
}

#[test]
fn a_value_out_of_bounds_is_refused() {
    check(
        &["callers", "chain.Alone", "--depth", "11"],
        expect![[r#"
        codeweft: depth: 11 is out of bounds 1 to 10
        codeweft: correct the request and ask again
        exit 2
    "#]],
    );
}

#[test]
fn a_flag_that_the_operation_does_not_take_is_refused() {
    check(
        &["callers", "chain.Alone", "--to", "chain.First"],
        expect![[r#"
        codeweft: to: callers does not take it; only path does
        codeweft: correct the request and ask again
        exit 2
    "#]],
    );
}

#[test]
fn a_path_query_without_an_end_is_refused() {
    check(
        &["path", "chain.First"],
        expect![[r#"
        codeweft: to: is required by path
        codeweft: correct the request and ask again
        exit 2
    "#]],
    );
}

#[test]
fn an_unknown_flag_is_wrong_use() {
    let (code, _, _) = run(&["query", "callers", "x", "--deep", "2"]);
    assert_eq!(code, 2);
}

#[test]
fn an_unknown_operation_is_wrong_use() {
    let (code, _, err) = run(&["query", "calls", "x"]);
    assert_eq!(code, 2);
    assert!(err.contains("callers"), "{err}");
}

#[test]
fn the_root_of_the_filesystem_is_no_workspace() {
    let (code, _, err) = run(&["query", "callers", "x", "--root", "/"]);
    assert_eq!(code, 2);
    assert!(err.contains("--root"), "{err}");
}

#[test]
fn an_answer_as_json_is_stable_but_for_its_metadata() {
    let arguments = ["query", "callers", "English.Greet"];
    let (code, first) = json(&arguments);
    assert_eq!(code, 0);
    let keys: Vec<&String> = first.as_object().expect("an object").keys().collect();
    expect![[r#"["operation", "target", "results", "total_found", "counts", "total_returned", "truncated", "completeness", "metadata"]"#]].assert_eq(&format!("{keys:?}"));
    let (_, mut second) = json(&arguments);
    let mut first = first;
    for answer in [&mut first, &mut second] {
        let metadata = answer["metadata"].as_object_mut().expect("metadata");
        assert_eq!(metadata.remove("source"), Some("live".into()));
        metadata.clear();
    }
    assert_eq!(first.to_string(), second.to_string());
}

#[test]
fn an_error_as_json_has_its_kind() {
    let (code, error) = json(&["query", "callers", "Greet"]);
    assert_eq!(code, 2);
    assert_eq!(error["status"], "error");
    assert_eq!(error["error_type"], "ambiguous_target");
    assert!(
        error["candidates"]
            .as_array()
            .is_some_and(|all| all.len() > 1)
    );
}

#[test]
fn index_prints_its_counts() {
    let (code, report) = json(&["index"]);
    assert_eq!(code, 0);
    let kept: Vec<String> = [
        "files",
        "library_files",
        "units",
        "symbols",
        "excluded_files",
    ]
    .iter()
    .map(|name| format!("{name} {}", report[name]))
    .collect();
    expect!["files 11, library_files 1, units 10, symbols 53, excluded_files 1"]
        .assert_eq(&kept.join(", "));
    expect![[r#"[{"file":"broken/broken.go","lines":[9],"reason":"lines that the grammar does not know"}]"#]].assert_eq(&report["not_in_full"].to_string());
    assert!(report["edges"].as_u64() > Some(5), "{report}");
    assert!(report["memory"]["rss_bytes"].as_u64() > Some(0), "{report}");
}

#[test]
fn an_export_has_its_counts_and_a_line_for_each() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("graph.json");
    let root = fixture("go-small");
    let done = codeweft()
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .args(["export", "--output"])
        .arg(&file)
        .arg("--root")
        .arg(&root)
        .status()
        .expect("the binary starts");
    assert!(done.success());
    let text = std::fs::read_to_string(&file).expect("the export");
    let graph: Value = serde_json::from_str(&text).expect("JSON");
    let count = |list: &str| graph[list].as_array().map(Vec::len).unwrap_or_default();
    assert_eq!(graph["_metadata"]["node_count"], count("nodes"));
    assert_eq!(graph["_metadata"]["edge_count"], count("edges"));
    assert_eq!(graph["_metadata"]["generated_at"], "2023-11-14T22:13:20Z");
    let objects = text.lines().filter(|line| line.starts_with('{')).count();
    assert!(objects >= count("nodes") + count("edges"));
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the folder")
        .collect();
    assert_eq!(left.len(), 1, "no temporary file is left");
    // Standard output gets the same bytes.
    let piped = codeweft()
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .args(["export", "--output", "-", "--root"])
        .arg(&root)
        .output()
        .expect("the binary starts");
    assert!(piped.stdout == text.as_bytes(), "the same bytes");
}

#[test]
fn an_export_says_which_modules_are_absent() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let module = "module example.com/m\n\ngo 1.23\n\nrequire example.com/absent v1.0.0\n";
    std::fs::write(root.path().join("go.mod"), module).expect("writes");
    let text = "package m\n\nimport _ \"example.com/absent\"\n";
    std::fs::write(root.path().join("m.go"), text).expect("writes");
    let said = |flag: Option<&str>| {
        let done = codeweft()
            .env("GOMODCACHE", root.path().join("cache"))
            .args(["export", "--output", "-", "--root"])
            .arg(root.path())
            .args(flag)
            .output()
            .expect("the binary starts");
        assert!(done.status.success());
        String::from_utf8(done.stderr).expect("UTF-8")
    };
    let told = said(None);
    assert!(
        told.contains("go.mod: example.com/absent v1.0.0 is not in the module cache"),
        "{told}"
    );
    assert_eq!(said(Some("--quiet")), "");
}

#[test]
fn a_closed_standard_output_does_not_panic() {
    let root = fixture("go-small");
    let mut child = codeweft()
        .args(["export", "--output", "-", "--root"])
        .arg(root)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let mut err = String::new();
    let mut stderr = child.stderr.take().expect("piped");
    stderr.read_to_string(&mut err).expect("UTF-8");
    let status = child.wait().expect("it ends");
    assert_eq!((status.code(), err.as_str()), (Some(0), ""));
}
