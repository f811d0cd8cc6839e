//! What the operations at the tokens of a body say: stores, calls, decorators, and the special methods
//! that operators run.

use codeweft_python_syntax::{
    self as python, Access, Code, CompareOp, ItemKind, NONE, Node, NodeId, UseKind,
    is_comprehension,
};

use super::calls::{Argument, CallForm, CallSite};
use super::cells::{CellId, CellKey, Filter, Key, NOWHERE};
use super::constraints::Constraint;
use super::contexts;
use super::instances::{Arena, around, cell_of, declared, key_of, name_cell};
use super::program::{ItemId, Program};
use super::seeds::Registered;
use super::solver::{SiteId, Solver};
use super::values::{FlowObject, InstanceId};
use crate::infer::{binary_methods, compare_methods, unary_method};

/// Reads the uses of a body.
pub(super) fn read(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    bodies: &python::Bodies,
    body: &python::Body,
) {
    let decorators = decorators(bodies, body);
    for one in bodies.uses.get(body.uses.iter()).unwrap_or(&[]) {
        read_use(solver, instance, &bodies.code, one, &decorators);
    }
}

/// Returns the nodes of a body's decorators, sorted.
pub(super) fn decorators(bodies: &python::Bodies, body: &python::Body) -> Vec<NodeId> {
    let uses = bodies.uses.get(body.uses.iter()).unwrap_or(&[]).iter();
    let decorators = uses.filter_map(|one| match one.kind {
        UseKind::Decorate { value, .. } => Some(value),
        _ => None,
    });
    let mut nodes: Vec<NodeId> = decorators.collect();
    nodes.sort_unstable();
    nodes
}

/// Reads a use of a body with these decorators.
pub(super) fn read_use(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    code: &Code,
    one: &python::Use,
    decorators: &[NodeId],
) {
    let run = solver.instances[instance as usize];
    let cell = |solver: &mut Solver<'_, '_>, node| cell_of(solver, instance, Arena::Body, node);
    let to = NOWHERE;
    match one.kind {
        UseKind::Name {
            scope,
            name,
            access: Access::Store | Access::Augment,
            value,
            ..
        } if value != NONE && scope != NONE && !is_comprehension(scope) => {
            let first = solver.program.declared(run.item).first;
            let module = first + scope;
            let scope = if scope == 0 {
                Some(super::instances::ensure(
                    solver,
                    module,
                    super::instances::NO_INSTANCE,
                    0,
                ))
            } else {
                around(solver, instance, first + scope)
            };
            if let Some(scope) = scope {
                let from = cell(solver, value);
                let to = name_cell(solver, scope, name);
                solver.edge(from, to);
            }
        }
        UseKind::Attr {
            base,
            name,
            access,
            value,
            ..
        } => {
            let site = solver.site(run.item, one.tok);
            let base = cell(solver, base);
            match access {
                Access::Store | Access::Augment if value != NONE => {
                    let from = cell(solver, value);
                    solver.constrain(base, Constraint::Store { name, from, site });
                }
                Access::Load | Access::Callee => {
                    solver.constrain(base, Constraint::Load { name, to, site });
                }
                _ => {}
            }
        }
        UseKind::Call(node) => {
            if let Some(&Node::Call(number)) = code.nodes.get(node as usize)
                && let Some(made) = code.calls.get(number as usize)
            {
                let site = solver.site(run.item, one.tok);
                let to = cell(solver, node);
                let is_decorator = decorators.binary_search(&node).is_ok();
                let of = (Arena::Body, is_decorator);
                call(solver, instance, code, of, made, to, site);
            }
        }
        UseKind::Decorate { item, which, value } => {
            let site = solver.site(run.item, one.tok);
            decorate(solver, (instance, code), item, which, value, site);
        }
        UseKind::ClassStatement(item) => {
            declared(solver, instance, item);
            let site = solver.site(run.item, one.tok);
            let class = solver.program.declared(run.item).first + item;
            named(solver, class, site);
        }
        UseKind::Operator(node) => {
            let site = solver.site(run.item, one.tok);
            operator(solver, instance, code, node, site);
        }
        UseKind::SubscriptStore {
            base,
            index,
            value,
            access,
        } => {
            let site = solver.site(run.item, one.tok);
            let key = key_of(code, index);
            let (base, index, from) =
                (cell(solver, base), cell(solver, index), cell(solver, value));
            let constraint = match access {
                Access::Delete => Constraint::Special {
                    methods: solver.methods(["__delitem__", "", ""]),
                    argument: index,
                    to,
                    site,
                },
                _ => Constraint::StoreElement {
                    key,
                    index,
                    from,
                    site,
                },
            };
            solver.constrain(base, constraint);
        }
        UseKind::Truth(value) => {
            let site = solver.site(run.item, one.tok);
            let value = cell(solver, value);
            solver.constrain(value, Constraint::Truth { site });
        }
        UseKind::Iterate { value, is_async } => {
            let site = solver.site(run.item, one.tok);
            let value = cell(solver, value);
            solver.constrain(value, Constraint::Iterate { to, is_async, site });
        }
        UseKind::With { value, is_async } => {
            let site = solver.site(run.item, one.tok);
            let value = cell(solver, value);
            solver.constrain(value, Constraint::Enter { to, is_async, site });
            let method = if is_async { "__aexit__" } else { "__exit__" };
            let constraint = Constraint::Special {
                methods: solver.methods([method, "", ""]),
                argument: NOWHERE,
                to,
                site,
            };
            solver.constrain(value, constraint);
        }
        UseKind::Await(value) => {
            let site = solver.site(run.item, one.tok);
            let value = cell(solver, value);
            solver.constrain(value, Constraint::Await { to, site });
        }
        UseKind::Raise(value) => {
            let site = solver.site(run.item, one.tok);
            let callee = cell(solver, value);
            let call = CallSite::new(Vec::new(), to, site);
            let call = call.kept(solver);
            solver.constrain(callee, Constraint::Raise { call });
        }
        UseKind::TextStart { value, text } => {
            let to = cell(solver, value);
            if to != NOWHERE {
                solver.add(
                    to,
                    FlowObject::TextStart {
                        start: text,
                        written_in: run.item,
                    },
                );
            }
        }
        _ => {}
    }
}

/// Runs the hook of what a class has in its names (Python reference, Data model, `object.__set_name__`).
fn named(solver: &mut Solver<'_, '_>, class: ItemId, site: SiteId) {
    let method = solver.name("__set_name__");
    if !solver.program.declarations.bound_names.contains(&method) {
        return;
    }
    let owner = solver.cells.block(1);
    solver.add(owner, FlowObject::Class(class));
    let methods = solver.methods(["__set_name__", "", ""]);
    for name in solver.program.names_with(class, "") {
        let held = solver.cell(CellKey::ClassName(class, name));
        let constraint = Constraint::Special {
            methods,
            argument: owner,
            to: NOWHERE,
            site,
        };
        solver.constrain(held, constraint);
    }
}

/// Adds a call of an arena; says whether it makes a decorator.
pub(super) fn call(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    code: &Code,
    (arena, makes_decorator): (Arena, bool),
    call: &python::Call,
    result: CellId,
    site: SiteId,
) {
    let callee = cell_of(solver, instance, arena, call.callee);
    let mut positional = Vec::new();
    for &node in code.list(call.positional) {
        positional.push(match code.nodes.get(node as usize) {
            Some(&Node::Star(value)) => Argument::Spread(cell_of(solver, instance, arena, value)),
            _ => Argument::One(cell_of(solver, instance, arena, node)),
        });
    }
    constant_start(solver, instance, code, call, result);
    let mut made = CallSite::new(positional, result, site);
    made.within = contexts::within(solver, instance);
    made.of_decorator = makes_decorator;
    let item = solver.instances[instance as usize].item;
    made.form = form_of(solver.program, item, code, call.callee);
    if let Some(&first) = code.list(call.positional).first() {
        made.key = match key_of(code, first) {
            Key::Slice => Key::Any,
            key => key,
        };
    }
    for &(name, node) in &call.keywords {
        made.keywords
            .push((name, cell_of(solver, instance, arena, node)));
    }
    if arena == Arena::Body {
        made.registers = solver.program.file(item).seeds.registered(call.callee);
    }
    let number = made.kept(solver);
    solver.constrain(callee, Constraint::Call { call: number });
}

/// Returns the form of a call of a node, which is a parameter, or may be one, or not.
fn form_of(program: &Program<'_>, item: ItemId, code: &Code, callee: NodeId) -> CallForm {
    let mut pending = vec![callee];
    let mut seen: Vec<NodeId> = Vec::new();
    while let Some(node) = pending.pop() {
        if seen.contains(&node) {
            continue;
        }
        seen.push(node);
        match code.nodes.get(node as usize) {
            Some(&Node::Param(param)) if program.holds_default(item, param) => {}
            Some(Node::Param(_)) => return CallForm::OfParameter,
            Some(&Node::Phi(list) | &Node::Union(list)) => pending.extend(code.list(list)),
            Some(&Node::Narrow { value, .. } | &Node::NotNone { value, .. }) => pending.push(value),
            _ => {}
        }
    }
    CallForm::Written
}

/// Adds the constant that `"…{}".format(…)` begins with.
fn constant_start(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    code: &Code,
    call: &python::Call,
    to: CellId,
) {
    let Some(&Node::Attr { base, name }) = code.nodes.get(call.callee as usize) else {
        return;
    };
    let Some(&Node::Str(text)) = code.nodes.get(base as usize) else {
        return;
    };
    let program = solver.program;
    let start = program.text(text).split('{').next().unwrap_or_default();
    if program.text(name) == "format" && !start.is_empty() {
        let start = program.name(start);
        let written_in = solver.instances[instance as usize].item;
        solver.add(to, FlowObject::TextStart { start, written_in });
    }
}

/// Calls a decorator of an item with what the decorators below it made.
fn decorate(
    solver: &mut Solver<'_, '_>,
    (instance, code): (InstanceId, &Code),
    item: u32,
    which: u32,
    value: NodeId,
    site: SiteId,
) {
    let run = solver.instances[instance as usize];
    let of = solver.program.declared(run.item);
    let Some(decorated) = of.items().items.get(item as usize) else {
        return;
    };
    let is_class = decorated.kind == ItemKind::Class;
    let whole = declared(solver, instance, item);
    let count = decorated.decorators.len() as u32;
    let from = if is_class {
        solver.cell(CellKey::Decorating(instance, item, count))
    } else {
        solver.cell(CellKey::Decorating(instance, item, which + 1))
    };
    let to = match which {
        0 if is_class => {
            // An object instead of the class; the classes that calls of one decorator return are mixed.
            let result = solver.cell(CellKey::Decorating(instance, item, 0));
            solver.edge_through(result, whole, Filter::NoClasses);
            result
        }
        _ if is_class => NOWHERE,
        0 => whole,
        which => solver.cell(CellKey::Decorating(instance, item, which)),
    };
    let callee = cell_of(solver, instance, Arena::Body, value);
    let mut call = CallSite::new(vec![Argument::One(from)], to, site);
    call.is_decorator = true;
    call.form = form_of(solver.program, run.item, code, value);
    let seeds = &solver.program.file(run.item).seeds;
    let paths = seeds.decorators(item);
    let path = paths.get(which as usize).and_then(Option::as_deref);
    call.keeps = path.is_some_and(keeps_function);
    let registration = seeds.registration(item, which);
    call.registers = registration.map(Registered::of_decorator);
    call.of_decorator = true;
    call.within = contexts::within(solver, instance);
    let number = call.kept(solver);
    solver.constrain(callee, Constraint::Call { call: number });
    if !is_class {
        // What a decorator of unknown kind returns is what it was given.
        solver.otherwise.push((from, to));
    }
}

/// Returns whether a decorator gives back what it decorates, by its path: those of pytest mark functions, which pytest calls with
/// fixtures and parameters, and those of `typing` declare.
pub(crate) fn keeps_function(path: &str) -> bool {
    let mut modules = ["_pytest.", "pytest.", "typing.", "typing_extensions."].iter();
    modules.any(|module| path.starts_with(module))
}

/// Adds what an operator runs, and what that returns.
fn operator(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    code: &Code,
    node: NodeId,
    site: SiteId,
) {
    let Some(&kind) = code.nodes.get(node as usize) else {
        return;
    };
    let cell = |solver: &mut Solver<'_, '_>, node| cell_of(solver, instance, Arena::Body, node);
    let to = cell(solver, node);
    let special = |solver: &mut Solver<'_, '_>, of: NodeId, methods, argument| {
        let of = cell(solver, of);
        let argument = cell(solver, argument);
        let methods = solver.methods(methods);
        let constraint = Constraint::Special {
            methods,
            argument,
            to,
            site,
        };
        solver.constrain(of, constraint);
    };
    match kind {
        Node::Binary { op, left, right } => {
            let (method, reflected, augmented) = binary_methods(op.kind);
            let first = if op.augmented { augmented } else { "" };
            special(solver, left, [first, method, ""], right);
            special(solver, right, [reflected, "", ""], left);
        }
        Node::Compare { op, left, right } => match compare_methods(op) {
            Some((method, reflected)) => {
                let other = if method == "__ne__" { "__eq__" } else { "" };
                special(solver, left, [method, other, ""], right);
                special(solver, right, [reflected, other, ""], left);
            }
            None if matches!(op, CompareOp::In | CompareOp::NotIn) => {
                special(solver, right, ["__contains__", "__iter__", ""], left);
            }
            None => {}
        },
        Node::Unary { op, value } => {
            if let Some(method) = unary_method(op) {
                special(solver, value, [method, "", ""], NONE);
            }
        }
        Node::Subscript { base, index } => {
            let key = key_of(code, index);
            let (base, index) = (cell(solver, base), cell(solver, index));
            let constraint = Constraint::Element {
                key,
                index,
                to: NOWHERE,
                site,
            };
            solver.constrain(base, constraint);
        }
        Node::Format(parts) => {
            for &part in code.list(parts) {
                special(solver, part, ["__format__", "__str__", "__repr__"], NONE);
            }
        }
        _ => {}
    }
}
