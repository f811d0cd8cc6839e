//! Go to implementation.

use codeweft_vfs::{Encoding, Position};

use super::data::Location;
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// Returns the locations of what implements an interface or a method of one, all subclasses of a class, the overrides
/// of a method. Where nothing can implement what stands there, the interfaces that a concrete
/// type satisfies, and the methods of interfaces that a concrete method stands for; in Python
/// nothing, for a class says its bases itself.
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
        .is_none_or(|room| room.is_nominal());
    if below.is_empty() && !is_nominal {
        query.all_declared(query.graph.implements(&symbols))
    } else {
        query.all_declared(below)
    }
}
