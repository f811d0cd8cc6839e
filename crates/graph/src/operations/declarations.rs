//! The operation `definition`.

use codeweft_db::SymbolId;

use super::result::OperationResult;
use crate::answer::{GraphRequest, GraphResult};
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::query_context::QueryContext;
use crate::rendering;
use crate::rendering::context::context;
use crate::rendering::filtering::ResultRow;
use crate::rendering::node::put_range;
use crate::targets;
use crate::targets::resolved::Target;
use crate::type_graph;

/// Returns the declarations of the target.
pub(super) fn definition(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> OperationResult {
    if target.local.is_some() {
        return OperationResult {
            printed: printed(query, request, target).into_iter().collect(),
            ..OperationResult::list(Vec::new(), UnresolvedSites::default())
        };
    }
    let at = targets::named_position(query, &request.target);
    let defined_type = |&symbol: &SymbolId| {
        let embedded = at.and_then(|(file, at)| type_graph::embedded_at(query, symbol, file, at));
        embedded.unwrap_or(symbol)
    };
    let rows = target
        .symbols
        .iter()
        .map(defined_type)
        .map(ResultRow::plain);
    OperationResult::list(rows.collect(), UnresolvedSites::default())
}

/// Returns the result of a declaration without a symbol: a local's, or one of an excluded file.
pub(super) fn printed(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> Option<GraphResult> {
    let local = target.local.as_ref()?;
    let owner = target
        .symbols
        .first()
        .map(|&owner| rendering::facts(query, owner));
    let mut node = match owner {
        Some(facts) => facts.node(query.db, None).0,
        None => Default::default(),
    };
    node.id = target.printed.clone();
    node.kind = local.kind.wire_name().to_owned();
    node.name = local.name.clone();
    node.visibility = if local.public { "public" } else { "private" }.to_owned();
    put_range(query.db, &mut node, &local.range);
    let code = request
        .include_context
        .then(|| context(query.db, &local.range, request.context_lines));
    Some(GraphResult {
        node,
        context: code.flatten(),
        depth: None,
        receiver: None,
        type_args: Vec::new(),
        sites: Vec::new(),
        site_count: 0,
        impact_type: None,
        severity: None,
    })
}
