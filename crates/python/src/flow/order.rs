//! The order of values that depends on the texts alone: not on the order in which they are found, nor on the numbers that a
//! database gives to names: functions and classes in the order of the program, then by a hash of what a value is. Of the values
//! that come to a full set in one round, the first are kept.

use std::hash::{Hash as _, Hasher as _};
use std::mem::discriminant;

use codeweft_db::{NameId, SymbolId};
use rustc_hash::FxHasher;

use super::cells::{CellId, CellKey, Key, Width};
use super::program::{ItemId, NO_ITEM};
use super::solver::{NO_SITE, SiteId, Solver};
use super::values::{ContextId, EACH, FlowObject, InstanceId, SHARED, ValueId};

/// The maximum nesting of what a number is made of.
const MAX_DEPTH: u32 = 12;

/// Returns values in their order, with their kinds.
pub(super) fn sorted(solver: &Solver<'_, '_>, values: &[ValueId]) -> Vec<(ValueId, Width)> {
    let mut sorted: Vec<(ItemId, u64, ValueId)> = values
        .iter()
        .map(|&value| (item_of(solver, value), hash_of(solver, value), value))
        .collect();
    sorted.sort_unstable();
    let values = sorted.into_iter();
    values
        .map(|(.., value)| (value, solver.values.width(value)))
        .collect()
}

/// Returns the function or class that a value is of; of others, no item.
fn item_of(solver: &Solver<'_, '_>, value: ValueId) -> ItemId {
    match solver.values.get(value) {
        FlowObject::Function { item, .. }
        | FlowObject::Class(item)
        | FlowObject::Instance(item, _)
        | FlowObject::Declared(item) => item,
        FlowObject::Bound { function, .. } => item_of(solver, function),
        FlowObject::Wrapped { inner, .. } => item_of(solver, inner),
        _ => NO_ITEM,
    }
}

/// Returns a hash of what a value is.
fn hash_of(solver: &Solver<'_, '_>, value: ValueId) -> u64 {
    let mut order = Order {
        solver,
        hasher: FxHasher::default(),
        depth: 0,
    };
    order.value(value);
    order.hasher.finish()
}

struct Order<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    hasher: FxHasher,
    depth: u32,
}

impl Order<'_, '_, '_> {
    fn value(&mut self, value: ValueId) {
        let object = self.solver.values.get(value);
        discriminant(&object).hash(&mut self.hasher);
        match object {
            FlowObject::Function { item, made_in } => {
                self.number(item);
                self.instance(made_in);
            }
            FlowObject::Bound { function, receiver } => {
                self.value(function);
                self.value(receiver);
            }
            FlowObject::Instance(item, context) => {
                self.number(item);
                self.context(context);
            }
            FlowObject::Class(item)
            | FlowObject::Declared(item)
            | FlowObject::Module(item)
            | FlowObject::Request(item) => self.number(item),
            FlowObject::Container { site, kind } => {
                kind.hash(&mut self.hasher);
                self.cell(site);
            }
            FlowObject::Generator(run) | FlowObject::Coroutine(run) | FlowObject::Context(run) => {
                self.instance(run);
            }
            FlowObject::Partial(call) => {
                let call = &self.solver.calls[call as usize];
                self.site(call.site);
                self.cell(call.result);
            }
            FlowObject::Super { class, receiver } => {
                self.number(class);
                self.value(receiver);
            }
            FlowObject::Library(symbol) => self.symbol(symbol),
            FlowObject::Method { receiver, name } => {
                self.name(name);
                self.value(receiver);
            }
            FlowObject::Wrapped { by, inner } => {
                by.hash(&mut self.hasher);
                self.value(inner);
            }
            FlowObject::Instead { inner } | FlowObject::Namespace { of: inner } => {
                self.value(inner);
            }
            FlowObject::Identity | FlowObject::MonkeyPatch => {}
            FlowObject::Text { name, written_in }
            | FlowObject::TextStart {
                start: name,
                written_in,
            } => {
                self.name(name);
                self.number(written_in);
            }
        }
    }

    fn number(&mut self, number: u32) {
        number.hash(&mut self.hasher);
    }

    fn name(&mut self, name: NameId) {
        self.solver.program.text(name).hash(&mut self.hasher);
    }

    fn symbol(&mut self, symbol: SymbolId) {
        self.solver.program.path(symbol).hash(&mut self.hasher);
    }

    fn site(&mut self, site: SiteId) {
        if site != NO_SITE
            && let Some(site) = self.solver.sites.get(site as usize)
        {
            self.number(site.item);
            self.number(site.token);
        }
    }

    fn instance(&mut self, instance: InstanceId) {
        let Some(run) = self.solver.instances.get(instance as usize) else {
            return;
        };
        if self.depth >= MAX_DEPTH {
            return;
        }
        self.depth += 1;
        self.number(run.item);
        self.context(run.context);
        self.instance(run.made_in);
        self.depth -= 1;
    }

    fn context(&mut self, context: ContextId) {
        (context == EACH).hash(&mut self.hasher);
        if context != SHARED
            && let Some(&context) = self.solver.contexts.get(context as usize)
        {
            context.is_object.hash(&mut self.hasher);
            self.site(context.site);
            self.instance(context.within);
        }
    }

    fn cell(&mut self, cell: CellId) {
        if self.depth >= MAX_DEPTH {
            return;
        }
        self.depth += 1;
        match self.solver.cells.key_of(cell) {
            Some(key) => self.key(key),
            None => {
                // The cells of a run follow each other, and those of later runs are behind.
                let runs = &self.solver.instances;
                let at = runs.partition_point(|run| run.base <= cell);
                if let Some(at) = at.checked_sub(1)
                    && cell <= runs[at].sent
                {
                    self.number(cell - runs[at].base);
                    self.instance(at as InstanceId);
                }
            }
        }
        self.depth -= 1;
    }

    fn key(&mut self, key: CellKey) {
        discriminant(&key).hash(&mut self.hasher);
        match key {
            CellKey::Global(item, name) | CellKey::ClassName(item, name) => {
                self.number(item);
                self.name(name);
            }
            CellKey::Attribute(item, name, context) => {
                self.number(item);
                self.name(name);
                self.context(context);
            }
            CellKey::OfFunction(item, made_in, name) => {
                self.number(item);
                self.instance(made_in);
                self.name(name);
            }
            CellKey::Variable(run, name) => {
                self.instance(run);
                self.name(name);
            }
            CellKey::NameText(name) => self.name(name),
            CellKey::Registered(item) | CellKey::Elements(item) | CellKey::RequestParam(item) => {
                self.number(item);
            }
            CellKey::Element(cell, part) => {
                self.cell(cell);
                discriminant(&part).hash(&mut self.hasher);
                match part {
                    Key::Any | Key::Keys | Key::Slice => {}
                    Key::Index(at) => self.number(at),
                    Key::Text(name) => self.name(name),
                }
            }
            CellKey::Declared(run, number) | CellKey::ItemNode(run, number) => {
                self.instance(run);
                self.number(number);
            }
            CellKey::Decorating(run, number, which) => {
                self.instance(run);
                self.number(number);
                self.number(which);
            }
            CellKey::Beside(cell, number) => {
                self.cell(cell);
                self.number(number);
            }
        }
    }
}
