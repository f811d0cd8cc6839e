//! Requests that writes interrupt.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::fixture::{Pause, double, size};
use super::{B, Live, file, hooks};
use crate::host::{Priority, RequestError};
use crate::project::Snapshot;

#[test]
fn a_write_during_a_read_makes_it_begin_again_and_see_the_new_text() {
    let live = Live::new();
    let tables = live.tables();
    live.open("b/b.go", B);
    hooks(&tables).pause("size", Pause::Cancellable);
    let tries = Arc::new(AtomicU32::new(0));
    let counted = tries.clone();
    let answer = live.submit(live.ask(Priority::Agent), move |snapshot| {
        counted.fetch_add(1, Ordering::SeqCst);
        double(&snapshot.db, file(snapshot, "b/b.go"))
    });
    hooks(&tables).wait_for_pause("size");
    let longer = format!("{B}// more\n");
    live.change("b/b.go", &longer);
    let answer = answer.recv().expect("told").expect("an answer");
    assert_eq!(answer.value, longer.len() * 2);
    assert_eq!(*answer.unsaved, ["b/b.go"]);
    assert_eq!(answer.revision, live.host.revision());
    assert_eq!(tries.load(Ordering::SeqCst), 2);
}

#[test]
fn a_request_waits_for_its_change_and_delays_no_other() {
    let live = Live::on_cores(1);
    let tables = live.tables();
    live.open("b/b.go", B);
    hooks(&tables).pause("size", Pause::Uncancellable);
    let held = live.submit(live.ask(Priority::Editor), |snapshot| {
        size(&snapshot.db, file(snapshot, "a/a.go"))
    });
    hooks(&tables).wait_for_pause("size");
    let before = live.host.revision();
    let change = live.change("b/b.go", &format!("{B}// more\n"));
    let mut after = live.ask(Priority::Editor);
    after.after = change;
    let (events, happened) = channel();
    let requests = events.clone();
    let later = live.submit(after, move |snapshot| {
        let _ = requests.send(snapshot.revision());
    });
    assert_eq!(
        live.host.wait(change, Instant::now()),
        Err(RequestError::Deadline),
        "a reader holds the write"
    );
    assert!(happened.try_recv().is_err());
    hooks(&tables).release("size");
    assert!(later.recv().expect("told").is_ok());
    assert_eq!(happened.recv(), Ok(before + 1));
    let held = held.recv().expect("told").expect("an answer");
    assert_eq!(held.value, super::A.len());
}

/// Submits a request that writes at each of its first tries. Returns its result, and for each try how long ago
/// the last write had ended.
fn restless(
    live: &Live,
    class: Priority,
    writes: usize,
) -> (Result<(), RequestError>, Vec<Option<Duration>>) {
    live.open("b/b.go", B);
    let (sender, tries) = channel();
    let (host, client, path) = (live.host.clone(), live.client, live.path("b/b.go"));
    let (mut version, mut left) = (2, writes);
    let core = live.host.inner.core.clone();
    let answer = live.submit(live.ask(class), move |snapshot: &Snapshot<'_>| {
        let _ = sender.send(core.gate.last_write().map(|last| last.elapsed()));
        if left == 0 {
            return;
        }
        left -= 1;
        version += 1;
        let edit = crate::Edit {
            range: None,
            text: format!("{B}// {version}\n"),
        };
        let encoding = crate::Encoding::Utf8;
        let edited = host.edit(client, &path, version, &[edit], encoding);
        edited.expect("open");
        loop {
            snapshot.check();
            std::thread::yield_now();
        }
    });
    let answer = answer.recv().expect("told").map(|answer| answer.value);
    (answer, tries.iter().collect())
}

#[test]
fn an_editors_request_fails_after_many_writes() {
    let live = Live::new();
    let (answer, tries) = restless(&live, Priority::Editor, usize::MAX);
    assert_eq!(answer, Err(RequestError::Stale));
    assert_eq!(tries.len(), 64);
}

#[test]
fn an_agents_request_waits_for_a_quiet_window_after_five_tries() {
    let live = Live::new();
    let (answer, tries) = restless(&live, Priority::Agent, 9);
    assert_eq!(answer, Ok(()));
    assert_eq!(tries.len(), 10);
    for before in &tries[5..] {
        assert!(before.is_some_and(|before| before >= Duration::from_millis(100)));
    }
}

#[test]
fn a_request_with_another_text_than_its_clients_is_stale() {
    let live = Live::new();
    let other = live.host.connect("other");
    live.open("b/b.go", B);
    let mut ask = live.ask(Priority::Editor);
    ask.documents = vec![(live.path("b/b.go").into(), B.into())];
    assert!(live.host.ask(ask.clone(), |_| ()).is_ok());
    let theirs = format!("{B}// theirs\n");
    ask.after = live.host.open(other, &live.path("b/b.go"), 1, &theirs);
    assert_eq!(
        live.host.ask(ask.clone(), |_| ()).map(|_| ()),
        Err(RequestError::Stale)
    );
    ask.after = live.host.close(other, &live.path("b/b.go"));
    assert!(live.host.ask(ask, |_| ()).is_ok());
}

#[test]
fn a_request_that_waits_for_an_interrupted_query_is_retried_too() {
    let live = Live::new();
    let tables = live.tables();
    live.open("b/b.go", B);
    hooks(&tables).pause("size", Pause::Cancellable);
    let requests = [Priority::Agent, Priority::Editor].map(|class| {
        live.submit(live.ask(class), |snapshot| {
            size(&snapshot.db, file(snapshot, "b/b.go"))
        })
    });
    let mut longer = String::new();
    for round in 1..=6 {
        // One of the two is in the query; the other waits for it, or is about to.
        while hooks(&tables).runs("size") < round {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(5));
        if round < 6 {
            hooks(&tables).pause("size", Pause::Cancellable);
        }
        longer = format!("{B}// {round}\n");
        live.change("b/b.go", &longer);
    }
    for answer in requests {
        let answer = answer.recv().expect("told").expect("an answer");
        assert_eq!(answer.value, longer.len());
    }
    assert_eq!(live.host.stats()["panics"], 0);
}

#[test]
fn a_write_that_waits_long_is_counted() {
    let live = Live::new();
    let tables = live.tables();
    live.open("b/b.go", B);
    assert_eq!(live.host.stats()["write_stalls"], 0);
    hooks(&tables).pause("size", Pause::Uncancellable);
    let held = live.submit(live.ask(Priority::Agent), |snapshot| {
        size(&snapshot.db, file(snapshot, "a/a.go"))
    });
    hooks(&tables).wait_for_pause("size");
    live.change("b/b.go", &format!("{B}// more\n"));
    while live.host.stats()["write_stalls"] == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let running = live.host.stats()["running"].clone();
    assert_eq!(running[0]["class"], "agent");
    hooks(&tables).release("size");
    assert!(held.recv().expect("told").is_ok());
    live.idle();
    assert_eq!(live.host.stats()["write_stalls"], 1);
}

#[test]
fn an_equal_text_waits_for_no_reader_and_interrupts_none() {
    let live = Live::new();
    let tables = live.tables();
    live.open("b/b.go", B);
    let opened = live.host.now();
    let deadline = Instant::now() + super::PATIENCE;
    let before = live.host.wait(opened, deadline).expect("shown");
    hooks(&tables).pause("size", Pause::Cancellable);
    let tries = Arc::new(AtomicU32::new(0));
    let counted = tries.clone();
    let held = live.submit(live.ask(Priority::Agent), move |snapshot| {
        counted.fetch_add(1, Ordering::SeqCst);
        size(&snapshot.db, file(snapshot, "a/a.go"))
    });
    hooks(&tables).wait_for_pause("size");
    let path = live.path("b/b.go");
    for change in [
        live.change("b/b.go", B),
        live.host.save(live.client, &path),
        live.host.disk_changed(vec![path.clone()]),
        live.host.close(live.client, &path),
    ] {
        assert_eq!(live.host.wait(change, deadline), Ok(before));
    }
    hooks(&tables).release("size");
    assert!(held.recv().expect("told").is_ok());
    assert_eq!(tries.load(Ordering::SeqCst), 1);
}

#[test]
fn many_changes_that_wait_become_one_revision() {
    let live = Live::new();
    let tables = live.tables();
    live.open("b/b.go", B);
    hooks(&tables).pause("size", Pause::Uncancellable);
    let held = live.submit(live.ask(Priority::Agent), |snapshot| {
        size(&snapshot.db, file(snapshot, "a/a.go"))
    });
    hooks(&tables).wait_for_pause("size");
    let before = live.host.revision();
    // The first may be written alone; the others wait behind it.
    let first = live.change("b/b.go", &format!("{B}// 0\n"));
    let mut last = first;
    for number in 1..20 {
        last = live.change("b/b.go", &format!("{B}// {number}\n"));
    }
    hooks(&tables).release("size");
    let visible = live.host.wait(last, Instant::now() + super::PATIENCE);
    let visible = visible.expect("shown");
    assert!((before + 1..=before + 2).contains(&visible), "{visible}");
    assert!(held.recv().expect("told").is_ok());
}
