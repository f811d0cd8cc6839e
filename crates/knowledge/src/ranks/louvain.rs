//! Communities by the Louvain method (Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large
//! networks).

use super::Adjacency;

/// The seed of the order of nodes.
const SEED: u64 = 42;

/// The passes over all nodes of a level at most.
const MAX_PASSES: usize = 50;

/// The levels at most; each has fewer nodes than the one before.
const MAX_LEVELS: usize = 50;

/// Returns the community of each node of an undirected graph, numbered from 0 in the order of their first nodes. The order
/// in which nodes move is a shuffle of theirs by a fixed seed; of equal gains the smaller community is taken.
pub(crate) fn communities(graph: &Adjacency, resolution: f64) -> Vec<u32> {
    let count = graph.len();
    let mut of_node: Vec<u32> = (0..count as u32).collect();
    let mut level = Level::of(graph);
    for _ in 0..MAX_LEVELS {
        let (moved, communities) = level.assign(resolution);
        if !moved {
            break;
        }
        let (numbers, next) = level.joined(&communities);
        for community in &mut of_node {
            let of_level = communities[*community as usize];
            *community = numbers[of_level as usize];
        }
        level = next;
    }
    renumbered(&of_node)
}

/// A graph whose nodes are communities of the one before.
struct Level {
    graph: Adjacency,
    /// The weight of the edges inside each node, counted from both ends.
    inside: Vec<f64>,
    /// The weight of all edges of each node, those inside counted from both ends.
    degrees: Vec<f64>,
    /// The sum of the degrees.
    total: f64,
}

impl Level {
    fn of(graph: &Adjacency) -> Level {
        let count = graph.len();
        let rows = (0..count as u32).flat_map(|from| {
            let neighbours = graph.of(from).iter();
            neighbours.map(move |&(to, weight)| (from, to, weight))
        });
        Level::new(Adjacency::of_sorted(count, rows), vec![0.0; count])
    }

    fn new(graph: Adjacency, inside: Vec<f64>) -> Level {
        let nodes = (0..).zip(&inside);
        let degrees: Vec<f64> = nodes
            .map(|(node, inside)| {
                graph
                    .of(node)
                    .iter()
                    .map(|&(_, weight)| weight)
                    .sum::<f64>()
                    + inside
            })
            .collect();
        let total = degrees.iter().sum();
        Level {
            graph,
            inside,
            degrees,
            total,
        }
    }

    /// Moves nodes to communities of neighbours as long as the modularity grows. Returns whether one moved, and the
    /// communities.
    fn assign(&self, resolution: f64) -> (bool, Vec<u32>) {
        let count = self.graph.len();
        let mut community: Vec<u32> = (0..count as u32).collect();
        let mut sums = self.degrees.clone();
        if self.total == 0.0 {
            return (false, community);
        }
        let order = shuffled(count);
        let mut weight_to = vec![0.0; count];
        let mut touched: Vec<u32> = Vec::new();
        let mut any = false;
        for _ in 0..MAX_PASSES {
            let mut moved = false;
            for &node in &order {
                let own = community[node as usize];
                let degree = self.degrees[node as usize];
                touched.clear();
                touched.push(own);
                for &(neighbour, weight) in self.graph.of(node) {
                    let of = community[neighbour as usize];
                    if weight_to[of as usize] == 0.0 && of != own {
                        touched.push(of);
                    }
                    weight_to[of as usize] += weight;
                }
                sums[own as usize] -= degree;
                let gain = |of: u32| {
                    weight_to[of as usize] - resolution * sums[of as usize] * degree / self.total
                };
                let mut best = (own, gain(own));
                touched.sort_unstable();
                for &of in &touched {
                    let gained = gain(of);
                    if gained > best.1 + 1e-12 {
                        best = (of, gained);
                    }
                }
                sums[best.0 as usize] += degree;
                for &of in &touched {
                    weight_to[of as usize] = 0.0;
                }
                if best.0 != own {
                    community[node as usize] = best.0;
                    moved = true;
                }
            }
            any |= moved;
            if !moved {
                break;
            }
        }
        (any, community)
    }

    /// Returns the numbers of the communities in the next level, and the level.
    fn joined(&self, community: &[u32]) -> (Vec<u32>, Level) {
        let mut numbers = vec![u32::MAX; community.len()];
        let mut count = 0;
        for &of in community {
            let number = &mut numbers[of as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
        }
        let mut inside = vec![0.0; count as usize];
        let mut between: Vec<(u32, u32, f64)> = Vec::new();
        for (node, &of) in (0..).zip(community) {
            let from = numbers[of as usize];
            inside[from as usize] += self.inside[node as usize];
            for &(neighbour, weight) in self.graph.of(node) {
                let to = numbers[community[neighbour as usize] as usize];
                if to == from {
                    inside[from as usize] += weight;
                } else {
                    between.push((from, to, weight));
                }
            }
        }
        // Stable, so that sums are always in the same order.
        between.sort_by_key(|&(from, to, _)| (from, to));
        between.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        let graph = Adjacency::of_sorted(count as usize, between.into_iter());
        (numbers, Level::new(graph, inside))
    }
}

/// Returns the numbers below `count` in the order of a Fisher-Yates shuffle by SplitMix64.
fn shuffled(count: usize) -> Vec<u32> {
    let mut state = SEED;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = state;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    };
    let mut order: Vec<u32> = (0..count as u32).collect();
    for last in (1..count).rev() {
        let at = (next() % (last as u64 + 1)) as usize;
        order.swap(last, at);
    }
    order
}

/// Returns the communities numbered in the order of their first nodes.
fn renumbered(communities: &[u32]) -> Vec<u32> {
    let mut numbers = vec![u32::MAX; communities.len()];
    let mut count = 0;
    let renumber = communities.iter().map(|&of| {
        let number = &mut numbers[of as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *number
    });
    renumber.collect()
}

#[cfg(test)]
mod tests {
    use super::communities;
    use crate::ranks::Adjacency;

    #[test]
    fn two_cliques_with_one_edge_between_are_two_communities() {
        let clique = |first: u32| {
            let pairs =
                (first..first + 5).flat_map(move |a| (a + 1..first + 5).map(move |b| (a, b)));
            pairs.collect::<Vec<_>>()
        };
        let edges = [clique(0), clique(5), vec![(4, 5)]].concat();
        let graph = Adjacency::undirected(10, edges.into_iter());
        assert_eq!(communities(&graph, 1.0), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn nodes_without_edges_are_communities_of_their_own() {
        let graph = Adjacency::undirected(3, [(0, 2), (0, 0)].into_iter());
        assert_eq!(communities(&graph, 1.0), [0, 1, 0]);
        assert!(communities(&Adjacency::undirected(0, [].into_iter()), 1.0).is_empty());
    }

    #[test]
    fn levels_join_communities_of_communities() {
        // A cycle of 30 cliques of five nodes: its best division has pairs of cliques (Fortunato, Barthélemy).
        let mut edges = Vec::new();
        for clique in 0..30u32 {
            let first = clique * 5;
            edges.extend((first..first + 5).flat_map(|a| (a + 1..first + 5).map(move |b| (a, b))));
            edges.push((first + 4, (first + 5) % 150));
        }
        let graph = Adjacency::undirected(150, edges.into_iter());
        let found = communities(&graph, 1.0);
        let count = found.iter().max().map_or(0, |last| last + 1);
        assert!((15..30).contains(&count), "{count}");
        for clique in found.chunks(5) {
            assert!(clique.iter().all(|of| *of == clique[0]), "{found:?}");
        }
    }
}
