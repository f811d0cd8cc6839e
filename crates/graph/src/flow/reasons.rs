//! Explanations of flow results: the shortest chain from the origin of a value to a call.
//!
//! ```text
//! shapes.Square: app/main.go:12 (argument) -> parameter 1 of app.draw
//!     -> field shape of app.Canvas -> here
//! ```
//!
//! The distance of a value is found breadth first and memoised; the chain is then read off the
//! layers of nodes on shortest paths, choosing the smallest name in each layer so that the result
//! is deterministic.

use crate::symbols;
use std::sync::Arc;

use codeweft_db::{File, FlowNode, FlowRole, FlowValue, NONE, SymbolClass, SymbolId, file_ranges};
use rustc_hash::FxHashSet;

use super::graph::ForwardReach;
use super::merged::{FlowNodeId, FlowNodeKey, FlowValueId, Fragment};
use super::queries::FlowQueries;
use super::sites::FlowCallSite;
use super::solve::ValueFlowGraph;

/// How many forward searches are kept.
const MAX_CACHED_REACHES: usize = 32;

/// How many nodes a printed chain names; a longer one is shortened in the middle.
const MAX_CHAIN_NODES: usize = 12;

/// The origin of a value: path, line (1-based, 0 if unknown), role.
type ValueOrigin = (Arc<str>, u32, &'static str);

impl FlowQueries<'_> {
    /// Returns the shortest chain that brings a target to a call; of several the first as printed.
    pub(crate) fn reason(&self, site: &FlowCallSite, target: SymbolId) -> Option<String> {
        let mut shortest: Vec<(FlowValueId, FlowNodeId)> = Vec::new();
        let mut steps = u32::MAX;
        let (values, ends) = self.values_and_ends(site, target)?;
        for &value in &values {
            for &end in ends.iter().filter(|&&end| self.any_reaches(&[value], end)) {
                let Some(distance) = self.distance(value, end) else {
                    continue;
                };
                if distance < steps {
                    shortest.clear();
                    steps = distance;
                }
                if distance == steps {
                    shortest.push((value, end));
                }
            }
        }
        let chains = shortest.into_iter();
        chains
            .filter_map(|(value, end)| self.chain(value, end, steps))
            .min()
    }

    /// Returns the values that run a target, and the nodes where such a value makes the call run
    /// it: the node of the call, and embedded fields of values there.
    fn values_and_ends(
        &self,
        site: &FlowCallSite,
        target: SymbolId,
    ) -> Option<(Vec<FlowValueId>, Vec<FlowNodeId>)> {
        let node = site.node?;
        let Some(method) = site.method else {
            return Some((self.function_values(target), vec![node]));
        };
        let table = self.table(self.method_name(method), method);
        let mut ends = vec![node];
        let mut at = 0;
        while let Some(&end) = ends.get(at) {
            at += 1;
            for (field, values) in table.fields() {
                let field = self.flow.merged.node(FlowNode::Variable(field));
                if let Some(field) = field.filter(|field| !ends.contains(field))
                    && self.any_reaches(values, end)
                {
                    ends.push(field);
                }
            }
        }
        Some((table.values_of(target).to_vec(), ends))
    }

    /// Returns the distance of a value to a node, if it reaches it.
    fn distance(&self, value: FlowValueId, end: FlowNodeId) -> Option<u32> {
        self.with_forward_reach(value, |reach| {
            loop {
                if let Some(&distance) = reach.distances.get(&end) {
                    return Some(distance);
                }
                let node = reach.queue.pop_front()?;
                let distance = reach
                    .distances
                    .get(&node)
                    .map_or(0, |&distance| distance + 1);
                self.check();
                self.succs(node, &mut |edge| {
                    if !reach.distances.contains_key(&edge.node) && self.may_pass(value, edge.pass)
                    {
                        reach.distances.insert(edge.node, distance);
                        reach.queue.push_back(edge.node);
                    }
                });
            }
        })
    }

    /// Continues the search of a value.
    fn with_forward_reach<T>(
        &self,
        value: FlowValueId,
        work: impl FnOnce(&mut ForwardReach) -> T,
    ) -> T {
        let key = (self.language.lang(), value);
        let forward_reaches = &self.query.caches.forward_reaches;
        let known = forward_reaches.borrow_mut().remove(&key);
        let mut reach = known.unwrap_or_else(|| {
            let mut reach = ForwardReach::default();
            self.starts(value, &mut |node| {
                if reach.distances.insert(node, 0).is_none() {
                    reach.queue.push_back(node);
                }
            });
            reach
        });
        let done = work(&mut reach);
        let mut forward_reaches = forward_reaches.borrow_mut();
        if forward_reaches.len() >= MAX_CACHED_REACHES {
            forward_reaches.clear();
        }
        forward_reaches.insert(key, reach);
        done
    }

    fn may_pass(&self, value: FlowValueId, pass: u32) -> bool {
        pass == NONE || self.passes(value, pass)
    }

    /// Returns the chain of `steps` steps from an origin of a value to a node.
    fn chain(&self, value: FlowValueId, end: FlowNodeId, steps: u32) -> Option<String> {
        // The nodes on shortest paths, by distance, from the end backward.
        let mut layers: Vec<FxHashSet<FlowNodeId>> = vec![FxHashSet::from_iter([end])];
        self.with_forward_reach(value, |reach| {
            for distance in (0..steps).rev() {
                let mut layer = FxHashSet::default();
                for &node in &layers[layers.len() - 1] {
                    self.check();
                    self.preds(node, &mut |edge| {
                        if reach.distances.get(&edge.node) == Some(&distance)
                            && self.may_pass(value, edge.pass)
                        {
                            layer.insert(edge.node);
                        }
                    });
                }
                layers.push(layer);
            }
        });
        let first = layers.pop()?;
        let origins: Vec<(Option<ValueOrigin>, FlowNodeId)> = first
            .iter()
            .map(|&node| (self.origin(value, node), node))
            .collect();
        let origin = origins.iter().map(|(origin, _)| origin).min()?.clone();
        let own = origins.iter().filter(|(other, _)| *other == origin);
        let mut here: FxHashSet<FlowNodeId> = own.map(|(_, node)| *node).collect();
        let mut names: Vec<String> = Vec::new();
        loop {
            let named: Vec<(String, FlowNodeId)> = here
                .iter()
                .map(|&node| (self.name_of_node(node), node))
                .collect();
            let name = named.iter().map(|(name, _)| name).min()?.clone();
            here = named
                .into_iter()
                .filter(|(other, _)| *other == name)
                .map(|(_, n)| n)
                .collect();
            if names.last() != Some(&name) {
                names.push(name);
            }
            let Some(next) = layers.pop() else { break };
            let mut follows = FxHashSet::default();
            for &node in &here {
                self.succs(node, &mut |edge| {
                    if next.contains(&edge.node) && self.may_pass(value, edge.pass) {
                        follows.insert(edge.node);
                    }
                });
            }
            here = follows;
        }
        let mut text = self.name_of_value(value);
        text.push_str(": ");
        if let Some((path, line, role)) = origin {
            text.push_str(&match line {
                0 => format!("({role}) -> "),
                line => format!("{path}:{line} ({role}) -> "),
            });
        }
        if names.len() > MAX_CHAIN_NODES {
            let tail = names.split_off(names.len() - MAX_CHAIN_NODES / 2);
            names.truncate(MAX_CHAIN_NODES / 2);
            names.push("…".to_owned());
            names.extend(tail);
        }
        names.push("here".to_owned());
        text.push_str(&names.join(" -> "));
        Some(text)
    }

    /// Returns the first position where a value begins to flow to a node; without a position if it
    /// is the type argument of an instance.
    fn origin(&self, value: FlowValueId, node: FlowNodeId) -> Option<ValueOrigin> {
        let db = self.query.db;
        let merged = &self.flow.merged;
        let own = merged.nodes[node as usize].sources.iter();
        let mut origins: Vec<ValueOrigin> = Vec::new();
        for &(_, slot) in own.filter(|(other, _)| *other == value) {
            let Some(fragment) = merged.fragment(slot) else {
                continue;
            };
            let file = fragment.file;
            for source in &fragment.flows.sources {
                if merged.value(source.value) != Some(value)
                    || merged.node_in(slot, source.to) != Some(node)
                {
                    continue;
                }
                let offset = self.language.offset(db, file, source.body, source.occ);
                let line = offset.map_or(0, |offset| file_ranges(db, file).line_column(offset).0);
                origins.push((file.path(db).clone(), line, role_name(source.role)));
            }
        }
        if !self.flow.instances.values(node).is_empty() {
            origins.push(("".into(), 0, role_name(FlowRole::Instance)));
        }
        // A position in the text is preferred over an instance.
        origins
            .into_iter()
            .min_by_key(|origin| (origin.1 == 0, origin.clone()))
    }

    fn name_of_value(&self, value: FlowValueId) -> String {
        match self.value(value) {
            FlowValue::Type(ty) => self.language.type_name(self.query.db, ty),
            FlowValue::Function(symbol) | FlowValue::InterfaceMethod(symbol) => {
                symbols::id(self.query, symbol).to_string()
            }
            FlowValue::Literal(symbol, _) => {
                format!("literal in {}", symbols::id(self.query, symbol))
            }
            FlowValue::Unknown(reason) => reason.wire_name().to_owned(),
        }
    }

    fn name_of_node(&self, node: FlowNodeId) -> String {
        let ty = |ty| self.language.type_name(self.query.db, ty);
        let id = |symbol| symbols::id(self.query, symbol);
        let numbered = |what: &str, number: u16| format!("{what} {}", u32::from(number) + 1);
        let key = match self.key(node) {
            FlowNodeKey::Shared(key) => key,
            FlowNodeKey::Local(slot) => return self.name_of_local(slot, node),
        };
        match key {
            FlowNode::Local(_) => "a local".to_owned(),
            FlowNode::Variable(symbol) => self.name_of_variable(symbol),
            FlowNode::Parameter(of, FlowNode::RECEIVER) => format!("receiver of {}", id(of)),
            FlowNode::Parameter(of, number) => {
                format!("{} of {}", numbered("parameter", number), id(of))
            }
            FlowNode::Result(of, number) => {
                format!("{} of {}", numbered("result", number), id(of))
            }
            FlowNode::SignatureParameter(of, number) => {
                format!(
                    "{} of functions of type {}",
                    numbered("parameter", number),
                    ty(of)
                )
            }
            FlowNode::SignatureResult(of, number) => {
                format!(
                    "{} of functions of type {}",
                    numbered("result", number),
                    ty(of)
                )
            }
            FlowNode::Element(of) => format!("elements of type {}", ty(of)),
            FlowNode::Key(of) => format!("map keys of type {}", ty(of)),
            FlowNode::MapValue(of) => format!("map values of type {}", ty(of)),
            FlowNode::Received(of) => format!("channels of {}", ty(of)),
            FlowNode::Pointee(of) => format!("what pointers to {} point to", ty(of)),
            FlowNode::TypeParameter(of, number) => {
                format!("{} of {}", numbered("type parameter", number), id(of))
            }
            FlowNode::Panic => "panic".to_owned(),
        }
    }

    fn name_of_variable(&self, symbol: SymbolId) -> String {
        let query = self.query;
        let key = query.key(symbol);
        match key.parent.filter(|_| key.class == SymbolClass::Field) {
            Some(parent) => {
                let name = query.db.shared().names.text(key.name);
                format!("field {name} of {}", symbols::id(query, parent))
            }
            None => format!("variable {}", symbols::id(query, symbol)),
        }
    }

    /// Names a local by its function.
    fn name_of_local(&self, slot: u32, node: FlowNodeId) -> String {
        let Some(fragment) = self.flow.merged.fragment(slot) else {
            return "a local".to_owned();
        };
        match self.function_of_local(fragment, node) {
            Some(function) => format!("a local of {}", symbols::id(self.query, function)),
            None => format!("a local in {}", fragment.file.path(self.query.db)),
        }
    }

    /// Returns the function whose body has a local: the body of a value that begins there or of a
    /// call through it, or the function whose parameter or result is connected to it, directly or
    /// over other locals.
    fn function_of_local(&self, fragment: &Fragment, node: FlowNodeId) -> Option<SymbolId> {
        let number = fragment.locals.iter().find(|(_, other)| *other == node)?.0;
        let flows = &fragment.flows;
        let mut pending = vec![FlowNode::Local(number)];
        let mut seen = FxHashSet::from_iter(pending.iter().copied());
        while let Some(local) = pending.pop() {
            let sources = flows.sites.iter().filter(|site| site.at == local);
            let sites = flows.sources.iter().filter(|source| source.to == local);
            let bodies = sources
                .map(|site| site.body)
                .chain(sites.map(|source| source.body));
            if let Some(body) = bodies.min() {
                return self.function_of_body(fragment.file, body);
            }
            for edge in &flows.edges {
                let other = match (edge.from == local, edge.to == local) {
                    (true, _) => edge.to,
                    (_, true) => edge.from,
                    _ => continue,
                };
                match other {
                    FlowNode::Local(_) if seen.insert(other) => pending.push(other),
                    FlowNode::Parameter(function, _) if edge.to == local => return Some(function),
                    FlowNode::Result(function, _) if edge.from == local => return Some(function),
                    _ => {}
                }
            }
        }
        None
    }

    fn function_of_body(&self, file: File, body: u32) -> Option<SymbolId> {
        let uses = self.language.uses(self.query.db, file);
        let function = uses.bodies.get(body as usize).copied();
        let package = || symbols::package_of(self.query, file);
        function.or_else(package)
    }
}

fn role_name(role: FlowRole) -> &'static str {
    match role {
        FlowRole::Assigned => "assigned",
        FlowRole::Argument => "argument",
        FlowRole::Returned => "returned",
        FlowRole::Element => "element",
        FlowRole::Sent => "sent",
        FlowRole::Converted => "converted",
        FlowRole::Received => "received",
        FlowRole::Instance => "instance",
    }
}
