//! The imports between the workspace's packages.

use codeweft_db::{File, ImportTime, SymbolId};
use rustc_hash::FxHashMap;

use crate::query_context::QueryContext;
use crate::symbols;

/// The import statements by which one package imports another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackageImport {
    /// Their number.
    pub(crate) count: u32,
    /// The one that runs first, then the first by path and position.
    pub(crate) first: FirstImport,
}

/// An import statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstImport {
    /// When it runs.
    pub(crate) time: ImportTime,
    /// The file.
    pub(crate) file: File,
    /// See [`codeweft_db::ImportRow::import`].
    pub(crate) import: u32,
}

/// Returns the imports of each package of the workspace by another one, by importing and imported
/// package. Those of tests inside a package do not count: they are of another build of it, in which what
/// it imports may import it (`go help test`).
pub(crate) fn package_imports(
    query: &QueryContext<'_>,
) -> FxHashMap<(SymbolId, SymbolId), PackageImport> {
    let mut imports: FxHashMap<(SymbolId, SymbolId), PackageImport> = FxHashMap::default();
    let is_own = |package: SymbolId| !symbols::is_external(query, package);
    let order = |one: &FirstImport| (one.time, one.file.path(query.db), one.import);
    for row in query.imports().parts.iter().flat_map(|rows| rows.iter()) {
        if row.from == row.to || !is_own(row.from) || !is_own(row.to) {
            continue;
        }
        let unit = query.owner(row.file);
        if unit.is_some_and(|unit| unit.kind(query.db).extends_package()) {
            continue;
        }
        let language = query.languages.of(row.file.lang(query.db));
        let time = language.map_or(ImportTime::Load, |language| {
            language.import_time(query.db, row.file, row.import)
        });
        let new = FirstImport {
            time,
            file: row.file,
            import: row.import,
        };
        let known = imports.entry((row.from, row.to));
        let known = known.or_insert(PackageImport {
            count: 0,
            first: new,
        });
        known.count += 1;
        if order(&new) < order(&known.first) {
            known.first = new;
        }
    }
    imports
}
