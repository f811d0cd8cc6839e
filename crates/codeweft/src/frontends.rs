//! The frontends of a server: the mapping from a connection's hello to the crate that serves it.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use codeweft_server::{Frontend, Frontends, Hello};
use codeweft_workspace::AnalysisHost;
use tokio::runtime::Runtime;

use crate::output::print_error;

/// The runtime of the frontends: MCP sessions share two worker threads.
#[derive(Clone)]
pub struct FrontendRuntime {
    runtime: Arc<Runtime>,
}

impl FrontendRuntime {
    /// Creates the runtime with its threads.
    ///
    /// # Errors
    /// The threads cannot be created.
    pub fn new() -> io::Result<FrontendRuntime> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_time()
            .enable_io()
            .build()?;
        Ok(FrontendRuntime {
            runtime: Arc::new(runtime),
        })
    }

    /// Returns the frontends for a server.
    pub fn frontends(&self) -> Frontends {
        let (editors, agents) = (self.clone(), self.clone());
        Frontends {
            lsp: Box::new(move |host, hello, stream, replayed| {
                editors.serve(host, hello, stream, replayed);
            }),
            mcp: Box::new(move |host, hello, stream| agents.serve(host, hello, stream, &|| {})),
        }
    }

    /// Serves one client with the frontend that its hello names, until it disconnects. `replayed` is
    /// called when an editor whose former server has ended has sent its documents.
    pub fn serve(
        &self,
        host: &AnalysisHost,
        hello: &Hello,
        stream: UnixStream,
        replayed: &dyn Fn(),
    ) {
        let served = match hello.frontend {
            Frontend::Lsp => editor(host, hello, stream, replayed),
            Frontend::Mcp => self.agent(host, stream),
            // The control frontend is served by the server itself.
            Frontend::Ctl => Ok(()),
        };
        if let Err(error) = served {
            print_error(&format!(
                "the connection to {} (process {}) broke: {error}",
                hello.client_name.escape_debug(),
                hello.pid
            ));
        }
    }

    fn agent(&self, host: &AnalysisHost, stream: UnixStream) -> io::Result<()> {
        stream.set_nonblocking(true)?;
        self.runtime.block_on(async {
            let stream = tokio::net::UnixStream::from_std(stream)?;
            codeweft_mcp::serve(host.clone(), stream).await
        })
    }
}

fn editor(
    host: &AnalysisHost,
    hello: &Hello,
    stream: UnixStream,
    replayed: &dyn Fn(),
) -> io::Result<()> {
    let decided = serde_json::from_value(hello.decided.clone())?;
    codeweft_lsp::serve_stream(host, &decided, &hello.client_name, stream, replayed)
}
