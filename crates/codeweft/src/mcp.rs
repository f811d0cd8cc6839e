//! `codeweft mcp`.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use codeweft_ide::api::{ApiError, ErrorType};
use codeweft_server::{Frontend, Hello};
use tokio::net::UnixStream;

use crate::arguments::{Build, Mcp};
use crate::output::print_error;
use crate::restarts::Restarts;
use crate::{connection, workspace};

/// The exit code of an internal error.
const INTERNAL: u8 = 3;

/// Serves a client until it disconnects; returns the exit code.
pub fn run(mcp: &Mcp) -> u8 {
    let (root, standalone) = (mcp.workspace.root.root.clone(), mcp.standalone);
    let build = mcp.workspace.build.clone();
    if let Err(words) = workspace::check(&build) {
        print_error(&words);
        return workspace::WRONG_USE;
    }
    let client = Arc::new(McpClient {
        root,
        standalone,
        build,
        restarts: Restarts::default(),
    });
    match codeweft_mcp::stdio(mcp.tools.clone(), || connect(client.clone())) {
        Ok(()) => 0,
        Err(error) => {
            print_error(&format!("the connection to the client broke: {error}"));
            INTERNAL
        }
    }
}

/// What a connection needs to know of the client.
struct McpClient {
    root: Option<PathBuf>,
    standalone: bool,
    build: Build,
    restarts: Restarts,
}

async fn connect(client: Arc<McpClient>) -> Result<UnixStream, ApiError> {
    let opened = tokio::task::spawn_blocking(move || open(&client));
    let stream = opened
        .await
        .map_err(|panic| unavailable(&panic.to_string()))??;
    let stream = stream
        .set_nonblocking(true)
        .and_then(|()| UnixStream::from_std(stream));
    stream.map_err(|error| unavailable(&error.to_string()))
}

fn open(client: &McpClient) -> Result<std::os::unix::net::UnixStream, ApiError> {
    let root = workspace::locate(client.root.as_deref()).map_err(|words| {
        ApiError::new(
            ErrorType::InvalidRequest,
            words,
            "start the server with --root DIR, where DIR is the project's folder",
        )
    })?;
    let pause = client.restarts.next().map_err(|words| {
        ApiError::new(
            ErrorType::IndexUnavailable,
            words,
            "ask again in a minute, or after `codeweft doctor` says how to mend it",
        )
    })?;
    thread::sleep(pause);
    let hello = Hello::new(Frontend::Mcp, &root, "mcp", serde_json::Value::Null);
    connection::open(hello, client.standalone, &client.build).map_err(|words| unavailable(&words))
}

fn unavailable(words: &str) -> ApiError {
    ApiError::new(
        ErrorType::IndexUnavailable,
        format!("the database could not be started: {words}"),
        "run `codeweft doctor` in the workspace, which says how to mend it",
    )
}
