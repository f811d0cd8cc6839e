//! The queries: every operation on every node, as clients query it and without truncation.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use codeweft_db::RootDb;
use codeweft_graph::RevisionCache;
use codeweft_graph::answer::{
    ChangeType, ErrorType, GraphRequest, GraphResponse, GraphResult, ImpactType, Operation, Site,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::execution::execute_unlimited;
use super::exported::{id_of, satisfied};
use super::{Edge, Names, QueriedNode, Sides, redefinitions};

/// The stack size of a thread: query chains can be deep.
const STACK: usize = 64 << 20;

/// The number of nodes that a thread takes at once.
const BATCH: usize = 64;

/// Options of the queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskOptions {
    /// The number of threads.
    pub threads: usize,
    /// Each query starts with an empty cache: what one query joins for the next must not be what
    /// makes an answer right. Slow.
    pub cold_cache: bool,
    /// Also query `impact` of a signature change.
    pub signatures: bool,
}

impl Default for AskOptions {
    fn default() -> AskOptions {
        AskOptions {
            threads: 2,
            cold_cache: false,
            signatures: false,
        }
    }
}

/// Runs every operation on every node of the export, and `callees` on the library nodes that call
/// them.
pub(super) fn ask(sides: &mut Sides, db: &RootDb, cache: &RevisionCache, how: AskOptions) {
    let nodes = sides.nodes.clone();
    let known: FxHashSet<u32> = nodes.iter().map(|node| node.id).collect();
    let mut written = redefinitions::numbered(sides);
    // Of a library's redefinitions the export may have only one.
    let others = nodes.iter().copied();
    let others = others.filter(|node| node.external && !written.contains_key(&node.id));
    let others: Vec<QueriedNode> = others.collect();
    written.extend(redefinitions::numbered_beside(
        &sides.names,
        db,
        cache,
        &others,
    ));
    all(sides, db, cache, how, (&nodes, &written), true);
    redefinitions::ask(sides, db, cache);
    let callers = sides.callers.list.iter().map(|edge| edge.from);
    let beside: FxHashSet<u32> = callers.filter(|from| !known.contains(from)).collect();
    let function = sides.names.number("function");
    let mut queried: Vec<QueriedNode> = beside
        .iter()
        .map(|&id| QueriedNode {
            id,
            kind: function,
            external: true,
        })
        .collect();
    queried.sort_by_key(|node| node.id);
    sides.beside = beside;
    let written = redefinitions::numbered_beside(&sides.names, db, cache, &queried);
    all(sides, db, cache, how, (&queried, &written), false);
    for edges in [
        &mut sides.callers,
        &mut sides.callees,
        &mut sides.implementations,
        &mut sides.implements,
        &mut sides.dependents,
        &mut sides.dependencies,
        &mut sides.references,
        &mut sides.type_usages,
        &mut sides.impact,
        &mut sides.impact_nodes,
        &mut sides.impact_signature,
        &mut sides.of_redefinitions,
    ] {
        edges.sort();
    }
    sides.broken.sort();
}

/// Runs all operations, or only `callees`, on some nodes.
fn all(
    sides: &mut Sides,
    db: &RootDb,
    cache: &RevisionCache,
    how: AskOptions,
    (nodes, written): (&[QueriedNode], &FxHashMap<u32, String>),
    whole: bool,
) {
    let next = AtomicUsize::new(0);
    let shared = Mutex::new(std::mem::take(sides));
    let work = |db: &RootDb| {
        loop {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) = nodes.get(from..) else {
                return;
            };
            let batch = &batch[..batch.len().min(BATCH)];
            if batch.is_empty() {
                return;
            }
            for node in batch {
                let (id, kind) = {
                    let sides = shared.lock().expect("no thread broke");
                    let text = |number| sides.names.text(number).to_owned();
                    (text(node.id), text(node.kind))
                };
                let fresh;
                let cache = if how.cold_cache {
                    fresh = RevisionCache::default();
                    &fresh
                } else {
                    cache
                };
                let node = QueriedTarget {
                    db,
                    cache,
                    node: *node,
                    id: &id,
                    written: written.get(&node.id).map_or(&id, |written| written),
                    kind: &kind,
                    signatures: how.signatures,
                };
                let answers = if whole {
                    node.answers()
                } else {
                    vec![(Side::Callees, node.ask(Operation::Callees))]
                };
                let mut sides = shared.lock().expect("no thread broke");
                for (side, answer) in answers {
                    node.keep(&mut sides, side, answer);
                }
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..how.threads.max(1))
            .filter_map(|_| {
                let db = db.clone();
                let work = &work;
                thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || work(&db))
                    .ok()
            })
            .collect();
        assert!(!threads.is_empty(), "the system gives no threads");
        for thread in threads {
            thread.join().expect("no question breaks");
        }
    });
    *sides = shared.into_inner().expect("no thread broke");
}

/// The list of edges that an answer belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Callers,
    Callees,
    Implementations,
    Implements,
    Dependents,
    Dependencies,
    References,
    TypeUsages,
    Impact,
    ImpactSignature,
}

/// An answer, or an error message; `None` if the operation does not accept such a target.
type Answer = Option<Result<GraphResponse, String>>;

/// A node that is being queried.
struct QueriedTarget<'a> {
    db: &'a RootDb,
    cache: &'a RevisionCache,
    node: QueriedNode,
    id: &'a str,
    /// The written form that means this node alone.
    written: &'a str,
    kind: &'a str,
    signatures: bool,
}

impl QueriedTarget<'_> {
    fn answers(&self) -> Vec<(Side, Answer)> {
        let mut answers = vec![(Side::References, self.ask(Operation::References))];
        let mut add = |side, answer| answers.push((side, answer));
        let is_type = matches!(self.kind, "interface" | "struct" | "class" | "type");
        let is_class = is_type && self.id.starts_with("py:");
        let is_function = matches!(self.kind, "function" | "method");
        // A node that is not loaded has the kind that its use implies.
        let may_be_called = self.node.external && self.id.starts_with("py:");
        if is_function || is_class || self.kind == "package" || may_be_called {
            add(Side::Callers, self.ask(Operation::Callers));
            add(Side::Callees, self.ask(Operation::Callees));
        }
        if is_type || self.kind == "method" {
            add(Side::Implementations, self.ask(Operation::Implementations));
            add(Side::Implements, self.ask(Operation::Implements));
        }
        if is_type {
            add(Side::TypeUsages, self.ask(Operation::TypeUsages));
        }
        if self.kind == "package" {
            add(Side::Dependents, self.ask(Operation::Dependents));
            add(Side::Dependencies, self.ask(Operation::Dependencies));
        }
        if is_function {
            add(Side::Impact, self.impact(ChangeType::Behavior));
        }
        if self.signatures && (is_function || is_type) {
            add(Side::ImpactSignature, self.impact(ChangeType::Signature));
        }
        answers
    }

    fn request(&self, operation: Operation) -> GraphRequest {
        let mut request = GraphRequest::new(operation, self.written);
        request.depth = 1;
        request.include_context = false;
        // The export has them too.
        request.include_literal_calls = true;
        request
    }

    fn ask(&self, operation: Operation) -> Answer {
        self.answer(&self.request(operation))
    }

    fn impact(&self, change: ChangeType) -> Answer {
        let mut request = self.request(Operation::Impact);
        request.change_type = change;
        self.answer(&request)
    }

    fn answer(&self, request: &GraphRequest) -> Answer {
        let queried = execute_unlimited(self.db, self.cache, request);
        match queried {
            Ok(response) => Some(Ok(response)),
            // An operation that refuses the target has no answer; that it accepts the targets of
            // edges is checked by the edges.
            Err(error) if error.error_type == ErrorType::InvalidRequest => None,
            Err(error) => Some(Err(error.message)),
        }
    }

    fn keep(&self, sides: &mut Sides, side: Side, answer: Answer) {
        let response = match answer {
            None => return,
            Some(Ok(response)) => response,
            Some(Err(words)) => {
                let line = format!("{side:?} of {} is refused: {words}", self.id);
                sides.broken.push(line);
                return;
            }
        };
        if response.truncated {
            let line = format!("{side:?} of {} is cut", self.id);
            sides.broken.push(line);
        }
        let plain = self.id.get(3..).unwrap_or("");
        let answered = response.target.as_str();
        if answered != plain && answered != self.id {
            let line = format!("{side:?} of {} answers of {answered}", self.id);
            sides.broken.push(line);
        }
        for result in &response.results {
            if result.site_count as usize != result.sites.len() {
                let line = format!("{side:?} of {} cuts sites", self.id);
                sides.broken.push(line);
            }
            self.keep_result(sides, side, result);
        }
    }

    fn keep_result(&self, sides: &mut Sides, side: Side, result: &GraphResult) {
        let names = &mut sides.names;
        let other = id_of(names, &result.node);
        let forward = Edge {
            from: self.node.id,
            to: other,
            ..Edge::default()
        };
        let backward = Edge {
            from: other,
            to: self.node.id,
            ..Edge::default()
        };
        match side {
            Side::Callers => sites(&mut sides.callers.list, names, backward, result, resolution),
            Side::Callees => sites(&mut sides.callees.list, names, forward, result, resolution),
            Side::Dependents => sites(&mut sides.dependents.list, names, backward, result, none),
            Side::Dependencies => sites(&mut sides.dependencies.list, names, forward, result, none),
            Side::References => {
                sites(&mut sides.references.list, names, backward, result, kind);
            }
            Side::TypeUsages => sites(&mut sides.type_usages.list, names, backward, result, none),
            Side::Implementations => {
                let how = names.number(&step(result));
                let edge = Edge { how, ..backward };
                sides.implementations.list.push(edge);
            }
            Side::Implements => {
                let how = names.number(&step(result));
                sides.implements.list.push(Edge { how, ..forward });
            }
            Side::Impact => {
                sites(&mut sides.impact.list, names, backward, result, resolution);
                let how = names.number(way(result));
                sides.impact_nodes.list.push(Edge { how, ..backward });
            }
            Side::ImpactSignature => {
                let how = names.number(way(result));
                let list = &mut sides.impact_signature.list;
                list.push(Edge { how, ..backward });
                sites(list, names, backward, result, none);
            }
        }
    }
}

fn sites(
    list: &mut Vec<Edge>,
    names: &mut Names,
    edge: Edge,
    result: &GraphResult,
    how: impl Fn(&Site) -> &str,
) {
    for site in &result.sites {
        list.push(Edge {
            file: names.number(&site.file),
            line: site.line,
            column: site.column,
            how: names.number(how(site)),
            ..edge
        });
    }
}

fn resolution(site: &Site) -> &str {
    &site.resolution
}

fn kind(site: &Site) -> &str {
    site.kind.as_deref().unwrap_or("")
}

fn none(_: &Site) -> &str {
    ""
}

/// Returns how a change reaches a node.
fn way(result: &GraphResult) -> &'static str {
    match result.impact_type {
        Some(ImpactType::Implementation) => "implementation",
        Some(ImpactType::DirectCaller) => "direct_caller",
        Some(ImpactType::TransitiveCaller) => "transitive_caller",
        Some(ImpactType::TypeUsage) => "type_usage",
        Some(ImpactType::Reference) => "reference",
        Some(ImpactType::LostImplementation) => "lost_implementation",
        None => "",
    }
}

/// Returns how a type satisfies another, and over how many steps.
fn step(result: &GraphResult) -> String {
    let how = satisfied(result.receiver, &result.type_args);
    match result.depth {
        Some(depth) => format!("{how}@{depth}"),
        None => how,
    }
}
