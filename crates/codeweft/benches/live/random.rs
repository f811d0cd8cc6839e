//! Random edits in Go's library, unsaved: after each tenth, answers to questions by lot are compared
//! with those of a World that was loaded anew and has the same texts open.

use std::collections::BTreeMap;
use std::path::Path;

use codeweft_db::{Origin, UnitGraph};
use codeweft_ide::ProjectDatabase;
use codeweft_testing::same::{bare, bare_of, questions};
use codeweft_testing::{SeededRng, Texts};
use serde_json::json;

use crate::doors::Doors;
use crate::drawn::{self, Drawn};
use crate::report::Report;

/// Makes so many edits and compares so many answers after each tenth.
pub fn measure(report: &mut Report, root: &Path, edits: usize, asked: usize) -> Result<(), String> {
    let words = |error: std::io::Error| error.to_string();
    let mut world = drawn::world(root)?;
    let drawn = drawn::edits(&mut world, edits, 97);
    let mut texts = texts(&world);
    std::mem::forget(world);
    let mut doors = crate::doors::in_process(root)?;
    let mut lot = SeededRng::new(23);
    let mut open: BTreeMap<String, String> = BTreeMap::new();
    let (mut changed, mut compared, mut differences) = (0, 0, 0);
    for (number, one) in drawn.iter().enumerate() {
        let before = about(&mut doors, one).map_err(words)?;
        let now = match open.get(&one.printed) {
            Some(text) => text.clone(),
            None => {
                doors.editor.open(&one.path, &one.text).map_err(words)?;
                one.text.clone()
            }
        };
        let after = edited(&now, one, number, &mut lot);
        let all = (now.split('\n').count() as u32, 0);
        doors
            .editor
            .edit(&one.path, ((0, 0), all), &after)
            .map_err(words)?;
        texts.insert(one.printed.clone(), after.clone());
        open.insert(one.printed.clone(), after);
        changed += usize::from(about(&mut doors, one).map_err(words)? != before);
        if (number + 1) % 10 != 0 {
            continue;
        }
        let mut fresh = drawn::world(root)?;
        for (path, text) in &open {
            fresh.open(&root.join(path), text);
        }
        for request in questions(fresh.db(), &texts, &mut lot, asked) {
            let sent = serde_json::to_value(&request).map_err(|error| error.to_string())?;
            let found = bare(doors.agent.call(sent).map_err(words)?.structured);
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

/// The workspace's texts by their printed paths.
fn texts(world: &ProjectDatabase) -> Texts {
    let db = world.db();
    let units = UnitGraph::get(db).units(db).iter();
    let own = units.filter(|unit| unit.origin(db) == Origin::Workspace);
    own.flat_map(|unit| unit.files(db).iter())
        .map(|file| (file.path(db).to_string(), file.text(db).to_string()))
        .collect()
}

/// What the edit is about, as the agent is told it.
fn about(doors: &mut Doors, one: &Drawn) -> std::io::Result<[String; 2]> {
    let place = format!("{}:{}", one.printed, one.line);
    let mut ask = |operation: &str, target: &str| {
        let told = doors.agent.call(json!({
            "operation": operation, "target": target, "include_context": false
        }))?;
        Ok::<_, std::io::Error>(bare(told.structured))
    };
    Ok([ask("callers", &one.callee)?, ask("callees", &place)?])
}

/// A text after an edit by lot at the drawn place.
fn edited(now: &str, one: &Drawn, number: usize, lot: &mut SeededRng) -> String {
    let mut lines: Vec<String> = now.split_inclusive('\n').map(str::to_owned).collect();
    let at = (one.line as usize).min(lines.len());
    let typed = one.typed.clone();
    match lot.below(8) {
        // A call, as in the first bar.
        0..=3 => lines.insert(at, typed),
        // A line of the body goes, whatever it was; the call stands before it.
        4 => {
            if at < lines.len() {
                lines.remove(at);
            }
            lines.insert(at, typed);
        }
        // A function is added before the one of the place, and called.
        5 => {
            let name = format!("addedByLot{number}");
            lines.insert(at, format!("\t{name}()\n"));
            lines.insert(
                at.saturating_sub(1),
                format!("func {name}() {{\n{typed}}}\n\n"),
            );
        }
        // The function of the place gets another name.
        6 => {
            let line = &mut lines[at - 1];
            if let Some(open) = line.find("(").filter(|_| line.starts_with("func ")) {
                let open = match line.starts_with("func (") {
                    true => line[open + 1..].find("(").map(|next| open + 1 + next),
                    false => Some(open),
                };
                if let Some(open) = open {
                    line.insert_str(open, "ByLot");
                }
            }
            lines.insert(at, typed);
        }
        // A brace too many: half done, as one types.
        _ => lines.insert(at, format!("{typed}\tif true {{\n")),
    }
    lines.concat()
}
