//! Another state of a workspace's texts: a commit of its git repository.
//!
//! - [`Repository`] runs the user's own `git` and only reads: which files differ between two states, and
//!   what they hold in a commit. [`range`] splits `A..B` and `A...B`.
//!
//! Paths that a [`Repository`] takes and returns are absolute, UTF-8, with `/` between their parts; files whose names
//! are not UTF-8 are skipped. Nothing is written to a repository: no
//! object is fetched, and the index is not refreshed.
//!
//! This crate knows no graph, no language and no settings.

#![forbid(unsafe_code)]

mod changes;
mod commit;
mod contents;
mod error;
mod process;
mod range;
mod repository;

pub use commit::Commit;
pub use contents::Content;
pub use error::GitError;
pub use range::{Range, range};
pub use repository::Repository;
