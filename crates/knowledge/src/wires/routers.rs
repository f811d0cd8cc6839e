//! What the routes of a router begin with: prefixes of groups, and the routers that it is mounted on.

use codeweft_db::{Db as _, DeclaredIn, SymbolId, UnitGraph, WireValue};
use rustc_hash::FxHashMap;

use super::arguments::CallSite;
use super::facts::Composer;
use super::text::{Part, Text, below};
use super::value::{Abstract, Site};
use crate::recognisers::{Argument, One};

/// The most ways to a router; of more, the first count.
const MAX_WAYS: usize = 32;

/// A router that another is mounted on.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mounted {
    pub(super) on: Option<Site>,
    pub(super) prefixes: Vec<Text>,
    pub(super) replaces: bool,
}

/// The mounts of a program, by what is mounted.
pub(super) type Mounts = FxHashMap<Site, Vec<Mounted>>;

impl Composer<'_> {
    /// Returns the objects that a row means by an argument: routers, routes.
    pub(super) fn sites(&self, site: &CallSite, spec: &Argument) -> Vec<Site> {
        let file = site.file();
        for one in &spec.0 {
            match one {
                One::Module => {
                    let module = self.module_around(file).map(Site::Module);
                    return module.into_iter().collect();
                }
                One::Result => return vec![Site::Call(site.at)],
                _ => {}
            }
        }
        let mut sites = Vec::new();
        for value in self.arguments(site, spec) {
            for of in self.evaluate(file, value, &site.frame).iter() {
                self.add_sites(&mut sites, of, 4);
            }
        }
        sites
    }

    /// Adds the object that a value is, or those that are its elements.
    fn add_sites(&self, sites: &mut Vec<Site>, of: &Abstract, left: u32) {
        if let (Abstract::Written(file, value, frame), 1..) = (of, left)
            && let WireValue::List(elements) = self.value(*file, *value)
        {
            for &element in &elements {
                for of in self.evaluate(*file, element, frame).iter() {
                    self.add_sites(sites, of, left - 1);
                }
            }
            return;
        }
        if let Some(site) = of.site()
            && !sites.contains(&site)
        {
            sites.push(site);
        }
    }

    /// Returns the module, or the package, of a file.
    fn module_around(&self, file: u32) -> Option<SymbolId> {
        let source = self.file(file)?;
        source.language.module(self.db, source.file).or_else(|| {
            let unit = *UnitGraph::try_get(self.db)?
                .owners(self.db)
                .get(&source.file)?;
            let package = source.language.package(self.db, unit);
            let key = self.db.shared().symbols.key(package);
            matches!(key.declared_in, DeclaredIn::Unit(_)).then_some(package)
        })
    }

    /// Returns whether an object is a router by the row of the call that makes it, or a module.
    pub(super) fn is_router(&self, site: Site) -> bool {
        match site {
            Site::Call(at) => self
                .matches(at)
                .iter()
                .any(|of| self.row(*of).is_some_and(|row| row.router.is_some())),
            Site::Module(_) => true,
            Site::Parameter(..) | Site::Variable(_) | Site::Value(..) => false,
        }
    }

    /// Returns what the routes of an object begin with, a text for each way to it from a root.
    pub(super) fn ways(&self, site: Site, mounts: &Mounts) -> Vec<Text> {
        self.ways_to(site, mounts, &mut Vec::new())
    }

    fn ways_to(&self, site: Site, mounts: &Mounts, around: &mut Vec<Site>) -> Vec<Text> {
        if around.contains(&site) || around.len() > MAX_WAYS {
            return Vec::new();
        }
        around.push(site);
        let (own, parents) = self.own_prefixes(site);
        let mut all: Vec<Text> = Vec::new();
        let mut add = |text: Text| {
            if all.len() < MAX_WAYS && !all.contains(&text) {
                all.push(text);
            }
        };
        for mounted in mounts.get(&site).into_iter().flatten() {
            let file = own.first().map_or(0, |text| text.file);
            let before = match mounted.on {
                Some(on) => self.ways_to(on, mounts, around),
                None => vec![empty(file)],
            };
            for way in &before {
                for prefix in &mounted.prefixes {
                    let way = below(way, prefix);
                    if mounted.replaces && !prefix.parts.is_empty() {
                        add(way);
                        continue;
                    }
                    for own in &own {
                        add(below(&way, own));
                    }
                }
            }
        }
        match parents {
            Some(parents) => {
                for parent in parents {
                    for way in self.ways_to(parent, mounts, around) {
                        for own in &own {
                            add(below(&way, own));
                        }
                    }
                }
            }
            None if !mounts.contains_key(&site) => own.iter().cloned().for_each(&mut add),
            None => {}
        }
        around.pop();
        all
    }

    /// Returns what an object's routes begin with by its own row, and the routers that it is below; `None` for a root.
    fn own_prefixes(&self, site: Site) -> (Vec<Text>, Option<Vec<Site>>) {
        let Site::Call(at) = site else {
            return (vec![empty(0)], None);
        };
        let Some(site) = self.site(at) else {
            return (vec![empty(at.0)], None);
        };
        for of in self.matches(at).iter() {
            let Some(router) = self.row(*of).and_then(|row| row.router.as_ref()) else {
                continue;
            };
            let texts = self.prefixes(&site, router.prefix.as_ref());
            let parents = router.from.as_ref().map(|from| self.sites(&site, from));
            // A group of something that is not known: what is before it is not known either.
            if parents.as_ref().is_some_and(Vec::is_empty) {
                let hole = Text::of(Part::Hole, at.0);
                let texts = texts.iter().map(|text| hole.with(text)).collect();
                return (texts, None);
            }
            return (texts, parents);
        }
        (vec![empty(at.0)], None)
    }
}

/// Returns the empty text.
pub(super) fn empty(file: u32) -> Text {
    Text::literal("", file)
}
