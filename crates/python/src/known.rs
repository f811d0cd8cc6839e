//! Library names with an effect that no stub can express: decorators, functions and classes.
//!
//! All are matched by the dotted path that a symbol has where it is declared, so imports, aliases
//! and re-exports need no rows. To teach the analysis a decorator, add a row to [`DECORATORS`]:
//!
//! ```python
//! from functools import cache as memo
//! @memo                  # functools.cache: keeps
//! def load(): ...
//! ```
//!
//! Names that decide kinds and ids of declarations are matched without other files, in
//! [`crate::imported_names`].

use codeweft_db::{Db, SymbolId};

use crate::declared::dotted_path;
use crate::members::FunctionKind;

/// The effect of a decorator on the function that it decorates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DecoratorEffect {
    /// Returns an unknown object.
    Replaces,
    /// Returns a function which runs the decorated one and nothing else that the graph would list.
    Keeps,
    /// Returns a descriptor that binds the function in this way.
    Binds(FunctionKind),
    /// Returns a function that makes a context manager of the generator.
    ContextManager,
    /// Marks a signature of another function.
    Overload,
}

/// A decorator of the library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decorator {
    path: &'static str,
    /// The effect on a function.
    pub(crate) effect: DecoratorEffect,
    /// Whether a decorated class gets a constructor unless it defines one.
    pub(crate) generates_init: bool,
    /// Whether it returns what it is given, or something that runs it when called without a Python
    /// frame in between, so that the decorated function or class does not escape.
    pub(crate) is_transparent: bool,
}

impl Decorator {
    const fn new(path: &'static str, effect: DecoratorEffect) -> Decorator {
        Decorator {
            path,
            effect,
            generates_init: false,
            is_transparent: false,
        }
    }

    const fn transparent(mut self) -> Decorator {
        self.is_transparent = true;
        self
    }

    const fn generates_init(mut self) -> Decorator {
        self.generates_init = true;
        self
    }

    /// Returns whether it creates a plain property, which `@x.setter` and the like extend.
    pub(crate) fn is_plain_property(&self) -> bool {
        self.is_transparent && self.effect == DecoratorEffect::Binds(FunctionKind::Property)
    }
}

/// The decorators, sorted by path.
const DECORATORS: &[Decorator] = {
    use FunctionKind::{Class, Property, Static};
    const fn class_decorator(path: &'static str) -> Decorator {
        Decorator::new(path, DecoratorEffect::Replaces).transparent()
    }
    const fn keeps(path: &'static str) -> Decorator {
        Decorator::new(path, DecoratorEffect::Keeps)
    }
    const fn binds(path: &'static str, kind: FunctionKind) -> Decorator {
        Decorator::new(path, DecoratorEffect::Binds(kind))
    }
    const fn context(path: &'static str) -> Decorator {
        Decorator::new(path, DecoratorEffect::ContextManager)
    }
    const fn overload(path: &'static str) -> Decorator {
        Decorator::new(path, DecoratorEffect::Overload).transparent()
    }
    &[
        binds("abc.abstractclassmethod", Class).transparent(),
        keeps(ABSTRACT_METHOD).transparent(),
        binds("abc.abstractproperty", Property).transparent(),
        binds("abc.abstractstaticmethod", Static).transparent(),
        keeps("atexit.register"),
        class_decorator("attr._make.attrs").generates_init(),
        class_decorator("attr._next_gen.define").generates_init(),
        class_decorator("attr._next_gen.frozen").generates_init(),
        class_decorator("attr.attrs").generates_init(),
        class_decorator("attr.define").generates_init(),
        class_decorator("attr.frozen").generates_init(),
        class_decorator("attr.mutable").generates_init(),
        class_decorator("attr.s").generates_init(),
        class_decorator("attrs.define").generates_init(),
        class_decorator("attrs.frozen").generates_init(),
        class_decorator("attrs.mutable").generates_init(),
        binds("builtins.classmethod", Class).transparent(),
        binds("builtins.property", Property).transparent(),
        binds("builtins.staticmethod", Static).transparent(),
        context("contextlib.asynccontextmanager"),
        context("contextlib.contextmanager"),
        class_decorator("dataclasses.dataclass").generates_init(),
        binds("enum.property", Property),
        class_decorator("enum.unique"),
        keeps("functools.cache").transparent(),
        binds("functools.cached_property", Property),
        keeps("functools.lru_cache").transparent(),
        keeps("functools.singledispatch"),
        keeps("functools.singledispatchmethod"),
        keeps("functools.total_ordering").transparent(),
        keeps("functools.wraps").transparent(),
        binds("types.DynamicClassAttribute", Property),
        keeps("types.coroutine"),
        keeps("typing.final").transparent(),
        keeps("typing.no_type_check").transparent(),
        overload("typing.overload"),
        keeps("typing.override").transparent(),
        keeps("typing.runtime_checkable").transparent(),
        keeps("typing.type_check_only").transparent(),
        keeps("typing_extensions.deprecated"),
        keeps("typing_extensions.final").transparent(),
        overload("typing_extensions.overload"),
        keeps("typing_extensions.override").transparent(),
        class_decorator("typing_extensions.runtime_checkable"),
        keeps("unittest.case.skip"),
        keeps("unittest.case.skipIf"),
        keeps("unittest.case.skipUnless"),
        keeps("unittest.expectedFailure"),
        keeps("unittest.skip"),
        keeps("unittest.skipIf"),
        keeps("unittest.skipUnless"),
        keeps("warnings.deprecated"),
    ]
};

/// Every decorator below `pytest.mark`.
const PYTEST_MARK: Decorator = Decorator::new("pytest.mark.", DecoratorEffect::Keeps).transparent();

/// The decorator of abstract methods (Python library, `abc`).
pub(crate) const ABSTRACT_METHOD: &str = "abc.abstractmethod";

/// The metaclass of abstract classes (Python library, `abc`).
pub(crate) const ABC_META: &str = "abc.ABCMeta";

/// Returns the decorator with a dotted path.
pub(crate) fn decorator(path: &str) -> Option<&'static Decorator> {
    match DECORATORS.binary_search_by(|row| row.path.cmp(path)) {
        Ok(at) => DECORATORS.get(at),
        Err(_) => path.starts_with(PYTEST_MARK.path).then_some(&PYTEST_MARK),
    }
}

/// Returns the kind of function that a method of a property makes as a decorator: `setter` of
/// `@x.setter` (Python library, `property`).
pub(crate) fn property_method(name: &str) -> Option<FunctionKind> {
    match name {
        "getter" => Some(FunctionKind::Property),
        "setter" => Some(FunctionKind::Setter),
        "deleter" => Some(FunctionKind::Deleter),
        _ => None,
    }
}

/// Returns the name in `typing` or `typing_extensions` of a dotted path.
pub(crate) fn typing_name(path: &str) -> Option<&str> {
    path.strip_prefix("typing.")
        .or_else(|| path.strip_prefix("typing_extensions."))
}

/// A function of the library whose result depends on its arguments in a way that no annotation
/// describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownFunction {
    /// `getattr(object, name, default)`
    GetAttr,
    /// `cast(type, value)`
    Cast,
    /// Returns an object like its first argument.
    Copy,
    /// Returns one of several arguments, or an element of the only one.
    Choose,
    /// `iter(iterable)`
    Iter,
}

/// (module, name, function)
const FUNCTIONS: &[(&str, &str, KnownFunction)] = &[
    ("builtins", "getattr", KnownFunction::GetAttr),
    ("builtins", "iter", KnownFunction::Iter),
    ("builtins", "max", KnownFunction::Choose),
    ("builtins", "min", KnownFunction::Choose),
    ("copy", "copy", KnownFunction::Copy),
    ("copy", "deepcopy", KnownFunction::Copy),
    ("dataclasses", "replace", KnownFunction::Copy),
    ("typing", "cast", KnownFunction::Cast),
];

/// Returns the known function that a symbol is.
pub(crate) fn function(db: &dyn Db, symbol: SymbolId) -> Option<KnownFunction> {
    find(db, symbol, FUNCTIONS)
}

/// A class of the library that calls, subscripts or subclasses treat specially.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownClass {
    /// The base of all exceptions.
    BaseException,
    /// A subscript names parameters and result of a callable.
    Callable,
    /// Its subclasses are enumerations.
    Enum,
    /// The metaclass of enumerations, no enumeration itself.
    EnumMeta,
    /// The base of all classes.
    Object,
    /// A call returns an object that looks attributes up after a class.
    Super,
    /// A subscript names the types of elements.
    Tuple,
    /// A call with one argument returns the argument's class.
    Type,
}

/// (module, name, class)
const CLASSES: &[(&str, &str, KnownClass)] = &[
    ("_collections_abc", "Callable", KnownClass::Callable),
    ("builtins", "BaseException", KnownClass::BaseException),
    ("builtins", "object", KnownClass::Object),
    ("builtins", "super", KnownClass::Super),
    ("builtins", "tuple", KnownClass::Tuple),
    ("builtins", "type", KnownClass::Type),
    ("collections.abc", "Callable", KnownClass::Callable),
    ("enum", "Enum", KnownClass::Enum),
    ("enum", "EnumMeta", KnownClass::EnumMeta),
    ("enum", "EnumType", KnownClass::EnumMeta),
];

/// Returns the known class that a symbol is.
pub(crate) fn class(db: &dyn Db, symbol: SymbolId) -> Option<KnownClass> {
    find(db, symbol, CLASSES)
}

/// Finds a symbol by its path. Most symbols share their names with no row, so names are compared
/// before a path is built.
fn find<T: Copy>(db: &dyn Db, symbol: SymbolId, rows: &[(&str, &str, T)]) -> Option<T> {
    let shared = db.shared();
    let name = shared.names.text(shared.symbols.key(symbol).name);
    let mut named = rows.iter().filter(|row| row.1 == name).peekable();
    named.peek()?;
    let path = dotted_path(db, symbol);
    let module = path.strip_suffix(name)?.strip_suffix('.')?;
    named.find(|row| row.0 == module).map(|row| row.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decorators_are_sorted_by_path() {
        assert!(DECORATORS.is_sorted_by_key(|row| row.path));
    }

    #[test]
    fn a_path_below_pytest_mark_is_a_decorator_that_keeps() {
        let found = decorator("pytest.mark.slow").map(|row| row.effect);
        assert_eq!(found, Some(DecoratorEffect::Keeps));
        assert!(decorator("pytest.fixture").is_none());
    }
}
