//! Receivers whose class the text alone fixes, and receivers that some other text only promises.

use codeweft_db::SymbolClass;
use codeweft_syntax::python::{Node, NodeId};

use crate::infer::{Frame, attribute};
use crate::values::{Shape, shape};

/// How far an expression is followed.
const MOST_STEPS: u32 = 8;

/// Whether what a node evaluates to is fixed where it stands: the object that a method runs on, a
/// declared class, function or module, a display or literal, an object made by calling a declared
/// class, any of these along several paths. Everything else is promised: an annotation holds for
/// no one (Python reference, Annotations: "no runtime semantics"), and any text may store another
/// object in an attribute or a variable of a module.
pub(super) fn is_fixed(frame: &Frame<'_>, node: NodeId) -> bool {
    follow(frame, node, MOST_STEPS)
}

fn follow(frame: &Frame<'_>, node: NodeId, left: u32) -> bool {
    let Some(left) = left.checked_sub(1) else {
        return false;
    };
    let db = frame.db;
    // The receiver itself, also where a local name or a closure has it.
    let values = frame.node(node);
    let is_own = |one| {
        matches!(
            shape(db, one),
            Shape::Me(_) | Shape::MyClass(_) | Shape::Super { .. } | Shape::Module(_)
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
            match module.and_then(|module| frame.denoted(module, name)) {
                Some(symbol) => is_declared(symbol),
                // A builtin.
                None => !values.is_unknown(),
            }
        }
        Node::Free { scope, name } => {
            let scope = frame.symbols.get(scope as usize).copied();
            let symbol = scope.and_then(|scope| frame.denoted(scope, name));
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
                && follow(frame, call.callee, left)
        }
        Node::Attr { base, name } => frame.node(base).iter().all(|one| {
            matches!(shape(db, one), Shape::Module(_))
                && attribute(frame, one, name).symbol.is_some_and(is_declared)
        }),
        Node::Union(list) | Node::Phi(list) => {
            let mut operands = frame.code.list(list).iter();
            operands.all(|&operand| follow(frame, operand, left))
        }
        Node::NotNone { value, .. } => follow(frame, value, left),
        Node::Narrow { value, holds, .. } => holds || follow(frame, value, left),
        _ => false,
    }
}
