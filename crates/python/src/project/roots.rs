//! The roots of a workspace, by project: the folders that dotted names are relative to.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_db::LayoutInput;

use super::metadata::{
    DeclaredMetadata, MetadataTexts, PROJECT_FILES, PYPROJECT, SETUP_CFG, declared, entry_modules,
    entry_points, pyproject_scripts, setup_cfg_scripts,
};
use super::paths::{below, dotted, join, parent};

/// A folder that dotted names are relative to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Root {
    /// The path relative to the workspace's root, which is empty.
    pub(crate) dir: String,
    /// Whether ids of its modules omit it: the workspace's root and its `src`.
    pub(crate) is_plain: bool,
    /// The dotted name of the package that the root itself is; all names of the root start with it.
    /// Usually empty.
    pub(crate) package: String,
    /// The folder of its project, relative.
    pub(crate) project: String,
    /// Whether it holds only stubs, for modules elsewhere (`typings`).
    pub(crate) is_stubs: bool,
}

/// The roots of a workspace, sorted by path, and its projects.
pub(crate) struct Roots {
    pub(crate) all: Vec<Root>,
    /// The folders of the projects, relative and sorted; the workspace's root is one.
    pub(crate) projects: Vec<String>,
}

impl Roots {
    /// Returns the number of the deepest root that contains a folder, given by relative path.
    pub(crate) fn of(&self, folder: &str) -> Option<usize> {
        let mut here = Some(folder);
        while let Some(dir) = here {
            if let Ok(at) = self.all.binary_search_by(|root| root.dir.as_str().cmp(dir)) {
                return Some(at);
            }
            here = parent(dir);
        }
        None
    }
}

/// Returns the roots of a workspace:
///
/// - its own folder, and the setting `roots`;
/// - of every project (a folder above Python files with `pyproject.toml`, `setup.py` or
///   `setup.cfg`): the project's folder, and the folders that its files declare, else its `src`
///   unless that is a package.
///
/// `folders` are the relative folders with Python files, each with whether it has an `__init__`.
pub(crate) fn roots(input: &LayoutInput<'_>, folders: &BTreeMap<String, bool>) -> Roots {
    let mut ancestors: BTreeSet<&str> = BTreeSet::new();
    for folder in folders.keys() {
        let mut here = Some(folder.as_str());
        while let Some(folder) = here {
            if !ancestors.insert(folder) {
                break;
            }
            here = parent(folder);
        }
    }
    let is_package = |folder: &str| folders.get(folder) == Some(&true);
    let mut dirs: BTreeMap<String, bool> = BTreeMap::from([(String::new(), false)]);
    let mut projects: BTreeSet<String> = BTreeSet::from([String::new()]);
    let mut root_is_project = false;
    for &folder in &ancestors {
        // A package may contain a `setup.py` as data.
        let Some(declared) = (folder.is_empty() || !is_package(folder))
            .then(|| project(input, folder))
            .flatten()
        else {
            continue;
        };
        root_is_project |= folder.is_empty();
        projects.insert(folder.to_owned());
        dirs.insert(folder.to_owned(), false);
        let mut found = declared.roots;
        if found.is_empty() {
            found.push(join(folder, "src"));
        }
        found.extend(declared.more);
        for dir in found {
            if ancestors.contains(dir.as_str()) && !is_package(&dir) {
                dirs.insert(dir, false);
            }
        }
    }
    if !root_is_project && ancestors.contains("src") && !is_package("src") {
        dirs.insert("src".to_owned(), false);
    }
    for project in &projects {
        let dir = join(project, "typings");
        if ancestors.contains(dir.as_str()) && holds_only_stubs(input, &dir) {
            dirs.insert(dir, true);
        }
    }
    let named = input.settings.get("roots").map_or("", String::as_str);
    for root in named.split(',') {
        let root = root.trim().trim_start_matches("./").trim_matches('/');
        if !root.is_empty() && root != "." && ancestors.contains(root) {
            dirs.insert(root.to_owned(), false);
        }
    }
    // In a checkout of the interpreter, its library is a root.
    for &folder in &ancestors {
        if !folder.is_empty() && is_library(folders, input, folder) {
            dirs.insert(folder.to_owned(), false);
        }
    }
    let above = if is_package("") && !root_is_project {
        package_above(input)
    } else {
        String::new()
    };
    let all = dirs
        .into_iter()
        .map(|(dir, is_stubs)| Root {
            is_plain: dir.is_empty() || dir == "src",
            package: if dir.is_empty() {
                above.clone()
            } else {
                String::new()
            },
            project: nearest(&projects, &dir),
            is_stubs,
            dir,
        })
        .collect();
    Roots {
        all,
        projects: projects.into_iter().collect(),
    }
}

/// Returns whether a folder of the workspace is the standard library: it has `os.py`, `site.py` and
/// the package `encodings`, as no other folder does.
pub(crate) fn is_library(
    folders: &BTreeMap<String, bool>,
    input: &LayoutInput<'_>,
    folder: &str,
) -> bool {
    folders.contains_key(folder)
        && folders.get(&join(folder, "encodings")) == Some(&true)
        && ["os.py", "site.py"].iter().all(|file| {
            let path = join(input.root, &join(folder, file));
            let files = input.files;
            files
                .binary_search_by(|file| file.path.cmp(path.as_str()))
                .is_ok()
        })
}

/// Returns what the files of a project declare; `None` if the folder is no project.
fn project(input: &LayoutInput<'_>, folder: &str) -> Option<DeclaredMetadata> {
    let texts = PROJECT_FILES.map(|file| {
        let path = join(input.root, &join(folder, file));
        input.reader.read(&path)
    });
    let [pyproject, setup_py, setup_cfg] = &texts;
    if texts.iter().all(Option::is_none) {
        return None;
    }
    Some(declared(
        folder,
        &MetadataTexts {
            pyproject: pyproject.as_deref(),
            setup_cfg: setup_cfg.as_deref(),
            setup_py: setup_py.as_deref(),
        },
    ))
}

/// Returns the entry points that the files of these projects name, and those of them that are scripts alone; both sorted.
pub(crate) fn entries(input: &LayoutInput<'_>, projects: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut found, mut scripts) = (Vec::new(), Vec::new());
    for folder in projects {
        for file in PROJECT_FILES {
            let path = join(input.root, &join(folder, file));
            if let Some(text) = input.reader.read(&path) {
                found.extend(entry_points(&text));
                match file {
                    PYPROJECT => {
                        found.extend(entry_modules(&text));
                        scripts.extend(pyproject_scripts(&text));
                    }
                    SETUP_CFG => scripts.extend(setup_cfg_scripts(&text)),
                    _ => {}
                }
            }
        }
    }
    // What is named elsewhere too may be a plug-in.
    let count = |all: &[String], one: &String| all.iter().filter(|other| *other == one).count();
    let mut alone: Vec<String> = scripts.clone();
    alone.retain(|one| count(&found, one) == count(&scripts, one));
    for all in [&mut found, &mut alone] {
        all.sort_unstable();
        all.dedup();
    }
    (found, alone)
}

/// Returns the folders of those of these projects that are built as distributions, sorted: `setup.py`,
/// the table `build-system` of `pyproject.toml`, or the metadata of `setup.cfg` says so (Python
/// packaging, "Packaging Python Projects").
pub(crate) fn distributed(input: &LayoutInput<'_>, projects: &[String]) -> Vec<String> {
    let is_built = |folder: &&String| {
        let read = |file: &str| input.reader.read(&join(input.root, &join(folder, file)));
        let has_line = |text: Option<_>, line: &str| {
            text.is_some_and(|text: std::sync::Arc<str>| {
                text.lines().any(|other| other.trim() == line)
            })
        };
        has_line(read("pyproject.toml"), "[build-system]")
            || read("setup.py").is_some()
            || has_line(read("setup.cfg"), "[metadata]")
    };
    let mut found: Vec<String> = projects.iter().filter(is_built).cloned().collect();
    found.sort_unstable();
    found
}

fn holds_only_stubs(input: &LayoutInput<'_>, dir: &str) -> bool {
    let dir = join(input.root, dir);
    let mut files = input
        .files
        .iter()
        .filter(|file| below(&dir, file.path).is_some());
    files.all(|file| file.path.ends_with(".pyi"))
}

/// Returns the dotted name of the package that the workspace's own folder is.
fn package_above(input: &LayoutInput<'_>) -> String {
    let mut package = String::new();
    let mut here = input.root;
    while let Some((parent, name)) = here.rsplit_once('/') {
        package = dotted(name, &package);
        let init = join(parent, "__init__.py");
        if parent.is_empty() || input.reader.read(&init).is_none() {
            break;
        }
        here = parent;
    }
    package
}

/// Returns the deepest project that contains a folder.
fn nearest(projects: &BTreeSet<String>, dir: &str) -> String {
    let mut here = Some(dir);
    while let Some(folder) = here {
        if projects.contains(folder) {
            return folder.to_owned();
        }
        here = parent(folder);
    }
    String::new()
}
