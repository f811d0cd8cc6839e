//! Names of fields and methods (Go spec, Uniqueness of identifiers, Exported identifiers).

use codeweft_db::{Db, NameId};

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
