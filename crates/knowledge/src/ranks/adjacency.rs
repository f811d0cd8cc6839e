//! Adjacency lists in compressed rows.

/// Weighted lists of neighbours, by node.
pub(crate) struct Adjacency {
    starts: Vec<u32>,
    neighbours: Vec<(u32, f64)>,
}

impl Adjacency {
    /// Returns the lists of edges in their direction. Parallel edges are one with the sum of their weights; `edges` may be in
    /// any order.
    pub(crate) fn directed(nodes: usize, edges: impl Iterator<Item = (u32, u32)>) -> Adjacency {
        let mut pairs: Vec<(u32, u32)> = edges.collect();
        pairs.sort_unstable();
        pairs.dedup();
        Adjacency::of_sorted(nodes, pairs.into_iter().map(|(from, to)| (from, to, 1.0)))
    }

    /// Returns the lists of both directions: a pair of nodes is one edge of weight 1, however many edges it has. Edges from
    /// a node to itself are dropped.
    pub(crate) fn undirected(nodes: usize, edges: impl Iterator<Item = (u32, u32)>) -> Adjacency {
        let edges = edges.filter(|(from, to)| from != to);
        Adjacency::directed(nodes, edges.flat_map(|(from, to)| [(from, to), (to, from)]))
    }

    /// Returns the lists of edges that are sorted by (from, to), each once.
    pub(crate) fn of_sorted(
        nodes: usize,
        edges: impl Iterator<Item = (u32, u32, f64)>,
    ) -> Adjacency {
        let mut starts = vec![0; nodes + 1];
        let mut neighbours = Vec::new();
        for (from, to, weight) in edges {
            neighbours.push((to, weight));
            if let Some(end) = starts.get_mut(from as usize + 1) {
                *end = neighbours.len() as u32;
            }
        }
        for at in 1..starts.len() {
            starts[at] = starts[at].max(starts[at - 1]);
        }
        Adjacency { starts, neighbours }
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the neighbours of a node with the weights of the edges, by number.
    pub(crate) fn of(&self, node: u32) -> &[(u32, f64)] {
        let bound = |at: usize| self.starts.get(at).copied().unwrap_or(0) as usize;
        let range = bound(node as usize)..bound(node as usize + 1);
        self.neighbours.get(range).unwrap_or(&[])
    }
}
