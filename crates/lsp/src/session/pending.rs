//! The requests that are not answered yet.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use codeweft_ide::RequestCancellation;
use lsp_server::RequestId;

/// The table of requests without answer: whoever takes a request out of it answers it, so that
/// each gets exactly one. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct PendingRequests(Arc<Mutex<HashMap<RequestId, RequestCancellation>>>);

impl PendingRequests {
    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, RequestCancellation>> {
        // A map is whole at every moment that could panic.
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// A request begins. `false`: one with this id is not answered yet.
    pub(super) fn begin(&self, id: &RequestId, cancel: RequestCancellation) -> bool {
        let mut table = self.lock();
        if table.contains_key(id) {
            return false;
        }
        table.insert(id.clone(), cancel);
        true
    }

    /// Takes the right to answer; `None`: it is answered.
    pub(super) fn take(&self, id: &RequestId) -> Option<RequestCancellation> {
        self.lock().remove(id)
    }

    /// Ends all work; nothing is answered any more.
    pub(super) fn cancel_all(&self) {
        let all = std::mem::take(&mut *self.lock());
        for cancel in all.into_values() {
            cancel.cancel();
        }
    }
}
