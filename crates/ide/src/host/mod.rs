//! The Host: the one writer of a workspace's database.

mod change;
mod disk;
mod index;
mod left_out;
mod load;
mod lowering;
mod memory;
mod question;
mod recheck;
mod units;

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{File, Lang, Origin, Recording, RootDb};
use codeweft_graph::Kept;
use codeweft_vfs::Vfs;
use rustc_hash::FxHashMap;

pub use index::{IndexReport, NotInFull, PhaseTimes};
pub use left_out::LeftOut;
pub use load::{LoadError, LoadOptions, Phase, Progress};
pub use memory::{Memory, process_memory};

#[cfg(test)]
mod tests;

use disk::{Disk, Stamp};
use left_out::LeftOuts;
use units::UnitMap;

/// A workspace in memory: its database, what it knows of the disk, and what editors have open.
///
/// It is the only one that writes to the database. Reading goes through [`Host::ask`], or through
/// [`Host::db`] for tests and measurements.
pub struct Host {
    db: RootDb,
    recording: Option<Recording>,
    /// Absolute, with `/`, without a final one.
    root: String,
    settings: BTreeMap<String, String>,
    threads: usize,
    disk: Disk,
    /// What is on disk and in editors, of the files of `files`.
    vfs: Vfs,
    /// The revision of `vfs` that the database shows.
    shown: u64,
    files: FileMap,
    units: UnitMap,
    revision: u64,
    /// What the next edits are parsed from.
    trees: lowering::Trees,
    /// What questions of this revision share.
    kept: Kept,
    left_out: LeftOuts,
    notes: Vec<(String, String)>,
    load_times: load::LoadTimes,
}

/// Every file that the database has ever held, by its absolute path.
type FileMap = FxHashMap<Arc<str>, Entry>;

/// One file of the workspace or of a library.
struct Entry {
    file: File,
    lang: Lang,
    origin: Origin,
    /// Whether its text fell to LOW.
    touched: bool,
    /// Whether it is there now; a deleted file keeps its `File` for its return.
    present: bool,
    /// Of the text on disk when it was read.
    stamp: Option<Stamp>,
    /// What its last text said, of a file that was opened or edited.
    last: Option<lowering::Before>,
}

impl Host {
    /// The root of the workspace, absolute.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The database, for tests and measurements.
    pub fn db(&self) -> &RootDb {
        &self.db
    }

    /// The events of a Host that was loaded with [`LoadOptions::recording`].
    pub fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref()
    }

    /// How many effective changes there were.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How many threads a question may use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether there is any file to ask about.
    pub fn has_sources(&self) -> bool {
        self.files.values().any(|entry| entry.present)
    }

    /// The files that were not read, sorted.
    pub fn left_out(&self) -> Vec<LeftOut> {
        self.left_out.all()
    }

    /// What the languages want a user to know about the layout: (path, words).
    pub fn notes(&self) -> &[(String, String)] {
        &self.notes
    }

    /// The files, as answers print them, whose text is not what is on disk; sorted.
    pub fn unsaved(&self) -> Vec<String> {
        let mut unsaved: Vec<String> = self
            .vfs
            .unsaved()
            .iter()
            .map(|path| {
                let origin = self.files.get(path).map(|entry| entry.origin);
                self.printed(path, origin.unwrap_or(Origin::Workspace))
                    .to_owned()
            })
            .collect();
        unsaved.sort();
        unsaved
    }

    /// A path as answers print it: relative to the root inside it.
    fn printed<'a>(&self, path: &'a str, origin: Origin) -> &'a str {
        printed(&self.root, path, origin)
    }
}

/// A path as answers print it: of a workspace file relative to the root, of a library absolute.
fn printed<'a>(root: &str, path: &'a str, origin: Origin) -> &'a str {
    match origin {
        Origin::Library => path,
        Origin::Workspace => codeweft_vfs::relative(root, path).unwrap_or(path),
    }
}
