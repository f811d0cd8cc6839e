//! The connection from this process to a workspace's server.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use codeweft_graph::languages;
use codeweft_server::{ConnectError, ControlClient, Frontend, Hello, SocketPaths, Welcome};
use codeweft_workspace::settings::{LiveSettings, Settings};
use codeweft_workspace::{AnalysisHost, HostOptions};

use crate::arguments::Build;
use crate::frontends::FrontendRuntime;
use crate::output::print_error;
use crate::{detach, workspace};

/// Connects to a frontend of the running server, or of one that is started for it. If `standalone`
/// is set, or if no server can be had, which is reported, the frontend is served by this process.
///
/// # Errors
/// No host can be created: the reason.
pub fn open(hello: Hello, standalone: bool, build: &Build) -> Result<UnixStream, String> {
    let live = workspace::live_settings(&hello.root, build, None)?;
    if standalone {
        return in_process(hello, live);
    }
    let current = live.current();
    let paths = SocketPaths::new(&hello.root);
    let start = || detach::start(&hello.root, build);
    match codeweft_server::connect(&paths, &hello, &start) {
        Ok(connected) => {
            for warning in &connected.welcome.warnings {
                print_error(warning);
            }
            match Fit::of(&current.settings, &connected.welcome) {
                Fit::Same => Ok(connected.stream),
                Fit::Compatible(words) => {
                    print_error(&words);
                    Ok(connected.stream)
                }
                Fit::Incompatible(words) => {
                    print_error(&format!("{words}; going on alone in this process"));
                    in_process(hello, live)
                }
            }
        }
        Err(error) => {
            print_error(&format!("{error}; going on alone in this process"));
            in_process(hello, live)
        }
    }
}

/// The result of comparing a server's build configuration with the requested one.
enum Fit {
    /// They are equal.
    Same,
    /// They differ, but none was requested explicitly: the note to print.
    Compatible(String),
    /// They differ, and one was requested explicitly: the note to print.
    Incompatible(String),
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
        if settings.set_the_build() {
            return Fit::Incompatible(format!("{words}, and {wanted} is asked for"));
        }
        // A warning of the server names the variable already.
        let explained = welcome.warnings.iter().any(|warning| {
            let of_languages = languages::specs().flat_map(|spec| spec.build_variables);
            let mut variables = of_languages.chain(&["HOME", "XDG_CONFIG_HOME"]);
            variables.any(|name| {
                let rest = warning.strip_prefix(name);
                rest.is_some_and(|rest| rest.starts_with(' '))
            })
        });
        if explained {
            Fit::Same
        } else {
            Fit::Compatible(format!("{words}, not for {wanted}"))
        }
    }
}

/// Serves a frontend over a socket pair, on a host of this process.
fn in_process(hello: Hello, live: LiveSettings) -> Result<UnixStream, String> {
    let current = live.current();
    if let Some(warning) = &current.warning {
        print_error(&warning.words);
    }
    let options = HostOptions {
        root: PathBuf::from(&hello.root),
        settings: current.settings.values.clone(),
        variables: None,
        threads: 0,
        watch: true,
        cache: current.settings.cache(None),
        cookies: None,
    };
    let host = AnalysisHost::start_live(options, live).map_err(|error| error.to_string())?;
    let runtime = FrontendRuntime::new().map_err(|error| error.to_string())?;
    let (ours, theirs) = UnixStream::pair().map_err(|error| error.to_string())?;
    std::thread::Builder::new()
        .name("codeweft-alone".to_owned())
        .spawn(move || runtime.serve(&host, &hello, theirs, &|| {}))
        .map_err(|error| error.to_string())?;
    Ok(ours)
}

/// Connects to the control frontend of the running server, for the command line.
///
/// # Errors
/// None runs, or it does not answer.
pub fn ctl(root: &str) -> Result<(ControlClient, Welcome), ConnectError> {
    let hello = Hello::new(Frontend::Ctl, root, "codeweft", serde_json::Value::Null);
    let connected = codeweft_server::attach(&SocketPaths::new(root), &hello)?;
    Ok((ControlClient::new(connected.stream), connected.welcome))
}

/// Returns a connection to the running server for questions; `None` if none answers, or if it is of another
/// version or of another build configuration than requested. Also returns the notes about that server for
/// the user.
pub fn for_questions(root: &str, settings: &Settings) -> (Option<ControlClient>, Vec<String>) {
    let Ok((ctl, welcome)) = ctl(root) else {
        return (None, Vec::new());
    };
    if codeweft_server::version(&welcome.build)
        != codeweft_server::version(codeweft_server::build())
    {
        return (None, Vec::new());
    }
    let fit = Fit::of(settings, &welcome);
    let mut said = welcome.warnings;
    match fit {
        Fit::Same => {}
        Fit::Compatible(words) => said.push(words),
        Fit::Incompatible(words) => {
            return (None, vec![format!("{words}: answered from disk, alone")]);
        }
    }
    (Some(ctl), said)
}

/// Returns the note about a server's build configuration if another is requested.
pub fn other_build(settings: &Settings, welcome: &Welcome) -> Option<String> {
    match Fit::of(settings, welcome) {
        Fit::Same => None,
        Fit::Compatible(words) | Fit::Incompatible(words) => Some(words),
    }
}
