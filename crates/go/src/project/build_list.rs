//! The build list: the version of each module in a build, by minimal version selection over `.mod`
//! files (Go Modules Reference, "Minimal version selection" and "Module graph pruning").
//!
//! ```text
//! main ─> a v1.2 ─> c v1.3        selected: a v1.2, b v1.2, c v1.4
//!      └> b v1.2 ─> c v1.4        the highest version that any module requires
//! ```

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::modfile::{ModFile, Replace, Replacement};
use super::paths::{absolute, is_rooted, join};
use super::tree::CachedFileSystem;
use super::versions::{compare, escaped};

/// The first release whose `go.mod` lists every module that the build needs.
const FIRST_PRUNED: u32 = 17;

/// A map from module path to selected version.
pub(super) type BuildList = BTreeMap<String, String>;

/// The input of a build list.
pub(super) struct Requirements {
    /// The `go.mod` of each main module.
    pub(super) mains: Vec<Rc<ModFile>>,
    /// The replacements, each with the folder that its paths are relative to; the first match
    /// applies.
    pub(super) replace: Vec<(String, Replace)>,
    /// The excluded versions.
    pub(super) exclude: FxHashSet<(String, String)>,
    /// The module cache.
    pub(super) modcache: Option<String>,
}

/// The location of a module's files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ModuleLocation {
    /// Its folder.
    pub(super) dir: String,
    /// The `.mod` file in the cache, if it is not the folder's `go.mod`.
    mod_path: Option<String>,
}

impl Requirements {
    /// Returns the version of each module that the main modules list, the highest of several: the
    /// whole build list of a tidy module of Go 1.17 or later.
    pub(super) fn listed(&self) -> BuildList {
        let mut list = BuildList::new();
        for (path, version) in self.mains.iter().flat_map(|main| self.required(main)) {
            raise(&mut list, path, version);
        }
        list
    }

    /// Returns whether [`Requirements::listed`] is the build list of a tidy workspace.
    pub(super) fn lists_all(&self) -> bool {
        self.mains.len() == 1 && self.mains.iter().all(|main| is_pruned(main))
    }

    /// Returns the build list by the whole module graph, which is pruned: of a module of Go 1.17 or
    /// later only its own requirements count, of an older one everything below it.
    pub(super) fn selected(&self, tree: &CachedFileSystem<'_>) -> BuildList {
        let mut list = BuildList::new();
        let mut seen: FxHashSet<(String, String, bool)> = FxHashSet::default();
        let mut queue: VecDeque<(String, String, bool)> = VecDeque::new();
        for main in &self.mains {
            for (path, version) in self.required(main) {
                raise(&mut list, path, version);
                queue.push_back((path.to_owned(), version.to_owned(), is_pruned(main)));
            }
        }
        while let Some(node) = queue.pop_front() {
            if !seen.insert(node.clone()) {
                continue;
            }
            let (path, version, pruned) = node;
            let Some(file) = self.mod_file(tree, &path, &version) else {
                continue;
            };
            let own_pruned = is_pruned(&file);
            for (path, version) in self.required(&file) {
                raise(&mut list, path, version);
                if !pruned || !own_pruned {
                    queue.push_back((path.to_owned(), version.to_owned(), pruned && own_pruned));
                }
            }
        }
        list
    }

    /// Returns the location of a module at a version, with replacements applied. The folder may not
    /// exist.
    pub(super) fn location(&self, path: &str, version: &str) -> Option<ModuleLocation> {
        let replacement = self
            .replace
            .iter()
            .filter(|(_, replace)| replace.path == path)
            .filter(|(_, replace)| replace.version.as_deref().is_none_or(|v| v == version))
            // A replacement of a specific version has precedence.
            .max_by_key(|(_, replace)| replace.version.is_some());
        match replacement {
            None => self.cached(path, version),
            Some((base, replace)) => match &replace.by {
                Replacement::Folder(folder) if is_local(folder) => Some(ModuleLocation {
                    dir: absolute(base, folder),
                    mod_path: None,
                }),
                Replacement::Folder(path) => self.cached(path, version),
                Replacement::Module(path, version) => self.cached(path, version),
            },
        }
    }

    /// Returns the location of a module version in the module cache.
    fn cached(&self, path: &str, version: &str) -> Option<ModuleLocation> {
        let cache = self.modcache.as_deref()?;
        let (path, version) = (escaped(path), escaped(version));
        Some(ModuleLocation {
            dir: join(cache, &format!("{path}@{version}")),
            mod_path: Some(join(
                cache,
                &format!("cache/download/{path}/@v/{version}.mod"),
            )),
        })
    }

    /// Returns the `go.mod` of a module version.
    fn mod_file(
        &self,
        tree: &CachedFileSystem<'_>,
        path: &str,
        version: &str,
    ) -> Option<Rc<ModFile>> {
        let location = self.location(path, version)?;
        location
            .mod_path
            .and_then(|path| tree.mod_file(&path))
            .or_else(|| tree.go_mod(&location.dir))
    }

    /// Returns the requirements of a `go.mod` without main modules and excluded versions.
    fn required<'f>(&'f self, file: &'f ModFile) -> impl Iterator<Item = (&'f str, &'f str)> {
        file.require
            .iter()
            .filter(|&(path, _)| self.mains.iter().all(|main| main.module != *path))
            .filter(|&required| !self.exclude.contains(required))
            .map(|(path, version)| (path.as_str(), version.as_str()))
    }
}

/// Returns whether a `go.mod` lists every module that the build needs.
fn is_pruned(file: &ModFile) -> bool {
    file.go.is_some_and(|release| release >= FIRST_PRUNED)
}

/// Returns whether the target of a replacement is a folder (Go Modules Reference, "replace
/// directive").
fn is_local(folder: &str) -> bool {
    folder.starts_with('.') || is_rooted(folder)
}

/// Raises the selected version of a module to at least this one.
fn raise(list: &mut BuildList, path: &str, version: &str) {
    match list.get_mut(path) {
        Some(selected) if compare(selected, version).is_ge() => {}
        Some(selected) => *selected = version.to_owned(),
        None => {
            list.insert(path.to_owned(), version.to_owned());
        }
    }
}
