//! The modules of a unit and how dotted names resolve to them (Python reference, "The import
//! system").
//!
//! A unit is one folder; its modules are its files and the folder's own package. [`find_module`]
//! resolves an absolute import, [`find_relative`] a relative one.
//!
//! ```text
//! app/__init__.py    app            the package, file = __init__.py
//! app/db.py          app.db         file = db.py, stub = db.pyi
//! app/db.pyi
//! plugins/x.py       plugins        namespace package: no file (PEP 420)
//!                    plugins.x
//! ```

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, NONE, NameId, Origin, SymbolClass, SymbolId, SymbolKey,
    Unit, UnitGraph,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::project::paths::{self, dotted, installed_name, prefixes, stem};

/// The modules of a unit (a folder).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Modules {
    /// The folder's own module first, the others in order of file.
    pub modules: Box<[Module]>,
    /// The index in `modules` of each file of the unit.
    pub of_file: Box<[u32]>,
    /// The files of the unit, so that the file of a module needs no other dependency.
    pub files: Arc<[File]>,
}

/// A module or package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Module {
    /// The symbol of the module.
    pub symbol: SymbolId,
    /// The displayed name: the dotted name in its root, prefixed with the root unless that is
    /// plain.
    pub name: NameId,
    /// The name in the folder; empty for the folder's own module.
    pub stem: NameId,
    /// The number of its file in the unit, the `.py` if there are both; [`NONE`] for a namespace
    /// package.
    pub file: u32,
    /// The number of the `.pyi` next to a `.py`; else [`NONE`].
    pub stub: u32,
}

/// Returns the symbol of a module by its displayed name.
fn module_symbol(db: &dyn Db, unit: Unit, name: NameId) -> SymbolId {
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Unit(unit),
        parent: None,
        class: SymbolClass::Package,
        name,
        disambiguator: Disambiguator::ONLY,
    })
}

/// Returns the symbol of the folder itself: its `__init__`, else its namespace package.
pub(crate) fn package_symbol(db: &dyn Db, unit: Unit) -> SymbolId {
    module_symbol(db, unit, unit.name(db))
}

/// Returns the modules of a unit, one for each name; a `.pyi` next to a `.py` is the same module.
/// The folder's own module exists unless the folder is a root without `__init__.py`.
#[salsa::tracked(returns(clone))]
pub fn py_modules(db: &dyn Db, unit: Unit) -> Arc<Modules> {
    let names = &db.shared().names;
    let (printed, package) = (names.text(unit.name(db)), names.text(unit.import_path(db)));
    let prefix = printed.strip_suffix(package).unwrap_or("");
    let files = unit.files(db);
    let mut modules: Vec<Module> = Vec::new();
    let mut by_stem: FxHashMap<NameId, u32> = FxHashMap::default();
    let mut add = |stem: &str, file: u32| {
        let stem = names.intern(stem);
        if let Some(&known) = by_stem.get(&stem) {
            let module = &mut modules[known as usize];
            let is_stub = |file: u32| paths::is_stub(files[file as usize].path(db));
            if module.file == NONE {
                module.file = file;
            } else if is_stub(module.file) && !is_stub(file) {
                module.stub = std::mem::replace(&mut module.file, file);
            } else if module.stub == NONE && is_stub(file) {
                module.stub = file;
            }
            return known;
        }
        let name = names.intern(&format!("{prefix}{}", dotted(package, names.text(stem))));
        let number = modules.len() as u32;
        by_stem.insert(stem, number);
        modules.push(Module {
            symbol: module_symbol(db, unit, name),
            name,
            stem,
            file,
            stub: NONE,
        });
        number
    };
    let module_of = |file: &File| match stem(file.path(db)) {
        "__init__" => "",
        stem => stem,
    };
    let has_own = files.iter().any(|file| module_of(file).is_empty());
    if has_own || !package.is_empty() {
        add("", NONE);
    }
    let of_file = files
        .iter()
        .enumerate()
        .map(|(number, file)| add(module_of(file), number as u32))
        .collect();
    Arc::new(Modules {
        modules: modules.into(),
        of_file,
        files: files.clone(),
    })
}

/// Returns the module of a unit by a dotted name as in the import tables: relative to the unit's
/// root, or to a folder above that root.
pub(crate) fn module_named(db: &dyn Db, unit: Unit, name: &str) -> Option<Module> {
    let names = &db.shared().names;
    let package = names.text(unit.import_path(db));
    let modules = py_modules(db, unit);
    let mut rest = Some(name);
    while let Some(name) = rest {
        let stem = match name.strip_prefix(package) {
            Some(stem) if package.is_empty() || stem.is_empty() => Some(stem),
            Some(rest) => rest.strip_prefix('.'),
            None => None,
        };
        let found = stem
            .and_then(|stem| names.get(stem))
            .and_then(|stem| modules.modules.iter().find(|module| module.stem == stem));
        if let Some(&module) = found {
            return Some(module);
        }
        rest = name.split_once('.').map(|(_, rest)| rest);
    }
    None
}

/// Resolves an absolute dotted name for the files of a unit (Python reference, "The import
/// system").
///
/// Each part is searched where the previous part was found. A regular package or module ends the
/// search; portions of a namespace package are searched together:
///
/// ```text
/// import a.b.c   a in [root, other roots, stdlib, (base folder), other projects, site-packages]
///                a.b in the places that have a, a.b.c in the places that have a.b
/// ```
///
/// After the project's own roots and the standard library comes the folder that contains the unit's
/// package, which is on `sys.path` of scripts and tests there.
pub(crate) fn find_module(db: &dyn Db, unit: Unit, name: &str) -> Option<(Unit, Module)> {
    let name = installed_name(name);
    let imports = UnitGraph::get(db).imports(db);
    let chain = unit.chain(db);
    let search_paths = |chain: u32| {
        let tables = imports.chains.get(chain as usize);
        tables.map_or(&[][..], |tables| &tables[..])
    };
    let (all, first) = (search_paths(chain), search_paths(chain + 1));
    let base = match unit.origin(db) {
        Origin::Library => String::new(),
        Origin::Workspace => base_folder(db, unit, *all.first()?),
    };
    let mut search_paths: SmallVec<[FolderPaths<'_>; 8]> = SmallVec::new();
    for (number, &table) in all.iter().enumerate() {
        if number == first.len() && !base.is_empty() {
            search_paths.push(FolderPaths {
                table: all[0],
                base: &base,
                is_sure: true,
            });
        }
        let is_sure = number < first.len();
        search_paths.push(FolderPaths {
            table,
            base: "",
            is_sure,
        });
    }
    let mut found = None;
    for prefix in prefixes(name) {
        let mut portions: SmallVec<[FolderPaths<'_>; 8]> = SmallVec::new();
        found = None;
        for &path in &search_paths {
            let whole = dotted(path.base, prefix);
            let Some(unit) = in_table(db, path.table, &whole) else {
                continue;
            };
            let module = module_named(db, unit, &whole).map(|module| (unit, module));
            if module.is_some_and(|(_, module)| module.file != NONE) {
                // Whether another project is installed is unknown; a folder that is on the path for
                // sure does not yield to it.
                let is_sure = path.is_sure || unit.origin(db) == Origin::Library;
                if portions.is_empty() || is_sure {
                    found = module;
                    portions.clear();
                    portions.push(path);
                    break;
                }
            } else {
                found = found.or(module);
                portions.push(path);
            }
        }
        if portions.is_empty() {
            return None;
        }
        search_paths = portions;
    }
    found
}

/// A folder on the search path.
#[derive(Clone, Copy)]
struct FolderPaths<'a> {
    table: u32,
    /// Its dotted name in the table's root.
    base: &'a str,
    /// Whether it is on the importer's `sys.path` for sure.
    is_sure: bool,
}

/// Resolves a relative import whose name was made absolute within its root. The unit's own root
/// comes first: a relative import never leaves its package.
pub(crate) fn find_relative(db: &dyn Db, unit: Unit, name: &str) -> Option<(Unit, Module)> {
    let imports = UnitGraph::get(db).imports(db);
    let tables = imports.chains.get(unit.chain(db) as usize)?;
    tables.iter().find_map(|&table| {
        let target = in_table(db, table, name)?;
        if target.origin(db) != unit.origin(db) {
            return None;
        }
        Some((target, module_named(db, target, name)?))
    })
}

/// Returns the dotted name, within its root, of the nearest enclosing folder of a unit that is no
/// package with an `__init__`. pytest ("Test modules and conftest.py files inside packages") puts
/// it on the path, and so does running a script there.
fn base_folder(db: &dyn Db, unit: Unit, own: u32) -> String {
    let mut base = db.shared().names.text(unit.import_path(db));
    while !base.is_empty() {
        let module = in_table(db, own, base).and_then(|unit| module_named(db, unit, base));
        if module.is_none_or(|module| module.file == NONE) {
            break;
        }
        base = base.rsplit_once('.').map_or("", |(above, _)| above);
    }
    base.to_owned()
}

/// Returns whether a table of a unit's chain has a name; if not, the name is no module.
pub(crate) fn may_be_module(db: &dyn Db, unit: Unit, name: &str, is_relative: bool) -> bool {
    let imports = UnitGraph::get(db).imports(db);
    let Some(tables) = imports.chains.get(unit.chain(db) as usize) else {
        return false;
    };
    let has = |table: u32, name: &str| in_table(db, table, name).is_some();
    if is_relative {
        return tables.iter().any(|&table| has(table, name));
    }
    let name = installed_name(name);
    if tables.iter().any(|&table| has(table, name)) {
        return true;
    }
    // Below the folder that contains the unit's package: see `base_folder`.
    let (Origin::Workspace, Some(&own)) = (unit.origin(db), tables.first()) else {
        return false;
    };
    let package = db.shared().names.text(unit.import_path(db));
    let mut bases = prefixes(package).filter(|base| !base.is_empty());
    bases.any(|base| has(own, &dotted(base, name)))
}

fn in_table(db: &dyn Db, table: u32, name: &str) -> Option<Unit> {
    // A name that was never interned is in no table.
    let name = db.shared().names.get(name)?;
    let tables = &UnitGraph::get(db).imports(db).tables;
    tables.get(table as usize)?.get(&name).copied()
}
