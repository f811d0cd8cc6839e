//! Requests for the impact of a change of texts: the writer answers them, since only it may bring other texts
//! into the database. Other requests wait meanwhile, and a change of an editor or of the disk interrupts it.
//!
//! ```text
//! own thread   read the revision or the patch ──> PendingChanges
//! writer       take all changes, write them ──> shut the gate, enter, read, leave, open ──> done
//!                                 an edit comes ──> leave, open, write it, once more
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use codeweft_db::{RequestCancellation, panic_message};
use codeweft_graph::answer::{ApiError, CheckedRequest, ErrorType, GraphResponse};

use super::core::HostCore;
use super::request::{RequestError, RequestOptions};
use crate::project::{NoImpact, ProjectDatabase, RevisionReader, TextStates, impact_of_change};

/// The number of times that a change may interrupt a request before it is given up.
const MAX_INTERRUPTIONS: u32 = 3;

/// What receives the answer; called exactly once.
type ImpactReceiver = Box<dyn FnOnce(Result<GraphResponse, ApiError>) + Send>;

/// A request that waits for the writer.
pub(super) struct ChangeImpact {
    request: CheckedRequest,
    states: TextStates,
    cancel: RequestCancellation,
    deadline: Instant,
    interruptions: u32,
    done: Option<ImpactReceiver>,
}

impl Drop for ChangeImpact {
    fn drop(&mut self) {
        // The host has ended.
        self.complete(Err(RequestError::Cancelled.to_api_error()));
    }
}

/// Reads the states that a request names on a thread of its own, since git may take long, and queues it for
/// the writer.
pub(super) fn submit(
    core: &Arc<HostCore>,
    ask: RequestOptions,
    request: CheckedRequest,
    done: ImpactReceiver,
) {
    let serving = core.clone();
    let read = move || {
        let deadline = ask.deadline;
        if let Err(error) = serving.wait(ask.after, deadline) {
            return done(Err(error.to_api_error()));
        }
        let Some(disk) = serving.disk() else {
            return done(Err(serving.deadline_error().to_api_error()));
        };
        let reader = RevisionReader {
            root: &serving.root,
            disk: &disk,
            vfs: &serving.vfs,
        };
        match reader.states(&request.target) {
            Ok(states) => serving.changes.push_impact(ChangeImpact {
                request,
                states,
                cancel: ask.cancel.clone(),
                deadline,
                interruptions: 0,
                done: Some(done),
            }),
            Err(error) => done(Err(error)),
        }
    };
    let started = thread::Builder::new()
        .name("revisions".to_owned())
        .spawn(read);
    // The receiver went with the closure; its drop answers.
    if let Err(error) = started {
        eprintln!("codeweft: no thread could be started: {error}");
    }
}

impl ChangeImpact {
    fn complete(&mut self, result: Result<GraphResponse, ApiError>) {
        if let Some(done) = self.done.take() {
            done(result);
        }
    }

    /// Answers the request on the writer's thread, with the gate shut. Returns it if a change interrupted it.
    pub(super) fn run(
        mut self,
        core: &Arc<HostCore>,
        database: &mut ProjectDatabase,
    ) -> Option<ChangeImpact> {
        if self.cancel.is_cancelled() {
            self.complete(Err(RequestError::Cancelled.to_api_error()));
            return None;
        }
        if Instant::now() >= self.deadline {
            self.complete(Err(RequestError::Deadline.to_api_error()));
            return None;
        }
        let work = RequestCancellation::at(self.deadline);
        let _by_client = self.cancel.on_cancel({
            let work = work.clone();
            move || work.cancel()
        });
        core.changes.set_interrupted_by_changes(Some(work.clone()));
        let tables = database.db().tables().clone();
        let mut found = None;
        core.gate.write(&tables, || {
            let answer = catch_unwind(AssertUnwindSafe(|| {
                impact_of_change(database, &self.states, &self.request, &work)
            }));
            found = Some(answer);
            database.read_state()
        });
        core.changes.set_interrupted_by_changes(None);
        match found {
            Some(Ok(Ok(response))) => self.complete(Ok(response)),
            Some(Ok(Err(NoImpact::Error(error)))) => self.complete(Err(error)),
            Some(Ok(Err(NoImpact::Interrupted))) => {
                if Instant::now() >= self.deadline {
                    self.complete(Err(RequestError::Deadline.to_api_error()));
                } else if self.interruptions < MAX_INTERRUPTIONS && !self.cancel.is_cancelled() {
                    self.interruptions += 1;
                    return Some(self);
                } else {
                    self.complete(Err(RequestError::Stale.to_api_error()));
                }
            }
            Some(Err(panic)) => {
                let words = panic_message(panic.as_ref());
                core.figures.panicked("impact of a change", &words);
                database.compare_all_again();
                self.complete(Err(ApiError::new(
                    ErrorType::Internal,
                    format!("it broke inside: {words}"),
                    "report this with the words above",
                )));
            }
            None => self.complete(Err(RequestError::Cancelled.to_api_error())),
        }
        None
    }
}
