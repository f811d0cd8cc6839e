//! Another state of a workspace's texts: a commit of its git repository, or a unified diff.
//!
//! - [`Repository`] runs the user's own `git` and only reads: which files differ between two states, and
//!   what they hold in a commit. [`range`] splits `A..B` and `A...B`.
//! - [`Objects`] needs no work tree: the newest commits with their messages and files, whole trees.
//! - [`Patch`] reads diffs of `git diff`, `git format-patch`, `diff -u`, `svn diff` and `hg diff`, and
//!   applies them to texts.
//!
//! ```
//! use codeweft_git::{Patch, is_patch};
//!
//! let text = "\
//! --- a/greet.py
//! +++ b/greet.py
//! @@ -1,2 +1,2 @@
//!  def greet():
//! -    return 'hello'
//! +    return 'good morning'
//! ";
//! assert!(is_patch(text) && !is_patch("main~3"));
//! let patch = Patch::parse(text)?;
//! let after = patch.files[0].apply(Some("def greet():\n    return 'hello'\n"))?;
//! assert_eq!(after.as_deref(), Some("def greet():\n    return 'good morning'\n"));
//! # Ok::<(), codeweft_git::PatchError>(())
//! ```
//!
//! Paths that a [`Repository`] takes and returns are absolute, UTF-8, with `/` between their parts; files
//! whose names are not UTF-8 are skipped. A patch has paths as it writes them. Nothing is written to a
//! repository: no object is fetched, and the index is not refreshed.
//!
//! This crate knows no graph, no language and no settings.

#![forbid(unsafe_code)]

mod changes;
mod commit;
mod contents;
mod error;
mod history;
mod objects;
mod patch;
mod process;
mod range;
mod repository;
mod tree;

pub use commit::Commit;
pub use contents::Content;
pub use error::GitError;
pub use history::{History, HistoryBounds, HistoryState, LogEntry, NewEntries};
pub use objects::Objects;
pub use patch::{Change, FilePatch, Patch, PatchError, is_patch};
pub use range::{Range, range};
pub use repository::Repository;
pub use tree::TreeFile;
