//! Positions along the cross axis: near the neighbours, in the given order.

use super::CROSS_GAP;
use super::order::{LayerItem, Layers};

/// How much more a straight way counts between two bends than between two boxes.
const STRAIGHT: f64 = 6.0;

/// Returns the middle of each item along the cross axis.
pub(super) fn assign(sizes: &[(f64, f64)], layers: &Layers, limit: f64) -> Vec<f64> {
    let count = layers.layer_of.len();
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(upper, lower) in layers.below.iter().flatten() {
        above[lower].push(upper);
        below[upper].push(lower);
    }
    let mut centers = vec![0.0; count];
    for items in &layers.items {
        let distances = distances(sizes, layers, items);
        let length: f64 = distances.iter().sum();
        let mut at = (limit - length) / 2.0;
        for (&item, distance) in items.iter().zip(&distances) {
            at += distance;
            centers[item] = at;
        }
    }
    let down = 0..layers.items.len();
    for _ in 0..4 {
        for layer in down.clone() {
            settle(sizes, layers, layer, &[&above], &mut centers);
        }
        for layer in down.clone().rev() {
            settle(sizes, layers, layer, &[&below], &mut centers);
        }
    }
    // More rounds make long edges straighter, and large drawings slow.
    let rounds = if count > 5_000 { 1 } else { 8 };
    for _ in 0..rounds {
        for layer in down.clone().chain(down.clone().rev()) {
            settle(sizes, layers, layer, &[&above, &below], &mut centers);
        }
    }
    center_loose(sizes, layers, &above, &below, &mut centers);
    centers
}

/// Moves the layers of nodes without edges below the middle of the others.
fn center_loose(
    sizes: &[(f64, f64)],
    layers: &Layers,
    above: &[Vec<usize>],
    below: &[Vec<usize>],
    centers: &mut [f64],
) {
    let ends = |items: &mut dyn Iterator<Item = usize>, centers: &[f64]| {
        items.fold((f64::MAX, f64::MIN), |(low, high), item| {
            let half = layers.cross(sizes, item) / 2.0;
            (
                low.min(centers[item] - half),
                high.max(centers[item] + half),
            )
        })
    };
    let is_tied = |item: usize| !above[item].is_empty() || !below[item].is_empty();
    let (low, high) = ends(
        &mut (0..centers.len()).filter(|&item| is_tied(item)),
        centers,
    );
    if low > high {
        return;
    }
    for items in layers
        .items
        .iter()
        .filter(|items| !items.iter().any(|&item| is_tied(item)))
    {
        let (first, last) = ends(&mut items.iter().copied(), centers);
        let shift = (low + high - first - last) / 2.0;
        items.iter().for_each(|&item| centers[item] += shift);
    }
}

/// Returns the distance of each item's middle from that of the one before it; of the first one, 0.
fn distances(sizes: &[(f64, f64)], layers: &Layers, items: &[usize]) -> Vec<f64> {
    let mut distances = vec![0.0; items.len()];
    for (at, pair) in items.windows(2).enumerate() {
        let bends = pair
            .iter()
            .filter(|&&item| matches!(layers.item(item), LayerItem::Bend))
            .count();
        let gap = match bends {
            0 => CROSS_GAP,
            1 => CROSS_GAP * 0.5,
            _ => 0.0,
        };
        let halves = layers.cross(sizes, pair[0]) + layers.cross(sizes, pair[1]);
        distances[at + 1] = halves / 2.0 + gap;
    }
    distances
}

/// Moves the items of a layer to the positions that are nearest to their neighbours.
fn settle(
    sizes: &[(f64, f64)],
    layers: &Layers,
    layer: usize,
    sides: &[&Vec<Vec<usize>>],
    centers: &mut [f64],
) {
    let items = &layers.items[layer];
    let distances = distances(sizes, layers, items);
    let mut offset = 0.0;
    let mut wanted = Vec::with_capacity(items.len());
    for (&item, distance) in items.iter().zip(&distances) {
        offset += distance;
        let is_bend = |item| matches!(layers.item(item), LayerItem::Bend);
        let (mut sum, mut weights) = (0.0, 0.0);
        for &other in sides.iter().flat_map(|side| &side[item]) {
            let weight = if is_bend(item) && is_bend(other) {
                STRAIGHT
            } else {
                1.0
            };
            sum += centers[other] * weight;
            weights += weight;
        }
        // Without neighbours an item keeps its position, and gives way easily.
        let (position, weight) = if weights == 0.0 {
            (centers[item], 0.05)
        } else {
            (sum / weights, weights)
        };
        wanted.push((position - offset, weight));
    }
    let mut offset = 0.0;
    let nearest = ascending(&wanted);
    for ((&item, distance), position) in items.iter().zip(&distances).zip(nearest) {
        offset += distance;
        centers[item] = position + offset;
    }
}

/// Returns the ascending sequence that is nearest to the wanted positions, by the sum of weighted squares.
///
/// Neighbours that would be in the wrong order are pooled and share their mean: `3 1 2` becomes `2 2 2`.
fn ascending(wanted: &[(f64, f64)]) -> Vec<f64> {
    // The mean of each pool, its weight, and how many it has.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for &(position, weight) in wanted {
        let mut pool = (position, weight, 1);
        while let Some(&(mean, before, count)) = pools.last() {
            if mean <= pool.0 {
                break;
            }
            pools.pop();
            let both = before + pool.1;
            pool = (
                (mean * before + pool.0 * pool.1) / both,
                both,
                pool.2 + count,
            );
        }
        pools.push(pool);
    }
    let spread = pools
        .into_iter()
        .map(|(mean, _, count)| (0..count).map(move |_| mean));
    spread.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::ascending;

    #[test]
    fn positions_in_the_wrong_order_share_their_mean() {
        let wanted = [(3.0, 1.0), (1.0, 1.0), (2.0, 1.0), (5.0, 1.0)];
        assert_eq!(ascending(&wanted), [2.0, 2.0, 2.0, 5.0]);
        assert_eq!(ascending(&[(4.0, 3.0), (0.0, 1.0)]), [3.0, 3.0]);
    }
}
