//! Possible further references to a symbol: the units that can name it, the names by which a text
//! mentions it, and the unresolved calls that fit it.

use codeweft_db::{
    Db, DeclaredIn, NameId, PossibleCall, SymbolClass, SymbolId, Unit, UnitGraph, UnresolvedSite,
    VisibilityScope,
};
use codeweft_python_syntax::PYTHON;
use smallvec::{SmallVec, smallvec};

use crate::arity::arity;
use crate::classes::{class_info, lookup};
use crate::declared::{enclosing_module, is_of_workspace, module_by_symbol};
use crate::infer::{function_info, is_modelled};
use crate::keys::{ClassKey, FunctionKey};
use crate::members::{FunctionKind, Reading};
use crate::uses::record::{CALLED_CLASS_VALUE, CLASS_OF, CLASS_VALUE, READ};

/// Methods that run when their class is called or subclassed, under the class's name.
const BY_CLASS: &[&str] = &[
    "__attrs_post_init__",
    "__init__",
    "__init_subclass__",
    "__new__",
    "__post_init__",
];

/// Returns which units can reference a symbol.
///
/// - Objects carry methods and attributes anywhere, and a function value carries what it declares:
///   everywhere.
/// - A module's names need a chain of imports: of the module, or of another module of its top-level
///   package, since that binds the package's name and every imported submodule is an attribute of
///   its package (Python reference, The import system, "Submodules").
/// - The declarations of a `conftest` reach tests without an import.
pub(crate) fn visibility_scope(db: &dyn Db, symbol: SymbolId) -> VisibilityScope {
    let key = db.shared().symbols.key(symbol);
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return VisibilityScope::Workspace;
    };
    let module = enclosing_module(db, symbol);
    let of_module = key.parent.is_none_or(|parent| parent == module);
    let is_member = matches!(key.class, SymbolClass::Field | SymbolClass::Method);
    let stem = module_by_symbol(db, module).map(|(_, module)| module.stem);
    // pytest runs a conftest without an import; builtins need none (Python reference, "Resolution
    // of names").
    let unimported =
        stem.is_some_and(|stem| matches!(db.shared().names.text(stem), "conftest" | "builtins"));
    if !of_module || is_member || unimported {
        return VisibilityScope::Workspace;
    }
    VisibilityScope::AllImporters(units_of_package(db, unit))
}

/// Returns the units of the top-level package that a unit belongs to.
fn units_of_package(db: &dyn Db, unit: Unit) -> Vec<Unit> {
    let names = &db.shared().names;
    let (printed, package) = (names.text(unit.name(db)), names.text(unit.import_path(db)));
    let root = printed.strip_suffix(package).unwrap_or("");
    let below = package.split('.').next().unwrap_or(package);
    let top = printed.get(..root.len() + below.len()).unwrap_or(printed);
    let is_same_package = |other: &Unit| {
        let rest = names.text(other.name(db)).strip_prefix(top);
        let is_same = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        *other == unit || other.lang(db) == PYTHON && is_same
    };
    let units = UnitGraph::get(db).units(db).iter().copied();
    units.filter(is_same_package).collect()
}

/// Returns the names by which a text can mention a symbol. For a class they include its ancestors
/// in the workspace, whose code may construct the object's own class (`cls()`, `type(self)()`). Beside
/// these a constructor has the names of the subclasses of its class ([`constructed_class`]).
pub(crate) fn search_names(db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let name = shared.names.text(key.name);
    if key.class == SymbolClass::Package {
        let last = name.rsplit('.').next().unwrap_or(name);
        return smallvec![shared.names.intern(last)];
    }
    let mut found: SmallVec<[NameId; 4]> = smallvec![key.name];
    if let Some(class) = key.parent.map(|parent| shared.symbols.key(parent))
        && class.class == SymbolClass::Type
        && let Some(written) = unmangled(shared.names.text(class.name), name)
    {
        found.push(shared.names.intern(written));
    }
    let add = |class: SymbolId| {
        let key = shared.symbols.key(class);
        if is_of_workspace(db, class) && !found.contains(&key.name) {
            found.push(key.name);
        }
    };
    match (key.class, key.parent) {
        (SymbolClass::Type, _) => {
            class_info(db, ClassKey::new(db, symbol))
                .mro
                .iter()
                .copied()
                .for_each(add);
        }
        (SymbolClass::Method, Some(class)) if BY_CLASS.contains(&name) => {
            class_info(db, ClassKey::new(db, class))
                .mro
                .iter()
                .copied()
                .for_each(add);
        }
        _ => {}
    }
    found
}

/// Returns the class of a method that runs when the class, or a subclass without one of its own, is
/// called or subclassed.
pub(crate) fn constructed_class(db: &dyn Db, symbol: SymbolId) -> Option<SymbolId> {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let runs_by_class =
        key.class == SymbolClass::Method && BY_CLASS.contains(&shared.names.text(key.name));
    key.parent.filter(|_| runs_by_class)
}

/// Returns the names of unresolved sites that could construct a class through an object, in files
/// that need not be able to name it; empty for a symbol that is neither a class nor an `__init__`.
///
/// ```python
/// class Base:
///     def __new__(cls):
///         return hold(cls)      # named Base; a subclass of another module may be meant
/// def copy(x):
///     return type(x)()          # named CLASS_OF; any class may be meant
/// ```
pub(crate) fn unresolved_names_by_object(db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
    let shared = db.shared();
    let mut found = SmallVec::new();
    if let Some(class) = class_or_class_of_init(db, symbol) {
        found.push(shared.names.intern(CLASS_OF));
        let info = class_info(db, ClassKey::new(db, class));
        for &above in info.mro.iter().filter(|&&above| !is_modelled(db, above)) {
            let name = shared.symbols.key(above).name;
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// Returns a class itself, of `__init__` its class; `None` for any other symbol.
pub(crate) fn class_or_class_of_init(db: &dyn Db, symbol: SymbolId) -> Option<SymbolId> {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    match key.class {
        SymbolClass::Type => Some(symbol),
        SymbolClass::Method if shared.names.text(key.name) == "__init__" => key.parent,
        _ => None,
    }
}

/// Returns a private name as the class's text writes it: `__x` for `_C__x` in the class `_C`
/// (Python reference, Identifiers, "Private name mangling").
fn unmangled<'n>(class: &str, name: &'n str) -> Option<&'n str> {
    let rest = name
        .strip_prefix('_')?
        .strip_prefix(class.trim_start_matches('_'))?;
    rest.starts_with("__").then_some(rest)
}

/// Returns whether an unresolved call could target a symbol: it has its name (for a constructor the
/// class's name) or no name at all, and an accepted number of arguments. A call into an absent
/// package never targets a loaded declaration.
pub(crate) fn could_call(db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool {
    if site.absent.is_some() || site.is_possible_other_use() {
        return false;
    }
    could_reference(db, site, symbol)
}

/// Returns whether a reference by name could mean a symbol, for any receiver.
pub(crate) fn could_reference(db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let name = shared.names.text(key.name);
    let is_constructor = matches!(name, "__init__" | "__new__");
    let class = key
        .parent
        .filter(|_| key.class == SymbolClass::Method && is_constructor);
    let class = class.map(|class| shared.symbols.key(class).name);
    let of_site = shared.names.text(site.name);
    let is_value = of_site.is_empty();
    // `x.__class__()` constructs objects of the class of `x`; what reads `x.__class__` does not.
    let makes = (is_constructor || key.class == SymbolClass::Type) && site.signature != READ;
    let of_object = makes && of_site == CLASS_OF;
    // A class as a value may be any of its subclasses: `cls`.
    let of_class = || {
        let class = if is_constructor {
            key.parent
        } else {
            Some(symbol)
        };
        let is_named = |class: &SymbolId| shared.symbols.key(*class).name == site.name;
        let info = class.map(|class| class_info(db, ClassKey::new(db, class)));
        info.is_some_and(|info| info.mro.iter().any(is_named))
    };
    match site.signature {
        CLASS_VALUE => return makes && (of_object || of_class()),
        // Which constructors run is reported at the class that is called.
        CALLED_CLASS_VALUE => return key.class == SymbolClass::Type && of_class(),
        _ => {}
    }
    let is_named = site.name == key.name || class == Some(site.name) || is_value || of_object;
    let is_callable = matches!(
        key.class,
        SymbolClass::Type | SymbolClass::Function | SymbolClass::Method
    );
    // Reading an attribute runs a property's function; any other function is only passed on.
    if !is_value && site.signature == READ {
        return is_named;
    }
    if is_named && is_property(db, symbol) {
        return true;
    }
    is_named
        && is_callable
        && accepts(db, symbol, site.arguments)
        && accepts_keywords(db, symbol, site.keywords)
}

/// Returns whether a possible call of a symbol's name could run it.
pub(crate) fn could_be_called(db: &dyn Db, call: &PossibleCall, symbol: SymbolId) -> bool {
    let class = db.shared().symbols.key(symbol).class;
    // A field may hold a function: `__int__ = unwrap`.
    let is_callable = matches!(
        class,
        SymbolClass::Type | SymbolClass::Function | SymbolClass::Method | SymbolClass::Field
    );
    is_property(db, symbol) || !call.is_read && is_callable && accepts(db, symbol, call.arguments)
}

/// Returns whether reading or storing the attribute runs the method.
pub(crate) fn is_property(db: &dyn Db, symbol: SymbolId) -> bool {
    let is_method = db.shared().symbols.key(symbol).class == SymbolClass::Method;
    is_method
        && function_info(db, FunctionKey::new(db, symbol))
            .kind
            .is_property()
}

/// Returns whether a call with this number of arguments fits a function, or one of the constructors
/// of a class.
fn accepts(db: &dyn Db, symbol: SymbolId, arguments: u8) -> bool {
    if arguments == UnresolvedSite::ANY_COUNT {
        return true;
    }
    let shared = db.shared();
    let accepts = |function: SymbolId| {
        let arity = arity(db, function);
        arity.is_none_or(|arity| arity.accepts(arguments.into()))
    };
    match shared.symbols.key(symbol).class {
        SymbolClass::Type => {}
        // In a call on the class the receiver is an argument: `C.m(x)`.
        SymbolClass::Method if arguments > 0 && !accepts(symbol) => {
            let arity = arity(db, symbol);
            let is_plain =
                function_info(db, FunctionKey::new(db, symbol)).kind == FunctionKind::Plain;
            return is_plain && arity.is_none_or(|arity| arity.accepts(u32::from(arguments) - 1));
        }
        _ => return accepts(symbol),
    }
    let constructors = own_constructors(db, symbol);
    if constructors == [None, None] {
        let info = class_info(db, ClassKey::new(db, symbol));
        let may_take = info.has_unknown_base || info.generates_init || info.metaclass.is_some();
        return may_take || arguments == 0;
    }
    constructors.into_iter().flatten().any(accepts)
}

/// Returns whether a function, or one of the constructors of a class, has parameters of these names
/// (Python reference, "Calls"): names joined by commas.
fn accepts_keywords(db: &dyn Db, symbol: SymbolId, keywords: Option<NameId>) -> bool {
    let Some(keywords) = keywords else {
        return true;
    };
    let names = &db.shared().names;
    let accepts = |function: SymbolId| {
        let arity = arity(db, function);
        let mut keywords = names.text(keywords).split(',');
        arity.is_none_or(|arity| {
            keywords.all(|keyword| arity.accepts_keyword(|name| names.text(name) == keyword))
        })
    };
    if db.shared().symbols.key(symbol).class != SymbolClass::Type {
        return accepts(symbol);
    }
    // A metaclass may take any, and generated constructors are not read.
    let info = class_info(db, ClassKey::new(db, symbol));
    let is_known = !info.has_unknown_base && !info.generates_init && info.metaclass.is_none();
    let constructors = own_constructors(db, symbol);
    let mut constructors = constructors.into_iter().flatten();
    !is_known || constructors.any(accepts)
}

/// Returns `__init__` and `__new__` as a class finds them. Those of `object` do not run if the class
/// declares its own.
fn own_constructors(db: &dyn Db, class: SymbolId) -> [Option<SymbolId>; 2] {
    let shared = db.shared();
    let is_of_object = |method: SymbolId| {
        let class = shared.symbols.key(method).parent;
        let class = class.map(|class| shared.symbols.key(class).name);
        class.is_some_and(|class| shared.names.text(class) == "object")
    };
    ["__init__", "__new__"].map(|name| {
        let found = lookup(db, class, shared.names.intern(name), Reading::Whole);
        found.filter(|&method| !is_of_object(method))
    })
}
