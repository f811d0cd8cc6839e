//! Go: text to [`FileIr`](crate::FileIr).

mod ir;

pub use ir::*;

use crate::{FileIr, Names};

/// Lowers a Go text; see [`crate::lower`].
pub fn lower(_text: &str, _names: &Names, _stop: &dyn Fn() -> bool) -> Option<FileIr> {
    None
}
