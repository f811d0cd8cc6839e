//! Type expressions (Python reference, "Annotations"; typing specification, "Type annotations").
//!
//! [`objects`] converts the value of a type expression to the objects of that type, and
//! [`subscript_form`] evaluates subscripts of special forms:
//!
//! ```text
//! objects(list[int])                  = Instance(list, [Instance(int)])
//! objects(Optional[A])                = {Instance(A), None}
//! ```

use codeweft_db::{Db, DeclaredIn, NameId, Unit, UnitGraph};

use super::builtins::builtin_class;
use super::final_results::binding_values;
use super::frame::{Frame, object, value_of_none};
use super::module_names::{ModuleName, resolve_module};
use crate::declared::{enclosing_module, module_name};
use crate::values::{Class, Shape, Value, Values, shape};

/// Returns whether a declared type says only that the name is an alias or final, so that its value
/// is more precise.
pub(crate) fn is_alias_mark(db: &dyn Db, declared: &Values) -> bool {
    let mut values = declared.iter();
    values.any(|one| match shape(db, one) {
        Shape::Special(name) => {
            matches!(
                db.shared().names.text(*name),
                "TypeAlias" | "Final" | "ClassVar"
            )
        }
        _ => false,
    })
}

/// Returns objects of the types that type expressions denote.
pub(crate) fn objects(db: &dyn Db, types: &Values) -> Values {
    let mut found = Values::none();
    if types.is_unknown() {
        found.add_unknown();
    }
    for one in types.iter() {
        match shape(db, one) {
            Shape::Class(class) | Shape::Subclass(class) => found.join(&Values::of(
                db,
                Shape::Instance {
                    class: model_class(db, class),
                    exact: false,
                },
            )),
            Shape::ReceiverClass(class) => found.join(&Values::of(db, Shape::Receiver(*class))),
            Shape::TypeExpression(values) => found.join(values),
            Shape::None => found.add(one),
            Shape::TypeVar { name, bound } => found.join(&Values::of(
                db,
                Shape::OfTypeVar {
                    name: *name,
                    bound: bound.clone(),
                },
            )),
            Shape::Special(name) => found.join(&special_object(db, *name, one)),
            // `x: NewType(...)`, a string that is no literal, or a value: unknown.
            _ => found.add_unknown(),
        }
    }
    found
}

/// Returns the model's class in `typing` for an abstract class of `collections.abc`: the same
/// class, with type parameters.
fn model_class(db: &dyn Db, class: &Class) -> Class {
    let module = enclosing_module(db, class.symbol);
    if !matches!(
        module_name(db, module),
        "_collections_abc" | "collections.abc"
    ) {
        return class.clone();
    }
    let key = db.shared().symbols.key(class.symbol);
    let unit = match key.declared_in {
        DeclaredIn::Unit(unit) => unit,
        _ => return class.clone(),
    };
    // The abstract set has another name there.
    let names = &db.shared().names;
    let name = match names.text(key.name) {
        "Set" => names.intern("AbstractSet"),
        _ => key.name,
    };
    if let ModuleName::Loaded(typing) = resolve_module(db, unit, "typing")
        && let Some(values) = binding_values(db, typing, name)
        && let Some(Shape::Class(model)) = values.single().map(|one| shape(db, one))
    {
        return Class {
            symbol: model.symbol,
            args: class.args.clone(),
        };
    }
    class.clone()
}

fn special_object(db: &dyn Db, name: NameId, one: Value) -> Values {
    let builtin = |class: &str| match any_unit(db) {
        Some(unit) => Values::one(object(db, builtin_class(db, unit, class))),
        None => Values::unknown(),
    };
    match db.shared().names.text(name) {
        "List" => builtin("list"),
        "Dict" | "DefaultDict" | "OrderedDict" | "Counter" | "ChainMap" => builtin("dict"),
        "Set" => builtin("set"),
        "FrozenSet" => builtin("frozenset"),
        "Tuple" => builtin("tuple"),
        "Type" => builtin("type"),
        "LiteralString" | "AnyStr" | "Text" => builtin("str"),
        "Callable" => Values::of(db, Shape::Callable(Values::unknown())),
        // The receiver is substituted where the value is called or read.
        "Self" | "TypeAlias" | "Final" | "ClassVar" => Values::one(one),
        "NoReturn" | "Never" => Values::none(),
        _ => Values::unknown(),
    }
}

/// Returns some unit of the language, for what all units see alike.
fn any_unit(db: &dyn Db) -> Option<Unit> {
    let units = UnitGraph::get(db).units(db);
    units
        .iter()
        .copied()
        .find(|unit| unit.lang(db) == codeweft_python_syntax::PYTHON)
}

/// Returns `form[index]` for a special form.
pub(crate) fn subscript_form(frame: &Frame<'_>, form: NameId, index: &Values) -> Values {
    let db = frame.db;
    let parts = parts(db, index);
    let all = |parts: &[Values]| {
        let mut found = Values::none();
        parts.iter().for_each(|part| found.join(&objects(db, part)));
        found
    };
    let expression = |values: Values| Values::of(db, Shape::TypeExpression(values));
    let class = |name: &str, args: Vec<Values>| match frame.unit {
        Some(unit) => Values::of(
            db,
            Shape::Class(Class {
                symbol: builtin_class(db, unit, name),
                args: args.into(),
            }),
        ),
        None => Values::unknown(),
    };
    let class_in = |module: &str, name: &str, other: &str, args: Vec<Values>| {
        let of_module = || {
            let ModuleName::Loaded(module) = resolve_module(db, frame.unit?, module) else {
                return None;
            };
            let name = db.shared().names.intern(name);
            match shape(db, binding_values(db, module, name)?.single()?) {
                Shape::Class(of) => Some(of.symbol),
                _ => None,
            }
        };
        match of_module() {
            Some(symbol) => Values::of(
                db,
                Shape::Class(Class {
                    symbol,
                    args: args.into(),
                }),
            ),
            None => class(other, args),
        }
    };
    let first = || {
        parts
            .first()
            .map(|part| objects(db, part))
            .unwrap_or_else(Values::unknown)
    };
    let each = || {
        parts
            .iter()
            .map(|part| objects(db, part))
            .collect::<Vec<_>>()
    };
    match db.shared().names.text(form) {
        "Union" => expression(all(&parts)),
        "Optional" => {
            let mut found = all(&parts);
            found.add(value_of_none(db));
            expression(found)
        }
        "Final" | "ClassVar" | "Annotated" | "Required" | "NotRequired" | "ReadOnly" | "Unpack" => {
            expression(first())
        }
        "Type" => expression(classes(db, &first())),
        "List" => class("list", vec![first()]),
        "Set" => class("set", vec![first()]),
        "FrozenSet" => class("frozenset", vec![first()]),
        "Deque" => class_in("_collections", "deque", "list", vec![first()]),
        "DefaultDict" => class_in("_collections", "defaultdict", "dict", each()),
        "Dict" | "OrderedDict" | "ChainMap" => class("dict", each()),
        "Counter" => class("dict", vec![first(), frame.object("int")]),
        "Tuple" => expression(tuple_of(frame, &parts)),
        "Callable" => {
            let result = parts.last().map(|part| objects(db, part));
            expression(Values::of(
                db,
                Shape::Callable(result.unwrap_or_else(Values::unknown)),
            ))
        }
        "Literal" => {
            let mut found = Values::none();
            parts.iter().for_each(|part| found.join(part));
            expression(found)
        }
        // A tuple keeps the order of the parameters.
        "Generic" | "Protocol" => {
            expression(Values::of(db, Shape::Tuple(each().into_iter().collect())))
        }
        "TypeGuard" | "TypeIs" => expression(frame.object("bool")),
        _ => Values::unknown(),
    }
}

/// Returns `tuple[A, B]` or `tuple[A, ...]`.
pub(crate) fn tuple_of(frame: &Frame<'_>, parts: &[Values]) -> Values {
    let db = frame.db;
    let is_ellipsis = |part: &Values| {
        part.single().is_some_and(|one| match shape(db, one) {
            Shape::Instance { class, .. } => {
                db.shared()
                    .names
                    .text(db.shared().symbols.key(class.symbol).name)
                    == "ellipsis"
            }
            _ => false,
        })
    };
    match parts {
        [element, rest] if is_ellipsis(rest) => {
            frame.container("tuple", vec![objects(db, element)])
        }
        parts => Values::of(
            db,
            Shape::Tuple(parts.iter().map(|part| objects(db, part)).collect()),
        ),
    }
}

/// Returns the parts of a subscript: the elements of a tuple.
pub(crate) fn parts(db: &dyn Db, index: &Values) -> Vec<Values> {
    match index.single().map(|one| shape(db, one)) {
        Some(Shape::Tuple(parts)) => parts.to_vec(),
        _ => vec![index.clone()],
    }
}

/// Returns the classes of objects: the values of `type[X]`.
pub(crate) fn classes(db: &dyn Db, objects: &Values) -> Values {
    let mut found = Values::none();
    if objects.is_unknown() {
        found.add_unknown();
    }
    for one in objects.iter() {
        match shape(db, one) {
            Shape::Instance { class, .. } => {
                found.join(&Values::of(db, Shape::Subclass(class.clone())));
            }
            Shape::Receiver(class) => found.join(&Values::of(db, Shape::ReceiverClass(*class))),
            Shape::OfTypeVar { name, bound } => found.join(&Values::of(
                db,
                Shape::TypeVar {
                    name: *name,
                    bound: bound.clone(),
                },
            )),
            _ => found.add_unknown(),
        }
    }
    found
}

/// Returns the class of a value, if it has one of its own.
pub(crate) fn class_of(frame: &Frame<'_>, one: Value) -> Option<Class> {
    let db = frame.db;
    let unit = frame.unit?;
    let builtin = |name: &'static str, args: Vec<Values>| Class {
        symbol: frame.builtin_class(unit, name),
        args: args.into(),
    };
    Some(match shape(db, one) {
        Shape::Instance { class, .. } => class.clone(),
        Shape::Receiver(class) => Class::plain(*class),
        Shape::Str(_) => builtin("str", Vec::new()),
        Shape::Tuple(parts) => {
            let mut element = Values::none();
            parts.iter().for_each(|part| element.join(part));
            builtin("tuple", vec![element])
        }
        Shape::OfTypeVar { bound, .. } => {
            let bound = bound.single()?;
            match shape(db, bound) {
                Shape::Instance { class, .. } => class.clone(),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Returns the first type argument of generic objects: the element of an iterator.
pub(crate) fn first_argument(db: &dyn Db, values: &Values) -> Values {
    let mut found = Values::none();
    if values.is_unknown() {
        found.add_unknown();
    }
    for one in values.iter() {
        match shape(db, one) {
            Shape::Instance { class, .. } => match class.args.first() {
                Some(first) => found.join(first),
                None => found.add_unknown(),
            },
            _ => found.add_unknown(),
        }
    }
    found
}
