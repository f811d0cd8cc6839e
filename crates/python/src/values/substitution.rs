//! Substitution of a call's receiver, arguments and type arguments in values.
//!
//! ```text
//! def wrap(self, x): return (self, x)      returned = Tuple(Me(C), Argument(wrap, 1))
//! box.wrap(Job())                          receiver = Instance(Box), arguments = [_, Job]
//!                                          apply    = Tuple(Instance(Box), Instance(Job))
//! ```

use codeweft_db::{Db, SymbolId};
use codeweft_syntax::NameId;

use super::shape::is_substitutable;
use super::{Class, Shape, Value, Values, shape, value};

/// The bindings that a call provides.
#[derive(Clone, Default)]
pub(crate) struct Substitution {
    /// The instance or class that a method is called on.
    pub(crate) receiver: Option<Value>,
    /// The called function, with its arguments by parameter.
    pub(crate) arguments: Option<(SymbolId, Vec<Option<Values>>)>,
    /// The values of type variables.
    pub(crate) type_vars: Vec<(NameId, Values)>,
    /// Whether arguments of other functions become unknown.
    pub(crate) closes_arguments: bool,
    /// Whether unbound type variables become their bounds.
    pub(crate) closes_type_vars: bool,
}

impl Substitution {
    /// Returns the values with everything substituted.
    pub(crate) fn apply(&self, db: &dyn Db, values: &Values) -> Values {
        if !values.iter().any(|value| is_substitutable(db, value)) {
            return values.clone();
        }
        let mut found = Values::none();
        if values.is_unknown() {
            found.add_unknown();
        }
        if values.is_loose() {
            found = found.loosened();
        }
        for value in values.iter() {
            found.join(&self.apply_one(db, value));
        }
        found
    }

    /// Returns the object that a call passes as the receiver: of a class an instance. Without a
    /// receiver, `of` itself.
    fn receiver_object(&self, db: &dyn Db, of: Value) -> Values {
        let Some(receiver) = self.receiver else {
            return Values::one(of);
        };
        match shape(db, receiver) {
            Shape::Class(class) | Shape::Subclass(class) => Values::of(
                db,
                Shape::Instance {
                    class: class.clone(),
                    exact: false,
                },
            ),
            Shape::ReceiverClass(class) => Values::of(db, Shape::Receiver(*class)),
            _ => Values::one(receiver),
        }
    }

    fn apply_one(&self, db: &dyn Db, of: Value) -> Values {
        if !is_substitutable(db, of) {
            return Values::one(of);
        }
        match shape(db, of) {
            Shape::Receiver(_) => self.receiver_object(db, of),
            Shape::ReceiverClass(_) => match self.receiver.map(|receiver| shape(db, receiver)) {
                Some(Shape::Instance { class, exact }) => {
                    Values::of(db, class_shape(class.clone(), *exact))
                }
                Some(Shape::Receiver(class)) => Values::of(db, Shape::ReceiverClass(*class)),
                Some(Shape::Class(_) | Shape::Subclass(_) | Shape::ReceiverClass(_)) => {
                    Values::one(self.receiver.unwrap_or(of))
                }
                _ => Values::one(of),
            },
            Shape::Argument { function, number } => match &self.arguments {
                Some((called, arguments)) if called == function => {
                    match arguments.get(*number as usize) {
                        Some(Some(values)) => values.clone(),
                        _ => Values::unknown(),
                    }
                }
                _ if self.closes_arguments => Values::unknown(),
                _ => Values::one(of),
            },
            Shape::OfTypeVar { name, bound } => match self.type_var(*name) {
                Some(values) => values.clone(),
                None if self.closes_type_vars => {
                    if bound.is_none() {
                        Values::unknown()
                    } else {
                        self.apply(db, bound)
                    }
                }
                None => Values::one(of),
            },
            Shape::TypeVar { name, .. } => match self.type_var(*name) {
                Some(values) => class_objects(db, values),
                None => Values::one(of),
            },
            Shape::Special(name) if db.shared().names.text(*name) == "Self" => {
                self.receiver_object(db, of)
            }
            Shape::Bound { function, receiver } => {
                let receivers = self.apply_one(db, *receiver);
                let function = *function;
                with_each(db, &receivers, |receiver| Shape::Bound {
                    function,
                    receiver,
                })
            }
            Shape::Super { class, receiver } => {
                let receivers = self.apply_one(db, *receiver);
                let class = *class;
                with_each(db, &receivers, |receiver| Shape::Super { class, receiver })
            }
            other => {
                let changed = other.map(&mut |part| self.apply(db, part));
                Values::one(value(db, changed))
            }
        }
    }

    fn type_var(&self, name: NameId) -> Option<&Values> {
        let mut rows = self.type_vars.iter();
        rows.find(|(other, _)| *other == name)
            .map(|(_, values)| values)
    }

    /// Returns the substitution of a class's type parameters.
    pub(crate) fn of_class(params: &[NameId], class: &Class) -> Substitution {
        let pairs = params.iter().zip(class.args.iter());
        Substitution {
            type_vars: pairs
                .map(|(&name, values)| (name, values.clone()))
                .collect(),
            ..Substitution::default()
        }
    }
}

/// Returns the result of a call as seen outside it: unbound type variables become their bounds.
pub(crate) fn closed(db: &dyn Db, values: &Values) -> Values {
    Substitution {
        closes_type_vars: true,
        ..Substitution::default()
    }
    .apply(db, values)
}

/// Returns the class of an object as a shape: exactly this one, or any subclass.
pub(crate) fn class_shape(class: Class, exact: bool) -> Shape {
    if exact {
        Shape::Class(class)
    } else {
        Shape::Subclass(class)
    }
}

/// Returns the classes of objects, and type expressions for objects without a class.
fn class_objects(db: &dyn Db, objects: &Values) -> Values {
    let mut found = Values::none();
    let mut rest = objects.clone();
    for one in objects.iter() {
        if let Shape::Instance { class, exact } = shape(db, one) {
            found.add(value(db, class_shape(class.clone(), *exact)));
            rest.retain(|other| other != one);
        }
    }
    if !rest.is_none() {
        found.join(&Values::of(db, Shape::TypeExpression(rest)));
    }
    found
}

fn with_each(db: &dyn Db, values: &Values, shape: impl Fn(Value) -> Shape) -> Values {
    let mut found = Values::none();
    if values.is_unknown() {
        found.add_unknown();
    }
    for one in values.iter() {
        found.add(value(db, shape(one)));
    }
    found
}
