//! Operations that run special methods (Python reference, Data model, "Special method names").
//!
//! ```text
//! a + b        type(a).__add__, else type(b).__radd__
//! for x in a   type(a).__iter__, then __next__ of its result; else type(a).__getitem__
//! with a as x  type(a).__enter__, type(a).__exit__
//! a[i]         type(a).__getitem__; for a class, a generic alias or __class_getitem__
//! ```

use codeweft_db::{Db, NameId, SymbolId};
use codeweft_python_syntax::{BinaryKind, BinaryOp, CompareOp, UnaryOp};

use super::builtins::is_modelled;
use super::frame::Frame;
use super::functions::{call_result, instance_of_class};
use super::special_methods::special_method;
use super::type_arguments::{argument_of, arguments_as, has_base};
use super::typing;
use crate::classes::class_info;
use crate::keys::ClassKey;
use crate::known::{self, KnownClass};
use crate::values::{Class, Shape, Substitution, Value, Values, closed, shape};

/// Returns the values of calling a special method of a value without arguments; `None` if its class
/// has none.
fn special_result(frame: &Frame<'_>, one: Value, method: &'static str) -> Option<Values> {
    let db = frame.db;
    let (function, _, substitution) = special_method(frame, one, method)?;
    let result = call_result(db, function, &substitution);
    Some(closed(db, &result))
}

/// Returns the values of a special method found by `special_method`.
pub(crate) fn special_values(db: &dyn Db, function: SymbolId, with: &Substitution) -> Values {
    closed(db, &call_result(db, function, with))
}

fn map_each(values: &Values, mut of: impl FnMut(Value) -> Values) -> Values {
    let mut found = Values::none();
    if values.is_unknown() {
        found.add_unknown();
    }
    for one in values.iter() {
        found.join(&of(one));
    }
    if values.is_loose() {
        found.loosened()
    } else {
        found
    }
}

/// Returns the elements of an iteration (`iter`, then `next`).
pub(crate) fn element(frame: &Frame<'_>, values: &Values) -> Values {
    let db = frame.db;
    map_each(values, |one| match shape(db, one) {
        Shape::Tuple(parts) => {
            let mut found = Values::none();
            parts.iter().for_each(|part| found.join(part));
            found
        }
        Shape::Generator(elements) => elements.clone(),
        Shape::None => Values::none(),
        Shape::Class(class) => members_of_enum(frame, class, true),
        Shape::Subclass(class) => members_of_enum(frame, class, false),
        _ => match special_method(frame, one, "__iter__") {
            Some((function, _, substitution)) => {
                let declared = if is_modelled(db, function) {
                    argument_of(frame, one, "Iterable")
                } else {
                    None
                };
                declared.unwrap_or_else(|| {
                    let iterator = call_result(db, function, &substitution);
                    next(frame, &closed(db, &iterator), one)
                })
            }
            None => match special_result(frame, one, "__getitem__") {
                Some(element) => element,
                None => Values::unknown(),
            },
        },
    })
}

/// Returns the values of calling `next` on iterators.
pub(crate) fn next_values(frame: &Frame<'_>, iterators: &Values) -> Values {
    map_each(iterators, |one| next(frame, &Values::one(one), one))
}

fn members_of_enum(frame: &Frame<'_>, class: &Class, exact: bool) -> Values {
    let db = frame.db;
    let key = ClassKey::new(db, class.symbol);
    if class_info(db, key).is_enum {
        instance_of_class(db, class, exact)
    } else {
        Values::unknown()
    }
}

fn next(frame: &Frame<'_>, iterators: &Values, itself: Value) -> Values {
    let db = frame.db;
    map_each(iterators, |iterator| match shape(db, iterator) {
        Shape::Generator(elements) => elements.clone(),
        Shape::Tuple(parts) => {
            let mut found = Values::none();
            parts.iter().for_each(|part| found.join(part));
            found
        }
        _ => match special_result(frame, iterator, "__next__") {
            Some(element) => element,
            // `__iter__` returned a container, which is iterated in turn.
            None if iterator != itself => match special_result(frame, iterator, "__iter__") {
                Some(again) => map_each(&again, |last| match shape(db, last) {
                    Shape::Generator(elements) => elements.clone(),
                    _ => special_result(frame, last, "__next__").unwrap_or_else(Values::unknown),
                }),
                None => Values::unknown(),
            },
            None => Values::unknown(),
        },
    })
}

/// Returns the elements of an asynchronous iteration.
pub(crate) fn async_element(frame: &Frame<'_>, values: &Values) -> Values {
    let db = frame.db;
    map_each(values, |one| match shape(db, one) {
        Shape::AsyncGenerator(elements) => elements.clone(),
        _ => match special_result(frame, one, "__aiter__") {
            Some(iterator) => map_each(&iterator, |iterator| match shape(db, iterator) {
                Shape::AsyncGenerator(elements) => elements.clone(),
                _ => match special_result(frame, iterator, "__anext__") {
                    Some(next) => await_values(frame, &next),
                    None => Values::unknown(),
                },
            }),
            None => Values::unknown(),
        },
    })
}

/// Returns the values of `await`.
pub(crate) fn await_values(frame: &Frame<'_>, values: &Values) -> Values {
    let db = frame.db;
    map_each(values, |one| match shape(db, one) {
        Shape::Coroutine(result) => result.clone(),
        Shape::None => Values::none(),
        Shape::Instance { class, .. } => {
            // `Awaitable[T]`, `Future[T]`, `Task[T]`; `Coroutine[Y, S, R]` by its last argument.
            match class.args.last() {
                Some(last) => last.clone(),
                None => Values::unknown(),
            }
        }
        _ => Values::unknown(),
    })
}

/// Returns `base[a:b]`: a slice of a builtin sequence is of the same class (Python reference,
/// "Sequences").
fn slice_values(frame: &Frame<'_>, one: Value) -> Option<Values> {
    let db = frame.db;
    if let Shape::Tuple(parts) = shape(db, one) {
        let mut element = Values::none();
        parts.iter().for_each(|part| element.join(part));
        return Some(frame.container("tuple", vec![element.loosened()]));
    }
    let (function, _, _) = special_method(frame, one, "__getitem__")?;
    let owner = db.shared().symbols.key(function).parent?;
    let class = typing::class_of(frame, one)?;
    let is_sequence = is_modelled(db, function) && has_base(db, owner, "Sequence");
    is_sequence.then_some(())?;
    let args = arguments_as(db, &class, owner)?;
    let class = Class {
        symbol: owner,
        args: args.into(),
    };
    Some(instance_of_class(db, &class, false))
}

/// Returns the values that `with … as` binds.
pub(crate) fn with_values(frame: &Frame<'_>, values: &Values, is_async: bool) -> Values {
    let db = frame.db;
    map_each(values, |one| match shape(db, one) {
        Shape::Context(yields) => yields.clone(),
        Shape::None => Values::none(),
        _ if is_async => match special_result(frame, one, "__aenter__") {
            Some(entered) => await_values(frame, &entered),
            None => Values::unknown(),
        },
        _ => special_result(frame, one, "__enter__").unwrap_or_else(Values::unknown),
    })
}

/// Returns element `at` of an unpacked value; a negative index counts from the end.
pub(crate) fn unpacked_element(frame: &Frame<'_>, values: &Values, at: i32) -> Values {
    let db = frame.db;
    map_each(values, |one| match shape(db, one) {
        Shape::Tuple(parts) => {
            let at = if at < 0 {
                parts.len() as i64 + i64::from(at)
            } else {
                i64::from(at)
            };
            let part = usize::try_from(at).ok().and_then(|at| parts.get(at));
            part.cloned().unwrap_or_else(Values::none)
        }
        _ => element(frame, &Values::one(one)),
    })
}

/// Returns `base[index]`, for objects and for type expressions.
pub(crate) fn subscript(frame: &Frame<'_>, base: &Values, index: &Values) -> Values {
    let db = frame.db;
    let is_slice = index.single().is_some_and(|one| match shape(db, one) {
        Shape::Instance { class, .. } => frame
            .unit
            .is_some_and(|unit| class.symbol == frame.builtin_class(unit, "slice")),
        _ => false,
    });
    map_each(base, |one| {
        let part = is_slice.then(|| slice_values(frame, one)).flatten();
        part.unwrap_or_else(|| subscript_item(frame, one, index))
    })
}

/// Returns `one[index]`.
fn subscript_item(frame: &Frame<'_>, one: Value, index: &Values) -> Values {
    let db = frame.db;
    match shape(db, one) {
        Shape::Special(form) => typing::subscript_form(frame, *form, index),
        Shape::Class(class) | Shape::Subclass(class) => {
            let parts = typing::parts(db, index);
            match known::class(db, class.symbol) {
                Some(KnownClass::Tuple) => {
                    Values::of(db, Shape::TypeExpression(typing::tuple_of(frame, &parts)))
                }
                Some(KnownClass::Type) => {
                    let of = parts.first().map(|part| typing::objects(db, part));
                    let of = of.unwrap_or_else(Values::unknown);
                    Values::of(db, Shape::TypeExpression(typing::classes(db, &of)))
                }
                Some(KnownClass::Callable) => {
                    let of = parts.last().map(|part| typing::objects(db, part));
                    let of = of.unwrap_or_else(Values::unknown);
                    Values::of(
                        db,
                        Shape::TypeExpression(Values::of(db, Shape::Callable(of))),
                    )
                }
                _ => {
                    let key = ClassKey::new(db, class.symbol);
                    let info = class_info(db, key);
                    if info.is_enum {
                        return instance_of_class(db, class, true);
                    }
                    let args = parts.iter().map(|part| typing::objects(db, part)).collect();
                    Values::of(
                        db,
                        Shape::Class(Class {
                            symbol: class.symbol,
                            args,
                        }),
                    )
                }
            }
        }
        Shape::TypeExpression(objects) => {
            // A generic alias: its type variables in order of name.
            let parts = typing::parts(db, index);
            let [only] = &parts[..] else {
                return Values::one(one);
            };
            let mut names = Vec::new();
            type_vars(db, objects, &mut names);
            let type_vars = names
                .into_iter()
                .map(|name| (name, typing::objects(db, only)));
            let substitution = Substitution {
                type_vars: type_vars.collect(),
                ..Substitution::default()
            };
            Values::of(db, Shape::TypeExpression(substitution.apply(db, objects)))
        }
        Shape::Tuple(parts) => {
            let mut found = Values::none();
            parts.iter().for_each(|part| found.join(part));
            found.loosened()
        }
        Shape::None => Values::none(),
        _ => special_result(frame, one, "__getitem__").unwrap_or_else(Values::unknown),
    }
}

fn type_vars(db: &dyn Db, objects: &Values, found: &mut Vec<NameId>) {
    for one in objects.iter() {
        match shape(db, one) {
            Shape::OfTypeVar { name, .. } if !found.contains(name) => found.push(*name),
            Shape::Instance { class, .. } => {
                class.args.iter().for_each(|arg| type_vars(db, arg, found));
            }
            Shape::Callable(values) | Shape::Coroutine(values) => type_vars(db, values, found),
            _ => {}
        }
    }
}

/// Returns the methods of a binary operator: plain, reflected and augmented.
pub(crate) fn binary_methods(kind: BinaryKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        BinaryKind::Add => ("__add__", "__radd__", "__iadd__"),
        BinaryKind::Sub => ("__sub__", "__rsub__", "__isub__"),
        BinaryKind::Mul => ("__mul__", "__rmul__", "__imul__"),
        BinaryKind::MatMul => ("__matmul__", "__rmatmul__", "__imatmul__"),
        BinaryKind::TrueDiv => ("__truediv__", "__rtruediv__", "__itruediv__"),
        BinaryKind::FloorDiv => ("__floordiv__", "__rfloordiv__", "__ifloordiv__"),
        BinaryKind::Mod => ("__mod__", "__rmod__", "__imod__"),
        BinaryKind::Pow => ("__pow__", "__rpow__", "__ipow__"),
        BinaryKind::LShift => ("__lshift__", "__rlshift__", "__ilshift__"),
        BinaryKind::RShift => ("__rshift__", "__rrshift__", "__irshift__"),
        BinaryKind::And => ("__and__", "__rand__", "__iand__"),
        BinaryKind::Xor => ("__xor__", "__rxor__", "__ixor__"),
        BinaryKind::Or => ("__or__", "__ror__", "__ior__"),
    }
}

/// Returns the method of a comparison, and the reflected one of the other operand.
pub(crate) fn compare_methods(op: CompareOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        CompareOp::Lt => ("__lt__", "__gt__"),
        CompareOp::Le => ("__le__", "__ge__"),
        CompareOp::Eq => ("__eq__", "__eq__"),
        CompareOp::Ne => ("__ne__", "__ne__"),
        CompareOp::Gt => ("__gt__", "__lt__"),
        CompareOp::Ge => ("__ge__", "__le__"),
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => return None,
    })
}

/// Returns the method of a unary operator.
pub(crate) fn unary_method(op: UnaryOp) -> Option<&'static str> {
    match op {
        UnaryOp::Neg => Some("__neg__"),
        UnaryOp::Pos => Some("__pos__"),
        UnaryOp::Invert => Some("__invert__"),
        UnaryOp::Not => None,
    }
}

/// Returns the values of `left op right`.
pub(crate) fn binary(frame: &Frame<'_>, op: BinaryOp, left: &Values, right: &Values) -> Values {
    let db = frame.db;
    let is_type = |values: &Values| {
        values.iter().any(|one| {
            matches!(
                shape(db, one),
                Shape::Class(_)
                    | Shape::Subclass(_)
                    | Shape::TypeExpression(_)
                    | Shape::TypeVar { .. }
                    | Shape::ReceiverClass(_)
            )
        })
    };
    if op.kind == BinaryKind::Or && (is_type(left) || is_type(right)) {
        let mut found = typing::objects(db, left);
        found.join(&typing::objects(db, right));
        return Values::of(db, Shape::TypeExpression(found));
    }
    let (method, reflected, _) = binary_methods(op.kind);
    map_each(left, |one| match special_result(frame, one, method) {
        Some(result) => result,
        None => map_each(right, |other| {
            special_result(frame, other, reflected).unwrap_or_else(Values::unknown)
        }),
    })
}

/// Returns the values of `op value`.
pub(crate) fn unary(frame: &Frame<'_>, op: UnaryOp, values: &Values) -> Values {
    match unary_method(op) {
        Some(method) => map_each(values, |one| {
            special_result(frame, one, method).unwrap_or_else(Values::unknown)
        }),
        None => frame.object("bool"),
    }
}

/// Returns the special methods that an operation runs on a set of values, for the classes that have
/// one.
pub(crate) fn special_methods_of(
    frame: &Frame<'_>,
    values: &Values,
    method: &'static str,
    found: &mut Vec<(SymbolId, bool)>,
) {
    for one in values.iter() {
        if let Some((function, exact, _)) = special_method(frame, one, method)
            && !found.contains(&(function, exact))
        {
            found.push((function, exact));
        }
    }
}
