//! What the bodies of a file say by their text alone: which functions make another inner function with each call or return what
//! they are given, and the names of the attributes that are read or stored.
//!
//! ```python
//! def deco(f):
//!     def run(*args): return f(*args)      # reads a variable of `deco`
//!     return run
//! def other(f):
//!     def run(*args): return dispatch(run, args)
//!     run.__wrapped__ = f                  # is given attributes; wraps `f` (PEP 362)
//!     return run
//! def checked(f):
//!     return f if callable(f) else None    # returns what it is given
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, file_bodies};
use codeweft_python_syntax::{
    Access, AsPython as _, Bodies, Body, ItemKind, Items, Node, NodeId, UseKind,
};

use super::program::MAX_SMALL;
use crate::declared::items;

/// The maximum number of nodes of a function that returns a parameter and is followed once for each call.
const MAX_RETURNING: u32 = 64;

/// How many unions of branches a returned parameter may come through.
const MAX_BRANCHES: u32 = 4;

/// What the bodies of a file say; functions by item, all sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BodyFacts {
    /// The names of attributes that are read or stored.
    pub(super) attributes: Box<[NameId]>,
    /// Those of which each call is followed apart: whose inner functions read their variables or are given attributes, and small
    /// ones that return a parameter.
    pub(super) makers: Box<[u32]>,
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
    let (mut makers, mut wrapping) = (Vec::new(), Vec::new());
    for (body, item) in bodies.bodies.iter().zip(0..) {
        if body.nodes.end - body.nodes.start <= MAX_RETURNING
            && returns_parameter(items, bodies, item)
        {
            makers.push(item);
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
        wrapping: wrapping.into(),
    })
}

/// Returns whether a function may return what it is given, but for the receiver of a method.
fn returns_parameter(items: &Items, bodies: &Bodies, number: u32) -> bool {
    let (Some(item), Some(body)) = (
        items.items.get(number as usize),
        bodies.bodies.get(number as usize),
    ) else {
        return false;
    };
    let parent = items.items.get(item.parent as usize);
    let is_method = parent.is_some_and(|parent| parent.kind == ItemKind::Class);
    let results = bodies.code.list(body.results).iter();
    let mut pending: Vec<(NodeId, u32)> = results.map(|&node| (node, MAX_BRANCHES)).collect();
    while let Some((node, left)) = pending.pop() {
        match bodies.code.nodes.get(node as usize) {
            Some(&Node::Param(number)) if number > 0 || !is_method => return true,
            Some(&Node::Phi(list) | &Node::Union(list)) if left > 0 => {
                let branches = bodies.code.list(list).iter();
                pending.extend(branches.map(|&branch| (branch, left - 1)));
            }
            Some(&Node::NotNone { value, .. }) if left > 0 => pending.push((value, left - 1)),
            _ => {}
        }
    }
    false
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
