//! Which of several targets a site belongs to: a target may be a pattern, a folder, or a name with
//! several definitions.

use codeweft_db::{File, SymbolId};
use rustc_hash::FxHashMap;

use crate::link::{Link, SiteKey};

/// The targets that each site belongs to, by listed neighbour and site; recorded only for several
/// targets.
#[derive(Default)]
pub(crate) struct TargetsOfSites {
    several: bool,
    of: FxHashMap<(SymbolId, File, SiteKey), Vec<SymbolId>>,
}

impl TargetsOfSites {
    /// Creates an empty record; it stays empty for a single target.
    pub(crate) fn among(targets: &[SymbolId]) -> TargetsOfSites {
        TargetsOfSites {
            several: targets.len() > 1,
            ..TargetsOfSites::default()
        }
    }

    /// Records the neighbours of one target.
    pub(crate) fn record(&mut self, target: SymbolId, found: &[(SymbolId, Vec<Link>)]) {
        if !self.several {
            return;
        }
        for (neighbour, links) in found {
            for link in links {
                self.record_link(target, *neighbour, link);
            }
        }
    }

    /// Records one site of a target.
    pub(crate) fn record_link(&mut self, target: SymbolId, neighbour: SymbolId, link: &Link) {
        if !self.several {
            return;
        }
        let slot = self.of.entry((neighbour, link.file, link.key));
        let targets = slot.or_default();
        if !targets.contains(&target) {
            targets.push(target);
        }
    }

    /// Returns the targets of a neighbour's site; empty for a single target.
    pub(crate) fn of(&self, neighbour: SymbolId, link: &Link) -> &[SymbolId] {
        let known = self.of.get(&(neighbour, link.file, link.key));
        known.map_or(&[], Vec::as_slice)
    }
}
