//! The declarations with sites of unknown target, by the names at these sites.

use codeweft_db::{Db, File, FileUses, NameId, Resolution, Role, SymbolId, Unit, UnresolvedSite};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_graph::memo::package_in;
use crate::query_context::QueryContext;
use crate::reachability::edges::code_around;
use crate::reachability::memo::LiveNode;
use crate::reachability::unresolved::could_use;

/// The sites of unknown target in the workspace.
#[derive(Default)]
pub(super) struct UnresolvedOwners {
    by_name: FxHashMap<NameId, Vec<(LiveNode, File, UnresolvedSite)>>,
    /// Where a target is chosen by its name, and what may hold a symbol without a use of it.
    by_target: FxHashMap<SymbolId, Vec<LiveNode>>,
    /// The declarations with statements that import a symbol.
    importers: FxHashMap<SymbolId, Vec<LiveNode>>,
}

impl UnresolvedOwners {
    /// Reads the sites of some units.
    pub(super) fn read(query: &QueryContext<'_>, units: &[Unit]) -> UnresolvedOwners {
        let found = query.map(units, |languages, db, &unit| {
            let mut found = UnresolvedOwners::default();
            let Some(language) = languages.of(unit.lang(db)) else {
                return found;
            };
            for &file in language.files(db, unit).iter() {
                db.unwind_if_cancelled();
                let uses = language.uses(db, file);
                found.add(db, file, &uses, package_in(language, db, unit, file));
            }
            found
        });
        let mut all = UnresolvedOwners::default();
        for one in found {
            for (name, sites) in one.by_name {
                all.by_name.entry(name).or_default().extend(sites);
            }
            for (target, owners) in one.by_target {
                all.by_target.entry(target).or_default().extend(owners);
            }
            for (target, owners) in one.importers {
                all.importers.entry(target).or_default().extend(owners);
            }
        }
        all
    }

    fn add(&mut self, db: &dyn Db, file: File, uses: &FileUses, package: SymbolId) {
        let owner = |body: u32| {
            let owner = uses.bodies.get(body as usize);
            let owner = owner.map(|&owner| code_around(db, owner, package));
            LiveNode::declared(owner.unwrap_or(package))
        };
        for site in &uses.unresolved {
            let sites = self.by_name.entry(site.name).or_default();
            sites.push((owner(site.body), file, *site));
        }
        for (target, sites) in uses.iter() {
            for one in sites.iter().filter(|one| one.role == Role::Import) {
                let owners = self.importers.entry(target).or_default();
                owners.push(owner(one.body));
            }
            for one in sites
                .iter()
                .filter(|one| one.resolution == Resolution::Name)
            {
                let owners = self.by_target.entry(target).or_default();
                owners.push(owner(one.body));
            }
        }
    }

    /// Notes that a declaration may run a symbol that it does not use: a module what a decorator takes.
    pub(super) fn note_holder(&mut self, symbol: SymbolId, holder: LiveNode) {
        self.by_target.entry(symbol).or_default().push(holder);
    }

    /// Returns the declarations with statements that import a symbol.
    pub(super) fn importers(&self, symbol: SymbolId) -> &[LiveNode] {
        self.importers.get(&symbol).map_or(&[], Vec::as_slice)
    }

    /// Adds the declarations that could use a symbol.
    pub(super) fn add_users(
        &self,
        query: &QueryContext<'_>,
        symbol: SymbolId,
        users: &mut FxHashSet<LiveNode>,
    ) {
        users.extend(self.by_target.get(&symbol).into_iter().flatten());
        let Some(language) = query.language(symbol) else {
            return;
        };
        let kind = query.kind(symbol);
        for name in language.search_names(query.db, symbol) {
            for (owner, file, site) in self.by_name.get(&name).into_iter().flatten() {
                query.poll_cancellation();
                if file.lang(query.db) != language.lang() || users.contains(owner) {
                    continue;
                }
                if could_use(query.db, language, site, (symbol, kind)) {
                    users.insert(*owner);
                }
            }
        }
    }
}
