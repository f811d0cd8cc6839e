//! What pytest gives to tests and fixtures: the results of fixtures by the names of parameters, and the
//! rows of `parametrize`.
//!
//! ```python
//! @pytest.fixture
//! def client(app): ...            # `app` is found as `client` is
//! class TestX:
//!     @pytest.mark.parametrize("kind, n", [(A, 1), (B, 2)])
//!     def test_y(self, client, kind, n): ...
//! ```
//!
//! A fixture is looked for in the class and its bases, in the module, then in each `conftest.py` from the
//! folder upward (pytest, "How to use fixtures"). One that has the name that it wants gets the next.

use std::sync::Arc;

use codeweft_db::NameId;
use codeweft_python_syntax::{AsPython as _, ItemKind, Node, NodeId, ParamKind, Use, UseKind};
use rustc_hash::FxHashMap;

use super::calls::CallSite;
use super::cells::{CellId, CellKey, Key};
use super::constraints::Constraint;
use super::instances::{self, Arena, cell_of};
use super::lookups::Lookup;
use super::program::{ItemId, Program};
use super::solver::Solver;
use super::values::{ContainerKind, FlowObject, InstanceId, ValueId};

/// The fixtures of a program.
#[derive(Default)]
pub(super) struct Fixtures {
    /// By scope and name.
    by_name: FxHashMap<(ItemId, NameId), ItemId>,
    names: FxHashMap<ItemId, NameId>,
    /// The module of the `conftest.py` of a folder.
    conftests: FxHashMap<String, ItemId>,
}

/// Where the rows of `parametrize` go.
#[derive(Debug)]
pub(super) struct Rows {
    /// The cells of the parameters, by index.
    to: Vec<CellId>,
}

impl Rows {
    /// Returns the cells of the parameters.
    pub(super) fn cells(&self) -> &[CellId] {
        &self.to
    }
}

impl Fixtures {
    /// Finds the fixtures of a program.
    pub(super) fn of(program: &Program<'_>) -> Fixtures {
        let mut found = Fixtures::default();
        for (file, texts) in program.declarations.files.iter().zip(&program.files) {
            let path = file.file.path(program.db);
            if let Some((folder, "conftest.py")) = path.rsplit_once('/') {
                found.conftests.insert(folder.to_owned(), file.first);
            }
            for (item, at) in file.items().items.iter().zip(file.first..) {
                if item.kind != ItemKind::Function
                    || !texts
                        .seeds
                        .decorators(at - file.first)
                        .iter()
                        .flatten()
                        .any(|path| is_fixture(path))
                {
                    continue;
                }
                let Some(scope) = program.parent(at) else {
                    continue;
                };
                let name = given_name(program, at).unwrap_or(item.name);
                found.by_name.insert((scope, name), at);
                found.names.insert(at, name);
            }
        }
        found
    }

    /// Returns the fixture that a parameter of a function wants.
    fn find(&self, program: &Program<'_>, wanted_by: ItemId, name: NameId) -> Option<ItemId> {
        let mut scopes: Vec<ItemId> = Vec::new();
        let parent = program.parent(wanted_by)?;
        if program.item(parent).kind == ItemKind::Class {
            scopes.extend(program.mro(parent));
        }
        let file = program.declared(wanted_by);
        scopes.push(file.first);
        let mut folder = file.file.path(program.db).rsplit_once('/');
        while let Some((above, _)) = folder {
            scopes.extend(self.conftests.get(above));
            folder = above.rsplit_once('/');
        }
        for scope in scopes {
            let own = self.by_name.get(&(scope, name)).copied();
            let found = own.or_else(|| {
                if program.item(scope).kind != ItemKind::Module {
                    return None;
                }
                let symbol = program.symbol_of(Lookup::Name(program.symbol(scope), name))?;
                let item = program.item_of(symbol)?;
                self.names.contains_key(&item).then_some(item)
            });
            if let Some(found) = found.filter(|&found| found != wanted_by) {
                return Some(found);
            }
        }
        None
    }
}

fn is_fixture(path: &str) -> bool {
    matches!(
        path,
        "pytest.fixture"
            | "pytest.yield_fixture"
            | "_pytest.fixtures.fixture"
            | "pytest_asyncio.fixture"
            | "pytest_asyncio.plugin.fixture"
    )
}

fn is_parametrize(path: &str) -> bool {
    path.ends_with("mark.parametrize")
}

/// Returns the decorators of an item as uses of the body around it.
fn decorators(program: &Program<'_>, item: ItemId) -> Vec<(u32, NodeId)> {
    let Some(parent) = program.parent(item) else {
        return Vec::new();
    };
    let (_, number) = program.at(item);
    let (_, around) = program.at(parent);
    let file = program.file(item);
    let Some(bodies) = file.bodies() else {
        return Vec::new();
    };
    let uses = bodies.bodies.get(around as usize).map(|body| body.uses);
    let uses = uses.and_then(|range| bodies.uses.get(range.iter()));
    let own = uses
        .unwrap_or(&[])
        .iter()
        .filter_map(|one: &Use| match one.kind {
            UseKind::Decorate { item, which, value } if item == number => Some((which, value)),
            _ => None,
        });
    own.collect()
}

/// Returns the name that `@pytest.fixture(name=…)` gives.
fn given_name(program: &Program<'_>, item: ItemId) -> Option<NameId> {
    let bodies = program.file(item).bodies()?;
    decorators(program, item).into_iter().find_map(|(_, node)| {
        let &Node::Call(call) = bodies.code.nodes.get(node as usize)? else {
            return None;
        };
        let call = bodies.code.calls.get(call as usize)?;
        let mut keywords = call.keywords.iter();
        let &(_, value) = keywords.find(|&&(key, _)| program.text(key) == "name")?;
        match bodies.code.nodes.get(value as usize)? {
            &Node::Str(text) => Some(text),
            _ => None,
        }
    })
}

/// Gives the parameters of a test or fixture what pytest gives them.
pub(super) fn wire(solver: &mut Solver<'_, '_>, instance: InstanceId) {
    let run = solver.instances[instance as usize];
    let program = solver.program;
    let item = program.item(run.item);
    if item.kind != ItemKind::Function || run.is_separate() {
        return;
    }
    let Some(parent) = program.parent(run.item) else {
        return;
    };
    if !matches!(
        program.item(parent).kind,
        ItemKind::Module | ItemKind::Class
    ) {
        return;
    }
    let fixtures = solver.fixtures.clone();
    let is_fixture = fixtures.names.contains_key(&run.item);
    if !is_fixture && !program.text(item.name).starts_with("test") {
        return;
    }
    for (param, at) in program.params(run.item).iter().zip(0..) {
        if !matches!(param.kind, ParamKind::Normal | ParamKind::KeywordOnly) {
            continue;
        }
        if is_fixture && program.text(param.name) == "request" {
            solver.add(run.params + at, FlowObject::Request(run.item));
        }
        match fixtures.find(program, run.item, param.name) {
            Some(fixture) => give(solver, fixture, run.params + at),
            None if program.text(param.name) == "monkeypatch" => {
                solver.add(run.params + at, FlowObject::MonkeyPatch);
            }
            None => {}
        }
    }
    parametrized(solver, instance, run.item, parent);
    if program.item(parent).kind == ItemKind::Class {
        // The decorators of a class are those of each of its tests.
        if let Some(around) = program.parent(parent) {
            parametrized(solver, instance, parent, around);
        }
    }
}

/// Gives the result of a fixture to a cell.
fn give(solver: &mut Solver<'_, '_>, fixture: ItemId, to: CellId) {
    let Some(made_in) = body_run(solver, fixture) else {
        return;
    };
    let instance = instances::ensure(solver, fixture, made_in, 0);
    let run = solver.instances[instance as usize];
    let from = if solver.program.item(fixture).flags.is_generator {
        run.yielded
    } else {
        run.result
    };
    solver.edge(from, to);
}

/// Returns the run of the body that declares an item of a module or class.
fn body_run(solver: &mut Solver<'_, '_>, item: ItemId) -> Option<InstanceId> {
    let parent = solver.program.parent(item)?;
    match solver.program.item(parent).kind {
        ItemKind::Module => Some(instances::ensure(solver, parent, instances::NO_INSTANCE, 0)),
        ItemKind::Class => match solver.class_runs.get(&parent) {
            Some(&known) => Some(known),
            None => {
                let made_in = body_run(solver, parent)?;
                Some(instances::ensure(solver, parent, made_in, 0))
            }
        },
        _ => None,
    }
}

/// Reads the decorators `parametrize` of an item, and the `params` of a fixture.
fn parametrized(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    decorated: ItemId,
    around: ItemId,
) {
    let program = solver.program;
    let run = solver.instances[instance as usize];
    let file = program.file(decorated);
    let held = file.held_bodies();
    let Some(bodies) = held.python() else {
        return;
    };
    let (_, number) = program.at(decorated);
    let paths = file.seeds.decorators(number);
    let Some(outer) = body_run(solver, decorated) else {
        return;
    };
    debug_assert_eq!(solver.instances[outer as usize].item, around);
    for (which, node) in decorators(program, decorated) {
        let Some(path) = paths.get(which as usize).and_then(Option::as_ref) else {
            continue;
        };
        let Some(&Node::Call(call)) = bodies.code.nodes.get(node as usize) else {
            continue;
        };
        let Some(call) = bodies.code.calls.get(call as usize) else {
            continue;
        };
        let keyword = |name: &str| {
            let mut keywords = call.keywords.iter();
            let found = keywords.find(|&&(key, _)| program.text(key) == name);
            found.map(|&(_, node)| node)
        };
        let positional = bodies.code.list(call.positional);
        if is_fixture(path) {
            if let Some(params) = keyword("params") {
                let from = cell_of(solver, outer, Arena::Body, params);
                let to = solver.cell(CellKey::RequestParam(run.item));
                let rows = Arc::new(Rows { to: vec![to] });
                solver.constrain(from, Constraint::Rows { rows });
            }
            continue;
        }
        if !is_parametrize(path) {
            continue;
        }
        let names = positional.first().copied().or_else(|| keyword("argnames"));
        let values = positional.get(1).copied().or_else(|| keyword("argvalues"));
        let (Some(names), Some(values)) = (names, values) else {
            continue;
        };
        let names = argument_names(solver, &bodies.code, names);
        let is_indirect = keyword("indirect").is_some();
        let mut to = Vec::new();
        for name in names {
            let mut params = program.params(run.item).iter().zip(0..);
            let param = params.find(|(param, _)| param.name == name);
            let fixture = if is_indirect {
                solver.fixtures.clone().find(program, run.item, name)
            } else {
                None
            };
            to.push(match (fixture, param) {
                (Some(fixture), _) => solver.cell(CellKey::RequestParam(fixture)),
                (None, Some((_, at))) => run.params + at,
                (None, None) => super::cells::NOWHERE,
            });
        }
        let from = cell_of(solver, outer, Arena::Body, values);
        let rows = Arc::new(Rows { to });
        solver.constrain(from, Constraint::Rows { rows });
    }
}

fn argument_names(
    solver: &Solver<'_, '_>,
    code: &codeweft_python_syntax::Code,
    node: NodeId,
) -> Vec<NameId> {
    match code.nodes.get(node as usize) {
        Some(&Node::Str(text)) => {
            let names = solver.program.text(text).split(',');
            names.map(|name| solver.program.name(name.trim())).collect()
        }
        Some(&Node::Tuple(list) | &Node::List(list)) => {
            let parts = code.list(list).iter();
            let names = parts.filter_map(|&part| match code.nodes.get(part as usize) {
                Some(&Node::Str(text)) => Some(text),
                _ => None,
            });
            names.collect()
        }
        _ => Vec::new(),
    }
}

/// Gives the rows of `parametrize` to parameters.
pub(super) fn rows(solver: &mut Solver<'_, '_>, value: ValueId, rows: &Arc<Rows>) {
    let row = solver.cells.block(1);
    let to = rows.clone();
    solver.constrain(row, Constraint::Row { rows: to });
    super::containers::elements(solver, value, row);
}

/// Gives one row of `parametrize` to parameters.
pub(super) fn row(solver: &mut Solver<'_, '_>, value: ValueId, rows: &Arc<Rows>) {
    let object = solver.values.get(value);
    if let [only] = rows.to[..] {
        match object {
            FlowObject::Container {
                site,
                kind: ContainerKind::ParameterSet,
            } => {
                let from = solver.cell(CellKey::Element(site, Key::Index(0)));
                solver.edge(from, only);
            }
            _ => solver.add_value(only, value),
        }
        return;
    }
    for (&to, at) in rows.to.iter().zip(0..) {
        if to != super::cells::NOWHERE {
            super::containers::unpack(solver, value, at, to);
        }
    }
}

/// Calls a method of the `request` of a fixture.
pub(super) fn requested(
    solver: &mut Solver<'_, '_>,
    fixture: ItemId,
    method: &str,
    call: &Arc<CallSite>,
) {
    match method {
        "getfixturevalue" => {
            let to = call.result;
            let constraint = Constraint::FixtureNamed {
                wanted_by: fixture,
                to,
            };
            solver.constrain(call.argument(0), constraint);
        }
        "addfinalizer" => {
            let function = call.argument(0);
            let made = CallSite::new(Vec::new(), super::cells::NOWHERE, call.site);
            let number = made.kept(solver);
            solver.constrain(function, Constraint::Call { call: number });
        }
        _ => {}
    }
}

/// Calls a method of `monkeypatch` (pytest, "How to monkeypatch/mock modules and environments").
pub(super) fn patch(solver: &mut Solver<'_, '_>, method: &str, call: &Arc<CallSite>) {
    let (object, name, from) = (call.argument(0), call.argument(1), call.argument(2));
    let site = call.site;
    match method {
        "setattr" => solver.constrain(name, Constraint::NamedStore { object, from, site }),
        "setitem" => {
            let constraint = Constraint::StoreElement {
                key: Key::Any,
                index: name,
                from,
                site,
            };
            solver.constrain(object, constraint);
        }
        "context" => solver.add(call.result, FlowObject::MonkeyPatch),
        _ => {}
    }
}

/// Gives the fixture that a constant names to a cell.
pub(super) fn named(solver: &mut Solver<'_, '_>, value: ValueId, wanted_by: ItemId, to: CellId) {
    if let FlowObject::Text { name, .. } = solver.values.get(value)
        && let Some(fixture) = solver
            .fixtures
            .clone()
            .find(solver.program, wanted_by, name)
    {
        give(solver, fixture, to);
    }
}
