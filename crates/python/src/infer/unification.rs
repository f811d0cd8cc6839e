//! Unification of declared with actual types (typing specification, "Generics").
//!
//! ```text
//! solve(declared list[T], actual list[Job])  =>  T = Job
//! ```

use codeweft_db::{Db, NameId, SymbolId};

use super::builtins::is_modelled;
use super::frame::Frame;
use super::functions::{call_result, instance_of_class};
use super::operators::{async_element, element, next_values};
use super::type_arguments::arguments_as;
use super::typing::{class_of, objects};
use crate::values::{Shape, Substitution, Value, Values, shape};

/// Unifies declared with actual values, and adds what type variables are to `solved`. A variable
/// that is solved twice gets the join.
pub(crate) fn solve(
    frame: &Frame<'_>,
    declared: &Values,
    actual: &Values,
    found: &mut Vec<(NameId, Values)>,
) {
    let db = frame.db;
    for pattern in declared.iter() {
        match shape(db, pattern) {
            Shape::OfTypeVar { name, .. } => {
                // `T | None` does not bind `None` to `T`.
                let mut actual = actual.clone();
                if declared.len() > 1 {
                    actual.retain(|one| declared.iter().all(|other| other != one));
                }
                match found.iter_mut().find(|(other, _)| other == name) {
                    Some((_, values)) => values.join(&actual),
                    None => found.push((*name, actual)),
                }
            }
            Shape::Instance { class: wanted, .. } if !wanted.args.is_empty() => {
                for one in actual.iter() {
                    let args = match class_of(frame, one) {
                        Some(class) => arguments_as(db, &class, wanted.symbol),
                        None => None,
                    };
                    let args =
                        args.or_else(|| Some(vec![protocol_argument(frame, one, wanted.symbol)?]));
                    for (wanted, actual) in wanted.args.iter().zip(args.unwrap_or_default()) {
                        solve(frame, wanted, &actual, found);
                    }
                }
            }
            // `type[T]`
            Shape::TypeVar { name, bound } => {
                let of = Values::of(
                    db,
                    Shape::OfTypeVar {
                        name: *name,
                        bound: bound.clone(),
                    },
                );
                solve(frame, &of, &objects(db, actual), found);
            }
            Shape::Callable(wanted) => {
                for one in actual.iter() {
                    solve(frame, wanted, &called(db, one), found);
                }
            }
            Shape::Tuple(wanted) => {
                for one in actual.iter() {
                    if let Shape::Tuple(parts) = shape(db, one) {
                        for (wanted, actual) in wanted.iter().zip(parts.iter()) {
                            solve(frame, wanted, actual, found);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the first type argument of a protocol of the model that an object satisfies
/// structurally, not by its bases.
fn protocol_argument(frame: &Frame<'_>, one: Value, protocol: SymbolId) -> Option<Values> {
    let db = frame.db;
    if !is_modelled(db, protocol) {
        return None;
    }
    let name = db
        .shared()
        .names
        .text(db.shared().symbols.key(protocol).name);
    let itself = Values::one(one);
    Some(match (name, shape(db, one)) {
        ("Iterable" | "Iterator" | "Generator", Shape::Generator(values))
        | ("AsyncIterable" | "AsyncIterator" | "AsyncGenerator", Shape::AsyncGenerator(values))
        | ("Awaitable" | "Coroutine", Shape::Coroutine(values)) => values.clone(),
        (_, Shape::Generator(_) | Shape::AsyncGenerator(_) | Shape::Coroutine(_)) => return None,
        ("Iterable", _) => element(frame, &itself),
        ("Iterator", _) => next_values(frame, &itself),
        ("AsyncIterable", _) => async_element(frame, &itself),
        _ => return None,
    })
}

/// Returns the values of calling a value with any arguments.
fn called(db: &dyn Db, one: Value) -> Values {
    let result = |function, receiver| {
        let substitution = Substitution {
            receiver,
            closes_arguments: true,
            closes_type_vars: true,
            ..Default::default()
        };
        call_result(db, function, &substitution)
    };
    match shape(db, one) {
        Shape::Function(function) => result(*function, None),
        Shape::Bound { function, receiver } => result(*function, Some(*receiver)),
        Shape::Class(class) => instance_of_class(db, class, true),
        Shape::Subclass(class) => instance_of_class(db, class, false),
        Shape::ReceiverClass(class) => Values::of(db, Shape::Receiver(*class)),
        Shape::Callable(result) => result.clone(),
        _ => Values::unknown(),
    }
}
