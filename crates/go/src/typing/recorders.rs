//! The recorders of a walk, for uses and for value flow.
//!
//! The checker determines types and targets; a recorder turns them into rows. Each is a view of the
//! walk's state that is made where something is recorded:
//!
//! ```text
//! Checker ── uses()  -> UseRecorder     uses, unresolved sites, conversions, probes    recorders of
//!         ├─ flows() -> FlowRecorder    edges, sources and sites of the flow graph     one UseRecord
//!         └─ lookup() -> TypeLookup     what both need to know of types
//! ```

use codeweft_db::{FlowEdge, FlowNode, FlowRole, FlowSite, FlowSource, FlowValue, SymbolId};
use codeweft_go_syntax::{Code, Tok};
use rustc_hash::FxHashMap;

use super::context::FileContext;
use super::lookup::TypeLookup;
use super::origin::FlowKind;
use super::record::UseRecord;
use super::scopes::Scopes;
use crate::types::Ty;

/// The state of both recorders between what they record.
#[derive(Default)]
pub(super) struct Recording {
    /// What was found so far; `None` where nothing is recorded.
    pub record: Option<UseRecord>,
    /// Whether value flow is recorded.
    pub follows: bool,
    /// The number of the fragment's next local node.
    pub next_local: u32,
    /// How values of defined types are followed.
    pub kinds: FxHashMap<Ty, FlowKind>,
}

impl Recording {
    /// Returns a new local node of the fragment.
    pub fn fresh_node(&mut self) -> FlowNode {
        let node = FlowNode::Local(self.next_local);
        self.next_local += 1;
        node
    }

    /// Adds an edge between two nodes.
    pub fn edge(&mut self, from: FlowNode, to: FlowNode, pass: u32) {
        if from != to
            && let Some(record) = &mut self.record
        {
            record.flows.edges.push(FlowEdge { from, to, pass });
        }
    }

    /// Adds a value that starts to flow at a token; without one, at the first of the body.
    pub fn source(&mut self, value: FlowValue, to: FlowNode, tok: Option<Tok>, role: FlowRole) {
        if let Some(record) = &mut self.record {
            let occ = tok.map_or(0, |tok| tok.wrapping_sub(record.first));
            record.flows.sources.push(FlowSource {
                value,
                to,
                body: record.body,
                occ,
                role,
            });
        }
    }

    /// Adds a call through a node, at a token.
    pub fn site(&mut self, tok: Tok, at: FlowNode, method: Option<SymbolId>, in_literal: bool) {
        if let Some(record) = &mut self.record {
            record.flows.sites.push(FlowSite {
                body: record.body,
                occ: tok.wrapping_sub(record.first),
                at,
                method,
                in_literal,
                is_exact: false,
            });
        }
    }
}

/// A recorder of uses, unresolved sites, conversions to interfaces, and the entity at a probed
/// token.
pub(crate) struct UseRecorder<'c, 'a> {
    pub(super) cx: &'c FileContext<'a>,
    pub(super) scopes: &'c Scopes,
    pub(super) code: &'a Code,
    pub(super) in_items: bool,
    pub(super) recording: &'c mut Recording,
}

/// A recorder of value flow.
pub(crate) struct FlowRecorder<'c, 'a> {
    pub(super) cx: &'c FileContext<'a>,
    pub(super) scopes: &'c mut Scopes,
    pub(super) code: &'a Code,
    pub(super) recording: &'c mut Recording,
}

impl<'a> UseRecorder<'_, 'a> {
    /// Returns the lookups of types at this point of the walk.
    pub(super) fn lookup(&self) -> TypeLookup<'_, 'a> {
        TypeLookup {
            cx: self.cx,
            scopes: self.scopes,
        }
    }
}

impl<'a> FlowRecorder<'_, 'a> {
    /// Returns the lookups of types at this point of the walk.
    pub(super) fn lookup(&self) -> TypeLookup<'_, 'a> {
        TypeLookup {
            cx: self.cx,
            scopes: self.scopes,
        }
    }
}
