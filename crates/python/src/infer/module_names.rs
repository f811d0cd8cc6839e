//! The modules that dotted names mean (Python reference, "The import system").

use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, NameId, SymbolClass, SymbolId, SymbolKey, Unit,
};
use codeweft_python_syntax::{AsPython as _, Import};

use crate::modules::{find_module, find_relative, may_be_module};
use crate::project::paths::relative;
use crate::values::{Shape, Values};

/// The module that a dotted name means to an importer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModuleName {
    /// A loaded module.
    Loaded(SymbolId),
    /// A module that is not loaded.
    Absent(SymbolId),
}

impl ModuleName {
    pub(super) fn values(self, db: &dyn Db) -> Values {
        match self {
            ModuleName::Loaded(module) => Values::of(db, Shape::Module(module)),
            ModuleName::Absent(module) => Values::of(db, Shape::Absent(module)),
        }
    }
}

/// The key of a module name as the files of a unit import it.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ModuleKey<'db> {
    /// The unit of the importer.
    #[returns(copy)]
    pub unit: Unit,
    /// The dotted name, relative to the root.
    #[returns(copy)]
    pub name: NameId,
    /// Whether the import is relative: then the module is in the importer's own root.
    #[returns(copy)]
    pub is_relative: bool,
}

/// Returns the loaded module that a name means.
#[salsa::tracked(returns(copy))]
pub fn py_module<'db>(db: &'db dyn Db, key: ModuleKey<'db>) -> Option<SymbolId> {
    let name = db.shared().names.text(key.name(db));
    let (_, module) = if key.is_relative(db) {
        find_relative(db, key.unit(db), name)?
    } else {
        find_module(db, key.unit(db), name)?
    };
    Some(module.symbol)
}

/// Resolves an absolute dotted name for an importer in `unit`.
pub(crate) fn resolve_module(db: &dyn Db, unit: Unit, name: &str) -> ModuleName {
    resolve_import_module(db, unit, name, false)
}

/// Resolves a dotted name of an absolute or relative import.
pub(crate) fn resolve_import_module(
    db: &dyn Db,
    unit: Unit,
    name: &str,
    is_relative: bool,
) -> ModuleName {
    let shared = db.shared();
    let is_named = may_be_module(db, unit, name, is_relative);
    let name = shared.names.intern(name);
    // Most names of import statements are no modules: they need no memo.
    let module = is_named.then(|| py_module(db, ModuleKey::new(db, unit, name, is_relative)));
    match module.flatten() {
        Some(module) => ModuleName::Loaded(module),
        None => ModuleName::Absent(shared.symbols.intern(SymbolKey {
            declared_in: DeclaredIn::Absent(name),
            parent: None,
            class: SymbolClass::Package,
            name,
            disambiguator: Disambiguator::ONLY,
        })),
    }
}

/// Returns the symbol of a name in a module that is not loaded.
pub(crate) fn absent_member(db: &dyn Db, parent: SymbolId, name: NameId) -> SymbolId {
    let symbols = &db.shared().symbols;
    symbols.intern(SymbolKey {
        declared_in: symbols.key(parent).declared_in,
        parent: Some(parent),
        class: SymbolClass::Variable,
        name,
        disambiguator: Disambiguator::ONLY,
    })
}

/// Returns the imports of a file.
pub(crate) fn file_imports(db: &dyn Db, file: File) -> &[Import] {
    let header = file.header(db).python();
    header.map_or(&[], |header| &header.imports)
}

/// Returns the dotted name of an import's module for its file; `None` if its dots leave the root.
pub(super) fn import_base(db: &dyn Db, unit: Unit, import: &Import) -> Option<String> {
    let names = &db.shared().names;
    let package = names.text(unit.import_path(db));
    relative(package, import.level, names.text(import.module))
}
