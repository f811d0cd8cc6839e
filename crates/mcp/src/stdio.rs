//! A client at the other end of standard input and output.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use codeweft_ide::api::{ApiError, ErrorType};
use codeweft_ide::{Host, HostOptions, root};
use tokio::net::UnixStream;

use crate::serve::serve;
use crate::thin::{Ending, thin};

/// Serves the client at standard input and output by [`crate::thin`], with the connection that
/// `connect` makes.
///
/// # Errors
/// The client's stream broke, or no runtime could be made.
pub fn stdio<C, F>(connect: C) -> io::Result<Ending>
where
    C: FnOnce() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .enable_io()
        .build()?;
    let ending = runtime.block_on(thin(tokio::io::stdin(), tokio::io::stdout(), connect));
    // A thread may still wait for standard input.
    runtime.shutdown_background();
    ending
}

/// A connection to a Host in this process. `given` is the workspace's folder as it was given;
/// without it the working folder decides ([`codeweft_ide::root`]).
///
/// # Errors
/// `invalid_request`: the folder is none for a workspace. `internal`: the Host could not be
/// started.
pub async fn standalone(given: Option<PathBuf>) -> Result<UnixStream, ApiError> {
    let host = tokio::task::spawn_blocking(move || start(given))
        .await
        .map_err(|panic| broke(panic.to_string()))??;
    let (ours, theirs) = UnixStream::pair().map_err(|error| broke(error.to_string()))?;
    // A session that breaks ends the stream, which the other end sees.
    tokio::spawn(serve(host, theirs));
    Ok(ours)
}

fn start(given: Option<PathBuf>) -> Result<Host, ApiError> {
    let wrong = |words: String| {
        ApiError::new(
            ErrorType::InvalidRequest,
            words,
            "start the server with --root DIR, where DIR is the project's folder",
        )
    };
    let folder = std::env::current_dir()
        .map_err(|error| wrong(format!("the working folder cannot be read: {error}")))?;
    let root = root::find(given.as_deref(), &folder).map_err(|error| wrong(error.to_string()))?;
    Host::start(HostOptions {
        root: PathBuf::from(root),
        settings: BTreeMap::new(),
        variables: None,
        threads: 0,
        watch: true,
        cookies: None,
    })
    .map_err(|error| wrong(error.to_string()))
}

fn broke(words: String) -> ApiError {
    ApiError::new(
        ErrorType::Internal,
        format!("the database could not be started: {words}"),
        "report this with the words above",
    )
}
