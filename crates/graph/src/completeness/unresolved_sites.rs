//! The set of unresolved sites that could belong to an answer.

use codeweft_db::{File, Reason, Resolution, UnresolvedSite};
use rustc_hash::FxHashMap;

use crate::link::{Link, SiteKey};

/// The position of an unresolved site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum SiteLocation {
    /// A 1-based line and column.
    Line(u32, u32),
    /// A position that does not depend on byte offsets.
    Key(SiteKey),
}

/// Sites that could belong to an answer, each with its smallest reason.
#[derive(Default)]
pub(crate) struct UnresolvedSites {
    sites: FxHashMap<(File, SiteLocation), Reason>,
}

impl UnresolvedSites {
    pub(crate) fn add(&mut self, file: File, location: SiteLocation, reason: Reason) {
        self.sites
            .entry((file, location))
            .and_modify(|known| *known = (*known).min(reason))
            .or_insert(reason);
    }

    pub(crate) fn add_site(&mut self, file: File, site: &UnresolvedSite) {
        let key = SiteKey::Use {
            body: site.body,
            occ: site.occ,
        };
        self.add(file, SiteLocation::Key(key), site.reason);
    }

    /// Adds the site of a use whose target was chosen by name alone.
    pub(crate) fn add_guess(&mut self, link: Link) {
        if link.resolution == Resolution::Name {
            self.add(
                link.file,
                SiteLocation::Key(link.key),
                Reason::UnknownReceiver,
            );
        }
    }

    /// Adds all sites of `others`.
    pub(crate) fn extend(&mut self, others: UnresolvedSites) {
        for ((file, location), reason) in others.sites {
            self.add(file, location, reason);
        }
    }

    /// Adds sites by their byte offsets.
    pub(crate) fn add_offsets(&mut self, offsets: Vec<(File, u32, Reason)>) {
        self.sites.reserve(offsets.len());
        for (file, offset, reason) in offsets {
            self.add(file, SiteLocation::Key(SiteKey::Offset(offset)), reason);
        }
    }

    pub(crate) fn add_line(&mut self, file: File, line: u32, column: u32, reason: Reason) {
        self.add(file, SiteLocation::Line(line, column), reason);
    }

    /// Returns the number of sites.
    pub(crate) fn count(&self) -> u32 {
        self.sites.len() as u32
    }

    /// Returns each site with its reason, in unspecified order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (File, SiteLocation, Reason)> {
        let sites = self.sites.iter();
        sites.map(|(&(file, location), &reason)| (file, location, reason))
    }
}
