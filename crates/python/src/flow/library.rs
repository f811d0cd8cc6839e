//! What calls of a library's functions do, of those that have a model, and the methods of containers.

use std::sync::Arc;

use codeweft_db::{NameId, SymbolId};

use super::calls::{Argument, CallSite};
use super::cells::{CellId, CellKey, Key, NOWHERE};
use super::constraints::Constraint;
use super::lazy::{self, Work};
use super::models::{Model, model_of};
use super::program::{ItemId, NO_ITEM};
use super::solver::Solver;
use super::values::{ContainerKind, FlowObject, ValueId, Wrapper};
use super::{attributes, containers, contexts, names};

/// The number of elements of `*x` whose order `pytest.param` keeps.
const MAX_SPREAD: i32 = 8;

/// Calls a function of a library.
pub(super) fn run(solver: &mut Solver<'_, '_>, symbol: SymbolId, call: &Arc<CallSite>) {
    let Some(model) = model_of(solver, symbol) else {
        if call.is_decorator {
            solver.edge(call.argument(0), call.result);
        }
        return;
    };
    let (first, to, site) = (call.argument(0), call.result, call.site);
    match model {
        Model::Wraps(by) => {
            let inner = call.named(solver, 0, "fget");
            solver.constrain(inner, Constraint::Wrap { by, to });
        }
        Model::Identity => solver.edge(first, to),
        Model::Returns(at) => solver.edge(call.argument(at), to),
        Model::MakesIdentity => solver.add(to, FlowObject::Identity),
        Model::IdentityOrMaker => {
            if first == NOWHERE {
                solver.add(to, FlowObject::Identity);
            } else {
                solver.edge(first, to);
            }
        }
        Model::Generic => solver.edge(first, to),
        Model::Partial => {
            if call.number != u32::MAX {
                solver.add(to, FlowObject::Partial(call.number));
            }
        }
        Model::GetAttr => {
            let constraint = Constraint::NamedLoad {
                object: first,
                to,
                site,
            };
            solver.constrain(call.argument(1), constraint);
            solver.edge(call.argument(2), to);
        }
        Model::SetAttr => {
            let constraint = Constraint::NamedStore {
                object: first,
                from: call.argument(2),
                site,
            };
            solver.constrain(call.argument(1), constraint);
        }
        Model::Sequence => {
            let any = sequence(solver, to);
            take_elements(solver, call, any);
            let key = call.keyword(solver, "key");
            call_back(solver, key, &[any], NOWHERE, call);
        }
        Model::Iterator => {
            let (container, any) = iterator(solver, to);
            take_elements(solver, call, any);
            lazy::add(solver, container, Work::Takes(first));
            let by_name = match call.keyword(solver, "key") {
                NOWHERE => call.keyword(solver, "func"),
                key => key,
            };
            let function = match by_name {
                NOWHERE => call.argument(1),
                function => function,
            };
            call_later(solver, container, function, &[any], NOWHERE, call);
        }
        Model::Chain => {
            let (container, any) = iterator(solver, to);
            for argument in &call.positional {
                match *argument {
                    Argument::One(cell) => {
                        solver.constrain(cell, Constraint::Elements { to: any });
                        lazy::add(solver, container, Work::Takes(cell));
                    }
                    Argument::Spread(cell) => {
                        let inner = solver.cells.block(1);
                        solver.constrain(cell, Constraint::Elements { to: inner });
                        solver.constrain(inner, Constraint::Elements { to: any });
                    }
                }
            }
        }
        Model::Next => {
            let constraint = Constraint::Next {
                to,
                is_async: false,
                site,
            };
            solver.constrain(first, constraint);
            solver.edge(call.argument(1), to);
        }
        Model::Dict => {
            let site = solver.container_at(to, ContainerKind::Mapping);
            fill(solver, call, site, ContainerKind::Mapping);
        }
        Model::DefaultDict => {
            let site = solver.container_at(to, ContainerKind::Mapping);
            let any = solver.cell(CellKey::Element(site, Key::Any));
            call_back(solver, first, &[], any, call);
        }
        Model::Enumerate => {
            let (container, any) = iterator(solver, to);
            lazy::add(solver, container, Work::Takes(first));
            let pair = solver.container_in(any);
            let second = solver.cell(CellKey::Element(pair, Key::Index(1)));
            let constraint = Constraint::Iterate {
                to: second,
                is_async: false,
                site,
            };
            solver.constrain(first, constraint);
        }
        Model::Zip => {
            let (container, any) = iterator(solver, to);
            let row = solver.container_in(any);
            for (argument, at) in call.positional.iter().zip(0..) {
                if let Argument::One(cell) = *argument {
                    let to = solver.cell(CellKey::Element(row, Key::Index(at)));
                    solver.constrain(cell, Constraint::Elements { to });
                    lazy::add(solver, container, Work::Takes(cell));
                }
            }
        }
        Model::Map => {
            let (container, any) = iterator(solver, to);
            let mut arguments = Vec::new();
            for argument in call.positional.iter().skip(1) {
                if let Argument::One(cell) = *argument {
                    let element = solver.cells.block(1);
                    solver.constrain(cell, Constraint::Elements { to: element });
                    lazy::add(solver, container, Work::Takes(cell));
                    arguments.push(element);
                }
            }
            call_later(solver, container, first, &arguments, any, call);
        }
        Model::Filter => {
            let (container, any) = iterator(solver, to);
            solver.constrain(call.argument(1), Constraint::Elements { to: any });
            lazy::add(solver, container, Work::Takes(call.argument(1)));
            call_later(solver, container, first, &[any], NOWHERE, call);
        }
        Model::Reduce => {
            let element = solver.cells.block(1);
            solver.constrain(call.argument(1), Constraint::Elements { to: element });
            solver.edge(call.argument(2), to);
            solver.edge(element, to);
            call_back(solver, first, &[to, element], to, call);
        }
        Model::Choose => {
            let element = solver.cells.block(1);
            if call.positional.len() == 1 {
                solver.constrain(first, Constraint::Elements { to: element });
            } else {
                for argument in &call.positional {
                    if let Argument::One(cell) = *argument {
                        solver.edge(cell, element);
                    }
                }
            }
            solver.edge(element, to);
            let key = call.keyword(solver, "key");
            call_back(solver, key, &[element], NOWHERE, call);
        }
        Model::TypeOf => match call.positional[..] {
            [_] => solver.constrain(first, Constraint::ClassOf { to, site }),
            // The class that it makes has what its bases have, and names that are not followed.
            [_, Argument::One(bases), _] if to != NOWHERE => {
                solver.constrain(bases, Constraint::Elements { to });
            }
            _ => {}
        },
        Model::Inspects | Model::Compares | Model::Exception => {}
        Model::Vars => {
            let name = solver.name("__dict__");
            solver.constrain(first, Constraint::Load { name, to, site });
        }
        Model::New => {
            let context = contexts::of_new(solver, call.within);
            solver.constrain(first, Constraint::New { context, to });
        }
        Model::Calls(at) => {
            let mut function = call.argument(at);
            for name in ["target", "function", "func", "callback"] {
                if function == NOWHERE {
                    function = call.keyword(solver, name);
                }
            }
            let given = call.keyword(solver, "args");
            let mut arguments = Vec::new();
            if given != NOWHERE {
                arguments.push(Argument::Spread(given));
            }
            call_with(solver, function, arguments, NOWHERE, call);
        }
        Model::Runs(at) => {
            // With keywords nothing is known of it.
            if let Some(arguments) = call.positional.get(at + 1..)
                && call.keywords.is_empty()
            {
                call_with(solver, call.argument(at), arguments.to_vec(), NOWHERE, call);
            }
        }
        Model::Factory => call_back(solver, first, &[], to, call),
        Model::Field => {
            let default = call.keyword(solver, "default");
            solver.edge(default, to);
            for name in ["factory", "default_factory"] {
                let factory = call.keyword(solver, name);
                call_back(solver, factory, &[], to, call);
            }
        }
        Model::ParameterSet => {
            let site = solver.container_at(to, ContainerKind::ParameterSet);
            for (argument, at) in call.positional.iter().zip(0..) {
                match *argument {
                    Argument::One(cell) => {
                        let to = solver.cell(CellKey::Element(site, Key::Index(at)));
                        solver.edge(cell, to);
                    }
                    Argument::Spread(cell) => {
                        for next in 0..MAX_SPREAD {
                            let key = Key::Index(at + next.unsigned_abs());
                            let to = solver.cell(CellKey::Element(site, key));
                            solver.constrain(cell, Constraint::Unpack { at: next, to });
                        }
                        break;
                    }
                }
            }
        }
        Model::Special(methods) => {
            let methods = solver.methods(methods);
            let constraint = Constraint::Special {
                methods,
                argument: NOWHERE,
                to: NOWHERE,
                site,
            };
            solver.constrain(first, constraint);
        }
    }
}

/// Lets the result of a call take the elements of its first argument; one that keeps its order.
fn take_elements(solver: &mut Solver<'_, '_>, call: &CallSite, any: CellId) {
    let first = call.argument(0);
    let constraint = Constraint::Iterate {
        to: any,
        is_async: false,
        site: call.site,
    };
    solver.constrain(first, constraint);
    if matches!(call.positional.first(), Some(Argument::One(_))) {
        // A tuple of a tuple keeps its order.
        solver.constrain(first, Constraint::Reorder { of: call.result });
    }
}

/// Makes a sequence; returns the cell of its elements.
fn sequence(solver: &mut Solver<'_, '_>, to: CellId) -> CellId {
    let site = solver.container_at(to, ContainerKind::Sequence);
    solver.cell(CellKey::Element(site, Key::Any))
}

/// Makes an iterator; returns its container and the cell of its elements.
fn iterator(solver: &mut Solver<'_, '_>, to: CellId) -> (CellId, CellId) {
    let container = solver.container_at(to, ContainerKind::Sequence);
    (
        container,
        solver.cell(CellKey::Element(container, Key::Any)),
    )
}

/// Calls a function that was given to a library, which runs it as an iterator is consumed.
fn call_later(
    solver: &mut Solver<'_, '_>,
    container: CellId,
    function: CellId,
    arguments: &[CellId],
    result: CellId,
    call: &CallSite,
) {
    if function == NOWHERE {
        return;
    }
    call_back(solver, function, arguments, result, call);
    let arguments = arguments.iter().map(|&cell| Argument::One(cell)).collect();
    lazy::add(
        solver,
        container,
        Work::Calls {
            function,
            arguments,
        },
    );
}

/// Calls a function that was given to a library.
fn call_back(
    solver: &mut Solver<'_, '_>,
    function: CellId,
    arguments: &[CellId],
    result: CellId,
    call: &CallSite,
) {
    let arguments = arguments.iter().map(|&cell| Argument::One(cell)).collect();
    call_with(solver, function, arguments, result, call);
}

/// Calls a function that was given to a library. It may be one of a library that calls what it is given, again and again: `map(map, …)`.
fn call_with(
    solver: &mut Solver<'_, '_>,
    function: CellId,
    arguments: Vec<Argument>,
    result: CellId,
    call: &CallSite,
) {
    if function == NOWHERE {
        return;
    }
    match call.making(arguments, result) {
        Some(made) => {
            let made = made.kept(solver);
            solver.constrain(function, Constraint::Call { call: made });
        }
        None => solver.lose_call(call),
    }
}

/// Fills a container with what its constructor is given.
pub(super) fn fill(
    solver: &mut Solver<'_, '_>,
    call: &CallSite,
    site: CellId,
    kind: ContainerKind,
) {
    let given = call.argument(0);
    if kind == ContainerKind::Mapping {
        solver.constrain(given, Constraint::CopyInto { site });
        let pair = solver.beside(site, 6);
        solver.constrain(given, Constraint::Pairs { to: pair });
        let any = solver.cell(CellKey::Element(site, Key::Any));
        let keys = solver.cell(CellKey::Element(site, Key::Keys));
        solver.constrain(pair, Constraint::Unpack { at: 1, to: any });
        solver.constrain(pair, Constraint::Unpack { at: 0, to: keys });
        for &(name, from) in &call.keywords {
            if solver.program.text(name).is_empty() {
                solver.constrain(from, Constraint::CopyInto { site });
            } else {
                let to = solver.cell(CellKey::Element(site, Key::Text(name)));
                solver.edge(from, to);
                solver.add_text(keys, name, NO_ITEM);
            }
        }
    } else {
        let any = solver.cell(CellKey::Element(site, Key::Any));
        solver.constrain(given, Constraint::Elements { to: any });
    }
}

/// Calls a method that the library provides of a value.
pub(super) fn run_method(
    solver: &mut Solver<'_, '_>,
    receiver: ValueId,
    name: NameId,
    call: &Arc<CallSite>,
) {
    let text = solver.program.text(name);
    let to = call.result;
    match solver.values.get(receiver) {
        FlowObject::Generator(run) => {
            let run = solver.instances[run as usize];
            if text == "send" || text == "asend" {
                solver.edge(call.argument(0), run.sent);
            }
            solver.edge(run.yielded, to);
        }
        FlowObject::Text { .. } | FlowObject::TextStart { .. } => {
            names::changed(solver, receiver, text, to);
        }
        FlowObject::Context(run) if text == "__enter__" => {
            let yielded = solver.instances[run as usize].yielded;
            solver.edge(yielded, to);
        }
        FlowObject::Wrapped {
            by: Wrapper::Property,
            ..
        } if matches!(text, "setter" | "deleter" | "getter") => solver.add_value(to, receiver),
        FlowObject::Function { item, .. } if text == "register" => {
            // `register(function)`, `register(type)(function)` and `register(type, function)`
            let function = call.named(solver, 1, "func");
            let last = if function == NOWHERE {
                call.argument(0)
            } else {
                function
            };
            solver.constrain(last, Constraint::Register { function: item });
            if function == NOWHERE {
                solver.edge(last, to);
                solver.add(to, FlowObject::Method { receiver, name });
            }
        }
        FlowObject::Instance(..) if text == "__getattribute__" => {
            if attributes::is_not_found(solver, call.site) {
                return;
            }
            let object = solver.cells.block(1);
            solver.add_value(object, receiver);
            let site = call.site;
            solver.constrain(call.argument(0), Constraint::NamedLoad { object, to, site });
        }
        FlowObject::Namespace { of } => names::run_method_of_namespace(solver, of, text, call),
        FlowObject::MonkeyPatch => super::fixtures::patch(solver, text, call),
        FlowObject::Request(fixture) => super::fixtures::requested(solver, fixture, text, call),
        _ => {
            if let Some((site, kind)) = containers::container_of(solver, receiver) {
                of_container(solver, receiver, site, kind, text, call);
            }
        }
    }
}

fn of_container(
    solver: &mut Solver<'_, '_>,
    receiver: ValueId,
    site: CellId,
    kind: ContainerKind,
    method: &str,
    call: &Arc<CallSite>,
) {
    let (first, second, to) = (call.argument(0), call.argument(1), call.result);
    let any = solver.cell(CellKey::Element(site, Key::Any));
    let is_mapping = kind == ContainerKind::Mapping;
    match method {
        "append" | "add" | "appendleft" => solver.edge(first, any),
        "insert" => solver.edge(second, any),
        "extend" | "extendleft" | "__iadd__" | "union" | "intersection" | "difference" => {
            solver.constrain(first, Constraint::Elements { to: any });
            solver.add_value(to, receiver);
        }
        "update" if is_mapping => {
            fill(solver, call, site, kind);
        }
        "update" => solver.constrain(first, Constraint::Elements { to: any }),
        "setdefault" => {
            let element = solver.cell(CellKey::Element(site, call.key));
            let keys = solver.cell(CellKey::Element(site, Key::Keys));
            solver.edge(second, element);
            solver.edge(first, keys);
            containers::read_key(solver, site, call.key, to);
        }
        "get" | "pop" | "__getitem__" | "popleft" if is_mapping => {
            solver.edge(second, to);
            containers::read_key(solver, site, call.key, to);
        }
        "__next__" => {
            lazy::consume(solver, site, call.site);
            containers::read_all(solver, site, to);
        }
        "pop" | "popleft" | "__getitem__" => containers::read_all(solver, site, to),
        "items" | "popitem" => {
            let elements = match method {
                "items" => sequence(solver, to),
                _ => to,
            };
            if elements == NOWHERE {
                return;
            }
            let pair = solver.container_in(elements);
            let key = solver.cell(CellKey::Element(pair, Key::Index(0)));
            let value = solver.cell(CellKey::Element(pair, Key::Index(1)));
            let keys = solver.cell(CellKey::Element(site, Key::Keys));
            solver.edge(keys, key);
            containers::read_all(solver, site, value);
        }
        "values" => {
            let elements = sequence(solver, to);
            containers::read_all(solver, site, elements);
        }
        "keys" | "__iter__" if is_mapping => {
            let elements = sequence(solver, to);
            let keys = solver.cell(CellKey::Element(site, Key::Keys));
            solver.edge(keys, elements);
        }
        "copy" | "__iter__" | "__enter__" => solver.add_value(to, receiver),
        "sort" => {
            let element = solver.beside(site, 7);
            containers::read_all(solver, site, element);
            let key = call.keyword(solver, "key");
            call_back(solver, key, &[element], NOWHERE, call);
        }
        "__setitem__" => solver.edge(second, any),
        _ => {}
    }
}

/// Reads the class of a value.
pub(super) fn class_of(solver: &mut Solver<'_, '_>, value: ValueId, to: CellId) {
    match solver.values.get(value) {
        FlowObject::Instance(class, _) => solver.add(to, FlowObject::Class(class)),
        FlowObject::Declared(class) => {
            solver.add(to, FlowObject::Class(class));
            let program = solver.program;
            for &subclass in program.subclasses(class) {
                solver.add(to, FlowObject::Class(subclass));
            }
        }
        FlowObject::Class(class) => {
            let facts = solver.program.class(class);
            if let Some(meta) = facts.and_then(|facts| facts.metaclass) {
                solver.add(to, FlowObject::Class(meta));
            }
        }
        _ => {}
    }
}

/// Registers a function for a generic one.
pub(super) fn register(solver: &mut Solver<'_, '_>, value: ValueId, function: ItemId) {
    if matches!(
        solver.values.get(value),
        FlowObject::Function { .. } | FlowObject::Bound { .. }
    ) {
        let cell = solver.cell(CellKey::Registered(function));
        solver.add_value(cell, value);
    }
}
