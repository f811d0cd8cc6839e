//! The values that flow begins with where inference knows them by declarations.

use codeweft_db::SymbolId;
use codeweft_python_syntax::{ItemKind, Range};

use super::cells::{CellId, CellKey, Key};
use super::constraints::Constraint;
use super::instances::{self, Arena, around, cell_of, seeds_of};
use super::program::{ItemId, NO_ITEM};
use super::seeds::Seed;
use super::solver::Solver;
use super::values::{ContainerKind, FlowObject, InstanceId, SHARED};

/// Adds the known values of a body's nodes.
pub(super) fn seed(solver: &mut Solver<'_, '_>, instance: InstanceId, nodes: Range) {
    let run = solver.instances[instance as usize];
    let mut seeds = seeds_of(solver, run.item, nodes);
    // Inference numbers values as it meets them; the order of the program is the same in every database.
    seeds.sort_by_cached_key(|&(node, seed)| (node, order(solver, seed)));
    for (node, seed) in seeds {
        let to = cell_of(solver, instance, Arena::Body, node);
        match seed {
            Seed::Instance(class) => {
                if let Some(class) = solver.program.item_of(class) {
                    solver.add(to, FlowObject::Declared(class));
                }
            }
            Seed::ExactInstance(class) => {
                // What `__new__` returns flows.
                let new = solver.name("__new__");
                let program = solver.program;
                let class = program.item_of(class);
                let class =
                    class.filter(|&class| program.binding_class(program.mro(class), new).is_none());
                if let Some(class) = class {
                    solver.add(to, FlowObject::Instance(class, SHARED));
                }
            }
            Seed::Receiver(class) => own_object(solver, instance, class, to),
            Seed::ReceiverClass(class) => receiver(solver, instance, class, to, FlowObject::Class),
            Seed::Class(class) => match solver.program.item_of(class) {
                Some(class) => solver.add(to, FlowObject::Class(class)),
                None => solver.add(to, FlowObject::Library(class)),
            },
            Seed::Subclass(class) => {
                if let Some(class) = solver.program.item_of(class) {
                    with_subclasses(solver, class, to, FlowObject::Class);
                }
            }
            Seed::Function(function) => function_value(solver, instance, function, to),
            Seed::Module(module) => match solver.program.file_of_module(module) {
                Some(file) => solver.add(to, FlowObject::Module(file)),
                None => solver.add(to, FlowObject::Library(module)),
            },
            Seed::Super(class) => super_object(solver, instance, class, to),
            Seed::Elements(class, is_mapping) => {
                declared_elements(solver, to, class, is_mapping);
            }
        }
    }
}

/// Returns the key by which values are sorted: those of the workspace in the order of the program, those of libraries by name.
fn order(solver: &Solver<'_, '_>, seed: Seed) -> (ItemId, u8, String) {
    let program = solver.program;
    let symbol = seed.symbol();
    let item = program.item_of(symbol).unwrap_or(NO_ITEM);
    let name = match item {
        NO_ITEM => program.path(symbol),
        _ => String::new(),
    };
    (item, seed.kind(), name)
}

fn with_subclasses(
    solver: &mut Solver<'_, '_>,
    class: ItemId,
    to: CellId,
    object: impl Fn(ItemId) -> FlowObject,
) {
    solver.add(to, object(class));
    let program = solver.program;
    for &subclass in program.subclasses(class) {
        solver.add(to, object(subclass));
    }
}

/// Adds the object of a method.
fn own_object(solver: &mut Solver<'_, '_>, instance: InstanceId, class: SymbolId, to: CellId) {
    let run = solver.instances[instance as usize];
    let Some(class) = solver.program.item_of(class).filter(|_| !run.is_separate()) else {
        return;
    };
    // What calls `super()` takes the receiver from the parameter.
    if solver.program.parent(run.item) == Some(class) && run.params < run.result {
        solver.add(run.params, FlowObject::Declared(class));
    }
    solver.add(to, FlowObject::Declared(class));
}

/// Adds the class of a class method: its own, and the subclasses that do not override it.
fn receiver(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    class: SymbolId,
    to: CellId,
    object: impl Fn(ItemId) -> FlowObject,
) {
    let program = solver.program;
    let Some(class) = program.item_of(class) else {
        return;
    };
    if solver.instances[instance as usize].is_separate() {
        return;
    }
    // What calls `super()` takes the receiver from the parameter.
    let run = solver.instances[instance as usize];
    let is_own = program.parent(run.item) == Some(class) && run.params < run.result;
    let first = if is_own { run.params } else { to };
    solver.add(to, object(class));
    solver.add(first, object(class));
    let mut method = Some(run.item);
    while let Some(at) = method
        && program.parent(at) != Some(class)
    {
        method = program.parent(at);
    }
    let name = method.map(|method| program.item(method).name);
    for &subclass in program.subclasses(class) {
        let order = program.mro(subclass);
        let found = name.and_then(|name| program.binding_class(order, name));
        if found.is_none_or(|found| order.get(found) == Some(&class)) {
            solver.add(to, object(subclass));
            solver.add(first, object(subclass));
        }
    }
}

/// Adds a function that a name means. What decorators made of a function of the workspace flows by itself.
fn function_value(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    function: SymbolId,
    to: CellId,
) {
    let program = solver.program;
    let Some(item) = program.item_of(function) else {
        solver.add(to, FlowObject::Library(function));
        return;
    };
    let Some(parent) = program.parent(item) else {
        return;
    };
    let made_in = match program.item(parent).kind {
        ItemKind::Module => Some(instances::ensure(solver, parent, instances::NO_INSTANCE, 0)),
        ItemKind::Function | ItemKind::Lambda => around(solver, instance, parent),
        ItemKind::Class => None,
    };
    if let Some(made_in) = made_in {
        let (_, number) = program.at(item);
        let from = instances::declared(solver, made_in, number);
        solver.edge(from, to);
    }
}

/// Lets a cell take `super()` for each receiver of the enclosing method.
fn super_object(solver: &mut Solver<'_, '_>, instance: InstanceId, class: SymbolId, to: CellId) {
    let program = solver.program;
    let Some(class) = program.item_of(class) else {
        return;
    };
    let mut at = instance;
    while let Some(&run) = solver.instances.get(at as usize) {
        if program.parent(run.item) == Some(class) && run.params < run.result {
            solver.constrain(run.params, Constraint::Super { class, to });
            return;
        }
        at = run.made_in;
    }
}

/// Adds a container whose declared elements are objects of a class.
fn declared_elements(solver: &mut Solver<'_, '_>, to: CellId, class: SymbolId, is_mapping: bool) {
    let Some(class) = solver.program.item_of(class) else {
        return;
    };
    let site = solver.beside(to, 1);
    let kind = if is_mapping {
        ContainerKind::Mapping
    } else {
        ContainerKind::Sequence
    };
    solver.add(to, FlowObject::Container { site, kind });
    let any = solver.cell(CellKey::Element(site, Key::Any));
    solver.add(any, FlowObject::Declared(class));
}
