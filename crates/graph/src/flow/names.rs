//! Names of values, nodes and origins in the printed chains of [`reasons`](super::reasons).

use std::sync::Arc;

use codeweft_db::{File, FlowNode, FlowRole, FlowValue, SymbolClass, SymbolId, file_ranges};
use rustc_hash::FxHashSet;

use super::merged::{FlowNodeId, FlowNodeKey, FlowValueId, Fragment};
use super::queries::FlowQueries;
use crate::symbols;

/// The origin of a value: path, line (1-based, 0 if unknown), role.
pub(super) type ValueOrigin = (Arc<str>, u32, &'static str);

/// Returns the first position where a value begins to flow to a node; without a position if it
/// is the type argument of an instance.
pub(super) fn origin(
    queries: &FlowQueries<'_>,
    value: FlowValueId,
    node: FlowNodeId,
) -> Option<ValueOrigin> {
    let db = queries.query.db;
    let merged = &queries.flow.merged;
    let own = merged.nodes[node as usize].sources.iter();
    let mut origins: Vec<ValueOrigin> = Vec::new();
    for &(_, slot) in own.filter(|(other, _)| *other == value) {
        let Some(fragment) = merged.fragment(slot) else {
            continue;
        };
        let file = fragment.file;
        for source in &fragment.flows.sources {
            if merged.value(source.value) != Some(value)
                || merged.node_in(slot, source.to) != Some(node)
            {
                continue;
            }
            let offset = queries.language.offset(db, file, source.body, source.occ);
            let line = offset.map_or(0, |offset| file_ranges(db, file).line_column(offset).0);
            origins.push((file.path(db).clone(), line, role_name(source.role)));
        }
    }
    if !queries.flow.instances.values(node).is_empty() {
        origins.push(("".into(), 0, role_name(FlowRole::Instance)));
    }
    // A position in the text is preferred over an instance.
    origins
        .into_iter()
        .min_by_key(|origin| (origin.1 == 0, origin.clone()))
}

/// Names a value.
pub(super) fn name_of_value(queries: &FlowQueries<'_>, value: FlowValueId) -> String {
    match queries.value(value) {
        FlowValue::Type(ty) => queries.language.type_name(queries.query.db, ty),
        FlowValue::Function(symbol) | FlowValue::InterfaceMethod(symbol) => {
            symbols::id(queries.query, symbol).to_string()
        }
        FlowValue::Literal(symbol, _) => {
            format!("literal in {}", symbols::id(queries.query, symbol))
        }
        FlowValue::Unknown(reason) => reason.wire_name().to_owned(),
    }
}

/// Names a node.
pub(super) fn name_of_node(queries: &FlowQueries<'_>, node: FlowNodeId) -> String {
    let ty = |ty| queries.language.type_name(queries.query.db, ty);
    let id = |symbol| symbols::id(queries.query, symbol);
    let numbered = |what: &str, number: u16| format!("{what} {}", u32::from(number) + 1);
    let key = match queries.key(node) {
        FlowNodeKey::Shared(key) => key,
        FlowNodeKey::Local(slot) => return name_of_local(queries, slot, node),
    };
    match key {
        FlowNode::Local(_) => "a local".to_owned(),
        FlowNode::Variable(symbol) => name_of_variable(queries, symbol),
        FlowNode::Parameter(of, FlowNode::RECEIVER) => format!("receiver of {}", id(of)),
        FlowNode::Parameter(of, number) => {
            format!("{} of {}", numbered("parameter", number), id(of))
        }
        FlowNode::Result(of, number) => {
            format!("{} of {}", numbered("result", number), id(of))
        }
        FlowNode::SignatureParameter(of, number) => {
            format!(
                "{} of functions of type {}",
                numbered("parameter", number),
                ty(of)
            )
        }
        FlowNode::SignatureResult(of, number) => {
            format!(
                "{} of functions of type {}",
                numbered("result", number),
                ty(of)
            )
        }
        FlowNode::Unnamed(kind, of) => {
            let db = queries.query.db;
            queries.language.unnamed_node(db, kind, of)
        }
        FlowNode::TypeParameter(of, number) => {
            format!("{} of {}", numbered("type parameter", number), id(of))
        }
    }
}

fn name_of_variable(queries: &FlowQueries<'_>, symbol: SymbolId) -> String {
    let query = queries.query;
    let key = query.key(symbol);
    match key.parent.filter(|_| key.class == SymbolClass::Field) {
        Some(parent) => {
            let name = query.db.shared().names.text(key.name);
            format!("field {name} of {}", symbols::id(query, parent))
        }
        None => format!("variable {}", symbols::id(query, symbol)),
    }
}

/// Names a local by its function.
fn name_of_local(queries: &FlowQueries<'_>, slot: u32, node: FlowNodeId) -> String {
    let Some(fragment) = queries.flow.merged.fragment(slot) else {
        return "a local".to_owned();
    };
    match function_of_local(queries, fragment, node) {
        Some(function) => format!("a local of {}", symbols::id(queries.query, function)),
        None => format!("a local in {}", fragment.file.path(queries.query.db)),
    }
}

/// Returns the function whose body has a local: the body of a value that begins there or of a
/// call through it, or the function whose parameter or result is connected to it, directly or
/// over other locals.
fn function_of_local(
    queries: &FlowQueries<'_>,
    fragment: &Fragment,
    node: FlowNodeId,
) -> Option<SymbolId> {
    let number = fragment.locals.iter().find(|(_, other)| *other == node)?.0;
    let flows = &fragment.flows;
    let mut pending = vec![FlowNode::Local(number)];
    let mut seen = FxHashSet::from_iter(pending.iter().copied());
    while let Some(local) = pending.pop() {
        let sources = flows.sites.iter().filter(|site| site.at == local);
        let sites = flows.sources.iter().filter(|source| source.to == local);
        let bodies = sources
            .map(|site| site.body)
            .chain(sites.map(|source| source.body));
        if let Some(body) = bodies.min() {
            return function_of_body(queries, fragment.file, body);
        }
        for edge in &flows.edges {
            let other = match (edge.from == local, edge.to == local) {
                (true, _) => edge.to,
                (_, true) => edge.from,
                _ => continue,
            };
            match other {
                FlowNode::Local(_) if seen.insert(other) => pending.push(other),
                FlowNode::Parameter(function, _) if edge.to == local => return Some(function),
                FlowNode::Result(function, _) if edge.from == local => return Some(function),
                _ => {}
            }
        }
    }
    None
}

fn function_of_body(queries: &FlowQueries<'_>, file: File, body: u32) -> Option<SymbolId> {
    let uses = queries.language.uses(queries.query.db, file);
    let function = uses.bodies.get(body as usize).copied();
    let package = || symbols::package_of(queries.query, file);
    function.or_else(package)
}

fn role_name(role: FlowRole) -> &'static str {
    match role {
        FlowRole::Assigned => "assigned",
        FlowRole::Argument => "argument",
        FlowRole::Returned => "returned",
        FlowRole::Element => "element",
        FlowRole::Sent => "sent",
        FlowRole::Converted => "converted",
        FlowRole::Instance => "instance",
    }
}
