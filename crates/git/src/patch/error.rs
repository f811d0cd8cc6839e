//! The errors of reading and applying a patch.

/// The reason why a patch could not be read, or not be applied. Its `Display` is the message;
/// [`PatchError::what_to_do`] goes with it. Paths are as the patch writes them, lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatchError {
    /// The text has no header of a file.
    #[error("the text is no unified diff: no line names a file that it changes")]
    NotAPatch,
    /// A line of the patch has not the form that it should have.
    #[error("line {line} of the patch cannot be read: {reason}")]
    Unreadable {
        /// The line of the patch.
        line: usize,
        /// The part that is wrong.
        reason: &'static str,
    },
    /// The diff compares a merge with several parents at once.
    #[error("line {line} of the patch begins a combined diff, of a merge with all of its parents")]
    Combined {
        /// The line of the patch.
        line: usize,
    },
    /// A hunk fits nowhere in the text.
    #[error(
        "hunk {hunk} of `{file}` does not apply: its lines are not in the text, neither at line {line} nor elsewhere"
    )]
    DoesNotApply {
        /// The path of the file.
        file: String,
        /// The number of the hunk in the file, from 1.
        hunk: usize,
        /// The line of the text, after the hunks before, at which it was looked for first.
        line: usize,
    },
    /// The text already is as the patch makes it.
    #[error("the patch of `{file}` is already applied: its lines are in the text")]
    AlreadyApplied {
        /// The path of the file.
        file: String,
    },
    /// There is no text of a file that the patch changes, renames or removes.
    #[error("the patch changes `{file}`, and there is no such file")]
    Missing {
        /// The path of the file.
        file: String,
    },
    /// There is another text of a file that the patch adds.
    #[error("the patch adds `{file}`, and there is such a file, with another text")]
    AlreadyThere {
        /// The path of the file.
        file: String,
    },
    /// The patch removes a file, and lines of its text would remain.
    #[error("the patch removes `{file}`, whose text has more lines than it removes")]
    LeavesText {
        /// The path of the file.
        file: String,
    },
    /// The file is changed as bytes, not as lines.
    #[error("the patch of `{file}` is binary")]
    Binary {
        /// The path of the file.
        file: String,
    },
}

impl PatchError {
    /// The advice that goes with the message: one sentence, without a period.
    pub fn what_to_do(&self) -> &'static str {
        match self {
            PatchError::NotAPatch => {
                "give the output of `git diff` or `diff -u`, or the name of a revision"
            }
            PatchError::Unreadable { .. } => {
                "give the patch as the tool wrote it, without edits in its headers and numbers"
            }
            PatchError::Combined { .. } => {
                "make a diff with one parent: `git diff A B`, or `git show --first-parent`"
            }
            PatchError::DoesNotApply { .. }
            | PatchError::AlreadyThere { .. }
            | PatchError::LeavesText { .. } => {
                "make the patch from the current texts, or name the revision that it was made from"
            }
            PatchError::AlreadyApplied { .. } => {
                "to compare with the texts before it, name a revision, such as `HEAD`"
            }
            PatchError::Missing { .. } => {
                "see whether the paths of the patch begin at the top of the repository or workspace"
            }
            PatchError::Binary { .. } => "make the patch without this file",
        }
    }
}
