//! Drafts to printed results: places, sites and code, on all threads.

use codeweft_db::Receiver;

use crate::answer::{GraphRequest, GraphResult, ReceiverKind, Site};
use crate::context::context;
use crate::filtering::ResultRow;
use crate::link::sort_links;
use crate::node::Facts;
use crate::query_context::QueryContext;
use crate::targets_of_sites::TargetsOfSites;

/// How many sites of a result are listed.
pub(crate) const MOST_SITES: usize = 20;

impl QueryContext<'_> {
    /// Prints results in their order.
    pub(crate) fn render(
        &self,
        request: &GraphRequest,
        drafts: Vec<ResultRow>,
        aims: &TargetsOfSites,
    ) -> Vec<GraphResult> {
        let most_sites = if self.whole { usize::MAX } else { MOST_SITES };
        let drafts: Vec<(Facts, ResultRow, Vec<SiteDetail>)> = drafts
            .into_iter()
            .map(|mut draft| {
                sort_links(self.db, &mut draft.links);
                let shown = draft.links.iter().take(most_sites);
                let told = shown.map(|link| SiteDetail {
                    chain: self.chain(link),
                    targets: self.ids_of(aims.of(draft.symbol, link)),
                });
                let told = told.collect();
                (self.facts(draft.symbol), draft, told)
            })
            .collect();
        self.map(&drafts, |languages, db, (facts, draft, told)| {
            let language = facts.lang().and_then(|lang| languages.of(lang));
            let (node, place) = facts.node(db, language);
            let code = place.filter(|_| request.include_context);
            let shown = draft.links.iter().zip(told);
            let mut sites: Vec<_> = shown
                .filter_map(|(link, told)| {
                    let language = languages.of(link.file.lang(db))?;
                    Some(Site {
                        targets: told.targets.clone(),
                        ..link.site(db, language, told.chain.as_deref())
                    })
                })
                .collect();
            sites.sort();
            GraphResult {
                node,
                context: code.and_then(|place| context(db, &place, request.context_lines)),
                depth: draft.depth,
                receiver: draft.receiver.map(receiver),
                type_args: draft.type_args.iter().map(|arg| arg.to_string()).collect(),
                sites,
                site_count: draft.links.len() as u32,
                impact_type: draft.impact.map(|(way, _)| way),
                severity: draft.impact.map(|(_, severity)| severity),
            }
        })
    }
}

/// What is told of a site beside its place.
struct SiteDetail {
    /// The values that lead to it.
    chain: Option<String>,
    /// Which of several targets it is of.
    targets: Vec<String>,
}

/// The receiver as printed.
pub(crate) fn receiver(receiver: Receiver) -> ReceiverKind {
    match receiver {
        Receiver::Value => ReceiverKind::Value,
        Receiver::Pointer => ReceiverKind::Pointer,
    }
}
