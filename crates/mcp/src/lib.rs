//! The agent's door: one tool, `cortex_graph`, over the Model Context Protocol.
//!
//! The handshake and the list of tools are answered from built-in text, never from the workspace.
//! The database lives on a thread of its own ([`keeper`]); questions go to it over a channel and
//! answers come back as plain data.

mod instructions;
mod keeper;
mod patient;
mod schema;
mod server;
mod text;

use std::io;
use std::path::PathBuf;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::{async_rw::AsyncRwTransport, stdio};

pub use instructions::INSTRUCTIONS;
pub use schema::{TOOL, tool};

/// The longest message of a client that is read.
const MAX_LINE: usize = 4 << 20;

/// Serves one client over standard input and output until it goes. `root` is the workspace's
/// folder as it was given; without it the working folder decides.
pub fn serve_stdio(root: Option<PathBuf>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .enable_io()
        .build()?;
    let served = runtime.block_on(async {
        let calls = patient::Calls::default();
        let server = server::Server::new(keeper::Keeper::new(root), calls.clone());
        let (input, output) = stdio();
        let input = patient::Patient::new(input, calls);
        let transport = AsyncRwTransport::new(input, output).with_max_line_length(MAX_LINE);
        let service = match server.serve(transport).await {
            Ok(service) => service,
            // A client that goes before it has said anything has nothing to complain of.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(io::Error::other(error)),
        };
        service.waiting().await.map_err(io::Error::other)?;
        Ok(())
    });
    // A thread may still wait for standard input.
    runtime.shutdown_background();
    served
}
