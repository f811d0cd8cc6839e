//! In-flight requests: run on a worker, retried when a write cancels the attempt, completed exactly once.
//!
//! ```text
//! submit ── permit? ──no──> Full
//!   │ yes: deadline timer, cancel hook, park until `after` is visible, queue
//!   └─> attempt on a snapshot
//!         value .............................. done(Ok)
//!         cancelled, deadline ................ done(Cancelled | Deadline), at once, wherever it is
//!         unwound by a write ................. tries + 1, attempt again
//!            tries >= HASTY, no editor ....... first wait for QUIET without a write, PATIENCE at most
//!            tries >= MAX_TRIES .............. done(Stale)
//!         another thread's query panicked .... attempt once more, then done(Panicked)
//!         own panic .......................... done(Panicked)
//! ```

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use codeweft_db::{CancellationHook, RequestCancellation, UnwindReason};

use super::core::{ActiveRequest, HostCore};
use super::idle;
use super::request::{Priority, RequestError, RequestOptions, Response};
use super::state::HostState;
use super::timer::Due;
use super::workers::{Job, QueuePermit, StepOutcome, WorkStep};
use crate::project::Snapshot;
use crate::sync::lock;

/// After this many interruptions all requests but those of editors wait for a quiet window.
const HASTY: u32 = 5;

/// After this many interruptions a request fails with [`RequestError::Stale`].
const MAX_TRIES: u32 = 64;

/// A quiet window: time without a write.
const QUIET: Duration = Duration::from_millis(100);

/// The longest wait for a quiet window.
const PATIENCE: Duration = Duration::from_secs(2);

thread_local! {
    /// The number of requests that this thread is running, one inside the other.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Panics in debug builds if called from inside a request: a nested wait would deadlock with the pending
/// writer.
pub(super) fn assert_outside() {
    debug_assert!(
        DEPTH.get() == 0,
        "a question must not ask or wait: the writer may be waiting for it"
    );
}

/// The completion callback of a request; runs at most once.
struct Completion<T> {
    done: Mutex<Option<CompletionCallback<T>>>,
}

type CompletionCallback<T> = Box<dyn FnOnce(Result<Response<T>, RequestError>) + Send>;

impl<T> Completion<T> {
    /// Runs the callback and returns true, unless it has run already.
    fn complete(&self, result: Result<Response<T>, RequestError>) -> bool {
        let done = lock(&self.done).take();
        let runs = done.is_some();
        if let Some(done) = done {
            done(result);
        }
        runs
    }

    fn is_complete(&self) -> bool {
        lock(&self.done).is_none()
    }
}

/// Queues a request; see [`super::AnalysisHost::submit`].
pub(super) fn submit<T: Send + 'static>(
    core: &Arc<HostCore>,
    options: RequestOptions,
    query: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
    done: impl FnOnce(Result<Response<T>, RequestError>) + Send + 'static,
) {
    let Some(permit) = core.workers.permit(options.client) else {
        return done(Err(RequestError::Full));
    };
    let deadline = match options.cancel.deadline() {
        Some(at) => at.min(options.deadline),
        None => options.deadline,
    };
    // A token of its own: a client may use one token for several requests, which end one by one.
    let work = RequestCancellation::at(deadline);
    let done: CompletionCallback<T> = Box::new(done);
    let reply = Arc::new(Completion {
        done: Mutex::new(Some(done)),
    });
    let number = core.next_number();
    let fail = {
        let reply = reply.clone();
        move |stop| {
            reply.complete(Err(stop));
        }
    };
    let running = Arc::new(ActiveRequest {
        client: options.client,
        class: options.class,
        operation: options.operation,
        work: work.clone(),
        began: Mutex::new(None),
        fail: Box::new(fail),
    });
    core.note_request(number, running.clone());
    let due = core.timer.at(deadline, {
        let (core, running) = (Arc::downgrade(core), running.clone());
        move || {
            if let Some(core) = core.upgrade() {
                let stop = core.deadline_error();
                core.stop(number, &running, stop);
            }
        }
    });
    // From here on a cancellation completes the request at once, wherever it is.
    let mut request = Box::new(InFlightRequest {
        core: core.clone(),
        number,
        running: running.clone(),
        reply: reply.clone(),
        query,
        documents: options.documents,
        taken: None,
        tries: 0,
        broken: 0,
        waits: None,
        due,
        hook: None,
        permit: Some(permit),
    });
    request.hook = Some({
        let (core, running) = (Arc::downgrade(core), running.clone());
        options.cancel.on_cancel(move || {
            if let Some(core) = core.upgrade() {
                core.stop(number, &running, RequestError::Cancelled);
            }
        })
    });
    if reply.is_complete() {
        return;
    }
    core.queue(
        options.after,
        Job {
            number,
            client: options.client,
            class: options.class,
            work: request,
        },
    );
    // A cancellation between the check above and the queue found no job to withdraw.
    if reply.is_complete() {
        drop(core.withdraw(running.class, running.client, number));
    }
}

struct InFlightRequest<T, Q> {
    core: Arc<HostCore>,
    number: u64,
    running: Arc<ActiveRequest>,
    reply: Arc<Completion<T>>,
    query: Q,
    documents: Vec<(Arc<str>, Arc<str>)>,
    /// The time at which a worker first took it.
    taken: Option<Instant>,
    /// The number of interruptions by a write.
    tries: u32,
    /// The number of interruptions by a panic in another thread's query.
    broken: u32,
    /// The time since which it has been waiting for a quiet window.
    waits: Option<Instant>,
    due: Due,
    hook: Option<CancellationHook>,
    permit: Option<QueuePermit>,
}

impl<T, Q> Drop for InFlightRequest<T, Q> {
    fn drop(&mut self) {
        self.hook = None;
        self.core.timer.forget(self.due);
        self.core.forget_request(self.number);
        // Dropped before it ran: the host ends.
        self.reply.complete(Err(RequestError::Cancelled));
    }
}

/// The reason why an attempt ended without a value.
enum Interruption {
    /// A pending write; also an unwinding without a reason.
    Write,
    /// Its own [`RequestCancellation`].
    Cancel,
    /// A panic in another thread's query that this one waited for.
    Elsewhere,
    /// A document has another text in the database than at the client.
    Stale,
    /// A panic in the request itself, with its message.
    Panic(String),
}

impl<T: Send, Q: FnMut(&Snapshot<'_>) -> T + Send> WorkStep for InFlightRequest<T, Q> {
    fn run(&mut self) -> StepOutcome {
        let now = Instant::now();
        self.taken.get_or_insert(now);
        *lock(&self.running.began) = Some(now);
        let next = self.attempts();
        *lock(&self.running.began) = None;
        next
    }
}

impl<T: Send, Q: FnMut(&Snapshot<'_>) -> T + Send> InFlightRequest<T, Q> {
    fn attempts(&mut self) -> StepOutcome {
        loop {
            if self.reply.is_complete() {
                return StepOutcome::Done;
            }
            if let HostState::Failed(why) = self.core.state() {
                return self.finish(Err(RequestError::Failed(why)));
            }
            if let Some(at) = self.quiet_at() {
                return StepOutcome::Later(at);
            }
            let running = self.running.clone();
            let work = &running.work;
            let turns = self.core.gate.turns();
            let Some(snapshot) = self.core.gate.enter(work) else {
                let stop = self.cancellation_error();
                return self.finish(Err(stop));
            };
            let result = attempt(&snapshot, &self.documents, &mut self.query);
            let revision = snapshot.revision();
            let unsaved = snapshot.unsaved().clone();
            // Dropped before the response is delivered: a write may be waiting for it.
            drop(snapshot);
            work.forget_handles();
            let interrupted = match result {
                Ok(value) => {
                    return self.finish(Ok(Response {
                        value,
                        revision,
                        unsaved,
                    }));
                }
                Err(interrupted) => interrupted,
            };
            match interrupted {
                Interruption::Stale => return self.finish(Err(RequestError::Stale)),
                Interruption::Panic(words) => {
                    self.core.figures.panicked(self.running.operation, &words);
                    return self.finish(Err(RequestError::Panicked(words)));
                }
                _ if work.is_cancelled() => {
                    let stop = self.cancellation_error();
                    return self.finish(Err(stop));
                }
                // Salsa reports a panic to a thread that waited for a query that a write cancelled.
                Interruption::Elsewhere if self.core.gate.turns() == turns => {
                    self.broken += 1;
                    if self.broken > 1 {
                        let words = "a query that it waited for broke".to_owned();
                        self.core.figures.panicked(self.running.operation, &words);
                        return self.finish(Err(RequestError::Panicked(words)));
                    }
                }
                Interruption::Write | Interruption::Cancel | Interruption::Elsewhere => {
                    self.tries += 1;
                    self.core.figures.interrupted();
                    if self.tries >= MAX_TRIES {
                        return self.finish(Err(RequestError::Stale));
                    }
                    if self.tries >= HASTY && self.running.class != Priority::Editor {
                        self.waits = Some(Instant::now());
                    }
                }
            }
        }
    }

    /// Returns until when to wait for a quiet window; `None` to run now.
    fn quiet_at(&mut self) -> Option<Instant> {
        let since = self.waits?;
        let now = Instant::now();
        let quiet = self.core.gate.last_write().map(|last| last + QUIET);
        match quiet {
            Some(quiet) if quiet > now && now < since + PATIENCE => {
                Some(quiet.min(since + PATIENCE))
            }
            _ => {
                self.waits = None;
                None
            }
        }
    }

    fn cancellation_error(&self) -> RequestError {
        if self.running.work.is_past_deadline() {
            self.core.deadline_error()
        } else {
            RequestError::Cancelled
        }
    }

    /// Gives the permit back, counts the request, and delivers the result.
    fn finish(&mut self, result: Result<Response<T>, RequestError>) -> StepOutcome {
        // The callback may submit the next request at once.
        self.permit = None;
        self.core.forget_request(self.number);
        let took = self.taken.map_or(Duration::ZERO, |taken| taken.elapsed());
        self.core.figures.finished(self.running.operation, took);
        idle::note(&self.core, self.running.class, Instant::now());
        self.reply.complete(result);
        StepOutcome::Done
    }
}

fn attempt<T>(
    snapshot: &Snapshot<'_>,
    documents: &[(Arc<str>, Arc<str>)],
    query: &mut impl FnMut(&Snapshot<'_>) -> T,
) -> Result<T, Interruption> {
    if !documents
        .iter()
        .all(|(path, text)| snapshot.has_text(path, text))
    {
        return Err(Interruption::Stale);
    }
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(|| query(snapshot)));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| match UnwindReason::of(payload.as_ref()) {
        UnwindReason::Cancelled => Interruption::Cancel,
        UnwindReason::Elsewhere => Interruption::Elsewhere,
        UnwindReason::Write => Interruption::Write,
        UnwindReason::Panic(words) => Interruption::Panic(words),
    })
}
