//! Which functions values carry to the calls of a workspace: Python as it runs.
//!
//! A call of a parameter, of an element of a list or of an attribute that holds a function names nothing
//! that a declaration decides. So the values of the whole workspace are followed, from where they are made
//! to where they are called, by inclusion: each cell holds a set of values that only grows.
//!
//! ```python
//! def run(jobs):
//!     for job in jobs:
//!         job()          # run.jobs holds the list; its element holds `load`; so `load` runs here
//! run([load])
//! ```
//!
//! ```text
//! declarations   files, items, classes: what is declared     program   these, with bodies     body_facts   what bodies say by
//!             their text     class_table   what the class hierarchy gives
//! seeds       what inference knows of nodes by declarations; a query of each file
//! instances   runs of functions, and what nodes say    body_cells   their cells     contexts   which are kept apart     uses   what
//!             operations say
//! defaults    what defaults of parameters hold
//! cells      sets of values and edges, and what an extension does to them     values the values
//! solver      the loop; constraints is what is done with each value that arrives; order says which values are kept
//! open_cells   which cells may hold other values, by followed, what rules follow    closed_sites   the calls that these do not reach
//! escaped, by sinks, what leaves to code that is not followed    computed_names   what is known of names that are values
//! called_values   whether what has such a name may be called    class_values   whether the class of an object is
//! ends       all of these together
//! kept       the last solution; extension and grown solve what was added to bodies
//! attributes, calls, containers, special, library, models, lazy, names, fixtures    the rules
//! ```
//!
//! The solution is made when a question needs it, from all texts (`docs/decisions/python-flow-solved-anew.md`) or from the last
//! one and what was typed (`docs/decisions/python-flow-in-rounds.md`). It reads no solution itself, and nothing of inference
//! reads it. Sets are bounded; of a call that more than [`solver::HUB`] functions reach, a hub, only
//! the results of the first are followed.

mod attributes;
mod body_cells;
mod body_facts;
mod called_values;
mod calls;
mod cells;
mod class_table;
mod class_values;
mod closed_sites;
mod computed_names;
mod constraints;
mod containers;
mod contexts;
mod declarations;
mod defaults;
mod ends;
mod escaped;
mod extension;
mod fixtures;
mod followed;
mod grown;
mod instances;
mod kept;
mod lazy;
mod library;
mod library_methods;
mod lookups;
mod models;
mod names;
mod open_cells;
mod order;
mod program;
mod seeding;
mod seeds;
mod sinks;
mod solver;
mod special;
mod uses;
mod values;

use std::sync::Arc;

use codeweft_db::{
    Db, File, FileFlows, FlowNode, FlowRole, FlowSite, FlowSource, FlowValue, Flows, Origin,
    Reason, Resolution, SymbolId, Unit, UnitGraph, Use,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declared::is_of_workspace;
use crate::index::file_uses;
use crate::language::is_in_tests;
use class_table::py_flow_classes;
pub(crate) use computed_names::KnownLookUp;
use declarations::py_follows_values;
use escaped::Escaped;
pub use kept::FlowCounts;
use kept::KeptSolution;
use program::{ItemId, Program};
pub use seeds::py_flow_seeds;
use solver::{SiteId, SiteTargets, Solver, State};
pub(crate) use uses::keeps_function;

/// What the calls of a file run by the values that reach them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileTargets {
    /// Body, token and function, sorted.
    rows: Arc<[(u32, u32, SymbolId)]>,
    /// The calls and reads of attributes that run nothing else, by body and token, sorted.
    closed: Arc<[(u32, u32, Closed)]>,
    /// The look-ups by names that are values of which something is known, by body and token, sorted.
    look_ups: Arc<[(u32, u32, KnownLookUp)]>,
    /// The classes of objects that are values and that nothing calls, by body and token, sorted.
    uncalled_classes: Arc<[(u32, u32)]>,
}

/// A call or the reading of an attribute that runs nothing but the functions of its rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Closed {
    /// Whether it runs one function, or makes objects of one class.
    is_exact: bool,
    /// Whether that holds, too, if code outside of the workspace calls its public functions.
    is_closed_to_others: bool,
}

impl FileTargets {
    /// Returns the functions that calls run: body, token and function, sorted.
    pub fn rows(&self) -> &[(u32, u32, SymbolId)] {
        &self.rows
    }

    /// Returns whether a call runs nothing but the functions of its rows.
    pub fn is_closed(&self, body: u32, token: u32) -> bool {
        self.closed_at(body, token).is_some()
    }

    /// Returns whether a call, or the reading of an attribute, runs nothing but the functions of its rows, whatever code outside
    /// of the workspace passes to its public functions.
    pub fn is_closed_to_others(&self, body: u32, token: u32) -> bool {
        let closed = self.closed_at(body, token);
        closed.is_some_and(|closed| closed.is_closed_to_others)
    }

    /// Returns whether a call is closed and runs one function, or makes objects of one class.
    pub fn is_exact(&self, body: u32, token: u32) -> bool {
        let closed = self.closed_at(body, token);
        closed.is_some_and(|closed| closed.is_exact)
    }

    fn look_up_at(&self, body: u32, token: u32) -> Option<&KnownLookUp> {
        let key = |row: &(u32, u32, KnownLookUp)| (row.0, row.1);
        let at = self.look_ups.binary_search_by_key(&(body, token), key);
        Some(&self.look_ups[at.ok()?].2)
    }

    fn closed_at(&self, body: u32, token: u32) -> Option<Closed> {
        let key = |&(body, token, _): &(u32, u32, Closed)| (body, token);
        let at = self.closed.binary_search_by_key(&(body, token), key).ok()?;
        Some(self.closed[at].2)
    }
}

/// What values carry to the calls of a workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowSolution {
    files: FxHashMap<File, FileTargets>,
    /// What leaves to code that is not followed; `None` if values are not followed.
    escaped: Option<Arc<EscapedSymbols>>,
}

/// What of a workspace leaves to code that is not followed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EscapedSymbols {
    /// The functions, classes and modules that leave as values.
    values: FxHashSet<SymbolId>,
    /// The functions that are registered with frameworks.
    registered: FxHashSet<SymbolId>,
    /// The classes of which objects, or objects of classes below, leave.
    classes_of_objects: FxHashSet<SymbolId>,
}

impl EscapedSymbols {
    fn of(program: &Program<'_>, escaped: &Escaped) -> EscapedSymbols {
        let symbol = |item| program.symbol(item);
        EscapedSymbols {
            values: escaped.items().map(symbol).collect(),
            registered: escaped.registered().map(symbol).collect(),
            classes_of_objects: escaped.classes_of_objects().map(symbol).collect(),
        }
    }
}

impl FlowSolution {
    /// Returns what all sites run, and what leaves; `token` gives the token of a site of an item.
    fn of_sites<'s>(
        program: &Program<'_>,
        state: &State,
        sites: impl Iterator<Item = (SiteId, &'s SiteTargets)>,
        token: impl Fn(ItemId, u32) -> u32,
    ) -> FlowSolution {
        let escaped = EscapedSymbols::of(program, state.ends.open_to_others.escaped());
        FlowSolution {
            files: rows_of(program, state, sites, token),
            escaped: Some(Arc::new(escaped)),
        }
    }

    /// Returns what the calls of a file run, sorted.
    pub fn of(&self, file: File) -> &[(u32, u32, SymbolId)] {
        self.files.get(&file).map_or(&[], FileTargets::rows)
    }
}

/// Follows the values of the workspace.
#[salsa::tracked(returns(clone))]
pub fn py_flow(db: &dyn Db, graph: UnitGraph) -> Arc<FlowSolution> {
    let Some(program) = Program::read(db, graph) else {
        return Arc::default();
    };
    let kept = db.shared().language_tables.get::<KeptSolution>();
    if let Some(solution) = kept.extended(&program) {
        return solution;
    }
    let (state, solution) = solve(&program);
    kept.keep(program, state, &solution);
    solution
}

fn solve(program: &Program<'_>) -> (State, Arc<FlowSolution>) {
    let mut solver = Solver::new(program);
    solver.solve();
    let state = solver.into_state();
    let sites = (0..).zip(&state.sites);
    let solution = FlowSolution::of_sites(program, &state, sites, |_, token| token);
    (state, Arc::new(solution))
}

/// Returns what [`py_flow`] has to return, solved anew.
pub fn flow_anew(db: &dyn Db, graph: UnitGraph) -> Arc<FlowSolution> {
    let program = Program::read(db, graph);
    program.map_or_else(Arc::default, |program| solve(&program).1)
}

/// Returns how many solutions of [`py_flow`] a database made, each for an edit that its bodies are not equal after.
pub fn flow_counts(db: &dyn Db) -> FlowCounts {
    db.shared().language_tables.get::<KeptSolution>().counts()
}

/// Returns what sites run, by file; `token` gives the token of a site of an item.
fn rows_of<'s>(
    program: &Program<'_>,
    state: &State,
    sites: impl Iterator<Item = (SiteId, &'s SiteTargets)>,
    token: impl Fn(ItemId, u32) -> u32,
) -> FxHashMap<File, FileTargets> {
    #[derive(Default)]
    struct Rows {
        targets: Vec<(u32, u32, SymbolId)>,
        closed: Vec<(u32, u32, Closed)>,
        look_ups: Vec<(u32, u32, KnownLookUp)>,
        uncalled_classes: Vec<(u32, u32)>,
    }
    let mut files: FxHashMap<File, Rows> = FxHashMap::default();
    for (id, site) in sites {
        let (_, number) = program.at(site.item);
        let rows = files.entry(program.declared(site.item).file).or_default();
        let token = token(site.item, site.token);
        let targets = site.targets.iter();
        let targets = targets.map(|&one| (number, token, program.symbol(one)));
        rows.targets.extend(targets);
        if let Some(known) = state.ends.closed.get(&id) {
            let here = Closed {
                is_exact: known.is_exact(program, site),
                is_closed_to_others: known.is_closed_to_others,
            };
            rows.closed.push((number, token, here));
        }
        if let Some(known) = state.ends.look_ups.at(id) {
            rows.look_ups.push((number, token, known.clone()));
        }
        if state.ends.class_values.is_uncalled(id) {
            rows.uncalled_classes.push((number, token));
        }
    }
    let files = files.into_iter().map(|(file, mut rows)| {
        rows.targets.sort_unstable();
        rows.targets.dedup();
        rows.closed.sort_unstable();
        rows.closed.dedup();
        rows.look_ups.sort_unstable();
        rows.uncalled_classes.sort_unstable();
        let targets = FileTargets {
            rows: rows.targets.into(),
            closed: rows.closed.into(),
            look_ups: rows.look_ups.into(),
            uncalled_classes: rows.uncalled_classes.into(),
        };
        (file, targets)
    });
    files.collect()
}

/// Returns the fragments of a unit's files: each call that values decide, with the functions that it runs
/// beside those that its uses name. That others run, too, is never excluded.
pub(crate) fn flows(db: &dyn Db, unit: Unit) -> Arc<[FileFlows]> {
    let Some(graph) = UnitGraph::try_get(db) else {
        return Arc::default();
    };
    if unit.origin(db) != Origin::Workspace || !py_follows_values(db, graph) {
        return Arc::default();
    }
    let files = unit.files(db).iter().filter_map(|&file| {
        let flows = py_flow_fragment(db, graph, file);
        (!flows.is_empty()).then_some(FileFlows { file, flows })
    });
    files.collect()
}

/// Returns what values carry to the calls of a file: the firewall between the solution and what is made of each file.
#[salsa::tracked(returns(clone))]
pub fn py_flow_targets(db: &dyn Db, graph: UnitGraph, file: File) -> FileTargets {
    let solution = py_flow(db, graph);
    solution.files.get(&file).cloned().unwrap_or_default()
}

/// Returns what of the workspace leaves to code that is not followed, `None` if values are not followed: the firewall between the
/// solution and the answers that ask for it.
#[salsa::tracked(returns(clone))]
pub fn py_flow_escaped(db: &dyn Db, graph: UnitGraph) -> Option<Arc<EscapedSymbols>> {
    py_flow(db, graph).escaped.clone()
}

/// Returns whether a function, class or module may leave as a value to code that is not followed: always, if the workspace does not
/// declare it, or is too large for its values to be followed.
pub(crate) fn may_escape(db: &dyn Db, symbol: SymbolId) -> bool {
    let graph = UnitGraph::try_get(db).filter(|_| is_of_workspace(db, symbol));
    let escaped = graph.and_then(|graph| py_flow_escaped(db, graph));
    escaped.is_none_or(|escaped| escaped.values.contains(&symbol))
}

/// Returns whether a function of the workspace is known to be registered with a framework, as what is decorated or as an argument.
pub(crate) fn is_registered(db: &dyn Db, symbol: SymbolId) -> bool {
    let graph = UnitGraph::try_get(db).filter(|_| is_of_workspace(db, symbol));
    let escaped = graph.and_then(|graph| py_flow_escaped(db, graph));
    escaped.is_some_and(|escaped| escaped.registered.contains(&symbol))
}

/// Returns whether an object of which nothing is known may be of a class or of one below it. Code outside of the workspace has
/// objects of any class but those of tests: of these it has what leaves.
pub(crate) fn may_be_of_class(db: &dyn Db, class: SymbolId) -> bool {
    let graph = UnitGraph::try_get(db).filter(|_| is_of_workspace(db, class));
    let escaped = graph.and_then(|graph| py_flow_escaped(db, graph));
    escaped.is_none_or(|escaped| {
        !is_in_tests(db, class) || escaped.classes_of_objects.contains(&class)
    })
}

/// Returns what is known of a look-up by a name that is a value.
pub(crate) fn known_look_up(db: &dyn Db, file: File, body: u32, token: u32) -> Option<KnownLookUp> {
    targets_of(db, file)?.look_up_at(body, token).cloned()
}

/// Returns whether nothing calls the class of an object that is a value at a site of a file.
pub(crate) fn is_uncalled_class(db: &dyn Db, file: File, body: u32, token: u32) -> bool {
    let is_there = |targets: FileTargets| {
        targets
            .uncalled_classes
            .binary_search(&(body, token))
            .is_ok()
    };
    targets_of(db, file).is_some_and(is_there)
}

/// Returns whether values decide all that a site of a file runs: see [`FileTargets::is_closed`].
pub(crate) fn is_closed(db: &dyn Db, file: File, body: u32, token: u32) -> bool {
    targets_of(db, file).is_some_and(|targets| targets.is_closed(body, token))
}

/// Returns the same, whatever code outside passes: see [`FileTargets::is_closed_to_others`].
pub(crate) fn is_closed_to_others(db: &dyn Db, file: File, body: u32, token: u32) -> bool {
    targets_of(db, file).is_some_and(|targets| targets.is_closed_to_others(body, token))
}

fn targets_of(db: &dyn Db, file: File) -> Option<FileTargets> {
    UnitGraph::try_get(db).map(|graph| py_flow_targets(db, graph, file))
}

/// Returns the fragment of a file.
#[salsa::tracked(returns(clone))]
pub fn py_flow_fragment(db: &dyn Db, graph: UnitGraph, file: File) -> Arc<Flows> {
    Arc::new(fragment(db, graph, file, &py_flow_targets(db, graph, file)))
}

/// Returns the rows that the uses of a file do not name, and that no class hierarchy gives of what they name: of `super()` it
/// gives what each class below runs.
fn beside_uses(
    db: &dyn Db,
    graph: UnitGraph,
    file: File,
    targets: &FileTargets,
) -> Vec<(u32, u32, SymbolId)> {
    let classes = py_flow_classes(db, graph);
    let uses = file_uses(db, file);
    let mut named: FxHashMap<(u32, u32), Vec<(SymbolId, Use)>> = FxHashMap::default();
    for (target, uses) in uses.iter() {
        let calls = uses
            .iter()
            .filter(|one| one.role.is_call() && one.resolution != Resolution::Name);
        for one in calls {
            let known = named.entry((one.body, one.occ)).or_default();
            known.push((target, *one));
        }
    }
    let is_known = |&(body, occ, target): &(u32, u32, SymbolId)| {
        let is_exact = targets.is_exact(body, occ);
        let mut named = named.get(&(body, occ)).into_iter().flatten();
        named.any(|&(name, one)| {
            if is_exact && one.resolution != Resolution::Exact {
                return false;
            }
            let is_listed = if one.direct {
                uses.super_call_class(body, occ).is_some()
            } else {
                classes.may_run_instead(db, target, name)
            };
            name == target || is_listed && are_methods_of_one_name(db, target, name)
        })
    };
    let rows = targets.rows();
    rows.iter().filter(|row| !is_known(row)).copied().collect()
}

/// Returns whether two symbols are methods of one name, whatever their classes.
fn are_methods_of_one_name(db: &dyn Db, one: SymbolId, other: SymbolId) -> bool {
    let symbols = &db.shared().symbols;
    let (one, other) = (symbols.key(one), symbols.key(other));
    one.name == other.name && one.parent.is_some() && other.parent.is_some()
}

fn fragment(db: &dyn Db, graph: UnitGraph, file: File, targets: &FileTargets) -> Flows {
    let (mut sources, mut sites) = (Vec::new(), Vec::new());
    let rows = if targets.rows().is_empty() {
        Vec::new()
    } else {
        beside_uses(db, graph, file, targets)
    };
    for (group, number) in rows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).zip(0..) {
        let at = FlowNode::Local(number);
        let Some(&(body, occ, _)) = group.first() else {
            continue;
        };
        let functions = group
            .iter()
            .map(|&(.., target)| FlowValue::Function(target));
        let open = FlowValue::Unknown(Reason::FunctionValue);
        let open = (!targets.is_closed(body, occ)).then_some(open);
        for value in functions.chain(open) {
            sources.push(FlowSource {
                value,
                to: at,
                body,
                occ,
                role: FlowRole::Assigned,
            });
        }
        sites.push(FlowSite {
            body,
            occ,
            at,
            method: None,
            in_literal: false,
            is_exact: targets.is_exact(body, occ),
        });
    }
    sources.sort_unstable();
    sites.sort_unstable();
    Flows {
        sources: sources.into(),
        sites: sites.into(),
        ..Flows::default()
    }
}
