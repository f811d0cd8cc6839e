//! Operations that may run more than the functions that their uses name, because the class of an
//! operand is only inferred: an annotation has no runtime semantics, an override may return another
//! object, a subclass or other code may store another one in an attribute.
//!
//! ```python
//! def f(repo: Repo, a: int):
//!     repo.save()      # `save` of any class
//!     a + 1            # `__add__` of any class
//!     Repo().save()    # certain: nothing else
//! ```
//!
//! They are computed for the bodies that a question reaches; no memo of salsa holds them.

use codeweft_db::file_bodies;
use codeweft_db::{
    Bodies, Db, File, NameId, PossibleCall, Reason, SymbolClass, SymbolId, UnresolvedSite,
};
use codeweft_python_syntax::AsPython as _;
use codeweft_python_syntax::{
    self as python, Access, BindingKind, CompareOp, NONE, Node, NodeId, UseKind,
};

use super::calls::arguments_of;
use super::receivers::is_fixed;
use super::specials::{builtin_name, called_by, iterated_by, rows_of};
use crate::classes::{OwnMember, class_info, find_in_mro};
use crate::declared::{declaration_of, enclosing_module, items};
use crate::escapes::StoredNames;
use crate::infer::{
    FileMemo, Frame, attribute, binary_methods, class_of, compare_methods, is_modelled,
    special_method, unary_method,
};
use crate::keys::ClassKey;
use crate::recursion::on_enough_stack;
use crate::values::{Shape, shape};

/// Returns for each of some bodies the operations that may call more than its uses name, in text order.
pub(crate) fn possible_calls(db: &dyn Db, bodies: &[(File, u32)]) -> Vec<Vec<PossibleCall>> {
    let stored = StoredNames::new(db);
    let bodies = bodies.iter();
    bodies
        .map(|&(file, body)| possible_calls_of(db, (file, body), &stored))
        .collect()
}

fn possible_calls_of(
    db: &dyn Db,
    (file, body): (File, u32),
    stored: &StoredNames<'_>,
) -> Vec<PossibleCall> {
    let bodies = file_bodies(db, file);
    let read = |bodies: &Bodies| {
        let (bodies, items) = (bodies.python()?, items(db, file)?);
        let of = bodies.bodies.get(body as usize)?;
        let memo = FileMemo::default();
        let frame = Frame::new(db, file, items, body, &bodies.code, of.nodes);
        let mut reader = PossibleCalls {
            frame: &frame.sharing(&memo).evaluate_all(),
            occ: 0,
            found: Vec::new(),
            stored,
        };
        for one in bodies.uses.get(of.uses.iter()).unwrap_or(&[]) {
            reader.occ = one.tok;
            reader.visit(&one.kind);
        }
        Some(reader.found)
    };
    on_enough_stack(|| read(&bodies)).unwrap_or_default()
}

/// The special methods that compare, hash, print or order an element where its container is
/// compared, hashed, printed or ordered.
const OF_ELEMENTS: &[&str] = &[
    "__eq__", "__ge__", "__gt__", "__hash__", "__le__", "__lt__", "__ne__", "__repr__", "__str__",
];

struct PossibleCalls<'f, 'db> {
    frame: &'f Frame<'f>,
    /// The token of the visited use.
    occ: u32,
    found: Vec<PossibleCall>,
    /// The names by which other code may store a function.
    stored: &'f StoredNames<'db>,
}

impl PossibleCalls<'_, '_> {
    fn visit(&mut self, kind: &UseKind) {
        match *kind {
            UseKind::Attr {
                base, name, access, ..
            } => self.attribute(base, name, access),
            UseKind::Call(node) => {
                if let Node::Call(number) = self.frame.kind(node)
                    && let Some(call) = self.frame.code.calls.get(number as usize)
                {
                    self.call(call);
                }
            }
            UseKind::Operator(node) => self.operator(node),
            UseKind::SubscriptStore {
                base,
                index,
                access,
                ..
            } => {
                let method = match access {
                    Access::Delete => "__delitem__",
                    _ => "__setitem__",
                };
                self.operand(base, &[method]);
                self.operand(index, &["__index__", "__hash__", "__eq__"]);
            }
            UseKind::Truth(value) => self.operand(value, &["__bool__", "__len__"]),
            UseKind::Iterate {
                value,
                is_async: false,
            } => self.operand(value, &["__iter__", "__next__", "__getitem__"]),
            UseKind::Iterate { value, .. } => {
                self.operand(value, &["__aiter__", "__anext__", "__await__"]);
            }
            UseKind::With {
                value,
                is_async: false,
            } => self.operand(value, &["__enter__", "__exit__"]),
            UseKind::With { value, .. } => {
                self.operand(value, &["__aenter__", "__aexit__", "__await__"]);
            }
            UseKind::Await(value) => self.operand(value, &["__await__"]),
            UseKind::Decorate { item, which, .. } => self.decorate(item, which),
            UseKind::Name { .. }
            | UseKind::Keyword { .. }
            | UseKind::ClassStatement(_)
            | UseKind::Import { .. }
            | UseKind::ImportedModule(_)
            | UseKind::All(_)
            | UseKind::Raise(_)
            | UseKind::Text(_)
            | UseKind::TextStart { .. } => {}
        }
    }

    /// Adds what may be called by a name, or by any, with any number of arguments.
    fn push(&mut self, name: Option<NameId>, reason: Reason) {
        self.found.push(PossibleCall {
            name,
            occ: self.occ,
            arguments: UnresolvedSite::ANY_COUNT,
            is_read: false,
            reason,
        });
    }

    fn push_special(&mut self, method: &'static str) {
        let name = self.frame.db.shared().names.intern(method);
        self.push(Some(name), Reason::SpecialMethod);
    }

    /// Adds special methods that an operation may run on an operand, unless its class is certain
    /// and the method that its class has was recorded.
    fn operand(&mut self, operand: NodeId, methods: &[&'static str]) {
        let fixed = is_fixed(self.frame, operand);
        let is_container = matches!(
            self.frame.kind(operand),
            Node::Tuple(_) | Node::List(_) | Node::Set(_) | Node::Dict(_)
        );
        for &method in methods {
            if !fixed
                || is_container && OF_ELEMENTS.contains(&method)
                || self.may_add(operand, method)
            {
                self.push_special(method);
            }
        }
    }

    /// Returns whether a subclass of the receiver's class may declare a special method that the
    /// class itself has not.
    fn may_add(&self, operand: NodeId, method: &'static str) -> bool {
        let db = self.frame.db;
        self.frame.node(operand).iter().any(|one| {
            matches!(shape(db, one), Shape::Receiver(_) | Shape::ReceiverClass(_))
                && special_method(self.frame, one, method)
                    .is_none_or(|(function, _, _)| is_modelled(db, function))
        })
    }

    fn attribute(&mut self, base: NodeId, name: NameId, access: Access) {
        let hooks: &[&'static str] = match access {
            Access::Load | Access::Callee => &["__getattr__", "__getattribute__"],
            Access::Store => &["__setattr__"],
            Access::Augment => &["__getattr__", "__getattribute__", "__setattr__"],
            Access::Delete => &["__delattr__"],
        };
        self.operand(base, hooks);
        self.member(base, name);
        if access == Access::Callee {
            return;
        }
        let db = self.frame.db;
        let values = self.frame.node(base);
        // A subclass may declare a property where its base has a variable.
        let is_variable = |one| {
            let symbol = attribute(self.frame, one, name).symbol;
            symbol.is_none_or(|symbol| {
                matches!(
                    db.shared().symbols.key(symbol).class,
                    SymbolClass::Field | SymbolClass::Variable
                )
            })
        };
        let is_receiver = |one| matches!(shape(db, one), Shape::Receiver(_));
        if !is_fixed(self.frame, base)
            || values
                .iter()
                .any(|one| is_receiver(one) && is_variable(one))
        {
            self.found.push(PossibleCall {
                name: Some(name),
                occ: self.occ,
                arguments: UnresolvedSite::ANY_COUNT,
                is_read: true,
                reason: Reason::UnknownReceiver,
            });
        }
    }

    /// Adds what the attribute that a class declares may run: a descriptor that nothing is known of,
    /// and `__getattr__` for a special attribute, which a class without it may lack.
    fn member(&mut self, base: NodeId, name: NameId) {
        let db = self.frame.db;
        let text = db.shared().names.text(name);
        let is_special = text.starts_with("__") && text.ends_with("__");
        let (mut is_descriptor, mut is_hooked) = (false, false);
        for one in self.frame.node(base).iter() {
            let Some(class) = class_of(self.frame, one) else {
                continue;
            };
            let info = class_info(db, ClassKey::new(db, class.symbol));
            if let Some((at, OwnMember::Field(_))) = find_in_mro(db, &info, name, 0) {
                is_descriptor |= self.may_be_descriptor(info.mro[at], name);
            }
            let hook = special_method(self.frame, one, "__getattr__");
            is_hooked |= hook.is_some_and(|(function, _, _)| !is_modelled(db, function));
        }
        if is_descriptor {
            self.push(None, Reason::DynamicAttribute);
        }
        if is_special && is_hooked {
            self.push_special("__getattr__");
        }
    }

    /// Returns whether a class binds a name to a call whose result is unknown or a `property`,
    /// whatever its annotation says.
    ///
    /// ```python
    /// class C:
    ///     size: int = make_property("size")
    /// ```
    fn may_be_descriptor(&self, class: SymbolId, name: NameId) -> bool {
        let db = self.frame.db;
        let Some((file, item)) = declaration_of(db, class) else {
            return false;
        };
        let Some(items) = items(db, file) else {
            return false;
        };
        let Some(declared) = items.items.get(item as usize) else {
            return false;
        };
        let bindings = items.bindings.get(declared.bindings.iter());
        let bound = bindings.unwrap_or(&[]).iter();
        let bound = bound.filter(|binding| binding.name == name);
        let mut values = bound.filter_map(|binding| match binding.kind {
            BindingKind::Value { value, .. } if value != NONE => Some(value),
            _ => None,
        });
        let is_descriptor = |one| {
            let get = special_method(self.frame, one, "__get__");
            get.is_some_and(|(function, _, _)| is_modelled(db, function))
        };
        values.any(|value| {
            let body = Frame::of_items(db, file, item).evaluate(&[value]);
            let values = body.node(value);
            let is_call = matches!(body.kind(value), Node::Call(_));
            is_call && (values.is_unknown() || values.iter().any(is_descriptor))
        })
    }

    fn call(&mut self, call: &python::Call) {
        self.callee(call.callee, arguments_of(self.frame, call).count);
        self.builtin(call);
    }

    /// Adds the call that applies a decorator, whose node is of the file's items.
    fn decorate(&mut self, item: u32, which: u32) {
        let frame = self.frame;
        let declared = frame.items.items.get(item as usize);
        let Some(&node) = declared.and_then(|item| item.decorators.get(which as usize)) else {
            return;
        };
        let own = Frame::of_items(frame.db, frame.file, frame.item).evaluate(&[node]);
        let mut reader = PossibleCalls {
            frame: &own,
            occ: self.occ,
            found: Vec::new(),
            stored: self.stored,
        };
        reader.callee(node, 1);
        let mut found = reader.found;
        self.found.append(&mut found);
    }

    /// Adds what a call may run instead of what its callee is inferred to be.
    fn callee(&mut self, callee: NodeId, arguments: u8) {
        let db = self.frame.db;
        match self.frame.kind(callee) {
            Node::Attr { base, name } => {
                self.stored(name);
                if !is_fixed(self.frame, base) {
                    self.found.push(PossibleCall {
                        name: Some(name),
                        occ: self.occ,
                        arguments,
                        is_read: false,
                        reason: Reason::UnknownReceiver,
                    });
                }
                // Other code may store another function in a variable or an attribute.
                let holds = |one| {
                    let symbol = attribute(self.frame, one, name).symbol;
                    let class = symbol.map(|symbol| db.shared().symbols.key(symbol).class);
                    !matches!(shape(db, one), Shape::Module(_) | Shape::Absent(_))
                        && matches!(class, Some(SymbolClass::Field | SymbolClass::Variable))
                };
                if self.frame.node(base).iter().any(holds) {
                    self.push(None, Reason::FunctionValue);
                }
            }
            Node::Global(name) => self.stored(name),
            Node::Free { .. } => {}
            _ if is_fixed(self.frame, callee) => {}
            _ => self.push(None, Reason::FunctionValue),
        }
    }

    /// Adds that other code may have stored another function by the name of a callee.
    fn stored(&mut self, name: NameId) {
        if self.stored.contains(name) {
            self.push(None, Reason::DynamicAttribute);
        }
    }

    /// Adds what a builtin may run on its arguments.
    fn builtin(&mut self, call: &python::Call) {
        let db = self.frame.db;
        let names = &db.shared().names;
        let mut methods: Vec<&'static str> = Vec::new();
        let callee = self.frame.node(call.callee);
        let (mut calls_back, mut is_unread) = (false, false);
        for one in callee.iter() {
            let symbol = match shape(db, one) {
                Shape::Function(function) | Shape::Bound { function, .. } => *function,
                Shape::Class(class) => class.symbol,
                Shape::Absent(_) => {
                    is_unread = true;
                    continue;
                }
                _ => continue,
            };
            if !is_modelled(db, symbol) {
                continue;
            }
            let module = db.shared().symbols.key(enclosing_module(db, symbol)).name;
            is_unread |= names.text(module) != "builtins";
            let builtin = builtin_name(db, symbol);
            methods.extend(rows_of(&builtin).iter().flat_map(|row| row.methods));
            if iterated_by(&builtin).is_some() {
                methods.extend(["__iter__", "__next__", "__getitem__", "keys"]);
            }
            calls_back |= called_by(&builtin).is_some();
            // `tuple.__str__(x)` runs `__repr__` of the elements, and of `x`.
            let name = db.shared().symbols.key(symbol).name;
            if OF_ELEMENTS.contains(&names.text(name)) {
                OF_ELEMENTS
                    .iter()
                    .for_each(|method| self.push_special(method));
            }
        }
        methods.sort_unstable();
        methods.dedup();
        let code = self.frame.code;
        let mut nodes: Vec<NodeId> = code.list(call.positional).to_vec();
        nodes.extend(call.keywords.iter().map(|&(_, node)| node));
        if calls_back && nodes.iter().any(|&node| !is_fixed(self.frame, node)) {
            self.push(None, Reason::FunctionValue);
        }
        // Code that is not read may call what its arguments have.
        let is_constant = |node: &NodeId| {
            matches!(
                self.frame.kind(*node),
                Node::Constant(_) | Node::Str(_) | Node::Slice
            )
        };
        if is_unread && !nodes.iter().all(is_constant) {
            self.push(None, Reason::Escapes);
        }
        if let Node::Attr { base, .. } = self.frame.kind(call.callee) {
            nodes.push(base);
        }
        for node in nodes {
            self.operand(node, &methods);
        }
    }

    fn operator(&mut self, node: NodeId) {
        match self.frame.kind(node) {
            Node::Binary { op, left, right } => {
                let (method, reflected, augmented) = binary_methods(op.kind);
                if op.augmented {
                    self.operand(left, &[augmented]);
                }
                self.operand(left, &[method]);
                self.operand(right, &[reflected]);
                if op.kind == python::BinaryKind::Mod {
                    self.operand(right, &["__str__", "__repr__", "__getitem__"]);
                }
            }
            Node::Unary { op, value } => {
                if let Some(method) = unary_method(op) {
                    self.operand(value, &[method]);
                }
            }
            Node::Compare { op, left, right } => match compare_methods(op) {
                Some((method, reflected)) => {
                    self.operand(left, &[method]);
                    self.operand(right, &[reflected]);
                    if method == "__ne__" {
                        self.operand(left, &["__eq__"]);
                        self.operand(right, &["__eq__"]);
                    }
                }
                None if matches!(op, CompareOp::In | CompareOp::NotIn) => {
                    let inside = ["__contains__", "__iter__", "__next__", "__getitem__"];
                    self.operand(right, &inside);
                    self.operand(right, &["__eq__"]);
                    self.operand(left, &["__eq__", "__hash__"]);
                }
                None => {}
            },
            Node::Subscript { base, index } => {
                self.operand(base, &["__getitem__", "__missing__", "__class_getitem__"]);
                self.operand(index, &["__index__", "__hash__", "__eq__"]);
            }
            Node::Format(list) => {
                for &part in self.frame.code.list(list) {
                    self.operand(part, &["__format__", "__str__", "__repr__"]);
                }
            }
            _ => {}
        }
    }
}
