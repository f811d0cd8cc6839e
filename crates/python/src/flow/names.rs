//! Attributes whose names are values: `getattr` with names from elsewhere, and the hooks that get a name.

use codeweft_db::NameId;

use super::attributes;
use super::calls::CallSite;
use super::cells::{CellId, CellKey, Key};
use super::constraints::Constraint;
use super::program::NO_ITEM;
use super::solver::{SiteId, Solver};
use super::values::{FlowObject, ValueId};

/// Returns the cell of a name as a string.
pub(super) fn text(solver: &mut Solver<'_, '_>, name: NameId) -> CellId {
    let cell = solver.cell(CellKey::NameText(name));
    let written_in = NO_ITEM;
    solver.add(cell, FlowObject::Text { name, written_in });
    cell
}

/// Returns whether a value is known to have an attribute by the text of a class or module.
pub(super) fn binds(solver: &Solver<'_, '_>, value: ValueId, name: NameId) -> bool {
    let program = solver.program;
    match solver.values.get(value) {
        FlowObject::Instance(class, _) | FlowObject::Class(class) | FlowObject::Declared(class) => {
            program.binding_class(program.mro(class), name).is_some()
        }
        FlowObject::Module(file) => program.binds(program.module(file), name),
        _ => false,
    }
}

/// Returns whether an attribute of a value is the dictionary of its attributes (Python reference, "The standard type hierarchy").
pub(super) fn is_namespace(solver: &mut Solver<'_, '_>, value: ValueId, name: NameId) -> bool {
    name == solver.name("__dict__")
        && matches!(
            solver.values.get(value),
            FlowObject::Instance(..)
                | FlowObject::Declared(_)
                | FlowObject::Class(_)
                | FlowObject::Module(_)
        )
}

/// Runs a method of the `__dict__` of a value.
pub(super) fn run_method_of_namespace(
    solver: &mut Solver<'_, '_>,
    of: ValueId,
    method: &str,
    call: &CallSite,
) {
    match (method, call.key) {
        ("get" | "pop" | "setdefault" | "__getitem__", Key::Text(name)) => {
            solver.edge(call.argument(1), call.result);
            attributes::load(solver, of, name, call.result, call.site);
            if method == "setdefault" {
                attributes::hold(solver, of, name, call.argument(1));
            }
        }
        ("__setitem__", Key::Text(name)) => attributes::hold(solver, of, name, call.argument(1)),
        ("update", _) => {
            for &(name, from) in &call.keywords {
                attributes::hold(solver, of, name, from);
            }
        }
        _ => {}
    }
}

/// Reads the attribute that a value names.
pub(super) fn load(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    object: CellId,
    to: CellId,
    site: SiteId,
) {
    match solver.values.get(value) {
        FlowObject::Text { name, written_in } if solver.is_written_near(written_in, site) => {
            solver.constrain(object, Constraint::Load { name, to, site });
        }
        FlowObject::Text { name, .. } => {
            solver.constrain(object, Constraint::LoadBound { name, to, site });
        }
        FlowObject::TextStart { start, written_in } if solver.is_written_near(written_in, site) => {
            solver.constrain(object, Constraint::LoadStart { start, to, site });
        }
        _ => {}
    }
}

/// Stores the attribute that a value names, or those whose names have its start.
///
/// ```python
/// setattr(model, f"is_{state}", check)    # the reads of `is_open` and `is_done` have `check`
/// ```
pub(super) fn store(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    object: CellId,
    from: CellId,
    site: SiteId,
) {
    let constraint = match solver.values.get(value) {
        FlowObject::Text { name, written_in } if solver.is_written_near(written_in, site) => {
            Constraint::Store { name, from, site }
        }
        FlowObject::Text { name, .. } => Constraint::StoreUnbound { name, from, site },
        FlowObject::TextStart { start, .. } => Constraint::StoreStart { start, from, site },
        _ => return,
    };
    solver.constrain(object, constraint);
}

/// Adds what a method of a string makes of it, where that is a string with a known start.
pub(super) fn changed(solver: &mut Solver<'_, '_>, value: ValueId, method: &str, to: CellId) {
    let program = solver.program;
    let case = |name: NameId| match method {
        "lower" | "casefold" => Some(program.name(&program.text(name).to_lowercase())),
        "upper" => Some(program.name(&program.text(name).to_uppercase())),
        "strip" | "rstrip" | "lstrip" | "encode" | "decode" => Some(name),
        _ => None,
    };
    let made = match solver.values.get(value) {
        FlowObject::Text { name, written_in } => {
            case(name).map(|name| FlowObject::Text { name, written_in })
        }
        FlowObject::TextStart { start, written_in } => {
            case(start).map(|start| FlowObject::TextStart { start, written_in })
        }
        _ => None,
    };
    if let Some(made) = made {
        solver.add(to, made);
    }
}
