//! Questions of agents and of the command line, that see what the disk holds now.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use codeweft_db::Origin;
use codeweft_graph::answer::{
    ApiError, ErrorType, GraphRequest, GraphResponse, Operation, Warning, WarningKind,
};
use codeweft_vfs::{DiskState, Vfs};

use super::analysis_host::AnalysisHost;
use super::changes::HostChange;
use super::core::HostCore;
use super::request::{Priority, RequestError, RequestOptions, Response};
use super::{disk_targets, in_flight};
use crate::project::{FileStamp, FileStamps, RevisionState, Snapshot, read_file};

/// So many files of an answer are looked at.
const MOST_FILES: usize = 500;

/// So often a question is asked again because a file had changed.
const MOST_ROUNDS: u32 = 2;

/// How many warnings an answer lists.
const WARNINGS: usize = 10;

/// When a question that found no seat tries again: the one of its last round is about to be free.
const NEXT_SEAT: Duration = Duration::from_millis(5);

impl AnalysisHost {
    /// A question of an agent or of the command line, at the class that its operation and depth
    /// have: the watcher's barrier first, so that the agent's own writes are seen; the files that
    /// the answer shows are looked at on disk after it, and where one differs it is asked again
    /// (twice at most, then the answer carries a `stale` warning). `done` is called exactly once;
    /// every [`Stop`] is an [`ApiError`] by then.
    pub fn graph(
        &self,
        mut ask: RequestOptions,
        request: GraphRequest,
        done: impl FnOnce(Result<GraphResponse, ApiError>) + Send + 'static,
    ) {
        let core = &self.inner.core;
        ask.class = class(ask.class, &request);
        ask.operation = request.operation.wire_name();
        ask.after = ask.after.max(self.now());
        let question = FreshRequest {
            core: core.clone(),
            ask,
            request: Arc::new(request),
            round: 0,
            reply: FreshCompletion(Some(Box::new(done))),
        };
        match &self.inner.watching {
            // An editor tells of what it writes.
            Some(watching) if question.ask.class != Priority::Editor => {
                watching.settle(move |ticket| {
                    let mut question = question;
                    question.ask.after = question.ask.after.max(ticket);
                    question.put();
                });
            }
            _ => question.put(),
        }
    }
}

/// What is called with the answer.
type FreshCallback = Box<dyn FnOnce(Result<GraphResponse, ApiError>) + Send>;

/// The one who asked, until he is told.
struct FreshCompletion(Option<FreshCallback>);

impl FreshCompletion {
    fn tell(mut self, result: Result<GraphResponse, ApiError>) {
        if let Some(done) = self.0.take() {
            done(result);
        }
    }
}

impl Drop for FreshCompletion {
    fn drop(&mut self) {
        // What was to call it has ended.
        if let Some(done) = self.0.take() {
            done(Err(RequestError::Cancelled.to_api_error()));
        }
    }
}

/// A question between its rounds.
struct FreshRequest {
    core: Arc<HostCore>,
    ask: RequestOptions,
    request: Arc<GraphRequest>,
    /// How often it was asked again.
    round: u32,
    reply: FreshCompletion,
}

/// An answer and the files that it shows, as they were when it was given.
struct PreviousAnswer {
    response: GraphResponse,
    files: Vec<AnsweredFile>,
    stamps: Arc<FileStamps>,
    /// The revision of the vfs that the answer is of.
    told: u64,
}

/// A file of an answer.
struct AnsweredFile {
    /// As the answer prints it.
    printed: String,
    path: Arc<str>,
}

/// How what the disk holds stands to an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Freshness {
    /// It is what the answer is of.
    Same,
    /// It was read meanwhile; a later revision shows it.
    UnderWay,
    /// It is something else.
    Differs,
}

impl FreshRequest {
    /// Asks.
    fn put(self) {
        let (core, ask, request) = (self.core.clone(), self.ask.clone(), self.request.clone());
        let vfs = core.vfs.clone();
        let question = move |snapshot: &Snapshot<'_>| -> Result<PreviousAnswer, ApiError> {
            let moved = disk_targets::moved(snapshot, &vfs, &request)?;
            let response = snapshot.graph(moved.as_ref().unwrap_or(&request))?;
            Ok(PreviousAnswer {
                files: files(&snapshot.shown, &response),
                stamps: snapshot.shown.stamps.clone(),
                told: snapshot.shown.told,
                response,
            })
        };
        in_flight::submit(&core, ask, question, move |answer| self.answered(answer));
    }

    /// Looks at the files of an answer, outside the snapshot.
    fn answered(self, answer: Result<Response<Result<PreviousAnswer, ApiError>>, RequestError>) {
        let given = match answer {
            Ok(answer) => answer.value,
            Err(RequestError::Full) if self.round > 0 => return self.put_later(NEXT_SEAT),
            Err(stop) => return self.reply.tell(Err(stop.to_api_error())),
        };
        let mut given = match given {
            Ok(given) => given,
            Err(error) => return self.reply.tell(Err(error)),
        };
        let mut differ: Vec<AnsweredFile> = Vec::new();
        let mut under_way = false;
        for file in std::mem::take(&mut given.files) {
            match freshness(&self.core.vfs, &given.stamps, &file.path, given.told) {
                Freshness::Same => {}
                Freshness::UnderWay => under_way = true,
                Freshness::Differs => differ.push(file),
            }
        }
        if differ.is_empty() && !under_way || self.round == MOST_ROUNDS {
            warn(&mut given.response, &differ);
            return self.reply.tell(Ok(given.response));
        }
        let ticket = match differ.is_empty() {
            true => self.core.changes.now(),
            false => {
                let paths = differ.iter().map(|file| file.path.to_string()).collect();
                self.core.changes.push(HostChange::Disk(paths))
            }
        };
        let mut again = self;
        again.ask.after = again.ask.after.max(ticket);
        again.round += 1;
        again.put_later(Duration::ZERO);
    }

    /// Asks on another thread: on this one a worker has yet to leave its last round.
    fn put_later(self, after: Duration) {
        let core = self.core.clone();
        if Instant::now() + after >= self.ask.deadline {
            let stop = core.too_late();
            return self.reply.tell(Err(stop.to_api_error()));
        }
        core.timer.at(Instant::now() + after, move || self.put());
    }
}

/// The files that an answer shows, the first [`MOST_FILES`] by their names.
fn files(shown: &RevisionState, response: &GraphResponse) -> Vec<AnsweredFile> {
    let of_results = response.results.iter().flat_map(|result| {
        let sites = result.sites.iter().map(|site| site.file.as_str());
        std::iter::once(result.node.file.as_str()).chain(sites)
    });
    let open = &response.completeness.first;
    let files: BTreeSet<&str> = of_results
        .chain(open.iter().map(|site| site.file.as_str()))
        .collect();
    files
        .into_iter()
        .filter_map(|printed| {
            let below = format!("{}/{printed}", shown.root.trim_end_matches('/'));
            let workspace = shown.files.get_key_value(below.as_str());
            let (path, entry) = workspace.or_else(|| shown.files.get_key_value(printed))?;
            let right = (entry.origin == Origin::Workspace) == workspace.is_some();
            right.then(|| AnsweredFile {
                printed: printed.to_owned(),
                path: path.clone(),
            })
        })
        .take(MOST_FILES)
        .collect()
}

/// Looks at one file. A file that was never read from disk (a virtual text, a document that was
/// never saved) is what it is.
fn freshness(vfs: &Vfs, stamps: &FileStamps, path: &Arc<str>, told: u64) -> Freshness {
    let Some(looked) = stamps.get(path) else {
        return Freshness::Same;
    };
    let now = FileStamp::of(path);
    let unchanged = match looked.stamp {
        Some(stamp) if stamp.holds(now) => true,
        // It was read so soon after its last change that another may not show: the text tells.
        Some(stamp) if stamp.shows_no_change(now) => {
            let same = read_file(path).is_ok_and(|text| vfs.disk(path) == DiskState::Text(text));
            if same {
                stamps.renew(path, looked, now);
            }
            same
        }
        Some(_) => false,
        None => now.is_none(),
    };
    match unchanged {
        false => Freshness::Differs,
        true if looked.told > told => Freshness::UnderWay,
        true => Freshness::Same,
    }
}

/// Files that change faster than they can be read.
fn warn(response: &mut GraphResponse, differ: &[AnsweredFile]) {
    if differ.is_empty() {
        return;
    }
    let told = response
        .warnings_total
        .unwrap_or(response.warnings.len() as u32);
    let room = WARNINGS.saturating_sub(response.warnings.len());
    response
        .warnings
        .extend(differ.iter().take(room).map(|file| Warning {
            file: file.printed.clone(),
            line: None,
            kind: WarningKind::Stale,
            message: "it was changed on disk while this was answered".to_owned(),
        }));
    let total = told + differ.len() as u32;
    if total as usize > response.warnings.len() {
        response.warnings_total = Some(total);
    }
}

/// An agent's question that may read the whole graph is a deep one.
fn class(asked: Priority, request: &GraphRequest) -> Priority {
    let whole = matches!(request.operation, Operation::Impact | Operation::Path);
    match asked {
        Priority::Agent if whole || request.depth > 2 => Priority::Deep,
        other => other,
    }
}

impl RequestError {
    /// As an agent is told.
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
