//! Which folder a question is about.

use std::path::Path;

use codeweft_vfs::RootError;

/// The root for a command: `given` as it stands, else the nearest ancestor of `folder` that looks
/// like a workspace (`codeweft.toml`, `.git`, a language's project file such as `go.mod`), else
/// `folder`; never `/` or the home folder. Absolute, with `/`.
pub fn find(given: Option<&Path>, folder: &Path) -> Result<String, RootError> {
    let root = match given {
        Some(given) => codeweft_vfs::explicit_root(given)?,
        None => {
            let languages = codeweft_graph::languages::ALL.iter();
            let files = languages.flat_map(|language| language.lang().project_files);
            let files: Vec<&'static str> = files.copied().collect();
            codeweft_vfs::find_root(folder, &files)?
        }
    };
    Ok(root.path)
}
