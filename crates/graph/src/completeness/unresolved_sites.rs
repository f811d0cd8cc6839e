//! The set of unresolved sites that could belong to an answer.

use std::sync::Arc;

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

/// What is known of an unresolved site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteDetail {
    reason: Reason,
    /// Whether the request's `include_unresolved` lists it among the results.
    is_listable: bool,
}

/// The unresolved sites of one symbol, in unspecified order.
pub(crate) type SiteList = Arc<[((File, SiteLocation), SiteDetail)]>;

/// Sites that could belong to an answer, each with its smallest reason.
#[derive(Default)]
pub(crate) struct UnresolvedSites {
    sites: FxHashMap<(File, SiteLocation), SiteDetail>,
}

impl UnresolvedSites {
    pub(crate) fn add(&mut self, file: File, location: SiteLocation, reason: Reason) {
        let is_listable = false;
        let detail = SiteDetail {
            reason,
            is_listable,
        };
        self.add_detail((file, location), detail);
    }

    /// Adds a site that the request's `include_unresolved` lists among the results.
    pub(crate) fn add_listable(&mut self, file: File, key: SiteKey, reason: Reason) {
        let is_listable = true;
        let detail = SiteDetail {
            reason,
            is_listable,
        };
        self.add_detail((file, SiteLocation::Key(key)), detail);
    }

    fn add_detail(&mut self, at: (File, SiteLocation), detail: SiteDetail) {
        let known = self.sites.entry(at).or_insert(detail);
        known.reason = known.reason.min(detail.reason);
        known.is_listable |= detail.is_listable;
    }

    pub(crate) fn add_site(&mut self, file: File, site: &UnresolvedSite) {
        self.add(file, SiteLocation::Key(SiteKey::of(site)), site.reason);
    }

    /// Adds the site of a use whose target was chosen by name alone.
    pub(crate) fn add_guess(&mut self, link: Link) {
        if link.resolution == Resolution::Name {
            self.add_listable(link.file, link.key, Reason::UnknownReceiver);
        }
    }

    /// Adds all sites of `others`.
    pub(crate) fn extend(&mut self, others: UnresolvedSites) {
        for (at, detail) in others.sites {
            self.add_detail(at, detail);
        }
    }

    /// Returns the sites as a list, to be kept.
    pub(crate) fn into_list(self) -> SiteList {
        self.sites.into_iter().collect()
    }

    /// Adds the sites of a list.
    pub(crate) fn add_list(&mut self, list: &SiteList) {
        for &(at, detail) in list.iter() {
            self.add_detail(at, detail);
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

    /// Returns the same sites, of which `include_unresolved` lists none.
    pub(crate) fn without_listable(mut self) -> UnresolvedSites {
        for detail in self.sites.values_mut() {
            detail.is_listable = false;
        }
        self
    }

    /// Returns the number of sites.
    pub(crate) fn count(&self) -> u32 {
        self.sites.len() as u32
    }

    /// Returns how many of the sites the request's `include_unresolved` lists among the results.
    pub(crate) fn count_listable(&self) -> u32 {
        let sites = self.sites.values();
        sites.filter(|detail| detail.is_listable).count() as u32
    }

    /// Returns each site with its reason and whether `include_unresolved` lists it, in unspecified order.
    pub(crate) fn details(&self) -> impl Iterator<Item = (File, SiteLocation, Reason, bool)> {
        let sites = self.sites.iter();
        sites.map(|(&(file, location), detail)| (file, location, detail.reason, detail.is_listable))
    }

    /// Returns each site with its reason, in unspecified order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (File, SiteLocation, Reason)> {
        let sites = self.sites.iter();
        sites.map(|(&(file, location), detail)| (file, location, detail.reason))
    }
}
