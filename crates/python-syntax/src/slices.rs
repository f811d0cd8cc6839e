//! Extracts the part of the bodies that other items and files can infer something from.
//!
//! Extraction is a backward slice: the nodes that [`Items`] refers to are the roots, and everything
//! they reach through operands is copied. A statement that no root reaches leaves no trace in the
//! copy, so an edit to it leaves the items equal.
//!
//! ```python
//! def f(x):
//!     log("start")        # reached by no root: not in the slice
//!     y = g(x)            # reached by the result
//!     return y            # root
//! # Items::code of `f`: Global g, Param 0, Call(g, [Param 0]); results: the call
//! ```
//!
//! The order of the copy follows from the roots and their operands alone, not from the order in
//! `code`: operands precede the nodes that use them, except for the operands of a phi that reaches
//! itself.
//!
//! Two bounds keep the copy small; both depend on the text alone:
//! - a list of more than [`MAX_LIST`] nodes keeps the first [`MAX_LIST`] less one, followed by one
//!   [`Node::Opaque`] for the rest; likewise the keywords of a call, with the rest under the empty
//!   name;
//! - a root that reaches more than [`MAX_REACH`] nodes in such lists becomes [`Node::Opaque`].

mod numbering;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::ir::*;
use codeweft_syntax::NameId;
pub(super) use numbering::Numbering;
use numbering::{Operands, kept_of};

/// Maximum length of a list that is kept whole.
const MAX_LIST: usize = 64;
/// Maximum number of nodes that a root may reach, itself included.
const MAX_REACH: usize = 512;

/// Copies the nodes that `items` refers to into its `Items::code`. The node numbers in `items` are
/// those of `code`, the arena of `bodies`; those of the result refer to `Items::code`, where the
/// nodes of each item are consecutive and ordered by item.
pub(super) fn extract(mut items: Items, code: &Code, bodies: &[Body]) -> Items {
    let mut roots: Vec<(u32, NodeId)> = Vec::new();
    each_root(&mut items, &mut |item, root| roots.push((item, *root)));
    debug_assert!(
        roots.iter().all(|&(item, root)| {
            let range = bodies.get(item as usize).map(|body| body.nodes);
            root == 0 || root == NONE || range.is_some_and(|range| range.contains(root))
        }),
        "a root stands in the body whose code evaluates it"
    );

    let mut by_item: Vec<usize> = (0..roots.len()).collect();
    by_item.sort_by_key(|&at| roots[at].0);
    let mut by_item = by_item.into_iter().peekable();
    let Some(module) = items.items.first() else {
        return items;
    };
    let mut slicer = Slicer::new(code, module.name);
    let mut results = vec![NONE; roots.len()];
    for number in 0..items.items.len() as u32 {
        let start = slicer.out.nodes.len() as u32;
        let mut of_item = Vec::new();
        while let Some(at) = by_item.next_if(|&at| roots[at].0 == number) {
            if slicer.is_within_bound(roots[at].1) {
                slicer.number_reachable(roots[at].1);
                of_item.push(at);
            } else {
                results[at] = if roots[at].1 == NONE { NONE } else { 0 };
            }
        }
        let new = slicer.copy_kept(of_item.iter().map(|&at| roots[at].1));
        for (at, new) in of_item.into_iter().zip(new) {
            results[at] = new;
        }
        let end = slicer.out.nodes.len() as u32;
        items.items[number as usize].nodes = Range { start, end };
    }
    items.code = slicer.out.finish();

    let mut results = results.into_iter();
    each_root(&mut items, &mut |_, root| {
        *root = results.next().unwrap_or(0)
    });
    items
}

impl Range {
    /// Returns whether a number is in the range.
    pub fn contains(self, number: u32) -> bool {
        self.start <= number && number < self.end
    }
}

impl Items {
    /// Returns a description of the first node outside the range it must be in, or `None`. A check
    /// of lowering, for tests.
    pub fn misplaced_node(&self) -> Option<String> {
        let mut copy = self.clone();
        let mut fault = None;
        each_root(&mut copy, &mut |item, root| {
            let range = self.items.get(item as usize).map(|item| item.nodes);
            let fits = range.is_some_and(|range| range.contains(*root));
            if *root != 0 && *root != NONE && !fits {
                fault.get_or_insert(format!("node {root} is none of item {item}'s {range:?}"));
            }
        });
        for (number, item) in self.items.iter().enumerate() {
            for node in item.nodes.iter() {
                for operand in self.code.operands(node as u32) {
                    if operand != 0 && !item.nodes.contains(operand) {
                        fault.get_or_insert(format!(
                            "operand {operand} of node {node} is none of item {number}'s {:?}",
                            item.nodes
                        ));
                    }
                }
            }
        }
        fault
    }
}

/// Visits every reference to a node in the items, with the item whose range must contain the node:
/// the parent for headers, the evaluating item for everything else.
fn each_root(items: &mut Items, visit: &mut dyn FnMut(u32, &mut NodeId)) {
    for (number, item) in items.items.iter_mut().enumerate() {
        let number = number as u32;
        let around = if item.parent == NONE { 0 } else { item.parent };
        for node in &mut item.decorators {
            visit(around, node);
        }
        for (_, bound) in &mut item.type_params {
            visit(around, bound);
        }
        for param in items.params.get_mut(item.params.iter()).unwrap_or_default() {
            visit(around, &mut param.annotation);
            visit(around, &mut param.default);
        }
        visit(around, &mut item.returns);
        for node in &mut item.bases {
            visit(around, node);
        }
        for (_, value) in &mut item.keywords {
            visit(around, value);
        }
        for node in item.results.iter_mut().chain(&mut item.yields) {
            visit(number, node);
        }
    }
    for binding in &mut items.bindings {
        match &mut binding.kind {
            BindingKind::Value { value, annotation } => {
                visit(binding.owner, value);
                visit(binding.owner, annotation);
            }
            BindingKind::TypeAlias(value) => visit(binding.owner, value),
            BindingKind::Item(_)
            | BindingKind::Import { .. }
            | BindingKind::Star(_)
            | BindingKind::Param(_)
            | BindingKind::Deleted => {}
        }
    }
    for store in &mut items.stores {
        visit(store.method, &mut store.value);
        visit(store.method, &mut store.annotation);
    }
    for change in &mut items.all {
        if let AllChange::AddOf(module) = change {
            visit(0, module);
        }
    }
}

/// A [`Code`] under construction.
struct CodeBuilder {
    nodes: Vec<Node>,
    list_starts: Vec<u32>,
    list_items: Vec<NodeId>,
    calls: Vec<Call>,
}

impl CodeBuilder {
    fn finish(self) -> Code {
        Code {
            nodes: self.nodes.into(),
            list_starts: self.list_starts.into(),
            list_items: self.list_items.into(),
            calls: self.calls.into(),
        }
    }
}

/// Marks a node whose operands are being numbered.
const IN_PROGRESS: NodeId = NONE - 1;

struct Slicer<'c> {
    code: &'c Code,
    out: CodeBuilder,
    /// By old node: the last search that visited it.
    visited_by: Vec<u32>,
    searches: u32,
    /// The nodes that the current search visited.
    visited: Vec<NodeId>,
    /// By old node: its new number within the current item, [`NONE`] or [`IN_PROGRESS`].
    new: Vec<NodeId>,
    /// The old nodes that the current item keeps, in their new order.
    kept_nodes: Vec<NodeId>,
    /// For each phi seen so far, whether it reaches itself.
    loops: FxHashMap<NodeId, bool>,
    /// The empty name.
    empty: NameId,
}

impl<'c> Slicer<'c> {
    fn new(code: &'c Code, empty: NameId) -> Slicer<'c> {
        let mut new = vec![NONE; code.nodes.len()];
        if let Some(opaque) = new.first_mut() {
            *opaque = 0;
        }
        Slicer {
            code,
            out: CodeBuilder {
                nodes: vec![Node::Opaque],
                list_starts: vec![0, 0],
                list_items: Vec::new(),
                calls: Vec::new(),
            },
            visited_by: vec![0; code.nodes.len()],
            searches: 0,
            visited: Vec::new(),
            new,
            kept_nodes: Vec::new(),
            loops: FxHashMap::default(),
            empty,
        }
    }

    /// Returns whether the root is a node and reaches no more than [`MAX_REACH`] nodes.
    fn is_within_bound(&mut self, root: NodeId) -> bool {
        if root as usize >= self.new.len() {
            return false;
        }
        self.searches += 1;
        self.visited.clear();
        self.visit_node(root);
        let mut next = 0;
        while let Some(&node) = self.visited.get(next) {
            next += 1;
            for operand in self.operands(node) {
                self.visit_node(operand);
            }
            if self.visited.len() > MAX_REACH {
                return false;
            }
        }
        true
    }

    /// Returns whether a phi reaches itself. The phi must be within the bound.
    fn is_loop(&mut self, phi: NodeId) -> bool {
        if let Some(&known) = self.loops.get(&phi) {
            return known;
        }
        self.searches += 1;
        self.visited.clear();
        self.visited.push(phi);
        let mut next = 0;
        while let Some(&node) = self.visited.get(next) {
            next += 1;
            for operand in self.operands(node) {
                self.visit_node(operand);
            }
        }
        // The phi itself was not marked as visited, so it is found again if it is reachable.
        let is_loop = self.visited[1..].contains(&phi);
        self.loops.insert(phi, is_loop);
        is_loop
    }

    fn operands(&self, node: NodeId) -> Vec<NodeId> {
        let mut operands = Vec::new();
        self.code.nodes[node as usize].renumbered(&mut Operands {
            code: self.code,
            max_list: MAX_LIST,
            each: |operand| operands.push(operand),
        });
        operands
    }

    /// Adds a node that the current search has not visited yet.
    fn visit_node(&mut self, node: NodeId) {
        if node == 0 {
            return;
        }
        if let Some(search) = self.visited_by.get_mut(node as usize)
            && *search != self.searches
        {
            *search = self.searches;
            self.visited.push(node);
        }
    }

    /// Numbers the nodes that a root reaches and that have no number yet, operands first. A phi
    /// that reaches itself is numbered at once, and its operands after everything else.
    fn number_reachable(&mut self, root: NodeId) {
        let mut later = VecDeque::from([root]);
        while let Some(start) = later.pop_front() {
            let mut open: Vec<(NodeId, std::vec::IntoIter<NodeId>)> = Vec::new();
            let mut next = Some(start);
            loop {
                if let Some(node) = next
                    && self.new.get(node as usize) == Some(&NONE)
                {
                    let operands = self.operands(node);
                    let is_phi = matches!(self.code.nodes[node as usize], Node::Phi(_));
                    if is_phi && self.is_loop(node) {
                        self.number(node);
                        later.extend(operands);
                    } else {
                        self.new[node as usize] = IN_PROGRESS;
                        open.push((node, operands.into_iter()));
                    }
                }
                let Some((node, operands)) = open.last_mut() else {
                    break;
                };
                next = operands.next();
                if next.is_none() {
                    let node = *node;
                    open.pop();
                    self.number(node);
                }
            }
        }
    }

    fn number(&mut self, node: NodeId) {
        self.new[node as usize] = (self.out.nodes.len() + self.kept_nodes.len()) as NodeId;
        self.kept_nodes.push(node);
    }

    /// Copies the kept nodes and returns the new numbers of `roots`.
    fn copy_kept(&mut self, roots: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
        let kept_nodes = std::mem::take(&mut self.kept_nodes);
        for &node in &kept_nodes {
            let copy = self.code.nodes[node as usize].renumbered(self);
            self.out.nodes.push(copy);
        }
        let roots = roots.map(|root| self.node(root)).collect();
        for node in kept_nodes {
            self.new[node as usize] = NONE;
        }
        roots
    }

    fn list_of(&mut self, nodes: &[NodeId]) -> ListId {
        if nodes.is_empty() {
            return 0;
        }
        let (kept, cut) = kept_of(nodes.len(), MAX_LIST);
        for &node in &nodes[..kept] {
            let node = self.node(node);
            self.out.list_items.push(node);
        }
        self.out.list_items.extend(cut.then_some(0));
        let list = self.out.list_starts.len() as u32 - 1;
        self.out.list_starts.push(self.out.list_items.len() as u32);
        list
    }
}

impl Numbering for Slicer<'_> {
    fn node(&mut self, node: NodeId) -> NodeId {
        self.new.get(node as usize).copied().unwrap_or(0)
    }

    fn list(&mut self, list: ListId) -> ListId {
        let code = self.code;
        self.list_of(code.list(list))
    }

    fn call(&mut self, number: u32) -> u32 {
        let code = self.code;
        let new = self.out.calls.len() as u32;
        if let Some(call) = code.calls.get(number as usize) {
            let callee = self.node(call.callee);
            let positional = self.list(call.positional);
            let (kept, cut) = kept_of(call.keywords.len(), MAX_LIST);
            let mut keywords: Vec<_> = call.keywords[..kept]
                .iter()
                .map(|&(name, value)| (name, self.node(value)))
                .collect();
            if cut {
                keywords.push((self.empty, 0));
            }
            self.out.calls.push(Call {
                callee,
                positional,
                keywords: keywords.into(),
            });
        }
        new
    }
}

#[cfg(test)]
mod tests;
