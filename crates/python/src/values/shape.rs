//! The append-only table of values.

use codeweft_db::{Db, SymbolId};
use codeweft_syntax::NameId;
use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use super::Values;

/// A value by its number in the room's table. Numbers differ from run to run: nothing is printed
/// or ordered by them in an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(u32);

/// A class with its type arguments; none where they are not known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Class {
    /// The class.
    pub symbol: SymbolId,
    /// Objects of the types that stand for its type parameters, in their order.
    pub args: Box<[Values]>,
}

impl Class {
    /// A class without type arguments.
    pub fn plain(symbol: SymbolId) -> Class {
        Class {
            symbol,
            args: Box::default(),
        }
    }
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// `None`.
    None,
    /// A constant string.
    Str(NameId),
    /// A class itself.
    Class(Class),
    /// A class or one of its subclasses: what `type[C]` holds.
    Subclass(Class),
    /// An object of a class, or of a subclass unless `exact`.
    Instance {
        /// Its class.
        class: Class,
        /// Made by calling this very class.
        exact: bool,
    },
    /// The object that a method of this class runs on; a call puts its receiver in place.
    Me(SymbolId),
    /// The class that a class method of this class runs on.
    MyClass(SymbolId),
    /// A function, or a method that is not bound.
    Function(SymbolId),
    /// What an unknown decorator has made of a function.
    Decorated(SymbolId),
    /// A method with its receiver.
    Bound {
        /// The method.
        function: SymbolId,
        /// The object or class.
        receiver: Value,
    },
    /// A loaded module.
    Module(SymbolId),
    /// A module that is not loaded, or something named in one.
    Absent(SymbolId),
    /// `super()` in a method of `class`.
    Super {
        /// The class whose bases are asked.
        class: SymbolId,
        /// The object.
        receiver: Value,
    },
    /// A tuple by its elements.
    Tuple(Box<[Values]>),
    /// A generator object by what it yields.
    Generator(Values),
    /// An asynchronous generator by what it yields.
    AsyncGenerator(Values),
    /// What calling a coroutine function gives, by what awaiting it gives.
    Coroutine(Values),
    /// What a context manager made by `contextlib` binds.
    Context(Values),
    /// A type expression that is no class: objects of that type.
    TypeExpression(Values),
    /// A special form of `typing`, by name.
    Special(NameId),
    /// A type variable as a type expression.
    TypeVar {
        /// Its name.
        name: NameId,
        /// Objects of its bound.
        bound: Values,
    },
    /// An object of the type that a type variable stands for.
    OfTypeVar {
        /// Its name.
        name: NameId,
        /// Objects of its bound.
        bound: Values,
    },
    /// An object that a call gives back these.
    Callable(Values),
    /// The argument of a parameter without annotation; a call puts its argument in place.
    Argument {
        /// The function.
        function: SymbolId,
        /// The parameter's number.
        number: u32,
    },
}

/// The table.
#[derive(Default)]
pub(crate) struct ShapeTable {
    numbers: DashMap<Shape, u32, FxBuildHasher>,
    shapes: boxcar::Vec<(Shape, ShapeTraits)>,
}

/// What is asked of a shape most often.
#[derive(Clone, Copy, Debug)]
struct ShapeTraits {
    /// How deep values stand inside values.
    depth: u8,
    /// Whether a call could put something in place.
    open: bool,
}

/// Deeper values are unknown (a bound of the domain: it keeps the lattice finite).
const MOST_DEPTH: u8 = 3;

impl Shape {
    fn parts(&self) -> Vec<&Values> {
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

    /// The same shape with its parts changed.
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

/// The number of a shape; parts nested too deep become unknown.
pub(crate) fn value(db: &dyn Db, shape: Shape) -> Value {
    let table = table(db);
    if let Some(number) = table.numbers.get(&shape) {
        return Value(*number);
    }
    let depth_of = |values: &Values| {
        let depths = values
            .iter()
            .map(|value| table.shapes[value.0 as usize].1.depth);
        depths.max().map_or(0, |depth| depth + 1)
    };
    let depth = shape.parts().into_iter().map(depth_of).max().unwrap_or(0);
    if depth > MOST_DEPTH {
        let mut cut = |values: &Values| match depth_of(values) > MOST_DEPTH {
            true => Values::unknown(),
            false => values.clone(),
        };
        return value(db, shape.map(&mut cut));
    }
    let open = match &shape {
        Shape::Me(_) | Shape::MyClass(_) | Shape::Argument { .. } => true,
        Shape::TypeVar { .. } | Shape::OfTypeVar { .. } | Shape::Special(_) => true,
        Shape::Bound { receiver, .. } | Shape::Super { receiver, .. } => {
            table.shapes[receiver.0 as usize].1.open
        }
        shape => shape.parts().into_iter().any(|values| {
            let mut list = values.iter();
            list.any(|value| table.shapes[value.0 as usize].1.open)
        }),
    };
    let row = (shape.clone(), ShapeTraits { depth, open });
    let number = table
        .numbers
        .entry(shape)
        .or_insert_with(|| u32::try_from(table.shapes.push(row)).expect("under 2^32 values"));
    Value(*number)
}

/// What a value is.
pub(crate) fn shape(db: &dyn Db, value: Value) -> &Shape {
    &table(db).shapes[value.0 as usize].0
}

/// Whether a call could put something in a value's place.
pub(crate) fn is_open(db: &dyn Db, value: Value) -> bool {
    table(db).shapes[value.0 as usize].1.open
}
