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
    let Some(of) = rows.owner(owner)? else {
        return Ok(found);
    };
    let read = |row: &Row<'_>| {
        let site = Site {
            dl: row.get(0)?,
            column: row.get(1)?,
        };
        Ok((site, row.get::<_, Sid>(2)?, row.get::<_, u8>(3)?))
    };
    rows.each(statement, [owner], read, &mut |(site, target, kind)| {
        found.extend(position_in(&of, site).map(|position| Use {
            position,
            target,
            code: kind & ((1 << codes::FLAGS_BEHIND) - 1),
            flags: kind >> codes::FLAGS_BEHIND,
        }));
    })?;
    Ok(found)
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

/// Returns the callers of each of some symbols with their sites. What calls several of them is read once.
pub(super) fn callers_of(rows: &Rows<'_>, symbols: &[Sid]) -> Found<FxHashMap<Sid, Neighbours>> {
    let mut links: FxHashMap<Sid, Links> = FxHashMap::default();
    let mut owners: FxHashSet<Sid> = FxHashSet::default();
    for &symbol in symbols {
        links.insert(symbol, Links::default());
        let read = |row: &Row<'_>| row.get::<_, Sid>(1);
        rows.each(statements::CALLERS, [symbol], read, &mut |owner| {
            owners.insert(owner);
        })?;
    }
    for owner in owners {
        for one in uses_by(rows, statements::CALLS, owner)? {
            if let Some(links) = links.get_mut(&one.target)
                && let Some(caller) = rows.user(owner, one.flags)?
            {
                links.add(caller, Link::exact(one.position, one.flags));
            }
        }
    }
    for &symbol in symbols {
        for set in rows.sids(statements::RUN_SETS, [symbol])? {
            for (owner, run) in sites_of(rows, set)? {
                if let Some(caller) = rows.user(owner, run.flags)?
                    && let Some(links) = links.get_mut(&symbol)
                {
                    links.add(caller, run.link);
                }
            }
        }
    }
    Ok(links
        .into_iter()
        .map(|(symbol, links)| (symbol, links.finish()))
        .collect())
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
