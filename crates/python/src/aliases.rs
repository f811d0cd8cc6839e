//! The names of modules that mean what another module declares: re-exports.
//!
//! ```python
//! # requests/__init__.py
//! from .api import get        # requests.get is requests.api.get
//! from .models import *       # requests.Response is requests.models.Response
//! ```

use codeweft_db::{Alias, Db, DeclaredIn, SymbolClass, SymbolId, Unit};
use codeweft_python_syntax::{AsPython as _, ImportForm};

use crate::classes::member_named;
use crate::declared::module_of;
use crate::infer::star_names;
use crate::modules::package_symbol;

/// Returns the re-exports of a unit's modules, in order of file and text.
pub(crate) fn aliases(db: &dyn Db, unit: Unit) -> Vec<Alias> {
    let mut found: Vec<Alias> = Vec::new();
    for &file in unit.files(db).iter() {
        let (Some(header), Some((_, module))) = (file.header(db).python(), module_of(db, file))
        else {
            continue;
        };
        let imports = header.imports.iter().filter(|one| !one.in_function);
        let mut names = Vec::new();
        for import in imports {
            match import.form {
                ImportForm::Names => names.extend_from_slice(&import.bound),
                ImportForm::Star => names.extend_from_slice(&star_names(db, file)),
                ImportForm::Module | ImportForm::ModuleAs => {}
            }
        }
        for name in names {
            let Some(target) = member_named(db, module.symbol, name) else {
                continue;
            };
            let alias = Alias {
                package: module.symbol,
                name,
                target,
            };
            let is_import = declares(db, target) != Some(module.symbol);
            let key = db.shared().symbols.key(target);
            let is_loaded = matches!(key.declared_in, DeclaredIn::Unit(_));
            if is_import
                && is_loaded
                && key.class != SymbolClass::Package
                && !found.contains(&alias)
            {
                found.push(alias);
            }
        }
    }
    found
}

/// Returns the module that declares a symbol.
fn declares(db: &dyn Db, symbol: SymbolId) -> Option<SymbolId> {
    let mut here = symbol;
    loop {
        let key = db.shared().symbols.key(here);
        match key.parent {
            _ if key.class == SymbolClass::Package => return Some(here),
            Some(parent) => here = parent,
            None => match key.declared_in {
                DeclaredIn::Unit(unit) => return Some(package_symbol(db, unit)),
                _ => return None,
            },
        }
    }
}
