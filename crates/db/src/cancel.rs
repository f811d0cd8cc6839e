//! The end of one request's work before it is done.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use salsa::CancellationToken;

/// Ends the work of one request on all its threads.
///
/// salsa's own token ends a query, but is reset when the outermost query of its handle ends, and
/// does not reach clones of the handle. So there is a flag beside the tokens of all handles that
/// work for the request, and every loop outside queries looks at the flag
/// ([`Db::check`](crate::Db::check)).
#[derive(Clone, Default)]
pub struct Cancel(Arc<Request>);

#[derive(Default)]
struct Request {
    fired: AtomicBool,
    deadline: Option<Instant>,
    tokens: Mutex<Vec<CancellationToken>>,
}

impl Cancel {
    /// One that fires by itself at `deadline`.
    pub fn at(deadline: Instant) -> Cancel {
        Cancel(Arc::new(Request {
            deadline: Some(deadline),
            ..Request::default()
        }))
    }

    /// Ends the work: from now on [`Cancel::is_fired`].
    pub fn fire(&self) {
        self.0.fired.store(true, Ordering::SeqCst);
        for token in self.tokens().iter() {
            token.cancel();
        }
    }

    /// Whether it was fired, or its deadline has come.
    pub fn is_fired(&self) -> bool {
        if self.0.fired.load(Ordering::SeqCst) {
            return true;
        }
        let late = self.is_late();
        if late {
            self.fire();
        }
        late
    }

    /// Whether its deadline has come.
    pub fn is_late(&self) -> bool {
        self.0.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// A handle works for the request from now on.
    pub(crate) fn register(&self, token: CancellationToken) {
        self.tokens().push(token.clone());
        // Looked at after the token can be found, so that a cancel in between reaches it.
        if self.is_fired() {
            token.cancel();
        }
    }

    /// Forgets the handles: their work has ended.
    pub fn forget_handles(&self) {
        self.tokens().clear();
    }

    fn tokens(&self) -> std::sync::MutexGuard<'_, Vec<CancellationToken>> {
        // The list is whole at every moment that could panic.
        self.0
            .tokens
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel")
            .field("fired", &self.is_fired())
            .finish_non_exhaustive()
    }
}

/// The payload of the unwinding that ends a cancelled request outside queries; inside them it is
/// [`salsa::Cancelled`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;
