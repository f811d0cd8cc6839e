//! The latency of a change to an exported signature that a thousand files use: from adding a
//! parameter to the answer of `callers`.

use std::path::Path;
use std::time::Duration;

use codeweft_db::{Db as _, File, NodeKind, SymbolId, UnitGraph};
use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_graph::languages;
use codeweft_workspace::ProjectDatabase;
use rustc_hash::FxHashMap;

use crate::clock::Started;
use crate::report::Report;

/// The wanted number of using files.
const FILES: usize = 1000;

/// An exported function and the position of its parameters.
struct Drawn {
    id: String,
    files: usize,
    path: String,
    text: String,
    /// The byte offset after the parenthesis that opens its parameters.
    at: usize,
}

/// Returns the exported functions whose number of using files is nearest to the wanted one.
fn draw(host: &ProjectDatabase, count: usize) -> Vec<Drawn> {
    let db = host.db();
    let mut users: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let units = UnitGraph::get(db).units(db);
    for &unit in units.iter() {
        let Some(language) = languages::language_of(unit.lang(db)) else {
            continue;
        };
        let index = language.index(db, unit);
        for target in index.targets() {
            *users.entry(target).or_default() += index.files_of(target).count();
        }
    }
    let names = &db.shared().names;
    let mut found: Vec<Drawn> = Vec::new();
    for &unit in units.iter() {
        let Some(language) = languages::language_of(unit.lang(db)) else {
            continue;
        };
        for row in &language.symbols(db, unit).rows {
            let files = users.get(&row.symbol).copied().unwrap_or_default();
            if row.kind != NodeKind::Function || !row.public || files < FILES / 2 {
                continue;
            }
            let Some(place) = language.declaration_range(db, row.symbol) else {
                continue;
            };
            let (file, after): (File, usize) = (place.file, place.name.end as usize);
            let text = file.text(db);
            if text.as_bytes().get(after) != Some(&b'(') {
                continue;
            }
            found.push(Drawn {
                id: format!("{}.{}", names.text(unit.name(db)), names.text(row.name)),
                files,
                path: file.path(db).to_string(),
                text: text.to_string(),
                at: after + 1,
            });
        }
    }
    found.sort_by(|a, b| {
        let far = |one: &Drawn| one.files.abs_diff(FILES);
        far(a).cmp(&far(b)).then_with(|| a.id.cmp(&b.id))
    });
    found.truncate(count);
    found
}

/// Adds a parameter to each, queries, removes it and queries again.
pub fn measure(report: &mut Report, mut host: ProjectDatabase, count: usize) -> ProjectDatabase {
    let root = host.root().to_owned();
    let mut times: Vec<Duration> = Vec::new();
    for one in draw(&host, count) {
        let path = Path::new(&root).join(&one.path);
        let mut request = GraphRequest::new(Operation::Callers, &one.id);
        request.include_context = false;
        request.max_results = 500;
        host.open(&path, &one.text);
        let _ = host.ask(&request);
        let (before, after) = one.text.split_at(one.at);
        let named = if after.starts_with(')') {
            "more int"
        } else {
            "more int, "
        };
        for text in [&format!("{before}{named}{after}"), &one.text] {
            let started = Started::now();
            host.change(&path, text);
            let changed = started.elapsed();
            let answer = host.ask(&request);
            let time = started.elapsed();
            times.push(time);
            println!(
                "    {}, {} files: {:.0} ms, of it the change {:.0}, {} callers",
                one.id,
                one.files,
                time.as_secs_f64() * 1e3,
                changed.as_secs_f64() * 1e3,
                answer.map_or(0, |answer| answer.results.len())
            );
        }
        host.close(&path);
        let _ = host.ask(&request);
    }
    report.spread("signature", times, "an exported signature of 1,000 files");
    host
}
