//! The id of a symbol at a position, for requests of the graph from editors.

use codeweft_vfs::{Encoding, Position};
use codeweft_workspace::Snapshot;

use super::cursor::Cursor;
use super::query::EditorQuery;

/// Returns the id of the symbol at a position, common to all its redefinitions; `None` without a symbol of the
/// graph, also on a local.
pub fn id_at(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Option<String> {
    let query = EditorQuery::new(snapshot, encoding);
    let symbol = Cursor::at(&query, path, at)?.symbol()?;
    Some(query.graph.plain_id(symbol))
}
