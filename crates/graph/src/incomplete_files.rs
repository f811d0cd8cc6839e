//! Files that were not read whole, by what they mention.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use codeweft_db::{File, Identifiers, NameId, Reason, SymbolId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query_context::QueryContext;

/// A file that was not read whole.
pub(crate) struct IncompleteFile {
    /// It.
    pub(crate) file: File,
    /// Where, unless all of it.
    pub(crate) line: Option<u32>,
    /// Why.
    pub(crate) reason: Reason,
    /// Its identifiers.
    pub(crate) identifiers: Arc<Identifiers>,
}

/// For so many symbols the files are looked through once, not for each.
const MANY: usize = 64;

/// The files that were not read whole, by the names of many symbols that they mention.
pub(crate) struct IncompleteFiles {
    /// Of units that have some.
    pub(crate) files: FxHashMap<Unit, Arc<[IncompleteFile]>>,
    /// The unit of a file and its number among that unit's.
    pub(crate) by_name: FxHashMap<NameId, Vec<(Unit, usize)>>,
    /// Lists of units as sets, by the lists themselves.
    sets: RefCell<FxHashMap<*const Unit, ListAndSet>>,
}

/// Units in order, and as a set.
type ListAndSet = (Arc<[Unit]>, Rc<FxHashSet<Unit>>);

impl IncompleteFiles {
    /// Those that mention the name of one of these; `None` for few symbols.
    pub(crate) fn of(question: &QueryContext<'_>, symbols: &[SymbolId]) -> Option<IncompleteFiles> {
        if symbols.len() < MANY {
            return None;
        }
        let mut names: FxHashSet<NameId> = FxHashSet::default();
        for &symbol in symbols {
            if let Some(language) = question.language(symbol) {
                names.extend(language.search_names(question.db, symbol));
            }
        }
        let mut unreads = IncompleteFiles {
            files: FxHashMap::default(),
            by_name: FxHashMap::default(),
            sets: RefCell::default(),
        };
        for &unit in question.units.all.iter() {
            question.look_up();
            let files = question.unread_files(unit);
            for (at, file) in files.iter().enumerate() {
                for name in file
                    .identifiers
                    .names
                    .iter()
                    .filter(|name| names.contains(name))
                {
                    unreads.by_name.entry(*name).or_default().push((unit, at));
                }
            }
            if !files.is_empty() {
                unreads.files.insert(unit, files);
            }
        }
        Some(unreads)
    }

    /// A list of units as a set.
    pub(crate) fn set_of(&self, units: &Arc<[Unit]>) -> Rc<FxHashSet<Unit>> {
        let mut sets = self.sets.borrow_mut();
        // The list is kept, so that no other takes its place.
        let (_, set) = sets.entry(units.as_ptr()).or_insert_with(|| {
            let set = units.iter().copied().collect();
            (units.clone(), Rc::new(set))
        });
        set.clone()
    }
}
