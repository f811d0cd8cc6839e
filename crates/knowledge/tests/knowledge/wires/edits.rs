//! What an edit inside a literal runs.

use codeweft_testing::fixture::texts;
use codeweft_testing::{Fixture, Workspace};

use super::routes;
use crate::graph;

const TEXT: &str = r#"
//- main.go
package main

import "github.com/gin-gonic/gin"

func show(c *gin.Context) {}

func main() {
	r := gin.New()
	r.GET("/aaaa", show)
	r.GET("/kept", show)
}
"#;

#[test]
fn an_edit_inside_a_literal_of_go_resolves_nothing_and_changes_its_route() {
    let mut workspace = Fixture::new(TEXT).recording().load();
    let text = texts(TEXT)["main.go"].clone();
    workspace.open("main.go", &text);
    graph(&workspace);
    let executed = |workspace: &Workspace| {
        let recording = workspace.host.recording().expect("it records");
        let events = recording.take(workspace.host.db());
        let names = events.executed.into_iter().map(|(name, _)| name);
        names.collect::<Vec<String>>()
    };
    executed(&workspace);
    workspace.change("main.go", &text.replace("/aaaa", "/longer"));
    let after = graph(&workspace);
    assert_eq!(
        executed(&workspace),
        [
            "file_bodies",
            "file_identifiers",
            "file_ranges",
            "file_report",
            "file_secrets",
            "file_wires",
            "lower"
        ]
    );
    expect_test::expect![[r#"
        GET /kept main.go::show ?
        GET /longer main.go::show ?
    "#]]
    .assert_eq(&routes(&after));
}
