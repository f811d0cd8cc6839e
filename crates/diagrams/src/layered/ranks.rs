//! Layers of nodes: cycles broken, no layer wider than it may be.

use std::collections::VecDeque;

use super::CROSS_GAP;

/// The layers of a graph's nodes, and its edges as links from a layer to a lower one.
pub(super) struct Ranked {
    /// The layer of each node, from 0.
    pub(super) layers: Vec<usize>,
    /// The number of layers.
    pub(super) count: usize,
    pub(super) links: Vec<Link>,
}

/// An edge, from the node of the upper layer to that of the lower one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) upper: usize,
    pub(super) lower: usize,
    /// Whether the edge itself leads upwards: it closes a cycle.
    pub(super) reversed: bool,
}

/// Returns layers for the nodes; `edges` are sorted and lead from no node to itself.
pub(super) fn rank(sizes: &[(f64, f64)], edges: &[(usize, usize)], limit: f64) -> Ranked {
    let links = without_cycles(sizes.len(), edges);
    let mut upper: Vec<Vec<usize>> = vec![Vec::new(); sizes.len()];
    let mut lower: Vec<Vec<usize>> = vec![Vec::new(); sizes.len()];
    for link in &links {
        upper[link.lower].push(link.upper);
        lower[link.upper].push(link.lower);
    }
    let mut layers = vec![0; sizes.len()];
    let mut widths = Widths {
        of: Vec::new(),
        open: 0,
        limit,
    };
    let order = topological(&upper, &lower);
    let tied = |node: usize| !upper[node].is_empty() || !lower[node].is_empty();
    for &node in order.iter().filter(|&&node| tied(node)) {
        let least = upper[node].iter().map(|&above| layers[above] + 1).max();
        layers[node] = widths.add(least.unwrap_or(0), sizes[node].0);
    }
    // What has more edges down than up is nearer to what it leads to.
    for &node in order.iter().rev() {
        let Some(next) = lower[node].iter().map(|&below| layers[below]).min() else {
            continue;
        };
        if lower[node].len() > upper[node].len() {
            let cross = sizes[node].0;
            let target = (layers[node] + 1..next)
                .rev()
                .find(|&layer| widths.fits(layer, cross));
            if let Some(target) = target {
                widths.of[layers[node]] -= cross + CROSS_GAP;
                widths.of[target] += cross + CROSS_GAP;
                layers[node] = target;
            }
        }
    }
    // Nodes without edges are a block of their own below the rest.
    let mut free = Widths {
        of: Vec::new(),
        open: 0,
        limit,
    };
    let begin = widths.of.len();
    for &node in order.iter().filter(|&&node| !tied(node)) {
        layers[node] = begin + free.add(0, sizes[node].0);
    }
    // A layer that was emptied is none.
    let mut used = vec![false; begin + free.of.len()];
    layers.iter().for_each(|&layer| used[layer] = true);
    let mut count = 0;
    let numbers: Vec<usize> = used
        .iter()
        .map(|&used| {
            count += usize::from(used);
            count.max(1) - 1
        })
        .collect();
    layers.iter_mut().for_each(|layer| *layer = numbers[*layer]);
    Ranked {
        layers,
        count,
        links,
    }
}

/// How wide each layer is so far.
struct Widths {
    of: Vec<f64>,
    /// Every layer before this one is full.
    open: usize,
    limit: f64,
}

impl Widths {
    fn fits(&self, layer: usize, cross: f64) -> bool {
        self.of[layer] == 0.0 || self.of[layer] + cross <= self.limit
    }

    /// Returns the first layer from `least` on with space for a box, and adds it.
    fn add(&mut self, least: usize, cross: f64) -> usize {
        let mut layer = least.max(self.open);
        loop {
            while self.of.len() <= layer {
                self.of.push(0.0);
            }
            if self.fits(layer, cross) {
                self.of[layer] += cross + CROSS_GAP;
                return layer;
            }
            if layer == self.open {
                self.open += 1;
            }
            layer += 1;
        }
    }
}

/// Returns the edges as links downwards: an edge that leads back to a node of the current walk is reversed.
///
/// The walk begins at nodes without predecessors, in order, so that a cycle hangs from what leads into it.
fn without_cycles(nodes: usize, edges: &[(usize, usize)]) -> Vec<Link> {
    let mut first = vec![edges.len(); nodes + 1];
    for (at, &(from, _)) in edges.iter().enumerate().rev() {
        first[from] = at;
    }
    for node in (0..nodes).rev() {
        first[node] = first[node].min(first[node + 1]);
    }
    let mut entered = vec![false; nodes];
    edges.iter().for_each(|&(_, to)| entered[to] = true);
    let roots = (0..nodes).filter(|&node| !entered[node]);
    let roots: Vec<usize> = roots
        .chain((0..nodes).filter(|&node| entered[node]))
        .collect();

    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; nodes];
    let mut reversed = vec![false; edges.len()];
    let mut walk: Vec<(usize, usize)> = Vec::new();
    for root in roots {
        if states[root] == State::New {
            states[root] = State::Open;
            walk.push((root, first[root]));
        }
        while let Some((node, next)) = walk.last_mut() {
            if *next == first[*node + 1] {
                states[*node] = State::Done;
                walk.pop();
                continue;
            }
            let at = *next;
            *next += 1;
            let to = edges[at].1;
            match states[to] {
                State::New => {
                    states[to] = State::Open;
                    walk.push((to, first[to]));
                }
                State::Open => reversed[at] = true,
                State::Done => {}
            }
        }
    }
    edges
        .iter()
        .zip(reversed)
        .map(|(&(from, to), reversed)| {
            let (upper, lower) = if reversed { (to, from) } else { (from, to) };
            Link {
                upper,
                lower,
                reversed,
            }
        })
        .collect()
}

/// Returns the nodes so that each is after those above it, level by level.
fn topological(upper: &[Vec<usize>], lower: &[Vec<usize>]) -> Vec<usize> {
    let mut waiting: Vec<usize> = upper.iter().map(Vec::len).collect();
    let roots = (0..upper.len()).filter(|&node| waiting[node] == 0);
    let mut queue: VecDeque<usize> = roots.collect();
    let mut order = Vec::with_capacity(upper.len());
    while let Some(node) = queue.pop_front() {
        order.push(node);
        for &below in &lower[node] {
            waiting[below] -= 1;
            if waiting[below] == 0 {
                queue.push_back(below);
            }
        }
    }
    order
}
