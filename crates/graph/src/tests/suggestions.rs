//! What a cut answer proposes.

use expect_test::expect;

use super::{execute, toy};
use crate::answer::{GraphRequest, Operation};

/// Returns what is proposed for the callers of a function, so many in each folder, where so many
/// are listed.
fn suggestion(folders: &[(&str, usize)], max_results: u32) -> String {
    let mut text = "//- end/end.go\nfn End\n".to_owned();
    for (folder, callers) in folders {
        text.push_str(&format!("//- {folder}/f.go\nuse end\n"));
        for number in 0..*callers {
            text.push_str(&format!("fn f{number} : end.End\n"));
        }
    }
    let request = GraphRequest {
        max_results,
        include_context: false,
        ..GraphRequest::new(Operation::Callers, "end.End")
    };
    let answer = execute(&toy::load(&text), &request).unwrap();
    answer.suggestion.unwrap()
}

#[test]
fn a_filter_that_removes_less_than_half_is_not_proposed() {
    expect!["max_results: up to 500 lists more of 6"]
        .assert_eq(&suggestion(&[("app/a", 5), ("lib/b", 1)], 5));
    expect!["scope: app would leave 3 of 6"]
        .assert_eq(&suggestion(&[("app/a", 3), ("lib/b", 3)], 5));
}

#[test]
fn a_greater_limit_that_lists_all_precedes_a_filter_after_which_it_is_still_cut() {
    expect!["max_results: up to 500 lists more of 24"]
        .assert_eq(&suggestion(&[("app/a", 12), ("lib/b", 12)], 10));
}

#[test]
fn what_no_limit_lists_is_at_least_halved() {
    expect!["scope: lib would leave 200 of 600"]
        .assert_eq(&suggestion(&[("app/a", 400), ("lib/b", 200)], 100));
    expect!["within: workspace would leave 2 of 602"]
        .assert_eq(&suggestion(&[("app/a", 2), ("/lib/b", 600)], 1));
}
