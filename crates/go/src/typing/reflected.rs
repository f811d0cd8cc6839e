//! The one function of package reflect whose arguments the flow graph follows.

use codeweft_db::{Db, DeclaredIn, SymbolClass, SymbolId};

use crate::units::package_path;

/// Returns whether a function is `reflect.ValueOf`. Its arguments flow to a node of the calling
/// function, beside its parameter.
pub(crate) fn is_reflect_value_of(db: &dyn Db, function: SymbolId) -> bool {
    let key = db.shared().symbols.key(function);
    let names = &db.shared().names;
    matches!(key.declared_in, DeclaredIn::Unit(unit) if names.text(package_path(db, unit)) == "reflect")
        && key.class == SymbolClass::Function
        && names.text(key.name) == "ValueOf"
}
