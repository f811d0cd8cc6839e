//! What passed between the client and one server and is not finished: requests without an answer, and
//! progress that was begun.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lsp_server::{ErrorCode, RequestId};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::messages::{self, error};

/// The number of servers that a request is sent to. One that every server ended under is answered
/// with an error: it may be what ends them.
const MAX_SERVERS: u8 = 2;

/// The number of files with definitions that are remembered.
const MAX_DEFINING: usize = 1000;

/// The part of a forwarded message that is parsed.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageHead {
    id: Option<Value>,
    method: Option<String>,
}

impl MessageHead {
    /// Reads the head of a message; empty if it is none.
    pub(super) fn of(content: &[u8]) -> MessageHead {
        serde_json::from_slice(content).unwrap_or_default()
    }

    /// Returns the method; empty if there is none.
    pub(super) fn method(&self) -> &str {
        self.method.as_deref().unwrap_or_default()
    }

    /// Returns whether the message has a method, which may be empty: it is a request or a notification.
    pub(super) fn has_method(&self) -> bool {
        self.method.is_some()
    }

    /// Returns the id if the message is a request.
    pub(super) fn request(&self) -> Option<RequestId> {
        self.method.as_ref()?;
        messages::request_id(self.id.as_ref()?)
    }

    /// Returns the id if the message is an answer.
    pub(super) fn answer(&self) -> Option<&Value> {
        match self.method {
            Some(_) => None,
            None => self.id.as_ref(),
        }
    }
}

/// A request of the client.
struct ClientRequest {
    id: RequestId,
    content: Vec<u8>,
    /// The number of processes that it was sent to.
    servers: u8,
    cancelled: bool,
}

/// What happens to a message of the server.
pub(super) enum ServerMessage {
    /// The client gets it.
    Forward(Vec<u8>),
    /// The server gets this answer, and the client nothing.
    Answer(Vec<u8>),
    /// Neither gets anything now.
    Nothing,
}

/// What happens to an answer of the client.
pub(super) enum ClientAnswer {
    /// It answers no request of this server.
    Unknown,
    /// It answers a process that has ended.
    Orphaned,
    /// The server gets it as it is.
    Unchanged,
    /// The server gets it under its own id.
    Renamed(Vec<u8>),
}

/// The unfinished exchange with one server.
#[derive(Default)]
pub(super) struct Traffic {
    /// What the ids and tokens that the server makes begin with at the client; empty for the first
    /// server, whose are not renamed.
    prefix: String,
    /// The client's requests, by order.
    requests: BTreeMap<u64, ClientRequest>,
    orders: HashMap<RequestId, u64>,
    last: u64,
    /// The ids of the server's requests: as the client has them, and as the server has.
    server_requests: HashMap<String, Value>,
    /// The ids of requests of processes that have ended; the client's answers are dropped.
    orphaned: BTreeSet<String>,
    /// The tokens of progress that the server has created, as it has them.
    tokens: BTreeSet<String>,
    /// The tokens of progress that was begun and not ended, as the client has them.
    progress: BTreeSet<String>,
    /// The URIs of files in which the server has found definitions.
    defining: BTreeSet<String>,
    /// The instances of the server that made hierarchy items.
    instances: BTreeSet<String>,
}

impl Traffic {
    /// Returns nothing unfinished, for the server with this number.
    pub(super) fn of(server: usize) -> Traffic {
        let prefix = match server {
            0 => String::new(),
            number => format!("codeweft-folder-{number}/"),
        };
        Traffic {
            prefix,
            ..Traffic::default()
        }
    }

    /// Records a request that the client sends to the server.
    pub(super) fn request(&mut self, id: &RequestId, content: &[u8]) {
        if self.has(id) {
            return;
        }
        self.last += 1;
        self.orders.insert(id.clone(), self.last);
        let request = ClientRequest {
            id: id.clone(),
            content: content.to_owned(),
            servers: 1,
            cancelled: false,
        };
        self.requests.insert(self.last, request);
    }

    /// Returns whether a request of the client has no answer.
    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.orders.contains_key(id)
    }

    /// Records that the client cancels a request.
    pub(super) fn cancel(&mut self, id: &RequestId) {
        let order = self.orders.get(id);
        if let Some(request) = order.and_then(|order| self.requests.get_mut(order)) {
            request.cancelled = true;
        }
    }

    /// Records an answer of the client. `name` is its id as text.
    pub(super) fn client_answer(&mut self, name: &str, id: &Value, content: &[u8]) -> ClientAnswer {
        match self.server_requests.remove(name) {
            Some(servers) if servers == *id => ClientAnswer::Unchanged,
            Some(servers) => match with_value(content, "/id", servers) {
                Some(renamed) => ClientAnswer::Renamed(renamed),
                None => ClientAnswer::Unchanged,
            },
            None if self.orphaned.remove(name) => ClientAnswer::Orphaned,
            None => ClientAnswer::Unknown,
        }
    }

    /// Returns the ids, as the client has them, of requests that it has not answered.
    pub(super) fn into_server_requests(self) -> impl Iterator<Item = String> {
        self.server_requests.into_keys().chain(self.orphaned)
    }

    /// Records a request or a notification of the server. `registered` are the registrations that the
    /// client was requested to make.
    pub(super) fn server_message(
        &mut self,
        head: &MessageHead,
        mut content: Vec<u8>,
        registered: &mut Vec<(Value, Value)>,
    ) -> ServerMessage {
        if head.method() == "$/progress" {
            content = self.with_client_token(content);
            self.progress(&content);
            return ServerMessage::Forward(content);
        }
        let Some(id) = head.id.clone() else {
            return ServerMessage::Forward(content);
        };
        if head.method() == "client/registerCapability" {
            let new = registrations(&content);
            if !new.is_empty() && new.iter().all(|one| registered.contains(one)) {
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": null});
                return ServerMessage::Answer(answer.to_string().into_bytes());
            }
            registered.extend(new);
        }
        if head.method() == "window/workDoneProgress/create" {
            self.tokens.extend(token_of(&content));
            content = self.with_client_token(content);
        }
        let client_id = self.client_id(&id);
        if client_id != id {
            content = with_value(&content, "/id", client_id.clone()).unwrap_or(content);
        }
        self.server_requests.insert(client_id.to_string(), id);
        ServerMessage::Forward(content)
    }

    /// Returns the id under which the client gets a request of the server.
    fn client_id(&self, id: &Value) -> Value {
        let is_used = |id: &Value| {
            let name = id.to_string();
            self.orphaned.contains(&name) || self.server_requests.contains_key(&name)
        };
        let own = match self.prefix.as_str() {
            "" => id.clone(),
            prefix => Value::from(format!("{prefix}{id}")),
        };
        // The client may still answer an earlier process's request of this id.
        if !self.orphaned.contains(&own.to_string()) {
            return own;
        }
        let mut number = self.orphaned.len() + self.server_requests.len();
        loop {
            let id = Value::from(format!("{}codeweft/{number}", self.prefix));
            if !is_used(&id) {
                return id;
            }
            number += 1;
        }
    }

    /// Returns the message with the token as the client has it, if the server created it.
    fn with_client_token(&self, content: Vec<u8>) -> Vec<u8> {
        if self.prefix.is_empty() {
            return content;
        }
        let token = token_of(&content).filter(|token| self.tokens.contains(token));
        let renamed = token.and_then(|token| {
            let token = Value::from(format!("{}{token}", self.prefix));
            with_value(&content, "/params/token", token)
        });
        renamed.unwrap_or(content)
    }

    /// Records what the answer to a request has of the server: its instance, in hierarchy items, and
    /// the files in which definitions are.
    pub(super) fn note_answer(&mut self, id: &RequestId, content: &[u8]) {
        let order = self.orders.get(id);
        let Some(request) = order.and_then(|order| self.requests.get(order)) else {
            return;
        };
        match MessageHead::of(&request.content).method() {
            "textDocument/definition" | "textDocument/declaration" => {
                if self.defining.len() >= MAX_DEFINING {
                    self.defining.clear();
                }
                self.defining.extend(located_files(content));
            }
            method if method.contains("Hierarchy") => {
                self.instances.extend(instance_of(content));
            }
            _ => {}
        }
    }

    /// Returns whether the server has answered with a definition in this file.
    pub(super) fn has_defined_in(&self, uri: &str) -> bool {
        self.defining.contains(uri)
    }

    /// Returns whether the server made hierarchy items under this instance.
    pub(super) fn is_instance(&self, instance: &str) -> bool {
        self.instances.contains(instance)
    }

    fn progress(&mut self, content: &[u8]) {
        let message: Value = serde_json::from_slice(content).unwrap_or_default();
        let token = token_of(content);
        let kind = message
            .pointer("/params/value/kind")
            .and_then(Value::as_str);
        match (token, kind) {
            (Some(token), Some("begin")) => {
                self.progress.insert(token);
            }
            (Some(token), Some("end")) => {
                self.progress.remove(&token);
            }
            _ => {}
        }
    }

    /// Takes a request of the client, which is then answered. Returns whether it was unanswered.
    pub(super) fn take(&mut self, id: &RequestId) -> bool {
        let order = self.orders.remove(id);
        order.is_some_and(|order| self.requests.remove(&order).is_some())
    }

    /// Takes the end of the server into account. Returns the ends of the progress that it had begun,
    /// and the requests that no other process of it gets, with their answers.
    pub(super) fn server_ended(&mut self) -> (Vec<String>, Vec<(RequestId, String)>) {
        let orphaned = std::mem::take(&mut self.server_requests);
        self.orphaned.extend(orphaned.into_keys());
        let ended = std::mem::take(&mut self.progress).into_iter();
        let ended = ended
            .filter_map(|token| serde_json::from_str::<Value>(&token).ok())
            .map(|token| {
                let params = json!({"token": token, "value": {"kind": "end"}});
                messages::notification("$/progress", &params)
            })
            .collect();
        self.tokens.clear();
        let mut answered = Vec::new();
        for request in self.requests.values_mut() {
            let refusal = if request.cancelled {
                error(ErrorCode::RequestCanceled, "cancelled")
            } else if request.servers >= MAX_SERVERS {
                let words = "the server ended while it answered this, and so did the next one";
                error(ErrorCode::RequestFailed, words)
            } else {
                request.servers += 1;
                continue;
            };
            let answer = messages::answer(&request.id, Err(refusal));
            answered.push((request.id.clone(), answer));
        }
        for (id, _) in &answered {
            self.take(id);
        }
        (ended, answered)
    }

    /// Returns the requests without an answer, in order.
    pub(super) fn unanswered(&self) -> Vec<Vec<u8>> {
        let requests = self.requests.values();
        requests.map(|request| request.content.clone()).collect()
    }

    /// As [`Traffic::unanswered`], their ids and methods.
    pub(super) fn unanswered_heads(&self) -> Vec<(RequestId, String)> {
        let method = |content: &[u8]| MessageHead::of(content).method().to_owned();
        let requests = self.requests.values();
        requests
            .map(|request| (request.id.clone(), method(&request.content)))
            .collect()
    }
}

/// Returns the id of the request that a `$/cancelRequest` cancels.
pub(super) fn cancelled_request(content: &[u8]) -> Option<RequestId> {
    let message: Value = serde_json::from_slice(content).ok()?;
    messages::request_id(message.pointer("/params/id")?)
}

/// Returns the message with another value at a JSON pointer.
fn with_value(content: &[u8], pointer: &str, value: Value) -> Option<Vec<u8>> {
    let mut message: Value = serde_json::from_slice(content).ok()?;
    *message.pointer_mut(pointer)? = value;
    serde_json::to_vec(&message).ok()
}

/// Returns the token of progress in a message, as text.
fn token_of(content: &[u8]) -> Option<String> {
    let message: Value = serde_json::from_slice(content).ok()?;
    message.pointer("/params/token").map(Value::to_string)
}

/// Returns the files of the locations in an answer.
fn located_files(content: &[u8]) -> Vec<String> {
    let answer: Value = serde_json::from_slice(content).unwrap_or_default();
    let locations = match answer.get("result") {
        Some(Value::Array(locations)) => locations.as_slice(),
        Some(location) => std::slice::from_ref(location),
        None => &[],
    };
    let uris = locations
        .iter()
        .filter_map(|location| location.get("uri")?.as_str());
    uris.map(str::to_owned).collect()
}

/// Returns the instance in the data of the first hierarchy item of an answer, whose other parts are
/// not read.
fn instance_of(content: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(content).ok()?;
    let (_, rest) = text.split_once(r#""instance":""#)?;
    let (instance, _) = rest.split_once('"')?;
    Some(instance.to_owned())
}

/// Returns the method and the options of each registration.
fn registrations(content: &[u8]) -> Vec<(Value, Value)> {
    let message: Value = serde_json::from_slice(content).unwrap_or_default();
    let list = message.pointer("/params/registrations");
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.map(|one| (one["method"].clone(), one["registerOptions"].clone()))
        .collect()
}
