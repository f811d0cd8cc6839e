//! The workspace of a command: its root, settings and database.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use codeweft_workspace::settings::{LiveSettings, Settings};
use codeweft_workspace::{LoadOptions, ProjectDatabase, root};

use crate::arguments::{Build, Quiet, Root, Workspace};
use crate::output::print_error;
use crate::progress::Bar;

/// The exit code of wrong use of the command line.
pub const WRONG_USE: u8 = 2;

/// The longest that a command waits at its end for the cache to be written.
pub const CACHE_WAIT: Duration = Duration::from_secs(2);

/// Returns the root of the workspace, absolute. Prints the error and returns the exit code if there
/// is none.
pub fn find(wanted: &Root) -> Result<String, u8> {
    locate(wanted.root.as_deref()).map_err(|words| {
        print_error(&words);
        WRONG_USE
    })
}

/// Returns the same, with the error as text.
pub fn locate(given: Option<&Path>) -> Result<String, String> {
    let folder = match given {
        // The working folder is needed only for a relative path.
        Some(given) if given.is_absolute() => given.to_owned(),
        _ => std::env::current_dir()
            .map_err(|error| format!("the working folder cannot be read: {error}"))?,
    };
    root::find(given, &folder).map_err(|error| error.to_string())
}

/// Returns the settings of a workspace, the flags first. Prints the error and returns the exit code
/// if they are invalid.
pub fn settings(root: &str, build: &Build) -> Result<Settings, u8> {
    Settings::find(root, &build.settings(), None).map_err(|error| {
        print_error(&error.to_string());
        WRONG_USE
    })
}

/// Returns the settings of a server or of a client's frontend, which must start even with an
/// invalid file or environment: then those of the flags alone, with a warning.
///
/// # Errors
/// A flag has an invalid value.
pub fn live_settings(
    root: &str,
    build: &Build,
    variables: Option<BTreeMap<String, String>>,
) -> Result<LiveSettings, String> {
    check(build)?;
    Ok(LiveSettings::find(root, &build.settings(), variables))
}

/// Checks the values of flags alone.
///
/// # Errors
/// The invalid value.
pub fn check(build: &Build) -> Result<(), String> {
    let flags = build.settings();
    let in_process = Settings::without_file("/", &flags, Some(&BTreeMap::new()));
    in_process.map(drop).map_err(|error| error.to_string())
}

/// Reports settings that have no effect yet.
pub fn warn_unused_settings(settings: &Settings, quiet: bool) {
    if !quiet && !settings.later.is_empty() {
        let keys = settings.later.join(", ");
        print_error(&format!("codeweft.toml: nothing goes by {keys} yet"));
    }
}

/// Loads the workspace. Prints the error and returns the exit code if it cannot be loaded.
pub fn load(wanted: &Workspace, quiet: &Quiet) -> Result<ProjectDatabase, u8> {
    let root = find(&wanted.root)?;
    let settings = settings(&root, &wanted.build)?;
    load_with(&root, settings, quiet)
}

/// Loads the workspace at a root with settings, as [`load`] does.
pub fn load_with(root: &str, settings: Settings, quiet: &Quiet) -> Result<ProjectDatabase, u8> {
    load_until(root, settings, quiet, false)
}

/// As [`load_with`], for a single question: libraries are lowered as far as it needs them.
pub fn load_for_question(
    root: &str,
    settings: Settings,
    quiet: &Quiet,
) -> Result<ProjectDatabase, u8> {
    load_until(root, settings, quiet, true)
}

fn load_until(
    root: &str,
    settings: Settings,
    quiet: &Quiet,
    on_demand: bool,
) -> Result<ProjectDatabase, u8> {
    let complained = |words: String| {
        print_error(&words);
        WRONG_USE
    };
    warn_unused_settings(&settings, quiet.quiet);
    let bar = Bar::new(quiet.quiet);
    let host = ProjectDatabase::load(LoadOptions {
        cache: settings.cache(None),
        settings: settings.values,
        on_demand,
        progress: &|progress| bar.show(progress),
        ..LoadOptions::new(root)
    })
    .map_err(|error| complained(error.to_string()))?;
    drop(bar);
    if !quiet.quiet && !host.has_sources() {
        print_error(&format!("{root} holds no source file that Codeweft reads"));
    }
    Ok(host)
}
