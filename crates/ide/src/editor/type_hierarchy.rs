//! Type hierarchies.

use std::collections::BTreeSet;

use codeweft_db::SymbolId;
use codeweft_vfs::{Encoding, Position};

use super::data::SymbolItem;
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// The type that a type hierarchy from a position begins with. One item stands for all twins:
/// its id means them all.
pub fn type_items(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<SymbolItem> {
    let asked = EditorQuery::new(snapshot, encoding);
    let cursor = asked.cursor(path, at);
    let symbol = cursor.and_then(|cursor| cursor.symbol());
    let ty = symbol.filter(|&symbol| asked.graph.kind(symbol).is_type());
    let item = ty.and_then(|symbol| {
        Some(SymbolItem {
            id: asked.graph.plain_id(symbol),
            ..asked.item(symbol)?
        })
    });
    item.into_iter().collect()
}

/// What a type implements, embeds or extends directly, in order of id: in Go the interfaces
/// that it satisfies and what it embeds, in Python its bases and the protocols that it fits.
/// Empty of an id that is gone.
pub fn supertypes(snapshot: &Snapshot<'_>, id: &str, encoding: Encoding) -> Vec<SymbolItem> {
    types(snapshot, id, encoding, |asked, symbol| {
        asked.graph.supertypes(symbol)
    })
}

/// What implements, embeds or extends a type directly, in order of id. Empty of an id that is
/// gone.
pub fn subtypes(snapshot: &Snapshot<'_>, id: &str, encoding: Encoding) -> Vec<SymbolItem> {
    types(snapshot, id, encoding, |asked, symbol| {
        asked.graph.subtypes(symbol)
    })
}

fn types(
    snapshot: &Snapshot<'_>,
    id: &str,
    encoding: Encoding,
    step: impl Fn(&EditorQuery<'_>, SymbolId) -> Vec<SymbolId>,
) -> Vec<SymbolItem> {
    let asked = EditorQuery::new(snapshot, encoding);
    let symbols = asked.graph.symbols(id).into_iter();
    let mut seen = BTreeSet::new();
    let found = symbols.flat_map(|symbol| step(&asked, symbol));
    asked.items(found.filter(|&symbol| seen.insert(symbol)).collect())
}
