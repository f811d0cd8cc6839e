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

use codeweft_syntax::go::Code;
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
    /// The ways in which values of defined types are followed.
    pub kinds: FxHashMap<Ty, FlowKind>,
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
