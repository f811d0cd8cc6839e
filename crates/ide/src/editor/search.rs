//! Search of declarations by a part of their name: LSP `workspace/symbol`.

use codeweft_graph::editor;
use codeweft_vfs::Encoding;
use codeweft_workspace::Snapshot;

use super::data::SymbolItem;
use super::declarations::symbol_items;
use super::query::EditorQuery;

/// Returns the declarations whose names match a query, the best first, at most `max`. Rules and order
/// are those of the operation `search` of the graph.
pub fn search(
    snapshot: &Snapshot<'_>,
    query: &str,
    max: usize,
    encoding: Encoding,
) -> Vec<SymbolItem> {
    let editor = EditorQuery::new(snapshot, encoding);
    symbol_items(&editor, editor::search(&editor.graph, query, max))
}
