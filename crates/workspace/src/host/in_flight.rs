//! A question on its way: asked on a worker, again where a write interrupts it, told once.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use codeweft_db::{CancellationHook, RequestCancellation, UnwindReason};

use super::core::{ActiveRequest, HostCore};
use super::request::{Priority, RequestError, RequestOptions, Response};
use super::state::HostState;
use super::timer::Due;
use super::workers::{Job, QueuePermit, StepOutcome, WorkStep};
use crate::project::Snapshot;
use crate::sync::lock;

/// After so many interruptions everybody but an editor waits for a quiet window.
const HASTY: u32 = 5;

/// After so many a question gives up.
const MOST_TRIES: u32 = 64;

/// So long no write came.
const QUIET: Duration = Duration::from_millis(100);

/// So long a question waits for that.
const PATIENCE: Duration = Duration::from_secs(2);

thread_local! {
    /// How many questions this thread is inside of.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Panics (in debug builds) inside a question: who waits there for another waits for a writer that
/// waits for him.
pub(super) fn assert_outside() {
    debug_assert!(
        DEPTH.get() == 0,
        "a question must not ask or wait: the writer may be waiting for it"
    );
}

/// One who asked, until he is told.
struct Completion<T> {
    done: Mutex<Option<CompletionCallback<T>>>,
}

type CompletionCallback<T> = Box<dyn FnOnce(Result<Response<T>, RequestError>) + Send>;

impl<T> Completion<T> {
    /// Tells, unless that was done.
    fn tell(&self, result: Result<Response<T>, RequestError>) -> bool {
        let done = lock(&self.done).take();
        let told = done.is_some();
        if let Some(done) = done {
            done(result);
        }
        told
    }

    fn is_told(&self) -> bool {
        lock(&self.done).is_none()
    }
}

/// Queues a question; see [`super::AnalysisHost::submit`].
pub(super) fn submit<T: Send + 'static>(
    core: &Arc<HostCore>,
    ask: RequestOptions,
    question: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
    done: impl FnOnce(Result<Response<T>, RequestError>) + Send + 'static,
) {
    let Some(seat) = core.workers.seat(ask.client) else {
        return done(Err(RequestError::Full));
    };
    let deadline = match ask.cancel.deadline() {
        Some(at) => at.min(ask.deadline),
        None => ask.deadline,
    };
    // Its own, so that one given to several questions does not end with the first of them.
    let work = RequestCancellation::at(deadline);
    let done: CompletionCallback<T> = Box::new(done);
    let reply = Arc::new(Completion {
        done: Mutex::new(Some(done)),
    });
    let number = core.next_number();
    let tell = {
        let reply = reply.clone();
        move |stop| {
            reply.tell(Err(stop));
        }
    };
    let running = Arc::new(ActiveRequest {
        client: ask.client,
        class: ask.class,
        operation: ask.operation,
        work: work.clone(),
        began: Mutex::new(None),
        tell: Box::new(tell),
    });
    core.note_ask(number, running.clone());
    let due = core.timer.at(deadline, {
        let (core, running) = (Arc::downgrade(core), running.clone());
        move || {
            if let Some(core) = core.upgrade() {
                let stop = core.too_late();
                core.stop(number, &running, stop);
            }
        }
    });
    // From here on the end is told at once, wherever the question is.
    let mut asking = Box::new(InFlightRequest {
        core: core.clone(),
        number,
        running: running.clone(),
        reply: reply.clone(),
        question,
        documents: ask.documents,
        taken: None,
        tries: 0,
        broken: 0,
        waits: None,
        due,
        hook: None,
        seat: Some(seat),
    });
    asking.hook = Some({
        let (core, running) = (Arc::downgrade(core), running.clone());
        ask.cancel.on_cancel(move || {
            if let Some(core) = core.upgrade() {
                core.stop(number, &running, RequestError::Cancelled);
            }
        })
    });
    if reply.is_told() {
        return;
    }
    core.queue(
        ask.after,
        Job {
            number,
            client: ask.client,
            class: ask.class,
            work: asking,
        },
    );
    // A cancel between the look and the queue found nothing to take back.
    if reply.is_told() {
        drop(core.withdraw(running.class, running.client, number));
    }
}

struct InFlightRequest<T, Q> {
    core: Arc<HostCore>,
    number: u64,
    running: Arc<ActiveRequest>,
    reply: Arc<Completion<T>>,
    question: Q,
    documents: Vec<(Arc<str>, Arc<str>)>,
    /// When a worker first took it.
    taken: Option<Instant>,
    /// How often a write interrupted it.
    tries: u32,
    /// How often somebody else's panic did.
    broken: u32,
    /// Since when it waits for a quiet window.
    waits: Option<Instant>,
    due: Due,
    hook: Option<CancellationHook>,
    seat: Option<QueuePermit>,
}

impl<T, Q> Drop for InFlightRequest<T, Q> {
    fn drop(&mut self) {
        self.hook = None;
        self.core.timer.forget(self.due);
        self.core.forget_ask(self.number);
        // Dropped before it was asked: the Host ends.
        self.reply.tell(Err(RequestError::Cancelled));
    }
}

/// What interrupted a question.
enum Interruption {
    /// A write, or it seems so.
    Write,
    /// Its own [`RequestCancellation`].
    Cancel,
    /// A panic of another thread's query that it waited for.
    Elsewhere,
    /// Its documents are not the client's.
    Stale,
    /// A panic of its own.
    Panic(String),
}

impl<T: Send, Q: FnMut(&Snapshot<'_>) -> T + Send> WorkStep for InFlightRequest<T, Q> {
    fn run(&mut self) -> StepOutcome {
        let now = Instant::now();
        self.taken.get_or_insert(now);
        *lock(&self.running.began) = Some(now);
        let next = self.answer();
        *lock(&self.running.began) = None;
        next
    }
}

impl<T: Send, Q: FnMut(&Snapshot<'_>) -> T + Send> InFlightRequest<T, Q> {
    fn answer(&mut self) -> StepOutcome {
        loop {
            if self.reply.is_told() {
                return StepOutcome::Done;
            }
            if let HostState::Failed(why) = self.core.state() {
                return self.tell(Err(RequestError::Failed(why)));
            }
            if let Some(at) = self.not_yet() {
                return StepOutcome::Later(at);
            }
            let running = self.running.clone();
            let work = &running.work;
            let turns = self.core.gate.turns();
            let Some(snapshot) = self.core.gate.enter(work) else {
                let stop = self.stopped();
                return self.tell(Err(stop));
            };
            let result = attempt(&snapshot, &self.documents, &mut self.question);
            let revision = snapshot.revision();
            let unsaved = snapshot.unsaved().clone();
            // Gone before anything is told: a write may wait for it.
            drop(snapshot);
            work.forget_handles();
            let interrupted = match result {
                Ok(value) => {
                    return self.tell(Ok(Response {
                        value,
                        revision,
                        unsaved,
                    }));
                }
                Err(interrupted) => interrupted,
            };
            match interrupted {
                Interruption::Stale => return self.tell(Err(RequestError::Stale)),
                Interruption::Panic(words) => {
                    self.core.figures.panicked(self.running.operation, &words);
                    return self.tell(Err(RequestError::Panicked(words)));
                }
                _ if work.is_cancelled() => {
                    let stop = self.stopped();
                    return self.tell(Err(stop));
                }
                // Who waits for a query that a write ends is told of a panic.
                Interruption::Elsewhere if self.core.gate.turns() == turns => {
                    self.broken += 1;
                    if self.broken > 1 {
                        let words = "a query that it waited for broke".to_owned();
                        self.core.figures.panicked(self.running.operation, &words);
                        return self.tell(Err(RequestError::Panicked(words)));
                    }
                }
                Interruption::Write | Interruption::Cancel | Interruption::Elsewhere => {
                    self.tries += 1;
                    self.core.figures.interrupted();
                    if self.tries >= MOST_TRIES {
                        return self.tell(Err(RequestError::Stale));
                    }
                    if self.tries >= HASTY && self.running.class != Priority::Editor {
                        self.waits = Some(Instant::now());
                    }
                }
            }
        }
    }

    /// Until when it waits for a quiet window.
    fn not_yet(&mut self) -> Option<Instant> {
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

    fn stopped(&self) -> RequestError {
        match self.running.work.is_past_deadline() {
            true => self.core.too_late(),
            false => RequestError::Cancelled,
        }
    }

    fn tell(&mut self, result: Result<Response<T>, RequestError>) -> StepOutcome {
        // Who is told may ask again at once.
        self.seat = None;
        self.core.forget_ask(self.number);
        let took = self.taken.map_or(Duration::ZERO, |taken| taken.elapsed());
        self.core.figures.asked(self.running.operation, took);
        self.reply.tell(result);
        StepOutcome::Done
    }
}

fn attempt<T>(
    snapshot: &Snapshot<'_>,
    documents: &[(Arc<str>, Arc<str>)],
    question: &mut impl FnMut(&Snapshot<'_>) -> T,
) -> Result<T, Interruption> {
    if !documents
        .iter()
        .all(|(path, text)| snapshot.shows(path, text))
    {
        return Err(Interruption::Stale);
    }
    DEPTH.set(DEPTH.get() + 1);
    let asked = catch_unwind(AssertUnwindSafe(|| question(snapshot)));
    DEPTH.set(DEPTH.get() - 1);
    asked.map_err(|payload| match UnwindReason::of(payload.as_ref()) {
        UnwindReason::Cancelled => Interruption::Cancel,
        UnwindReason::Elsewhere => Interruption::Elsewhere,
        UnwindReason::Write => Interruption::Write,
        UnwindReason::Panic(words) => Interruption::Panic(words),
    })
}
