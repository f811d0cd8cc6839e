//! Unified diffs: which files they change, and the texts after them.

mod apply;
mod error;
mod hunk;
mod lines;
mod names;
mod parse;
mod texts;

pub use error::PatchError;
pub use parse::is_patch;

use hunk::{Hunk, Side};

/// A unified diff of any number of files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patch {
    /// The files in the order of the patch. A file can occur more than once: a series of patches in one
    /// text changes what the ones before have made of it.
    pub files: Vec<FilePatch>,
}

/// The changes of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilePatch {
    /// The path before, as written, without quotes and the prefix `a/`; `None` if the file is added.
    pub before: Option<String>,
    /// The path after, as written, without quotes and the prefix `b/`; `None` if the file is removed.
    pub after: Option<String>,
    /// The kind of change.
    pub change: Change,
    /// Its hunks; none if only the name or the mode changes.
    hunks: Vec<Hunk>,
    /// True if the patch has bytes instead of hunks, or only says that the files differ.
    is_binary: bool,
}

/// The kinds of changes of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The file is new.
    Added,
    /// The file is gone afterwards.
    Removed,
    /// One file has another text. Of a diff of two files (`diff -u a.py.orig a.py`) `before` and `after`
    /// are two names, and either can be that of the file.
    Edited,
    /// The file has another name, and perhaps another text.
    Renamed,
    /// There is a second file, perhaps with another text, beside the one that is named by `before`.
    Copied,
}

impl Patch {
    /// Reads a patch: the output of `git diff`, `git show`, `git format-patch` (also several mails in one
    /// text), `diff -u`, `svn diff`, `hg diff`. Other text between the files is skipped, and so are symbolic
    /// links and submodules.
    ///
    /// Prefixes of paths are removed: `a/` and `b/`, those of `diff.mnemonicPrefix`, or the two folders of `diff -r`.
    /// A name can be absolute or begin with `..`: it is the caller's to refuse these.
    ///
    /// Errors: [`PatchError::NotAPatch`], [`PatchError::Unreadable`], [`PatchError::Combined`].
    pub fn parse(text: &str) -> Result<Patch, PatchError> {
        Ok(Patch {
            files: parse::files(text)?,
        })
    }
}

impl FilePatch {
    /// The text after the patch; `None` if it removes the file. `before` is the text of the file that it
    /// names as [`FilePatch::before`]; `None` if there is none.
    ///
    /// The lines of each hunk must be in the text, but may have moved, as for `git apply`: no line is skipped
    /// or guessed. Only the kind of line breaks may be another one throughout. A hunk without context is applied
    /// by its lines and numbers.
    ///
    /// Errors: [`PatchError::DoesNotApply`], [`PatchError::AlreadyApplied`], [`PatchError::Missing`],
    /// [`PatchError::AlreadyThere`], [`PatchError::LeavesText`], [`PatchError::Binary`].
    pub fn apply(&self, before: Option<&str>) -> Result<Option<String>, PatchError> {
        let file = self.path().to_owned();
        if self.is_binary {
            return Err(PatchError::Binary { file });
        }
        match (self.change, before) {
            (Change::Added, None) => self.apply_hunks("").map(Some),
            (Change::Added, Some(text)) => Err(match self.apply_hunks("") {
                Ok(added) if added == text => PatchError::AlreadyApplied { file },
                _ => PatchError::AlreadyThere { file },
            }),
            (Change::Removed, Some(text)) => {
                let rest = self.apply_hunks(text)?;
                // `git diff --irreversible-delete` writes no hunks.
                if rest.is_empty() || self.hunks.is_empty() {
                    Ok(None)
                } else {
                    Err(PatchError::LeavesText { file })
                }
            }
            (Change::Edited, None) if self.begins_with_nothing() => self.apply_hunks("").map(Some),
            (_, Some(text)) => self.apply_hunks(text).map(Some),
            (_, None) => Err(PatchError::Missing {
                file: self.before.clone().unwrap_or(file),
            }),
        }
    }

    /// The path after, or that of a removed file; empty only if a patch has an empty name.
    pub fn path(&self) -> &str {
        let path = self.after.as_deref().or(self.before.as_deref());
        path.unwrap_or_default()
    }

    /// The lines of each hunk before the patch, context among them: first and last, 1-based. A hunk without lines
    /// of the file before is at the line that it names, at least the first.
    pub fn ranges_before(&self) -> impl Iterator<Item = (usize, usize)> {
        self.hunks.iter().map(|hunk| {
            let first = hunk.before.start.max(1);
            (first, first + hunk.before.count.saturating_sub(1))
        })
    }

    /// Returns whether the patch has no lines of the file: it cannot be applied.
    pub fn is_binary(&self) -> bool {
        self.is_binary
    }

    /// Returns whether the file was empty or missing before.
    fn begins_with_nothing(&self) -> bool {
        matches!(self.hunks.as_slice(), [hunk] if hunk.before.is_nothing())
    }

    fn apply_hunks(&self, text: &str) -> Result<String, PatchError> {
        apply::apply(text, &self.hunks).map_err(|misfit| {
            let file = self.path().to_owned();
            if self.is_applied_to(text) {
                return PatchError::AlreadyApplied { file };
            }
            PatchError::DoesNotApply {
                file,
                hunk: misfit.hunk,
                line: misfit.line,
            }
        })
    }

    /// Returns whether a text has the lines after each hunk. A hunk of removed lines alone has none that
    /// could be found.
    fn is_applied_to(&self, text: &str) -> bool {
        let reversed: Vec<Hunk> = self.hunks.iter().map(Hunk::reversed).collect();
        let have_lines = reversed
            .iter()
            .all(|hunk| hunk.lines_of(Side::Before).next().is_some());
        have_lines && apply::apply(text, &reversed).is_ok()
    }
}
