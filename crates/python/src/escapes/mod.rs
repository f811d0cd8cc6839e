//! Calls of a function that are not in the loaded sources: decorators, the
//! language and C code calling it by name, lookups by computed names, values that escape.
//!
//! [`declaration_escapes`] collects those that a declaration shows, [`hidden_callers`] the look-ups of
//! some symbols; each is a location and a [`Reason`] for the completeness section of an answer.
//!
//! ```python
//! @app.route("/")          # declared: the framework holds the function
//! def index(): ...
//! class Plugin(Base): ...  # subclasses: `Base` is from an absent package
//! getattr(mod, name)()     # computed: any function of `mod`
//! register(index)          # values: `index` escapes as an argument
//! ```

mod by_name;
mod computed;
mod declared;
mod groups;
mod holders;
mod imports;
mod literals;
mod looked_up;
mod lookups;
mod module_imports;
mod module_objects;
mod modules_read;
mod name_tests;
mod names;
mod prefixes;
mod subclasses;
mod super_calls;
mod values;
mod workspace_modules;

use codeweft_db::{Db, File, NamedSymbol, Reason};

pub(crate) use by_name::{carried_by, is_used_by_name, look_up_uses, looks_up_names};
pub(crate) use declared::{declaration_escapes, is_run_by_test_runner};
pub(crate) use groups::read_groups;
pub(crate) use holders::holders;
pub(crate) use imports::{importers, imports};
pub(crate) use literals::{StoredNames, has_literal};
pub(crate) use looked_up::{looked_up, looked_up_by_prefix};
pub(crate) use lookups::is_of_test_runner;
pub(crate) use module_imports::read_module_imports;
pub use module_imports::{
    py_imported_names, py_library_imports, py_module_importers, py_module_imports,
};
pub(crate) use module_objects::is_module_object;
pub use module_objects::py_module_classes;
pub(crate) use names::is_found_by_name;
pub(crate) use subclasses::{unknown_bases, unknown_subclasses};
pub(crate) use super_calls::{super_calls, unknown_bases_beside};
pub(crate) use values::{escapes, site_escapes};
pub use workspace_modules::py_workspace_modules;

/// Returns where some symbols could be looked up by a name that is a value: file, byte offset and
/// reason.
pub(crate) fn hidden_callers(db: &dyn Db, symbols: &[NamedSymbol]) -> Vec<(File, u32, Reason)> {
    let mut found = Vec::new();
    lookups::add_lookup_sites(db, symbols, &mut found);
    found
}
