//! From this process to the server of a workspace.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use codeweft_ide::api::{ApiError, GraphRequest, GraphResponse};
use codeweft_ide::settings::Settings;
use codeweft_ide::socket::{
    self, ConnectError, ControlClient, Frontend, Hello, SocketPaths, Welcome,
};
use codeweft_ide::{AnalysisHost, HostOptions};

use crate::arguments::Build;
use crate::doors::FrontendRuntime;
use crate::output::complain;
use crate::{detach, workspace};

/// A stream to a server's door: of the server that runs, else of one that is started; of this
/// process where `standalone` asks for that, or where no server can be had, which is said.
///
/// # Errors
/// No Host can be had: why.
pub fn open(hello: Hello, standalone: bool, build: &Build) -> Result<UnixStream, String> {
    let (settings, wrong) = workspace::settings_of_a_door(&hello.root, build, None)?;
    if standalone {
        wrong.iter().for_each(|words| complain(words));
        return alone(hello, settings);
    }
    let places = SocketPaths::new(&hello.root);
    let start = || detach::start(&hello.root, build);
    match socket::connect(&places, &hello, &start) {
        Ok(connected) => {
            for warning in &connected.welcome.warnings {
                complain(warning);
            }
            match Fit::of(&settings, &connected.welcome) {
                Fit::Same => Ok(connected.stream),
                Fit::Told(words) => {
                    complain(&words);
                    Ok(connected.stream)
                }
                Fit::Other(words) => {
                    complain(&format!("{words}; going on alone in this process"));
                    alone(hello, settings)
                }
            }
        }
        Err(error) => {
            complain(&format!("{error}; going on alone in this process"));
            wrong.iter().for_each(|words| complain(words));
            alone(hello, settings)
        }
    }
}

/// How the build configuration that a server answers under fits the one that is wanted.
enum Fit {
    /// It is the same.
    Same,
    /// Another, but none was asked for: what to tell.
    Told(String),
    /// Another was asked for: what to tell.
    Other(String),
}

impl Fit {
    fn of(settings: &Settings, welcome: &Welcome) -> Fit {
        let (wanted, has) = (&settings.configuration, &welcome.configuration);
        if wanted == has || wanted.is_empty() {
            return Fit::Same;
        }
        let words = match has.as_str() {
            "" => "the running server does not tell for which build it answers".to_owned(),
            has => format!("the running server answers for {has}"),
        };
        if settings.asks_for_a_build() {
            return Fit::Other(format!("{words}, and {wanted} is asked for"));
        }
        // Which variable it is stands in a warning already.
        let explained = welcome.warnings.iter().any(|warning| {
            let variables = [
                "GOOS ",
                "GOARCH ",
                "GOFLAGS ",
                "GOENV ",
                "HOME ",
                "XDG_CONFIG_HOME ",
            ];
            variables.iter().any(|name| warning.starts_with(name))
        });
        match explained {
            true => Fit::Same,
            false => Fit::Told(format!("{words}, not for {wanted}")),
        }
    }
}

/// The same door over a pair of sockets, on a Host of this process.
fn alone(hello: Hello, settings: Settings) -> Result<UnixStream, String> {
    let host = AnalysisHost::start(HostOptions {
        root: PathBuf::from(&hello.root),
        settings: settings.values,
        variables: None,
        threads: 0,
        watch: true,
        cookies: None,
    })
    .map_err(|error| error.to_string())?;
    let rooms = FrontendRuntime::new().map_err(|error| error.to_string())?;
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
pub fn ctl(root: &str) -> Result<(ControlClient, Welcome), ConnectError> {
    let hello = Hello::new(Frontend::Ctl, root, "codeweft", serde_json::Value::Null);
    let connected = socket::attach(&SocketPaths::new(root), &hello)?;
    Ok((ControlClient::new(connected.stream), connected.welcome))
}

/// What the server that runs answers; `None` where none answers, or where it is of another version,
/// answers under another build configuration than is asked for, or goes meanwhile. And what a user
/// should know of that server.
pub fn question(
    root: &str,
    settings: &Settings,
    request: &GraphRequest,
) -> (Option<Answered>, Vec<String>) {
    let Ok((mut ctl, welcome)) = ctl(root) else {
        return (None, Vec::new());
    };
    if socket::version(&welcome.build) != socket::version(socket::build()) {
        return (None, Vec::new());
    }
    let fit = Fit::of(settings, &welcome);
    let mut said = welcome.warnings;
    match fit {
        Fit::Same => {}
        Fit::Told(words) => said.push(words),
        Fit::Other(words) => {
            return (None, vec![format!("{words}: answered from disk, alone")]);
        }
    }
    match ctl.question(request) {
        Ok(answer) => (Some(answer), said),
        Err(_) => (None, Vec::new()),
    }
}

/// What to tell of a server's build configuration where another is wanted.
pub fn other_build(settings: &Settings, welcome: &Welcome) -> Option<String> {
    match Fit::of(settings, welcome) {
        Fit::Same => None,
        Fit::Told(words) | Fit::Other(words) => Some(words),
    }
}

/// An answer, or why there is none.
pub type Answered = Result<GraphResponse, ApiError>;
