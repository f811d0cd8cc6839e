//! The elementary cycles of a directed graph: walks back to their first node that visit no node twice.
//!
//! A cycle lies inside one strongly connected component, so components come first ([`components`], Tarjan's
//! algorithm with a stack of its own). In each of them the search goes as in Johnson's algorithm: from each
//! node, in ascending order, only over greater ones, so that each cycle is found once, from its smallest node:
//!
//! ```text
//! 0 -> 1 -> 2 -> 0      from 0: [0, 1, 2]
//!      1 -> 0           from 0: [0, 1]
//!           2 -> 1      from 1: [1, 2]
//! ```
//!
//! Johnson blocks a node from which the start was not reached. With a bound on the length that is not enough: a
//! node that fails deep in the walk may succeed nearer to the start. So each node has the largest depth at which
//! it is still worth entering ([`Search::limits`]): lowered where a search failed, raised again when a node that
//! was in its way leaves the walk.
//!
//! There may be exponentially many cycles, so there are [`Bounds`]. Where one of them ends the search of a
//! component, the answer has one shortest cycle through each of its edges instead: every edge of a component is
//! on one.

use std::collections::{BTreeSet, VecDeque};

/// The elementary cycles of a graph, and whether they are all.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ElementaryCycles {
    /// Nodes in the order of the edges, each cycle from its smallest node; sorted.
    pub(crate) cycles: Vec<Vec<usize>>,
    /// The bound that kept the search from all cycles; `None` if these are all.
    pub(crate) bounded: Option<Bound>,
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bound {
    /// Longer cycles may exist; of those, only one through each edge that is on no shorter one is listed.
    Length,
    /// There are more cycles: of a component, one through each edge is listed.
    Cycles,
    /// The search took too many steps: of a component, one cycle through each edge is listed.
    Steps,
}

/// How far the search goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The greatest number of cycles.
    pub(crate) cycles: usize,
    /// The greatest length of a cycle, in edges.
    pub(crate) length: usize,
    /// The greatest number of edges followed; the cycles through single edges may take ten times as many.
    pub(crate) steps: usize,
}

/// The bounds of an answer: about 10 ms of search.
pub(crate) const BOUNDS: Bounds = Bounds {
    cycles: 1_000,
    length: 12,
    steps: 200_000,
};

/// Returns the elementary cycles of the graph over `0..successors.len()`, within [`BOUNDS`].
///
/// The successors of a node are ascending. A node may be its own successor: a cycle of one.
pub(crate) fn elementary_cycles(successors: &[Vec<usize>]) -> ElementaryCycles {
    elementary_cycles_within(successors, BOUNDS)
}

/// Returns the elementary cycles within the bounds.
pub(crate) fn elementary_cycles_within(
    successors: &[Vec<usize>],
    bounds: Bounds,
) -> ElementaryCycles {
    let (component_of, count) = components(successors);
    let mut members = vec![Vec::new(); count];
    for (node, &component) in component_of.iter().enumerate() {
        members[component].push(node);
    }
    members.retain(|nodes| match nodes[..] {
        [node] => successors[node].contains(&node),
        _ => true,
    });
    members.sort_unstable();

    let mut predecessors = vec![Vec::new(); successors.len()];
    for (node, targets) in successors.iter().enumerate() {
        for &target in targets {
            if component_of[node] == component_of[target] {
                predecessors[target].push(node);
            }
        }
    }
    let mut search = Search {
        successors,
        predecessors: &predecessors,
        component_of: &component_of,
        bounds,
        steps: 0,
        cycles: Vec::new(),
        limits: vec![None; successors.len()],
        on_path: vec![false; successors.len()],
        shortened: false,
    };
    let mut bounded = None;
    let mut through_edges = ThroughEdges {
        successors,
        component_of: &component_of,
        steps: bounds.steps.saturating_mul(10),
        cycles: bounds.cycles,
        parents: vec![None; successors.len()],
    };
    let mut found = BTreeSet::new();
    for nodes in &members {
        let before = search.cycles.len();
        search.shortened = false;
        let ended = nodes.iter().find_map(|&start| search.from(start).err());
        let reason = match ended {
            Some(bound) => {
                // What was found so far depends on where the search ended: edges say more.
                search.cycles.truncate(before);
                Some(bound)
            }
            None if search.shortened && nodes.len() > bounds.length => Some(Bound::Length),
            None => None,
        };
        if reason.is_some() {
            let covered: BTreeSet<_> = search.cycles[before..]
                .iter()
                .flat_map(|cycle| edges_of(cycle))
                .collect();
            through_edges.add(nodes, &covered, &mut found);
        }
        bounded = bounded.max(reason);
    }
    found.extend(search.cycles);
    ElementaryCycles {
        cycles: found.into_iter().collect(),
        bounded,
    }
}

/// Returns the edges of a cycle.
fn edges_of(cycle: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let next = cycle.iter().skip(1).chain(cycle.first());
    cycle.iter().copied().zip(next.copied())
}

/// Returns the number of the strongly connected component of each node, and how many there are.
///
/// Tarjan's algorithm. Its recursion is a vector, because a chain of imports may be longer than a thread's stack.
pub(crate) fn components(successors: &[Vec<usize>]) -> (Vec<usize>, usize) {
    const OPEN: usize = usize::MAX;
    let mut component_of = vec![OPEN; successors.len()];
    let mut count = 0;
    // The number of a node by its first visit, from 1, and the least one that it reaches.
    let mut visited = vec![0; successors.len()];
    let mut least = vec![0; successors.len()];
    let mut visits = 0;
    let mut unassigned = Vec::new();
    let mut frames: Vec<(usize, usize)> = Vec::new();
    for root in 0..successors.len() {
        if visited[root] == 0 {
            frames.push((root, 0));
        }
        while let Some((node, next)) = frames.last_mut() {
            let node = *node;
            if *next == 0 && visited[node] == 0 {
                visits += 1;
                (visited[node], least[node]) = (visits, visits);
                unassigned.push(node);
            }
            if let Some(&target) = successors[node].get(*next) {
                *next += 1;
                if visited[target] == 0 {
                    frames.push((target, 0));
                } else if component_of[target] == OPEN {
                    least[node] = least[node].min(visited[target]);
                }
                continue;
            }
            frames.pop();
            if let Some(&(parent, _)) = frames.last() {
                least[parent] = least[parent].min(least[node]);
            }
            if least[node] == visited[node] {
                while let Some(member) = unassigned.pop() {
                    component_of[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    (component_of, count)
}

/// The search for the cycles of one component after the other.
struct Search<'g> {
    successors: &'g [Vec<usize>],
    /// The predecessors of a node inside its component.
    predecessors: &'g [Vec<usize>],
    component_of: &'g [usize],
    bounds: Bounds,
    steps: usize,
    cycles: Vec<Vec<usize>>,
    /// The largest depth, in edges from the start, at which a node may be entered; `None` if the start is out of
    /// reach. Never less than the true one for a node that is not on the walk.
    limits: Vec<Option<usize>>,
    on_path: Vec<bool>,
    /// Whether the length kept the walk from a node.
    shortened: bool,
}

/// A node of the walk.
struct Frame {
    node: usize,
    /// The index of the successor to visit next.
    next: usize,
    /// The edges from here to the start on the shortest way found.
    to_start: Option<usize>,
}

impl Frame {
    fn new(node: usize) -> Frame {
        Frame {
            node,
            next: 0,
            to_start: None,
        }
    }
}

impl Search<'_> {
    /// Adds the cycles whose smallest node is `start`.
    fn from(&mut self, start: usize) -> Result<(), Bound> {
        let reached = self.reach(start)?;
        let result = self.walk(start);
        for node in reached {
            self.limits[node] = None;
            self.on_path[node] = false;
        }
        result
    }

    /// Sets the limits of all nodes from which the start can be reached within the length, by a walk backwards.
    fn reach(&mut self, start: usize) -> Result<Vec<usize>, Bound> {
        let mut reached = vec![start];
        self.limits[start] = Some(self.bounds.length);
        let mut at = 0;
        while let Some(&node) = reached.get(at) {
            at += 1;
            let limit = self.limits[node].unwrap_or_default();
            for &predecessor in &self.predecessors[node] {
                if let Err(bound) = count(&mut self.steps, self.bounds) {
                    reached.iter().for_each(|&node| self.limits[node] = None);
                    return Err(bound);
                }
                if predecessor > start && self.limits[predecessor].is_none() && limit > 1 {
                    self.limits[predecessor] = Some(limit - 1);
                    reached.push(predecessor);
                }
            }
        }
        Ok(reached)
    }

    fn walk(&mut self, start: usize) -> Result<(), Bound> {
        let mut frames = vec![Frame::new(start)];
        self.on_path[start] = true;
        while let Some(frame) = frames.last() {
            let (node, depth) = (frame.node, frames.len());
            let Some(&target) = self.successors[node].get(frame.next) else {
                let to_start = frame.to_start;
                frames.pop();
                self.leave(node, depth - 1, to_start)?;
                if let (Some(frame), Some(edges)) = (frames.last_mut(), to_start) {
                    let longer = frame.to_start.unwrap_or(usize::MAX).min(edges + 1);
                    frame.to_start = Some(longer);
                }
                continue;
            };
            count(&mut self.steps, self.bounds)?;
            let repeated = frame.next > 0 && self.successors[node][frame.next - 1] == target;
            if let Some(frame) = frames.last_mut() {
                frame.next += 1;
                if target == start && !repeated {
                    frame.to_start = Some(1);
                }
            }
            if repeated || target < start || self.component_of[target] != self.component_of[start] {
                continue;
            }
            if target == start {
                if self.cycles.len() == self.bounds.cycles {
                    return Err(Bound::Cycles);
                }
                self.cycles
                    .push(frames.iter().map(|frame| frame.node).collect());
            } else if !self.on_path[target] {
                if self.limits[target].is_some_and(|limit| depth <= limit) {
                    self.on_path[target] = true;
                    frames.push(Frame::new(target));
                } else {
                    self.shortened = true;
                }
            }
        }
        Ok(())
    }

    /// Takes a node at a depth off the walk, and sets the limits that this changes.
    ///
    /// A node from which the start was reached lies in the way of its predecessors no longer: they, and theirs,
    /// may be entered again as deep as the way over this node allows.
    fn leave(&mut self, node: usize, depth: usize, to_start: Option<usize>) -> Result<(), Bound> {
        self.on_path[node] = false;
        let Some(edges) = to_start else {
            self.limits[node] = depth.checked_sub(1);
            return Ok(());
        };
        self.limits[node] = Some(self.bounds.length - edges);
        let mut raised = vec![node];
        while let Some(node) = raised.pop() {
            let Some(limit) = self.limits[node].and_then(|limit| limit.checked_sub(1)) else {
                continue;
            };
            for &predecessor in &self.predecessors[node] {
                count(&mut self.steps, self.bounds)?;
                // What the walk backwards did not reach has no limit and needs none.
                let lower = self.limits[predecessor].is_some_and(|now| now < limit);
                if lower && !self.on_path[predecessor] {
                    self.limits[predecessor] = Some(limit);
                    raised.push(predecessor);
                }
            }
        }
        Ok(())
    }
}

/// Counts an edge that is followed.
fn count(steps: &mut usize, bounds: Bounds) -> Result<(), Bound> {
    *steps += 1;
    if *steps > bounds.steps {
        Err(Bound::Steps)
    } else {
        Ok(())
    }
}

/// Finds a shortest cycle through each edge of a component.
struct ThroughEdges<'g> {
    successors: &'g [Vec<usize>],
    component_of: &'g [usize],
    /// How many edges may still be followed.
    steps: usize,
    /// How many cycles may still be added.
    cycles: usize,
    /// The node before a node on a shortest way from the node of the current search.
    parents: Vec<Option<usize>>,
}

impl ThroughEdges<'_> {
    /// Adds cycles through the edges of a component that are not covered.
    fn add(
        &mut self,
        nodes: &[usize],
        covered: &BTreeSet<(usize, usize)>,
        found: &mut BTreeSet<Vec<usize>>,
    ) {
        // By target: one search from it gives the ways to all sources.
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for &source in nodes {
            let targets = self.successors[source].iter();
            let inside =
                targets.filter(|&&target| self.component_of[target] == self.component_of[source]);
            edges.extend(inside.map(|&target| (target, source)));
        }
        edges.sort_unstable();
        for of_target in edges.chunk_by(|one, other| one.0 == other.0) {
            let target = of_target[0].0;
            if of_target
                .iter()
                .all(|&(target, source)| covered.contains(&(source, target)))
            {
                continue;
            }
            let sources: Vec<usize> = of_target.iter().map(|edge| edge.1).collect();
            let reached = self.search(target, &sources);
            for &(_, source) in of_target {
                let Some(cycle) = self.way(target, source) else {
                    continue;
                };
                if covered.contains(&(source, target)) || self.cycles == 0 {
                    continue;
                }
                self.cycles -= usize::from(found.insert(from_smallest(cycle)));
            }
            for node in reached {
                self.parents[node] = None;
            }
            if self.cycles == 0 || self.steps == 0 {
                return;
            }
        }
    }

    /// Sets the parents of the component's nodes, breadth first until all goals are reached; returns the nodes reached.
    /// The goals are ascending.
    fn search(&mut self, from: usize, goals: &[usize]) -> Vec<usize> {
        let mut queue = VecDeque::from([from]);
        let mut reached = vec![from];
        self.parents[from] = Some(from);
        let is_goal = |node: usize| usize::from(goals.binary_search(&node).is_ok());
        let mut missing = goals.len() - is_goal(from);
        while let Some(node) = queue.pop_front() {
            for &target in &self.successors[node] {
                if self.steps == 0 || missing == 0 {
                    return reached;
                }
                self.steps -= 1;
                let inside = self.component_of[target] == self.component_of[from];
                if inside && self.parents[target].is_none() {
                    self.parents[target] = Some(node);
                    missing -= is_goal(target);
                    reached.push(target);
                    queue.push_back(target);
                }
            }
        }
        reached
    }

    /// Returns the way from the node of the search to another, both included.
    fn way(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut way = vec![to];
        let mut node = to;
        while node != from {
            node = self.parents[node]?;
            way.push(node);
        }
        way.reverse();
        Some(way)
    }
}

/// Returns the same cycle from its smallest node.
fn from_smallest(mut cycle: Vec<usize>) -> Vec<usize> {
    let smallest = cycle.iter().enumerate().min_by_key(|(_, node)| **node);
    let at = smallest.map_or(0, |(at, _)| at);
    cycle.rotate_left(at);
    cycle
}

#[cfg(test)]
mod tests;
