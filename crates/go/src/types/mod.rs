//! Types (Go spec, Types) and the table that interns them: identity, substitution, inference and
//! printing.

mod display;
mod identity;
mod integer;
mod subst;
mod table;
mod unify;

pub use display::printed;
pub use identity::{Bindings, all_may_be_identical, may_be_identical};
pub use integer::{Arithmetic, Integer};
pub use subst::{Args, subst};
pub use table::{Basic, Interface, Signature, StructField, Ty, Type, Types, Union};
pub use unify::{InferredTypeParam, UnderlyingTypes, infer, unknown};

use codeweft_db::{Db, NameId};

/// Returns the type table, which is kept beside the database.
pub fn table(db: &dyn Db) -> &Types {
    db.shared().language_tables.get::<Types>()
}

/// The name of a field or method. Unexported names of two packages differ (Go spec, Uniqueness of
/// identifiers).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MemberName {
    /// The identifier.
    pub name: NameId,
    /// The package path, if the name is unexported.
    pub package: Option<NameId>,
}

impl MemberName {
    /// Returns the member that `name` denotes in the package of path `package`.
    pub fn new(db: &dyn Db, name: NameId, package: NameId) -> MemberName {
        let exported = is_exported(db.shared().names.text(name));
        MemberName {
            name,
            package: (!exported).then_some(package),
        }
    }

    /// Returns a single name for tables that compare by name only: `path.name` for unexported ones.
    pub fn qualified(self, db: &dyn Db) -> NameId {
        match self.package {
            None => self.name,
            Some(package) => {
                let names = &db.shared().names;
                names.intern(&format!(
                    "{}.{}",
                    names.text(package),
                    names.text(self.name)
                ))
            }
        }
    }
}

/// Returns whether an identifier is exported (Go spec, Exported identifiers).
pub fn is_exported(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}
