//! The state of a solution and the loop that grows it.

use std::rc::Rc;

use codeweft_db::{NameId, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::CallSite;
use super::cells::{CellId, CellKey, Cells, Filter, NOWHERE};
use super::constraints::{self, Constraint};
use super::fixtures::Fixtures;
use super::instances::{self, Instance};
use super::lazy::Work;
use super::models::Model;
use super::program::{ItemId, Program};
use super::values::{ContainerKind, FlowObject, InstanceId, ValueId, Values};

/// About how many cells there are for each node of a body.
const CELLS_A_NODE: usize = 4;

/// About how many constraints there are for each node of a body.
const CONSTRAINTS_A_NODE: usize = 4;

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
    known: FxHashMap<ItemId, usize>,
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

/// A solution in the making.
pub(super) struct Solver<'a, 'p> {
    /// The program.
    pub(super) program: &'p Program<'a>,
    /// The values.
    pub(super) values: Values,
    /// The cells.
    pub(super) cells: Cells,
    /// The runs of functions, class bodies and modules.
    pub(super) instances: Vec<Instance>,
    pub(super) instance_of: FxHashMap<(ItemId, InstanceId, u32), InstanceId>,
    /// Those whose bodies are not read yet.
    pub(super) unread: Vec<InstanceId>,
    /// How many runs a function has by its calls.
    pub(super) separate: FxHashMap<ItemId, u32>,
    constraints: Vec<Constraint>,
    /// The calls.
    pub(super) calls: Vec<Rc<CallSite>>,
    /// The sites.
    pub(super) sites: Vec<SiteTargets>,
    site_of: FxHashMap<(ItemId, u32), SiteId>,
    /// The tests of `isinstance`.
    pub(super) narrowings: Vec<Narrowing>,
    /// The models of libraries' functions that were looked up.
    pub(super) models: FxHashMap<SymbolId, Option<Model>>,
    /// The names of classes that are read through a receiver.
    pub(super) bindings: FxHashSet<(CellId, ValueId, CellId, SiteId)>,
    /// The special methods that are run.
    pub(super) special_runs: FxHashSet<(ValueId, NameId, CellId, SiteId, CellId)>,
    /// The tuples of classes that `except` clauses name.
    pub(super) caught: FxHashSet<(CellId, CellId)>,
    /// The `*x` and `**x` that runs take, each from a parameter on.
    pub(super) spreads: FxHashSet<(CellId, InstanceId, u32)>,
    /// What taking an element of a container does.
    pub(super) lazy: FxHashMap<CellId, Vec<Work>>,
    /// The containers of which elements are taken, each with the site.
    pub(super) consumed: FxHashSet<(CellId, SiteId)>,
    /// The setters that were looked up.
    pub(super) setters: FxHashMap<(ItemId, NameId), Option<ItemId>>,
    /// The run of the body of each class.
    pub(super) class_runs: FxHashMap<ItemId, InstanceId>,
    /// The fixtures of pytest.
    pub(super) fixtures: Rc<Fixtures>,
    /// What goes in and out of decorators of functions.
    pub(super) decorated: Vec<(CellId, CellId)>,
    names: FxHashMap<&'static str, NameId>,
}

impl<'a, 'p> Solver<'a, 'p> {
    /// Creates an empty solution.
    pub(super) fn new(program: &'p Program<'a>) -> Solver<'a, 'p> {
        let nodes = program.node_count();
        let mut solver = Solver {
            program,
            values: Values::default(),
            cells: Cells::with_capacity(CELLS_A_NODE * nodes),
            instances: Vec::new(),
            instance_of: FxHashMap::default(),
            unread: Vec::new(),
            separate: FxHashMap::default(),
            constraints: Vec::with_capacity(CONSTRAINTS_A_NODE * nodes),
            calls: Vec::new(),
            sites: Vec::new(),
            site_of: FxHashMap::default(),
            narrowings: Vec::new(),
            models: FxHashMap::default(),
            bindings: FxHashSet::default(),
            special_runs: FxHashSet::default(),
            caught: FxHashSet::default(),
            spreads: FxHashSet::default(),
            lazy: FxHashMap::default(),
            consumed: FxHashSet::default(),
            setters: FxHashMap::default(),
            class_runs: FxHashMap::default(),
            fixtures: Rc::new(Fixtures::of(program)),
            decorated: Vec::new(),
            names: FxHashMap::default(),
        };
        solver.cells.filter(Filter::All);
        solver
    }

    /// Solves the program.
    pub(super) fn solve(&mut self) {
        for file in 0..self.program.files.len() {
            let module = self.program.files[file].first;
            instances::ensure(self, module, instances::NO_INSTANCE, 0);
            self.settle();
        }
        // What a decorator of unknown kind returns is what it was given.
        for (from, to) in std::mem::take(&mut self.decorated) {
            if self.cells.len(to) == 0 {
                self.edge(from, to);
                self.settle();
            }
        }
    }

    fn settle(&mut self) {
        loop {
            while let Some(instance) = self.unread.pop() {
                instances::read(self, instance);
            }
            let Some((cell, new)) = self.cells.next() else {
                return;
            };
            self.program.db.unwind_if_cancelled();
            let mut at = 0;
            while let Some((to, filter)) = self.cells.next_of(cell, at) {
                for value in new.clone() {
                    self.pass(to, filter, self.cells.value(cell, value));
                }
                at += 1;
            }
            // Those that are added meanwhile meet the values as they are added.
            for at in 0..self.cells.constraint_count(cell) {
                let Some(number) = self.cells.constraint_of(cell, at) else {
                    break;
                };
                let constraint = self.constraints[number as usize].clone();
                for value in new.clone() {
                    constraints::meet(self, &constraint, self.cells.value(cell, value));
                }
            }
        }
    }

    fn pass(&mut self, to: CellId, filter: u16, value: ValueId) {
        let passes = match *self.cells.filter_of(filter) {
            Filter::All => true,
            Filter::Containers => matches!(
                self.values.get(value),
                FlowObject::Container { .. } | FlowObject::Generator(_)
            ),
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
            FlowObject::Instance(class) | FlowObject::Declared(class) => {
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
        let width = self.values.width(value);
        self.cells.add(cell, value, width);
    }

    /// Adds an object to a cell.
    pub(super) fn add(&mut self, cell: CellId, object: FlowObject) {
        if let Some(value) = self.values.number(object) {
            self.add_value(cell, value);
        }
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, from: CellId, to: CellId) {
        for at in 0..self.cells.edge(from, to, 0) {
            self.add_value(to, self.cells.value(from, at));
        }
    }

    /// Adds an edge that not all values pass.
    pub(super) fn edge_through(&mut self, from: CellId, to: CellId, filter: Filter) {
        let filter = self.cells.filter(filter);
        for at in 0..self.cells.edge(from, to, filter) {
            self.pass(to, filter, self.cells.value(from, at));
        }
    }

    /// Adds a constraint to a cell.
    pub(super) fn constrain(&mut self, cell: CellId, constraint: Constraint) {
        if cell == NOWHERE {
            return;
        }
        let number = self.constraints.len() as u32;
        self.constraints.push(constraint.clone());
        for at in 0..self.cells.constrain(cell, number) {
            constraints::meet(self, &constraint, self.cells.value(cell, at));
        }
    }

    /// Returns the cell of a key.
    pub(super) fn cell(&mut self, key: CellKey) -> CellId {
        self.cells.of(key)
    }

    /// Returns the site at a token of an item's body.
    pub(super) fn site(&mut self, item: ItemId, token: u32) -> SiteId {
        let sites = &mut self.sites;
        *self.site_of.entry((item, token)).or_insert_with(|| {
            sites.push(SiteTargets {
                item,
                token,
                ..SiteTargets::default()
            });
            sites.len() as SiteId - 1
        })
    }

    /// Records that a site runs a function or class; returns how many it ran before.
    pub(super) fn record(&mut self, site: SiteId, target: ItemId) -> usize {
        let Some(site) = self.sites.get_mut(site as usize) else {
            return 0;
        };
        let next = site.targets.len();
        let at = *site.known.entry(target).or_insert(next);
        if at == next {
            site.targets.push(target);
        }
        at
    }

    /// Returns whether a constant is written in the function of a site, or in its module. Names that come from elsewhere are
    /// those of any attribute: what is stored by them would be read by all.
    pub(super) fn is_written_near(&self, written_in: ItemId, site: SiteId) -> bool {
        let Some(site) = self.sites.get(site as usize) else {
            return false;
        };
        site.item == written_in || self.program.file(site.item).first == written_in
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
        let names = &mut self.names;
        *names.entry(text).or_insert_with(|| program.name(text))
    }
}
