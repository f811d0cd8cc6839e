//! How often each symbol is used in the workspace, counted once a revision.
//!
//! ```text
//! file uses -> (target, sites, whether the file is of the target's package), kept while the uses are equal
//! all files -> target -> sites, sites in other packages
//! ```
//!
//! A site is one position: the read of a name that is called there is part of the call. So the sites of
//! a symbol are those that `references` lists in the workspace's files.

use std::sync::Arc;

use codeweft_db::{
    Db, File, Language, Resolution, Role, SymbolClass, SymbolId, Unit, Use, file_ranges,
};

use super::memo::{FileCounts, ReferenceCounts};
use crate::call_graph::memo::package_in;
use crate::query_context::QueryContext;
use crate::resolve_ahead::resolve_ahead;
use crate::revision_cache::RevisionCache;
use crate::symbols;

/// Returns how often symbols are used in the workspace.
pub(crate) fn reference_counts<'q>(query: &'q QueryContext<'_>) -> &'q ReferenceCounts {
    query.cache.analysis.counts.get_or_init(|| {
        let units = symbols::own_units(query);
        resolve_ahead(query, &units);
        let mut counts = ReferenceCounts::default();
        let of_units = query.map(&units, |languages, db, &unit| {
            let Some(language) = languages.of(unit.lang(db)) else {
                return Vec::new();
            };
            let files = language.files(db, unit);
            let files = files.iter();
            files
                .map(|&file| counts_of_file(query.cache, db, language, (file, unit)))
                .collect()
        });
        for file in of_units.iter().flatten() {
            query.poll_cancellation();
            for &(target, sites, is_own) in file.iter() {
                counts.add(target, sites, is_own);
            }
        }
        for package in symbols::packages(query) {
            for edge in query.imports().edges(package.symbol, true) {
                let is_ours = query.owner(edge.file);
                if is_ours.is_some_and(|unit| !symbols::is_library(query, unit)) {
                    counts.add(package.symbol, 1, edge.other == package.symbol);
                }
            }
        }
        Arc::new(counts)
    })
}

fn counts_of_file(
    cache: &RevisionCache,
    db: &dyn Db,
    language: &dyn Language,
    (file, unit): (File, Unit),
) -> Arc<FileCounts> {
    let known = &cache.analysis.counts_of_file;
    let uses = language.uses(db, file);
    let package = package_in(language, db, unit, file);
    if let Some((of, in_package, counts)) = known.get(&file)
        && Arc::ptr_eq(&of, &uses)
        && in_package == package
    {
        return counts;
    }
    let mut counts: Vec<(SymbolId, u32, bool)> = Vec::new();
    for (target, sites) in uses.iter() {
        let is_package = db.shared().symbols.key(target).class == SymbolClass::Package;
        let statements = if is_package {
            import_statements(db, language, (file, unit), target)
        } else {
            Vec::new()
        };
        // A statement is counted as one, from the import rows.
        let is_statement = |one: &Use| {
            one.role == Role::Import
                && language
                    .offset(db, file, one.body, one.occ)
                    .is_some_and(|at| statements.contains(&at))
        };
        let sites = sites
            .iter()
            .filter(|one| one.resolution != Resolution::Name && !is_statement(one));
        let mut last = None;
        let mut number = 0;
        for one in sites {
            // The uses of a target are sorted by position.
            if last.replace((one.body, one.occ)) != Some((one.body, one.occ)) {
                number += 1;
            }
        }
        if number > 0 {
            counts.push((
                target,
                number,
                symbols::package_around(db, language, target) == Some(package),
            ));
        }
    }
    let counts: Arc<FileCounts> = counts.into();
    known.insert(file, (uses, package, counts.clone()));
    counts
}

/// Returns where the import statements of a file begin that import a package, in bytes.
fn import_statements(
    db: &dyn Db,
    language: &dyn Language,
    (file, unit): (File, Unit),
    package: SymbolId,
) -> Vec<u32> {
    let imports = language.imports(db, unit);
    let own = imports
        .iter()
        .filter(|row| row.file == file && row.to == package);
    let ranges = file_ranges(db, file);
    let spans = own.filter_map(|row| ranges.imports.get(row.import as usize));
    spans.map(|span| span.start).collect()
}
