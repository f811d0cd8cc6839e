//! What is known of the look-ups of attributes, and of imports, by names that are values: which names they have, and whose
//! attributes they read.
//!
//! ```python
//! def _same(stream, name):
//!     return getattr(stream, name)        # only `encoding` and `errors`: all that call `_same` are seen
//! _same(out, "encoding") and _same(out, "errors")
//! for name, value in vars(settings): ...  # only the names of this module
//! importlib.import_module(name)           # only what the workspace calls it with, and what code outside may
//! ```

use std::sync::Arc;

use codeweft_db::{NameId, SymbolId};
use codeweft_python_syntax::{Constant, Node, NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::body_cells::{body_cell, is_parameter, node_of};
use super::called_values::{CalledValues, Part};
use super::calls::Argument;
use super::cells::{CellId, CellKey, Key, NOWHERE};
use super::constraints::Constraint;
use super::open_cells::OpenCells;
use super::program::ItemId;
use super::solver::{NO_SITE, SiteId, Solver};
use super::values::FlowObject;

/// How many calls or variables a name may come through.
const MAX_STEPS: usize = 3;

/// The functions that import a module by a name.
const IMPORTING: [&str; 2] = ["builtins.__import__", "importlib.import_module"];

/// What is known of a look-up, or an import, by a name that is a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct KnownLookUp {
    /// Whether a function that it reads may be called.
    pub(crate) calls_functions: bool,
    /// Whether a class that it reads may be.
    pub(crate) calls_classes: bool,
    /// The classes and modules whose attributes are read, sorted.
    pub(crate) holders: Arc<[SymbolId]>,
    /// The functions and classes that flow has there in each run, sorted: from there they are followed like values
    /// that the text names.
    pub(crate) followed: Arc<[SymbolId]>,
    /// What else it may read, if code outside of the workspace calls its public functions.
    by_any: ReadBeside,
    /// What else it may read, as the workspace itself calls it: that alone reaches the tests.
    by_workspace: ReadBeside,
}

/// Nothing is known.
impl Default for KnownLookUp {
    fn default() -> KnownLookUp {
        KnownLookUp {
            calls_functions: true,
            calls_classes: true,
            holders: Arc::default(),
            followed: Arc::default(),
            by_any: ReadBeside::default(),
            by_workspace: ReadBeside::default(),
        }
    }
}

impl KnownLookUp {
    /// Returns what else it may read, if what is sought is declared in a test, or if not.
    pub(crate) fn beside(&self, is_of_test: bool) -> &ReadBeside {
        if is_of_test {
            &self.by_workspace
        } else {
            &self.by_any
        }
    }
}

/// What a look-up may read beside what is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ReadBeside {
    /// The names; `None` if others are possible.
    pub(crate) names: Option<Arc<[NameId]>>,
    /// Whether attributes of other classes and modules than the holders may be read.
    pub(crate) has_others: bool,
}

/// Nothing is known.
impl Default for ReadBeside {
    fn default() -> ReadBeside {
        ReadBeside {
            names: None,
            has_others: true,
        }
    }
}

/// What is known of the look-ups of a solution.
#[derive(Default)]
pub(super) struct KnownLookUps {
    known: FxHashMap<SiteId, KnownLookUp>,
    /// The cells along which the names come.
    followed: FixedBitSet,
    /// Those along which goes what is read.
    results: FixedBitSet,
}

impl KnownLookUps {
    /// Finds what is known of the look-ups of a solution by the open cells, and by those that are open if code outside of the
    /// workspace calls its public functions.
    pub(super) fn of(
        solver: &Solver<'_, '_>,
        open: &OpenCells,
        open_to_others: &OpenCells,
    ) -> KnownLookUps {
        let mut sites: FxHashMap<SiteId, LookUp> = FxHashMap::default();
        let readers = Readers::of(solver);
        for rule in solver.rules() {
            if let Some(found) = readers.look_up(solver, rule) {
                sites.entry(found.site).or_default().add(found);
            }
        }
        let wanted = sites.values().filter(|one| !one.reads_all);
        let wanted: Vec<CellId> = wanted.flat_map(|one| one.names.iter().copied()).collect();
        let names = |open| {
            let mut names = Names::of(solver, open);
            names.follow(wanted.clone());
            names
        };
        let (names, names_of_others) = (names(open), names(open_to_others));
        let mut called = CalledValues::of(solver, open_to_others.escaped());
        let mut found = KnownLookUps::default();
        for (site, one) in sites {
            let beside = |open: &OpenCells, names: &Names<'_, '_, '_>| ReadBeside {
                names: names.all(&one).map(Into::into),
                has_others: one.has_others(solver, open),
            };
            let mut calls = |part: Part| {
                let part = if one.reads_all { Part::Table } else { part };
                one.may_import || called.may_be_called(&one.results, part)
            };
            let known = KnownLookUp {
                calls_functions: calls(Part::Function),
                calls_classes: calls(Part::Class),
                holders: one.holders(solver).into(),
                followed: one.followed(solver).into(),
                by_any: beside(open_to_others, &names_of_others),
                by_workspace: beside(open, &names),
            };
            if known != KnownLookUp::default() {
                found.known.insert(site, known);
            }
        }
        found.results = called.followed;
        found.followed = names.seen;
        found.followed.union_with(&names_of_others.seen);
        found
    }

    /// Returns whether an extension may change what is known, or adds a look-up: then the program is solved anew.
    pub(super) fn are_changed_by(&self, solver: &Solver<'_, '_>) -> bool {
        let mut ends = solver.cells.added_edges().iter().map(|&(_, to)| to);
        let readers = Readers::of(solver);
        let is_result = |cell: CellId| self.results.contains(cell as usize);
        let (edges, rules) = (
            solver.cells.edges_of_complete(),
            solver.cells.constraints_of_complete(),
        );
        ends.any(|cell| self.followed.contains(cell as usize))
            || edges.iter().any(|&(from, _)| is_result(from))
            || rules.iter().any(|&(cell, _)| is_result(cell))
            || solver
                .rules()
                .any(|rule| readers.look_up(solver, rule).is_some())
    }

    /// Returns what is known of a site.
    pub(super) fn at(&self, site: SiteId) -> Option<&KnownLookUp> {
        self.known.get(&site)
    }
}

/// What reads by names that are values.
struct Readers {
    /// The name `__dict__`.
    dict: NameId,
    /// The functions of libraries that import modules.
    importing: FxHashSet<SymbolId>,
}

impl Readers {
    fn of(solver: &Solver<'_, '_>) -> Readers {
        let program = solver.program;
        let called = solver.models.keys().copied();
        let imports = |&symbol: &SymbolId| IMPORTING.contains(&program.path(symbol).as_str());
        Readers {
            dict: program.name("__dict__"),
            importing: called.filter(imports).collect(),
        }
    }

    /// Returns the look-up or import that a rule of a cell makes.
    fn look_up(&self, solver: &Solver<'_, '_>, (cell, number): (CellId, u32)) -> Option<Found> {
        let found = match solver.constraints[number as usize] {
            Constraint::NamedLoad { object, to, site } => Found {
                site,
                object,
                name: Some(cell),
                results: vec![to],
                may_import: false,
            },
            Constraint::NamedStore { object, site, .. } => Found {
                site,
                object,
                name: Some(cell),
                results: Vec::new(),
                may_import: false,
            },
            Constraint::Load { name, site, .. } if name == self.dict => Found {
                site,
                object: cell,
                name: None,
                results: solver.loaded(cell, name).collect(),
                may_import: false,
            },
            Constraint::Call { call } if self.may_import(solver, cell) => {
                let call = &solver.calls[call as usize];
                let name = match call.positional.first() {
                    Some(&Argument::One(name)) => name,
                    // Nothing is known of it.
                    _ => NOWHERE,
                };
                Found {
                    site: call.site,
                    object: NOWHERE,
                    name: Some(name),
                    results: vec![call.result],
                    may_import: true,
                }
            }
            _ => return None,
        };
        (found.site != NO_SITE).then_some(found)
    }

    fn may_import(&self, solver: &Solver<'_, '_>, callee: CellId) -> bool {
        let mut values = solver.cells.values(callee).iter();
        !self.importing.is_empty()
            && values.any(|&value| {
                matches!(solver.values.get(value), FlowObject::Library(symbol) if self.importing.contains(&symbol))
            })
    }
}

/// A look-up, or an import, in one run of its function.
struct Found {
    site: SiteId,
    object: CellId,
    /// The cell of the name; `None` if a whole `__dict__` is read.
    name: Option<CellId>,
    /// The cells of what is read.
    results: Vec<CellId>,
    may_import: bool,
}

/// A look-up in each run of its function.
#[derive(Default)]
struct LookUp {
    objects: Vec<CellId>,
    names: Vec<CellId>,
    results: Vec<CellId>,
    may_import: bool,
    /// Whether all names are read.
    reads_all: bool,
}

impl LookUp {
    fn add(&mut self, found: Found) {
        self.objects.push(found.object);
        self.results.extend(found.results);
        self.may_import |= found.may_import;
        match found.name {
            Some(name) => self.names.push(name),
            None => self.reads_all = true,
        }
    }

    /// Returns whether objects may be read that do not flow there.
    fn has_others(&self, solver: &Solver<'_, '_>, open: &OpenCells) -> bool {
        let is_open =
            |cell: &CellId| *cell == NOWHERE || open.has(*cell) || solver.cells.len(*cell) == 0;
        self.objects.iter().any(is_open)
    }

    /// Returns the functions and classes that are among the results of each run, sorted.
    fn followed(&self, solver: &Solver<'_, '_>) -> Vec<SymbolId> {
        if self.may_import || self.reads_all {
            return Vec::new();
        }
        let mut found: Option<FxHashSet<ItemId>> = None;
        for &cell in &self.results {
            let values = solver.cells.values(cell).iter();
            let items = values.filter_map(|&value| match solver.values.get(value) {
                FlowObject::Function { item, .. } | FlowObject::Class(item) => Some(item),
                FlowObject::Bound { function, .. } => match solver.values.get(function) {
                    FlowObject::Function { item, .. } => Some(item),
                    _ => None,
                },
                _ => None,
            });
            let here: FxHashSet<ItemId> = items.collect();
            match &mut found {
                Some(found) => found.retain(|item| here.contains(item)),
                None => found = Some(here),
            }
        }
        let found = found.unwrap_or_default().into_iter();
        let mut found: Vec<SymbolId> = found.map(|item| solver.program.symbol(item)).collect();
        found.sort_unstable();
        found
    }

    /// Returns the classes and modules of the objects that flow there, sorted. The `__dict__` of an object has none of its class.
    fn holders(&self, solver: &Solver<'_, '_>) -> Vec<SymbolId> {
        let program = solver.program;
        let mut found: FxHashSet<ItemId> = FxHashSet::default();
        let objects = self.objects.iter().filter(|&&cell| cell != NOWHERE);
        for &value in objects.flat_map(|&cell| solver.cells.values(cell)) {
            match solver.values.get(value) {
                FlowObject::Instance(..) | FlowObject::Declared(_) if self.reads_all => {}
                FlowObject::Instance(class, _) => {
                    found.insert(class);
                }
                FlowObject::Declared(class) => {
                    found.insert(class);
                    found.extend(program.subclasses(class));
                }
                FlowObject::Class(class) => {
                    found.insert(class);
                    let facts = program.class(class);
                    found.extend(facts.and_then(|facts| facts.metaclass));
                }
                FlowObject::Module(file) => {
                    found.insert(program.module(file));
                }
                FlowObject::Super { receiver, .. } => {
                    if let FlowObject::Instance(class, _) | FlowObject::Class(class) =
                        solver.values.get(receiver)
                    {
                        found.insert(class);
                    }
                }
                // What a library or a function has under a name is not declared by the workspace.
                _ => {}
            }
        }
        let mut found: Vec<SymbolId> = found.into_iter().map(|item| program.symbol(item)).collect();
        found.sort_unstable();
        found
    }
}

/// The constant strings that come to cells, found backward along the edges.
struct Names<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    open: &'s OpenCells,
    /// The cells that were looked at.
    seen: FixedBitSet,
    /// The cells from which edges lead to each of those, and the strings there.
    from: FxHashMap<CellId, Vec<CellId>>,
    own: FxHashMap<CellId, Own>,
}

/// What a cell has beside that which comes along edges.
enum Own {
    Nothing,
    /// What these cells have.
    Cells(Vec<CellId>),
    /// No string.
    Constant,
    Name(NameId),
    Unknown,
}

impl<'s, 'a, 'p> Names<'s, 'a, 'p> {
    fn of(solver: &'s Solver<'a, 'p>, open: &'s OpenCells) -> Names<'s, 'a, 'p> {
        Names {
            solver,
            open,
            seen: FixedBitSet::with_capacity(solver.cells.count() as usize),
            from: FxHashMap::default(),
            own: FxHashMap::default(),
        }
    }

    /// Goes back from some cells: along the nodes by what they say, and along edges by all edges at once.
    fn follow(&mut self, mut wanted: Vec<CellId>) {
        for _ in 0..MAX_STEPS {
            let mut ends = FixedBitSet::with_capacity(self.seen.len());
            while let Some(cell) = wanted.pop() {
                if cell == NOWHERE || self.seen.put(cell as usize) {
                    continue;
                }
                let own = self.own_of(cell);
                match &own {
                    Own::Cells(cells) => wanted.extend(cells),
                    Own::Nothing => ends.insert(cell as usize),
                    Own::Constant | Own::Name(_) | Own::Unknown => {}
                }
                self.own.insert(cell, own);
            }
            if ends.is_clear() {
                return;
            }
            for cell in 0..self.solver.cells.count() {
                for to in self.solver.cells.ends(cell) {
                    if ends.contains(to as usize) {
                        self.from.entry(to).or_default().push(cell);
                        wanted.push(cell);
                    }
                }
            }
        }
    }

    /// Returns what a cell has by what it is. A node whose type is declared is no end here: that says nothing of a string.
    fn own_of(&self, cell: CellId) -> Own {
        let solver = self.solver;
        if self.open.has(cell) {
            return Own::Unknown;
        }
        match solver.cells.key_of(cell) {
            None => self.own_of_node(cell),
            Some(CellKey::ItemNode(instance, node)) => {
                let run = solver.instances[instance as usize];
                let items = solver.program.declared(run.item).items();
                own_of_constant(items.code.nodes.get(node as usize))
            }
            Some(
                CellKey::Global(..)
                | CellKey::Variable(..)
                | CellKey::ClassName(..)
                | CellKey::Element(_, Key::Any | Key::Index(_) | Key::Text(_)),
            ) => Own::Nothing,
            Some(_) => Own::Unknown,
        }
    }

    fn own_of_node(&self, cell: CellId) -> Own {
        let solver = self.solver;
        let Some((instance, node)) = node_of(solver, cell) else {
            let is_param = is_parameter(solver, cell);
            return if is_param { Own::Nothing } else { Own::Unknown };
        };
        let run = solver.instances[instance as usize];
        let Some(bodies) = solver.program.file(run.item).bodies() else {
            return Own::Unknown;
        };
        let kind_of = |node: NodeId| bodies.code.nodes.get(node as usize);
        let cell_of = |node: NodeId| body_cell(solver, instance, node);
        let cells_of = |list| {
            let nodes = bodies.code.list(list).iter();
            Own::Cells(nodes.map(|&node| cell_of(node)).collect())
        };
        match kind_of(node) {
            Some(&Node::Param(number)) if run.params + number < run.result => {
                Own::Cells(vec![run.params + number])
            }
            Some(Node::Global(_) | Node::Free { .. }) => Own::Nothing,
            Some(&Node::Phi(list) | &Node::Union(list)) => cells_of(list),
            Some(&Node::NotNone { value, .. }) => Own::Cells(vec![cell_of(value)]),
            Some(&Node::Iter(base) | &Node::Unpack { base, .. }) => match kind_of(base) {
                Some(&Node::Tuple(list) | &Node::List(list) | &Node::Set(list)) => cells_of(list),
                _ => Own::Unknown,
            },
            kind => own_of_constant(kind),
        }
    }

    /// Returns the strings of the names of a look-up, sorted; `None` if one is not known.
    fn all(&self, one: &LookUp) -> Option<Vec<NameId>> {
        if one.reads_all {
            return None;
        }
        let mut pending = one.names.clone();
        let mut seen: FxHashSet<CellId> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(cell) = pending.pop() {
            if !seen.insert(cell) {
                continue;
            }
            match self.own.get(&cell)? {
                Own::Unknown => return None,
                Own::Cells(cells) => pending.extend(cells),
                Own::Name(name) => found.push(*name),
                Own::Constant => {}
                Own::Nothing => pending.extend(self.from.get(&cell)?),
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

fn own_of_constant(node: Option<&Node>) -> Own {
    match node {
        Some(&Node::Str(name)) => Own::Name(name),
        Some(Node::Constant(Constant::None | Constant::Bool | Constant::Int)) => Own::Constant,
        _ => Own::Unknown,
    }
}
