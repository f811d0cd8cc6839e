//! A session over a stream.

use std::io;

use codeweft_ide::AnalysisHost;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use crate::gate::LifecycleFilter;
use crate::handler::{AnswerSource, Handler};
use crate::session::Session;

/// Serves one client of `host` over `stream` until the client goes or the future is dropped. The
/// end of the client's stream cancels all its calls. Both lifecycles of the protocol: the one with
/// metadata in each request (2026-07-28) and the one that begins with `initialize`.
///
/// # Errors
/// The session broke inside; a client that goes is no error.
pub async fn serve(
    host: AnalysisHost,
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
) -> io::Result<()> {
    let (tell, gone) = watch::channel(false);
    run(AnswerSource::Host(Session::new(host, gone)), tell, stream).await
}

/// Serves from `source`, telling over `gone` when the client goes.
pub(crate) async fn run(
    source: AnswerSource,
    gone: watch::Sender<bool>,
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
) -> io::Result<()> {
    let (read, write) = tokio::io::split(stream);
    let service = match Handler(source)
        .serve(LifecycleFilter::new(read, write, gone))
        .await
    {
        Ok(service) => service,
        // A client that goes before it has begun a session has nothing to complain of, and one
        // that does not read the first answer has gone.
        Err(
            ServerInitializeError::ConnectionClosed(_)
            | ServerInitializeError::TransportError { .. },
        ) => return Ok(()),
        Err(error) => return Err(io::Error::other(error)),
    };
    service.waiting().await.map_err(io::Error::other)?;
    Ok(())
}
