//! Serving a client over standard input and output.

use std::io;

use codeweft_ide::api::ApiError;
use tokio::net::UnixStream;

use crate::proxy::run_proxy_with;
use crate::tools::ToolChoice;

/// Serves the client on standard input and output by [`crate::run_proxy`], with the connection that
/// `connect` makes, and lists `tools`.
///
/// # Errors
/// The client's stream broke, or no runtime could be created.
pub fn stdio<C, F>(tools: ToolChoice, connect: C) -> io::Result<()>
where
    C: Fn() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .enable_io()
        .build()?;
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    let served = runtime.block_on(run_proxy_with(tools, input, output, connect));
    // A thread may still be blocked on standard input.
    runtime.shutdown_background();
    served
}
