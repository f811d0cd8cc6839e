//! The workspace that a command is about.

use std::path::Path;

use codeweft_ide::{LoadOptions, World, root};

use crate::arguments::{Quiet, Root};
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

/// Loads the workspace; in place of one that cannot be had the exit code, its reason said.
pub fn load(wanted: &Root, quiet: &Quiet) -> Result<World, u8> {
    let complained = |words: String| {
        complain(&words);
        WRONG_USE
    };
    let root = find(wanted)?;
    let bar = Bar::new(quiet.quiet);
    let host = World::load(LoadOptions {
        progress: &|progress| bar.tell(progress),
        ..LoadOptions::new(&root)
    })
    .map_err(|error| complained(error.to_string()))?;
    drop(bar);
    if !quiet.quiet && !host.has_sources() {
        complain(&format!("{root} holds no source file that Codeweft reads"));
    }
    Ok(host)
}
