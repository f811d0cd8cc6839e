//! Calls of function literals, which an answer counts apart.
//!
//! A call of a literal runs code inside the function that made the literal, but does not call that
//! function. Its own code is what `impact` and `path` follow; `callers` and `callees` hide it:
//!
//! ```go
//! func stopper() func() { return func() {} }
//! func main()           { stop := stopper(); stop() }   // one call of stopper, one of its literal
//! ```

use codeweft_db::SymbolId;
use rustc_hash::FxHashSet;

use crate::answer::GraphRequest;
use crate::link::Link;

/// The calls of literals that an answer hides.
#[derive(Default)]
pub(crate) struct LiteralCalls {
    /// Whether they are listed, so that none is hidden.
    listed: bool,
    /// The number of hidden sites.
    sites: u32,
    /// The neighbours with such a site.
    neighbours: FxHashSet<SymbolId>,
}

impl LiteralCalls {
    /// Creates an empty record for a request.
    pub(super) fn of(request: &GraphRequest) -> LiteralCalls {
        LiteralCalls::hiding(!request.include_literal_calls)
    }

    /// Creates an empty record that hides the calls of literals, or none.
    pub(crate) fn hiding(hides: bool) -> LiteralCalls {
        LiteralCalls {
            listed: !hides,
            ..LiteralCalls::default()
        }
    }

    /// Returns whether calls of literals are listed.
    pub(super) fn are_listed(&self) -> bool {
        self.listed
    }

    /// Counts hidden sites of a neighbour.
    pub(super) fn add(&mut self, neighbour: SymbolId, sites: usize) {
        self.sites += sites as u32;
        self.neighbours.insert(neighbour);
    }

    /// Takes the calls of literals out of the neighbours of a node, unless they are listed.
    pub(crate) fn hide(&mut self, found: &mut Vec<(SymbolId, Vec<Link>)>) {
        if self.listed {
            return;
        }
        for (neighbour, links) in found.iter_mut() {
            let before = links.len();
            links.retain(|link| !link.of_literal);
            let hidden = before - links.len();
            if hidden > 0 {
                self.add(*neighbour, hidden);
            }
        }
        found.retain(|(_, links)| !links.is_empty());
    }

    /// Returns the number of hidden sites, and of neighbours that are not among those that are listed.
    pub(crate) fn hidden(&self, listed: impl Iterator<Item = SymbolId>) -> (u32, u32) {
        let mut hidden = self.neighbours.clone();
        if !hidden.is_empty() {
            for symbol in listed {
                hidden.remove(&symbol);
            }
        }
        (self.sites, hidden.len() as u32)
    }
}
