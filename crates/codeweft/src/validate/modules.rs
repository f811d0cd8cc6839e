//! The Go modules of the workspace, and the patterns with which each is queried.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns the folders of the modules below `root` that contain one of these folders (relative to
/// it): for each the nearest folder with a `go.mod`, else the root. Relative and sorted; a vendored
/// folder belongs to the module that vendors it.
pub fn modules(root: &Path, folders: &BTreeSet<String>) -> Vec<String> {
    let mut modules = BTreeSet::new();
    for folder in folders {
        let own = folder.split('/').take_while(|part| *part != "vendor");
        let folder = own.collect::<Vec<_>>().join("/");
        let mut at = folder.as_str();
        while !at.is_empty() && !root.join(at).join("go.mod").is_file() {
            at = at.rsplit_once('/').map_or("", |(above, _)| above);
        }
        modules.insert(at.to_owned());
    }
    modules.into_iter().collect()
}

/// Returns the patterns for `go list` in the module at `modules[at]` that list what the user's
/// patterns match there: a folder belongs to the module that contains it, an import path to the
/// module whose path it begins with. Empty if none of the user's patterns concerns the module.
pub fn patterns(root: &Path, modules: &[String], at: usize, wanted: &[String]) -> Vec<String> {
    if wanted.is_empty() {
        return vec!["./...".to_owned()];
    }
    let module = Path::new(&modules[at]);
    let mut patterns = Vec::new();
    for pattern in wanted {
        let Some(folder) = folder(root, pattern) else {
            if begins(root, modules, pattern) == Some(at) {
                patterns.push(pattern.clone());
            }
            continue;
        };
        let below = pattern.ends_with("...");
        if nearest(modules, &folder) == Some(at) {
            let rest = folder.strip_prefix(module).unwrap_or(&folder);
            let rest = rest.to_string_lossy();
            patterns.push(match (below, &*rest) {
                (true, "") => "./...".to_owned(),
                (true, rest) => format!("./{rest}/..."),
                (false, "") => ".".to_owned(),
                (false, rest) => format!("./{rest}"),
            });
        } else if below && module.starts_with(&folder) {
            patterns.push("./...".to_owned());
        }
    }
    patterns.dedup();
    patterns
}

/// Returns the folder that a pattern names, relative to the root; `None` for an import path.
fn folder(root: &Path, pattern: &str) -> Option<PathBuf> {
    let named = pattern.strip_suffix("...").unwrap_or(pattern);
    let is_path = matches!(named, "." | "..")
        || ["./", "../", "/"]
            .iter()
            .any(|start| named.starts_with(start));
    if !is_path {
        return None;
    }
    let whole = codeweft_workspace::normalise(root, Path::new(named))?;
    let relative = Path::new(&whole).strip_prefix(root).ok()?;
    Some(relative.to_owned())
}

/// Returns the innermost module that contains a folder.
fn nearest(modules: &[String], folder: &Path) -> Option<usize> {
    let around = modules.iter().enumerate();
    around
        .filter(|(_, module)| folder.starts_with(module))
        .max_by_key(|(_, module)| module.len())
        .map(|(at, _)| at)
}

/// Returns the module whose path an import path begins with, else the first.
fn begins(root: &Path, modules: &[String], pattern: &str) -> Option<usize> {
    let path = |module: &str| {
        let text = std::fs::read_to_string(root.join(module).join("go.mod")).ok()?;
        let line = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("module"))?;
        let word = line.split_whitespace().next()?;
        Some(word.trim_matches(['"', '`']).to_owned())
    };
    let fits = modules.iter().enumerate().filter_map(|(at, module)| {
        let path = path(module)?;
        let rest = pattern.strip_prefix(&*path)?;
        (rest.is_empty() || rest.starts_with('/')).then_some((path.len(), at))
    });
    let longest = fits.max().map(|(_, at)| at);
    longest.or((!modules.is_empty()).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_folder_belongs_to_the_nearest_module_and_a_pattern_to_that_of_its_folder() {
        let position = tempfile::tempdir().expect("a folder");
        let root = std::fs::canonicalize(position.path()).expect("there");
        for (folder, text) in [
            ("", "module example.com/m\n"),
            ("tools", "module example.com/m/tools\n"),
        ] {
            std::fs::create_dir_all(root.join(folder)).expect("made");
            std::fs::write(root.join(folder).join("go.mod"), text).expect("written");
        }
        let all = modules(&root, &folders(&["", "a/b", "tools/x", "vendor/c.d/e"]));
        assert_eq!(all, ["", "tools"]);
        let of_module = |at, wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(|one| (*one).to_owned()).collect();
            patterns(&root, &all, at, &wanted)
        };
        assert_eq!(of_module(0, &[]), ["./..."]);
        assert_eq!(of_module(0, &["./a/..."]), ["./a/..."]);
        assert_eq!(of_module(1, &["./a/..."]), [""; 0]);
        assert_eq!(of_module(1, &["./..."]), ["./..."]);
        assert_eq!(of_module(1, &["./tools/x"]), ["./x"]);
        assert_eq!(of_module(0, &["./tools/x"]), [""; 0]);
        assert_eq!(
            of_module(1, &["example.com/m/tools/x"]),
            ["example.com/m/tools/x"]
        );
        assert_eq!(of_module(0, &["example.com/m/tools/x"]), [""; 0]);
    }
}
