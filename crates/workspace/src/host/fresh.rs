//! Requests of agents and of the command line, whose answers are of the disk as it is now.
//!
//! ```text
//! barrier: events of all earlier writes to disk have arrived ──> change id
//!   └─> request at that revision ──> answer ──> stat (and read) the files that it names
//!          all as read ......................... done
//!          read since by the writer ............ request again at the newest change
//!          differ on disk ...................... record the change, request again
//!          differ after MAX_ROUNDS retries ..... done, with a `stale` warning per file
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use codeweft_db::Origin;
use codeweft_graph::answer::{ApiError, CheckedRequest, ErrorType, Warning, WarningKind};
use codeweft_vfs::{DiskState, Vfs};

use super::analysis_host::AnalysisHost;
use super::changes::HostChange;
use super::core::HostCore;
use super::request::{Priority, RequestError, RequestOptions, Response};
use super::{change_impact, disk_targets, in_flight};
use crate::project::{
    FileStamp, FileStamps, GraphQuestion, QuestionAnswer, RevisionState, Snapshot,
};

/// The number of files of an answer that are checked.
const MAX_FILES: usize = 500;

/// The number of times that a request is repeated because a file had changed.
const MAX_ROUNDS: u32 = 2;

/// The pause after [`RequestError::Full`] in a repetition: the permit of the last round is about to be free.
const NEXT_PERMIT: Duration = Duration::from_millis(5);

impl AnalysisHost {
    /// Submits a request of the graph, at the priority of its operation and depth. The watcher's barrier comes
    /// first, so that the agent's own writes are seen; the files in the answer are checked on disk after
    /// it, and if one differs the request is repeated (twice at most, then the answer has a `stale`
    /// warning). `done` is called exactly once; each [`RequestError`] becomes an [`ApiError`].
    pub fn graph<R: GraphQuestion>(
        &self,
        mut ask: RequestOptions,
        request: R,
        done: impl FnOnce(Result<R::Response, ApiError>) + Send + 'static,
    ) {
        let core = &self.inner.core;
        ask.class = match ask.class {
            Priority::Agent if request.is_deep() => Priority::Deep,
            other => other,
        };
        ask.operation = request.operation();
        ask.after = ask.after.max(self.now());
        if let Some(impact) = request.of_change().cloned() {
            return self.impact_of_change::<R>(ask, impact, done);
        }
        let request = FreshRequest {
            core: core.clone(),
            ask,
            request: Arc::new(request),
            round: 0,
            reply: FreshCompletion(Some(Box::new(done))),
        };
        match &self.inner.watching {
            // An editor reports its own writes.
            Some(watching) if request.ask.class != Priority::Editor => {
                watching.after_disk_events(move |change| {
                    let mut request = request;
                    request.ask.after = request.ask.after.max(change);
                    request.submit();
                });
            }
            _ => request.submit(),
        }
    }
}

impl AnalysisHost {
    /// Submits a request about a change of texts, behind the watcher's barrier.
    fn impact_of_change<R: GraphQuestion>(
        &self,
        ask: RequestOptions,
        request: CheckedRequest,
        done: impl FnOnce(Result<R::Response, ApiError>) + Send + 'static,
    ) {
        let core = self.inner.core.clone();
        let reply = FreshCompletion(Some(Box::new(done)));
        let receiver = Box::new(move |answer: Result<_, ApiError>| {
            reply.complete(answer.and_then(R::response_of_impact));
        });
        match &self.inner.watching {
            Some(watching) => watching.after_disk_events(move |change| {
                let after = ask.after.max(change);
                change_impact::submit(&core, RequestOptions { after, ..ask }, request, receiver);
            }),
            None => change_impact::submit(&core, ask, request, receiver),
        }
    }
}

/// The completion callback of a request.
type FreshCallback<T> = Box<dyn FnOnce(Result<T, ApiError>) + Send>;

/// A completion callback; runs exactly once, with an error if it is dropped.
struct FreshCompletion<T>(Option<FreshCallback<T>>);

impl<T> FreshCompletion<T> {
    fn complete(mut self, result: Result<T, ApiError>) {
        if let Some(done) = self.0.take() {
            done(result);
        }
    }
}

impl<T> Drop for FreshCompletion<T> {
    fn drop(&mut self) {
        // The host has ended.
        if let Some(done) = self.0.take() {
            done(Err(RequestError::Cancelled.to_api_error()));
        }
    }
}

/// A request between its rounds.
struct FreshRequest<R: GraphQuestion> {
    core: Arc<HostCore>,
    ask: RequestOptions,
    request: Arc<R>,
    /// The number of repetitions so far.
    round: u32,
    reply: FreshCompletion<R::Response>,
}

/// An answer and the files that it names, with their stamps at that revision.
struct PreviousAnswer<T> {
    response: T,
    files: Vec<AnsweredFile>,
    stamps: Arc<FileStamps>,
    /// The revision of the vfs that the answer is of.
    vfs_revision: u64,
}

/// The answer to a request at one revision, or its error.
type Given<R> = Result<PreviousAnswer<<R as GraphQuestion>::Response>, ApiError>;

/// A file of an answer.
struct AnsweredFile {
    /// As the answer prints it.
    printed: String,
    path: Arc<str>,
}

/// The result of comparing a file on disk with an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Freshness {
    /// It holds the text that the answer is of.
    Same,
    /// It was read meanwhile; a later revision has its text.
    UnderWay,
    /// It holds another text.
    Differs,
}

impl<R: GraphQuestion> FreshRequest<R> {
    /// Submits a round.
    fn submit(self) {
        let (core, ask, request) = (self.core.clone(), self.ask.clone(), self.request.clone());
        let vfs = core.vfs.clone();
        let query = move |snapshot: &Snapshot<'_>| -> Given<R> {
            let moved = disk_targets::moved(snapshot, &vfs, &*request)?;
            let response = moved.as_ref().unwrap_or(&request).answer(snapshot)?;
            Ok(PreviousAnswer {
                files: files(&snapshot.state, &response),
                stamps: snapshot.state.stamps.clone(),
                vfs_revision: snapshot.state.vfs_revision,
                response,
            })
        };
        in_flight::submit(&core, ask, query, move |answer| self.answered(answer));
    }

    /// Checks the files of an answer, after the snapshot was dropped.
    fn answered(self, answer: Result<Response<Given<R>>, RequestError>) {
        let given = match answer {
            Ok(answer) => answer.value,
            Err(RequestError::Full) if self.round > 0 => return self.submit_later(NEXT_PERMIT),
            Err(stop) => return self.reply.complete(Err(stop.to_api_error())),
        };
        let mut given = match given {
            Ok(given) => given,
            Err(error) => return self.reply.complete(Err(error)),
        };
        let mut differ: Vec<AnsweredFile> = Vec::new();
        let mut under_way = false;
        for file in std::mem::take(&mut given.files) {
            match freshness(
                &self.core.vfs,
                &given.stamps,
                &file.path,
                given.vfs_revision,
            ) {
                Freshness::Same => {}
                Freshness::UnderWay => under_way = true,
                Freshness::Differs => differ.push(file),
            }
        }
        if differ.is_empty() && !under_way || self.round == MAX_ROUNDS {
            warn(&mut given.response, &differ);
            return self.reply.complete(Ok(given.response));
        }
        let change = if differ.is_empty() {
            self.core.changes.now()
        } else {
            let paths = differ.iter().map(|file| file.path.to_string()).collect();
            self.core.changes.push(HostChange::Disk(paths))
        };
        let mut again = self;
        again.ask.after = again.ask.after.max(change);
        again.round += 1;
        again.submit_later(Duration::ZERO);
    }

    /// Submits the next round on the timer thread: on this one a worker has yet to leave its last round.
    fn submit_later(self, after: Duration) {
        let core = self.core.clone();
        if Instant::now() + after >= self.ask.deadline {
            let stop = core.deadline_error();
            return self.reply.complete(Err(stop.to_api_error()));
        }
        core.timer.at(Instant::now() + after, move || self.submit());
    }
}

/// Returns the files that an answer names, the first [`MAX_FILES`] by name.
fn files(state: &RevisionState, response: &impl QuestionAnswer) -> Vec<AnsweredFile> {
    let files: BTreeSet<&str> = response.files().into_iter().collect();
    files
        .into_iter()
        .filter_map(|printed| {
            let below = format!("{}/{printed}", state.root.trim_end_matches('/'));
            let workspace = state.files.entry(&below);
            let (path, entry) = workspace.or_else(|| state.files.entry(printed))?;
            let right = (entry.origin == Origin::Workspace) == workspace.is_some();
            right.then(|| AnsweredFile {
                printed: printed.to_owned(),
                path: path.clone(),
            })
        })
        .take(MAX_FILES)
        .collect()
}

/// Checks one file. A file that was never read from disk (a virtual text, a document that was never
/// saved) counts as unchanged.
fn freshness(vfs: &Vfs, stamps: &FileStamps, path: &Arc<str>, vfs_revision: u64) -> Freshness {
    let Some(looked) = stamps.get(path) else {
        return Freshness::Same;
    };
    let now = FileStamp::of(path);
    let unchanged = match looked.stamp {
        Some(stamp) if stamp.holds(now) => true,
        // It was read so soon after its last change that a further one may have the same stamp: compare texts.
        Some(stamp) if stamp.shows_no_change(now) => {
            let same = vfs
                .read(path)
                .is_ok_and(|text| vfs.disk(path) == DiskState::Text(text));
            if same {
                stamps.renew(path, looked, now);
            }
            same
        }
        Some(_) => false,
        None => now.is_none(),
    };
    if !unchanged {
        Freshness::Differs
    } else if looked.vfs_revision > vfs_revision {
        Freshness::UnderWay
    } else {
        Freshness::Same
    }
}

/// Adds a `stale` warning for each file that differs from the answer.
fn warn(response: &mut impl QuestionAnswer, differ: &[AnsweredFile]) {
    let warnings = differ.iter().map(|file| Warning {
        file: file.printed.clone(),
        line: None,
        kind: WarningKind::Stale,
        message: "it was changed on disk while this was answered".to_owned(),
    });
    response.add_warnings(warnings.collect());
}

impl RequestError {
    /// Returns the error as agents and the command line get it.
    pub fn to_api_error(&self) -> ApiError {
        let (kind, what_to_do) = match self {
            RequestError::Cancelled => (ErrorType::Internal, "ask again if you still want to know"),
            RequestError::Stale => (ErrorType::IndexStale, "ask again: files are being changed"),
            RequestError::Deadline => (
                ErrorType::LimitExceeded,
                "lower `depth`, narrow `scope`, or ask for fewer results",
            ),
            RequestError::Panicked(_) => (
                ErrorType::Internal,
                "ask something narrower, and report this with the words above",
            ),
            RequestError::Loading(..) => (ErrorType::IndexUnavailable, "ask again in a moment"),
            RequestError::Failed(_) => (
                ErrorType::IndexUnavailable,
                "correct what it says and start again",
            ),
            RequestError::Full => (
                ErrorType::LimitExceeded,
                "wait for the answers of the questions before",
            ),
        };
        ApiError::new(kind, self.to_string(), what_to_do)
    }
}
