//! Contexts in which import paths are looked up: one per set of main modules that are built
//! together, one for the standard library, one for the commands, and one per chain of `vendor`
//! folders in GOPATH mode.

use std::cell::{OnceCell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};

use super::build_list::{BuildList, Requirements};
use super::env::Environment;
use super::goroot::Goroot;
use super::modules::{Module, ModuleKind, Modules, used_folders};
use super::paths::{below, join, parent};
use super::tree::CachedFileSystem;

/// The first releases that use `vendor` by default: in a module, and in a workspace.
const FIRST_VENDOR: u32 = 14;
const FIRST_WORKSPACE_VENDOR: u32 = 22;

/// A context in which import paths are looked up.
pub(super) enum Context {
    /// An importer in `std`: the standard library and its `vendor`.
    Std,
    /// An importer in `cmd`: the standard library, the commands and their `vendor`.
    Cmd,
    /// Main modules.
    Modules(Box<Mains>),
    /// GOPATH mode: the `vendor` folders from the importer upwards.
    Gopath(Vec<String>),
}

/// Main modules that are built together, with their requirements.
pub(super) struct Mains {
    /// (module path, folder), the longest path first.
    pub(super) mains: Vec<(String, String)>,
    /// The `vendor` folder that replaces the build list.
    pub(super) vendor: Option<String>,
    /// The input of the build list.
    pub(super) requirements: Requirements,
    /// The build list by the requirements of the main modules only.
    pub(super) listed: OnceCell<BuildList>,
    /// The build list by the whole module graph.
    pub(super) selected: OnceCell<BuildList>,
    /// Required modules that are not on disk: path and version.
    pub(super) absent: RefCell<FxHashSet<(String, String)>>,
}

/// All contexts, by number. Numbers 0 and 1 are those of the standard library and the commands.
pub(super) struct Contexts<'a> {
    tree: &'a CachedFileSystem<'a>,
    goroot: Option<&'a Goroot>,
    pub(super) all: Vec<Context>,
    by_key: FxHashMap<Key, usize>,
    work: WorkChoice,
    modcache: Option<String>,
    mode: Option<String>,
}

/// The location of `go.work`.
enum WorkChoice {
    /// The nearest in the folders above the module.
    Nearest,
    /// `GOWORK=off`.
    Off,
    /// `GOWORK=file`.
    File(String),
}

/// The identity of a context, by which it is created once.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Module(String),
    Work(String),
    Gopath(Vec<String>),
}

/// The number of the context of the standard library.
pub(super) const STD: usize = 0;
/// The number of the context of the commands.
pub(super) const CMD: usize = 1;

impl<'a> Contexts<'a> {
    pub(super) fn new(
        tree: &'a CachedFileSystem<'a>,
        env: &Environment<'_>,
        goroot: Option<&'a Goroot>,
    ) -> Contexts<'a> {
        Contexts {
            tree,
            goroot,
            all: vec![Context::Std, Context::Cmd],
            by_key: FxHashMap::default(),
            work: match env.variable("GOWORK") {
                Some(off) if off == "off" => WorkChoice::Off,
                Some(file) => WorkChoice::File(file.replace('\\', "/")),
                None => WorkChoice::Nearest,
            },
            modcache: env.modcache(),
            mode: env.flag("mod"),
        }
    }

    /// Returns the context of the files of a folder that belongs to a module.
    pub(super) fn of(&mut self, modules: &mut Modules<'_>, module: usize, dir: &str) -> usize {
        match modules.all[module].kind {
            ModuleKind::Std => STD,
            ModuleKind::Cmd => CMD,
            ModuleKind::Gopath => self.gopath(modules, dir),
            ModuleKind::Plain | ModuleKind::Unnamed => self.of_module(modules, module),
        }
    }

    /// Returns the context of a folder of GOROOT, by its path below `src`.
    pub(super) fn of_standard(path: &str) -> usize {
        if path == "cmd" || path.starts_with("cmd/") {
            CMD
        } else {
            STD
        }
    }

    /// Returns the context of a folder in GOPATH mode.
    pub(super) fn gopath(&mut self, modules: &Modules<'_>, dir: &str) -> usize {
        let source = modules.gopath_source(dir);
        let vendors: Vec<String> = std::iter::successors(Some(dir), |dir| parent(dir))
            .take_while(|dir| {
                source
                    .as_deref()
                    .is_some_and(|source| below(source, dir).is_some_and(|rest| !rest.is_empty()))
            })
            .map(|dir| join(dir, "vendor"))
            .filter(|vendor| self.tree.is_folder(vendor))
            .collect();
        self.add(Key::Gopath(vendors.clone()), || Context::Gopath(vendors))
    }

    /// Returns the context of a module: that of the go.work that uses it, else its own.
    fn of_module(&mut self, modules: &mut Modules<'_>, module: usize) -> usize {
        let own = modules.all[module].clone();
        let work = match &self.work {
            _ if own.kind == ModuleKind::Unnamed => None,
            WorkChoice::Off => None,
            WorkChoice::Nearest => modules.work_file(&own.dir),
            WorkChoice::File(path) => self.tree.mod_file(path).map(|work| (path.clone(), work)),
        };
        // A module that the go.work above it does not use is built alone.
        let work = work.filter(|(path, work)| used_folders(path, work).contains(&own.dir));
        let Some((path, work)) = work else {
            let key = Key::Module(own.dir.clone());
            if let Some(&known) = self.by_key.get(&key) {
                return known;
            }
            let vendor = self.vendor(&own.dir, own.file.go, FIRST_VENDOR);
            let replace = in_folder(&own.dir, &own.file.replace);
            let mains = self.mains(vec![own], vendor, replace);
            return self.add(key, || Context::Modules(Box::new(mains)));
        };
        let key = Key::Work(path.clone());
        if let Some(&known) = self.by_key.get(&key) {
            return known;
        }
        let used: Vec<Module> = used_folders(&path, &work)
            .iter()
            .filter_map(|folder| {
                let number = modules.at(folder)?;
                Some(modules.all[number].clone())
            })
            .filter(|module| module.kind == ModuleKind::Plain)
            .collect();
        let folder = parent(&path).unwrap_or("/");
        let vendor = self.vendor(folder, work.go, FIRST_WORKSPACE_VENDOR);
        // The replacements of go.work have precedence.
        let mut replace = in_folder(folder, &work.replace);
        for module in &used {
            replace.extend(
                in_folder(&module.dir, &module.file.replace)
                    .into_iter()
                    .filter(|(_, replace)| work.replace.iter().all(|own| own.path != replace.path)),
            );
        }
        let mains = self.mains(used, vendor, replace);
        self.add(key, || Context::Modules(Box::new(mains)))
    }

    /// Returns the `vendor` folder of a main module or workspace, if it replaces the build list.
    fn vendor(&self, dir: &str, go: Option<u32>, first: u32) -> Option<String> {
        let vendor = join(dir, "vendor");
        let wanted = match self.mode.as_deref() {
            Some("vendor") => true,
            Some(_) => false,
            None => go.is_some_and(|release| release >= first),
        };
        let listed = || {
            self.tree
                .reader
                .read(&join(&vendor, "modules.txt"))
                .is_some()
        };
        (wanted && listed()).then_some(vendor)
    }

    /// Returns the main modules of a context.
    fn mains(
        &self,
        modules: Vec<Module>,
        vendor: Option<String>,
        replace: Vec<(String, super::modfile::Replace)>,
    ) -> Mains {
        let mut mains: Vec<(String, String)> = modules
            .iter()
            .map(|module| (module.path.clone(), module.dir.clone()))
            .collect();
        mains.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Mains {
            mains,
            vendor,
            requirements: Requirements {
                exclude: modules
                    .iter()
                    .flat_map(|module| module.file.exclude.iter().cloned())
                    .collect(),
                mains: modules.into_iter().map(|module| module.file).collect(),
                replace,
                modcache: self.modcache.clone(),
            },
            listed: OnceCell::new(),
            selected: OnceCell::new(),
            absent: RefCell::default(),
        }
    }

    /// Returns the number of the context of this key, created on the first request.
    fn add(&mut self, key: Key, make: impl FnOnce() -> Context) -> usize {
        *self.by_key.entry(key).or_insert_with(|| {
            self.all.push(make());
            self.all.len() - 1
        })
    }

    /// Returns the folder `src` of the GOROOT.
    pub(super) fn goroot_src(&self) -> Option<&'a str> {
        self.goroot.map(|goroot| goroot.src.as_str())
    }
}

/// Returns replacements, each with the folder that its paths are relative to.
fn in_folder(
    dir: &str,
    replace: &[super::modfile::Replace],
) -> Vec<(String, super::modfile::Replace)> {
    replace
        .iter()
        .map(|replace| (dir.to_owned(), replace.clone()))
        .collect()
}
