//! PageRank by power iteration (Page, Brin, Motwani, Winograd: The PageRank Citation Ranking).

use super::Adjacency;

/// The probability of following an edge.
const DAMPING: f64 = 0.85;

/// The sum of differences at which the iteration ends.
const TOLERANCE: f64 = 1e-9;

/// The iterations at most.
const MAX_ROUNDS: usize = 200;

/// Returns the rank of each node; they sum to 1. The rank of nodes without an edge from them is spread over all. Sums are in
/// the order of numbers, so that equal graphs have equal ranks bit by bit.
pub(crate) fn pagerank(graph: &Adjacency) -> Vec<f64> {
    let count = graph.len();
    if count == 0 {
        return Vec::new();
    }
    let mut ranks = vec![1.0 / count as f64; count];
    for _ in 0..MAX_ROUNDS {
        let mut next = vec![0.0; count];
        let mut dangling = 0.0;
        for (node, &rank) in (0..).zip(&ranks) {
            let neighbours = graph.of(node);
            if neighbours.is_empty() {
                dangling += rank;
                continue;
            }
            let share = rank / neighbours.len() as f64;
            for &(neighbour, _) in neighbours {
                next[neighbour as usize] += share;
            }
        }
        let base = (1.0 - DAMPING + DAMPING * dangling) / count as f64;
        let mut difference = 0.0;
        for (rank, next) in ranks.iter_mut().zip(next) {
            let new = base + DAMPING * next;
            difference += (new - *rank).abs();
            *rank = new;
        }
        if difference < TOLERANCE {
            break;
        }
    }
    let sum: f64 = ranks.iter().sum();
    ranks.iter().map(|rank| rank / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::pagerank;
    use crate::ranks::Adjacency;

    #[test]
    fn ranks_are_those_of_networkx_and_sum_to_one() {
        // networkx.pagerank of 0→1, 0→2, 1→2, 2→0, 3→2 with alpha 0.85.
        let edges = [(0, 1), (0, 2), (1, 2), (2, 0), (3, 2)];
        let ranks = pagerank(&Adjacency::directed(4, edges.into_iter()));
        let expected = [
            0.37252685132844105,
            0.19582391181458728,
            0.3941492368569717,
            0.0375,
        ];
        for (rank, expected) in ranks.iter().zip(expected) {
            assert!((rank - expected).abs() < 1e-6, "{ranks:?}");
        }
        assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_graph_without_nodes_or_edges_has_ranks() {
        assert!(pagerank(&Adjacency::directed(0, [].into_iter())).is_empty());
        assert_eq!(
            pagerank(&Adjacency::directed(2, [].into_iter())),
            [0.5, 0.5]
        );
    }
}
