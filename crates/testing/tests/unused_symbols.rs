//! What is unused, by the rules of Go and Python: each rule with a fixture of its own.

#[path = "unused/go.rs"]
mod go;
#[path = "unused/python.rs"]
mod python;
#[path = "unused/revisions.rs"]
mod revisions;

use codeweft_graph::answer::{AnalysisOperation, AnalysisRequest, AnalysisResponse};
use codeweft_testing::{Fixture, Workspace};
use expect_test::Expect;

/// Returns a request of the operation.
fn request() -> AnalysisRequest {
    AnalysisRequest::new(AnalysisOperation::UnusedSymbols)
}

fn answer(workspace: &Workspace, request: AnalysisRequest) -> AnalysisResponse {
    let request = request.check().expect("a request");
    workspace.host.answer(&request).expect("an answer")
}

/// Prints a line for each symbol: id, reason, and the sites that could use it.
fn printed(answer: &AnalysisResponse) -> String {
    let mut lines = String::new();
    let list = answer.symbols.as_ref().expect("symbols");
    for item in &list.items {
        let reason = format!("{:?}", item.reason.expect("a reason"));
        lines += &format!("{} {reason}", item.symbol.id);
        assert_eq!(item.only_tests, reason == "OnlyTests");
        let completeness = item.completeness.as_ref().expect("completeness");
        assert_eq!(completeness.complete, completeness.unresolved_sites == 0);
        if !completeness.complete {
            lines += &format!(" {}:", completeness.unresolved_sites);
        }
        for site in &completeness.first {
            lines += &format!(
                " {}:{}:{} {}",
                site.file, site.line, site.column, site.reason
            );
        }
        lines.push('\n');
    }
    lines
}

/// Checks what is unused in a fixture.
fn check(fixture: &str, expected: Expect) {
    check_request(fixture, request(), expected);
}

/// As [`check`], where uses by tests count.
fn check_with_tests(fixture: &str, expected: Expect) {
    let request = AnalysisRequest {
        include_tests: Some(true),
        ..request()
    };
    check_request(fixture, request, expected);
}

fn check_request(fixture: &str, request: AnalysisRequest, expected: Expect) {
    let workspace = Fixture::new(fixture).load();
    expected.assert_eq(&printed(&answer(&workspace, request)));
}
