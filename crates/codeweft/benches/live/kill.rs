//! An editor is killed with unsaved text: the text on disk is valid again.

use std::time::{Duration, Instant};

use codeweft_testing::clients::{Agent, Editor, Sandbox};
use serde_json::json;

use crate::clients::{ClientPair, ServerKind};
use crate::edits::{ask, has_site};
use crate::planned_edits::PlannedEdit;
use crate::report::Report;

/// Measures the time from `kill -9` of the editor's process to the agent's first answer without the
/// unsaved site; half of the times with a request of the editor in flight.
pub fn measure(
    report: &mut Report,
    clients: &mut ClientPair,
    drawn: &[PlannedEdit],
) -> Result<(), String> {
    let words = |error: std::io::Error| error.to_string();
    let mut times = Vec::new();
    let mut lost = 0;
    for (number, one) in drawn.iter().enumerate() {
        let ServerKind::Server(site) = &mut clients.server else {
            return Err("there is no process to kill".to_owned());
        };
        let root = site.root().to_str().unwrap_or_default().to_owned();
        let (mut editor, pid) = site.editor(&[]).map_err(words)?;
        editor.initialize(&root, &["utf-8"]).map_err(words)?;
        editor.open(&one.path, &one.text).map_err(words)?;
        let at = (one.line, 0);
        editor
            .edit(&one.path, (at, at), &one.typed)
            .map_err(words)?;
        if !comes(clients, one, true).map_err(words)? {
            lost += 1;
            continue;
        }
        if number % 2 == 0 {
            let params = json!({"query": "e"});
            editor.send("workspace/symbol", params).map_err(words)?;
        }
        let ServerKind::Server(site) = &mut clients.server else {
            continue;
        };
        let started = Instant::now();
        site.kill(pid).map_err(words)?;
        if comes(clients, one, false).map_err(words)? {
            times.push(started.elapsed())
        } else {
            lost += 1
        }
    }
    report.figure(
        "kill-lost",
        lost as f64,
        "times",
        "texts that did not come or go",
    );
    report.spread("kill", times, "kill -9 of the editor to the disk's text");
    Ok(())
}

fn comes(clients: &mut ClientPair, one: &PlannedEdit, there: bool) -> std::io::Result<bool> {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(3) {
        if has_site(&ask(clients, one)?, one) == there {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Counts how often an agent that writes a file that is open and unchanged in an editor finds the
/// site in its next query.
pub fn own_writes(report: &mut Report, times: usize) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let words = |error: std::io::Error| error.to_string();
    let path = folder.path().join("a.go");
    let text = "package m\n\nfunc callee() {}\n\nfunc caller() {\n}\n";
    std::fs::write(folder.path().join("go.mod"), "module m\n\ngo 1.24\n").map_err(words)?;
    std::fs::write(&path, text).map_err(words)?;
    let root = std::fs::canonicalize(folder.path()).map_err(words)?;
    let mut site = Sandbox::new(env!("CARGO_BIN_EXE_codeweft"), &root).map_err(words)?;
    let (mut editor, _) = site.editor(&[]).map_err(words)?;
    let shown = root.to_str().unwrap_or_default();
    editor.initialize(shown, &["utf-8"]).map_err(words)?;
    editor.open(&format!("{shown}/a.go"), text).map_err(words)?;
    // Once this is answered the server has read the opened text.
    let mut at = Editor::at(&format!("{shown}/a.go"), 0, 0);
    at["position"].take();
    editor
        .ask("textDocument/documentSymbol", at)
        .map_err(words)?;
    let (mut agent, _) = site.agent(&[]).map_err(words)?;
    agent.initialize().map_err(words)?;
    let count = |agent: &mut Agent| -> std::io::Result<u64> {
        let reply = agent.call(json!({"operation": "callers", "target": "m.callee"}))?;
        let rows = reply.structured["results"].as_array().cloned();
        let sites = rows.unwrap_or_default();
        Ok(sites
            .iter()
            .filter_map(|row| row["site_count"].as_u64())
            .sum())
    };
    let mut missed = 0;
    for round in 0..times as u64 {
        let calls = "\tcallee()\n".repeat(round as usize % 7 + 1);
        std::fs::write(&path, text.replace("{\n}", &format!("{{\n{calls}}}"))).map_err(words)?;
        missed += u64::from(count(&mut agent).map_err(words)? != round % 7 + 1);
    }
    report.figure(
        "own-write-missed",
        missed as f64,
        "times",
        &format!("{times} writes of an agent, the file open in an editor: not in its next answer"),
    );
    Ok(())
}
