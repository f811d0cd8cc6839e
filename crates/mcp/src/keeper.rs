//! The thread that owns the World: it loads when it is first needed, and answers one question
//! after another.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use codeweft_ide::api::{ApiError, ErrorType, GraphRequest, GraphResponse};
use codeweft_ide::{LoadOptions, World, root};
use tokio::sync::oneshot;

/// Deep code makes deep questions.
const STACK: usize = 64 << 20;

/// What a question comes to.
pub(crate) type Answer = Result<GraphResponse, ApiError>;

struct Job {
    request: GraphRequest,
    answer: oneshot::Sender<Answer>,
}

/// A handle on the thread that owns the World.
#[derive(Clone)]
pub(crate) struct Keeper {
    root: Option<PathBuf>,
    jobs: Arc<OnceLock<Sender<Job>>>,
    progress: Arc<LoadProgress>,
}

/// How far loading is.
#[derive(Default)]
pub(crate) struct LoadProgress {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl LoadProgress {
    /// Files read or parsed so far, and of how many.
    pub(crate) fn read(&self) -> (usize, usize) {
        (
            self.done.load(Ordering::Relaxed),
            self.total.load(Ordering::Relaxed),
        )
    }
}

impl Keeper {
    /// A keeper of the workspace at `root`, or the one around the working folder. Nothing is
    /// looked at yet.
    pub(crate) fn new(root: Option<PathBuf>) -> Keeper {
        Keeper {
            root,
            jobs: Arc::default(),
            progress: Arc::default(),
        }
    }

    /// Begins to load, where that has not begun.
    pub(crate) fn wake(&self) {
        self.jobs.get_or_init(|| {
            let (sender, jobs) = channel();
            let (root, progress) = (self.root.clone(), self.progress.clone());
            // Without its thread every question finds the channel closed and says so.
            let _ = thread::Builder::new()
                .name("codeweft-host".to_owned())
                .stack_size(STACK)
                .spawn(move || keep(root, &progress, &jobs));
            sender
        });
    }

    /// How far loading is.
    pub(crate) fn progress(&self) -> &LoadProgress {
        &self.progress
    }

    /// Asks; the answer comes when the workspace is loaded and earlier questions are answered. A
    /// question whose receiver is dropped before its turn is not asked.
    pub(crate) fn ask(&self, request: GraphRequest) -> oneshot::Receiver<Answer> {
        self.wake();
        let (answer, receiver) = oneshot::channel();
        if let Some(jobs) = self.jobs.get() {
            // Where the thread is gone the answer's sender is dropped, which the receiver sees.
            let _ = jobs.send(Job { request, answer });
        }
        receiver
    }
}

fn keep(root: Option<PathBuf>, progress: &LoadProgress, jobs: &Receiver<Job>) {
    let loaded = catch_unwind(AssertUnwindSafe(|| load(root, progress)));
    let mut host = match loaded.unwrap_or_else(|panic| Err(broke(panic.as_ref()))) {
        Ok(host) => host,
        Err(error) => {
            for job in jobs {
                // A client that has gone needs no answer.
                let _ = job.answer.send(Err(error.clone()));
            }
            return;
        }
    };
    for Job { request, answer } in jobs {
        if answer.is_closed() {
            continue;
        }
        let asked = catch_unwind(AssertUnwindSafe(|| {
            host.recheck();
            host.ask(&request)
        }));
        let _ = answer.send(asked.unwrap_or_else(|panic| Err(broke(panic.as_ref()))));
    }
}

fn load(root: Option<PathBuf>, progress: &LoadProgress) -> Result<World, ApiError> {
    let wrong = |words: String| {
        ApiError::new(
            ErrorType::InvalidRequest,
            words,
            "start the server with --root DIR, where DIR is the project's folder",
        )
    };
    let folder = std::env::current_dir()
        .map_err(|error| wrong(format!("the working folder cannot be read: {error}")))?;
    let root = root::find(root.as_deref(), &folder).map_err(|error| wrong(error.to_string()))?;
    World::load(LoadOptions {
        progress: &|at| {
            progress.done.store(at.done, Ordering::Relaxed);
            progress.total.store(at.total, Ordering::Relaxed);
        },
        ..LoadOptions::new(root)
    })
    .map_err(|error| wrong(error.to_string()))
}

fn broke(panic: &(dyn Any + Send)) -> ApiError {
    let words = panic
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    ApiError::new(
        ErrorType::Internal,
        format!("the database broke: {words}"),
        "ask something narrower, and report this with the words above",
    )
}
