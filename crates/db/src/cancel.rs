//! The end of one request's work before it is done.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Instant;

use salsa::CancellationToken;

/// Ends the work of one request on all its threads.
///
/// salsa's own token ends a query, but is reset when the outermost query of its handle ends, and
/// does not reach clones of the handle. So there is a flag beside the tokens of all handles that
/// work for the request, and every loop outside queries looks at the flag
/// ([`Db::unwind_if_cancelled`](crate::Db::check)).
#[derive(Clone, Default)]
pub struct RequestCancellation(Arc<CancellationState>);

#[derive(Default)]
struct CancellationState {
    fired: AtomicBool,
    deadline: Option<Instant>,
    tokens: Mutex<Vec<CancellationToken>>,
    calls: Mutex<Vec<(u64, CancellationCallback)>>,
    next_call: AtomicU64,
}

type CancellationCallback = Box<dyn FnOnce() + Send>;

impl RequestCancellation {
    /// One that fires by itself at `deadline`.
    pub fn at(deadline: Instant) -> RequestCancellation {
        RequestCancellation(Arc::new(CancellationState {
            deadline: Some(deadline),
            ..CancellationState::default()
        }))
    }

    /// Ends the work: from now on [`RequestCancellation::is_cancelled`]. What [`RequestCancellation::on_cancel`] was given is
    /// called here, once.
    pub fn cancel(&self) {
        self.stop();
        let calls = std::mem::take(&mut *locked(&self.0.calls));
        for (_, call) in calls {
            call();
        }
    }

    /// Whether it was fired, or its deadline has come.
    pub fn is_cancelled(&self) -> bool {
        if self.0.fired.load(Ordering::SeqCst) {
            return true;
        }
        let late = self.is_past_deadline();
        if late {
            // Nothing is called: this may stand deep inside a query.
            self.stop();
        }
        late
    }

    /// Has `call` called when it is fired; at once where that has been. Not when its deadline
    /// comes. Forgotten when the [`CancellationHook`] is dropped.
    pub fn on_cancel(&self, call: impl FnOnce() + Send + 'static) -> CancellationHook {
        let number = self.0.next_call.fetch_add(1, Ordering::Relaxed);
        locked(&self.0.calls).push((number, Box::new(call)));
        if self.0.fired.load(Ordering::SeqCst) {
            self.cancel();
        }
        CancellationHook {
            request: Arc::downgrade(&self.0),
            number,
        }
    }

    /// When it fires by itself.
    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline
    }

    fn stop(&self) {
        self.0.fired.store(true, Ordering::SeqCst);
        for token in locked(&self.0.tokens).iter() {
            token.cancel();
        }
    }

    /// Whether its deadline has come.
    pub fn is_past_deadline(&self) -> bool {
        self.0.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// A handle works for the request from now on.
    pub(crate) fn register(&self, token: CancellationToken) {
        locked(&self.0.tokens).push(token.clone());
        // Looked at after the token can be found, so that a cancel in between reaches it.
        if self.is_cancelled() {
            token.cancel();
        }
    }

    /// Forgets the handles: their work has ended.
    pub fn forget_handles(&self) {
        locked(&self.0.tokens).clear();
    }
}

/// What is to be called when a [`RequestCancellation`] is fired, while this lives.
pub struct CancellationHook {
    request: Weak<CancellationState>,
    number: u64,
}

impl Drop for CancellationHook {
    fn drop(&mut self) {
        if let Some(request) = self.request.upgrade() {
            let mut calls = locked(&request.calls);
            let at = calls.iter().position(|(number, _)| *number == self.number);
            let call = at.map(|at| calls.swap_remove(at));
            // Dropped unlocked: what it holds may be anything.
            drop(calls);
            drop(call);
        }
    }
}

/// The lists are whole at every moment that could panic.
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

/// The payload of the unwinding that ends a cancelled request outside queries; inside them it is
/// [`salsa::Cancelled`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestCancelled;

/// Why a question unwound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnwindReason {
    /// Its request was cancelled, or its deadline came.
    Cancelled,
    /// A write waits.
    Write,
    /// Another thread unwound from a query that this one waited for.
    Elsewhere,
    /// It broke: what the panic said.
    Panic(String),
}

impl UnwindReason {
    /// What the payload of an unwinding tells.
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

/// What a panic says.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned())
}
