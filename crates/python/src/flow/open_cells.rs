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
//! A call is closed if no cell of its callee is open; what the solution has there is all that it runs.

use codeweft_db::{NameId, SymbolId};
use codeweft_python_syntax::{NONE, Node, ParamKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{Argument, CallForm};
use super::cells::{CellId, CellKey, NOWHERE};
use super::constraints::Constraint;
use super::models::Model;
use super::program::ItemId;
use super::solver::{HUB, MAX_LINKED, NO_SITE, SiteId, Solver};
use super::special::is_special;
use super::values::{FlowObject, InstanceId, ValueId, Wrapper};
use crate::infer::ImportTarget;

/// A set of numbers, a bit for each.
#[derive(Clone, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    fn of_len(len: usize) -> Bits {
        Bits {
            words: vec![0; len.div_ceil(64)],
        }
    }

    /// Returns whether a number is in the set.
    pub(super) fn has(&self, number: u32) -> bool {
        let word = self.words.get(number as usize / 64);
        word.is_some_and(|word| word & 1 << (number % 64) != 0)
    }

    /// Adds a number; returns whether it is new.
    fn insert(&mut self, number: u32) -> bool {
        let Some(word) = self.words.get_mut(number as usize / 64) else {
            return false;
        };
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// The special methods that are looked for.
const SPECIAL: &[&str] = &[
    "__aenter__",
    "__aiter__",
    "__anext__",
    "__call__",
    "__enter__",
    "__getattr__",
    "__getattribute__",
    "__getitem__",
    "__iter__",
    "__next__",
];

/// What is known of the callee of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Callee {
    /// Nothing comes there.
    None,
    /// One function or class.
    One(ItemId),
    /// Several, or what is neither.
    Several,
}

/// A call that the text writes, as far as its callee is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClosedCall {
    /// All that it runs.
    pub(super) callee: Callee,
    /// Whether the callee is a parameter, which code outside of the workspace may pass something else to.
    pub(super) is_parameter: bool,
}

/// The closed calls of a solution, by site.
pub(super) type ClosedCalls = FxHashMap<SiteId, ClosedCall>;

/// Returns the closed calls of a solution.
pub(super) fn closed_calls(solver: &Solver<'_, '_>) -> ClosedCalls {
    if solver.cells.is_exhausted() {
        return ClosedCalls::default();
    }
    let mut search = Search::new(solver);
    search.begin();
    search.spread_all();
    search.closed_calls()
}

struct Search<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    open: Bits,
    /// The nodes of which inference knows all values.
    declared: Bits,
    pending: Vec<CellId>,
    /// The runs of each function.
    runs: FxHashMap<ItemId, Vec<InstanceId>>,
    escaped: FxHashSet<ValueId>,
    /// The containers whose elements are open.
    containers: FxHashSet<CellId>,
    /// The names of special methods by text.
    names: FxHashMap<&'static str, NameId>,
}

impl<'s, 'a, 'p> Search<'s, 'a, 'p> {
    fn new(solver: &'s Solver<'a, 'p>) -> Search<'s, 'a, 'p> {
        let count = solver.cells.count() as usize;
        let mut runs: FxHashMap<ItemId, Vec<InstanceId>> = FxHashMap::default();
        for (run, number) in solver.instances.iter().zip(0..) {
            runs.entry(run.item).or_default().push(number);
        }
        Search {
            solver,
            open: Bits::of_len(count),
            declared: Bits::of_len(count),
            pending: Vec::new(),
            runs,
            escaped: FxHashSet::default(),
            containers: FxHashSet::default(),
            names: SPECIAL
                .iter()
                .map(|&name| (name, solver.program.name(name)))
                .collect(),
        }
    }

    fn open(&mut self, cell: CellId) {
        if cell != NOWHERE && !self.declared.has(cell) && self.open.insert(cell) {
            self.pending.push(cell);
        }
    }

    /// Opens what nothing is known of.
    fn begin(&mut self) {
        self.declare();
        self.parameters();
        for number in 0..self.solver.instances.len() as InstanceId {
            self.nodes(number);
        }
        for cell in 0..self.solver.cells.count() {
            if self.solver.cells.is_full(cell) || self.solver.cut.contains(&cell) {
                self.open(cell);
            }
            for at in 0..self.solver.cells.constraint_count(cell) {
                if let Some(number) = self.solver.cells.constraint_of(cell, at) {
                    self.unknown_result(cell, number);
                }
            }
        }
    }

    /// Notes the nodes of which inference knows all values.
    fn declare(&mut self) {
        for run in &self.solver.instances {
            let seeds = &self.solver.program.file(run.item).seeds;
            for at in 0..run.params - run.base {
                if seeds.knows(run.first_node + at) {
                    self.declared.insert(run.base + at);
                }
            }
        }
    }

    /// Opens the parameters that nothing is passed to.
    fn parameters(&mut self) {
        let solver = self.solver;
        let mut passed = Bits::of_len(solver.cells.count() as usize);
        for cell in 0..solver.cells.count() {
            if matches!(solver.cells.key_of(cell), Some(CellKey::ItemNode(..))) {
                // The default of a parameter.
                continue;
            }
            for &(to, _) in solver.cells.ends(cell) {
                passed.insert(to);
            }
        }
        let mut called: FxHashSet<ItemId> = FxHashSet::default();
        called.extend(solver.call_targets.iter().flatten());
        for run in &solver.instances {
            for (param, cell) in solver.program.params(run.item).iter().zip(run.params..) {
                match param.kind {
                    ParamKind::Star | ParamKind::DoubleStar if called.contains(&run.item) => {}
                    ParamKind::Star | ParamKind::DoubleStar => self.open_container(cell),
                    _ if passed.has(cell) || solver.cells.len(cell) > 0 => {}
                    _ => self.open(cell),
                }
            }
        }
    }

    /// Opens the nodes of a run of which nothing is known by what they are.
    fn nodes(&mut self, number: InstanceId) {
        let solver = self.solver;
        let run = solver.instances[number as usize];
        let held = solver.program.file(run.item).bodies();
        let Some(bodies) = held else { return };
        let (file, _) = solver.program.at(run.item);
        for cell in run.base..run.params {
            if self.declared.has(cell) {
                continue;
            }
            let node = run.first_node + (cell - run.base);
            let is_empty = solver.cells.len(cell) == 0;
            let is_unknown = match bodies.code.nodes.get(node as usize) {
                Some(Node::Opaque | Node::MatchPosition { .. }) => true,
                Some(&Node::Global(name)) => {
                    let source = solver.program.global(file, name);
                    let module = solver.program.module(source);
                    is_empty && !solver.program.binds(module, name)
                }
                Some(&Node::Import { import, which }) if is_empty => {
                    match solver.program.import(file, import, which) {
                        Some(ImportTarget::Name(module, name)) => {
                            let of = solver.program.file_of_module(module);
                            of.is_none_or(|of| {
                                let source = solver.program.global(of, name);
                                !solver.program.binds(solver.program.module(source), name)
                            })
                        }
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
    }

    /// Opens all elements of a container.
    fn open_container(&mut self, site: CellId) {
        let solver = self.solver;
        let mut pending = vec![site];
        while let Some(site) = pending.pop() {
            if !self.containers.insert(site) {
                continue;
            }
            for &key in solver.cells.keys_of(site) {
                if let Some(cell) = solver.cells.known(CellKey::Element(site, key)) {
                    self.open(cell);
                }
            }
            for &reader in solver.cells.readers_of(site) {
                self.open(reader);
            }
            pending.extend(solver.cells.copies_of(site));
        }
    }

    /// Opens what a rule gives of the values of a cell, if that is not followed.
    fn unknown_result(&mut self, cell: CellId, number: u32) {
        let solver = self.solver;
        let constraint = &solver.constraints[number as usize];
        if let Constraint::NamedLoad { to, .. } = *constraint {
            let is_text = |&value: &ValueId| {
                matches!(
                    solver.values.get(value),
                    FlowObject::Text { .. } | FlowObject::TextStart { .. }
                )
            };
            if !solver.cells.values(cell).iter().any(is_text) {
                self.open(to);
            }
        }
        if let Constraint::Call { call } = *constraint {
            let targets = &solver.call_targets[call as usize];
            if targets.len() > HUB {
                self.open(solver.calls[call as usize].result);
            }
            for &target in targets.iter().skip(MAX_LINKED) {
                self.open_parameters(target, 0);
            }
        }
        for &value in solver.cells.values(cell) {
            if self.is_unknown(constraint, value) {
                self.open_results(constraint);
                if let Constraint::Call { call } = *constraint {
                    self.escape_arguments(call);
                }
            }
        }
    }

    /// Opens what a rule gives.
    fn open_results(&mut self, constraint: &Constraint) {
        match *constraint {
            Constraint::Load { to, .. }
            | Constraint::LoadBound { to, .. }
            | Constraint::LoadStart { to, .. }
            | Constraint::Instead { to }
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
            | Constraint::NamedLoad { to, .. }
            | Constraint::FixtureNamed { to, .. }
            | Constraint::ClassOf { to }
            | Constraint::New { to, .. }
            | Constraint::Wrap { to, .. }
            | Constraint::Pairs { to } => self.open(to),
            Constraint::Call { call } | Constraint::Construct { call, .. } => {
                self.open(self.solver.calls[call as usize].result);
            }
            Constraint::CopyInto { site } => self.open_container(site),
            Constraint::TakeAll { .. } => {}
            Constraint::Extend { of } | Constraint::Reorder { of } => {
                for &value in self.solver.cells.values(of) {
                    if let FlowObject::Container { site, .. } = self.solver.values.get(value) {
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
                let cell = self.solver.cells.known(CellKey::Registered(function));
                self.open(cell.unwrap_or(NOWHERE));
            }
            Constraint::Store { .. }
            | Constraint::StoreUnbound { .. }
            | Constraint::StoreThrough { .. }
            | Constraint::StoreElement { .. }
            | Constraint::NamedStore { .. }
            | Constraint::Raise { .. }
            | Constraint::Truth { .. } => {}
        }
    }

    /// Opens the parameters of a run from one on, or those that have names.
    fn open_run(&mut self, instance: InstanceId, from: u32, by_name: bool) {
        let run = self.solver.instances[instance as usize];
        let params = self.solver.program.params(run.item);
        for (param, at) in params.iter().zip(0..) {
            let is_taken = match param.kind {
                ParamKind::PositionalOnly => !by_name && at >= from,
                ParamKind::Normal => by_name || at >= from,
                ParamKind::KeywordOnly => by_name,
                ParamKind::Star | ParamKind::DoubleStar => {
                    if by_name == (param.kind == ParamKind::DoubleStar) {
                        self.open_container(run.params + at);
                    }
                    false
                }
            };
            if is_taken {
                self.open(run.params + at);
            }
        }
    }

    /// Opens the parameters of all runs of a function from one on.
    fn open_parameters(&mut self, function: ItemId, from: u32) {
        for run in self.runs.get(&function).cloned().unwrap_or_default() {
            self.open_run(run, from, false);
            self.open_run(run, from, true);
        }
    }

    /// Opens the parameters of the functions that a call passes on to what is not followed.
    fn escape_arguments(&mut self, call: u32) {
        let call = self.solver.calls[call as usize].clone();
        let positional = call.positional.iter().filter_map(|one| match *one {
            Argument::One(cell) => Some(cell),
            Argument::Spread(_) => None,
        });
        let keywords = call.keywords.iter().map(|&(_, cell)| cell);
        for cell in positional.chain(keywords) {
            if cell != NOWHERE {
                for &value in self.solver.cells.values(cell) {
                    self.escape(value);
                }
            }
        }
    }

    fn escape(&mut self, value: ValueId) {
        if !self.escaped.insert(value) {
            return;
        }
        match self.solver.values.get(value) {
            FlowObject::Function { item, .. } => self.open_parameters(item, 0),
            FlowObject::Bound { function, .. } => {
                if let FlowObject::Function { item, .. } = self.solver.values.get(function) {
                    self.open_parameters(item, 1);
                }
            }
            FlowObject::Wrapped { inner, .. } | FlowObject::Instead { inner } => self.escape(inner),
            _ => {}
        }
    }

    /// Hands openness on.
    fn spread_all(&mut self) {
        let solver = self.solver;
        while let Some(cell) = self.pending.pop() {
            for &(to, _) in solver.cells.ends(cell) {
                self.open(to);
            }
            for at in 0..solver.cells.constraint_count(cell) {
                let Some(number) = solver.cells.constraint_of(cell, at) else {
                    continue;
                };
                let constraint = &solver.constraints[number as usize];
                self.open_results(constraint);
                if let Constraint::Call { call } = *constraint {
                    self.escape_arguments(call);
                }
            }
        }
    }

    /// Returns whether a rule gives something of a value that is not followed.
    fn is_unknown(&self, constraint: &Constraint, value: ValueId) -> bool {
        let object = self.solver.values.get(value);
        match *constraint {
            Constraint::Load { name, to, .. } => to != NOWHERE && !self.has_attribute(value, name),
            Constraint::NamedLoad { site, .. } => match object {
                FlowObject::Text { written_in, .. } | FlowObject::TextStart { written_in, .. } => {
                    !self.solver.is_written_near(written_in, site)
                }
                _ => false,
            },
            Constraint::Call { call } => self.is_unknown_call(call, object),
            Constraint::Construct { .. } => !matches!(
                object,
                FlowObject::Function { .. } | FlowObject::Wrapped { .. }
            ),
            Constraint::Element { to, .. } => {
                to != NOWHERE
                    && match object {
                        FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                            !self.has_method(class, &["__getitem__"]) && !self.is_container(class)
                        }
                        FlowObject::Class(_)
                        | FlowObject::Container { .. }
                        | FlowObject::Text { .. }
                        | FlowObject::TextStart { .. } => false,
                        _ => true,
                    }
            }
            Constraint::Iterate { .. }
            | Constraint::Next { .. }
            | Constraint::Elements { .. }
            | Constraint::Unpack { .. }
            | Constraint::Pairs { .. } => self.is_unknown_iterable(object),
            Constraint::CopyInto { .. } => {
                matches!(object, FlowObject::Library(_) | FlowObject::Method { .. })
            }
            Constraint::Enter { .. } => match object {
                FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                    !self.has_method(class, &["__enter__", "__aenter__"])
                }
                FlowObject::Context(_) | FlowObject::Container { .. } => false,
                _ => true,
            },
            Constraint::Await { to, .. } => {
                to != NOWHERE && !matches!(object, FlowObject::Coroutine(_))
            }
            Constraint::Delegate { .. } => !matches!(
                object,
                FlowObject::Generator(_) | FlowObject::Coroutine(_) | FlowObject::Container { .. }
            ),
            Constraint::Special { to, .. } => {
                to != NOWHERE
                    && match object {
                        FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                            self.has_library_base(class)
                        }
                        FlowObject::Library(_) | FlowObject::Method { .. } => true,
                        _ => false,
                    }
            }
            Constraint::Spread { .. } => {
                !matches!(object, FlowObject::Container { .. }) && self.is_unknown_iterable(object)
            }
            Constraint::SpreadKeywords { .. } => !matches!(object, FlowObject::Container { .. }),
            Constraint::New { .. } => !matches!(object, FlowObject::Class(_)),
            _ => false,
        }
    }

    fn is_unknown_iterable(&self, object: FlowObject) -> bool {
        match object {
            FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                let names = [
                    "__iter__",
                    "__aiter__",
                    "__next__",
                    "__anext__",
                    "__getitem__",
                ];
                !self.has_method(class, &names) && !self.is_container(class)
            }
            FlowObject::Container { .. }
            | FlowObject::Generator(_)
            | FlowObject::Class(_)
            | FlowObject::Text { .. }
            | FlowObject::TextStart { .. } => false,
            _ => true,
        }
    }

    /// Returns whether nothing is known of what a call of a value gives.
    fn is_unknown_call(&self, call: u32, object: FlowObject) -> bool {
        match object {
            FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                !self.has_method(class, &["__call__"]) && self.has_library_base(class)
            }
            FlowObject::Library(symbol) => self.is_unknown_function(call, symbol),
            FlowObject::Method { receiver, .. } => matches!(
                self.solver.values.get(receiver),
                FlowObject::Library(_) | FlowObject::Method { .. }
            ),
            _ => false,
        }
    }

    fn is_unknown_function(&self, call: u32, symbol: SymbolId) -> bool {
        let call = &self.solver.calls[call as usize];
        match self.solver.models.get(&symbol) {
            Some(Some(Model::Calls(_))) => true,
            Some(Some(Model::TypeOf)) => call.positional.len() != 1,
            Some(Some(_)) => false,
            _ => true,
        }
    }

    fn is_container(&self, class: ItemId) -> bool {
        let facts = self.solver.program.class(class);
        facts.is_some_and(|facts| facts.is_container)
    }

    /// Returns whether a class has a base that the workspace does not declare, other than `object`.
    fn has_library_base(&self, class: ItemId) -> bool {
        let facts = self.solver.program.class(class);
        facts.is_none_or(|facts| facts.is_below_library)
    }

    /// Returns whether a class or one below it binds one of some names.
    fn has_method(&self, class: ItemId, names: &[&'static str]) -> bool {
        let program = self.solver.program;
        let binds = |class: ItemId| {
            let mut names = names.iter();
            names.any(|name| {
                let name = self.names.get(name);
                name.is_some_and(|&name| program.binding_class(program.mro(class), name).is_some())
            })
        };
        binds(class) || program.subclasses(class).iter().any(|&below| binds(below))
    }

    /// Returns whether the attribute of a value is one that is followed.
    fn has_attribute(&self, value: ValueId, name: NameId) -> bool {
        let program = self.solver.program;
        let text = program.text(name);
        match self.solver.values.get(value) {
            FlowObject::Instance(class, _) => self.is_member(program.mro(class), class, name),
            FlowObject::Declared(class) => {
                let below = program.subclasses(class).iter();
                self.is_member(program.mro(class), class, name)
                    || below.clone().any(|&of| self.is_member(&[of], of, name))
            }
            FlowObject::Class(class) => {
                let meta = program.class(class).and_then(|facts| facts.metaclass);
                self.is_member(program.mro(class), class, name)
                    || meta.is_some_and(|meta| self.is_member(program.mro(meta), meta, name))
            }
            FlowObject::Super { class, receiver } => match self.solver.values.get(receiver) {
                FlowObject::Instance(of, _) | FlowObject::Class(of) => {
                    let order = program.mro(of);
                    let after = order.iter().position(|&one| one == class);
                    let rest = after.map_or(&[][..], |at| &order[at + 1..]);
                    program.binding_class(rest, name).is_some()
                }
                _ => false,
            },
            FlowObject::Module(file) => {
                let source = program.global(file, name);
                let global = self.solver.cells.known(CellKey::Global(source, name));
                program.binds(program.module(source), name)
                    || global.is_some_and(|cell| self.solver.cells.len(cell) > 0)
                    || is_special(text)
            }
            FlowObject::Function { item, made_in } => {
                let cell = CellKey::OfFunction(item, made_in, name);
                let cell = self.solver.cells.known(cell);
                is_special(text) || cell.is_some_and(|cell| self.solver.cells.len(cell) > 0)
            }
            FlowObject::Bound { function, .. } => self.has_attribute(function, name),
            FlowObject::Library(_) | FlowObject::Method { .. } | FlowObject::Partial(_) => {
                is_special(text)
            }
            _ => true,
        }
    }

    /// Returns whether a class of an order binds or stores a name, or something was stored.
    fn is_member(&self, order: &[ItemId], class: ItemId, name: NameId) -> bool {
        let program = self.solver.program;
        let text = program.text(name);
        if text == "__class__" || program.binding_class(order, name).is_some() {
            return true;
        }
        if text != "__dict__" && is_special(text) && !self.has_library_base(class) {
            return true;
        }
        let mut hooks = ["__getattr__", "__getattribute__"].iter();
        let has_hook = hooks.any(|hook| {
            let hook = self.names.get(hook);
            hook.is_some_and(|&hook| program.binding_class(order, hook).is_some())
        });
        let is_stored = |&of: &ItemId| {
            let (_, number) = program.at(of);
            let mut stores = program.declared(of).items().stores.iter();
            stores.any(|store| store.class == number && store.name == name && store.value != NONE)
        };
        let holds = |&of: &ItemId| {
            let cell = CellKey::Attribute(of, name, super::values::SHARED);
            let cell = self.solver.cells.known(cell);
            cell.is_some_and(|cell| self.solver.cells.len(cell) > 0)
        };
        has_hook || order.iter().any(is_stored) || order.iter().any(holds)
    }

    /// Returns the calls that are closed.
    fn closed_calls(&self) -> ClosedCalls {
        let solver = self.solver;
        let mut found: FxHashMap<SiteId, Option<ClosedCall>> = FxHashMap::default();
        for cell in 0..solver.cells.count() {
            for at in 0..solver.cells.constraint_count(cell) {
                let Some(number) = solver.cells.constraint_of(cell, at) else {
                    continue;
                };
                let Constraint::Call { call } = solver.constraints[number as usize] else {
                    continue;
                };
                let call = &solver.calls[call as usize];
                if call.site == NO_SITE || call.form == CallForm::Implicit || call.is_made() {
                    continue;
                }
                let callee = self.callee(cell);
                let here = (!self.open.has(cell)).then_some(ClosedCall {
                    callee,
                    is_parameter: call.form == CallForm::OfParameter,
                });
                let known = found.entry(call.site).or_insert(here);
                *known = match (*known, here) {
                    (Some(known), Some(here)) => Some(ClosedCall {
                        callee: join(known.callee, here.callee),
                        is_parameter: known.is_parameter || here.is_parameter,
                    }),
                    _ => None,
                };
            }
        }
        let closed = found.into_iter();
        let closed = closed.filter_map(|(site, closed)| Some((site, closed?)));
        closed
            .filter(|(_, closed)| closed.callee != Callee::None)
            .collect()
    }

    /// Returns what the values of a cell call.
    fn callee(&self, cell: CellId) -> Callee {
        let mut found = Callee::None;
        for &value in self.solver.cells.values(cell) {
            found = join(found, self.called(value));
        }
        found
    }

    fn called(&self, value: ValueId) -> Callee {
        match self.solver.values.get(value) {
            FlowObject::Function { item, .. } | FlowObject::Class(item) => Callee::One(item),
            FlowObject::Bound { function, .. } => self.called(function),
            FlowObject::Wrapped {
                by: Wrapper::ContextManager | Wrapper::StaticMethod,
                inner,
            } => self.called(inner),
            FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                if self.has_method(class, &["__call__"]) || self.has_library_base(class) {
                    Callee::Several
                } else {
                    Callee::None
                }
            }
            FlowObject::Module(_)
            | FlowObject::Container { .. }
            | FlowObject::Generator(_)
            | FlowObject::Coroutine(_)
            | FlowObject::Context(_)
            | FlowObject::Super { .. }
            | FlowObject::Text { .. }
            | FlowObject::TextStart { .. }
            | FlowObject::Request(_) => Callee::None,
            _ => Callee::Several,
        }
    }
}

fn join(one: Callee, other: Callee) -> Callee {
    match (one, other) {
        (Callee::None, known) | (known, Callee::None) => known,
        (one, other) if one == other => one,
        _ => Callee::Several,
    }
}
