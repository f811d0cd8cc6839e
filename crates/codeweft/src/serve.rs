//! `codeweft serve`.

use std::path::PathBuf;
use std::time::Duration;

use codeweft_server::{
    ClaimError, ConnectError, ControlRequest, ServeOptions, ServerClaim, ShutdownSignal,
    SocketPaths, environment,
};
use codeweft_workspace::{AnalysisHost, HostOptions};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::arguments::Serve;
use crate::connection;
use crate::detach::{self, Started, StartupReporter};
use crate::frontends::FrontendRuntime;
use crate::output::{print, print_error};
use crate::{store, workspace};

/// The exit code if no server runs.
const NOT_RUNNING: u8 = 1;

/// The exit code of an internal error.
const INTERNAL: u8 = 3;

/// The time that another server, which takes no connections any more, may take to end: it frees its
/// memory.
const PREDECESSOR_TIMEOUT: Duration = Duration::from_secs(5);

/// The time that a server may take to end after `--stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The number of file descriptors that a busy server needs: two a connection, files that are read,
/// watches.
const DESCRIPTORS: u64 = 4096;

/// Serves, or does what the flags request; returns the exit code.
pub fn run(serve: &Serve) -> u8 {
    if let Err(words) = workspace::check(&serve.workspace.build) {
        print_error(&words);
        return workspace::WRONG_USE;
    }
    let root = match workspace::find(&serve.workspace.root) {
        Ok(root) => root,
        Err(code) => return code,
    };
    match serve {
        Serve { stop: true, .. } => stop(&root, serve.quiet.quiet),
        Serve { status: true, .. } => status(&root, serve.json),
        Serve { detach: true, .. } => detached(&root, serve),
        _ => run_server(&root, serve),
    }
}

fn detached(root: &str, serve: &Serve) -> u8 {
    let words = match detach::spawn(root, &serve.workspace.build, serve.idle_exit, serve.store) {
        Ok(Started::New) => "a server was started",
        Ok(Started::Running) => "a server runs already",
        Err(words) => {
            print_error(&words);
            return INTERNAL;
        }
    };
    if !serve.quiet.quiet {
        print_error(&format!("{words} for {root}"));
    }
    0
}

fn run_server(root: &str, serve: &Serve) -> u8 {
    let mut teller = StartupReporter::new(serve.detached);
    let mut fail = |words: String, code: u8| {
        print_error(&words);
        teller.failed(&words);
        code
    };
    let claim = match ServerClaim::take(&SocketPaths::new(root), PREDECESSOR_TIMEOUT) {
        Ok(claim) => claim,
        Err(ClaimError::Lost) if serve.detached => {
            teller.lost();
            return 0;
        }
        Err(ClaimError::Lost) => {
            let words = format!("a server runs already for {root}");
            return fail(words, workspace::WRONG_USE);
        }
        Err(error) => return fail(error.to_string(), INTERNAL),
    };
    let descriptors = getrlimit(Resource::Nofile);
    if descriptors.current.is_some_and(|now| now < DESCRIPTORS) {
        let most = descriptors.maximum.unwrap_or(DESCRIPTORS);
        // If it fails, the limit stays as it is.
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: Some(most.min(DESCRIPTORS)),
                ..descriptors
            },
        );
    }
    let bell = ShutdownSignal::new().and_then(|bell| {
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            signal_hook::low_level::pipe::register(signal, bell.sender.try_clone()?)?;
        }
        Ok(bell)
    });
    let (bell, runtime) = match (bell, FrontendRuntime::new()) {
        (Ok(bell), Ok(runtime)) => (bell, runtime),
        (Err(error), _) | (_, Err(error)) => return fail(error.to_string(), INTERNAL),
    };
    let variables = environment::of_process();
    let build = &serve.workspace.build;
    let settings = match workspace::live_settings(root, build, Some(variables.clone())) {
        Ok(settings) => settings,
        Err(words) => return fail(words, workspace::WRONG_USE),
    };
    let current = settings.current();
    workspace::warn_unused_settings(&current.settings, serve.quiet.quiet);
    if let Some(warning) = &current.warning {
        print_error(&warning.words);
    }
    let options = HostOptions {
        root: PathBuf::from(root),
        settings: current.settings.values.clone(),
        variables: Some(variables),
        threads: 0,
        watch: true,
        cache: current.settings.cache(None),
        cookies: Some(claim.folder().path().to_owned()),
    };
    let host = match AnalysisHost::start_live(options, settings) {
        Ok(host) => host,
        Err(error) => return fail(error.to_string(), workspace::WRONG_USE),
    };
    let store = match store::follow(&host, root, &current.settings, serve.store) {
        Ok(store) => store,
        Err(words) => {
            // The answers do not need it.
            print_error(&words);
            None
        }
    };
    let listening = match claim.listen(host.instance()) {
        Ok(listening) => listening,
        Err(error) => return fail(error.to_string(), INTERNAL),
    };
    if !serve.detached && !serve.quiet.quiet {
        print_error(&format!("serving {root} at {}", listening.socket()));
    }
    teller.ready();
    let options = ServeOptions {
        idle_exit: serve.idle_exit,
        variables: environment::sent(root),
    };
    let served = codeweft_server::serve(&host, listening, runtime.frontends(), options, bell);
    host.flush_cache(workspace::CACHE_WAIT);
    if let Some(store) = store {
        store.flush(workspace::CACHE_WAIT);
    }
    // The process ends here: dropping the database would only cost time.
    std::mem::forget((host, runtime));
    match served {
        Ok(claim) => {
            claim.sweep();
            // Held until the process ends.
            std::mem::forget(claim);
            0
        }
        Err(error) => {
            print_error(&format!("the server broke: {error}"));
            INTERNAL
        }
    }
}

fn stop(root: &str, quiet: bool) -> u8 {
    let mut ctl = match connection::ctl(root) {
        Ok((ctl, _)) => ctl,
        Err(error) => return unreachable(root, &error),
    };
    let ended = ctl
        .figures(&ControlRequest::Stop)
        .and_then(|_| ctl.wait_for_end(STOP_TIMEOUT));
    if let Err(error) = ended {
        print_error(&format!("the server of {root} did not end: {error}"));
        return INTERNAL;
    }
    drop(ctl);
    // Its process holds the lock until it ends.
    match ServerClaim::take(&SocketPaths::new(root), STOP_TIMEOUT) {
        Ok(_) | Err(ClaimError::Lost) => {
            if !quiet {
                print_error(&format!("the server of {root} has ended"));
            }
            0
        }
        Err(error) => {
            print_error(&format!("the server of {root} did not end: {error}"));
            INTERNAL
        }
    }
}

fn status(root: &str, json: bool) -> u8 {
    let status = connection::ctl(root).and_then(|(mut ctl, _)| {
        ctl.figures(&ControlRequest::Status)
            .map_err(|error| ConnectError::Silent(error.to_string()))
    });
    let status = match status {
        Ok(status) => status,
        Err(ConnectError::None) if json => {
            let none = serde_json::json!({"root": root, "running": false});
            return print(&none.to_string(), NOT_RUNNING);
        }
        Err(error) => return unreachable(root, &error),
    };
    if json {
        let mut status = status;
        status["running"] = true.into();
        return print(&status.to_string(), 0);
    }
    let word = |name: &str| match &status[name] {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => String::new(),
        value => value.to_string(),
    };
    let state = match word("state_words") {
        none if none.is_empty() => word("state"),
        words => format!("{} ({words})", word("state")),
    };
    let rows = [
        ("workspace", word("root")),
        ("process", word("pid")),
        ("build", word("build")),
        ("configuration", word("configuration")),
        ("state", state),
        ("revision", word("revision")),
        ("editors", word("editors")),
        ("agents", word("agents")),
        ("running for", format!("{} s", word("uptime_s"))),
    ];
    let rows = rows.map(|(name, value)| format!("{name:13} {value}\n"));
    print(&rows.concat(), 0)
}

/// Prints the reason why no server answers; returns the exit code.
pub fn unreachable(root: &str, error: &ConnectError) -> u8 {
    match error {
        ConnectError::None => {
            print_error(&format!("no server runs for {root}"));
            NOT_RUNNING
        }
        error => {
            print_error(&error.to_string());
            INTERNAL
        }
    }
}
