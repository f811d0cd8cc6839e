//! Containers: elements by constant key and index, iteration and unpacking.

use super::attributes;
use super::body_cells::is_parameter;
use super::cells::{CellId, CellKey, Key, NOWHERE};
use super::constraints::Constraint;
use super::lazy;
use super::solver::{SiteId, Solver};
use super::special;
use super::values::{ContainerKind, FlowObject, ValueId};

/// Returns the container that a value is or has.
pub(super) fn container_of(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
) -> Option<(CellId, ContainerKind)> {
    match solver.values.get(value) {
        FlowObject::Container { site, kind } => Some((site, kind)),
        FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
            let order = solver.program.mro(class).to_vec();
            let facts = solver.program.class(class)?;
            if !facts.is_container {
                return None;
            }
            let kind = if facts.is_mapping {
                ContainerKind::Mapping
            } else {
                ContainerKind::Sequence
            };
            let site = solver.cell(CellKey::Elements(class));
            // What a method of a base puts in is in the object, too.
            for &base in &order[1..] {
                if solver
                    .program
                    .class(base)
                    .is_some_and(|facts| facts.is_container)
                {
                    let from = solver.cell(CellKey::Elements(base));
                    copy(solver, from, site);
                }
            }
            Some((site, kind))
        }
        _ => None,
    }
}

/// Lets a container take all parts of another one.
pub(super) fn copy(solver: &mut Solver<'_, '_>, from: CellId, to: CellId) {
    for (from, to) in solver.cells.copy_elements(from, to) {
        solver.edge(from, to);
    }
}

/// Reads all elements of a container but the keys.
pub(super) fn read_all(solver: &mut Solver<'_, '_>, site: CellId, to: CellId) {
    if to == NOWHERE {
        return;
    }
    for from in solver.cells.read_elements(site, to) {
        solver.edge(from, to);
    }
}

/// Reads an element by its key.
pub(super) fn read_key(solver: &mut Solver<'_, '_>, site: CellId, key: Key, to: CellId) {
    if key == Key::Any {
        read_all(solver, site, to);
        return;
    }
    for key in [key, Key::Any] {
        let from = solver.cell(CellKey::Element(site, key));
        solver.edge(from, to);
    }
}

/// Reads `container[key]`. A slice of `*args` is not followed: `partial(args[0], *args[1:])` would pass anything to any function.
fn read(solver: &mut Solver<'_, '_>, container: CellId, key: Key, to: CellId) {
    if key != Key::Slice {
        read_key(solver, container, key, to);
    } else if to != NOWHERE && !is_parameter(solver, container) {
        let site = slice_of(solver, container);
        let kind = ContainerKind::Sequence;
        solver.add(to, FlowObject::Container { site, kind });
    }
}

/// The number of the cell beside a container that is the identity of its slices: no import has it.
const SLICE: u32 = u32::MAX;

/// Returns the identity of the slices of a container, which are one: their elements have other indices. A slice of one is the same.
fn slice_of(solver: &mut Solver<'_, '_>, container: CellId) -> CellId {
    let key = CellKey::Beside(container, SLICE);
    if matches!(
        solver.cells.key_of(container),
        Some(CellKey::Beside(_, SLICE))
    ) {
        return container;
    }
    let is_known = solver.cells.has(key);
    let slice = solver.cell(key);
    if !is_known {
        let any = solver.cell(CellKey::Element(slice, Key::Any));
        read_all(solver, container, any);
    }
    slice
}

/// Reads `value[key]`.
pub(super) fn load(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    key: Key,
    index: CellId,
    to: CellId,
    site: SiteId,
) {
    match solver.values.get(value) {
        FlowObject::Class(class) => {
            // `C[T]` is the class.
            solver.add_value(to, value);
            let hook = solver.name("__class_getitem__");
            let order = solver.program.mro(class);
            if solver.program.binding_class(order, hook).is_some() {
                let method = solver.beside(to, 4);
                if to != NOWHERE {
                    super::attributes::class_names(solver, order, value, hook, method, site);
                }
            }
            special::operator(solver, value, &["__getitem__"], index, to, site);
        }
        FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
            let name = solver.name("__getitem__");
            let order = solver.program.mro(class);
            if solver.program.binding_class(order, name).is_some() {
                special::operator(solver, value, &["__getitem__"], index, to, site);
            } else if let Some((container, _)) = container_of(solver, value) {
                read(solver, container, key, to);
            }
        }
        FlowObject::Container { site, .. } => read(solver, site, key, to),
        FlowObject::Namespace { of } => {
            if let Key::Text(name) = key {
                attributes::load(solver, of, name, to, site);
            }
        }
        _ => {}
    }
}

/// Stores `value[key]`.
pub(super) fn store(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    key: Key,
    index: CellId,
    from: CellId,
    site: SiteId,
) {
    if let FlowObject::Instance(class, _) | FlowObject::Declared(class) = solver.values.get(value) {
        let name = solver.name("__setitem__");
        let order = solver.program.mro(class);
        if solver.program.binding_class(order, name).is_some() {
            special::run_method(solver, value, name, &[index, from], NOWHERE, site);
            return;
        }
    }
    if let (FlowObject::Namespace { of }, Key::Text(name)) = (solver.values.get(value), key) {
        attributes::hold(solver, of, name, from);
    }
    if let Some((container, _)) = container_of(solver, value) {
        if key == Key::Slice {
            solver.constrain(from, Constraint::CopyInto { site: container });
            return;
        }
        let to = solver.cell(CellKey::Element(container, key));
        let keys = solver.cell(CellKey::Element(container, Key::Keys));
        solver.edge(from, to);
        solver.edge(index, keys);
    }
}

/// The methods that iterating over an object may run.
pub(super) const ITERATED_BY: [&str; 5] = [
    "__iter__",
    "__aiter__",
    "__next__",
    "__anext__",
    "__getitem__",
];

/// Iterates over a value.
pub(super) fn iterate(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    to: CellId,
    is_async: bool,
    site: SiteId,
) {
    let names = ITERATED_BY.map(|name| solver.name(name));
    if let Some(objects) = special::declared_objects(solver, value, &names) {
        for object in objects {
            iterate(solver, object, to, is_async, site);
        }
        return;
    }
    match solver.values.get(value) {
        FlowObject::Generator(run) => {
            let yielded = solver.instances[run as usize].yielded;
            solver.edge(yielded, to);
        }
        FlowObject::Container {
            site: container,
            kind,
        } => {
            lazy::consume(solver, container, site);
            iterate_container(solver, container, kind, to);
        }
        FlowObject::Instance(class, _) => {
            let (iter, next) = if is_async {
                ("__aiter__", "__anext__")
            } else {
                ("__iter__", "__next__")
            };
            let program = solver.program;
            let order = program.mro(class);
            let iter = solver.name(iter);
            if program.binding_class(order, iter).is_some() {
                let iterator = solver.cells.block(1);
                solver.constrain(iterator, Constraint::Next { to, is_async, site });
                special::run_method(solver, value, iter, &[], iterator, site);
            } else if let Some((container, kind)) = container_of(solver, value) {
                iterate_container(solver, container, kind, to);
            } else {
                let get = solver.name("__getitem__");
                if program.binding_class(order, get).is_some() {
                    special::operator(solver, value, &["__getitem__"], NOWHERE, to, site);
                } else {
                    special::operator(solver, value, &[next], NOWHERE, to, site);
                }
            }
        }
        FlowObject::Class(_) => {
            let iterator = solver.cells.block(1);
            solver.constrain(iterator, Constraint::Next { to, is_async, site });
            special::operator(solver, value, &["__iter__"], NOWHERE, iterator, site);
        }
        _ => {}
    }
}

/// Takes the next element of an iterator.
pub(super) fn next(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    to: CellId,
    is_async: bool,
    site: SiteId,
) {
    if let FlowObject::Instance(..) | FlowObject::Declared(_) = solver.values.get(value) {
        if is_async {
            let coroutine = solver.cells.block(1);
            solver.constrain(coroutine, Constraint::Await { to, site });
            special::operator(solver, value, &["__anext__"], NOWHERE, coroutine, site);
        } else {
            special::operator(solver, value, &["__next__"], NOWHERE, to, site);
        }
    } else {
        iterate(solver, value, to, is_async, site);
    }
}

fn iterate_container(solver: &mut Solver<'_, '_>, site: CellId, kind: ContainerKind, to: CellId) {
    if kind == ContainerKind::Mapping {
        let keys = solver.cell(CellKey::Element(site, Key::Keys));
        solver.edge(keys, to);
    } else {
        read_all(solver, site, to);
    }
}

/// Reads all that iterating over a value gives.
pub(super) fn elements(solver: &mut Solver<'_, '_>, value: ValueId, to: CellId) {
    iterate(solver, value, to, false, super::solver::NO_SITE);
}

/// Unpacks an element.
pub(super) fn unpack(solver: &mut Solver<'_, '_>, value: ValueId, at: i32, to: CellId) {
    match solver.values.get(value) {
        FlowObject::Container { site, kind } if kind != ContainerKind::Mapping => {
            let key = match u32::try_from(at) {
                Ok(at) => Key::Index(at),
                Err(_) => Key::Any,
            };
            read_key(solver, site, key, to);
        }
        _ => elements(solver, value, to),
    }
}

/// Puts the parts of a value into a container.
pub(super) fn copy_into(solver: &mut Solver<'_, '_>, value: ValueId, to: CellId) {
    match container_of(solver, value) {
        Some((from, _)) => copy(solver, from, to),
        None => {
            let any = solver.cell(CellKey::Element(to, Key::Any));
            if let FlowObject::Generator(_) = solver.values.get(value) {
                elements(solver, value, any);
            } else if let FlowObject::Instance(..) | FlowObject::Declared(_) =
                solver.values.get(value)
            {
                let keys = solver.cell(CellKey::Element(to, Key::Keys));
                special::operator(
                    solver,
                    value,
                    &["__getitem__"],
                    keys,
                    any,
                    super::solver::NO_SITE,
                );
                elements(solver, value, any);
            }
        }
    }
}

/// Puts the elements of a value into the containers of a cell: `of += value`.
pub(super) fn extend(solver: &mut Solver<'_, '_>, value: ValueId, of: CellId) {
    if of == NOWHERE
        || !matches!(
            solver.values.get(value),
            FlowObject::Container { .. } | FlowObject::Generator(_)
        )
    {
        return;
    }
    solver.constrain(of, Constraint::TakeAll { from: value });
}
