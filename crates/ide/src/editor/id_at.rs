//! The id of a symbol at a position, for requests of the graph from editors.

use codeweft_vfs::{Encoding, Position};

use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// Returns the id of the symbol at a position, common to all its redefinitions; `None` without a symbol of the
/// graph, also on a local.
pub fn id_at(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Option<String> {
    let query = EditorQuery::new(snapshot, encoding);
    let symbol = query.cursor(path, at)?.symbol()?;
    Some(query.graph.plain_id(symbol))
}
