//! Requests that end before they are done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use codeweft_db::{File, Origin, saved};

use super::fixture::{Pause, fragile, size};
use super::{A, Live, file, hooks};
use crate::RequestCancellation;
use crate::host::{Priority, RequestError};

#[test]
fn a_request_that_waits_for_the_query_of_another_is_cancelled_at_once() {
    let live = Live::new();
    let tables = live.tables();
    hooks(&tables).pause("size", Pause::Uncancellable);
    let owner = live.submit(live.ask(Priority::Agent), |snapshot| {
        size(&snapshot.db, file(snapshot, "a/a.go"))
    });
    hooks(&tables).wait_for_pause("size");
    let ask = live.ask(Priority::Editor);
    let cancel = ask.cancel.clone();
    let (began, begun) = channel();
    let waiting = live.submit(ask, move |snapshot| {
        let _ = began.send(());
        size(&snapshot.db, file(snapshot, "a/a.go"))
    });
    begun.recv().expect("asked");
    cancel.cancel();
    // The cancel has answered already; the owner still pauses.
    let answer = waiting.try_recv().expect("told");
    assert_eq!(answer.map(|_| ()), Err(RequestError::Cancelled));
    assert!(owner.try_recv().is_err());
    hooks(&tables).release("size");
    let answer = owner.recv().expect("told").expect("an answer");
    assert_eq!(answer.value, A.len());
}

#[test]
fn a_request_that_waits_for_the_query_of_another_ends_at_its_deadline() {
    let live = Live::new();
    let tables = live.tables();
    hooks(&tables).pause("size", Pause::Uncancellable);
    let mut ask = live.ask(Priority::Agent);
    ask.cancel = RequestCancellation::default();
    ask.deadline = std::time::Instant::now() + Duration::from_millis(50);
    let answer = live.submit(ask, |snapshot| size(&snapshot.db, file(snapshot, "a/a.go")));
    hooks(&tables).wait_for_pause("size");
    let answer = answer.recv().expect("told");
    assert_eq!(answer.map(|_| ()), Err(RequestError::Deadline));
    hooks(&tables).release("size");
    live.idle();
}

#[test]
fn a_cancel_inside_a_query_without_checks_ends_the_next_loop() {
    let live = Live::new();
    let tables = live.tables();
    hooks(&tables).pause("size", Pause::Uncancellable);
    let ask = live.ask(Priority::Agent);
    let cancel = ask.cancel.clone();
    let gone_on = Arc::new(AtomicBool::new(false));
    let seen = gone_on.clone();
    let answer = live.submit(ask, move |snapshot| {
        // salsa forgets a cancel when the outermost query of a handle ends.
        size(&snapshot.db, file(snapshot, "a/a.go"));
        snapshot.check();
        seen.store(true, Ordering::SeqCst);
        size(&snapshot.db, file(snapshot, "b/b.go"))
    });
    hooks(&tables).wait_for_pause("size");
    cancel.cancel();
    let answer = answer.try_recv().expect("told");
    assert_eq!(answer.map(|_| ()), Err(RequestError::Cancelled));
    hooks(&tables).release("size");
    live.idle();
    assert!(!gone_on.load(Ordering::SeqCst));
    assert_eq!(hooks(&tables).runs("size"), 1);
}

#[test]
fn a_cancel_ends_a_query_that_checks() {
    let live = Live::new();
    let tables = live.tables();
    hooks(&tables).pause("size", Pause::Cancellable);
    let ask = live.ask(Priority::Agent);
    let cancel = ask.cancel.clone();
    let answer = live.submit(ask, |snapshot| size(&snapshot.db, file(snapshot, "a/a.go")));
    hooks(&tables).wait_for_pause("size");
    cancel.cancel();
    let answer = answer.try_recv().expect("told");
    assert_eq!(answer.map(|_| ()), Err(RequestError::Cancelled));
    // Not released.
    live.idle();
}

#[test]
fn a_request_that_is_cancelled_before_it_is_submitted_never_runs() {
    let live = Live::new();
    let ask = live.ask(Priority::Agent);
    ask.cancel.cancel();
    let answer = live.submit(ask, |_| assert!(std::hint::black_box(false), "asked"));
    let answer = answer.try_recv().expect("told");
    assert_eq!(answer.map(|_| ()), Err(RequestError::Cancelled));
    live.idle();
    assert_eq!(live.host.stats()["panics"], 0);
}

#[test]
fn a_panic_ends_its_request_and_those_that_wait_for_its_query_and_breaks_nothing() {
    let live = Live::new();
    let tables = live.tables();
    live.open("a/a.go", &A.replace("X", "Fragile"));
    hooks(&tables).pause("fragile", Pause::Uncancellable);
    let owner = live.submit(live.ask(Priority::Agent), |snapshot| {
        fragile(&snapshot.db, file(snapshot, "a/a.go"))
    });
    hooks(&tables).wait_for_pause("fragile");
    let (began, begun) = channel();
    let waiting = live.submit(live.ask(Priority::Editor), move |snapshot| {
        let _ = began.send(());
        fragile(&snapshot.db, file(snapshot, "a/a.go"))
    });
    begun.recv().expect("asked");
    hooks(&tables).release("fragile");
    let broken = Err(RequestError::Panicked("the fixture breaks".to_owned()));
    assert_eq!(
        owner.recv().expect("told").map(|answer| answer.value),
        broken
    );
    assert_eq!(
        waiting.recv().expect("told").map(|answer| answer.value),
        broken
    );
    live.host.close(live.client, &live.path("a/a.go"));
    let answer = live.host.ask(live.ask(Priority::Agent), |snapshot| {
        fragile(&snapshot.db, file(snapshot, "a/a.go"))
    });
    assert_eq!(answer.map(|answer| answer.value), Ok(A.len()));
    assert_eq!(live.host.stats()["panics"], 2);
}

#[test]
#[cfg(debug_assertions)]
fn a_request_must_not_submit_or_wait() {
    let live = Live::new();
    let (host, client) = (live.host.clone(), live.client);
    let answer = live.host.ask(live.ask(Priority::Agent), move |_| {
        let ask = crate::RequestOptions::new(client, Priority::Agent, host.now(), super::PATIENCE);
        host.ask(ask, |_| ()).is_ok()
    });
    let Err(RequestError::Panicked(words)) = answer.map(|_| ()) else {
        panic!("it was answered");
    };
    assert!(words.contains("must not ask or wait"), "{words}");
    let host = live.host.clone();
    let answer = live.host.ask(live.ask(Priority::Agent), move |_| {
        host.wait(host.now(), std::time::Instant::now()).is_ok()
    });
    assert!(matches!(answer.map(|_| ()), Err(RequestError::Panicked(_))));
}

#[test]
fn the_parse_of_a_large_file_stops_when_its_reader_is_cancelled() {
    let live = Live::new();
    let text: Arc<str> = super::large::text(2 << 20).into();
    let ask = live.ask(Priority::Agent);
    let cancel = ask.cancel.clone();
    let (began, begun) = channel();
    let ended = Arc::new(AtomicBool::new(false));
    let seen = ended.clone();
    let answer = live.submit(ask, move |snapshot| {
        let db = &snapshot.db;
        let other = file(snapshot, "a/a.go");
        let new = File::builder(
            "large.go".into(),
            codeweft_go_syntax::GO,
            Origin::Workspace,
            text.clone(),
            other.header(db).clone(),
            other.items(db).clone(),
        );
        let large = new.new(db);
        let _ = began.send(());
        saved::lower(db, large);
        seen.store(true, Ordering::SeqCst);
    });
    begun.recv().expect("asked");
    cancel.cancel();
    assert_eq!(
        answer.try_recv().expect("told").map(|_| ()),
        Err(RequestError::Cancelled)
    );
    live.idle();
    assert!(!ended.load(Ordering::SeqCst));
}

#[test]
fn a_host_that_ends_answers_all_requests() {
    let live = Live::new();
    let answer = live.submit(live.ask(Priority::Agent), |snapshot| {
        loop {
            snapshot.check();
            std::thread::yield_now();
        }
    });
    let mut parked = live.ask(Priority::Agent);
    parked.after = crate::ChangeId(u64::MAX);
    let never = live.submit(parked, |_| ());
    drop(live);
    let answer: Result<crate::Response<()>, RequestError> = answer.recv().expect("told");
    assert_eq!(answer.map(|_| ()), Err(RequestError::Cancelled));
    let never = never.recv().expect("told");
    assert_eq!(never.map(|_| ()), Err(RequestError::Cancelled));
}

#[test]
fn a_request_that_waits_for_the_query_of_a_cancelled_one_runs_it_itself() {
    let live = Live::new();
    let tables = live.tables();
    hooks(&tables).pause("size", Pause::Cancellable);
    let ask = live.ask(Priority::Agent);
    let cancel = ask.cancel.clone();
    let owner = live.submit(ask, |snapshot| size(&snapshot.db, file(snapshot, "a/a.go")));
    hooks(&tables).wait_for_pause("size");
    let (began, begun) = channel();
    let waiting = live.submit(live.ask(Priority::Editor), move |snapshot| {
        let _ = began.send(());
        size(&snapshot.db, file(snapshot, "a/a.go"))
    });
    begun.recv().expect("asked");
    cancel.cancel();
    let answer = owner.recv().expect("told");
    assert_eq!(answer.map(|_| ()), Err(RequestError::Cancelled));
    let answer = waiting.recv().expect("told").expect("an answer");
    assert_eq!(answer.value, A.len());
    assert_eq!(live.host.stats()["panics"], 0);
}

#[test]
fn the_threads_of_a_host_that_ends_end() {
    let live = Live::new();
    live.open("large/large.go", &super::large::text(1 << 20));
    let core = Arc::downgrade(&live.host.inner.core);
    drop(live);
    while core.upgrade().is_some() {
        std::thread::sleep(Duration::from_millis(1));
    }
}
