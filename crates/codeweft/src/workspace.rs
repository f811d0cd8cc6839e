//! The workspace that a command is about.

use std::path::Path;

use std::collections::BTreeMap;

use codeweft_ide::settings::{Settings, SettingsError};
use codeweft_ide::{LoadOptions, ProjectDatabase, root};

use crate::arguments::{Build, Quiet, Root, Workspace};
use crate::output::complain;
use crate::progress::Bar;

/// Wrong use of the command line.
pub const WRONG_USE: u8 = 2;

/// The root of the workspace, absolute; in place of one that cannot be had the exit code, its
/// reason said.
pub fn find(wanted: &Root) -> Result<String, u8> {
    locate(wanted.root.as_deref()).map_err(|words| {
        complain(&words);
        WRONG_USE
    })
}

/// The same, with the reason in words.
pub fn locate(given: Option<&Path>) -> Result<String, String> {
    let folder = match given {
        // Not needed: what is given stands by itself, but for what is relative.
        Some(given) if given.is_absolute() => given.to_owned(),
        _ => std::env::current_dir()
            .map_err(|error| format!("the working folder cannot be read: {error}"))?,
    };
    root::find(given, &folder).map_err(|error| error.to_string())
}

/// The settings of a workspace, the flags first; in place of wrong ones the exit code, the reason
/// said.
pub fn settings(root: &str, build: &Build) -> Result<Settings, u8> {
    Settings::find(root, &build.settings(), None).map_err(|error| {
        complain(&error.to_string());
        WRONG_USE
    })
}

/// The settings of a server or of a client's door, which a wrong file or environment does not keep
/// shut: those of the flags alone then, with what is to be told.
///
/// # Errors
/// A flag has a wrong value, in words.
pub fn settings_of_a_door(
    root: &str,
    build: &Build,
    variables: Option<&BTreeMap<String, String>>,
) -> Result<(Settings, Option<String>), String> {
    let flags = build.settings();
    match Settings::find(root, &flags, variables) {
        Ok(settings) => Ok((settings, None)),
        Err(wrong) => {
            check(build)?;
            let settings = Settings::without_file(root, &flags, variables);
            // A wrong variable; its languages read it as it stands.
            let settings = settings.unwrap_or_else(|_| Settings {
                values: flags,
                ..Settings::default()
            });
            let words = match wrong {
                SettingsError::Value(words) => words,
                wrong => format!("{wrong}; the file counts as none"),
            };
            Ok((settings, Some(words)))
        }
    }
}

/// Looks at the values of flags alone.
///
/// # Errors
/// What is wrong, in words.
pub fn check(build: &Build) -> Result<(), String> {
    let flags = build.settings();
    let alone = Settings::without_file("/", &flags, Some(&BTreeMap::new()));
    alone.map(drop).map_err(|error| error.to_string())
}

/// Says which settings nothing goes by yet.
pub fn tell_later(settings: &Settings, quiet: bool) {
    if !quiet && !settings.later.is_empty() {
        let keys = settings.later.join(", ");
        complain(&format!("codeweft.toml: nothing goes by {keys} yet"));
    }
}

/// Loads the workspace; in place of one that cannot be had the exit code, its reason said.
pub fn load(wanted: &Workspace, quiet: &Quiet) -> Result<ProjectDatabase, u8> {
    let root = find(&wanted.root)?;
    let settings = settings(&root, &wanted.build)?;
    load_with(&root, settings, quiet)
}

/// As [`load`], of a root with settings.
pub fn load_with(root: &str, settings: Settings, quiet: &Quiet) -> Result<ProjectDatabase, u8> {
    let complained = |words: String| {
        complain(&words);
        WRONG_USE
    };
    tell_later(&settings, quiet.quiet);
    let bar = Bar::new(quiet.quiet);
    let host = ProjectDatabase::load(LoadOptions {
        settings: settings.values,
        progress: &|progress| bar.tell(progress),
        ..LoadOptions::new(root)
    })
    .map_err(|error| complained(error.to_string()))?;
    drop(bar);
    if !quiet.quiet && !host.has_sources() {
        complain(&format!("{root} holds no source file that Codeweft reads"));
    }
    Ok(host)
}
