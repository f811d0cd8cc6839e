//! Types (Go spec, Types) and the table that gives each a number.

mod alike;
mod identity;
mod integer;
mod subst;
mod table;
mod unify;

pub use alike::{Bindings, all_alike, may_be_identical};
pub use identity::printed;
pub use integer::{Arithmetic, Integer};
pub use subst::{Args, subst};
pub use table::{Basic, Interface, Signature, StructField, Ty, Type, Types, Union};
pub use unify::{InferredTypeParam, UnderlyingTypes, infer, unknown};

use codeweft_db::{Db, NameId};

/// The table of the room, kept beside the database.
pub fn table(db: &dyn Db) -> &Types {
    db.shared().language_tables.get::<Types>()
}

/// A field or method by name: unexported names of two packages differ (Go spec, Uniqueness of
/// identifiers).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MemberName {
    /// The identifier.
    pub name: NameId,
    /// The package path of an unexported name.
    pub package: Option<NameId>,
}

impl MemberName {
    /// The member that `name` means in the package of path `package`.
    pub fn new(db: &dyn Db, name: NameId, package: NameId) -> MemberName {
        let exported = is_exported(db.shared().names.text(name));
        MemberName {
            name,
            package: (!exported).then_some(package),
        }
    }

    /// One name for tables that compare by name alone: unexported ones stand behind their
    /// package's path.
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

/// Whether an identifier is exported (Go spec, Exported identifiers).
pub fn is_exported(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}
