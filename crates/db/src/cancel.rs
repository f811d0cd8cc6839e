//! Cancellation of a request: flags and salsa tokens that end its work on all threads early, and
//! the classification of the unwinding that follows.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Instant;

use salsa::CancellationToken;

/// A handle that cancels the work of one request on all its threads.
///
/// salsa's own token ends a query, but it is reset when the outermost query of its database handle
/// ends, and it does not reach clones of the handle. So a flag accompanies the tokens of all
/// handles that work for the request, and every loop outside queries checks it
/// ([`Db::unwind_if_cancelled`](crate::Db::unwind_if_cancelled)).
#[derive(Clone, Default)]
pub struct RequestCancellation(Arc<CancellationState>);

/// The state that all clones of a [`RequestCancellation`] share.
#[derive(Default)]
struct CancellationState {
    fired: AtomicBool,
    deadline: Option<Instant>,
    tokens: Mutex<Vec<CancellationToken>>,
    callbacks: Mutex<Vec<(u64, CancellationCallback)>>,
    next_number: AtomicU64,
}

type CancellationCallback = Box<dyn FnOnce() + Send>;

impl RequestCancellation {
    /// Returns a handle that is cancelled by itself at `deadline`.
    pub fn at(deadline: Instant) -> RequestCancellation {
        RequestCancellation(Arc::new(CancellationState {
            deadline: Some(deadline),
            ..CancellationState::default()
        }))
    }

    /// Cancels the work: [`RequestCancellation::is_cancelled`] holds from now on, and the callbacks
    /// of [`RequestCancellation::on_cancel`] are called here, once.
    pub fn cancel(&self) {
        self.stop();
        let callbacks = std::mem::take(&mut *locked(&self.0.callbacks));
        for (_, callback) in callbacks {
            callback();
        }
    }

    /// Returns whether it was cancelled, or its deadline has passed.
    pub fn is_cancelled(&self) -> bool {
        if self.0.fired.load(Ordering::SeqCst) {
            return true;
        }
        let late = self.is_past_deadline();
        if late {
            // No callback runs here: the caller may be deep inside a query.
            self.stop();
        }
        late
    }

    /// Registers a callback for cancellation; it runs at once if that has happened already, and
    /// never for a deadline. It is removed when the returned [`CancellationHook`] is dropped.
    pub fn on_cancel(&self, callback: impl FnOnce() + Send + 'static) -> CancellationHook {
        let number = self.0.next_number.fetch_add(1, Ordering::Relaxed);
        locked(&self.0.callbacks).push((number, Box::new(callback)));
        if self.0.fired.load(Ordering::SeqCst) {
            self.cancel();
        }
        CancellationHook {
            request: Arc::downgrade(&self.0),
            number,
        }
    }

    /// Returns the deadline.
    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline
    }

    /// Sets the flag and cancels the tokens, without running callbacks.
    fn stop(&self) {
        self.0.fired.store(true, Ordering::SeqCst);
        for token in locked(&self.0.tokens).iter() {
            token.cancel();
        }
    }

    /// Returns whether its deadline has passed.
    pub fn is_past_deadline(&self) -> bool {
        self.0.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// Registers the token of a database handle that works for the request from now on.
    pub(crate) fn register(&self, token: CancellationToken) {
        locked(&self.0.tokens).push(token.clone());
        // Checked after the token was added, so that a concurrent cancellation reaches it.
        if self.is_cancelled() {
            token.cancel();
        }
    }

    /// Forgets the handles: their work has ended.
    pub fn forget_handles(&self) {
        locked(&self.0.tokens).clear();
    }
}

/// The registration of a [`RequestCancellation::on_cancel`] callback; dropping it removes the
/// callback.
pub struct CancellationHook {
    request: Weak<CancellationState>,
    number: u64,
}

impl Drop for CancellationHook {
    fn drop(&mut self) {
        if let Some(request) = self.request.upgrade() {
            let mut callbacks = locked(&request.callbacks);
            let at = callbacks
                .iter()
                .position(|(number, _)| *number == self.number);
            let callback = at.map(|at| callbacks.swap_remove(at));
            // Dropped after unlocking: the callback may own anything.
            drop(callbacks);
            drop(callback);
        }
    }
}

/// Locks a list, ignoring poisoning: nothing that could panic leaves a list inconsistent.
fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl fmt::Debug for RequestCancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel")
            .field("fired", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// The panic payload that unwinds a cancelled request outside queries; inside queries it is
/// [`salsa::Cancelled`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestCancelled;

/// The reason why the work of a request unwound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnwindReason {
    /// The request was cancelled, or its deadline passed.
    Cancelled,
    /// A write is pending.
    Write,
    /// Another thread unwound from a query that this one waited for.
    Elsewhere,
    /// A panic, with its message.
    Panic(String),
}

impl UnwindReason {
    /// Classifies the payload of an unwinding.
    pub fn of(payload: &(dyn Any + Send)) -> UnwindReason {
        if payload.is::<RequestCancelled>() {
            return UnwindReason::Cancelled;
        }
        match payload.downcast_ref::<salsa::Cancelled>() {
            Some(salsa::Cancelled::Local) => UnwindReason::Cancelled,
            Some(salsa::Cancelled::PropagatedPanic) => UnwindReason::Elsewhere,
            Some(_) => UnwindReason::Write,
            None => UnwindReason::Panic(panic_message(payload)),
        }
    }
}

/// Returns the message of a panic, without the text that the standard library's own about slices of texts quote: it may be
/// of a file with a secret.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    let words = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without words");
    let is_of_slice = words.contains("byte index") || words.contains("when slicing");
    let end = words.find('`').filter(|_| is_of_slice);
    match end.and_then(|end| words.get(..end)) {
        Some(words) => format!("{words}a text"),
        None => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_panic_about_a_slice_has_no_text() {
        let text = String::from("a secret €");
        let cut = std::panic::catch_unwind(|| text[..text.len() - 1].len());
        let payload = cut.expect_err("no border of a character");
        let words = panic_message(payload.as_ref());
        assert!(words.ends_with("of a text"), "{words}");
        assert!(!words.contains("secret"), "{words}");
        assert_eq!(panic_message(&"`as` it is"), "`as` it is");
    }
}
