//! Classification of a client's lines, as far as routing needs it.

use std::fmt;

use rmcp::model::ClientJsonRpcMessage;
use rmcp::model::{ClientRequest, RequestId};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// The requests that are answered without a server.
const BUILT_IN: [&str; 7] = [
    "initialize",
    "ping",
    "server/discover",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "logging/setLevel",
];

/// The id under which the client's `initialize` is replayed to the server.
const REPLAY_ID: &str = "cw:init";

/// A request's id as its JSON: `1` differs from `"1"`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Id(String);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A line of the client, classified.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Message {
    /// Invalid JSON.
    Broken,
    /// JSON, but no message of the protocol: the built-in handler answers it.
    Unrecognized,
    /// The request that begins a session.
    Initialize(Id),
    /// A request that is answered without a server.
    BuiltIn(Id),
    /// The request for the list of tools: as [`Message::BuiltIn`] until the server has said that it lists others.
    ToolList(Id),
    /// A request that is answered when the client ends it.
    Subscription(Id),
    /// Any other request.
    Request(Id),
    /// A request of the protocol whose params do not parse: neither handler nor server could answer
    /// it under its id.
    InvalidParams(Id),
    /// The client's notification that ends the handshake.
    Initialized,
    /// A cancellation of a request.
    Cancelled(Option<Id>),
    /// Any other notification, or an answer.
    Other,
}

/// A line of the server, classified.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum ServerMessage {
    /// The answer to a request of the client.
    Answer(Id),
    /// The progress of a request.
    Progress,
    /// The server lists other tools than before; whether the client has subscribed to that.
    ToolsChanged { is_subscribed: bool },
    /// Any other notification, or a request.
    Other,
}

#[derive(Deserialize)]
struct Head {
    jsonrpc: Option<String>,
    #[serde(default)]
    id: Option<Value>,
    method: Option<String>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// A notification that a client of the newest protocol has subscribed to.
#[derive(Deserialize)]
struct Subscribed {
    #[expect(dead_code, reason = "only whether it is there counts")]
    params: SubscribedParams,
}

#[derive(Deserialize)]
struct SubscribedParams {
    #[expect(dead_code, reason = "only whether it is there counts")]
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta,
}

#[derive(Deserialize)]
struct SubscriptionMeta {
    #[expect(dead_code, reason = "only whether it is there counts")]
    #[serde(rename = "io.modelcontextprotocol/subscriptionId")]
    id: IgnoredAny,
}

#[derive(Deserialize)]
struct Cancelled {
    params: CancelledParams,
}

#[derive(Deserialize)]
struct CancelledParams {
    #[serde(rename = "requestId")]
    request_id: Value,
}

impl Id {
    /// Returns the id in the form that an answer needs.
    pub(super) fn to_request_id(&self) -> Option<RequestId> {
        serde_json::from_str(&self.0).ok()
    }
}

/// Classifies a line of the client.
pub(super) fn read(line: &[u8]) -> Message {
    let line = strip_bom(line);
    if std::str::from_utf8(line).is_err() || serde_json::from_slice::<IgnoredAny>(line).is_err() {
        return Message::Broken;
    }
    // serde would accept a list as an object's fields in order.
    let object = line.trim_ascii_start().starts_with(b"{");
    let Some(head) = object
        .then(|| serde_json::from_slice::<Head>(line).ok())
        .flatten()
    else {
        return Message::Unrecognized;
    };
    if head.jsonrpc.as_deref() != Some("2.0") {
        return Message::Unrecognized;
    }
    let answers = head.result.is_some() || head.error.is_some();
    match (head.method.as_deref(), head.id) {
        (None, _) if answers => Message::Other,
        (None, _) => Message::Unrecognized,
        (Some(method), Some(id)) => match id_of(&id) {
            None => Message::Unrecognized,
            Some(id) if serde_json::from_slice::<ClientJsonRpcMessage>(line).is_err() => {
                Message::InvalidParams(id)
            }
            Some(id) if method == "initialize" => Message::Initialize(id),
            Some(id) if method == "tools/list" => Message::ToolList(id),
            Some(id) if method == "subscriptions/listen" => Message::Subscription(id),
            Some(id) if BUILT_IN.contains(&method) => Message::BuiltIn(id),
            Some(id) => Message::Request(id),
        },
        (Some("notifications/initialized"), None) => Message::Initialized,
        (Some("notifications/cancelled"), None) => {
            let cancelled = serde_json::from_slice::<Cancelled>(line).ok();
            Message::Cancelled(cancelled.and_then(|it| id_of(&it.params.request_id)))
        }
        (Some(_), None) => Message::Other,
    }
}

/// Returns the client's `initialize` with the proxy's own id, to replay to the server. Returns
/// `None` if the line is no such request; the built-in handler answers that.
pub(super) fn replayed(line: &[u8]) -> Option<Vec<u8>> {
    match serde_json::from_slice(strip_bom(line)).ok()? {
        ClientJsonRpcMessage::Request(mut request)
            if matches!(request.request, ClientRequest::InitializeRequest(_)) =>
        {
            request.id = RequestId::String(REPLAY_ID.into());
            serde_json::to_vec(&ClientJsonRpcMessage::Request(request)).ok()
        }
        _ => None,
    }
}

/// Classifies a line of the server.
pub(super) fn of_server(line: &[u8]) -> ServerMessage {
    let head = serde_json::from_slice::<Head>(line).ok();
    match head.map(|head| (head.method, head.id)) {
        Some((Some(method), None)) if method == "notifications/progress" => ServerMessage::Progress,
        Some((Some(method), None)) if method == "notifications/tools/list_changed" => {
            ServerMessage::ToolsChanged {
                is_subscribed: serde_json::from_slice::<Subscribed>(line).is_ok(),
            }
        }
        Some((None, Some(id))) => id_of(&id).map_or(ServerMessage::Other, ServerMessage::Answer),
        _ => ServerMessage::Other,
    }
}

/// Returns the id that a line of the built-in handler answers; `None` if it is no answer.
pub(super) fn answered(line: &[u8]) -> Option<Id> {
    match of_server(line) {
        ServerMessage::Answer(id) => Some(id),
        ServerMessage::Progress | ServerMessage::ToolsChanged { .. } | ServerMessage::Other => None,
    }
}

/// Returns whether this is the id of the replayed `initialize`.
pub(super) fn is_replay(id: &Id) -> bool {
    id_of(&REPLAY_ID.into()).as_ref() == Some(id)
}

/// Reads an id: a string or a whole number.
fn id_of(id: &Value) -> Option<Id> {
    let fits = match id {
        Value::String(_) => true,
        Value::Number(number) => number.is_i64(),
        _ => false,
    };
    fits.then(|| Id(id.to_string()))
}

/// Strips a byte order mark, which may precede a message (RFC 8259, 8.1).
fn strip_bom(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> Id {
        Id(text.to_owned())
    }

    #[test]
    fn a_line_is_classified_by_its_id_and_method() {
        for (line, message) in [
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"n","version":"0"}}}"#,
                Message::Initialize(id("1")),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"1","method":"ping"}"#,
                Message::BuiltIn(id("\"1\"")),
            ),
            (
                r#"{"jsonrpc":"2.0","id":-3,"method":"tools/call","params":[]}"#,
                Message::InvalidParams(id("-3")),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"t"}}"#,
                Message::Request(id("\"a\"")),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"a","method":"nobody/knows","params":{"a":3}}"#,
                Message::Request(id("\"a\"")),
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                Message::Initialized,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
                Message::Cancelled(Some(id("7"))),
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
                Message::Cancelled(None),
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/other"}"#,
                Message::Other,
            ),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Message::Other),
            (
                "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                Message::BuiltIn(id("1")),
            ),
        ] {
            assert_eq!(read(line.as_bytes()), message, "{line}");
        }
    }

    #[test]
    fn json_that_is_no_message_goes_to_the_built_in_handler() {
        for line in [
            "[]",
            r#"["2.0",1,"tools/call",null,null]"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "7",
            "{}",
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":{}}"#,
        ] {
            assert_eq!(read(line.as_bytes()), Message::Unrecognized, "{line}");
        }
    }

    #[test]
    fn invalid_json_is_broken() {
        let deep = "[".repeat(100_000);
        for line in ["{", "nonsense", r#"{"jsonrpc":"2.0","id":7, x"#, &deep] {
            assert_eq!(read(line.as_bytes()), Message::Broken);
        }
        assert_eq!(read(b"{\"a\":\"\xff\"}"), Message::Broken);
    }

    #[test]
    fn an_initialize_is_replayed_whole_under_the_proxys_id() {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"n","version":"0"}}}"#;
        let replayed = replayed(line.as_bytes()).expect("it is one");
        let mut replayed: Value = serde_json::from_slice(&replayed).expect("JSON");
        let before: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(replayed["id"], "cw:init");
        replayed["id"] = before["id"].clone();
        assert_eq!(replayed, before);
        let without = r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#;
        assert_eq!(super::replayed(without.as_bytes()), None);
    }

    #[test]
    fn an_answer_is_distinguished_from_a_servers_own_messages() {
        let of = |line: &str| answered(line.as_bytes());
        assert_eq!(
            of(r#"{"jsonrpc":"2.0","id":5,"result":{"id":6}}"#),
            Some(id("5"))
        );
        assert_eq!(
            of(r#"{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":""}}"#),
            Some(id("5"))
        );
        assert_eq!(
            of(r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#),
            None
        );
        assert_eq!(of(r#"{"jsonrpc":"2.0","id":null,"error":{}}"#), None);
        assert!(
            of(r#"{"jsonrpc":"2.0","id":"cw:init","result":{}}"#).is_some_and(|id| is_replay(&id))
        );
    }
}
