//! A solution extended by what was added to bodies, if nothing else changes by it.
//!
//! A statement that is typed mostly calls what ran before, with values that came there before. Then the solution of the
//! whole program stays as it is, and only the new nodes have values to find. They are solved as part of the kept solution,
//! whose cells are complete: an edge into one of them may only bring what it has already. Else the program is solved anew.
//!
//! That is the same as solving anew, bounds of sets included, which depend on the rounds in which values come: the new nodes
//! only read what was there; and a value that a new edge brings to a complete cell has to have come there in the round in which
//! the edge would have brought it, or before.
//!
//! ```python
//! def send(self, data):
//!     self.log(data)     # typed: `log` ran on the objects of this class before, and on `data`: nothing else changes
//!     self.hook = data   # typed: if nothing was stored in `hook` before, the program is solved anew
//!     self.log(data, 1)  # typed: the call before with one argument more
//! ```

use std::collections::hash_map::Entry;
use std::hash::Hash;

use codeweft_db::NameId;
use codeweft_python_syntax::{AsPython as _, Code, Node, NodeId, Range};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{CellId, NOWHERE};
use super::grown::{Grown, Part};
use super::instances::{self, Arena, Instance, cell_of};
use super::program::ItemId;
use super::solver::{SiteId, Solver, State};
use super::values::{FlowObject, InstanceId, ValueId};
use super::{seeding, uses};

/// A bit of the tokens of sites that an extension adds.
pub(super) const ADDED: u32 = 1 << 31;

/// The maximum number of cells that an extension adds; a larger one is solved anew.
const MAX_CELLS: u32 = 20_000;

/// An extension in the making.
pub(super) struct Extended {
    /// The number of sites before it.
    pub(super) sites: usize,
    /// Whether what was found would not stay as it is.
    pub(super) is_change: bool,
    /// The values that are lost at a cell now, and were not before.
    pub(super) lost: FxHashSet<ValueId>,
    /// The nodes that were added, each with its run and cell.
    pub(super) nodes: Vec<(InstanceId, NodeId, CellId)>,
    calls: usize,
    constraints: usize,
    narrowings: usize,
    values: usize,
    otherwise: usize,
    /// The body that is read.
    grown: Option<Grown>,
    /// The cell of its first added node.
    base: CellId,
}

impl Extended {
    /// Returns the cell of a node of the body that is read.
    pub(super) fn cell(&self, run: &Instance, node: u32) -> CellId {
        let part = self.grown.as_ref().and_then(|grown| grown.part(node));
        match part {
            Some(Part::Earlier(at)) if run.base + at < run.params => run.base + at,
            Some(Part::Added(at)) => self.base + at,
            _ => NOWHERE,
        }
    }
}

/// A set of what is done once.
#[derive(Debug)]
pub(super) struct Once<K> {
    all: FxHashSet<K>,
    /// What an extension did, and in which round.
    added: FxHashMap<K, u32>,
    is_extended: bool,
    /// Whether the extension would do again, and maybe earlier, what was done.
    is_repeated: bool,
}

impl<K> Default for Once<K> {
    fn default() -> Once<K> {
        Once {
            all: FxHashSet::default(),
            added: FxHashMap::default(),
            is_extended: false,
            is_repeated: false,
        }
    }
}

impl<K: Eq + Hash> Once<K> {
    /// Returns whether something was not done yet, and is from now on; `now` is the round.
    pub(super) fn insert(&mut self, key: K, now: u32) -> bool {
        if !self.is_extended {
            return self.all.insert(key);
        }
        if self.all.contains(&key) {
            self.is_repeated = true;
            return false;
        }
        match self.added.entry(key) {
            Entry::Vacant(free) => {
                free.insert(now);
                true
            }
            Entry::Occupied(done) => {
                self.is_repeated |= *done.get() > now;
                false
            }
        }
    }

    fn begin_extension(&mut self) {
        self.is_extended = true;
    }

    fn end_extension(&mut self) {
        self.added.clear();
        (self.is_extended, self.is_repeated) = (false, false);
    }
}

impl State {
    /// Returns whether a name of a class was not read yet through a receiver.
    pub(super) fn is_new_binding(&mut self, key: (CellId, ValueId, CellId, SiteId)) -> bool {
        let now = self.cells.now();
        self.bindings.insert(key, now)
    }

    /// Returns whether a special method was not run yet.
    pub(super) fn is_new_special_run(
        &mut self,
        key: (ValueId, NameId, CellId, SiteId, CellId),
    ) -> bool {
        let now = self.cells.now();
        self.special_runs.insert(key, now)
    }

    /// Returns whether the classes of an `except` clause were not read yet.
    pub(super) fn is_new_caught(&mut self, key: (CellId, CellId)) -> bool {
        let now = self.cells.now();
        self.caught.insert(key, now)
    }

    /// Returns whether a run did not take `*x` or `**x` yet.
    pub(super) fn is_new_spread(&mut self, key: (CellId, InstanceId, u32)) -> bool {
        let now = self.cells.now();
        self.spreads.insert(key, now)
    }

    /// Returns whether a site did not take an element of a container yet.
    pub(super) fn is_new_consumed(&mut self, key: (CellId, SiteId)) -> bool {
        let now = self.cells.now();
        self.consumed.insert(key, now)
    }

    /// Returns whether a call does not run yet what a cell holds instead of another function.
    pub(super) fn is_new_instead(&mut self, key: (CellId, u32)) -> bool {
        let now = self.cells.now();
        self.instead.insert(key, now)
    }

    /// Begins an extension.
    pub(super) fn begin_extension(&mut self) {
        self.cells.begin_extension();
        self.bindings.begin_extension();
        self.special_runs.begin_extension();
        self.caught.begin_extension();
        self.spreads.begin_extension();
        self.consumed.begin_extension();
        self.instead.begin_extension();
        self.extended = Some(Extended {
            sites: self.sites.len(),
            is_change: false,
            lost: FxHashSet::default(),
            nodes: Vec::new(),
            calls: self.calls.len(),
            constraints: self.constraints.len(),
            narrowings: self.narrowings.len(),
            values: self.values.len(),
            otherwise: self.otherwise.len(),
            grown: None,
            base: NOWHERE,
        });
    }

    /// Returns whether the extension changes what was found before.
    pub(super) fn is_change(&self) -> bool {
        let Some(extended) = &self.extended else {
            return false;
        };
        let added = self.cells.count() - self.cells.complete();
        extended.is_change
            || added > MAX_CELLS
            || self.cells.is_change()
            || self.bindings.is_repeated
            || self.special_runs.is_repeated
            || self.caught.is_repeated
            || self.spreads.is_repeated
            || self.consumed.is_repeated
            || self.instead.is_repeated
            || self.otherwise.len() != extended.otherwise
            || !self.unread.is_empty()
    }

    /// Notes that the extension would change what was found before.
    pub(super) fn give_up(&mut self) {
        if let Some(extended) = &mut self.extended {
            extended.is_change = true;
        }
    }

    /// Returns what the calls run that the extension adds.
    pub(super) fn added_targets(&self) -> impl Iterator<Item = ItemId> {
        let first = self.extended.as_ref().map_or(0, |extended| extended.calls);
        self.call_targets[first..].iter().flatten().copied()
    }

    /// Ends the extension: the state is as it was before.
    pub(super) fn end_extension(&mut self) {
        let Some(extended) = self.extended.take() else {
            return;
        };
        let complete = self.cells.complete();
        self.lazy.retain(|&container, _| container < complete);
        self.cut.retain(|&cell| cell < complete);
        self.cut_containers.retain(|&cell| cell < complete);
        self.closed
            .retain(|&site, _| (site as usize) < extended.sites);
        self.cells.end_extension();
        self.bindings.end_extension();
        self.special_runs.end_extension();
        self.caught.end_extension();
        self.spreads.end_extension();
        self.consumed.end_extension();
        self.instead.end_extension();
        for site in self.sites.drain(extended.sites..) {
            self.site_of.remove(&(site.item, site.token));
        }
        self.calls.truncate(extended.calls);
        self.call_targets.truncate(extended.calls);
        self.constraints.truncate(extended.constraints);
        self.narrowings.truncate(extended.narrowings);
        self.values.truncate(extended.values);
        self.otherwise.truncate(extended.otherwise);
        self.unread.clear();
    }
}

/// Returns whether all that a call runs are functions of the workspace: to these more arguments are only more edges, while what a
/// function of a library does depends on their number.
fn calls_functions(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    code: &Code,
    node: NodeId,
) -> bool {
    let Some(&Node::Call(number)) = code.nodes.get(node as usize) else {
        return false;
    };
    let Some(call) = code.calls.get(number as usize) else {
        return false;
    };
    let callee = cell_of(solver, instance, Arena::Body, call.callee);
    let is_function = |value| matches!(solver.values.get(value), FlowObject::Function { .. });
    let mut values = solver.cells.values(callee).iter();
    values.all(|&value| match solver.values.get(value) {
        FlowObject::Bound { function, .. } => is_function(function),
        _ => is_function(value),
    })
}

/// Solves what was added to the body of an item, in each of its runs.
pub(super) fn extend(solver: &mut Solver<'_, '_>, item: ItemId, grown: Grown) {
    let runs = (0..).zip(&solver.instances);
    let runs = runs.filter(|(_, run)| run.item == item);
    let runs: Vec<InstanceId> = runs.map(|(number, _)| number).collect();
    let held = solver.program.file(item).held_bodies();
    let Some(bodies) = held.python() else {
        return;
    };
    let (_, number) = solver.program.at(item);
    let body = bodies.bodies.get(number as usize);
    let decorators = body.map_or_else(Vec::new, |body| uses::decorators(bodies, body));
    let (added, used) = (grown.added.clone(), grown.uses.clone());
    let (results, yields) = (grown.results.clone(), grown.yields.clone());
    let calls = grown.calls.clone();
    if let Some(extended) = &mut solver.extended {
        extended.grown = Some(grown);
    }
    for instance in runs {
        let run = solver.instances[instance as usize];
        let base = solver.cells.block(added.len() as u32);
        if let Some(extended) = &mut solver.extended {
            extended.base = base;
            let nodes = added.iter().zip(base..);
            extended
                .nodes
                .extend(nodes.map(|(&node, cell)| (instance, node, cell)));
        }
        for &node in &calls {
            if !calls_functions(solver, instance, &bodies.code, node) {
                solver.give_up();
                return;
            }
        }
        solver.cells.set_now(run.read_at);
        for &node in &added {
            instances::read_node(solver, instance, &bodies.code, Arena::Body, node);
        }
        for &at in &used {
            if let Some(one) = bodies.uses.get(at as usize) {
                uses::read_use(solver, instance, &bodies.code, one, &decorators);
            }
        }
        for (nodes, to) in [(&results, run.result), (&yields, run.yielded)] {
            for &node in nodes {
                let from = cell_of(solver, instance, Arena::Body, node);
                solver.edge(from, to);
            }
        }
        for &node in &added {
            let (start, end) = (node, node + 1);
            seeding::seed(solver, instance, Range { start, end });
        }
        solver.settle();
        if solver.is_change() {
            return;
        }
    }
}
