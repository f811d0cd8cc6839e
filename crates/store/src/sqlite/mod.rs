//! The graph as tables of an SQLite file (docs/user-guide.md, "SQL").
//!
//! ```text
//! graph::export ── Gathered ── Numbered ── tables, indexes, views
//!                  by text id  by sid
//! ```
//!
//! A use is kept by its owner, the innermost declaration around it, with its line counted from there. So an edit
//! moves rows of `symbol_rows` below it, and rows of `uses` only where code changed.

pub(crate) mod codes;
mod content;
mod gather;
mod insert;
mod open;
mod owners;
mod read;

pub(crate) use content::uncompressed;
pub(crate) use gather::Gathered;
pub(crate) use insert::write_tables;
pub(crate) use open::{EXCLUDED_FILE, name_number, open_kind_code, packed_numbers};
pub use read::{SqlAnswer, SqlBounds, SqlError, SqlFile, SqlValue};

/// The version of the schema; raised when a reader of older files would misread it.
pub(crate) const SCHEMA_VERSION: &str = "2.1";
