//! The order in which requests run.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use codeweft_vfs::ClientId;

use super::{Live, PATIENCE};
use crate::host::{Priority, RequestError, RequestOptions};

/// Requests that occupy a worker until they are released.
struct Held {
    begun: Receiver<()>,
    let_go: Vec<Sender<()>>,
}

fn hold(live: &Live, class: Priority, many: usize) -> Held {
    let (began, begun) = channel();
    let let_go = (0..many).map(|_| {
        let (go, wait) = channel::<()>();
        let began = began.clone();
        live.submit(live.ask(class), move |_| {
            let _ = began.send(());
            let _ = wait.recv();
        });
        go
    });
    let let_go = let_go.collect();
    Held { begun, let_go }
}

#[test]
fn an_editor_never_waits_behind_deep_requests() {
    for cores in [1, 2, 3] {
        let live = Live::on_cores(cores);
        let deep = hold(&live, Priority::Deep, cores + 2);
        deep.begun.recv().expect("one is asked");
        let agents = hold(&live, Priority::Agent, cores + 2);
        for _ in 0..2 {
            assert!(live.host.ask(live.ask(Priority::Editor), |_| ()).is_ok());
        }
        drop((deep.let_go, agents.let_go));
        live.idle();
    }
}

#[test]
fn deep_requests_leave_a_worker_to_agents() {
    let live = Live::on_cores(2);
    let deep = hold(&live, Priority::Deep, 3);
    deep.begun.recv().expect("one is asked");
    assert!(live.host.ask(live.ask(Priority::Agent), |_| ()).is_ok());
    assert!(deep.begun.try_recv().is_err(), "one deep one at a time");
    drop(deep.let_go);
    live.idle();
}

#[test]
fn within_a_priority_clients_take_turns() {
    let live = Live::on_cores(1);
    let held = hold(&live, Priority::Agent, 1);
    held.begun.recv().expect("asked");
    let (sender, received) = channel();
    let other = live.host.connect("other");
    let ask = |client: ClientId, name: &'static str| {
        let sender = sender.clone();
        let ask = RequestOptions::new(client, Priority::Agent, live.host.now(), PATIENCE);
        live.submit(ask, move |_| {
            let _ = sender.send(name);
        })
    };
    let answers = [
        ask(live.client, "a1"),
        ask(live.client, "a2"),
        ask(live.client, "a3"),
        ask(other, "b1"),
        ask(other, "b2"),
    ];
    drop(held);
    for answer in answers {
        assert!(answer.recv().expect("told").is_ok());
    }
    let order: Vec<_> = received.try_iter().collect();
    assert_eq!(order, ["a1", "b1", "a2", "b2", "a3"]);
}

#[test]
fn a_client_with_too_many_requests_gets_an_error_and_another_does_not() {
    let live = Live::new();
    let held = hold(&live, Priority::Agent, 32);
    held.begun.recv().expect("asked");
    let one_more = live.host.ask(live.ask(Priority::Editor), |_| ());
    assert_eq!(one_more.map(|_| ()), Err(RequestError::Full));
    let other = live.host.connect("other");
    let ask = RequestOptions::new(other, Priority::Editor, live.host.now(), PATIENCE);
    assert!(live.host.ask(ask, |_| ()).is_ok());
    drop(held.let_go);
    live.idle();
    assert!(live.host.ask(live.ask(Priority::Editor), |_| ()).is_ok());
}

#[test]
fn all_clients_together_have_a_bound() {
    let live = Live::new();
    let (go, wait) = channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    for _ in 0..1024 / 32 {
        let client = live.host.connect("one of many");
        for _ in 0..32 {
            let wait = wait.clone();
            let ask = RequestOptions::new(client, Priority::Deep, live.host.now(), PATIENCE);
            live.submit(ask, move |_| {
                let _ = wait.lock().map(|wait| wait.recv());
            });
        }
    }
    let one_more = live.host.ask(live.ask(Priority::Editor), |_| ());
    assert_eq!(one_more.map(|_| ()), Err(RequestError::Full));
    drop(go);
    live.idle();
    assert!(live.host.ask(live.ask(Priority::Editor), |_| ()).is_ok());
}

#[test]
fn a_request_that_waits_longer_than_its_deadline_gets_an_error() {
    let live = Live::on_cores(1);
    let held = hold(&live, Priority::Agent, 1);
    held.begun.recv().expect("asked");
    let patience = Duration::from_millis(30);
    let ask = RequestOptions::new(live.client, Priority::Agent, live.host.now(), patience);
    let answer = live.host.ask(ask, |_| ());
    assert_eq!(answer.map(|_| ()), Err(RequestError::Deadline));
    drop(held);
    live.idle();
}
