//! Go to implementation: LSP `textDocument/implementation`.

use codeweft_graph::editor;
use codeweft_vfs::{Encoding, Position};
use codeweft_workspace::Snapshot;

use super::cursor::Cursor;
use super::data::Location;
use super::declarations::declaration_locations;
use super::query::EditorQuery;

/// Returns the locations of the types that implement an interface, the methods that implement one of its methods,
/// the subclasses of a class, or the overrides of a method.
///
/// If nothing can implement the name at the position, the interfaces that a concrete type satisfies, or the
/// interfaces' methods that a concrete method implements; for a class nothing, because it lists its bases.
pub fn implementation(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<Location> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = Cursor::at(&query, path, at) else {
        return Vec::new();
    };
    let symbols = cursor.symbols(&query);
    let below = editor::implementations(&query.graph, &symbols);
    let lists_bases = || {
        symbols
            .iter()
            .any(|&one| editor::is_of_class(&query.graph, one))
    };
    if below.is_empty() && !lists_bases() {
        declaration_locations(&query, editor::implements(&query.graph, &symbols))
    } else {
        declaration_locations(&query, below)
    }
}
