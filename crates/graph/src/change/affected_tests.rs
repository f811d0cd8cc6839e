//! The tests that can run something of what a change touches: a search backward over what declarations use,
//! from what is touched to what a test runner runs.
//!
//! ```text
//! TestShip -> ship -> Price.total      total differs: TestShip is affected
//! TestShip -> its package -> imported packages -> what their initialisers run
//! TestDraw -> shape.area()             of unknown receiver: possibly affected if some area differs
//! ```

use codeweft_db::{Keeper, NodeKind, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::unresolved_owners::UnresolvedOwners;
use crate::call_graph::memo::package_in;
use crate::query_context::QueryContext;
use crate::reachability::declarations::{Declarations, OwnUnit};
use crate::reachability::members::LiveEdge;
use crate::reachability::memo::LiveNode;
use crate::reachability::search::{Adjacency, Reached};
use crate::reachability::{edges, members};
use crate::resolve_ahead::resolve_ahead;
use crate::symbols;

/// Returns the tests that can run some symbols or what they are part of, each with whether it can only by a
/// step of unknown target.
pub(super) fn affected(query: &QueryContext<'_>, touched: &[SymbolId]) -> Vec<(SymbolId, bool)> {
    if touched.is_empty() {
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
    add_initialisation(query, &declarations, &mut between);
    let of_files = files.iter().flatten().flat_map(|(_, file)| file.edges.iter());
    // No file is read any more, so no symbol is new from here on.
    let nodes = LiveNode::count(query.db.shared().symbols.len());
    let backward = of_files.chain(&between).map(|&(from, to)| (to, from));
    let users = Adjacency::new(nodes, backward);

    let mut reached = Reached::none(nodes);
    let kinds = |symbol: SymbolId| {
        let declared = LiveNode::declared;
        [declared(symbol), LiveNode::boxed(symbol), LiveNode::open(symbol)]
    };
    let starts = touched.iter().flat_map(|&symbol| kinds(symbol));
    let mut found = reached.add(query, &[&users], starts);
    let certain = reached.clone();

    let owners = UnresolvedOwners::read(query, &units);
    let by_number: FxHashMap<u32, SymbolId> = declarations
        .kinds
        .keys()
        .map(|&symbol| (symbol.number(), symbol))
        .collect();
    while !found.is_empty() {
        let mut could_use: FxHashSet<LiveNode> = FxHashSet::default();
        for node in &found {
            query.poll_cancellation();
            let symbol = node.declared_number().and_then(|number| by_number.get(&number));
            if let Some(&symbol) = symbol {
                owners.add_users(query, symbol, &mut could_use);
            }
        }
        found = reached.add(query, &[&users], could_use.into_iter());
    }

    let mut tests: Vec<SymbolId> = declarations
        .kept(Keeper::Test)
        .filter(|&test| {
            let kind = declarations.kind(test);
            matches!(kind, Some(NodeKind::Function | NodeKind::Method))
                && reached.contains(LiveNode::declared(test))
        })
        .collect();
    tests.sort_unstable();
    tests.dedup();
    let tests = tests.into_iter();
    tests
        .map(|test| (test, !certain.contains(LiveNode::declared(test))))
        .collect()
}

/// Adds what runs before a test does: the initialisation of its package and of those that it imports, and
/// what the test runner runs with each test.
fn add_initialisation(
    query: &QueryContext<'_>,
    declarations: &Declarations,
    found: &mut Vec<LiveEdge>,
) {
    let declared = LiveNode::declared;
    for own in &declarations.units {
        query.poll_cancellation();
        let packages = packages_of_rows(query, own);
        let language = query.languages.of(own.unit.lang(query.db));
        let shared = language.map(|language| language.runs_with_tests(query.db, own.unit));
        let shared = shared.unwrap_or_default();
        for &(symbol, keeper) in &own.keepers.keepers {
            let package = packages.get(&symbol).copied().unwrap_or(own.package);
            match keeper {
                Keeper::Start => found.push((declared(package), declared(symbol))),
                Keeper::Test => {
                    found.push((declared(symbol), declared(package)));
                    let shared = shared.iter().filter(|&&other| other != symbol);
                    found.extend(shared.map(|&other| (declared(symbol), declared(other))));
                }
                Keeper::Api | Keeper::Parent => {}
            }
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
