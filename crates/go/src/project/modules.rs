//! The modules of a workspace, and the module that a folder belongs to.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::env::Environment;
use super::goroot::Goroot;
use super::modfile::ModFile;
use super::paths::{absolute, below, join, last, parent};
use super::tree::CachedFileSystem;

/// A module, or a substitute for one where there is no `go.mod`.
#[derive(Clone, Debug)]
pub(super) struct Module {
    /// Its folder.
    pub(super) dir: String,
    /// The import path of its folder; empty for `std` and for `src` of GOPATH.
    pub(super) path: String,
    /// Its kind.
    pub(super) kind: ModuleKind,
    /// Its `go.mod`; empty if there is none.
    pub(super) file: Rc<ModFile>,
}

/// The kinds of [`Module`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ModuleKind {
    /// The standard library.
    Std,
    /// The commands of a GOROOT.
    Cmd,
    /// A folder with a `go.mod`.
    Plain,
    /// A folder below `src` of GOPATH without a `go.mod` above it.
    Gopath,
    /// Everything else below the workspace root: a module named after the root folder.
    Unnamed,
}

impl Module {
    /// Returns the import path of a folder of this module, by its path in it.
    pub(super) fn import_path(&self, rest: &str) -> String {
        join(&self.path, rest)
    }
}

/// The modules found so far.
pub(super) struct Modules<'a> {
    tree: &'a CachedFileSystem<'a>,
    root: &'a str,
    goroot: Option<&'a Goroot>,
    gopath: Vec<String>,
    modules_off: bool,
    pub(super) all: Vec<Module>,
    by_module_dir: FxHashMap<String, usize>,
    by_folder: FxHashMap<String, Option<usize>>,
}

impl<'a> Modules<'a> {
    pub(super) fn new(
        tree: &'a CachedFileSystem<'a>,
        env: &Environment<'_>,
        root: &'a str,
        goroot: Option<&'a Goroot>,
    ) -> Modules<'a> {
        Modules {
            tree,
            root,
            goroot,
            gopath: env.gopath(),
            modules_off: env.variable("GO111MODULE").as_deref() == Some("off"),
            all: Vec::new(),
            by_module_dir: FxHashMap::default(),
            by_folder: FxHashMap::default(),
        }
    }

    /// Returns the module of a workspace folder: that of the nearest `go.mod` upwards (vendored
    /// copies do not count), else that of GOPATH, else the unnamed module of the root.
    pub(super) fn owner(&mut self, dir: &str) -> usize {
        let from = outside_vendor(self.root, dir);
        let in_gopath = self.gopath_source(from);
        if !(self.modules_off && in_gopath.is_some())
            && let Some(module) = self.nearest(from)
        {
            return module;
        }
        let kind_and_dir = match in_gopath {
            // The whole workspace is a project in GOPATH, or contains GOPATH.
            Some(source) if below(&source, self.root).is_some_and(|rest| !rest.is_empty()) => {
                let path = below(&source, self.root).unwrap_or_default().to_owned();
                (ModuleKind::Gopath, self.root.to_owned(), path)
            }
            Some(source) => (ModuleKind::Gopath, source, String::new()),
            None => {
                let name = last(self.root).to_owned();
                (ModuleKind::Unnamed, self.root.to_owned(), name)
            }
        };
        let (kind, dir, path) = kind_and_dir;
        self.add(Module {
            dir,
            path,
            kind,
            file: Rc::default(),
        })
    }

    /// Returns the module of the folder `dir`, if it has a `go.mod`.
    pub(super) fn at(&mut self, dir: &str) -> Option<usize> {
        if let Some(&known) = self.by_module_dir.get(dir) {
            return Some(known);
        }
        let file = self.tree.go_mod(dir)?;
        let in_goroot = self.goroot.and_then(|goroot| below(&goroot.src, dir));
        let (kind, path) = match (in_goroot, file.module.as_str()) {
            (Some(""), "std") => (ModuleKind::Std, String::new()),
            (Some("cmd"), "cmd") => (ModuleKind::Cmd, "cmd".to_owned()),
            // Without a module line the folder's name is used.
            (_, "") => (ModuleKind::Plain, last(dir).to_owned()),
            (_, path) => (ModuleKind::Plain, path.to_owned()),
        };
        Some(self.add(Module {
            dir: dir.to_owned(),
            path,
            kind,
            file,
        }))
    }

    /// Returns `src` of the GOPATH folder that contains a folder.
    pub(super) fn gopath_source(&self, dir: &str) -> Option<String> {
        self.gopath
            .iter()
            .map(|folder| join(folder, "src"))
            .find(|source| below(source, dir).is_some())
    }

    /// Returns `src` of every GOPATH folder.
    pub(super) fn gopath_sources(&self) -> Vec<String> {
        self.gopath
            .iter()
            .map(|folder| join(folder, "src"))
            .collect()
    }

    /// Returns a module that is used by the `go.work` beside the `vendor` folder that contains
    /// `dir`.
    pub(super) fn used_beside_vendor(&mut self, dir: &str) -> Option<usize> {
        let beside = outside_vendor(self.root, dir);
        let path = join(beside, "go.work");
        let work = (beside != dir)
            .then(|| self.tree.mod_file(&path))
            .flatten()?;
        used_folders(&path, &work)
            .iter()
            .find_map(|folder| self.at(folder))
    }

    /// Returns the nearest `go.work` upwards of a folder.
    pub(super) fn work_file(&self, dir: &str) -> Option<(String, Rc<ModFile>)> {
        std::iter::successors(Some(dir), |dir| parent(dir)).find_map(|dir| {
            let path = join(dir, "go.work");
            Some((path.clone(), self.tree.mod_file(&path)?))
        })
    }

    /// Returns the number of a module, added on the first request.
    fn add(&mut self, module: Module) -> usize {
        if let Some(&known) = self.by_module_dir.get(&module.dir)
            && self.all[known].kind == module.kind
        {
            return known;
        }
        let number = self.all.len();
        self.by_module_dir.insert(module.dir.clone(), number);
        self.all.push(module);
        number
    }

    /// Returns the module of the nearest `go.mod` upwards, cached for every folder on the way.
    fn nearest(&mut self, dir: &str) -> Option<usize> {
        if let Some(&known) = self.by_folder.get(dir) {
            return known;
        }
        let mut passed = Vec::new();
        let mut found = None;
        let mut here = Some(dir);
        while let Some(dir) = here {
            if let Some(&known) = self.by_folder.get(dir) {
                found = known;
                break;
            }
            passed.push(dir.to_owned());
            found = self.at(dir);
            if found.is_some() {
                break;
            }
            here = parent(dir);
        }
        for dir in passed {
            self.by_folder.insert(dir, found);
        }
        found
    }
}

/// Returns the folder that contains the outermost `vendor` folder around `dir` below `root`; `dir`
/// itself if there is none. Only folders below `vendor` count, because a package may have that
/// name.
fn outside_vendor<'d>(root: &str, dir: &'d str) -> &'d str {
    let Some(rest) = below(root, dir) else {
        return dir;
    };
    let start = dir.len() - rest.len();
    match format!("/{rest}").find("/vendor/") {
        Some(at) => dir[..start + at].trim_end_matches('/'),
        None => dir,
    }
}

/// Returns the absolute folders that a `go.work` uses.
pub(super) fn used_folders(work_path: &str, work: &ModFile) -> Vec<String> {
    let base = parent(work_path).unwrap_or("/");
    work.used
        .iter()
        .map(|folder| absolute(base, folder))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_vendor_folder_counts() {
        assert_eq!(outside_vendor("/w", "/w/a/vendor/b/vendor/c"), "/w/a");
        assert_eq!(outside_vendor("/w", "/w/vendor/b"), "/w");
        assert_eq!(outside_vendor("/w", "/w/a/vendor"), "/w/a/vendor");
        assert_eq!(
            outside_vendor("/w/vendor/x", "/w/vendor/x/a"),
            "/w/vendor/x/a"
        );
    }
}
