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
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, file_bodies};
use codeweft_python_syntax::{
    Access, AsPython as _, Bodies, Body, ItemKind, Items, Node, NodeId, UseKind,
};

use super::program::MAX_SMALL;
use crate::declared::items;

/// What the bodies of a file say; functions by item, all sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BodyFacts {
    /// The names of attributes that are read or stored.
    pub(super) attributes: Box<[NameId]>,
    /// Those whose inner functions read their variables or are given attributes.
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
    for body in &bodies.bodies {
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
