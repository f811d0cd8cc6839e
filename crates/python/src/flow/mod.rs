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
//! program     files, items, classes: what the texts say
//! seeds       what inference knows of nodes by declarations; a query of each file
//! instances   runs of functions, and what nodes say     uses   what operations say
//! cells      sets of values and edges                  values the values
//! solver      the loop; constraints is what is done with each value that arrives
//! attributes, calls, containers, special, library, models, lazy, names, fixtures    the rules
//! ```
//!
//! The solution is made anew from all texts when a question needs it
//! (`docs/decisions/python-flow-solved-anew.md`). It reads no solution itself, and nothing of inference
//! reads it. Sets are bounded; of a call that more than [`solver::HUB`] functions reach, a hub, only
//! the results of the first are followed.

mod attributes;
mod calls;
mod cells;
mod constraints;
mod containers;
mod fixtures;
mod instances;
mod lazy;
mod library;
mod models;
mod names;
mod program;
mod seeding;
mod seeds;
mod solver;
mod special;
mod uses;
mod values;

use std::sync::Arc;

use codeweft_db::{
    Db, File, FileFlows, FlowNode, FlowRole, FlowSite, FlowSource, FlowValue, Flows, Reason,
    Resolution, SymbolId, Unit, UnitGraph,
};
use rustc_hash::FxHashMap;

use crate::index::file_uses;
use program::Program;
pub use seeds::py_flow_seeds;
use solver::Solver;

/// The maximum number of declarations of a workspace whose values are followed.
const MAX_DECLARATIONS: usize = 12_000;

/// What the calls of a file run by the values that reach them: body, token and function.
pub type FileTargets = Box<[(u32, u32, SymbolId)]>;

/// What values carry to the calls of a workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowSolution {
    files: FxHashMap<File, FileTargets>,
}

impl FlowSolution {
    /// Returns what the calls of a file run, sorted.
    pub fn of(&self, file: File) -> &[(u32, u32, SymbolId)] {
        self.files.get(&file).map_or(&[], |rows| rows)
    }
}

/// Follows the values of the workspace.
#[salsa::tracked(returns(clone))]
pub fn py_flow(db: &dyn Db, graph: UnitGraph) -> Arc<FlowSolution> {
    let Some(program) = Program::read(db, graph, MAX_DECLARATIONS) else {
        return Arc::default();
    };
    let mut solver = Solver::new(&program);
    solver.solve();
    let mut files: FxHashMap<File, Vec<(u32, u32, SymbolId)>> = FxHashMap::default();
    for site in &solver.sites {
        let (_, number) = program.at(site.item);
        let rows = files.entry(program.file(site.item).file).or_default();
        let targets = site.targets.iter();
        rows.extend(targets.map(|&one| (number, site.token, program.symbol(one))));
    }
    let files = files.into_iter().map(|(file, mut rows)| {
        rows.sort_unstable();
        rows.dedup();
        (file, rows.into())
    });
    Arc::new(FlowSolution {
        files: files.collect(),
    })
}

/// Returns the fragments of a unit's files: each call that values decide, with the functions that it runs
/// beside those that its uses name. That others run, too, is never excluded.
pub(crate) fn flows(db: &dyn Db, unit: Unit) -> Arc<[FileFlows]> {
    let Some(graph) = UnitGraph::try_get(db) else {
        return Arc::default();
    };
    if unit.origin(db) != codeweft_db::Origin::Workspace {
        return Arc::default();
    }
    let solution = py_flow(db, graph);
    let files = unit.files(db).iter().filter_map(|&file| {
        let flows = fragment(db, file, solution.of(file));
        (!flows.is_empty()).then(|| FileFlows {
            file,
            flows: Arc::new(flows),
        })
    });
    files.collect()
}

/// Returns the rows that the uses of a file do not name.
fn beside_uses(
    db: &dyn Db,
    file: File,
    rows: &[(u32, u32, SymbolId)],
) -> Vec<(u32, u32, SymbolId)> {
    let uses = file_uses(db, file);
    let mut named: FxHashMap<(u32, u32), Vec<SymbolId>> = FxHashMap::default();
    for (target, uses) in uses.iter() {
        let calls = uses
            .iter()
            .filter(|one| one.role.is_call() && one.resolution != Resolution::Name);
        for one in calls {
            named.entry((one.body, one.occ)).or_default().push(target);
        }
    }
    let is_known = |&(body, occ, target): &(u32, u32, SymbolId)| {
        let mut named = named.get(&(body, occ)).into_iter().flatten();
        named.any(|&name| name == target)
    };
    rows.iter().filter(|row| !is_known(row)).copied().collect()
}

fn fragment(db: &dyn Db, file: File, rows: &[(u32, u32, SymbolId)]) -> Flows {
    let (mut sources, mut sites) = (Vec::new(), Vec::new());
    let rows = if rows.is_empty() {
        Vec::new()
    } else {
        beside_uses(db, file, rows)
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
        for value in functions.chain([open]) {
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
