//! The values that flow, by number.

use codeweft_db::{NameId, SymbolId};
use rustc_hash::FxHashMap;

use super::cells::{CellId, Width};
use super::program::ItemId;

/// A value by its number in [`Values`].
pub(super) type ValueId = u32;

/// The run of a function, class body or module that a function was made in: see
/// [`super::instances::Instance`].
pub(super) type InstanceId = u32;

/// A context by its number: see [`super::contexts::Context`].
pub(super) type ContextId = u32;

/// No context: what all calls share.
pub(super) const SHARED: ContextId = 0;

/// All contexts of a class: what is stored in any of the objects that have one.
pub(super) const EACH: ContextId = u32::MAX;

/// The maximum nesting of values: a method bound to an object is two deep.
const MAX_DEPTH: u8 = 4;

/// The forms of containers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ContainerKind {
    /// A list, tuple, set or iterator.
    Sequence,
    /// A dictionary: iterating over it gives its keys.
    Mapping,
    /// The arguments of `pytest.param`.
    ParameterSet,
}

/// The effect of a descriptor of the library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Wrapper {
    /// `property`: runs where the attribute is read.
    Property,
    /// `classmethod`: binds the class.
    ClassMethod,
    /// `staticmethod`: binds nothing.
    StaticMethod,
    /// `contextlib.contextmanager`: a call gives a context manager.
    ContextManager,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum FlowObject {
    /// A function with the run that it was made in.
    Function {
        /// The function.
        item: ItemId,
        /// Where its free variables are.
        made_in: InstanceId,
    },
    /// A function with its first argument.
    Bound {
        /// The function.
        function: ValueId,
        /// The first argument.
        receiver: ValueId,
    },
    /// A class of the workspace.
    Class(ItemId),
    /// An object of a class of the workspace. All that a class makes are one, but for those that it makes as a decorator:
    /// each wraps a function of its own.
    Instance(ItemId, ContextId),
    /// An object of a class of the workspace or of one of its subclasses: what a declaration says. One value is
    /// for all of them, since a class may have hundreds of subclasses.
    Declared(ItemId),
    /// A module of the workspace, by the number of its file.
    Module(u32),
    /// A container, by the cell that made it.
    Container {
        /// The cell.
        site: CellId,
        /// Its form.
        kind: ContainerKind,
    },
    /// What a call of a generator function gives.
    Generator(InstanceId),
    /// What a call of an `async` function gives.
    Coroutine(InstanceId),
    /// What a call of a generator function below `contextmanager` gives.
    Context(InstanceId),
    /// `functools.partial(…)`, by the number of its call.
    Partial(u32),
    /// The `__dict__` of an object, class or module.
    Namespace {
        /// The object, class or module.
        of: ValueId,
    },
    /// `super()`
    Super {
        /// The class after which the order is searched.
        class: ItemId,
        /// The object or class whose order is searched.
        receiver: ValueId,
    },
    /// A function or class of a library.
    Library(SymbolId),
    /// A method of a value that the library provides.
    Method {
        /// The value.
        receiver: ValueId,
        /// The method.
        name: NameId,
    },
    /// A function below a descriptor of the library.
    Wrapped {
        /// The descriptor.
        by: Wrapper,
        /// The function.
        inner: ValueId,
    },
    /// What a hook returns instead of an attribute: it runs, and its result is that of the attribute.
    Instead {
        /// The function.
        inner: ValueId,
    },
    /// A function that returns its argument: a decorator of the library.
    Identity,
    /// A constant string.
    Text {
        /// The string.
        name: NameId,
        /// The item that it is written in.
        written_in: ItemId,
    },
    /// A string with a constant start.
    TextStart {
        /// The start.
        start: NameId,
        /// The item that it is written in.
        written_in: ItemId,
    },
    /// The `request` of a fixture of pytest.
    Request(ItemId),
    /// The `monkeypatch` of pytest.
    MonkeyPatch,
}

/// The table of values.
#[derive(Default)]
pub(super) struct Values {
    all: Vec<(FlowObject, u8)>,
    numbers: FxHashMap<FlowObject, ValueId>,
}

impl Values {
    /// Returns a value.
    pub(super) fn get(&self, value: ValueId) -> FlowObject {
        self.all[value as usize].0
    }

    /// Returns the number of a value; `None` if it is nested too deep.
    pub(super) fn number(&mut self, object: FlowObject) -> Option<ValueId> {
        if let Some(&known) = self.numbers.get(&object) {
            return Some(known);
        }
        let depth_of = |value: ValueId| self.all[value as usize].1;
        let depth = match object {
            FlowObject::Bound { function, receiver } => depth_of(function).max(depth_of(receiver)),
            FlowObject::Super { receiver, .. } | FlowObject::Method { receiver, .. } => {
                depth_of(receiver)
            }
            FlowObject::Wrapped { inner, .. }
            | FlowObject::Instead { inner }
            | FlowObject::Namespace { of: inner } => depth_of(inner),
            _ => 0,
        };
        if depth >= MAX_DEPTH {
            return None;
        }
        let number = self.all.len() as ValueId;
        self.all.push((object, depth + 1));
        self.numbers.insert(object, number);
        Some(number)
    }

    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Forgets all values beyond a number.
    pub(super) fn truncate(&mut self, len: usize) {
        for (object, _) in self.all.drain(len..) {
            self.numbers.remove(&object);
        }
    }

    /// Returns the kind of a value by which cells bound their number.
    pub(super) fn width(&self, value: ValueId) -> Width {
        match self.get(value) {
            FlowObject::Text { .. } => Width::Texts,
            FlowObject::Container { .. }
            | FlowObject::Generator(_)
            | FlowObject::Coroutine(_)
            | FlowObject::Context(_) => Width::Containers,
            FlowObject::TextStart { .. } => Width::Starts,
            FlowObject::Bound { .. } | FlowObject::Method { .. } => Width::Bound,
            _ if self.is_function(value) => Width::Functions,
            _ => Width::Objects,
        }
    }

    /// Returns whether a value can be called but is no object of a class: a cell may hold more of these.
    pub(super) fn is_function(&self, value: ValueId) -> bool {
        matches!(
            self.get(value),
            FlowObject::Function { .. }
                | FlowObject::Bound { .. }
                | FlowObject::Library(_)
                | FlowObject::Method { .. }
                | FlowObject::Wrapped { .. }
                | FlowObject::Partial(_)
                | FlowObject::Instead { .. }
                | FlowObject::Identity
        )
    }
}
