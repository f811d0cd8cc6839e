//! Special methods that operations run (Python reference, Data model, "Special method names").

use std::sync::Arc;

use codeweft_db::NameId;

use super::attributes;
use super::calls::{Argument, CallSite};
use super::cells::{CellId, NOWHERE};
use super::constraints::Constraint;
use super::program::{ItemId, Program};
use super::solver::{SiteId, Solver};
use super::values::{FlowObject, SHARED, ValueId};

/// Returns the objects that a declared one may be, as far as they have a name of their own: an object of the
/// class, and of each subclass that binds one of the names. `None` if the value is not declared.
pub(super) fn declared_objects(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    names: &[NameId],
) -> Option<Vec<ValueId>> {
    let FlowObject::Declared(class) = solver.values.get(value) else {
        return None;
    };
    let program = solver.program;
    // A subclass may have the method of a mixin that comes before the class.
    let owner = |of: ItemId, name| {
        let order = program.mro(of);
        program.binding_class(order, name).map(|at| order[at])
    };
    let mut mixins: Vec<(NameId, Option<ItemId>)> = Vec::new();
    for &name in names {
        mixins.push((name, owner(class, name)));
    }
    let mut all = vec![class];
    for &one in program.subclasses(class) {
        let mut has_own = false;
        for &name in names {
            let found = (name, owner(one, name));
            if program.binds(one, name) {
                has_own = true;
            } else if !mixins.contains(&found)
                && found.1.is_some_and(|of| !is_below(program, of, class))
            {
                mixins.push(found);
                has_own = true;
            }
        }
        if has_own {
            all.push(one);
        }
    }
    let objects = all.into_iter();
    let objects =
        objects.filter_map(|class| solver.values.number(FlowObject::Instance(class, SHARED)));
    Some(objects.collect())
}

fn is_below(program: &Program<'_>, class: ItemId, base: ItemId) -> bool {
    program.mro(class).contains(&base)
}

/// Returns the classes in which the special methods of a value are looked up, in order: those of its class, of a class those of
/// its metaclass.
fn lookup_order<'p>(solver: &Solver<'_, 'p>, value: ValueId) -> Option<&'p [ItemId]> {
    let program = solver.program;
    match solver.values.get(value) {
        FlowObject::Instance(class, _) => Some(program.mro(class)),
        FlowObject::Class(class) => {
            let facts = program.class(class)?;
            Some(program.mro(facts.metaclass?))
        }
        _ => None,
    }
}

/// Runs a method of an object, looked up on its class.
pub(super) fn run_method(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    name: NameId,
    arguments: &[CellId],
    to: CellId,
    site: SiteId,
) {
    if let Some(objects) = declared_objects(solver, value, &[name]) {
        for object in objects {
            run_method(solver, object, name, arguments, to, site);
        }
        return;
    }
    let Some(order) = lookup_order(solver, value) else {
        return;
    };
    let key = (
        value,
        name,
        to,
        site,
        arguments.first().copied().unwrap_or(NOWHERE),
    );
    if !solver.is_new_special_run(key) {
        return;
    }
    // The method is read into a cell of its own and called from there.
    let method = solver.cells.block(1);
    let arguments = arguments.iter().map(|&cell| Argument::One(cell)).collect();
    let call = CallSite::new(arguments, to, site).kept(solver);
    solver.constrain(method, Constraint::Call { call });
    attributes::class_names(solver, order, value, name, method, site);
}

/// Runs the first of some methods that the class of a value has; returns whether it has one.
pub(super) fn operator(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    methods: &[&'static str],
    argument: CellId,
    to: CellId,
    site: SiteId,
) {
    let mut names = Vec::new();
    for method in methods.iter().filter(|method| !method.is_empty()) {
        names.push(solver.name(method));
    }
    if let Some(objects) = declared_objects(solver, value, &names) {
        for object in objects {
            operator(solver, object, methods, argument, to, site);
        }
        return;
    }
    let program = solver.program;
    let Some(order) = lookup_order(solver, value) else {
        return;
    };
    for method in methods.iter().filter(|method| !method.is_empty()) {
        let name = solver.name(method);
        if program.binding_class(order, name).is_some() {
            run_method(solver, value, name, &[argument], to, site);
            return;
        }
    }
}

/// Tests the truth of a value.
pub(super) fn truth(solver: &mut Solver<'_, '_>, value: ValueId, site: SiteId) {
    let methods = ["__bool__", "__len__"];
    operator(solver, value, &methods, NOWHERE, NOWHERE, site);
}

/// Enters a context manager.
pub(super) fn enter(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    to: CellId,
    is_async: bool,
    site: SiteId,
) {
    match solver.values.get(value) {
        FlowObject::Context(run) => {
            let yielded = solver.instances[run as usize].yielded;
            solver.edge(yielded, to);
        }
        FlowObject::MonkeyPatch => solver.add_value(to, value),
        FlowObject::Instance(..) | FlowObject::Declared(_) => {
            let method = if is_async { "__aenter__" } else { "__enter__" };
            if !is_async {
                operator(solver, value, &[method], NOWHERE, to, site);
                return;
            }
            // What the method returns is awaited.
            let coroutine = solver.cells.block(1);
            solver.constrain(coroutine, Constraint::Await { to, site });
            operator(solver, value, &[method], NOWHERE, coroutine, site);
        }
        _ => {}
    }
}

/// Awaits a value.
pub(super) fn await_value(solver: &mut Solver<'_, '_>, value: ValueId, to: CellId, site: SiteId) {
    match solver.values.get(value) {
        FlowObject::Coroutine(run) => {
            let result = solver.instances[run as usize].result;
            solver.edge(result, to);
        }
        FlowObject::Instance(..) | FlowObject::Declared(_) => {
            operator(solver, value, &["__await__"], NOWHERE, NOWHERE, site);
        }
        _ => {}
    }
}

/// Adds an object of each class that an `except` clause names.
pub(super) fn caught(solver: &mut Solver<'_, '_>, value: ValueId, to: CellId) {
    match solver.values.get(value) {
        FlowObject::Class(class) => {
            solver.add(to, FlowObject::Declared(class));
        }
        FlowObject::Container { site, .. } => {
            let inner = solver.beside(site, 1);
            if inner != to && solver.is_new_caught((inner, to)) {
                solver.constrain(inner, Constraint::Caught { to });
                super::containers::elements(solver, value, inner);
            }
        }
        _ => {}
    }
}

/// Returns a call without a callee, for rules that know what runs.
pub(super) fn plain_call(arguments: Vec<Argument>, to: CellId, site: SiteId) -> Arc<CallSite> {
    Arc::new(CallSite::new(arguments, to, site))
}
