//! How well retrieval answers tasks whose right answer is known from the history of a repository.
//!
//! ```text
//! Task ──┬── what retrieval says (an Answer) ──── Positions, Coverage ──┐
//!        └── baselines: BM25, grep, whole files ──────────────────────── Outcome ── Summary ── text, JSON
//! ```
//!
//! Everything here is a pure function of texts: reading repositories and running retrieval are the binary's.

mod baselines;
mod bundles;
mod commits;
mod outcome;
mod ranks;
mod summary;
mod task;
mod texts;

pub use baselines::{Bm25, GREP_READS, Grep};
pub use bundles::{BundleFile, BundleScore, Coverage};
pub use commits::{ChangedFile, CommitChange, task_of_commit};
pub use outcome::{Answer, BM25, Outcome, Tokens, score};
pub use ranks::{DEPTHS, Positions, RankScore};
pub use summary::{RankingSummary, Saving, Summary};
pub use task::{Task, TaskError};
pub use texts::{TextCache, TreeFile, Words, count_tokens};
