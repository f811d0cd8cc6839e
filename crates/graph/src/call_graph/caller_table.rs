//! The calls that may run each function, compact, for questions that go back over many of them.
//!
//! Such a question reaches a large part of all functions and lists a hundred. So it goes from number
//! to number, counts sites by bits, and makes links of what is listed alone:
//!
//! ```text
//! nodes     0: a.Run   1: b.main   2: c.Loop          in the order in which they were needed
//! callers   0: (1, site 0) (2, site 1) (2, site 2)    8 bytes for each
//! sites     0: b.go, body 4, token 17   1: …
//! rank      1 0 2                                     by language and id
//! ```
//!
//! The list of a function is [`callers_of`](crate::operations::callers_of) without what fits by name
//! alone. It is made when it is first needed, and the table ends with its revision.

use std::sync::{Arc, Mutex};

use codeweft_db::{File, Lang, Resolution, SymbolId};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::link::{InexactReason, Link, SiteKey};
use crate::memo::locked;

/// The number of a function in the table.
pub(crate) type NodeNumber = u32;

/// A call of a function by a caller: the number of its site, above the bits that say how it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CompactCall {
    /// The caller.
    pub(crate) caller: NodeNumber,
    packed: u32,
}

/// The bits of [`CompactCall`] below the number of the site: two of the resolution, two of the reason,
/// one each for a site in a literal and a call of one.
const DETAIL_BITS: u32 = 6;

impl CompactCall {
    /// Packs a link to `target`; `None` if it does not fit.
    fn new(caller: NodeNumber, site: u32, target: SymbolId, link: &Link) -> Option<CompactCall> {
        let resolution = match link.resolution {
            Resolution::Exact => 0,
            Resolution::Dispatch => 1,
            Resolution::Value => 2,
            Resolution::Name => return None,
        };
        let reason = match link.reason {
            None => 0,
            Some(InexactReason::ClassHierarchy) => 1,
            Some(InexactReason::Flow(to)) if to == target => 2,
            Some(_) => return None,
        };
        let detail = resolution
            | reason << 2
            | u32::from(link.in_literal) << 4
            | u32::from(link.of_literal) << 5;
        let fits = site < 1 << (u32::BITS - DETAIL_BITS) && link.kind.is_none() && !link.direct;
        fits.then_some(CompactCall {
            caller,
            packed: site << DETAIL_BITS | detail,
        })
    }

    /// Returns the number of the call's site.
    pub(crate) fn site(self) -> u32 {
        self.packed >> DETAIL_BITS
    }

    /// Returns whether it runs a function literal made inside its target.
    pub(crate) fn is_of_literal(self) -> bool {
        self.packed >> 5 & 1 == 1
    }

    /// Returns the link to `target` at a site.
    fn link(self, target: SymbolId, (file, key): (File, SiteKey)) -> Link {
        Link {
            resolution: match self.packed & 3 {
                0 => Resolution::Exact,
                1 => Resolution::Dispatch,
                _ => Resolution::Value,
            },
            reason: match self.packed >> 2 & 3 {
                0 => None,
                1 => Some(InexactReason::ClassHierarchy),
                _ => Some(InexactReason::Flow(target)),
            },
            in_literal: self.packed >> 4 & 1 == 1,
            of_literal: self.is_of_literal(),
            ..Link::plain(file, key)
        }
    }
}

/// The callers of one function, by number.
pub(crate) type Callers = Arc<[CompactCall]>;

/// The callers of the functions of one revision.
#[derive(Default)]
pub(crate) struct CallerTable(Mutex<KnownCallers>);

#[derive(Default)]
struct KnownCallers {
    numbers: FxHashMap<SymbolId, NodeNumber>,
    nodes: Vec<Node>,
    /// The sites by their numbers, each with its caller.
    sites: IndexSet<(NodeNumber, File, SiteKey), FxBuildHasher>,
    /// The first so many nodes by language and id.
    order: Vec<NodeNumber>,
    /// The index of each of these nodes in `order`.
    ranks: Vec<u32>,
}

struct Node {
    symbol: SymbolId,
    /// The language and the id; known once it has a rank.
    name: Option<(Option<Lang>, Arc<str>)>,
    callers: Option<Callers>,
}

impl KnownCallers {
    fn number(&mut self, symbol: SymbolId) -> NodeNumber {
        *self.numbers.entry(symbol).or_insert_with(|| {
            self.nodes.push(Node {
                symbol,
                name: None,
                callers: None,
            });
            self.nodes.len() as u32 - 1
        })
    }

    fn site(&mut self, caller: NodeNumber, link: &Link) -> u32 {
        let (number, _) = self.sites.insert_full((caller, link.file, link.key));
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    fn name(&self, node: NodeNumber) -> Option<(Option<Lang>, &str)> {
        let (lang, id) = self.nodes.get(node as usize)?.name.as_ref()?;
        Some((*lang, id))
    }

    /// Returns the sort key of a node with a rank: two declarations never share one.
    fn order_key(&self, node: NodeNumber) -> (Option<(Option<Lang>, &str)>, Option<SymbolId>) {
        let symbol = self.nodes.get(node as usize).map(|node| node.symbol);
        (self.name(node), symbol)
    }

    /// Gives the nodes from `first` on their names, and all nodes with a name their ranks.
    fn rank(&mut self, first: usize, names: Vec<(Option<Lang>, Arc<str>)>) {
        // Another question may have given some of them names meanwhile.
        for (node, name) in self.nodes.iter_mut().skip(first).zip(names) {
            node.name.get_or_insert(name);
        }
        let named = self.nodes.iter().take_while(|node| node.name.is_some());
        let named = named.count();
        let mut new: Vec<NodeNumber> = (self.order.len() as u32..named as u32).collect();
        new.sort_unstable_by(|&a, &b| self.order_key(a).cmp(&self.order_key(b)));
        let mut merged = Vec::with_capacity(named);
        let mut new = new.into_iter().peekable();
        for &old in &self.order {
            while let Some(one) = new.next_if(|&one| self.order_key(one) < self.order_key(old)) {
                merged.push(one);
            }
            merged.push(old);
        }
        merged.extend(new);
        self.ranks.clear();
        self.ranks.resize(merged.len(), 0);
        for (&node, rank) in merged.iter().zip(0..) {
            if let Some(of_node) = self.ranks.get_mut(node as usize) {
                *of_node = rank;
            }
        }
        self.order = merged;
    }
}

impl CallerTable {
    /// Returns the number of a symbol.
    pub(crate) fn number(&self, symbol: SymbolId) -> NodeNumber {
        locked(&self.0).number(symbol)
    }

    /// Returns the symbols of some nodes.
    pub(crate) fn symbols(&self, nodes: &[NodeNumber]) -> Vec<SymbolId> {
        let known = locked(&self.0);
        let nodes = nodes.iter();
        nodes
            .filter_map(|&node| Some(known.nodes.get(node as usize)?.symbol))
            .collect()
    }

    /// Returns those of some functions whose callers are not known.
    pub(crate) fn unknown(&self, nodes: &[NodeNumber]) -> Vec<SymbolId> {
        let known = locked(&self.0);
        let nodes = nodes.iter();
        let nodes = nodes.filter_map(|&node| known.nodes.get(node as usize));
        let unknown = nodes.filter(|node| node.callers.is_none());
        unknown.map(|node| node.symbol).collect()
    }

    /// Returns the callers of a function, which `find` returns if they are not known, with each caller's
    /// calls side by side; `None` if one of the calls cannot be written in the table.
    pub(crate) fn callers(
        &self,
        node: NodeNumber,
        find: impl FnOnce(SymbolId) -> Vec<(SymbolId, Vec<Link>)>,
    ) -> Option<Callers> {
        let symbol = {
            let known = locked(&self.0);
            let node = known.nodes.get(node as usize)?;
            if let Some(callers) = &node.callers {
                return Some(callers.clone());
            }
            node.symbol
        };
        let found = find(symbol);
        let mut known = locked(&self.0);
        let mut calls = Vec::with_capacity(found.iter().map(|(_, links)| links.len()).sum());
        for (caller, links) in found {
            let caller = known.number(caller);
            for link in links {
                let site = known.site(caller, &link);
                calls.push(CompactCall::new(caller, site, symbol, &link)?);
            }
        }
        let callers: Callers = calls.into();
        known.nodes.get_mut(node as usize)?.callers = Some(callers.clone());
        Some(callers)
    }

    /// Passes each call with the file of its site to `visit`.
    pub(crate) fn visit_files(&self, calls: &[CompactCall], mut visit: impl FnMut(u32, File)) {
        let known = locked(&self.0);
        for call in calls {
            if let Some(&(_, file, _)) = known.sites.get_index(call.site() as usize) {
                visit(call.site(), file);
            }
        }
    }

    /// Returns the link of a call of `target`.
    pub(crate) fn link(&self, call: CompactCall, target: NodeNumber) -> Option<Link> {
        let known = locked(&self.0);
        let target = known.nodes.get(target as usize)?.symbol;
        let &(_, file, key) = known.sites.get_index(call.site() as usize)?;
        Some(call.link(target, (file, key)))
    }

    /// Sorts nodes by language and id, as `name` returns them of those that are not named yet.
    pub(crate) fn sort(
        &self,
        nodes: &mut [NodeNumber],
        name: impl Fn(SymbolId) -> (Option<Lang>, Arc<str>),
    ) {
        let (first, unnamed): (usize, Vec<SymbolId>) = {
            let known = locked(&self.0);
            let first = known.order.len();
            let unnamed = known.nodes.iter().skip(first);
            (first, unnamed.map(|node| node.symbol).collect())
        };
        if !unnamed.is_empty() {
            let names = unnamed.into_iter().map(name).collect();
            locked(&self.0).rank(first, names);
        }
        let known = locked(&self.0);
        nodes.sort_unstable_by_key(|&node| known.ranks.get(node as usize).copied());
    }
}
