//! Bodies that have all that they had before, and more: what typing a statement makes of a body.

use codeweft_python_syntax::{Bodies, Body, Call, Code, ListId, NONE, Node, NodeId, Use, UseKind};
use rustc_hash::FxHashMap;

use super::seeds::FlowSeeds;

/// No node of the earlier body.
const ADDED: u32 = u32::MAX;

/// A body that has all nodes and uses of an earlier one, in their order, and others between them.
pub(super) struct Grown {
    /// The first node of the body.
    first: NodeId,
    /// For each of its nodes, the node of the earlier body, both from the first; or [`ADDED`].
    nodes: Vec<u32>,
    /// The numbers of its nodes that were added, first and behind the last.
    pub(super) added: std::ops::Range<NodeId>,
    /// The same of its uses.
    pub(super) uses: std::ops::Range<u32>,
    /// The tokens of the uses that both have, by those of the earlier body.
    pub(super) tokens: FxHashMap<u32, u32>,
    /// The nodes that were added to what it returns, and to what it yields.
    pub(super) results: Vec<NodeId>,
    pub(super) yields: Vec<NodeId>,
}

/// A node, as a part of a grown body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The node of the earlier body, from its first.
    Earlier(u32),
    /// An added one, from the first that was added.
    Added(u32),
}

impl Grown {
    /// Compares a body with an earlier one; `None` if it does not have all that it had.
    pub(super) fn of(
        (old, before): (&Bodies, &Body),
        (new, after): (&Bodies, &Body),
    ) -> Option<Grown> {
        let old_nodes = old.code.nodes.get(before.nodes.iter())?;
        let new_nodes = new.code.nodes.get(after.nodes.iter())?;
        let added = new_nodes.len().checked_sub(old_nodes.len())?;
        // Up to the first difference both are numbered alike; a back edge of a loop is compared below.
        let mut grown = Grown {
            first: after.nodes.start,
            nodes: (0..old_nodes.len() as u32).collect(),
            added: 0..0,
            uses: 0..0,
            tokens: FxHashMap::default(),
            results: Vec::new(),
            yields: Vec::new(),
        };
        let pairs = old_nodes.iter().zip(new_nodes);
        let is_alike = |(at, (old_node, new_node)): &(usize, (&Node, &Node))| {
            let compared = Compared {
                old: &old.code,
                old_first: before.nodes.start,
                new: &new.code,
                grown: &grown,
                upto: *at as u32,
            };
            compared.are_nodes_alike(**old_node, **new_node)
        };
        let start = pairs.enumerate().take_while(is_alike).count();
        let start = if added == 0 { old_nodes.len() } else { start };
        grown.nodes = (0..start as u32)
            .chain(std::iter::repeat_n(ADDED, added))
            .chain(start as u32..old_nodes.len() as u32)
            .collect();
        let first_added = after.nodes.start + start as u32;
        grown.added = first_added..first_added + added as u32;
        let compared = Compared {
            old: &old.code,
            old_first: before.nodes.start,
            new: &new.code,
            grown: &grown,
            upto: u32::MAX,
        };
        for (&at, &node) in grown.nodes.iter().zip(new_nodes) {
            if at != ADDED && !compared.are_nodes_alike(*old_nodes.get(at as usize)?, node) {
                return None;
            }
        }
        let old_uses = old.uses.get(before.uses.iter())?;
        let new_uses = new.uses.get(after.uses.iter())?;
        let added_uses = new_uses.len().checked_sub(old_uses.len())?;
        let pairs = || old_uses.iter().zip(new_uses);
        let start = pairs()
            .take_while(|(old, new)| compared.are_uses_alike(old, new))
            .count();
        let mut tokens = FxHashMap::default();
        for (at, old_use) in old_uses.iter().enumerate() {
            let new_use = new_uses.get(at + if at < start { 0 } else { added_uses })?;
            // The uses of one token have one token again.
            let is_same = *tokens.entry(old_use.tok).or_insert(new_use.tok) == new_use.tok;
            if !is_same || !compared.are_uses_alike(old_use, new_use) {
                return None;
            }
        }
        let results = compared.added_to(before.results, after.results)?;
        let yields = compared.added_to(before.yields, after.yields)?;
        let first_use = after.uses.start + start as u32;
        grown.uses = first_use..first_use + added_uses as u32;
        (grown.tokens, grown.results, grown.yields) = (tokens, results, yields);
        Some(grown)
    }

    /// Returns whether nothing was added.
    pub(super) fn is_same(&self) -> bool {
        self.added.is_empty()
            && self.uses.is_empty()
            && self.results.is_empty()
            && self.yields.is_empty()
    }

    /// Returns what a node is; `None` for one of another body.
    pub(super) fn part(&self, node: NodeId) -> Option<Part> {
        let at = node.checked_sub(self.first)?;
        Some(match *self.nodes.get(at as usize)? {
            ADDED => Part::Added(node - self.added.start),
            earlier => Part::Earlier(earlier),
        })
    }

    /// Returns whether inference knows the same of the nodes that both bodies have.
    pub(super) fn has_seeds_of(
        &self,
        (old, before): (&FlowSeeds, &Body),
        (new, after): (&FlowSeeds, &Body),
    ) -> bool {
        let (old_first, old_end) = (before.nodes.start, before.nodes.end);
        let earlier = |node| match self.part(node) {
            Some(Part::Earlier(at)) => Some(at),
            _ => None,
        };
        let key = |seed: super::seeds::Seed| (seed.symbol(), seed.kind());
        let mut had: Vec<_> = old
            .of(old_first, old_end)
            .iter()
            .map(|&(node, seed)| (node - old_first, key(seed)))
            .collect();
        let new_rows = new.of(after.nodes.start, after.nodes.end).iter();
        let mut has: Vec<_> = new_rows
            .filter_map(|&(node, seed)| Some((earlier(node)?, key(seed))))
            .collect();
        had.sort_unstable();
        has.sort_unstable();
        let had_classes = old.classes_of(old_first, old_end).iter();
        let had_classes = had_classes.map(|(node, classes)| (node - old_first, classes));
        let new_classes = new.classes_of(after.nodes.start, after.nodes.end).iter();
        let has_classes =
            new_classes.filter_map(|(node, classes)| Some((earlier(*node)?, classes)));
        had == has && had_classes.eq(has_classes)
    }
}

/// Two bodies that are compared.
struct Compared<'a> {
    old: &'a Code,
    old_first: NodeId,
    new: &'a Code,
    grown: &'a Grown,
    /// Operands from this one on are not compared yet.
    upto: u32,
}

impl Compared<'_> {
    /// Returns the node of the earlier body; `None` for one that was added.
    fn earlier(&self, node: NodeId) -> Option<NodeId> {
        if node == NONE || node == 0 {
            return Some(node);
        }
        match self.grown.part(node)? {
            Part::Earlier(at) => Some(self.old_first + at),
            Part::Added(_) => None,
        }
    }

    fn is_earlier(&self, old: NodeId, new: NodeId) -> bool {
        let is_ahead = old != NONE && old >= self.old_first.saturating_add(self.upto);
        is_ahead || self.earlier(new) == Some(old)
    }

    fn are_lists_alike(&self, old: ListId, new: ListId) -> bool {
        let (old, new) = (self.old.list(old), self.new.list(new));
        let mut pairs = old.iter().zip(new);
        old.len() == new.len() && pairs.all(|(&old, &new)| self.is_earlier(old, new))
    }

    /// Returns the nodes of a list that an earlier one does not have; `None` if it lacks some that the earlier one has.
    fn added_to(&self, old: ListId, new: ListId) -> Option<Vec<NodeId>> {
        let mut old = self.old.list(old).iter().copied().peekable();
        let mut added = Vec::new();
        for &node in self.new.list(new) {
            match self.earlier(node) {
                Some(earlier) if old.peek() == Some(&earlier) => {
                    old.next();
                }
                _ => added.push(node),
            }
        }
        old.next().is_none().then_some(added)
    }

    fn are_calls_alike(&self, old: &Call, new: &Call) -> bool {
        let mut pairs = old.keywords.iter().zip(&new.keywords);
        self.is_earlier(old.callee, new.callee)
            && self.are_lists_alike(old.positional, new.positional)
            && old.keywords.len() == new.keywords.len()
            && pairs.all(|(old, new)| old.0 == new.0 && self.is_earlier(old.1, new.1))
    }

    fn are_nodes_alike(&self, old: Node, new: Node) -> bool {
        match (old, new) {
            (Node::Call(a), Node::Call(b)) => {
                let calls = self
                    .old
                    .calls
                    .get(a as usize)
                    .zip(self.new.calls.get(b as usize));
                calls.is_some_and(|(old, new)| self.are_calls_alike(old, new))
            }
            (Node::Tuple(a), Node::Tuple(b))
            | (Node::List(a), Node::List(b))
            | (Node::Set(a), Node::Set(b))
            | (Node::Dict(a), Node::Dict(b))
            | (Node::Format(a), Node::Format(b))
            | (Node::Union(a), Node::Union(b))
            | (Node::Phi(a), Node::Phi(b)) => self.are_lists_alike(a, b),
            _ => {
                let (mut old, mut new) = (old, new);
                // Taken out, the operands leave what else a node says.
                let (before, after) = (take_operands(&mut old), take_operands(&mut new));
                let mut pairs = before.into_iter().zip(after);
                old == new && pairs.all(|(old, new)| self.is_earlier(old, new))
            }
        }
    }

    fn are_uses_alike(&self, old: &Use, new: &Use) -> bool {
        let (mut old, mut new) = (old.kind, new.kind);
        let (before, after) = (take_nodes(&mut old), take_nodes(&mut new));
        let mut pairs = before.into_iter().zip(after);
        old == new && pairs.all(|(old, new)| self.is_earlier(old, new))
    }
}

/// Takes the operands out of a node that has no list: at most two.
fn take_operands(node: &mut Node) -> [NodeId; 2] {
    let mut none = 0;
    let (first, second) = match node {
        Node::Attr { base, .. } | Node::Unpack { base, .. } | Node::MatchPosition { base, .. } => {
            (base, &mut none)
        }
        Node::Subscript { base, index } => (base, index),
        Node::Await(value)
        | Node::YieldFrom(value)
        | Node::Iter(value)
        | Node::AsyncIter(value)
        | Node::Enter(value)
        | Node::AsyncEnter(value)
        | Node::UnpackRest(value)
        | Node::Generator(value)
        | Node::Star(value)
        | Node::Caught(value)
        | Node::Type(value)
        | Node::Unary { value, .. }
        | Node::NotNone { value, .. } => (value, &mut none),
        Node::Binary { left, right, .. } | Node::Compare { left, right, .. } => (left, right),
        Node::Narrow { value, class, .. } => (value, class),
        Node::Opaque
        | Node::Constant(_)
        | Node::Str(_)
        | Node::Global(_)
        | Node::Free { .. }
        | Node::TypeParam { .. }
        | Node::Param(_)
        | Node::Item(_)
        | Node::Decorated(_)
        | Node::Import { .. }
        | Node::Slice
        | Node::Sent
        | Node::ClassCell(_)
        | Node::Call(_)
        | Node::Tuple(_)
        | Node::List(_)
        | Node::Set(_)
        | Node::Dict(_)
        | Node::Format(_)
        | Node::Union(_)
        | Node::Phi(_) => return [0, 0],
    };
    [std::mem::take(first), std::mem::take(second)]
}

/// Takes the nodes out of a use: at most three.
fn take_nodes(kind: &mut UseKind) -> [NodeId; 3] {
    let (mut none, mut nothing) = (0, 0);
    let (first, second, third) = match kind {
        UseKind::Name { value, .. }
        | UseKind::Decorate { value, .. }
        | UseKind::Iterate { value, .. }
        | UseKind::With { value, .. }
        | UseKind::TextStart { value, .. }
        | UseKind::Keyword { call: value, .. } => (value, &mut none, &mut nothing),
        UseKind::Call(value)
        | UseKind::Operator(value)
        | UseKind::Truth(value)
        | UseKind::Await(value)
        | UseKind::Raise(value)
        | UseKind::Text(value) => (value, &mut none, &mut nothing),
        UseKind::Attr { base, value, .. } => (base, value, &mut none),
        UseKind::SubscriptStore {
            base, index, value, ..
        } => (base, index, value),
        UseKind::ClassStatement(_)
        | UseKind::Import { .. }
        | UseKind::ImportedModule(_)
        | UseKind::All(_) => return [0, 0, 0],
    };
    [
        std::mem::take(first),
        std::mem::take(second),
        std::mem::take(third),
    ]
}
