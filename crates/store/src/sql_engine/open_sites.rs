//! The sites that could still belong to an answer.

use codeweft_db::OutsideCaller;
use codeweft_graph::export::OpenKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::Found;
use super::links::Position;
use super::rows::{Rows, Sid};
use super::statements;
use crate::sqlite::{open_kind_code, packed_numbers};

/// The number of the reason of sites in files that the build configuration leaves out: no row has one.
pub(super) const EXCLUDED: u16 = u16::MAX;

/// What is known of a site.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSite {
    /// The number of the reason.
    pub(super) reason: u16,
    /// Whether `include_unresolved` of a request would list it.
    pub(super) is_listable: bool,
}

/// Sites that could belong to an answer, each with its first reason. Several may be at one position.
#[derive(Default)]
pub(super) struct OpenSites {
    sites: FxHashMap<(Position, u8), OpenSite>,
    sets: FxHashSet<u32>,
}

impl OpenSites {
    /// Adds the sites that could add to an answer about a symbol.
    pub(super) fn add(&mut self, rows: &Rows<'_>, symbol: Sid, kind: OpenKind) -> Found<()> {
        let set = match (set_of(rows, symbol, kind)?, kind) {
            (Some(set), _) => Some(set),
            (None, OpenKind::CallersOfLiterals) => set_of(rows, symbol, OpenKind::Callers)?,
            (None, _) => None,
        };
        let Some(set) = set else {
            return Ok(());
        };
        if !self.sets.insert(set) {
            return Ok(());
        }
        let sites = &mut self.sites;
        rows.each(
            statements::OPEN_SITES,
            [set],
            |row| {
                let position = Position {
                    file: row.get(0)?,
                    line: row.get(1)?,
                    column: row.get(2)?,
                };
                let flags: u8 = row.get(4)?;
                let site = OpenSite {
                    reason: row.get(3)?,
                    is_listable: flags & 1 != 0,
                };
                Ok(((position, flags >> 1), site))
            },
            &mut |(position, site)| {
                let known = sites.entry(position).or_insert(site);
                if rows.reason_rank(site.reason) < rows.reason_rank(known.reason) {
                    known.reason = site.reason;
                }
                known.is_listable |= site.is_listable;
            },
        )?;
        let read = |row: &rusqlite::Row<'_>| row.get::<_, Vec<u8>>(0);
        let Some(packed) = rows.first(statements::OPEN_MENTIONS, [set], read)? else {
            return Ok(());
        };
        let mention = OpenSite {
            reason: EXCLUDED,
            is_listable: false,
        };
        let mut numbers = packed_numbers(&packed);
        let mut file = 0_u32;
        while let (Some(step), Some(line), Some(column)) =
            (numbers.next(), numbers.next(), numbers.next())
        {
            file = file.saturating_add(step);
            let position = Position { file, line, column };
            self.sites.entry((position, 0)).or_insert(mention);
        }
        Ok(())
    }

    /// Adds the sites of several symbols.
    pub(super) fn add_all(
        &mut self,
        rows: &Rows<'_>,
        symbols: impl IntoIterator<Item = Sid>,
        kind: OpenKind,
    ) -> Found<()> {
        for symbol in symbols {
            self.add(rows, symbol, kind)?;
        }
        Ok(())
    }

    /// Returns the same sites, of which `include_unresolved` lists none.
    pub(super) fn without_listable(mut self) -> OpenSites {
        for site in self.sites.values_mut() {
            site.is_listable = false;
        }
        self
    }

    /// Adds all sites of `others`.
    pub(super) fn extend(&mut self, rows: &Rows<'_>, others: OpenSites) {
        for (position, site) in others.sites {
            let known = self.sites.entry(position).or_insert(site);
            if rows.reason_rank(site.reason) < rows.reason_rank(known.reason) {
                known.reason = site.reason;
            }
            known.is_listable |= site.is_listable;
        }
    }

    /// Returns the number of sites.
    pub(super) fn count(&self) -> u32 {
        self.sites.len() as u32
    }

    /// Returns how many of the sites `include_unresolved` would list.
    pub(super) fn count_listable(&self) -> u32 {
        self.sites.values().filter(|site| site.is_listable).count() as u32
    }

    /// Returns each site, in unspecified order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Position, OpenSite)> + '_ {
        self.sites
            .iter()
            .map(|(&(position, _), &site)| (position, site))
    }
}

/// Returns the number of the set of sites that could add to an answer about a symbol.
fn set_of(rows: &Rows<'_>, symbol: Sid, kind: OpenKind) -> Found<Option<u32>> {
    let read = |row: &rusqlite::Row<'_>| row.get::<_, u32>(0);
    rows.first(statements::OPEN_SET, (symbol, open_kind_code(kind)), read)
}

/// Returns whether something calls a symbol without a site.
pub(super) fn has_caller_outside(
    rows: &Rows<'_>,
    symbol: Sid,
    caller: OutsideCaller,
) -> Found<bool> {
    Ok(set_of(rows, symbol, OpenKind::Outside(caller))?.is_some())
}

/// Returns whether code of libraries uses a symbol, which the file does not have.
pub(super) fn is_used_by_libraries(rows: &Rows<'_>, symbol: Sid) -> Found<bool> {
    Ok(set_of(rows, symbol, OpenKind::UsedByLibraries)?.is_some())
}
