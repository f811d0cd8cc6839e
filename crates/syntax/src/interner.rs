//! An append-only table that numbers distinct keys.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use dashmap::{DashMap, SharedValue};
use rustc_hash::FxBuildHasher;

/// A table of distinct keys, each with what is computed from it once, numbered from 0 in the order in which they came.
///
/// All threads share it. Rows are never removed or changed, so reading one is pure. Numbers differ between runs: nothing
/// that is printed or stored may depend on them.
///
/// The sharded map has the numbers alone, and compares keys where the rows are: millions of keys are kept, and a map with
/// copies of them takes more memory than the rows.
///
/// ```
/// use codeweft_syntax::interner::Interner;
///
/// let table: Interner<String> = Interner::default();
/// let number = table.intern("a", |_| ("a".to_owned(), ()));
/// assert_eq!(table.intern("a", |_| unreachable!()), number);
/// assert_eq!(table.key(number), "a");
/// assert_eq!(table.find("b"), None);
/// ```
pub struct Interner<K, V = ()> {
    numbers: DashMap<u32, (), FxBuildHasher>,
    rows: boxcar::Vec<(K, V)>,
}

impl<K, V> Default for Interner<K, V> {
    fn default() -> Interner<K, V> {
        Interner {
            numbers: DashMap::default(),
            rows: boxcar::Vec::new(),
        }
    }
}

impl<K: Hash + Eq, V> Interner<K, V> {
    /// Returns the number of a key, if it has one.
    pub fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<u32>
    where
        K: Borrow<Q>,
    {
        self.find_hashed(FxBuildHasher.hash_one(key), key)
    }

    fn find_hashed<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> Option<u32>
    where
        K: Borrow<Q>,
    {
        let shard = self.numbers.shards()[self.shard(hash)].read();
        let found = shard.get(hash, |&(number, _)| self.key(number).borrow() == key);
        found.map(|&(number, _)| number)
    }

    /// Returns the number of a key. If it has none, `row` is given the next number and returns the row: the same key, and
    /// what belongs to it. It must not read or fill this table.
    pub fn intern<Q: Hash + Eq + ?Sized>(&self, key: &Q, row: impl FnOnce(u32) -> (K, V)) -> u32
    where
        K: Borrow<Q>,
    {
        let hash = FxBuildHasher.hash_one(key);
        if let Some(number) = self.find_hashed(hash, key) {
            return number;
        }
        let mut shard = self.numbers.shards()[self.shard(hash)].write();
        // Another thread may have added it between the two locks.
        if let Some(&(number, _)) = shard.get(hash, |&(number, _)| self.key(number).borrow() == key)
        {
            return number;
        }
        let number = self.rows.push_with(|number| row(Self::number(number)));
        let number = Self::number(number);
        shard.insert(hash, (number, SharedValue::new(())), |&(number, _)| {
            FxBuildHasher.hash_one(self.key(number))
        });
        number
    }

    /// Returns the key of a number; `None` if this table has not given it yet.
    pub fn get(&self, number: u32) -> Option<&K> {
        self.rows.get(number as usize).map(|row| &row.0)
    }

    /// Returns the key of a number of this table.
    pub fn key(&self, number: u32) -> &K {
        &self.rows[number as usize].0
    }

    /// Returns what belongs to the key of a number of this table.
    pub fn value(&self, number: u32) -> &V {
        &self.rows[number as usize].1
    }

    /// Returns how many keys have a number.
    pub fn len(&self) -> usize {
        self.rows.count()
    }

    /// Returns whether no key has a number.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn number(index: usize) -> u32 {
        u32::try_from(index).expect("under 2^32 keys")
    }

    fn shard(&self, hash: u64) -> usize {
        self.numbers.determine_shard(hash as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Interner;

    #[test]
    fn equal_keys_have_one_number_on_any_number_of_threads() {
        let table: Interner<String, usize> = Interner::default();
        let numbers: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let keys = (0..10_000).map(|at| (at % 3_000).to_string());
                        keys.map(|key| table.intern(key.as_str(), |_| (key.clone(), key.len())))
                            .collect()
                    })
                })
                .collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|numbers| numbers.expect("no panic")).collect()
        });
        assert_eq!(table.len(), 3_000);
        for list in &numbers {
            assert_eq!(list, &numbers[0]);
        }
        for at in 0..3_000 {
            let key = at.to_string();
            let number = table.find(key.as_str()).expect("it was interned");
            assert_eq!(table.key(number), &key);
            assert_eq!(*table.value(number), key.len());
        }
        assert_eq!(table.find("3000"), None);
    }
}
