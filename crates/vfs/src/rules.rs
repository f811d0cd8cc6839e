//! Judges single paths by the rules of a walk, so that changes since the last walk need no new one.

use std::path::{Path, PathBuf};

use ignore::IncrementalIgnore;
use rustc_hash::FxHashMap;

use crate::paths::{relative, slashed};
use crate::walk::{builder, is_environment_file, is_installed, judge, real_root};
use crate::{Exclude, FoundFile, UnreadPath, UnreadReason, Walk, WalkOptions};

/// Files with these names exclude paths from a walk. They apply below the root and, in a
/// repository, above it.
pub const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".codeweftignore"];

/// Other names whose creation or removal changes the result of a walk: a repository, a Python
/// environment.
const MARKERS: [&str; 3] = [".git", "pyvenv.cfg", "conda-meta"];

/// Returns whether a file or folder of this name changes what a walk excludes.
pub fn changes_rules(name: &str) -> bool {
    IGNORE_FILES.contains(&name) || MARKERS.contains(&name)
}

/// The exclusion rules of a walk at one moment. Ignore files are read when the first path of their
/// folder is queried, and cached. After one of them changed ([`changes_rules`]), new rules must be
/// created.
pub struct ExclusionRules {
    root: String,
    real_root: PathBuf,
    matcher: Option<IncrementalIgnore>,
    /// The same for environment files, which no rule excludes for being hidden.
    with_hidden: Option<IncrementalIgnore>,
    /// The folders below the root that were queried, and whether a walk enters them.
    folders: FxHashMap<String, bool>,
}

/// The verdict of a walk on one path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WalkVerdict {
    /// Nothing exists there.
    Absent,
    /// Excluded without a report: by a rule, as a file that is not wanted, or as a link inside the
    /// workspace.
    Silent,
    /// A folder that a walk enters.
    Folder,
    /// A wanted file.
    File(FoundFile),
    /// A wanted file that is unread, which is reported.
    Unread(UnreadReason),
}

impl ExclusionRules {
    /// Creates the rules below `root`, an absolute folder.
    pub fn new(root: &str, exclude: Option<&Exclude>) -> ExclusionRules {
        let mut builder = builder(root, exclude);
        let matcher = builder.build_matchers().into_iter().next();
        let with_hidden = builder.hidden(false).build_matchers().into_iter().next();
        ExclusionRules {
            root: root.to_owned(),
            real_root: real_root(root),
            matcher,
            with_hidden,
            folders: FxHashMap::default(),
        }
    }

    /// Returns whether a walk enters a folder. The path is absolute and normalised.
    pub fn enters(&mut self, folder: &str) -> bool {
        let Some(below) = relative(&self.root, folder) else {
            return false;
        };
        if below.is_empty() {
            return true;
        }
        if let Some(&known) = self.folders.get(folder) {
            return known;
        }
        // From the root down, because everything in an excluded folder is excluded.
        let base = folder.len() - below.len();
        let ends = below.match_indices('/').map(|(at, _)| base + at);
        let mut enters = true;
        for end in ends.chain([folder.len()]) {
            let at = &folder[..end];
            enters = match self.folders.get(at) {
                Some(&known) => known,
                None if !enters => false,
                None => match self.enters_from_parent(at) {
                    Some(enters) => {
                        self.folders.insert(at.to_owned(), enters);
                        enters
                    }
                    // Not cached: the folder may be created later.
                    None => return false,
                },
            };
        }
        enters
    }

    /// Returns whether a walk enters a folder whose parent it enters; `None` if the folder does not
    /// exist.
    fn enters_from_parent(&mut self, folder: &str) -> Option<bool> {
        let path = Path::new(folder);
        let real = std::fs::symlink_metadata(path).ok()?.is_dir();
        Some(real && !self.ignores(folder, true) && !is_installed(path))
    }

    /// Returns whether the rules let a walk come to a file, whether or not it exists now.
    pub fn admits(&mut self, path: &str) -> bool {
        let Some(below) = relative(&self.root, path) else {
            return false;
        };
        let base = path.len() - below.len();
        let folders = below.match_indices('/').map(|(at, _)| base + at);
        let folders: Vec<usize> = folders.collect();
        !folders
            .into_iter()
            .any(|end| self.ignores(&path[..end], true))
            && !self.ignores(path, false)
    }

    /// Returns the current verdict on a path, which is absolute and normalised.
    pub fn verdict(&mut self, path: &str, options: &WalkOptions<'_>) -> WalkVerdict {
        if relative(&self.root, path).is_none() {
            return WalkVerdict::Silent;
        }
        let metadata = match std::fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => match UnreadReason::from(error) {
                UnreadReason::Unreadable(words) if self.is_wanted(path, options) => {
                    return WalkVerdict::Unread(UnreadReason::Unreadable(words));
                }
                _ => return WalkVerdict::Absent,
            },
        };
        if metadata.is_dir() {
            return if self.enters(path) {
                WalkVerdict::Folder
            } else {
                WalkVerdict::Silent
            };
        }
        let parent = path.rfind('/').map_or("", |at| &path[..at]);
        if !self.enters(parent) || self.ignores(path, false) {
            return WalkVerdict::Silent;
        }
        let roots = (self.root.as_str(), self.real_root.as_path());
        let size = || Ok(metadata.len());
        match judge(Path::new(path), metadata.file_type(), size, roots, options) {
            Some(Ok(file)) => WalkVerdict::File(file),
            Some(Err(unread)) => WalkVerdict::Unread(unread.reason),
            None => WalkVerdict::Silent,
        }
    }

    /// Returns what a walk would find in a folder and below it.
    pub fn below(&mut self, folder: &str, options: &WalkOptions<'_>) -> Walk {
        let mut walk = Walk::default();
        let mut waiting = Vec::new();
        if self.enters(folder) {
            waiting.push(folder.to_owned());
        }
        while let Some(path) = waiting.pop() {
            match std::fs::read_dir(&path) {
                Ok(entries) => {
                    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
                        self.take(&path, options, &mut walk, &mut waiting);
                    }
                }
                Err(error) => match UnreadReason::from(error) {
                    UnreadReason::Absent => {}
                    reason => walk.unread.push(UnreadPath { path, reason }),
                },
            }
        }
        walk.sort();
        walk
    }

    fn take(
        &mut self,
        path: &Path,
        options: &WalkOptions<'_>,
        walk: &mut Walk,
        folders: &mut Vec<String>,
    ) {
        let Some(path) = slashed(path) else {
            let path = path.to_string_lossy().into_owned();
            if (options.wanted)(&path) {
                let reason = UnreadReason::NameNotUtf8;
                walk.unread.push(UnreadPath { path, reason });
            }
            return;
        };
        match self.verdict(&path, options) {
            WalkVerdict::Absent | WalkVerdict::Silent => {}
            WalkVerdict::Folder => folders.push(path),
            WalkVerdict::File(file) => walk.files.push(file),
            WalkVerdict::Unread(reason) => walk.unread.push(UnreadPath { path, reason }),
        }
    }

    fn ignores(&mut self, path: &str, folder: bool) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let matcher = if !folder && is_environment_file(name.as_ref()) {
            &mut self.with_hidden
        } else {
            &mut self.matcher
        };
        match (relative(&self.root, path), matcher) {
            (Some(below), Some(matcher)) => matcher.matched(below, folder).is_ignore(),
            _ => true,
        }
    }

    fn is_wanted(&self, path: &str, options: &WalkOptions<'_>) -> bool {
        relative(&self.root, path).is_some_and(|path| (options.wanted)(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk;

    const FILES: &str = "w/.gitignore: /build/;*_gen.go;!keep_gen.go;!.kept.go;.env.local
        w/.env
        w/.env.local
        w/.kept.go
        w/sub/.env.test
        w/.cache/.env
        w/.ignore: old.go
        w/a.go
        w/a_gen.go
        w/old.go
        w/keep_gen.go
        w/notes.txt
        w/.hidden.go
        w/.cache/a.go
        w/build/a.go
        w/sub/.codeweftignore: x/
        w/sub/.gitignore: !b_gen.go
        w/sub/b_gen.go
        w/sub/x/a.go
        w/sub/build/a.go
        w/sub/deep/er/large.go: 12345678901
        w/sub/deep/er/b.py
        w/env/pyvenv.cfg
        w/env/lib/a.py
        w/lib/site-packages/a/a.py
        w/lib/a.py";

    fn make(files: &str) -> (tempfile::TempDir, String) {
        let top = tempfile::tempdir().expect("a temporary folder");
        for line in files.lines().map(str::trim) {
            let (path, text) = line.split_once(": ").unwrap_or((line, ""));
            let path = top.path().join(path);
            std::fs::create_dir_all(path.parent().expect("below the root")).expect("made");
            std::fs::write(path, text.replace(';', "\n")).expect("written");
        }
        let root = std::fs::canonicalize(top.path().join("w")).expect("it is there");
        let root = slashed(&root).expect("UTF-8");
        (top, root)
    }

    fn wanted(path: &str) -> bool {
        path.ends_with(".go") || path.ends_with(".py") || path.contains(".env")
    }

    fn options(exclude: &Exclude) -> WalkOptions<'_> {
        WalkOptions {
            max_size: 10,
            exclude: Some(exclude),
            ..WalkOptions::new(&wanted)
        }
    }

    /// Returns everything below a folder, without following links.
    fn everything(root: &str) -> Vec<String> {
        let mut all = Vec::new();
        let mut waiting = vec![PathBuf::from(root)];
        while let Some(folder) = waiting.pop() {
            for entry in std::fs::read_dir(folder).expect("listed") {
                let entry = entry.expect("an entry");
                all.extend(slashed(&entry.path()));
                if entry.file_type().expect("a kind").is_dir() {
                    waiting.push(entry.path());
                }
            }
        }
        all
    }

    /// Queries every path on its own and compares the verdicts with a walk.
    fn agrees(root: &str, exclude: &[&str]) -> Walk {
        let exclude = Exclude::new(root, exclude.iter().copied()).expect("patterns");
        let options = options(&exclude);
        let mut looked = Walk::default();
        for path in everything(root) {
            // New rules for each path: none may rely on cached folders.
            match ExclusionRules::new(root, Some(&exclude)).verdict(&path, &options) {
                WalkVerdict::Absent | WalkVerdict::Silent | WalkVerdict::Folder => {}
                WalkVerdict::File(file) => looked.files.push(file),
                WalkVerdict::Unread(reason) => looked.unread.push(UnreadPath { path, reason }),
            }
        }
        looked.sort();
        let walked = walk(root, &options);
        assert_eq!(looked, walked);
        assert_eq!(
            ExclusionRules::new(root, Some(&exclude)).below(root, &options),
            walked
        );
        walked
    }

    #[test]
    fn a_single_path_is_judged_as_in_a_walk() {
        let (_top, root) = make(FILES);
        assert_eq!(agrees(&root, &[]).files.len(), 9);
        assert_eq!(agrees(&root, &["*.py", "sub/build"]).files.len(), 6);
    }

    #[test]
    fn of_hidden_files_environment_files_are_found_and_what_a_rule_admits() {
        let (_top, root) = make(FILES);
        let found = agrees(&root, &["/.env"]).files;
        let found = found.iter().filter_map(|file| relative(&root, &file.path));
        let is_hidden = |path: &&str| path.starts_with('.') || path.contains("/.");
        let hidden: Vec<&str> = found.filter(is_hidden).collect();
        assert_eq!(hidden, [".kept.go", "sub/.env.test"]);
    }

    #[test]
    fn in_a_repository_ignore_files_above_the_root_apply_too() {
        let above = ".git/HEAD\n.git/info/exclude: lib\n.gitignore: /w/sub/deep\n";
        let (_top, root) = make(&format!("{above}{FILES}"));
        assert_eq!(agrees(&root, &[]).files.len(), 7);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_judged_as_in_a_walk_and_never_followed() {
        use std::os::unix::fs::symlink;
        let (top, root) = make(FILES);
        std::fs::create_dir(top.path().join("out")).expect("made");
        std::fs::write(top.path().join("out/c.go"), "").expect("written");
        symlink(top.path().join("out"), format!("{root}/out")).expect("linked");
        symlink(top.path().join("out/c.go"), format!("{root}/c.go")).expect("linked");
        symlink(format!("{root}/sub"), format!("{root}/alias")).expect("linked");
        assert_eq!(agrees(&root, &[]).unread.len(), 3);
        let exclude = Exclude::new(&root, []).expect("none");
        let mut rules = ExclusionRules::new(&root, None);
        for behind in ["out/c.go", "alias/b_gen.go"] {
            let path = format!("{root}/{behind}");
            assert_eq!(
                rules.verdict(&path, &options(&exclude)),
                WalkVerdict::Silent
            );
        }
    }

    #[test]
    fn a_missing_path_may_be_created_later() {
        let (_top, root) = make("w/a.go");
        let exclude = Exclude::new(&root, []).expect("none");
        let mut rules = ExclusionRules::new(&root, None);
        let path = format!("{root}/new/b.go");
        assert_eq!(
            rules.verdict(&path, &options(&exclude)),
            WalkVerdict::Absent
        );
        assert!(!rules.enters(&format!("{root}/new")));
        std::fs::create_dir(format!("{root}/new")).expect("made");
        std::fs::write(&path, "").expect("written");
        assert!(rules.enters(&format!("{root}/new")));
        let file = FoundFile {
            path: path.clone(),
            size: 0,
        };
        assert_eq!(
            rules.verdict(&path, &options(&exclude)),
            WalkVerdict::File(file)
        );
        assert_eq!(
            rules.verdict("/elsewhere/b.go", &options(&exclude)),
            WalkVerdict::Silent
        );
    }
}
