//! What the solution looks up among declarations: imports, names of star imports, submodules, members of classes.
//!
//! Each answer is kept with what was looked up, so that a kept solution can be compared with the declarations of now.

use codeweft_db::{Db, File, NameId, SymbolId};
use rustc_hash::FxHashMap;

use crate::classes::{self, find_accessor};
use crate::infer::{ImportTarget, resolve, star_module, submodule};
use crate::members::{FunctionKind, Reading};

/// What is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Lookup {
    /// The module whose star import binds a name of a file.
    Star(File, NameId),
    /// A module in a package.
    Submodule(SymbolId, NameId),
    /// The setter of a property of a class.
    Setter(SymbolId, NameId),
    /// What a name of a module means.
    Name(SymbolId, NameId),
    /// What a name of a class means by its method resolution order.
    Member(SymbolId, NameId),
}

/// The answers so far.
pub(super) type Lookups = FxHashMap<Lookup, Option<ImportTarget>>;

/// Returns what was looked up. The solution is no query, so that it reads classes as a whole.
pub(super) fn look_up(db: &dyn Db, lookup: Lookup) -> Option<ImportTarget> {
    let found = match lookup {
        Lookup::Star(file, name) => star_module(db, file, name),
        Lookup::Submodule(module, name) => submodule(db, module, name),
        Lookup::Setter(class, name) => {
            find_accessor(db, class, name, FunctionKind::Setter, Reading::Whole)
        }
        Lookup::Name(scope, name) => resolve(db, scope, name),
        Lookup::Member(class, name) => classes::lookup(db, class, name, Reading::Whole),
    };
    found.map(ImportTarget::Symbol)
}
