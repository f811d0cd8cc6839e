//! The first bar: what is typed in the editor, unsaved, is in the agent's answer. Measured is from
//! before the first byte of `didChange` is written to when the last byte of the first answer that
//! has the site was read; the agent asks again as soon as it is answered. Then the same for the
//! undo.

use std::time::{Duration, Instant};

use codeweft_testing::doors::ToolResult;
use serde_json::{Value, json};

use crate::doors::Doors;
use crate::drawn::Drawn;
use crate::report::Report;

/// A site that does not come in this time is lost.
const LOST: Duration = Duration::from_secs(3);

/// Types all edits and tells the times; bars begin with `prefix`.
pub fn measure(
    report: &mut Report,
    doors: &mut Doors,
    drawn: &[Drawn],
    prefix: &str,
) -> Result<(), String> {
    let mut typed: [Vec<Duration>; 3] = Default::default();
    let mut undone: [Vec<Duration>; 3] = Default::default();
    let (mut asked, mut lost) = (0, 0);
    let mut first = Vec::new();
    for (number, one) in drawn.iter().enumerate() {
        let words = |error: std::io::Error| format!("edit {number}, {}: {error}", one.printed);
        let opened = doors.editor.open(&one.path, &one.text).map_err(words)?;
        // The agent has asked before; what it was told then lacks the site.
        let before = ask(doors, one).map_err(words)?;
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
        let start = doors
            .editor
            .edit(&one.path, (at, at), &one.typed)
            .map_err(words)?;
        match until(doors, one, true, start, &mut asked).map_err(words)? {
            Some(time) if counted => typed[class].push(time),
            Some(_) => {}
            None => lost += 1,
        }
        let start = doors
            .editor
            .edit(&one.path, (at, after), "")
            .map_err(words)?;
        match until(doors, one, false, start, &mut asked).map_err(words)? {
            Some(time) if counted => undone[class].push(time),
            Some(_) => {}
            None => lost += 1,
        }
        doors.editor.close(&one.path).map_err(words)?;
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

/// Asks until the site is there, or is not there: how long after `start` that answer was read.
fn until(
    doors: &mut Doors,
    one: &Drawn,
    there: bool,
    start: Instant,
    asked: &mut usize,
) -> std::io::Result<Option<Duration>> {
    loop {
        let told = ask(doors, one)?;
        *asked += 1;
        if has_site(&told, one) == there && !told.error {
            return Ok(Some(told.at.duration_since(start)));
        }
        if start.elapsed() > LOST {
            eprintln!("  lost: {} in {}:{}", one.callee, one.printed, one.line + 1);
            return Ok(None);
        }
    }
}

/// `callers` of the callee, as the agent asks it.
pub fn ask(doors: &mut Doors, one: &Drawn) -> std::io::Result<ToolResult> {
    doors.agent.call(json!({
        "operation": "callers",
        "target": one.callee,
        "include_context": false,
    }))
}

/// Whether an answer has the typed site.
pub fn has_site(told: &ToolResult, one: &Drawn) -> bool {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    list(&told.structured["results"]).iter().any(|result| {
        list(&result["sites"])
            .iter()
            .any(|site| site["file"] == one.printed.as_str() && site["line"] == one.line + 1)
    })
}
