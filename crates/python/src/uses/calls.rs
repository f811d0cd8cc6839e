//! References made by calls: the callees, what constructing a class runs, and unresolved calls.

use codeweft_db::{Reason, Resolution, Role, SymbolId, UnresolvedSite};
use codeweft_python_syntax::{self as python, Node, NodeId};

use super::implicit::overridable;
use super::record::{Arguments, CALLED_CLASS_VALUE, CLASS_OF};
use super::{UseReader, receivers};
use crate::infer::{Callee, Frame, callees, is_declared};
use crate::values::{Shape, shape};

impl UseReader<'_> {
    /// Adds the references of calling what a node evaluates to.
    pub(super) fn visit_call(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        callee: NodeId,
        arguments: Arguments,
    ) {
        let values = frame.node(callee);
        let mut targets: Vec<Callee> = Vec::new();
        let mut unresolved = values.is_unknown();
        for one in values.iter() {
            let before = targets.len();
            callees(frame, one, &mut targets);
            let is_silent = matches!(
                shape(self.db, one),
                Shape::None | Shape::Special(_) | Shape::TypeExpression(_) | Shape::TypeVar { .. }
            );
            unresolved |= targets.len() == before && !is_silent;
        }
        if let Node::Attr { base, name } = frame.kind(callee) {
            unresolved |= self.has_hook(frame, base);
            if self.record.record_super_call(occ, frame.node(base)) {
                targets.iter_mut().for_each(|target| target.direct = true)
            } else {
                overridable(frame, base, name, &mut targets)
            }
        }
        let mut main: Vec<SymbolId> = targets
            .iter()
            .filter(|target| !target.of_class)
            .map(|target| target.symbol)
            .collect();
        main.sort_unstable();
        main.dedup();
        let is_sure = !unresolved
            && !values.is_loose()
            && main.len() == 1
            && targets.iter().all(|target| !target.decorated)
            && (is_declared(frame, callee, main[0]) || is_returned_function(frame, callee));
        let mut decorated = false;
        let mut seen: Vec<(SymbolId, bool)> = Vec::new();
        for target in &targets {
            decorated |= target.decorated;
            if seen.contains(&(target.symbol, target.direct)) {
                continue;
            }
            seen.push((target.symbol, target.direct));
            let resolution = if is_sure {
                Resolution::Exact
            } else {
                Resolution::Value
            };
            self.record
                .add(occ, target.symbol, Role::Call, resolution, target.direct);
        }
        if unresolved || decorated {
            let (name, reason) = match frame.kind(callee) {
                _ if decorated && !unresolved => {
                    let symbol = targets.iter().find(|target| target.decorated);
                    let symbol = symbol.map(|target| target.symbol);
                    match symbol {
                        Some(symbol) => {
                            (self.db.shared().symbols.key(symbol).name, Reason::Decorated)
                        }
                        None => return,
                    }
                }
                Node::Attr { name, .. } => (name, Reason::UnknownReceiver),
                Node::Global(name) => (name, Reason::UnknownReceiver),
                // `type(x)(…)` constructs the class of `x`, as `x.__class__(…)` does.
                Node::Call(number) if is_type_call(frame, number) => (
                    self.db.shared().names.intern(CLASS_OF),
                    Reason::FunctionValue,
                ),
                _ => (self.db.shared().names.intern(""), Reason::FunctionValue),
            };
            self.record
                .add_unresolved(occ, name, arguments, reason, true);
        }
        // `cls()` constructs subclasses as well.
        for one in values.iter() {
            if let Shape::ReceiverClass(class) = shape(self.db, one) {
                let name = self.db.shared().symbols.key(*class).name;
                self.record.add_declared_receiver(occ, name, arguments);
                if let Some(site) = self.record.unresolved.last_mut() {
                    site.signature = CALLED_CLASS_VALUE;
                }
            }
        }
        if !unresolved
            && let Node::Attr { base, name } = frame.kind(callee)
            && !receivers::is_fixed(frame, base)
        {
            self.record.add_declared_receiver(occ, name, arguments);
        }
    }
}

/// Returns whether a callee is a function that another call returns: where all that it may return is known, one is the only target.
fn is_returned_function(frame: &Frame<'_>, callee: NodeId) -> bool {
    let is_function = |one| matches!(shape(frame.db, one), Shape::Function(_));
    matches!(frame.kind(callee), Node::Call(_)) && frame.node(callee).iter().all(is_function)
}

/// Returns whether a call computes an object's class: `type(x)`.
pub(super) fn is_type_call(frame: &Frame<'_>, number: u32) -> bool {
    let Some(call) = frame.code.calls.get(number as usize) else {
        return false;
    };
    let is_type = |name| frame.db.shared().names.text(name) == "type";
    matches!(frame.kind(call.callee), Node::Global(name) if is_type(name))
        && frame.code.list(call.positional).len() == 1
}

/// Returns the number of arguments of a call and the names of those given by keyword.
pub(super) fn arguments_of(frame: &Frame<'_>, call: &python::Call) -> Arguments {
    let names = &frame.db.shared().names;
    let positional = frame.code.list(call.positional);
    let is_star = |&node: &NodeId| matches!(frame.kind(node), Node::Star(_));
    let keywords = call.keywords.iter().map(|&(name, _)| names.text(name));
    // `**x` has the empty name.
    let (given, spread): (Vec<&str>, Vec<&str>) = keywords.partition(|name| !name.is_empty());
    let is_counted = spread.is_empty() && !positional.iter().any(is_star);
    let count = (positional.len() + given.len()).min(254) as u8;
    Arguments {
        count: if is_counted {
            count
        } else {
            UnresolvedSite::ANY_COUNT
        },
        keywords: (!given.is_empty()).then(|| names.intern(&given.join(","))),
    }
}
