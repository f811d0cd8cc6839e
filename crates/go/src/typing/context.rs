//! The file whose code is walked: what does not change during a walk.

use codeweft_db::{Db, NameId, Names, Reason, SymbolId, Unit};

use super::declarations::Declarations;
use super::origin::ValueOrigin;
use crate::types::{Types, table};
use crate::units::{FileImports, package_path, package_symbol, test_view};

/// A file of a unit with the names and declarations that are visible in it.
#[derive(Clone, Copy)]
pub(super) struct FileContext<'a> {
    pub db: &'a dyn Db,
    pub types: &'a Types,
    pub names: &'a Names,
    /// The unit of the file.
    pub unit: Unit,
    /// The path that qualifies unexported names.
    pub package: NameId,
    /// The unit whose test methods are visible, if the file is one of a test.
    pub view: Option<Unit>,
    pub declarations: &'a dyn Declarations,
    pub imports: &'a FileImports,
    /// The name `_`.
    pub blank: NameId,
}

impl<'a> FileContext<'a> {
    /// Returns the context of a file of `unit` with these imports.
    pub fn new(
        db: &'a dyn Db,
        unit: Unit,
        declarations: &'a dyn Declarations,
        imports: &'a FileImports,
    ) -> Self {
        let names = &db.shared().names;
        FileContext {
            db,
            types: table(db),
            names,
            unit,
            package: package_path(db, unit),
            view: test_view(db, unit),
            declarations,
            imports,
            blank: names.intern("_"),
        }
    }

    /// Returns the origin of an unknown operand.
    pub fn unknown_origin(&self, absent: Option<NameId>) -> ValueOrigin {
        ValueOrigin::Unknown(match absent {
            Some(path) if self.names.text(path) == "C" => Reason::Cgo,
            _ => Reason::UnknownReceiver,
        })
    }

    /// Returns the symbol of the file's package.
    pub fn package_symbol(&self) -> SymbolId {
        package_symbol(self.db, self.unit)
    }
}
