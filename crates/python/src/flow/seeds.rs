//! What inference knows of the nodes of a file's bodies by declarations: the values that flow begins with.
//!
//! ```python
//! def f(path: Path, kind: type[Job]):   # Param 0: an object of Path; Param 1: Job and its subclasses
//!     return kind(path)                 # the call: an object of Job
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, SymbolId, file_bodies};
use codeweft_python_syntax::{AsPython as _, ItemKind, NONE, Node, NodeId, UseKind};

use crate::classes::class_info;
use crate::declared::{file_of_module, file_symbols, is_of_workspace, items};
use crate::frameworks::{Argument, Expressions, Registration, registered_arguments, registrations};
use crate::infer::{FileMemo, Frame, decorator_paths};
use crate::keys::ClassKey;
use crate::recursion::on_enough_stack;
use crate::settings;
use crate::values::{Class, Shape, Value, Values, shape};
use crate::whole_file;

/// A value that inference knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seed {
    /// An object of a class, or of a subclass.
    Instance(SymbolId),
    /// An object of exactly this class.
    ExactInstance(SymbolId),
    /// The receiver of a method of this class.
    Receiver(SymbolId),
    /// A class.
    Class(SymbolId),
    /// A class or a subclass.
    Subclass(SymbolId),
    /// The class that a class method runs on.
    ReceiverClass(SymbolId),
    /// A function.
    Function(SymbolId),
    /// A module.
    Module(SymbolId),
    /// `super()` in a method of this class.
    Super(SymbolId),
    /// A container of the library whose elements are objects of a class; of a mapping the values.
    Elements(SymbolId, bool),
}

impl Seed {
    /// Returns the class, function or module.
    pub(super) fn symbol(self) -> SymbolId {
        match self {
            Seed::Instance(symbol)
            | Seed::ExactInstance(symbol)
            | Seed::Receiver(symbol)
            | Seed::Class(symbol)
            | Seed::Subclass(symbol)
            | Seed::ReceiverClass(symbol)
            | Seed::Function(symbol)
            | Seed::Module(symbol)
            | Seed::Super(symbol)
            | Seed::Elements(symbol, _) => symbol,
        }
    }

    /// Returns the number of the kind.
    pub(super) fn kind(self) -> u8 {
        match self {
            Seed::Instance(_) => 0,
            Seed::ExactInstance(_) => 1,
            Seed::Receiver(_) => 2,
            Seed::Class(_) => 3,
            Seed::Subclass(_) => 4,
            Seed::ReceiverClass(_) => 5,
            Seed::Function(_) => 6,
            Seed::Module(_) => 7,
            Seed::Super(_) => 8,
            Seed::Elements(_, is_mapping) => 9 + u8::from(is_mapping),
        }
    }
}

/// A decorated item.
#[derive(Clone, PartialEq, Eq, Debug)]
struct DecoratedItem {
    item: u32,
    /// The dotted paths of its decorators; `None` for one that is no path.
    paths: Box<[Option<String>]>,
    /// For each decorator whether it registers the function with a framework.
    registrations: Box<[Option<Registration>]>,
}

/// The values that inference knows in the bodies of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowSeeds {
    /// Node of the bodies' arena and value, by node.
    rows: Box<[(NodeId, Seed)]>,
    /// For each class expression of a narrowing, by node, the classes that it names.
    classes: Box<[(NodeId, Box<[SymbolId]>)]>,
    /// The decorated items, by item.
    decorators: Box<[DecoratedItem]>,
    /// The arguments that calls register with frameworks, by the node of the callee.
    registered: Box<[(NodeId, Registered)]>,
    /// For each node what is known of all its values.
    known: Box<[Known]>,
}

/// The arguments of a call that it registers with a framework.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Registered {
    /// Those by position, a bit each.
    positions: u32,
    /// That by keyword.
    keyword: Option<NameId>,
    /// Whether the call gives back the function.
    pub(super) keeps: bool,
}

impl Registered {
    fn of(db: &dyn Db, arguments: &[Argument]) -> Registered {
        let mut found = Registered::default();
        for argument in arguments {
            match argument {
                Argument::Position(at) => {
                    found.positions |= 1_u32.checked_shl(*at).unwrap_or_default();
                }
                Argument::Keyword(name) => found.keyword = Some(db.shared().names.intern(name)),
            }
        }
        found
    }

    /// Returns what a decorator registers: what it decorates.
    pub(super) fn of_decorator(registration: Registration) -> Registered {
        Registered {
            positions: 1,
            keyword: None,
            keeps: registration.keeps,
        }
    }

    /// Returns whether it is the argument of a position.
    pub(super) fn has_position(self, at: usize) -> bool {
        at < 32 && self.positions >> at & 1 == 1
    }

    /// Returns whether it is the argument of a keyword.
    pub(super) fn has_keyword(self, name: NameId) -> bool {
        self.keyword == Some(name)
    }
}

/// What inference knows of all values of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Known {
    /// They are not all known.
    #[default]
    Not,
    /// Each is an object that flows, or one without attributes of the workspace: a number, a string, `None`.
    All,
    /// Some are objects of classes of libraries.
    OfLibrary,
    /// Some are others of libraries, or are only known to have the attributes of a protocol. They flow if a rule makes them: as
    /// containers do.
    WithLibrary,
}

impl FlowSeeds {
    /// Returns the values of the nodes of a range.
    pub(super) fn of(&self, start: NodeId, end: NodeId) -> &[(NodeId, Seed)] {
        let from = self.rows.partition_point(|&(node, _)| node < start);
        let to = self.rows.partition_point(|&(node, _)| node < end);
        &self.rows[from..to]
    }

    /// Returns the class expressions of narrowings among the nodes of a range, each with the classes that it names.
    pub(super) fn classes_of(&self, start: NodeId, end: NodeId) -> &[(NodeId, Box<[SymbolId]>)] {
        let from = self.classes.partition_point(|row| row.0 < start);
        let to = self.classes.partition_point(|row| row.0 < end);
        &self.classes[from..to]
    }

    /// Returns the classes that a class expression of a narrowing names; `None` if one is unknown.
    pub(super) fn classes(&self, node: NodeId) -> Option<&[SymbolId]> {
        let at = self.classes.binary_search_by_key(&node, |row| row.0).ok()?;
        Some(&self.classes[at].1)
    }

    /// Returns what inference knows of all values of a node of the bodies' arena.
    pub(super) fn knows(&self, node: NodeId) -> Known {
        self.known.get(node as usize).copied().unwrap_or_default()
    }

    /// Returns whether the decorators of all items are those of other seeds.
    pub(super) fn has_decorators_of(&self, other: &FlowSeeds) -> bool {
        self.decorators == other.decorators
    }

    /// Returns the dotted paths of an item's decorators.
    pub(super) fn decorators(&self, item: u32) -> &[Option<String>] {
        self.decorated(item).map_or(&[], |row| &row.paths)
    }

    /// Returns what a decorator of an item does with a function that it registers with a framework.
    pub(super) fn registration(&self, item: u32, which: u32) -> Option<Registration> {
        *self.decorated(item)?.registrations.get(which as usize)?
    }

    fn decorated(&self, item: u32) -> Option<&DecoratedItem> {
        let at = self.decorators.binary_search_by_key(&item, |row| row.item);
        self.decorators.get(at.ok()?)
    }

    /// Returns the arguments that a call registers with a framework, by the node of the callee.
    pub(super) fn registered(&self, callee: NodeId) -> Option<Registered> {
        let at = self.registered.binary_search_by_key(&callee, |row| row.0);
        Some(self.registered[at.ok()?].1)
    }
}

/// Returns what inference knows of the nodes of a file's bodies.
#[salsa::tracked(returns(clone))]
pub fn py_flow_seeds(db: &dyn Db, file: File) -> Arc<FlowSeeds> {
    let module = file_symbols(db, file).first().copied();
    let module = module.filter(|&module| file_of_module(db, module) == Some(file));
    whole_file::reading(module, || {
        on_enough_stack(|| Arc::new(read(db, file).unwrap_or_default()))
    })
}

fn read(db: &dyn Db, file: File) -> Option<FlowSeeds> {
    let items = items(db, file)?;
    let bodies = file_bodies(db, file);
    let bodies = bodies.python()?;
    let memo = FileMemo::default();
    let (mut rows, mut classes, mut decorators) = (Vec::new(), Vec::new(), Vec::new());
    let frameworks = settings::frameworks(db);
    let mut registered = Vec::new();
    let mut known = vec![Known::Not; bodies.code.nodes.len()];
    for (item, body) in (0..).zip(&bodies.bodies) {
        let frame = Frame::new(db, file, items, item, &bodies.code, body.nodes);
        let frame = frame.sharing(&memo).evaluate_all();
        let of = Expressions {
            db,
            file,
            items,
            item,
            code: &bodies.code,
        };
        for node in body.nodes.start..body.nodes.end {
            let kind = frame.kind(node);
            // What a decorator makes of a function flows.
            if !matches!(kind, Node::Item(_) | Node::Decorated(_)) {
                known[node as usize] = known_of(db, frame.node(node));
            }
            if let Node::Call(call) = kind
                && let Some(call) = bodies.code.calls.get(call as usize)
                && let Some(arguments) = registered_arguments(&frameworks, of, call.callee)
            {
                registered.push((call.callee, Registered::of(db, arguments)));
            }
            let is_declared = match kind {
                Node::Global(_)
                | Node::Free { .. }
                | Node::Import { .. }
                | Node::Param(_)
                | Node::Attr { .. }
                | Node::Call(_)
                | Node::Subscript { .. }
                | Node::Await(_)
                | Node::Iter(_)
                | Node::AsyncIter(_)
                | Node::Enter(_)
                | Node::AsyncEnter(_)
                | Node::Unpack { .. }
                | Node::Binary { .. }
                | Node::Caught(_)
                | Node::ClassCell(_) => true,
                Node::Narrow { class, .. } => {
                    classes.extend(named_classes(&frame, class).map(|all| (class, all)));
                    true
                }
                _ => false,
            };
            if is_declared {
                let is_element = matches!(
                    kind,
                    Node::Subscript { .. }
                        | Node::Iter(_)
                        | Node::AsyncIter(_)
                        | Node::Unpack { .. }
                );
                let is_result = matches!(
                    kind,
                    Node::Call(_) | Node::Await(_) | Node::Enter(_) | Node::AsyncEnter(_)
                );
                for one in frame.node(node).iter() {
                    // What a call gives flows, but for objects of its declared result.
                    if is_result && matches!(shape(db, one), Shape::Function(_) | Shape::Class(_)) {
                        continue;
                    }
                    // Of a container only what its type declares is known here: its values flow by key.
                    let is_declared =
                        matches!(shape(db, one), Shape::Instance { exact: false, .. });
                    if is_declared || !is_element {
                        seeds_of(db, one, node, &mut rows);
                    }
                }
            }
        }
        for one in bodies.uses.get(body.uses.iter()).unwrap_or(&[]) {
            if let UseKind::Decorate { item, which: 0, .. } = one.kind
                && items.items.get(item as usize)?.kind != ItemKind::Lambda
                && let Some(&symbol) = frame.symbols.get(item as usize)
            {
                decorators.push(DecoratedItem {
                    item,
                    paths: decorator_paths(db, symbol).into(),
                    registrations: registrations(db, symbol).into(),
                });
            }
        }
    }
    classes.sort_by_key(|row: &(NodeId, _)| row.0);
    classes.dedup_by_key(|row| row.0);
    decorators.sort_by_key(|row: &DecoratedItem| row.item);
    decorators.dedup_by_key(|row| row.item);
    registered.sort_by_key(|row: &(NodeId, _)| row.0);
    Some(FlowSeeds {
        rows: rows.into(),
        classes: classes.into(),
        decorators: decorators.into(),
        registered: registered.into(),
        known: known.into(),
    })
}

/// Returns what some values say of all values.
fn known_of(db: &dyn Db, values: &Values) -> Known {
    if values.is_unknown() || values.is_none() {
        return Known::Not;
    }
    let all = values.iter().map(|one| known_of_one(db, one));
    all.fold(Known::All, |found, one| match (found, one) {
        (Known::Not, _) | (_, Known::Not) => Known::Not,
        (found, one) => found.max(one),
    })
}

/// The classes of the library whose objects have no attributes of the workspace.
const SCALARS: &[&str] = &[
    "bool",
    "bytes",
    "bytearray",
    "complex",
    "float",
    "int",
    "range",
    "slice",
    "str",
];

fn known_of_one(db: &dyn Db, one: Value) -> Known {
    let shared = db.shared();
    match shape(db, one) {
        Shape::Instance { class, .. } if !is_of_workspace(db, class.symbol) => {
            let name = shared.names.text(shared.symbols.key(class.symbol).name);
            if SCALARS.contains(&name) {
                Known::All
            } else if class_info(db, ClassKey::new(db, class.symbol)).is_protocol {
                Known::WithLibrary
            } else {
                Known::OfLibrary
            }
        }
        Shape::Bound { function, .. } if !is_of_workspace(db, *function) => Known::WithLibrary,
        Shape::Tuple(_)
        | Shape::Generator(_)
        | Shape::AsyncGenerator(_)
        | Shape::Coroutine(_)
        | Shape::Context(_) => Known::WithLibrary,
        Shape::Absent(_)
        | Shape::Decorated(_)
        | Shape::OfTypeVar { .. }
        | Shape::Callable(_)
        | Shape::Argument { .. } => Known::Not,
        _ => Known::All,
    }
}

/// Returns the classes that a class expression of a narrowing names, if all are known.
fn named_classes(frame: &Frame<'_>, node: NodeId) -> Option<Box<[SymbolId]>> {
    fn each(frame: &Frame<'_>, values: &Values, found: &mut Vec<SymbolId>) -> bool {
        !values.is_unknown()
            && values.iter().all(|one| match shape(frame.db, one) {
                Shape::Class(class) => {
                    found.push(class.symbol);
                    true
                }
                Shape::Tuple(parts) => parts.iter().all(|part| each(frame, part, found)),
                _ => false,
            })
    }
    if node == NONE {
        return None;
    }
    let mut found = Vec::new();
    let values = frame.node(node);
    (!values.is_none() && each(frame, values, &mut found)).then(|| found.into())
}

fn seeds_of(db: &dyn Db, one: Value, node: NodeId, rows: &mut Vec<(NodeId, Seed)>) {
    let seed = match shape(db, one) {
        Shape::Instance { class, exact } => {
            elements(db, class, node, rows);
            if *exact {
                Seed::ExactInstance(class.symbol)
            } else {
                Seed::Instance(class.symbol)
            }
        }
        Shape::Receiver(class) => Seed::Receiver(*class),
        Shape::Class(class) => Seed::Class(class.symbol),
        Shape::Subclass(class) => Seed::Subclass(class.symbol),
        Shape::ReceiverClass(class) => Seed::ReceiverClass(*class),
        Shape::Function(function) => Seed::Function(*function),
        Shape::Module(module) => Seed::Module(*module),
        Shape::Absent(symbol) => Seed::Function(*symbol),
        Shape::Super { class, .. } => Seed::Super(*class),
        _ => return,
    };
    rows.push((node, seed));
}

/// Adds the elements that the type arguments of a class declare.
fn elements(db: &dyn Db, class: &Class, node: NodeId, rows: &mut Vec<(NodeId, Seed)>) {
    let Some(last) = class.args.last() else {
        return;
    };
    for one in last.iter() {
        if let Shape::Instance { class: element, .. } = shape(db, one) {
            rows.push((node, Seed::Elements(element.symbol, class.args.len() > 1)));
        }
    }
}
