//! Type hierarchies: LSP `textDocument/prepareTypeHierarchy`, `typeHierarchy/supertypes` and `subtypes`.

use std::collections::BTreeSet;

use codeweft_db::SymbolId;
use codeweft_graph::editor;
use codeweft_vfs::{Encoding, Position};
use codeweft_workspace::Snapshot;

use super::cursor::Cursor;
use super::data::SymbolItem;
use super::declarations::{symbol_item, symbol_items};
use super::query::EditorQuery;

/// Returns the type that a type hierarchy from a position begins with. One item represents all redefinitions: its
/// id means them all.
pub fn type_items(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<SymbolItem> {
    let query = EditorQuery::new(snapshot, encoding);
    let cursor = Cursor::at(&query, path, at);
    let symbol = cursor.and_then(|cursor| cursor.symbol());
    let ty = symbol.filter(|&symbol| query.graph.kind(symbol).is_type());
    let item = ty.and_then(|symbol| {
        Some(SymbolItem {
            id: query.graph.plain_id(symbol),
            ..symbol_item(&query, symbol)?
        })
    });
    item.into_iter().collect()
}

/// Returns the types that a type implements, embeds or extends directly, in order of id: in Go the interfaces
/// that it satisfies and what it embeds, in Python its bases and the protocols that it fits.
/// Empty if the id does not exist any more.
pub fn supertypes(snapshot: &Snapshot<'_>, id: &str, encoding: Encoding) -> Vec<SymbolItem> {
    types(snapshot, id, encoding, |query, symbol| {
        editor::supertypes(&query.graph, symbol)
    })
}

/// Returns the types that implement, embed or extend a type directly, in order of id. Empty if the id does
/// not exist any more.
pub fn subtypes(snapshot: &Snapshot<'_>, id: &str, encoding: Encoding) -> Vec<SymbolItem> {
    types(snapshot, id, encoding, |query, symbol| {
        editor::subtypes(&query.graph, symbol)
    })
}

fn types(
    snapshot: &Snapshot<'_>,
    id: &str,
    encoding: Encoding,
    step: impl Fn(&EditorQuery<'_>, SymbolId) -> Vec<SymbolId>,
) -> Vec<SymbolItem> {
    let query = EditorQuery::new(snapshot, encoding);
    let symbols = query.graph.symbols(id).into_iter();
    let mut seen = BTreeSet::new();
    let found = symbols.flat_map(|symbol| step(&query, symbol));
    symbol_items(
        &query,
        found.filter(|&symbol| seen.insert(symbol)).collect(),
    )
}
