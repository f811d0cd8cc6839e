//! Call hierarchies: LSP `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `outgoingCalls`.

use codeweft_db::{File, NodeKind, Span};
use codeweft_graph::Neighbour;
use codeweft_vfs::{Encoding, Position};

use super::data::{CallItem, SymbolItem};
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// Returns the function, method, class (as its constructor) or package (its initialisers or module code) that a
/// call hierarchy from a position begins with. One item represents all redefinitions: its id means them all.
pub fn call_items(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<SymbolItem> {
    let query = EditorQuery::new(snapshot, encoding);
    let cursor = query.cursor(path, at);
    let symbol = cursor.and_then(|cursor| cursor.symbol());
    let called = symbol.filter(|&symbol| query.is_called(symbol));
    let item = called.and_then(|symbol| {
        Some(SymbolItem {
            id: query.graph.plain_id(symbol),
            ..query.item(symbol)?
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
    for caller in query.graph.callers(&symbols) {
        for (file, sites) in by_file(&caller) {
            let is_package = query.graph.kind(caller.symbol) == NodeKind::Package;
            let item = if is_package {
                query.item_in(caller.symbol, file)
            } else {
                query.item(caller.symbol)
            };
            calls.extend(query.calls(item, file, sites));
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
    for callee in query.graph.callees(&symbols) {
        let Some(item) = query.item(callee.symbol) else {
            continue;
        };
        for (file, sites) in by_file(&callee) {
            calls.extend(query.calls(Some(item.clone()), file, sites));
        }
    }
    calls
}

impl EditorQuery<'_> {
    fn calls(&self, item: Option<SymbolItem>, file: File, sites: Vec<Span>) -> Option<CallItem> {
        let sites = sites.into_iter();
        Some(CallItem {
            item: item?,
            path: self.path(file)?,
            sites: sites.map(|span| self.range(file, span)).collect(),
        })
    }
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
