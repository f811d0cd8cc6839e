//! The queries of one client to an [`AnalysisHost`].

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use codeweft_ide::api::{ApiError, ErrorType};
use codeweft_workspace::{
    AnalysisHost, ClientId, HostState, Priority, RequestCancellation, RequestOptions,
};
use rmcp::model::{ProgressNotificationParam, Tool};
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{oneshot, watch};
use tokio::time::sleep;

use crate::offer::Offer;
use crate::progress::CallProgress;
use crate::tools::ToolChoice;

/// The interval of progress notifications to a client that requested them.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// The time for which a query waits for a workspace that is being loaded.
const LOADING_TIMEOUT: Duration = Duration::from_secs(20);

/// The maximum time of a query.
const QUERY_TIMEOUT: Duration = Duration::from_secs(30);

/// Extra time after [`QUERY_TIMEOUT`]: the host enforces that limit itself, this one is for the case
/// that it fails to.
const GRACE: Duration = Duration::from_secs(1);

/// The source of answers to tool calls.
pub(crate) enum AnswerSource {
    /// A live host.
    Host(Session),
    /// No server: the reason, once it is known, and the tools that are listed.
    NoServer(Arc<MissingReason>, ToolChoice),
}

/// The reason why there is no server, as it is now.
#[derive(Default)]
pub(crate) struct MissingReason(Mutex<Option<ApiError>>);

impl MissingReason {
    /// Replaces the reason.
    pub(crate) fn set(&self, reason: ApiError) {
        *self.lock() = Some(reason);
    }

    fn get(&self) -> Option<ApiError> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<ApiError>> {
        // Each reason is set at once.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AnswerSource {
    /// Returns the entries of the tools that are listed.
    pub(crate) fn listed(&self) -> Vec<Tool> {
        let (choice, has_knowledge) = match self {
            AnswerSource::Host(session) => {
                (&ToolChoice::OfWorkspace, *session.offers_knowledge.borrow())
            }
            AnswerSource::NoServer(_, choice) => (choice, false),
        };
        choice
            .listed(has_knowledge)
            .map(|tool| tool.entry())
            .collect()
    }

    /// Returns the session on the live host.
    ///
    /// # Errors
    /// There is no server.
    pub(crate) fn session(&self) -> Result<&Session, ApiError> {
        match self {
            AnswerSource::Host(session) => Ok(session),
            AnswerSource::NoServer(missing_reason, _) => {
                Err(missing_reason.get().unwrap_or_else(|| {
                    ApiError::new(
                        ErrorType::IndexUnavailable,
                        "there is no connection to the database of this workspace",
                        "ask again",
                    )
                }))
            }
        }
    }
}

/// The way back to a call for the answer to its query.
pub(crate) struct AnswerSender<T>(oneshot::Sender<Result<T, ApiError>>);

impl<T> AnswerSender<T> {
    /// Sends the answer, unless the call was cancelled.
    pub(crate) fn send(self, answer: Result<T, ApiError>) {
        // The receiver is gone if the call was cancelled.
        let _ = self.0.send(answer);
    }
}

/// One client of a host; disconnected when dropped.
pub(crate) struct Session {
    host: AnalysisHost,
    client: OnceLock<ClientId>,
    gone: watch::Receiver<bool>,
    /// Whether the tools of the knowledge graph are listed.
    offers_knowledge: watch::Sender<bool>,
}

impl Session {
    /// Returns a session on `host`; the client has disconnected when `gone` is true.
    pub(crate) fn new(host: AnalysisHost, gone: watch::Receiver<bool>) -> Session {
        Session {
            host,
            client: OnceLock::new(),
            gone,
            offers_knowledge: watch::Sender::new(false),
        }
    }

    /// Returns whether the tools of the knowledge graph are listed, now and whenever that changes.
    pub(crate) fn offers_knowledge(&self) -> watch::Receiver<bool> {
        self.offers_knowledge.subscribe()
    }

    /// Returns what decides which tools the session lists.
    pub(crate) fn offer(&self) -> Offer {
        Offer {
            host: self.host.clone(),
            gone: self.gone.clone(),
            has_knowledge: self.offers_knowledge.clone(),
        }
    }

    /// Runs the query that `submit` gives to the host. Returns at once if the call is cancelled or
    /// the client disconnects; the work is then cancelled.
    pub(crate) async fn ask<T>(
        &self,
        context: &RequestContext<RoleServer>,
        submit: impl FnOnce(&AnalysisHost, RequestOptions, AnswerSender<T>),
    ) -> Result<T, ApiError> {
        let client = *self.client.get_or_init(|| {
            let name = context.client_info().map(|client| client.name);
            self.host.connect(name.as_deref().unwrap_or("agent"))
        });
        let ask = RequestOptions::new(client, Priority::Agent, self.host.now(), QUERY_TIMEOUT);
        let _fire = FireOnDrop(ask.cancel.clone());
        let (sender, receiver) = oneshot::channel();
        submit(&self.host, ask, AnswerSender(sender));
        let mut gone = self.gone.clone();
        tokio::select! {
            answer = receiver => answer.unwrap_or_else(|_| Err(lost())),
            () = context.ct.cancelled() => Err(cancelled()),
            // An error means that the transport was dropped: disconnected as well.
            _ = gone.wait_for(|gone| *gone) => Err(cancelled()),
            error = self.timeout_error() => Err(error),
            never = self.send_progress(context) => match never {},
        }
    }

    /// Waits until a query has taken too long; returns the error to answer with.
    async fn timeout_error(&self) -> ApiError {
        sleep(LOADING_TIMEOUT).await;
        if let HostState::Loading(progress) = self.host.state() {
            return ApiError::new(
                ErrorType::IndexUnavailable,
                format!(
                    "the workspace is still being read: {} of {} files",
                    progress.done, progress.total
                ),
                "ask again in a while; nothing is known about the answer yet",
            );
        }
        sleep(QUERY_TIMEOUT + GRACE - LOADING_TIMEOUT).await;
        ApiError::new(
            ErrorType::LimitExceeded,
            format!("no answer within {} seconds", QUERY_TIMEOUT.as_secs()),
            "ask again, with a smaller depth or a scope",
        )
    }

    /// Sends progress to a client that requested it.
    async fn send_progress(&self, context: &RequestContext<RoleServer>) -> Infallible {
        let Some(token) = context.meta.get_progress_token() else {
            return std::future::pending().await;
        };
        let mut reported = CallProgress::default();
        loop {
            sleep(PROGRESS_INTERVAL).await;
            let Some(report) = reported.next(&self.host.state()) else {
                continue;
            };
            let progress = ProgressNotificationParam::new(token.clone(), report.done as f64)
                .with_total(report.total as f64)
                .with_message(report.words);
            // A client that has disconnected needs no progress.
            let _ = context.peer.notify_progress(progress).await;
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(client) = self.client.get() {
            self.host.leave(*client);
        }
    }
}

/// Cancels the work of a query when the caller no longer waits for it.
struct FireOnDrop(RequestCancellation);

impl Drop for FireOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn cancelled() -> ApiError {
    ApiError::new(
        ErrorType::IndexUnavailable,
        "the call was cancelled",
        "ask again",
    )
}

fn lost() -> ApiError {
    ApiError::new(
        ErrorType::IndexUnavailable,
        "the database has ended",
        "start the server anew",
    )
}
