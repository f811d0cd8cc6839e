//! The tool's entry, and answers that are cut to a number of tokens.

use codeweft_ide::api::{FIELDS, GraphRequest, GraphResponse, Operation};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::budget::{FittedAnswer, fit};
use super::page::{Bodies, PAGE_FIELDS, Page};
use super::{AgentTool as _, GraphTool, SELF_EXPLANATORY};

#[test]
fn the_tools_entry_is_small() {
    let entry = serde_json::to_string(&GraphTool.entry()).expect("a tool has a JSON");
    assert!(
        entry.chars().count() < 2000,
        "{} characters: {entry}",
        entry.chars().count()
    );
}

#[test]
fn every_field_has_a_type_and_a_description() {
    let entry = serde_json::to_value(GraphTool.entry()).expect("a tool has a JSON");
    let properties = &entry["inputSchema"]["properties"];
    for field in FIELDS.iter().chain(&PAGE_FIELDS) {
        let property = &properties[field.name];
        assert!(property["type"].is_string(), "{}", field.name);
        let said = SELF_EXPLANATORY.contains(&field.name) || property["description"].is_string();
        assert!(said, "{}", field.name);
    }
    assert_eq!(entry["inputSchema"]["additionalProperties"], false);
    assert_eq!(entry["annotations"]["readOnlyHint"], true);
}

const PAGE: Page = Page {
    max_tokens: 4_000,
    offset: 0,
    bodies: Bodies::None,
    can_go_on: true,
};

fn site(file: &str, line: u32, code: &str) -> Value {
    json!({"file": file, "line": line, "column": 2, "resolution": "exact", "code": code})
}

/// A function of three lines, called at these sites.
fn result(name: &str, file: &str, sites: Vec<Value>) -> Value {
    json!({
        "node": {"id": format!("m.{name}"), "name": name, "kind": "function", "file": file,
            "start_line": 3, "end_line": 5, "start_pos": 20, "end_pos": 60, "name_line": 3,
            "name_column": 6, "language": "go", "visibility": "private", "package": "m",
            "external": false, "signature": format!("func {name}(a int)")},
        "site_count": sites.len(),
        "sites": sites,
    })
}

fn callers(results: Vec<Value>) -> GraphResponse {
    let response = json!({
        "operation": "callers", "target": "m.f", "total_found": results.len(),
        "total_returned": results.len(), "truncated": false, "results": results,
        "completeness": {"complete": true, "configuration": "", "unresolved_sites": 0,
            "first": []},
        "metadata": {"took_ms": 0.0, "source": "live", "revision": 1, "partial": false,
            "unsaved": []},
    });
    serde_json::from_value(response).expect("an answer")
}

fn many(count: usize) -> GraphResponse {
    let results = (0..count).map(|number| {
        let file = if number < 20 { "app/a.go" } else { "lib/b.go" };
        result(&format!("f{number}"), file, vec![site(file, 4, "f(a)")])
    });
    callers(results.collect())
}

/// Fits an answer, and checks what holds for every one: the bound, and that the text names the rows of
/// the structure.
fn fitted(response: GraphResponse, page: Page) -> FittedAnswer {
    let request = GraphRequest::new(Operation::Callers, "m.f");
    let answer = fit(response, &request, &page);
    assert!(answer.tokens() <= page.max_tokens, "{}", answer.tokens());
    for row in answer.structure["results"].as_array().expect("rows") {
        let id = row["node"]["id"].as_str().expect("an id");
        assert!(answer.text.contains(id), "{id}: {}", answer.text);
    }
    answer
}

fn check(response: GraphResponse, page: Page, expected: Expect) {
    expected.assert_eq(&fitted(response, page).text);
}

#[test]
fn a_row_has_its_signature_and_a_line_of_code_for_each_site() {
    let dispatch = json!({"file": "m/a.go", "line": 9, "column": 4, "resolution": "dispatch",
        "reason": "class_hierarchy", "in_literal": true, "code": "g.f()"});
    let elsewhere = json!({"file": "m/b.go", "line": 4, "column": 1, "resolution": "exact",
        "targets": ["m.f", "m.f#2"], "kind": "write", "code": "f = 1"});
    let sites = vec![
        site("m/a.go", 4, "f(f(1))"),
        json!({"file": "m/a.go", "line": 4, "column": 4, "resolution": "exact", "code": "f(f(1))"}),
        dispatch,
        elsewhere,
    ];
    check(
        callers(vec![result("a", "m/a.go", sites)]),
        PAGE,
        expect![[r#"
            callers of m.f: 1 caller; complete; r1
            m/a.go
              3-5 m.a: func a(a int)
                4:2 f(f(1))
                4:4
                9:4 g.f() [dispatch class_hierarchy in_literal]
                m/b.go:4:1 f = 1 [write of m.f and m.f#2]"#]],
    );
}

#[test]
fn sites_that_are_all_in_another_file_name_it_once() {
    let callee = |name: &str, line: u32| {
        let code = format!("{name}()");
        result(
            name,
            &format!("m/{name}.go"),
            vec![site("m/f.go", line, &code)],
        )
    };
    let answer = fitted(callers(vec![callee("a", 4), callee("b", 5)]), PAGE);
    expect![[r#"
        callers of m.f: 2 callers; complete; r1
        lines below results are of m/f.go
        m/a.go
          3-5 m.a: func a(a int)
            4:2 a()
        m/b.go
          3-5 m.b: func b(a int)
            5:2 b()"#]]
    .assert_eq(&answer.text);
    assert_eq!(answer.structure["site_file"], "m/f.go");
}

#[test]
fn the_structure_says_what_the_text_says() {
    let response = callers(vec![result("a", "a.go", vec![site("a.go", 4, "f(1)")])]);
    let answer = fitted(response, PAGE);
    expect![[r#"
        {
          "operation": "callers",
          "target": "m.f",
          "results": [
            {
              "node": {
                "id": "m.a",
                "kind": "function",
                "file": "a.go",
                "start_line": 3,
                "end_line": 5,
                "signature": "func a(a int)"
              },
              "sites": [
                {
                  "line": 4,
                  "column": 2,
                  "resolution": "exact",
                  "code": "f(1)"
                }
              ],
              "site_count": 1
            }
          ],
          "total_found": 1,
          "total_returned": 1,
          "truncated": false,
          "completeness": {
            "complete": true,
            "configuration": "",
            "unresolved_sites": 0,
            "by_reason": {},
            "first": []
          },
          "metadata": {
            "took_ms": 0.0,
            "source": "live",
            "revision": 1,
            "partial": false,
            "unsaved": []
          }
        }"#]]
    .assert_eq(&format!("{:#}", answer.structure));
}

#[test]
fn rows_that_do_not_fit_are_dropped_from_the_end_with_how_to_go_on() {
    let page = Page {
        max_tokens: 800,
        ..PAGE
    };
    let answer = fitted(many(60), page);
    expect![[r#"
        callers of m.f: 6 of 60 callers shown; complete; r1
        app/a.go
          3-5 m.f0: func f0(a int)
            4:2 f(a)
          3-5 m.f1: func f1(a int)
            4:2 f(a)
          3-5 m.f2: func f2(a int)
            4:2 f(a)
          3-5 m.f3: func f3(a int)
            4:2 f(a)
          3-5 m.f4: func f4(a int)
            4:2 f(a)
          3-5 m.f5: func f5(a int)
            4:2 f(a)
        cut: rows 1 to 6 of 60, 54 dropped by max_tokens; offset: 6 goes on; scope: app would leave 20 of 60"#]].assert_eq(&answer.text);
    let listed = answer.structure["results"].as_array().map_or(0, Vec::len);
    assert_eq!(answer.structure["total_returned"], listed);
    assert_eq!(answer.structure["next_offset"], listed);
    assert_eq!(answer.structure["dropped"], 60 - listed);
    assert_eq!(answer.structure["truncated"], true);
    let said = answer.structure["suggestion"].as_str().expect("words");
    assert!(answer.text.contains(said), "{said}");
}

#[test]
fn the_next_pages_have_the_other_rows() {
    let mut seen = Vec::new();
    let mut offset = 0;
    loop {
        let page = Page {
            max_tokens: 800,
            offset,
            ..PAGE
        };
        let structure = fitted(many(60), page).structure;
        let rows = structure["results"].as_array().cloned().unwrap_or_default();
        seen.extend(rows.iter().map(|row| row["node"]["id"].clone()));
        match structure["next_offset"].as_u64() {
            Some(next) => offset = next as usize,
            None => break,
        }
    }
    let all: Vec<Value> = (0..60)
        .map(|number| json!(format!("m.f{number}")))
        .collect();
    assert_eq!(seen, all);
}

#[test]
fn a_row_behind_which_others_wait_keeps_few_of_its_sites() {
    let row = |name: &str| {
        let sites = (1..=20).map(|line| site("a.go", line, "call(with, some, arguments)"));
        result(name, "a.go", sites.collect())
    };
    let page = Page {
        max_tokens: 1_000,
        ..PAGE
    };
    let answer = fitted(callers(vec![row("a"), row("b")]), page);
    expect![[r#"
        callers of m.f: 2 callers; complete; r1
        a.go
          3-5 m.a: func a(a int)
            1:2 call(with, some, arguments)
            2:2 call(with, some, arguments)
            3:2 call(with, some, arguments)
            4:2 call(with, some, arguments)
            5:2 call(with, some, arguments)
            6:2 call(with, some, arguments)
            7:2 call(with, some, arguments)
            8:2 call(with, some, arguments)
            9:2 call(with, some, arguments)
            10:2 call(with, some, arguments)
            and 10 more sites
          3-5 m.b: func b(a int)
            1:2 call(with, some, arguments)
            2:2 call(with, some, arguments)
            3:2 call(with, some, arguments)
            4:2 call(with, some, arguments)
            5:2 call(with, some, arguments)
            6:2 call(with, some, arguments)
            7:2 call(with, some, arguments)
            8:2 call(with, some, arguments)
            9:2 call(with, some, arguments)
            10:2 call(with, some, arguments)
            and 10 more sites"#]]
    .assert_eq(&answer.text);
    let [a, b] = [0, 1].map(|row| &answer.structure["results"][row]);
    assert_eq!(
        (&a["site_count"], &b["site_count"]),
        (&json!(20), &json!(20))
    );
}

#[test]
fn one_row_that_is_too_large_is_cut_itself() {
    let mut row = result(
        "a",
        "a.go",
        (0..20)
            .map(|n| site("a.go", n, &"x ".repeat(100)))
            .collect(),
    );
    row["site_count"] = json!(5_000);
    row["node"]["signature"] = json!("int ".repeat(400));
    let page = Page {
        max_tokens: 500,
        ..PAGE
    };
    check(
        callers(vec![row]),
        page,
        expect![[r#"
        callers of m.f: 1 caller; complete; r1
        a.go
          3-5 m.a: int int int int int int int int int int …int int int int int int int int int int 
            0:2
            and 4999 more sites"#]],
    );
}

fn definition(lines: usize) -> GraphResponse {
    let mut row = result("a", "a.go", Vec::new());
    let body: String = (2..lines).map(|n| format!("\tcall(\"{n}\")\n")).collect();
    row["context"] = json!(format!("// Lines 1-{lines}\nfunc a(a int) {{\n{body}}}"));
    callers(vec![row])
}

#[test]
fn code_is_there_only_where_it_is_wanted() {
    let has_code = |bodies| {
        let answer = fitted(definition(3), Page { bodies, ..PAGE });
        let structure = answer.structure["results"][0]["context"].is_string();
        assert_eq!(answer.text.contains("call(\"2\")"), structure);
        structure
    };
    assert_eq!(
        [Bodies::None, Bodies::OfOne, Bodies::All].map(has_code),
        [false, true, true]
    );
    let mut two = definition(3);
    two.results.push(two.results[0].clone());
    let page = Page {
        bodies: Bodies::OfOne,
        ..PAGE
    };
    let answer = fitted(two, page);
    assert!(answer.structure["results"][0]["context"].is_null());
}

#[test]
fn long_code_is_cut_in_the_middle() {
    let page = Page {
        max_tokens: 500,
        bodies: Bodies::OfOne,
        ..PAGE
    };
    check(
        definition(400),
        page,
        expect![[r#"
        callers of m.f: 1 caller; complete; r1
        a.go
          3-5 m.a: func a(a int)
            // Lines 1-400
            func a(a int) {
            	call("2")
            	call("3")
            	call("4")
            	call("5")
            // … 390 lines dropped: 6-395
            	call("396")
            	call("397")
            	call("398")
            	call("399")
            }"#]],
    );
}

#[test]
fn what_is_said_once_is_cut_too() {
    let mut response = many(3);
    response.target = "target ".repeat(3_000);
    response.note = Some("note ".repeat(3_000));
    response.completeness.words = Some("words ".repeat(3_000));
    response.cycles = vec![vec!["a.long.name.of.a.function".to_owned(); 50]; 20];
    response.metadata.unsaved = (0..500)
        .map(|n| format!("some/folder/file{n}.go"))
        .collect();
    let page = Page {
        max_tokens: 500,
        ..PAGE
    };
    check(
        response,
        page,
        expect![[r#"
        callers of target target target target ta…t target target target target : words words words words words …words words words words words ; complete; r1
        note: note note note note note note …note note note note note note 
        app/a.go
          3-5 m.f0: func f0(a int)
            4:2 f(a)
          3-5 m.f1: func f1(a int)
            4:2 f(a)
          3-5 m.f2: func f2(a int)
            4:2 f(a)
        and 20 more cycles
        unsaved in an editor:  and 500 more; lines may differ from the disk's"#]],
    );
}

#[test]
fn a_row_that_no_cut_makes_fit_is_dropped_and_said() {
    let mut response = many(3);
    response.results[0].node.id = "long.".repeat(400);
    let page = Page {
        max_tokens: 500,
        ..PAGE
    };
    check(
        response,
        page,
        expect![[r#"
        callers of m.f: 0 of 3 callers shown; complete; r1
        cut: no row of 3 from 1 on, 3 dropped by max_tokens; max_tokens: a greater one lists rows"#]],
    );
}
