//! Attribute references (Python reference, "Attribute references"; Data model, "Invoking
//! Descriptors").
//!
//! ```text
//! object.name   property or other data descriptor of the class, values stored in the object and
//!               the class, functions bound to the object, then __getattr__
//! class.name    members along the mro, then the metaclass
//! module.name   bindings, submodules, then the module's __getattr__ (PEP 562)
//! super().name  members along the mro after the class
//! ```

use codeweft_db::{Db, NameId, SymbolId};

use super::builtins::is_modelled;
use super::final_results::{binding_values, field_values};
use super::frame::Frame;
use super::functions::{call_result, function_info_of};
use super::memo::{AttributeLookup, cached};
use super::module_names::{ModuleName, absent_member, resolve_module};
use super::resolution::{resolve, submodule};
use super::special_forms::special_form;
use super::type_arguments::receiver_substitution;
use super::typing::class_of;
use crate::classes::{ClassInfo, OwnMember, class_info, conditional_redefinitions, find_in_mro};
use crate::keys::ClassKey;
use crate::members::{FunctionKind, Reading, member_of};
use crate::values::{Class, Shape, Substitution, Value, Values, shape, value};

/// Attributes of functions and properties that lead to no declaration.
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

/// Returns the values of an attribute of any of these values.
pub(crate) fn attribute_values(frame: &Frame<'_>, of: &Values, name: NameId) -> Values {
    let mut found = Values::none();
    if of.is_unknown() {
        found.add_unknown();
    }
    for one in of.iter() {
        found.join(&attribute(frame, one, name).values);
    }
    if of.is_loose() {
        found.loosened()
    } else {
        found
    }
}

/// Looks an attribute of one value up.
pub(crate) fn attribute(frame: &Frame<'_>, one: Value, name: NameId) -> AttributeLookup {
    cached(frame.memo.map(|memo| &memo.attributes), (one, name), || {
        lookup_attribute(frame, one, name)
    })
}

/// Returns a loaded module below a package without a file: a folder without `__init__` is a package
/// too (Python reference, The import system, "Namespace packages").
fn module_below_absent(frame: &Frame<'_>, package: SymbolId, name: NameId) -> Option<SymbolId> {
    let shared = frame.db.shared();
    let mut path = shared.names.text(name).to_owned();
    let mut enclosing = Some(package);
    while let Some(symbol) = enclosing {
        let key = shared.symbols.key(symbol);
        path = format!("{}.{path}", shared.names.text(key.name));
        enclosing = key.parent;
    }
    match resolve_module(frame.db, frame.unit?, &path) {
        ModuleName::Loaded(module) => Some(module),
        ModuleName::Absent(_) => None,
    }
}

fn lookup_attribute(frame: &Frame<'_>, one: Value, name: NameId) -> AttributeLookup {
    let db = frame.db;
    match shape(db, one) {
        // Reading an attribute of `None` raises.
        Shape::None => AttributeLookup::default(),
        Shape::Module(module) => module_attribute(db, *module, name),
        Shape::Absent(package) => {
            if let Some(module) = module_below_absent(frame, *package, name) {
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
        Shape::Class(class) => class_attribute(frame, one, class, name),
        Shape::Subclass(class) => AttributeLookup {
            direct: false,
            ..class_attribute(frame, one, class, name)
        },
        Shape::ReceiverClass(class) => AttributeLookup {
            direct: false,
            ..class_attribute(frame, one, &Class::plain(*class), name)
        },
        Shape::Super { class, receiver } => super_attribute(frame, *class, *receiver, name),
        // `x.setter` of a property in a class body; other attributes of functions are never called.
        Shape::Function(_) | Shape::Bound { .. } | Shape::Decorated(_)
            if FUNCTION_ATTRIBUTES.contains(&db.shared().names.text(name)) =>
        {
            AttributeLookup {
                values: Values::unknown(),
                ..AttributeLookup::default()
            }
        }
        Shape::Function(_) | Shape::Bound { .. } | Shape::Decorated(_) => unknown_attribute(),
        Shape::Instance { class, exact } => object_attribute(frame, one, class, *exact, name),
        _ => match class_of(frame, one) {
            Some(class) => object_attribute(frame, one, &class, false, name),
            None => unknown_attribute(),
        },
    }
}

fn unknown_attribute() -> AttributeLookup {
    AttributeLookup {
        values: Values::unknown(),
        unresolved: true,
        ..AttributeLookup::default()
    }
}

fn module_attribute(db: &dyn Db, module: SymbolId, name: NameId) -> AttributeLookup {
    let values = match special_form(db, module, name) {
        Some(special) => Some(special),
        None => binding_values(db, module, name),
    };
    let values =
        values.or_else(|| Some(Values::of(db, Shape::Module(submodule(db, module, name)?))));
    match values {
        Some(values) => AttributeLookup {
            values,
            symbol: resolve(db, module, name),
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
                    unresolved: true,
                    ..AttributeLookup::default()
                }
            }
            None => unknown_attribute(),
        },
    }
}

/// Returns the `__getattr__` of a module, which is called for names that it does not bind (Python
/// reference, "Customizing module attribute access").
pub(crate) fn module_hook(db: &dyn Db, module: SymbolId) -> Option<SymbolId> {
    let name = db.shared().names.intern("__getattr__");
    let hook = binding_values(db, module, name)?.single()?;
    match shape(db, hook) {
        Shape::Function(function) => Some(*function),
        _ => None,
    }
}

/// Looks an attribute of an object up.
fn object_attribute(
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
    let Some((at, own)) = find_in_mro(db, &info, name, 0) else {
        return undeclared_attribute(frame, one, class, &info, name);
    };
    let mut found = member_attribute(frame, one, class, &info, at, own, name);
    found.direct = exact;
    found
}

/// Returns the class of an object as a value.
fn class_values(db: &dyn Db, one: Value, class: &Class) -> Values {
    match shape(db, one) {
        Shape::Receiver(class) => Values::of(db, Shape::ReceiverClass(*class)),
        Shape::Instance { exact: false, .. } | Shape::OfTypeVar { .. } => {
            Values::of(db, Shape::Subclass(class.clone()))
        }
        _ => Values::of(db, Shape::Class(class.clone())),
    }
}

/// Looks up an attribute that no class of the mro declares: by `__getattr__`, an unknown base, or a
/// store from outside the class.
fn undeclared_attribute(
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
        .find_map(|hook| find_in_mro(db, info, names.intern(hook), 0));
    let text = names.text(name);
    let is_dunder = text.starts_with("__") && text.ends_with("__");
    match hook {
        Some((at, OwnMember::Function { function, .. })) if !is_dunder => {
            let owner = info.mro[at];
            let substitution = receiver_substitution(db, info, class, at, one, owner);
            let result = call_result(db, function, &substitution);
            AttributeLookup {
                values: result.joined(&Values::unknown()),
                runs: (!is_modelled(db, function)).then_some(function),
                unresolved: true,
                ..AttributeLookup::default()
            }
        }
        _ => unknown_attribute(),
    }
}

/// Returns a member of the ancestor `info.mro[at]` as an attribute of an object.
fn member_attribute(
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
            let stored = field_values(db, owner, name);
            let mut values = substitution.apply(db, &stored);
            // A function stored in a class variable is bound like a method.
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
            has_redefinitions,
        } => {
            let mut found = AttributeLookup {
                symbol: Some(function),
                ..AttributeLookup::default()
            };
            let mut bind = |function| {
                let info = function_info_of(db, function);
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
            let mut values = bind(function);
            if has_redefinitions {
                for redefinition in conditional_redefinitions(db, function, Reading::ByName) {
                    values = values.joined(&bind(redefinition)).loosened();
                }
            }
            found.values = values;
            if also_stored {
                let stored = field_values(db, owner, name);
                found.values = found
                    .values
                    .joined(&substitution.apply(db, &stored))
                    .loosened();
            }
            found
        }
    }
}

/// Binds functions in a class variable to the object; those stored in the object itself stay
/// unbound.
fn bind_stored(
    db: &dyn Db,
    values: &Values,
    receiver: Value,
    info: &ClassInfo,
    name: NameId,
    at: usize,
) -> Values {
    let member = member_of(db, info.mro[at], name);
    let is_class_variable = member.is_some_and(|member| member.is_bound);
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

/// Looks an attribute of a class object up.
fn class_attribute(frame: &Frame<'_>, one: Value, class: &Class, name: NameId) -> AttributeLookup {
    let db = frame.db;
    let info = class_info(db, ClassKey::new(db, class.symbol));
    let Some((at, own)) = find_in_mro(db, &info, name, 0) else {
        // Attributes of the metaclass come last.
        if let Some(metaclass) = info.metaclass {
            let of_meta = class_info(db, ClassKey::new(db, metaclass));
            if let Some((at, own)) = find_in_mro(db, &of_meta, name, 0) {
                return member_attribute(
                    frame,
                    one,
                    &Class::plain(metaclass),
                    &of_meta,
                    at,
                    own,
                    name,
                );
            }
            return undeclared_attribute(frame, one, &Class::plain(metaclass), &of_meta, name);
        }
        return unknown_attribute();
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
            let mut values = field_values(db, owner, name);
            if info.is_enum {
                // A member of an enumeration is an instance of it.
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
            has_redefinitions,
        } => {
            let plain = |function| {
                let kind = function_info_of(db, function);
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
            if has_redefinitions {
                for redefinition in conditional_redefinitions(db, function, Reading::ByName) {
                    values = values.joined(&plain(redefinition)).loosened();
                }
            }
            if also_stored {
                values = values.joined(&field_values(db, owner, name)).loosened();
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

/// Looks up `super().name`: the next in the mro after `class`.
fn super_attribute(
    frame: &Frame<'_>,
    class: SymbolId,
    receiver: Value,
    name: NameId,
) -> AttributeLookup {
    let db = frame.db;
    let info = class_info(db, ClassKey::new(db, class));
    let Some((at, own)) = find_in_mro(db, &info, name, 1) else {
        return if info.has_unknown_base {
            unknown_attribute()
        } else {
            // `object` has the attribute, as far as the model declares it.
            AttributeLookup {
                values: Values::unknown(),
                ..AttributeLookup::default()
            }
        };
    };
    let whole = Class::plain(class);
    let mut found = match shape(db, receiver) {
        Shape::Class(_) | Shape::Subclass(_) | Shape::ReceiverClass(_) => {
            let on_class = member_attribute(frame, receiver, &whole, &info, at, own, name);
            match own {
                OwnMember::Function {
                    function,
                    has_redefinitions: false,
                    ..
                } => match function_info_of(db, function).kind {
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
        _ => member_attribute(frame, receiver, &whole, &info, at, own, name),
    };
    found.direct = true;
    found
}
