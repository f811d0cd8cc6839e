//! The modules of the workspace, and which patterns each is asked for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders of the modules below `root` that hold one of these folders (relative to it): each
/// folder's nearest with a `go.mod`, else the root. Relative, sorted; what is vendored belongs to who
/// vendors it.
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

/// What `go list` is asked in the module at `modules[at]` so that it lists what the user's patterns
/// match there: folders go to the module that they lie in, import paths to the module that they
/// begin with. Empty: nothing of it is asked for.
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

/// The folder that a pattern names, relative to the root; `None` for an import path.
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

/// The innermost module that a folder lies in.
fn nearest(modules: &[String], folder: &Path) -> Option<usize> {
    let around = modules.iter().enumerate();
    around
        .filter(|(_, module)| folder.starts_with(module))
        .max_by_key(|(_, module)| module.len())
        .map(|(at, _)| at)
}

/// The module whose path an import path begins with, else the first.
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
    fn a_folder_belongs_to_the_nearest_module_and_a_pattern_to_its_folder_s() {
        let place = tempfile::tempdir().expect("a folder");
        let root = std::fs::canonicalize(place.path()).expect("there");
        for (folder, text) in [
            ("", "module example.com/m\n"),
            ("tools", "module example.com/m/tools\n"),
        ] {
            std::fs::create_dir_all(root.join(folder)).expect("made");
            std::fs::write(root.join(folder).join("go.mod"), text).expect("written");
        }
        let all = modules(&root, &folders(&["", "a/b", "tools/x", "vendor/c.d/e"]));
        assert_eq!(all, ["", "tools"]);
        let asked = |at, wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(|one| (*one).to_owned()).collect();
            patterns(&root, &all, at, &wanted)
        };
        assert_eq!(asked(0, &[]), ["./..."]);
        assert_eq!(asked(0, &["./a/..."]), ["./a/..."]);
        assert_eq!(asked(1, &["./a/..."]), [""; 0]);
        assert_eq!(asked(1, &["./..."]), ["./..."]);
        assert_eq!(asked(1, &["./tools/x"]), ["./x"]);
        assert_eq!(asked(0, &["./tools/x"]), [""; 0]);
        assert_eq!(
            asked(1, &["example.com/m/tools/x"]),
            ["example.com/m/tools/x"]
        );
        assert_eq!(asked(0, &["example.com/m/tools/x"]), [""; 0]);
    }
}
