//! The graph as tables of an SQLite file (docs/user-guide.md, "SQL").
//!
//! ```text
//! graph::export ── Gathered ── Numbered ── tables, indexes, views
//!                  by text id  by sid
//! ```
//!
//! A use is kept by its owner, the innermost declaration around it, with its line counted from there. So an edit
//! moves rows of `symbol_rows` below it, and rows of `uses` only where code changed.

mod check;
pub(crate) mod codes;
pub(crate) mod content;
pub(crate) mod gather;
pub(crate) mod insert;
mod open;
mod owners;
mod read;

pub use check::{FileCheck, check_file};
pub(crate) use content::uncompressed;
pub(crate) use gather::Gathered;
pub(crate) use insert::{create_tables, write_tables};
pub(crate) use open::{EXCLUDED_FILE, name_number, open_kind_code, packed_numbers};
pub use read::{SqlAnswer, SqlBounds, SqlError, SqlFile, SqlValue};

/// The key of `cache_metadata` of files whose tables of open sites are filled. Without them no answer can say whether it is
/// complete.
pub(crate) const HAS_OPEN_SITES: &str = "has_open_sites";

/// The size of a page, in bytes. The end of a text, packed to some thousand bytes, leaves half a page empty: with pages of 4096
/// bytes files are a fifteenth larger. Files that have another size are read and written as they are.
pub(crate) const PAGE_SIZE: u32 = 2048;

/// The version of the schema; raised when a reader of older files would misread it.
pub(crate) const SCHEMA_VERSION: &str = "2.2";
