//! The live database as its clients see it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use codeweft_db::{Lang, Language};
use codeweft_vfs::{ClientId, Document, Edit, EditError, Encoding};

use super::changes::HostChange;
use super::core::HostCore;
use super::follower::Follower;
use super::options::HostOptions;
use super::request::{ChangeId, RequestError, RequestOptions, Response};
use super::state::HostState;
use super::watch::HostWatch;
use super::{in_flight, prime, writer};
use crate::project::{LoadError, Snapshot, max_file_size};
use crate::settings::{CurrentSettings, LiveSettings};

/// The live database of one workspace. Cheap to clone; the last clone to go ends its threads.
#[derive(Clone)]
pub struct AnalysisHost {
    pub(super) inner: Arc<HostHandle>,
}

pub(super) struct HostHandle {
    pub(super) core: Arc<HostCore>,
    /// `None` if [`HostOptions::watch`] is off.
    pub(super) watching: Option<HostWatch>,
}

impl Drop for HostHandle {
    fn drop(&mut self) {
        self.core.end();
    }
}

impl AnalysisHost {
    /// Starts the threads and begins to load in the background. Returns at once.
    ///
    /// # Errors
    /// The root is no folder for a workspace, or the system cannot start a thread.
    pub fn start(options: HostOptions) -> Result<AnalysisHost, LoadError> {
        AnalysisHost::start_with(options, codeweft_graph::languages::ALL)
    }

    /// As [`AnalysisHost::start`], with settings that follow their file. [`HostOptions::settings`] are
    /// their values when it was read.
    ///
    /// # Errors
    /// As [`AnalysisHost::start`].
    pub fn start_live(
        options: HostOptions,
        settings: LiveSettings,
    ) -> Result<AnalysisHost, LoadError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let languages = codeweft_graph::languages::ALL;
        AnalysisHost::start_all(options, languages, cores, Some(settings))
    }

    /// As [`AnalysisHost::start`], for these languages instead of the built-in ones.
    ///
    /// # Errors
    /// As [`AnalysisHost::start`].
    pub fn start_with(
        options: HostOptions,
        languages: &'static [&'static dyn Language],
    ) -> Result<AnalysisHost, LoadError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        AnalysisHost::start_on(options, languages, cores)
    }

    /// As [`AnalysisHost::start_with`], with workers for this many cores.
    pub(super) fn start_on(
        options: HostOptions,
        languages: &'static [&'static dyn Language],
        cores: usize,
    ) -> Result<AnalysisHost, LoadError> {
        AnalysisHost::start_all(options, languages, cores, None)
    }

    fn start_all(
        options: HostOptions,
        languages: &'static [&'static dyn Language],
        cores: usize,
        settings: Option<LiveSettings>,
    ) -> Result<AnalysisHost, LoadError> {
        let root: Arc<str> = codeweft_vfs::explicit_root(&options.root)?.path.into();
        let threads = |error: std::io::Error| LoadError::Threads(error.to_string());
        let max_size = max_file_size(&options.settings);
        let applied = settings.as_ref().map(LiveSettings::current);
        let core = HostCore::new(root, languages, cores, max_size, settings).map_err(threads)?;
        let watching = HostWatch::start(&core, &options).map_err(threads)?;
        let inner = Arc::new(HostHandle { core, watching });
        inner.core.workers.start().map_err(threads)?;
        let applied = applied.unwrap_or_default();
        writer::start(inner.core.clone(), options, applied).map_err(threads)?;
        Ok(AnalysisHost { inner })
    }

    /// Lends every revision from now on to a follower, in the background.
    pub fn follow(&self, follower: Box<dyn Follower>) {
        let core = &self.inner.core;
        core.follower.set(follower);
        if core.gate.revision() > 0 {
            prime::start(core);
        }
    }

    /// Returns the languages that the host reads.
    pub fn languages(&self) -> impl Iterator<Item = Lang> + use<> {
        let languages = self.inner.core.languages.iter();
        languages.map(|language| language.lang())
    }

    /// Returns the root of the workspace, absolute.
    pub fn root(&self) -> &str {
        &self.inner.core.root
    }

    /// Returns how far loading is.
    pub fn state(&self) -> HostState {
        self.inner.core.state()
    }

    /// Returns the settings that apply to requests from now on: their file is read again if it has
    /// changed. Those of a host without a file are empty.
    pub fn settings(&self) -> Arc<CurrentSettings> {
        self.inner.core.look_at_settings();
        self.last_settings()
    }

    /// As [`AnalysisHost::settings`], when their file was last read; never waits for the disk.
    pub fn last_settings(&self) -> Arc<CurrentSettings> {
        let settings = self.inner.core.settings.as_ref();
        settings.map(LiveSettings::current).unwrap_or_default()
    }

    /// Returns eight hexadecimal digits that no other host has.
    pub fn instance(&self) -> &str {
        &self.inner.core.instance
    }

    /// Returns the number of effective changes so far.
    pub fn revision(&self) -> u64 {
        self.inner.core.gate.revision()
    }

    /// Registers a client by a name for people.
    pub fn connect(&self, name: &str) -> ClientId {
        self.inner.core.connect(name)
    }

    /// Removes a client: cancels its requests and closes its documents in one transaction.
    pub fn leave(&self, client: ClientId) -> ChangeId {
        let core = &self.inner.core;
        core.vfs.leave(client);
        core.disconnect(client);
        core.changes.push(HostChange::Left)
    }

    /// Opens a document of a client. `path` is absolute and normalised. Never waits for a write; neither do
    /// [`edit`](AnalysisHost::edit), [`save`](AnalysisHost::save) and [`close`](AnalysisHost::close).
    pub fn open(&self, client: ClientId, path: &str, version: i32, text: &str) -> ChangeId {
        let core = &self.inner.core;
        // The base text, read now if the load has not come to this file: an agent may write the file before
        // the load reads it.
        let base = if core.vfs.is_disk_known(path) {
            None
        } else {
            core.vfs.read(path).ok()
        };
        core.vfs.open_over(client, path, version, text, base);
        core.changes.push(HostChange::Opened(path.into()))
    }

    /// Edits a document of a client: edits in order, each in the text that the one before left.
    ///
    /// # Errors
    /// The document is not open, or a position is outside its text; nothing is changed then.
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

    /// Marks a document of a client as saved, and checks the file on disk.
    pub fn save(&self, client: ClientId, path: &str) -> ChangeId {
        let core = &self.inner.core;
        core.vfs.save(client, path);
        core.changes.push(HostChange::Disk(vec![path.to_owned()]))
    }

    /// Closes a document of a client.
    pub fn close(&self, client: ClientId, path: &str) -> ChangeId {
        let core = &self.inner.core;
        core.vfs.close(client, path);
        core.changes.push(HostChange::Document(path.into()))
    }

    /// Returns the client's own text of a document that it has open.
    pub fn document(&self, client: ClientId, path: &str) -> Option<Document> {
        self.inner.core.vfs.document(client, path)
    }

    /// Checks files and folders (absolute paths) that may have changed, come or gone on disk.
    pub fn disk_changed(&self, paths: Vec<String>) -> ChangeId {
        self.inner.core.changes.push(HostChange::Disk(paths))
    }

    /// Returns the id of the last change of any client.
    pub fn now(&self) -> ChangeId {
        self.inner.core.changes.now()
    }

    /// Waits until readers see a change; returns the revision that contains it.
    ///
    /// # Errors
    /// [`RequestError::Deadline`], [`RequestError::Loading`], [`RequestError::Failed`].
    pub fn wait(&self, change: ChangeId, deadline: Instant) -> Result<u64, RequestError> {
        in_flight::assert_outside();
        self.inner.core.wait(change, deadline)
    }

    /// Calls `then` once the workspace is loaded, or could not be: at once if that is so already, else on another
    /// thread. It is not called if the host ends before. `then` must not block.
    pub fn when_loaded(&self, then: impl FnOnce(&AnalysisHost) + Send + 'static) {
        let inner = Arc::downgrade(&self.inner);
        self.inner.core.when_loaded(Box::new(move || {
            if let Some(inner) = inner.upgrade() {
                then(&AnalysisHost { inner });
            }
        }));
    }

    /// Queues a request and returns at once. `query` runs on a worker, and again if a write cancels it;
    /// `done` is called exactly once, on a worker or at once.
    /// Once [`RequestOptions::cancel`] is fired, `done` is called soon and the work ends within 50 ms. `done`
    /// passes the response on and must not block: other requests wait for its thread.
    pub fn submit<T: Send + 'static>(
        &self,
        options: RequestOptions,
        query: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
        done: impl FnOnce(Result<Response<T>, RequestError>) + Send + 'static,
    ) {
        in_flight::submit(&self.inner.core, options, query, done);
    }

    /// As [`AnalysisHost::submit`], and waits. Panics in debug builds if called from inside a request.
    ///
    /// # Errors
    /// See [`RequestError`].
    pub fn ask<T: Send + 'static>(
        &self,
        options: RequestOptions,
        query: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
    ) -> Result<Response<T>, RequestError> {
        in_flight::assert_outside();
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        self.submit(options, query, move |answer| {
            let _ = sender.send(answer);
        });
        // `done` is called in every case.
        receiver.recv().unwrap_or(Err(RequestError::Cancelled))
    }

    /// Waits until texts that were lowered are in the cache, at most for `longest`: for a process that ends.
    pub fn flush_cache(&self, longest: Duration) {
        let tables = self.inner.core.figures.tables.get();
        if let Some(cache) = tables.and_then(|tables| tables.cache()) {
            cache.flush(longest);
        }
    }

    /// Returns statistics as `codeweft stats --json` prints them. Values that are not measured are `null`.
    pub fn stats(&self) -> serde_json::Value {
        let mut stats = self.inner.core.stats();
        stats["watch"] = match &self.inner.watching {
            Some(watching) => watching.stats(),
            None => serde_json::Value::Null,
        };
        stats
    }
}
