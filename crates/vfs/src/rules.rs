//! The rules of the walk, asked of single paths: what came since the last walk is judged without
//! another one.

use std::path::{Path, PathBuf};

use ignore::IncrementalIgnore;
use rustc_hash::FxHashMap;

use crate::paths::{relative, slashed};
use crate::walk::{builder, is_installed, judge, real_root};
use crate::{Exclude, FoundFile, UnreadPath, UnreadReason, Walk, WalkOptions};

/// Files by these names say what a walk leaves out, wherever they stand below the root or, in a
/// repository, above it.
pub const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".codeweftignore"];

/// What else changes a walk by its coming and going: a repository, an environment of Python.
const MARKERS: [&str; 3] = [".git", "pyvenv.cfg", "conda-meta"];

/// Whether a file or folder of this name changes what a walk leaves out.
pub fn changes_rules(name: &str) -> bool {
    IGNORE_FILES.contains(&name) || MARKERS.contains(&name)
}

/// What a walk left out, as the ignore files of a moment have it: they are read when the first
/// path of their folder is asked for, and kept. After one of them changed ([`changes_rules`])
/// there must be new rules.
pub struct ExclusionRules {
    root: String,
    real_root: PathBuf,
    matcher: Option<IncrementalIgnore>,
    /// Folders below the root that were asked for, and whether a walk looks into them.
    folders: FxHashMap<String, bool>,
}

/// What a walk would say of one path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WalkVerdict {
    /// Nothing is there.
    Absent,
    /// It is left out in silence: by a rule, as no file that is wanted, as a link inside.
    Silent,
    /// A folder that is looked into.
    Folder,
    /// A file that is wanted.
    File(FoundFile),
    /// Left out and told.
    LeftOut(UnreadReason),
}

impl ExclusionRules {
    /// The rules below `root`, an absolute folder.
    pub fn new(root: &str, exclude: Option<&Exclude>) -> ExclusionRules {
        let builder = builder(root, exclude);
        ExclusionRules {
            root: root.to_owned(),
            real_root: real_root(root),
            matcher: builder.build_matchers().into_iter().next(),
            folders: FxHashMap::default(),
        }
    }

    /// Whether a walk looks into a folder. The path is absolute and normalised.
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
        // From the root down: a folder in one that is left out is left out.
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
                    // It may come yet.
                    None => return false,
                },
            };
        }
        enters
    }

    /// As [`ExclusionRules::enters`], of a folder whose parent is looked into; `None`: it is not there.
    fn enters_from_parent(&mut self, folder: &str) -> Option<bool> {
        let path = Path::new(folder);
        let real = std::fs::symlink_metadata(path).ok()?.is_dir();
        Some(real && !self.ignores(folder, true) && !is_installed(path))
    }

    /// What a walk would say of a path, absolute and normalised, as it is now.
    pub fn look(&mut self, path: &str, options: &WalkOptions<'_>) -> WalkVerdict {
        if relative(&self.root, path).is_none() {
            return WalkVerdict::Silent;
        }
        let metadata = match std::fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => match UnreadReason::from(error) {
                UnreadReason::Unreadable(words) if self.is_wanted(path, options) => {
                    return WalkVerdict::LeftOut(UnreadReason::Unreadable(words));
                }
                _ => return WalkVerdict::Absent,
            },
        };
        if metadata.is_dir() {
            return match self.enters(path) {
                true => WalkVerdict::Folder,
                false => WalkVerdict::Silent,
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
            Some(Err(left_out)) => WalkVerdict::LeftOut(left_out.reason),
            None => WalkVerdict::Silent,
        }
    }

    /// What a walk would find in a folder and below it.
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
                    reason => walk.left_out.push(UnreadPath { path, reason }),
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
                walk.left_out.push(UnreadPath { path, reason });
            }
            return;
        };
        match self.look(&path, options) {
            WalkVerdict::Absent | WalkVerdict::Silent => {}
            WalkVerdict::Folder => folders.push(path),
            WalkVerdict::File(file) => walk.files.push(file),
            WalkVerdict::LeftOut(reason) => walk.left_out.push(UnreadPath { path, reason }),
        }
    }

    fn ignores(&mut self, path: &str, folder: bool) -> bool {
        match (relative(&self.root, path), &mut self.matcher) {
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

    const FILES: &str = "w/.gitignore: /build/;*_gen.go;!keep_gen.go
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
        path.ends_with(".go") || path.ends_with(".py")
    }

    fn options(exclude: &Exclude) -> WalkOptions<'_> {
        WalkOptions {
            max_size: 10,
            exclude: Some(exclude),
            ..WalkOptions::new(&wanted)
        }
    }

    /// Everything below a folder, links unfollowed.
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

    /// Asks for every path on its own and holds the answers against a walk.
    fn agrees(root: &str, exclude: &[&str]) -> Walk {
        let exclude = Exclude::new(root, exclude.iter().copied()).expect("patterns");
        let options = options(&exclude);
        let mut looked = Walk::default();
        for path in everything(root) {
            // New rules for each: none may lean on what was asked before.
            match ExclusionRules::new(root, Some(&exclude)).look(&path, &options) {
                WalkVerdict::Absent | WalkVerdict::Silent | WalkVerdict::Folder => {}
                WalkVerdict::File(file) => looked.files.push(file),
                WalkVerdict::LeftOut(reason) => looked.left_out.push(UnreadPath { path, reason }),
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
    fn a_path_alone_is_judged_as_a_walk_judges_it() {
        let (_top, root) = make(FILES);
        assert_eq!(agrees(&root, &[]).files.len(), 6);
        assert_eq!(agrees(&root, &["*.py", "sub/build"]).files.len(), 3);
    }

    #[test]
    fn in_a_repository_what_stands_above_the_root_holds_too() {
        let above = ".git/HEAD\n.git/info/exclude: lib\n.gitignore: /w/sub/deep\n";
        let (_top, root) = make(&format!("{above}{FILES}"));
        assert_eq!(agrees(&root, &[]).files.len(), 4);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_judged_as_a_walk_judges_them_and_nothing_behind_one_is_found() {
        use std::os::unix::fs::symlink;
        let (top, root) = make(FILES);
        std::fs::create_dir(top.path().join("out")).expect("made");
        std::fs::write(top.path().join("out/c.go"), "").expect("written");
        symlink(top.path().join("out"), format!("{root}/out")).expect("linked");
        symlink(top.path().join("out/c.go"), format!("{root}/c.go")).expect("linked");
        symlink(format!("{root}/sub"), format!("{root}/alias")).expect("linked");
        assert_eq!(agrees(&root, &[]).left_out.len(), 3);
        let exclude = Exclude::new(&root, []).expect("none");
        let mut rules = ExclusionRules::new(&root, None);
        for behind in ["out/c.go", "alias/b_gen.go"] {
            let path = format!("{root}/{behind}");
            assert_eq!(rules.look(&path, &options(&exclude)), WalkVerdict::Silent);
        }
    }

    #[test]
    fn what_is_not_there_may_come_yet() {
        let (_top, root) = make("w/a.go");
        let exclude = Exclude::new(&root, []).expect("none");
        let mut rules = ExclusionRules::new(&root, None);
        let path = format!("{root}/new/b.go");
        assert_eq!(rules.look(&path, &options(&exclude)), WalkVerdict::Absent);
        assert!(!rules.enters(&format!("{root}/new")));
        std::fs::create_dir(format!("{root}/new")).expect("made");
        std::fs::write(&path, "").expect("written");
        assert!(rules.enters(&format!("{root}/new")));
        let file = FoundFile {
            path: path.clone(),
            size: 0,
        };
        assert_eq!(
            rules.look(&path, &options(&exclude)),
            WalkVerdict::File(file)
        );
        assert_eq!(
            rules.look("/elsewhere/b.go", &options(&exclude)),
            WalkVerdict::Silent
        );
    }
}
