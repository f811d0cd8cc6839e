//! The store behind the database: how long until it is level, and whether edits are slower for it.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use codeweft_store::{Behind, FollowOptions, FollowStep, FollowedRevision};
use codeweft_workspace::{AnalysisHost, FollowedView, Follower, FollowerFigures, FollowerStep};

use crate::clients::{self, ClientPair, ServerKind};
use crate::edits;
use crate::planned_edits::PlannedEdit;
use crate::report::Report;

/// The number of edits of a block, with the store or without.
const BLOCK: usize = 20;

/// A store that can be switched off.
struct Switched {
    behind: Behind,
    on: Arc<AtomicBool>,
}

impl Follower for Switched {
    fn step(&mut self, view: FollowedView<'_>) -> FollowerStep {
        if !self.on.load(Ordering::Relaxed) {
            return FollowerStep::Done;
        }
        let snapshot = view.snapshot;
        let revision = FollowedRevision {
            db: snapshot.db(),
            cache: snapshot.cache(),
            revision: snapshot.revision(),
            unsaved: snapshot.unsaved(),
            since_write: view.since_write,
        };
        match self.behind.step(revision, view.is_over) {
            FollowStep::Done => FollowerStep::Done,
            FollowStep::Again => FollowerStep::Again,
            FollowStep::Wait(time) => FollowerStep::Wait(time),
        }
    }

    fn figures(&self) -> Option<FollowerFigures> {
        let figures = self.behind.figures();
        Some(Box::new(move || figures.json()))
    }
}

/// Measures a store of a workspace.
pub fn measure(report: &mut Report, root: &Path, drawn: &[PlannedEdit]) -> Result<(), String> {
    let words = |error: io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(words)?;
    let path = folder.path().join("graph.db");
    let mut clients = clients::in_process(root)?;
    let ServerKind::Here(host) = &clients.server else {
        return Err("not here".to_owned());
    };
    let host = host.clone();
    let on = Arc::new(AtomicBool::new(true));
    let salt = String::new();
    let behind = Behind::start(FollowOptions {
        path: path.clone(),
        salt,
    })
    .map_err(words)?;
    let before = rss(&host);
    let began = Instant::now();
    host.follow(Box::new(Switched {
        behind,
        on: on.clone(),
    }));
    level(&host, Duration::from_secs(300))?;
    report.figure(
        "store-first",
        began.elapsed().as_secs_f64(),
        "s",
        "until a new store is level",
    );
    let size = std::fs::metadata(&path).map_err(words)?.len() as f64;
    report.figure("store-size", size / 1e6, "MB", "a new store");
    println!("  rss {:.0} MB before, {:.0} MB after", before, rss(&host));
    lag(report, &mut clients, &host, drawn)?;
    burst(report, &mut clients, &host, drawn)?;
    pairs(report, &mut clients, &host, drawn, &on)
}

fn rss(host: &AnalysisHost) -> f64 {
    host.stats()["rss_bytes"].as_f64().unwrap_or_default() / 1e6
}

/// Waits until everything is level.
fn level(host: &AnalysisHost, longest: Duration) -> Result<(), String> {
    let until = Instant::now() + longest;
    loop {
        let stats = host.stats();
        let is_at = |name: &str| stats["store"][name] == stats["revision"];
        if stats["store"]["lag_ms"] == 0 && is_at("revision") && is_at("dispatch_revision") {
            return Ok(());
        }
        if Instant::now() > until {
            return Err(format!("the store is never level: {}", stats["store"]));
        }
        sleep(Duration::from_millis(2));
    }
}

/// Returns the time until a figure of the store is a revision, or a later one.
fn until(host: &AnalysisHost, name: &str, revision: u64, since: Instant) -> Option<Duration> {
    loop {
        if host.stats()["store"][name].as_u64() >= Some(revision) {
            return Some(since.elapsed());
        }
        if since.elapsed() > Duration::from_secs(60) {
            return None;
        }
        sleep(Duration::from_millis(1));
    }
}

/// Types a call, waits for the store, and takes the call out again.
fn lag(
    report: &mut Report,
    clients: &mut ClientPair,
    host: &AnalysisHost,
    drawn: &[PlannedEdit],
) -> Result<(), String> {
    let words = |error: io::Error| error.to_string();
    let (mut exact, mut sets) = (Vec::new(), Vec::new());
    for one in drawn.iter().take(2 * BLOCK) {
        clients.editor.open(&one.path, &one.text).map_err(words)?;
        for (to, typed) in [((one.line, 0), one.typed.as_str()), ((one.line + 1, 0), "")] {
            level(host, Duration::from_secs(60))?;
            let before = host.revision();
            let start = clients
                .editor
                .edit(&one.path, ((one.line, 0), to), typed)
                .map_err(words)?;
            while host.revision() == before {
                sleep(Duration::from_micros(200));
            }
            let revision = host.revision();
            exact.extend(until(host, "revision", revision, start));
            sets.extend(until(host, "dispatch_revision", revision, start));
        }
        clients.editor.close(&one.path).map_err(words)?;
    }
    report.spread(
        "store-exact",
        exact,
        "until exact rows are level after an edit",
    );
    report.spread("store-sets", sets, "until the sets are level");
    Ok(())
}

/// Types every 150 ms for some time: how old the oldest change is that the store lacks.
fn burst(
    report: &mut Report,
    clients: &mut ClientPair,
    host: &AnalysisHost,
    drawn: &[PlannedEdit],
) -> Result<(), String> {
    let words = |error: io::Error| error.to_string();
    let Some(one) = drawn.first() else {
        return Ok(());
    };
    clients.editor.open(&one.path, &one.text).map_err(words)?;
    level(host, Duration::from_secs(60))?;
    let (mut made, mut ages): (Vec<(u64, Instant)>, Vec<Duration>) = (Vec::new(), Vec::new());
    for step in 0..80 {
        let (to, typed) = match step % 2 {
            0 => ((one.line, 0), one.typed.as_str()),
            _ => ((one.line + 1, 0), ""),
        };
        let before = host.revision();
        let start = clients
            .editor
            .edit(&one.path, ((one.line, 0), to), typed)
            .map_err(words)?;
        while host.revision() == before {
            sleep(Duration::from_micros(200));
        }
        made.push((host.revision(), start));
        while start.elapsed() < Duration::from_millis(150) {
            let has = host.stats()["store"]["revision"]
                .as_u64()
                .unwrap_or_default();
            let (done, rest): (Vec<_>, Vec<_>) =
                made.iter().partition(|(revision, _)| *revision <= has);
            ages.extend(done.into_iter().map(|(_, since)| since.elapsed()));
            made = rest;
            sleep(Duration::from_millis(1));
        }
    }
    let last = made.last().map(|(revision, since)| (*revision, *since));
    ages.extend(
        made.iter()
            .filter_map(|(revision, since)| until(host, "revision", *revision, *since)),
    );
    report.spread(
        "store-burst",
        ages,
        "until exact rows are level, in a burst of an edit each 150 ms",
    );
    if let Some((revision, since)) = last {
        let end = until(host, "revision", revision, since);
        println!("  after the last edit of the burst: {end:.0?}");
    }
    clients.editor.close(&one.path).map_err(words)?;
    Ok(())
}

/// Edits with the store and without, in blocks by turns: the time until an answer has the call.
fn pairs(
    report: &mut Report,
    clients: &mut ClientPair,
    host: &AnalysisHost,
    drawn: &[PlannedEdit],
    on: &AtomicBool,
) -> Result<(), String> {
    let words = |error: io::Error| error.to_string();
    let mut times: [Vec<Duration>; 2] = Default::default();
    let mut asked = 0;
    for (block, edits) in drawn.chunks(BLOCK).enumerate() {
        for turn in 0..2 {
            let with_store = (block + turn) % 2 == 0;
            on.store(with_store, Ordering::Relaxed);
            while host.stats()["store"]["lag_ms"] != 0 {
                sleep(Duration::from_millis(10));
            }
            for one in edits {
                clients.editor.open(&one.path, &one.text).map_err(words)?;
                edits::ask(clients, one).map_err(words)?;
                for (to, typed) in [((one.line, 0), one.typed.as_str()), ((one.line + 1, 0), "")] {
                    let start = clients
                        .editor
                        .edit(&one.path, ((one.line, 0), to), typed)
                        .map_err(words)?;
                    let found = edits::until(clients, one, !typed.is_empty(), start, &mut asked);
                    times[usize::from(with_store)].extend(found.map_err(words)?);
                }
                clients.editor.close(&one.path).map_err(words)?;
            }
        }
    }
    let [without, with] = times;
    report.spread(
        "edits-without-store",
        without,
        "an edit to its answer, without a store",
    );
    report.spread(
        "edits-with-store",
        with,
        "an edit to its answer, with a store",
    );
    Ok(())
}
