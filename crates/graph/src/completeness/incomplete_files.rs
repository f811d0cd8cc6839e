//! Files that could not be read completely (syntax errors, excluded by the build configuration), by
//! the names they mention.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use codeweft_db::{
    Db, File, Identifiers, Language, NameId, Reason, SymbolId, Unit, file_identifiers, unit_broken,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::unresolved_sites::UnresolvedSites;
use crate::query_context::QueryContext;
use crate::visibility;

/// A file with syntax errors or an excluded file.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct IncompleteFile {
    /// The file.
    pub(crate) file: File,
    /// The 1-based line of the first error; `None` if the whole file is excluded.
    pub(crate) line: Option<u32>,
    /// The reason.
    pub(crate) reason: Reason,
    /// The identifiers that occur in the file.
    pub(crate) identifiers: Arc<Identifiers>,
}

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
            let files = unit_incomplete_files(query.db, unit);
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

/// Returns the incomplete files of a unit.
#[salsa::tracked(returns(clone))]
pub(crate) fn unit_incomplete_files(db: &dyn Db, unit: Unit) -> Arc<[IncompleteFile]> {
    let Some(language) = db.shared().language(unit.lang(db)) else {
        return Arc::default();
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
    found.into()
}

/// An import line of an excluded file.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct ExcludedImport {
    /// The imported package.
    pub(crate) package: SymbolId,
    /// The excluded file.
    pub(crate) file: File,
    /// The byte offset of the package's path.
    pub(crate) at: u32,
}

/// Returns the imports of the excluded files of a unit, the first of each package and file.
#[salsa::tracked(returns(clone))]
pub(crate) fn unit_excluded_imports(db: &dyn Db, unit: Unit) -> Arc<[ExcludedImport]> {
    let Some(language) = db.shared().language(unit.lang(db)) else {
        return Arc::default();
    };
    let mut found: Vec<ExcludedImport> = Vec::new();
    for &file in language.excluded(db, unit).iter() {
        let first = found.len();
        for (package, at) in language.imports_of_excluded(db, file) {
            if found[first..].iter().all(|one| one.package != package) {
                found.push(ExcludedImport { package, file, at });
            }
        }
    }
    found.into()
}

/// Adds incomplete files that could use a symbol: those in visible units that mention it. The
/// imports of an excluded file may rule it out.
pub(super) fn add_incomplete_files(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    language: &dyn Language,
    symbol: SymbolId,
) {
    let names = language.search_names(query.db, symbol);
    add_incomplete_where(
        query,
        unresolved,
        &visibility::visible_units(query, symbol),
        |incomplete| {
            if !names
                .iter()
                .any(|&name| incomplete.identifiers.contains(name))
            {
                return None;
            }
            first_use_in(query, language, symbol, incomplete)
        },
    );
}

/// As [`add_incomplete_files`], with the files found for many symbols at once.
pub(super) fn add_incomplete_among(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    language: &dyn Language,
    symbol: SymbolId,
    incomplete: &IncompleteFiles,
) {
    let names = language.search_names(query.db, symbol);
    let mut mentioning = names.iter().filter_map(|name| incomplete.by_name.get(name));
    if mentioning.clone().next().is_none() {
        return;
    }
    let visible_units = visibility::visible_units(query, symbol);
    let visible_units = incomplete.set_of(&visible_units);
    for &(unit, at) in mentioning.by_ref().flatten() {
        let file = incomplete.files.get(&unit).and_then(|files| files.get(at));
        if let Some(file) = file.filter(|_| visible_units.contains(&unit))
            && let Some((line, column)) = first_use_in(query, language, symbol, file)
        {
            unresolved.add_line(file.file, line, column, file.reason);
        }
    }
}

/// Returns the 1-based line and column where an incomplete file that mentions a symbol's name
/// could use it.
pub(super) fn first_use_in(
    query: &QueryContext<'_>,
    language: &dyn Language,
    symbol: SymbolId,
    incomplete: &IncompleteFile,
) -> Option<(u32, u32)> {
    match incomplete.line {
        Some(line) => Some((line, 1)),
        None => {
            let first = language.first_use_in_excluded(query.db, incomplete.file, symbol)?;
            Some(line_column(incomplete.file.text(query.db), first))
        }
    }
}

/// Adds the incomplete files of `units` for which `position` returns a line and column.
pub(super) fn add_incomplete_where(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    units: &[Unit],
    position: impl Fn(&IncompleteFile) -> Option<(u32, u32)>,
) {
    for &unit in units {
        for incomplete in unit_incomplete_files(query.db, unit).iter() {
            if let Some((line, column)) = position(incomplete) {
                unresolved.add_line(incomplete.file, line, column, incomplete.reason);
            }
        }
    }
}

/// Returns the line and column of a byte offset, both 1-based. Scans the text, because the ranges
/// of an excluded file are computed for nothing else.
pub(super) fn line_column(text: &str, offset: u32) -> (u32, u32) {
    let before = text.get(..offset as usize).unwrap_or("");
    let line = before.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, (before.len() - start) as u32 + 1)
}
