//! Memos of what the toy has read; valid as long as no text changes.

use std::any::{Any, TypeId};
use std::hash::{BuildHasher as _, Hash};
use std::sync::{Arc, Mutex};

use codeweft_db::{Db, UnitGraph};
use rustc_hash::FxHashMap;

/// Results for one set of texts.
#[derive(Default)]
struct Read {
    texts: Vec<Arc<str>>,
    by_key: FxHashMap<(TypeId, u64), Arc<dyn Any + Send + Sync>>,
}

#[derive(Default)]
struct Memo(Mutex<Read>);

/// Returns the memoised result for a key, or computes it.
pub(super) fn memo<K: Hash + 'static, V: Any + Send + Sync>(
    db: &dyn Db,
    key: K,
    make: impl FnOnce() -> Arc<V>,
) -> Arc<V> {
    let universe = UnitGraph::get(db);
    let units = universe.units(db).iter();
    let files = units.flat_map(|unit| unit.files(db).iter());
    let texts: Vec<Arc<str>> = files.map(|file| file.text(db).clone()).collect();
    let key = (
        TypeId::of::<(K, V)>(),
        rustc_hash::FxBuildHasher.hash_one(key),
    );
    let memo = &db.shared().language_tables.get::<Memo>().0;
    let same = |known: &[Arc<str>]| {
        known.len() == texts.len() && known.iter().zip(&texts).all(|(a, b)| Arc::ptr_eq(a, b))
    };
    {
        let mut memo = memo.lock().unwrap();
        if !same(&memo.texts) {
            *memo = Read {
                texts: texts.clone(),
                by_key: FxHashMap::default(),
            };
        }
        if let Some(known) = memo.by_key.get(&key) {
            return known.clone().downcast().unwrap();
        }
    }
    let made = make();
    memo.lock().unwrap().by_key.insert(key, made.clone());
    made
}
