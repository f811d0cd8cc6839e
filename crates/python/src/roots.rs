//! The roots of a workspace: the folders that dotted names start from.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_db::LayoutInput;

/// A folder that dotted names start from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Root {
    /// Relative to the workspace's root; empty for it.
    pub(crate) dir: String,
    /// Whether ids of its modules start without it: the workspace's root and its `src`.
    pub(crate) is_plain: bool,
}

/// Files that make a folder a project of its own.
const PROJECT_FILES: [&str; 3] = ["pyproject.toml", "setup.py", "setup.cfg"];

/// The roots, sorted: the workspace's own, the settings' `roots`, every folder around a Python
/// file with `pyproject.toml`, `setup.py` or `setup.cfg`, and the `src` of each that is no
/// package itself. `folders` are the folders with Python files, relative, with whether they have
/// an `__init__.py`.
pub(crate) fn roots(input: &LayoutInput<'_>, folders: &BTreeMap<&str, bool>) -> Vec<Root> {
    let mut around: BTreeSet<&str> = BTreeSet::new();
    for &folder in folders.keys() {
        let mut here = Some(folder);
        while let Some(folder) = here {
            if !around.insert(folder) {
                break;
            }
            here = parent(folder);
        }
    }
    let is_project = |folder: &str| {
        PROJECT_FILES.iter().any(|file| {
            let path = join(folder, file);
            input.reader.read(&join(input.root, &path)).is_some()
        })
    };
    let mut dirs: BTreeSet<String> = BTreeSet::from([String::new()]);
    dirs.extend(
        around
            .iter()
            // A package may carry a `setup.py` of its own as data.
            .filter(|&&folder| folders.get(folder) != Some(&true) && is_project(folder))
            .map(|&folder| folder.to_owned()),
    );
    let sources: Vec<String> = dirs
        .iter()
        .map(|dir| join(dir, "src"))
        .filter(|dir| around.contains(dir.as_str()) && folders.get(dir.as_str()) != Some(&true))
        .collect();
    dirs.extend(sources);
    let named = input.settings.get("roots").map_or("", String::as_str);
    dirs.extend(
        named
            .split(',')
            .map(|root| root.trim().trim_start_matches("./").trim_matches('/'))
            .filter(|root| !root.is_empty() && *root != "." && around.contains(root))
            .map(str::to_owned),
    );
    dirs.into_iter()
        .map(|dir| Root {
            is_plain: dir.is_empty() || dir == "src",
            dir,
        })
        .collect()
}

/// The folder around a relative folder.
pub(crate) fn parent(folder: &str) -> Option<&str> {
    if folder.is_empty() {
        return None;
    }
    Some(folder.rsplit_once('/').map_or("", |(parent, _)| parent))
}

/// Two parts of a path; either may be empty.
pub(crate) fn join(base: &str, rest: &str) -> String {
    match (base, rest) {
        ("", rest) => rest.to_owned(),
        (base, "") => base.to_owned(),
        (base, rest) => format!("{base}/{rest}"),
    }
}

/// The part of a relative path below a relative folder.
pub(crate) fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    if folder.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('/')
}
