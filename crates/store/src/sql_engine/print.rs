//! Rows as printed results, with positions, sites and code. The text of one file is in memory at a time.

use std::cmp::Ordering;
use std::rc::Rc;

use codeweft_db::Lang;
use codeweft_graph::answer::{GraphRequest, GraphResult, Node, Site};
use codeweft_graph::shaping::{MAX_SITES, code_of};

use super::failure::Found;
use super::links::{Link, Resolution, ResultRow, TargetsOfSites};
use super::rows::{FileFact, FileId, Rows, SymbolFact};
use super::text::Text;
use super::{names, statements};
use crate::sqlite::codes;

/// Code that is to be read from a text.
enum Wanted {
    /// The line of a site.
    Line { site: usize, line: u32 },
    /// The code of the node.
    Context,
}

/// Prints rows in their order.
pub(super) fn results(
    rows: &Rows<'_>,
    request: &GraphRequest,
    found: &[ResultRow],
    targets_of_sites: &TargetsOfSites,
) -> Found<Vec<GraphResult>> {
    let mut results = Vec::with_capacity(found.len());
    let mut wanted: Vec<(FileId, usize, Wanted)> = Vec::new();
    for row in found {
        let Some(symbol) = rows.symbol(row.symbol)? else {
            continue;
        };
        let number = results.len();
        let mut sites = Vec::new();
        let links = sorted(rows, &row.links)?;
        for (link, site) in links.iter().take(MAX_SITES).zip(0..) {
            sites.push(printed_site(rows, row, link, targets_of_sites)?);
            if link.position.line > 0 {
                let line = link.position.line;
                wanted.push((link.position.file, number, Wanted::Line { site, line }));
            }
        }
        if let Some(file) = symbol.file.filter(|_| request.include_context) {
            wanted.push((file, number, Wanted::Context));
        }
        results.push(GraphResult {
            node: node(rows, &symbol)?,
            context: None,
            depth: row.depth,
            receiver: row.receiver,
            type_args: row.type_args.clone(),
            sites,
            site_count: row.links.len() as u32,
            impact_type: row.impact.map(|(impact_type, _)| impact_type),
            severity: row.impact.map(|(_, severity)| severity),
        });
    }
    wanted.sort_by_key(|(file, number, _)| (*file, *number));
    for of_file in wanted.chunk_by(|a, b| a.0 == b.0) {
        let Some((file, ..)) = of_file.first() else {
            continue;
        };
        let Some(text) = Text::read(rows, *file)? else {
            continue;
        };
        let lang = rows.file(*file)?.and_then(|file| file.lang);
        for (_, number, wanted) in of_file {
            let Some(result) = results.get_mut(*number) else {
                continue;
            };
            match wanted {
                Wanted::Line { site, line } => {
                    let code = text.since_line(*line).and_then(code_of);
                    if let Some(site) = result.sites.get_mut(*site) {
                        site.code = code;
                    }
                }
                Wanted::Context => {
                    let node = &result.node;
                    result.context = text.context(
                        lang.map_or("//", |lang| lang.line_comment),
                        (node.start_pos, node.end_pos),
                        (node.start_line, node.end_line),
                        request.context_lines,
                    );
                }
            }
        }
    }
    for result in &mut results {
        result.sites.sort();
    }
    Ok(results)
}

/// Returns links by path, then position.
fn sorted(rows: &Rows<'_>, links: &[Link]) -> Found<Vec<Link>> {
    let mut keyed = Vec::with_capacity(links.len());
    for link in links {
        let path = rows.file(link.position.file)?;
        keyed.push((path, *link));
    }
    keyed.sort_by(|(a, one), (b, other)| {
        let path = |file: &Option<Rc<FileFact>>| file.as_ref().map(|file| file.path.clone());
        let by_path = || path(a).cmp(&path(b));
        let is_same = one.position.file == other.position.file;
        let order = (!is_same).then(by_path).unwrap_or(Ordering::Equal);
        order.then_with(|| one.cmp(other))
    });
    Ok(keyed.into_iter().map(|(_, link)| link).collect())
}

fn printed_site(
    rows: &Rows<'_>,
    row: &ResultRow,
    link: &Link,
    targets_of_sites: &TargetsOfSites,
) -> Found<Site> {
    let mut targets = Vec::new();
    for &target in targets_of_sites.of(row.symbol, link.position) {
        if let Some(target) = rows.symbol(target)? {
            targets.push(names::distinct_id(rows, &target)?);
        }
    }
    targets.sort_unstable();
    let file = rows.file(link.position.file)?;
    Ok(Site {
        file: file.map_or_else(String::new, |file| file.path.to_string()),
        line: link.position.line,
        column: link.position.column,
        resolution: match link.resolution {
            Resolution::Exact => "exact",
            Resolution::Dispatch => "dispatch",
            Resolution::Value => "value",
        }
        .to_owned(),
        reason: rows.reason(link.reason).map(|reason| reason.to_string()),
        in_literal: link.in_literal,
        of_literal: link.of_literal,
        targets,
        kind: link.kind.word().map(str::to_owned),
        code: None,
    })
}

/// Prints a node.
fn node(rows: &Rows<'_>, symbol: &SymbolFact) -> Found<Node> {
    let read = |row: &rusqlite::Row<'_>| {
        let printed: (u32, u32, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(printed)
    };
    let printed = rows.first(statements::PRINTED, [symbol.sid], read)?;
    let (start_pos, end_pos, signature) = printed.unwrap_or_default();
    let file = rows.file_of(symbol)?;
    let package = rows.package_of(symbol)?;
    let lang = package.as_ref().and_then(|package| package.lang);
    let public = symbol.has(codes::PUBLIC);
    Ok(Node {
        id: symbol.id.to_string(),
        kind: symbol.kind.wire_name().to_owned(),
        name: symbol.name().to_owned(),
        file: file.map_or_else(String::new, |file| file.path.to_string()),
        start_line: symbol.lines.0,
        end_line: symbol.lines.1,
        start_pos,
        end_pos,
        name_line: symbol.name_at.0,
        name_column: symbol.name_at.1,
        language: lang.map_or("", Lang::wire_name).to_owned(),
        visibility: if public { "public" } else { "private" }.to_owned(),
        package: package.map_or_else(String::new, |package| package.id.to_string()),
        external: symbol.is_external(),
        signature,
        unsaved: false,
    })
}
