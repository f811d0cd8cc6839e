//! The live database as its clients see it.

use std::sync::Arc;
use std::time::Instant;

use codeweft_vfs::{ClientId, Document, Edit, EditError, Encoding};

use super::changes::HostChange;
use super::core::HostCore;
use super::options::HostOptions;
use super::request::{ChangeId, RequestError, RequestOptions, Response};
use super::state::HostState;
use super::watch::HostWatch;
use super::{in_flight, writer};
use crate::project::{LoadError, Snapshot};

/// The live database of one workspace. Cheap to clone; the last clone to go ends its threads.
#[derive(Clone)]
pub struct AnalysisHost {
    pub(super) inner: Arc<HostHandle>,
}

pub(super) struct HostHandle {
    pub(super) core: Arc<HostCore>,
    /// `None`: it was not asked for.
    pub(super) watching: Option<HostWatch>,
}

impl Drop for HostHandle {
    fn drop(&mut self) {
        self.core.end();
    }
}

impl AnalysisHost {
    /// Starts the threads and begins to load behind. Returns at once.
    ///
    /// # Errors
    /// The root is no folder for a workspace.
    pub fn start(options: HostOptions) -> Result<AnalysisHost, LoadError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        AnalysisHost::start_on(options, cores)
    }

    /// As [`AnalysisHost::start`], with workers for so many cores.
    pub(super) fn start_on(options: HostOptions, cores: usize) -> Result<AnalysisHost, LoadError> {
        let root: Arc<str> = codeweft_vfs::explicit_root(&options.root)?.path.into();
        let threads = |error: std::io::Error| LoadError::Threads(error.to_string());
        let core = HostCore::new(root, Arc::default(), cores).map_err(threads)?;
        let watching = HostWatch::start(&core, &options).map_err(threads)?;
        let inner = Arc::new(HostHandle { core, watching });
        inner.core.workers.start().map_err(threads)?;
        writer::start(inner.core.clone(), options).map_err(threads)?;
        Ok(AnalysisHost { inner })
    }

    /// The root of the workspace, absolute.
    pub fn root(&self) -> &str {
        &self.inner.core.root
    }

    /// How far loading is.
    pub fn state(&self) -> HostState {
        self.inner.core.state()
    }

    /// Eight hexadecimal digits that tell this Host from every other.
    pub fn instance(&self) -> &str {
        &self.inner.core.instance
    }

    /// How many effective changes there were.
    pub fn revision(&self) -> u64 {
        self.inner.core.gate.revision()
    }

    /// A new client, by a name for people.
    pub fn connect(&self, name: &str) -> ClientId {
        self.inner.core.connect(name)
    }

    /// A client has gone: its questions are cancelled, its documents closed in one transaction.
    pub fn leave(&self, client: ClientId) -> ChangeId {
        let core = &self.inner.core;
        core.vfs.leave(client);
        core.disconnect(client);
        core.changes.push(HostChange::Left)
    }

    /// A client opened a document. `path` is absolute and normalised. Never blocks; so do the next
    /// three.
    pub fn open(&self, client: ClientId, path: &str, version: i32, text: &str) -> ChangeId {
        let core = &self.inner.core;
        // What it is opened over, while the workspace is still being read: an agent may write
        // before that comes to this file.
        let base = match core.vfs.is_told(path) {
            true => None,
            false => codeweft_vfs::read_text(path, codeweft_vfs::DEFAULT_MAX_SIZE).ok(),
        };
        let base = base.map(|base| base.text);
        core.vfs.open_over(client, path, version, text, base);
        core.changes.push(HostChange::Opened(path.into()))
    }

    /// A client changed its document: edits in order, each in the text that the one before left.
    ///
    /// # Errors
    /// The document is not open, or a position does not fit; nothing is changed then.
    pub fn edit(
        &self,
        client: ClientId,
        path: &str,
        version: i32,
        edits: &[Edit],
        encoding: Encoding,
    ) -> Result<ChangeId, EditError> {
        let core = &self.inner.core;
        core.vfs.edit(client, path, version, edits, encoding)?;
        Ok(core.changes.push(HostChange::Document(path.into())))
    }

    /// A client saved its document; the disk is looked at now.
    pub fn save(&self, client: ClientId, path: &str) -> ChangeId {
        let core = &self.inner.core;
        core.vfs.save(client, path);
        core.changes.push(HostChange::Disk(vec![path.to_owned()]))
    }

    /// A client closed its document.
    pub fn close(&self, client: ClientId, path: &str) -> ChangeId {
        let core = &self.inner.core;
        core.vfs.close(client, path);
        core.changes.push(HostChange::Document(path.into()))
    }

    /// The client's own text of a document that it has open.
    pub fn document(&self, client: ClientId, path: &str) -> Option<Document> {
        self.inner.core.vfs.document(client, path)
    }

    /// These files or folders may have changed, come or gone on disk (absolute paths).
    pub fn disk_changed(&self, paths: Vec<String>) -> ChangeId {
        self.inner.core.changes.push(HostChange::Disk(paths))
    }

    /// The ticket of the last change that any client has made.
    pub fn now(&self) -> ChangeId {
        self.inner.core.changes.now()
    }

    /// Waits until a change is shown; gives the revision that shows it.
    ///
    /// # Errors
    /// [`Stop::Deadline`], [`Stop::Failed`].
    pub fn wait(&self, ticket: ChangeId, deadline: Instant) -> Result<u64, RequestError> {
        in_flight::assert_outside();
        self.inner.core.wait(ticket, deadline)
    }

    /// Puts a question into its class's queue and returns at once. `question` is asked on a worker,
    /// again where a write interrupts it; `done` is called exactly once, on a worker or at once.
    /// Once [`RequestOptions::cancel`] is fired, `done` is called soon and the work ends within 50 ms. `done`
    /// hands the answer on and does not wait for anything: others wait on its thread.
    pub fn submit<T: Send + 'static>(
        &self,
        ask: RequestOptions,
        question: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
        done: impl FnOnce(Result<Response<T>, RequestError>) + Send + 'static,
    ) {
        in_flight::submit(&self.inner.core, ask, question, done);
    }

    /// As [`AnalysisHost::submit`], and waits. Panics (in debug builds) when called inside a question.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn ask<T: Send + 'static>(
        &self,
        ask: RequestOptions,
        question: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
    ) -> Result<Response<T>, RequestError> {
        in_flight::assert_outside();
        let (tell, told) = std::sync::mpsc::sync_channel(1);
        self.submit(ask, question, move |answer| {
            let _ = tell.send(answer);
        });
        // Whatever happens, `done` is called.
        told.recv().unwrap_or(Err(RequestError::Cancelled))
    }

    /// Figures for people: see spec, `stats --json`. What is not built is `null`.
    pub fn stats(&self) -> serde_json::Value {
        let mut stats = self.inner.core.stats();
        stats["watch"] = match &self.inner.watching {
            Some(watching) => watching.stats(),
            None => serde_json::Value::Null,
        };
        stats
    }
}
