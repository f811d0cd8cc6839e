//! Files that could not be read completely (syntax errors, excluded by the build configuration), by
//! the names they mention.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use codeweft_db::{NameId, Reason, SymbolId, Unit, file_identifiers, unit_broken};
use rustc_hash::{FxHashMap, FxHashSet};

use super::memo::IncompleteFile;
use crate::query_context::QueryContext;

/// From this many symbols on the files are searched once for all names.
const MIN_BULK_SYMBOLS: usize = 64;

/// The incomplete files, by the names of many symbols.
pub(crate) struct IncompleteFiles {
    /// By unit; only units that have any.
    pub(crate) files: FxHashMap<Unit, Arc<[IncompleteFile]>>,
    /// By name: the unit of a file and its number in `files`.
    pub(crate) by_name: FxHashMap<NameId, Vec<(Unit, usize)>>,
    /// Sets of units, by the address of the list.
    sets: RefCell<FxHashMap<*const Unit, ListAndSet>>,
}

/// Units in order, and as a set.
type ListAndSet = (Arc<[Unit]>, Rc<FxHashSet<Unit>>);

impl IncompleteFiles {
    /// Finds the incomplete files that mention the name of one of `symbols`; `None` for few
    /// symbols.
    pub(crate) fn of(query: &QueryContext<'_>, symbols: &[SymbolId]) -> Option<IncompleteFiles> {
        if symbols.len() < MIN_BULK_SYMBOLS {
            return None;
        }
        let mut names: FxHashSet<NameId> = FxHashSet::default();
        for &symbol in symbols {
            if let Some(language) = query.language(symbol) {
                names.extend(language.search_names(query.db, symbol));
            }
        }
        let mut incomplete = IncompleteFiles {
            files: FxHashMap::default(),
            by_name: FxHashMap::default(),
            sets: RefCell::default(),
        };
        for &unit in query.units.all.iter() {
            query.poll_cancellation();
            let files = query.incomplete_files(unit);
            for (at, file) in files.iter().enumerate() {
                for name in file
                    .identifiers
                    .names
                    .iter()
                    .filter(|name| names.contains(name))
                {
                    incomplete
                        .by_name
                        .entry(*name)
                        .or_default()
                        .push((unit, at));
                }
            }
            if !files.is_empty() {
                incomplete.files.insert(unit, files);
            }
        }
        Some(incomplete)
    }

    /// Returns a list of units as a set.
    pub(crate) fn set_of(&self, units: &Arc<[Unit]>) -> Rc<FxHashSet<Unit>> {
        let mut sets = self.sets.borrow_mut();
        // Keeping the list alive keeps its address unique.
        let (_, set) = sets.entry(units.as_ptr()).or_insert_with(|| {
            let set = units.iter().copied().collect();
            (units.clone(), Rc::new(set))
        });
        set.clone()
    }
}

impl QueryContext<'_> {
    /// Returns the incomplete files of a unit.
    pub(crate) fn incomplete_files(&self, unit: Unit) -> Arc<[IncompleteFile]> {
        let known = &self.cache.completeness.incomplete;
        known.get_or(unit, || self.find_incomplete_files(unit).into())
    }

    fn find_incomplete_files(&self, unit: Unit) -> Vec<IncompleteFile> {
        let db = self.db;
        let Some(language) = self.languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let incomplete = |file, line, reason| IncompleteFile {
            file,
            line,
            reason,
            identifiers: file_identifiers(db, file),
        };
        let excluded = language.excluded(db, unit);
        let mut found: Vec<IncompleteFile> = excluded
            .iter()
            .map(|&file| incomplete(file, None, Reason::ExcludedFile))
            .collect();
        let broken = unit_broken(db, unit);
        for &(file, line) in broken.iter().filter(|(file, _)| !excluded.contains(file)) {
            found.push(incomplete(file, Some(line), Reason::ParseError));
        }
        found
    }
}
