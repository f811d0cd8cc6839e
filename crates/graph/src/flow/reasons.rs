//! Why a call runs something: the shortest chain from where a value begins to the call.

use std::collections::VecDeque;
use std::sync::Arc;

use codeweft_db::{File, FlowNode, FlowRole, FlowValue, NONE, SymbolClass, SymbolId, file_ranges};
use rustc_hash::{FxHashMap, FxHashSet};

use super::merged::{FlowNodeId, FlowNodeKey, FlowValueId, Fragment};
use super::queries::FlowQueries;
use super::sites::FlowCallSite;
use super::solve::ValueFlowGraph;

/// Of how many values the distances are kept.
const MOST_KEPT: usize = 32;

/// A chain names so many places.
const MOST_PLACES: usize = 12;

/// How far a value has come at each place, as far as it was followed: breadth first, so that of a
/// place that it was followed to all that is nearer is known.
#[derive(Default)]
pub(crate) struct ForwardReach {
    distances: FxHashMap<FlowNodeId, u32>,
    queue: VecDeque<FlowNodeId>,
}

/// Where a value begins: path, line, how.
type ValueOrigin = (Arc<str>, u32, &'static str);

impl FlowQueries<'_> {
    /// The shortest chain that brings a target to a call, of several the first as printed.
    pub(crate) fn reason(&self, site: &FlowCallSite, target: SymbolId) -> Option<String> {
        let mut shortest: Vec<(FlowValueId, FlowNodeId)> = Vec::new();
        let mut steps = u32::MAX;
        let (values, ends) = self.carried(site, target)?;
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

    /// The values that run a target, and the places where one of them is what the call runs: the
    /// call's own, and the embedded fields of what is there.
    fn carried(
        &self,
        site: &FlowCallSite,
        target: SymbolId,
    ) -> Option<(Vec<FlowValueId>, Vec<FlowNodeId>)> {
        let node = site.node?;
        let Some(method) = site.method else {
            return Some((self.as_values(target), vec![node]));
        };
        let table = self.table(self.named(method), method);
        let mut ends = vec![node];
        let mut at = 0;
        while let Some(&end) = ends.get(at) {
            at += 1;
            for (field, values) in table.fields() {
                let field = self.flow.joined.node(FlowNode::Variable(field));
                if let Some(field) = field.filter(|field| !ends.contains(field))
                    && self.any_reaches(values, end)
                {
                    ends.push(field);
                }
            }
        }
        Some((table.values_of(target).to_vec(), ends))
    }

    /// How far a value has come at a place, if it reaches it.
    fn distance(&self, value: FlowValueId, end: FlowNodeId) -> Option<u32> {
        self.with_wave(value, |wave| {
            loop {
                if let Some(&distance) = wave.distances.get(&end) {
                    return Some(distance);
                }
                let node = wave.queue.pop_front()?;
                let distance = wave
                    .distances
                    .get(&node)
                    .map_or(0, |&distance| distance + 1);
                self.check();
                self.succs(node, &mut |half| {
                    if !wave.distances.contains_key(&half.node) && self.may_pass(value, half.pass) {
                        wave.distances.insert(half.node, distance);
                        wave.queue.push_back(half.node);
                    }
                });
            }
        })
    }

    /// Works on how far a value was followed so far.
    fn with_wave<T>(&self, value: FlowValueId, work: impl FnOnce(&mut ForwardReach) -> T) -> T {
        let key = (self.language.lang(), value);
        let waves = &self.question.caches.waves;
        let known = waves.borrow_mut().remove(&key);
        let mut wave = known.unwrap_or_else(|| {
            let mut wave = ForwardReach::default();
            self.starts(value, &mut |node| {
                if wave.distances.insert(node, 0).is_none() {
                    wave.queue.push_back(node);
                }
            });
            wave
        });
        let done = work(&mut wave);
        let mut waves = waves.borrow_mut();
        if waves.len() >= MOST_KEPT {
            waves.clear();
        }
        waves.insert(key, wave);
        done
    }

    fn may_pass(&self, value: FlowValueId, pass: u32) -> bool {
        pass == NONE || self.passes(value, pass)
    }

    /// The chain of so many steps from where a value begins to a place.
    fn chain(&self, value: FlowValueId, end: FlowNodeId, steps: u32) -> Option<String> {
        // What lies on a shortest way, by distance, from the end on.
        let mut layers: Vec<FxHashSet<FlowNodeId>> = vec![FxHashSet::from_iter([end])];
        self.with_wave(value, |wave| {
            for distance in (0..steps).rev() {
                let mut layer = FxHashSet::default();
                for &node in &layers[layers.len() - 1] {
                    self.check();
                    self.preds(node, &mut |half| {
                        if wave.distances.get(&half.node) == Some(&distance)
                            && self.may_pass(value, half.pass)
                        {
                            layer.insert(half.node);
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
                self.succs(node, &mut |half| {
                    if next.contains(&half.node) && self.may_pass(value, half.pass) {
                        follows.insert(half.node);
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
        if names.len() > MOST_PLACES {
            let behind = names.split_off(names.len() - MOST_PLACES / 2);
            names.truncate(MOST_PLACES / 2);
            names.push("…".to_owned());
            names.extend(behind);
        }
        names.push("here".to_owned());
        text.push_str(&names.join(" -> "));
        Some(text)
    }

    /// The first place of the texts where a value begins to flow to a place; without one where it
    /// is the type argument of an instance.
    fn origin(&self, value: FlowValueId, node: FlowNodeId) -> Option<ValueOrigin> {
        let db = self.question.db;
        let joined = &self.flow.joined;
        let own = joined.nodes[node as usize].sources.iter();
        let mut origins: Vec<ValueOrigin> = Vec::new();
        for &(_, slot) in own.filter(|(other, _)| *other == value) {
            let Some(fragment) = joined.fragment(slot) else {
                continue;
            };
            let file = fragment.file;
            for source in &fragment.flows.sources {
                if joined.value(source.value) != Some(value)
                    || joined.node_in(slot, source.to) != Some(node)
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
        // A place of the text says more than an instance.
        origins
            .into_iter()
            .min_by_key(|origin| (origin.1 == 0, origin.clone()))
    }

    fn name_of_value(&self, value: FlowValueId) -> String {
        match self.value(value) {
            FlowValue::Type(ty) => self.language.type_name(self.question.db, ty),
            FlowValue::Function(symbol) | FlowValue::InterfaceMethod(symbol) => {
                self.question.id(symbol).to_string()
            }
            FlowValue::Literal(symbol, _) => format!("literal in {}", self.question.id(symbol)),
            FlowValue::Unknown(reason) => reason.wire_name().to_owned(),
        }
    }

    fn name_of_node(&self, node: FlowNodeId) -> String {
        let ty = |ty| self.language.type_name(self.question.db, ty);
        let id = |symbol| self.question.id(symbol);
        let numbered = |what: &str, number: u16| format!("{what} {}", u32::from(number) + 1);
        let place = match self.place(node) {
            FlowNodeKey::Shared(place) => place,
            FlowNodeKey::Local(slot) => return self.name_of_local(slot, node),
        };
        match place {
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
        let question = self.question;
        let key = question.key(symbol);
        match key.parent.filter(|_| key.class == SymbolClass::Field) {
            Some(parent) => {
                let name = question.db.shared().names.text(key.name);
                format!("field {name} of {}", question.id(parent))
            }
            None => format!("variable {}", question.id(symbol)),
        }
    }

    /// A local by the function that it is of.
    fn name_of_local(&self, slot: u32, node: FlowNodeId) -> String {
        let Some(fragment) = self.flow.joined.fragment(slot) else {
            return "a local".to_owned();
        };
        match self.function_of_local(fragment, node) {
            Some(function) => format!("a local of {}", self.question.id(function)),
            None => format!("a local in {}", fragment.file.path(self.question.db)),
        }
    }

    /// The function whose body has a local: told by a value that begins there, by a call through
    /// it, by the function's own parameters and results, for it or for a local that it flows from
    /// or to.
    fn function_of_local(&self, fragment: &Fragment, node: FlowNodeId) -> Option<SymbolId> {
        let number = fragment.locals.iter().find(|(_, other)| *other == node)?.0;
        let flows = &fragment.flows;
        let mut open = vec![FlowNode::Local(number)];
        let mut seen = FxHashSet::from_iter(open.iter().copied());
        while let Some(local) = open.pop() {
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
                    FlowNode::Local(_) if seen.insert(other) => open.push(other),
                    FlowNode::Parameter(function, _) if edge.to == local => return Some(function),
                    FlowNode::Result(function, _) if edge.from == local => return Some(function),
                    _ => {}
                }
            }
        }
        None
    }

    fn function_of_body(&self, file: File, body: u32) -> Option<SymbolId> {
        let uses = self.language.uses(self.question.db, file);
        let function = uses.bodies.get(body as usize).copied();
        let package = || self.question.package_of(file);
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
