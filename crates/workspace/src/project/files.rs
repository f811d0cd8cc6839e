//! The files that the database has ever held.

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
    /// Whether it was opened or edited.
    pub(super) touched: bool,
    /// Whether it is there now; a deleted file keeps its `File` for its return.
    pub(crate) present: bool,
}

/// A path as answers print it: relative to the root below it, also of what only imports bring, as
/// Go's `testdata` folders; else absolute.
pub(crate) fn printed<'a>(root: &str, path: &'a str) -> &'a str {
    codeweft_vfs::relative(root, path).unwrap_or(path)
}
