//! The graph's own questions at the editor's door.

use std::time::Instant;

use codeweft_graph::answer::{ApiError, GraphRequest, GraphResponse};
use codeweft_vfs::{Encoding, Position};

use super::asked::EditorQuery;
use crate::Snapshot;

impl Snapshot<'_> {
    /// The id of what stands at a position, that of all twins; `None` where nothing of the graph does, on a local too.
    pub fn id_at(&self, path: &str, at: Position, encoding: Encoding) -> Option<String> {
        let asked = EditorQuery::new(self, encoding);
        let symbol = asked.cursor(path, at)?.symbol()?;
        Some(asked.graph.plain_id(symbol))
    }

    /// A question of the graph whose answer is never cut: for the editor's door. The request's
    /// bounds on results are looked at, but hold for nothing.
    ///
    /// # Errors
    /// As the operations have them.
    pub fn graph_whole(&self, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        let started = Instant::now();
        let shown = &self.shown;
        let asked = codeweft_graph::ask_whole(&self.db, &shown.kept, request, shown.threads);
        Ok(self.told(asked?, started))
    }
}
