//! The results of lookups of attributes and special methods, and a cache of them that the bodies of
//! one file share.

use std::cell::RefCell;
use std::hash::Hash;

use codeweft_db::SymbolId;
use codeweft_syntax::NameId;
use rustc_hash::FxHashMap;

use crate::values::{Substitution, Value, Values};

/// The result of looking up `value.name`.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeLookup {
    /// The values of the attribute.
    pub(crate) values: Values,
    /// The declaration that the name means.
    pub(crate) symbol: Option<SymbolId>,
    /// Whether the declaration is exact, that is, no subclass can override it.
    pub(crate) direct: bool,
    /// The property function or `__getattr__` that runs when the attribute is read.
    pub(crate) runs: Option<SymbolId>,
    /// Whether the object may have the attribute by unknown means.
    pub(crate) unresolved: bool,
}

/// A special method of a value: the function, whether exactly that runs, and the substitution of
/// its call.
pub(crate) type SpecialMethod = (SymbolId, bool, Substitution);

/// Results of lookups by key.
pub(crate) type LookupTable<K, V> = RefCell<FxHashMap<K, V>>;

/// The lookups that the bodies of one file share while they are evaluated one after the other. The
/// query that evaluates them then records each lookup as a dependency once instead of once for each
/// use of a name.
#[derive(Default)]
pub(crate) struct FileMemo {
    /// Values of global names.
    pub(super) globals: LookupTable<NameId, Values>,
    /// Values that the imports of the file bind, by import and index in it.
    pub(super) imports: LookupTable<(u32, u32), Values>,
    /// Attributes by value and name.
    pub(super) attributes: LookupTable<(Value, NameId), AttributeLookup>,
    /// Special methods by value and method name.
    pub(super) specials: LookupTable<(Value, &'static str), Option<SpecialMethod>>,
    /// Classes of the builtins by name.
    pub(super) builtins: LookupTable<&'static str, SymbolId>,
    /// Instances of builtin classes without type arguments.
    pub(super) objects: LookupTable<&'static str, Values>,
    /// The declarations that names of scopes resolve to.
    pub(super) resolved: LookupTable<(SymbolId, NameId), Option<SymbolId>>,
    /// The class `object`.
    pub(super) object_class: LookupTable<(), Option<SymbolId>>,
}

/// Returns the cached result for `key`, else computes and caches it. Without a table it is
/// computed.
pub(super) fn cached<K: Copy + Eq + Hash, V: Clone>(
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
    // `find` may itself use the table, so it is not borrowed here.
    let found = find();
    table.borrow_mut().insert(key, found.clone());
    found
}
