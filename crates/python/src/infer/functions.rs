//! What a function is, takes and gives back (Python reference, Function definitions).

use std::sync::Arc;

use codeweft_db::{Db, SymbolClass, SymbolId};
use codeweft_syntax::python::{ItemKind, NONE, Node, NodeId, ParamKind};

use super::denoted::{denoted, dotted};
use super::frame::Frame;
use super::names::{NameKey, bound};
use super::typing;
use crate::declared::{in_stub, items, located};
use crate::members::function_form;
use crate::values::{Class, Shape, Substitution, Values, shape};

/// A function, method or lambda.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct FunctionKey<'db> {
    /// Its symbol.
    #[returns(copy)]
    pub symbol: SymbolId,
}

/// How a function behaves as a member of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FunctionKind {
    /// Bound to its object.
    #[default]
    Plain,
    /// Not bound.
    Static,
    /// Bound to the class.
    Class,
    /// Runs where it is read.
    Property,
    /// Runs where the attribute is stored.
    Setter,
    /// Runs where the attribute is deleted.
    Deleter,
}

impl FunctionKind {
    /// Whether it runs where an attribute is read, stored or deleted.
    pub fn is_property(self) -> bool {
        matches!(self, FunctionKind::Property | FunctionKind::Setter)
    }
}

/// What a function's decorators make of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FunctionInfo {
    /// How it is bound.
    pub kind: FunctionKind,
    /// Whether a call of its name runs it: no decorator is unknown.
    pub keeps: bool,
    /// `contextlib.contextmanager` or its asynchronous twin.
    pub is_context: bool,
    /// `typing.overload`
    pub is_overload: bool,
}

/// Decorators that give back a function which runs what they decorate and nothing else that the
/// graph would show.
const KEEPING: [&str; 27] = [
    "functools.lru_cache",
    "functools.cache",
    "functools.wraps",
    "functools.total_ordering",
    "functools.singledispatch",
    "functools.singledispatchmethod",
    "abc.abstractmethod",
    "typing.overload",
    "typing.final",
    "typing.no_type_check",
    "typing.runtime_checkable",
    "typing.override",
    "typing.type_check_only",
    "typing_extensions.overload",
    "typing_extensions.final",
    "typing_extensions.override",
    "typing_extensions.deprecated",
    "warnings.deprecated",
    "atexit.register",
    "types.coroutine",
    "unittest.skip",
    "unittest.skipIf",
    "unittest.skipUnless",
    "unittest.expectedFailure",
    "unittest.case.skip",
    "unittest.case.skipIf",
    "unittest.case.skipUnless",
];

/// What the decorators of a function make of it.
#[salsa::tracked(returns(copy), cycle_fn = info_again, cycle_initial = info_first)]
pub fn function_info<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> FunctionInfo {
    stacker::maybe_grow(1 << 18, 1 << 20, || info(db, key.symbol(db)))
}

fn info_first(_: &dyn Db, _: salsa::Id, _: FunctionKey<'_>) -> FunctionInfo {
    FunctionInfo::default()
}

fn info_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &FunctionInfo,
    new: FunctionInfo,
    _: FunctionKey<'_>,
) -> FunctionInfo {
    if cycle.iteration() > 8 { *last } else { new }
}

fn info(db: &dyn Db, function: SymbolId) -> FunctionInfo {
    let mut info = FunctionInfo {
        keeps: true,
        ..FunctionInfo::default()
    };
    let Some((file, item)) = located(db, function) else {
        return info;
    };
    let Some(declared) = items(db, file).and_then(|items| items.items.get(item as usize)) else {
        return info;
    };
    if db.shared().symbols.key(function).class == SymbolClass::Method {
        match db.shared().names.text(declared.name) {
            "__new__" => info.kind = FunctionKind::Static,
            "__init_subclass__" | "__class_getitem__" => info.kind = FunctionKind::Class,
            _ => {}
        }
    }
    if declared.decorators.is_empty() {
        return info;
    }
    for path in decorator_paths(db, function) {
        match path.as_deref() {
            Some("builtins.staticmethod" | "abc.abstractstaticmethod") => {
                info.kind = FunctionKind::Static;
            }
            Some("builtins.classmethod" | "abc.abstractclassmethod") => {
                info.kind = FunctionKind::Class;
            }
            Some(
                "builtins.property"
                | "functools.cached_property"
                | "abc.abstractproperty"
                | "types.DynamicClassAttribute"
                | "enum.property",
            ) => info.kind = FunctionKind::Property,
            Some("contextlib.contextmanager" | "contextlib.asynccontextmanager") => {
                info.is_context = true;
            }
            Some("typing.overload" | "typing_extensions.overload") => info.is_overload = true,
            Some(path) if KEEPING.contains(&path) || path.starts_with("pytest.mark.") => {}
            Some(path) if path.starts_with('.') => {
                info.kind = match path {
                    ".setter" => FunctionKind::Setter,
                    ".deleter" => FunctionKind::Deleter,
                    _ => FunctionKind::Property,
                }
            }
            _ => info.keeps = false,
        }
    }
    info
}

/// The dotted path that each decorator of a function or class denotes, of one that is called the callee's;
/// `.setter`, `.deleter`, `.getter` where it is an attribute of the property of the same name.
pub(crate) fn decorator_paths(db: &dyn Db, function: SymbolId) -> Vec<Option<String>> {
    let Some((file, item)) = located(db, function) else {
        return Vec::new();
    };
    let Some(items) = items(db, file) else {
        return Vec::new();
    };
    let declared = &items.items[item as usize];
    let frame = Frame::of_items(db, file, declared.parent);
    declared
        .decorators
        .iter()
        .map(|&node| {
            if let Node::Attr { name, .. } = frame.kind(node)
                && let text @ ("setter" | "deleter" | "getter") = db.shared().names.text(name)
            {
                return Some(format!(".{text}"));
            }
            path_of(&frame, node)
        })
        .collect()
}

/// The dotted path of what an expression of names and attributes denotes; of a call its callee's.
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
            match denoted(db, module, name) {
                Some(symbol) => Some(dotted(db, symbol)),
                None if bound(db, NameKey::new(db, module, name)).is_none() => {
                    Some(format!("builtins.{}", names.text(name)))
                }
                None => None,
            }
        }
        Node::Free { scope, name } => {
            let scope = *frame.symbols.get(scope as usize)?;
            Some(dotted(db, denoted(db, scope, name)?))
        }
        Node::Item(item) | Node::Decorated(item) => {
            Some(dotted(db, *frame.symbols.get(item as usize)?))
        }
        Node::Import { import, which } => {
            match super::denoted::import_target(db, frame.file, import, which)? {
                super::denoted::ImportTarget::Symbol(symbol) => Some(dotted(db, symbol)),
                super::denoted::ImportTarget::Name(module, name) => match denoted(db, module, name)
                {
                    Some(symbol) => Some(dotted(db, symbol)),
                    None => Some(format!("{}.{}", dotted(db, module), names.text(name))),
                },
            }
        }
        _ => None,
    }
}

/// What a decorated function's name is bound to.
pub(crate) fn decorated(db: &dyn Db, function: SymbolId) -> Values {
    let info = function_info(db, FunctionKey::new(db, function));
    Values::of(
        db,
        match info.keeps {
            true => Shape::Function(function),
            false => Shape::Decorated(function),
        },
    )
}

/// What annotations say of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// Objects that each parameter takes, inside the function (`*args` is a tuple); `None` without
    /// an annotation.
    pub params: Box<[Option<Values>]>,
    /// What an argument for each parameter is: of `*args` one element.
    pub arguments: Box<[Option<Values>]>,
    /// Objects that it gives back; `None` without an annotation.
    pub result: Option<Values>,
}

/// The annotations of a function, the stub's before its own.
#[salsa::tracked(returns(clone), cycle_fn = signature_again, cycle_initial = signature_first)]
pub fn signature<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Arc<Signature> {
    stacker::maybe_grow(1 << 18, 1 << 20, || Arc::new(annotated(db, key.symbol(db))))
}

fn signature_first(_: &dyn Db, _: salsa::Id, _: FunctionKey<'_>) -> Arc<Signature> {
    Arc::default()
}

fn signature_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Arc<Signature>,
    new: Arc<Signature>,
    _: FunctionKey<'_>,
) -> Arc<Signature> {
    if cycle.iteration() > 8 {
        last.clone()
    } else {
        new
    }
}

fn annotated(db: &dyn Db, function: SymbolId) -> Signature {
    let Some((file, item)) = located(db, function) else {
        return Signature::default();
    };
    let mut signature = annotations(db, file, item);
    if let Some((file, item)) = in_stub(db, function) {
        let stub = annotations(db, file, item);
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

fn annotations(db: &dyn Db, file: codeweft_db::File, item: u32) -> Signature {
    let Some(items) = items(db, file) else {
        return Signature::default();
    };
    let Some(declared) = items.items.get(item as usize) else {
        return Signature::default();
    };
    let params = items.params.get(declared.params.iter()).unwrap_or(&[]);
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
    let frame = Frame::of_items(db, file, declared.parent).evaluate(&roots);
    let of = |node: NodeId| (node != NONE).then(|| typing::objects(db, frame.node(node)));
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

/// What a parameter is inside its function: the receiver, what its annotation says, else the
/// argument of a call that is not known yet, with its default.
pub(crate) fn parameter(db: &dyn Db, function: SymbolId, number: u32) -> Values {
    let Some((file, item)) = located(db, function) else {
        return Values::unknown();
    };
    let Some(items) = items(db, file) else {
        return Values::unknown();
    };
    let declared = &items.items[item as usize];
    let Some(param) = items
        .params
        .get(declared.params.start as usize + number as usize)
    else {
        return Values::unknown();
    };
    let signature = signature(db, FunctionKey::new(db, function));
    let key = db.shared().symbols.key(function);
    if let Some(Some(declared)) = signature.params.get(number as usize) {
        let around = key.parent.filter(|_| key.class == SymbolClass::Method);
        let receiver = around.map(|class| crate::values::value(db, Shape::Me(class)));
        // `Self` is the class around.
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
        match function_info(db, FunctionKey::new(db, function)).kind {
            FunctionKind::Class => return Values::of(db, Shape::MyClass(class)),
            FunctionKind::Static if is_new => return Values::of(db, Shape::MyClass(class)),
            FunctionKind::Static => {}
            _ => return Values::of(db, Shape::Me(class)),
        }
    }
    let frame = Frame::of_items(db, file, declared.parent);
    match param.kind {
        ParamKind::Star => return frame.container("tuple", vec![Values::unknown()]),
        ParamKind::DoubleStar => {
            return frame.container("dict", vec![frame.object("str"), Values::unknown()]);
        }
        _ => {}
    }
    let mut found = Values::of(db, Shape::Argument { function, number });
    if param.default != NONE {
        found.join(frame.evaluate(&[param.default]).node(param.default));
    }
    found
}

/// What a function gives back where its body is run, and what it yields.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Returned {
    /// What `return` gives; receiver and arguments are still to be put in place.
    pub result: Values,
    /// What it yields.
    pub yields: Values,
}

/// What the body of a function without an annotation gives back.
#[salsa::tracked(returns(clone), cycle_fn = returned_again, cycle_initial = returned_first)]
pub fn returned<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Arc<Returned> {
    stacker::maybe_grow(1 << 18, 1 << 20, || Arc::new(run(db, key.symbol(db))))
}

fn returned_first(_: &dyn Db, _: salsa::Id, _: FunctionKey<'_>) -> Arc<Returned> {
    Arc::default()
}

fn returned_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Arc<Returned>,
    new: Arc<Returned>,
    _: FunctionKey<'_>,
) -> Arc<Returned> {
    let next = |last: &Values, new: &Values| {
        super::frame::next_in_cycle(cycle.iteration(), Some(last), Some(new.clone()))
    };
    Arc::new(Returned {
        result: next(&last.result, &new.result),
        yields: next(&last.yields, &new.yields),
    })
}

fn run(db: &dyn Db, function: SymbolId) -> Returned {
    let Some((file, item)) = located(db, function) else {
        return Returned::default();
    };
    let Some(items) = items(db, file) else {
        return Returned::default();
    };
    let declared = &items.items[item as usize];
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
    let frame = Frame::of_items(db, file, item).evaluate(&roots);
    let join = |nodes: &[NodeId]| {
        let mut found = Values::none();
        nodes.iter().for_each(|&node| found.join(frame.node(node)));
        found
    };
    Returned {
        result: join(&declared.results),
        yields: join(&declared.yields),
    }
}

/// What a call of a function gives, with what the call knows put in place.
pub(crate) fn call_result(db: &dyn Db, function: SymbolId, substitution: &Substitution) -> Values {
    let key = FunctionKey::new(db, function);
    let Some(form) = function_form(db, key) else {
        return Values::unknown();
    };
    let info = match form.is_decorated {
        false => FunctionInfo {
            keeps: true,
            ..FunctionInfo::default()
        },
        true => function_info(db, key),
    };
    let signature = signature(db, key);
    let flags = form.flags;
    if info.is_context {
        let yields = match &signature.result {
            Some(declared) => typing::first_argument(db, declared),
            None => returned(db, key).yields.clone(),
        };
        return Values::of(db, Shape::Context(substitution.apply(db, &yields)));
    }
    if let Some(result) = &signature.result {
        let mut result = substitution.apply(db, result);
        // A function that is said to give something callable: its body tells which.
        let says_callable = |one| matches!(shape(db, one), Shape::Callable(_));
        if result.iter().any(says_callable) {
            let of_body = substitution.apply(db, &returned(db, key).result);
            for one in of_body.iter() {
                if matches!(shape(db, one), Shape::Function(_) | Shape::Bound { .. }) {
                    result.add(one);
                }
            }
            result = result.loosened();
        }
        // The annotation of an asynchronous generator is the generator's.
        return match flags.is_async && !flags.is_generator {
            true => Values::of(db, Shape::Coroutine(result)),
            false => result,
        };
    }
    let returned = returned(db, key);
    let result = substitution.apply(db, &returned.result);
    let yields = || substitution.apply(db, &returned.yields);
    match (flags.is_async, flags.is_generator) {
        (false, false) => result,
        (true, false) => Values::of(db, Shape::Coroutine(result)),
        (false, true) => Values::of(db, Shape::Generator(yields())),
        (true, true) => Values::of(db, Shape::AsyncGenerator(yields())),
    }
}

/// An object that a class makes: of exactly that class, or of a subclass, too.
pub(crate) fn constructed(db: &dyn Db, class: &Class, exact: bool) -> Values {
    Values::of(
        db,
        Shape::Instance {
            class: class.clone(),
            exact,
        },
    )
}
