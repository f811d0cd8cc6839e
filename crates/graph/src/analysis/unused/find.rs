//! All that is unused in one revision: the search for what is in use, from the code that runs and what
//! others can name, and what it leaves.
//!
//! ```text
//! edges of files that are no tests, of members  ->  search from programs, modules, libraries' names
//! the same, and the edges of tests              ->  search from the same and from tests
//! what the first does not reach                 ->  only_tests, only_from_unused, unreferenced
//! ```

use std::sync::Arc;

use codeweft_db::{File, Keeper, Lang, NameId, NodeKind, SymbolId, SymbolRow};
use rustc_hash::{FxHashMap, FxHashSet};

use super::doubts::{Doubts, Suspect};
use super::memo::{DoubtSite, UnusedSymbol};
use crate::answer::UnusedReason;
use crate::query_context::QueryContext;
use crate::reachability::declarations::Declarations;
use crate::reachability::members::DispatchedMethod;
use crate::reachability::memo::{FileEdges, LiveNode};
use crate::reachability::search::{Adjacency, Reached};
use crate::reachability::{edges, members};
use crate::resolve_ahead::resolve_ahead;
use crate::symbols;

/// A file of the workspace with its edges.
pub(super) struct ReadFile {
    pub(super) file: File,
    pub(super) edges: Arc<FileEdges>,
    pub(super) is_test: bool,
}

/// Returns all that is unused, in order of package, file and text.
pub(super) fn unused<'q>(query: &'q QueryContext<'_>) -> &'q Arc<[UnusedSymbol]> {
    let known = &query.cache.analysis.unused.found;
    known.get_or_init(|| find(query).into())
}

fn find(query: &QueryContext<'_>) -> Vec<UnusedSymbol> {
    let units = symbols::own_units(query);
    resolve_ahead(query, &units);
    let declarations = Declarations::read(query);
    let files = query.map(&units, |languages, db, &unit| {
        let Some(language) = languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let files = edges::of_unit(query.cache, db, language, unit).into_iter();
        files
            .map(|(file, edges)| ReadFile {
                file,
                edges,
                is_test: language.is_test(db, file),
            })
            .collect()
    });
    let files: Vec<ReadFile> = files.into_iter().flatten().collect();
    let of_members = members::edges(query, &declarations);
    let dispatched = members::dispatched_methods(query, &declarations);
    let graph = Graph::new(query, &declarations, &files, &of_members, dispatched);
    let mut reached = graph.without_tests(query, &declarations);
    keep_looked_up(query, &declarations, &graph, &mut reached);
    graph.add_dispatched(query, &mut reached, false);
    let with_tests = graph.with_tests(query, &declarations, &files, &reached);
    let referenced = referenced(query, &declarations, &files, &reached);

    let mut unlisted: FxHashSet<SymbolId> = declarations.unlisted.clone();
    for file in &files {
        unlisted.extend(file.edges.unnamed_fields.iter().copied());
    }
    let mut seen = FxHashSet::default();
    let mut suspects: Vec<Suspect> = Vec::new();
    for (own, row) in declarations.rows() {
        query.poll_cancellation();
        let node = LiveNode::declared(row.symbol);
        let is_of_tests = own.is_in_test(row) && with_tests.contains(node);
        if reached.contains(node)
            || is_of_tests
            || unlisted.contains(&row.symbol)
            || is_mark(query, &graph, &with_tests, row)
            || goes_with_parent(&declarations, &with_tests, &reached, (row.symbol, row.kind))
            || !seen.insert(row.symbol)
        {
            continue;
        }
        let is_boxed = |parent| with_tests.contains(LiveNode::boxed(parent));
        let parent = declarations.parent(row.symbol);
        suspects.push(Suspect {
            symbol: row.symbol,
            kind: row.kind,
            public: row.public,
            boxed_parent: parent.filter(|&parent| row.public && is_boxed(parent)),
            reason: if with_tests.contains(node) {
                UnusedReason::OnlyTests
            } else if referenced.contains(&row.symbol) {
                UnusedReason::OnlyFromUnused
            } else {
                UnusedReason::Unreferenced
            },
        });
    }
    let mut doubts = Doubts::of(query, &declarations, &files, &suspects);
    let suspects = suspects.into_iter();
    let mut found: Vec<UnusedSymbol> = suspects
        .map(|suspect| UnusedSymbol {
            symbol: suspect.symbol,
            reason: suspect.reason,
            doubts: doubts.take(suspect.symbol),
        })
        .collect();
    spread_doubts(query, &graph, &mut found);
    found
}

/// Returns whether a method does nothing, and its type has it to be one of an interface that values of the
/// type become: `func (*Call) isExpr() {}`.
fn is_mark(query: &QueryContext<'_>, graph: &Graph, with_tests: &Reached, row: &SymbolRow) -> bool {
    let method = LiveNode::declared(row.symbol);
    let is_part = || {
        let mut dispatched = graph.dispatched.iter();
        dispatched.any(|one| one.method == method && with_tests.contains(one.boxed))
    };
    if row.kind != NodeKind::Method || row.public || !is_part() {
        return false;
    }
    let language = query.language(row.symbol);
    language.is_some_and(|language| {
        let range = language.declaration_range(query.db, row.symbol);
        range.is_some_and(|range| {
            let (start, end) = (range.span.start as usize, range.span.end as usize);
            let text = range.file.text(query.db).get(start..end);
            text.is_some_and(|text| language.does_nothing(text))
        })
    })
}

/// Gives what an unused symbol uses the sites that could use the symbol: they could use that too. Of
/// several such symbols the first counts.
fn spread_doubts(query: &QueryContext<'_>, graph: &Graph, found: &mut [UnusedSymbol]) {
    let numbers = found.iter().map(|one| one.symbol.number()).zip(0..);
    let numbers: FxHashMap<u32, usize> = numbers.collect();
    let doubted = found.iter().filter(|one| !one.doubts.is_empty());
    let doubted = doubted.map(|one| (one.symbol, one.doubts.clone()));
    let doubted: Vec<(SymbolId, Arc<[DoubtSite]>)> = doubted.collect();
    let mut run_by: FxHashMap<LiveNode, Vec<LiveNode>> = FxHashMap::default();
    let mut by_name: FxHashMap<NameId, Vec<LiveNode>> = FxHashMap::default();
    for one in &graph.dispatched {
        run_by.entry(one.boxed).or_default().push(one.method);
        if let Some(name) = one.name {
            by_name.entry(name).or_default().push(one.method);
        }
    }
    for &(name, owner) in &graph.method_names[1] {
        let methods = by_name.get(&name).into_iter().flatten();
        run_by.entry(owner).or_default().extend(methods);
    }
    let mut reached = Reached::none(graph.nodes);
    for (symbol, sites) in doubted {
        let graphs = [&graph.own, &graph.of_tests];
        let mut next = vec![LiveNode::declared(symbol)];
        while !next.is_empty() {
            let new = reached.add(query, &graphs, next.drain(..));
            for node in &new {
                let number = node.declared_number();
                let used = number.and_then(|number| numbers.get(&number));
                if let Some(used) = used.and_then(|&used| found.get_mut(used))
                    && used.doubts.is_empty()
                {
                    used.doubts = sites.clone();
                }
                next.extend(run_by.get(node).into_iter().flatten());
            }
        }
    }
}

/// Returns whether an unused declaration is not listed because it goes with the unused one around it: the
/// field of a type, what a function declares in its body. If tests use that one, and not what it
/// declares, both are listed.
fn goes_with_parent(
    declarations: &Declarations,
    with_tests: &Reached,
    reached: &Reached,
    (symbol, kind): (SymbolId, NodeKind),
) -> bool {
    // Nothing goes with a module.
    let parent = declarations.parent(symbol);
    let Some((parent, around)) = parent.and_then(|of| Some((of, declarations.kind(of)?))) else {
        return false;
    };
    let is_part = kind == NodeKind::Field
        || matches!(
            around,
            NodeKind::Function | NodeKind::Method | NodeKind::Field
        );
    let declared = LiveNode::declared;
    let is_left_by_tests =
        with_tests.contains(declared(parent)) && !with_tests.contains(declared(symbol));
    is_part && !reached.contains(declared(parent)) && !is_left_by_tests
}

/// The edges of the workspace, without and with those of tests.
struct Graph {
    nodes: usize,
    own: Adjacency,
    of_tests: Adjacency,
    dispatched: Vec<DispatchedMethod>,
    /// The names of interfaces' methods that declarations use, without and with those in tests.
    method_names: [Vec<(NameId, LiveNode)>; 2],
}

impl Graph {
    fn new(
        query: &QueryContext<'_>,
        declarations: &Declarations,
        files: &[ReadFile],
        of_members: &[(LiveNode, LiveNode)],
        dispatched: Vec<DispatchedMethod>,
    ) -> Graph {
        // No file is read any more, so no symbol is new from here on.
        let nodes = LiveNode::count(query.db.shared().symbols.len());
        let of_files = |is_test: bool| {
            let files = files.iter().filter(move |file| file.is_test == is_test);
            files.flat_map(|file| file.edges.edges.iter().copied())
        };
        let method_names = [false, true].map(|is_test| {
            let files = files.iter().filter(|file| is_test || !file.is_test);
            let used = files.flat_map(|file| file.edges.methods.iter());
            let of_interfaces = used.filter(|&&(method, _)| {
                // A literal's method is no declaration of the workspace, nor is one of a library.
                let parent = declarations.parent(method);
                let around = parent.and_then(|parent| declarations.kind(parent));
                around.is_none_or(|around| around == NodeKind::Interface)
            });
            let names = of_interfaces.map(|&(method, owner)| (query.key(method).name, owner));
            names.collect()
        });
        Graph {
            dispatched,
            method_names,
            nodes,
            own: Adjacency::new(nodes, of_files(false).chain(of_members.iter().copied())),
            of_tests: Adjacency::new(nodes, of_files(true)),
        }
    }

    /// Returns what is reached without tests.
    fn without_tests(&self, query: &QueryContext<'_>, declarations: &Declarations) -> Reached {
        let packages = declarations.packages().map(LiveNode::declared);
        let started = declarations.kept(Keeper::Start).map(LiveNode::declared);
        let api = declarations.kept(Keeper::Api);
        let api = api.flat_map(|symbol| [LiveNode::declared(symbol), LiveNode::open(symbol)]);
        let mut reached = Reached::none(self.nodes);
        reached.add(query, &[&self.own], packages.chain(started).chain(api));
        self.add_dispatched(query, &mut reached, false);
        reached
    }

    /// Adds the methods that run by names of interfaces' methods, as far as what is reached uses these
    /// names, and what they reach.
    fn add_dispatched(&self, query: &QueryContext<'_>, reached: &mut Reached, tests: bool) {
        let mut unused_names = self.method_names[usize::from(tests)].clone();
        let mut used: FxHashSet<NameId> = FxHashSet::default();
        let mut waiting = self.dispatched.clone();
        let both = [&self.own, &self.of_tests];
        let graphs = if tests { &both[..] } else { &both[..1] };
        loop {
            unused_names.retain(|&(name, owner)| {
                let is_used = reached.contains(owner);
                if is_used {
                    used.insert(name);
                }
                !is_used
            });
            let mut run = Vec::new();
            waiting.retain(|one| {
                let is_called = one.name.is_none_or(|name| used.contains(&name));
                let runs = is_called && reached.contains(one.boxed);
                if runs {
                    run.push(one.method);
                }
                !runs
            });
            if reached.add(query, graphs, run.into_iter()).is_empty() {
                return;
            }
        }
    }

    /// Returns what is reached with tests too.
    fn with_tests(
        &self,
        query: &QueryContext<'_>,
        declarations: &Declarations,
        files: &[ReadFile],
        reached: &Reached,
    ) -> Reached {
        let mut reached = reached.clone();
        let graphs = [&self.own, &self.of_tests];
        let of_tests = files.iter().filter(|file| file.is_test);
        let starts = of_tests.flat_map(|file| file.edges.edges.iter());
        let starts: Vec<LiveNode> = starts.map(|&(from, _)| from).collect();
        reached.add_from_all(query, &graphs, &starts);
        let tests = [Keeper::Test, Keeper::TestSupport].into_iter();
        let tests = tests.flat_map(|keeper| declarations.kept(keeper));
        let tests = tests.map(LiveNode::declared);
        reached.add(query, &graphs, tests);
        self.add_dispatched(query, &mut reached, true);
        reached
    }
}

/// Adds what look-ups by names with a constant beginning reach.
fn keep_looked_up(
    query: &QueryContext<'_>,
    declarations: &Declarations,
    graph: &Graph,
    reached: &mut Reached,
) {
    let mut by_lang: FxHashMap<Lang, Vec<SymbolId>> = FxHashMap::default();
    for (own, row) in declarations.rows() {
        if !reached.contains(LiveNode::declared(row.symbol)) {
            let of_lang = by_lang.entry(own.unit.lang(query.db)).or_default();
            of_lang.push(row.symbol);
        }
    }
    for (lang, symbols) in by_lang {
        if let Some(language) = query.languages.of(lang) {
            let found = language.looked_up_by_prefix(query.db, &symbols);
            let found = found.into_iter().map(LiveNode::declared);
            reached.add(query, &[&graph.own], found);
        }
    }
}

/// Returns the symbols, out of those that are not reached, that other declarations use.
fn referenced(
    query: &QueryContext<'_>,
    declarations: &Declarations,
    files: &[ReadFile],
    reached: &Reached,
) -> FxHashSet<SymbolId> {
    let mut by_number: FxHashMap<u32, SymbolId> = FxHashMap::default();
    for (_, row) in declarations.rows() {
        if !reached.contains(LiveNode::declared(row.symbol)) {
            by_number.insert(row.symbol.number(), row.symbol);
        }
    }
    let mut found = FxHashSet::default();
    let symbol = |node: LiveNode| by_number.get(&node.declared_number()?).copied();
    for &(from, to) in files.iter().flat_map(|file| file.edges.edges.iter()) {
        query.poll_cancellation();
        let Some(target) = symbol(to) else {
            continue;
        };
        let is_own = symbol(from).is_some_and(|from| declarations.is_within(from, target));
        if !is_own {
            found.insert(target);
        }
    }
    found
}
