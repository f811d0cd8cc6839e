//! Lists the files of a workspace: what the rules of git and our own do not exclude.

use std::ffi::OsStr;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::paths::{relative, slashed};
use crate::sync::{into_inner, lock};
use crate::{DEFAULT_MAX_SIZE, UnreadPath, UnreadReason};

/// The result of a walk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Walk {
    /// Wanted files, in the order of path bytes.
    pub files: Vec<FoundFile>,
    /// Unread files and folders, in the order of path bytes.
    pub unread: Vec<UnreadPath>,
}

/// A wanted file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FoundFile {
    /// Absolute, with `/`.
    pub path: String,
    /// In bytes.
    pub size: u64,
}

/// The settings of a walk.
#[derive(Clone, Copy)]
pub struct WalkOptions<'a> {
    /// Returns whether a file is wanted, by its path relative to the walk's root with `/`.
    pub wanted: &'a (dyn Fn(&str) -> bool + Sync),
    /// Larger wanted files, in bytes, are unread.
    pub max_size: u64,
    /// Additional exclude patterns of the settings.
    pub exclude: Option<&'a Exclude>,
}

impl<'a> WalkOptions<'a> {
    /// Creates settings with the default maximum size and without patterns.
    pub fn new(wanted: &'a (dyn Fn(&str) -> bool + Sync)) -> Self {
        WalkOptions {
            wanted,
            max_size: DEFAULT_MAX_SIZE,
            exclude: None,
        }
    }
}

/// Patterns of files and folders to exclude, in the syntax of `.gitignore`.
#[derive(Clone, Debug)]
pub struct Exclude(Override);

/// A pattern that cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the pattern `{pattern}` cannot be read: {message}")]
pub struct BadPattern {
    /// The pattern as given.
    pub pattern: String,
    /// The error.
    pub message: String,
}

impl Exclude {
    /// Parses patterns; a `/` before or inside one anchors it at `root`.
    pub fn new<'p>(
        root: &str,
        patterns: impl IntoIterator<Item = &'p str>,
    ) -> Result<Exclude, BadPattern> {
        let bad = |pattern: &str, error: ignore::Error| BadPattern {
            pattern: pattern.to_owned(),
            message: error.to_string(),
        };
        let mut builder = OverrideBuilder::new(root);
        for pattern in patterns {
            // In overrides a leading `!` excludes.
            builder
                .add(&format!("!{pattern}"))
                .map_err(|error| bad(pattern, error))?;
        }
        builder.build().map(Exclude).map_err(|error| bad("", error))
    }
}

/// Returns the wanted files below `root`, an absolute folder.
///
/// Excluded without a report: paths named by `.gitignore` (with or without a repository), by the
/// excludes of the repository and of the user, by `.ignore` and `.codeweftignore`; hidden files and
/// folders, but for environment files (`.env`, `.env.*`); folders of installed software (Python environments, `site-packages`); links inside the
/// workspace, whose targets are found under their own names.
///
/// Unread and reported: wanted files that are too large, links out of the workspace, and what
/// cannot be read.
///
/// ```text
/// .gitignore     /build/
/// a.go           found
/// build/b.go     excluded: ignored
/// .venv/c.py     excluded: hidden, installed
/// out.go -> /x   unread: a link out of the workspace
/// ```
pub fn walk(root: &str, options: &WalkOptions<'_>) -> Walk {
    let mut builder = builder(root, options.exclude);
    // It only decides about hidden names: a rule such as `!.name` may admit them.
    let hidden = Mutex::new(builder.build_matchers().into_iter().next());
    let of_root = root.to_owned();
    builder.hidden(false).filter_entry(move |entry| {
        let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        if entry.depth() == 0 {
            return true;
        }
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if is_hidden && (folder || !is_environment_file(entry.file_name())) {
            let below = entry.path().strip_prefix(&of_root);
            let mut hidden = lock(&hidden);
            let (Ok(below), Some(matcher)) = (below, &mut *hidden) else {
                return false;
            };
            if matcher.matched(below, folder).is_ignore() {
                return false;
            }
        }
        !folder || !is_installed(entry.path())
    });
    let found = Mutex::new(Walk::default());
    let real_root = real_root(root);
    builder.build_parallel().run(|| {
        let mut local = Collector {
            root,
            real_root: &real_root,
            options,
            walk: Walk::default(),
            into: &found,
        };
        Box::new(move |entry| {
            local.take(entry);
            WalkState::Continue
        })
    });
    let mut walk = into_inner(found);
    walk.sort();
    walk
}

impl Walk {
    /// Sorts everything by path bytes.
    pub(crate) fn sort(&mut self) {
        self.files.sort_unstable();
        self.unread.sort_by(|a, b| a.path.cmp(&b.path));
    }
}

/// Returns whether a file has one of the hidden names that are no rule to exclude it: `.env`, `.env.production`. They say
/// where services are.
pub(crate) fn is_environment_file(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name == b".env" || name.starts_with(b".env.")
}

/// Returns a walker of `root` by the rules of git and our own; it does not exclude installed
/// software yet.
pub(crate) fn builder(root: &str, exclude: Option<&Exclude>) -> WalkBuilder {
    let in_repository = Path::new(root)
        .ancestors()
        .any(|folder| folder.join(".git").exists());
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(true)
        .follow_links(false)
        // Without a repository no file above the root applies.
        .require_git(in_repository)
        .parents(in_repository)
        .add_custom_ignore_filename(".codeweftignore");
    if let Some(Exclude(overrides)) = exclude {
        builder.overrides(overrides.clone());
    }
    builder
}

/// Returns the root with links resolved, to decide whether a link's target is inside.
pub(crate) fn real_root(root: &str) -> PathBuf {
    std::fs::canonicalize(root).unwrap_or_else(|_| PathBuf::from(root))
}

/// Returns whether a folder holds installed software instead of sources of the workspace: a Python
/// environment, recognised by its `pyvenv.cfg` (PEP 405) or `conda-meta`, installed packages, or
/// compiled files.
pub(crate) fn is_installed(folder: &Path) -> bool {
    folder
        .file_name()
        .is_some_and(|name| name == "site-packages" || name == "__pycache__")
        || ["pyvenv.cfg", "conda-meta"]
            .iter()
            .any(|marker| folder.join(marker).exists())
}

/// Returns the verdict on a path that is no folder and excluded by no rule; `None` if it is not
/// reported.
pub(crate) fn judge(
    path: &Path,
    kind: FileType,
    size: impl FnOnce() -> std::io::Result<u64>,
    (root, real_root): (&str, &Path),
    options: &WalkOptions<'_>,
) -> Option<Result<FoundFile, UnreadPath>> {
    let unread = |path: String, reason| Some(Err(UnreadPath { path, reason }));
    let Some(name) = slashed(path) else {
        let path = path.to_string_lossy().into_owned();
        return if (options.wanted)(&path) {
            unread(path, UnreadReason::NameNotUtf8)
        } else {
            None
        };
    };
    let wanted = relative(root, &name).is_some_and(|path| (options.wanted)(path));
    if kind.is_symlink() {
        let target = std::fs::canonicalize(path).ok()?;
        let leads_out = !target.starts_with(real_root) && (wanted || target.is_dir());
        return if leads_out {
            unread(name, UnreadReason::LinkOutside)
        } else {
            None
        };
    }
    if !wanted {
        return None;
    }
    if !kind.is_file() {
        return unread(name, UnreadReason::NotRegular);
    }
    match size() {
        Ok(size) if size > options.max_size => {
            let limit = options.max_size;
            unread(name, UnreadReason::TooLarge { size, limit })
        }
        Ok(size) => Some(Ok(FoundFile { path: name, size })),
        Err(error) => match UnreadReason::from(error) {
            UnreadReason::Absent => None,
            reason => unread(name, reason),
        },
    }
}

/// The results of one thread of a walk; merged when the thread is done.
struct Collector<'a> {
    root: &'a str,
    real_root: &'a Path,
    options: &'a WalkOptions<'a>,
    walk: Walk,
    into: &'a Mutex<Walk>,
}

impl Collector<'_> {
    fn take(&mut self, entry: Result<DirEntry, ignore::Error>) {
        match entry {
            Ok(entry) => {
                if let Some(error) = entry.error() {
                    self.error(error);
                }
                self.entry(&entry);
            }
            Err(error) => self.error(&error),
        }
    }

    fn entry(&mut self, entry: &DirEntry) {
        let Some(kind) = entry.file_type() else {
            return;
        };
        // The contents of a folder are visited separately.
        if entry.depth() == 0 || kind.is_dir() {
            return;
        }
        let size = || match entry.metadata() {
            Ok(metadata) => Ok(metadata.len()),
            Err(error) => Err(error
                .into_io_error()
                .unwrap_or_else(|| std::io::Error::other("no metadata"))),
        };
        let roots = (self.root, self.real_root);
        match judge(entry.path(), kind, size, roots, self.options) {
            Some(Ok(file)) => self.walk.files.push(file),
            Some(Err(unread)) => self.walk.unread.push(unread),
            None => {}
        }
    }

    fn error(&mut self, error: &ignore::Error) {
        if let Some(unread) = unread_path(error, self.root) {
            self.walk.unread.push(unread);
        }
    }
}

impl Drop for Collector<'_> {
    fn drop(&mut self) {
        let mut into = lock(self.into);
        into.files.append(&mut self.walk.files);
        into.unread.append(&mut self.walk.unread);
    }
}

/// Converts an error of the walk to the path it names; a file that vanished meanwhile is no error.
fn unread_path(error: &ignore::Error, root: &str) -> Option<UnreadPath> {
    if error
        .io_error()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    {
        return None;
    }
    let mut path = root.to_owned();
    let mut inner = error;
    loop {
        inner = match inner {
            ignore::Error::WithPath { path: at, err } => {
                path = at.to_string_lossy().into_owned();
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            _ => break,
        };
    }
    let reason = match inner.io_error() {
        Some(error) => UnreadReason::Unreadable(error.to_string()),
        None => UnreadReason::Unreadable(inner.to_string()),
    };
    Some(UnreadPath { path, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates files (`path` or `path: text`, one per line; `;` ends a line of the text).
    fn make(files: &str) -> tempfile::TempDir {
        let top = tempfile::tempdir().expect("a temporary folder");
        for line in files.lines().map(str::trim) {
            let (path, text) = line.split_once(": ").unwrap_or((line, ""));
            let path = top.path().join(path);
            std::fs::create_dir_all(path.parent().expect("below the root")).expect("made");
            std::fs::write(path, text.replace(';', "\n")).expect("written");
        }
        top
    }

    /// Returns what a walk of `w` finds: paths below it, then the unread ones with the reason.
    fn found(top: &tempfile::TempDir, exclude: &[&str]) -> Vec<String> {
        let root = std::fs::canonicalize(top.path().join("w")).expect("it is there");
        let root = slashed(&root).expect("UTF-8");
        let exclude = Exclude::new(&root, exclude.iter().copied()).expect("patterns");
        let walk = walk(
            &root,
            &WalkOptions {
                wanted: &|path| path.ends_with(".go") || path.ends_with(".py"),
                max_size: 10,
                exclude: Some(&exclude),
            },
        );
        let below = |path: &str| relative(&root, path).unwrap_or(path).to_owned();
        let files = walk.files.iter().map(|file| below(&file.path));
        let unread = walk
            .unread
            .iter()
            .map(|unread| format!("{}: {}", below(&unread.path), unread.reason));
        files.chain(unread).collect()
    }

    #[test]
    fn wanted_files_come_in_order_of_path_bytes_without_hidden_ones() {
        let top = make(
            "w/b/c.go
            w/b.go
            w/B.py
            w/.hidden.go
            w/.cache/a.go
            w/a.txt
            w/b-c.go",
        );
        assert_eq!(found(&top, &[]), ["B.py", "b-c.go", "b.go", "b/c.go"]);
    }

    #[test]
    fn ignore_files_of_all_three_names_apply_without_a_repository_too() {
        let top = make(
            "w/.gitignore: /build/;*_gen.go
            w/.ignore: old.go
            w/sub/.codeweftignore: x/
            w/sub/.gitignore: !keep_gen.go
            w/build/a.go
            w/a_gen.go
            w/old.go
            w/sub/x/a.go
            w/sub/build/a.go
            w/sub/keep_gen.go",
        );
        assert_eq!(found(&top, &[]), ["sub/build/a.go", "sub/keep_gen.go"]);
    }

    #[test]
    fn ignore_files_above_the_root_apply_only_in_a_repository() {
        let files = ".gitignore: b.go
            w/a.go
            w/b.go
            w/c.go";
        assert_eq!(found(&make(files), &[]), ["a.go", "b.go", "c.go"]);
        let files = format!("{files}\n.git/HEAD: x\n.git/info/exclude: c.go");
        assert_eq!(found(&make(&files), &[]), ["a.go"]);
    }

    #[test]
    fn installed_software_is_excluded_everywhere() {
        let top = make(
            "w/a.py
            w/env/pyvenv.cfg
            w/env/bin/a.py
            w/sub/conda/conda-meta/history
            w/sub/conda/lib/a.py
            w/lib/site-packages/a.py
            w/lib/a.py",
        );
        assert_eq!(found(&top, &[]), ["a.py", "lib/a.py"]);
        let top = make(
            "w/pyvenv.cfg
            w/a.py",
        );
        assert_eq!(found(&top, &[]), ["a.py"]);
    }

    #[test]
    fn patterns_of_the_settings_exclude_more() {
        let top = make(
            "w/a.go
            w/sub/a.go
            w/sub/b_test.go
            w/third/x.go",
        );
        let exclude = ["/a.go", "*_test.go", "third/"];
        assert_eq!(found(&top, &exclude), ["sub/a.go"]);
        assert!(Exclude::new("/w", ["a{"]).is_err());
    }

    #[test]
    fn large_files_are_unread_and_reported() {
        let top = make(
            "w/a.go: 12345678901
            w/b.go: 1234567890
            w/c.txt: 12345678901",
        );
        assert_eq!(
            found(&top, &[]),
            [
                "b.go",
                "a.go: its 11 bytes are over the limit of 10 ([workspace] max_file_size in codeweft.toml)"
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_and_reported_if_they_lead_out() {
        use std::os::unix::fs::symlink;
        let top = make(
            "w/a/a.go
            out/b.go",
        );
        let at = |path: &str| top.path().join(path);
        for (target, link) in [
            ("w/a/a.go", "w/in.go"),
            ("w/a", "w/in"),
            ("out", "w/out"),
            ("out/b.go", "w/out.go"),
            ("out/b.go", "w/out.txt"),
            ("out/none", "w/none.go"),
        ] {
            symlink(at(target), at(link)).expect("linked");
        }
        symlink(at("w"), at("w/a/ring")).expect("linked");
        assert_eq!(
            found(&top, &[]),
            [
                "a/a.go",
                "out: it is a symbolic link out of the workspace",
                "out.go: it is a symbolic link out of the workspace",
            ]
        );
    }
}
