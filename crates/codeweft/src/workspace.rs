//! The workspace that a command is about.

use codeweft_ide::{LoadOptions, World, root};

use crate::arguments::{Quiet, Root};
use crate::output::complain;
use crate::progress::Bar;

/// Wrong use of the command line.
pub const WRONG_USE: u8 = 2;

/// Loads the workspace; in place of one that cannot be had the exit code, its reason said.
pub fn load(wanted: &Root, quiet: &Quiet) -> Result<World, u8> {
    let complained = |words: String| {
        complain(&words);
        WRONG_USE
    };
    let folder = std::env::current_dir()
        .map_err(|error| complained(format!("the working folder cannot be read: {error}")))?;
    let root = root::find(wanted.root.as_deref(), &folder)
        .map_err(|error| complained(error.to_string()))?;
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
