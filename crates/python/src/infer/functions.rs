//! Functions: the effect of decorators, annotations, parameters and results (Python reference,
//! "Function definitions").
//!
//! ```python
//! @cache                          # keeps: a call of `load` runs this body
//! def load(path: str) -> Config:  # signature: [str] -> Config
//!     return Config(path)         # `returned` is computed only without `-> Config`
//! ```

use std::sync::Arc;

use codeweft_db::{Db, SymbolClass, SymbolId};
use codeweft_python_syntax::{Constant, ItemKind, ItemPart, NONE, Node, NodeId, ParamKind};

use super::final_results;
use super::final_results::binding_values;
use super::frame::Frame;
use super::resolution::{ImportTarget, import_target, resolve};
use super::typing::{first_argument, objects};
use crate::declared::{dotted_path, stub_declaration_of};
use crate::function_parts::{FunctionPart, part_of, part_of_function};
use crate::keys::FunctionKey;
use crate::known::{self, DecoratorEffect};
use crate::members::{FunctionKind, FunctionShape, form_of};
use crate::recursion::{Provisional, Rounds, initial, recover, recursive};
use crate::values::{Class, Shape, Substitution, Values, shape, value};

/// The effect of a function's decorators.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FunctionInfo {
    /// How the function is bound.
    pub kind: FunctionKind,
    /// Whether calling the name runs the function: no decorator is unknown.
    pub keeps: bool,
    /// Whether it is a `contextlib.contextmanager` or `asynccontextmanager`.
    pub is_context: bool,
    /// Whether it is a `typing.overload`.
    pub is_overload: bool,
}

/// Returns the effect of a function's decorators.
#[salsa::tracked(returns(copy), cycle_fn = recover, cycle_initial = initial)]
pub fn function_info<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> FunctionInfo {
    recursive(|| compute_function_info(db, key.symbol(db)))
}

/// Returns the effect of a function's decorators; avoids the query if it has none.
pub(crate) fn function_info_of(db: &dyn Db, function: SymbolId) -> FunctionInfo {
    match form_of(db, function) {
        Some(form) => info_by_form(db, function, &form),
        None => FunctionInfo {
            keeps: true,
            ..FunctionInfo::default()
        },
    }
}

/// Returns the effect of a function's decorators by its header.
pub(crate) fn info_by_form(db: &dyn Db, function: SymbolId, form: &FunctionShape) -> FunctionInfo {
    if form.is_decorated {
        return function_info(db, FunctionKey::new(db, function));
    }
    FunctionInfo {
        kind: kind_by_name(db, function),
        keeps: true,
        ..FunctionInfo::default()
    }
}

/// Returns how a function without decorators is bound (Python reference, Data model, "Customizing
/// class creation").
fn kind_by_name(db: &dyn Db, function: SymbolId) -> FunctionKind {
    let key = db.shared().symbols.key(function);
    if key.class != SymbolClass::Method {
        return FunctionKind::Plain;
    }
    match db.shared().names.text(key.name) {
        "__new__" => FunctionKind::Static,
        "__init_subclass__" | "__class_getitem__" => FunctionKind::Class,
        _ => FunctionKind::Plain,
    }
}

impl Provisional<FunctionKey<'_>> for FunctionInfo {
    fn initial(_: &dyn Db, _: FunctionKey<'_>) -> FunctionInfo {
        FunctionInfo::default()
    }
}

fn compute_function_info(db: &dyn Db, function: SymbolId) -> FunctionInfo {
    let mut info = FunctionInfo {
        keeps: true,
        ..FunctionInfo::default()
    };
    let Some(form) = form_of(db, function) else {
        return info;
    };
    info.kind = kind_by_name(db, function);
    if !form.is_decorated {
        return info;
    }
    for path in decorator_paths(db, function) {
        let Some(path) = path else {
            info.keeps = false;
            continue;
        };
        if let Some(kind) = path.strip_prefix('.').and_then(known::property_method) {
            info.kind = kind;
            continue;
        }
        match known::decorator(&path).map(|decorator| decorator.effect) {
            Some(DecoratorEffect::Keeps) => {}
            Some(DecoratorEffect::Binds(kind)) => info.kind = kind,
            Some(DecoratorEffect::ContextManager) => info.is_context = true,
            Some(DecoratorEffect::Overload) => info.is_overload = true,
            Some(DecoratorEffect::Replaces) | None => info.keeps = false,
        }
    }
    info
}

/// Returns the dotted path of each decorator of a function or class (of the callee if the decorator
/// is a call); `.setter`, `.deleter` or `.getter` for an attribute of the property of the same
/// name.
pub(crate) fn decorator_paths(db: &dyn Db, function: SymbolId) -> Vec<Option<String>> {
    let Some(header) = part_of_function(db, function, ItemPart::Header) else {
        return Vec::new();
    };
    let Some(declared) = header.item() else {
        return Vec::new();
    };
    let frame = Frame::of_part(db, &header);
    declared
        .decorators
        .iter()
        .map(|&node| {
            if let Node::Attr { name, .. } = frame.kind(node) {
                let text = db.shared().names.text(name);
                if known::property_method(text).is_some() {
                    return Some(format!(".{text}"));
                }
            }
            path_of(&frame, node)
        })
        .collect()
}

/// Returns the dotted path that an expression of names and attributes means; for a call that of its
/// callee.
pub(crate) fn path_of(frame: &Frame<'_>, node: NodeId) -> Option<String> {
    let db = frame.db;
    let names = &db.shared().names;
    match frame.kind(node) {
        Node::Call(call) => path_of(frame, frame.code.calls.get(call as usize)?.callee),
        Node::Attr { base, name } => {
            Some(format!("{}.{}", path_of(frame, base)?, names.text(name)))
        }
        Node::Global(name) => {
            let module = *frame.symbols.first()?;
            match resolve(db, module, name) {
                Some(symbol) => Some(dotted_path(db, symbol)),
                None if binding_values(db, module, name).is_none() => {
                    Some(format!("builtins.{}", names.text(name)))
                }
                None => None,
            }
        }
        Node::Free { scope, name } => {
            let scope = *frame.symbols.get(scope as usize)?;
            Some(dotted_path(db, resolve(db, scope, name)?))
        }
        Node::Item(item) | Node::Decorated(item) => {
            Some(dotted_path(db, *frame.symbols.get(item as usize)?))
        }
        Node::Import { import, which } => match import_target(db, frame.file, import, which)? {
            ImportTarget::Symbol(symbol) => Some(dotted_path(db, symbol)),
            ImportTarget::Name(module, name) => match resolve(db, module, name) {
                Some(symbol) => Some(dotted_path(db, symbol)),
                None => Some(format!("{}.{}", dotted_path(db, module), names.text(name))),
            },
        },
        _ => None,
    }
}

/// Returns the value that a decorated function's name is bound to.
pub(crate) fn decorated_value(db: &dyn Db, function: SymbolId) -> Values {
    let info = function_info(db, FunctionKey::new(db, function));
    Values::of(
        db,
        if info.keeps {
            Shape::Function(function)
        } else {
            Shape::Decorated(function)
        },
    )
}

/// The types of a function's annotations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// The objects that each parameter is inside the function (`*args` is a tuple); `None` without
    /// an annotation.
    pub params: Box<[Option<Values>]>,
    /// The objects that an argument for each parameter is: one element of `*args`.
    pub arguments: Box<[Option<Values>]>,
    /// The objects that the function returns; `None` without an annotation.
    pub result: Option<Values>,
}

/// Returns the annotations of a function; those of the stub take precedence.
#[salsa::tracked(returns(clone), cycle_fn = recover, cycle_initial = initial)]
pub fn signature<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Arc<Signature> {
    recursive(|| Arc::new(merged_annotations(db, key.symbol(db))))
}

/// Returns [`signature`], without the query if neither the function nor a stub has annotations.
pub(crate) fn annotations_of(db: &dyn Db, function: SymbolId) -> Arc<Signature> {
    let key = FunctionKey::new(db, function);
    if form_of(db, function).is_some_and(|form| form.has_annotations) {
        signature(db, key)
    } else {
        Arc::default()
    }
}

impl Provisional<FunctionKey<'_>> for Arc<Signature> {
    fn initial(_: &dyn Db, _: FunctionKey<'_>) -> Arc<Signature> {
        Arc::default()
    }
}

fn merged_annotations(db: &dyn Db, function: SymbolId) -> Signature {
    let Some(header) = part_of_function(db, function, ItemPart::Header) else {
        return Signature::default();
    };
    let mut signature = annotations(db, &header);
    let of_stub = stub_declaration_of(db, function);
    let of_stub = of_stub.and_then(|(file, item)| part_of(db, file, item, ItemPart::Header));
    if let Some(header) = of_stub {
        let stub = annotations(db, &header);
        if stub.result.is_some() {
            signature.result = stub.result;
        }
        if stub.params.len() == signature.params.len() {
            signature.params = stub.params;
            signature.arguments = stub.arguments;
        }
    }
    signature
}

fn annotations(db: &dyn Db, header: &FunctionPart) -> Signature {
    let Some(declared) = header.item() else {
        return Signature::default();
    };
    let params = &header.cut.items.params;
    let annotations = params.iter().map(|param| param.annotation);
    let roots: Vec<NodeId> = annotations
        .chain([declared.returns])
        .filter(|&node| node != NONE)
        .collect();
    if roots.is_empty() {
        let none: Box<[Option<Values>]> = params.iter().map(|_| None).collect();
        return Signature {
            params: none.clone(),
            arguments: none,
            result: None,
        };
    }
    let frame = Frame::of_part(db, header).evaluate(&roots);
    let of = |node: NodeId| (node != NONE).then(|| objects(db, frame.node(node)));
    let arguments: Box<[Option<Values>]> =
        params.iter().map(|param| of(param.annotation)).collect();
    let inside = params.iter().zip(&arguments).map(|(param, declared)| {
        let declared = declared.clone()?;
        Some(match param.kind {
            ParamKind::Star => frame.container("tuple", vec![declared]),
            ParamKind::DoubleStar => frame.container("dict", vec![frame.object("str"), declared]),
            _ => declared,
        })
    });
    Signature {
        params: inside.collect(),
        arguments: arguments.clone(),
        result: of(declared.returns),
    }
}

/// Returns the values of a parameter inside its function: the receiver, the annotated type, else
/// the still unknown argument together with the default.
pub(crate) fn parameter(db: &dyn Db, function: SymbolId, number: u32) -> Values {
    let Some(form) = form_of(db, function) else {
        return Values::unknown();
    };
    let Some(param) = form.params.get(number as usize) else {
        return Values::unknown();
    };
    let signature = annotations_of(db, function);
    let key = db.shared().symbols.key(function);
    if let Some(Some(declared)) = signature.params.get(number as usize) {
        let enclosing = key.parent.filter(|_| key.class == SymbolClass::Method);
        let receiver = enclosing.map(|class| value(db, Shape::Receiver(class)));
        // `Self` is the enclosing class.
        let of_class = Substitution {
            receiver,
            ..Substitution::default()
        };
        return of_class.apply(db, declared);
    }
    let takes_receiver = number == 0
        && key.class == SymbolClass::Method
        && matches!(param.kind, ParamKind::Normal | ParamKind::PositionalOnly);
    if takes_receiver && let Some(class) = key.parent {
        let is_new = db.shared().names.text(key.name) == "__new__";
        match info_by_form(db, function, &form).kind {
            FunctionKind::Class => return Values::of(db, Shape::ReceiverClass(class)),
            FunctionKind::Static if is_new => return Values::of(db, Shape::ReceiverClass(class)),
            FunctionKind::Static => {}
            _ => return Values::of(db, Shape::Receiver(class)),
        }
    }
    let mut found = Values::of(db, Shape::Argument { function, number });
    let is_spread = matches!(param.kind, ParamKind::Star | ParamKind::DoubleStar);
    if !is_spread && !param.has_default {
        return found;
    }
    let Some(header) = part_of_function(db, function, ItemPart::Header) else {
        return Values::unknown();
    };
    let frame = Frame::of_part(db, &header);
    match param.kind {
        ParamKind::Star => return frame.container("tuple", vec![Values::unknown()]),
        ParamKind::DoubleStar => {
            return frame.container("dict", vec![frame.object("str"), Values::unknown()]);
        }
        _ => {}
    }
    if let Some(param) = header.cut.items.params.get(number as usize)
        && param.default != NONE
    {
        found.join(frame.evaluate(&[param.default]).node(param.default));
    }
    found
}

/// The values that a function's body returns and yields.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Returned {
    /// The values of `return`, before substitution of receiver and arguments.
    pub result: Values,
    /// The values of `yield`.
    pub yields: Values,
}

/// Returns what the body of a function without a result annotation returns and yields.
#[salsa::tracked(returns(clone), cycle_fn = recover, cycle_initial = initial)]
pub fn returned<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Arc<Returned> {
    recursive(|| Arc::new(evaluate_body(db, key.symbol(db))))
}

impl Provisional<FunctionKey<'_>> for Arc<Returned> {
    const ROUNDS: Rounds = Rounds::VALUES;

    fn initial(_: &dyn Db, _: FunctionKey<'_>) -> Arc<Returned> {
        Arc::default()
    }

    fn merge(&mut self, last: &Arc<Returned>) {
        let new = Arc::make_mut(self);
        new.result.join(&last.result);
        new.yields.join(&last.yields);
    }

    fn given_up(self, _: &dyn Db, _: &Self, _: FunctionKey<'_>, _: bool) -> Arc<Returned> {
        Arc::new(Returned {
            result: Values::wide(),
            yields: Values::wide(),
        })
    }
}

fn evaluate_body(db: &dyn Db, function: SymbolId) -> Returned {
    let Some(body) = part_of_function(db, function, ItemPart::Body) else {
        return Returned::default();
    };
    let Some(declared) = body.item() else {
        return Returned::default();
    };
    if declared.flags.is_stub && declared.kind == ItemKind::Function {
        return Returned {
            result: Values::unknown(),
            yields: Values::unknown(),
        };
    }
    let roots: Vec<NodeId> = declared
        .results
        .iter()
        .chain(&declared.yields)
        .copied()
        .collect();
    let frame = Frame::of_part(db, &body).evaluate(&roots);
    let join = |nodes: &[NodeId]| {
        let mut found = Values::none();
        nodes.iter().for_each(|&node| found.join(frame.node(node)));
        found
    };
    let mut result = join(&declared.results);
    // That a method returns `None`, or only raises, says nothing about what its overrides return.
    // Decided by its text: values still grow while a cycle is solved.
    let is_method = db.shared().symbols.key(function).class == SymbolClass::Method;
    let is_none = |&node: &NodeId| matches!(frame.kind(node), Node::Constant(Constant::None));
    if is_method && declared.yields.is_empty() && declared.results.iter().all(is_none) {
        result.add_unknown();
    }
    Returned {
        result,
        yields: join(&declared.yields),
    }
}

/// Returns the values of calling a function, with receiver, arguments and type variables
/// substituted.
pub(crate) fn call_result(db: &dyn Db, function: SymbolId, substitution: &Substitution) -> Values {
    let key = FunctionKey::new(db, function);
    let Some(form) = form_of(db, function) else {
        return Values::unknown();
    };
    let info = info_by_form(db, function, &form);
    let signature = annotations_of(db, function);
    let flags = form.flags;
    if info.is_context {
        let yields = match &signature.result {
            Some(declared) => first_argument(db, declared),
            None => final_results::returned(db, key).yields.clone(),
        };
        return Values::of(db, Shape::Context(substitution.apply(db, &yields)));
    }
    if let Some(result) = &signature.result {
        let mut result = substitution.apply(db, result);
        // The annotation declares a callable: the body says which.
        let says_callable = |one| matches!(shape(db, one), Shape::Callable(_));
        if result.iter().any(says_callable) {
            let of_body = substitution.apply(db, &final_results::returned(db, key).result);
            for one in of_body.iter() {
                if matches!(shape(db, one), Shape::Function(_) | Shape::Bound { .. }) {
                    result.add(one);
                }
            }
            result = result.loosened();
        }
        // The annotation of an asynchronous generator is that of the generator, not of a coroutine.
        return if flags.is_async && !flags.is_generator {
            Values::of(db, Shape::Coroutine(result))
        } else {
            result
        };
    }
    let returned = final_results::returned(db, key);
    let result = substitution.apply(db, &returned.result);
    let yields = || substitution.apply(db, &returned.yields);
    match (flags.is_async, flags.is_generator) {
        (false, false) => result,
        (true, false) => Values::of(db, Shape::Coroutine(result)),
        (false, true) => Values::of(db, Shape::Generator(yields())),
        (true, true) => Values::of(db, Shape::AsyncGenerator(yields())),
    }
}

/// Returns an instance of a class: of exactly that class, or of a subclass too.
pub(crate) fn instance_of_class(db: &dyn Db, class: &Class, exact: bool) -> Values {
    Values::of(
        db,
        Shape::Instance {
            class: class.clone(),
            exact,
        },
    )
}
