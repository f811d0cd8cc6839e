//! Memos, and joins that one revision hands to the next.
//!
//! A [`Memo`] belongs to a revision and is shared by the threads of its queries; a [`LocalMemo`]
//! belongs to one query on one thread. Neither holds a lock while a value is computed: two threads
//! may both compute it, and the results are equal.
//!
//! A [`Join`] merges one part of each unit, and is reused while all parts are the same:
//!
//! ```text
//! revision 7:  merge([unit a: Arc#1, unit b: Arc#2])
//! edit in b:   unit a: Arc#1 (same pointer), unit b: Arc#3   -> merge again
//! edit in a body without effect on b's part: Arc#1, Arc#3    -> reuse by pointer
//! ```

use std::any::Any;
use std::borrow::Borrow;
use std::cell::RefCell;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard};

use codeweft_db::{SymbolId, Unit};
use rustc_hash::FxHashMap;

/// What a revision no longer needs. Dropping it takes long; callers drop it off the write path.
pub(crate) type Garbage = Box<dyn Any + Send>;

/// Finished results by key, shared by threads.
pub(crate) struct Memo<K, V>(Mutex<FxHashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Memo<K, V> {
        Memo(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// Returns the result of a key, if it is known.
    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        locked(&self.0).get(key).cloned()
    }

    /// Remembers the result of a key.
    pub(crate) fn insert(&self, key: K, value: V) {
        locked(&self.0).insert(key, value);
    }

    /// Returns the result of a key, which `make` computes if it is not known.
    pub(crate) fn get_or(&self, key: K, make: impl FnOnce() -> V) -> V {
        if let Some(known) = self.get(&key) {
            return known;
        }
        let value = make();
        self.insert(key, value.clone());
        value
    }

    /// Returns the map itself, for results that are computed under the lock.
    pub(crate) fn lock(&self) -> MutexGuard<'_, FxHashMap<K, V>> {
        locked(&self.0)
    }

    /// Returns all results.
    pub(crate) fn into_map(self) -> FxHashMap<K, V> {
        self.0
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<K, V> From<FxHashMap<K, V>> for Memo<K, V> {
    fn from(known: FxHashMap<K, V>) -> Memo<K, V> {
        Memo(Mutex::new(known))
    }
}

/// Finished lists of symbols by symbol, sorted by number and without duplicates.
pub(crate) type SymbolMemo = Memo<SymbolId, Arc<[SymbolId]>>;

impl SymbolMemo {
    /// Returns the list of a symbol; `make` computes it in any order.
    pub(crate) fn sorted(
        &self,
        symbol: SymbolId,
        make: impl FnOnce() -> Vec<SymbolId>,
    ) -> Arc<[SymbolId]> {
        self.get_or(symbol, || {
            let mut list = make();
            list.sort_unstable();
            list.dedup();
            list.into()
        })
    }
}

/// Finished results by key, of one thread.
pub(crate) struct LocalMemo<K, V>(RefCell<FxHashMap<K, V>>);

impl<K, V> Default for LocalMemo<K, V> {
    fn default() -> LocalMemo<K, V> {
        LocalMemo(RefCell::default())
    }
}

impl<K: Eq + Hash, V: Clone> LocalMemo<K, V> {
    /// Returns whether the result of a key is known.
    pub(crate) fn contains(&self, key: &K) -> bool {
        self.0.borrow().contains_key(key)
    }

    /// Remembers the result of a key.
    pub(crate) fn insert(&self, key: K, value: V) {
        self.0.borrow_mut().insert(key, value);
    }

    /// Returns the result of a key, which `make` computes if it is not known. `make` may use the
    /// memo.
    pub(crate) fn get_or(&self, key: K, make: impl FnOnce() -> V) -> V {
        if let Some(known) = self.0.borrow().get(&key) {
            return known.clone();
        }
        let value = make();
        self.insert(key, value.clone());
        value
    }
}

/// Returns the content of a mutex, ignoring poisoning: a cancelled query may unwind while it holds
/// a lock, and what it has inserted so far is finished.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A part of a [`Join`].
pub(crate) trait Part {
    /// Returns whether a merge of the other part instead of this one gives the same.
    fn is_same(&self, other: &Self) -> bool;
}

/// Salsa returns the same `Arc` for a result that nothing changed.
impl<T: ?Sized> Part for Arc<T> {
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(self, other)
    }
}

/// A value that is merged from one part of each unit.
pub(crate) struct Join<P, V> {
    /// The units whose parts these are.
    units: Arc<[Unit]>,
    /// The part of each unit, in their order.
    pub(crate) parts: Vec<P>,
    value: V,
}

impl<P, V: Default> Default for Join<P, V> {
    fn default() -> Join<P, V> {
        Join {
            units: Arc::default(),
            parts: Vec::new(),
            value: V::default(),
        }
    }
}

impl<P: Part, V> Join<P, V> {
    /// Returns the previous join if it has the same units and parts, else one that `merge` makes.
    pub(crate) fn next(
        previous: Option<&Arc<Join<P, V>>>,
        units: Arc<[Unit]>,
        parts: Vec<P>,
        merge: impl FnOnce(&[Unit], &[P]) -> V,
    ) -> Arc<Join<P, V>> {
        let is_same = |old: &&Arc<Join<P, V>>| {
            let mut both = old.parts.iter().zip(&parts);
            old.units == units && both.all(|(old, new)| old.is_same(new))
        };
        if let Some(old) = previous.filter(is_same) {
            return old.clone();
        }
        let value = merge(&units, &parts);
        Arc::new(Join {
            units,
            parts,
            value,
        })
    }
}

impl<P, V> Deref for Join<P, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.value
    }
}
