//! The folder of a cache: where it is, whose it is, what is in it.

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use crate::CacheError;

/// The format of segments. That of records is in the fingerprint of the lowering.
const FORMAT: &str = "v1";

/// Returns `$XDG_CACHE_HOME/codeweft`, else `~/.cache/codeweft`, by the variables of an environment; `None`
/// if neither is an absolute path.
///
/// ```
/// use codeweft_cache::default_folder;
/// let variable = |name: &str| (name == "HOME").then(|| "/home/ada".to_owned());
/// assert_eq!(default_folder(variable).unwrap().to_str(), Some("/home/ada/.cache/codeweft"));
/// ```
pub fn default_folder(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Some(caches?.join("codeweft"))
}

/// Makes the folder of the segments, if it is missing, and checks that no other user writes there.
pub(crate) fn prepare(folder: &Path) -> Result<PathBuf, CacheError> {
    let folder = folder.join(FORMAT);
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder.create(&folder).map_err(CacheError::Folder)?;
    let metadata = fs::symlink_metadata(&folder).map_err(CacheError::Folder)?;
    let is_ours = metadata.uid() == rustix::process::geteuid().as_raw();
    if metadata.is_dir() && is_ours && metadata.mode() & 0o022 == 0 {
        Ok(folder)
    } else {
        Err(CacheError::NotOurs)
    }
}

/// Returns the paths of the segments, sorted.
pub(crate) fn segments(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = files(folder, |name| {
        name.starts_with("seg-") && name.ends_with(".cw")
    })?;
    found.sort();
    Ok(found)
}

/// Returns the paths of segments that were begun.
pub(crate) fn unfinished(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    files(folder, |name| name.starts_with(".tmp-"))
}

fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(&wanted) {
            found.push(entry.path());
        }
    }
    Ok(found)
}
