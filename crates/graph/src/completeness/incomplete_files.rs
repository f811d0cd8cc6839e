//! Files that could not be read completely (syntax errors, excluded by the build configuration), by
//! the names they mention.

use std::sync::{Arc, OnceLock};

use codeweft_db::{
    Db, File, Identifiers, Language, NameId, Reason, SymbolId, Unit, file_identifiers, unit_broken,
};

use super::unresolved_sites::UnresolvedSites;
use crate::memo::Join;
use crate::mentions;
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

impl IncompleteFile {
    /// Returns whether one of `names` occurs in the file.
    fn mentions(&self, names: &[NameId]) -> bool {
        names.iter().any(|&name| self.identifiers.contains(name))
    }
}

/// A query of this many symbols, or of one that so many units can name, joins the incomplete files
/// of all units; a smaller one reads those of the units that matter to it.
const MIN_TO_JOIN: usize = 64;

/// The incomplete files of one revision.
#[derive(Default)]
pub(crate) struct IncompleteFileMemos {
    joined: OnceLock<Arc<JoinedIncompleteFiles>>,
    /// Those of an earlier revision.
    previous: Option<Arc<JoinedIncompleteFiles>>,
}

impl IncompleteFileMemos {
    /// Returns the memos of the next revision.
    pub(crate) fn next(self) -> IncompleteFileMemos {
        IncompleteFileMemos {
            joined: OnceLock::new(),
            previous: self.joined.into_inner().or(self.previous),
        }
    }
}

/// The incomplete files of each unit, in the order of [`Units::all`](crate::units::Units::all), and
/// an index of them.
type JoinedIncompleteFiles = Join<[IncompleteFile], IncompleteFiles>;

/// An incomplete file: the number of its unit in [`Units::all`](crate::units::Units::all), and its
/// number among the incomplete files of the unit.
type FileNumber = (u32, u32);

/// The incomplete files of all units.
#[derive(Default)]
struct IncompleteFiles {
    /// Files with syntax errors. They are few, and each edit may change them.
    broken: Vec<FileNumber>,
    /// Excluded files.
    excluded: Arc<ExcludedFiles>,
}

/// The excluded files of all units, by the names that they mention.
#[derive(Default)]
struct ExcludedFiles {
    files: Vec<(FileNumber, Arc<Identifiers>)>,
    /// A name and the number of a file in `files` that mentions it, sorted.
    names: Vec<(NameId, u32)>,
}

impl ExcludedFiles {
    /// Indexes the files; takes over the previous index if the files and their names are the same.
    fn next(
        previous: Option<&Arc<ExcludedFiles>>,
        files: Vec<(FileNumber, Arc<Identifiers>)>,
    ) -> Arc<ExcludedFiles> {
        let is_same = |old: &&Arc<ExcludedFiles>| {
            let mut both = old.files.iter().zip(&files);
            old.files.len() == files.len()
                && both.all(|(old, new)| old.0 == new.0 && Arc::ptr_eq(&old.1, &new.1))
        };
        if let Some(old) = previous.filter(is_same) {
            return old.clone();
        }
        let mut names = Vec::with_capacity(files.iter().map(|(_, all)| all.names.len()).sum());
        for ((_, identifiers), number) in files.iter().zip(0..) {
            names.extend(identifiers.names.iter().map(|&name| (name, number)));
        }
        names.sort_unstable();
        Arc::new(ExcludedFiles { files, names })
    }

    /// Returns the files that mention a name.
    fn mentioning(&self, name: NameId) -> impl Iterator<Item = FileNumber> {
        let from = self.names.partition_point(|&(other, _)| other < name);
        let rows = self.names[from..].iter();
        rows.take_while(move |&&(other, _)| other == name)
            .filter_map(|&(_, number)| Some(self.files.get(number as usize)?.0))
    }
}

impl JoinedIncompleteFiles {
    fn read(
        query: &QueryContext<'_>,
        previous: Option<&Arc<JoinedIncompleteFiles>>,
    ) -> Arc<JoinedIncompleteFiles> {
        let parts = query.map(&query.units.all, |_, db, &unit| {
            unit_incomplete_files(db, unit)
        });
        Join::next(previous, query.units.all.clone(), parts, |_, parts| {
            let (mut broken, mut excluded) = (Vec::new(), Vec::new());
            for (files, unit) in parts.iter().zip(0..) {
                for (file, number) in files.iter().zip(0..) {
                    match file.line {
                        Some(_) => broken.push((unit, number)),
                        None => excluded.push(((unit, number), file.identifiers.clone())),
                    }
                }
            }
            let previous = previous.map(|previous| &previous.excluded);
            IncompleteFiles {
                broken,
                excluded: ExcludedFiles::next(previous, excluded),
            }
        })
    }

    /// Returns a file.
    fn file(&self, (unit, number): FileNumber) -> Option<&IncompleteFile> {
        self.parts.get(unit as usize)?.get(number as usize)
    }

    /// Returns the files that mention one of `names`, each with the number of its unit.
    fn mentioning(&self, names: &[NameId]) -> Vec<(usize, &IncompleteFile)> {
        let of_names = names.iter();
        let mut numbers: Vec<FileNumber> = of_names
            .flat_map(|&name| self.excluded.mentioning(name))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let excluded = numbers.iter();
        let excluded = excluded.filter_map(|&number| Some((number, self.file(number)?)));
        let broken = self.broken.iter();
        let broken = broken.filter_map(|&number| Some((number, self.file(number)?)));
        let broken = broken.filter(|(_, file)| file.mentions(names));
        excluded
            .chain(broken)
            .map(|((unit, _), file)| (unit as usize, file))
            .collect()
    }
}

/// Joins the incomplete files of all units if a query of so many symbols needs it.
pub(super) fn prepare(query: &QueryContext<'_>, symbols: usize) {
    if symbols >= MIN_TO_JOIN {
        joined(query);
    }
}

fn joined<'q>(query: &'q QueryContext<'_>) -> &'q JoinedIncompleteFiles {
    let memos = &query.cache.incomplete_files;
    memos
        .joined
        .get_or_init(|| JoinedIncompleteFiles::read(query, memos.previous.as_ref()))
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

/// Adds incomplete files that could use a symbol: those in visible units that mention it by one of `names`.
/// The imports of an excluded file may rule it out.
pub(super) fn add_incomplete_files(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    language: &dyn Language,
    (symbol, names): (SymbolId, &[NameId]),
) {
    let visible = visibility::visible_set(query, symbol);
    let may_be_unread = query.db.shared().may_have_unresolved_files();
    let is_joined = query.cache.incomplete_files.joined.get().is_some();
    if !is_joined && (may_be_unread || visible.count_ones(..) < MIN_TO_JOIN) {
        let mut units = visibility::units_in(query, &visible);
        if may_be_unread {
            units = mentions::units_with_text(query, units, names);
            query.map(&units, |_, db, &unit| {
                unit_incomplete_files(db, unit);
            });
        }
        add_incomplete_where(query, unresolved, &units, |incomplete| {
            let mentions = incomplete.mentions(names);
            mentions.then(|| first_use_in(query, language, symbol, incomplete))?
        });
        return;
    }
    for (unit, file) in joined(query).mentioning(names) {
        query.poll_cancellation();
        if visible.contains(unit)
            && let Some((line, column)) = first_use_in(query, language, symbol, file)
        {
            unresolved.add_line(file.file, line, column, file.reason);
        }
    }
}

/// Returns the 1-based line and column where an incomplete file that mentions a symbol's name
/// could use it.
pub(crate) fn first_use_in(
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
