//! Finds the names that parts of statements bind (Python reference, Binding of names).

use super::flat::{Flat, FlatIndex};
use super::kinds::{NodeField, PythonKind};

/// Collects the names that a target binds; attributes and subscripts bind none.
pub(super) fn target_names(flat: &Flat, at: FlatIndex, into: &mut Vec<FlatIndex>) {
    let mut at = at;
    let end = flat.node(at).next;
    while at < end {
        let node = flat.node(at);
        match node.kind {
            PythonKind::Identifier => into.push(at),
            PythonKind::PatternList
            | PythonKind::TuplePattern
            | PythonKind::ListPattern
            | PythonKind::SplatPattern
            | PythonKind::ExpressionList
            | PythonKind::Tuple
            | PythonKind::List
            | PythonKind::Paren
            | PythonKind::ListSplat
            | PythonKind::AsTarget
            | PythonKind::Type
            | PythonKind::Error => {
                at += 1;
                continue;
            }
            _ => {}
        }
        at = node.next;
    }
}

/// Returns whether a dotted name in a pattern captures: it has one part and is neither a class nor
/// a key (Python reference, The match statement, Capture Patterns).
pub(super) fn is_capture(flat: &Flat, at: FlatIndex) -> bool {
    let node = flat.node(at);
    node.next == at + 2
        && flat.kind(at + 1) == PythonKind::Identifier
        && node.field != NodeField::Key
        && flat.kind(at - 1) != PythonKind::ClassPattern
}

/// Returns the name of `… as x` and `*x` in a pattern.
pub(super) fn captured_last(flat: &Flat, at: FlatIndex) -> Option<FlatIndex> {
    flat.children(at)
        .filter(|&part| flat.kind(part) == PythonKind::Identifier)
        .last()
}

/// Returns the name of a PEP 695 type parameter.
pub(super) fn type_param_name(flat: &Flat, param: FlatIndex) -> Option<FlatIndex> {
    (param..flat.node(param).next).find(|&at| flat.kind(at) == PythonKind::Identifier)
}

/// Returns the name that `type X[T] = …` binds.
pub(super) fn alias_name(flat: &Flat, at: FlatIndex) -> Option<FlatIndex> {
    let left = flat.field(at, NodeField::Left)?;
    (left..flat.node(left).next).find(|&at| flat.kind(at) == PythonKind::Identifier)
}
