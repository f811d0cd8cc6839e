//! What calls run besides what they name: by the flow of values where a language follows them, by
//! the class hierarchy elsewhere. Callers and callees are two sides of it.

use std::sync::Arc;

use codeweft_db::{File, FileUses, FlowSite, Reason, Resolution, SymbolClass, SymbolId};

use crate::edges::{CallSites, package_in};
use crate::flow::{Dispatch, FlowCallSite, FlowQueries};
use crate::link::{InexactReason, Link, SiteKey};
use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// Visits what may run where a method is called, with the link of each: `dispatch`, and where
    /// not all values are known, the rest of the class hierarchy by `name`.
    pub(crate) fn may_run(
        &self,
        callee: SymbolId,
        link: Link,
        mut visit: impl FnMut(SymbolId, Link),
    ) {
        let class = self.key(callee).class;
        if class == SymbolClass::Type && !link.direct {
            for made in self.made_below(callee) {
                visit(made, link.dispatched());
            }
        }
        if class != SymbolClass::Method {
            return;
        }
        if link.direct {
            for run in self.runs_behind(callee, &link) {
                visit(run, link.dispatched());
            }
            return;
        }
        let Some((slices, site)) = self.followed(callee, &link) else {
            for &run in self.runs(callee).iter() {
                visit(run, link.dispatched());
            }
            return;
        };
        let found = slices.targets(&site);
        for &target in found.targets.iter().filter(|&&target| target != callee) {
            visit(target, link.flowing(Resolution::Dispatch, target));
        }
        if let Some(reason) = found.unknown {
            for &run in self.runs(callee).iter() {
                if found.targets.binary_search(&run).is_err() {
                    visit(run, link.opened(reason));
                }
            }
        }
    }

    /// Whether a call may run something beside what it names; the flow of values is not asked.
    pub(crate) fn is_followed(&self, callee: SymbolId, link: &Link) -> bool {
        self.followed(callee, link).is_some()
    }

    /// The call of an interface's method, where the flow of values tells what it runs.
    fn followed(&self, callee: SymbolId, link: &Link) -> Option<(FlowQueries<'_>, FlowCallSite)> {
        let SiteKey::Use { body, occ } = link.spot else {
            return None;
        };
        if !self.is_interface_method(callee) {
            return None;
        }
        let slices = self.slices_of(callee)?;
        let site = slices.site(link.file, body, occ)?;
        (site.method == Some(callee)).then_some((slices, site))
    }

    /// The calls that may run a symbol where they name another, or nothing, each with its caller:
    /// `dispatch`, `value`, and by `name` where not all values are known.
    pub(crate) fn indirect_calls(&self, symbol: SymbolId) -> Arc<CallSites> {
        if let Some(calls) = self.caches.indirect_calls.borrow().get(&symbol) {
            return calls.clone();
        }
        let calls: Arc<CallSites> = self.find_indirect_calls(symbol).into();
        let mut known = self.caches.indirect_calls.borrow_mut();
        known.insert(symbol, calls.clone());
        calls
    }

    fn find_indirect_calls(&self, symbol: SymbolId) -> Vec<(SymbolId, Link)> {
        let mut found = self.calls_behind(symbol);
        found.extend(self.makers_above(symbol));
        let slices = self.slices_of(symbol);
        let stands_for = self.stands_for(symbol);
        for &stood in stands_for.iter() {
            for &(caller, link) in self.calls_of(stood).iter() {
                self.look_up();
                if link.direct {
                    continue;
                }
                let site = slices.as_ref().and_then(|slices| {
                    let SiteKey::Use { body, occ } = link.spot else {
                        return None;
                    };
                    let site = slices.site(link.file, body, occ)?;
                    (site.method == Some(stood)).then_some((slices, site))
                });
                let link = match site {
                    None => link.dispatched(),
                    Some((slices, site)) => match slices.dispatch(&site, symbol) {
                        Dispatch::Runs => link.flowing(Resolution::Dispatch, symbol),
                        Dispatch::Unknown(reason) => link.opened(reason),
                        Dispatch::Excluded => continue,
                    },
                };
                found.push((caller, link));
            }
        }
        let Some(slices) = slices else {
            return found;
        };
        for (file, site) in slices.calls_by_value(symbol) {
            if let Some(caller) = self.caller_at(file, site.body) {
                let link = called(file, &site);
                found.push((caller, link.flowing(Resolution::Value, symbol)));
            }
        }
        found
    }

    /// The calls of function values in a file whose callers are kept, with what each may run.
    pub(crate) fn value_calls(
        &self,
        file: File,
        uses: &FileUses,
        keep: impl Fn(SymbolId) -> bool,
        mut visit: impl FnMut(SymbolId, SymbolId, Link),
    ) {
        let lang = file.lang(self.db);
        if uses.flows.iter().all(|flows| flows.sites.is_empty()) {
            return;
        }
        let Some(slices) = self.slices(lang) else {
            return;
        };
        let parts = uses.flows.iter();
        let sites = parts.flat_map(|flows| flows.sites.iter());
        for site in sites.filter(|site| site.method.is_none()) {
            let Some(caller) = self
                .caller_at(file, site.body)
                .filter(|&caller| keep(caller))
            else {
                continue;
            };
            let Some(found) = slices.site(file, site.body, site.occ) else {
                continue;
            };
            let link = called(file, site);
            for target in slices.targets(&found).targets {
                visit(caller, target, link.flowing(Resolution::Value, target));
            }
        }
    }

    /// Why a call of a function value may run more than is known; `None` where it does not, and
    /// the first reason where nobody follows it.
    pub(crate) fn open_value(
        &self,
        file: File,
        body: u32,
        occ: u32,
        first: Reason,
    ) -> Option<Reason> {
        let slices = self.slices(file.lang(self.db));
        let site = slices
            .as_ref()
            .and_then(|slices| slices.site(file, body, occ));
        match slices.zip(site) {
            Some((slices, site)) if site.method.is_none() => slices.unknown(&site),
            _ => Some(first),
        }
    }

    /// Why a call of an interface's method may run more than is known.
    pub(crate) fn open_dispatch(&self, callee: SymbolId, link: &Link) -> Option<Reason> {
        let (slices, site) = self.followed(callee, link)?;
        slices.unknown(&site)
    }

    /// The chain of values that leads to a link, where one does.
    pub(crate) fn chain(&self, link: &Link) -> Option<String> {
        let (Some(InexactReason::Flow(target)), SiteKey::Use { body, occ }) = (link.why, link.spot)
        else {
            return None;
        };
        let slices = self.slices(link.file.lang(self.db))?;
        let site = slices.site(link.file, body, occ)?;
        slices.reason(&site, target)
    }

    /// Who makes a call in a body of a file: the function around it, else the package.
    fn caller_at(&self, file: File, body: u32) -> Option<SymbolId> {
        let language = self.languages.of(file.lang(self.db))?;
        let uses = language.uses(self.db, file);
        if let Some(&caller) = uses.bodies.get(body as usize) {
            return Some(caller);
        }
        let unit = self.owner(file)?;
        Some(package_in(language, self.db, unit, file))
    }
}

/// The link of a call through a place.
fn called(file: File, site: &FlowSite) -> Link {
    let spot = SiteKey::Use {
        body: site.body,
        occ: site.occ,
    };
    Link {
        in_literal: site.in_literal,
        ..Link::plain(file, spot)
    }
}

impl Link {
    /// The same use, as a call of what a value brings there.
    fn flowing(self, resolution: Resolution, target: SymbolId) -> Link {
        Link {
            resolution: self.resolution.max(resolution),
            why: Some(InexactReason::Flow(target)),
            ..self
        }
    }

    /// The same use, as a call that may run anything that it could name.
    fn opened(self, reason: Reason) -> Link {
        Link {
            resolution: Resolution::Name,
            why: Some(InexactReason::Open(reason)),
            ..self
        }
    }
}
