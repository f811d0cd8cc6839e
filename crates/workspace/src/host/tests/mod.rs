//! The analysis host on small workspaces, with exact interleavings.

mod cancelling;
mod change_impact;
mod disk;
mod fixture;
mod follower;
mod idle;
mod large;
mod libraries;
mod retrying;
mod scheduling;
mod serving;
mod settings;
mod stress;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use codeweft_db::{File, Shared};
use codeweft_graph::answer::{GraphRequest, GraphResponse, Operation};
use codeweft_vfs::{ClientId, Edit, Encoding};

use super::{
    AnalysisHost, ChangeId, HostOptions, Priority, RequestError, RequestOptions, Response,
};
use crate::project::Snapshot;
use fixture::Hooks;

pub(super) const A: &str =
    "package a\n\nfunc X(n int) int { return y(n) }\n\nfunc y(n int) int { return n }\n";
pub(super) const B: &str =
    "package b\n\nimport \"m/a\"\n\nfunc Call() { a.X(1) }\n\nfunc Other() {}\n";

/// Long enough for any test that does not fail.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A workspace of two packages on disk, and its host.
pub(super) struct Live {
    pub host: AnalysisHost,
    pub folder: tempfile::TempDir,
    pub client: ClientId,
}

impl Live {
    pub fn new() -> Live {
        let live = Live::loading(&[("a/a.go", A), ("b/b.go", B)]);
        live.ready();
        live
    }

    /// Returns a workspace with these files, which is being loaded.
    pub fn loading(files: &[(&str, &str)]) -> Live {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(folder.path(), "go.mod", "module m\n\ngo 1.24\n");
        for (path, text) in files {
            write(folder.path(), path, text);
        }
        Live::of(AnalysisHost::start(options(folder.path())), folder)
    }

    /// Returns a workspace whose host answers on so many cores.
    pub fn on_cores(cores: usize) -> Live {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(folder.path(), "go.mod", "module m\n\ngo 1.24\n");
        write(folder.path(), "a/a.go", A);
        write(folder.path(), "b/b.go", B);
        let live = Live::of(
            AnalysisHost::start_on(
                options(folder.path()),
                codeweft_graph::languages::ALL,
                cores,
            ),
            folder,
        );
        live.ready();
        live
    }

    fn of(host: Result<AnalysisHost, crate::LoadError>, folder: tempfile::TempDir) -> Live {
        let host = host.expect("a workspace");
        let client = host.connect("test");
        Live {
            host,
            folder,
            client,
        }
    }

    /// Waits until it is loaded.
    pub fn ready(&self) {
        let visible = self.host.wait(ChangeId(0), Instant::now() + PATIENCE);
        visible.expect("loaded");
    }

    pub fn path(&self, path: &str) -> String {
        format!("{}/{path}", self.host.root())
    }

    pub fn write(&self, path: &str, text: &str) {
        write(self.folder.path(), path, text);
    }

    pub fn ask(&self, class: Priority) -> RequestOptions {
        RequestOptions::new(self.client, class, self.host.now(), PATIENCE)
    }

    /// Replaces the whole text of an open document.
    pub fn change(&self, path: &str, text: &str) -> ChangeId {
        let edits = [Edit {
            range: None,
            text: text.to_owned(),
        }];
        let path = self.path(path);
        let edited = self
            .host
            .edit(self.client, &path, 2, &edits, Encoding::Utf16);
        edited.expect("it is open")
    }

    pub fn open(&self, path: &str, text: &str) -> ChangeId {
        self.host.open(self.client, &self.path(path), 1, text)
    }

    /// Submits a request; its answer is received once it is there.
    pub fn submit<T: Send + 'static>(
        &self,
        ask: RequestOptions,
        question: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
    ) -> Receiver<Result<Response<T>, RequestError>> {
        let (sender, receiver) = channel();
        self.host.submit(ask, question, move |answer| {
            let _ = sender.send(answer);
        });
        receiver
    }

    /// Returns the tables beside the database, with the hooks of the fixture's queries.
    pub fn tables(&self) -> Arc<Shared> {
        let tables = |snapshot: &Snapshot<'_>| snapshot.db.tables().clone();
        let ask = self.ask(Priority::Editor);
        self.host.ask(ask, tables).expect("an answer").value
    }

    /// Waits until no request is queued or runs.
    pub fn idle(&self) {
        while !self.host.inner.core.requests().is_empty() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn callers(&self, target: &str) -> Result<String, RequestError> {
        let request = GraphRequest::new(Operation::Callers, target);
        let answer = self.host.ask(self.ask(Priority::Agent), move |snapshot| {
            let request = request.clone().check().expect("a request");
            let response = snapshot.graph(&request).expect("an answer");
            let ids: Vec<String> = response
                .results
                .into_iter()
                .map(|result| result.node.id)
                .collect();
            ids.join(" ")
        })?;
        Ok(answer.value)
    }
}

/// Returns the hooks of a database.
pub(super) fn hooks(tables: &Shared) -> &Hooks {
    tables.language_tables.get()
}

/// Returns a file of the snapshot, by its path below the root.
pub(super) fn file(snapshot: &Snapshot<'_>, path: &str) -> File {
    let path = format!("{}/{path}", snapshot.state.root);
    snapshot.state.files.get(path.as_str()).expect("known").file
}

/// Returns an answer without its metadata as text.
pub(super) fn printed(answer: Result<GraphResponse, String>) -> String {
    match answer {
        Ok(mut response) => {
            response.metadata = Default::default();
            serde_json::to_string(&response).expect("JSON")
        }
        Err(words) => words,
    }
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

pub(super) fn options(folder: &Path) -> HostOptions {
    HostOptions {
        root: folder.to_owned(),
        settings: BTreeMap::new(),
        variables: Some(BTreeMap::from([
            ("GOOS".to_owned(), "linux".to_owned()),
            ("GOARCH".to_owned(), "amd64".to_owned()),
        ])),
        threads: 2,
        watch: false,
        cache: None,
        cookies: None,
    }
}
