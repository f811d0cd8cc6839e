//! Documents, disk and revisions as clients see them.

use std::time::Instant;

use super::{A, B, Live, PATIENCE, options};
use crate::host::{AnalysisHost, ChangeId, HostState, Priority, RequestError};

#[test]
fn an_edit_is_in_the_next_answer() {
    let live = Live::new();
    assert_eq!(live.host.state(), HostState::Ready);
    assert_eq!(live.callers("a.X"), Ok("b.Call".to_owned()));
    live.open("b/b.go", B);
    live.change(
        "b/b.go",
        &B.replace("func Other() {", "func Other() { a.X(2)"),
    );
    assert_eq!(live.callers("a.X"), Ok("b.Call b.Other".to_owned()));
    live.host.close(live.client, &live.path("b/b.go"));
    assert_eq!(live.callers("a.X"), Ok("b.Call".to_owned()));
}

#[test]
fn a_document_that_is_opened_during_the_load_is_in_the_first_answer() {
    let live = Live::loading(&[("a/a.go", A), ("b/b.go", B)]);
    live.open(
        "b/b.go",
        &B.replace("func Other() {", "func Other() { a.X(2)"),
    );
    assert_eq!(live.callers("a.X"), Ok("b.Call b.Other".to_owned()));
}

#[test]
fn an_equal_text_makes_no_revision() {
    let live = Live::new();
    live.open("b/b.go", B);
    let deadline = Instant::now() + PATIENCE;
    let before = live.host.wait(live.host.now(), deadline).expect("shown");
    let changed = live.change("b/b.go", B);
    assert_eq!(live.host.wait(changed, deadline), Ok(before));
    let saved = live.host.save(live.client, &live.path("b/b.go"));
    assert_eq!(live.host.wait(saved, deadline), Ok(before));
    let changed = live.change("b/b.go", &B.replace("Other", "Renamed"));
    assert_eq!(live.host.wait(changed, deadline), Ok(before + 1));
}

#[test]
fn a_change_on_disk_is_in_the_next_answer() {
    let live = Live::new();
    live.write("b/b.go", &B.replace("Call", "Named"));
    live.host.disk_changed(vec![live.path("b/b.go")]);
    assert_eq!(live.callers("a.X"), Ok("b.Named".to_owned()));
}

#[test]
fn a_client_that_leaves_closes_its_documents_and_its_requests_end() {
    let live = Live::new();
    live.open("b/b.go", &B.replace("Call", "Typed"));
    assert_eq!(live.callers("a.X"), Ok("b.Typed".to_owned()));
    let (sender, answer) = std::sync::mpsc::channel();
    let (began, begin) = std::sync::mpsc::channel();
    live.host.submit(
        live.ask(Priority::Agent),
        move |snapshot| {
            let _ = began.send(());
            loop {
                snapshot.check();
                std::thread::yield_now();
            }
        },
        move |answer: Result<crate::Response<()>, RequestError>| {
            let _ = sender.send(answer.map(|_| ()));
        },
    );
    begin.recv().expect("asked");
    live.host.leave(live.client);
    assert_eq!(answer.recv(), Ok(Err(RequestError::Cancelled)));
    assert_eq!(live.callers("a.X"), Ok("b.Call".to_owned()));
}

#[test]
fn a_root_that_is_no_folder_is_an_error_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(AnalysisHost::start(options(&folder.path().join("none"))).is_err());
}

#[test]
fn two_hosts_have_two_names() {
    let (one, two) = (Live::new(), Live::new());
    assert_ne!(one.host.instance(), two.host.instance());
    assert_eq!(one.host.instance().len(), 8);
    assert_eq!(one.host.now(), ChangeId(0));
}

#[test]
fn a_request_that_cannot_wait_for_the_load_gets_its_progress() {
    let live = Live::loading(&[("a/a.go", A), ("b/b.go", B)]);
    let at_once = std::time::Duration::ZERO;
    let ask = crate::RequestOptions::new(live.client, Priority::Agent, ChangeId(0), at_once);
    let answer = live.host.ask(ask, |_| ());
    assert!(matches!(answer.map(|_| ()), Err(RequestError::Loading(..))));
    assert_eq!(live.callers("a.X"), Ok("b.Call".to_owned()));
}

#[test]
fn what_waits_for_the_load_comes_after_it_or_at_once() {
    let live = Live::loading(&[("a/a.go", A), ("b/b.go", B)]);
    let (sender, states) = std::sync::mpsc::channel();
    for _ in 0..2 {
        let sender = sender.clone();
        live.host.when_loaded(move |host| {
            let _ = sender.send(host.state());
        });
        assert_eq!(states.recv_timeout(PATIENCE), Ok(HostState::Ready));
    }
}

#[test]
fn a_host_that_ends_drops_what_waits_for_the_load() {
    let live = Live::loading(&[("a/a.go", A)]);
    let (sender, calls) = std::sync::mpsc::channel::<()>();
    live.host.when_loaded(move |_| drop(sender));
    drop(live);
    // The sender is gone, whether the load had ended or not.
    let gone = calls.recv_timeout(PATIENCE);
    assert_eq!(gone, Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
}

#[test]
fn priming_runs_every_query_before_a_request_does() {
    let live = Live::new();
    loop {
        let stats = live.host.stats();
        if stats["to_prime"] != 0 && stats["primed"] == stats["to_prime"] {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let stats = live.host.stats();
    assert_eq!(stats["query_count"], 0);
    assert_eq!(stats["files"], 2);
    assert_eq!(stats["state"], "ready");
    assert_eq!(stats["symbols"], serde_json::Value::Null);
}

#[test]
fn a_host_is_for_all_threads() {
    fn for_all_threads<T: Send + Sync>() {}
    for_all_threads::<AnalysisHost>();
}
