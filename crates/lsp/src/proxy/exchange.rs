//! What passes between the client and all servers: which server an answer is for, and the one answer
//! to a request that several servers got.
//!
//! ```text
//! client 7 workspace/symbol ──> server 0: 7 ──> [a, b] ─┐
//!                          └──> server 1: 7 ──> [c]   ──┴──> 7 [a, b, c]
//! server 1 "create" ──> client "codeweft-folder-1/\"create\"" ──> server 1 "create"
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lsp_server::RequestId;
use serde_json::Value;

use super::traffic::{ClientAnswer, MessageHead, ServerMessage, Traffic};
use crate::messages;

/// The unfinished exchange with all servers, by their numbers.
#[derive(Default)]
pub(super) struct Exchange {
    servers: BTreeMap<usize, Traffic>,
    /// Requests that several servers got.
    joined: HashMap<RequestId, JoinedAnswer>,
    /// The registrations that the client was requested to make: method and options. One is enough for
    /// all servers.
    registered: Vec<(Value, Value)>,
    /// The ids of requests of servers that are gone; the client's answers are dropped.
    orphaned: BTreeSet<String>,
}

/// The answers to a request that several servers got.
struct JoinedAnswer {
    /// The servers that have not answered.
    awaited: BTreeSet<usize>,
    answers: BTreeMap<usize, Vec<u8>>,
}

impl Exchange {
    /// Adds a server.
    pub(super) fn add(&mut self, server: usize) {
        self.servers.insert(server, Traffic::of(server));
    }

    /// Removes a server. Its requests without an answer are to be taken out before.
    pub(super) fn remove(&mut self, server: usize) {
        if let Some(traffic) = self.servers.remove(&server) {
            self.orphaned.extend(traffic.into_server_requests());
        }
    }

    /// Records that several servers get a request whose answers are joined.
    pub(super) fn join(&mut self, id: &RequestId, servers: &[usize]) {
        let joined = JoinedAnswer {
            awaited: servers.iter().copied().collect(),
            answers: BTreeMap::new(),
        };
        self.joined.insert(id.clone(), joined);
    }

    /// Records a request of the client that a server gets.
    pub(super) fn request(&mut self, server: usize, id: &RequestId, content: &[u8]) {
        if let Some(traffic) = self.servers.get_mut(&server) {
            traffic.request(id, content);
        }
    }

    /// Returns the servers that have not answered a request of the client.
    pub(super) fn servers_of(&self, id: &RequestId) -> Vec<usize> {
        let servers = self.servers.iter();
        let unanswered = servers.filter(|(_, traffic)| traffic.has(id));
        unanswered.map(|(&server, _)| server).collect()
    }

    /// Records that the client cancels a request.
    pub(super) fn cancel(&mut self, server: usize, id: &RequestId) {
        if let Some(traffic) = self.servers.get_mut(&server) {
            traffic.cancel(id);
        }
    }

    /// Takes a request of the client, which a server does not answer any more: `answer` is it instead.
    /// Returns what the client gets now.
    pub(super) fn answer_instead(
        &mut self,
        server: usize,
        id: &RequestId,
        answer: String,
    ) -> Option<Vec<u8>> {
        let traffic = self.servers.get_mut(&server)?;
        if !traffic.take(id) {
            return None;
        }
        self.answered(server, id, answer.into_bytes())
    }

    /// Returns whether a message waits for a server in vain: a request that was answered meanwhile.
    pub(super) fn is_answered(&self, server: usize, content: &[u8]) -> bool {
        let id = MessageHead::of(content).request();
        let traffic = self.servers.get(&server);
        id.is_some_and(|id| traffic.is_none_or(|traffic| !traffic.has(&id)))
    }

    /// Returns the requests that a server has not answered, in order: their ids and methods.
    pub(super) fn unanswered(&self, server: usize) -> Vec<(RequestId, String)> {
        let traffic = self.servers.get(&server);
        traffic.map(Traffic::unanswered_heads).unwrap_or_default()
    }

    /// As [`Exchange::unanswered`], the requests themselves.
    pub(super) fn unanswered_contents(&self, server: usize) -> Vec<Vec<u8>> {
        let traffic = self.servers.get(&server);
        traffic.map(Traffic::unanswered).unwrap_or_default()
    }

    /// Returns the server that made a hierarchy item, by the instance in its data.
    pub(super) fn server_of_instance(&self, instance: &str) -> Option<usize> {
        let mut servers = self.servers.iter();
        let (&server, _) = servers.find(|(_, traffic)| traffic.is_instance(instance))?;
        Some(server)
    }

    /// Returns the first server that has answered with a definition in a file.
    pub(super) fn server_defining_in(&self, uri: &str) -> Option<usize> {
        let mut servers = self.servers.iter();
        let (&server, _) = servers.find(|(_, traffic)| traffic.has_defined_in(uri))?;
        Some(server)
    }

    /// Records an answer of the client to a request of a server. Returns the server and what it gets;
    /// `None` if the server is gone.
    pub(super) fn client_answer(
        &mut self,
        id: &Value,
        content: Vec<u8>,
    ) -> Option<(usize, Vec<u8>)> {
        let name = id.to_string();
        for (&server, traffic) in &mut self.servers {
            match traffic.client_answer(&name, id, &content) {
                ClientAnswer::Unknown => {}
                ClientAnswer::Orphaned => return None,
                ClientAnswer::Unchanged => return Some((server, content)),
                ClientAnswer::Renamed(content) => return Some((server, content)),
            }
        }
        if self.orphaned.remove(&name) {
            return None;
        }
        let (&first, _) = self.servers.first_key_value()?;
        Some((first, content))
    }

    /// Records a message of a server.
    pub(super) fn server_message(&mut self, server: usize, content: Vec<u8>) -> ServerMessage {
        let Some(traffic) = self.servers.get_mut(&server) else {
            return ServerMessage::Nothing;
        };
        let head = MessageHead::of(&content);
        let Some(id) = head.answer() else {
            return traffic.server_message(&head, content, &mut self.registered);
        };
        let Some(id) = messages::request_id(id) else {
            return ServerMessage::Forward(content);
        };
        traffic.note_answer(&id, &content);
        traffic.take(&id);
        match self.answered(server, &id, content) {
            Some(content) => ServerMessage::Forward(content),
            None => ServerMessage::Nothing,
        }
    }

    /// Takes the end of a server into account. Returns the messages that the client gets: the ends of
    /// the progress that the server had begun, and the answers to requests that no other server gets.
    pub(super) fn server_ended(&mut self, server: usize) -> Vec<Vec<u8>> {
        let Some(traffic) = self.servers.get_mut(&server) else {
            return Vec::new();
        };
        let (ended, refused) = traffic.server_ended();
        let mut messages: Vec<Vec<u8>> = ended.into_iter().map(String::into_bytes).collect();
        for (id, refusal) in refused {
            messages.extend(self.answered(server, &id, refusal.into_bytes()));
        }
        messages
    }

    /// Returns the answer that the client gets now that a server has answered; `None` while others
    /// have not.
    fn answered(&mut self, server: usize, id: &RequestId, content: Vec<u8>) -> Option<Vec<u8>> {
        let Some(joined) = self.joined.get_mut(id) else {
            return Some(content);
        };
        joined.awaited.remove(&server);
        joined.answers.insert(server, content);
        if !joined.awaited.is_empty() {
            return None;
        }
        let joined = self.joined.remove(id)?;
        Some(merged(id, joined.answers.into_values().collect()))
    }
}

/// Returns one answer of several: the lists behind each other, without the errors of servers beside
/// the answers of others.
fn merged(id: &RequestId, answers: Vec<Vec<u8>>) -> Vec<u8> {
    let mut first_error = None;
    let mut rows: Option<Vec<Value>> = None;
    let mut any = false;
    for content in answers {
        let mut answer: Value = serde_json::from_slice(&content).unwrap_or_default();
        if answer.get("result").is_none() {
            first_error.get_or_insert(content);
            continue;
        }
        any = true;
        if let Value::Array(list) = answer["result"].take() {
            rows.get_or_insert_default().extend(list);
        }
    }
    match (any, first_error) {
        (false, Some(error)) => error,
        _ => {
            let result = rows.map_or(Value::Null, Value::Array).to_string();
            messages::answer(id, Ok(result)).into_bytes()
        }
    }
}
