//! Large files delay no write.

use std::sync::Arc;
use std::time::{Duration, Instant};

use codeweft_db::{File, Origin, saved};

use super::{B, Live, PATIENCE};
use crate::host::{Priority, RequestError};

/// Returns Go source of about so many bytes.
pub(super) fn text(bytes: usize) -> String {
    let mut text = String::from("package large\n\nimport \"m/a\"\n");
    let mut number = 0;
    while text.len() < bytes {
        let function = format!(
            r#"
func F{number}(n int) int {{
	if n > {number} {{
		return a.X(n) + n*({number}+n)
	}}
	return n
}}
"#
        );
        text.push_str(&function);
        number += 1;
    }
    text
}

/// Returns the first revision in which an effective text is visible; requests it again and again.
fn visible_in(live: &Live, path: &str, part: &'static str) -> u64 {
    let path = live.path(path);
    loop {
        let path = path.clone();
        let mut ask = live.ask(Priority::Editor);
        ask.after = Default::default();
        let visible = live.host.ask(ask, move |snapshot| {
            let entry = snapshot.state.files.get(path.as_str());
            entry.is_some_and(|entry| entry.file.text(&snapshot.db).contains(part))
        });
        let visible = visible.expect("an answer");
        if visible.value {
            return visible.revision;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_small_write_is_visible_before_the_large_one_that_came_first() {
    let live = Live::new();
    live.open("b/b.go", B);
    let large = live.open("large/large.go", &text(1 << 20));
    let small = live.change("b/b.go", &B.replace("Other", "Renamed"));
    let small_at = visible_in(&live, "b/b.go", "Renamed");
    let large_at = visible_in(&live, "large/large.go", "F1(");
    assert!(small_at < large_at, "{small_at} {large_at}");
    // A change id includes every change before it.
    let deadline = Instant::now() + PATIENCE;
    assert!(
        live.host
            .wait(large, deadline)
            .is_ok_and(|at| at >= large_at)
    );
    assert!(
        live.host
            .wait(small, deadline)
            .is_ok_and(|at| at >= large_at)
    );
    let callers = live.callers("a.X").expect("an answer");
    assert!(callers.contains("large.F0"), "{callers}");
}

#[test]
fn requests_wait_for_a_large_text_and_a_newer_one_of_the_same_file_stops_it() {
    let live = Live::new();
    let first = live.open("large/large.go", &text(1 << 20));
    assert_eq!(
        live.host.wait(first, Instant::now()),
        Err(RequestError::Deadline)
    );
    let small = "package large\n\nimport \"m/a\"\n\nfunc Small() { a.X(1) }\n";
    live.change("large/large.go", small);
    assert_eq!(live.callers("a.X"), Ok("b.Call large.Small".to_owned()));
    let deadline = Instant::now() + PATIENCE;
    assert!(live.host.wait(first, deadline).is_ok());
    live.host.close(live.client, &live.path("large/large.go"));
    assert_eq!(live.callers("a.X"), Ok("b.Call".to_owned()));
}

#[test]
fn small_writes_go_on_while_eight_mib_are_lowered_by_the_host_and_by_a_reader() {
    let live = Live::new();
    live.open("b/b.go", B);
    let large: Arc<str> = text((8 << 20) - 4096).into();
    let opened = live.open("large/large.go", &large);
    let parsed = large.clone();
    let mut parse = live.ask(Priority::Agent);
    parse.after = Default::default();
    let cancel = parse.cancel.clone();
    let answer = live.submit(parse, move |snapshot| {
        let db = &snapshot.db;
        let other = super::file(snapshot, "a/a.go");
        let new = File::builder(
            "parsed.go".into(),
            codeweft_go_syntax::GO,
            Origin::Workspace,
            parsed.clone(),
            other.header(db).clone(),
            other.items(db).clone(),
        );
        let parsed = new.new(db);
        saved::lower(db, parsed);
    });
    let mut times = Vec::new();
    let mut number = 0;
    while live.host.wait(opened, Instant::now()).is_err() {
        number += 1;
        let started = Instant::now();
        let before = live.host.revision();
        live.change("b/b.go", &format!("{B}// {number}\n"));
        while live.host.revision() == before {
            std::thread::yield_now();
        }
        times.push(started.elapsed());
        std::thread::sleep(Duration::from_millis(20));
    }
    cancel.cancel();
    let _ = answer.recv();
    // Times are measured by the benches.
    assert!(times.iter().all(|&time| time < Duration::from_secs(1)));
    assert!(times.len() > 1);
}
