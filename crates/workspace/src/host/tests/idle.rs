//! What is given back when no question comes.

use std::time::Instant;

use codeweft_graph::answer::{GraphRequest, Operation};

use super::{A, B, Live};
use crate::host::idle::{IDLE_TIME, give_back};
use crate::host::{Priority, RequestError};

fn deep(operation: Operation, target: &str) -> GraphRequest {
    GraphRequest {
        depth: 10,
        ..GraphRequest::new(operation, target)
    }
}

#[test]
fn a_minute_after_the_last_question_all_is_given_back_and_answers_are_the_same() {
    let live = Live::new();
    let core = &live.host.inner.core;
    let answer = || {
        let request = deep(Operation::Impact, "a.y").check().expect("a request");
        let answer = live.submit(live.ask(Priority::Deep), move |snapshot| {
            let mut answer = snapshot.graph(&request).expect("an answer");
            answer.metadata = Default::default();
            answer
        });
        answer.recv().expect("a result").expect("a response").value
    };
    assert!(!give_back(core, Instant::now() + IDLE_TIME));
    let before = answer();
    assert_eq!(before.total_found, 2);
    assert!(!give_back(core, Instant::now()));
    assert!(give_back(core, Instant::now() + IDLE_TIME));
    // Once, until another question ends.
    assert!(!give_back(core, Instant::now() + IDLE_TIME));
    assert_eq!(answer(), before);
    assert!(give_back(core, Instant::now() + IDLE_TIME));
}

#[test]
fn an_editors_requests_have_nothing_to_give_back() {
    let live = Live::new();
    let request = live.submit(live.ask(Priority::Editor), |snapshot| snapshot.revision());
    request.recv().expect("a result").expect("a response");
    assert!(!give_back(
        &live.host.inner.core,
        Instant::now() + IDLE_TIME
    ));
}

#[test]
fn a_deep_question_ends_at_its_deadline_with_an_error_and_no_shorter_list() {
    let mut text = String::from(B);
    for number in 0..2_000 {
        let next = number + 1;
        text.push_str(&format!("\nfunc Step{number}() {{ Step{next}() }}\n"));
    }
    text.push_str("\nfunc Step2000() { a.X(1) }\n");
    let live = Live::loading(&[("a/a.go", A), ("b/b.go", &text)]);
    live.ready();
    for operation in [Operation::Impact, Operation::Path] {
        let mut request = deep(operation, "a.y");
        if operation == Operation::Path {
            request.target = "b.Step0".to_owned();
            request.to = "a.y".to_owned();
        }
        let request = request.check().expect("a request");
        let mut ask = live.ask(Priority::Deep);
        let deadline = ask.deadline;
        let whole = live.submit(live.ask(Priority::Deep), {
            let request = request.clone();
            move |snapshot| snapshot.graph(&request).is_ok()
        });
        assert!(whole.recv().expect("a result").expect("a response").value);
        ask.deadline = Instant::now();
        assert!(ask.deadline < deadline);
        let answer = live.submit(ask, move |snapshot| snapshot.graph(&request).is_ok());
        let answer = answer.recv().expect("a result");
        assert_eq!(answer.map(|_| ()), Err(RequestError::Deadline));
    }
}
