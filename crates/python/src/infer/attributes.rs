//! Attribute references (Python reference, Attribute references; Invoking descriptors).

use codeweft_db::{Db, NameId, SymbolId};

use super::denoted::{denoted, submodule};
use super::frame::Frame;
use super::functions::{FunctionInfo, FunctionKey, FunctionKind, call_result, function_info};
use super::memo::remembered;
use super::names::{ModuleName, NameKey, absent_member, bound, field, module};
use super::typing;
use crate::classes::{ClassInfo, ClassKey, OwnMember, branch_twins, class_info, find};
use crate::members::{class_members, function_form};
use crate::values::{Class, Shape, Substitution, Value, Values, shape, value};

/// What `value.name` is.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeLookup {
    /// What it evaluates to.
    pub(crate) values: Values,
    /// The declared thing that the name means.
    pub(crate) symbol: Option<SymbolId>,
    /// Whether exactly that is meant, whatever subclasses declare.
    pub(crate) direct: bool,
    /// The property's function or `__getattr__` that runs where it is read.
    pub(crate) runs: Option<SymbolId>,
    /// Whether the object could have the attribute by other ways.
    pub(crate) open: bool,
}

/// Attributes of functions and properties that lead to no declared thing.
const FUNCTION_ATTRIBUTES: [&str; 12] = [
    "setter",
    "getter",
    "deleter",
    "__name__",
    "__qualname__",
    "__doc__",
    "__module__",
    "__dict__",
    "__annotations__",
    "__defaults__",
    "__code__",
    "__globals__",
];

/// What an attribute of any of these values is.
pub(crate) fn values(frame: &Frame<'_>, of: &Values, name: NameId) -> Values {
    let mut found = Values::none();
    if of.is_unknown() {
        found.add_unknown();
    }
    for one in of.iter() {
        found.join(&attribute(frame, one, name).values);
    }
    match of.is_loose() {
        true => found.loosened(),
        false => found,
    }
}

/// What an attribute of one value is.
pub(crate) fn attribute(frame: &Frame<'_>, one: Value, name: NameId) -> AttributeLookup {
    remembered(frame.memo.map(|memo| &memo.attributes), (one, name), || {
        referred(frame, one, name)
    })
}

/// A loaded module below a package without a file of its own: a folder without `__init__` is a
/// package too (Python reference, The import system, Namespace packages).
fn below_absent(frame: &Frame<'_>, package: SymbolId, name: NameId) -> Option<SymbolId> {
    let shared = frame.db.shared();
    let mut path = shared.names.text(name).to_owned();
    let mut around = Some(package);
    while let Some(symbol) = around {
        let key = shared.symbols.key(symbol);
        path = format!("{}.{path}", shared.names.text(key.name));
        around = key.parent;
    }
    match module(frame.db, frame.unit?, &path) {
        ModuleName::Loaded(module) => Some(module),
        ModuleName::Absent(_) => None,
    }
}

fn referred(frame: &Frame<'_>, one: Value, name: NameId) -> AttributeLookup {
    let db = frame.db;
    match shape(db, one) {
        // Reading an attribute of `None` raises.
        Shape::None => AttributeLookup::default(),
        Shape::Module(module) => of_module(db, *module, name),
        Shape::Absent(package) => {
            if let Some(module) = below_absent(frame, *package, name) {
                return AttributeLookup {
                    values: Values::of(db, Shape::Module(module)),
                    symbol: Some(module),
                    direct: true,
                    ..AttributeLookup::default()
                };
            }
            let symbol = absent_member(db, *package, name);
            AttributeLookup {
                values: Values::of(db, Shape::Absent(symbol)),
                symbol: Some(symbol),
                direct: true,
                ..AttributeLookup::default()
            }
        }
        Shape::Class(class) => of_class(frame, one, class, name),
        Shape::Subclass(class) => AttributeLookup {
            direct: false,
            ..of_class(frame, one, class, name)
        },
        Shape::MyClass(class) => AttributeLookup {
            direct: false,
            ..of_class(frame, one, &Class::plain(*class), name)
        },
        Shape::Super { class, receiver } => of_super(frame, *class, *receiver, name),
        // `x.setter` of a property in a class body; what else functions carry is no call's target.
        Shape::Function(_) | Shape::Bound { .. } | Shape::Decorated(_)
            if FUNCTION_ATTRIBUTES.contains(&db.shared().names.text(name)) =>
        {
            AttributeLookup {
                values: Values::unknown(),
                ..AttributeLookup::default()
            }
        }
        Shape::Function(_) | Shape::Bound { .. } | Shape::Decorated(_) => unknown(),
        Shape::Instance { class, exact } => of_object(frame, one, class, *exact, name),
        _ => match typing::class_of(frame, one) {
            Some(class) => of_object(frame, one, &class, false, name),
            None => unknown(),
        },
    }
}

fn unknown() -> AttributeLookup {
    AttributeLookup {
        values: Values::unknown(),
        open: true,
        ..AttributeLookup::default()
    }
}

fn of_module(db: &dyn Db, module: SymbolId, name: NameId) -> AttributeLookup {
    let values = match super::typing::special(db, module, name) {
        Some(special) => Some(special),
        None => bound(db, NameKey::new(db, module, name)),
    };
    let values =
        values.or_else(|| Some(Values::of(db, Shape::Module(submodule(db, module, name)?))));
    match values {
        Some(values) => AttributeLookup {
            values,
            symbol: denoted(db, module, name),
            direct: true,
            ..AttributeLookup::default()
        },
        None => match module_hook(db, module) {
            Some(function) => {
                let result = call_result(db, function, &Substitution::default());
                AttributeLookup {
                    values: result.joined(&Values::unknown()),
                    runs: Some(function),
                    direct: true,
                    open: true,
                    ..AttributeLookup::default()
                }
            }
            None => unknown(),
        },
    }
}

/// The function that a module has for names which it does not bind (Python reference, Customizing
/// module attribute access).
pub(crate) fn module_hook(db: &dyn Db, module: SymbolId) -> Option<SymbolId> {
    let name = db.shared().names.intern("__getattr__");
    let hook = bound(db, NameKey::new(db, module, name))?.single()?;
    match shape(db, hook) {
        Shape::Function(function) => Some(*function),
        _ => None,
    }
}

/// An attribute of an object (Python reference, Invoking descriptors).
fn of_object(
    frame: &Frame<'_>,
    one: Value,
    class: &Class,
    exact: bool,
    name: NameId,
) -> AttributeLookup {
    let db = frame.db;
    let text = db.shared().names.text(name);
    if text == "__class__" {
        return AttributeLookup {
            values: class_values(db, one, class),
            ..AttributeLookup::default()
        };
    }
    let info = class_info(db, ClassKey::new(db, class.symbol));
    let Some((at, own)) = find(db, &info, name, 0) else {
        return missing(frame, one, class, &info, name);
    };
    let mut found = member(frame, one, class, &info, at, own, name);
    found.direct = exact;
    found
}

/// The class of an object as a value.
fn class_values(db: &dyn Db, one: Value, class: &Class) -> Values {
    match shape(db, one) {
        Shape::Me(class) => Values::of(db, Shape::MyClass(*class)),
        Shape::Instance { exact: false, .. } | Shape::OfTypeVar { .. } => {
            Values::of(db, Shape::Subclass(class.clone()))
        }
        _ => Values::of(db, Shape::Class(class.clone())),
    }
}

/// An attribute that no class of the order declares: `__getattr__`, an unknown base, or a store
/// from outside.
fn missing(
    frame: &Frame<'_>,
    one: Value,
    class: &Class,
    info: &ClassInfo,
    name: NameId,
) -> AttributeLookup {
    let db = frame.db;
    let names = &db.shared().names;
    let hooks = ["__getattr__", "__getattribute__"];
    let hook = hooks
        .iter()
        .find_map(|hook| find(db, info, names.intern(hook), 0));
    let text = names.text(name);
    let is_dunder = text.starts_with("__") && text.ends_with("__");
    match hook {
        Some((at, OwnMember::Function { function, .. })) if !is_dunder => {
            let owner = info.mro[at];
            let substitution = receiver_substitution(db, info, class, at, one, owner);
            let result = call_result(db, function, &substitution);
            AttributeLookup {
                values: result.joined(&Values::unknown()),
                runs: (!crate::infer::is_modelled(db, function)).then_some(function),
                open: true,
                ..AttributeLookup::default()
            }
        }
        _ => unknown(),
    }
}

/// What a call on a receiver of a class puts in place in a member of the ancestor `at`.
pub(crate) fn receiver_substitution(
    db: &dyn Db,
    info: &ClassInfo,
    class: &Class,
    at: usize,
    receiver: Value,
    owner: SymbolId,
) -> Substitution {
    let mut substitution = Substitution {
        receiver: Some(receiver),
        ..Substitution::default()
    };
    let params = match owner == class.symbol {
        true => info.type_params.clone(),
        false => class_info(db, ClassKey::new(db, owner)).type_params.clone(),
    };
    if params.is_empty() {
        return substitution;
    }
    let own = Substitution::of_class(&info.type_params, class);
    let args = info.mro_args.get(at).cloned().unwrap_or_default();
    for (number, &param) in params.iter().enumerate() {
        if let Some(values) = args.get(number) {
            let values = match class.args.is_empty() && class.symbol == owner {
                true => continue,
                false => own.apply(db, values),
            };
            substitution.type_vars.push((param, values));
        }
    }
    substitution
}

/// A member of the ancestor `at` seen on an object.
fn member(
    frame: &Frame<'_>,
    one: Value,
    class: &Class,
    info: &ClassInfo,
    at: usize,
    own: OwnMember,
    name: NameId,
) -> AttributeLookup {
    let db = frame.db;
    let owner = info.mro[at];
    let substitution = receiver_substitution(db, info, class, at, one, owner);
    match own {
        OwnMember::Class(symbol) => AttributeLookup {
            values: Values::of(db, Shape::Class(Class::plain(symbol))),
            symbol: Some(symbol),
            ..AttributeLookup::default()
        },
        OwnMember::Field(symbol) => {
            let stored = field(db, NameKey::new(db, owner, name));
            let mut values = substitution.apply(db, &stored);
            // A function stored in a class is bound like any other.
            if values
                .iter()
                .any(|value| matches!(shape(db, value), Shape::Function(_)))
            {
                values = bind_stored(db, &values, one, info, name, at);
            }
            AttributeLookup {
                values,
                symbol: Some(symbol),
                ..AttributeLookup::default()
            }
        }
        OwnMember::Function {
            function,
            also_stored,
            has_twins,
        } => {
            let mut found = AttributeLookup {
                symbol: Some(function),
                ..AttributeLookup::default()
            };
            let mut bound = |function| {
                let info = info_of(db, function);
                match info.kind {
                    FunctionKind::Property | FunctionKind::Setter | FunctionKind::Deleter => {
                        found.runs = found.runs.or(Some(function));
                        call_result(db, function, &substitution)
                    }
                    _ if !info.keeps => Values::of(db, Shape::Decorated(function)),
                    FunctionKind::Static => Values::of(db, Shape::Function(function)),
                    FunctionKind::Class => {
                        let receiver = class_values(db, one, class).single().unwrap_or(one);
                        Values::of(db, Shape::Bound { function, receiver })
                    }
                    FunctionKind::Plain => Values::of(
                        db,
                        Shape::Bound {
                            function,
                            receiver: one,
                        },
                    ),
                }
            };
            let mut values = bound(function);
            if has_twins {
                for twin in branch_twins(db, function) {
                    values = values.joined(&bound(twin)).loosened();
                }
            }
            found.values = values;
            if also_stored {
                let stored = field(db, NameKey::new(db, owner, name));
                found.values = found
                    .values
                    .joined(&substitution.apply(db, &stored))
                    .loosened();
            }
            found
        }
    }
}

/// Functions kept in a class variable are bound to the object; those stored in the object are not.
fn bind_stored(
    db: &dyn Db,
    values: &Values,
    receiver: Value,
    info: &ClassInfo,
    name: NameId,
    at: usize,
) -> Values {
    let members = class_members(db, ClassKey::new(db, info.mro[at]));
    let is_class_variable = members.get(name).is_some_and(|member| member.is_bound);
    if !is_class_variable {
        return values.clone();
    }
    let mut found = Values::none();
    if values.is_unknown() {
        found.add_unknown();
    }
    for one in values.iter() {
        found.add(match shape(db, one) {
            Shape::Function(function) => value(
                db,
                Shape::Bound {
                    function: *function,
                    receiver,
                },
            ),
            _ => one,
        });
    }
    found.loosened()
}

/// What decorators make of a function, without a query where it has none.
pub(crate) fn info_of(db: &dyn Db, function: SymbolId) -> FunctionInfo {
    let name = db.shared().symbols.key(function).name;
    let is_special = matches!(
        db.shared().names.text(name),
        "__new__" | "__init_subclass__" | "__class_getitem__"
    );
    let key = FunctionKey::new(db, function);
    let plain = || function_form(db, key).is_some_and(|form| !form.is_decorated);
    match !is_special && plain() {
        true => FunctionInfo {
            keeps: true,
            ..FunctionInfo::default()
        },
        false => function_info(db, key),
    }
}

/// An attribute of a class itself.
fn of_class(frame: &Frame<'_>, one: Value, class: &Class, name: NameId) -> AttributeLookup {
    let db = frame.db;
    let info = class_info(db, ClassKey::new(db, class.symbol));
    let Some((at, own)) = find(db, &info, name, 0) else {
        // The metaclass's attributes come last.
        if let Some(metaclass) = info.metaclass {
            let of_meta = class_info(db, ClassKey::new(db, metaclass));
            if let Some((at, own)) = find(db, &of_meta, name, 0) {
                return member(
                    frame,
                    one,
                    &Class::plain(metaclass),
                    &of_meta,
                    at,
                    own,
                    name,
                );
            }
            return missing(frame, one, &Class::plain(metaclass), &of_meta, name);
        }
        return unknown();
    };
    let owner = info.mro[at];
    match own {
        OwnMember::Class(symbol) => AttributeLookup {
            values: Values::of(db, Shape::Class(Class::plain(symbol))),
            symbol: Some(symbol),
            direct: true,
            ..AttributeLookup::default()
        },
        OwnMember::Field(symbol) => {
            let mut values = field(db, NameKey::new(db, owner, name));
            if info.is_enum {
                // A member of an enumeration is an object of it.
                values = Values::of(
                    db,
                    Shape::Instance {
                        class: Class::plain(class.symbol),
                        exact: true,
                    },
                );
            }
            AttributeLookup {
                values,
                symbol: Some(symbol),
                direct: true,
                ..AttributeLookup::default()
            }
        }
        OwnMember::Function {
            function,
            also_stored,
            has_twins,
        } => {
            let plain = |function| {
                let kind = info_of(db, function);
                match kind.kind {
                    FunctionKind::Property | FunctionKind::Setter | FunctionKind::Deleter => {
                        Values::unknown()
                    }
                    _ if !kind.keeps => Values::of(db, Shape::Decorated(function)),
                    FunctionKind::Class => Values::of(
                        db,
                        Shape::Bound {
                            function,
                            receiver: one,
                        },
                    ),
                    FunctionKind::Plain | FunctionKind::Static => {
                        Values::of(db, Shape::Function(function))
                    }
                }
            };
            let mut values = plain(function);
            if has_twins {
                for twin in branch_twins(db, function) {
                    values = values.joined(&plain(twin)).loosened();
                }
            }
            if also_stored {
                values = values
                    .joined(&field(db, NameKey::new(db, owner, name)))
                    .loosened();
            }
            AttributeLookup {
                values,
                symbol: Some(function),
                direct: true,
                ..AttributeLookup::default()
            }
        }
    }
}

/// `super().name`: the next in the order behind the class.
fn of_super(frame: &Frame<'_>, class: SymbolId, receiver: Value, name: NameId) -> AttributeLookup {
    let db = frame.db;
    let info = class_info(db, ClassKey::new(db, class));
    let Some((at, own)) = find(db, &info, name, 1) else {
        return match info.has_unknown_base {
            true => unknown(),
            // `object` has it, as far as the model tells.
            false => AttributeLookup {
                values: Values::unknown(),
                ..AttributeLookup::default()
            },
        };
    };
    let whole = Class::plain(class);
    let mut found = match shape(db, receiver) {
        Shape::Class(_) | Shape::Subclass(_) | Shape::MyClass(_) => {
            let on_class = member(frame, receiver, &whole, &info, at, own, name);
            match own {
                OwnMember::Function {
                    function,
                    has_twins: false,
                    ..
                } => match info_of(db, function).kind {
                    FunctionKind::Class => AttributeLookup {
                        values: Values::of(db, Shape::Bound { function, receiver }),
                        ..on_class
                    },
                    FunctionKind::Plain | FunctionKind::Static => AttributeLookup {
                        values: Values::of(db, Shape::Function(function)),
                        ..on_class
                    },
                    _ => on_class,
                },
                _ => on_class,
            }
        }
        _ => member(frame, receiver, &whole, &info, at, own, name),
    };
    found.direct = true;
    found
}

/// A special method of a value: the function, whether exactly that runs, and what a call of it puts
/// in place.
pub(crate) type SpecialMethod = (SymbolId, bool, Substitution);

/// The functions that an operation on a value runs by a special method's name, looked up on its
/// class alone (Python reference, Special method lookup).
pub(crate) fn special_method(
    frame: &Frame<'_>,
    one: Value,
    name: &'static str,
) -> Option<SpecialMethod> {
    remembered(frame.memo.map(|memo| &memo.specials), (one, name), || {
        special_of_class(frame, one, name)
    })
}

fn special_of_class(frame: &Frame<'_>, one: Value, name: &str) -> Option<SpecialMethod> {
    let db = frame.db;
    let name = db.shared().names.intern(name);
    let (class, exact) = match shape(db, one) {
        Shape::Instance { class, exact } => (class.clone(), *exact),
        Shape::Class(Class { symbol, .. })
        | Shape::Subclass(Class { symbol, .. })
        | Shape::MyClass(symbol) => {
            let info = class_info(db, ClassKey::new(db, *symbol));
            let exact = matches!(shape(db, one), Shape::Class(_));
            (Class::plain(info.metaclass?), exact)
        }
        _ => (typing::class_of(frame, one)?, false),
    };
    let info = class_info(db, ClassKey::new(db, class.symbol));
    let (at, own) = find(db, &info, name, 0)?;
    let OwnMember::Function { function, .. } = own else {
        return None;
    };
    let substitution = receiver_substitution(db, &info, &class, at, one, info.mro[at]);
    Some((function, exact, substitution))
}
