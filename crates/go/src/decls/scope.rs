//! The declarations that bodies see, by queries.

use std::sync::Arc;

use codeweft_db::{Db, NameId, SymbolId, Unit};

use super::queries::{
    DeclKey, TypeKey, decl, extra_methods, members, type_def, type_params, visible_decl,
};
use crate::definitions::{Decl, ExtraMethods, Members, TypeDef, TypeParams};
use crate::typing::Declarations;

/// The declarations of all units by queries, as one unit sees them.
pub struct DeclarationQueries<'a> {
    /// The database.
    pub db: &'a dyn Db,
    /// The unit whose view of its package is used.
    pub unit: Unit,
}

impl Declarations for DeclarationQueries<'_> {
    fn decl(&self, name: NameId) -> Option<Decl> {
        visible_decl(self.db, self.unit, name)
    }

    fn type_def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>> {
        type_def(self.db, TypeKey::new(self.db, symbol))
    }

    fn decl_of(&self, unit: Unit, name: NameId) -> Option<Decl> {
        decl(self.db, DeclKey::new(self.db, unit, name))
    }

    fn visible_decl(&self, unit: Unit, name: NameId) -> Option<Decl> {
        visible_decl(self.db, unit, name)
    }

    fn type_params(&self, owner: SymbolId) -> Option<TypeParams> {
        type_params(self.db, owner)
    }

    fn members(&self, symbol: SymbolId) -> Arc<Members> {
        members(self.db, TypeKey::new(self.db, symbol))
    }

    fn extra_methods(&self, view: Unit) -> ExtraMethods {
        extra_methods(self.db, view)
    }

    fn knows_members(&self) -> bool {
        true
    }
}
