//! Go to implementation: LSP `textDocument/implementation`.

use codeweft_vfs::{Encoding, Position};

use super::data::Location;
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// Returns the locations of the types that implement an interface, the methods that implement one of its methods,
/// the subclasses of a class, or the overrides of a method.
///
/// If nothing can implement the name at the position, in Go the interfaces that a concrete type satisfies, or the
/// interfaces' methods that a concrete method implements; in Python nothing, because a class lists its bases.
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
    let is_nominal = query
        .language(cursor.file)
        .is_none_or(|language| language.is_nominal());
    if below.is_empty() && !is_nominal {
        query.all_declared(query.graph.implements(&symbols))
    } else {
        query.all_declared(below)
    }
}
