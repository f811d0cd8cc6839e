//! The names that parts of statements bind (Python reference, Binding of names).

use super::flat::{At, Flat};
use super::kinds::{Field, Kind};

/// The names that a target binds; attributes and subscripts bind none.
pub(super) fn target_names(flat: &Flat, at: At, into: &mut Vec<At>) {
    let mut at = at;
    let end = flat.node(at).next;
    while at < end {
        let node = flat.node(at);
        match node.kind {
            Kind::Identifier => into.push(at),
            Kind::PatternList
            | Kind::TuplePattern
            | Kind::ListPattern
            | Kind::SplatPattern
            | Kind::ExpressionList
            | Kind::Tuple
            | Kind::List
            | Kind::Paren
            | Kind::ListSplat
            | Kind::AsTarget
            | Kind::Type
            | Kind::Error => {
                at += 1;
                continue;
            }
            _ => {}
        }
        at = node.next;
    }
}

/// Whether a dotted name in a pattern captures: it has one part and is no class and no key
/// (Python reference, The match statement, Capture Patterns).
pub(super) fn is_capture(flat: &Flat, at: At) -> bool {
    let node = flat.node(at);
    node.next == at + 2
        && flat.kind(at + 1) == Kind::Identifier
        && node.field != Field::Key
        && flat.kind(at - 1) != Kind::ClassPattern
}

/// The name of `… as x` and `*x` in a pattern.
pub(super) fn captured_last(flat: &Flat, at: At) -> Option<At> {
    flat.children(at)
        .filter(|&part| flat.kind(part) == Kind::Identifier)
        .last()
}

/// The name of a PEP 695 type parameter.
pub(super) fn type_param_name(flat: &Flat, param: At) -> Option<At> {
    (param..flat.node(param).next).find(|&at| flat.kind(at) == Kind::Identifier)
}

/// The name that `type X[T] = …` binds.
pub(super) fn alias_name(flat: &Flat, at: At) -> Option<At> {
    let left = flat.field(at, Field::Left)?;
    (left..flat.node(left).next).find(|&at| flat.kind(at) == Kind::Identifier)
}
