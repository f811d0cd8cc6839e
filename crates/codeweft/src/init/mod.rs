//! `codeweft init`: the first look at a workspace.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use codeweft_graph::languages::specs;
use codeweft_workspace::{SourceCount, settings, survey};
use serde::Serialize;

use crate::arguments::Init;
use crate::output::{counted, print, print_error};
use crate::progress::Bar;
use crate::{index, workspace};

/// The text of a new `codeweft.toml`, in which nothing has an effect.
const SETTINGS: &str = include_str!("settings.toml");

/// The exit code where no source file is found.
const NOTHING_FOUND: u8 = 1;

/// The exit code where the file of settings could not be written.
const NOT_WRITTEN: u8 = 3;

/// The bytes of source that one core indexes in a second (docs/performance.md), for estimates.
const BYTES_PER_CORE_SECOND: u64 = 3_000_000;

/// The memory for a byte of source, for estimates.
const MEMORY_PER_BYTE: u64 = 6;

/// The memory without any source.
const LEAST_MEMORY: u64 = 40_000_000;

/// What a first index is likely to take, without libraries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
struct Estimate {
    seconds: u64,
    memory_bytes: u64,
}

/// The state of `codeweft.toml`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum SettingsState {
    /// It has been written.
    Written,
    /// It was there, and stays as it was.
    Present,
    /// There is none.
    Absent,
}

/// Sets the workspace up and prints what was found; returns the exit code.
pub fn run(init: &Init) -> u8 {
    let found = workspace::find(&init.workspace.root).and_then(|root| {
        let settings = workspace::settings(&root, &init.workspace.build)?;
        Ok((root, settings))
    });
    let (root, settings) = match found {
        Ok(found) => found,
        Err(code) => return code,
    };
    let sources = survey(&root, &settings.values);
    let estimate = estimate(&sources);
    let state = match write_settings(&root, init.write) {
        Ok(state) => state,
        Err(words) => {
            print_error(&words);
            return NOT_WRITTEN;
        }
    };
    if !init.json {
        // Before the work, so that a user knows how long it takes.
        let code = print(&plan_words(&root, &sources, estimate, state), 0);
        if code != 0 {
            return code;
        }
    }
    let host = match workspace::load_with(&root, settings, &init.quiet) {
        Ok(host) => host,
        Err(code) => return code,
    };
    let bar = Bar::new(init.quiet.quiet);
    let report = host.index_all(0, &|progress| bar.show(progress));
    drop(bar);
    let has_sources = host.has_sources();
    std::mem::forget(host);
    let steps = next_steps(has_sources);
    let text = if init.json {
        serde_json::json!({
            "root": root,
            "sources": sources,
            "estimate": estimate,
            "settings": state,
            "index": report,
            "next": steps,
        })
        .to_string()
    } else {
        let mut text = index::figures(&report);
        for (number, step) in steps.iter().enumerate() {
            let name = if number == 0 { "next" } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:12} {step}");
        }
        text
    };
    print(&text, if has_sources { 0 } else { NOTHING_FOUND })
}

/// Writes `codeweft.toml` if it is `wanted` and none is there.
fn write_settings(root: &str, wanted: bool) -> Result<SettingsState, String> {
    let path = Path::new(root).join(settings::NAME);
    if path.symlink_metadata().is_ok() {
        return Ok(SettingsState::Present);
    }
    if !wanted {
        return Ok(SettingsState::Absent);
    }
    let new = OpenOptions::new().write(true).create_new(true).open(&path);
    let mut file = match new {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Ok(SettingsState::Present);
        }
        Err(error) => return Err(format!("{} cannot be written: {error}", path.display())),
        Ok(file) => file,
    };
    file.write_all(SETTINGS.as_bytes()).map_err(|error| {
        // Half a file would be an error of every command.
        let _ = std::fs::remove_file(&path);
        format!("{} cannot be written: {error}", path.display())
    })?;
    Ok(SettingsState::Written)
}

fn estimate(sources: &BTreeMap<&str, SourceCount>) -> Estimate {
    let bytes: u64 = sources.values().map(|count| count.bytes).sum();
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    Estimate {
        seconds: bytes.div_ceil(BYTES_PER_CORE_SECOND * cores),
        memory_bytes: LEAST_MEMORY + bytes * MEMORY_PER_BYTE,
    }
}

fn plan_words(
    root: &str,
    sources: &BTreeMap<&str, SourceCount>,
    estimate: Estimate,
    state: SettingsState,
) -> String {
    let each = sources.iter().map(|(language, count)| {
        let spec = specs().find(|spec| spec.wire_name == *language);
        format!(
            "{} of {}, {:.1} MB",
            counted(count.files as u64, "file", "files"),
            spec.map_or(*language, |spec| spec.name),
            count.bytes as f64 / 1e6
        )
    });
    let each: Vec<String> = each.collect();
    let files = match each.as_slice() {
        [] => "no source file".to_owned(),
        each => each.join("; "),
    };
    let settings = match state {
        SettingsState::Written => "codeweft.toml is written; every key is in it, behind #",
        SettingsState::Present => "codeweft.toml is there, and stays as it is",
        SettingsState::Absent => "no codeweft.toml, and none is needed; --write writes one",
    };
    format!(
        "{:12} {root}\n{:12} {files}\n{:12} about {} s and {} MB; the libraries that they import come on top\n\
         {:12} {settings}\n",
        "workspace",
        "sources",
        "estimate",
        estimate.seconds.max(1),
        estimate.memory_bytes / 1_000_000,
        "settings",
    )
}

/// Returns what to do next, a line each.
fn next_steps(has_sources: bool) -> Vec<&'static str> {
    if !has_sources {
        return vec!["codeweft doctor: says why nothing is read"];
    }
    vec![
        "codeweft query callers NAME: a first question",
        "codeweft mcp-config --client claude-code --write: for an agent; other clients: --help",
        "codeweft lsp: for an editor, which starts it as a language server",
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_file_has_no_effect_and_its_keys_are_known() {
        let none = settings::parse("").expect("right");
        assert_eq!(settings::parse(SETTINGS), Ok(none));
        let keys: String = SETTINGS
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(key) if key.contains(" = ") => format!("{key}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let read = settings::parse(&keys).expect("every key is known");
        assert_eq!(read.later, [""; 0]);
        assert_eq!(read.values["max_file_size"], (8 << 20).to_string());
        assert_eq!(read.values.len(), 13);
    }
}
