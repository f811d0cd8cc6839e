//! Readers, a writer and cancels at random, by seeded generators.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use codeweft_graph::answer::{GraphRequest, Operation};
use rustc_hash::FxHashMap;

use super::fixture::double;
use super::{Live, PATIENCE, file};
use crate::host::{Priority, RequestError, RequestOptions};

/// Returns the next number of a generator (xorshift).
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

fn body(calls: u64) -> String {
    let mut text = String::from("package b\n\nimport \"m/a\"\n");
    for number in 0..calls {
        text.push_str(&format!("\nfunc Call{number}() {{ a.X({number}) }}\n"));
    }
    text
}

#[test]
fn every_answer_is_that_of_its_revision() {
    const SEED: u64 = 0x5eed_0004;
    let live = Live::new();
    let opened = live.open("b/b.go", &body(1));
    let first = live.host.wait(opened, Instant::now() + PATIENCE);
    let first = first.expect("shown");
    // The number of calls in each revision.
    let calls = Mutex::new(FxHashMap::from_iter([(first, 1)]));
    let ended = AtomicBool::new(false);
    let answered = AtomicU64::new(0);
    let cancelled = AtomicU64::new(0);
    let answers = Mutex::new(Vec::new());
    let end = Instant::now() + Duration::from_secs(3);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = SEED;
            let mut now = 1;
            while Instant::now() < end {
                let mut many = next(&mut random) % 6;
                if many == now {
                    many += 1;
                }
                now = many;
                let change = live.change("b/b.go", &body(many));
                let visible = live.host.wait(change, Instant::now() + PATIENCE);
                let visible = visible.expect("shown");
                let mut calls = calls.lock().expect("whole");
                assert_eq!(calls.insert(visible, many), None, "one revision a change");
                drop(calls);
                std::thread::sleep(Duration::from_micros(next(&mut random) % 8000));
            }
            ended.store(true, Ordering::SeqCst);
        });
        for reader in 0..4_u64 {
            let (live, ended, answers) = (&live, &ended, &answers);
            let (answered, cancelled) = (&answered, &cancelled);
            scope.spawn(move || {
                let mut random = SEED + 1 + reader;
                let client = live.host.connect("reader");
                while !ended.load(Ordering::SeqCst) {
                    let class = [Priority::Editor, Priority::Agent, Priority::Deep]
                        [(next(&mut random) % 3) as usize];
                    let ask = RequestOptions::new(client, class, live.host.now(), PATIENCE);
                    let cancel = ask.cancel.clone();
                    let answer = live.submit(ask, |snapshot| {
                        let request = GraphRequest::new(Operation::Callers, "a.X")
                            .check()
                            .expect("a request");
                        let found = snapshot.graph(&request).expect("an answer");
                        let size = double(&snapshot.db, file(snapshot, "b/b.go"));
                        (found.results.len() as u64, size, snapshot.revision())
                    });
                    if next(&mut random).is_multiple_of(4) {
                        std::thread::sleep(Duration::from_micros(next(&mut random) % 2000));
                        cancel.cancel();
                    }
                    match answer.recv().expect("told exactly once") {
                        Ok(answer) => {
                            answered.fetch_add(1, Ordering::Relaxed);
                            assert_eq!(answer.value.2, answer.revision);
                            answers.lock().expect("whole").push(answer.value);
                        }
                        Err(RequestError::Cancelled) => {
                            cancelled.fetch_add(1, Ordering::Relaxed);
                        }
                        // Too many writes.
                        Err(RequestError::Stale) => {}
                        Err(other) => panic!("{other:?}"),
                    }
                    assert!(answer.recv().is_err(), "told exactly once");
                }
            });
        }
    });
    let calls = calls.into_inner().expect("whole");
    for (callers, size, revision) in answers.into_inner().expect("whole") {
        let many = *calls.get(&revision).expect("a revision that was made");
        assert_eq!(callers, many, "revision {revision}");
        assert_eq!(size, body(many).len() * 2, "revision {revision}");
    }
    assert!(answered.load(Ordering::Relaxed) > 20);
    assert!(cancelled.load(Ordering::Relaxed) > 0);
    live.idle();
    assert_eq!(live.host.stats()["panics"], 0);
}

#[test]
fn no_edit_is_lost_while_a_layout_is_computed() {
    let live = Live::new();
    live.open("a/a.go", super::A);
    live.open("b/b.go", super::B);
    // Each of these has other imports, so that the layout is computed again.
    let imports = |number: usize| {
        let other = number % 7;
        super::B.replace(
            "import \"m/a\"",
            &format!("import (\n\t\"m/a\"\n\t_ \"m/p{other}\"\n)"),
        )
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..150 {
                let change = live.change("b/b.go", &imports(number));
                let visible = live.host.wait(change, Instant::now() + PATIENCE);
                assert!(visible.is_ok());
            }
        });
        scope.spawn(|| {
            for number in 0..600 {
                let text = format!("{}// {number}\n", super::A);
                let change = live.change("a/a.go", &text);
                let mut ask = live.ask(Priority::Editor);
                ask.after = change;
                let visible = live.host.ask(ask, move |snapshot| {
                    **file(snapshot, "a/a.go").text(&snapshot.db) == *text
                });
                assert_eq!(
                    visible.map(|visible| visible.value),
                    Ok(true),
                    "edit {number}"
                );
            }
        });
    });
    assert_eq!(live.callers("a.X"), Ok("b.Call".to_owned()));
}
