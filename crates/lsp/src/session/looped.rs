//! The loop of a connection: what each message does. It never reads the database, never waits for
//! an answer, and so hears a cancellation at once.

use std::time::Duration;

use codeweft_ide::{AnalysisHost, ChangeId, ClientId};
use lsp_server::{ErrorCode, Notification, Request, RequestId, ResponseError};
use lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, Registration,
    RegistrationParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Outgoing;
use super::loading::LoadProgress;
use super::pending::PendingRequests;
use crate::messages::{self, Incoming, error};
use crate::requests::{self, ClientSession, HostRequest, RequestPlan};
use crate::uri::{Paths, Spelling};
use crate::{NegotiatedCapabilities, initialize};

/// Files whose changes on disk a client is asked to tell of.
const WATCHED: [&str; 10] = [
    "**/*.go",
    "**/*.py",
    "**/*.pyi",
    "**/go.mod",
    "**/go.work",
    "**/pyproject.toml",
    "**/codeweft.toml",
    "**/.gitignore",
    "**/.ignore",
    "**/.codeweftignore",
];

/// Whether the connection goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoopOutcome {
    On,
    End,
}

/// Where a connection is in its life (LSP, "Lifecycle Messages").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lifecycle {
    /// Nothing has come yet.
    New,
    Served,
    /// `shutdown` was asked for.
    Shutdown,
}

/// One client. When it is dropped the client has left.
pub(super) struct MessageLoop {
    pub(super) host: AnalysisHost,
    pub(super) client: ClientId,
    pub(super) decided: NegotiatedCapabilities,
    pub(super) paths: Paths,
    pub(super) spelling: Spelling,
    /// The client's last change.
    last: ChangeId,
    pending: PendingRequests,
    outgoing: Outgoing,
    loading: LoadProgress,
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
        decided: &NegotiatedCapabilities,
        client_name: &str,
        outgoing: Outgoing,
    ) -> MessageLoop {
        MessageLoop {
            host: host.clone(),
            client: host.connect(client_name),
            decided: decided.clone(),
            paths: Paths::new(host.root()),
            spelling: Spelling::default(),
            last: ChangeId::default(),
            pending: PendingRequests::default(),
            outgoing,
            loading: LoadProgress::new(host.instance()),
            life: Lifecycle::New,
        }
    }

    /// The client has made a change.
    pub(super) fn made(&mut self, ticket: ChangeId) {
        self.last = self.last.max(ticket);
    }

    /// How long to wait for a message before [`MessageLoop::look`].
    pub(super) fn pause(&self) -> Duration {
        self.loading.pause()
    }

    /// Tells of the load, where something is new.
    pub(super) fn look(&mut self) {
        self.loading.look(&self.host.state(), &self.outgoing);
    }

    /// A message has come.
    pub(super) fn hear(&mut self, message: Incoming) -> LoopOutcome {
        let first = self.life == Lifecycle::New;
        if first {
            self.life = Lifecycle::Served;
        }
        match message {
            Incoming::Request(request) => self.request(request, first),
            Incoming::Notification(notification) => return self.notification(notification),
            Incoming::Response(response) => {
                // Ours are strings; another one answers nothing.
                if let Ok(Value::String(id)) = serde_json::to_value(&response.id) {
                    let agreed = response.response_result.is_ok();
                    let state = self.host.state();
                    self.loading.answered(&id, agreed, &state, &self.outgoing);
                }
            }
            Incoming::Bad(id, error) => self.outgoing.say(&messages::refusal(&id, &error)),
        }
        LoopOutcome::On
    }

    fn answer(&self, id: &RequestId, result: Result<String, ResponseError>) {
        self.outgoing.say(&messages::answer(id, result));
    }

    fn request(&mut self, request: Request, first: bool) {
        let Request { id, method, params } = request;
        let refuse = |words: &str| Err(error(ErrorCode::InvalidRequest, words));
        match method.as_str() {
            _ if self.life == Lifecycle::Shutdown => {
                self.answer(&id, refuse("there was a shutdown"));
            }
            "initialize" if first => {
                let (result, decided) = initialize(&params);
                self.decided = decided;
                self.answer(&id, Ok(result.to_string()));
            }
            "initialize" => self.answer(&id, refuse("there was an initialize")),
            "shutdown" => {
                self.life = Lifecycle::Shutdown;
                self.loading.end(&self.outgoing);
                self.answer(&id, Ok("null".to_owned()));
            }
            _ => self.question(id, &method, params),
        }
    }

    fn question(&mut self, id: RequestId, method: &str, params: Value) {
        let asker = ClientSession {
            host: &self.host,
            client: self.client,
            decided: &self.decided,
            paths: &self.paths,
            spelling: &self.spelling,
        };
        match requests::plan(method, params, &asker) {
            None => {
                let words = format!("no method of ours: {}", short(method));
                self.answer(&id, Err(error(ErrorCode::MethodNotFound, words)));
            }
            Some(Err(refusal)) => self.answer(&id, Err(refusal)),
            Some(Ok(RequestPlan::Answer(result))) => self.answer(&id, Ok(result)),
            Some(Ok(RequestPlan::Ask(question))) => self.ask(id, question),
        }
    }

    fn ask(&mut self, id: RequestId, question: HostRequest) {
        let ask = question.ask(self.client, self.last);
        if !self.pending.begin(&id, ask.cancel.clone()) {
            let words = "a request with this id is not answered yet";
            self.answer(&id, Err(error(ErrorCode::InvalidRequest, words)));
            return;
        }
        let (pending, outgoing) = (self.pending.clone(), self.outgoing.clone());
        let done = Box::new(move |result| {
            if pending.take(&id).is_some() {
                outgoing.say(&messages::answer(&id, result));
            }
        });
        question.submit(&self.host, ask, done);
    }

    fn notification(&mut self, notification: Notification) -> LoopOutcome {
        let Notification { method, params } = notification;
        match method.as_str() {
            "exit" => return LoopOutcome::End,
            "initialized" => self.initialized(),
            "$/cancelRequest" => self.cancel(&params),
            "textDocument/didOpen" => {
                if let Some(params) = read(&method, params) {
                    self.opened(params);
                }
            }
            "textDocument/didChange" => {
                if let Some(params) = read(&method, params) {
                    self.changed(params);
                }
            }
            "textDocument/didSave" => {
                if let Some(params) = read(&method, params) {
                    self.saved(&params);
                }
            }
            "textDocument/didClose" => {
                if let Some(params) = read(&method, params) {
                    self.closed(&params);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Some(params) = read(&method, params) {
                    self.files_changed(&params);
                }
            }
            // Ours to ignore, as the protocol has it ("Notifications and Requests Starting With
            // '$/'"), or nothing that we offered.
            _ => {}
        }
        LoopOutcome::On
    }

    fn initialized(&mut self) {
        if self.decided.watches {
            let watchers = WATCHED.map(|pattern| FileSystemWatcher {
                glob_pattern: GlobPattern::Pattern(pattern.to_owned()),
                kind: None,
            });
            let options = DidChangeWatchedFilesRegistrationOptions {
                watchers: watchers.to_vec(),
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
            self.outgoing.say(&request);
        }
        self.loading.allow(self.decided.progress);
    }

    fn cancel(&mut self, params: &Value) {
        let Some(id) = params.get("id").and_then(messages::request_id) else {
            return;
        };
        // One that is answered, or that never was, is nothing to cancel.
        if let Some(cancel) = self.pending.take(&id) {
            let words = error(ErrorCode::RequestCanceled, "cancelled");
            self.answer(&id, Err(words));
            cancel.cancel();
        }
    }
}

fn read<P: DeserializeOwned>(method: &str, params: Value) -> Option<P> {
    serde_json::from_value(params)
        .inspect_err(|wrong| complain(&format!("{method}: {wrong}")))
        .ok()
}

/// A name of a client, for a message.
fn short(name: &str) -> String {
    name.chars().take(100).collect()
}

/// A line on stderr.
pub(super) fn complain(words: &str) {
    eprintln!("codeweft lsp: {words}");
}
