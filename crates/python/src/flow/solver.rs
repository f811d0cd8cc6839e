//! The state of a solution and the loop that grows it.

use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use codeweft_db::{NameId, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::CallSite;
use super::cells::{Added, CellId, CellKey, Cells, Filter, NOWHERE, Width};
use super::constraints::{self, Constraint};
use super::contexts::Context;
use super::ends::Ends;
use super::extension::{Extended, Once};
use super::fixtures::Fixtures;
use super::instances::{self, Instance};
use super::lazy::Work;
use super::models::Model;
use super::order;
use super::program::{ItemId, Program};
use super::values::{ContainerKind, ContextId, FlowObject, InstanceId, SHARED, ValueId, Values};

/// About how many cells there are for each node of a body.
const CELLS_A_NODE: usize = 4;

/// About how many constraints there are for each node of a body.
const CONSTRAINTS_A_NODE: usize = 4;

/// A list of special methods by its number in [`State::method_lists`].
pub(super) type MethodsId = u16;

/// A call or an operation that runs functions, by number.
pub(super) type SiteId = u32;

/// No site: what runs is not recorded.
pub(super) const NO_SITE: SiteId = u32::MAX;

/// The number of functions that a site may run whose results are followed; it is a hub if it runs more.
pub(super) const HUB: usize = 32;

/// The targets of a site beyond this number get no arguments.
pub(super) const MAX_LINKED: usize = 128;

/// What a site may run.
#[derive(Default)]
pub(super) struct SiteTargets {
    /// The item whose body it is in.
    pub(super) item: ItemId,
    /// Its token in the body.
    pub(super) token: u32,
    /// In order of arrival.
    pub(super) targets: Vec<ItemId>,
    known: FxHashSet<ItemId>,
}

impl SiteTargets {
    /// Takes back the last target.
    pub(super) fn take_last(&mut self) {
        if let Some(target) = self.targets.pop() {
            self.known.remove(&target);
        }
    }
}

/// The classes of a test that a value has to pass.
pub(super) struct Narrowing {
    /// Those of the workspace.
    pub(super) classes: Vec<ItemId>,
    /// Whether there are others.
    pub(super) has_others: bool,
    /// Whether objects of the classes pass, or all others.
    pub(super) holds: bool,
}

/// A string that names no attribute, function or class, and so does not flow.
#[derive(Clone, Copy)]
pub(super) struct Unnamed {
    /// The string.
    pub(super) name: NameId,
    /// The item that it is written in.
    pub(super) written_in: ItemId,
    /// Where it would be.
    pub(super) at: CellId,
    /// Since which round.
    pub(super) since: u32,
}

/// What was found of a program: it refers to its items by number alone, so it can be kept when the program's borrow of
/// the database ends.
#[derive(Default)]
pub(super) struct State {
    /// The values.
    pub(super) values: Values,
    /// The cells.
    pub(super) cells: Cells,
    /// The runs of functions, class bodies and modules.
    pub(super) instances: Vec<Instance>,
    pub(super) instance_of: FxHashMap<(ItemId, InstanceId, ContextId), InstanceId>,
    /// The contexts; number 0 is none.
    pub(super) contexts: Vec<Context>,
    pub(super) context_of: FxHashMap<Context, ContextId>,
    /// Those whose bodies are not read yet.
    pub(super) unread: Vec<InstanceId>,
    /// How many runs a function has by contexts.
    pub(super) separate: FxHashMap<ItemId, u32>,
    pub(super) constraints: Vec<Constraint>,
    /// The special methods that operators run, each list once.
    pub(super) method_lists: Vec<[&'static str; 3]>,
    /// The calls.
    pub(super) calls: Vec<Arc<CallSite>>,
    /// What each call runs, by its number, in order of arrival.
    pub(super) call_targets: Vec<Vec<ItemId>>,
    /// The sites.
    pub(super) sites: Vec<SiteTargets>,
    pub(super) site_of: FxHashMap<(ItemId, u32), SiteId>,
    /// The tests of `isinstance`.
    pub(super) narrowings: Vec<Narrowing>,
    /// The models of libraries' functions that were looked up.
    pub(super) models: FxHashMap<SymbolId, Option<Model>>,
    /// The names of classes that are read through a receiver.
    pub(super) bindings: Once<(CellId, ValueId, CellId, SiteId)>,
    /// The special methods that are run.
    pub(super) special_runs: Once<(ValueId, NameId, CellId, SiteId, CellId)>,
    /// The tuples of classes that `except` clauses name.
    pub(super) caught: Once<(CellId, CellId)>,
    /// The `*x` and `**x` that runs take, each from a parameter on.
    pub(super) spreads: Once<(CellId, InstanceId, u32)>,
    /// What taking an element of a container does.
    pub(super) lazy: FxHashMap<CellId, Vec<Work>>,
    /// The cells whose functions a call runs instead of another one, each with the call.
    pub(super) instead: Once<(CellId, u32)>,
    /// The containers of which elements are taken, each with the site.
    pub(super) consumed: Once<(CellId, SiteId)>,
    /// The run of the body of each class.
    pub(super) class_runs: FxHashMap<ItemId, InstanceId>,
    /// The fixtures of pytest.
    pub(super) fixtures: Arc<Fixtures>,
    /// What cells take if nothing else comes to them: the cell that it comes from, and the cell.
    pub(super) otherwise: Vec<(CellId, CellId)>,
    /// The cells to which nothing else came.
    pub(super) taking_otherwise: FxHashSet<CellId>,
    /// Where what is followed ends.
    pub(super) ends: Ends,
    /// The cells that lack a value which is nested too deep.
    pub(super) cut: FxHashSet<CellId>,
    /// The cells that lack a container, or a method of one, that came to them.
    pub(super) cut_containers: FxHashSet<CellId>,
    /// The strings that name nothing, with what would have been added where, and in which round.
    pub(super) unnamed: Vec<Unnamed>,
    /// The values that were lost at a cell.
    pub(super) lost: FxHashSet<ValueId>,
    /// The calls that do not run all that they would.
    pub(super) lost_calls: FxHashSet<u32>,
    names: FxHashMap<&'static str, NameId>,
    /// The extension in the making.
    pub(super) extended: Option<Extended>,
}

/// A solution in the making: the program, and what was found so far.
pub(super) struct Solver<'a, 'p> {
    /// The program.
    pub(super) program: &'p Program<'a>,
    state: State,
}

impl Deref for Solver<'_, '_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Solver<'_, '_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl<'a, 'p> Solver<'a, 'p> {
    /// Creates an empty solution.
    pub(super) fn new(program: &'p Program<'a>) -> Solver<'a, 'p> {
        let nodes = program.node_count();
        let mut state = State {
            cells: Cells::with_capacity(CELLS_A_NODE * nodes, nodes),
            constraints: Vec::with_capacity(CONSTRAINTS_A_NODE * nodes),
            fixtures: Arc::new(Fixtures::of(program)),
            contexts: vec![Context {
                site: NO_SITE,
                within: instances::NO_INSTANCE,
                is_object: false,
            }],
            ..State::default()
        };
        state.cells.filter(Filter::All);
        Solver { program, state }
    }

    /// Solves the program.
    pub(super) fn solve(&mut self) {
        for file in (0..self.program.files.len()).rev() {
            let module = self.program.module(file as u32);
            instances::ensure(self, module, instances::NO_INSTANCE, SHARED);
        }
        self.settle();
        for (from, to) in std::mem::take(&mut self.otherwise) {
            if self.cells.len(to) == 0 {
                self.taking_otherwise.insert(to);
                self.edge(from, to);
                self.settle();
            }
        }
        self.state.ends = Ends::of(self);
    }

    /// Goes on with what was found of a program.
    pub(super) fn of_state(program: &'p Program<'a>, state: State) -> Solver<'a, 'p> {
        Solver { program, state }
    }

    /// Returns what was found.
    pub(super) fn into_state(self) -> State {
        self.state
    }

    /// Hands all values on.
    pub(super) fn settle(&mut self) {
        loop {
            while let Some(instance) = self.unread.pop() {
                instances::read(self, instance);
            }
            for cell in self.cells.take_crowded() {
                let new = order::sorted(self, self.cells.new_values(cell));
                self.cells.keep_first(cell, &new);
                if self.cells.new_values(cell).len() < new.len() {
                    let kept: FxHashSet<ValueId> =
                        self.cells.new_values(cell).iter().copied().collect();
                    for &(value, _) in new.iter().filter(|(value, _)| !kept.contains(value)) {
                        self.lose(cell, value);
                    }
                }
            }
            let constraints = self.constraints.len();
            let Some(round) = self.cells.begin_round(constraints) else {
                match self.cells.take_earlier() {
                    Some((cell, at)) if !self.is_change() => self.hand_on(cell, at..at + 1, 0),
                    _ => return,
                }
                continue;
            };
            while let Some((cell, new)) = self.cells.next() {
                if self.extended.is_none() {
                    self.program.db.unwind_if_cancelled();
                } else if self.is_change() {
                    return;
                }
                self.hand_on(cell, new, round);
            }
        }
    }

    /// Hands on the values of a cell that came in the round before.
    fn hand_on(&mut self, cell: CellId, new: Range<u32>, round: u32) {
        let mut at = 0;
        while let Some(edge) = self.cells.edge_of(cell, at) {
            let since = round.max(u32::from(edge.made));
            for value in new.clone() {
                let value = self.cells.take(cell, value, since);
                self.pass(edge.to, edge.filter, value);
            }
            at += 1;
        }
        // Those that are added meanwhile meet the values as they are added.
        for at in 0..self.cells.constraint_count(cell) {
            let Some(number) = self.cells.constraint_of(cell, at) else {
                break;
            };
            let constraint = self.constraints[number as usize].clone();
            let since = match self.extended {
                Some(_) => self.cells.round_of(number),
                None => round,
            };
            for value in new.clone() {
                let value = self.cells.take(cell, value, since);
                constraints::meet(self, &constraint, value);
            }
        }
        self.cells.set_now(round);
    }

    fn pass(&mut self, to: CellId, filter: u16, value: ValueId) {
        let passes = match *self.cells.filter_of(filter) {
            Filter::All => true,
            Filter::Containers => matches!(
                self.values.get(value),
                FlowObject::Container { .. } | FlowObject::Generator(_)
            ),
            Filter::NoClasses => !matches!(self.values.get(value), FlowObject::Class(_)),
            Filter::Narrow(number) => self.is_narrowed(number, value),
        };
        if passes {
            self.add_value(to, value);
        }
    }

    /// Returns whether a value passes a test of `isinstance`.
    fn is_narrowed(&self, number: u32, value: ValueId) -> bool {
        let rule = &self.narrowings[number as usize];
        match self.values.get(value) {
            FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                let mro = self.program.mro(class);
                let is_one = rule.classes.iter().any(|class| mro.contains(class));
                let is_other = rule.has_others
                    && self
                        .program
                        .class(class)
                        .is_some_and(|facts| !facts.library.is_empty());
                if rule.holds {
                    is_one || is_other
                } else {
                    !is_one
                }
            }
            FlowObject::Function { .. } | FlowObject::Bound { .. } | FlowObject::Class(_) => {
                !rule.holds || rule.has_others
            }
            FlowObject::Container { .. } | FlowObject::Text { .. } | FlowObject::Generator(_) => {
                !rule.holds || rule.has_others
            }
            _ => true,
        }
    }

    /// Adds a value to a cell.
    pub(super) fn add_value(&mut self, cell: CellId, value: ValueId) {
        let State { cells, values, .. } = &mut self.state;
        match cells.add(cell, value, values) {
            Added::Held => return,
            Added::Lost => {}
            Added::Tied => {
                let width = self.values.width(value);
                let kept = self.cells.values_of_now(cell);
                let mut tied: Vec<ValueId> = kept
                    .filter(|&kept| self.values.width(kept) == width)
                    .collect();
                tied.push(value);
                if order::sorted(self, &tied).last().map(|&(last, _)| last) != Some(value) {
                    self.give_up();
                }
            }
        }
        self.lose(cell, value);
    }

    /// Notes that a cell lacks a value that came to it. A method that it has, bound to another object, is none: its runs
    /// take any object of the class.
    fn lose(&mut self, cell: CellId, value: ValueId) {
        let is_of_library = matches!(self.values.get(value), FlowObject::Method { .. })
            || self.values.width(value) == Width::Containers;
        if is_of_library {
            if self.cut_containers.insert(cell)
                && let Some(extended) = &mut self.extended
            {
                extended.cut_containers.push(cell);
            }
            self.note_lost(value);
            return;
        }
        if self.cut.contains(&cell) && self.lost.contains(&value) {
            return;
        }
        let method = |value| match self.values.get(value) {
            FlowObject::Bound { function, .. } => Some(function),
            _ => None,
        };
        let lost = method(value);
        let mut known = self.cells.values(cell).iter();
        if lost.is_none() || !known.any(|&known| method(known) == lost) {
            self.note_lost(value);
            self.cut(cell);
        }
    }

    /// Notes that a value, or what one is made of that is nested too deep, is not where it would be.
    pub(super) fn lose_value(&mut self, object: FlowObject) {
        match (self.values.number(object), object) {
            (Some(value), _) => self.note_lost(value),
            (None, FlowObject::Bound { function, receiver }) => {
                self.note_lost(function);
                self.note_lost(receiver);
            }
            (
                None,
                FlowObject::Wrapped { inner: value, .. }
                | FlowObject::Instead { inner: value }
                | FlowObject::Namespace { of: value }
                | FlowObject::Super {
                    receiver: value, ..
                }
                | FlowObject::Method {
                    receiver: value, ..
                },
            ) => self.note_lost(value),
            (None, _) => {}
        }
    }

    /// Notes that a call does not run all that it would.
    pub(super) fn lose_call(&mut self, call: &CallSite) {
        self.cut(call.result);
        if call.number == u32::MAX {
            return;
        }
        match self.extended {
            Some(_) => self.give_up(),
            None => {
                self.lost_calls.insert(call.number);
            }
        }
    }

    fn note_lost(&mut self, value: ValueId) {
        let object = self.values.get(value);
        let is_text = matches!(
            object,
            FlowObject::Text { .. } | FlowObject::TextStart { .. }
        );
        if is_text || !self.lost.insert(value) {
            return;
        }
        if let Some(extended) = &mut self.extended {
            extended.lost.push(value);
        }
    }

    /// Adds an object to a cell.
    pub(super) fn add(&mut self, cell: CellId, object: FlowObject) {
        match self.values.number(object) {
            Some(value) => self.add_value(cell, value),
            None => {
                self.lose_value(object);
                self.cut(cell);
            }
        }
    }

    /// Adds a constant string to a cell, if it may be looked up.
    pub(super) fn add_text(&mut self, cell: CellId, name: NameId, written_in: ItemId) {
        if self.program.may_be_looked_up(name) {
            self.add(cell, FlowObject::Text { name, written_in });
        } else if self.extended.is_none() && cell != NOWHERE {
            let since = self.cells.now();
            self.unnamed.push(Unnamed {
                name,
                written_in,
                at: cell,
                since,
            });
        }
    }

    /// Notes that a cell lacks a value that came to it.
    pub(super) fn cut(&mut self, cell: CellId) {
        if self.cut.insert(cell)
            && let Some(extended) = &mut self.extended
        {
            extended.cut.push(cell);
        }
    }

    /// Returns the rules of all cells, each with its cell; in an extension those that it adds.
    pub(super) fn rules(&self) -> impl Iterator<Item = (CellId, u32)> {
        let cells = self.cells.complete()..self.cells.count();
        let own = cells.flat_map(|cell| {
            let rules = self.cells.constraints(cell).iter();
            rules.map(move |&number| (cell, number))
        });
        let is_whole = self.cells.is_whole();
        let added = self.cells.constraints_of_complete().iter().copied();
        own.chain(added.filter(move |_| !is_whole))
    }

    /// Returns the cells that an attribute of what a cell has is read to. The use of an attribute has a rule of its own, which takes
    /// no result.
    pub(super) fn loaded(&self, cell: CellId, name: NameId) -> impl Iterator<Item = CellId> {
        let rules = self.cells.constraints(cell).iter();
        rules.filter_map(move |&number| match self.constraints[number as usize] {
            Constraint::Load { name: read, to, .. } if read == name => Some(to),
            _ => None,
        })
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, from: CellId, to: CellId) {
        let now = self.cells.now();
        for at in 0..self.cells.edge(from, to, 0) {
            let value = self.cells.take(from, at, now);
            self.add_value(to, value);
        }
        self.cells.set_now(now);
    }

    /// Adds an edge that not all values pass.
    pub(super) fn edge_through(&mut self, from: CellId, to: CellId, filter: Filter) {
        let filter = self.cells.filter(filter);
        let now = self.cells.now();
        for at in 0..self.cells.edge(from, to, filter) {
            let value = self.cells.take(from, at, now);
            self.pass(to, filter, value);
        }
        self.cells.set_now(now);
    }

    /// Returns the number of a list of special methods.
    pub(super) fn methods(&mut self, methods: [&'static str; 3]) -> MethodsId {
        let known = self.method_lists.iter().position(|known| *known == methods);
        let number = known.unwrap_or_else(|| {
            self.method_lists.push(methods);
            self.method_lists.len() - 1
        });
        number as MethodsId
    }

    /// Adds a constraint to a cell.
    pub(super) fn constrain(&mut self, cell: CellId, constraint: Constraint) {
        if cell == NOWHERE {
            return;
        }
        let number = self.constraints.len() as u32;
        self.constraints.push(constraint.clone());
        let now = self.cells.now();
        for at in 0..self.cells.constrain(cell, number) {
            let value = self.cells.take(cell, at, now);
            constraints::meet(self, &constraint, value);
        }
        self.cells.set_now(now);
    }

    /// Returns the cell of a key.
    pub(super) fn cell(&mut self, key: CellKey) -> CellId {
        self.cells.of(key)
    }

    /// Returns the site at a token of an item's body.
    pub(super) fn site(&mut self, item: ItemId, token: u32) -> SiteId {
        let token = match &self.extended {
            Some(extended) => extended.token(item, token),
            None => token,
        };
        let State { sites, site_of, .. } = &mut self.state;
        *site_of.entry((item, token)).or_insert_with(|| {
            sites.push(SiteTargets {
                item,
                token,
                ..SiteTargets::default()
            });
            sites.len() as SiteId - 1
        })
    }

    /// Records that a site runs a function or class; returns how many it ran before.
    pub(super) fn record(&mut self, number: SiteId, call: u32, target: ItemId) -> usize {
        let State {
            sites,
            call_targets,
            extended,
            ..
        } = &mut self.state;
        let Some(site) = sites.get_mut(number as usize) else {
            return 0;
        };
        let is_new = site.known.insert(target);
        if is_new {
            site.targets.push(target);
        }
        // Each run of a function has a call of its own: a wrapper that is made for each of many functions is no hub.
        let own = call_targets.get_mut(call as usize);
        let (at, is_new_of_call) = match own {
            Some(own) => match own.iter().position(|&known| known == target) {
                Some(at) => (at, false),
                None => {
                    own.push(target);
                    (own.len() - 1, true)
                }
            },
            None => (site.targets.len() - 1, false),
        };
        if let Some(extended) = extended {
            extended.note_targets((number, is_new), (call, is_new_of_call));
            if at >= HUB {
                // Which of a hub's targets come first is known of the whole program only.
                self.give_up();
            }
        }
        at
    }

    /// Returns whether a constant is written in the function of a site, or in its module. Names that come from elsewhere are
    /// those of any attribute: what is stored by them would be read by all.
    pub(super) fn is_written_near(&self, written_in: ItemId, site: SiteId) -> bool {
        let Some(site) = self.sites.get(site as usize) else {
            return false;
        };
        site.item == written_in || self.program.declared(site.item).first == written_in
    }

    /// Adds a container that a cell makes; returns its identity.
    pub(super) fn container(&mut self, cell: CellId, kind: ContainerKind) -> CellId {
        self.add(cell, FlowObject::Container { site: cell, kind });
        cell
    }

    /// Adds a container that a call makes; returns its identity. A result that is not read has a container, too.
    pub(super) fn container_at(&mut self, cell: CellId, kind: ContainerKind) -> CellId {
        if cell == NOWHERE {
            return self.cells.block(1);
        }
        self.container(cell, kind)
    }

    /// Adds a tuple among the elements of a cell; returns its identity.
    pub(super) fn container_in(&mut self, cell: CellId) -> CellId {
        let site = self.beside(cell, 5);
        let kind = ContainerKind::Sequence;
        self.add(cell, FlowObject::Container { site, kind });
        site
    }

    /// Returns a cell beside another one.
    pub(super) fn beside(&mut self, cell: CellId, number: u32) -> CellId {
        self.cell(CellKey::Beside(cell, number))
    }

    /// Returns the number of a special method's name.
    pub(super) fn name(&mut self, text: &'static str) -> NameId {
        let program = self.program;
        let names = &mut self.state.names;
        *names.entry(text).or_insert_with(|| program.name(text))
    }
}
