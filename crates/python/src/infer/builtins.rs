//! The builtins, as this crate's model declares them (Python reference, "Builtins and restricted
//! execution").

use codeweft_db::{Db, DeclaredIn, File, SymbolClass, SymbolId, Unit};

use super::module_names::{ModuleName, absent_member, resolve_module};
use crate::declared::{member_symbol, module_of};
use crate::project::model::MODEL_DIR;

/// Returns whether a symbol belongs to this crate's model of the builtins.
pub(crate) fn is_modelled(db: &dyn Db, symbol: SymbolId) -> bool {
    match db.shared().symbols.key(symbol).declared_in {
        DeclaredIn::Unit(unit) => unit.dir(db).starts_with(MODEL_DIR),
        _ => false,
    }
}

/// Returns the module of the builtins as files of a unit see it.
pub(crate) fn builtins_module(db: &dyn Db, unit: Unit) -> Option<SymbolId> {
    match resolve_module(db, unit, "builtins") {
        ModuleName::Loaded(module) => Some(module),
        ModuleName::Absent(_) => None,
    }
}

/// Returns a class of the builtins.
pub(crate) fn builtin_class(db: &dyn Db, unit: Unit, name: &str) -> SymbolId {
    match resolve_module(db, unit, "builtins") {
        ModuleName::Loaded(module) => match db.shared().symbols.key(module).declared_in {
            DeclaredIn::Unit(home) => {
                let name = db.shared().names.intern(name);
                member_symbol(db, home, module, SymbolClass::Type, name, 0)
            }
            _ => module,
        },
        ModuleName::Absent(module) => absent_member(db, module, db.shared().names.intern(name)),
    }
}

/// Returns the class `object` as seen by a file; `None` without the model of the builtins.
pub(crate) fn object_class(db: &dyn Db, file: File) -> Option<SymbolId> {
    let (unit, _) = module_of(db, file)?;
    builtins_module(db, unit).map(|_| builtin_class(db, unit, "object"))
}
