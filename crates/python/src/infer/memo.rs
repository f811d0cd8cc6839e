//! What the bodies of one file look up again and again.

use std::cell::RefCell;
use std::hash::Hash;

use codeweft_db::SymbolId;
use codeweft_syntax::NameId;
use rustc_hash::FxHashMap;

use super::attributes::{AttributeLookup, SpecialMethod};
use crate::values::{Value, Values};

/// What was found, by what was looked up.
pub(crate) type LookupTable<K, V> = RefCell<FxHashMap<K, V>>;

/// What the bodies of one file have in common, while they are evaluated one after the other. The
/// query that reads them has each look-up as a dependency once, not once for each use of a name.
#[derive(Default)]
pub(crate) struct FileMemo {
    /// What global names are bound to.
    pub(super) globals: LookupTable<NameId, Values>,
    /// What the imports of the file bind, by import and name.
    pub(super) imports: LookupTable<(u32, u32), Values>,
    /// What attributes of values are.
    pub(super) attributes: LookupTable<(Value, NameId), AttributeLookup>,
    /// What special methods of values are.
    pub(super) specials: LookupTable<(Value, &'static str), Option<SpecialMethod>>,
    /// The classes of the builtins.
    pub(super) builtins: LookupTable<&'static str, SymbolId>,
    /// Objects of classes of the builtins without type arguments.
    pub(super) objects: LookupTable<&'static str, Values>,
    /// What names of scopes denote.
    pub(super) denoted: LookupTable<(SymbolId, NameId), Option<SymbolId>>,
    /// The class `object`.
    pub(super) object_class: LookupTable<(), Option<SymbolId>>,
}

/// What a table knows, else what `find` finds, which the table then knows. No table, nothing known.
pub(super) fn remembered<K: Copy + Eq + Hash, V: Clone>(
    table: Option<&LookupTable<K, V>>,
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
