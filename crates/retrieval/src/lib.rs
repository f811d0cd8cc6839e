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

mod bm25;
mod bundle;
mod candidates;
mod codegrapher;
mod formula;
mod history;
mod index;
mod issue_words;
mod kept;
mod layout;
mod lex;
mod meaning;
mod pagerank;
mod paths;
mod query;
mod request;
mod settings;
pub mod source;
mod term_table;
mod terms;
mod tokens;
mod weights;
mod words;

pub use bundle::{BundleOptions, LeadRow, TextOf, bundle};
pub use formula::{RankedChunk, RankedFile, Ranking, rank};
pub use history::{History, HistoryCommit, HistoryIndex, HistoryState};
pub use index::{Difference, ImportTarget, Index, IndexedFile};
pub use kept::{KeptIndex, read};
pub use lex::FileLex;
pub use meaning::meaning_text;
pub use paths::is_test;
pub use query::{Meaning, Profile, RetrievalQuery};
pub use request::{
    BundleRequest, BundleResponse, BundleRow, MAX_DEPTH, SuccessStatus, TOKEN_BUDGET, TOOL,
};
pub use settings::RetrievalSettings;
pub use weights::{WEIGHT_NAMES, Weights};
pub use words::stems_of;

#[cfg(test)]
mod tests;
