use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use proptest::prelude::*;

use super::*;

fn graph(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut successors = vec![BTreeSet::new(); nodes];
    for &(from, to) in edges {
        successors[from].insert(to);
    }
    let sorted = successors.into_iter().map(|of| of.into_iter().collect());
    sorted.collect()
}

fn cycles(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let found = elementary_cycles(&graph(nodes, edges));
    assert_eq!(found.bounded, None);
    found.cycles
}

/// All elementary cycles of at most so many edges, by trying every walk.
fn by_force(successors: &[Vec<usize>], length: usize) -> Vec<Vec<usize>> {
    fn walk(
        successors: &[Vec<usize>],
        length: usize,
        path: &mut Vec<usize>,
        found: &mut Vec<Vec<usize>>,
    ) {
        for &target in &successors[path[path.len() - 1]] {
            if target == path[0] {
                found.push(path.clone());
            } else if target > path[0] && !path.contains(&target) && path.len() < length {
                path.push(target);
                walk(successors, length, path, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    for start in 0..successors.len() {
        walk(successors, length, &mut vec![start], &mut found);
    }
    found.sort();
    found
}

#[test]
fn a_graph_without_cycles_has_none() {
    assert_eq!(cycles(0, &[]), Vec::<Vec<usize>>::new());
    assert_eq!(
        cycles(4, &[(0, 1), (1, 2), (0, 2), (3, 2)]),
        Vec::<Vec<usize>>::new()
    );
}

#[test]
fn a_node_may_be_its_own_successor() {
    assert_eq!(cycles(2, &[(1, 1), (0, 1)]), [[1]]);
}

#[test]
fn each_cycle_is_listed_once_from_its_smallest_node() {
    let edges = [
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 0),
        (2, 1),
        (3, 4),
        (4, 3),
        (2, 3),
    ];
    let expected: [&[usize]; 4] = [&[0, 1], &[0, 1, 2], &[1, 2], &[3, 4]];
    assert_eq!(cycles(5, &edges), expected);
}

#[test]
fn a_node_that_failed_deep_in_the_walk_is_entered_again_nearer_to_the_start() {
    // 3 is first reached over 1 and 2, too deep for a cycle of four edges.
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 3)];
    let bounds = Bounds {
        length: 4,
        ..BOUNDS
    };
    let found = elementary_cycles_within(&graph(5, &edges), bounds);
    assert_eq!(found.bounded, Some(Bound::Length));
    // The long one is there for the edges that are on no other.
    let expected: [&[usize]; 2] = [&[0, 1, 2, 3, 4], &[0, 3, 4]];
    assert_eq!(found.cycles, expected);
}

#[test]
fn a_cycle_longer_than_the_bound_is_listed_for_its_edges() {
    let edges: Vec<_> = (0..20).map(|node| (node, (node + 1) % 20)).collect();
    let found = elementary_cycles(&graph(20, &edges));
    assert_eq!(found.bounded, Some(Bound::Length));
    assert_eq!(found.cycles, [(0..20).collect::<Vec<_>>()]);
}

#[test]
fn beyond_the_number_of_cycles_each_edge_has_a_shortest_one() {
    let all = |node: usize| (0..12).filter(move |other| *other != node);
    let edges: Vec<_> = (0..12)
        .flat_map(|one| all(one).map(move |other| (one, other)))
        .collect();
    let complete = graph(14, &[&edges[..], &[(12, 13), (13, 12)]].concat());
    let found = elementary_cycles(&complete);
    assert_eq!(found.bounded, Some(Bound::Cycles));
    // Every edge lies on a cycle of two; the other component is searched as if it were alone.
    assert_eq!(found.cycles.len(), 12 * 11 / 2 + 1);
    assert!(found.cycles.iter().all(|cycle| cycle.len() == 2));
    assert_eq!(found.cycles.last(), Some(&vec![12, 13]));
}

#[test]
fn beyond_the_steps_each_edge_has_a_shortest_one() {
    let bounds = Bounds { steps: 4, ..BOUNDS };
    let edges = [(0, 1), (1, 2), (2, 0), (1, 0)];
    let found = elementary_cycles_within(&graph(3, &edges), bounds);
    assert_eq!(found.bounded, Some(Bound::Steps));
    let expected: [&[usize]; 2] = [&[0, 1], &[0, 1, 2]];
    assert_eq!(found.cycles, expected);
}

#[test]
fn a_hundred_thousand_nodes_need_no_deep_stack() {
    const NODES: usize = 100_000;
    let mut edges: Vec<_> = (1..NODES).map(|node| (node - 1, node)).collect();
    let chain = elementary_cycles(&graph(NODES, &edges));
    assert_eq!((chain.cycles.len(), chain.bounded), (0, None));

    edges.push((NODES - 1, 0));
    let closed = elementary_cycles(&graph(NODES, &edges));
    assert_eq!(closed.bounded, Some(Bound::Steps));
    assert_eq!(closed.cycles, [(0..NODES).collect::<Vec<_>>()]);

    edges.extend((1..NODES).map(|node| (node, node - 1)));
    let both_ways = elementary_cycles(&graph(NODES, &edges));
    assert_eq!(both_ways.bounded, Some(Bound::Cycles));
    assert_eq!(both_ways.cycles.len(), BOUNDS.cycles);
}

fn small_graph() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (2..9usize).prop_flat_map(|nodes| {
        proptest::collection::vec((0..nodes, 0..nodes), 0..nodes * 3)
            .prop_map(move |edges| graph(nodes, &edges))
    })
}

proptest! {
    #[test]
    fn all_cycles_of_small_graphs_are_found(successors in small_graph()) {
        let bounds = Bounds { cycles: 1_000_000, length: 12, steps: 10_000_000 };
        let found = elementary_cycles_within(&successors, bounds);
        prop_assert_eq!(found.bounded, None);
        prop_assert_eq!(found.cycles, by_force(&successors, 12));
    }

    #[test]
    fn all_cycles_within_a_length_are_found(successors in small_graph(), length in 1..7usize) {
        let bounds = Bounds { cycles: 1_000_000, length, steps: 10_000_000 };
        let found = elementary_cycles_within(&successors, bounds);
        let expected = by_force(&successors, length);
        let mut short = found.cycles.clone();
        short.retain(|cycle| cycle.len() <= length);
        prop_assert_eq!(&short, &expected);
        let all = by_force(&successors, 12);
        prop_assert!(found.cycles.iter().all(|cycle| all.contains(cycle)));
        if found.bounded.is_none() {
            prop_assert_eq!(short, all);
        }
    }

    #[test]
    fn with_any_bounds_every_edge_of_a_cycle_is_on_a_listed_one(
        successors in small_graph(),
        cycles in 1..5usize,
        steps in 1..60usize,
    ) {
        let bounds = Bounds { cycles, length: 12, steps };
        let found = elementary_cycles_within(&successors, bounds);
        let all = by_force(&successors, 12);
        prop_assert!(found.cycles.iter().all(|cycle| all.contains(cycle)));
        if found.bounded.is_none() {
            prop_assert_eq!(&found.cycles, &all);
        }
        // With few cycles, those through edges are bounded, too.
        if found.cycles.len() < cycles && steps > 20 {
            let edges = |cycles: &[Vec<usize>]| -> BTreeSet<_> {
                cycles.iter().flat_map(|cycle| edges_of(cycle).collect::<Vec<_>>()).collect()
            };
            prop_assert_eq!(edges(&found.cycles), edges(&all));
        }
    }
}

/// Prints the cycles of up to 12 edges of graphs that it reads as JSON.
const NETWORKX: &str = r"
import json, sys
import networkx as nx
answers = []
for nodes, edges in json.loads(sys.stdin.readline()):
    g = nx.DiGraph()
    g.add_nodes_from(range(nodes))
    g.add_edges_from(map(tuple, edges))
    cycles = []
    for cycle in nx.simple_cycles(g, length_bound=12):
        at = cycle.index(min(cycle))
        cycles.append(cycle[at:] + cycle[:at])
    answers.append(sorted(cycles))
print(json.dumps(answers))
";

/// The cycles of 200 random graphs are those that networkx finds.
#[test]
fn cycles_are_those_of_networkx() {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        println!("skipped: CODEWEFT_SLOW is not set");
        return;
    }
    let available = Command::new("python3")
        .args(["-c", "import networkx"])
        .output();
    if !available.is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 has no networkx (pip install networkx)");
        return;
    }
    let mut state = 42_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    let graphs: Vec<(usize, Vec<(usize, usize)>)> = (0..200)
        .map(|_| {
            let nodes = 5 + random(36);
            let count = nodes + random(nodes);
            let edges = (0..count).map(|_| (random(nodes), random(nodes)));
            (nodes, edges.collect())
        })
        .collect();

    let mut python = Command::new("python3")
        .args(["-c", NETWORKX])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let input = serde_json::to_string(&graphs).expect("graphs are JSON");
    let mut stdin = python.stdin.take().expect("a pipe");
    writeln!(stdin, "{input}").expect("python3 reads");
    drop(stdin);
    let output = python.wait_with_output().expect("python3 ends");
    let answers: Vec<Vec<Vec<usize>>> =
        serde_json::from_slice(&output.stdout).expect("python3 prints JSON");

    let bounds = Bounds {
        cycles: 1_000_000,
        length: 12,
        steps: 100_000_000,
    };
    let (mut compared, mut longest) = (0, 0);
    for ((nodes, edges), expected) in graphs.iter().zip(&answers) {
        let mut found = elementary_cycles_within(&graph(*nodes, edges), bounds).cycles;
        found.retain(|cycle| cycle.len() <= 12);
        assert_eq!(&found, expected, "of {edges:?}");
        compared += expected.len();
        longest = longest.max(expected.iter().map(Vec::len).max().unwrap_or(0));
    }
    println!("200 graphs, {compared} cycles, the longest of {longest} edges");
    assert_eq!(answers.len(), 200);
    assert!(
        compared > 500 && longest == 12,
        "the graphs have cycles of all lengths"
    );
}
