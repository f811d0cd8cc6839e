//! Random unsaved edits in Go's library: after each tenth, the answers to random queries are
//! compared with those of a freshly loaded database with the same open texts.

use std::collections::BTreeMap;
use std::path::Path;

use codeweft_db::{Origin, UnitGraph};
use codeweft_testing::fresh_check::{bare, bare_of, questions};
use codeweft_testing::{SeededRng, Texts};
use codeweft_workspace::ProjectDatabase;
use serde_json::json;

use crate::clients::ClientPair;
use crate::planned_edits::{self, PlannedEdit};
use crate::report::Report;

/// Makes `edits` edits and compares `asked` answers after each tenth.
pub fn measure(report: &mut Report, root: &Path, edits: usize, asked: usize) -> Result<(), String> {
    let words = |error: std::io::Error| error.to_string();
    let mut database = planned_edits::database(root)?;
    let drawn = planned_edits::edits(&mut database, edits, 97);
    let mut texts = texts(&database);
    std::mem::forget(database);
    let mut clients = crate::clients::in_process(root)?;
    let mut rng = SeededRng::new(23);
    let mut open: BTreeMap<String, String> = BTreeMap::new();
    let (mut changed, mut compared, mut differences) = (0, 0, 0);
    for (number, one) in drawn.iter().enumerate() {
        let before = about(&mut clients, one).map_err(words)?;
        let now = match open.get(&one.printed) {
            Some(text) => text.clone(),
            None => {
                clients.editor.open(&one.path, &one.text).map_err(words)?;
                one.text.clone()
            }
        };
        let after = edited(&now, one, number, &mut rng);
        let all = (now.split('\n').count() as u32, 0);
        clients
            .editor
            .edit(&one.path, ((0, 0), all), &after)
            .map_err(words)?;
        texts.insert(one.printed.clone(), after.clone());
        open.insert(one.printed.clone(), after);
        changed += usize::from(about(&mut clients, one).map_err(words)? != before);
        if (number + 1) % 10 != 0 {
            continue;
        }
        let mut fresh = planned_edits::database(root)?;
        for (path, text) in &open {
            fresh.open(&root.join(path), text);
        }
        for request in questions(fresh.db(), &texts, &mut rng, asked) {
            let sent = serde_json::to_value(&request).map_err(|error| error.to_string())?;
            let found = bare(clients.agent.call(sent).map_err(words)?.structured);
            let expected = bare_of(fresh.ask(&request));
            compared += 1;
            if found != expected {
                differences += 1;
                eprintln!(
                    "  after {} edits, {:?} of {}:\n    live  {}\n    fresh {}",
                    number + 1,
                    request.operation,
                    request.target,
                    head(&found),
                    head(&expected)
                );
            }
        }
        std::mem::forget(fresh);
    }
    println!("  {edits} edits, {compared} answers compared");
    report.figure(
        "library-random-differences",
        differences as f64,
        "",
        "answers that are not those of a fresh database",
    );
    report.figure(
        "library-random-changed",
        changed as f64 * 100.0 / drawn.len().max(1) as f64,
        "%",
        "edits that changed an answer",
    );
    Ok(())
}

fn head(answer: &str) -> String {
    answer.chars().take(600).collect()
}

/// Returns the workspace's texts by their printed paths.
fn texts(database: &ProjectDatabase) -> Texts {
    let db = database.db();
    let units = UnitGraph::get(db).units(db).iter();
    let own = units.filter(|unit| unit.origin(db) == Origin::Workspace);
    own.flat_map(|unit| unit.files(db).iter())
        .map(|file| (file.path(db).to_string(), file.text(db).to_string()))
        .collect()
}

/// Returns the ids at the edit's position, as the agent gets them.
fn about(clients: &mut ClientPair, one: &PlannedEdit) -> std::io::Result<[String; 2]> {
    let place = format!("{}:{}", one.printed, one.line);
    let mut ask = |operation: &str, target: &str| {
        let reply = clients.agent.call(json!({
            "operation": operation, "target": target, "include_context": false
        }))?;
        Ok::<_, std::io::Error>(bare(reply.structured))
    };
    Ok([ask("callers", &one.callee)?, ask("callees", &place)?])
}

/// Returns a text after a random edit at the planned position.
fn edited(now: &str, one: &PlannedEdit, number: usize, rng: &mut SeededRng) -> String {
    let mut lines: Vec<String> = now.split_inclusive('\n').map(str::to_owned).collect();
    let at = (one.line as usize).min(lines.len());
    let typed = one.typed.clone();
    match rng.below(8) {
        // A call, as in the latency measurement.
        0..=3 => lines.insert(at, typed),
        // A line of the body is removed, whatever it was; the call is inserted before it.
        4 => {
            if at < lines.len() {
                lines.remove(at);
            }
            lines.insert(at, typed);
        }
        // A function is added before the one at the position, and called.
        5 => {
            let name = format!("addedByLot{number}");
            lines.insert(at, format!("\t{name}()\n"));
            lines.insert(
                at.saturating_sub(1),
                format!("func {name}() {{\n{typed}}}\n\n"),
            );
        }
        // The function at the position is renamed.
        6 => {
            let line = &mut lines[at - 1];
            if let Some(open) = line.find("(").filter(|_| line.starts_with("func ")) {
                let open = if line.starts_with("func (") {
                    line[open + 1..].find("(").map(|next| open + 1 + next)
                } else {
                    Some(open)
                };
                if let Some(open) = open {
                    line.insert_str(open, "ByLot");
                }
            }
            lines.insert(at, typed);
        }
        // An unbalanced brace, as while typing.
        _ => lines.insert(at, format!("{typed}\tif true {{\n")),
    }
    lines.concat()
}
