//! The append-only table of values.

use codeweft_db::{Db, SymbolId};
use codeweft_syntax::NameId;
use codeweft_syntax::interner::Interner;

use super::Values;

/// A value by its number in the table. Numbers differ between runs, so no answer is printed or
/// ordered by them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(u32);

/// A class with its type arguments, which are empty if unknown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Class {
    /// The symbol of the class.
    pub symbol: SymbolId,
    /// For each type parameter, objects of its argument.
    pub args: Box<[Values]>,
}

impl Class {
    /// Returns a class without type arguments.
    pub fn plain(symbol: SymbolId) -> Class {
        Class {
            symbol,
            args: Box::default(),
        }
    }
}

/// The structure of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// `None`.
    None,
    /// A constant string.
    Str(NameId),
    /// A class object.
    Class(Class),
    /// A class or one of its subclasses: the value of `type[C]`.
    Subclass(Class),
    /// An instance of a class, or of a subclass unless `exact`.
    Instance {
        /// The class of the instance.
        class: Class,
        /// Whether it was constructed by calling this very class.
        exact: bool,
    },
    /// The receiver of a method of this class (`self`); a call substitutes its own.
    Receiver(SymbolId),
    /// The receiver of a class method of this class (`cls`).
    ReceiverClass(SymbolId),
    /// A function, or an unbound method.
    Function(SymbolId),
    /// The result of applying an unknown decorator to a function.
    Decorated(SymbolId),
    /// A method bound to its receiver.
    Bound {
        /// The method.
        function: SymbolId,
        /// The instance or class.
        receiver: Value,
    },
    /// A loaded module.
    Module(SymbolId),
    /// A module that is not loaded, or a name in one.
    Absent(SymbolId),
    /// `super()` in a method of `class`.
    Super {
        /// The class after which the mro is searched.
        class: SymbolId,
        /// The instance or class whose mro is searched.
        receiver: Value,
    },
    /// A tuple by its elements.
    Tuple(Box<[Values]>),
    /// A generator by what it yields.
    Generator(Values),
    /// An asynchronous generator by what it yields.
    AsyncGenerator(Values),
    /// A coroutine by the result of awaiting it.
    Coroutine(Values),
    /// A context manager made by `contextlib`, by what `with` binds.
    Context(Values),
    /// A type expression that is no class, by the objects of the type.
    TypeExpression(Values),
    /// A special form of `typing`, by name.
    Special(NameId),
    /// A type variable as a type expression.
    TypeVar {
        /// The name of the variable.
        name: NameId,
        /// Objects of its bound.
        bound: Values,
    },
    /// An object of the type that a type variable is replaced by.
    OfTypeVar {
        /// The name of the variable.
        name: NameId,
        /// Objects of its bound.
        bound: Values,
    },
    /// A callable by its results.
    Callable(Values),
    /// The unknown argument of a parameter without annotation; a call substitutes its own.
    Argument {
        /// The function.
        function: SymbolId,
        /// The index of the parameter.
        number: u32,
    },
}

/// The table of all shapes.
type ShapeTable = Interner<Shape, ShapeTraits>;

/// Properties of a shape, computed once.
#[derive(Clone, Copy, Debug)]
struct ShapeTraits {
    /// The nesting depth of values inside the shape.
    depth: u8,
    /// Whether a call could substitute something in it.
    substitutable: bool,
}

/// The maximum nesting depth; deeper values become unknown, so that the lattice is finite.
const MAX_DEPTH: u8 = 3;

impl Shape {
    /// Returns the sets of values inside the shape.
    pub(crate) fn parts(&self) -> Vec<&Values> {
        match self {
            Shape::Class(class) | Shape::Subclass(class) | Shape::Instance { class, .. } => {
                class.args.iter().collect()
            }
            Shape::Tuple(parts) => parts.iter().collect(),
            Shape::Generator(values)
            | Shape::AsyncGenerator(values)
            | Shape::Coroutine(values)
            | Shape::Context(values)
            | Shape::TypeExpression(values)
            | Shape::Callable(values)
            | Shape::TypeVar { bound: values, .. }
            | Shape::OfTypeVar { bound: values, .. } => vec![values],
            _ => Vec::new(),
        }
    }

    /// Returns the shape with its parts mapped.
    pub(crate) fn map(&self, change: &mut dyn FnMut(&Values) -> Values) -> Shape {
        let class = |class: &Class, change: &mut dyn FnMut(&Values) -> Values| Class {
            symbol: class.symbol,
            args: class.args.iter().map(change).collect(),
        };
        match self {
            Shape::Class(of) => Shape::Class(class(of, change)),
            Shape::Subclass(of) => Shape::Subclass(class(of, change)),
            Shape::Instance { class: of, exact } => Shape::Instance {
                class: class(of, change),
                exact: *exact,
            },
            Shape::Tuple(parts) => Shape::Tuple(parts.iter().map(change).collect()),
            Shape::Generator(values) => Shape::Generator(change(values)),
            Shape::AsyncGenerator(values) => Shape::AsyncGenerator(change(values)),
            Shape::Coroutine(values) => Shape::Coroutine(change(values)),
            Shape::Context(values) => Shape::Context(change(values)),
            Shape::TypeExpression(values) => Shape::TypeExpression(change(values)),
            Shape::Callable(values) => Shape::Callable(change(values)),
            Shape::TypeVar { name, bound } => Shape::TypeVar {
                name: *name,
                bound: change(bound),
            },
            Shape::OfTypeVar { name, bound } => Shape::OfTypeVar {
                name: *name,
                bound: change(bound),
            },
            other => other.clone(),
        }
    }
}

fn table(db: &dyn Db) -> &ShapeTable {
    db.shared().language_tables.get::<ShapeTable>()
}

/// Interns a shape; parts that are nested too deep become unknown.
pub(crate) fn value(db: &dyn Db, shape: Shape) -> Value {
    let table = table(db);
    if let Some(number) = table.find(&shape) {
        return Value(number);
    }
    let depth_of = |values: &Values| {
        let depths = values.iter().map(|value| table.value(value.0).depth);
        depths.max().map_or(0, |depth| depth + 1)
    };
    let depth = shape.parts().into_iter().map(depth_of).max().unwrap_or(0);
    if depth > MAX_DEPTH {
        let mut cut = |values: &Values| {
            if depth_of(values) > MAX_DEPTH {
                Values::unknown()
            } else {
                values.clone()
            }
        };
        return value(db, shape.map(&mut cut));
    }
    let substitutable = match &shape {
        Shape::Receiver(_) | Shape::ReceiverClass(_) | Shape::Argument { .. } => true,
        Shape::TypeVar { .. } | Shape::OfTypeVar { .. } | Shape::Special(_) => true,
        Shape::Bound { receiver, .. } | Shape::Super { receiver, .. } => {
            table.value(receiver.0).substitutable
        }
        shape => shape.parts().into_iter().any(|values| {
            let mut list = values.iter();
            list.any(|value| table.value(value.0).substitutable)
        }),
    };
    let traits = ShapeTraits {
        depth,
        substitutable,
    };
    Value(table.intern(&shape, |_| (shape.clone(), traits)))
}

/// Returns the shape of a value.
pub(crate) fn shape(db: &dyn Db, value: Value) -> &Shape {
    table(db).key(value.0)
}

/// Returns whether a call could substitute something in a value.
pub(crate) fn is_substitutable(db: &dyn Db, value: Value) -> bool {
    table(db).value(value.0).substitutable
}
