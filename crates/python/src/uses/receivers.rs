//! Distinguishes receivers whose class is certain from the expression alone from receivers whose
//! class is only declared.
//!
//! ```python
//! def f(repo: Repo):
//!     Repo().save()      # certain: constructed here
//!     repo.save()        # declared: any caller may pass another class
//! ```

use codeweft_db::SymbolClass;
use codeweft_python_syntax::{Node, NodeId};

use crate::infer::{Frame, attribute};
use crate::values::{Shape, shape};

/// The maximum number of steps that an expression is followed.
const MAX_STEPS: u32 = 8;

/// Returns whether the value of a node is certain where it is: the receiver of the method, a
/// declared class, function or module, a display or literal, a call of a declared class, or several
/// of these. Everything else is only declared: annotations have no runtime semantics (Python
/// reference, "Annotations"), and any code may store another object in an attribute or a module
/// variable.
pub(super) fn is_fixed(frame: &Frame<'_>, node: NodeId) -> bool {
    follow_expression(frame, node, MAX_STEPS)
}

fn follow_expression(frame: &Frame<'_>, node: NodeId, left: u32) -> bool {
    let Some(left) = left.checked_sub(1) else {
        return false;
    };
    let db = frame.db;
    // The receiver itself, also through a local or captured variable.
    let values = frame.node(node);
    let is_own = |one| {
        matches!(
            shape(db, one),
            Shape::Receiver(_) | Shape::ReceiverClass(_) | Shape::Super { .. } | Shape::Module(_)
        )
    };
    if !values.is_unknown() && !values.is_none() && values.iter().all(is_own) {
        return true;
    }
    let is_declared = |symbol| {
        !matches!(
            db.shared().symbols.key(symbol).class,
            SymbolClass::Variable | SymbolClass::Field
        )
    };
    match frame.kind(node) {
        Node::Constant(_)
        | Node::Str(_)
        | Node::Tuple(_)
        | Node::List(_)
        | Node::Set(_)
        | Node::Dict(_)
        | Node::Generator(_)
        | Node::Format(_)
        | Node::Slice
        | Node::Compare { .. }
        | Node::Item(_)
        | Node::ClassCell(_) => true,
        Node::Import { .. } => values.iter().any(|one| {
            matches!(
                shape(db, one),
                Shape::Class(_) | Shape::Function(_) | Shape::Module(_)
            )
        }),
        Node::Global(name) => {
            let module = frame.symbols.first().copied();
            match module.and_then(|module| frame.resolve(module, name)) {
                Some(symbol) => is_declared(symbol),
                // A builtin.
                None => !values.is_unknown(),
            }
        }
        Node::Free { scope, name } => {
            let scope = frame.symbols.get(scope as usize).copied();
            let symbol = scope.and_then(|scope| frame.resolve(scope, name));
            symbol.is_some_and(is_declared)
        }
        Node::Call(call) => {
            let Some(call) = frame.code.calls.get(call as usize) else {
                return false;
            };
            let callee = frame.node(call.callee);
            let is_class = |one| matches!(shape(db, one), Shape::Class(_));
            !callee.is_unknown()
                && !callee.is_none()
                && callee.iter().all(is_class)
                && follow_expression(frame, call.callee, left)
        }
        Node::Attr { base, name } => frame.node(base).iter().all(|one| {
            matches!(shape(db, one), Shape::Module(_))
                && attribute(frame, one, name).symbol.is_some_and(is_declared)
        }),
        Node::Union(list) | Node::Phi(list) => {
            let mut operands = frame.code.list(list).iter();
            operands.all(|&operand| follow_expression(frame, operand, left))
        }
        Node::NotNone { value, .. } => follow_expression(frame, value, left),
        Node::Narrow { value, holds, .. } => holds || follow_expression(frame, value, left),
        _ => false,
    }
}
