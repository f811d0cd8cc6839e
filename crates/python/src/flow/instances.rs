//! The runs of functions, class bodies and modules, and what the nodes of their bodies say.
//!
//! A function has one run, except where an inner function reads its variables: then each of its calls
//! makes another inner function, and has a run of its own ([`super::contexts`]).
//!
//! ```python
//! def maker(f):
//!     def run(): return f()
//!     return run
//! a, b = maker(x), maker(y)     # two runs of `maker`, two functions `run`
//! ```

use codeweft_python_syntax::{
    self as python, AsPython as _, BinaryKind, BindingKind, Code, ItemKind, NONE, Node, NodeId,
    ParamKind,
};

use super::body_cells::body_cell;
use super::cells::{CellId, CellKey, Filter, Key, NOWHERE};
use super::constraints::Constraint;
use super::lookups::Lookup;
use super::program::ItemId;
use super::seeds::Seed;
use super::solver::{NO_SITE, Narrowing, Solver};
use super::values::{ContainerKind, ContextId, FlowObject, InstanceId, SHARED};
use super::{defaults, fixtures, seeding, uses};
use crate::infer::ImportTarget;

/// No run.
pub(super) const NO_INSTANCE: InstanceId = u32::MAX;

/// The maximum number of nodes of all runs of a function by contexts; the calls beyond share one.
const MAX_SEPARATE: u32 = 400_000;

/// Lists of at most this length keep their elements apart.
const MAX_INDEXED: usize = 32;

/// A run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    /// The function, class or module.
    pub(super) item: ItemId,
    /// The run that it was made in.
    pub(super) made_in: InstanceId,
    /// The context that it is kept apart for; [`SHARED`] if all calls share it.
    pub(super) context: ContextId,
    /// Whether the run that it was made in is that of one context.
    is_inside: bool,
    /// The first cell: one for each node, then one for each parameter, then those below.
    pub(super) base: CellId,
    /// The first node.
    pub(super) first_node: NodeId,
    /// The cell of the first parameter.
    pub(super) params: CellId,
    /// What it returns.
    pub(super) result: CellId,
    /// What it yields.
    pub(super) yielded: CellId,
    /// What is sent to it.
    pub(super) sent: CellId,
    /// The round in which its body is read.
    pub(super) read_at: u32,
}

impl Instance {
    /// Returns whether it or the run that it was made in is that of one context.
    pub(super) fn is_separate(&self) -> bool {
        self.is_inside || self.context != SHARED
    }
}

/// Returns whether a function that has a number of runs by contexts may have another one; its body has a number of nodes.
pub(super) fn may_be_separate(runs: u32, nodes: u32) -> bool {
    runs.saturating_mul(nodes) < MAX_SEPARATE
}

/// Returns the run of an item for a context.
pub(super) fn ensure(
    solver: &mut Solver<'_, '_>,
    item: ItemId,
    made_in: InstanceId,
    context: ContextId,
) -> InstanceId {
    let mut context = context;
    let around = solver.instances.get(made_in as usize);
    let is_inside = around.is_some_and(Instance::is_separate);
    if context != SHARED {
        let count = solver.separate.get(&item).copied().unwrap_or(0);
        let is_known = solver.instance_of.contains_key(&(item, made_in, context));
        let is_full = !may_be_separate(count, solver.program.size(item));
        if is_inside || !is_known && is_full {
            context = SHARED;
            if !is_inside {
                // Which calls share a run is known of the whole program only.
                solver.give_up();
            }
        } else if !is_known {
            solver.separate.insert(item, count + 1);
        }
    }
    let key = (item, made_in, context);
    if let Some(&known) = solver.instance_of.get(&key) {
        if solver.cells.now() < solver.instances[known as usize].read_at {
            // All that its body says would be said earlier.
            solver.give_up();
        }
        return known;
    }
    if let Some(extended) = &mut solver.extended {
        extended.note_run();
    }
    let (_, number) = solver.program.at(item);
    let nodes = solver.program.file(item).bodies().and_then(|bodies| {
        let body = bodies.bodies.get(number as usize)?;
        Some(body.nodes)
    });
    let nodes = nodes.unwrap_or_default();
    let count = nodes.end - nodes.start;
    let params = solver.program.params(item).len() as u32;
    let base = solver.cells.block(count + params + 3);
    let read_at = solver.cells.now();
    let instance = solver.instances.len() as InstanceId;
    solver.instances.push(Instance {
        item,
        made_in,
        context,
        is_inside,
        base,
        first_node: nodes.start,
        params: base + count,
        result: base + count + params,
        yielded: base + count + params + 1,
        sent: base + count + params + 2,
        read_at,
    });
    solver.instance_of.insert(key, instance);
    if solver.program.item(item).kind == ItemKind::Class {
        solver.class_runs.entry(item).or_insert(instance);
    }
    solver.unread.push(instance);
    instance
}

/// Returns the run around a run that is of an item of the same file; the run itself if it is.
pub(super) fn around(
    solver: &Solver<'_, '_>,
    instance: InstanceId,
    item: ItemId,
) -> Option<InstanceId> {
    let mut at = instance;
    while let Some(known) = solver.instances.get(at as usize) {
        if known.item == item {
            return Some(at);
        }
        at = known.made_in;
    }
    None
}

/// The arena of a node: that of the bodies, or that of the items, which has the defaults of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arena {
    /// The nodes of the body.
    Body,
    /// The nodes of the item.
    Items,
}

/// Reads the body of a run.
pub(super) fn read(solver: &mut Solver<'_, '_>, instance: InstanceId) {
    let run = solver.instances[instance as usize];
    solver.cells.set_now(run.read_at);
    let (_, number) = solver.program.at(run.item);
    let held = solver.program.file(run.item).held_bodies();
    let Some(bodies) = held.python() else {
        return;
    };
    let Some(&body) = bodies.bodies.get(number as usize) else {
        return;
    };
    parameters(solver, instance);
    for node in body.nodes.start..body.nodes.end {
        read_node(solver, instance, &bodies.code, Arena::Body, node);
    }
    uses::read(solver, instance, bodies, &body);
    for &node in bodies.code.list(body.results) {
        let cell = cell_of(solver, instance, Arena::Body, node);
        solver.edge(cell, run.result);
    }
    for &node in bodies.code.list(body.yields) {
        let cell = cell_of(solver, instance, Arena::Body, node);
        solver.edge(cell, run.yielded);
    }
    bindings(solver, instance);
    seeding::seed(solver, instance, body.nodes);
    fixtures::wire(solver, instance);
}

/// Reads the parameters: their defaults, and the containers of `*args` and `**kwargs`.
fn parameters(solver: &mut Solver<'_, '_>, instance: InstanceId) {
    let run = solver.instances[instance as usize];
    for (param, cell) in solver.program.params(run.item).iter().zip(run.params..) {
        match param.kind {
            ParamKind::Star => {
                solver.container(cell, ContainerKind::Sequence);
            }
            ParamKind::DoubleStar => {
                solver.container(cell, ContainerKind::Mapping);
            }
            _ if param.default != NONE && run.made_in != NO_INSTANCE => {
                let default = cell_of(solver, run.made_in, Arena::Items, param.default);
                solver.edge(default, cell);
                for made in defaults::made_before(solver, run.made_in, param.default) {
                    solver.edge(made, cell);
                }
            }
            _ => {}
        }
    }
}

/// Reads the names that the scope binds to items, parameters and imports; stores of values are uses.
fn bindings(solver: &mut Solver<'_, '_>, instance: InstanceId) {
    let run = solver.instances[instance as usize];
    let program = solver.program;
    let (file, _) = program.at(run.item);
    let of = program.declared(run.item);
    let range = program.item(run.item).bindings.iter();
    for binding in of.items().bindings.get(range).unwrap_or(&[]) {
        let owner = around(solver, instance, of.first + binding.owner).unwrap_or(instance);
        let from = match binding.kind {
            BindingKind::Item(item) => declared(solver, owner, item),
            BindingKind::Import { import, which } if of.is_failing(import, which) => continue,
            BindingKind::Import { import, which } => {
                let cell = solver.beside(run.base, (import << 8 | which) + 1);
                imported(solver, file, import, which, cell);
                cell
            }
            BindingKind::Param(number) => run.params + number,
            _ => continue,
        };
        let to = name_cell(solver, instance, binding.name);
        solver.edge(from, to);
    }
}

/// Returns the cell of a name that the scope of a run binds.
pub(super) fn name_cell(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    name: codeweft_db::NameId,
) -> CellId {
    let item = solver.instances[instance as usize].item;
    let key = match solver.program.item(item).kind {
        ItemKind::Module => CellKey::Global(solver.program.at(item).0, name),
        ItemKind::Class => CellKey::ClassName(item, name),
        ItemKind::Function | ItemKind::Lambda => CellKey::Variable(instance, name),
    };
    solver.cell(key)
}

/// Returns the cell of an item that a run declares, after its decorators.
pub(super) fn declared(solver: &mut Solver<'_, '_>, instance: InstanceId, number: u32) -> CellId {
    let key = CellKey::Declared(instance, number);
    if solver.cells.has(key) {
        return solver.cell(key);
    }
    let cell = solver.cell(key);
    let run = solver.instances[instance as usize];
    let of = solver.program.declared(run.item);
    let item = of.first + number;
    let Some(declared) = of.items().items.get(number as usize) else {
        return cell;
    };
    let raw = match declared.decorators.len() {
        0 => cell,
        count => solver.cell(CellKey::Decorating(instance, number, count as u32)),
    };
    let is_class = declared.kind == ItemKind::Class;
    add_item(solver, instance, item, raw);
    if is_class {
        // A class decorator mostly returns the class; which of all, its calls do not say.
        solver.edge(raw, cell);
    }
    cell
}

fn add_item(solver: &mut Solver<'_, '_>, instance: InstanceId, item: ItemId, to: CellId) {
    ensure(solver, item, instance, SHARED);
    let object = match solver.program.item(item).kind {
        ItemKind::Class => FlowObject::Class(item),
        _ => FlowObject::Function {
            item,
            made_in: instance,
        },
    };
    solver.add(to, object);
}

/// Lets a cell take what an import binds.
pub(super) fn imported(
    solver: &mut Solver<'_, '_>,
    file: u32,
    import: u32,
    which: u32,
    to: CellId,
) {
    let program = solver.program;
    match program.import(file, import, which) {
        Some(ImportTarget::Symbol(symbol)) => match program.file_of_module(symbol) {
            Some(module) => solver.add(to, FlowObject::Module(module)),
            None => solver.add(to, FlowObject::Library(symbol)),
        },
        Some(ImportTarget::Name(module, name)) => match program.file_of_module(module) {
            Some(module) => {
                let source = program.global(module, name);
                let from = solver.cell(CellKey::Global(source, name));
                solver.edge(from, to);
            }
            // A library may bind the name anew, as to what a decorator of a class returns: a model is found by the declaration.
            None => {
                if let Some(symbol) = program.symbol_of(Lookup::Name(module, name)) {
                    solver.add(to, FlowObject::Library(symbol));
                }
            }
        },
        None => {}
    }
}

/// Returns the cell of a node. A node of the items is read when it is first needed.
pub(super) fn cell_of(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    arena: Arena,
    node: NodeId,
) -> CellId {
    let run = solver.instances[instance as usize];
    if node == NONE || node == 0 {
        return NOWHERE;
    }
    match arena {
        Arena::Body => body_cell(solver, instance, node),
        Arena::Items => {
            let key = CellKey::ItemNode(instance, node);
            let is_new = !solver.cells.has(key);
            let cell = solver.cell(key);
            if is_new {
                let items = solver.program.declared(run.item).items();
                read_node(solver, instance, &items.code, Arena::Items, node);
            }
            cell
        }
    }
}

/// Returns the key by which a node looks an element up.
pub(super) fn key_of(code: &Code, node: NodeId) -> Key {
    match code.nodes.get(node as usize) {
        Some(&Node::Str(text)) => Key::Text(text),
        Some(Node::Slice) => Key::Slice,
        _ => Key::Any,
    }
}

/// Reads what a node says.
pub(super) fn read_node(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    code: &Code,
    arena: Arena,
    node: NodeId,
) {
    let Some(&kind) = code.nodes.get(node as usize) else {
        return;
    };
    let run = solver.instances[instance as usize];
    let to = cell_of(solver, instance, arena, node);
    let (file, _) = solver.program.at(run.item);
    let first = solver.program.module(file);
    let cell = |solver: &mut Solver<'_, '_>, node| cell_of(solver, instance, arena, node);
    match kind {
        Node::Str(text) => solver.add_text(to, text, run.item),
        Node::Global(name) => {
            let source = solver.program.global(file, name);
            let from = solver.cell(CellKey::Global(source, name));
            solver.edge(from, to);
        }
        Node::Free { scope, name } => {
            if let Some(scope) = around(solver, instance, first + scope) {
                let from = name_cell(solver, scope, name);
                solver.edge(from, to);
            }
        }
        Node::Param(number) if run.params + number < run.result => {
            solver.edge(run.params + number, to);
        }
        Node::Item(item) => add_item(solver, instance, first + item, to),
        Node::Decorated(item) => {
            let from = declared(solver, instance, item);
            solver.edge(from, to);
        }
        Node::Import { import, which } => imported(solver, file, import, which, to),
        Node::ClassCell(item) => solver.add(to, FlowObject::Class(first + item)),
        Node::Sent => solver.edge(run.sent, to),
        Node::Attr { base, name } => {
            // Of the bodies, each use has a constraint of its own.
            let base = cell(solver, base);
            let site = NO_SITE;
            solver.constrain(base, Constraint::Load { name, to, site });
        }
        Node::Call(number) if arena == Arena::Items => {
            if let Some(call) = code.calls.get(number as usize) {
                uses::call(solver, instance, code, (arena, false), call, to, NO_SITE);
            }
        }
        Node::Subscript { base, index } => {
            let key = key_of(code, index);
            let (base, index) = (cell(solver, base), cell(solver, index));
            let constraint = Constraint::Element {
                key,
                index,
                to,
                site: NO_SITE,
            };
            solver.constrain(base, constraint);
        }
        Node::Await(value) => {
            let value = cell(solver, value);
            solver.constrain(value, Constraint::Await { to, site: NO_SITE });
        }
        Node::YieldFrom(value) => {
            let value = cell(solver, value);
            solver.constrain(value, Constraint::Delegate { to });
        }
        Node::Iter(value) | Node::AsyncIter(value) => {
            let value = cell(solver, value);
            let is_async = matches!(kind, Node::AsyncIter(_));
            let constraint = Constraint::Iterate {
                to,
                is_async,
                site: NO_SITE,
            };
            solver.constrain(value, constraint);
        }
        Node::Enter(value) | Node::AsyncEnter(value) => {
            let value = cell(solver, value);
            let is_async = matches!(kind, Node::AsyncEnter(_));
            let constraint = Constraint::Enter {
                to,
                is_async,
                site: NO_SITE,
            };
            solver.constrain(value, constraint);
        }
        Node::Unpack { base, at } => {
            let base = cell(solver, base);
            solver.constrain(base, Constraint::Unpack { at, to });
        }
        Node::UnpackRest(base) => {
            let base = cell(solver, base);
            let site = solver.container(to, ContainerKind::Sequence);
            let any = solver.cell(CellKey::Element(site, Key::Any));
            solver.constrain(base, Constraint::Elements { to: any });
        }
        Node::Binary { op, left, right } => {
            let (left, right) = (cell(solver, left), cell(solver, right));
            if matches!(op.kind, BinaryKind::Add | BinaryKind::Or | BinaryKind::Mul) {
                solver.edge_through(left, to, Filter::Containers);
                solver.edge_through(right, to, Filter::Containers);
            }
            if op.augmented {
                solver.constrain(right, Constraint::Extend { of: left });
            }
        }
        Node::Tuple(list) | Node::List(list) | Node::Set(list) => {
            let elements = code.list(list);
            let site = solver.container(to, ContainerKind::Sequence);
            let is_tuple = matches!(kind, Node::Tuple(_));
            let is_indexed = elements.len() <= MAX_INDEXED && (is_tuple || elements.len() > 1);
            let mut is_spread = false;
            for (&element, at) in elements.iter().zip(0..) {
                if let Some(&Node::Star(value)) = code.nodes.get(element as usize) {
                    is_spread = true;
                    let any = solver.cell(CellKey::Element(site, Key::Any));
                    let value = cell(solver, value);
                    solver.constrain(value, Constraint::Elements { to: any });
                    continue;
                }
                let key = if is_indexed && !is_spread {
                    Key::Index(at)
                } else {
                    Key::Any
                };
                let to = solver.cell(CellKey::Element(site, key));
                let element = cell(solver, element);
                solver.edge(element, to);
            }
        }
        Node::Dict(list) => {
            let site = solver.container(to, ContainerKind::Mapping);
            for pair in code.list(list).chunks(2) {
                let &[key, value] = pair else { continue };
                if let Some(&Node::Star(whole)) = code.nodes.get(key as usize) {
                    let whole = cell(solver, whole);
                    solver.constrain(whole, Constraint::CopyInto { site });
                    continue;
                }
                let part = key_of(code, key);
                let to = solver.cell(CellKey::Element(site, part));
                let keys = solver.cell(CellKey::Element(site, Key::Keys));
                let (key, value) = (cell(solver, key), cell(solver, value));
                solver.edge(value, to);
                solver.edge(key, keys);
            }
        }
        Node::Generator(element) => {
            let site = solver.container(to, ContainerKind::Sequence);
            let any = solver.cell(CellKey::Element(site, Key::Any));
            let element = cell(solver, element);
            solver.edge(element, any);
        }
        Node::Union(list) | Node::Phi(list) => {
            for &one in code.list(list) {
                let one = cell(solver, one);
                solver.edge(one, to);
            }
        }
        Node::Narrow {
            value,
            class,
            holds,
        } => {
            let filter = narrowing(solver, run.item, arena, class, holds);
            let value = cell(solver, value);
            solver.edge_through(value, to, filter);
        }
        Node::NotNone { value, .. } | Node::Star(value) => {
            let value = cell(solver, value);
            solver.edge(value, to);
        }
        Node::Caught(class) => {
            let class = cell(solver, class);
            solver.constrain(class, Constraint::Caught { to });
        }
        _ => {}
    }
    if let Node::Binary { op, left, .. } = kind
        && matches!(op.kind, BinaryKind::Add | BinaryKind::Mod)
        && let Some(&Node::Str(text)) = code.nodes.get(left as usize)
    {
        let text = solver.program.text(text);
        let start = text.split('%').next().unwrap_or(text);
        if !start.is_empty() {
            let start = solver.program.name(start);
            solver.add(
                to,
                FlowObject::TextStart {
                    start,
                    written_in: run.item,
                },
            );
        }
    }
}

fn narrowing(
    solver: &mut Solver<'_, '_>,
    item: ItemId,
    arena: Arena,
    class: NodeId,
    holds: bool,
) -> Filter {
    let of = solver.program.file(item);
    let Some(classes) = of.seeds.classes(class).filter(|_| arena == Arena::Body) else {
        return Filter::All;
    };
    let own: Vec<ItemId> = classes
        .iter()
        .filter_map(|&class| solver.program.item_of(class))
        .collect();
    let rule = Narrowing {
        has_others: own.len() < classes.len(),
        classes: own,
        holds,
    };
    let is_same = |known: &Narrowing| {
        known.holds == rule.holds
            && known.has_others == rule.has_others
            && known.classes == rule.classes
    };
    let known = solver.narrowings.iter().position(is_same);
    let number = known.unwrap_or_else(|| {
        solver.narrowings.push(rule);
        solver.narrowings.len() - 1
    });
    Filter::Narrow(number as u32)
}

/// Returns the seeds of a range of nodes.
pub(super) fn seeds_of(
    solver: &Solver<'_, '_>,
    item: ItemId,
    nodes: python::Range,
) -> Vec<(NodeId, Seed)> {
    let seeds = &solver.program.file(item).seeds;
    seeds.of(nodes.start, nodes.end).to_vec()
}
