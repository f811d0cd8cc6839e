//! Go to implementation: LSP `textDocument/implementation`.

use codeweft_vfs::{Encoding, Position};

use super::data::Location;
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

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
    let Some(cursor) = query.cursor(path, at) else {
        return Vec::new();
    };
    let symbols = query.meant(&cursor);
    let below = query.graph.implementations(&symbols);
    let lists_bases = || symbols.iter().any(|&one| query.graph.is_of_class(one));
    if below.is_empty() && !lists_bases() {
        query.all_declared(query.graph.implements(&symbols))
    } else {
        query.all_declared(below)
    }
}
