//! The graph's own questions at the editor's door.

use codeweft_vfs::{Encoding, Position};

use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// The id of what stands at a position, that of all twins; `None` where nothing of the graph does, on a local too.
pub fn id_at(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Option<String> {
    let asked = EditorQuery::new(snapshot, encoding);
    let symbol = asked.cursor(path, at)?.symbol()?;
    Some(asked.graph.plain_id(symbol))
}
