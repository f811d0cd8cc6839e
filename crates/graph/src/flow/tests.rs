//! The solver against the definition of the fixpoint, and patches against fresh joins.

use std::sync::Arc;

use codeweft_db::{
    Db, FileFlows, FlowEdge, FlowInstance, FlowNode, FlowRole, FlowSite, FlowSource, FlowValue,
    Flows, Language, NONE, Reason, SymbolId, Unit, UnitGraph,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::merged::{EdgeEnd, FlowNodeId, FlowNodeKey, FlowValueId, MergedFlowGraph};
use super::solve::{ReachedNodes, SolvedSets, ValueFlowGraph};
use crate::tests::toy;

/// Numbers without a pattern, the same in each run.
struct Lots(u64);

impl Lots {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % bound
    }
}

/// A graph of so many places and values, by lot.
struct Random {
    edges: Vec<(FlowNodeId, FlowNodeId, u32)>,
    sources: Vec<(FlowValueId, FlowNodeId)>,
}

impl Random {
    fn new(lots: &mut Lots, nodes: u32, values: u32, edges: u32) -> Random {
        Random {
            edges: (0..edges)
                .map(|_| {
                    let pass = [NONE, NONE, 0, 1, 2][lots.below(5) as usize];
                    (lots.below(nodes), lots.below(nodes), pass)
                })
                .collect(),
            sources: (0..values)
                .map(|value| (value, lots.below(nodes)))
                .collect(),
        }
    }

    /// The values of every place, by the definition.
    fn naive(&self, nodes: u32) -> Vec<Vec<FlowValueId>> {
        let mut sets: Vec<FxHashSet<FlowValueId>> = vec![FxHashSet::default(); nodes as usize];
        for &(value, node) in &self.sources {
            sets[node as usize].insert(value);
        }
        loop {
            let mut grown = false;
            for &(from, to, pass) in &self.edges {
                for value in sets[from as usize].clone() {
                    if pass == NONE || self.passes(value, pass) {
                        grown |= sets[to as usize].insert(value);
                    }
                }
            }
            if !grown {
                break;
            }
        }
        let sorted = sets.into_iter().map(|set| {
            let mut set: Vec<FlowValueId> = set.into_iter().collect();
            set.sort_unstable();
            set
        });
        sorted.collect()
    }
}

impl ValueFlowGraph for Random {
    fn begins(&self, node: FlowNodeId, visit: &mut dyn FnMut(FlowValueId)) {
        let own = self.sources.iter().filter(|(_, at)| *at == node);
        own.for_each(|&(value, _)| visit(value));
    }

    fn starts(&self, value: FlowValueId, visit: &mut dyn FnMut(FlowNodeId)) {
        let own = self.sources.iter().filter(|(other, _)| *other == value);
        own.for_each(|&(_, node)| visit(node));
    }

    fn preds(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd)) {
        let own = self.edges.iter().filter(|(_, to, _)| *to == node);
        own.for_each(|&(node, _, pass)| visit(EdgeEnd { node, pass }));
    }

    fn succs(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd)) {
        let own = self.edges.iter().filter(|(from, _, _)| *from == node);
        own.for_each(|&(_, node, pass)| visit(EdgeEnd { node, pass }));
    }

    fn passes(&self, value: FlowValueId, through: u32) -> bool {
        value % 3 != through
    }

    fn check(&self) {}
}

#[test]
fn backward_and_forward_give_the_least_fixpoint_of_random_graphs() {
    let mut lots = Lots(0x9E37_79B9_7F4A_7C15);
    for round in 0..300 {
        let nodes = 2 + lots.below(30);
        let values = 1 + lots.below(100);
        let edges = lots.below(3 * nodes);
        let graph = Random::new(&mut lots, nodes, values, edges);
        let expected = graph.naive(nodes);
        let solved = SolvedSets::default();
        let first = lots.below(nodes);
        for at in 0..nodes {
            // Where one begins to ask changes nothing.
            let node = (first + at) % nodes;
            let found = solved.values(&graph, node);
            assert_eq!(
                *found, *expected[node as usize],
                "round {round}, place {node}"
            );
        }
        let all: Vec<FlowValueId> = (0..values).collect();
        for (value, reached) in solved.reached(&graph, &all).iter().enumerate() {
            let holding = (0..nodes).filter(|&n| expected[n as usize].contains(&(value as u32)));
            let holding: Vec<FlowNodeId> = holding.collect();
            assert_eq!(reached.nodes(), holding, "round {round}, value {value}");
            assert!((0..nodes).all(|n| reached.contains(n) == holding.contains(&n)));
        }
        let reached = solved.reached(&graph, &all);
        let anywhere = (0..nodes).filter(|&n| !expected[n as usize].is_empty());
        let anywhere: Vec<FlowNodeId> = anywhere.collect();
        assert_eq!(
            ReachedNodes::union(reached).nodes(),
            anywhere,
            "round {round}"
        );
    }
}

#[test]
fn a_long_chain_is_solved_without_recursion() {
    let edges = (0..200_000).map(|node| (node, node + 1, NONE)).collect();
    let graph = Random {
        edges,
        sources: vec![(0, 0)],
    };
    /// The same edges, looked up.
    struct Chain(Random);
    impl ValueFlowGraph for Chain {
        fn begins(&self, node: FlowNodeId, visit: &mut dyn FnMut(FlowValueId)) {
            self.0.begins(node, visit);
        }
        fn starts(&self, value: FlowValueId, visit: &mut dyn FnMut(FlowNodeId)) {
            self.0.starts(value, visit);
        }
        fn preds(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd)) {
            if let Some(&(node, _, pass)) = self.0.edges.get((node as usize).wrapping_sub(1)) {
                visit(EdgeEnd { node, pass });
            }
        }
        fn succs(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd)) {
            if let Some(&(_, node, pass)) = self.0.edges.get(node as usize) {
                visit(EdgeEnd { node, pass });
            }
        }
        fn passes(&self, value: FlowValueId, through: u32) -> bool {
            self.0.passes(value, through)
        }
        fn check(&self) {}
    }
    let graph = Chain(graph);
    let solved = SolvedSets::default();
    assert_eq!(*solved.values(&graph, 200_000), [0]);
    assert!(solved.reached(&graph, &[0])[0].contains(200_000));
}

/// A fragment by lot over some symbols.
fn fragment(lots: &mut Lots, symbols: &[SymbolId]) -> Flows {
    let place = |lots: &mut Lots| {
        let symbol = symbols[lots.below(symbols.len() as u32) as usize];
        match lots.below(4) {
            0 => FlowNode::Variable(symbol),
            1 => FlowNode::Parameter(symbol, lots.below(2) as u16),
            _ => FlowNode::Local(lots.below(4)),
        }
    };
    fn distinct<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
        list.sort();
        list.dedup();
        list.into()
    }
    let count = lots.below(6);
    let edges = (0..count).map(|_| FlowEdge {
        from: place(lots),
        to: place(lots),
        pass: [NONE, 0][lots.below(2) as usize],
    });
    let edges = distinct(edges.collect());
    let sources = (0..count).map(|at| FlowSource {
        value: [
            FlowValue::Type(lots.below(3)),
            FlowValue::Function(symbols[0]),
            FlowValue::Unknown(Reason::Cgo),
        ][lots.below(3) as usize],
        to: place(lots),
        body: 0,
        occ: at,
        role: FlowRole::Assigned,
    });
    let sources = distinct(sources.collect());
    let sites = (0..count).map(|at| FlowSite {
        body: 0,
        occ: at,
        at: place(lots),
        method: [None, Some(symbols[1])][lots.below(2) as usize],
        in_literal: false,
    });
    let sites = distinct(sites.collect());
    let instances = (0..lots.below(3)).map(|_| FlowInstance {
        owner: symbols[2],
        args: [lots.below(3)].into(),
    });
    let instances = distinct(instances.collect());
    Flows {
        edges,
        sources,
        sites,
        instances,
        ..Flows::default()
    }
}

/// The graph by what its nodes stand for: of locals the fragment's own list and number.
fn printed(joined: &MergedFlowGraph, units: &[(Unit, Arc<[FileFlows]>)]) -> Vec<String> {
    let mut names: FxHashMap<FlowNodeId, String> = FxHashMap::default();
    for (number, row) in units.iter().flat_map(|(_, rows)| rows.iter()).enumerate() {
        let slots = 0..1000;
        for slot in slots {
            let Some(fragment) = joined.fragment(slot) else {
                continue;
            };
            if Arc::ptr_eq(&fragment.flows, &row.flows) {
                for &(local, node) in &fragment.locals {
                    names.insert(node, format!("{number}.{local}"));
                }
            }
        }
    }
    let name = |node: FlowNodeId| match joined.nodes[node as usize].place {
        FlowNodeKey::Shared(place) => format!("{place:?}"),
        FlowNodeKey::Local(_) => names[&node].clone(),
    };
    let mut lines = Vec::new();
    for (node, content) in joined.nodes.iter().enumerate() {
        let node = node as FlowNodeId;
        for half in &content.succs {
            lines.push(format!(
                "{} -> {} {}",
                name(node),
                name(half.node),
                half.pass
            ));
            let back = EdgeEnd {
                node,
                pass: half.pass,
            };
            assert!(joined.nodes[half.node as usize].preds.contains(&back));
        }
        for half in &content.preds {
            let back = EdgeEnd {
                node,
                pass: half.pass,
            };
            assert!(joined.nodes[half.node as usize].succs.contains(&back));
        }
        for &(value, _) in &content.sources {
            lines.push(format!(
                "{:?} begins at {}",
                joined.values[value as usize],
                name(node)
            ));
            assert!(joined.starts[value as usize].contains(&node));
        }
        for (file, site) in joined.calls_at(node) {
            lines.push(format!("{file:?} {site:?} at {}", name(node)));
        }
    }
    let starts: usize = joined.starts.iter().map(|nodes| nodes.len()).sum();
    let sources: usize = joined.nodes.iter().map(|node| node.sources.len()).sum();
    assert_eq!(starts, sources);
    for method in joined.called_methods() {
        lines.push(format!("{method:?} on {:?}", joined.literals_of(method)));
    }
    for (owner, instances) in &joined.instances {
        lines.extend(
            instances
                .iter()
                .map(|(args, count)| format!("{owner:?} {args:?} {count}")),
        );
    }
    lines.sort();
    lines
}

#[test]
fn a_patched_graph_is_that_of_a_fresh_join() {
    let db = toy::load("//- a/a.go\nfn f\nfn g\nfn h\nfn i\n//- b/b.go\nfn f\n//- c/c.go\nfn f\n");
    let units = UnitGraph::get(&db).units(&db).clone();
    let rows = toy::GO.symbols(&db, units[0]).rows.clone();
    let symbols: Vec<SymbolId> = rows.iter().map(|row| row.symbol).collect();
    let mut lots = Lots(77);
    let mut now: Vec<(Unit, Arc<[FileFlows]>)> =
        units.iter().map(|&unit| (unit, Arc::default())).collect();
    let mut patched = MergedFlowGraph::default();
    for round in 0..300 {
        let (unit, rows) = &mut now[lots.below(3) as usize];
        let file = unit.files(&db)[0];
        let mut next = rows.to_vec();
        let flows = Arc::new(fragment(&mut lots, &symbols));
        match lots.below(4) {
            0 => next.push(FileFlows { file, flows }),
            1 => next.insert(0, FileFlows { file, flows }),
            2 if !next.is_empty() => {
                next.remove(lots.below(next.len() as u32) as usize);
            }
            _ if !next.is_empty() => {
                let at = lots.below(next.len() as u32) as usize;
                next[at].flows = flows;
            }
            _ => {}
        }
        *rows = next.into();
        patched.patch(&now);
        let mut fresh = MergedFlowGraph::default();
        fresh.patch(&now);
        assert_eq!(
            printed(&patched, &now),
            printed(&fresh, &now),
            "round {round}"
        );
    }
}

#[test]
fn a_fragment_that_only_moves_changes_nothing() {
    let db = toy::load("//- a/a.go\nfn f\nfn g\nfn h\n");
    let units = UnitGraph::get(&db).units(&db).clone();
    let symbols = toy::GO.symbols(&db, units[0]);
    let variable = FlowNode::Variable(symbols.rows[0].symbol);
    let at = |body: u32| {
        let source = FlowSource {
            value: FlowValue::Type(0),
            to: variable,
            body,
            occ: 1,
            role: FlowRole::Assigned,
        };
        let site = FlowSite {
            body,
            occ: 2,
            at: variable,
            method: None,
            in_literal: false,
        };
        let flows = Arc::new(Flows {
            sources: [source].into(),
            sites: [site].into(),
            ..Flows::default()
        });
        let row = FileFlows {
            file: units[0].files(&db)[0],
            flows,
        };
        [(units[0], [row].into())]
    };
    let mut joined = MergedFlowGraph::default();
    assert!(joined.patch(&at(0)).graph);
    assert!(!joined.patch(&at(5)).graph);
    let file = units[0].files(&db)[0];
    assert!(joined.site(file, 0, 2).is_none());
    assert!(joined.site(file, 5, 2).is_some());
    let node = joined.node(variable).unwrap();
    assert_eq!(joined.calls_at(node)[0].1.body, 5);
    assert_eq!(db.shared().symbols.key(symbols.rows[0].symbol).parent, None);
}
