//! The cells that may hold values which the solution does not have: what it does not follow, and what that reaches.
//!
//! Nothing is known of what a function of a library returns that has neither a model nor a declared type, of an attribute that
//! no class of the workspace has, of a parameter that nothing is passed to, and of what a bounded set left away. From there
//! openness flows as values do, along the edges and rules of the solution. It ends at a node whose type is declared: there
//! inference knows all that comes.
//!
//! ```python
//! job = make_job()        # of a library, without annotations: open
//! job.run()               # so what runs is not known
//! path: Path = job        # declared: not open
//! ```
//!
//! An extension of a kept solution finds which of its own cells are open, and that no other cell is that was not.

use codeweft_python_syntax::{ItemKind, Node, NodeId, ParamKind};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::attributes;
use super::body_cells::body_nodes;
use super::cells::{CellId, CellKey, NOWHERE};
use super::constraints::Constraint;
use super::escaped::{Escaped, Escaping};
use super::followed::{Followed, UnknownStores};
use super::program::ItemId;
use super::seeds::Known;
use super::sinks;
use super::solver::{HUB, MAX_LINKED, Solver};
use super::values::{FlowObject, InstanceId, ValueId};
use crate::infer::ImportTarget;
use crate::symbols::is_public;

/// The open cells of a solution.
#[derive(Clone, Default)]
pub(super) struct OpenCells {
    open: FixedBitSet,
    /// The cells that may hold containers, or methods of these, which the solution does not have there, and nothing else.
    lacking: FixedBitSet,
    /// The nodes of which inference knows all values.
    declared: FixedBitSet,
    /// Those nodes that are open since their values, as inference knows, are of libraries and do not flow.
    of_libraries: FixedBitSet,
    /// The containers whose elements are open.
    containers: FxHashSet<CellId>,
    /// The functions of which parameters are open, from which on.
    called_with_anything: FxHashSet<(ItemId, u32)>,
    /// What leaves to code that is not followed.
    escaped: Escaped,
    /// The parameters that nothing is passed to.
    unpassed: FxHashSet<CellId>,
    called: FxHashSet<ItemId>,
    stores: UnknownStores,
}

impl OpenCells {
    /// Finds the open cells of a solution, and those that are open if code outside of the workspace calls its public functions,
    /// with arguments of its own.
    pub(super) fn of(solver: &Solver<'_, '_>) -> (OpenCells, OpenCells) {
        let cells = OpenCells {
            stores: UnknownStores::of(solver),
            ..OpenCells::default()
        };
        let mut search = Search::new(solver, cells);
        for number in 0..solver.instances.len() as InstanceId {
            for (node, cell) in body_nodes(solver, number) {
                search.declare(number, node, cell);
            }
        }
        search.parameters();
        for number in 0..solver.instances.len() as InstanceId {
            for (node, cell) in body_nodes(solver, number) {
                search.node(number, node, cell);
            }
        }
        for (cell, number) in solver.rules() {
            search.unknown_result(cell, number);
        }
        search.lacking(0);
        for &value in &solver.lost {
            search.escaping.value(value);
        }
        for &call in &solver.lost_calls {
            search.escaping.arguments(call);
        }
        search.escaping.objects_of_libraries();
        search.escaping.work_of_iterators();
        search.escaping.run_by_test_runners();
        search.hand_on();
        let open = search.found();
        search.escaping.count_others();
        for run in &solver.instances {
            if is_called_from_outside(solver, run.item) {
                for cell in run.params..run.result {
                    search.open(cell);
                }
                search.escaping.cell(run.result);
                search.escaping.cell(run.yielded);
            }
        }
        search.hand_on();
        (open, search.found())
    }

    /// Finds the open cells of an extension by which no cell that was there before has other values, and whether it opens such a cell
    /// or lets something leave; `None` if it may close one.
    pub(super) fn extended(solver: &Solver<'_, '_>, kept: &OpenCells) -> Option<(OpenCells, bool)> {
        let mut search = Search::new(solver, kept.clone());
        search.extend();
        search.hand_on();
        let may_close = search.may_close || search.escaping.is_change || search.closes_parameter();
        let has_grown = search.has_grown || search.escaping.has_grown;
        (!may_close).then(|| (search.found(), has_grown))
    }

    /// Returns the stores of attributes that are not followed.
    pub(super) fn unknown_stores(&self) -> &UnknownStores {
        &self.stores
    }

    /// Returns what leaves to code that is not followed.
    pub(super) fn escaped(&self) -> &Escaped {
        &self.escaped
    }

    /// Returns whether a cell may hold values that the solution does not have.
    pub(super) fn has(&self, cell: CellId) -> bool {
        self.open.contains(cell as usize)
    }
}

struct Search<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    followed: Followed<'s, 'a, 'p>,
    cells: OpenCells,
    pending: Vec<CellId>,
    pending_lacking: Vec<CellId>,
    escaping: Escaping<'s, 'a, 'p>,
    /// Whether a cell that was there before an extension is open now.
    has_grown: bool,
    /// Whether one may be open no more.
    may_close: bool,
}

impl<'s, 'a, 'p> Search<'s, 'a, 'p> {
    fn new(solver: &'s Solver<'a, 'p>, mut cells: OpenCells) -> Search<'s, 'a, 'p> {
        let count = solver.cells.count() as usize;
        cells.open.grow(count);
        cells.lacking.grow(count);
        cells.declared.grow(count);
        cells.of_libraries.grow(count);
        let escaped = std::mem::take(&mut cells.escaped);
        Search {
            solver,
            followed: Followed::of(solver, cells.stores.clone()),
            cells,
            pending: Vec::new(),
            pending_lacking: Vec::new(),
            escaping: Escaping::new(solver, escaped),
            has_grown: false,
            may_close: false,
        }
    }

    /// Returns what was found so far.
    fn found(&self) -> OpenCells {
        OpenCells {
            escaped: self.escaping.escaped.clone(),
            ..self.cells.clone()
        }
    }

    fn open(&mut self, cell: CellId) {
        if cell != NOWHERE
            && !self.cells.declared.contains(cell as usize)
            && !self.cells.open.put(cell as usize)
        {
            self.has_grown |= cell < self.solver.cells.complete();
            self.pending.push(cell);
        }
    }

    /// Notes that a cell may lack containers: then what their elements are is not known.
    fn lack(&mut self, cell: CellId) {
        if cell != NOWHERE && !self.cells.lacking.put(cell as usize) {
            self.has_grown |= cell < self.solver.cells.complete();
            self.pending_lacking.push(cell);
        }
    }

    /// Notes that inference knows all values of a node, or opens it if some do not flow.
    fn declare(&mut self, instance: InstanceId, node: NodeId, cell: CellId) {
        let item = self.solver.instances[instance as usize].item;
        match self.solver.program.file(item).seeds.knows(node) {
            Known::Not => {}
            known @ (Known::OfLibrary | Known::WithLibrary) if !self.has_library_object(cell) => {
                if known == Known::OfLibrary {
                    self.cells.of_libraries.insert(cell as usize);
                }
                self.open(cell);
            }
            Known::All | Known::OfLibrary | Known::WithLibrary => {
                self.cells.declared.insert(cell as usize);
            }
        }
    }

    /// Returns whether an object of a library flows to a cell.
    fn has_library_object(&self, cell: CellId) -> bool {
        let mut values = self.solver.cells.values(cell).iter();
        values.any(|&value| {
            matches!(
                self.solver.values.get(value),
                FlowObject::Container { .. }
                    | FlowObject::Generator(_)
                    | FlowObject::Coroutine(_)
                    | FlowObject::Context(_)
                    | FlowObject::Library(_)
                    | FlowObject::Method { .. }
                    | FlowObject::Partial(_)
                    | FlowObject::Wrapped { .. }
                    | FlowObject::Identity
            )
        })
    }

    /// Opens the parameters that nothing is passed to.
    fn parameters(&mut self) {
        let solver = self.solver;
        let mut passed = FixedBitSet::with_capacity(solver.cells.count() as usize);
        for cell in 0..solver.cells.count() {
            // A node of the items is the default of a parameter.
            if !matches!(solver.cells.key_of(cell), Some(CellKey::ItemNode(..))) {
                for to in solver.cells.ends(cell) {
                    passed.insert(to as usize);
                }
            }
        }
        let called = solver.call_targets.iter().flatten();
        self.cells.called.extend(called);
        let is_passed = |cell: CellId| passed.contains(cell as usize) || solver.cells.len(cell) > 0;
        // The run of a function that is followed apart for each call or object has no caller itself.
        let mut passed_apart: FxHashSet<(ItemId, CellId)> = FxHashSet::default();
        for run in solver.instances.iter().filter(|run| run.is_separate()) {
            let cells = run.params..run.result;
            let cells = cells.filter(|&cell| is_passed(cell));
            passed_apart.extend(cells.map(|cell| (run.item, cell - run.params)));
        }
        for run in &solver.instances {
            for (param, cell) in solver.program.params(run.item).iter().zip(run.params..) {
                match param.kind {
                    ParamKind::Star | ParamKind::DoubleStar => {
                        if !self.cells.called.contains(&run.item) {
                            self.open_container(cell);
                        }
                    }
                    _ if is_passed(cell) => {}
                    _ if passed_apart.contains(&(run.item, cell - run.params)) => {}
                    _ => {
                        self.cells.unpassed.insert(cell);
                        self.open(cell);
                    }
                }
            }
        }
    }

    /// Opens a node of a run of which nothing is known by what it is.
    fn node(&mut self, instance: InstanceId, node: NodeId, cell: CellId) {
        if self.cells.declared.contains(cell as usize) {
            return;
        }
        let program = self.solver.program;
        let run = self.solver.instances[instance as usize];
        let Some(bodies) = program.file(run.item).bodies() else {
            return;
        };
        let (file, _) = program.at(run.item);
        let is_bound = |file: u32, name| {
            let module = program.module(program.global(file, name));
            program.binds(module, name)
        };
        let is_empty = self.solver.cells.len(cell) == 0;
        let is_unknown = match bodies.code.nodes.get(node as usize) {
            Some(Node::Opaque | Node::MatchPosition { .. }) => true,
            Some(&Node::Global(name)) => is_empty && !is_bound(file, name),
            Some(&Node::Import { import, which }) if is_empty => {
                match program.import(file, import, which) {
                    Some(ImportTarget::Name(module, name)) => program
                        .file_of_module(module)
                        .is_none_or(|file| !is_bound(file, name)),
                    Some(ImportTarget::Symbol(_)) => false,
                    None => true,
                }
            }
            _ => false,
        };
        if is_unknown {
            self.open(cell);
        }
    }

    /// Opens the cells from one on whose sets lack what came to them.
    fn lacking(&mut self, first: CellId) {
        for cell in first..self.solver.cells.count() {
            if self.solver.cut.contains(&cell) {
                self.open(cell);
            }
            if self.solver.cut_containers.contains(&cell) {
                self.lack(cell);
            }
        }
    }

    /// Opens what an extension opens.
    fn extend(&mut self) {
        let solver = self.solver;
        let complete = solver.cells.complete();
        let Some(extended) = &solver.extended else {
            return;
        };
        for (instance, node, cell) in extended.added_nodes() {
            self.declare(instance, node, cell);
        }
        for (instance, node, cell) in extended.added_nodes() {
            self.node(instance, node, cell);
        }
        for (cell, number) in solver.rules() {
            self.unknown_result(cell, number);
            if self.cells.open.contains(cell as usize) {
                self.open_results(cell, number);
            }
            if self.cells.lacking.contains(cell as usize) {
                self.lack_results(cell, number);
            }
        }
        self.lacking(complete);
        for &(from, to) in solver.cells.edges_of_complete() {
            if self.cells.open.contains(from as usize) {
                self.open(to);
            }
            if self.cells.lacking.contains(from as usize) {
                self.lack(to);
            }
        }
        for &(container, to) in solver.cells.reads_of_complete() {
            if self.cells.containers.contains(&container) {
                self.open(to);
            }
        }
        for &(container, copy) in solver.cells.copies_of_complete() {
            if self.cells.containers.contains(&container) {
                self.open_container(copy);
            }
        }
        for cell in complete..solver.cells.count() {
            if let Some(CellKey::Element(container, _)) = solver.cells.key_of(cell)
                && self.cells.containers.contains(&container)
            {
                self.open(cell);
            }
        }
        // Of a parameter that takes one argument the edge is found.
        let calls_first = |item: ItemId| {
            let mut params = solver.program.params(item).iter();
            let takes_rest = |kind| matches!(kind, ParamKind::Star | ParamKind::DoubleStar);
            !self.cells.called.contains(&item) && params.any(|param| takes_rest(param.kind))
        };
        self.may_close |= solver.added_targets().any(calls_first)
            || !self.cells.stores.has_all(&UnknownStores::of(solver));
        for &value in &extended.lost {
            self.escaping.value(value);
        }
        self.escaping.extend();
    }

    /// Returns whether an extension passes something known to a parameter that is open since nothing was passed to it.
    fn closes_parameter(&self) -> bool {
        let mut edges = self.solver.cells.added_edges().iter();
        edges.any(|&(from, to)| {
            self.cells.unpassed.contains(&to) && !self.cells.open.contains(from as usize)
        })
    }

    /// Opens all elements of a container.
    fn open_container(&mut self, container: CellId) {
        let solver = self.solver;
        let mut pending = vec![container];
        while let Some(container) = pending.pop() {
            if !self.cells.containers.insert(container) {
                continue;
            }
            self.has_grown |= container < solver.cells.complete();
            for &key in solver.cells.keys_of(container) {
                if let Some(cell) = solver.cells.known(CellKey::Element(container, key)) {
                    self.open(cell);
                }
            }
            for &reader in solver.cells.readers_of(container) {
                self.open(reader);
            }
            pending.extend(solver.cells.copies_of(container));
        }
    }

    /// Opens what a rule gives of the values of a cell, if that is not followed.
    fn unknown_result(&mut self, cell: CellId, number: u32) {
        let solver = self.solver;
        let constraint = &solver.constraints[number as usize];
        let values = solver.cells.values(cell);
        let mut is_unknown = values
            .iter()
            .any(|&value| self.followed.is_unknown(constraint, value));
        match *constraint {
            Constraint::Load { name, to, .. } if to != NOWHERE => {
                let mut values = values.iter();
                if values.any(|&value| self.followed.may_be_stored_over(value, name)) {
                    self.open(to);
                }
            }
            Constraint::NamedLoad { .. } => {
                let is_text = |&value: &ValueId| {
                    let object = solver.values.get(value);
                    matches!(
                        object,
                        FlowObject::Text { .. } | FlowObject::TextStart { .. }
                    )
                };
                is_unknown |= !values.iter().any(is_text);
            }
            Constraint::Call { call } => {
                let targets = &solver.call_targets[call as usize];
                let mut values = values.iter();
                if targets.len() > HUB || values.any(|&value| self.followed.returns_unknown(value))
                {
                    self.open(solver.calls[call as usize].result);
                }
                for &target in targets.iter().skip(HUB) {
                    self.escaping.results_of(target);
                }
                for &target in targets.iter().skip(MAX_LINKED) {
                    self.open_parameters(target, 0);
                }
                if targets.len() > MAX_LINKED {
                    self.escaping.arguments(call);
                }
            }
            _ => {}
        }
        sinks::of_rule(&mut self.escaping, solver, cell, number);
        if is_unknown {
            self.open_results(cell, number);
        }
    }

    /// Opens what a rule of a cell gives, and what it passes on.
    fn open_results(&mut self, cell: CellId, number: u32) {
        let solver = self.solver;
        match solver.constraints[number as usize] {
            Constraint::Load { name, to, .. } | Constraint::LoadBound { name, to, .. } => {
                self.open(to);
                if self.cells.of_libraries.contains(cell as usize) {
                    self.escaping.named_of_library(name);
                } else {
                    self.escaping.named(name);
                }
            }
            Constraint::LoadStart { start, to, .. } => {
                self.open(to);
                self.escaping.names_with(start);
            }
            Constraint::Instead { to }
            | Constraint::Bind { to, .. }
            | Constraint::Element { to, .. }
            | Constraint::Iterate { to, .. }
            | Constraint::Next { to, .. }
            | Constraint::Elements { to }
            | Constraint::Unpack { to, .. }
            | Constraint::Enter { to, .. }
            | Constraint::Await { to, .. }
            | Constraint::Delegate { to }
            | Constraint::Special { to, .. }
            | Constraint::Super { to, .. }
            | Constraint::Caught { to }
            | Constraint::FixtureNamed { to, .. }
            | Constraint::ClassOf { to, .. }
            | Constraint::New { to, .. }
            | Constraint::Wrap { to, .. }
            | Constraint::Pairs { to } => self.open(to),
            Constraint::NamedLoad { to, object, .. } => {
                self.open(to);
                sinks::of_names(&mut self.escaping, solver, object);
            }
            Constraint::Construct { call, .. } => {
                self.open(solver.calls[call as usize].result);
            }
            Constraint::Call { call } if !solver.calls[call as usize].keeps => {
                let call_site = &solver.calls[call as usize];
                if !call_site.registers.is_some_and(|registers| registers.keeps) {
                    self.open(call_site.result);
                }
                self.escaping.arguments(call);
            }
            Constraint::CopyInto { site } => self.open_container(site),
            Constraint::Extend { of } | Constraint::Reorder { of } => {
                for &value in solver.cells.values(of) {
                    if let FlowObject::Container { site, .. } = solver.values.get(value) {
                        self.open_container(site);
                    }
                }
            }
            Constraint::Spread { instance, from } => self.open_run(instance, from, false),
            Constraint::SpreadKeywords { instance } => self.open_run(instance, 0, true),
            Constraint::Rows { ref rows } | Constraint::Row { ref rows } => {
                for &to in rows.cells() {
                    self.open(to);
                }
            }
            Constraint::Register { function } => {
                let cell = solver.cells.known(CellKey::Registered(function));
                self.open(cell.unwrap_or(NOWHERE));
            }
            Constraint::Store { from, .. }
            | Constraint::StoreUnbound { from, .. }
            | Constraint::StoreStart { from, .. }
            | Constraint::NamedStore { from, .. } => self.escaping.cell(from),
            Constraint::StoreElement { index, from, .. } => {
                self.escaping.cell(index);
                self.escaping.cell(from);
            }
            Constraint::StoreThrough { .. }
            | Constraint::TakeAll { .. }
            | Constraint::Call { .. }
            | Constraint::Raise { .. }
            | Constraint::Truth { .. } => {}
        }
    }

    /// Opens what a rule takes out of containers.
    fn lack_results(&mut self, cell: CellId, number: u32) {
        match self.solver.constraints[number as usize] {
            Constraint::Element { .. }
            | Constraint::Iterate { .. }
            | Constraint::Next { .. }
            | Constraint::Elements { .. }
            | Constraint::Unpack { .. }
            | Constraint::Enter { .. }
            | Constraint::Await { .. }
            | Constraint::Delegate { .. }
            | Constraint::Pairs { .. }
            | Constraint::CopyInto { .. }
            | Constraint::Extend { .. }
            | Constraint::Reorder { .. }
            | Constraint::Spread { .. }
            | Constraint::SpreadKeywords { .. }
            | Constraint::Rows { .. }
            | Constraint::Row { .. } => self.open_results(cell, number),
            Constraint::Load { name, to, .. }
                if attributes::is_of_containers(self.solver.program.text(name)) =>
            {
                self.open(to);
            }
            Constraint::Special { to, .. } | Constraint::Bind { to, .. } => self.lack(to),
            Constraint::Call { call } => self.open(self.solver.calls[call as usize].result),
            _ => {}
        }
    }

    /// Opens the parameters of a run from one on, or those that have names.
    fn open_run(&mut self, instance: InstanceId, from: u32, by_name: bool) {
        let run = self.solver.instances[instance as usize];
        let params = self.solver.program.params(run.item);
        for (param, at) in params.iter().zip(0..) {
            let cell = run.params + at;
            match param.kind {
                ParamKind::PositionalOnly if !by_name && at >= from => self.open(cell),
                ParamKind::Normal if by_name || at >= from => self.open(cell),
                ParamKind::KeywordOnly if by_name => self.open(cell),
                ParamKind::Star if !by_name => self.open_container(cell),
                ParamKind::DoubleStar if by_name => self.open_container(cell),
                _ => {}
            }
        }
    }

    /// Opens the parameters of all runs of a function from one on.
    fn open_parameters(&mut self, function: ItemId, from: u32) {
        if !self.cells.called_with_anything.insert((function, from)) {
            return;
        }
        for run in self.escaping.runs_of(function).to_vec() {
            self.open_run(run, from, false);
            self.open_run(run, from, true);
        }
    }

    /// Hands openness on.
    fn hand_on(&mut self) {
        let solver = self.solver;
        loop {
            if let Some(cell) = self.pending.pop() {
                for to in solver.cells.ends(cell) {
                    self.open(to);
                }
                for &number in solver.cells.constraints(cell) {
                    self.open_results(cell, number);
                }
            } else if let Some(cell) = self.pending_lacking.pop() {
                for to in solver.cells.ends(cell) {
                    self.lack(to);
                }
                for &number in solver.cells.constraints(cell) {
                    self.lack_results(cell, number);
                }
            } else {
                for (function, from) in self.escaping.hand_on() {
                    self.open_parameters(function, from);
                }
                if self.pending.is_empty() {
                    return;
                }
            }
        }
    }
}

/// Returns whether code outside of the workspace may call a function.
pub(super) fn is_called_from_outside(solver: &Solver<'_, '_>, function: ItemId) -> bool {
    let program = solver.program;
    if program.declarations.entries.contains(&function) {
        return true;
    }
    let mut at = Some(function);
    while let Some(item) = at {
        let is_named = is_public(program.text(program.item(item).name));
        let is_scope = item == function || program.item(item).kind == ItemKind::Class;
        match program.item(item).kind {
            ItemKind::Module => break,
            ItemKind::Lambda => return false,
            _ if !is_scope || !is_named => return false,
            _ => at = program.parent(item),
        }
    }
    !program.is_in_tests(function)
}
