//! What follows the revisions in the background.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{A, Live};
use crate::host::{FollowedView, Follower, FollowerFigures, FollowerStep, Priority};

/// A follower that notes the revisions that it has seen to their end.
#[derive(Clone, Default)]
struct Noting {
    done: Arc<Mutex<Vec<u64>>>,
    steps: Arc<AtomicU64>,
    /// What the next step does instead.
    manner: Arc<Mutex<Manner>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Manner {
    #[default]
    Done,
    /// It works until a write interrupts it.
    Endless,
    Breaks,
}

impl Follower for Noting {
    fn step(&mut self, view: FollowedView<'_>) -> FollowerStep {
        self.steps.fetch_add(1, Ordering::SeqCst);
        let manner = *self.manner.lock().expect("no panic");
        match manner {
            Manner::Done => {}
            Manner::Breaks => panic!("it breaks"),
            Manner::Endless => loop {
                view.snapshot.check();
                std::thread::sleep(Duration::from_millis(1));
            },
        }
        self.done
            .lock()
            .expect("no panic")
            .push(view.snapshot.revision());
        FollowerStep::Done
    }

    fn figures(&self) -> Option<FollowerFigures> {
        let steps = self.steps.clone();
        Some(Box::new(
            move || serde_json::json!({ "steps": steps.load(Ordering::SeqCst) }),
        ))
    }
}

impl Noting {
    fn set(&self, manner: Manner) {
        *self.manner.lock().expect("no panic") = manner;
    }
}

/// Waits until something holds.
fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Adds a function to the file `a/a.go`, and returns the revision that has it.
fn edit(live: &Live, number: usize) -> u64 {
    let change = live.change("a/a.go", &format!("{A}\nfunc more{number}() {{}}\n"));
    let deadline = Instant::now() + Duration::from_secs(5);
    live.host.wait(change, deadline).expect("visible")
}

#[test]
fn the_last_revision_of_a_burst_is_followed_to_its_end() {
    let live = Live::new();
    let noting = Noting::default();
    live.host.follow(Box::new(noting.clone()));
    let lag = |live: &Live| live.host.stats()["store"]["lag_ms"].clone();
    wait_for("the first revision", || lag(&live) == 0);
    live.open("a/a.go", A);
    let last = (0..5).fold(None, |_, number| Some(edit(&live, number)));
    let done = || noting.done.lock().expect("no panic").clone();
    // An edit is visible a moment before the follower learns of it.
    wait_for("the last revision", || done().last().copied() == last);
    wait_for("no lag", || lag(&live) == 0);
    assert_eq!(done().last().copied(), last);
    assert!(done().is_sorted());
}

#[test]
fn a_follower_that_works_on_stops_no_edit_and_no_question() {
    let live = Live::new();
    let noting = Noting::default();
    live.open("a/a.go", A);
    noting.set(Manner::Endless);
    live.host.follow(Box::new(noting.clone()));
    for number in 0..4 {
        let steps = noting.steps.load(Ordering::SeqCst);
        wait_for("a step", || noting.steps.load(Ordering::SeqCst) > steps);
        let began = Instant::now();
        edit(&live, number);
        let answer = live.submit(live.ask(Priority::Agent), |snapshot| snapshot.revision());
        answer.recv().expect("a result").expect("a response");
        assert!(
            began.elapsed() < Duration::from_secs(2),
            "{:?}",
            began.elapsed()
        );
    }
    noting.set(Manner::Done);
    edit(&live, 9);
    wait_for("the end", || live.host.stats()["store"]["lag_ms"] == 0);
}

#[test]
fn a_follower_that_breaks_three_times_is_ended() {
    let live = Live::new();
    let noting = Noting::default();
    noting.set(Manner::Breaks);
    live.host.follow(Box::new(noting.clone()));
    wait_for("three steps", || noting.steps.load(Ordering::SeqCst) == 3);
    live.open("a/a.go", A);
    edit(&live, 1);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(noting.steps.load(Ordering::SeqCst), 3);
    assert_eq!(live.host.stats()["panics"], 3);
    assert_eq!(live.callers("a.y").as_deref(), Ok("a.X"));
}
