//! A solution extended by what was added to bodies, and taken back.
//!
//! A statement that is typed mostly calls what ran before, with values that came there before: only the new nodes have values
//! to find. Else it moves a value: that flows on through the cells that were there before, runs what it is called by, and each
//! such change is noted, to be undone when the next text is read. Where what is followed ends ([`Ends`]) is found of the new
//! cells alone if nothing else grew, and anew of all cells otherwise.
//!
//! That is the same as solving anew: sets only grow, the program has all that it had, and each value has the round in which it
//! would have come. Where a full set would keep another value by these rounds, a hub would follow other results, or a body
//! would be read earlier, and where an extension would cost more than that, the program is solved anew.
//!
//! ```python
//! def send(self, data):
//!     self.log(data)     # typed: `log` ran on the objects of this class before, and on `data`: nothing else changes
//!     self.hook = data   # typed: what `hook` holds is called elsewhere, and runs there now
//!     self.log(data, 1)  # typed: the call before with one argument more
//! ```

use std::collections::hash_map::Entry;
use std::hash::Hash;

use std::sync::Arc;

use codeweft_db::NameId;
use codeweft_python_syntax::{AsPython as _, Code, Node, NodeId, Range};
use rustc_hash::FxHashMap;

use super::cells::{CellId, NOWHERE};
use super::closed_sites::closed_sites;
use super::ends::Ends;
use super::grown::{Grown, Part};
use super::instances::{self, Arena, Instance, cell_of};
use super::open_cells::OpenCells;
use super::program::ItemId;
use super::solver::{SiteId, Solver, State};
use super::values::{FlowObject, InstanceId, SHARED, ValueId};
use super::{seeding, uses};

/// A bit of the tokens of sites that an extension adds.
pub(super) const ADDED: u32 = 1 << 31;

/// The maximum number of cells that an extension adds; a larger one is solved anew.
const MAX_CELLS: u32 = 20_000;

/// An extension in the making.
pub(super) struct Extended {
    /// The bodies of the files that changed.
    bodies: FxHashMap<ItemId, Arc<Grown>>,
    /// The runs of the bodies that grew, with the cell of the first added node of each, in order of these.
    grown_runs: Vec<GrownRun>,
    /// Their numbers there.
    run_at: FxHashMap<InstanceId, usize>,
    /// Whether only the whole program says what is found.
    is_change: bool,
    /// Whether there are further runs.
    has_runs: bool,
    /// Whether what was added to bodies is read.
    is_reading: bool,
    /// The values that are lost at a cell now, and were not before.
    pub(super) lost: Vec<ValueId>,
    /// The cells that lack a value now.
    pub(super) cut: Vec<CellId>,
    /// The cells that lack a container now.
    pub(super) cut_containers: Vec<CellId>,
    /// The sites that were there before which run something else, too, once for each target.
    grown_sites: Vec<SiteId>,
    /// The same of calls.
    grown_calls: Vec<u32>,
    /// Where what is followed ended before, if it is found anew.
    ends: Option<Ends>,
    before: Lengths,
}

/// A run of a body that grew.
#[derive(Clone)]
struct GrownRun {
    instance: InstanceId,
    /// The cell of its first added node.
    first: CellId,
    body: Arc<Grown>,
}

/// How much was there before an extension.
struct Lengths {
    cells: CellId,
    sites: usize,
    instances: usize,
    contexts: usize,
    calls: usize,
    constraints: usize,
    narrowings: usize,
    values: usize,
    otherwise: usize,
}

impl Extended {
    /// Returns the cell of a node of the body of a run; `None` if the body is not of a file that changed, or the run is new.
    pub(super) fn cell(
        &self,
        instance: InstanceId,
        run: &Instance,
        node: NodeId,
    ) -> Option<CellId> {
        let grown = self.body(instance, run)?;
        Some(match grown.part(node) {
            Some(Part::Earlier(at)) if run.base + at < run.params => run.base + at,
            Some(Part::Added(at)) => match self.run_at.get(&instance) {
                Some(&number) => self.grown_runs[number].first + at,
                None => NOWHERE,
            },
            _ => NOWHERE,
        })
    }

    /// Returns the nodes of the body of a run with their cells; `None` as [`Extended::cell`].
    pub(super) fn nodes_of(
        &self,
        instance: InstanceId,
        run: &Instance,
    ) -> Option<Vec<(NodeId, CellId)>> {
        let grown = self.body(instance, run)?;
        let nodes = grown.nodes();
        let nodes = nodes.filter_map(|node| Some((node, self.cell(instance, run, node)?)));
        Some(nodes.filter(|&(_, cell)| cell != NOWHERE).collect())
    }

    /// Returns the run and node of a cell; `None` if it is that of no node of a file that changed.
    pub(super) fn node_of(
        &self,
        cell: CellId,
        instances: &[Instance],
    ) -> Option<(InstanceId, NodeId)> {
        let after = self.grown_runs.partition_point(|run| run.first <= cell);
        if let Some(at) = after.checked_sub(1) {
            let run = &self.grown_runs[at];
            let node = run.body.added.get((cell - run.first) as usize)?;
            return Some((run.instance, *node));
        }
        let after = instances.partition_point(|run| run.base <= cell);
        let instance = after.checked_sub(1)?;
        let run = &instances[instance];
        let grown = self.body(instance as InstanceId, run)?;
        Some((instance as InstanceId, grown.node_now(cell - run.base)?))
    }

    /// Returns the added nodes, each with its run and cell.
    pub(super) fn added_nodes(&self) -> impl Iterator<Item = (InstanceId, NodeId, CellId)> {
        self.grown_runs.iter().flat_map(|run| {
            let nodes = run.body.added.iter().zip(run.first..);
            nodes.map(move |(&node, cell)| (run.instance, node, cell))
        })
    }

    /// Returns the token of a site of an item, as it was before. What is added to a body has sites of its own, even if they were
    /// there before.
    pub(super) fn token(&self, item: ItemId, token: u32) -> u32 {
        match self.bodies.get(&item) {
            None => token,
            Some(_) if self.is_reading => token | ADDED,
            Some(grown) => grown.token_before(token).unwrap_or(token | ADDED),
        }
    }

    /// Notes that there is a further run.
    pub(super) fn note_run(&mut self) {
        self.has_runs = true;
    }

    /// Notes that a site and a call run a function, and for each whether that is new.
    pub(super) fn note_targets(&mut self, site: (SiteId, bool), call: (u32, bool)) {
        let (site, is_new) = site;
        if is_new && (site as usize) < self.before.sites {
            self.grown_sites.push(site);
        }
        let (call, is_new) = call;
        if is_new && (call as usize) < self.before.calls {
            self.grown_calls.push(call);
        }
    }

    /// Returns whether what is no cell and was there before has more than it had.
    fn has_grown(&self) -> bool {
        self.has_runs
            || !self.grown_sites.is_empty()
            || !self.grown_calls.is_empty()
            || [&self.cut, &self.cut_containers]
                .into_iter()
                .flatten()
                .any(|&cell| cell < self.before.cells)
    }

    fn body(&self, instance: InstanceId, run: &Instance) -> Option<&Grown> {
        let is_before = (instance as usize) < self.before.instances;
        let grown = self.bodies.get(&run.item).filter(|_| is_before)?;
        Some(grown)
    }
}

/// A set of what is done once, or again if an extension finds that it would be done earlier.
#[derive(Debug)]
pub(super) struct Once<K> {
    /// The round in which each was done.
    all: FxHashMap<K, u32>,
    /// What an extension did, and in which round.
    added: FxHashMap<K, u32>,
    is_extended: bool,
}

impl<K> Default for Once<K> {
    fn default() -> Once<K> {
        Once {
            all: FxHashMap::default(),
            added: FxHashMap::default(),
            is_extended: false,
        }
    }
}

impl<K: Eq + Hash> Once<K> {
    /// Returns whether something was not done yet, or only later, and is from now on; `now` is the round.
    pub(super) fn insert(&mut self, key: K, now: u32) -> bool {
        let done = match self.is_extended {
            true if self.all.get(&key).is_some_and(|&done| done <= now) => return false,
            true => &mut self.added,
            false => &mut self.all,
        };
        match done.entry(key) {
            Entry::Vacant(free) => {
                free.insert(now);
                true
            }
            Entry::Occupied(mut done) if self.is_extended && *done.get() > now => {
                done.insert(now);
                true
            }
            Entry::Occupied(_) => false,
        }
    }

    fn begin_extension(&mut self) {
        self.is_extended = true;
    }

    fn end_extension(&mut self) {
        self.added.clear();
        self.is_extended = false;
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

    /// Begins an extension by the bodies of the files that changed.
    pub(super) fn begin_extension(&mut self, bodies: FxHashMap<ItemId, Arc<Grown>>) {
        self.cells
            .begin_extension(self.constraints.len(), self.taking_otherwise.clone());
        self.bindings.begin_extension();
        self.special_runs.begin_extension();
        self.caught.begin_extension();
        self.spreads.begin_extension();
        self.consumed.begin_extension();
        self.instead.begin_extension();
        let mut extended = Extended {
            bodies,
            grown_runs: Vec::new(),
            run_at: FxHashMap::default(),
            is_change: false,
            has_runs: false,
            is_reading: false,
            lost: Vec::new(),
            cut: Vec::new(),
            cut_containers: Vec::new(),
            grown_sites: Vec::new(),
            grown_calls: Vec::new(),
            ends: None,
            before: Lengths {
                cells: self.cells.complete(),
                sites: self.sites.len(),
                instances: self.instances.len(),
                contexts: self.contexts.len(),
                calls: self.calls.len(),
                constraints: self.constraints.len(),
                narrowings: self.narrowings.len(),
                values: self.values.len(),
                otherwise: self.otherwise.len(),
            },
        };
        for (run, instance) in self.instances.iter().zip(0..) {
            if let Some(body) = extended.bodies.get(&run.item)
                && !body.is_same()
            {
                let count = self.separate.get(&run.item).copied().unwrap_or(0);
                extended.is_change |= !instances::may_be_separate(count, body.nodes().len() as u32);
                let first = self.cells.block(body.added.len() as u32);
                let body = body.clone();
                extended.run_at.insert(instance, extended.grown_runs.len());
                extended.grown_runs.push(GrownRun {
                    instance,
                    first,
                    body,
                });
            }
        }
        self.extended = Some(extended);
    }

    /// Returns whether only the whole program says what is found.
    pub(super) fn is_change(&self) -> bool {
        let Some(extended) = &self.extended else {
            return false;
        };
        extended.is_change
            || self.cells.added() > MAX_CELLS
            || self.cells.is_change()
            || self.otherwise.len() != extended.before.otherwise
    }

    fn set_reading(&mut self, is_reading: bool) {
        if let Some(extended) = &mut self.extended {
            extended.is_reading = is_reading;
        }
    }

    /// Notes that only the whole program says what is found.
    pub(super) fn give_up(&mut self) {
        if let Some(extended) = &mut self.extended {
            extended.is_change = true;
        }
    }

    /// Returns what the calls run that an extension adds.
    pub(super) fn added_targets(&self) -> impl Iterator<Item = ItemId> {
        let extended = self.extended.as_ref();
        let first = extended.map_or(0, |extended| extended.before.calls);
        self.call_targets[first..].iter().flatten().copied()
    }

    /// Ends the extension: the state is as it was before.
    pub(super) fn end_extension(&mut self) {
        let Some(extended) = self.extended.take() else {
            return;
        };
        let before = &extended.before;
        match extended.ends {
            Some(ends) => self.ends = ends,
            None => {
                let is_before = |site: SiteId| (site as usize) < before.sites;
                self.ends.closed.retain(|&site, _| is_before(site));
            }
        }
        for value in &extended.lost {
            self.lost.remove(value);
        }
        for cell in &extended.cut {
            self.cut.remove(cell);
        }
        for cell in &extended.cut_containers {
            self.cut_containers.remove(cell);
        }
        self.cells.end_extension();
        let complete = self.cells.count();
        self.lazy.retain(|&container, _| container < complete);
        self.bindings.end_extension();
        self.special_runs.end_extension();
        self.caught.end_extension();
        self.spreads.end_extension();
        self.consumed.end_extension();
        self.instead.end_extension();
        for &site in extended.grown_sites.iter().rev() {
            self.sites[site as usize].take_last();
        }
        for &call in extended.grown_calls.iter().rev() {
            self.call_targets[call as usize].pop();
        }
        for site in self.sites.drain(before.sites..) {
            self.site_of.remove(&(site.item, site.token));
        }
        let numbers = before.instances as InstanceId..;
        for (run, number) in self.instances.drain(before.instances..).zip(numbers) {
            self.instance_of
                .remove(&(run.item, run.made_in, run.context));
            if self.class_runs.get(&run.item) == Some(&number) {
                self.class_runs.remove(&run.item);
            }
            if run.context != SHARED
                && let Some(count) = self.separate.get_mut(&run.item)
            {
                *count -= 1;
            }
        }
        for context in self.contexts.drain(before.contexts..) {
            self.context_of.remove(&context);
        }
        self.calls.truncate(before.calls);
        self.call_targets.truncate(before.calls);
        self.constraints.truncate(before.constraints);
        self.narrowings.truncate(before.narrowings);
        self.values.truncate(before.values);
        self.otherwise.truncate(before.otherwise);
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

/// Solves what was added to bodies, in each of their runs, and finds where what is followed ends then; some names are those of
/// attributes now.
pub(super) fn extend(solver: &mut Solver<'_, '_>, names: &[NameId]) {
    add_named(solver, names);
    let runs = solver.extended.as_ref();
    let runs = runs.map_or_else(Vec::new, |extended| extended.grown_runs.clone());
    for run in &runs {
        solver.set_reading(true);
        read_added(solver, run);
        solver.set_reading(false);
        solver.settle();
        if solver.is_change() {
            return;
        }
    }
    for run in &runs {
        if !calls_longer(solver, run) {
            solver.give_up();
            return;
        }
    }
    close(solver);
}

/// Lets the strings flow that name something now.
fn add_named(solver: &mut Solver<'_, '_>, names: &[NameId]) {
    if names.is_empty() {
        return;
    }
    let program = solver.program;
    let is_one_of = |text: NameId| {
        let text = program.text(text);
        let mut names = names.iter();
        // A string is looked up in both cases, too.
        names.any(|&name| {
            let name = program.text(name);
            name == text || name == text.to_lowercase() || name == text.to_uppercase()
        })
    };
    let named = solver.unnamed.iter().filter(|one| is_one_of(one.name));
    for one in named.copied().collect::<Vec<_>>() {
        solver.cells.set_now(one.since);
        solver.add_text(one.at, one.name, one.written_in);
    }
    solver.settle();
}

/// Reads what was added to the body of a run.
fn read_added(solver: &mut Solver<'_, '_>, grown: &GrownRun) {
    let (instance, body) = (grown.instance, &grown.body);
    let run = solver.instances[instance as usize];
    let held = solver.program.file(run.item).held_bodies();
    let Some(bodies) = held.python() else {
        return;
    };
    let (_, number) = solver.program.at(run.item);
    let whole = bodies.bodies.get(number as usize);
    let decorators = whole.map_or_else(Vec::new, |whole| uses::decorators(bodies, whole));
    solver.cells.set_now(run.read_at);
    for &node in &body.added {
        instances::read_node(solver, instance, &bodies.code, Arena::Body, node);
    }
    for &at in &body.uses {
        if let Some(one) = bodies.uses.get(at as usize) {
            uses::read_use(solver, instance, &bodies.code, one, &decorators);
        }
    }
    for (nodes, to) in [(&body.results, run.result), (&body.yields, run.yielded)] {
        for &node in nodes {
            let from = cell_of(solver, instance, Arena::Body, node);
            solver.edge(from, to);
        }
    }
    for &node in &body.added {
        let (start, end) = (node, node + 1);
        seeding::seed(solver, instance, Range { start, end });
    }
}

/// Returns whether all calls of a run that have more arguments run functions of the workspace alone.
fn calls_longer(solver: &mut Solver<'_, '_>, grown: &GrownRun) -> bool {
    let item = solver.instances[grown.instance as usize].item;
    let held = solver.program.file(item).held_bodies();
    let Some(bodies) = held.python() else {
        return false;
    };
    let mut calls = grown.body.calls.iter();
    calls.all(|&node| calls_functions(solver, grown.instance, &bodies.code, node))
}

/// Finds where what is followed ends: of what the extension adds, if nothing else changes, and else of all.
fn close(solver: &mut Solver<'_, '_>) {
    let has_grown = solver.cells.has_grown()
        || solver
            .extended
            .as_ref()
            .is_some_and(|extended| extended.has_grown());
    let open = if has_grown {
        None
    } else {
        open_of_added(solver)
    };
    if let Some((open, to_others, false)) = &open {
        let closed = closed_sites(solver, open, to_others);
        solver.ends.closed.extend(closed);
        return;
    }
    solver.cells.be_whole();
    let ends = match open {
        Some((open, to_others, _)) => Ends::by(solver, open, to_others),
        None => Ends::of(solver),
    };
    let before = std::mem::replace(&mut solver.ends, ends);
    if let Some(extended) = &mut solver.extended {
        extended.ends = Some(before);
    }
}

/// Returns the open cells of an extension that changes no cell which was there before, and whether more is known of such a cell or
/// site now; `None` if one may be open no more.
fn open_of_added(solver: &Solver<'_, '_>) -> Option<(OpenCells, OpenCells, bool)> {
    let ends = &solver.ends;
    let (open, opens) = OpenCells::extended(solver, &ends.open)?;
    let (open_to_others, opens_to_others) = OpenCells::extended(solver, &ends.open_to_others)?;
    let has_grown = opens
        || opens_to_others
        || ends.look_ups.are_changed_by(solver)
        || ends.class_values.are_changed_by(solver);
    Some((open, open_to_others, has_grown))
}
