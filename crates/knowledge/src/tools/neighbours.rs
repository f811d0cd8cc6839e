//! The edges at each node, and walks over them.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::graph::Edge;

/// The neighbours of each node with the numbers of the edges, by direction.
pub(crate) struct Neighbours<'g> {
    out: FxHashMap<u32, Vec<(u32, &'g Edge)>>,
    into: FxHashMap<u32, Vec<(u32, &'g Edge)>>,
}

/// The edges that a walk follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Out,
    In,
    Both,
}

impl<'g> Neighbours<'g> {
    pub(crate) fn of(edges: impl Iterator<Item = &'g Edge>) -> Neighbours<'g> {
        let (mut out, mut into) = (FxHashMap::default(), FxHashMap::default());
        for edge in edges {
            let targets: &mut Vec<_> = out.entry(edge.from).or_default();
            targets.push((edge.to, edge));
            let sources: &mut Vec<_> = into.entry(edge.to).or_default();
            sources.push((edge.from, edge));
        }
        Neighbours { out, into }
    }

    pub(crate) fn at(
        &self,
        node: u32,
        direction: Direction,
    ) -> impl Iterator<Item = (u32, &'g Edge)> {
        let list = |map: &FxHashMap<u32, Vec<(u32, &'g Edge)>>, wanted: bool| {
            map.get(&node)
                .filter(|_| wanted)
                .cloned()
                .unwrap_or_default()
        };
        let out = list(&self.out, direction != Direction::In);
        let into = list(&self.into, direction != Direction::Out);
        out.into_iter().chain(into)
    }

    /// Returns the nodes within a distance, with the distance and the node before on a shortest way, in the order of
    /// distance, then number.
    pub(crate) fn within(
        &self,
        start: u32,
        depth: u32,
        direction: Direction,
    ) -> Vec<(u32, u32, u32)> {
        let mut seen: FxHashMap<u32, ()> = FxHashMap::default();
        let mut found = Vec::new();
        let mut next = VecDeque::from([(start, 0, start)]);
        seen.insert(start, ());
        while let Some((node, distance, before)) = next.pop_front() {
            found.push((node, distance, before));
            if distance == depth {
                continue;
            }
            let mut around: Vec<u32> = self.at(node, direction).map(|(node, _)| node).collect();
            around.sort_unstable();
            for neighbour in around {
                if seen.insert(neighbour, ()).is_none() {
                    next.push_back((neighbour, distance + 1, node));
                }
            }
        }
        found
    }
}
