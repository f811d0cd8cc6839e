//! From a request to a question of the Host.

use std::sync::Arc;
use std::time::Duration;

use codeweft_ide::{
    AnalysisHost, ChangeId, ClientId, Encoding, Position, Priority, RequestError, RequestOptions,
    Snapshot,
};
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{TextDocumentIdentifier, TextDocumentPositionParams};
use serde::Serialize;

use crate::NegotiatedCapabilities;
use crate::messages::{error, json_of};
use crate::uri::{Paths, Spelling};

/// How long a client waits for what it shows at once.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it waits for a question of the whole graph.
const DEEP_PATIENCE: Duration = Duration::from_secs(30);

/// Who asks, and how it speaks.
pub(crate) struct ClientSession<'a> {
    pub(crate) host: &'a AnalysisHost,
    pub(crate) client: ClientId,
    pub(crate) decided: &'a NegotiatedCapabilities,
    pub(crate) paths: &'a Paths,
    pub(crate) spelling: &'a Spelling,
}

/// A document that a question speaks of, with the client's own text where it has it open.
pub(super) struct Document {
    pub(super) path: String,
    text: Option<Arc<str>>,
}

/// A position in a document.
pub(super) struct DocumentPosition {
    document: Document,
    position: Position,
    encoding: Encoding,
}

impl DocumentPosition {
    pub(super) fn parts(self) -> (Document, Position, Encoding) {
        (self.document, self.position, self.encoding)
    }
}

impl ClientSession<'_> {
    pub(super) fn encoding(&self) -> Encoding {
        self.decided.encoding()
    }

    /// The document; `None` where it is no file.
    pub(super) fn document(&self, named: &TextDocumentIdentifier) -> Option<Document> {
        let path = self.paths.path(&named.uri.0)?;
        let open = self.host.document(self.client, &path);
        Some(Document {
            path,
            text: open.map(|document| document.text),
        })
    }

    /// The position; `None` where its document is no file.
    pub(super) fn at(&self, params: &TextDocumentPositionParams) -> Option<DocumentPosition> {
        Some(DocumentPosition {
            document: self.document(&params.text_document)?,
            position: Position {
                line: params.position.line,
                character: params.position.character,
            },
            encoding: self.encoding(),
        })
    }
}

/// What a request comes to.
pub(crate) enum RequestPlan {
    /// An answer, as JSON: nothing needs to be asked.
    Answer(String),
    /// A question.
    Ask(HostRequest),
}

/// Where an answer goes: its JSON, or why there is none.
pub(crate) type ResponseSender = Box<dyn FnOnce(Result<String, ResponseError>) + Send>;

type Submit = Box<dyn FnOnce(&AnalysisHost, RequestOptions, ResponseSender) + Send>;

/// A question to the Host, before it has the number of the client's last change.
pub(crate) struct HostRequest {
    class: Priority,
    documents: Vec<(Arc<str>, Arc<str>)>,
    submit: Submit,
}

impl HostRequest {
    /// What it brings along.
    pub(crate) fn ask(&self, client: ClientId, after: ChangeId) -> RequestOptions {
        let patience = match self.class {
            Priority::Deep => DEEP_PATIENCE,
            _ => PATIENCE,
        };
        let mut ask = RequestOptions::new(client, self.class, after, patience);
        ask.documents = self.documents.clone();
        ask
    }

    /// Puts it to the Host; `done` is called exactly once.
    pub(crate) fn submit(self, host: &AnalysisHost, ask: RequestOptions, done: ResponseSender) {
        (self.submit)(host, ask, done);
    }
}

impl RequestPlan {
    /// An empty list, where a request speaks of no file.
    pub(super) fn none() -> RequestPlan {
        RequestPlan::Answer("[]".to_owned())
    }

    /// Nothing.
    pub(super) fn null() -> RequestPlan {
        RequestPlan::Answer("null".to_owned())
    }

    /// A question whose answer `shown` puts into the protocol's words.
    pub(super) fn ask<T, S>(
        class: Priority,
        documents: Option<&Document>,
        question: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
        shown: impl FnOnce(T) -> S + Send + 'static,
    ) -> RequestPlan
    where
        T: Send + 'static,
        S: Serialize,
    {
        RequestPlan::ask_or_refuse(class, documents, question, |plain| json_of(&shown(plain)))
    }

    /// As [`RequestPlan::ask`], where the answer may be an error; gives the answer's JSON.
    pub(super) fn ask_or_refuse<T: Send + 'static>(
        class: Priority,
        documents: Option<&Document>,
        question: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
        shown: impl FnOnce(T) -> Result<String, ResponseError> + Send + 'static,
    ) -> RequestPlan {
        let documents: Vec<(Arc<str>, Arc<str>)> = documents
            .into_iter()
            .filter_map(|document| Some((document.path.as_str().into(), document.text.clone()?)))
            .collect();
        let positions = !documents.is_empty();
        RequestPlan::Ask(HostRequest {
            class,
            documents,
            submit: Box::new(move |host, ask, done| {
                host.submit(ask, question, move |answer| {
                    done(match answer {
                        Ok(answer) => shown(answer.value),
                        Err(stop) => Err(refused(&stop, positions)),
                    });
                });
            }),
        })
    }
}

/// The protocol's error for a question without answer. `positions`: it spoke of positions in the
/// client's own text; only then the client is told that the content was modified.
fn refused(stop: &RequestError, positions: bool) -> ResponseError {
    let code = match stop {
        RequestError::Cancelled => ErrorCode::RequestCanceled,
        RequestError::Stale if positions => ErrorCode::ContentModified,
        RequestError::Full => ErrorCode::ServerCancelled,
        RequestError::Loading(..) | RequestError::Failed(_) | RequestError::Stale => {
            ErrorCode::RequestFailed
        }
        RequestError::Deadline | RequestError::Panicked(_) => ErrorCode::InternalError,
    };
    let words = match stop {
        RequestError::Loading(..) => format!("{stop}; ask again in a moment"),
        RequestError::Stale if !positions => {
            "the workspace kept changing while it was asked; ask again".to_owned()
        }
        _ => stop.to_string(),
    };
    error(code, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stop_has_its_code() {
        let code = |stop: RequestError, positions| refused(&stop, positions).code;
        assert_eq!(code(RequestError::Cancelled, true), -32800);
        assert_eq!(code(RequestError::Stale, true), -32801);
        assert_eq!(code(RequestError::Stale, false), -32803);
        assert_eq!(code(RequestError::Full, true), -32802);
        assert_eq!(code(RequestError::Deadline, true), -32603);
        assert_eq!(code(RequestError::Panicked("x".to_owned()), false), -32603);
        assert_eq!(code(RequestError::Loading(1, 2), false), -32803);
    }
}
