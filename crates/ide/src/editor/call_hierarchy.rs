//! Call hierarchies.

use codeweft_db::{File, NodeKind, Span};
use codeweft_graph::Neighbour;
use codeweft_vfs::{Encoding, Position};

use super::data::{CallItem, SymbolItem};
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// The functions, methods, classes (where they are constructed) and packages (their
/// initialisers, module code) that a call hierarchy from a position begins with. One item
/// stands for all twins: its id means them all.
pub fn call_items(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<SymbolItem> {
    let asked = EditorQuery::new(snapshot, encoding);
    let cursor = asked.cursor(path, at);
    let symbol = cursor.and_then(|cursor| cursor.symbol());
    let called = symbol.filter(|&symbol| asked.is_called(symbol));
    let item = called.and_then(|symbol| {
        Some(SymbolItem {
            id: asked.graph.plain_id(symbol),
            ..asked.item(symbol)?
        })
    });
    item.into_iter().collect()
}

/// Who calls a symbol: the rows of `callers`, depth 1, of `exact`, `dispatch` and `value`,
/// uncut, in order of id; a package that calls from several files has a row, and an item, for
/// each. Empty of an id that is gone. A caller without a text has no row.
pub fn incoming(snapshot: &Snapshot<'_>, id: &str, encoding: Encoding) -> Vec<CallItem> {
    let asked = EditorQuery::new(snapshot, encoding);
    let symbols = asked.graph.symbols(id);
    let mut calls = Vec::new();
    for caller in asked.graph.callers(&symbols) {
        for (file, sites) in by_file(&caller) {
            let is_package = asked.graph.kind(caller.symbol) == NodeKind::Package;
            let item = match is_package {
                true => asked.item_in(caller.symbol, file),
                false => asked.item(caller.symbol),
            };
            calls.extend(asked.calls(item, file, sites));
        }
    }
    calls
}

/// Whom a symbol calls: the rows of `callees`, uncut, in order of id; of a package that calls
/// from several files a row for each ([`Calls::path`]). Empty of an id that is gone. A callee
/// without a text has no row.
pub fn outgoing(snapshot: &Snapshot<'_>, id: &str, encoding: Encoding) -> Vec<CallItem> {
    let asked = EditorQuery::new(snapshot, encoding);
    let symbols = asked.graph.symbols(id);
    let mut calls = Vec::new();
    for callee in asked.graph.callees(&symbols) {
        let Some(item) = asked.item(callee.symbol) else {
            continue;
        };
        for (file, sites) in by_file(&callee) {
            calls.extend(asked.calls(Some(item.clone()), file, sites));
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

/// The sites of a neighbour, a file at a time.
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
