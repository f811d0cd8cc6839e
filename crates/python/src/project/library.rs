//! Search for library modules in folders that are not loaded: the algorithm of the Python
//! reference, "The import system", over folder listings.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::names::RootNameKind;
use super::paths::{join, prefixes};
use super::site::{PathGroup, SiteFolder};
use super::tree::{OutsideFiles, holds};

/// A dotted name found in the libraries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LibraryModule {
    /// The part of the search path where it was found.
    pub(crate) group: PathGroup,
    /// Whether it may have submodules.
    pub(crate) is_package: bool,
    /// Whether it is a package without `__init__`.
    pub(crate) is_namespace: bool,
    /// The folders that its submodules are searched in; several for a namespace package.
    dirs: Vec<String>,
    /// The same in stub packages (PEP 561, "Stub-only Packages").
    stub_dirs: Vec<String>,
    /// Its sources and stubs, absolute; none for a namespace package or compiled code.
    pub(crate) files: Vec<String>,
}

/// The search path after the workspace.
pub(crate) struct Library<'a> {
    tree: &'a OutsideFiles<'a>,
    entries: Vec<SiteFolder>,
    known: FxHashMap<String, Option<Rc<LibraryModule>>>,
}

impl<'a> Library<'a> {
    /// Returns a library over these entries, in order.
    pub(crate) fn new(tree: &'a OutsideFiles<'a>, entries: Vec<SiteFolder>) -> Library<'a> {
        Library {
            tree,
            entries,
            known: FxHashMap::default(),
        }
    }

    /// Returns the folder of the first entry of a group.
    pub(crate) fn first_dir(&self, group: PathGroup) -> Option<&str> {
        let mut entries = self.entries.iter();
        entries
            .find(|entry| entry.group == group)
            .map(|entry| entry.dir.as_str())
    }

    /// Finds the module of a dotted name. `taken` says which names the workspace has: a library
    /// module of such a name is hidden, except a package where the workspace only has a folder
    /// without `__init__`.
    pub(crate) fn find(
        &mut self,
        name: &str,
        taken: &dyn Fn(&str) -> Option<RootNameKind>,
    ) -> Option<Rc<LibraryModule>> {
        let mut enclosing: Option<Rc<LibraryModule>> = None;
        for prefix in prefixes(name) {
            let module = match self.known.get(prefix) {
                Some(module) => module.clone(),
                None => {
                    let part = prefix.rsplit('.').next().unwrap_or(prefix);
                    let module =
                        self.step(enclosing.as_deref(), part).filter(|module| {
                            match taken(prefix) {
                                None => true,
                                Some(RootNameKind::Portion) => module.is_package,
                                Some(RootNameKind::Regular) => false,
                            }
                        });
                    let module = module.map(Rc::new);
                    self.known.insert(prefix.to_owned(), module.clone());
                    module
                }
            };
            enclosing = Some(module?);
        }
        enclosing
    }

    /// Finds one part of a dotted name below a package, or at the top.
    fn step(&self, enclosing: Option<&LibraryModule>, part: &str) -> Option<LibraryModule> {
        if part.is_empty() || part.contains(['/', '\\']) {
            return None;
        }
        let mut found = match enclosing {
            Some(package) if !package.is_package => return None,
            Some(package) => {
                let dirs = package.dirs.iter().map(String::as_str);
                self.search(dirs.map(|dir| (dir, package.group)), part)
            }
            None => {
                let entries = self.entries.iter().filter(|entry| {
                    let only = entry.only.as_ref();
                    only.is_none_or(|only| only.iter().any(|name| name == part))
                });
                self.search(entries.map(|entry| (entry.dir.as_str(), entry.group)), part)
            }
        };
        self.add_stubs(enclosing, part, &mut found);
        found
    }

    /// Finds the first package or module of a name in the folders, else all portions of a namespace
    /// package together.
    fn search<'d>(
        &self,
        dirs: impl Iterator<Item = (&'d str, PathGroup)>,
        part: &str,
    ) -> Option<LibraryModule> {
        let mut portions: Option<LibraryModule> = None;
        for (dir, group) in dirs {
            let names = self.tree.list(dir);
            if holds(&names, &format!("{part}/")) {
                let sub = join(dir, part);
                let inside = self.tree.list(&sub);
                let files = sources(&sub, &inside, "__init__");
                if !files.is_empty() || is_compiled(&inside, "__init__") {
                    return Some(LibraryModule {
                        group,
                        is_package: true,
                        is_namespace: false,
                        dirs: vec![sub],
                        stub_dirs: Vec::new(),
                        files,
                    });
                }
                let namespace = portions.get_or_insert_with(|| LibraryModule {
                    group,
                    is_package: true,
                    is_namespace: true,
                    dirs: Vec::new(),
                    stub_dirs: Vec::new(),
                    files: Vec::new(),
                });
                namespace.dirs.push(sub);
            }
            let mut files = sources(dir, &names, part);
            if is_compiled(&names, part) {
                // Compiled code takes precedence over a source of the same name.
                files.retain(|file| file.ends_with(".pyi"));
                return Some(LibraryModule::of_file(group, files));
            }
            if !files.is_empty() {
                return Some(LibraryModule::of_file(group, files));
            }
        }
        portions
    }

    /// Adds the stub packages' files of a name.
    fn add_stubs(
        &self,
        enclosing: Option<&LibraryModule>,
        part: &str,
        found: &mut Option<LibraryModule>,
    ) {
        let mut stub_dirs: Vec<String> = Vec::new();
        let mut files: Vec<String> = Vec::new();
        match enclosing {
            None => {
                let folder = format!("{part}-stubs");
                for entry in &self.entries {
                    if self.tree.has_folder(&entry.dir, &folder) {
                        stub_dirs.push(join(&entry.dir, &folder));
                    }
                }
            }
            Some(package) => {
                for dir in &package.stub_dirs {
                    let file = format!("{part}.pyi");
                    if self.tree.has_file(dir, &file) {
                        files.push(join(dir, &file));
                    } else if self.tree.has_folder(dir, part) {
                        stub_dirs.push(join(dir, part));
                    }
                }
            }
        }
        for dir in &stub_dirs {
            if self.tree.has_file(dir, "__init__.pyi") {
                files.push(join(dir, "__init__.pyi"));
            }
        }
        if stub_dirs.is_empty() && files.is_empty() {
            return;
        }
        let module = found.get_or_insert_with(|| LibraryModule {
            group: PathGroup::Site,
            is_package: !stub_dirs.is_empty(),
            is_namespace: files.is_empty(),
            dirs: Vec::new(),
            stub_dirs: Vec::new(),
            files: Vec::new(),
        });
        module.stub_dirs = stub_dirs;
        // One stub is enough; that of a stub package takes precedence over the module's own (PEP
        // 561).
        if let Some(stub) = files.into_iter().next() {
            module.files.retain(|file| !file.ends_with(".pyi"));
            module.files.push(stub);
        }
    }
}

impl LibraryModule {
    fn of_file(group: PathGroup, files: Vec<String>) -> LibraryModule {
        LibraryModule {
            group,
            is_package: false,
            is_namespace: false,
            dirs: Vec::new(),
            stub_dirs: Vec::new(),
            files,
        }
    }

    /// Returns the folder of a package's unit.
    pub(crate) fn dir(&self) -> Option<&str> {
        let mut dirs = self.dirs.iter().chain(&self.stub_dirs);
        dirs.next().map(String::as_str)
    }
}

/// Returns the source and the stub of a module in a folder.
fn sources(dir: &str, names: &[String], stem: &str) -> Vec<String> {
    [".py", ".pyi"]
        .iter()
        .map(|end| format!("{stem}{end}"))
        .filter(|name| holds(names, name))
        .map(|name| join(dir, &name))
        .collect()
}

/// Returns whether a folder has a compiled module: `x.so`, `x.cpython-311-x86_64-linux-gnu.so`,
/// `x.pyd`.
fn is_compiled(names: &[String], stem: &str) -> bool {
    let from = names.partition_point(|name| name.as_str() < stem);
    names[from..]
        .iter()
        .take_while(|name| name.starts_with(stem))
        .filter_map(|name| name[stem.len()..].strip_prefix('.'))
        .any(|end| matches!(end, "so" | "pyd") || end.ends_with(".so") || end.ends_with(".pyd"))
}

/// Returns the dotted name of the unit that a library module belongs to: its own for a package,
/// else that of the enclosing package.
pub(crate) fn unit_of<'n>(name: &'n str, module: &LibraryModule) -> &'n str {
    if module.is_package {
        name
    } else {
        name.rsplit_once('.').map_or("", |(package, _)| package)
    }
}
