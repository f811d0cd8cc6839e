//! What passed between the client and the server and is not finished: requests without an answer,
//! registrations, and progress that was begun.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lsp_server::{ErrorCode, RequestId};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::messages::{self, error};

/// The number of servers that a request is sent to. One that every server ended under is answered
/// with an error: it may be what ends them.
const MAX_SERVERS: u8 = 2;

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

    /// Returns the id if the message is a request.
    fn request(&self) -> Option<RequestId> {
        self.method.as_ref()?;
        messages::request_id(self.id.as_ref()?)
    }

    /// Returns the id if the message is an answer.
    fn answer(&self) -> Option<&Value> {
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
    /// The number of servers that it was sent to.
    servers: u8,
    cancelled: bool,
}

/// What happens to a message of the server.
pub(super) enum ServerMessage {
    /// The client gets it.
    Forward(Vec<u8>),
    /// The server gets this answer, and the client nothing.
    Answer(Vec<u8>),
}

/// The unfinished exchange.
#[derive(Default)]
pub(super) struct Traffic {
    /// The client's requests, by order.
    requests: BTreeMap<u64, ClientRequest>,
    orders: HashMap<RequestId, u64>,
    last: u64,
    /// The ids of the server's requests: as the client has them, and as the server has.
    server_requests: HashMap<String, Value>,
    /// The ids of requests of servers that have ended; the client's answers are dropped.
    orphaned: BTreeSet<String>,
    /// The registrations that the client was requested to make: method and options.
    registered: Vec<(Value, Value)>,
    /// The tokens of progress that was begun and not ended.
    progress: BTreeSet<String>,
}

impl Traffic {
    /// Records a message that the client sends to the server. Returns what the server gets: nothing
    /// if the message answers a server that has ended.
    pub(super) fn client_message(
        &mut self,
        head: &MessageHead,
        content: Vec<u8>,
    ) -> Option<Vec<u8>> {
        if let Some(id) = head.request() {
            if !self.orders.contains_key(&id) {
                self.last += 1;
                self.orders.insert(id.clone(), self.last);
                let request = ClientRequest {
                    id,
                    content: content.clone(),
                    servers: 1,
                    cancelled: false,
                };
                self.requests.insert(self.last, request);
            }
            return Some(content);
        }
        if head.method() == "$/cancelRequest" {
            if let Some(id) = cancelled_request(&content)
                && let Some(order) = self.orders.get(&id)
                && let Some(request) = self.requests.get_mut(order)
            {
                request.cancelled = true;
            }
            return Some(content);
        }
        let Some(id) = head.answer() else {
            return Some(content);
        };
        let name = id.to_string();
        match self.server_requests.remove(&name) {
            Some(servers) if servers == *id => Some(content),
            Some(servers) => Some(with_id(&content, servers).unwrap_or(content)),
            None if self.orphaned.remove(&name) => None,
            None => Some(content),
        }
    }

    /// Records a message of the server.
    pub(super) fn server_message(&mut self, content: Vec<u8>) -> ServerMessage {
        let head = MessageHead::of(&content);
        if let Some(id) = head.answer() {
            if let Some(id) = messages::request_id(id) {
                self.take(&id);
            }
            return ServerMessage::Forward(content);
        }
        if head.method() == "$/progress" {
            self.progress(&content);
            return ServerMessage::Forward(content);
        }
        let Some(id) = head.id.clone() else {
            return ServerMessage::Forward(content);
        };
        if head.method() == "client/registerCapability" {
            let new = registrations(&content);
            if !new.is_empty() && new.iter().all(|one| self.registered.contains(one)) {
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": null});
                return ServerMessage::Answer(answer.to_string().into_bytes());
            }
            self.registered.extend(new);
        }
        let name = id.to_string();
        if !self.orphaned.contains(&name) {
            self.server_requests.insert(name, id);
            return ServerMessage::Forward(content);
        }
        // The client may still answer an earlier server's request of this id.
        let mut number = self.orphaned.len() + self.server_requests.len();
        let unused = loop {
            let id = Value::from(format!("codeweft/{number}"));
            let name = id.to_string();
            if !self.orphaned.contains(&name) && !self.server_requests.contains_key(&name) {
                break id;
            }
            number += 1;
        };
        let renamed = with_id(&content, unused.clone()).unwrap_or(content);
        self.server_requests.insert(unused.to_string(), id);
        ServerMessage::Forward(renamed)
    }

    fn progress(&mut self, content: &[u8]) {
        let message: Value = serde_json::from_slice(content).unwrap_or_default();
        let token = message.pointer("/params/token").map(Value::to_string);
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

    /// Returns whether a message waits for a server in vain: a request that was answered meanwhile.
    pub(super) fn is_answered(&self, content: &[u8]) -> bool {
        let id = MessageHead::of(content).request();
        id.is_some_and(|id| !self.orders.contains_key(&id))
    }

    /// Takes the end of the server into account. Returns the messages that the client gets: the ends
    /// of the progress that the server had begun, and the answers to requests that no other server
    /// gets.
    pub(super) fn server_ended(&mut self) -> Vec<String> {
        let orphaned = std::mem::take(&mut self.server_requests);
        self.orphaned.extend(orphaned.into_keys());
        let ended = std::mem::take(&mut self.progress).into_iter();
        let mut messages: Vec<String> = ended
            .filter_map(|token| serde_json::from_str::<Value>(&token).ok())
            .map(|token| {
                let params = json!({"token": token, "value": {"kind": "end"}});
                messages::notification("$/progress", &params)
            })
            .collect();
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
            messages.push(messages::answer(&request.id, Err(refusal)));
            answered.push(request.id.clone());
        }
        for id in answered {
            self.take(&id);
        }
        messages
    }

    /// Returns the requests without an answer, in order.
    pub(super) fn unanswered(&self) -> Vec<Vec<u8>> {
        let requests = self.requests.values();
        requests.map(|request| request.content.clone()).collect()
    }

    /// Takes the requests without an answer, in order: their ids and methods.
    pub(super) fn take_unanswered(&mut self) -> Vec<(RequestId, String)> {
        self.orders.clear();
        let requests = std::mem::take(&mut self.requests).into_values();
        let method = |content: &[u8]| MessageHead::of(content).method().to_owned();
        requests
            .map(|request| (request.id, method(&request.content)))
            .collect()
    }
}

/// Returns the id of the request that a `$/cancelRequest` cancels.
pub(super) fn cancelled_request(content: &[u8]) -> Option<RequestId> {
    let message: Value = serde_json::from_slice(content).ok()?;
    messages::request_id(message.pointer("/params/id")?)
}

/// Returns the message with another id.
fn with_id(content: &[u8], id: Value) -> Option<Vec<u8>> {
    let mut message: Value = serde_json::from_slice(content).ok()?;
    *message.get_mut("id")? = id;
    serde_json::to_vec(&message).ok()
}

/// Returns the method and the options of each registration.
fn registrations(content: &[u8]) -> Vec<(Value, Value)> {
    let message: Value = serde_json::from_slice(content).unwrap_or_default();
    let list = message.pointer("/params/registrations");
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.map(|one| (one["method"].clone(), one["registerOptions"].clone()))
        .collect()
}
