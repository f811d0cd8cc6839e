//! The solver against a naive fixpoint, and patched graphs against fresh joins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_db::Semantics as _;
use codeweft_db::{
    Db, FileFlows, FlowEdge, FlowInstance, FlowNode, FlowRole, FlowSite, FlowSource, FlowTarget,
    FlowValue, Flows, NONE, Reason, SymbolId, Unit, UnitGraph, distinct,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::dispatch_table::DispatchTable;
use super::merged::{EdgeEnd, FlowNodeId, FlowNodeKey, FlowValueId, MergedFlowGraph};
use super::reached_nodes::ReachedNodes;
use super::solve::{SolvedSets, ValueFlowGraph};
use crate::tests::toy;

/// A pseudo-random generator (xorshift) with a fixed seed.
struct XorShift(u64);

impl XorShift {
    fn next_below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % bound
    }
}

/// A random graph.
struct Random {
    edges: Vec<(FlowNodeId, FlowNodeId, u32)>,
    sources: Vec<(FlowValueId, FlowNodeId)>,
}

impl Random {
    fn new(random: &mut XorShift, nodes: u32, values: u32, edges: u32) -> Random {
        Random {
            edges: (0..edges)
                .map(|_| {
                    let pass = [NONE, NONE, 0, 1, 2][random.next_below(5) as usize];
                    (random.next_below(nodes), random.next_below(nodes), pass)
                })
                .collect(),
            sources: (0..values)
                .map(|value| (value, random.next_below(nodes)))
                .collect(),
        }
    }

    /// Returns the values of every node by iterating the definition.
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
    let mut random = XorShift(0x9E37_79B9_7F4A_7C15);
    for round in 0..300 {
        let nodes = 2 + random.next_below(30);
        let values = 1 + random.next_below(100);
        let edges = random.next_below(3 * nodes);
        let graph = Random::new(&mut random, nodes, values, edges);
        let expected = graph.naive(nodes);
        let solved = SolvedSets::default();
        let first = random.next_below(nodes);
        for at in 0..nodes {
            // The node where solving begins must not matter.
            let node = (first + at) % nodes;
            let found = solved.values(&graph, node);
            assert_eq!(
                *found, *expected[node as usize],
                "round {round}, node {node}"
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
fn sets_that_a_budget_dropped_are_solved_again_to_the_same() {
    let mut random = XorShift(0x2545_F491_4F6C_DD1D);
    let mut dropped = 0;
    for round in 0..200 {
        let nodes = 2 + random.next_below(30);
        let values = 1 + random.next_below(100);
        let edges = random.next_below(3 * nodes);
        let graph = Random::new(&mut random, nodes, values, edges);
        let expected = graph.naive(nodes);
        let mut solved = SolvedSets::default();
        for _ in 0..20 {
            let node = random.next_below(nodes);
            assert_eq!(
                *solved.values(&graph, node),
                *expected[node as usize],
                "round {round}, node {node}"
            );
            let value = random.next_below(values);
            for reached in solved.reached(&graph, &[value]) {
                let holds = |n: FlowNodeId| expected[n as usize].contains(&value);
                assert!((0..nodes).all(|n| reached.contains(n) == holds(n)));
            }
            let budget = random.next_below(2_000) as usize;
            let kept = solved.newest(budget);
            assert!(kept.bytes() <= budget, "{} of {budget}", kept.bytes());
            dropped += u32::from(kept.bytes() < solved.bytes());
            solved = kept;
        }
    }
    assert!(dropped > 1_000, "{dropped}");
}

#[test]
fn a_long_chain_is_solved_without_recursion() {
    let edges = (0..200_000).map(|node| (node, node + 1, NONE)).collect();
    let graph = Random {
        edges,
        sources: vec![(0, 0)],
    };
    /// The same graph with edges looked up by node.
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

/// Returns a random fragment over some symbols.
fn fragment(random: &mut XorShift, symbols: &[SymbolId]) -> Flows {
    let node = |random: &mut XorShift| {
        let symbol = symbols[random.next_below(symbols.len() as u32) as usize];
        match random.next_below(4) {
            0 => FlowNode::Variable(symbol),
            1 => FlowNode::Parameter(symbol, random.next_below(2) as u16),
            _ => FlowNode::Local(random.next_below(4)),
        }
    };
    let count = random.next_below(6);
    let edges = (0..count).map(|_| FlowEdge {
        from: node(random),
        to: node(random),
        pass: [NONE, 0][random.next_below(2) as usize],
    });
    let edges = distinct(edges.collect());
    let sources = (0..count).map(|at| FlowSource {
        value: [
            FlowValue::Type(random.next_below(3)),
            FlowValue::Function(symbols[0]),
            FlowValue::Unknown(Reason::Cgo),
        ][random.next_below(3) as usize],
        to: node(random),
        body: 0,
        occ: at,
        role: FlowRole::Assigned,
    });
    let sources = distinct(sources.collect());
    let sites = (0..count).map(|at| FlowSite {
        body: 0,
        occ: at,
        at: node(random),
        method: [None, Some(symbols[1])][random.next_below(2) as usize],
        in_literal: false,
        is_exact: false,
    });
    let sites = distinct(sites.collect());
    let instances = (0..random.next_below(3)).map(|_| FlowInstance {
        owner: symbols[2],
        args: [random.next_below(3)].into(),
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

/// Prints the graph by node identities; a local by its fragment's position and its number there.
fn printed(merged: &MergedFlowGraph, units: &[(Unit, Arc<[FileFlows]>)]) -> Vec<String> {
    let mut names: FxHashMap<FlowNodeId, String> = FxHashMap::default();
    for (number, row) in units.iter().flat_map(|(_, rows)| rows.iter()).enumerate() {
        let slots = 0..1000;
        for slot in slots {
            let Some(fragment) = merged.fragment(slot) else {
                continue;
            };
            if Arc::ptr_eq(&fragment.flows, &row.flows) {
                for &(local, node) in &fragment.locals {
                    names.insert(node, format!("{number}.{local}"));
                }
            }
        }
    }
    let name = |node: FlowNodeId| match merged.nodes[node as usize].key {
        FlowNodeKey::Shared(node) => format!("{node:?}"),
        FlowNodeKey::Local(_) => names[&node].clone(),
    };
    let mut lines = Vec::new();
    for (node, content) in merged.nodes.iter().enumerate() {
        let node = node as FlowNodeId;
        for edge in &content.succs {
            lines.push(format!(
                "{} -> {} {}",
                name(node),
                name(edge.node),
                edge.pass
            ));
            let back = EdgeEnd {
                node,
                pass: edge.pass,
            };
            assert!(merged.nodes[edge.node as usize].preds.contains(&back));
        }
        for edge in &content.preds {
            let back = EdgeEnd {
                node,
                pass: edge.pass,
            };
            assert!(merged.nodes[edge.node as usize].succs.contains(&back));
        }
        for &(value, _) in &content.sources {
            lines.push(format!(
                "{:?} begins at {}",
                merged.values[value as usize],
                name(node)
            ));
            assert!(merged.starts[value as usize].contains(&node));
        }
        for (file, site) in merged.calls_at(node) {
            lines.push(format!("{file:?} {site:?} at {}", name(node)));
        }
    }
    let starts: usize = merged.starts.iter().map(|nodes| nodes.len()).sum();
    let sources: usize = merged.nodes.iter().map(|node| node.sources.len()).sum();
    assert_eq!(starts, sources);
    for method in merged.called_methods() {
        lines.push(format!("{method:?} on {:?}", merged.literals_of(method)));
    }
    for (owner, instances) in merged.instances.iter() {
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
fn a_patched_graph_equals_a_fresh_join() {
    let db = toy::load("//- a/a.go\nfn f\nfn g\nfn h\nfn i\n//- b/b.go\nfn f\n//- c/c.go\nfn f\n");
    let units = UnitGraph::get(&db).units(&db).clone();
    let rows = toy::GO.symbols(&db, units[0]).rows.clone();
    let symbols: Vec<SymbolId> = rows.iter().map(|row| row.symbol).collect();
    let mut random = XorShift(77);
    let mut now: Vec<(Unit, Arc<[FileFlows]>)> =
        units.iter().map(|&unit| (unit, Arc::default())).collect();
    let mut patched = MergedFlowGraph::default();
    for round in 0..300 {
        let (unit, rows) = &mut now[random.next_below(3) as usize];
        let file = unit.files(&db)[0];
        let mut next = rows.to_vec();
        let flows = Arc::new(fragment(&mut random, &symbols));
        match random.next_below(4) {
            0 => next.push(FileFlows { file, flows }),
            1 => next.insert(0, FileFlows { file, flows }),
            2 if !next.is_empty() => {
                next.remove(random.next_below(next.len() as u32) as usize);
            }
            _ if !next.is_empty() => {
                let at = random.next_below(next.len() as u32) as usize;
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
fn a_fragment_with_only_new_positions_changes_nothing() {
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
            is_exact: false,
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
    let mut merged = MergedFlowGraph::default();
    assert!(merged.patch(&at(0)).graph);
    assert!(!merged.patch(&at(5)).graph);
    let file = units[0].files(&db)[0];
    assert!(merged.site(file, 0, 2).is_none());
    assert!(merged.site(file, 5, 2).is_some());
    let node = merged.node(variable).unwrap();
    assert_eq!(merged.calls_at(node)[0].1.body, 5);
    assert_eq!(db.shared().symbols.key(symbols.rows[0].symbol).parent, None);
}

#[test]
fn a_table_of_dispatch_equals_maps_of_its_entries() {
    let names: String = (0..6).map(|number| format!("fn f{number}\n")).collect();
    let db = toy::load(&format!("//- a/a.go\n{names}"));
    let cache = crate::RevisionCache::default();
    let query = crate::query_context::QueryContext::new(&db, crate::QueryOptions::new(&cache, 1));
    let units = query.units.all.iter();
    let symbols: Vec<SymbolId> = units
        .flat_map(|&unit| {
            query
                .symbols(unit)
                .rows
                .iter()
                .map(|row| row.symbol)
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(symbols.len() >= 6);
    let mut random = XorShift(0x9E37_79B9_7F4A_7C15);
    let any = |random: &mut XorShift| symbols[random.next_below(symbols.len() as u32) as usize];
    for _ in 0..200 {
        let mut table = DispatchTable::default();
        let mut by_value: BTreeMap<FlowValueId, FlowTarget> = BTreeMap::new();
        let mut evaluated = 0;
        for _ in 0..3 {
            let more = evaluated + random.next_below(20) as usize;
            let mut new = Vec::new();
            for value in evaluated..more {
                let target = match random.next_below(4) {
                    0 => continue,
                    1 => FlowTarget::Through(any(&mut random), any(&mut random)),
                    _ => FlowTarget::Method(any(&mut random)),
                };
                new.push((value as FlowValueId, target));
            }
            by_value.extend(new.iter().copied());
            table = table.with(new.into_iter(), more);
            evaluated = more;
        }
        let values_of = |fits: &dyn Fn(FlowTarget) -> bool| -> BTreeSet<FlowValueId> {
            let entries = by_value.iter().filter(|(_, target)| fits(**target));
            entries.map(|(&value, _)| value).collect()
        };
        let set = |values: &[FlowValueId]| values.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(table.evaluated, evaluated);
        for value in 0..evaluated as FlowValueId {
            assert_eq!(table.target(value), by_value.get(&value).copied());
        }
        let mut fields: BTreeMap<SymbolId, BTreeSet<FlowValueId>> = BTreeMap::new();
        for (field, values) in table.fields() {
            fields.entry(field).or_default().extend(values);
        }
        assert_eq!(table.has_fields(), !fields.is_empty());
        let mut methods = 0;
        for (method, values) in table.by_target() {
            assert_eq!(table.values_of_target(method), values);
            methods += 1;
        }
        let mut with_values = 0;
        for &symbol in &symbols {
            let plain = |target| target == FlowTarget::Method(symbol);
            let runs = |target| {
                plain(target) || matches!(target, FlowTarget::Through(_, run) if run == symbol)
            };
            let through =
                |target| matches!(target, FlowTarget::Through(field, _) if field == symbol);
            assert_eq!(set(table.values_of(symbol)), values_of(&plain));
            assert_eq!(set(table.values_of_target(symbol)), values_of(&runs));
            assert_eq!(
                fields.remove(&symbol).unwrap_or_default(),
                values_of(&through)
            );
            with_values += usize::from(!values_of(&runs).is_empty());
        }
        assert_eq!(methods, with_values);
    }
}
