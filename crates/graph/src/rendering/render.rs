//! Rendering: rows to printed results, with positions, sites and code, on all threads.

use codeweft_db::Receiver;

use super::{line, node};
use crate::answer::{GraphRequest, GraphResult, ReceiverKind, Site};
use crate::call_graph;
use crate::link::sort_links;
use crate::query_context::QueryContext;
use crate::rendering::context::context;
use crate::rendering::filtering::ResultRow;
use crate::rendering::node::Facts;
use crate::symbols;
use crate::targets_of_sites::TargetsOfSites;

/// How many sites of a result are listed.
pub const MAX_SITES: usize = 20;

/// Prints rows in their order.
pub(crate) fn render(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    rows: Vec<ResultRow>,
    targets_of_sites: &TargetsOfSites,
) -> Vec<GraphResult> {
    let max_sites = if query.unlimited {
        usize::MAX
    } else {
        MAX_SITES
    };
    // An editor shows the text itself, and its lists have no bound.
    let with_lines = !query.unlimited;
    let rows: Vec<(Facts, ResultRow, Vec<SiteDetail>)> = rows
        .into_iter()
        .map(|mut row| {
            sort_links(query.db, &mut row.links);
            let listed_links = row.links.iter().take(max_sites);
            let details = listed_links.map(|link| SiteDetail {
                chain: call_graph::chain(query, link),
                targets: symbols::ids_of(query, targets_of_sites.of(row.symbol, link)),
            });
            let details = details.collect();
            (node::facts(query, row.symbol), row, details)
        })
        .collect();
    query.map(&rows, |languages, db, (facts, row, details)| {
        let language = facts.lang().and_then(|lang| languages.of(lang));
        let (mut node, range) = facts.node(db, language);
        if with_lines {
            let declared = range.as_ref().zip(language);
            node.signature = declared
                .and_then(|(range, language)| line::signature(db, language, range, facts.kind()));
        }
        let code = range.filter(|_| request.include_context);
        let listed_links = row.links.iter().zip(details);
        let mut sites: Vec<_> = listed_links
            .filter_map(|(link, details)| {
                let language = languages.of(link.file.lang(db))?;
                let site = link.site(db, language, details.chain.as_deref());
                let code = with_lines.then(|| line::code(db, link.file, site.line));
                Some(Site {
                    targets: details.targets.clone(),
                    code: code.flatten(),
                    ..site
                })
            })
            .collect();
        sites.sort();
        GraphResult {
            node,
            context: code.and_then(|range| context(db, &range, request.context_lines)),
            depth: row.depth,
            receiver: row.receiver.map(receiver),
            type_args: row.type_args.iter().map(|arg| arg.to_string()).collect(),
            sites,
            site_count: row.links.len() as u32,
            impact_type: row.impact.map(|(impact_type, _)| impact_type),
            severity: row.impact.map(|(_, severity)| severity),
        }
    })
}

/// The details of a site beside its position.
struct SiteDetail {
    /// The chain of values that leads to the call.
    chain: Option<String>,
    /// The ids of the targets that the site belongs to, if there are several targets.
    targets: Vec<String>,
}

/// Converts a receiver to its wire form.
pub(crate) fn receiver(receiver: Receiver) -> ReceiverKind {
    match receiver {
        Receiver::Value => ReceiverKind::Value,
        Receiver::Pointer => ReceiverKind::Pointer,
    }
}
