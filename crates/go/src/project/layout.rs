//! The layout of a workspace: its units, the lookup of their imports, and the library folders that
//! must be loaded.
//!
//! The host calls [`layout`] until nothing is missing: each round loads the folders that the
//! imports found so far lead to.
//!
//! ```text
//! round 1   workspace files            missing: $GOROOT/src/fmt
//! round 2   + fmt                      missing: $GOROOT/src/io, $GOROOT/src/os, …
//! …         until missing is empty
//! ```

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use std::sync::Arc;

use crate::settings::GoSettings;
use crate::units::{IN_TEST, X_TEST};
use codeweft_db::{Configuration, Layout, LayoutInput, Origin, PlannedUnit, UnitKind};
use codeweft_syntax::{NameId, Names};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::{CMD, Context, Contexts, STD};
use super::env::Environment;
use super::experiments::experiments;
use super::files::Matcher;
use super::folders::{Folder, GoFile, Parts, group};
use super::goroot::{self, Goroot};
use super::modules::{ModuleKind, Modules};
use super::paths::{below, holds_packages, join, split};
use super::printed::{PackageNaming, Rank, printed_names};
use super::resolve::{ImportOrigin, Target, is_built_in, resolve};
use super::standard::is_standard;
use super::tree::CachedFileSystem;

/// Groups the loaded Go files into units, maps imports to them, and lists the library folders that
/// must be loaded before the layout is complete. A pure function of its input, except that the
/// folder of the `go` on PATH is read from the disk (see `goroot.rs`).
pub fn layout(input: &LayoutInput<'_>) -> Layout {
    let env = Environment::new(input);
    let loaded = input
        .files
        .iter()
        .map(|file| split(file.path))
        .filter(|(_, name)| name.ends_with(".go") && !name.ends_with("_test.go"))
        .map(|(dir, _)| dir)
        .collect();
    let tree = CachedFileSystem::new(input.reader, loaded);
    let mut notes = Vec::new();
    let goroot = match goroot::own(&tree, input.root) {
        Some(own) => Some(own),
        None => goroot::find(&tree, &env).unwrap_or_else(|folder| {
            let note = "go.goroot names no folder with a Go standard library".to_owned();
            notes.push((folder, note));
            None
        }),
    };
    let settings = settings(&env, goroot.as_ref(), input);
    let matcher = Matcher::new(&settings, input.names);
    let folders = group(input.files, &matcher);
    let modules = Modules::new(&tree, &env, input.root, goroot.as_ref());
    let mut found = Finder {
        input,
        goroot: goroot.as_ref(),
        tree: &tree,
        contexts: Contexts::new(&tree, &env, goroot.as_ref()),
        modules,
        packages: Vec::new(),
        by_dir: FxHashMap::default(),
        folders: folders.iter().map(|folder| (folder.dir, folder)).collect(),
        resolved: FxHashMap::default(),
        missing: BTreeSet::new(),
    };
    found.start(&folders);
    found.follow();
    let (units, base_units) = found.units();
    let (chains, tables) = found.tables(&base_units);
    if goroot.is_none() && notes.is_empty() && !found.packages.is_empty() {
        let note = "no Go standard library was found; set go.goroot".to_owned();
        notes.push((input.root.to_owned(), note));
    }
    notes.extend(found.notes());
    notes.sort();
    Layout {
        units,
        chains,
        tables,
        missing: found.missing.into_iter().collect(),
        configuration: Some(Arc::new(Configuration::new(settings))),
        notes,
        ..Layout::default()
    }
}

/// Returns the build configuration.
fn settings(env: &Environment<'_>, goroot: Option<&Goroot>, input: &LayoutInput<'_>) -> GoSettings {
    let (goos, goarch) = (env.goos(), env.goarch());
    GoSettings {
        cgo: env.cgo(),
        tags: env.tags(),
        release: goroot::release(goroot),
        experiments: experiments(
            input.reader,
            goroot.map(|goroot| goroot.src.as_str()),
            &goos,
            &goarch,
            env.variable("GOEXPERIMENT").as_deref(),
        ),
        goos,
        goarch,
    }
}

/// A folder with a package.
struct Package<'a> {
    dir: &'a str,
    origin: Origin,
    import_path: String,
    /// The context in which its imports are looked up.
    context: usize,
    named: PackageNaming,
    parts: Parts<'a>,
}

/// The state of a layout while imports are followed.
struct Finder<'a> {
    input: &'a LayoutInput<'a>,
    goroot: Option<&'a Goroot>,
    tree: &'a CachedFileSystem<'a>,
    contexts: Contexts<'a>,
    modules: Modules<'a>,
    packages: Vec<Package<'a>>,
    by_dir: FxHashMap<&'a str, usize>,
    folders: FxHashMap<&'a str, &'a Folder<'a>>,
    /// The targets of the import paths looked up so far, per context.
    resolved: FxHashMap<(usize, NameId), Option<Target>>,
    missing: BTreeSet<String>,
}

impl<'a> Finder<'a> {
    fn names(&self) -> &'a Names {
        self.input.names
    }

    /// Adds the packages of the workspace.
    fn start(&mut self, folders: &'a [Folder<'a>]) {
        for folder in folders {
            let relative = below(self.input.root, folder.dir);
            if folder.origin == Origin::Workspace && relative.is_some_and(holds_packages) {
                self.add_own(folder);
            }
        }
    }

    /// Adds a folder below the root. Its import path is that of its module, joined with its path in
    /// the module.
    fn add_own(&mut self, folder: &'a Folder<'a>) {
        let dir = folder.dir;
        let mut owner = self.modules.owner(dir);
        if self.modules.all[owner].kind == ModuleKind::Unnamed
            && let Some(used) = self.modules.used_beside_vendor(dir)
        {
            owner = used;
        }
        let context = self.contexts.of(&mut self.modules, owner, dir);
        let module = &self.modules.all[owner];
        let rest = below(&module.dir, dir).unwrap_or_default();
        let vendored = match &self.contexts.all[context] {
            Context::Modules(mains) => mains
                .vendor
                .as_deref()
                .and_then(|vendor| below(vendor, dir))
                .filter(|path| !path.is_empty()),
            _ => None,
        };
        let at_root = matches!(
            module.kind,
            ModuleKind::Plain | ModuleKind::Gopath | ModuleKind::Unnamed
        ) && vendored.is_none()
            && !module.path.is_empty()
            && below(&module.dir, self.input.root).is_some();
        let import_path = match vendored {
            Some(path) => path.to_owned(),
            None => module.import_path(rest),
        };
        if module.kind == ModuleKind::Std && is_built_in(rest) {
            // The folder documents packages that the compiler implements.
            return;
        }
        let relative = below(self.input.root, dir).unwrap_or(dir).to_owned();
        let named = PackageNaming {
            at_root: at_root.then(|| (module.path.clone(), rest.to_owned())),
            rank: if vendored.is_some() {
                Rank::Vendored
            } else {
                Rank::Own
            },
            version: None,
            mark: relative,
            import_path: import_path.clone(),
        };
        self.add(folder, import_path, context, named);
    }

    /// Adds a folder that an import leads to.
    fn add_target(&mut self, folder: &'a Folder<'a>, target: &Target, importer: usize) {
        let inside = below(self.input.root, folder.dir).is_some();
        if inside && target.source != ImportOrigin::Goroot {
            return self.add_own(folder);
        }
        let context = match target.source {
            ImportOrigin::Goroot => Contexts::of_standard(&target.import_path),
            ImportOrigin::Gopath => self.contexts.gopath(&self.modules, folder.dir),
            ImportOrigin::Main | ImportOrigin::Vendor | ImportOrigin::Required(_) => importer,
        };
        let named = PackageNaming {
            import_path: target.import_path.clone(),
            at_root: None,
            rank: Rank::Library,
            version: match &target.source {
                ImportOrigin::Required(version) => Some(version.clone()),
                _ => None,
            },
            mark: folder.dir.trim_start_matches('/').to_owned(),
        };
        self.add(folder, target.import_path.clone(), context, named);
    }

    /// Adds a package.
    fn add(
        &mut self,
        folder: &'a Folder<'a>,
        import_path: String,
        context: usize,
        named: PackageNaming,
    ) {
        self.by_dir.insert(folder.dir, self.packages.len());
        self.packages.push(Package {
            dir: folder.dir,
            origin: folder.origin,
            import_path,
            context,
            named,
            parts: folder.parts(self.names()),
        });
    }

    /// Follows the imports of all packages transitively.
    fn follow(&mut self) {
        let mut queue: VecDeque<usize> = (0..self.packages.len()).collect();
        while let Some(number) = queue.pop_front() {
            let context = self.packages[number].context;
            for path in self.imports(number) {
                if self.resolved.contains_key(&(context, path)) {
                    continue;
                }
                let text = self.names().text(path);
                let target = resolve(self.tree, &self.contexts, &self.modules, context, text);
                if let Some(target) = &target {
                    match self.folders.get(target.dir.as_str()) {
                        Some(_) if self.by_dir.contains_key(target.dir.as_str()) => {}
                        Some(&folder) => {
                            queue.push_back(self.packages.len());
                            self.add_target(folder, target, context);
                        }
                        None => {
                            self.missing.insert(target.dir.clone());
                        }
                    }
                }
                self.resolved.insert((context, path), target);
            }
        }
    }

    /// Returns the import paths of the selected files of a package.
    fn imports(&self, number: usize) -> Vec<NameId> {
        let parts = &self.packages[number].parts;
        let mut paths: Vec<NameId> = [&parts.base, &parts.in_test, &parts.x_test]
            .into_iter()
            .flatten()
            .filter(|file| file.excluded.is_none())
            .flat_map(|file| file.header.imports.iter().map(|import| import.path))
            .filter(|&path| !is_built_in(self.names().text(path)))
            .collect();
        let mut seen = FxHashSet::default();
        paths.retain(|&path| seen.insert(path));
        paths
    }

    /// Returns the units, sorted, and the number of the Base unit of each package.
    fn units(&self) -> (Vec<PlannedUnit>, Vec<Option<usize>>) {
        let named: Vec<PackageNaming> = self
            .packages
            .iter()
            .map(|package| package.named.clone())
            .collect();
        let names = printed_names(&named, |path| is_standard(self.tree, self.goroot, path));
        let taken: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let mut units: Vec<(PlannedUnit, usize)> = Vec::new();
        for (number, (package, name)) in self.packages.iter().zip(&names).enumerate() {
            let mut x_name = format!("{name}_test");
            if taken.contains(x_name.as_str()) {
                x_name = format!("{x_name}@{name}");
            }
            let kinds = [
                (UnitKind::BASE, &package.parts.base, name, ""),
                (IN_TEST, &package.parts.in_test, name, ""),
                (X_TEST, &package.parts.x_test, &x_name, "_test"),
            ];
            for (kind, files, name, suffix) in kinds {
                if files.is_empty() {
                    continue;
                }
                let unit = PlannedUnit {
                    name: name.clone(),
                    import_path: format!("{}{suffix}", package.import_path),
                    kind,
                    dir: package.dir.to_owned(),
                    origin: package.origin,
                    chain: package.context as u32,
                    files: files.iter().map(|file| file.path.to_owned()).collect(),
                };
                units.push((unit, number));
            }
        }
        units.sort_by(|(a, _), (b, _)| (&a.name, a.kind).cmp(&(&b.name, b.kind)));
        let mut base = vec![None; self.packages.len()];
        for (at, (unit, package)) in units.iter().enumerate() {
            if unit.kind == UnitKind::BASE {
                base[*package] = Some(at);
            }
        }
        (units.into_iter().map(|(unit, _)| unit).collect(), base)
    }

    /// Returns one chain per context, over its own table and that of the standard library. The own
    /// tables of the standard library and of the commands contain their `vendor` folders.
    fn tables(&self, base: &[Option<usize>]) -> (Vec<Vec<u32>>, Vec<BTreeMap<String, usize>>) {
        let count = self.contexts.all.len();
        let standard = count;
        let mut tables = vec![BTreeMap::new(); count + 1];
        for (package, unit) in self.packages.iter().zip(base) {
            let Some(unit) = *unit else { continue };
            let path = &package.import_path;
            let in_goroot = matches!(package.context, STD | CMD);
            if in_goroot {
                let vendor = ["vendor/", "cmd/vendor/"][package.context];
                let (table, path) = match path.strip_prefix(vendor) {
                    Some(path) => (package.context, path),
                    None => (standard, path.as_str()),
                };
                tables[table].insert(path.to_owned(), unit);
            } else if package.origin == Origin::Workspace {
                // Packages that nothing imports yet are found too.
                tables[package.context].entry(path.clone()).or_insert(unit);
            }
        }
        for (&(context, path), target) in &self.resolved {
            let Some(target) = target else { continue };
            if target.source == ImportOrigin::Goroot {
                continue;
            }
            if let Some(&package) = self.by_dir.get(target.dir.as_str())
                && let Some(unit) = base[package]
            {
                tables[context].insert(self.names().text(path).to_owned(), unit);
            }
        }
        let chains = self.contexts.all.iter().enumerate().map(|(own, context)| {
            let (own, standard) = (own as u32, standard as u32);
            match context {
                // In module mode the standard library has precedence, in GOPATH mode `vendor`.
                Context::Modules(_) => vec![standard, own],
                Context::Std | Context::Cmd | Context::Gopath(_) => vec![own, standard],
            }
        });
        (chains.collect(), tables)
    }

    /// Returns the notes for the user.
    fn notes(&self) -> Vec<(String, String)> {
        let mut notes = Vec::new();
        for package in &self.packages {
            notes.extend(
                package
                    .parts
                    .other_clauses
                    .iter()
                    .map(|file| self.other_clause_note(package, file)),
            );
        }
        for module in &self.modules.all {
            let path = join(&module.dir, "go.mod");
            for line in &module.file.bad_lines {
                notes.push((path.clone(), format!("line {line} cannot be read")));
            }
        }
        for context in &self.contexts.all {
            let Context::Modules(mains) = context else {
                continue;
            };
            let Some((_, dir)) = mains.mains.last() else {
                continue;
            };
            let path = join(dir, "go.mod");
            for (module, version) in mains.absent.borrow().iter() {
                let note = format!("{module} {version} is not in the module cache");
                notes.push((path.clone(), note));
            }
        }
        notes
    }

    /// Returns the note about a file whose package clause is not that of its folder.
    fn other_clause_note(&self, package: &Package<'_>, file: &GoFile<'_>) -> (String, String) {
        let own = self.names().text(file.header.package);
        let clause = package
            .parts
            .clause
            .map_or("", |clause| self.names().text(clause));
        let note = format!("package {own} in a folder of package {clause}: it is left out");
        (file.path.to_owned(), note)
    }
}
