//! From a request of the client to a query of the [`AnalysisHost`].

use std::sync::Arc;
use std::time::Duration;

use codeweft_workspace::{
    AnalysisHost, ChangeId, ClientId, Encoding, Position, Priority, RequestCancellation,
    RequestError, RequestOptions, Snapshot,
};
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{TextDocumentIdentifier, TextDocumentPositionParams};
use serde::Serialize;

use crate::NegotiatedCapabilities;
use crate::messages::{error, json_of};
use crate::uri::{ClientUris, Paths};

/// The timeout of requests whose result a client shows at once.
const PATIENCE: Duration = Duration::from_secs(10);

/// The timeout of queries over the whole graph.
const DEEP_PATIENCE: Duration = Duration::from_secs(30);

/// The client that sends a request, and its conventions.
pub(crate) struct ClientSession<'a> {
    pub(crate) host: &'a AnalysisHost,
    pub(crate) client: ClientId,
    pub(crate) capabilities: &'a NegotiatedCapabilities,
    pub(crate) paths: &'a Paths,
    pub(crate) client_uris: &'a ClientUris,
}

/// A document that a request names, with the client's text if it has it open.
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
        self.capabilities.encoding()
    }

    /// Returns the document; `None` if its URI is no file.
    pub(super) fn document(&self, named: &TextDocumentIdentifier) -> Option<Document> {
        let path = self.paths.path(&named.uri.0)?;
        let open = self.host.document(self.client, &path);
        Some(Document {
            path,
            text: open.map(|document| document.text),
        })
    }

    /// Returns the position; `None` if its document is no file.
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

/// The result of planning a request.
pub(crate) enum RequestPlan {
    /// An answer, as JSON: no query is needed.
    Answer(String),
    /// A query of the host.
    Query(HostRequest),
}

/// Receives the answer of a query: its result as JSON, or an error.
pub(crate) type ResponseSender = Box<dyn FnOnce(Result<String, ResponseError>) + Send>;

type Submit = Box<dyn FnOnce(&AnalysisHost, RequestOptions, ResponseSender) + Send>;

/// A query of the host, before the id of the client's last change is attached.
pub(crate) struct HostRequest {
    class: Priority,
    documents: Vec<(Arc<str>, Arc<str>)>,
    submit: Submit,
}

impl HostRequest {
    /// Returns the options to submit it with now: the time that it may take begins.
    pub(crate) fn options(
        &self,
        client: ClientId,
        after: ChangeId,
        cancel: RequestCancellation,
    ) -> RequestOptions {
        let patience = match self.class {
            Priority::Deep => DEEP_PATIENCE,
            _ => PATIENCE,
        };
        let mut options = RequestOptions::new(client, self.class, after, patience);
        options.documents = self.documents.clone();
        options.cancel = cancel;
        options
    }

    /// Submits the query; `done` is called exactly once.
    pub(crate) fn submit(self, host: &AnalysisHost, options: RequestOptions, done: ResponseSender) {
        (self.submit)(host, options, done);
    }
}

impl RequestPlan {
    /// Returns an empty list, for a request that names no file.
    pub(super) fn none() -> RequestPlan {
        RequestPlan::Answer("[]".to_owned())
    }

    /// Returns a `null` answer.
    pub(super) fn null() -> RequestPlan {
        RequestPlan::Answer("null".to_owned())
    }

    /// Returns a query whose result `convert` converts to the protocol's types.
    pub(super) fn query<T, S>(
        class: Priority,
        documents: Option<&Document>,
        query: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
        convert: impl FnOnce(T) -> S + Send + 'static,
    ) -> RequestPlan
    where
        T: Send + 'static,
        S: Serialize,
    {
        RequestPlan::try_query(class, documents, query, |plain| json_of(&convert(plain)))
    }

    /// Returns a query like [`RequestPlan::query`] whose conversion to JSON may fail.
    pub(super) fn try_query<T: Send + 'static>(
        class: Priority,
        documents: Option<&Document>,
        query: impl FnMut(&Snapshot<'_>) -> T + Send + 'static,
        convert: impl FnOnce(T) -> Result<String, ResponseError> + Send + 'static,
    ) -> RequestPlan {
        let documents: Vec<(Arc<str>, Arc<str>)> = documents
            .into_iter()
            .filter_map(|document| Some((document.path.as_str().into(), document.text.clone()?)))
            .collect();
        let positions = !documents.is_empty();
        RequestPlan::Query(HostRequest {
            class,
            documents,
            submit: Box::new(move |host, options, done| {
                host.submit(options, query, move |answer| {
                    done(match answer {
                        Ok(answer) => convert(answer.value),
                        Err(stop) => Err(refused(&stop, positions)),
                    });
                });
            }),
        })
    }
}

/// Converts a failed query to the protocol's error. `positions`: the request named positions in the
/// client's own text; only then is `ContentModified` answered.
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
    fn each_request_error_has_its_error_code() {
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
