//! One client's questions to a Host.

use std::convert::Infallible;
use std::sync::OnceLock;
use std::time::Duration;

use codeweft_ide::api::{ApiError, ErrorType, GraphRequest};
use codeweft_ide::{
    AnalysisHost, ClientId, HostState, Priority, RequestCancellation, RequestOptions,
};
use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{oneshot, watch};
use tokio::time::sleep;

use crate::handler::Answer;

/// How often a waiting client that asked for it is told how far its question is.
const TELL: Duration = Duration::from_millis(500);

/// How long a question waits for a workspace that is being read.
const LOADING: Duration = Duration::from_secs(20);

/// How long a question may take in all.
const PATIENCE: Duration = Duration::from_secs(30);

/// A Host ends a question at [`PATIENCE`] itself; a door does not count on it.
const GRACE: Duration = Duration::from_secs(1);

/// One client of a Host, from its first question until it is dropped.
pub(crate) struct Session {
    host: AnalysisHost,
    client: OnceLock<ClientId>,
    gone: watch::Receiver<bool>,
}

impl Session {
    /// A session on `host` of a client that has gone when `gone` is true.
    pub(crate) fn new(host: AnalysisHost, gone: watch::Receiver<bool>) -> Session {
        Session {
            host,
            client: OnceLock::new(),
            gone,
        }
    }

    /// Asks. Returns at once when the call is cancelled or the client goes; the work ends then.
    pub(crate) async fn ask(
        &self,
        request: GraphRequest,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let client = *self.client.get_or_init(|| {
            let name = context.client_info().map(|client| client.name);
            self.host.connect(name.as_deref().unwrap_or("agent"))
        });
        let ask = RequestOptions::new(client, Priority::Agent, self.host.now(), PATIENCE);
        let _fire = FireOnDrop(ask.cancel.clone());
        let (sender, receiver) = oneshot::channel();
        self.host.graph(ask, request, move |answer| {
            // Nobody waits any more where the call was cancelled.
            let _ = sender.send(answer);
        });
        let mut gone = self.gone.clone();
        tokio::select! {
            answer = receiver => answer.unwrap_or_else(|_| Err(lost())),
            () = context.ct.cancelled() => Err(cancelled()),
            // An error says that the transport is dropped: gone, too.
            _ = gone.wait_for(|gone| *gone) => Err(cancelled()),
            error = self.lose_patience() => Err(error),
            never = self.tell(context) => match never {},
        }
    }

    /// Comes when a question has waited too long, with what it is to be answered.
    async fn lose_patience(&self) -> ApiError {
        sleep(LOADING).await;
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
        sleep(PATIENCE + GRACE - LOADING).await;
        ApiError::new(
            ErrorType::LimitExceeded,
            format!("no answer within {} seconds", PATIENCE.as_secs()),
            "ask again, with a smaller depth or a scope",
        )
    }

    /// Tells a client that asked for it, with values that grow, how far its question is.
    async fn tell(&self, context: &RequestContext<RoleServer>) -> Infallible {
        let Some(token) = context.meta.get_progress_token() else {
            return std::future::pending().await;
        };
        let mut told = 0.0;
        loop {
            sleep(TELL).await;
            let (done, words) = match self.host.state() {
                HostState::Loading(at) => (
                    at.done,
                    format!("reading, {} of {} files", at.done, at.total),
                ),
                HostState::Ready | HostState::Failed(_) => (0, "looking it up".to_owned()),
            };
            // The value must grow, whatever the phases count.
            told = f64::max(told + 1e-3, done as f64);
            let progress = ProgressNotificationParam::new(token.clone(), told).with_message(words);
            // A client that has gone needs no progress.
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

/// Ends the work of a question that nobody waits for any more.
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
