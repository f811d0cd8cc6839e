//! The disk as a workspace sees it: its source files, those of libraries, and the files and folders that
//! layouts depend on, each with its stamp.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::{Arc, Mutex};

use super::stamps::FileStamp;
use super::unread::UnreadFile;
use crate::sync::lock;
use codeweft_db::{FileSystem, Lang, Language};
use codeweft_documents::{DOCUMENT, MAX_DOCUMENT_SIZE, is_document};
use codeweft_vfs::{
    CodingLines, DEFAULT_MAX_SIZE, Exclude, ExclusionRules, UnreadReason, WalkOptions, WalkVerdict,
    walk,
};

/// The result of reading a file, with the stamp that it had before.
pub(super) type StampedText = (Option<FileStamp>, Result<Arc<str>, UnreadReason>);

/// The result of a walk.
pub(super) struct WalkOutcome {
    /// Sorted by path.
    pub files: Vec<(Arc<str>, Lang)>,
    /// By path.
    pub unread: Vec<(Arc<str>, UnreadFile)>,
}

/// The kind of a layout's dependency on a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum LookupKind {
    Read,
    Listed,
}

/// The state of a path when a layout read it.
struct LookupOutcome {
    /// The stamp before the read.
    stamp: Option<FileStamp>,
    /// A hash of the text or of the names.
    content: u64,
}

/// A test of paths.
type PathTest = dyn Fn(&str) -> bool + Send + Sync;

/// Returns the files whose encoding a comment may name.
pub(crate) fn coding_lines(languages: &[&dyn Language]) -> CodingLines {
    let languages = languages.iter().map(|language| language.lang());
    let coded = languages.filter(|lang| lang.has_coding_line);
    let extensions = coded.flat_map(|lang| lang.spec().extensions.iter().copied());
    CodingLines::of_extensions(extensions)
}

/// Returns the maximum size of a source file in bytes: the setting `max_file_size`, else the default.
pub(crate) fn max_file_size(settings: &BTreeMap<String, String>) -> u64 {
    let setting = settings.get("max_file_size");
    let bytes = setting.and_then(|bytes| bytes.parse().ok());
    bytes.unwrap_or(DEFAULT_MAX_SIZE)
}

/// The disk, for one workspace.
pub(crate) struct WorkspaceDisk {
    root: String,
    disk: codeweft_vfs::Disk,
    /// The languages that are read.
    languages: &'static [&'static dyn Language],
    /// Whether a path is one of a language.
    has_language: Box<PathTest>,
    /// The maximum size of a source file.
    max_size: u64,
    /// The exclusions of the settings.
    exclude: Option<Exclude>,
    /// The languages of the settings; `None` for all.
    selected: Option<Vec<Lang>>,
    /// The files and folders that layouts have read.
    dependencies: Mutex<BTreeMap<(String, LookupKind), LookupOutcome>>,
    /// What is read instead of the disk's files, while other texts are in the database.
    replaced: Mutex<BTreeMap<String, Option<Arc<str>>>>,
}

impl WorkspaceDisk {
    /// Returns the disk for the workspace at `root` and these languages, with the given environment or this process's. Uses the
    /// settings `exclude` (patterns, one a line), `languages` (wire names, separated by commas) and
    /// `max_file_size` (in bytes); one that cannot be parsed counts as absent.
    pub(crate) fn new(
        root: &str,
        languages: &'static [&'static dyn Language],
        variables: Option<BTreeMap<String, String>>,
        settings: &BTreeMap<String, String>,
    ) -> WorkspaceDisk {
        let disk = match variables {
            Some(variables) => codeweft_vfs::Disk::new(variables),
            None => codeweft_vfs::Disk::of_process(),
        };
        WorkspaceDisk::of(root, languages, disk, settings)
    }

    fn of(
        root: &str,
        languages: &'static [&'static dyn Language],
        disk: codeweft_vfs::Disk,
        settings: &BTreeMap<String, String>,
    ) -> WorkspaceDisk {
        let setting = |key| settings.get(key).filter(|value| !value.is_empty());
        let patterns = |text: &String| {
            let patterns = text.lines().filter(|pattern| !pattern.is_empty());
            Exclude::new(root, patterns).ok()
        };
        let selected = |text: &String| {
            let named = |lang: &Lang| text.split(',').any(|name| name.trim() == lang.wire_name());
            languages
                .iter()
                .map(|language| language.lang())
                .filter(named)
                .collect()
        };
        let max_size = max_file_size(settings);
        WorkspaceDisk {
            root: root.to_owned(),
            languages,
            has_language: Box::new(move |path| {
                language_of(languages, path).is_some() || is_document(path)
            }),
            max_size,
            exclude: setting("exclude").and_then(patterns),
            selected: setting("languages").map(selected),
            disk: disk
                .with_coding_lines(coding_lines(languages))
                .with_max_size(max_size),
            dependencies: Mutex::default(),
            replaced: Mutex::default(),
        }
    }

    /// Returns the same disk under other settings, before a layout has read anything.
    pub(super) fn with_settings(&self, settings: &BTreeMap<String, String>) -> WorkspaceDisk {
        WorkspaceDisk::of(&self.root, self.languages, self.disk.clone(), settings)
    }

    /// Returns the maximum size of a source file in bytes.
    pub(super) fn max_size(&self) -> u64 {
        self.max_size
    }

    /// Returns the language of a file of the workspace, if its language crate reads the file;
    /// [`DOCUMENT`] for a document.
    pub(super) fn workspace_language(&self, path: &str) -> Option<Lang> {
        let Some(language) = language_of(self.languages, path) else {
            codeweft_vfs::relative(&self.root, path)?;
            return is_document(path).then_some(DOCUMENT);
        };
        let lang = language.lang();
        if self
            .selected
            .as_ref()
            .is_some_and(|languages| !languages.contains(&lang))
        {
            return None;
        }
        let relative = codeweft_vfs::relative(&self.root, path)?;
        language.reads(relative).then_some(lang)
    }

    /// Returns whether a file is a document.
    fn is_document(&self, path: &str) -> bool {
        language_of(self.languages, path).is_none() && is_document(path)
    }

    /// Returns the language of a file by its extension; [`DOCUMENT`] for a document.
    pub(super) fn language(&self, path: &str) -> Option<Lang> {
        let language = language_of(self.languages, path).map(|language| language.lang());
        language.or_else(|| is_document(path).then_some(DOCUMENT))
    }

    fn walk_options(&self) -> WalkOptions<'_> {
        WalkOptions {
            max_size: self.max_size,
            exclude: self.exclude.as_ref(),
            ..WalkOptions::new(&*self.has_language)
        }
    }

    /// Returns the source files below the root.
    pub(super) fn walk(&self) -> WalkOutcome {
        let found = walk(&self.root, &self.walk_options());
        self.walked(found)
    }

    /// Returns the language and the size in bytes of each source file below the root.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (Lang, u64)> {
        let files = walk(&self.root, &self.walk_options()).files.into_iter();
        files.filter_map(|file| Some((self.workspace_language(&file.path)?, file.size)))
    }

    /// Returns the current rules of exclusion.
    pub(crate) fn rules(&self) -> ExclusionRules {
        ExclusionRules::new(&self.root, self.exclude.as_ref())
    }

    /// Returns the source files in a folder and below it.
    pub(super) fn walk_below(&self, rules: &mut ExclusionRules, folder: &str) -> WalkOutcome {
        self.walked(rules.below(folder, &self.walk_options()))
    }

    /// Returns the verdict of a walk on one path.
    pub(super) fn verdict(&self, rules: &mut ExclusionRules, path: &str) -> WalkVerdict {
        match rules.verdict(path, &self.walk_options()) {
            WalkVerdict::File(_) if self.workspace_language(path).is_none() => WalkVerdict::Silent,
            WalkVerdict::File(file) if self.is_document(path) && file.size > MAX_DOCUMENT_SIZE => {
                WalkVerdict::Silent
            }
            WalkVerdict::Unread(_) if self.is_document(path) => WalkVerdict::Silent,
            verdict => verdict,
        }
    }

    fn walked(&self, found: codeweft_vfs::Walk) -> WalkOutcome {
        let files = found.files.into_iter().filter_map(|file| {
            let lang = self.workspace_language(&file.path)?;
            let is_data = lang == DOCUMENT && file.size > MAX_DOCUMENT_SIZE;
            (!is_data).then(|| (file.path.into(), lang))
        });
        let unread = found.unread.into_iter();
        let unread = unread.filter(|unread| !self.is_document(&unread.path));
        let unread = unread.map(|unread| {
            let file = self.unread(&unread.path, &unread.reason);
            (unread.path.into(), file)
        });
        WalkOutcome {
            files: files.collect(),
            unread: unread.collect(),
        }
    }

    /// Returns an unread file as users see it.
    pub(super) fn unread(&self, path: &str, reason: &UnreadReason) -> UnreadFile {
        UnreadFile {
            hides: self.hides(path, reason),
            file: codeweft_vfs::relative(&self.root, path)
                .unwrap_or(path)
                .to_owned(),
            reason: reason.to_string(),
        }
    }

    /// Returns the source files of one language in a folder of a library, without its tests.
    pub(super) fn library(&self, dir: &str, lang: Lang) -> Vec<(Arc<str>, Lang)> {
        self.names(dir)
            .into_iter()
            .filter(|name| self.language(name) == Some(lang) && !lang.is_test_path(name))
            .map(|name| (format!("{dir}/{name}").into(), lang))
            .collect()
    }

    /// Reads a file, with the stamp that it had before.
    pub(super) fn text(&self, path: &str) -> StampedText {
        if let Some(replaced) = lock(&self.replaced).get(path).cloned() {
            let absent = UnreadReason::Absent;
            return (None, replaced.ok_or(absent));
        }
        let stamp = FileStamp::of(path);
        (stamp, self.disk.text(path).map(|text| text.text))
    }

    /// Returns whether an unread path may have sources that a compiler would read. A link to a folder outside
    /// is not followed by compilers either.
    fn hides(&self, path: &str, reason: &UnreadReason) -> bool {
        language_of(self.languages, path).is_some() || matches!(reason, UnreadReason::Unreadable(_))
    }

    /// Returns whether a layout has read a file, or looked for it.
    pub(super) fn depends_on(&self, path: &str) -> bool {
        lock(&self.dependencies).contains_key(&(path.to_owned(), LookupKind::Read))
    }

    /// Gives a text, or none, instead of a file. Returns whether that differs from what layouts read.
    pub(super) fn replace(&self, path: &str, text: Option<Arc<str>>) -> bool {
        let differs = self.read_unnoted(path) != text;
        lock(&self.replaced).insert(path.to_owned(), text);
        differs
    }

    /// Lets the disk be read again.
    pub(super) fn forget_replaced(&self) {
        lock(&self.replaced).clear();
    }

    /// Returns what a layout reads of a file, which does not become a dependency.
    pub(super) fn read_unnoted(&self, path: &str) -> Option<Arc<str>> {
        let replaced = lock(&self.replaced).get(path).cloned();
        replaced.unwrap_or_else(|| self.disk.read(path))
    }

    /// Returns the names in a folder, as layouts see them.
    fn names(&self, dir: &str) -> Vec<String> {
        let mut names = self.disk.list(dir);
        let replaced = lock(&self.replaced);
        if replaced.is_empty() {
            return names;
        }
        let begin = format!("{dir}/");
        let below = replaced.range(begin.clone()..);
        for (path, text) in below.take_while(|(path, _)| path.starts_with(&begin)) {
            let name = &path[begin.len()..];
            if name.contains('/') {
                continue;
            }
            names.retain(|known| known != name);
            if text.is_some() {
                names.push(name.to_owned());
            }
        }
        names.sort();
        names
    }

    /// Returns the text of a file with this content; `None` if it is none.
    pub(super) fn decode(&self, path: &str, content: Vec<u8>) -> Option<Arc<str>> {
        let decoded = codeweft_vfs::decode(path, content, &coding_lines(self.languages));
        Some(decoded.ok()?.text)
    }

    /// Forgets the dependencies of layouts, before a new one.
    pub(super) fn forget_dependencies(&self) {
        lock(&self.dependencies).clear();
    }

    /// Returns whether something that the last layout depends on has changed.
    pub(crate) fn layout_is_stale(&self) -> bool {
        lock(&self.dependencies)
            .iter_mut()
            .any(|((path, kind), seen)| {
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
                let differs = content != seen.content;
                if !differs {
                    seen.stamp = stamp;
                }
                differs
            })
    }

    fn note(&self, path: &str, kind: LookupKind, stamp: Option<FileStamp>, content: u64) {
        // The layout may depend on what it read first.
        lock(&self.dependencies)
            .entry((path.to_owned(), kind))
            .or_insert(LookupOutcome { stamp, content });
    }
}

impl FileSystem for WorkspaceDisk {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        let stamp = FileStamp::of(path);
        let text = self.read_unnoted(path);
        self.note(path, LookupKind::Read, stamp, hash(&text));
        text
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let stamp = FileStamp::of(dir);
        let names = self.names(dir);
        self.note(dir, LookupKind::Listed, stamp, hash(&names));
        names
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.disk.variable(name)
    }
}

fn hash(content: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

/// Returns the language of a file by its extension.
fn language_of(
    languages: &'static [&'static dyn Language],
    path: &str,
) -> Option<&'static dyn Language> {
    let mut languages = languages.iter().copied();
    languages.find(|language| language.lang().reads_path(path))
}
