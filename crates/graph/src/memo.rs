//! Memos, and joins that one revision hands to the next.
//!
//! A [`Memo`] belongs to a revision and is shared by the threads of its queries; a [`LocalMemo`]
//! belongs to one query on one thread. Neither holds a lock while a value is computed: two threads
//! may both compute it, and the results are equal.
//!
//! A [`Join`] merges one part of each unit, and is reused while all parts are equal:
//!
//! ```text
//! revision 7:  merge([unit a: Arc#1, unit b: Arc#2])
//! edit in b:   unit a: Arc#1 (same pointer), unit b: Arc#3, other content  -> merge again
//! edit in a body without effect on b's part: Arc#1, Arc#4, equal content   -> reuse
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

    /// Takes all results out.
    pub(crate) fn take(&self) -> FxHashMap<K, V> {
        std::mem::take(&mut *locked(&self.0))
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

    /// Returns how many results are known.
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
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

/// A value that is merged from one part of each unit.
pub(crate) struct Join<P: ?Sized, V> {
    /// The units whose parts these are.
    units: Arc<[Unit]>,
    /// The part of each unit, in their order.
    pub(crate) parts: Vec<Arc<P>>,
    value: V,
}

impl<P: ?Sized, V: Default> Default for Join<P, V> {
    fn default() -> Join<P, V> {
        Join {
            units: Arc::default(),
            parts: Vec::new(),
            value: V::default(),
        }
    }
}

impl<P: Eq + ?Sized, V> Join<P, V> {
    /// Returns the previous join if it has the same units and equal parts, else one that `merge`
    /// makes.
    pub(crate) fn next(
        previous: Option<&Arc<Join<P, V>>>,
        units: Arc<[Unit]>,
        parts: Vec<Arc<P>>,
        merge: impl FnOnce(&[Unit], &[Arc<P>]) -> V,
    ) -> Arc<Join<P, V>> {
        // Salsa returns the same `Arc` for a result that nothing changed. The comparison of two
        // `Arc<[T]>` would read all elements even then.
        let is_same = |old: &&Arc<Join<P, V>>| {
            let mut both = old.parts.iter().zip(&parts);
            old.units == units
                && old.parts.len() == parts.len()
                && both.all(|(old, new)| Arc::ptr_eq(old, new) || old == new)
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

impl<P: ?Sized, V> Deref for Join<P, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists whose comparison counts how many of its elements were compared.
    struct Compared(u32, Arc<Mutex<u32>>);

    impl PartialEq for Compared {
        fn eq(&self, other: &Compared) -> bool {
            *locked(&self.1) += 1;
            self.0 == other.0
        }
    }

    impl Eq for Compared {}

    #[test]
    fn a_join_is_reused_while_its_parts_are_equal_and_the_same_pointer_is_not_compared() {
        let compared = Arc::new(Mutex::new(0));
        let part = |of: u32| -> Arc<[Compared]> { Arc::new([Compared(of, compared.clone())]) };
        let join = |previous: Option<&_>, parts: &[&Arc<[Compared]>]| {
            let parts = parts.iter().map(|&part| part.clone()).collect();
            Join::next(previous, Arc::default(), parts, |_, parts| {
                parts
                    .iter()
                    .flat_map(|part| part.iter())
                    .map(|one| one.0)
                    .sum::<u32>()
            })
        };
        let (a, b) = (part(1), part(2));
        let first = join(None, &[&a, &b]);
        assert!(Arc::ptr_eq(&first, &join(Some(&first), &[&a, &b])));
        assert_eq!(*locked(&compared), 0);
        assert!(Arc::ptr_eq(&first, &join(Some(&first), &[&a, &part(2)])));
        assert_eq!(*locked(&compared), 1);
        assert_eq!(**join(Some(&first), &[&a, &part(3)]), 4);
        assert_eq!(**join(Some(&first), &[&a]), 1);
    }
}
