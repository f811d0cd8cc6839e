//! What implements what stands at a position.

use codeweft_vfs::{Encoding, Position};

use super::data::Location;
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// What implements an interface or a method of one, all subclasses of a class, the overrides
/// of a method. Where nothing can implement what stands there, the interfaces that a concrete
/// type satisfies, and the methods of interfaces that a concrete method stands for; in Python
/// nothing, for a class says its bases itself.
pub fn implementation(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<Location> {
    let asked = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = asked.cursor(path, at) else {
        return Vec::new();
    };
    let symbols = asked.meant(&cursor);
    let below = asked.graph.implementations(&symbols);
    let is_nominal = asked.room(cursor.file).is_none_or(|room| room.is_nominal());
    match below.is_empty() && !is_nominal {
        true => asked.all_declared(asked.graph.implements(&symbols)),
        false => asked.all_declared(below),
    }
}
