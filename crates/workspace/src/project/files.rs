//! The files of a workspace by their paths.

use std::sync::Arc;

use codeweft_db::{File, Lang, Origin};
use rustc_hash::FxHashMap;

/// Every file that the database has ever held, by its absolute path.
pub(crate) type FileMap = FxHashMap<Arc<str>, LoadedFile>;

/// One file of the workspace or of a library.
#[derive(Clone)]
pub(crate) struct LoadedFile {
    pub(crate) file: File,
    pub(crate) lang: Lang,
    pub(crate) origin: Origin,
    /// Whether it was ever opened or edited: then its text has LOW durability.
    pub(super) touched: bool,
    /// Whether it exists now; a deleted file keeps its `File` for its return.
    pub(crate) present: bool,
}

/// Returns a path as answers print it: below the root relative to it, also if only imports lead there, as to
/// Go's `testdata` folders; else absolute.
pub(crate) fn printed<'a>(root: &str, path: &'a str) -> &'a str {
    codeweft_vfs::relative(root, path).unwrap_or(path)
}
