//! What rules let leave to code that is not followed: what they store where it is not seen, and what they are given and do not
//! take.
//!
//! ```python
//! queue.handler = on_message      # `queue` is of a library
//! defaultdict(list, {"a": run})   # the rule of `defaultdict` takes its first argument alone
//! ```

use rustc_hash::FxHashSet;

use super::calls::{Argument, CallSite, MAX_SPREAD};
use super::cells::{CellId, CellKey, Key, NOWHERE};
use super::constraints::Constraint;
use super::escaped::Escaping;
use super::followed::stores_known_names;
use super::models::Model;
use super::solver::Solver;
use super::values::{FlowObject, ValueId};

/// The methods of containers that keep nothing of their arguments, sorted.
const KEEP_NOTHING: &[&str] = &[
    "__contains__",
    "__delitem__",
    "__eq__",
    "__len__",
    "clear",
    "copy",
    "count",
    "difference",
    "difference_update",
    "discard",
    "index",
    "intersection",
    "intersection_update",
    "isdisjoint",
    "issubset",
    "issuperset",
    "items",
    "keys",
    "move_to_end",
    "popitem",
    "remove",
    "reverse",
    "rotate",
    "values",
];

/// Lets leave what a rule of a cell stores or drops where that is not followed.
pub(super) fn of_rule(
    escaping: &mut Escaping<'_, '_, '_>,
    solver: &Solver<'_, '_>,
    cell: CellId,
    number: u32,
) {
    let values = solver.cells.values(cell);
    let object_of = |&value: &ValueId| solver.values.get(value);
    match solver.constraints[number as usize] {
        Constraint::Store { from, .. } | Constraint::StoreUnbound { from, .. }
            if !values.iter().map(object_of).all(holds_attributes) =>
        {
            escaping.cell(from);
        }
        Constraint::StoreElement {
            key, index, from, ..
        } if !values
            .iter()
            .all(|value| holds_elements(solver, *value, key)) =>
        {
            escaping.cell(index);
            escaping.cell(from);
        }
        Constraint::NamedStore { from, site, .. } if !stores_known_names(solver, values, site) => {
            escaping.cell(from);
        }
        Constraint::NamedLoad { object, site, .. } => {
            let is_near = |object| match object {
                FlowObject::Text { written_in, .. } | FlowObject::TextStart { written_in, .. } => {
                    solver.is_written_near(written_in, site)
                }
                _ => false,
            };
            if values.is_empty() || !values.iter().map(object_of).all(is_near) {
                of_names(escaping, solver, object);
            }
        }
        Constraint::Spread { .. } => {
            for &value in values {
                if let FlowObject::Container { site, .. } = solver.values.get(value) {
                    escaping.elements_from(site, MAX_SPREAD);
                }
            }
            of_namespaces(escaping, solver, values);
        }
        Constraint::Element {
            key: Key::Any | Key::Slice,
            ..
        }
        | Constraint::CopyInto { .. }
        | Constraint::SpreadKeywords { .. }
        | Constraint::Pairs { .. } => of_namespaces(escaping, solver, values),
        Constraint::Call { call } => {
            for &value in values {
                of_call(escaping, solver, &solver.calls[call as usize], value);
            }
        }
        _ => {}
    }
}

/// Lets leave what the objects of a cell hold under names that are not known.
pub(super) fn of_names(
    escaping: &mut Escaping<'_, '_, '_>,
    solver: &Solver<'_, '_>,
    object: CellId,
) {
    if (object as usize) < solver.cells.count() as usize {
        for &value in solver.cells.values(object) {
            escaping.members_of(value);
        }
    }
}

/// Lets leave what is held in those of some values that are a `__dict__`.
fn of_namespaces(escaping: &mut Escaping<'_, '_, '_>, solver: &Solver<'_, '_>, values: &[ValueId]) {
    for &value in values {
        if let FlowObject::Namespace { of } = solver.values.get(value) {
            escaping.members_of(of);
        }
    }
}

/// Returns whether what is stored as an attribute of a value is found there.
fn holds_attributes(object: FlowObject) -> bool {
    matches!(
        object,
        FlowObject::Instance(..)
            | FlowObject::Declared(_)
            | FlowObject::Class(_)
            | FlowObject::Module(_)
            | FlowObject::Function { .. }
            | FlowObject::Bound { .. }
            | FlowObject::Super { .. }
    )
}

/// Returns whether what is stored as an element of a value is found there.
fn holds_elements(solver: &Solver<'_, '_>, value: ValueId, key: Key) -> bool {
    match solver.values.get(value) {
        FlowObject::Container { .. } => true,
        FlowObject::Namespace { .. } => matches!(key, Key::Text(_)),
        FlowObject::Instance(class, _) | FlowObject::Declared(class) => {
            let program = solver.program;
            let set = program.name("__setitem__");
            let facts = program.class(class);
            facts.is_some_and(|facts| facts.is_container)
                || program.binding_class(program.mro(class), set).is_some()
        }
        _ => false,
    }
}

/// Lets leave the arguments of a call of a value that its rule does not take.
fn of_call(
    escaping: &mut Escaping<'_, '_, '_>,
    solver: &Solver<'_, '_>,
    call: &CallSite,
    value: ValueId,
) {
    let (taken, keywords): (usize, &[&str]) = match solver.values.get(value) {
        FlowObject::Library(symbol) => match solver.models.get(&symbol) {
            Some(&Some(Model::Runs(_))) if !call.keywords.is_empty() => (0, &[]),
            Some(&Some(Model::Compares | Model::Exception)) => {
                of_objects(escaping, solver, call);
                return;
            }
            Some(&Some(model)) => match taken_by(model) {
                Some(taken) => taken,
                None => return,
            },
            // What has no model is not followed at all.
            _ => return,
        },
        FlowObject::Method { receiver, name } => {
            let method = solver.program.text(name);
            match solver.values.get(receiver) {
                FlowObject::Generator(_) if matches!(method, "send" | "asend") => (1, &[]),
                FlowObject::Text { .. } | FlowObject::TextStart { .. } => return,
                FlowObject::Wrapped { .. } | FlowObject::Function { .. } => return,
                // `setattr("module.name", value)` names what it patches in a string.
                FlowObject::MonkeyPatch if method == "setattr" && call.positional.len() == 2 => {
                    (0, &[])
                }
                FlowObject::MonkeyPatch => return,
                FlowObject::Namespace { of } => {
                    escaping.members_of(of);
                    (0, &[])
                }
                FlowObject::Container { .. }
                | FlowObject::Instance(..)
                | FlowObject::Declared(_) => match method {
                    _ if KEEP_NOTHING.binary_search(&method).is_ok() => return,
                    "update" => (1, &[ALL]),
                    "append" | "add" | "appendleft" | "extend" | "extendleft" | "union" => (1, &[]),
                    "insert" | "setdefault" | "get" | "pop" | "__setitem__" | "__getitem__" => {
                        (2, &[])
                    }
                    "sort" => (0, &["key"]),
                    _ => (0, &[]),
                },
                _ => (0, &[]),
            }
        }
        _ => return,
    };
    for (argument, at) in call.positional.iter().zip(0..) {
        let (Argument::One(cell) | Argument::Spread(cell)) = *argument;
        if at >= taken {
            escaping.cell(cell);
        }
    }
    for &(name, cell) in &call.keywords {
        let name = solver.program.text(name);
        if !keywords.contains(&ALL) && !keywords.contains(&name) {
            escaping.cell(cell);
        }
    }
}

/// Lets leave the arguments of a call that are objects, and those in containers: their special methods run. Nothing calls the
/// functions and classes.
fn of_objects(escaping: &mut Escaping<'_, '_, '_>, solver: &Solver<'_, '_>, call: &CallSite) {
    let positional = call.positional.iter().map(|argument| {
        let (Argument::One(cell) | Argument::Spread(cell)) = *argument;
        cell
    });
    let mut pending: Vec<CellId> = positional.collect();
    pending.extend(call.keywords.iter().map(|&(_, cell)| cell));
    let mut seen: FxHashSet<CellId> = FxHashSet::default();
    while let Some(cell) = pending.pop() {
        if cell == NOWHERE || !seen.insert(cell) {
            continue;
        }
        for &value in solver.cells.values(cell) {
            match solver.values.get(value) {
                FlowObject::Function { .. }
                | FlowObject::Bound { .. }
                | FlowObject::Class(_)
                | FlowObject::Partial(_)
                | FlowObject::Wrapped { .. } => {}
                FlowObject::Container { site, .. } if !solver.lazy.contains_key(&site) => {
                    let keys = solver.cells.keys_of(site).iter();
                    let element = |&key| solver.cells.known(CellKey::Element(site, key));
                    pending.extend(keys.filter_map(element));
                }
                _ => escaping.value(value),
            }
        }
    }
}

/// All keywords.
const ALL: &str = "*";

/// Returns how many positional arguments and which keywords the rule of a model takes, those included that its function keeps
/// nothing of; `None` if it takes all.
fn taken_by(model: Model) -> Option<(usize, &'static [&'static str])> {
    let taken: (usize, &[&str]) = match model {
        Model::Wraps(_) => (1, &["fget", "doc"]),
        Model::Identity => (1, &[]),
        Model::IdentityOrMaker => (1, &["maxsize", "typed"]),
        Model::Sequence | Model::Iterator => (2, &["key", "func", "reverse"]),
        Model::Dict => (1, &[ALL]),
        // What a missing key, or the making of an object, calls later.
        Model::DefaultDict | Model::Factory => (0, &[]),
        Model::Choose => (usize::MAX, &["key"]),
        Model::Field => (0, &["default", "init", "repr", "kw_only"]),
        Model::Generic => (1, &[]),
        Model::Vars => (1, &[]),
        Model::Reduce => (3, &[]),
        Model::Returns(_)
        | Model::MakesIdentity
        | Model::Partial
        | Model::GetAttr
        | Model::SetAttr
        | Model::Chain
        | Model::Next
        | Model::Enumerate
        | Model::Zip
        | Model::Map
        | Model::Filter
        | Model::TypeOf
        | Model::Inspects
        | Model::Compares
        | Model::Exception
        | Model::New
        | Model::Calls(_)
        | Model::Runs(_)
        | Model::ParameterSet
        | Model::Special(_) => return None,
    };
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::KEEP_NOTHING;

    #[test]
    fn the_methods_are_sorted() {
        assert!(KEEP_NOTHING.is_sorted());
    }
}
