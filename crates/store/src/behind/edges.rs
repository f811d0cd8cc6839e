//! The rows of edges: of an owner as a whole, compared with those of the file.

use std::sync::Arc;

use rusqlite::{Connection, params};
use rustc_hash::{FxHashMap, FxHashSet};

use super::counts::CountedTable;
use super::symbols::WriterRows;
use crate::sqlite::codes;
use crate::sqlite::gather::{Gathered, Site};
use crate::sqlite::insert::receiver_word;

type SqlResult<T> = rusqlite::Result<T>;

/// A row of `uses` behind its owner: line below the owner, column, target, kind.
pub(crate) type OwnerUse = (i64, i64, i64, i64);

/// A row of `run_sites` behind its owner, without the set: line below the owner, column, resolution, reason, flags.
pub(crate) type RunSite = (i64, i64, i64, i64, i64);

/// A row of `implement_rows`.
type Pair = (i64, i64, String, Option<String>, bool);

/// The sets of targets in `run_sets`, by their sorted sids.
#[derive(Default)]
pub(crate) struct Sets {
    by_targets: FxHashMap<Arc<[i64]>, i64>,
    targets: FxHashMap<i64, Arc<[i64]>>,
    last: i64,
    /// Sets that may have no site any more.
    loose: FxHashSet<i64>,
}

impl Sets {
    /// Reads all sets of a file.
    pub(crate) fn read(connection: &Connection) -> SqlResult<Sets> {
        let mut sets = Sets::default();
        let mut find =
            connection.prepare("SELECT set_id, target FROM run_sets ORDER BY set_id, target")?;
        let mut rows = find.query([])?;
        let mut found: Vec<(i64, Vec<i64>)> = Vec::new();
        while let Some(row) = rows.next()? {
            let (set, target): (i64, i64) = (row.get(0)?, row.get(1)?);
            match found.last_mut() {
                Some((last, targets)) if *last == set => targets.push(target),
                _ => found.push((set, vec![target])),
            }
        }
        for (set, targets) in found {
            sets.note(set, targets.into());
        }
        Ok(sets)
    }

    fn note(&mut self, set: i64, targets: Arc<[i64]>) {
        self.last = self.last.max(set);
        self.by_targets.insert(targets.clone(), set);
        self.targets.insert(set, targets);
    }
}

/// Returns the rows that only one of two sorted lists has: of the first, of the second.
fn difference<T: Ord + Clone>(old: &[T], new: &[T]) -> (Vec<T>, Vec<T>) {
    let (mut only_old, mut only_new) = (Vec::new(), Vec::new());
    let (mut a, mut b) = (old.iter().peekable(), new.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (None, None) => return (only_old, only_new),
            (Some(_), None) => only_old.extend(a.next().cloned()),
            (None, Some(_)) => only_new.extend(b.next().cloned()),
            (Some(x), Some(y)) => match x.cmp(y) {
                std::cmp::Ordering::Less => only_old.extend(a.next().cloned()),
                std::cmp::Ordering::Greater => only_new.extend(b.next().cloned()),
                std::cmp::Ordering::Equal => {
                    a.next();
                    b.next();
                }
            },
        }
    }
}

/// Returns the line of a site less the first line of its owner.
fn below(site: &Site, start: i64) -> i64 {
    match site.column {
        0 => 0,
        _ => i64::from(site.line) - start,
    }
}

/// Returns the rows of `uses` in a part, by owner, sorted.
pub(crate) fn uses_by_owner(part: &Gathered, sids: &[i64]) -> FxHashMap<i64, Vec<OwnerUse>> {
    let mut by_owner: FxHashMap<i64, Vec<OwnerUse>> = FxHashMap::default();
    let sid = |number: u32| sids.get(number as usize).copied().unwrap_or_default();
    for one in &part.uses {
        let owner = part.symbols.get(one.site.owner as usize);
        let start = owner.map_or(0, |owner| i64::from(owner.lines.0));
        let kind = i64::from(one.kind) | i64::from(one.site.flags) << codes::FLAGS_BEHIND;
        let row = (
            below(&one.site, start),
            i64::from(one.site.column),
            sid(one.target),
            kind,
        );
        by_owner.entry(sid(one.site.owner)).or_default().push(row);
    }
    for rows in by_owner.values_mut() {
        rows.sort_unstable();
        rows.dedup();
    }
    by_owner
}

impl WriterRows<'_> {
    /// Writes the uses of an owner that differ.
    pub(crate) fn write_uses(&mut self, owner: i64, new: &[OwnerUse]) -> SqlResult<()> {
        let mut find = self.connection.prepare_cached(
            "SELECT dl, col, target, kind FROM uses WHERE owner = ? ORDER BY dl, col, target, kind",
        )?;
        let old = find.query_map([owner], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
        let old: Vec<OwnerUse> = old.collect::<SqlResult<_>>()?;
        if old == new {
            return Ok(());
        }
        let (gone, come) = difference(&old, new);
        let mut delete = self.connection.prepare_cached(
            "DELETE FROM uses WHERE owner = ? AND dl = ? AND col = ? AND target = ? AND kind = ?",
        )?;
        for (line, column, target, kind) in &gone {
            delete.execute(params![owner, line, column, target, kind])?;
        }
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO uses VALUES (?, ?, ?, ?, ?)")?;
        for (line, column, target, kind) in &come {
            insert.execute(params![owner, line, column, target, kind])?;
        }
        self.counts.add(CountedTable::Uses, gone.len() + come.len());
        let users = |rows: &[OwnerUse]| {
            let mut users: Vec<(i64, i64)> = rows
                .iter()
                .map(|(_, _, target, kind)| (*target, *kind))
                .collect();
            users.sort_unstable();
            users.dedup();
            users
        };
        let (gone, come) = difference(&users(&old), &users(new));
        let mut delete = self
            .connection
            .prepare_cached("DELETE FROM users WHERE target = ? AND kind = ? AND owner = ?")?;
        for (target, kind) in &gone {
            delete.execute([*target, *kind, owner])?;
            self.names.loose.insert(*target);
        }
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO users VALUES (?, ?, ?)")?;
        for (target, kind) in &come {
            insert.execute([*target, *kind, owner])?;
        }
        self.counts
            .add(CountedTable::Users, gone.len() + come.len());
        Ok(())
    }

    /// Returns the number of a reason; 0 for none.
    pub(crate) fn reason(&mut self, name: Option<&str>) -> SqlResult<i64> {
        let Some(name) = name else {
            return Ok(0);
        };
        let mut find = self
            .connection
            .prepare_cached("SELECT reason FROM reasons WHERE name = ?")?;
        use rusqlite::OptionalExtension as _;
        if let Some(known) = find.query_row([name], |row| row.get(0)).optional()? {
            return Ok(known);
        }
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO reasons (name) VALUES (?)")?;
        insert.insert([name])
    }

    /// Returns the sites of a part that may run several targets, by owner, sorted; `starts` has the first lines of owners.
    pub(crate) fn runs_by_owner(
        &mut self,
        part: &Gathered,
        sids: &[i64],
        starts: &FxHashMap<u32, i64>,
    ) -> SqlResult<FxHashMap<i64, Vec<(RunSite, i64)>>> {
        let sid = |number: u32| sids.get(number as usize).copied().unwrap_or_default();
        let mut of_part = Vec::with_capacity(part.sets.len());
        for set in &part.sets {
            let mut targets: Vec<i64> = set.iter().map(|&one| sid(one)).collect();
            targets.sort_unstable();
            targets.dedup();
            of_part.push(self.set(targets.into())?);
        }
        let mut reasons = vec![0];
        for name in &part.reasons {
            reasons.push(self.reason(Some(name))?);
        }
        let mut by_owner: FxHashMap<i64, Vec<(RunSite, i64)>> = FxHashMap::default();
        for one in &part.runs {
            let owner = part.symbols.get(one.site.owner as usize);
            let own = owner.map_or(0, |owner| i64::from(owner.lines.0));
            let start = starts.get(&one.site.owner).copied().unwrap_or(own);
            let reason = reasons.get(one.reason as usize).copied();
            let site = (
                below(&one.site, start),
                i64::from(one.site.column),
                i64::from(one.resolution),
                reason.unwrap_or_default(),
                i64::from(one.site.flags),
            );
            let set = of_part.get(one.set as usize).copied().unwrap_or_default();
            let rows = by_owner.entry(sid(one.site.owner)).or_default();
            rows.push((site, set));
        }
        for rows in by_owner.values_mut() {
            rows.sort_unstable();
            rows.dedup();
        }
        Ok(by_owner)
    }

    fn set(&mut self, targets: Arc<[i64]>) -> SqlResult<i64> {
        if let Some(&known) = self.sets.by_targets.get(&targets) {
            return Ok(known);
        }
        let set = self.sets.last + 1;
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO run_sets VALUES (?, ?)")?;
        for target in targets.iter() {
            insert.execute([set, *target])?;
        }
        self.counts.add(CountedTable::RunSets, targets.len());
        self.sets.note(set, targets);
        self.sets.loose.insert(set);
        Ok(set)
    }

    /// Writes the sites of an owner that differ.
    pub(crate) fn write_runs(&mut self, owner: i64, new: &[(RunSite, i64)]) -> SqlResult<()> {
        let mut find = self.connection.prepare_cached(
            "SELECT dl, col, resolution, reason, flags, set_id FROM run_sites WHERE owner = ?
             ORDER BY dl, col, resolution, reason, flags, set_id",
        )?;
        let old = find.query_map([owner], |row| {
            let site = (
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            );
            Ok((site, row.get(5)?))
        })?;
        let old: Vec<(RunSite, i64)> = old.collect::<SqlResult<_>>()?;
        let (gone, come) = difference(&old, new);
        let mut delete = self.connection.prepare_cached(
            "DELETE FROM run_sites WHERE owner = ? AND dl = ? AND col = ? AND resolution = ? AND reason = ?
                AND flags = ? AND set_id = ?",
        )?;
        for ((line, column, resolution, reason, flags), set) in &gone {
            delete.execute([owner, *line, *column, *resolution, *reason, *flags, *set])?;
            self.sets.loose.insert(*set);
        }
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO run_sites VALUES (?, ?, ?, ?, ?, ?, ?)")?;
        for ((line, column, resolution, reason, flags), set) in &come {
            insert.execute([owner, *line, *column, *resolution, *reason, *flags, *set])?;
        }
        self.counts
            .add(CountedTable::RunSites, gone.len() + come.len());
        Ok(())
    }

    /// Removes the sets that no site has any more.
    pub(crate) fn remove_loose_sets(&mut self) -> SqlResult<()> {
        for set in std::mem::take(&mut self.sets.loose) {
            let mut find = self
                .connection
                .prepare_cached("SELECT 1 FROM run_sites WHERE set_id = ? LIMIT 1")?;
            if find.exists([set])? {
                continue;
            }
            let mut delete = self
                .connection
                .prepare_cached("DELETE FROM run_sets WHERE set_id = ?")?;
            let removed = delete.execute([set])?;
            self.counts.add(CountedTable::RunSets, removed);
            if let Some(targets) = self.sets.targets.remove(&set) {
                self.sets.by_targets.remove(&targets);
                self.names.loose.extend(targets.iter());
            }
        }
        Ok(())
    }

    /// Writes all `implements` edges that differ.
    pub(crate) fn write_pairs(&mut self, parts: &[Gathered]) -> SqlResult<()> {
        let mut new: Vec<Pair> = Vec::new();
        for part in parts {
            let sids = self.sids(part)?;
            let sid = |number: u32| sids.get(number as usize).copied().unwrap_or_default();
            for one in &part.implements {
                let type_args = serde_json::Value::from(one.type_args.clone()).to_string();
                let receiver = one
                    .receiver
                    .map(|receiver| receiver_word(receiver).to_owned());
                new.push((sid(one.from), sid(one.to), type_args, receiver, one.test));
            }
            self.write_externals(part, &sids)?;
        }
        new.sort_unstable();
        new.dedup();
        let mut find = self.connection.prepare_cached(
            "SELECT from_sid, to_sid, type_args, receiver, test FROM implement_rows",
        )?;
        let old = find.query_map([], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ))
        })?;
        let mut old: Vec<Pair> = old.collect::<SqlResult<_>>()?;
        old.sort_unstable();
        let (gone, come) = difference(&old, &new);
        let mut delete = self.connection.prepare_cached(
            "DELETE FROM implement_rows WHERE from_sid = ? AND to_sid = ? AND type_args = ?",
        )?;
        for (from, to, type_args, ..) in &gone {
            delete.execute(params![from, to, type_args])?;
            self.names.loose.extend([*from, *to]);
        }
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO implement_rows VALUES (?, ?, ?, ?, ?)")?;
        for (from, to, type_args, receiver, test) in &come {
            insert.execute(params![from, to, type_args, receiver, test])?;
        }
        self.counts
            .add(CountedTable::Implements, gone.len() + come.len());
        Ok(())
    }

    /// Writes the nodes of libraries in a part.
    pub(crate) fn write_externals(&mut self, part: &Gathered, sids: &[i64]) -> SqlResult<()> {
        for (number, symbol) in part.symbols.iter().enumerate() {
            if symbol.kind != 0 && symbol.flags & codes::EXTERNAL != 0 {
                self.write_symbol(part, sids, number)?;
            }
        }
        Ok(())
    }
}
