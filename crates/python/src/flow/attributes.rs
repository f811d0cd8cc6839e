//! Attributes: by class along the method resolution order, through descriptors (Python reference, Data
//! model, "Invoking Descriptors").

use codeweft_db::{NameId, SymbolId};
use codeweft_python_syntax::ItemKind;

use super::calls::{self, Argument, Outcome};
use super::cells::{CellId, CellKey, NOWHERE};
use super::constraints::Constraint;
use super::lookups::Lookup;
use super::models::{is_of_method, model_of};
use super::program::ItemId;
use super::solver::{SiteId, Solver};
use super::values::{ContextId, EACH, FlowObject, SHARED, ValueId, Wrapper};
use super::{library_methods, names, special};
use crate::symbols::is_special;

/// Reads an attribute of a value.
pub(super) fn load(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    name: NameId,
    to: CellId,
    site: SiteId,
) {
    if names::is_namespace(solver, value, name) {
        solver.add(to, FlowObject::Namespace { of: value });
        return;
    }
    if let Some(objects) = special::declared_objects(solver, value, &[name]) {
        for object in objects {
            load(solver, object, name, to, site);
        }
        of_subclasses(solver, value, name, to);
        return;
    }
    let program = solver.program;
    match solver.values.get(value) {
        FlowObject::Instance(class, context) => {
            let hook = solver.name("__getattribute__");
            if !is_special(program.text(name))
                && !is_in_hook(solver, site, hook)
                && program.binding_class(program.mro(class), hook).is_some()
            {
                // It returns what is read anyway, and that of all names that it gets: only what it makes is new.
                let text = names::text(solver, name);
                let made = match to {
                    NOWHERE => NOWHERE,
                    to => solver.beside(to, 8),
                };
                solver.constrain(made, Constraint::Instead { to });
                special::run_method(solver, value, hook, &[text], made, site);
            }
            of_object(solver, value, (class, context), name, to, site);
        }
        FlowObject::Class(class) => of_class(solver, value, class, name, to, site),
        FlowObject::Super { class, receiver } => {
            let of = match solver.values.get(receiver) {
                FlowObject::Instance(of, _) | FlowObject::Class(of) => of,
                _ => return,
            };
            let order = program.mro(of);
            let after = order.iter().position(|&one| one == class);
            let rest = after.map_or(&[][..], |at| &order[at + 1..]);
            let is_bound = class_names(solver, rest, receiver, name, to, site);
            if !is_bound && program.text(name) == "__getattribute__" {
                method(solver, receiver, name, to);
            }
        }
        FlowObject::Module(file) => of_module(solver, file, name, to),
        FlowObject::Function { item, made_in } => {
            let text = program.text(name);
            match text {
                "__call__" => solver.add_value(to, value),
                "register" | "send" | "throw" => {
                    method(solver, value, name, to);
                }
                _ => {}
            }
            let from = solver.cell(CellKey::OfFunction(item, made_in, name));
            solver.edge(from, to);
        }
        FlowObject::Bound { function, receiver } => match program.text(name) {
            "__self__" => solver.add_value(to, receiver),
            "__func__" => solver.add_value(to, function),
            "__call__" => solver.add_value(to, value),
            _ => load(solver, function, name, to, site),
        },
        FlowObject::Request(fixture) => {
            if program.text(name) == "param" {
                let from = solver.cell(CellKey::RequestParam(fixture));
                solver.edge(from, to);
            } else {
                method(solver, value, name, to);
            }
        }
        FlowObject::Partial(call) if program.text(name) == "func" => {
            let made = solver.calls[call as usize].clone();
            if let Some(&Argument::One(function)) = made.positional.first() {
                solver.edge(function, to);
            }
        }
        FlowObject::Text { .. } | FlowObject::TextStart { .. } => {
            let text = program.text(name);
            if is_special(text) || library_methods::has_string(text) {
                method(solver, value, name, to);
            }
        }
        FlowObject::Container { .. } | FlowObject::Namespace { .. }
            if is_of_containers(program.text(name)) =>
        {
            method(solver, value, name, to);
        }
        FlowObject::Generator(_)
        | FlowObject::Coroutine(_)
        | FlowObject::Context(_)
        | FlowObject::MonkeyPatch
        | FlowObject::Wrapped { .. } => {
            method(solver, value, name, to);
        }
        _ => {}
    }
}

/// Adds what a hook makes, to run instead of the attribute that is read.
pub(super) fn instead(solver: &mut Solver<'_, '_>, value: ValueId, to: CellId) {
    let hook = solver.name("__getattribute__");
    let is_made_there = match solver.values.get(value) {
        FlowObject::Function { item, .. } => {
            let around = solver.program.parent(item);
            around.is_some_and(|around| solver.program.item(around).name == hook)
        }
        FlowObject::Partial(made) => {
            let made = solver.calls.get(made as usize);
            made.is_some_and(|made| is_in_hook(solver, made.site, hook))
        }
        _ => false,
    };
    if is_made_there {
        solver.add(to, FlowObject::Instead { inner: value });
    }
}

/// Returns whether a site is in a `__getattr__`, which runs for an attribute that is not found: nor is it where it is read again.
pub(super) fn is_not_found(solver: &mut Solver<'_, '_>, site: SiteId) -> bool {
    let hook = solver.name("__getattr__");
    is_in_hook(solver, site, hook)
}

/// Returns whether a site is in a hook of this name, which reads attributes as the classes above do.
fn is_in_hook(solver: &Solver<'_, '_>, site: SiteId, hook: NameId) -> bool {
    let site = solver.sites.get(site as usize);
    site.is_some_and(|site| solver.program.item(site.item).name == hook)
}

/// Returns whether the containers of the library have an attribute.
pub(super) fn is_of_containers(name: &str) -> bool {
    is_special(name) || library_methods::has_container(name)
}

/// Adds a method that the library provides of a value.
fn method(solver: &mut Solver<'_, '_>, receiver: ValueId, name: NameId, to: CellId) {
    solver.add(to, FlowObject::Method { receiver, name });
}

/// Reads what the objects of subclasses of a declared class hold, and those that have a context.
fn of_subclasses(solver: &mut Solver<'_, '_>, value: ValueId, name: NameId, to: CellId) {
    let FlowObject::Declared(class) = solver.values.get(value) else {
        return;
    };
    let program = solver.program;
    for &of in program.mro(class).iter().chain(program.subclasses(class)) {
        let each = solver.cell(CellKey::Attribute(of, name, EACH));
        solver.edge(each, to);
    }
    for &of in program.subclasses(class) {
        if is_stored(solver, &[of], name) {
            let from = solver.cell(CellKey::Attribute(of, name, SHARED));
            solver.edge(from, to);
        }
    }
}

/// Reads the attributes whose names have a start.
pub(super) fn load_start(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    start: NameId,
    to: CellId,
    site: SiteId,
) {
    let program = solver.program;
    let scopes: Vec<ItemId> = match solver.values.get(value) {
        FlowObject::Declared(class) => {
            let mut scopes = program.mro(class).to_vec();
            scopes.extend(program.subclasses(class));
            scopes
        }
        FlowObject::Instance(class, _) | FlowObject::Class(class) => program.mro(class).to_vec(),
        FlowObject::Module(file) => vec![program.module(file)],
        _ => return,
    };
    let mut seen: Vec<NameId> = Vec::new();
    for scope in scopes {
        for name in program.names_with(scope, program.text(start)) {
            if !seen.contains(&name) {
                seen.push(name);
                load(solver, value, name, to, site);
            }
        }
    }
}

fn of_module(solver: &mut Solver<'_, '_>, file: u32, name: NameId, to: CellId) {
    let program = solver.program;
    let of = &program.declarations.files[file as usize];
    let source = program.global(file, name);
    let from = solver.cell(CellKey::Global(source, name));
    solver.edge(from, to);
    if !program.binds(of.first, name)
        && source == file
        && let Some(&module) = of.symbols.first()
        && let Some(found) = program.symbol_of(Lookup::Submodule(module, name))
        && let Some(found) = program.file_of_module(found)
    {
        solver.add(to, FlowObject::Module(found));
    }
}

fn of_object(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    (class, context): (ItemId, ContextId),
    name: NameId,
    to: CellId,
    site: SiteId,
) {
    let program = solver.program;
    let order = program.mro(class);
    if program.text(name) == "__class__" {
        solver.add(to, FlowObject::Class(class));
        return;
    }
    let is_bound = class_names(solver, order, value, name, to, site);
    for &of in order {
        // What is stored in one that a decorator made is shared by none.
        let own = if of == class { context } else { SHARED };
        let from = solver.cell(CellKey::Attribute(of, name, own));
        solver.edge(from, to);
    }
    if is_bound {
        return;
    }
    if let Some(method) = modelled_method(solver, class, name) {
        solver.add(to, FlowObject::Library(method));
    }
    let is_container = program.class(class).is_some_and(|facts| facts.is_container);
    if is_container && is_of_containers(program.text(name)) {
        method(solver, value, name, to);
    }
    if !is_special(program.text(name)) && !is_stored(solver, order, name) {
        let hook = solver.name("__getattr__");
        if program.binding_class(order, hook).is_some() {
            let text = names::text(solver, name);
            special::run_method(solver, value, hook, &[text], to, site);
        }
    }
}

/// Returns the method of a library that the objects of a class have under a name, if it has a model.
fn modelled_method(solver: &mut Solver<'_, '_>, class: ItemId, name: NameId) -> Option<SymbolId> {
    let program = solver.program;
    if !is_of_method(program.text(name)) {
        return None;
    }
    let member = Lookup::Member(program.symbol(class), name);
    let method = program.symbol_of(member)?;
    model_of(solver, method).map(|_| method)
}

/// Returns whether a method of one of these classes stores an attribute of its object.
fn is_stored(solver: &Solver<'_, '_>, order: &[ItemId], name: NameId) -> bool {
    let stored = &solver.program.declarations.stored;
    order.iter().any(|&class| stored.contains(&(class, name)))
}

fn of_class(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    class: ItemId,
    name: NameId,
    to: CellId,
    site: SiteId,
) {
    let program = solver.program;
    let is_bound = class_names(solver, program.mro(class), value, name, to, site);
    let meta = program.class(class).and_then(|facts| facts.metaclass);
    if let Some(meta) = meta.filter(|_| !is_bound) {
        let order = program.mro(meta);
        class_names(solver, order, value, name, to, site);
        for &of in order {
            let from = solver.cell(CellKey::Attribute(of, name, SHARED));
            solver.edge(from, to);
        }
    }
    if program.text(name) == "__class__"
        && let Some(meta) = meta
    {
        solver.add(to, FlowObject::Class(meta));
    }
}

/// Reads a name of the first class of an order that binds it, and what was stored over it in those before;
/// returns whether one binds it.
pub(super) fn class_names(
    solver: &mut Solver<'_, '_>,
    order: &[ItemId],
    receiver: ValueId,
    name: NameId,
    to: CellId,
    site: SiteId,
) -> bool {
    for &class in order {
        let is_bound = solver.program.binds(class, name);
        let from = solver.cell(CellKey::ClassName(class, name));
        let key = (from, receiver, to, site);
        if solver.is_new_binding(key) {
            solver.constrain(from, Constraint::Bind { receiver, to, site });
        }
        if is_bound {
            return true;
        }
    }
    false
}

/// Reads what a class has for a name through an object or a class.
pub(super) fn bind(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    receiver: ValueId,
    to: CellId,
    site: SiteId,
) {
    let program = solver.program;
    // A metaclass's method binds the class; a class's own function stays as it is.
    let object = solver.values.get(receiver);
    let (of, is_class) = match object {
        FlowObject::Class(class) => (class, true),
        FlowObject::Instance(class, _) | FlowObject::Declared(class) => (class, false),
        _ => return,
    };
    let object = match object {
        FlowObject::Declared(class) => FlowObject::Instance(class, SHARED),
        object => object,
    };
    match solver.values.get(value) {
        FlowObject::Function { item, .. } => {
            let name = program.text(program.item(item).name);
            let owner = program.class_of_method(item);
            let of_metaclass =
                is_class && owner.is_some_and(|owner| !program.mro(of).contains(&owner));
            match name {
                "__new__" => solver.add_value(to, value),
                "__init_subclass__" | "__class_getitem__" => {
                    bound(solver, value, FlowObject::Class(of), to);
                }
                _ if of_metaclass && owner.is_some() => {
                    bound(solver, value, FlowObject::Class(of), to);
                }
                _ if is_class => solver.add_value(to, value),
                _ => bound(solver, value, object, to),
            }
        }
        FlowObject::Wrapped { by, inner } => match by {
            Wrapper::Property if is_class => solver.add_value(to, value),
            Wrapper::Property => {
                let call = special::plain_call(Vec::new(), to, site);
                calls::run_with(solver, inner, Some(receiver), &call, Outcome::Plain);
            }
            Wrapper::ClassMethod => bound(solver, inner, FlowObject::Class(of), to),
            Wrapper::StaticMethod => solver.add_value(to, inner),
            Wrapper::ContextManager if is_class => solver.add_value(to, value),
            Wrapper::ContextManager => bound(solver, value, object, to),
        },
        FlowObject::Partial(_) if !is_class => {
            bound(solver, value, object, to);
        }
        FlowObject::Instance(descriptor, _) => {
            let get = solver.name("__get__");
            if program
                .binding_class(program.mro(descriptor), get)
                .is_some()
            {
                let (object, owner) = (solver.beside(to, 2), solver.beside(to, 3));
                solver.add_value(object, receiver);
                solver.add(owner, FlowObject::Class(of));
                special::run_method(solver, value, get, &[object, owner], to, site);
            } else {
                solver.add_value(to, value);
            }
        }
        _ => solver.add_value(to, value),
    }
}

fn bound(solver: &mut Solver<'_, '_>, function: ValueId, receiver: FlowObject, to: CellId) {
    if let Some(receiver) = solver.values.number(receiver) {
        solver.add(to, FlowObject::Bound { function, receiver });
    }
}

/// Stores an attribute of a value.
pub(super) fn store(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    name: NameId,
    from: CellId,
    site: SiteId,
) {
    let program = solver.program;
    match solver.values.get(value) {
        FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
            let symbol = program.symbol(class);
            let setter = program.symbol_of(Lookup::Setter(symbol, name));
            if let Some(setter) = setter.and_then(|setter| program.item_of(setter)) {
                run_item(solver, setter, value, from, site);
                return;
            }
            let hook = solver.name("__setattr__");
            if program.binding_class(program.mro(class), hook).is_some() {
                let text = names::text(solver, name);
                special::run_method(solver, value, hook, &[text, from], NOWHERE, site);
            }
            if let Some(at) = program.binding_class(program.mro(class), name) {
                let owner = program.mro(class)[at];
                let held = solver.cell(CellKey::ClassName(owner, name));
                let object = value;
                if solver.is_new_binding((held, object, from, site)) {
                    solver.constrain(held, Constraint::StoreThrough { object, from, site });
                }
            }
            hold(solver, value, name, from);
        }
        FlowObject::Bound { function, .. }
        | FlowObject::Super {
            receiver: function, ..
        } => {
            store(solver, function, name, from, site);
        }
        _ => hold(solver, value, name, from),
    }
}

/// Stores the attributes whose names have a start, but those that the value's text binds: an object mostly has its own methods.
pub(super) fn store_start(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    start: NameId,
    from: CellId,
    site: SiteId,
) {
    for &name in solver.program.attributes_with(start).iter() {
        if !names::binds(solver, value, name) {
            store(solver, value, name, from, site);
        }
    }
}

/// Puts an attribute into the `__dict__` of a value.
pub(super) fn hold(solver: &mut Solver<'_, '_>, value: ValueId, name: NameId, from: CellId) {
    match solver.values.get(value) {
        FlowObject::Instance(class, own) => {
            let to = solver.cell(CellKey::Attribute(class, name, own));
            solver.edge(from, to);
            if own != SHARED {
                let each = solver.cell(CellKey::Attribute(class, name, EACH));
                solver.edge(from, each);
            }
        }
        FlowObject::Declared(class) => {
            let to = solver.cell(CellKey::Attribute(class, name, SHARED));
            solver.edge(from, to);
        }
        FlowObject::Class(class) => {
            let to = solver.cell(CellKey::ClassName(class, name));
            solver.edge(from, to);
        }
        FlowObject::Module(file) => {
            let to = solver.cell(CellKey::Global(file, name));
            solver.edge(from, to);
        }
        FlowObject::Function { item, made_in } => {
            let to = solver.cell(CellKey::OfFunction(item, made_in, name));
            solver.edge(from, to);
        }
        _ => {}
    }
}

/// Stores through a descriptor of a class.
pub(super) fn store_through(
    solver: &mut Solver<'_, '_>,
    descriptor: ValueId,
    object: ValueId,
    from: CellId,
    site: SiteId,
) {
    let set = solver.name("__set__");
    if let FlowObject::Instance(of, _) = solver.values.get(descriptor)
        && let order = solver.program.mro(of)
        && solver.program.binding_class(order, set).is_some()
    {
        let holder = solver.beside(from, 2);
        solver.add_value(holder, object);
        special::run_method(solver, descriptor, set, &[holder, from], NOWHERE, site);
    }
}

/// Runs a method of the workspace that is found by its symbol, with one argument.
fn run_item(
    solver: &mut Solver<'_, '_>,
    item: ItemId,
    receiver: ValueId,
    argument: CellId,
    site: SiteId,
) {
    let Some(parent) = solver.program.parent(item) else {
        return;
    };
    let made_in = match solver.program.item(parent).kind {
        ItemKind::Class => solver.class_runs.get(&parent).copied(),
        _ => None,
    };
    let Some(made_in) = made_in else { return };
    let function = FlowObject::Function { item, made_in };
    let Some(function) = solver.values.number(function) else {
        return;
    };
    let call = special::plain_call(vec![Argument::One(argument)], NOWHERE, site);
    calls::run_with(solver, function, Some(receiver), &call, Outcome::Plain);
}
