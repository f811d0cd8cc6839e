//! The unresolved sites of an answer by file and reason, so that many of them can be read: own code
//! before its tests and those before libraries, within that the files that import a target before
//! the others, then by number.

use std::cmp::Reverse;

use codeweft_db::{DeclaredIn, File, Origin, Reason, SymbolId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::UnresolvedGroup;
use crate::completeness::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::link::Link;
use crate::query_context::QueryContext;
use crate::symbols;

/// How many groups are listed.
pub const MAX_LISTED_GROUPS: usize = 10;

/// The sort key of a file: the workspace's own code, its tests, then libraries; then the path.
pub(super) type FileRank<'q> = (u8, &'q str);

/// The number of sites of each file and reason, with the files' sort keys.
pub(super) struct SiteCounts<'q> {
    /// The number of sites.
    pub(super) counts: FxHashMap<(File, Reason), u32>,
    /// The sort key of each file among them.
    pub(super) ranks: FxHashMap<File, FileRank<'q>>,
}

impl<'q> SiteCounts<'q> {
    /// Counts sites.
    pub(super) fn of(query: &'q QueryContext<'_>, unresolved: &UnresolvedSites) -> SiteCounts<'q> {
        let mut counts: FxHashMap<(File, Reason), u32> = FxHashMap::default();
        for (file, _, reason) in unresolved.iter() {
            *counts.entry((file, reason)).or_default() += 1;
        }
        let mut ranks = FxHashMap::default();
        for &(file, _) in counts.keys() {
            ranks.entry(file).or_insert_with(|| rank(query, file));
        }
        SiteCounts { counts, ranks }
    }

    /// Returns the first groups and the number of all. There may be thousands: they are not sorted,
    /// and positions are computed for those that are returned.
    pub(super) fn groups(
        &self,
        query: &'q QueryContext<'_>,
        unresolved: &UnresolvedSites,
        targets: &[SymbolId],
    ) -> (Vec<UnresolvedGroup>, u32) {
        let mut importing = ImportingFiles::of(query, targets);
        let mut groups: Vec<_> = self
            .counts
            .iter()
            .filter_map(|(&(file, reason), &count)| {
                let &(origin, path) = self.ranks.get(&file)?;
                let is_unlikely = !importing.contains(query, file);
                let order = (origin, is_unlikely, Reverse(count), path, reason);
                Some((order, file))
            })
            .collect();
        let total = groups.len() as u32;
        if groups.len() > MAX_LISTED_GROUPS {
            groups.select_nth_unstable_by_key(MAX_LISTED_GROUPS, |&(order, _)| order);
            groups.truncate(MAX_LISTED_GROUPS);
        }
        groups.sort_unstable_by_key(|&(order, _)| order);
        let numbers = groups.iter().zip(0..);
        let numbers: FxHashMap<(File, Reason), usize> = numbers
            .map(|(&((.., reason), file), number)| ((file, reason), number))
            .collect();
        let mut first = vec![(u32::MAX, u32::MAX); groups.len()];
        for (file, location, reason) in unresolved.iter() {
            let number = numbers.get(&(file, reason));
            if let Some(first) = number.and_then(|&number| first.get_mut(number)) {
                *first = (*first).min(line_column(query, file, location));
            }
        }
        let groups = groups.into_iter().zip(first);
        let groups = groups.map(
            |(((_, _, Reverse(count), path, reason), _), (line, column))| UnresolvedGroup {
                file: path.to_owned(),
                line,
                column,
                reason: reason.wire_name().to_owned(),
                count,
            },
        );
        (groups.collect(), total)
    }
}

/// The files that import the package of a target, or belong to it.
struct ImportingFiles {
    targets: FxHashSet<Unit>,
    of_units: FxHashMap<Unit, FxHashSet<File>>,
}

impl ImportingFiles {
    fn of(query: &QueryContext<'_>, targets: &[SymbolId]) -> ImportingFiles {
        let mut units = FxHashSet::default();
        for &symbol in targets {
            if let DeclaredIn::Unit(unit) = query.key(symbol).declared_in
                && units.insert(unit)
            {
                units.extend(query.units.tests_of(unit).iter().copied());
            }
        }
        ImportingFiles {
            targets: units,
            of_units: FxHashMap::default(),
        }
    }

    /// Returns whether a file is among them. The imports of its unit are read once.
    fn contains(&mut self, query: &QueryContext<'_>, file: File) -> bool {
        let Some(unit) = query.owner(file) else {
            return false;
        };
        if self.targets.contains(&unit) {
            return true;
        }
        let targets = &self.targets;
        let files = self.of_units.entry(unit).or_insert_with(|| {
            let language = query.languages.of(unit.lang(query.db));
            let rows = language.map(|language| language.imports(query.db, unit));
            let rows = rows.iter().flat_map(|rows| rows.iter());
            let of_target = rows.filter(|row| row.unit.is_some_and(|unit| targets.contains(&unit)));
            of_target.map(|row| row.file).collect()
        });
        files.contains(&file)
    }
}

/// Returns the sort key of a file.
fn rank<'q>(query: &'q QueryContext<'_>, file: File) -> FileRank<'q> {
    let group = match file.origin(query.db) {
        Origin::Workspace => u8::from(symbols::is_test(query, file)),
        Origin::Library => 2,
    };
    (group, file.path(query.db))
}

/// Returns the 1-based line and column of a site.
pub(crate) fn line_column(
    query: &QueryContext<'_>,
    file: File,
    location: SiteLocation,
) -> (u32, u32) {
    match (location, query.languages.of(file.lang(query.db))) {
        (SiteLocation::Line(line, column), _) => (line, column),
        (SiteLocation::Key(key), Some(language)) => {
            Link::plain(file, key).line_column(query.db, language)
        }
        (SiteLocation::Key(_), None) => (0, 0),
    }
}
