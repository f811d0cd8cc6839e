//! Sites that could call more than an answer lists.

use codeweft_db::{File, Reason, SymbolId, UnresolvedSite, file_report};
use rustc_hash::{FxHashMap, FxHashSet};

use super::callers;
use super::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::call_graph;
use crate::link::Link;
use crate::query_context::QueryContext;
use crate::symbols;

/// Returns the unresolved calls inside the bodies of `symbols`, and their bodies with syntax
/// errors.
pub(crate) fn unresolved_callees(
    query: &QueryContext<'_>,
    symbols: &FxHashSet<SymbolId>,
) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    let mut by_file: FxHashMap<File, Vec<SymbolId>> = FxHashMap::default();
    for &symbol in symbols {
        for file in symbols::files_of_body(query, symbol) {
            by_file.entry(file).or_default().push(symbol);
        }
    }
    for (file, owners) in by_file {
        let Some(language) = query.languages.of(file.lang(query.db)) else {
            continue;
        };
        let uses = language.uses(query.db, file);
        let in_body = |site: &&UnresolvedSite| {
            let body = uses.bodies.get(site.body as usize);
            body.is_some_and(|body| symbols.contains(body))
        };
        // A use by declared receiver type and an escaping value are not calls of this body.
        let is_open = |site: &&UnresolvedSite| {
            !site.is_possible_other_use() && site.reason != Reason::Escapes
        };
        for site in uses.unresolved.iter().filter(in_body).filter(is_open) {
            callers::add_unresolved(query, &mut unresolved, file, site);
        }
        let calls = call_graph::calls_in(query, file);
        for owner in &owners {
            for (_, callee, one) in calls.of(*owner) {
                let link = Link::of_use(file, one);
                unresolved.add_guess(link);
                if let Some(reason) = call_graph::unresolved_dispatch(query, *callee, &link) {
                    unresolved.add(file, SiteLocation::Key(link.key), reason);
                }
            }
        }
        let report = file_report(query.db, file);
        if report.error_lines.is_empty() {
            continue;
        }
        let ranges = codeweft_db::file_ranges(query.db, file);
        for owner in owners {
            let range = language.declaration_range(query.db, owner);
            let Some(range) = range.filter(|range| range.file == file) else {
                continue;
            };
            let first = ranges.line_column(range.span.start).0;
            let last = ranges.line_column(range.span.end).0;
            let inside = |line: &&u32| (first..=last).contains(*line);
            if let Some(&line) = report.error_lines.iter().find(inside) {
                unresolved.add_line(file, line, 1, Reason::ParseError);
            }
        }
    }
    unresolved
}
