//! The values that import statements bind (Python reference, "The import statement").
//!
//! ```python
//! import a.b            # binds the module a
//! import a.b as c       # binds the module a.b
//! from a import b       # binds a.b, a name of a or its submodule
//! ```

use codeweft_db::{Db, File, NameId, Unit};
use codeweft_python_syntax::ImportForm;

use super::final_results::binding_values;
use super::module_names::{
    ModuleName, absent_member, file_imports, import_base, resolve_import_module, resolve_module,
};
use super::special_forms::special_form;
use super::stars::star_module;
use crate::declared::{file_of_module, module_of};
use crate::project::paths::dotted as path_of_names;
use crate::values::{Shape, Values};

/// Returns the values that an import binds, by its number in the header and the index of the name.
pub(crate) fn import_values(db: &dyn Db, file: File, import: u32, which: u32) -> Values {
    let found = (|| {
        let import = file_imports(db, file).get(import as usize)?;
        let (unit, _) = module_of(db, file)?;
        let base = import_base(db, unit, import)?;
        match import.form {
            ImportForm::Module => {
                let first = base.split('.').next().unwrap_or(&base);
                Some(resolve_module(db, unit, first).values(db))
            }
            ImportForm::ModuleAs => Some(resolve_module(db, unit, &base).values(db)),
            ImportForm::Star => {
                Some(resolve_import_module(db, unit, &base, import.level > 0).values(db))
            }
            ImportForm::Names => {
                let name = *import.names.get(which as usize)?;
                Some(imported_name_values(
                    db,
                    unit,
                    file,
                    &base,
                    import.level > 0,
                    name,
                ))
            }
        }
    })();
    found.unwrap_or_else(Values::unknown)
}

fn imported_name_values(
    db: &dyn Db,
    unit: Unit,
    file: File,
    base: &str,
    is_relative: bool,
    name: NameId,
) -> Values {
    let text = db.shared().names.text(name);
    let submodule =
        || match resolve_import_module(db, unit, &path_of_names(base, text), is_relative) {
            ModuleName::Loaded(module) => Some(Values::of(db, Shape::Module(module))),
            ModuleName::Absent(_) => None,
        };
    if base.is_empty() {
        return submodule().unwrap_or_else(Values::unknown);
    }
    match resolve_import_module(db, unit, base, is_relative) {
        ModuleName::Loaded(module) => {
            // `from . import x` in the very `__init__` that it binds `x` in.
            if file_of_module(db, module) == Some(file)
                && let Some(found) = submodule()
            {
                return found;
            }
            if let Some(special) = special_form(db, module, name) {
                return special;
            }
            binding_values(db, module, name)
                .or_else(submodule)
                .unwrap_or_else(Values::unknown)
        }
        ModuleName::Absent(absent) => match submodule() {
            Some(found) => found,
            None => special_form(db, absent, name)
                .unwrap_or_else(|| Values::of(db, Shape::Absent(absent_member(db, absent, name)))),
        },
    }
}

pub(super) fn star_values(db: &dyn Db, file: File, name: NameId) -> Option<Values> {
    let source = star_module(db, file, name)?;
    binding_values(db, source, name)
}
