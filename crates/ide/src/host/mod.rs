//! The live database: one writer, many readers, for any number of clients.

mod ask;
mod question;
mod snapshot;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use codeweft_vfs::{ClientId, Document, Edit, EditError, Encoding};

use crate::api::{ApiError, GraphRequest, GraphResponse};
use crate::{LoadError, Progress};

pub use ask::{Answer, Ask, Class, Stop, Ticket};
pub(crate) use snapshot::Shown;
pub use snapshot::Snapshot;

/// What a Host serves and how.
pub struct HostOptions {
    /// The root of the workspace; see [`crate::root`].
    pub root: PathBuf,
    /// Settings of the languages, by key.
    pub settings: BTreeMap<String, String>,
    /// The environment; `None`: that of this process.
    pub variables: Option<BTreeMap<String, String>>,
    /// How many threads a question may use; 0: one a core.
    pub threads: usize,
    /// Whether changes on disk are watched for.
    pub watch: bool,
    /// An own folder, outside the workspace, where the watcher's barrier keeps its cookie; `None`:
    /// a temporary one.
    pub cookies: Option<PathBuf>,
}

/// The live database of one workspace. Cheap to clone; the last clone to go ends its threads.
#[derive(Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

struct Inner {}

/// How far a Host is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// The workspace is being read; questions wait.
    Loading(Progress),
    /// Questions are answered.
    Ready,
    /// The workspace could not be read: why. Every question says so.
    Failed(String),
}

impl Host {
    /// Starts the threads and begins to load behind. Returns at once.
    ///
    /// # Errors
    /// The root is no folder for a workspace.
    pub fn start(_options: HostOptions) -> Result<Host, LoadError> {
        todo!()
    }

    /// The root of the workspace, absolute.
    pub fn root(&self) -> &str {
        todo!()
    }

    /// How far loading is.
    pub fn state(&self) -> State {
        todo!()
    }

    /// Eight hexadecimal digits that tell this Host from every other.
    pub fn instance(&self) -> &str {
        todo!()
    }

    /// How many effective changes there were.
    pub fn revision(&self) -> u64 {
        todo!()
    }

    /// A new client, by a name for people.
    pub fn connect(&self, _name: &str) -> ClientId {
        todo!()
    }

    /// A client has gone: its questions are cancelled, its documents closed in one transaction.
    pub fn leave(&self, _client: ClientId) -> Ticket {
        todo!()
    }

    /// A client opened a document. `path` is absolute and normalised. Never blocks; so do the next
    /// three.
    pub fn open(&self, _client: ClientId, _path: &str, _version: i32, _text: &str) -> Ticket {
        todo!()
    }

    /// A client changed its document: edits in order, each in the text that the one before left.
    ///
    /// # Errors
    /// The document is not open, or a position does not fit; nothing is changed then.
    pub fn edit(
        &self,
        _client: ClientId,
        _path: &str,
        _version: i32,
        _edits: &[Edit],
        _encoding: Encoding,
    ) -> Result<Ticket, EditError> {
        todo!()
    }

    /// A client saved its document; the disk is looked at now.
    pub fn save(&self, _client: ClientId, _path: &str) -> Ticket {
        todo!()
    }

    /// A client closed its document.
    pub fn close(&self, _client: ClientId, _path: &str) -> Ticket {
        todo!()
    }

    /// The client's own text of a document that it has open.
    pub fn document(&self, _client: ClientId, _path: &str) -> Option<Document> {
        todo!()
    }

    /// These files or folders may have changed, come or gone on disk (absolute paths).
    pub fn disk_changed(&self, _paths: Vec<String>) -> Ticket {
        todo!()
    }

    /// The ticket of the last change that any client has made.
    pub fn now(&self) -> Ticket {
        todo!()
    }

    /// Waits until a change is shown; gives the revision that shows it.
    ///
    /// # Errors
    /// [`Stop::Deadline`], [`Stop::Failed`].
    pub fn wait(&self, _ticket: Ticket, _deadline: Instant) -> Result<u64, Stop> {
        todo!()
    }

    /// Puts a question into its class's queue and returns at once. `question` is asked on a worker,
    /// again where a write interrupts it; `done` is called exactly once, on a worker or at once.
    /// Once [`Ask::cancel`] is fired, `done` is called soon and the work ends within 50 ms.
    pub fn submit<T: Send + 'static>(
        &self,
        _ask: Ask,
        _question: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
        _done: impl FnOnce(Result<Answer<T>, Stop>) + Send + 'static,
    ) {
        todo!()
    }

    /// As [`Host::submit`], and waits. Panics (in debug builds) when called inside a question.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn ask<T: Send + 'static>(
        &self,
        _ask: Ask,
        _question: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
    ) -> Result<Answer<T>, Stop> {
        todo!()
    }

    /// A question of an agent or of the command line, at the class that its operation and depth
    /// have: the watcher's barrier first, so that the agent's own writes are seen; the files that
    /// the answer shows are looked at on disk after it, and where one differs it is asked again
    /// (twice at most, then the answer carries a `stale` warning). `done` is called exactly once;
    /// every [`Stop`] is an [`ApiError`] by then.
    pub fn graph(
        &self,
        _ask: Ask,
        _request: GraphRequest,
        _done: impl FnOnce(Result<GraphResponse, ApiError>) + Send + 'static,
    ) {
        todo!()
    }

    /// Figures for people: see spec, `stats --json`. What is not built is `null`.
    pub fn stats(&self) -> serde_json::Value {
        todo!()
    }
}
