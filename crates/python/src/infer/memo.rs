//! What the bodies of one file look up again and again.

use std::cell::RefCell;
use std::hash::Hash;

use codeweft_db::SymbolId;
use codeweft_syntax::NameId;
use rustc_hash::FxHashMap;

use super::attributes::{Found, Special};
use crate::values::{Value, Values};

/// What was found, by what was looked up.
pub(crate) type Known<K, V> = RefCell<FxHashMap<K, V>>;

/// What the bodies of one file have in common, while they are evaluated one after the other. The
/// query that reads them has each look-up as a dependency once, not once for each use of a name.
#[derive(Default)]
pub(crate) struct Memo {
    /// What global names are bound to.
    pub(super) globals: Known<NameId, Values>,
    /// What the imports of the file bind, by import and name.
    pub(super) imports: Known<(u32, u32), Values>,
    /// What attributes of values are.
    pub(super) attributes: Known<(Value, NameId), Found>,
    /// What special methods of values are.
    pub(super) specials: Known<(Value, &'static str), Option<Special>>,
    /// The classes of the builtins.
    pub(super) builtins: Known<&'static str, SymbolId>,
    /// Objects of classes of the builtins without type arguments.
    pub(super) objects: Known<&'static str, Values>,
    /// What names of scopes denote.
    pub(super) denoted: Known<(SymbolId, NameId), Option<SymbolId>>,
    /// The class `object`.
    pub(super) object_class: Known<(), Option<SymbolId>>,
}

/// What a table knows, else what `find` finds, which the table then knows. No table, nothing known.
pub(super) fn remembered<K: Copy + Eq + Hash, V: Clone>(
    table: Option<&Known<K, V>>,
    key: K,
    find: impl FnOnce() -> V,
) -> V {
    let Some(table) = table else {
        return find();
    };
    if let Some(known) = table.borrow().get(&key) {
        return known.clone();
    }
    // What is looked up may itself look up in the table.
    let found = find();
    table.borrow_mut().insert(key, found.clone());
    found
}
