//! Retrieval: which files and declarations a text such as an issue is about.
//!
//! ```text
//! texts ─── FileLex, one a file ─── Index ───┐
//! git ───── History ─────────────── HistoryIndex ─┤── rank ── Ranking
//! settings ───────────────────────── Weights ──┘
//! ```
//!
//! Everything here is a pure function: no disk, no network, no model. The same index, history, weights and query give the
//! same ranking, byte by byte.

mod formula;
mod history;
mod index;
mod lex;
mod query;
mod weights;

pub use formula::{RankedChunk, RankedFile, Ranking, rank};
pub use history::{History, HistoryCommit, HistoryIndex, HistoryState};
pub use index::{Difference, Index, IndexedFile};
pub use lex::FileLex;
pub use query::{Profile, RetrievalQuery};
pub use weights::Weights;
