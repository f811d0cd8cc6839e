//! Call hierarchies: LSP `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `outgoingCalls`.

use codeweft_db::{File, NodeKind, Span, SymbolId};
use codeweft_graph::editor::{self, Neighbour};
use codeweft_vfs::{Encoding, Position};
use codeweft_workspace::Snapshot;

use super::cursor::Cursor;
use super::data::{CallItem, SymbolItem};
use super::declarations::{package_item, symbol_item};
use super::query::EditorQuery;

/// Returns the function, method, class (as its constructor) or package (its initialisers or module code) that a
/// call hierarchy from a position begins with. One item represents all redefinitions: its id means them all.
pub fn call_items(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<SymbolItem> {
    let query = EditorQuery::new(snapshot, encoding);
    let cursor = Cursor::at(&query, path, at);
    let symbol = cursor.and_then(|cursor| cursor.symbol());
    let called = symbol.filter(|&symbol| is_called(&query, symbol));
    let item = called.and_then(|symbol| {
        Some(SymbolItem {
            id: query.graph.plain_id(symbol),
            ..symbol_item(&query, symbol)?
        })
    });
    item.into_iter().collect()
}

/// Returns the callers of a symbol: the rows of `callers`, depth 1, of `exact`, `dispatch` and `value`,
/// uncut, in order of id; a package that calls from several files has a row, and an item, for
/// each. Empty if the id does not exist any more. A caller without a text has no row.
pub fn incoming(snapshot: &Snapshot<'_>, id: &str, encoding: Encoding) -> Vec<CallItem> {
    let query = EditorQuery::new(snapshot, encoding);
    let symbols = query.graph.symbols(id);
    let mut calls = Vec::new();
    for caller in editor::callers(&query.graph, &symbols) {
        for (file, sites) in by_file(&caller) {
            let is_package = query.graph.kind(caller.symbol) == NodeKind::Package;
            let item = if is_package {
                package_item(&query, caller.symbol, file)
            } else {
                symbol_item(&query, caller.symbol)
            };
            calls.extend(call_item(&query, item, file, sites));
        }
    }
    calls
}

/// Returns the callees of a symbol: the rows of `callees`, uncut, in order of id; of a package that calls
/// from several files a row for each ([`CallItem::path`]). Empty if the id does not exist any more. A callee
/// without a text has no row.
pub fn outgoing(snapshot: &Snapshot<'_>, id: &str, encoding: Encoding) -> Vec<CallItem> {
    let query = EditorQuery::new(snapshot, encoding);
    let symbols = query.graph.symbols(id);
    let mut calls = Vec::new();
    for callee in editor::callees(&query.graph, &symbols) {
        let Some(item) = symbol_item(&query, callee.symbol) else {
            continue;
        };
        for (file, sites) in by_file(&callee) {
            calls.extend(call_item(&query, Some(item.clone()), file, sites));
        }
    }
    calls
}

fn call_item(
    query: &EditorQuery<'_>,
    item: Option<SymbolItem>,
    file: File,
    sites: Vec<Span>,
) -> Option<CallItem> {
    let sites = sites.into_iter();
    Some(CallItem {
        item: item?,
        path: query.path(file)?,
        sites: sites.map(|span| query.range(file, span)).collect(),
    })
}

/// Groups the sites of a neighbour by file.
fn by_file(linked: &Neighbour) -> Vec<(File, Vec<Span>)> {
    let mut files: Vec<(File, Vec<Span>)> = Vec::new();
    for site in &linked.sites {
        match files.last_mut() {
            Some((file, spans)) if *file == site.file => spans.push(site.span),
            _ => files.push((site.file, vec![site.span])),
        }
    }
    files
}

/// Returns whether a symbol can have callers.
fn is_called(query: &EditorQuery<'_>, symbol: SymbolId) -> bool {
    matches!(
        query.graph.kind(symbol),
        NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Package
    )
}
