//! The root of the workspace that a command works on.

use std::path::Path;

use codeweft_graph::languages::specs;
use codeweft_vfs::RootError;

/// Returns the root for a command, absolute, with `/`: `given`, else the nearest ancestor of `folder` that looks
/// like a workspace (`codeweft.toml`, `.git`, a language's project file such as `go.mod`), else `folder`.
///
/// # Errors
/// The root cannot be a workspace, as `/` and the home folder.
pub fn find(given: Option<&Path>, folder: &Path) -> Result<String, RootError> {
    let root = match given {
        Some(given) => codeweft_vfs::explicit_root(given)?,
        None => {
            let files = specs().flat_map(|spec| spec.project_files);
            let files: Vec<&'static str> = files.copied().collect();
            codeweft_vfs::find_root(folder, &files)?
        }
    };
    Ok(root.path)
}
