//! The transport of a session: what rmcp does not do for us at the two ends of a connection.

use std::borrow::Cow;
use std::io;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta as _, ProtocolVersion};
use rmcp::service::{RoleServer, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use crate::MAX_LINE;

/// Messages a line, with two rules of our own: what comes before a lifecycle has begun and is no
/// request is passed over (rmcp would end the session with an error), and the end of the client's
/// stream is told at once (rmcp lets running tools go on for seconds).
pub(crate) struct LifecycleFilter<R: AsyncRead, W: AsyncWrite> {
    lines: AsyncRwTransport<RoleServer, R, W>,
    begun: bool,
    gone: watch::Sender<bool>,
}

impl<R, W> LifecycleFilter<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// A gate on a client's stream; `gone` turns true where the client goes.
    pub(crate) fn new(read: R, write: W, gone: watch::Sender<bool>) -> LifecycleFilter<R, W> {
        LifecycleFilter {
            lines: AsyncRwTransport::new(read, write).with_max_line_length(MAX_LINE),
            begun: false,
            gone,
        }
    }
}

impl<R, W> Transport<RoleServer> for LifecycleFilter<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn name() -> Cow<'static, str> {
        "codeweft".into()
    }

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.lines.send(item)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let Some(message) = self.lines.receive().await else {
                self.gone.send_replace(true);
                return None;
            };
            if !self.begun {
                let ClientJsonRpcMessage::Request(request) = &message else {
                    continue;
                };
                self.begun = begins(&request.request);
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.gone.send_replace(true);
        self.lines.close().await
    }
}

impl<R: AsyncRead, W: AsyncWrite> Drop for LifecycleFilter<R, W> {
    fn drop(&mut self) {
        self.gone.send_replace(true);
    }
}

/// Whether a request begins a lifecycle: `initialize` the older, complete metadata of a version
/// that is served the one of 2026-07-28; `ping` and `server/discover` leave both open.
fn begins(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28)
                .is_empty()
                && meta
                    .protocol_version()
                    .is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version))
        }
    }
}
