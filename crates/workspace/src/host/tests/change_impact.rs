//! The impact of a change of texts, while other requests and edits come.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use codeweft_graph::answer::{ApiError, ErrorType, GraphRequest, GraphResponse, Operation};

use super::{B, Live, PATIENCE};
use crate::host::{Priority, RequestOptions};

/// A change of `y` in `a/a.go`.
const PATCH: &str = "\
--- a/a/a.go
+++ b/a/a.go
@@ -5 +5 @@
-func y(n int) int { return n }
+func y(n int) int { return n + 1 }
";

fn ask(live: &Live, options: RequestOptions, target: &str) -> Result<GraphResponse, ApiError> {
    let request = GraphRequest {
        diff: true,
        ..GraphRequest::new(Operation::Impact, target)
    };
    let (sender, receiver) = channel();
    let request = request.check().expect("a request");
    live.host.graph(options, request, move |answer| {
        let _ = sender.send(answer);
    });
    receiver.recv_timeout(PATIENCE).expect("an answer")
}

/// Returns the symbols that differ and those that they reach.
fn impact(live: &Live, target: &str) -> Result<String, ApiError> {
    let response = ask(live, live.ask(Priority::Agent), target)?;
    let change = response.change.expect("of a change");
    let touched: Vec<String> = change.symbols.into_iter().map(|one| one.id).collect();
    let reached = response.results.into_iter().map(|result| result.node.id);
    let reached: Vec<String> = reached.collect();
    Ok(format!("{} -> {}", touched.join(" "), reached.join(" ")))
}

#[test]
fn others_see_the_texts_as_they_are() {
    let live = Live::new();
    assert_eq!(impact(&live, PATCH), Ok("a.y -> a.X b.Call".to_owned()));
    assert_eq!(live.callers("a.y"), Ok("a.X".to_owned()));
    assert_eq!(impact(&live, PATCH), Ok("a.y -> a.X b.Call".to_owned()));
}

#[test]
fn a_change_of_what_an_editor_has_not_saved_is_one_of_that_text() {
    let live = Live::new();
    live.open("b/b.go", B);
    live.change("b/b.go", &B.replace("a.X(1)", "Other()"));
    assert_eq!(impact(&live, PATCH), Ok("a.y -> a.X".to_owned()));
    let of_unsaved =
        "--- b/b.go\n+++ b/b.go\n@@ -5 +5 @@\n-func Call() { Other() }\n+func Call() {}\n";
    assert_eq!(impact(&live, of_unsaved), Ok("b.Call -> ".to_owned()));
}

#[test]
fn a_request_that_was_cancelled_ends_with_an_error() {
    let live = Live::new();
    let options = live.ask(Priority::Agent);
    options.cancel.cancel();
    let error = ask(&live, options, PATCH).expect_err("it was cancelled");
    assert_eq!(error.error_type, ErrorType::Internal);
    assert_eq!(error.message, "cancelled");
}

#[test]
fn a_text_that_names_nothing_is_an_error_that_says_what_to_do() {
    let live = Live::new();
    let error = ask(&live, live.ask(Priority::Agent), "no-such").expect_err("no repository");
    assert_eq!(error.error_type, ErrorType::InvalidRequest);
    assert!(error.message.starts_with("target: "), "{}", error.message);
    assert!(!error.fallback_suggestion.is_empty());
}

#[test]
fn edits_in_between_are_never_lost_and_never_mixed() {
    let live = Live::new();
    live.open("b/b.go", B);
    let other = B.replace("func Other() {}", "func Other() { a.X(2) }");
    let texts = [B, other.as_str()];
    thread::scope(|scope| {
        let edits = scope.spawn(|| {
            for step in 0..200 {
                live.change("b/b.go", texts[step % 2]);
                // An edit interrupts the reading of the other state: without breaks a busy machine never ends one.
                let pause = if step % 40 == 39 { 500 } else { 1 };
                thread::sleep(Duration::from_millis(pause));
            }
        });
        let mut answers = 0;
        while !edits.is_finished() {
            match impact(&live, PATCH) {
                Ok(found) => {
                    let possible = ["a.y -> a.X b.Call", "a.y -> a.X b.Call b.Other"];
                    assert!(possible.contains(&found.as_str()), "{found}");
                    answers += 1;
                }
                Err(error) => assert_eq!(error.error_type, ErrorType::IndexStale, "{error}"),
            }
            assert_eq!(live.callers("a.y"), Ok("a.X".to_owned()));
        }
        assert!(answers > 0);
    });
    let last = live.change("b/b.go", &other);
    let visible = live.host.wait(last, std::time::Instant::now() + PATIENCE);
    visible.expect("it is seen");
    assert_eq!(
        impact(&live, PATCH),
        Ok("a.y -> a.X b.Call b.Other".to_owned())
    );
    assert_eq!(live.callers("a.X"), Ok("b.Call b.Other".to_owned()));
}
