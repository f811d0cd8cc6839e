//! The disk as the World sees it: the files of the workspace and of libraries, and what layouts
//! looked at, each with the stamp by which a change shows.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::{Arc, Mutex};

use super::stamps::FileStamp;
use super::unread::UnreadFile;
use crate::sync::lock;
use codeweft_db::{FileSystem, Lang};
use codeweft_vfs::{
    DEFAULT_MAX_SIZE, Exclude, ExclusionRules, UnreadReason, WalkOptions, WalkVerdict, read_text,
    walk,
};

/// What reading a file gave, with the stamp that it had before it was read.
pub(super) type StampedText = (Option<FileStamp>, Result<Arc<str>, UnreadReason>);

/// What a walk found.
pub(super) struct WalkOutcome {
    /// Sorted by path.
    pub files: Vec<(Arc<str>, Lang)>,
    /// By their paths.
    pub left_out: Vec<(Arc<str>, UnreadFile)>,
}

/// How a layout looked at something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum LookupKind {
    Read,
    Listed,
}

/// What a layout saw.
struct LookupOutcome {
    /// Of before it looked.
    stamp: Option<FileStamp>,
    /// A hash of the text or of the names.
    content: u64,
}

/// The disk, for one workspace.
pub(crate) struct WorkspaceDisk {
    root: String,
    disk: codeweft_vfs::Disk,
    /// What the settings leave out.
    exclude: Option<Exclude>,
    /// The languages that the settings name; `None`: all.
    languages: Option<Vec<Lang>>,
    /// Files and folders that layouts read.
    seen: Mutex<BTreeMap<(String, LookupKind), LookupOutcome>>,
}

impl WorkspaceDisk {
    /// The disk as the workspace at `root` sees it, with the given environment or this process's.
    /// Of the settings `exclude` (patterns, one a line) and `languages` (wire names, by commas)
    /// count; one that cannot be read counts as none.
    pub(crate) fn new(
        root: &str,
        variables: Option<BTreeMap<String, String>>,
        settings: &BTreeMap<String, String>,
    ) -> WorkspaceDisk {
        let setting = |key| settings.get(key).filter(|value| !value.is_empty());
        let patterns = |text: &String| {
            let patterns = text.lines().filter(|pattern| !pattern.is_empty());
            Exclude::new(root, patterns).ok()
        };
        let languages = |text: &String| {
            let rooms = codeweft_graph::languages::ALL.iter();
            let named = |lang: &Lang| text.split(',').any(|name| name.trim() == lang.wire_name());
            rooms.map(|room| room.lang()).filter(named).collect()
        };
        WorkspaceDisk {
            root: root.to_owned(),
            exclude: setting("exclude").and_then(patterns),
            languages: setting("languages").map(languages),
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
        if self
            .languages
            .as_ref()
            .is_some_and(|languages| !languages.contains(&lang))
        {
            return None;
        }
        let relative = codeweft_vfs::relative(&self.root, path)?;
        let room = codeweft_graph::languages::language_of(lang)?;
        room.reads(relative).then_some(lang)
    }

    fn walk_options(&self) -> WalkOptions<'_> {
        WalkOptions {
            exclude: self.exclude.as_ref(),
            ..WalkOptions::new(&wanted)
        }
    }

    /// The source files below the root.
    pub(super) fn walk(&self) -> WalkOutcome {
        let found = walk(&self.root, &self.walk_options());
        self.walked(found)
    }

    /// The rules by which a walk of now leaves out.
    pub(super) fn rules(&self) -> ExclusionRules {
        ExclusionRules::new(&self.root, self.exclude.as_ref())
    }

    /// The source files in a folder and below it.
    pub(super) fn walk_below(&self, rules: &mut ExclusionRules, folder: &str) -> WalkOutcome {
        self.walked(rules.below(folder, &self.walk_options()))
    }

    /// What a walk would say of one path.
    pub(super) fn look(&self, rules: &mut ExclusionRules, path: &str) -> WalkVerdict {
        match rules.look(path, &self.walk_options()) {
            WalkVerdict::File(_) if self.workspace_language(path).is_none() => WalkVerdict::Silent,
            look => look,
        }
    }

    fn walked(&self, found: codeweft_vfs::Walk) -> WalkOutcome {
        let files = found.files.into_iter().filter_map(|file| {
            let lang = self.workspace_language(&file.path)?;
            Some((file.path.into(), lang))
        });
        let left_out = found.left_out.into_iter().map(|left_out| {
            let told = self.told(&left_out.path, &left_out.reason);
            (left_out.path.into(), told)
        });
        WalkOutcome {
            files: files.collect(),
            left_out: left_out.collect(),
        }
    }

    /// What a walk left out, as users are told.
    pub(super) fn told(&self, path: &str, reason: &UnreadReason) -> UnreadFile {
        UnreadFile {
            hides: hides(path, reason),
            file: codeweft_vfs::relative(&self.root, path)
                .unwrap_or(path)
                .to_owned(),
            reason: reason.to_string(),
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
        let stamp = FileStamp::of(path);
        (stamp, read_file(path))
    }

    /// Forgets what layouts looked at: a new layout looks again.
    pub(super) fn forget_seen(&self) {
        lock(&self.seen).clear();
    }

    /// Whether something that the last layout looked at is not as it saw it.
    pub(super) fn layout_is_stale(&self) -> bool {
        lock(&self.seen).iter_mut().any(|((path, kind), seen)| {
            let stamp = FileStamp::of(path);
            let same = match seen.stamp {
                Some(before) => before.holds(stamp),
                None => stamp.is_none(),
            };
            if same {
                return false;
            }
            let content = match kind {
                LookupKind::Read => hash(&self.disk.read(path)),
                LookupKind::Listed => hash(&self.disk.list(path)),
            };
            seen.stamp = stamp;
            content != seen.content
        })
    }

    fn note(&self, path: &str, kind: LookupKind, stamp: Option<FileStamp>, content: u64) {
        // What it saw first is what it may have gone by.
        lock(&self.seen)
            .entry((path.to_owned(), kind))
            .or_insert(LookupOutcome { stamp, content });
    }
}

impl FileSystem for WorkspaceDisk {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        let stamp = FileStamp::of(path);
        let text = self.disk.read(path);
        self.note(path, LookupKind::Read, stamp, hash(&text));
        text
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let stamp = FileStamp::of(dir);
        let names = self.disk.list(dir);
        self.note(dir, LookupKind::Listed, stamp, hash(&names));
        names
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.disk.variable(name)
    }
}

/// The text of a file as it is now.
pub(crate) fn read_file(path: &str) -> Result<Arc<str>, UnreadReason> {
    read_text(path, DEFAULT_MAX_SIZE).map(|text| text.text)
}

fn hash(content: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

/// Whether a walk looks for a file.
fn wanted(path: &str) -> bool {
    language(path).is_some()
}

/// The language of a file, if a room answers for it.
pub(super) fn language(path: &str) -> Option<Lang> {
    let lang = Lang::of_path(path)?;
    codeweft_graph::languages::ALL
        .iter()
        .any(|room| room.lang() == lang)
        .then_some(lang)
}

/// Whether what a walk left out may hold sources that a compiler would read. A link to a folder
/// outside is not followed by the Go command either.
fn hides(path: &str, reason: &UnreadReason) -> bool {
    language(path).is_some() || matches!(reason, UnreadReason::Unreadable(_))
}
