//! What could still use a symbol: which units can name it, by which names, and which open calls
//! fit it.

use codeweft_db::{
    Db, DeclaredIn, File, Lang, NameId, Origin, SymbolClass, SymbolId, Unit, UnitGraph,
    UnresolvedSite, VisibilityScope,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::arity::arity;
use crate::classes::{ClassKey, class_info, lookup};
use crate::declared::{module_around, module_by_symbol};
use crate::hierarchy::py_hierarchy;
use crate::infer::{FunctionKey, FunctionKind, function_info, is_modelled};
use crate::uses::{CALLED_CLASS, CLASS, CLASS_OF, READ};

/// The signature of every function: calls of function values are not told apart by arguments.
pub(crate) const CALLABLE: u32 = 0;

/// Methods that run where a class is called or derived from, under the class's name.
const BY_CLASS: &[&str] = &[
    "__attrs_post_init__",
    "__init__",
    "__init_subclass__",
    "__new__",
    "__post_init__",
];

/// Which units can use a symbol. Objects carry their methods and attributes anywhere, and a
/// function carries what it declares. A module's names need a chain of imports: of the module, or
/// of any other of its top-level package: that binds the package's name, and a module that anyone has imported is
/// an attribute of the package around it (Python reference, The import system, Packages and
/// Submodules). What a `conftest` declares reaches tests without one.
pub(crate) fn reach(db: &dyn Db, symbol: SymbolId) -> VisibilityScope {
    let key = db.shared().symbols.key(symbol);
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return VisibilityScope::Workspace;
    };
    let module = module_around(db, symbol);
    let of_module = key.parent.is_none_or(|parent| parent == module);
    let is_member = matches!(key.class, SymbolClass::Field | SymbolClass::Method);
    let stem = module_by_symbol(db, module).map(|(_, module)| module.stem);
    // Pytest runs a conftest without an import; the builtins' names need none (Python reference,
    // "Resolution of names").
    let unimported =
        stem.is_some_and(|stem| matches!(db.shared().names.text(stem), "conftest" | "builtins"));
    if !of_module || is_member || unimported {
        return VisibilityScope::Workspace;
    }
    VisibilityScope::AllImporters(around(db, unit))
}

/// The units of the top-level package that a unit belongs to.
fn around(db: &dyn Db, unit: Unit) -> Vec<Unit> {
    let names = &db.shared().names;
    let (printed, package) = (names.text(unit.name(db)), names.text(unit.import_path(db)));
    let root = printed.strip_suffix(package).unwrap_or("");
    let below = package.split('.').next().unwrap_or(package);
    let top = printed.get(..root.len() + below.len()).unwrap_or(printed);
    let is_around = |other: &Unit| {
        let rest = names.text(other.name(db)).strip_prefix(top);
        let is_same = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        *other == unit || other.lang(db) == Lang::Python && is_same
    };
    let units = UnitGraph::get(db).units(db).iter().copied();
    units.filter(is_around).collect()
}

/// The names by which a text can mention a symbol. Of a class also those of its ancestors in the
/// workspace: what makes an object of its own class (`cls()`, `type(self)()`) stands in one of
/// them. Of a method that runs under its class's name also those of its subclasses.
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
    let mut add = |class: SymbolId| {
        let key = shared.symbols.key(class);
        let of_workspace = match key.declared_in {
            DeclaredIn::Unit(unit) => unit.origin(db) == Origin::Workspace,
            DeclaredIn::Absent(_) | DeclaredIn::Builtin(_) => false,
        };
        if of_workspace && !found.contains(&key.name) {
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
                .for_each(&mut add);
            subclasses(db, class).into_iter().for_each(add);
        }
        _ => {}
    }
    found
}

/// The names that open sites have which could be a symbol's: also of a class those of all classes
/// above it, and of what makes an object of another's class.
pub(crate) fn open_names(db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
    let shared = db.shared();
    let mut found = search_names(db, symbol);
    let key = shared.symbols.key(symbol);
    let is_init = key.class == SymbolClass::Method && shared.names.text(key.name) == "__init__";
    let class = match is_init {
        true => key.parent,
        false => Some(symbol).filter(|_| key.class == SymbolClass::Type),
    };
    if let Some(class) = class {
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

/// A private name of a class as its text has it: `__x` where the class `_C` makes it `_C__x`
/// (Python reference, Identifiers).
fn unmangled<'n>(class: &str, name: &'n str) -> Option<&'n str> {
    let rest = name
        .strip_prefix('_')?
        .strip_prefix(class.trim_start_matches('_'))?;
    rest.starts_with("__").then_some(rest)
}

/// The subclasses of a class in all units, at any distance, in order of unit and text.
fn subclasses(db: &dyn Db, class: SymbolId) -> Vec<SymbolId> {
    let mut direct: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
    let units = UnitGraph::get(db).units(db).iter();
    for &unit in units.filter(|unit| unit.lang(db) == Lang::Python) {
        for row in &py_hierarchy(db, unit).supertypes {
            direct.entry(row.to).or_default().push(row.from);
        }
    }
    let mut found = Vec::new();
    let mut seen = FxHashSet::from_iter([class]);
    let mut open = vec![class];
    while let Some(class) = open.pop() {
        for &below in direct.get(&class).into_iter().flatten() {
            if seen.insert(below) {
                found.push(below);
                open.push(below);
            }
        }
    }
    found
}

/// Whether an open call could be one of a symbol: its name, of a constructor its class's, or no
/// name at all, with a number of arguments that it takes. What is called in an absent package is
/// not declared here.
pub(crate) fn open_fits(db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool {
    if site.absent.is_some() || site.is_possible_other_use() {
        return false;
    }
    could_be(db, site, symbol)
}

/// Whether an open site of this file counts for a symbol. A library that calls `__init__` of what it
/// is given, or makes an object of its class, does so with objects of its own classes and those
/// below them; of others it is told by a value, which leaves where it is handed over.
pub(crate) fn counts_in(db: &dyn Db, file: File, site: &UnresolvedSite, symbol: SymbolId) -> bool {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let is_init = key.class == SymbolClass::Method && shared.names.text(key.name) == "__init__";
    let class = match is_init {
        true => key.parent,
        false => Some(symbol).filter(|_| key.class == SymbolClass::Type),
    };
    let by_name = matches!(shared.names.text(site.name), "__init__" | CLASS_OF);
    let Some(class) = class.filter(|_| by_name || site.signature == CLASS) else {
        return true;
    };
    let Some((unit, module)) = crate::declared::module_of(db, file) else {
        return true;
    };
    let info = class_info(db, ClassKey::new(db, class));
    let mut above = info.mro.iter();
    unit.origin(db) == Origin::Workspace
        || above.any(|&class| module_around(db, class) == module.symbol)
}

/// Whether a use of a name could be one of a symbol, whoever the receiver is.
pub(crate) fn could_be(db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool {
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
    // `x.__class__` makes objects of the class of `x`.
    let makes = is_constructor || key.class == SymbolClass::Type;
    let of_object = makes && of_site == CLASS_OF;
    // A class that is a value stands for those below it: `cls`.
    let of_class = || {
        let class = match is_constructor {
            true => key.parent,
            false => Some(symbol),
        };
        let is_named = |class: &SymbolId| shared.symbols.key(*class).name == site.name;
        let info = class.map(|class| class_info(db, ClassKey::new(db, class)));
        info.is_some_and(|info| info.mro.iter().any(is_named))
    };
    match site.signature {
        CLASS => return makes && (of_object || of_class()),
        // Which constructors run is told by the class that is called.
        CALLED_CLASS => return key.class == SymbolClass::Type && of_class(),
        _ => {}
    }
    let is_named = site.name == key.name || class == Some(site.name) || is_value || of_object;
    let is_callable = matches!(
        key.class,
        SymbolClass::Type | SymbolClass::Function | SymbolClass::Method
    );
    // What only reads an attribute runs a property's function, and hands on any other.
    if !is_value && site.signature == READ {
        return is_named;
    }
    if is_named && is_property(db, symbol) {
        return true;
    }
    is_named && is_callable && takes(db, symbol, site.arguments)
}

/// Whether reading or storing an attribute runs a method.
pub(crate) fn is_property(db: &dyn Db, symbol: SymbolId) -> bool {
    let is_method = db.shared().symbols.key(symbol).class == SymbolClass::Method;
    is_method
        && function_info(db, FunctionKey::new(db, symbol))
            .kind
            .is_property()
}

/// Whether a call with so many arguments fits a function, or a class by one of its constructors.
fn takes(db: &dyn Db, symbol: SymbolId, arguments: u8) -> bool {
    if arguments == UnresolvedSite::ANY_COUNT {
        return true;
    }
    let takes = |function: SymbolId| {
        let arity = arity(db, function);
        arity.is_none_or(|arity| arity.takes(arguments.into()))
    };
    let shared = db.shared();
    match shared.symbols.key(symbol).class {
        SymbolClass::Type => {}
        // The receiver of what is called on a class is an argument: `C.m(x)`.
        SymbolClass::Method if arguments > 0 && !takes(symbol) => {
            let arity = arity(db, symbol);
            let is_plain =
                function_info(db, FunctionKey::new(db, symbol)).kind == FunctionKind::Plain;
            return is_plain && arity.is_none_or(|arity| arity.takes(u32::from(arguments) - 1));
        }
        _ => return takes(symbol),
    }
    // What `object` has is not run where a class says more.
    let is_of_object = |method: SymbolId| {
        let class = shared
            .symbols
            .key(method)
            .parent
            .map(|class| shared.symbols.key(class).name);
        class.is_some_and(|class| shared.names.text(class) == "object")
    };
    let constructors = ["__init__", "__new__"].map(|name| {
        let found = lookup(db, symbol, shared.names.intern(name));
        found.filter(|&method| !is_of_object(method))
    });
    if constructors == [None, None] {
        let info = class_info(db, ClassKey::new(db, symbol));
        let may_take = info.has_unknown_base || info.generates_init || info.metaclass.is_some();
        return may_take || arguments == 0;
    }
    constructors.into_iter().flatten().any(takes)
}
