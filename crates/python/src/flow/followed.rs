//! Whether what a rule gives of a value is followed: if not, anything may come of it.
//!
//! ```python
//! queue = Queue()         # of a library that has no model: what `get` returns is not followed
//! self.hook               # an attribute that no class of the workspace binds or stores: nor is this
//! ```

use std::cell::RefCell;

use codeweft_db::{NameId, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body_cells::is_parameter;
use super::calls::{Argument, CallSite};
use super::cells::{CellKey, Key, NOWHERE};
use super::constraints::Constraint;
use super::containers::ITERATED_BY;
use super::lookups::Lookup;
use super::models::{Model, is_of_method};
use super::names;
use super::program::ItemId;
use super::solver::{SiteId, Solver};
use super::values::{FlowObject, SHARED, ValueId};
use crate::symbols::is_special;

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

/// What is followed of a solution.
pub(super) struct Followed<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    /// The names of special methods by text.
    names: FxHashMap<&'static str, NameId>,
    stores: UnknownStores,
    /// Whether a value has an attribute that is followed, as found so far.
    attributes: RefCell<FxHashMap<(ValueId, NameId), bool>>,
}

/// Stores of attributes that are not followed.
#[derive(Clone, Default)]
pub(super) struct UnknownStores {
    /// The classes to whose objects attributes are stored by names that are values.
    classes: FxHashSet<ItemId>,
    /// The names of attributes that partials are given.
    names: FxHashSet<NameId>,
    /// The names that a class binds and under which something else may be stored in its objects, by class.
    over: FxHashSet<(ItemId, NameId)>,
}

impl UnknownStores {
    /// Finds those among the rules of a solution, or of an extension.
    pub(super) fn of(solver: &Solver<'_, '_>) -> UnknownStores {
        let mut found = UnknownStores::default();
        for (cell, number) in solver.rules() {
            let object = match solver.constraints[number as usize] {
                Constraint::Store { name, .. } => {
                    let is_partial = |&value: &ValueId| {
                        matches!(solver.values.get(value), FlowObject::Partial(_))
                    };
                    if solver.cells.values(cell).iter().any(is_partial) {
                        found.names.insert(name);
                    }
                    continue;
                }
                Constraint::StoreUnbound { name, .. } => {
                    for &value in solver.cells.values(cell) {
                        found.add_over(solver, value, name);
                    }
                    continue;
                }
                Constraint::StoreStart { start, .. } => {
                    let names = solver.program.attributes_with(start);
                    for &value in solver.cells.values(cell) {
                        for &name in names.iter() {
                            found.add_over(solver, value, name);
                        }
                    }
                    continue;
                }
                Constraint::NamedStore { object, site, .. } => {
                    if stores_known_names(solver, solver.cells.values(cell), site) {
                        continue;
                    }
                    object
                }
                Constraint::StoreElement {
                    key: Key::Any | Key::Slice,
                    ..
                } => {
                    for &value in solver.cells.values(cell) {
                        if let FlowObject::Namespace { of } = solver.values.get(value) {
                            found.add(solver, of);
                        }
                    }
                    continue;
                }
                Constraint::Call { call } => {
                    for &value in solver.cells.values(cell) {
                        if let FlowObject::Method { receiver, name } = solver.values.get(value)
                            && let FlowObject::Namespace { of } = solver.values.get(receiver)
                            && fills(
                                solver,
                                &solver.calls[call as usize],
                                solver.program.text(name),
                            )
                        {
                            found.add(solver, of);
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            for &value in solver.cells.values(object) {
                found.add(solver, value);
            }
        }
        found
    }

    fn add(&mut self, solver: &Solver<'_, '_>, value: ValueId) {
        if let FlowObject::Instance(class, _) | FlowObject::Declared(class) =
            solver.values.get(value)
        {
            self.classes.insert(class);
        }
    }

    /// Adds a name under which something is stored in an object that has it from its class: that is not followed.
    fn add_over(&mut self, solver: &Solver<'_, '_>, value: ValueId, name: NameId) {
        if let FlowObject::Instance(class, _) | FlowObject::Declared(class) =
            solver.values.get(value)
            && names::binds(solver, value, name)
        {
            self.over.insert((class, name));
        }
    }

    /// Returns whether all of other stores are among these.
    pub(super) fn has_all(&self, others: &UnknownStores) -> bool {
        others.classes.is_subset(&self.classes)
            && others.names.is_subset(&self.names)
            && others.over.is_subset(&self.over)
    }
}

/// Returns whether some values are the names under which a site stores attributes, all of them written near it.
pub(super) fn stores_known_names(solver: &Solver<'_, '_>, names: &[ValueId], site: SiteId) -> bool {
    let is_near = |&value: &ValueId| match solver.values.get(value) {
        FlowObject::Text { written_in, .. } => solver.is_written_near(written_in, site),
        _ => false,
    };
    !names.is_empty() && names.iter().all(is_near)
}

/// Returns whether a call of a method of a `__dict__` stores under names that are not known.
fn fills(solver: &Solver<'_, '_>, call: &CallSite, method: &str) -> bool {
    let mut keywords = call.keywords.iter();
    match method {
        // `**values` has the empty name.
        "update" => {
            !call.positional.is_empty()
                || keywords.any(|&(name, _)| solver.program.text(name).is_empty())
        }
        "setdefault" | "__setitem__" | "__ior__" => call.key == Key::Any,
        _ => false,
    }
}

impl<'s, 'a, 'p> Followed<'s, 'a, 'p> {
    /// Creates it for a solution.
    pub(super) fn of(solver: &'s Solver<'a, 'p>, stores: UnknownStores) -> Followed<'s, 'a, 'p> {
        let names = SPECIAL.iter();
        Followed {
            solver,
            names: names
                .map(|&name| (name, solver.program.name(name)))
                .collect(),
            stores,
            attributes: RefCell::default(),
        }
    }

    /// Returns whether a rule gives something of a value that is not followed.
    pub(super) fn is_unknown(&self, constraint: &Constraint, value: ValueId) -> bool {
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
            Constraint::Element { to, key, .. } => {
                to != NOWHERE
                    && match object {
                        FlowObject::Namespace { .. } => matches!(key, Key::Any | Key::Slice),
                        FlowObject::Container { site, .. } => {
                            key == Key::Slice && is_parameter(self.solver, site)
                        }
                        FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                            !self.has_method(class, &["__getitem__"]) && !self.is_container(class)
                        }
                        object => is_of_library(object),
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
                object => is_of_library(object),
            },
            Constraint::Await { to, .. } => {
                to != NOWHERE && (is_object(object) || is_of_library(object))
            }
            Constraint::Delegate { .. } => is_object(object) || is_of_library(object),
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
                !self.has_method(class, &ITERATED_BY) && !self.is_container(class)
            }
            object => is_of_library(object),
        }
    }

    /// Returns whether nothing is known of what a call of a value gives.
    fn is_unknown_call(&self, call: u32, object: FlowObject) -> bool {
        match object {
            FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
                !self.has_method(class, &["__call__"]) && self.has_library_base(class)
            }
            FlowObject::Library(symbol) => self.is_unknown_function(call, symbol),
            FlowObject::Method { receiver, .. } => match self.solver.values.get(receiver) {
                FlowObject::Library(_) | FlowObject::Method { .. } => true,
                FlowObject::Namespace { .. } => {
                    matches!(self.solver.calls[call as usize].key, Key::Any)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_unknown_function(&self, call: u32, symbol: SymbolId) -> bool {
        let call = &self.solver.calls[call as usize];
        match self.solver.models.get(&symbol) {
            Some(Some(Model::Calls(_))) => true,
            Some(Some(Model::TypeOf)) => call.positional.len() != 1,
            Some(Some(model)) => !takes_spread(*model) && has_spread(call),
            _ => true,
        }
    }

    /// Returns whether nothing is known of what a function of a library returns, though what it does with its arguments is.
    pub(super) fn returns_unknown(&self, value: ValueId) -> bool {
        let models = &self.solver.models;
        match self.solver.values.get(value) {
            FlowObject::Library(symbol) => {
                matches!(
                    models.get(&symbol),
                    Some(Some(Model::Runs(_) | Model::Exception))
                )
            }
            _ => false,
        }
    }

    fn is_container(&self, class: ItemId) -> bool {
        let facts = self.solver.program.class(class);
        facts.is_some_and(|facts| facts.is_container)
    }

    /// Returns whether a class has a base that the workspace does not declare, other than `object`.
    pub(super) fn has_library_base(&self, class: ItemId) -> bool {
        let facts = self.solver.program.class(class);
        facts.is_none_or(|facts| facts.is_below_library)
    }

    /// Returns whether a class or one below it binds one of some names.
    pub(super) fn has_method(&self, class: ItemId, names: &[&'static str]) -> bool {
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
        let key = (value, name);
        if let Some(&known) = self.attributes.borrow().get(&key) {
            return known;
        }
        let found = self.finds_attribute(value, name);
        self.attributes.borrow_mut().insert(key, found);
        found
    }

    fn finds_attribute(&self, value: ValueId, name: NameId) -> bool {
        let program = self.solver.program;
        let text = program.text(name);
        match self.solver.values.get(value) {
            FlowObject::Instance(class, _) => {
                self.is_member(program.mro(class), class, name)
                    || self.lacks(class, name)
                    || self.is_modelled(class, name)
            }
            FlowObject::Declared(class) => {
                let below = program.subclasses(class).iter();
                self.is_member(program.mro(class), class, name)
                    || below.clone().any(|&of| self.is_member(&[of], of, name))
                    || self.lacks(class, name) && below.clone().all(|&of| self.lacks(of, name))
            }
            FlowObject::Class(class) => {
                let meta = program.class(class).and_then(|facts| facts.metaclass);
                self.is_member(program.mro(class), class, name)
                    || meta.is_some_and(|meta| self.is_member(program.mro(meta), meta, name))
                    || meta.is_none() && !is_special(text) && self.lacks(class, name)
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
            FlowObject::Bound { function, .. } => self.has_attribute(function, name),
            FlowObject::Library(_) | FlowObject::Method { .. } => is_special(text),
            FlowObject::Partial(_) => !self.stores.names.contains(&name),
            _ => true,
        }
    }

    /// Returns whether an attribute of a value may be something else than what is followed, since it may be stored by a name that is a
    /// value: over what its class binds, or where no class is known to have the attribute.
    pub(super) fn may_be_stored_over(&self, value: ValueId, name: NameId) -> bool {
        match self.solver.values.get(value) {
            FlowObject::Instance(class, _) => self.is_stored_over(class, name),
            FlowObject::Declared(class) => {
                let mut below = self.solver.program.subclasses(class).iter();
                self.is_stored_over(class, name) || below.any(|&of| self.is_stored_over(of, name))
            }
            _ => false,
        }
    }

    fn is_stored_over(&self, class: ItemId, name: NameId) -> bool {
        let program = self.solver.program;
        let order = program.mro(class);
        let is_stored = |&of: &ItemId| program.declarations.stored.contains(&(of, name));
        let takes_any = |of: &ItemId| self.stores.classes.contains(of);
        let is_over = |&of: &ItemId| self.stores.over.contains(&(of, name));
        order.iter().any(is_over)
            || order.iter().any(takes_any)
                && program.binding_class(order, name).is_none()
                && !order.iter().any(is_stored)
    }

    /// Returns whether the objects of a class have a method of a library under a name that has a model.
    fn is_modelled(&self, class: ItemId, name: NameId) -> bool {
        let program = self.solver.program;
        is_of_method(program.text(name)) && {
            let member = Lookup::Member(program.symbol(class), name);
            let method = program.symbol_of(member);
            method.is_some_and(|method| matches!(self.solver.models.get(&method), Some(Some(_))))
        }
    }

    /// Returns whether the objects of a class are known not to have an attribute that the workspace does not give them.
    fn lacks(&self, class: ItemId, name: NameId) -> bool {
        let program = self.solver.program;
        let Some(facts) = program.class(class) else {
            return false;
        };
        if facts.has_unknown_base || facts.mro.iter().any(|of| self.stores.classes.contains(of)) {
            return false;
        }
        let has = |name| {
            let member = Lookup::Member(program.symbol(class), name);
            program.symbol_of(member).is_some()
        };
        let hook = self.names.get("__getattr__");
        !facts.is_below_library || !has(name) && !hook.is_some_and(|&hook| has(hook))
    }

    /// Returns whether a class of an order binds or stores a name, or something was stored.
    fn is_member(&self, order: &[ItemId], class: ItemId, name: NameId) -> bool {
        let program = self.solver.program;
        let text = program.text(name);
        if text == "__class__" || program.binding_class(order, name).is_some() {
            return true;
        }
        if is_special(text) && !self.has_library_base(class) {
            return true;
        }
        let mut hooks = ["__getattr__", "__getattribute__"].iter();
        let has_hook = hooks.any(|hook| {
            let hook = self.names.get(hook);
            hook.is_some_and(|&hook| program.binding_class(order, hook).is_some())
        });
        let is_stored = |&of: &ItemId| program.declarations.stored.contains(&(of, name));
        let holds = |&of: &ItemId| {
            let cell = CellKey::Attribute(of, name, SHARED);
            let cell = self.solver.cells.known(cell);
            cell.is_some_and(|cell| self.solver.cells.len(cell) > 0)
        };
        has_hook || order.iter().any(is_stored) || order.iter().any(holds)
    }
}

/// Returns whether a call passes `*x`.
fn has_spread(call: &CallSite) -> bool {
    let mut positional = call.positional.iter();
    positional.any(|argument| matches!(argument, Argument::Spread(_)))
}

/// Returns whether a model follows what `*x` passes, or whether its function gives nothing of what it gets.
fn takes_spread(model: Model) -> bool {
    matches!(
        model,
        Model::Chain
            | Model::Compares
            | Model::Exception
            | Model::Inspects
            | Model::ParameterSet
            | Model::Partial
            | Model::Special(_)
    )
}

fn is_object(object: FlowObject) -> bool {
    matches!(object, FlowObject::Instance(..) | FlowObject::Declared(_))
}

/// Returns whether a value is of a library, and no container, string, function or the like: those are iterated over, entered
/// and indexed as the rules say, or not at all.
fn is_of_library(object: FlowObject) -> bool {
    matches!(
        object,
        FlowObject::Library(_) | FlowObject::Method { .. } | FlowObject::Super { .. }
    )
}
