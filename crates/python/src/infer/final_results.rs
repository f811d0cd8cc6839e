//! The results of recursive queries, as everything outside of their cycles reads them.
//!
//! Salsa never calls the result of a query that took part in a cycle unchanged, however equal it is
//! to the one before (`MemoHeader::can_backdate`): whatever reads it runs again. Such a result
//! therefore has a query of its own, which takes part in no cycle and ends there.
//!
//! ```text
//! file_uses -> final_returned(f) -> returned(f) <-> field_values(C.x) <-> returned(g)
//!              equal: no uses run     run again, as one cycle
//! ```
//!
//! A recursive query must read the others of its cycle as they are, so each function here chooses:
//! inside a recursive query ([`is_in_recursion`]) the query itself, else the final one. Both have
//! the same value. No query without a fixpoint that reads these results is itself read by a recursive
//! one, so a final query never meets itself.

use std::sync::Arc;

use codeweft_db::{Db, NameId, SymbolId};

use super::declared_names::declared;
use super::functions::{self, Returned};
use super::names;
use crate::keys::{FunctionKey, NameKey};
use crate::recursion::is_in_recursion;
use crate::values::Values;

/// Returns the value of [`names::binding_values`], without the query where the text of the scope
/// says it.
pub(crate) fn binding_values(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<Values> {
    let declared = declared(db, scope, name);
    if let Some(found) = names::declared_values(db, scope, name, declared) {
        return found;
    }
    let key = NameKey::new(db, scope, name);
    if is_in_recursion() {
        names::binding_values(db, key)
    } else {
        final_binding_values(db, key)
    }
}

/// Returns the value of [`names::field_values`].
pub(crate) fn field_values(db: &dyn Db, class: SymbolId, name: NameId) -> Values {
    let key = NameKey::new(db, class, name);
    if is_in_recursion() {
        names::field_values(db, key)
    } else {
        final_field_values(db, key)
    }
}

/// Returns the value of [`functions::returned`].
pub(crate) fn returned<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Arc<Returned> {
    if is_in_recursion() {
        functions::returned(db, key)
    } else {
        final_returned(db, key)
    }
}

/// The query behind [`binding_values`].
#[salsa::tracked(returns(clone))]
pub fn final_binding_values<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<Values> {
    names::binding_values(db, key)
}

/// The query behind [`field_values`].
#[salsa::tracked(returns(clone))]
pub fn final_field_values<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Values {
    names::field_values(db, key)
}

/// The query behind [`returned`].
#[salsa::tracked(returns(clone))]
pub fn final_returned<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Arc<Returned> {
    functions::returned(db, key)
}
