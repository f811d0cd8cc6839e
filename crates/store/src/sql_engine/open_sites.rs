//! The sites that could still belong to an answer.

use codeweft_graph::export::OpenKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::Found;
use super::links::Place;
use super::rows::{Rows, Sid};
use super::statements;
use crate::sqlite::open_kind_code;

/// What is known of a site.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSite {
    /// The number of the reason.
    pub(super) reason: u16,
    /// Whether `include_unresolved` of a request would list it.
    pub(super) is_listable: bool,
}

/// Sites that could belong to an answer, each with its first reason.
#[derive(Default)]
pub(super) struct OpenSites {
    sites: FxHashMap<Place, OpenSite>,
    sets: FxHashSet<u32>,
}

impl OpenSites {
    /// Adds the sites that could add to an answer about a symbol.
    pub(super) fn add(&mut self, rows: &Rows<'_>, symbol: Sid, kind: OpenKind) -> Found<()> {
        let kind = open_kind_code(kind);
        let read = |row: &rusqlite::Row<'_>| row.get::<_, u32>(0);
        let Some(set) = rows.first(statements::OPEN_SET, (symbol, kind), read)? else {
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
                let place = Place {
                    file: row.get(0)?,
                    line: row.get(1)?,
                    column: row.get(2)?,
                };
                let (reason, is_listable) = (row.get(3)?, row.get(4)?);
                let site = OpenSite {
                    reason,
                    is_listable,
                };
                Ok((place, site))
            },
            &mut |(place, site)| {
                let known = sites.entry(place).or_insert(site);
                if rows.reason_rank(site.reason) < rows.reason_rank(known.reason) {
                    known.reason = site.reason;
                }
                known.is_listable |= site.is_listable;
            },
        )
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
        for (place, site) in others.sites {
            let known = self.sites.entry(place).or_insert(site);
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
    pub(super) fn iter(&self) -> impl Iterator<Item = (Place, OpenSite)> + '_ {
        self.sites.iter().map(|(&place, &site)| (place, site))
    }
}

/// Returns whether code of libraries uses a symbol, which the file does not have.
pub(super) fn is_used_by_libraries(rows: &Rows<'_>, symbol: Sid) -> Found<bool> {
    let kind = open_kind_code(OpenKind::UsedByLibraries);
    let read = |row: &rusqlite::Row<'_>| row.get::<_, u32>(0);
    let found = rows.first(statements::OPEN_SET, (symbol, kind), read)?;
    Ok(found.is_some())
}
