//! The declarations that a walk resolves names to.

use std::sync::Arc;

use codeweft_db::{NameId, SymbolId, Unit};

use crate::definitions::{Decl, ExtraMethods, Members, TypeDef, TypeParams};

/// The declarations outside the walked code: by queries, or by the cells of a run over the
/// declarations of a unit. It is the only way from this module to [`decls`](crate::decls), which
/// itself types declarations with a [`Checker`](super::Checker).
pub trait Declarations {
    /// Returns the declaration of a name in the package block of the walked file.
    fn decl(&self, name: NameId) -> Option<Decl>;
    /// Returns the definition of a package-level type.
    fn type_def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>>;
    /// Returns the declaration of a name in another unit, among that unit's own files.
    fn decl_of(&self, unit: Unit, name: NameId) -> Option<Decl>;
    /// Returns the declaration of a name as another unit sees it.
    fn visible_decl(&self, unit: Unit, name: NameId) -> Option<Decl>;
    /// Returns the type parameters of a generic function, method or type.
    fn type_params(&self, owner: SymbolId) -> Option<TypeParams>;
    /// Returns the members of a package-level type.
    fn members(&self, symbol: SymbolId) -> Arc<Members>;
    /// Returns the methods that an in-package test declares on types of its package.
    fn extra_methods(&self, view: Unit) -> ExtraMethods;
    /// Returns whether members may be looked up. Not so during the first run over declarations.
    fn knows_members(&self) -> bool;
}
