//! A layered drawing of a graph, after Sugiyama: positions of boxes, and the ways of edges between them.
//!
//! 1. [`ranks`]: cycles are broken, every node gets a layer below those of its predecessors. A layer is no wider than
//!    the drawing should be, so that a hundred unrelated nodes are a block and not a line.
//! 2. [`order`]: an edge over several layers passes each between boxes, at a *bend*; the order in each layer is that
//!    with few crossings, by barycenters.
//! 3. [`coordinates`]: boxes move towards their neighbours, without changing the order.
//!
//! Axes: layers follow each other along the *main* axis (downwards, or to the right); boxes of a layer beside each
//! other along the *cross* axis. Everything is deterministic, and about linear in nodes, edges and bends, whose number
//! is bounded.

mod coordinates;
mod order;
mod ranks;

use std::collections::BTreeMap;

use crate::diagram::Direction;
use order::{LayerItem, Layers};

/// The distance between boxes of a layer, in pixels.
const CROSS_GAP: f64 = 22.0;
/// The distance between layers, without that which edges between them need.
const MAIN_GAP: f64 = 44.0;

/// The distance between frames, in pixels.
const FRAME_GAP: f64 = 40.0;

/// A box: its extent along the horizontal and the vertical axis, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Where the boxes are and how the edges go.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Arranged {
    /// The left upper corner of each box, in whole pixels.
    pub(crate) corners: Vec<(f64, f64)>,
    /// The way of each edge between two different nodes.
    pub(crate) routes: BTreeMap<(usize, usize), Route>,
    /// The extent of the drawing.
    pub(crate) width: f64,
    /// The extent of the drawing.
    pub(crate) height: f64,
}

/// The way of an edge, in whole pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Route {
    /// How far along the cross axis it leaves the first box from the box's middle.
    pub(crate) start: f64,
    /// How far along the cross axis it reaches the last box from the box's middle.
    pub(crate) end: f64,
    /// Where it passes layers, from the first box on.
    pub(crate) bends: Vec<Bend>,
}

/// Where an edge passes a layer: straight along the main axis, from one end of the layer to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bend {
    pub(crate) cross: f64,
    /// Along the main axis, the end of the layer that the edge comes to first.
    pub(crate) from: f64,
    /// The end at which it goes on.
    pub(crate) to: f64,
}

/// Returns a drawing of boxes and the edges between them, given as pairs of indices.
pub(crate) fn arrange(sizes: &[Size], edges: &[(usize, usize)], direction: Direction) -> Arranged {
    // From here on a size is (cross, main).
    let sizes: Vec<(f64, f64)> = sizes
        .iter()
        .map(|size| match direction {
            Direction::Down => (size.width, size.height),
            Direction::Right => (size.height, size.width),
        })
        .collect();
    let mut links: Vec<(usize, usize)> = edges
        .iter()
        .copied()
        .filter(|(from, to)| from != to)
        .collect();
    links.sort_unstable();
    links.dedup();

    let limit = extent(&sizes, direction);
    let ranked = ranks::rank(&sizes, &links, limit);
    let layers = order::order(&sizes, &ranked);
    let centers = coordinates::assign(&sizes, &layers, limit);
    locate(&sizes, &ranked, &layers, &centers, direction)
}

/// Returns a drawing of boxes of very different sizes, such as frames: rows of about a screen's shape, in the order of
/// the layers. Boxes lower than their row are stacked. Edges have no routes.
pub(crate) fn arrange_in_rows(
    sizes: &[Size],
    edges: &[(usize, usize)],
    direction: Direction,
) -> Arranged {
    let layered = arrange(sizes, edges, direction);
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    let along = |item: usize| {
        let (x, y) = layered.corners[item];
        match direction {
            Direction::Down => (y + sizes[item].height / 2.0, x),
            Direction::Right => (x + sizes[item].width / 2.0, y),
        }
    };
    order.sort_by(|&one, &other| {
        let (one, other) = (along(one), along(other));
        one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
    });
    let area: f64 = sizes
        .iter()
        .map(|size| (size.width + FRAME_GAP) * (size.height + FRAME_GAP))
        .sum();
    let widest = sizes.iter().map(|size| size.width).fold(0.0, f64::max);
    let limit = (area * 2.0).sqrt().max(widest);
    let mut arranged = Arranged {
        corners: vec![(0.0, 0.0); sizes.len()],
        ..Arranged::default()
    };
    // The current row from its top, the column in it, and where the next box of the column is.
    let (mut top, mut height) = (0.0, 0.0_f64);
    let (mut left, mut width, mut next) = (0.0, 0.0_f64, 0.0);
    for item in order {
        let size = sizes[item];
        if next > top && next + size.height > top + height {
            left += width + FRAME_GAP;
            (width, next) = (0.0, top);
        }
        if left > 0.0 && left + size.width > limit {
            top += height + FRAME_GAP;
            (height, left, width, next) = (0.0, 0.0, 0.0, top);
        }
        arranged.corners[item] = (left, next);
        next += size.height + FRAME_GAP;
        width = width.max(size.width);
        height = height.max(size.height);
        arranged.width = arranged.width.max(left + size.width);
        arranged.height = arranged.height.max(top + height);
    }
    arranged
}

/// Returns how far a layer may extend: so that the drawing is about a screen's shape.
fn extent(sizes: &[(f64, f64)], direction: Direction) -> f64 {
    let area: f64 = sizes
        .iter()
        .map(|(cross, main)| (cross + CROSS_GAP) * (main + MAIN_GAP * 1.6))
        .sum();
    let shape = match direction {
        Direction::Down => 1.7,
        Direction::Right => 1.0 / 1.7,
    };
    let widest = sizes.iter().map(|(cross, _)| *cross).fold(0.0, f64::max);
    (area * shape).sqrt().max(widest * 2.0)
}

/// Returns the positions along the main axis, and the routes.
fn locate(
    sizes: &[(f64, f64)],
    ranked: &ranks::Ranked,
    layers: &Layers,
    centers: &[f64],
    direction: Direction,
) -> Arranged {
    let mut begins = Vec::new();
    let mut main = 0.0;
    for (at, items) in layers.items.iter().enumerate() {
        let thickness = items.iter().map(|&item| layers.main(sizes, item));
        let thickness = thickness.fold(0.0, f64::max);
        begins.push((main, main + thickness));
        // Edges that cross the gap steeply are easily followed; flat ones need a higher gap.
        let links = layers.below[at].len() as f64;
        main += thickness + MAIN_GAP + (links * 0.7).min(70.0);
    }
    let span = begins.last().map_or(0.0, |(_, end)| *end);
    let half = |item: usize| layers.cross(sizes, item) / 2.0;
    let low = (0..centers.len()).map(|item| centers[item] - half(item));
    let low = low.fold(f64::MAX, f64::min);
    let low = if centers.is_empty() { 0.0 } else { low };
    let high = (0..centers.len()).map(|item| centers[item] + half(item));
    let high = high.fold(low, f64::max);
    let cross_of = |item: usize| (centers[item] - low).round();

    let mut arranged = Arranged {
        corners: vec![(0.0, 0.0); sizes.len()],
        ..Arranged::default()
    };
    (arranged.width, arranged.height) = oriented(direction, (high - low).ceil(), span);
    for (node, (cross, thick)) in sizes.iter().enumerate() {
        let (begin, end) = begins[ranked.layers[node]];
        let main = begin + ((end - begin - thick) / 2.0).floor();
        let corner = (centers[node] - low - cross / 2.0).round();
        arranged.corners[node] = oriented(direction, corner, main);
    }
    let ports = ports(sizes, layers, centers);
    for link in &ranked.links {
        let chain = layers.chain(link, ranked);
        let bends: Vec<Bend> = chain
            .iter()
            .map(|&item| {
                let (from, to) = begins[layers.layer_of[item]];
                Bend {
                    cross: cross_of(item),
                    from,
                    to,
                }
            })
            .collect();
        let first = chain.first().copied().unwrap_or(link.lower);
        let last = chain.last().copied().unwrap_or(link.upper);
        let port = |node, other| ports.get(&(node, other)).copied().unwrap_or(0.0);
        let mut route = Route {
            start: port(link.upper, first),
            end: port(link.lower, last),
            bends,
        };
        if link.reversed {
            route = backwards(route);
            arranged.routes.insert((link.lower, link.upper), route);
        } else {
            arranged.routes.insert((link.upper, link.lower), route);
        }
    }
    arranged
}

fn oriented(direction: Direction, cross: f64, main: f64) -> (f64, f64) {
    match direction {
        Direction::Down => (cross, main),
        Direction::Right => (main, cross),
    }
}

fn backwards(route: Route) -> Route {
    let turned = |bend: &Bend| Bend {
        from: bend.to,
        to: bend.from,
        ..*bend
    };
    Route {
        start: route.end,
        end: route.start,
        bends: route.bends.iter().rev().map(turned).collect(),
    }
}

/// Returns where edges meet a box, as offsets from its middle: side by side, in the order of their other ends.
fn ports(sizes: &[(f64, f64)], layers: &Layers, centers: &[f64]) -> BTreeMap<(usize, usize), f64> {
    let mut sides: BTreeMap<(usize, bool), Vec<usize>> = BTreeMap::new();
    for links in &layers.below {
        for &(upper, lower) in links {
            sides.entry((upper, true)).or_default().push(lower);
            sides.entry((lower, false)).or_default().push(upper);
        }
    }
    let mut ports = BTreeMap::new();
    for ((node, _), mut others) in sides {
        let LayerItem::Node(node) = layers.item(node) else {
            continue;
        };
        others.sort_by(|one, other| centers[*one].total_cmp(&centers[*other]));
        let step = (sizes[node].0 * 0.7 / others.len() as f64).min(14.0);
        let middle = (others.len() as f64 - 1.0) / 2.0;
        for (at, other) in others.into_iter().enumerate() {
            ports.insert((node, other), ((at as f64 - middle) * step).round());
        }
    }
    ports
}
