//! The table: rows of settings, and what an edit of a text runs.

use codeweft_knowledge::recognisers::Recogniser;
use codeweft_knowledge::{KnowledgeSettings, build};
use codeweft_testing::Fixture;
use expect_test::expect;

use super::routes;

#[test]
fn rows_of_settings_recognise_a_library_of_ones_own() {
    let text = r#"
//- web/web.go
package web

type App struct{}

func (a *App) On(path string, f func()) {}
//- main.go
package main

import "m/web"

func home() {}

func main() {
	app := &web.App{}
	app.On("/home", home)
}
"#;
    let rows = r#"
[[go]]
call = "m/web.App.On"
route = { on = "receiver", path = 0, handler = 1 }
"#;
    let settings = KnowledgeSettings {
        recognisers: Recogniser::parse(rows).unwrap(),
        ..KnowledgeSettings::default()
    };
    let workspace = Fixture::new(text).load();
    let graph = build(workspace.host.db(), "/work/shop", &settings, 1);
    expect![[r#"
        ANY /home main.go::home
    "#]]
    .assert_eq(&routes(&graph));
}

#[test]
fn a_wrong_row_of_settings_is_an_error_with_its_line_and_the_others_count() {
    let row = |line: u32, row: &str| format!(r#"{{"line": {line}, "row": {row}}}"#);
    let rows = [
        row(
            4,
            r#"{"language": "go", "call": "p.F", "route": {"path": 0, "handlr": 1}}"#,
        ),
        row(
            9,
            r#"{"language": "go", "call": "p.F", "publish": {"channel": 0}}"#,
        ),
        row(14, r#"{"language": "go", "call": "p.F"}"#),
        row(
            19,
            r#"{"language": "c", "call": "p.F", "request": {"url": 0}}"#,
        ),
    ];
    let values = [("recogniser".to_owned(), format!("[{}]", rows.join(",")))];
    let settings = KnowledgeSettings::from_values(&values.into());
    assert_eq!(settings.recognisers.len(), 1);
    let wrong: Vec<String> = settings
        .wrong_recognisers
        .iter()
        .map(|(line, words)| format!("{line}: {words}"))
        .collect();
    expect![[r#"
        4: [[knowledge.recogniser]] unknown field `handlr`, expected one of `on`, `method`, `path`, `pattern`, `handler`, `operation_id`, `regex`
        14: [[knowledge.recogniser]] say what it does: `router`, `route`, `refine`, `mount`, `publish`, `consume`, `serve`, `request`, `setting`, `command` or `text`
        19: [[knowledge.recogniser]] name its `language`"#]]
    .assert_eq(&wrong.join("\n"));
}
