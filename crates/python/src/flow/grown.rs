//! Bodies that have all that they had before, and more: what typing a statement makes of a body.

use codeweft_python_syntax::{Bodies, Body, Call, Code, ListId, NONE, Node, NodeId, Use, UseKind};
use rustc_hash::FxHashMap;

use super::contexts;
use super::seeds::FlowSeeds;

/// A body that has all nodes and uses of an earlier one, and others.
pub(super) struct Grown {
    /// The first node of the body.
    first: NodeId,
    /// For each of its nodes, what it is.
    parts: Vec<Part>,
    /// For each node of the earlier body, its node in this one.
    now: Vec<NodeId>,
    /// The nodes that were added.
    pub(super) added: Vec<NodeId>,
    /// The uses that were added, and those of [`Grown::calls`], by their numbers in the file.
    pub(super) uses: Vec<u32>,
    /// The calls of the earlier body that have more arguments.
    pub(super) calls: Vec<NodeId>,
    /// The tokens of the uses that both have, by those of the earlier body.
    pub(super) tokens: FxHashMap<u32, u32>,
    /// The same by those of this body.
    tokens_before: FxHashMap<u32, u32>,
    /// The nodes that were added to what it returns.
    pub(super) results: Vec<NodeId>,
    /// The nodes that were added to what it yields.
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
    /// Compares a body with an earlier one; `None` if it does not have all that it had. What is compared is in text order, but
    /// names and constants: a body has one node for each, where it first occurs.
    pub(super) fn of(
        (old, before): (&Bodies, &Body),
        (new, after): (&Bodies, &Body),
    ) -> Option<Grown> {
        let old_nodes = old.code.nodes.get(before.nodes.iter())?;
        let new_nodes = new.code.nodes.get(after.nodes.iter())?;
        let mut compared = Compared {
            old: &old.code,
            old_first: before.nodes.start,
            new: &new.code,
            grown: Grown {
                first: after.nodes.start,
                parts: Vec::with_capacity(new_nodes.len()),
                now: Vec::new(),
                added: Vec::new(),
                uses: Vec::new(),
                calls: Vec::new(),
                tokens: FxHashMap::default(),
                tokens_before: FxHashMap::default(),
                results: Vec::new(),
                yields: Vec::new(),
            },
        };
        let leaves = old_nodes.iter().zip(0..).filter(|(node, _)| is_leaf(node));
        let leaves: FxHashMap<Node, u32> = leaves.map(|(&node, at)| (node, at)).collect();
        let mut rest = old_nodes
            .iter()
            .zip(0..)
            .filter(|(node, _)| !is_leaf(node))
            .peekable();
        for (&node, number) in new_nodes.iter().zip(after.nodes.start..) {
            let earlier = match rest.peek() {
                _ if is_leaf(&node) => leaves.get(&node).copied(),
                Some(&(&old_node, at)) if compared.are_nodes_alike(old_node, node) => {
                    rest.next();
                    Some(at)
                }
                _ => None,
            };
            let grown = &mut compared.grown;
            grown.parts.push(match earlier {
                Some(at) => Part::Earlier(at),
                None => {
                    grown.added.push(number);
                    Part::Added(grown.added.len() as u32 - 1)
                }
            });
        }
        // The back edges of loops were not compared before all nodes were known.
        let is_whole = rest.next().is_none()
            && compared
                .grown
                .parts
                .iter()
                .zip(new_nodes)
                .all(|(part, &node)| match *part {
                    Part::Earlier(at) => compared.are_nodes_alike(old_nodes[at as usize], node),
                    Part::Added(_) => true,
                });
        if !is_whole {
            return None;
        }
        for (part, number) in compared.grown.parts.iter().zip(after.nodes.start..) {
            if let Part::Earlier(at) = *part
                && compared.has_more_arguments(before.nodes.start + at, number)
            {
                compared.grown.calls.push(number);
            }
        }
        let mut rest = old.uses.get(before.uses.iter())?.iter().peekable();
        let (mut uses, mut tokens) = (Vec::new(), FxHashMap::default());
        for (one, number) in new
            .uses
            .get(after.uses.iter())?
            .iter()
            .zip(after.uses.start..)
        {
            match rest.peek() {
                Some(old_use) if compared.are_uses_alike(old_use, one) => {
                    // The uses of one token have one token again.
                    if *tokens.entry(old_use.tok).or_insert(one.tok) != one.tok {
                        return None;
                    }
                    rest.next();
                    if matches!(one.kind, UseKind::Call(node) if compared.grown.calls.contains(&node))
                    {
                        uses.push(number);
                    }
                }
                _ => uses.push(number),
            }
        }
        if rest.next().is_some() {
            return None;
        }
        let mut now = vec![NONE; old_nodes.len()];
        for (part, number) in compared.grown.parts.iter().zip(after.nodes.start..) {
            if let Part::Earlier(at) = *part {
                now[at as usize] = number;
            }
        }
        let results = compared.added_to(before.results, after.results)?;
        let yields = compared.added_to(before.yields, after.yields)?;
        Some(Grown {
            now,
            uses,
            tokens_before: tokens.iter().map(|(&old, &new)| (new, old)).collect(),
            tokens,
            results,
            yields,
            ..compared.grown
        })
    }

    /// Returns whether nothing was added.
    pub(super) fn is_same(&self) -> bool {
        self.added.is_empty()
            && self.uses.is_empty()
            && self.results.is_empty()
            && self.yields.is_empty()
    }

    /// Returns the nodes of the body.
    pub(super) fn nodes(&self) -> std::ops::Range<NodeId> {
        self.first..self.first + self.parts.len() as NodeId
    }

    /// Returns the node that one of the earlier body is now, by its number from the first there.
    pub(super) fn node_now(&self, earlier: u32) -> Option<NodeId> {
        self.now.get(earlier as usize).copied()
    }

    /// Returns whether its runs are followed apart as those of the earlier one.
    pub(super) fn has_contexts_of_earlier(&self) -> bool {
        contexts::are_sizes_alike(self.now.len() as u32, self.parts.len() as u32)
    }

    /// Returns the token of a use as the earlier body has it.
    pub(super) fn token_before(&self, token: u32) -> Option<u32> {
        self.tokens_before.get(&token).copied()
    }

    /// Returns what a node is; `None` for one of another body.
    pub(super) fn part(&self, node: NodeId) -> Option<Part> {
        let at = node.checked_sub(self.first)?;
        self.parts.get(at as usize).copied()
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
        for rows in [&mut had, &mut has] {
            rows.sort_unstable();
            rows.dedup();
        }
        let had_classes = old.classes_of(old_first, old_end).iter();
        let had_classes = had_classes.map(|(node, classes)| (node - old_first, classes));
        let new_classes = new.classes_of(after.nodes.start, after.nodes.end).iter();
        let has_classes =
            new_classes.filter_map(|(node, classes)| Some((earlier(*node)?, classes)));
        let nodes = after.nodes.start..after.nodes.end;
        let mut nodes = nodes.filter_map(|node| Some((earlier(node)?, node)));
        let knows_same = nodes.all(|(at, node)| {
            old.knows(old_first + at) == new.knows(node)
                && old.registered(old_first + at) == new.registered(node)
        });
        had == has && had_classes.eq(has_classes) && knows_same
    }
}

/// Two bodies that are compared.
struct Compared<'a> {
    old: &'a Code,
    old_first: NodeId,
    new: &'a Code,
    /// What is known of the nodes so far.
    grown: Grown,
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
        let next = self.grown.first + self.grown.parts.len() as u32;
        if new != NONE && new >= next && old != NONE && old >= self.old_first {
            return true;
        }
        if self.earlier(new) == Some(old) {
            return true;
        }
        // Nodes of one name or constant are one.
        let (old, new) = (
            self.old.nodes.get(old as usize),
            self.new.nodes.get(new as usize),
        );
        old.is_some_and(is_leaf) && old == new
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

    fn are_nodes_alike(&self, old: Node, new: Node) -> bool {
        if let (Node::Call(old), Node::Call(new)) = (old, new) {
            let old = self.old.calls.get(old as usize);
            let calls = old.zip(self.new.calls.get(new as usize));
            return calls.is_some_and(|(old, new)| self.has_arguments_of(old, new));
        }
        let ((old, before), (new, after)) = (self.old.taken_apart(old), self.new.taken_apart(new));
        old == new && self.are_operands_alike(&before, &after)
    }

    /// Returns whether a call has all arguments of an earlier one, and further ones at most behind them.
    fn has_arguments_of(&self, old: &Call, new: &Call) -> bool {
        let (before, after) = (self.old.list(old.positional), self.new.list(new.positional));
        let is_spread = |code: &Code, &node: &NodeId| {
            matches!(code.nodes.get(node as usize), Some(Node::Star(_)))
        };
        let may_grow = !before.iter().any(|node| is_spread(self.old, node))
            && !after.iter().any(|node| is_spread(self.new, node));
        let mut positional = before.iter().zip(after);
        let mut keywords = old.keywords.iter().zip(&new.keywords);
        let has_same_count =
            before.len() == after.len() && old.keywords.len() == new.keywords.len();
        self.is_earlier(old.callee, new.callee)
            && before.len() <= after.len()
            && old.keywords.len() <= new.keywords.len()
            && (may_grow || has_same_count)
            && positional.all(|(&old, &new)| self.is_earlier(old, new))
            && keywords.all(|(&(name, old), &(new_name, new))| {
                name == new_name && self.is_earlier(old, new)
            })
    }

    /// Returns whether a call has more arguments than an earlier one.
    fn has_more_arguments(&self, old: NodeId, new: NodeId) -> bool {
        let count = |code: &Code, node: NodeId| match code.nodes.get(node as usize) {
            Some(&Node::Call(number)) => code
                .calls
                .get(number as usize)
                .map(|call| (code.list(call.positional).len(), call.keywords.len())),
            _ => None,
        };
        count(self.old, old) != count(self.new, new)
    }

    fn are_uses_alike(&self, old: &Use, new: &Use) -> bool {
        let (old, before) = self.old.use_taken_apart(*old);
        let (new, after) = self.new.use_taken_apart(*new);
        old == new && self.are_operands_alike(&before, &after)
    }

    fn are_operands_alike(&self, old: &[NodeId], new: &[NodeId]) -> bool {
        let mut pairs = old.iter().zip(new);
        old.len() == new.len() && pairs.all(|(&old, &new)| self.is_earlier(old, new))
    }
}

/// Returns whether a node is a name or a constant, which are the same wherever they occur in a body.
fn is_leaf(node: &Node) -> bool {
    matches!(
        node,
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
    )
}
