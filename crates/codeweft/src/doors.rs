//! The doors of a server: which crate serves which stream.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use codeweft_ide::AnalysisHost;
use codeweft_ide::socket::{Frontend, Frontends, Hello};
use tokio::runtime::Runtime;

use crate::output::complain;

/// What serves streams: the agents' protocol runs on two threads for all of them.
#[derive(Clone)]
pub struct FrontendRuntime {
    runtime: Arc<Runtime>,
}

impl FrontendRuntime {
    /// With its threads.
    ///
    /// # Errors
    /// They cannot be had.
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

    /// The doors of a server.
    pub fn doors(&self) -> Frontends {
        let (editors, agents) = (self.clone(), self.clone());
        Frontends {
            lsp: Box::new(move |host, hello, stream| editors.serve(host, hello, stream)),
            mcp: Box::new(move |host, hello, stream| agents.serve(host, hello, stream)),
        }
    }

    /// Serves one client at the door that its hello names, until it goes.
    pub fn serve(&self, host: &AnalysisHost, hello: &Hello, stream: UnixStream) {
        let served = match hello.door {
            Frontend::Lsp => editor(host, hello, stream),
            Frontend::Mcp => self.agent(host, stream),
            // The command line's is the server's own.
            Frontend::Ctl => Ok(()),
        };
        if let Err(error) = served {
            complain(&format!(
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

fn editor(host: &AnalysisHost, hello: &Hello, stream: UnixStream) -> io::Result<()> {
    let decided = serde_json::from_value(hello.decided.clone())?;
    codeweft_lsp::serve_stream(host, &decided, &hello.client_name, stream)
}
