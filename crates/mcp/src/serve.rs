//! One client's session over a stream.

use std::io;

use codeweft_workspace::AnalysisHost;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use crate::handler::Handler;
use crate::lifecycle::LifecycleFilter;
use crate::session::{AnswerSource, Session};

/// Serves one client of `host` over `stream` until the client disconnects or the future is dropped.
/// The end of the client's stream cancels all its calls. Supports both lifecycles of the protocol:
/// with metadata in each request (2026-07-28), and beginning with `initialize`.
///
/// # Errors
/// The session failed internally; a client that disconnects is no error.
pub async fn serve(
    host: AnalysisHost,
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
) -> io::Result<()> {
    let (send_progress, gone) = watch::channel(false);
    run(
        AnswerSource::Host(Session::new(host, gone)),
        send_progress,
        stream,
    )
    .await
}

/// Serves answers from `source`; sets `gone` when the client disconnects.
pub(crate) async fn run(
    source: AnswerSource,
    gone: watch::Sender<bool>,
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
) -> io::Result<()> {
    let (read, write) = tokio::io::split(stream);
    let offer = match &source {
        AnswerSource::Host(session) => Some(session.offer()),
        AnswerSource::NoServer(..) => None,
    };
    let service = match Handler(source)
        .serve(LifecycleFilter::new(read, write, gone))
        .await
    {
        Ok(service) => service,
        // A client that disconnects before a session begins is no error, nor is one that does not
        // read the first answer.
        Err(
            ServerInitializeError::ConnectionClosed(_)
            | ServerInitializeError::TransportError { .. },
        ) => return Ok(()),
        Err(error) => return Err(io::Error::other(error)),
    };
    if let Some(offer) = offer {
        tokio::spawn(offer.follow(service.peer().clone()));
    }
    service.waiting().await.map_err(io::Error::other)?;
    Ok(())
}
