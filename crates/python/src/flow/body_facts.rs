//! What the bodies of a file say by their text alone: which functions make another inner function with each call, and the
//! names of the attributes that are read or stored.
//!
//! ```python
//! def deco(f):
//!     def run(*args): return f(*args)      # reads a variable of `deco`
//!     return run
//! def other(f):
//!     def run(*args): return dispatch(run, args)
//!     run.__wrapped__ = f                  # is given attributes; wraps `f` (PEP 362)
//!     return run
//! def put(model, name, f):
//!     setattr(model, name, f)              # which name has which value, only each call says
//! def first_set(a, b):
//!     return b if a is None else a         # what it gives, only each call says
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, file_bodies};
use codeweft_python_syntax::{
    Access, AsPython as _, Bodies, Body, ItemKind, Items, Node, NodeId, UseKind,
};

use super::program::MAX_SMALL;
use crate::declared::items;

/// The maximum number of nodes of a function of which each call has a run of its own since it gives back a parameter.
const MAX_GIVING: u32 = 64;

/// What the bodies of a file say; functions by item, all sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BodyFacts {
    /// The names of attributes that are read or stored.
    pub(super) attributes: Box<[NameId]>,
    /// Those whose inner functions read their variables or are given attributes.
    pub(super) makers: Box<[u32]>,
    /// The small ones that give back a parameter, or store one under a name that is another one.
    pub(super) passing: Box<[u32]>,
    /// The inner functions that are given `__wrapped__`.
    pub(super) wrapping: Box<[u32]>,
}

/// Returns the functions of a file that make inner functions, and the names of attributes.
#[salsa::tracked(returns(clone))]
pub fn py_flow_body_facts(db: &dyn Db, file: File) -> Arc<BodyFacts> {
    let bodies = file_bodies(db, file);
    let (Some(items), Some(bodies)) = (items(db, file), bodies.python()) else {
        return Arc::default();
    };
    let (mut makers, mut passing, mut wrapping) = (Vec::new(), Vec::new(), Vec::new());
    for (body, item) in bodies.bodies.iter().zip(0..) {
        if stores_under_parameter(db, bodies, body) || gives_parameter(items, item, bodies, body) {
            passing.push(item);
        }
        for node in bodies.code.nodes.get(body.nodes.iter()).unwrap_or(&[]) {
            if let Node::Free { scope, .. } = *node {
                makers.push(scope);
            }
        }
        for (inner, name) in given(items, bodies, body) {
            makers.push(items.items[inner as usize].parent);
            if db.shared().names.text(name) == "__wrapped__" {
                wrapping.push(inner);
            }
        }
    }
    let is_small_function = |&item: &u32| {
        let function = items.items.get(item as usize);
        let body = bodies.bodies.get(item as usize);
        function.is_some_and(|one| matches!(one.kind, ItemKind::Function | ItemKind::Lambda))
            && body.is_some_and(|body| body.nodes.end - body.nodes.start <= MAX_SMALL)
    };
    makers.sort_unstable();
    makers.dedup();
    makers.retain(is_small_function);
    passing.retain(is_small_function);
    wrapping.sort_unstable();
    wrapping.dedup();
    let nodes = bodies.code.nodes.iter().chain(&items.code.nodes);
    let mut attributes: Vec<NameId> = nodes
        .filter_map(|node| match *node {
            Node::Attr { name, .. } => Some(name),
            _ => None,
        })
        .collect();
    let uses = bodies.uses.iter();
    attributes.extend(uses.filter_map(|one| match one.kind {
        UseKind::Attr { name, .. } => Some(name),
        _ => None,
    }));
    attributes.sort_unstable();
    attributes.dedup();
    Arc::new(BodyFacts {
        attributes: attributes.into(),
        makers: makers.into(),
        passing: passing.into(),
        wrapping: wrapping.into(),
    })
}

/// Returns whether a small function returns one of its parameters, or a tuple or list of such. A method that returns its object is
/// none: which one that is, its class says.
fn gives_parameter(items: &Items, item: u32, bodies: &Bodies, body: &Body) -> bool {
    if body.nodes.end - body.nodes.start > MAX_GIVING {
        return false;
    }
    let parent = items.items.get(item as usize).map(|item| item.parent);
    let parent = parent.and_then(|parent| items.items.get(parent as usize));
    let is_method = parent.is_some_and(|parent| parent.kind == ItemKind::Class);
    let code = &bodies.code;
    let mut pending = code.list(body.results).to_vec();
    let mut seen: Vec<NodeId> = Vec::new();
    while let Some(node) = pending.pop() {
        if seen.contains(&node) {
            continue;
        }
        seen.push(node);
        match code.nodes.get(node as usize) {
            Some(&Node::Param(param)) if param > 0 || !is_method => return true,
            Some(
                &Node::Phi(list) | &Node::Union(list) | &Node::Tuple(list) | &Node::List(list),
            ) => pending.extend(code.list(list)),
            Some(
                &Node::Narrow { value, .. } | &Node::NotNone { value, .. } | &Node::Star(value),
            ) => {
                pending.push(value);
            }
            _ => {}
        }
    }
    false
}

/// Returns whether a function stores one of its parameters under a name that is another one.
fn stores_under_parameter(db: &dyn Db, bodies: &Bodies, body: &Body) -> bool {
    let code = &bodies.code;
    let node = |node: NodeId| code.nodes.get(node as usize);
    let nodes = code.nodes.get(body.nodes.iter()).unwrap_or(&[]).iter();
    let mut calls = nodes.filter_map(|node| match *node {
        Node::Call(number) => code.calls.get(number as usize),
        _ => None,
    });
    calls.any(|call| {
        let is_setattr = match node(call.callee) {
            Some(&Node::Global(name)) => db.shared().names.text(name) == "setattr",
            _ => false,
        };
        let is_param = |&of: &NodeId| matches!(node(of), Some(Node::Param(_)));
        match code.list(call.positional) {
            [_, name, value] => is_setattr && is_param(name) && is_param(value),
            _ => false,
        }
    })
}

/// Returns the inner functions that a body gives attributes, each with the attribute's name.
fn given(items: &Items, bodies: &Bodies, body: &Body) -> impl Iterator<Item = (u32, NameId)> {
    let uses = bodies.uses.get(body.uses.iter()).unwrap_or(&[]);
    uses.iter().filter_map(|one| match one.kind {
        UseKind::Attr {
            base,
            name,
            access: Access::Store,
            ..
        } => {
            let inner = function_of(bodies, base)?;
            let item = items.items.get(inner as usize)?;
            let parent = items.items.get(item.parent as usize)?;
            let is_inner = item.kind == ItemKind::Function && parent.kind == ItemKind::Function;
            is_inner.then_some((inner, name))
        }
        _ => None,
    })
}

fn function_of(bodies: &Bodies, node: NodeId) -> Option<u32> {
    match *bodies.code.nodes.get(node as usize)? {
        Node::Item(item) | Node::Decorated(item) => Some(item),
        _ => None,
    }
}
