//! What leaves to code that is not followed, which may then call it: functions, classes and objects that are passed to a library
//! or to a value of which nothing is known, or stored there, with all that can be reached of them.
//!
//! ```python
//! signal.connect(on_save)            # a library has `on_save`
//! signal.connect([on_load])          # and `on_load`
//! unknown.hook()                     # what any object holds as `hook`
//! handlers = {"save": on_delete}     # what is only put here and called from here does not leave
//! ```
//!
//! That a library calls a method of an object that it has, by the method's name, is said elsewhere: its text calls that name. Of
//! what else an object holds it is taken to read special methods alone, unless a library declares a base of the class.

use std::cell::OnceCell;

use codeweft_db::{NameId, SymbolId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::Argument;
use super::cells::{CellId, CellKey, Key, NOWHERE};
use super::lazy::Work;
use super::program::ItemId;
use super::solver::Solver;
use super::values::{FlowObject, InstanceId, ValueId};
use crate::escapes::is_found_by_name;
use crate::symbols::is_special;

/// The modules of classes that are written in C, or say nothing but what their subclasses are: they read no attributes by names.
/// `unittest` reads those by names that a test runner finds, and gives its test cases to no other code.
const SILENT: &[&str] = &[
    "abc",
    "builtins",
    "enum",
    "types",
    "typing",
    "typing_extensions",
    "unittest",
];

/// What leaves to code that is not followed.
#[derive(Clone, Default)]
pub(super) struct Escaped {
    /// The functions, classes and modules, as values.
    items: FixedBitSet,
    /// The functions that are registered with frameworks.
    registered: FixedBitSet,
    /// The classes of which objects leave.
    objects: FixedBitSet,
    /// These and those above them.
    above_objects: FixedBitSet,
    /// The classes and modules of which all leaves that their objects, or they, hold.
    with_members: FixedBitSet,
    /// The functions of which the results leave.
    results: FixedBitSet,
    /// The cells of which all values leave.
    cells: FixedBitSet,
    values: FixedBitSet,
    /// The names of attributes that are read of unknown objects.
    names: FxHashSet<NameId>,
    /// Those that are read of objects of libraries, whose classes may be below classes of libraries.
    names_of_libraries: FxHashSet<NameId>,
    /// Whether code outside of the workspace counts, too: that has nothing of the tests.
    is_to_others: bool,
}

impl Escaped {
    /// Returns whether a function, class or module leaves as a value.
    pub(super) fn has(&self, item: ItemId) -> bool {
        self.items.contains(item as usize)
    }

    /// Returns whether all values of a cell leave.
    pub(super) fn has_cell(&self, cell: CellId) -> bool {
        self.cells.contains(cell as usize)
    }

    /// Returns the functions, classes and modules that leave as values.
    pub(super) fn items(&self) -> impl Iterator<Item = ItemId> {
        self.items.ones().map(|item| item as ItemId)
    }

    /// Returns the functions that are registered with frameworks.
    pub(super) fn registered(&self) -> impl Iterator<Item = ItemId> {
        self.registered.ones().map(|item| item as ItemId)
    }

    /// Returns the classes of which objects, or objects of classes below, leave.
    pub(super) fn classes_of_objects(&self) -> impl Iterator<Item = ItemId> {
        self.above_objects.ones().map(|class| class as ItemId)
    }
}

/// The search for what leaves.
pub(super) struct Escaping<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    pub(super) escaped: Escaped,
    pending: Vec<CellId>,
    /// The functions that may be called with anything, from a parameter on.
    called: Vec<(ItemId, u32)>,
    index: OnceCell<Index>,
    /// Whether something leaves that did not before an extension.
    pub(super) has_grown: bool,
    /// Whether more may leave than is found.
    pub(super) is_change: bool,
}

/// What the search looks up.
struct Index {
    /// What the objects of a class, a class or a module hold, by name.
    members: FxHashMap<ItemId, Vec<(NameId, CellId)>>,
    /// The classes whose objects hold something under a name, and functions.
    holders: FxHashMap<NameId, Vec<(ItemId, CellId)>>,
    /// The runs of each function.
    runs: FxHashMap<ItemId, Vec<InstanceId>>,
    /// The classes below one of a library, and all that these have above them.
    with_library: FxHashSet<ItemId>,
}

impl Index {
    fn of(solver: &Solver<'_, '_>) -> Index {
        let mut runs: FxHashMap<ItemId, Vec<InstanceId>> = FxHashMap::default();
        for (run, number) in solver.instances.iter().zip(0..) {
            runs.entry(run.item).or_default().push(number);
        }
        let mut members: FxHashMap<ItemId, Vec<(NameId, CellId)>> = FxHashMap::default();
        let mut holders: FxHashMap<NameId, Vec<(ItemId, CellId)>> = FxHashMap::default();
        for (key, cell) in solver.cells.keyed() {
            let (of, name) = match key {
                CellKey::Attribute(class, name, _) | CellKey::ClassName(class, name) => {
                    holders.entry(name).or_default().push((class, cell));
                    (class, name)
                }
                CellKey::OfFunction(function, _, name) => {
                    holders.entry(name).or_default().push((function, cell));
                    continue;
                }
                CellKey::Global(file, name) => (solver.program.module(file), name),
                _ => continue,
            };
            members.entry(of).or_default().push((name, cell));
        }
        let program = solver.program;
        let with_library = program.declarations.classes.iter();
        let with_library = with_library.filter(|(_, facts)| facts.is_below_library);
        Index {
            members,
            holders,
            runs,
            with_library: with_library
                .flat_map(|(&class, _)| program.mro(class).iter().copied())
                .collect(),
        }
    }
}

impl<'s, 'a, 'p> Escaping<'s, 'a, 'p> {
    /// Goes on with what is known to leave.
    pub(super) fn new(solver: &'s Solver<'a, 'p>, mut escaped: Escaped) -> Escaping<'s, 'a, 'p> {
        escaped.cells.grow(solver.cells.count() as usize);
        Escaping {
            solver,
            escaped,
            pending: Vec::new(),
            called: Vec::new(),
            index: OnceCell::new(),
            has_grown: false,
            is_change: false,
        }
    }

    /// Lets leave what iterators of the library call as their elements are taken: not each node that takes one is known.
    pub(super) fn work_of_iterators(&mut self) {
        let solver = self.solver;
        for work in solver.lazy.values().flatten() {
            if let Work::Calls { function, .. } = *work {
                self.cell(function);
            }
        }
    }

    /// Lets leave what test runners call by the names of classes and modules of tests, where decorators make something else of the
    /// test.
    pub(super) fn run_by_test_runners(&mut self) {
        let (solver, program) = (self.solver, self.solver.program);
        for (key, cell) in solver.cells.keyed() {
            let (of, name) = match key {
                CellKey::ClassName(class, name) => (class, name),
                CellKey::Global(file, name) => (program.module(file), name),
                _ => continue,
            };
            if !is_found_by_name(program.text(name)) || !program.is_in_tests(of) {
                continue;
            }
            for &value in solver.cells.values(cell) {
                if matches!(solver.values.get(value), FlowObject::Function { .. }) {
                    self.member((of, name), value);
                }
            }
        }
    }

    /// Lets leave what code outside of the workspace may get, too.
    pub(super) fn count_others(&mut self) {
        self.escaped.is_to_others = true;
    }

    /// Returns the runs of a function.
    pub(super) fn runs_of(&self, function: ItemId) -> &[InstanceId] {
        self.index().runs.get(&function).map_or(&[], Vec::as_slice)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self.solver))
    }

    /// Lets all values of a cell leave.
    pub(super) fn cell(&mut self, cell: CellId) {
        if cell != NOWHERE && !self.escaped.cells.put(cell as usize) {
            self.has_grown |= cell < self.solver.cells.complete();
            self.pending.push(cell);
        }
    }

    /// Lets the values of the cells leave that wait for it; returns the functions that may be called with anything, each from a
    /// parameter on.
    pub(super) fn hand_on(&mut self) -> Vec<(ItemId, u32)> {
        let solver = self.solver;
        while let Some(cell) = self.pending.pop() {
            for &value in solver.cells.values(cell) {
                self.value(value);
            }
        }
        std::mem::take(&mut self.called)
    }

    /// Lets the arguments of a call leave. Of functions that it registers with a framework only what they return does.
    pub(super) fn arguments(&mut self, call: u32) {
        let solver = self.solver;
        let call = &solver.calls[call as usize];
        let registers = call.registers.unwrap_or_default();
        for (at, argument) in call.positional.iter().enumerate() {
            match *argument {
                Argument::One(cell) if registers.has_position(at) => self.register(cell),
                Argument::One(cell) | Argument::Spread(cell) => self.cell(cell),
            }
        }
        for &(name, cell) in &call.keywords {
            if registers.has_keyword(name) {
                self.register(cell);
            } else {
                self.cell(cell);
            }
        }
    }

    /// Lets a framework call the functions of a cell.
    fn register(&mut self, cell: CellId) {
        let solver = self.solver;
        for &value in solver.cells.values(cell) {
            let function = match solver.values.get(value) {
                FlowObject::Function { item, .. } => Some((item, 0)),
                FlowObject::Bound { function, .. } => match solver.values.get(function) {
                    FlowObject::Function { item, .. } => Some((item, 1)),
                    _ => None,
                },
                _ => None,
            };
            let Some((item, from)) = function else {
                self.value(value);
                continue;
            };
            if self.stays(item) {
                continue;
            }
            self.escaped.registered.grow(item as usize + 1);
            if !self.escaped.registered.put(item as usize) {
                self.has_grown = true;
            }
            self.called.push((item, from));
            self.results_of(item);
        }
    }

    /// Lets the objects of the classes leave that a library declares a base of: its methods run for them.
    pub(super) fn objects_of_libraries(&mut self) {
        let program = self.solver.program;
        for (&class, facts) in &program.declarations.classes {
            let reads = |&base: &SymbolId| {
                let path = program.path(base);
                let module = path.split('.').next().unwrap_or_default();
                !SILENT.contains(&module)
            };
            if facts.has_unknown_base || facts.library.iter().any(reads) {
                self.objects(class);
                for &of in program.mro(class) {
                    self.members(of);
                }
            }
        }
    }

    /// Lets leave what any object holds under a name that is read of an unknown one, and what its method gives.
    pub(super) fn named(&mut self, name: NameId) {
        if self.escaped.names.insert(name) {
            self.held_by(name, |_, _| true);
        }
    }

    /// Lets leave what an object holds under a name that is read of one of a library: of a class that may be below the library's.
    pub(super) fn named_of_library(&mut self, name: NameId) {
        let escaped = &mut self.escaped;
        if !escaped.names.contains(&name) && escaped.names_of_libraries.insert(name) {
            self.held_by(name, |index, class| index.with_library.contains(&class));
        }
    }

    fn held_by(&mut self, name: NameId, may_be: fn(&Index, ItemId) -> bool) {
        let held = self.index().holders.get(&name);
        for (holder, cell) in held.cloned().unwrap_or_default() {
            if may_be(self.index(), holder) {
                self.held((holder, name), cell);
            }
        }
    }

    /// Lets leave what any object holds under names with a start.
    pub(super) fn names_with(&mut self, start: NameId) {
        let program = self.solver.program;
        let names = self.index().holders.keys().copied();
        let names = names.filter(|&name| program.text(name).starts_with(program.text(start)));
        for name in names.collect::<Vec<NameId>>() {
            self.named(name);
        }
    }

    /// Lets a value leave.
    pub(super) fn value(&mut self, value: ValueId) {
        self.escaped.values.grow(value as usize + 1);
        if self.escaped.values.put(value as usize) {
            return;
        }
        let solver = self.solver;
        let program = solver.program;
        match solver.values.get(value) {
            FlowObject::Function { item, .. } => self.function(item, 0),
            FlowObject::Bound { function, receiver } => {
                if let FlowObject::Function { item, .. } = solver.values.get(function) {
                    self.function(item, 1);
                } else {
                    self.value(function);
                }
                self.value(receiver);
            }
            FlowObject::Class(class) if self.stays(class) => {}
            FlowObject::Class(class) => {
                self.item(class);
                self.objects(class);
            }
            FlowObject::Instance(class, _) => self.objects(class),
            FlowObject::Declared(class) => {
                self.objects(class);
                for &below in program.subclasses(class) {
                    self.objects(below);
                }
            }
            FlowObject::Module(file) => {
                let module = program.module(file);
                self.item(module);
                self.members(module);
            }
            FlowObject::Container { site, .. } => self.container(site),
            FlowObject::Generator(run) | FlowObject::Coroutine(run) | FlowObject::Context(run) => {
                self.results(run);
            }
            FlowObject::Partial(call) => self.arguments(call),
            FlowObject::Namespace { of } => self.members_of(of),
            FlowObject::Super { receiver, .. } | FlowObject::Method { receiver, .. } => {
                self.value(receiver);
            }
            FlowObject::Wrapped { inner, .. } | FlowObject::Instead { inner } => self.value(inner),
            FlowObject::Library(_)
            | FlowObject::Identity
            | FlowObject::Text { .. }
            | FlowObject::TextStart { .. }
            | FlowObject::Request(_)
            | FlowObject::MonkeyPatch => {}
        }
    }

    /// Lets what a value holds under names leave, all names or some that are not known.
    pub(super) fn members_of(&mut self, value: ValueId) {
        let program = self.solver.program;
        match self.solver.values.get(value) {
            FlowObject::Instance(class, _) | FlowObject::Class(class) => self.members(class),
            FlowObject::Declared(class) => {
                self.members(class);
                for &below in program.subclasses(class) {
                    self.members(below);
                }
            }
            FlowObject::Module(file) => self.members(program.module(file)),
            FlowObject::Super { receiver, .. } => self.members_of(receiver),
            _ => {}
        }
    }

    /// Returns whether an item stays where it is known, since code outside of the workspace has nothing of the tests.
    fn stays(&self, item: ItemId) -> bool {
        self.escaped.is_to_others && self.solver.program.is_in_tests(item)
    }

    fn item(&mut self, item: ItemId) {
        let at = item as usize;
        self.escaped.items.grow(at + 1);
        if !self.escaped.items.put(at) {
            self.has_grown = true;
        }
    }

    fn function(&mut self, item: ItemId, from: u32) {
        if self.stays(item) {
            return;
        }
        self.item(item);
        self.called.push((item, from));
        self.results_of(item);
    }

    fn results(&mut self, run: InstanceId) {
        let run = self.solver.instances[run as usize];
        self.cell(run.result);
        self.cell(run.yielded);
    }

    /// Lets the objects of a class leave: what their special methods give, and their elements.
    fn objects(&mut self, class: ItemId) {
        if self.stays(class) {
            return;
        }
        let at = class as usize;
        self.escaped.objects.grow(at + 1);
        if self.escaped.objects.put(at) {
            return;
        }
        self.has_grown = true;
        let program = self.solver.program;
        for &of in program.mro(class) {
            self.escaped.above_objects.grow(of as usize + 1);
            if self.escaped.above_objects.put(of as usize) {
                continue;
            }
            for (name, cell) in self.members_by_name(of) {
                if is_special(program.text(name)) {
                    self.held((of, name), cell);
                }
            }
        }
        if let Some(site) = self.solver.cells.known(CellKey::Elements(class)) {
            self.container(site);
        }
    }

    fn container(&mut self, site: CellId) {
        let solver = self.solver;
        for &key in solver.cells.keys_of(site) {
            let cell = solver.cells.known(CellKey::Element(site, key));
            self.cell(cell.unwrap_or(NOWHERE));
        }
        for work in solver.lazy.get(&site).into_iter().flatten() {
            if let Work::Takes(cell) = *work {
                self.cell(cell);
            }
        }
    }

    /// Lets the elements of a sequence leave from an index on.
    pub(super) fn elements_from(&mut self, site: CellId, first: u32) {
        let solver = self.solver;
        for &key in solver.cells.keys_of(site) {
            if matches!(key, Key::Index(at) if at >= first) {
                let cell = solver.cells.known(CellKey::Element(site, key));
                self.cell(cell.unwrap_or(NOWHERE));
            }
        }
    }

    /// Lets leave what the runs of a function give.
    pub(super) fn results_of(&mut self, function: ItemId) {
        self.escaped.results.grow(function as usize + 1);
        if self.escaped.results.put(function as usize) {
            return;
        }
        for at in 0..self.runs_of(function).len() {
            self.results(self.runs_of(function)[at]);
        }
    }

    /// Lets what a class, its objects or a module hold leave. Of what is declared there only the results do: it is called by its name.
    fn members(&mut self, of: ItemId) {
        self.escaped.with_members.grow(of as usize + 1);
        if self.escaped.with_members.put(of as usize) {
            return;
        }
        for (name, cell) in self.members_by_name(of) {
            self.held((of, name), cell);
        }
    }

    fn members_by_name(&self, of: ItemId) -> Vec<(NameId, CellId)> {
        self.index().members.get(&of).cloned().unwrap_or_default()
    }

    fn held(&mut self, member: (ItemId, NameId), cell: CellId) {
        let solver = self.solver;
        for &value in solver.cells.values(cell) {
            self.member(member, value);
        }
    }

    fn member(&mut self, (of, name): (ItemId, NameId), value: ValueId) {
        let program = self.solver.program;
        match self.solver.values.get(value) {
            FlowObject::Function { item, .. }
                if program.parent(item) == Some(of) && program.item(item).name == name =>
            {
                self.results_of(item);
            }
            FlowObject::Class(class)
                if program.parent(class) == Some(of) && program.item(class).name == name => {}
            FlowObject::Wrapped { inner, .. } => self.member((of, name), inner),
            _ => self.value(value),
        }
    }

    /// Lets what an extension adds to what leaves do so, too.
    pub(super) fn extend(&mut self) {
        self.work_of_iterators();
        let solver = self.solver;
        for cell in solver.cells.complete()..solver.cells.count() {
            let leaves = match solver.cells.key_of(cell) {
                Some(CellKey::Attribute(class, name, _) | CellKey::ClassName(class, name)) => {
                    self.escaped.above_objects.contains(class as usize)
                        || self.escaped.names.contains(&name)
                        || self.escaped.names_of_libraries.contains(&name)
                }
                Some(CellKey::OfFunction(_, _, name)) => self.escaped.names.contains(&name),
                Some(CellKey::Global(file, _)) => self.escaped.has(solver.program.module(file)),
                _ => false,
            };
            if leaves && solver.cells.len(cell) > 0 {
                self.is_change = true;
            }
        }
    }
}
