//! The order of boxes and bends in each layer.

use std::collections::BTreeMap;

use super::ranks::{Link, Ranked};

/// The extent of a bend along the cross axis: the distance between two edges that pass a layer.
const BEND: f64 = 10.0;
/// How many bends there may be: beyond, long edges have bends near their lower ends alone.
const MAX_BENDS: usize = 60_000;

/// What a layer consists of: items, numbered from 0, the nodes first.
pub(super) struct Layers {
    /// How many items are nodes.
    nodes: usize,
    /// The layer of each item.
    pub(super) layer_of: Vec<usize>,
    /// The items of each layer, in order.
    pub(super) items: Vec<Vec<usize>>,
    /// The links between the items of a layer and those of the next.
    pub(super) below: Vec<Vec<(usize, usize)>>,
    /// The bends above a node, the lowest first, by the node and by whether the edges lead upwards. All edges into a
    /// node share them, so that they join on their way.
    trunks: BTreeMap<(usize, bool), Vec<usize>>,
}

/// What an item is.
pub(super) enum LayerItem {
    /// A node, by its index.
    Node(usize),
    /// Where edges pass a layer.
    Bend,
}

impl Layers {
    pub(super) fn item(&self, item: usize) -> LayerItem {
        if item < self.nodes {
            LayerItem::Node(item)
        } else {
            LayerItem::Bend
        }
    }

    /// Returns the extent of an item along the cross axis.
    pub(super) fn cross(&self, sizes: &[(f64, f64)], item: usize) -> f64 {
        match self.item(item) {
            LayerItem::Node(node) => sizes[node].0,
            LayerItem::Bend => BEND,
        }
    }

    /// Returns the extent of an item along the main axis.
    pub(super) fn main(&self, sizes: &[(f64, f64)], item: usize) -> f64 {
        match self.item(item) {
            LayerItem::Node(node) => sizes[node].1,
            LayerItem::Bend => 0.0,
        }
    }

    /// Returns the bends of a link, downwards.
    pub(super) fn chain(&self, link: &Link, ranked: &Ranked) -> Vec<usize> {
        let bends = &self.trunks[&(link.lower, link.reversed)];
        let between = ranked.layers[link.lower] - ranked.layers[link.upper] - 1;
        bends[..between.min(bends.len())]
            .iter()
            .rev()
            .copied()
            .collect()
    }
}

/// Returns layers with few crossings.
pub(super) fn order(sizes: &[(f64, f64)], ranked: &Ranked) -> Layers {
    let mut layers = with_bends(sizes.len(), ranked);
    let mut positions = vec![0; layers.layer_of.len()];
    number(&layers.items, &mut positions);
    let (above, below) = neighbours(&layers);
    let sweeps = if layers.layer_of.len() > 20_000 {
        6
    } else {
        24
    };
    let mut best = layers.items.clone();
    let mut fewest = crossings(&layers, &positions);
    for sweep in 0..sweeps {
        if fewest == 0 {
            break;
        }
        let count = layers.items.len();
        for step in 1..count {
            let (layer, neighbours) = if sweep % 2 == 0 {
                (step, &above)
            } else {
                (count - 1 - step, &below)
            };
            sort_by_neighbours(
                &mut layers.items,
                layer,
                neighbours,
                &layers.layer_of,
                &mut positions,
            );
        }
        let now = crossings(&layers, &positions);
        if now < fewest {
            fewest = now;
            best.clone_from(&layers.items);
        }
    }
    layers.items = best;
    layers
}

/// Returns the layers with bends for the edges that pass them.
fn with_bends(nodes: usize, ranked: &Ranked) -> Layers {
    // How far up the trunk of each node reaches.
    let mut heights: BTreeMap<(usize, bool), usize> = BTreeMap::new();
    for link in &ranked.links {
        let height = ranked.layers[link.lower] - ranked.layers[link.upper] - 1;
        let entry = heights.entry((link.lower, link.reversed)).or_insert(0);
        *entry = height.max(*entry);
    }
    let all: usize = heights.values().sum();
    let longest = if all <= MAX_BENDS {
        usize::MAX
    } else {
        (MAX_BENDS / heights.len().max(1)).max(1)
    };
    let mut layers = Layers {
        nodes,
        layer_of: ranked.layers.clone(),
        items: vec![Vec::new(); ranked.count],
        below: vec![Vec::new(); ranked.count],
        trunks: BTreeMap::new(),
    };
    for (node, &layer) in ranked.layers.iter().enumerate() {
        layers.items[layer].push(node);
    }
    for (&(node, reversed), &height) in &heights {
        let mut bends = Vec::new();
        let mut lower = node;
        for step in 1..=height.min(longest) {
            let layer = ranked.layers[node] - step;
            let bend = layers.layer_of.len();
            layers.layer_of.push(layer);
            layers.items[layer].push(bend);
            layers.below[layer].push((bend, lower));
            bends.push(bend);
            lower = bend;
        }
        layers.trunks.insert((node, reversed), bends);
    }
    for &Link {
        upper,
        lower,
        reversed,
    } in &ranked.links
    {
        let between = ranked.layers[lower] - ranked.layers[upper] - 1;
        let bends = &layers.trunks[&(lower, reversed)];
        if between <= bends.len() {
            let next = if between == 0 {
                lower
            } else {
                bends[between - 1]
            };
            layers.below[ranked.layers[upper]].push((upper, next));
        }
    }
    layers
}

fn number(items: &[Vec<usize>], positions: &mut [usize]) {
    for items in items {
        for (at, &item) in items.iter().enumerate() {
            positions[item] = at;
        }
    }
}

/// Returns the neighbours of each item in the layer above, and in the layer below.
fn neighbours(layers: &Layers) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut above = vec![Vec::new(); layers.layer_of.len()];
    let mut below = vec![Vec::new(); layers.layer_of.len()];
    for &(upper, lower) in layers.below.iter().flatten() {
        above[lower].push(upper);
        below[upper].push(lower);
    }
    (above, below)
}

/// Sorts a layer by the mean position of each item's neighbours; an item without any keeps its own.
fn sort_by_neighbours(
    items: &mut [Vec<usize>],
    layer: usize,
    neighbours: &[Vec<usize>],
    layer_of: &[usize],
    positions: &mut [usize],
) {
    let of_length = |item: usize, length: usize| (positions[item] as f64 + 0.5) / length as f64;
    let own = items[layer].len();
    let mut keyed: Vec<(f64, usize)> = items[layer]
        .iter()
        .map(|&item| {
            let others = &neighbours[item];
            let sum: f64 = others
                .iter()
                .map(|&other| of_length(other, items[layer_of[other]].len()))
                .sum();
            let key = if others.is_empty() {
                of_length(item, own)
            } else {
                sum / others.len() as f64
            };
            (key, item)
        })
        .collect();
    // Stable: equal items keep their order.
    keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
    items[layer] = keyed.into_iter().map(|(_, item)| item).collect();
    for (at, &item) in items[layer].iter().enumerate() {
        positions[item] = at;
    }
}

/// Returns how many pairs of links cross.
fn crossings(layers: &Layers, positions: &[usize]) -> u64 {
    let mut total = 0;
    for (layer, links) in layers.below.iter().enumerate() {
        let Some(next) = layers.items.get(layer + 1) else {
            continue;
        };
        let mut ends: Vec<(usize, usize)> = links
            .iter()
            .map(|&(upper, lower)| (positions[upper], positions[lower]))
            .collect();
        ends.sort_unstable();
        // A Fenwick tree of the lower ends so far: those further on are crossed.
        let mut tree = vec![0_u64; next.len() + 1];
        for (so_far, &(_, lower)) in ends.iter().enumerate() {
            let mut at = lower + 1;
            let mut not_after = 0;
            while at > 0 {
                not_after += tree[at];
                at &= at - 1;
            }
            total += so_far as u64 - not_after;
            let mut at = lower + 1;
            while at < tree.len() {
                tree[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
    }
    total
}
