//! The one function of package reflect whose arguments the flow graph follows, and the nodes that
//! they flow to.

use codeweft_db::{Db, DeclaredIn, FlowNode, SymbolClass, SymbolId};

use crate::units::package_path;

/// Returns whether a function is `reflect.ValueOf`. Its arguments flow to a node of the calling
/// function, beside its parameter.
pub(crate) fn is_reflect_value_of(db: &dyn Db, function: SymbolId) -> bool {
    let key = db.shared().symbols.key(function);
    let names = &db.shared().names;
    key.class == SymbolClass::Function
        && names.text(key.name) == "ValueOf"
        && matches!(key.declared_in, DeclaredIn::Unit(unit) if names.text(package_path(db, unit)) == "reflect")
}

/// Returns the node of the values that escape from a function at the call of this number: at the
/// first call of `reflect.ValueOf` in it, the second, and so on. It is a pseudo-parameter.
pub(super) fn escaped(function: SymbolId, number: u16) -> FlowNode {
    let number = number.min(FlowNode::RECEIVER - 1 - FlowNode::FIRST_PSEUDO);
    FlowNode::Parameter(function, FlowNode::FIRST_PSEUDO + number)
}

/// Returns the function and the number of the call of a node made by [`escaped`].
pub(crate) fn as_escaped(node: FlowNode) -> Option<(SymbolId, u16)> {
    match node {
        FlowNode::Parameter(_, FlowNode::RECEIVER) => None,
        FlowNode::Parameter(function, number) => {
            Some((function, number.checked_sub(FlowNode::FIRST_PSEUDO)?))
        }
        _ => None,
    }
}
