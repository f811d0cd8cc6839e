//! The disk as the World sees it: the files of the workspace and of libraries, and what layouts
//! looked at, each with the stamp by which a change shows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use codeweft_db::{Lang, Reader};
use codeweft_vfs::{DEFAULT_MAX_SIZE, LeftOutReason, WalkOptions, read_text, walk};

use super::left_out::{LeftOut, hides};

/// A file that changed this shortly before it was read may change again within one tick of the
/// file system's clock.
const TICK: Duration = Duration::from_millis(20);

/// By what a change of a file shows without reading it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stamp {
    modified: Option<SystemTime>,
    size: u64,
    /// Whether it may have changed since without showing.
    racy: bool,
}

impl Stamp {
    /// Of what is at `path` now; `None` where nothing is.
    pub(super) fn of(path: &str) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        let modified = metadata.modified().ok();
        let racy = modified.is_none_or(|modified| {
            SystemTime::now()
                .duration_since(modified)
                .is_ok_and(|age| age < TICK)
        });
        Some(Stamp {
            modified,
            size: metadata.len(),
            racy,
        })
    }

    /// Whether what is there now shows no change.
    pub(super) fn holds(self, now: Option<Stamp>) -> bool {
        !self.racy && now.is_some_and(|now| self.modified == now.modified && self.size == now.size)
    }
}

/// What reading a file gave, with the stamp that it had before it was read.
pub(super) type StampedText = (Option<Stamp>, Result<Arc<str>, LeftOutReason>);

/// What a walk found.
pub(super) struct Walked {
    /// Sorted by path.
    pub files: Vec<(Arc<str>, Lang)>,
    /// Sorted.
    pub left_out: Vec<LeftOut>,
}

/// The disk, for one workspace.
pub(super) struct Disk {
    root: String,
    disk: codeweft_vfs::Disk,
    /// Files and folders that layouts read, with their stamps before they were read.
    seen: Mutex<BTreeMap<String, Option<Stamp>>>,
}

impl Disk {
    /// The disk as the workspace at `root` sees it, with the given environment or this process's.
    pub(super) fn new(root: &str, variables: Option<BTreeMap<String, String>>) -> Disk {
        Disk {
            root: root.to_owned(),
            disk: match variables {
                Some(variables) => codeweft_vfs::Disk::new(variables),
                None => codeweft_vfs::Disk::of_process(),
            },
            seen: Mutex::default(),
        }
    }

    /// The language of a file of the workspace that its room reads.
    pub(super) fn workspace_language(&self, path: &str) -> Option<Lang> {
        let lang = language(path)?;
        let relative = codeweft_vfs::relative(&self.root, path)?;
        let room = codeweft_graph::languages::language_of(lang)?;
        room.reads(relative).then_some(lang)
    }

    /// The source files below the root.
    pub(super) fn walk(&self) -> Walked {
        let wanted = |path: &str| language(path).is_some();
        let found = walk(&self.root, &WalkOptions::new(&wanted));
        Walked {
            files: found
                .files
                .into_iter()
                .filter_map(|file| {
                    Some((
                        file.path.as_str().into(),
                        self.workspace_language(&file.path)?,
                    ))
                })
                .collect(),
            left_out: found
                .left_out
                .into_iter()
                .map(|left_out| LeftOut {
                    hides: hides(&left_out.path, &left_out.reason),
                    file: codeweft_vfs::relative(&self.root, &left_out.path)
                        .unwrap_or(&left_out.path)
                        .to_owned(),
                    reason: left_out.reason.to_string(),
                })
                .collect(),
        }
    }

    /// The source files of one language in a folder of a library, without its tests.
    pub(super) fn library(&self, dir: &str, lang: Lang) -> Vec<(Arc<str>, Lang)> {
        self.disk
            .list(dir)
            .into_iter()
            .filter(|name| language(name) == Some(lang) && !name.ends_with("_test.go"))
            .map(|name| (format!("{dir}/{name}").into(), lang))
            .collect()
    }

    /// The text of a file, with the stamp it had before it was read.
    pub(super) fn text(&self, path: &str) -> StampedText {
        let stamp = Stamp::of(path);
        let text = read_text(path, DEFAULT_MAX_SIZE);
        (stamp, text.map(|text| text.text))
    }

    /// Forgets what layouts looked at: a new layout looks again.
    pub(super) fn forget_seen(&self) {
        self.seen().clear();
    }

    /// Whether something that the last layout looked at has changed.
    pub(super) fn layout_is_stale(&self) -> bool {
        self.seen().iter().any(|(path, stamp)| {
            let now = Stamp::of(path);
            match stamp {
                Some(stamp) => !stamp.holds(now),
                None => now.is_some(),
            }
        })
    }

    fn note(&self, path: &str) {
        let mut seen = self.seen();
        if !seen.contains_key(path) {
            seen.insert(path.to_owned(), Stamp::of(path));
        }
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<String, Option<Stamp>>> {
        // The map is whole at every moment that could panic.
        self.seen
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Reader for Disk {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        self.note(path);
        self.disk.read(path)
    }

    fn list(&self, dir: &str) -> Vec<String> {
        self.note(dir);
        self.disk.list(dir)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.disk.variable(name)
    }
}

/// The language of a file, if a room answers for it.
pub(super) fn language(path: &str) -> Option<Lang> {
    let lang = Lang::of_path(path)?;
    codeweft_graph::languages::ALL
        .iter()
        .any(|room| room.lang() == lang)
        .then_some(lang)
}
