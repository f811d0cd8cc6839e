//! The tests that can run something of what a change touches: a search backward over what declarations use,
//! from what is touched to what a test runner runs.
//!
//! ```text
//! TestShip -> ship -> Price.total      total differs: TestShip is affected
//! TestShip -> its package -> imported packages -> what their initialisers run
//! TestDraw -> shape.area()             of unknown receiver: possibly affected if some area differs
//! ```

use std::collections::BTreeMap;

use codeweft_db::{Keeper, Lang, NodeKind, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::site_owners::SiteOwners;
use super::unresolved_owners::UnresolvedOwners;
use crate::answer::ChangeType;
use crate::call_graph::memo::package_in;
use crate::query_context::QueryContext;
use crate::reachability::declarations::{Declarations, OwnUnit};
use crate::reachability::members::LiveEdge;
use crate::reachability::memo::LiveNode;
use crate::reachability::search::{Adjacency, Reached};
use crate::reachability::{edges, members};
use crate::resolve_ahead::resolve_ahead;
use crate::symbols;

/// A test that can run something.
pub(super) struct AffectedBy {
    pub(super) test: SymbolId,
    /// See [`crate::answer::AffectedTest::steps`].
    pub(super) steps: u32,
    /// See [`crate::answer::AffectedTest::possible`].
    pub(super) possible: bool,
}

/// Returns the tests that can run some symbols or what they are part of, in no order.
pub(super) fn affected(
    query: &QueryContext<'_>,
    changes: &FxHashMap<SymbolId, ChangeType>,
) -> Vec<AffectedBy> {
    if changes.is_empty() {
        return Vec::new();
    }
    let units = symbols::own_units(query);
    resolve_ahead(query, &units);
    let declarations = Declarations::read(query);
    let files = query.map(&units, |languages, db, &unit| {
        let language = languages.of(unit.lang(db));
        language.map_or_else(Vec::new, |language| {
            edges::of_unit(query.cache, db, language, unit)
        })
    });
    let mut between = members::edges(query, &declarations);
    let dispatched = members::dispatched_methods(query, &declarations).into_iter();
    between.extend(dispatched.map(|one| (one.boxed, one.method)));
    let mut owners = UnresolvedOwners::read(query, &units);
    add_initialisation(query, &declarations, &mut between, &mut owners);
    let of_files = files.iter().flatten();
    let of_files = of_files.flat_map(|(_, file)| file.edges.iter());
    // No file is read any more, so no symbol is new from here on.
    let nodes = LiveNode::count(query.db.shared().symbols.len());
    let backward = of_files.chain(&between).map(|&(from, to)| (to, from));
    let mut search = TestSearch {
        query,
        users: Adjacency::new(nodes, backward),
        reached: Reached::none(nodes),
        tests: tests(&declarations),
        found: Vec::new(),
    };
    let mut all = search.follow(starts(query, &declarations, &owners, changes), false);
    let by_number: FxHashMap<u32, SymbolId> = declarations
        .kinds
        .keys()
        .map(|&symbol| (symbol.number(), symbol))
        .collect();
    let mut site_owners = SiteOwners::default();
    while !all.is_empty() {
        let mut could_use: Vec<(u32, LiveNode)> = Vec::new();
        let mut by_lang: BTreeMap<Lang, Vec<SymbolId>> = BTreeMap::new();
        let mut steps_of: FxHashMap<SymbolId, u32> = FxHashMap::default();
        for &(steps, node) in &all {
            query.poll_cancellation();
            let number = node.declared_number();
            if let Some(&symbol) = number.and_then(|number| by_number.get(&number)) {
                let mut users = FxHashSet::default();
                owners.add_users(query, symbol, &mut users);
                could_use.extend(users.into_iter().map(|user| (steps + 1, user)));
                if let Some(lang) = query.lang(symbol) {
                    by_lang.entry(lang).or_default().push(symbol);
                    steps_of.insert(symbol, steps);
                }
            }
        }
        // Look-ups by names that are made when the code runs: `getattr(self, f"visit_{kind}")`.
        for (lang, symbols) in by_lang {
            let language = query.languages.of(lang);
            let sites = language.map(|language| language.hidden_uses(query.db, &symbols));
            for (symbol, (file, offset, _)) in sites.into_iter().flatten() {
                query.poll_cancellation();
                if let Some(owner) = site_owners.owner(query, file, offset) {
                    let steps = steps_of.get(&symbol).copied().unwrap_or_default();
                    could_use.push((steps + 1, LiveNode::declared(owner)));
                }
            }
        }
        all = search.follow(could_use, true);
    }
    search.found
}

/// Returns where the search begins: at what differs; of a field of a declared type also at the type, since
/// values of it are made and read without the field's name; of what is removed also at its imports.
fn starts(
    query: &QueryContext<'_>,
    declarations: &Declarations,
    owners: &UnresolvedOwners,
    changes: &FxHashMap<SymbolId, ChangeType>,
) -> Vec<(u32, LiveNode)> {
    let mut starts = Vec::new();
    let mut add = |symbol: SymbolId| {
        let kinds = [LiveNode::declared, LiveNode::boxed, LiveNode::open];
        starts.extend(kinds.map(|kind| (0, kind(symbol))));
    };
    let mut importers = Vec::new();
    for (&symbol, &change) in changes {
        add(symbol);
        let language = query.language(symbol);
        let is_declared = language.is_some_and(|language| !language.is_dynamically_typed());
        if is_declared && declarations.kind(symbol) == Some(NodeKind::Field) {
            declarations.parent(symbol).into_iter().for_each(&mut add);
        }
        if change == ChangeType::Removal {
            importers.extend(
                owners
                    .importers(symbol)
                    .iter()
                    .map(|&importer| (1, importer)),
            );
        }
    }
    starts.extend(importers);
    starts
}

/// Returns the functions and methods that a test runner runs.
fn tests(declarations: &Declarations) -> FxHashMap<LiveNode, SymbolId> {
    let is_function = |kind| matches!(kind, Some(NodeKind::Function | NodeKind::Method));
    let tests = declarations.kept(Keeper::Test);
    let tests = tests.filter(|&test| {
        let parent = declarations.parent(test);
        let is_inside = parent.is_some_and(|parent| is_function(declarations.kind(parent)));
        is_function(declarations.kind(test)) && !is_inside
    });
    tests.map(|test| (LiveNode::declared(test), test)).collect()
}

/// The search backward from what is touched.
struct TestSearch<'q, 'a> {
    query: &'q QueryContext<'a>,
    users: Adjacency,
    reached: Reached,
    tests: FxHashMap<LiveNode, SymbolId>,
    found: Vec<AffectedBy>,
}

impl TestSearch<'_, '_> {
    /// Adds nodes that are some steps away, and all that leads to them. Returns what is new, each with its
    /// number of steps.
    fn follow(&mut self, mut starts: Vec<(u32, LiveNode)>, possible: bool) -> Vec<(u32, LiveNode)> {
        starts.sort_unstable();
        let mut all = Vec::new();
        let mut level: Vec<LiveNode> = Vec::new();
        let mut steps = 0;
        let mut starts = starts.into_iter().peekable();
        while starts.peek().is_some() || !level.is_empty() {
            if level.is_empty() {
                steps = starts.peek().map_or(steps, |&(steps, _)| steps);
            }
            while let Some((_, node)) = starts.next_if(|&(at, _)| at <= steps) {
                if self.reached.insert(node) {
                    level.push(node);
                }
            }
            level = self.visit(level, steps, possible, &mut all);
            steps += 1;
        }
        all
    }

    /// Notes the tests of a level, and returns the next one.
    fn visit(
        &mut self,
        level: Vec<LiveNode>,
        steps: u32,
        possible: bool,
        all: &mut Vec<(u32, LiveNode)>,
    ) -> Vec<LiveNode> {
        self.query.db.unwind_if_cancelled();
        let tests = level.iter().filter_map(|node| self.tests.get(node));
        self.found.extend(tests.map(|&test| AffectedBy {
            test,
            steps,
            possible,
        }));
        let next = self.reached.step(&self.users, &level);
        all.extend(level.into_iter().map(|node| (steps, node)));
        next
    }
}

/// Adds what runs before a test does: the initialisation of its package and of those that it imports, and
/// what the test runner runs with each test.
fn add_initialisation(
    query: &QueryContext<'_>,
    declarations: &Declarations,
    found: &mut Vec<LiveEdge>,
    owners: &mut UnresolvedOwners,
) {
    let declared = LiveNode::declared;
    for own in &declarations.units {
        query.poll_cancellation();
        let packages = packages_of_rows(query, own);
        let language = query.languages.of(own.unit.lang(query.db));
        let shared = language.map(|language| language.runs_with_tests(query.db, own.unit));
        let shared = shared.unwrap_or_default();
        let is_dynamic = language.is_some_and(|language| language.is_dynamically_typed());
        let is_taken = |own: &OwnUnit, symbol: SymbolId| {
            let row = own.symbols.row(symbol);
            let row = row.and_then(|row| own.symbols.rows.get(row as usize));
            is_dynamic && row.is_some_and(|row| !own.is_in_test(row))
        };
        for &(symbol, keeper) in &own.keepers.keepers {
            let package = packages.get(&symbol).copied().unwrap_or(own.package);
            match keeper {
                // A decorator takes the function when the module is read, and may call it later or not.
                Keeper::Start if is_taken(own, symbol) => {
                    owners.note_holder(symbol, declared(package));
                }
                Keeper::Start | Keeper::TestSupport => {
                    // What sets up the tests of a class is run with those alone.
                    let class = declarations.parent(symbol);
                    let class = class.filter(|_| keeper == Keeper::TestSupport);
                    found.push((declared(class.unwrap_or(package)), declared(symbol)));
                }
                Keeper::Test => {
                    found.push((declared(symbol), declared(package)));
                    let shared = shared.iter().filter(|&&other| other != symbol);
                    found.extend(shared.map(|&other| (declared(symbol), declared(other))));
                }
                Keeper::Api | Keeper::Parent => {}
            }
        }
    }
    for package in declarations.packages() {
        // To import `a.b` runs `a` first.
        let lang = query.lang(package).filter(|lang| lang.imports_name_parents);
        let Some((lang, name)) = lang.map(|lang| (lang, query.key(package).name)) else {
            continue;
        };
        let name = query.db.shared().names.text(name);
        let parent = name.rsplit_once(lang.package_separator);
        if let Some((parent, _)) = parent
            && let Some(parent) = symbols::package_by_name(query, lang, parent)
        {
            found.push((declared(package), declared(parent)));
        }
    }
    for row in query.imports().parts.iter().flat_map(|rows| rows.iter()) {
        if row.unit.is_some() {
            found.push((declared(row.from), declared(row.to)));
        }
    }
}

/// Returns the package or module of each declaration of a unit.
fn packages_of_rows(query: &QueryContext<'_>, own: &OwnUnit) -> FxHashMap<SymbolId, SymbolId> {
    let Some(language) = query.languages.of(own.unit.lang(query.db)) else {
        return FxHashMap::default();
    };
    let files = own.files.iter();
    let packages: Vec<SymbolId> = files
        .map(|&file| package_in(language, query.db, own.unit, file))
        .collect();
    let rows = own.symbols.rows.iter();
    rows.filter_map(|row| Some((row.symbol, *packages.get(row.file as usize)?)))
        .collect()
}
