//! The requests that are not answered yet.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use codeweft_workspace::RequestCancellation;
use lsp_server::RequestId;

/// The table of unanswered requests. Only the caller that removes a request from it may answer it,
/// so that each gets exactly one answer. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct PendingRequests(Arc<Mutex<HashMap<RequestId, RequestCancellation>>>);

impl PendingRequests {
    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, RequestCancellation>> {
        // The map is consistent at every point that could panic.
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// Adds a request. Returns `false` if one with this id is not answered yet.
    pub(super) fn begin(&self, id: &RequestId, cancel: RequestCancellation) -> bool {
        let mut table = self.lock();
        if table.contains_key(id) {
            return false;
        }
        table.insert(id.clone(), cancel);
        true
    }

    /// Returns the number of unanswered requests.
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Removes a request, and so takes the right to answer it; `None` if it is answered already.
    pub(super) fn take(&self, id: &RequestId) -> Option<RequestCancellation> {
        self.lock().remove(id)
    }

    /// Cancels all work; the requests are not answered.
    pub(super) fn cancel_all(&self) {
        let all = std::mem::take(&mut *self.lock());
        for cancel in all.into_values() {
            cancel.cancel();
        }
    }
}
