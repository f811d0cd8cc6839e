//! The latency of an unsaved edit: from before the first byte of `didChange` is written until the
//! last byte of the agent's first answer with the new site is read. The agent queries again as soon
//! as it is answered. Then the same for the undo.

use std::time::{Duration, Instant};

use codeweft_testing::clients::ToolResult;
use serde_json::{Value, json};

use crate::clients::ClientPair;
use crate::planned_edits::PlannedEdit;
use crate::report::Report;

/// A site that does not appear in this time counts as lost.
const LOST: Duration = Duration::from_secs(3);

/// Makes all edits and reports the times; the names of the figures begin with `prefix`.
pub fn measure(
    report: &mut Report,
    clients: &mut ClientPair,
    drawn: &[PlannedEdit],
    prefix: &str,
) -> Result<(), String> {
    let mut typed: [Vec<Duration>; 3] = Default::default();
    let mut undone: [Vec<Duration>; 3] = Default::default();
    let (mut asked, mut lost) = (0, 0);
    let mut first = Vec::new();
    for (number, one) in drawn.iter().enumerate() {
        let words = |error: std::io::Error| format!("edit {number}, {}: {error}", one.printed);
        let opened = clients.editor.open(&one.path, &one.text).map_err(words)?;
        // The agent has queried before; that answer lacks the site.
        let before = ask(clients, one).map_err(words)?;
        first.push(before.at.duration_since(opened));
        if has_site(&before, one) {
            return Err(format!("{} has the site before it is typed", one.callee));
        }
        let class = match one.text.len() {
            0..50_000 => 0,
            50_000..150_000 => 1,
            _ => 2,
        };
        let at = (one.line, 0);
        let after = (one.line + 1, 0);
        // Two warm-ups are not counted.
        let counted = number >= 2;
        let start = clients
            .editor
            .edit(&one.path, (at, at), &one.typed)
            .map_err(words)?;
        match until(clients, one, true, start, &mut asked).map_err(words)? {
            Some(time) if counted => typed[class].push(time),
            Some(_) => {}
            None => lost += 1,
        }
        let start = clients
            .editor
            .edit(&one.path, (at, after), "")
            .map_err(words)?;
        match until(clients, one, false, start, &mut asked).map_err(words)? {
            Some(time) if counted => undone[class].push(time),
            Some(_) => {}
            None => lost += 1,
        }
        clients.editor.close(&one.path).map_err(words)?;
    }
    let count = drawn.len();
    println!("  {count} edits, {asked} questions, {lost} sites that did not come or go");
    report.figure(&format!("{prefix}-lost"), lost as f64, "", "sites lost");
    if prefix == "typed" {
        report.spread("first-touch", first, "open and ask");
    }
    let sizes = ["under-50kb", "under-150kb", "above-150kb"];
    for (size, times) in sizes.iter().zip(typed) {
        report.spread(
            &format!("{prefix}-{size}"),
            times,
            &format!("typed, {size}"),
        );
    }
    for (size, times) in sizes.iter().zip(undone) {
        report.spread(
            &format!("{prefix}-undo-{size}"),
            times,
            &format!("undone, {size}"),
        );
    }
    Ok(())
}

/// Queries until the site is present, or absent; returns the time from `start` until that answer
/// was read.
pub fn until(
    clients: &mut ClientPair,
    one: &PlannedEdit,
    there: bool,
    start: Instant,
    asked: &mut usize,
) -> std::io::Result<Option<Duration>> {
    loop {
        let reply = ask(clients, one)?;
        *asked += 1;
        if has_site(&reply, one) == there && !reply.error {
            return Ok(Some(reply.at.duration_since(start)));
        }
        if start.elapsed() > LOST {
            eprintln!("  lost: {} in {}:{}", one.callee, one.printed, one.line + 1);
            return Ok(None);
        }
    }
}

/// Sends the agent's `callers` of the callee.
pub fn ask(clients: &mut ClientPair, one: &PlannedEdit) -> std::io::Result<ToolResult> {
    clients.agent.call(json!({
        "operation": "callers",
        "target": one.callee,
        "include_context": false,
    }))
}

/// Returns whether an answer has the new site.
pub fn has_site(reply: &ToolResult, one: &PlannedEdit) -> bool {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    list(&reply.structured["results"]).iter().any(|result| {
        list(&result["sites"])
            .iter()
            .any(|site| site["file"] == one.printed.as_str() && site["line"] == one.line + 1)
    })
}
