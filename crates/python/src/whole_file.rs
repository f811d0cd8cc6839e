//! Queries that have read all items of a file, and read no firewalls between its items and
//! themselves.
//!
//! A query of one name or one class is a firewall: an edit of anything else in its file leaves it
//! equal, and what read it is not run again. The uses of a file are computed from all its items and
//! run again with any of them, so there a firewall keeps nothing from running, and is a memo to
//! verify after every edit. While [`reading`] runs, lookups of the file's own names therefore read
//! the items themselves.
//!
//! ```text
//! file_uses(a.py) -> items of a.py                        whatever a.py declares
//!                 -> declared_name(b, f) -> items of b.py   what it reads of others
//! ```
//!
//! Nor do firewalls serve declarations of libraries ([`is_without_firewalls`]): no keystroke changes them.
//!
//! A dependency that is read this way is recorded like any other, so this decides how much is
//! verified, never what is computed.

use std::cell::Cell;

use codeweft_db::{Db, SymbolId};

use crate::declared::{enclosing_module, is_of_workspace};

thread_local! {
    /// The module whose items the query on this thread has read as a whole.
    static MODULE: Cell<Option<SymbolId>> = const { Cell::new(None) };
}

/// What the thread had read before, until it is dropped.
pub(crate) struct Before(Option<SymbolId>);

impl Before {
    /// Makes `module` the one whose items are read as a whole; `None` for a query that reads items
    /// by name only.
    pub(crate) fn replaced_by(module: Option<SymbolId>) -> Before {
        Before(MODULE.replace(module))
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        MODULE.set(self.0);
    }
}

/// Runs what reads all items of a module's file.
pub(crate) fn reading<R>(module: Option<SymbolId>, run: impl FnOnce() -> R) -> R {
    let _before = Before::replaced_by(module);
    run()
}

/// Returns whether the query on this thread has read all items of the file that declares a symbol.
pub(crate) fn is_read(db: &dyn Db, symbol: SymbolId) -> bool {
    MODULE
        .get()
        .is_some_and(|module| enclosing_module(db, symbol) == module)
}

/// Returns whether a declaration is read from all items of its file, without a memo of its own: where they are read anyway, and in
/// libraries. Not for what imports may lead back to: there the queries end the cycles.
pub(crate) fn is_without_firewalls(db: &dyn Db, symbol: SymbolId) -> bool {
    is_read(db, symbol) || !is_of_workspace(db, symbol)
}
