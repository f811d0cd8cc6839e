//! The knowledge graph of a large project while its code is edited: an agent calls a tool after each unsaved edit.

use std::path::Path;
use std::time::{Duration, Instant};

use codeweft_db::{File, Language, RootDb, UnitGraph};
use codeweft_graph::languages;
use codeweft_knowledge::KnowledgeSettings;
use codeweft_testing::clients::ToolResult;
use codeweft_workspace::ProjectDatabase;
use serde_json::{Value, json};

use crate::clients::ClientPair;
use crate::planned_edits::PlannedEdit;
use crate::report::Report;

/// How long a first graph may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// The edits of a body: what they are called, and what each inserts before its line. The first leaves all lines where they
/// are, the second moves those below; neither adds a text or a call.
const EDITS: [(&str, &str); 2] = [("line-kept", "\t_ = 0;"), ("lines-moved", "\t_ = 0\n")];

/// Reports how long the graph of a database takes, and of it the ranks and communities.
pub fn build(report: &mut Report, database: &ProjectDatabase) {
    let settings = KnowledgeSettings::default();
    let started = Instant::now();
    let graph = codeweft_knowledge::build(database.db(), database.root(), &settings, 0);
    let whole = started.elapsed();
    report.figure(
        "knowledge-nodes",
        graph.nodes.len() as f64,
        "",
        "nodes of the graph",
    );
    report.middle("knowledge-whole", &[whole], "the whole graph, anew");
    let mut times = Vec::new();
    for _ in 0..5 {
        let copy = graph.clone();
        let started = Instant::now();
        let ranked = codeweft_knowledge::ranked(database.db(), copy);
        times.push(started.elapsed());
        drop(ranked);
    }
    report.middle("knowledge-ranks", &times, "ranks and communities");
}

/// Makes the edits of bodies in a database, and reports how long what the graph reads of the file's own code takes.
pub fn facts(report: &mut Report, database: &mut ProjectDatabase, drawn: &[PlannedEdit]) {
    let mut times = Vec::new();
    for one in drawn {
        let path = Path::new(&one.path).to_owned();
        database.open(&path, &one.text);
        let Some((language, file)) = source(database.db(), &one.printed) else {
            continue;
        };
        language.wires(database.db(), file);
        database.open(&path, &one.after());
        let started = Instant::now();
        language.wires(database.db(), file);
        times.push(started.elapsed());
        database.close(&path);
    }
    report.spread("knowledge-facts", times, "the facts of the file's own code");
}

/// Returns a file of a path, with its language.
fn source(db: &RootDb, printed: &str) -> Option<(&'static dyn Language, File)> {
    let units = UnitGraph::get(db).units(db).iter();
    let mut files = units.filter_map(|&unit| {
        let language = languages::language_of(unit.lang(db))?;
        let files = language.files(db, unit);
        let file = files.iter().find(|file| **file.path(db) == *printed);
        Some((language, *file?))
    });
    files.next()
}

/// Makes the edits of bodies, each undone, and reports how long the next answer of a tool takes.
pub fn edits(
    report: &mut Report,
    clients: &mut ClientPair,
    drawn: &[PlannedEdit],
) -> Result<(), String> {
    let words = |error: std::io::Error| error.to_string();
    let built = call(clients, "build_knowledge_graph", json!({})).map_err(words)?;
    let service = built.structured["services_indexed"][0].clone();
    let question = json!({"service_name": service});
    // The first answer reads what the later ones keep.
    call(clients, "get_service_context", question.clone()).map_err(words)?;
    for (name, typed) in EDITS {
        let mut times = Vec::new();
        for one in drawn {
            clients.editor.open(&one.path, &one.text).map_err(words)?;
            let at = (one.line, 0);
            let end = if typed.ends_with('\n') {
                (one.line + 1, 0)
            } else {
                (one.line, typed.len() as u32)
            };
            let mut change = |range, text: &str| {
                let start = clients.editor.edit(&one.path, range, text)?;
                let reply = call(clients, "get_service_context", question.clone())?;
                times.push(reply.at.duration_since(start));
                Ok(())
            };
            change((at, at), typed).map_err(words)?;
            change((at, end), "").map_err(words)?;
            clients.editor.close(&one.path).map_err(words)?;
        }
        report.middle(&format!("knowledge-{name}-middle"), &times, name);
        report.spread(&format!("knowledge-{name}"), times, name);
    }
    Ok(())
}

fn call(clients: &mut ClientPair, tool: &str, arguments: Value) -> std::io::Result<ToolResult> {
    let params = json!({"name": tool, "arguments": arguments});
    let id = clients.agent.send("tools/call", params)?;
    let reply = clients.agent.called(id, PATIENCE)?;
    if reply.error {
        return Err(std::io::Error::other(format!("{tool}: {}", reply.text)));
    }
    Ok(reply)
}
