//! The loop of a connection, which handles one message at a time. It never reads the database and
//! never waits for an answer, so that a cancellation is handled at once.

use std::time::Duration;

use codeweft_workspace::{
    AnalysisHost, ChangeId, ClientId, HostState, Lang, RequestCancellation, RequestError,
};
use lsp_server::{ErrorCode, Notification, Request, RequestId, ResponseError};
use lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType,
    Registration, RegistrationParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Outgoing;
use super::loading::LoadProgress;
use super::pending::PendingRequests;
use crate::messages::{self, Incoming, error};
use crate::requests::{self, ClientSession, HostRequest, RequestPlan};
use crate::uri::{ClientUris, Paths};
use crate::{NegotiatedCapabilities, REPLAYED, initialize};

/// The maximum number of requests that wait for the load; the host takes no more of one client at once.
const MAX_WAITING: usize = 32;

/// The names of files of no language whose changes on disk the client is requested to report.
const WATCHED: [&str; 4] = ["codeweft.toml", ".gitignore", ".ignore", ".codeweftignore"];

/// Returns the glob patterns of the files whose changes on disk the client is requested to report.
fn watched(languages: impl Iterator<Item = Lang>) -> Vec<String> {
    let (mut patterns, mut project_files) = (Vec::new(), Vec::new());
    for lang in languages {
        let extensions = lang.extensions.iter();
        patterns.extend(extensions.map(|extension| format!("**/*.{extension}")));
        project_files.extend_from_slice(lang.project_files);
    }
    project_files.sort_unstable();
    let files = project_files.into_iter().chain(WATCHED);
    patterns.extend(files.map(|name| format!("**/{name}")));
    patterns
}

/// Whether the connection continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoopOutcome {
    On,
    /// The client's documents are as another server had them.
    Replayed,
    End,
}

/// The state of a connection (LSP, "Lifecycle Messages").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lifecycle {
    /// No message has come yet.
    New,
    Served,
    /// `shutdown` was requested.
    Shutdown,
}

/// The state of one client's connection. Dropping it disconnects the client from the host.
pub(super) struct MessageLoop {
    pub(super) host: AnalysisHost,
    pub(super) client: ClientId,
    pub(super) capabilities: NegotiatedCapabilities,
    pub(super) paths: Paths,
    pub(super) client_uris: ClientUris,
    /// The id of the client's last change.
    last: ChangeId,
    pending: PendingRequests,
    outgoing: Outgoing,
    loading: LoadProgress,
    /// The last warning about the settings that was sent to the client.
    last_warning: Option<String>,
    life: Lifecycle,
}

impl Drop for MessageLoop {
    fn drop(&mut self) {
        self.pending.cancel_all();
        self.host.leave(self.client);
    }
}

impl MessageLoop {
    pub(super) fn new(
        host: &AnalysisHost,
        capabilities: &NegotiatedCapabilities,
        client_name: &str,
        outgoing: Outgoing,
    ) -> MessageLoop {
        MessageLoop {
            host: host.clone(),
            client: host.connect(client_name),
            capabilities: capabilities.clone(),
            paths: Paths::new(host.root()),
            client_uris: ClientUris::default(),
            last: ChangeId::default(),
            pending: PendingRequests::default(),
            outgoing,
            loading: LoadProgress::new(host.instance()),
            last_warning: None,
            life: Lifecycle::New,
        }
    }

    /// Records a change of the client.
    pub(super) fn record_change(&mut self, change: ChangeId) {
        self.last = self.last.max(change);
    }

    /// Makes the client's next requests wait for all changes so far, those of other clients too.
    pub(super) fn wait_for_all_changes(&mut self) {
        self.record_change(self.host.now());
    }

    /// Returns the time to wait for a message before [`MessageLoop::poll`].
    pub(super) fn poll_interval(&self) -> Duration {
        self.loading.poll_interval()
    }

    /// Reports the loading of the workspace, and a wrong file of settings, if there is something new.
    pub(super) fn poll(&mut self) {
        self.loading.poll(&self.host.state(), &self.outgoing);
        if self.life != Lifecycle::Served {
            return;
        }
        let current = self.host.last_settings();
        let words = current.warning.as_ref().map(|warning| &warning.words);
        if words != self.last_warning.as_ref() {
            self.last_warning = words.cloned();
            if let Some(words) = words {
                let message = format!("codeweft: {words}");
                self.outgoing
                    .send(&messages::show_message(MessageType::Warning, &message));
            }
        }
    }

    /// Handles a message.
    pub(super) fn handle(&mut self, message: Incoming) -> LoopOutcome {
        let first = self.life == Lifecycle::New;
        if first {
            self.life = Lifecycle::Served;
        }
        match message {
            Incoming::Request(request) => self.request(request, first),
            Incoming::Notification(notification) => return self.notification(notification),
            Incoming::Response(response) => {
                // Ids of the server are strings; any other answers no request.
                if let Ok(Value::String(id)) = serde_json::to_value(&response.id) {
                    let agreed = response.response_result.is_ok();
                    let state = self.host.state();
                    self.loading.answered(&id, agreed, &state, &self.outgoing);
                }
            }
            Incoming::Bad(id, error) => self.outgoing.send(&messages::refusal(&id, &error)),
        }
        LoopOutcome::On
    }

    fn answer(&self, id: &RequestId, result: Result<String, ResponseError>) {
        self.outgoing.send(&messages::answer(id, result));
    }

    fn request(&mut self, request: Request, first: bool) {
        let Request { id, method, params } = request;
        let refuse = |words: &str| Err(error(ErrorCode::InvalidRequest, words));
        match method.as_str() {
            _ if self.life == Lifecycle::Shutdown => {
                self.answer(&id, refuse("there was a shutdown"));
            }
            "initialize" if first => {
                let (result, capabilities) = initialize(&params);
                self.capabilities = capabilities;
                self.answer(&id, Ok(result.to_string()));
            }
            "initialize" => self.answer(&id, refuse("there was an initialize")),
            "shutdown" => {
                self.life = Lifecycle::Shutdown;
                self.loading.end(&self.outgoing);
                self.answer(&id, Ok("null".to_owned()));
            }
            _ => self.plan(id, &method, params),
        }
    }

    fn plan(&mut self, id: RequestId, method: &str, params: Value) {
        let session = ClientSession {
            host: &self.host,
            client: self.client,
            capabilities: &self.capabilities,
            paths: &self.paths,
            client_uris: &self.client_uris,
        };
        match requests::plan(method, params, &session) {
            None => {
                let words = format!("no method of ours: {}", short(method));
                self.answer(&id, Err(error(ErrorCode::MethodNotFound, words)));
            }
            Some(Err(refusal)) => self.answer(&id, Err(refusal)),
            Some(Ok(RequestPlan::Answer(result))) => self.answer(&id, Ok(result)),
            Some(Ok(RequestPlan::Query(query))) => self.submit(id, query),
        }
    }

    fn submit(&mut self, id: RequestId, query: HostRequest) {
        let loading = matches!(self.host.state(), HostState::Loading(_));
        if loading && self.pending.len() >= MAX_WAITING {
            let words = RequestError::Full.to_string();
            self.answer(&id, Err(error(ErrorCode::ServerCancelled, words)));
            return;
        }
        let cancel = RequestCancellation::default();
        if !self.pending.begin(&id, cancel.clone()) {
            let words = "a request with this id is not answered yet";
            self.answer(&id, Err(error(ErrorCode::InvalidRequest, words)));
            return;
        }
        let (pending, outgoing) = (self.pending.clone(), self.outgoing.clone());
        let done = Box::new(move |result| {
            if pending.take(&id).is_some() {
                outgoing.send(&messages::answer(&id, result));
            }
        });
        let (client, after) = (self.client, self.last);
        self.host.when_loaded(move |host| {
            if !cancel.is_cancelled() {
                let options = query.options(client, after, cancel);
                query.submit(host, options, done);
            }
        });
    }

    fn notification(&mut self, notification: Notification) -> LoopOutcome {
        let Notification { method, params } = notification;
        match method.as_str() {
            "exit" => return LoopOutcome::End,
            REPLAYED => return LoopOutcome::Replayed,
            "initialized" => self.initialized(),
            "$/cancelRequest" => self.cancel(&params),
            "textDocument/didOpen" => {
                if let Some(params) = read(&method, params) {
                    self.did_open(params);
                }
            }
            "textDocument/didChange" => {
                if let Some(params) = read(&method, params) {
                    self.did_change(params);
                }
            }
            "textDocument/didSave" => {
                if let Some(params) = read(&method, params) {
                    self.did_save(&params);
                }
            }
            "textDocument/didClose" => {
                if let Some(params) = read(&method, params) {
                    self.did_close(&params);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Some(params) = read(&method, params) {
                    self.did_change_watched_files(&params);
                }
            }
            // `$/` notifications may be ignored (LSP, "Notifications and Requests Starting With
            // '$/'"); others are not offered.
            _ => {}
        }
        LoopOutcome::On
    }

    fn initialized(&mut self) {
        if self.capabilities.watches {
            let patterns = watched(self.host.languages()).into_iter();
            let watchers = patterns.map(|pattern| FileSystemWatcher {
                glob_pattern: GlobPattern::Pattern(pattern),
                kind: None,
            });
            let options = DidChangeWatchedFilesRegistrationOptions {
                watchers: watchers.collect(),
            };
            let id = format!("codeweft/{}/watched", self.host.instance());
            let params = RegistrationParams {
                registrations: vec![Registration {
                    id: id.clone(),
                    method: "workspace/didChangeWatchedFiles".to_owned(),
                    register_options: Some(json!(options)),
                }],
            };
            let request = messages::request(&id, "client/registerCapability", &params);
            self.outgoing.send(&request);
        }
        self.loading.client_initialized(self.capabilities.progress);
    }

    fn cancel(&mut self, params: &Value) {
        let Some(id) = params.get("id").and_then(messages::request_id) else {
            return;
        };
        // A request that is answered, or unknown, needs no cancellation.
        if let Some(cancel) = self.pending.take(&id) {
            let words = error(ErrorCode::RequestCanceled, "cancelled");
            self.answer(&id, Err(words));
            cancel.cancel();
        }
    }
}

fn read<P: DeserializeOwned>(method: &str, params: Value) -> Option<P> {
    serde_json::from_value(params)
        .inspect_err(|wrong| log_error(&format!("{method}: {wrong}")))
        .ok()
}

/// Returns a client's name cut for a message.
fn short(name: &str) -> String {
    name.chars().take(100).collect()
}

/// Writes a line to standard error.
pub(super) fn log_error(words: &str) {
    eprintln!("codeweft lsp: {words}");
}
