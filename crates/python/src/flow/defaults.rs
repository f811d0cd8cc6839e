//! The defaults of parameters: what the expression of a default is, where the enclosing body has made it already.
//!
//! The header of an item has a copy of the expression with all that its variables hold, so that the header says all about itself. But a
//! list that a variable holds is one object, whatever is stored in it later.
//!
//! ```python
//! hooks = {}
//! def run(name, _hooks=hooks): _hooks[name]()     # the header has `{}`: the object is that of `hooks`
//! hooks["a"] = load
//! ```

use codeweft_python_syntax::{Code, ItemKind, NONE, Node, NodeId};

use super::body_cells::body_nodes;
use super::cells::CellId;
use super::solver::Solver;
use super::values::InstanceId;

/// How deep expressions are compared.
const MAX_DEPTH: u32 = 6;

/// Returns the cells of the nodes of the enclosing body that make what a default of an item holds; none if it holds nothing that is
/// made there.
pub(super) fn made_before(
    solver: &Solver<'_, '_>,
    made_in: InstanceId,
    default: NodeId,
) -> Vec<CellId> {
    let run = solver.instances[made_in as usize];
    let program = solver.program;
    if !matches!(
        program.item(run.item).kind,
        ItemKind::Function | ItemKind::Lambda | ItemKind::Class
    ) {
        return Vec::new();
    }
    let items = program.declared(run.item).items();
    let held = program.file(run.item).held_bodies();
    let Some(bodies) = codeweft_python_syntax::AsPython::python(&*held) else {
        return Vec::new();
    };
    let mut made = Vec::new();
    makers(&items.code, default, MAX_DEPTH, &mut made);
    let mut found = Vec::new();
    for (node, cell) in body_nodes(solver, made_in) {
        let is_made =
            |&maker: &NodeId| is_same((&items.code, maker), (&bodies.code, node), MAX_DEPTH);
        if made.iter().any(is_made) {
            found.push(cell);
        }
    }
    found
}

/// Adds the nodes of an expression that make what it may hold.
fn makers(code: &Code, node: NodeId, depth: u32, made: &mut Vec<NodeId>) {
    if depth == 0 || node == NONE {
        return;
    }
    match code.nodes.get(node as usize) {
        Some(Node::Dict(_) | Node::List(_) | Node::Set(_) | Node::Call(_) | Node::Generator(_)) => {
            made.push(node);
        }
        Some(&Node::Phi(list) | &Node::Union(list)) => {
            for &one in code.list(list) {
                makers(code, one, depth - 1, made);
            }
        }
        Some(&Node::NotNone { value, .. } | &Node::Narrow { value, .. }) => {
            makers(code, value, depth - 1, made);
        }
        _ => {}
    }
}

/// Returns whether a node is a copy of another one, as far as it goes.
fn is_same((copy, one): (&Code, NodeId), (code, other): (&Code, NodeId), depth: u32) -> bool {
    if depth == 0 {
        return true;
    }
    let same = |one: NodeId, other: NodeId| is_same((copy, one), (code, other), depth - 1);
    let all = |ones, others| {
        let (ones, others) = (copy.list(ones), code.list(others));
        let mut pairs = ones.iter().zip(others);
        ones.len() == others.len() && pairs.all(|(&one, &other)| same(one, other))
    };
    match (copy.nodes.get(one as usize), code.nodes.get(other as usize)) {
        // A copy is cut where it is too large.
        (Some(Node::Opaque), _) => true,
        (Some(&Node::Dict(ones)), Some(&Node::Dict(others)))
        | (Some(&Node::List(ones)), Some(&Node::List(others)))
        | (Some(&Node::Set(ones)), Some(&Node::Set(others)))
        | (Some(&Node::Tuple(ones)), Some(&Node::Tuple(others))) => all(ones, others),
        (Some(&Node::Generator(one)), Some(&Node::Generator(other))) => same(one, other),
        (Some(&Node::Call(one)), Some(&Node::Call(other))) => {
            match (copy.calls.get(one as usize), code.calls.get(other as usize)) {
                (Some(one), Some(other)) => {
                    same(one.callee, other.callee)
                        && copy.list(one.positional).len() == code.list(other.positional).len()
                }
                _ => false,
            }
        }
        (
            Some(&Node::Attr { base: one, name }),
            Some(&Node::Attr {
                base: other,
                name: known,
            }),
        ) => name == known && same(one, other),
        (Some(Node::Global(name)), Some(Node::Global(known))) => name == known,
        (Some(Node::Str(text)), Some(Node::Str(known))) => text == known,
        (Some(one), Some(other)) => std::mem::discriminant(one) == std::mem::discriminant(other),
        _ => false,
    }
}
