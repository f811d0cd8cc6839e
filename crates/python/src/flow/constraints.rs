//! What is done with each value that arrives at a cell.

use std::sync::Arc;

use codeweft_db::NameId;

use super::calls::{self, CallSite};
use super::cells::{CellId, Key};
use super::containers;
use super::fixtures::{self, Rows};
use super::program::ItemId;
use super::solver::{MethodsId, SiteId, Solver};
use super::values::{ContainerKind, ContextId, FlowObject, InstanceId, SHARED, ValueId, Wrapper};
use super::{attributes, library, names, special};

/// A rule that the values of a cell meet. There are millions: the lists of methods are numbers.
#[derive(Clone, Debug)]
pub(super) enum Constraint {
    /// An attribute is read.
    Load {
        name: NameId,
        to: CellId,
        site: SiteId,
    },
    /// An attribute is read of a value that is known to have it.
    LoadBound {
        name: NameId,
        to: CellId,
        site: SiteId,
    },
    /// The attributes whose names have a start are read.
    LoadStart {
        start: NameId,
        to: CellId,
        site: SiteId,
    },
    /// What a hook makes runs instead of an attribute.
    Instead { to: CellId },
    /// An attribute is stored.
    Store {
        name: NameId,
        from: CellId,
        site: SiteId,
    },
    /// An attribute is stored, if the value's text does not bind it.
    StoreUnbound {
        name: NameId,
        from: CellId,
        site: SiteId,
    },
    /// Attributes are stored whose names have a start, but those that the value's text binds.
    StoreStart {
        start: NameId,
        from: CellId,
        site: SiteId,
    },
    /// The value is called.
    Call { call: u32 },
    /// The value is raised: a class is called.
    Raise { call: u32 },
    /// The value is called after another one: as the constructor of a class.
    Construct {
        call: u32,
        receiver: ValueId,
        takes_result: bool,
    },
    /// The value is what a class has for a name, read through a receiver.
    Bind {
        receiver: ValueId,
        to: CellId,
        site: SiteId,
    },
    /// The value may be a descriptor through which an attribute of an object is stored.
    StoreThrough {
        object: ValueId,
        from: CellId,
        site: SiteId,
    },
    /// An element is read.
    Element {
        key: Key,
        index: CellId,
        to: CellId,
        site: SiteId,
    },
    /// An element is stored.
    StoreElement {
        key: Key,
        index: CellId,
        from: CellId,
        site: SiteId,
    },
    /// The value is iterated over.
    Iterate {
        to: CellId,
        is_async: bool,
        site: SiteId,
    },
    /// The value is an iterator whose next element is taken.
    Next {
        to: CellId,
        is_async: bool,
        site: SiteId,
    },
    /// The value is a container that takes the elements of another value.
    TakeAll { from: ValueId },
    /// All elements of a container are read; other values are iterated over.
    Elements { to: CellId },
    /// One element is unpacked.
    Unpack { at: i32, to: CellId },
    /// The parts of a container go into another one.
    CopyInto { site: CellId },
    /// The elements go into the containers of a cell.
    Extend { of: CellId },
    /// A `with` statement enters the value.
    Enter {
        to: CellId,
        is_async: bool,
        site: SiteId,
    },
    /// The value is awaited.
    Await { to: CellId, site: SiteId },
    /// `yield from`
    Delegate { to: CellId },
    /// The truth of the value is tested.
    Truth { site: SiteId },
    /// An operator runs the first of these methods that the value's class has.
    Special {
        methods: MethodsId,
        argument: CellId,
        to: CellId,
        site: SiteId,
    },
    /// The value is the receiver of a method that calls `super()`.
    Super { class: ItemId, to: CellId },
    /// The value is the class of an `except` clause.
    Caught { to: CellId },
    /// The value gives the arguments of a run from a parameter on.
    Spread { instance: InstanceId, from: u32 },
    /// The value gives the keyword arguments of a run.
    SpreadKeywords { instance: InstanceId },
    /// The value is the name of an attribute that is read.
    NamedLoad {
        object: CellId,
        to: CellId,
        site: SiteId,
    },
    /// The value is the name of an attribute that is stored.
    NamedStore {
        object: CellId,
        from: CellId,
        site: SiteId,
    },
    /// The value has the rows of `pytest.mark.parametrize`.
    Rows { rows: Arc<Rows> },
    /// The value is a row of `pytest.mark.parametrize`.
    Row { rows: Arc<Rows> },
    /// The value is the name of a fixture that another one wants.
    FixtureNamed { wanted_by: ItemId, to: CellId },
    /// The class of the value is read.
    ClassOf { to: CellId, site: SiteId },
    /// The value is a class, of which `object.__new__` makes an object.
    New { context: ContextId, to: CellId },
    /// The value goes below a descriptor of the library.
    Wrap { by: Wrapper, to: CellId },
    /// The value is a sequence whose order another one keeps.
    Reorder { of: CellId },
    /// The value is no mapping, and its elements are pairs of keys and values.
    Pairs { to: CellId },
    /// The value is registered for a generic function.
    Register { function: ItemId },
}

const _: () = assert!(size_of::<Constraint>() <= 24, "millions of them are kept");

/// Applies a rule to a value.
pub(super) fn meet(solver: &mut Solver<'_, '_>, constraint: &Constraint, value: ValueId) {
    match *constraint {
        Constraint::Load { name, to, site } => attributes::load(solver, value, name, to, site),
        Constraint::LoadBound { name, to, site } => {
            if names::binds(solver, value, name) {
                attributes::load(solver, value, name, to, site);
            }
        }
        Constraint::Instead { to } => attributes::instead(solver, value, to),
        Constraint::LoadStart { start, to, site } => {
            attributes::load_start(solver, value, start, to, site);
        }
        Constraint::Store { name, from, site } => {
            attributes::store(solver, value, name, from, site);
        }
        Constraint::StoreUnbound { name, from, site } => {
            if !names::binds(solver, value, name) {
                attributes::store(solver, value, name, from, site);
            }
        }
        Constraint::StoreStart { start, from, site } => {
            attributes::store_start(solver, value, start, from, site);
        }
        Constraint::Call { call } => calls::run(solver, value, &call_of(solver, call)),
        Constraint::Raise { call } => {
            if let FlowObject::Class(_) = solver.values.get(value) {
                calls::run(solver, value, &call_of(solver, call));
            }
        }
        Constraint::Construct {
            call,
            receiver,
            takes_result,
        } => calls::construct_by(
            solver,
            value,
            receiver,
            &call_of(solver, call),
            takes_result,
        ),
        Constraint::Bind { receiver, to, site } => {
            attributes::bind(solver, value, receiver, to, site);
        }
        Constraint::StoreThrough { object, from, site } => {
            attributes::store_through(solver, value, object, from, site);
        }
        Constraint::Element {
            key,
            index,
            to,
            site,
        } => containers::load(solver, value, key, index, to, site),
        Constraint::StoreElement {
            key,
            index,
            from,
            site,
        } => containers::store(solver, value, key, index, from, site),
        Constraint::Iterate { to, is_async, site } => {
            containers::iterate(solver, value, to, is_async, site);
        }
        Constraint::Next { to, is_async, site } => {
            containers::next(solver, value, to, is_async, site);
        }
        Constraint::TakeAll { from } => {
            if let Some((site, _)) = containers::container_of(solver, value) {
                containers::copy_into(solver, from, site);
            }
        }
        Constraint::Elements { to } => containers::elements(solver, value, to),
        Constraint::Unpack { at, to } => containers::unpack(solver, value, at, to),
        Constraint::CopyInto { site } => containers::copy_into(solver, value, site),
        Constraint::Extend { of } => containers::extend(solver, value, of),
        Constraint::Enter { to, is_async, site } => {
            special::enter(solver, value, to, is_async, site);
        }
        Constraint::Await { to, site } => special::await_value(solver, value, to, site),
        Constraint::Delegate { to } => {
            if let FlowObject::Generator(run) | FlowObject::Coroutine(run) =
                solver.values.get(value)
            {
                let result = solver.instances[run as usize].result;
                solver.edge(result, to);
            }
        }
        Constraint::Truth { site } => special::truth(solver, value, site),
        Constraint::Special {
            methods,
            argument,
            to,
            site,
        } => {
            let methods = solver.method_lists[usize::from(methods)];
            special::operator(solver, value, &methods, argument, to, site);
        }
        Constraint::Super { class, to } => {
            if let FlowObject::Declared(of) = solver.values.get(value) {
                let program = solver.program;
                let all = [of]
                    .into_iter()
                    .chain(program.subclasses(of).iter().copied());
                for of in all {
                    if let Some(receiver) = solver.values.number(FlowObject::Instance(of, SHARED)) {
                        solver.add(to, FlowObject::Super { class, receiver });
                    }
                }
            } else if let FlowObject::Instance(..) | FlowObject::Class(_) = solver.values.get(value)
            {
                solver.add(
                    to,
                    FlowObject::Super {
                        class,
                        receiver: value,
                    },
                );
            }
        }
        Constraint::Caught { to } => special::caught(solver, value, to),
        Constraint::Spread { instance, from } => calls::spread(solver, value, instance, from),
        Constraint::SpreadKeywords { instance } => {
            calls::spread_keywords(solver, value, instance);
        }
        Constraint::NamedLoad { object, to, site } => {
            names::load(solver, value, object, to, site);
        }
        Constraint::NamedStore { object, from, site } => {
            names::store(solver, value, object, from, site);
        }
        Constraint::Rows { ref rows } => fixtures::rows(solver, value, rows),
        Constraint::Row { ref rows } => fixtures::row(solver, value, rows),
        Constraint::FixtureNamed { wanted_by, to } => fixtures::named(solver, value, wanted_by, to),
        Constraint::Wrap { by, to } => {
            if solver.values.is_function(value) {
                solver.add(to, FlowObject::Wrapped { by, inner: value });
            }
        }
        Constraint::Reorder { of } => {
            if let FlowObject::Container { site, kind } = solver.values.get(value)
                && kind == ContainerKind::Sequence
            {
                containers::copy(solver, site, of);
            }
        }
        Constraint::Pairs { to } => {
            let container = containers::container_of(solver, value);
            if container.is_none_or(|(_, kind)| kind != ContainerKind::Mapping) {
                containers::elements(solver, value, to);
            }
        }
        Constraint::ClassOf { to, .. } => library::class_of(solver, value, to),
        Constraint::New { context, to } => {
            if let FlowObject::Class(class) = solver.values.get(value) {
                solver.add(to, FlowObject::Instance(class, context));
            }
        }
        Constraint::Register { function } => library::register(solver, value, function),
    }
}

fn call_of(solver: &Solver<'_, '_>, call: u32) -> Arc<CallSite> {
    solver.calls[call as usize].clone()
}
