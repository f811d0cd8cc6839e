//! From this process to the server of a workspace.

use std::collections::BTreeMap;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use codeweft_ide::api::{ApiError, GraphRequest, GraphResponse};
use codeweft_ide::socket::{self, Ctl, Door, Hello, Places, Unreachable, Welcome};
use codeweft_ide::{Host, HostOptions};

use crate::detach;
use crate::doors::Rooms;
use crate::output::complain;

/// A stream to a server's door: of the server that runs, else of one that is started; of this
/// process where `standalone` asks for that, or where no server can be had, which is said.
///
/// # Errors
/// No Host can be had: why.
pub fn open(hello: Hello, standalone: bool) -> Result<UnixStream, String> {
    if standalone {
        return alone(hello);
    }
    let places = Places::new(&hello.root);
    match socket::connect(&places, &hello, &|| detach::start(&hello.root)) {
        Ok(connected) => {
            for warning in &connected.welcome.warnings {
                complain(warning);
            }
            Ok(connected.stream)
        }
        Err(error) => {
            complain(&format!("{error}; going on alone in this process"));
            alone(hello)
        }
    }
}

/// The same door over a pair of sockets, on a Host of this process.
fn alone(hello: Hello) -> Result<UnixStream, String> {
    let host = Host::start(HostOptions {
        root: PathBuf::from(&hello.root),
        settings: BTreeMap::new(),
        variables: None,
        threads: 0,
        watch: true,
        cookies: None,
    })
    .map_err(|error| error.to_string())?;
    let rooms = Rooms::new().map_err(|error| error.to_string())?;
    let (ours, theirs) = UnixStream::pair().map_err(|error| error.to_string())?;
    std::thread::Builder::new()
        .name("codeweft-alone".to_owned())
        .spawn(move || rooms.serve(&host, &hello, theirs))
        .map_err(|error| error.to_string())?;
    Ok(ours)
}

/// The command line's door of the server that runs.
///
/// # Errors
/// None runs, or it does not answer.
pub fn ctl(root: &str) -> Result<(Ctl, Welcome), Unreachable> {
    let hello = Hello::new(Door::Ctl, root, "codeweft", serde_json::Value::Null);
    let connected = socket::attach(&Places::new(root), &hello)?;
    Ok((Ctl::new(connected.stream), connected.welcome))
}

/// What the server that runs answers, and what a user should know of that server; `None` where
/// none answers, or where it is of another version or goes meanwhile.
pub fn question(root: &str, request: &GraphRequest) -> Option<(Answered, Vec<String>)> {
    let (mut ctl, welcome) = ctl(root).ok()?;
    if socket::version(&welcome.build) != socket::version(socket::build()) {
        return None;
    }
    Some((ctl.question(request).ok()?, welcome.warnings))
}

/// An answer, or why there is none.
pub type Answered = Result<GraphResponse, ApiError>;
