//! The layout of Python files: one unit for each folder, and dotted names relative to the roots.
//!
//! ```text
//! pyproject.toml, src/app/__init__.py, src/app/db.py, tests/test_db.py
//!
//! roots  ""  "src"                     units  app (src/app)   tests (tests)
//! chain of src/app: src, "", model, stdlib | other roots, stubs, site-packages
//! ```

use std::collections::{BTreeMap, BTreeSet};

use codeweft_db::{Layout, LayoutInput, Origin, PlannedUnit, UnitKind};
use codeweft_python_syntax::AsPython as _;

use crate::frameworks::Frameworks;
use crate::project::interpreter::{self, Interpreter};
use crate::project::library::{Library, unit_of};
use crate::project::loading::{Importer, ImporterTables, LibraryLoads, Loader, MAX_FILES};
pub(crate) use crate::project::model::MODEL_DIR;
use crate::project::model::{HIDDEN_DIR, MODELS, ModelModule};
use crate::project::names::{RootNameKind, RootNames};
use crate::project::paths::{below, join, parent, prefixes};
pub(crate) use crate::project::paths::{dotted, stem};
use crate::project::roots::{Root, Roots, distributed, entries, is_library, roots};
use crate::project::site::{self, PathGroup, SiteFolder};
use crate::project::tree::OutsideFiles;
use crate::settings::PythonSettings;

/// Returns whether a file of the workspace, by its relative path, can be one of its modules.
/// Packages of other ecosystems carry Python scripts that are not.
pub(crate) fn is_source(relative: &str) -> bool {
    !relative
        .split('/')
        .any(|part| matches!(part, "node_modules" | "site-packages" | "__pycache__"))
}

/// Groups Python files into units, computes how imports find them, and lists the library files that
/// must be loaded first.
///
/// A workspace folder belongs to the deepest enclosing root and is named by its dotted path there;
/// if that root is neither the workspace's nor its `src`, the name is prefixed with the root and
/// `/`. Library modules are named by their dotted names alone. A library module whose name exists
/// in the workspace is not loaded, except a package that corresponds to a folder without modules of
/// that name; its id is prefixed with its own folder.
///
/// Every importer has a chain of tables, [`PlannedUnit::chain`]: its own root, the other roots of
/// its project, the model, the standard library; then other projects' roots, names relative to the
/// workspace's root even if a deeper root is nearer (`src.app`), stub folders, installed packages.
/// The next chain number is the part up to the standard library, after which the folder is searched
/// that contains the importer's package. See [`crate::modules::find_module`].
pub(crate) fn layout(input: &LayoutInput<'_>) -> Layout {
    let folders = folders(input);
    if folders.is_empty() {
        return Layout {
            configuration: Some(PythonSettings::default().part()),
            ..Layout::default()
        };
    }
    let with_init: BTreeMap<String, bool> = folders
        .iter()
        .map(|(&dir, files)| {
            let is_package = files.iter().any(|path| stem(path) == "__init__");
            (dir.to_owned(), is_package)
        })
        .collect();
    let roots = roots(input, &with_init);
    let own_library =
        (0..roots.all.len()).find(|&at| is_library(&with_init, input, &roots.all[at].dir));
    let mut plans = plans(&folders, &roots.all, &|dir| roots.of(dir));
    disambiguate_src(&mut plans);
    plans.sort_by(|a, b| (&a.name, a.dir).cmp(&(&b.name, b.dir)));

    let tables = TableNumbers::new(&roots, own_library);
    let names = workspace_names(&plans, &tables);
    let tree = OutsideFiles::new(input.reader);
    let mut notes = Vec::new();
    let interpreter = interpreter(input, &tree, &roots, &mut notes);
    let rows = input.settings.get("framework").map(String::as_str);
    let (frameworks, wrong) = Frameworks::of_settings(rows);
    let wrong = wrong
        .into_iter()
        .map(|(line, words)| (format!("{}/codeweft.toml:{line}", input.root), words));
    notes.extend(wrong);
    let settings = PythonSettings {
        version: interpreter.version,
        frameworks,
    };
    let library = library(input, &tree, &roots, &with_init, own_library, interpreter);
    let (loading, library) = load(input, &plans, &names, &tables, &roots.all, library);

    let mut units: Vec<PlannedUnit> = plans.iter().map(|plan| plan.unit(input.root)).collect();
    let mut modules = names.into_tables();
    let libraries = library_units(&loading, &library, &modules, &tables);
    let first = units.len();
    for (number, library) in (first..).zip(&libraries) {
        for name in &library.names {
            modules[library.table].insert(name.clone(), number);
        }
    }
    for (number, library) in (first..).zip(libraries) {
        // A namespace package is represented by its first portion with a file.
        for name in prefixes(&library.unit.import_path).filter(|name| !name.is_empty()) {
            let table = &mut modules[library.table];
            table.entry(name.to_owned()).or_insert(number);
        }
        units.push(library.unit);
    }
    let units = sort(units, &mut modules);
    let (entries, scripts) = entries(input, &roots.projects);
    if loading.cut {
        let words = format!("more than {MAX_FILES} files of libraries; the rest is not read");
        notes.push((input.root.to_owned(), words));
    }
    Layout {
        units,
        chains: tables.chains(),
        tables: modules,
        missing_files: loading.missing,
        texts: MODELS
            .iter()
            .map(|model| (model.path.to_owned(), model.text))
            .collect(),
        notes,
        entries,
        scripts,
        distributed: distributed(input, &roots.projects),
        configuration: Some(settings.part()),
        ..Layout::default()
    }
}

/// Returns the Python files of the workspace by relative folder, each list in order of path bytes.
fn folders<'a>(input: &LayoutInput<'a>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in input.files {
        if file.origin != Origin::Workspace || file.header.python().is_none() {
            continue;
        }
        let Some(path) = below(input.root, file.path).filter(|path| is_source(path)) else {
            continue;
        };
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        folders.entry(dir).or_default().push(file.path);
    }
    folders
}

/// The numbers of the import tables: one for each root, then the ones named here.
struct TableNumbers {
    /// For each root: the tables before the importer's base folder, and those after.
    chains: Vec<(Vec<u32>, Vec<u32>)>,
    /// The workspace tables that library files can import from.
    seen_by_libraries: Vec<u32>,
    /// The tables of plain roots, whose dotted names are ids.
    plain: Vec<u32>,
    from_workspace: usize,
    standard: usize,
    site: usize,
    model: usize,
}

impl TableNumbers {
    fn new(roots: &Roots, own_library: Option<usize>) -> TableNumbers {
        let count = roots.all.len();
        let from_workspace = count;
        let (standard, site, model) = (count + 1, count + 2, count + 3);
        // A workspace that contains the standard library replaces it.
        let library = own_library.unwrap_or(standard) as u32;
        let chains = roots.all.iter().enumerate().map(|(own, root)| {
            let others = |same: bool, stubs: bool| {
                let all = roots.all.iter().enumerate();
                all.filter(move |&(number, other)| {
                    number != own
                        && other.is_stubs == stubs
                        && (other.project == root.project) == same
                })
                .map(|(number, _)| number as u32)
            };
            let mut first = vec![own as u32];
            // The project's own folder comes after its source folders.
            let mut same: Vec<u32> = others(true, false).collect();
            same.sort_by_key(|&at| roots.all[at as usize].dir == root.project);
            first.extend(same);
            first.extend([model as u32, library]);
            let mut second: Vec<u32> = others(false, false).collect();
            second.push(from_workspace as u32);
            second.extend(others(true, true).chain(others(false, true)));
            second.push(site as u32);
            (first, second)
        });
        let of_top: Vec<u32> = (0..count)
            .filter(|&at| roots.all[at].project.is_empty() && !roots.all[at].is_stubs)
            .map(|at| at as u32)
            .collect();
        let plain = (0..count).filter(|&at| roots.all[at].is_plain);
        TableNumbers {
            chains: chains.collect(),
            plain: plain.map(|at| at as u32).collect(),
            seen_by_libraries: of_top,
            from_workspace,
            standard,
            site,
            model,
        }
    }

    fn count(&self) -> usize {
        self.model + 1
    }

    /// Returns the chain number of library files.
    fn library_chain(&self) -> u32 {
        self.chains.len() as u32 * 2
    }

    fn chains(&self) -> Vec<Vec<u32>> {
        let mut library = vec![self.model as u32, self.standard as u32];
        library.extend(&self.seen_by_libraries);
        library.push(self.site as u32);
        let chains = self.chains.iter();
        chains
            .flat_map(|(first, second)| [[&first[..], second].concat(), first.clone()])
            .chain([library.clone(), library])
            .collect()
    }
}

/// A unit of the workspace under construction.
struct FolderUnit<'a> {
    /// The folder, relative to the workspace's root.
    dir: &'a str,
    /// Absolute paths, sorted.
    files: Vec<&'a str>,
    /// The number of its root.
    root: usize,
    /// The prefix of the unit's dotted names: empty, or the root's path and `/`.
    prefix: String,
    /// The folder's dotted name in its root; empty for the root folder itself.
    dotted: String,
    /// `prefix` and `dotted`, joined.
    name: String,
    /// Whether the folder has an `__init__`.
    is_package: bool,
}

/// Returns the units of the workspace. A folder `x-stubs` and a folder `x` of the same root form
/// one unit.
fn plans<'a>(
    folders: &BTreeMap<&'a str, Vec<&'a str>>,
    roots: &[Root],
    root_of: &dyn Fn(&str) -> Option<usize>,
) -> Vec<FolderUnit<'a>> {
    let mut plans: BTreeMap<(usize, String), FolderUnit<'a>> = BTreeMap::new();
    for (&dir, files) in folders {
        let Some(number) = root_of(dir) else {
            continue;
        };
        let root = &roots[number];
        let Some(inside) = below(&root.dir, dir) else {
            continue;
        };
        let (first, rest) = inside.split_once('/').unwrap_or((inside, ""));
        let is_stubs = first.len() > "-stubs".len() && first.ends_with("-stubs");
        let first = first.strip_suffix("-stubs").unwrap_or(first);
        let inside = dotted(
            &root.package,
            &join(
                if is_stubs { first } else { inside },
                if is_stubs { rest } else { "" },
            )
            .replace('/', "."),
        );
        let prefix = if root.is_plain {
            String::new()
        } else {
            format!("{}/", root.dir)
        };
        let plan = plans
            .entry((number, inside.clone()))
            .or_insert_with(|| FolderUnit {
                dir,
                files: Vec::new(),
                root: number,
                name: format!("{prefix}{inside}"),
                prefix,
                dotted: inside,
                is_package: false,
            });
        if !is_stubs {
            plan.dir = dir;
        }
        plan.files.extend(files);
        plan.files.sort_unstable();
        plan.is_package = plan.files.iter().any(|path| stem(path) == "__init__");
    }
    plans.into_values().collect()
}

impl<'a> FolderUnit<'a> {
    /// Returns the names of its modules, except `__init__`, which is the folder itself.
    fn modules(&self) -> impl Iterator<Item = &'a str> + use<'_, 'a> {
        self.files
            .iter()
            .map(|path| stem(path))
            .filter(|&stem| stem != "__init__")
    }

    fn unit(&self, root: &str) -> PlannedUnit {
        PlannedUnit {
            name: self.name.clone(),
            import_path: self.dotted.clone(),
            kind: UnitKind::BASE,
            dir: join(root, self.dir),
            origin: Origin::Workspace,
            chain: self.root as u32 * 2,
            files: self.files.iter().map(|&path| path.to_owned()).collect(),
        }
    }
}

/// Prefixes a unit in `src` with its root if its ids would collide with those of a unit outside.
fn disambiguate_src(plans: &mut [FolderUnit<'_>]) {
    let of_root: BTreeMap<String, BTreeSet<String>> = plans
        .iter()
        .filter(|plan| plan.prefix.is_empty() && below("src", plan.dir).is_none())
        .map(|plan| {
            let modules = plan.modules().map(str::to_owned).collect();
            (plan.dotted.clone(), modules)
        })
        .collect();
    for plan in plans {
        if !plan.prefix.is_empty() || below("src", plan.dir).is_none() {
            continue;
        }
        let clashes = of_root.get(&plan.dotted).is_some_and(|modules| {
            !plan.dotted.is_empty() || plan.modules().any(|module| modules.contains(module))
        });
        if clashes {
            plan.prefix = "src/".to_owned();
            plan.name = format!("{}{}", plan.prefix, plan.dotted);
        }
    }
}

/// Returns the names of the workspace's modules by table.
fn workspace_names(plans: &[FolderUnit<'_>], tables: &TableNumbers) -> RootNames {
    let mut names = RootNames::new(tables.count());
    for (number, plan) in plans.iter().enumerate() {
        let from_workspace = plan.dir.replace('/', ".");
        for (table, package) in [
            (plan.root, &plan.dotted),
            (tables.from_workspace, &from_workspace),
        ] {
            for module in plan.modules() {
                names.add(
                    table,
                    dotted(package, module),
                    number,
                    RootNameKind::Regular,
                );
            }
            let kind = if plan.is_package {
                RootNameKind::Regular
            } else {
                RootNameKind::Portion
            };
            names.add(table, package.clone(), number, kind);
        }
    }
    for table in 0..=tables.from_workspace {
        names.add_portions_above(table);
    }
    names
}

/// Returns the interpreter of the workspace.
fn interpreter(
    input: &LayoutInput<'_>,
    tree: &OutsideFiles<'_>,
    roots: &Roots,
    notes: &mut Vec<(String, String)>,
) -> Interpreter {
    let projects: Vec<String> = roots
        .projects
        .iter()
        .map(|project| join(input.root, project))
        .collect();
    let setting = input.settings.get("python").map(String::as_str);
    match interpreter::find(tree, setting, input.root, &projects) {
        Ok(found) => found.unwrap_or_default(),
        Err(folder) => {
            let words = "the setting `python` names no interpreter or environment".to_owned();
            notes.push((folder, words));
            Default::default()
        }
    }
}

/// Returns the search path after the workspace: the standard library and installed packages.
fn library<'a>(
    input: &LayoutInput<'_>,
    tree: &'a OutsideFiles<'a>,
    roots: &Roots,
    folders: &BTreeMap<String, bool>,
    own_library: Option<usize>,
    found: Interpreter,
) -> Library<'a> {
    let is_root = |dir: &str| roots.all.iter().any(|root| root.dir == dir);
    let is_own = |dir: &str| folders.contains_key(dir) || is_root(dir);
    let standard = found
        .stdlib
        .filter(|_| own_library.is_none())
        .filter(|dir| !below(input.root, dir).is_some_and(is_own))
        .map(|dir| SiteFolder {
            dir,
            only: None,
            group: PathGroup::Standard,
        });
    let installed = site::entries(tree, &found.site, input.root, &is_own);
    Library::new(tree, standard.into_iter().chain(installed).collect())
}

/// Loads the library modules that the workspace needs, transitively.
fn load<'t>(
    input: &LayoutInput<'_>,
    plans: &[FolderUnit<'_>],
    names: &RootNames,
    tables: &TableNumbers,
    roots: &[Root],
    library: Library<'t>,
) -> (LibraryLoads, Library<'t>) {
    let importer_tables: Vec<ImporterTables<'_>> = (0..roots.len())
        .map(|root| {
            let (first, second) = &tables.chains[root];
            let own = first
                .iter()
                .position(|&table| table as usize == tables.standard);
            ImporterTables {
                own: &first[..own.unwrap_or(first.len())],
                others: second,
            }
        })
        .collect();
    let mut importers: Vec<Importer<'_>> = Vec::new();
    for plan in plans {
        let mut base = plan.dotted.as_str();
        while !base.is_empty() && names.kind(plan.root, base) == Some(RootNameKind::Regular) {
            base = base.rsplit_once('.').map_or("", |(above, _)| above);
        }
        for path in &plan.files {
            let files = input.files;
            if let Ok(at) = files.binary_search_by(|file| file.path.cmp(path)) {
                importers.push(Importer {
                    header: files[at].header,
                    root: plan.root,
                    base,
                });
            }
        }
    }
    let mut loader = Loader::new(
        input,
        names,
        library,
        tables.seen_by_libraries.clone(),
        tables.plain.clone(),
    );
    loader.follow_workspace(&importers, &importer_tables);
    for model in MODELS {
        loader.follow_file("", model.path);
    }
    loader.follow_libraries()
}

/// A unit of library modules under construction.
struct LibraryUnit {
    unit: PlannedUnit,
    /// The table of its names.
    table: usize,
    /// The dotted names of its modules.
    names: Vec<String>,
}

/// Returns the units of the loaded library modules, one for each folder, and those of the model.
fn library_units(
    loading: &LibraryLoads,
    library: &Library<'_>,
    workspace: &[BTreeMap<String, usize>],
    tables: &TableNumbers,
) -> Vec<LibraryUnit> {
    let chain = tables.library_chain();
    let empty = |name: String, import_path: &str, dir: String| PlannedUnit {
        name,
        import_path: import_path.to_owned(),
        kind: UnitKind::BASE,
        dir,
        origin: Origin::Library,
        chain,
        files: Vec::new(),
    };
    let is_taken = |name: &str| {
        let mut tables = tables.plain.iter();
        tables.any(|&table| workspace[table as usize].contains_key(name))
    };
    let mut units: BTreeMap<(PathGroup, &str), LibraryUnit> = BTreeMap::new();
    for (name, (module, files)) in &loading.modules {
        let package = unit_of(name, module);
        let unit = units.entry((module.group, package)).or_insert_with(|| {
            let dir = match (module.is_package, package) {
                (true, _) => module.dir(),
                (false, "") => library.first_dir(module.group),
                (false, _) => files.first().and_then(|file| parent(file)),
            };
            let dir = dir.unwrap_or_default();
            let entry = dir.strip_suffix(&package.replace('.', "/"));
            let printed = match entry.filter(|_| is_taken(package)) {
                Some(entry) => format!("{entry}{package}"),
                None => package.to_owned(),
            };
            LibraryUnit {
                unit: empty(printed, package, dir.to_owned()),
                table: match module.group {
                    PathGroup::Standard => tables.standard,
                    PathGroup::Site => tables.site,
                },
                names: Vec::new(),
            }
        });
        unit.unit.files.extend(files.iter().cloned());
        unit.names.push(name.clone());
    }
    // A name of the workspace hides the model's module from the workspace but not from the model
    // itself.
    let (hidden, open): (Vec<&ModelModule>, Vec<&ModelModule>) =
        MODELS.iter().partition(|model| is_taken(model.name));
    let of_model = |models: Vec<&ModelModule>, name: &str, dir: &str| {
        let mut unit = empty(name.to_owned(), "", dir.to_owned());
        unit.files = models.iter().map(|model| model.path.to_owned()).collect();
        LibraryUnit {
            unit,
            table: tables.model,
            names: models.iter().map(|model| model.name.to_owned()).collect(),
        }
    };
    let mut units: Vec<LibraryUnit> = units.into_values().collect();
    units.push(of_model(open, "", MODEL_DIR));
    if !hidden.is_empty() {
        units.push(of_model(hidden, &format!("{MODEL_DIR}/"), HIDDEN_DIR));
    }
    for unit in &mut units {
        unit.unit.files.sort_unstable();
    }
    units
}

/// Sorts units by name and kind, and renumbers the tables accordingly.
fn sort(units: Vec<PlannedUnit>, tables: &mut [BTreeMap<String, usize>]) -> Vec<PlannedUnit> {
    let mut units: Vec<(usize, PlannedUnit)> = units.into_iter().enumerate().collect();
    units.sort_by(|(_, a), (_, b)| {
        (&a.name, a.kind, a.origin, &a.dir).cmp(&(&b.name, b.kind, b.origin, &b.dir))
    });
    let mut position = vec![0; units.len()];
    for (now, &(before, _)) in units.iter().enumerate() {
        position[before] = now;
    }
    for number in tables.iter_mut().flat_map(BTreeMap::values_mut) {
        *number = position[*number];
    }
    units.into_iter().map(|(_, unit)| unit).collect()
}
