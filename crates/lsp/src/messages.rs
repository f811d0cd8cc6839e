//! JSON-RPC messages: parsing of contents, and building of requests, answers and notifications.

use lsp_server::{ErrorCode, Notification, Request, RequestId, Response, ResponseError};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A parsed message of a client.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A request, to be answered exactly once.
    Request(Request),
    /// A notification; never answered.
    Notification(Notification),
    /// An answer to a request of the server.
    Response(Response),
    /// No valid message: the id found in it (`null` if none), and the error to answer with.
    Bad(Value, ResponseError),
}

/// Parses a content. Never fails, and never recurses deeper than serde_json's limit (128).
pub(crate) fn parse(content: &[u8]) -> Incoming {
    let mut fields = match serde_json::from_slice(content) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => {
            let error = error(ErrorCode::InvalidRequest, "a message is an object");
            return Incoming::Bad(Value::Null, error);
        }
        Err(broken) => {
            let words = format!("the message is no JSON: {broken}");
            return Incoming::Bad(Value::Null, error(ErrorCode::ParseError, words));
        }
    };
    let id = fields.remove("id");
    let method = match fields.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => {
            let error = error(ErrorCode::InvalidRequest, "a method is a string");
            return Incoming::Bad(id.unwrap_or_default(), error);
        }
        None => return response(id, &mut fields),
    };
    let params = fields.remove("params").unwrap_or_default();
    let Some(raw) = id else {
        return Incoming::Notification(Notification { method, params });
    };
    match request_id(&raw) {
        Some(id) => Incoming::Request(Request { id, method, params }),
        None => {
            let words = "an id is a string or a number of 32 bits";
            Incoming::Bad(raw, error(ErrorCode::InvalidRequest, words))
        }
    }
}

fn response(id: Option<Value>, fields: &mut Map<String, Value>) -> Incoming {
    let Some(id) = id.as_ref().and_then(request_id) else {
        // An answer without a request, or an answer to an error of ours: answering it could loop
        // forever.
        let failure = fields.remove("error").unwrap_or_default();
        if failure.is_null() {
            let words = "a message has a method, or answers something";
            return Incoming::Bad(
                id.unwrap_or_default(),
                error(ErrorCode::InvalidRequest, words),
            );
        }
        return Incoming::Notification(Notification {
            method: "$/answer".to_owned(),
            params: failure,
        });
    };
    let response_result = match fields.remove("error") {
        Some(Value::Null) | None => Ok(fields.remove("result").unwrap_or_default()),
        Some(failure) => Err(serde_json::from_value(failure)
            .unwrap_or_else(|_| error(ErrorCode::UnknownErrorCode, "an error without words"))),
    };
    Incoming::Response(Response {
        id,
        response_result,
    })
}

/// Returns the id of a request (LSP, `RequestMessage`); `None` if the value is no valid id.
pub(crate) fn request_id(id: &Value) -> Option<RequestId> {
    match id {
        Value::String(id) => Some(RequestId::from(id.clone())),
        Value::Number(id) => Some(RequestId::from(i32::try_from(id.as_i64()?).ok()?)),
        _ => None,
    }
}

/// Returns an error with this code and message.
pub(crate) fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError {
        code: code as i32,
        message: message.into(),
        data: None,
    }
}

/// Serializes a value to JSON; an error becomes an `InternalError`.
pub(crate) fn json_of(value: &impl Serialize) -> Result<String, ResponseError> {
    serde_json::to_string(value)
        .map_err(|broken| error(ErrorCode::InternalError, broken.to_string()))
}

/// Returns the answer to a request: its result, which is JSON already, or an error.
pub(crate) fn answer(id: &RequestId, result: Result<String, ResponseError>) -> String {
    // An id is a string or a number: serialization cannot fail.
    let id = serde_json::to_value(id).unwrap_or_default();
    match result {
        Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(error) => refusal(&id, &error),
    }
}

/// Returns an error answer to a message whose id is only known as JSON.
pub(crate) fn refusal(id: &Value, error: &ResponseError) -> String {
    json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
}

/// Returns a request of the server.
pub(crate) fn request(id: &str, method: &str, params: &impl Serialize) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

/// Returns a notification of the server.
pub(crate) fn notification(method: &str, params: &impl Serialize) -> String {
    json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()
}

/// Returns a `window/showMessage` notification.
pub(crate) fn show_message(kind: lsp_types::MessageType, words: &str) -> String {
    let params = lsp_types::ShowMessageParams {
        kind,
        message: words.to_owned(),
    };
    notification("window/showMessage", &params)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(content: &str) -> (Value, i32) {
        match parse(content.as_bytes()) {
            Incoming::Bad(id, error) => (id, error.code),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_invalid_message_is_answered_with_its_id_if_it_has_one() {
        const PARSE: i32 = ErrorCode::ParseError as i32;
        const INVALID: i32 = ErrorCode::InvalidRequest as i32;
        assert_eq!(bad("{"), (Value::Null, PARSE));
        assert_eq!(bad("\u{feff}{}"), (Value::Null, PARSE));
        assert_eq!(bad("[]"), (Value::Null, INVALID));
        assert_eq!(bad("{}"), (Value::Null, INVALID));
        assert_eq!(bad(r#"{"id":1.5,"method":"a"}"#), (json!(1.5), INVALID));
        assert_eq!(bad(r#"{"id":null,"method":"a"}"#), (json!(null), INVALID));
        assert_eq!(
            bad(r#"{"id":4294967296,"method":"a"}"#),
            (json!(4294967296_u64), INVALID)
        );
        assert_eq!(bad(r#"{"id":7,"method":7}"#), (json!(7), INVALID));
        assert_eq!(bad(&"[".repeat(100_000)), (Value::Null, PARSE));
        let deep = format!(
            "{{\"method\":\"a\",\"params\":{}",
            "{\"a\":".repeat(100_000)
        );
        assert_eq!(bad(&deep), (Value::Null, PARSE));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_an_invalid_message() {
        assert!(matches!(
            parse(b"{\"method\":\"\xff\"}"),
            Incoming::Bad(Value::Null, _)
        ));
    }

    #[test]
    fn ids_keep_their_type() {
        let answer = |content: &str| match parse(content.as_bytes()) {
            Incoming::Request(request) => answer(&request.id, Ok("[]".to_owned())),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            answer(r#"{"id":-5,"method":"a"}"#),
            r#"{"jsonrpc":"2.0","id":-5,"result":[]}"#
        );
        assert_eq!(
            answer(r#"{"id":"5\"","method":"a"}"#),
            r#"{"jsonrpc":"2.0","id":"5\"","result":[]}"#
        );
    }

    #[test]
    fn an_answer_to_an_error_is_not_answered() {
        let content = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#;
        assert!(matches!(
            parse(content.as_bytes()),
            Incoming::Notification(_)
        ));
    }
}
