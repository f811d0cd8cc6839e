//! The search for what is in use: reachability from roots over edges.

use fixedbitset::FixedBitSet;

use super::memo::LiveNode;
use crate::query_context::QueryContext;

/// The edges of a search, by their start.
pub(crate) struct Adjacency {
    /// The ends of the edges of node `n` are `ends[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    ends: Vec<LiveNode>,
}

impl Adjacency {
    /// Groups edges of so many nodes by their start.
    pub(crate) fn new(
        nodes: usize,
        edges: impl Iterator<Item = (LiveNode, LiveNode)> + Clone,
    ) -> Adjacency {
        let mut starts = vec![0u32; nodes + 1];
        let mut count = 0;
        for (from, _) in edges.clone() {
            starts[from.number() + 1] += 1;
            count += 1;
        }
        for at in 0..nodes {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut ends = vec![None; count];
        for (from, to) in edges {
            let at = &mut next[from.number()];
            ends[*at as usize] = Some(to);
            *at += 1;
        }
        Adjacency {
            starts,
            ends: ends.into_iter().flatten().collect(),
        }
    }

    fn of(&self, node: LiveNode) -> &[LiveNode] {
        let (from, to) = (self.starts[node.number()], self.starts[node.number() + 1]);
        &self.ends[from as usize..to as usize]
    }
}

/// The nodes that a search has reached.
#[derive(Clone)]
pub(crate) struct Reached(FixedBitSet);

impl Reached {
    /// Returns the set of none of so many nodes.
    pub(crate) fn none(nodes: usize) -> Reached {
        Reached(FixedBitSet::with_capacity(nodes))
    }

    pub(crate) fn contains(&self, node: LiveNode) -> bool {
        self.0.contains(node.number())
    }

    /// Adds some nodes and what is reached from them, and returns those that are new. The edges are
    /// those of all graphs.
    pub(crate) fn add(
        &mut self,
        query: &QueryContext<'_>,
        graphs: &[&Adjacency],
        roots: impl Iterator<Item = LiveNode>,
    ) -> Vec<LiveNode> {
        let mut open: Vec<LiveNode> = Vec::new();
        for root in roots {
            if !self.0.put(root.number()) {
                open.push(root);
            }
        }
        self.follow(query, graphs, open)
    }

    /// Adds what some nodes of the set lead to in one step, and returns what is new.
    pub(crate) fn step(&mut self, graph: &Adjacency, from: &[LiveNode]) -> Vec<LiveNode> {
        let next = from.iter().flat_map(|&node| graph.of(node)).copied();
        next.filter(|node| !self.0.put(node.number())).collect()
    }

    /// Adds a node, and returns whether it is new.
    pub(crate) fn insert(&mut self, node: LiveNode) -> bool {
        !self.0.put(node.number())
    }

    /// Adds what is reached from all nodes of the set over edges that another search did not have.
    pub(crate) fn add_from_all(
        &mut self,
        query: &QueryContext<'_>,
        graphs: &[&Adjacency],
        nodes: &[LiveNode],
    ) {
        let known = nodes.iter().copied();
        let open = known.filter(|&node| self.contains(node)).collect();
        self.follow(query, graphs, open);
    }

    /// Adds what is reached from some nodes, and returns these and all that is new.
    fn follow(
        &mut self,
        query: &QueryContext<'_>,
        graphs: &[&Adjacency],
        mut found: Vec<LiveNode>,
    ) -> Vec<LiveNode> {
        let mut at = 0;
        while let Some(&node) = found.get(at) {
            query.poll_cancellation();
            for &to in graphs.iter().flat_map(|graph| graph.of(node)) {
                if !self.0.put(to.number()) {
                    found.push(to);
                }
            }
            at += 1;
        }
        found
    }
}
