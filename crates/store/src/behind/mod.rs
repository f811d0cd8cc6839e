//! The store: a file with the tables of [`crate::sqlite`] that follows the live database (docs/user-guide.md, "The
//! store").
//!
//! ```text
//! a worker, in slices      follow::Behind   which files have other texts, uses, declarations? their rows
//!                             │ Batch       files, implements edges, dispatch sets
//! mailbox of one           thread::Store    the next batch is merged, the last rows of a file win
//!                             │
//! the store's thread       transaction      compares with the file, writes what differs, the revision last
//! ```
//!
//! What the file has is compared where it is written, so the live side keeps no rows and no hashes of rows: after a
//! crash, a full disk or a restart it sends a file again, and equal rows are not written again.

mod adopt;
mod batch;
mod counts;
mod edges;
mod files;
mod follow;
mod loose;
mod open;
mod send;
mod symbols;
mod thread;
mod transaction;

#[cfg(test)]
mod tests;

pub use follow::{Behind, BehindFigures, FollowOptions, FollowStep, FollowedRevision};
