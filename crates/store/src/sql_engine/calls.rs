//! The callers and callees of a symbol, with the sites.

use std::collections::hash_map::Entry;

use rusqlite::Row;
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::Found;
use super::links::{Link, Links, Neighbours, Position, Resolution};
use super::rows::{Owner, Rows, Sid};
use super::statements;
use crate::sqlite::codes;

/// A use of an owner, or the site of what a call may run.
#[derive(Clone, Copy)]
struct Site {
    dl: i64,
    column: u32,
}

/// Returns where a site of an owner is; `None` if the owner has no file.
fn position_in(owner: &Owner, site: Site) -> Option<Position> {
    let line = i64::from(owner.start_line) + site.dl;
    Some(Position {
        file: owner.file?,
        line: if site.column == 0 { 0 } else { line as u32 },
        column: site.column,
    })
}

/// Returns where a site of an owner is; `None` if the owner cannot be read.
fn position(rows: &Rows<'_>, owner: Sid, site: Site) -> Found<Option<Position>> {
    let found = rows.owner(owner)?;
    Ok(found.and_then(|found| position_in(&found, site)))
}

/// An exact use as the table `uses` has it.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub(super) position: Position,
    pub(super) target: Sid,
    /// The number of its kind.
    pub(super) code: u8,
    pub(super) flags: u8,
}

/// Returns the exact uses of an owner.
pub(super) fn uses(rows: &Rows<'_>, owner: Sid) -> Found<Vec<Use>> {
    uses_by(rows, statements::USES, owner)
}

fn uses_by(rows: &Rows<'_>, statement: &'static str, owner: Sid) -> Found<Vec<Use>> {
    let mut found = Vec::new();
    if let Some(of) = rows.owner(owner)? {
        each_use(rows, statement, (owner, &of), &mut |one| found.push(one))?;
    }
    Ok(found)
}

/// Passes the exact uses of an owner that a statement finds.
fn each_use(
    rows: &Rows<'_>,
    statement: &'static str,
    (owner, of): (Sid, &Owner),
    visit: &mut dyn FnMut(Use),
) -> Found<()> {
    let read = |row: &Row<'_>| {
        let site = Site {
            dl: row.get(0)?,
            column: row.get(1)?,
        };
        Ok((site, row.get::<_, Sid>(2)?, row.get::<_, u8>(3)?))
    };
    rows.each(statement, [owner], read, &mut |(site, target, kind)| {
        if let Some(position) = position_in(of, site) {
            visit(Use {
                position,
                target,
                code: kind & ((1 << codes::FLAGS_BEHIND) - 1),
                flags: kind >> codes::FLAGS_BEHIND,
            });
        }
    })
}

/// A site of an owner whose call may run the targets of a set.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) link: Link,
    pub(super) flags: u8,
    pub(super) set: u32,
}

fn run(
    rows: &Rows<'_>,
    owner: Sid,
    (site, resolution, reason, flags, set): (Site, u8, u16, u8, u32),
) -> Found<Option<Run>> {
    let resolution = match resolution {
        0 => Resolution::Exact,
        1 => Resolution::Dispatch,
        2 => Resolution::Value,
        _ => {
            rows.count_broken();
            return Ok(None);
        }
    };
    Ok(position(rows, owner, site)?.map(|position| Run {
        link: Link {
            resolution,
            reason,
            ..Link::exact(position, flags)
        },
        flags,
        set,
    }))
}

/// Returns the sites of an owner whose calls may run the targets of a set.
pub(super) fn runs(rows: &Rows<'_>, owner: Sid) -> Found<Vec<Run>> {
    let read = rows.all(statements::RUNS, [owner], |row| {
        let site = Site {
            dl: row.get(0)?,
            column: row.get(1)?,
        };
        Ok((site, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
    })?;
    let mut found = Vec::new();
    for row in read {
        found.extend(run(rows, owner, row)?);
    }
    Ok(found)
}

/// Returns the sites whose calls may run the targets of a set, with their owners.
fn sites_of(rows: &Rows<'_>, set: u32) -> Found<Vec<(Sid, Run)>> {
    let read = rows.all(statements::RUN_SITES, [set], |row| {
        let site = Site {
            dl: row.get(1)?,
            column: row.get(2)?,
        };
        let detail = (site, row.get(3)?, row.get(4)?, row.get(5)?, set);
        Ok((row.get::<_, Sid>(0)?, detail))
    })?;
    let mut found = Vec::with_capacity(read.len());
    for (owner, detail) in read {
        found.extend(run(rows, owner, detail)?.map(|run| (owner, run)));
    }
    Ok(found)
}

/// Takes a symbol, one that calls it, and the links between the two: one per position, the best, in order.
pub(super) type VisitCaller<'a> = &'a mut dyn FnMut(Sid, Sid, &mut Vec<Link>) -> Found<()>;

/// Passes the callers of some symbols with their links, caller by caller. What calls several of them is read once, and
/// the links of one caller are in memory at a time.
pub(super) fn each_caller(rows: &Rows<'_>, symbols: &[Sid], visit: VisitCaller<'_>) -> Found<()> {
    let wanted: FxHashSet<Sid> = symbols.iter().copied().collect();
    // The wanted targets of each set.
    let mut sets: FxHashMap<u32, Vec<Sid>> = FxHashMap::default();
    let (mut owners, mut owners_of_runs) = (Vec::new(), Vec::new());
    for &symbol in &wanted {
        let read = |row: &Row<'_>| row.get::<_, Sid>(1);
        rows.each(statements::CALLERS, [symbol], read, &mut |owner| {
            owners.push(owner);
        })?;
        for set in rows.sids(statements::RUN_SETS, [symbol])? {
            sets.entry(set).or_default().push(symbol);
        }
    }
    for &set in sets.keys() {
        let read = |row: &Row<'_>| row.get::<_, Sid>(0);
        rows.each(statements::RUN_OWNERS, [set], read, &mut |owner| {
            owners_of_runs.push(owner);
        })?;
    }
    owners_of_runs.sort_unstable();
    owners_of_runs.dedup();
    owners.extend(&owners_of_runs);
    owners.sort_unstable();
    owners.dedup();
    let mut of_homes: FxHashMap<Sid, Vec<(Sid, Link)>> = FxHashMap::default();
    let mut own = Vec::new();
    for owner in owners {
        let Some(of) = rows.owner(owner)? else {
            continue;
        };
        let mut add = |target: Sid, link: Link, flags: u8| {
            if flags & codes::OF_HOME == 0 {
                own.push((target, link));
            } else if let Some(home) = of.home {
                of_homes.entry(home).or_default().push((target, link));
            }
        };
        each_use(rows, statements::CALLS, (owner, &of), &mut |one| {
            if wanted.contains(&one.target) {
                add(one.target, Link::exact(one.position, one.flags), one.flags);
            }
        })?;
        if owners_of_runs.binary_search(&owner).is_ok() {
            for run in runs(rows, owner)? {
                for &target in sets.get(&run.set).into_iter().flatten() {
                    add(target, run.link, run.flags);
                }
            }
        }
        pass_links(owner, &mut own, visit)?;
    }
    for (home, mut links) in of_homes {
        pass_links(home, &mut links, visit)?;
    }
    Ok(())
}

/// Passes the links of one caller, target by target; `links` is empty then.
fn pass_links(caller: Sid, links: &mut Vec<(Sid, Link)>, visit: VisitCaller<'_>) -> Found<()> {
    links.sort_unstable();
    links.dedup_by_key(|(target, link)| (*target, link.position));
    let mut of_target = Vec::new();
    for of_one in links.chunk_by(|a, b| a.0 == b.0) {
        of_target.extend(of_one.iter().map(|(_, link)| *link));
        if let Some(&(target, _)) = of_one.first() {
            visit(target, caller, &mut of_target)?;
        }
        of_target.clear();
    }
    links.clear();
    Ok(())
}

/// Returns the callees of a symbol with their sites.
pub(super) fn callees_of(rows: &Rows<'_>, symbol: Sid, members: &mut RunSets) -> Found<Neighbours> {
    let mut links = Links::default();
    for (owner, of_home) in rows.owners_of(symbol)? {
        let is_own = |flags: u8| (flags & codes::OF_HOME != 0) == of_home;
        for one in uses_by(rows, statements::CALLS, owner)? {
            if is_own(one.flags) {
                links.add(one.target, Link::exact(one.position, one.flags));
            }
        }
        for run in runs(rows, owner)? {
            if is_own(run.flags) {
                for &target in members.of(rows, run.set)? {
                    links.add(target, run.link);
                }
            }
        }
    }
    Ok(links.finish())
}

/// The targets of sets, each read once: sites share them.
#[derive(Default)]
pub(super) struct RunSets(FxHashMap<u32, Vec<Sid>>);

impl RunSets {
    fn of(&mut self, rows: &Rows<'_>, set: u32) -> Found<&[Sid]> {
        Ok(match self.0.entry(set) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(slot) => slot.insert(rows.sids(statements::RUN_TARGETS, [set])?),
        })
    }
}

/// Returns the calls that name a symbol as one of several, each with the declaration around it.
pub(super) fn unions_of(rows: &Rows<'_>, symbol: Sid) -> Found<Vec<(Sid, Link)>> {
    let mut found = Vec::new();
    for set in rows.sids(statements::RUN_SETS, [symbol])? {
        for (owner, run) in sites_of(rows, set)? {
            // What may run besides what is named has a reason.
            if run.link.reason == 0
                && let Some(around) = rows.user(owner, run.flags)?
            {
                found.push((around, run.link));
            }
        }
    }
    Ok(found)
}

/// Returns the conversions of a pair of type and interface, each with the declaration around it.
pub(super) fn conversions_of(rows: &Rows<'_>, pair: u32) -> Found<Vec<(Sid, Link)>> {
    let read = rows.all(statements::CONVERSIONS, [pair], |row| {
        let site = Site {
            dl: row.get(1)?,
            column: row.get(2)?,
        };
        Ok((row.get::<_, Sid>(0)?, site, row.get::<_, u8>(3)?))
    })?;
    let mut found = Vec::new();
    for (owner, site, flags) in read {
        if let Some(position) = position(rows, owner, site)?
            && let Some(around) = rows.user(owner, flags)?
        {
            found.push((around, Link::exact(position, flags)));
        }
    }
    Ok(found)
}
