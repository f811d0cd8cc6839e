//! What the flow graph asks of Go: what places can hold, what runs on a value, what generic places
//! are in instances.

use codeweft_db::{Db, FlowInstantiated, FlowPlace, FlowTarget, FlowValue, SymbolId};
use smallvec::SmallVec;

/// Whether a place of a type can hold a value (Go spec, Assignability).
pub fn passes(_db: &dyn Db, _value: FlowValue, _through: u32) -> bool {
    true
}

/// What runs where an interface's method is called on a value of a type (Go spec, Method sets).
pub fn runs(_db: &dyn Db, _ty: u32, _method: SymbolId) -> Option<FlowTarget> {
    None
}

/// The owners of the type parameters in what a place is keyed by.
pub fn owners(_db: &dyn Db, _place: FlowPlace) -> SmallVec<[SymbolId; 2]> {
    SmallVec::new()
}

/// What a place of generic code is in an instance (Go spec, Instantiations).
pub fn instantiate(
    _db: &dyn Db,
    _place: FlowPlace,
    _owner: SymbolId,
    _args: &[u32],
) -> FlowInstantiated {
    FlowInstantiated::Nothing
}
