//! Calls: what they may run, and what they return (Python reference, "Calls"; "Customizing instance
//! creation").
//!
//! [`callees`] lists the functions, [`result`] the values. Arguments are matched to parameters by
//! [`substitution`], which also solves type variables:
//!
//! ```python
//! def first(items: list[T]) -> T: ...
//! first([Job()])          # T = Job, so the result is a Job
//! ```

use codeweft_db::{Db, NameId, SymbolId};
use codeweft_python_syntax::{Call, ItemKind, Node, NodeId, ParamKind};

use super::attributes::{attribute, attribute_values};
use super::builtins::is_modelled;
use super::final_results::binding_values;
use super::frame::Frame;
use super::functions::{annotations_of, call_result, function_info_of, instance_of_class, path_of};
use super::memo::AttributeLookup;
use super::operators::element;
use super::resolution::resolve;
use super::special_methods::special_method;
use super::type_arguments::{has_base, receiver_substitution};
use super::typing::{class_of, objects};
use super::unification::solve;
use crate::classes::{ClassInfo, OwnMember, class_info, find_in_mro, is_subclass};
use crate::keys::ClassKey;
use crate::known::{self, KnownClass, KnownFunction};
use crate::members::{FunctionKind, form_of};
use crate::values::{Class, Shape, Substitution, Value, Values, closed, shape, value};

/// A target of a call, for one value of its callee.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    /// The called function or class.
    pub(crate) symbol: SymbolId,
    /// Whether exactly this runs, that is, no override can.
    pub(crate) direct: bool,
    /// Whether it runs as part of constructing a class (`__init__`, `__new__`, `__post_init__`),
    /// reported in addition to the class.
    pub(crate) of_class: bool,
    /// Whether an unknown decorator wraps it.
    pub(crate) decorated: bool,
}

/// Adds what calling a value may run; nothing if that is unknown.
pub(crate) fn callees(frame: &Frame<'_>, one: Value, found: &mut Vec<Callee>) {
    let db = frame.db;
    let plain = |symbol, direct| Callee {
        symbol,
        direct,
        of_class: false,
        decorated: false,
    };
    match shape(db, one) {
        Shape::Function(function) => found.push(plain(*function, true)),
        Shape::Decorated(function) => found.push(Callee {
            decorated: true,
            ..plain(*function, true)
        }),
        Shape::Bound { function, receiver } => {
            let direct = match shape(db, *receiver) {
                Shape::Instance { exact, .. } => *exact,
                Shape::Class(_) => true,
                _ => false,
            };
            found.push(plain(*function, direct));
        }
        Shape::Class(class) => construction(frame, class.symbol, true, found),
        Shape::Subclass(class) => construction(frame, class.symbol, false, found),
        Shape::ReceiverClass(class) => construction(frame, *class, false, found),
        Shape::Absent(symbol) => found.push(plain(*symbol, true)),
        Shape::Instance { .. } | Shape::Receiver(_) => {
            if let Some((function, exact, _)) = special_method(frame, one, "__call__") {
                found.push(plain(function, exact));
            }
        }
        _ => {}
    }
}

/// Adds what constructing a class runs: the class itself, the metaclass's `__call__`, then
/// `__new__` and `__init__` (Python reference, "Customizing instance creation").
fn construction(frame: &Frame<'_>, class: SymbolId, exact: bool, found: &mut Vec<Callee>) {
    let db = frame.db;
    let names = &db.shared().names;
    found.push(Callee {
        symbol: class,
        direct: exact,
        of_class: false,
        decorated: false,
    });
    let info = class_info(db, ClassKey::new(db, class));
    let mut add =
        |info: &ClassInfo, method: &str| match find_in_mro(db, info, names.intern(method), 0) {
            Some((_, OwnMember::Function { function, .. })) if !is_modelled(db, function) => {
                found.push(Callee {
                    symbol: function,
                    direct: exact,
                    of_class: true,
                    decorated: false,
                });
                true
            }
            _ => false,
        };
    if let Some(metaclass) = info.metaclass
        && !info.is_enum
    {
        add(&class_info(db, ClassKey::new(db, metaclass)), "__call__");
    }
    if info.is_enum {
        return;
    }
    add(&info, "__new__");
    if !add(&info, "__init__") && info.generates_init {
        add(&info, "__post_init__");
        add(&info, "__attrs_post_init__");
    }
}

/// Returns the values of a call.
pub(crate) fn result(frame: &Frame<'_>, call: &Call) -> Values {
    let callee = frame.node(call.callee);
    let mut found = Values::none();
    if callee.is_unknown() {
        found.add_unknown();
    }
    for one in callee.iter() {
        found.join(&result_of_value(frame, one, call));
    }
    if callee.is_loose() {
        found = found.loosened();
    }
    found
}

fn result_of_value(frame: &Frame<'_>, one: Value, call: &Call) -> Values {
    let db = frame.db;
    match shape(db, one) {
        Shape::Function(function) => {
            if let Some(known) = known_function(frame, *function, call) {
                return known;
            }
            let substitution = substitution(frame, *function, None, Some(call));
            closed(db, &call_result(db, *function, &substitution))
        }
        Shape::Bound { function, receiver } => {
            if let Some(known) = known_method(frame, *function, *receiver) {
                return known;
            }
            let substitution = substitution(frame, *function, Some(*receiver), Some(call));
            closed(db, &call_result(db, *function, &substitution))
        }
        Shape::Class(class) => construct(frame, class, true, call),
        Shape::Subclass(class) => construct(frame, class, false, call),
        Shape::ReceiverClass(class) => Values::of(db, Shape::Receiver(*class)),
        Shape::Special(name) => special_call(frame, *name, call),
        Shape::Callable(result) => result.clone(),
        Shape::Instance { .. } | Shape::Receiver(_) => match special_method(frame, one, "__call__")
        {
            Some((function, _, with)) => {
                let mut substitution = substitution(frame, function, Some(one), Some(call));
                substitution.type_vars.extend(with.type_vars);
                closed(db, &call_result(db, function, &substitution))
            }
            None => Values::unknown(),
        },
        Shape::None => Values::none(),
        _ => Values::unknown(),
    }
}

/// Returns an instance of a class, with type arguments solved from the constructor's arguments.
fn construct(frame: &Frame<'_>, class: &Class, exact: bool, call: &Call) -> Values {
    let db = frame.db;
    match known::class(db, class.symbol) {
        Some(KnownClass::Type) if frame.code.list(call.positional).len() == 1 => {
            let of = frame.node(frame.code.list(call.positional)[0]);
            let mut found = Values::none();
            if of.is_unknown() {
                found.add_unknown();
            }
            for one in of.iter() {
                match (shape(db, one), class_of(frame, one)) {
                    (Shape::Receiver(class), _) => {
                        found.join(&Values::of(db, Shape::ReceiverClass(*class)));
                    }
                    (Shape::Instance { exact: false, .. } | Shape::OfTypeVar { .. }, Some(of)) => {
                        found.join(&Values::of(db, Shape::Subclass(of)));
                    }
                    (_, Some(class)) => found.join(&Values::of(db, Shape::Class(class))),
                    _ => found.add_unknown(),
                }
            }
            return found;
        }
        Some(KnownClass::Super) => return super_object(frame, call),
        _ => {}
    }
    let info = class_info(db, ClassKey::new(db, class.symbol));
    let mut class = class.clone();
    if class.args.is_empty() && !info.type_params.is_empty() {
        class.args = solved_class(frame, &info, &class, call);
    }
    let object = instance_of_class(db, &class, exact);
    // `__new__` may be annotated to return an object of another class.
    let names = &db.shared().names;
    if let Some((_, OwnMember::Function { function, .. })) =
        find_in_mro(db, &info, names.intern("__new__"), 0)
        && !is_modelled(db, function)
        && let Some(declared) = &annotations_of(db, function).result
        && declared.iter().all(|one| {
            matches!(shape(db, one), Shape::Instance { class: other, .. }
                if !is_subclass(db, class.symbol, other.symbol))
        })
        && !declared.is_none()
        && !declared.is_unknown()
    {
        return declared.clone();
    }
    object
}

/// Returns the type arguments that the constructor's arguments imply.
fn solved_class(frame: &Frame<'_>, info: &ClassInfo, class: &Class, call: &Call) -> Box<[Values]> {
    let db = frame.db;
    let names = &db.shared().names;
    // The one that is declared nearer in the mro: `object` has both.
    let init = ["__init__", "__new__"].iter().filter_map(|method| {
        match find_in_mro(db, info, names.intern(method), 0)? {
            (at, OwnMember::Function { function, .. }) => Some((at, function)),
            _ => None,
        }
    });
    let init = init.min_by_key(|(at, _)| *at);
    let Some((at, function)) = init else {
        return Box::default();
    };
    let receiver = value(
        db,
        Shape::Instance {
            class: class.clone(),
            exact: true,
        },
    );
    let of_call = substitution(frame, function, Some(receiver), Some(call));
    // The constructor may be inherited and use its own class's type parameters.
    let owner = info.mro[at];
    let params = &class_info(db, ClassKey::new(db, owner)).type_params;
    let args = info.mro_args.get(at).cloned().unwrap_or_default();
    let mut solved: Vec<(NameId, Values)> = Vec::new();
    for (param, seen) in params.iter().zip(args.iter()) {
        if let Some((_, actual)) = of_call.type_vars.iter().find(|(name, _)| name == param) {
            solve(frame, seen, actual, &mut solved);
        }
    }
    if solved.is_empty() {
        return Box::default();
    }
    // Nothing is added to an iterator after its construction, so its element type is closed.
    let is_closed = is_modelled(db, class.symbol) && has_base(db, class.symbol, "Iterator");
    let of = |name: &NameId| {
        let found = solved.iter().find(|(other, _)| other == name);
        found.map_or_else(Values::unknown, |(_, values)| {
            if is_closed {
                values.clone()
            } else {
                values.clone().loosened()
            }
        })
    };
    info.type_params.iter().map(of).collect()
}

/// Returns the object of `super()` or `super(C, self)`.
fn super_object(frame: &Frame<'_>, call: &Call) -> Values {
    let db = frame.db;
    let arguments = frame.code.list(call.positional);
    let Some(class) = frame.enclosing_class() else {
        return Values::unknown();
    };
    let (class, receiver) = match arguments {
        [] => (class, method_receiver(frame, class)),
        [of, object, ..] => {
            let of = frame.node(*of).single().map(|one| shape(db, one));
            let class = match of {
                Some(Shape::Class(class) | Shape::Subclass(class)) => class.symbol,
                Some(Shape::ReceiverClass(class)) => *class,
                _ => class,
            };
            (class, frame.node(*object).single())
        }
        _ => return Values::unknown(),
    };
    let receiver = receiver.unwrap_or_else(|| value(db, Shape::Receiver(class)));
    Values::of(db, Shape::Super { class, receiver })
}

/// Returns the value of the first parameter of the enclosing method.
fn method_receiver(frame: &Frame<'_>, class: SymbolId) -> Option<Value> {
    let db = frame.db;
    let mut item = frame.item;
    loop {
        let declared = frame.items.items.get(item as usize)?;
        let parent = frame.items.items.get(declared.parent as usize)?;
        if parent.kind == ItemKind::Class {
            let function = *frame.symbols.get(item as usize)?;
            let kind = function_info_of(db, function).kind;
            let is_new = db.shared().names.text(declared.name) == "__new__";
            return Some(value(
                db,
                if kind == FunctionKind::Class || is_new {
                    Shape::ReceiverClass(class)
                } else {
                    Shape::Receiver(class)
                },
            ));
        }
        item = declared.parent;
    }
}

/// Returns the values of calling a special form of `typing`.
fn special_call(frame: &Frame<'_>, name: NameId, call: &Call) -> Values {
    let db = frame.db;
    let arguments = frame.code.list(call.positional);
    let first = arguments.first().map(|&node| frame.node(node).clone());
    match db.shared().names.text(name) {
        "TypeVar" | "ParamSpec" | "TypeVarTuple" => {
            let Some(Shape::Str(text)) = first.and_then(|of| of.single()).map(|one| shape(db, one))
            else {
                return Values::unknown();
            };
            let bound = call.keywords.iter();
            let mut bound = bound.filter(|(name, _)| db.shared().names.text(*name) == "bound");
            let bound = bound.next().map(|&(_, node)| objects(db, frame.node(node)));
            Values::of(
                db,
                Shape::TypeVar {
                    name: *text,
                    bound: bound.unwrap_or_default(),
                },
            )
        }
        "NewType" => match arguments.get(1) {
            // Calling a `NewType` returns its argument; as a type it is its base type.
            Some(&of) => frame.node(of).clone(),
            None => Values::unknown(),
        },
        _ => Values::unknown(),
    }
}

/// Returns the result of library functions that no annotation describes.
fn known_function(frame: &Frame<'_>, function: SymbolId, call: &Call) -> Option<Values> {
    let db = frame.db;
    let known = known::function(db, function)?;
    let arguments = frame.code.list(call.positional);
    match known {
        KnownFunction::GetAttr => {
            let (&object, &name) = (arguments.first()?, arguments.get(1)?);
            let Shape::Str(name) = shape(db, frame.node(name).single()?) else {
                return Some(Values::unknown());
            };
            let mut found = attribute_values(frame, frame.node(object), *name);
            if let Some(&default) = arguments.get(2) {
                found.join(frame.node(default));
            }
            Some(found.loosened())
        }
        KnownFunction::Cast => Some(objects(db, frame.node(*arguments.first()?))),
        KnownFunction::Copy => Some(frame.node(*arguments.first()?).clone()),
        // With several arguments one of them is returned; a single one is iterated.
        KnownFunction::Choose if arguments.len() > 1 => {
            let mut found = Values::none();
            for &node in arguments {
                found.join(frame.node(node));
            }
            Some(found.loosened())
        }
        KnownFunction::Iter if arguments.len() == 1 => {
            let element = element(frame, frame.node(arguments[0]));
            Some(Values::of(db, Shape::Generator(element)))
        }
        KnownFunction::Choose | KnownFunction::Iter => None,
    }
}

/// Returns the result of methods that no annotation describes.
fn known_method(frame: &Frame<'_>, function: SymbolId, receiver: Value) -> Option<Values> {
    let db = frame.db;
    let name = db
        .shared()
        .names
        .text(db.shared().symbols.key(function).name);
    match (name, shape(db, receiver)) {
        ("__new__", Shape::ReceiverClass(class)) => Some(Values::of(db, Shape::Receiver(*class))),
        _ => None,
    }
}

/// Returns what a call substitutes: the receiver, the arguments by parameter, and the type
/// variables that these imply.
pub(crate) fn substitution(
    frame: &Frame<'_>,
    function: SymbolId,
    receiver: Option<Value>,
    call: Option<&Call>,
) -> Substitution {
    let db = frame.db;
    let mut substitution = Substitution {
        receiver,
        ..Substitution::default()
    };
    if let Some(receiver) = receiver
        && let Some(class) = class_of(frame, receiver)
    {
        let info = class_info(db, ClassKey::new(db, class.symbol));
        let owner = db.shared().symbols.key(function).parent;
        if let Some(at) = info.mro.iter().position(|&other| Some(other) == owner) {
            let of = receiver_substitution(db, &info, &class, at, receiver, info.mro[at]);
            substitution.type_vars = of.type_vars;
        }
    }
    let Some(call) = call else {
        return substitution;
    };
    let Some((params, is_bound)) = parameters(frame, function, receiver.is_some()) else {
        return substitution;
    };
    let mut arguments: Vec<Option<Values>> = vec![None; params.len()];
    if is_bound && let (Some(slot), Some(receiver)) = (arguments.first_mut(), receiver) {
        *slot = Some(Values::one(receiver));
    }
    let mut next = is_bound as usize;
    let mut spread = false;
    for &node in frame.code.list(call.positional) {
        if matches!(frame.kind(node), Node::Star(_)) {
            spread = true;
            continue;
        }
        if spread {
            continue;
        }
        match params.get(next).map(|(_, kind)| *kind) {
            Some(ParamKind::PositionalOnly | ParamKind::Normal) => {
                arguments[next] = Some(frame.node(node).clone());
                next += 1;
            }
            Some(ParamKind::Star) => join(&mut arguments[next], frame.node(node)),
            _ => {}
        }
    }
    for &(name, node) in &call.keywords {
        let at = params.iter().position(|&(other, kind)| {
            other == name && matches!(kind, ParamKind::Normal | ParamKind::KeywordOnly)
        });
        if let Some(at) = at {
            arguments[at] = Some(frame.node(node).clone());
        }
    }
    let signature = annotations_of(db, function);
    let mut solved = Vec::new();
    for (declared, actual) in signature.arguments.iter().zip(&arguments) {
        if let (Some(declared), Some(actual)) = (declared, actual) {
            solve(frame, declared, actual, &mut solved);
        }
    }
    for (name, values) in solved {
        if !substitution
            .type_vars
            .iter()
            .any(|(other, _)| *other == name)
        {
            substitution.type_vars.push((name, values));
        }
    }
    // An omitted argument is the parameter's default, whose value is part of the parameter's
    // anyway. Spread arguments (`*args`, `**kwargs`) are not matched to parameters.
    let spread = spread || call.keywords.iter().any(|(name, _)| is_empty(db, *name));
    let omitted = || {
        if spread {
            Values::unknown()
        } else {
            Values::none()
        }
    };
    let arguments = arguments.into_iter();
    let arguments = arguments.map(|argument| Some(argument.unwrap_or_else(omitted)));
    substitution.arguments = Some((function, arguments.collect()));
    substitution
}

fn is_empty(db: &dyn Db, name: NameId) -> bool {
    db.shared().names.text(name).is_empty()
}

fn join(slot: &mut Option<Values>, values: &Values) {
    match slot {
        Some(known) => known.join(values),
        None => *slot = Some(values.clone()),
    }
}

/// Returns the parameters of a function, and whether the receiver is passed as the first.
fn parameters(
    frame: &Frame<'_>,
    function: SymbolId,
    has_receiver: bool,
) -> Option<(Vec<(NameId, ParamKind)>, bool)> {
    let db = frame.db;
    let form = form_of(db, function)?;
    let params = form
        .params
        .iter()
        .map(|param| (param.name, param.kind))
        .collect();
    let is_static = function_info_of(db, function).kind == FunctionKind::Static;
    Some((params, has_receiver && !is_static))
}

/// Returns whether a callee expression names a declared function or class, so that the target does
/// not depend on values that flow.
pub(crate) fn is_declared(frame: &Frame<'_>, callee: NodeId, target: SymbolId) -> bool {
    let db = frame.db;
    match frame.kind(callee) {
        Node::Item(_) | Node::Decorated(_) | Node::ClassCell(_) => true,
        Node::Import { .. } => path_of(frame, callee).is_some(),
        Node::Global(name) => {
            let Some(&module) = frame.symbols.first() else {
                return false;
            };
            match resolve(db, module, name) {
                Some(symbol) => symbol == target,
                None => binding_values(db, module, name).is_none(),
            }
        }
        Node::Free { scope, name } => {
            let scope = frame.symbols.get(scope as usize).copied();
            scope.and_then(|scope| resolve(db, scope, name)) == Some(target)
        }
        Node::Attr { base, name } => frame.node(base).iter().any(|one| {
            let AttributeLookup { symbol, .. } = attribute(frame, one, name);
            symbol == Some(target)
        }),
        // Calling an object: its class declares `__call__`.
        _ => db.shared().symbols.key(target).name == db.shared().names.intern("__call__"),
    }
}
