//! Calls that look an attribute up by a name which is a value (Python library, Built-in Functions:
//! `getattr`, `setattr`, `hasattr`, `delattr`, `vars`, `globals`, `eval`, `exec`).

use codeweft_db::{NONE, NameId, OpenSite, Reason};
use codeweft_syntax::python::{BinaryKind, Call, Node, NodeId};

use super::{READ, Reader};
use crate::infer::Frame;
use crate::values::{Shape, shape};

/// The name of open sites that look up an attribute whose name is computed. No text writes it.
/// [`OpenSite::absent`] of one is what the name begins with, where that is known.
pub(crate) const COMPUTED: &str = "getattr()";

/// The name of open sites that run a text.
pub(crate) const EVALUATED: &str = "eval()";

/// The signature of a computed attribute of the receiver of the method around.
pub(crate) const OF_RECEIVER: u32 = 2;

/// The signature of a computed attribute of any object.
pub(crate) const OF_ANY: u32 = 3;

/// The signature of a computed name of a module.
pub(crate) const OF_MODULE: u32 = 4;

/// Added to a signature where the attribute is asked for, stored or deleted but not read: that
/// runs a property's functions and nothing else.
pub(crate) const NOT_READ: u32 = 16;

impl Reader<'_> {
    /// Notes a call that looks up an attribute, or any name, by a value.
    pub(super) fn computed(&mut self, frame: &Frame<'_>, occ: u32, call: &Call) {
        let names = &self.db.shared().names;
        let (name, base) = match frame.kind(call.callee) {
            Node::Global(name) => (name, None),
            Node::Attr { base, name } => (name, Some(base)),
            Node::Import { import, which } => {
                match crate::infer::import_target(self.db, frame.file, import, which) {
                    Some(crate::infer::Target::Name(_, name)) => (name, None),
                    _ => return,
                }
            }
            _ => return,
        };
        let arguments = frame.code.list(call.positional);
        match (names.text(name), base) {
            ("getattr", None) => {
                if let [object, attribute, ..] = *arguments {
                    self.looked_up(frame, occ, object, attribute, 0);
                }
            }
            ("hasattr" | "setattr" | "delattr", None) => {
                if let [object, attribute, ..] = *arguments {
                    self.looked_up(frame, occ, object, attribute, NOT_READ);
                }
            }
            ("__getattribute__" | "__getattr__", Some(base)) => match *arguments {
                [object, attribute] => self.looked_up(frame, occ, object, attribute, 0),
                [attribute] => self.looked_up(frame, occ, base, attribute, 0),
                _ => {}
            },
            ("__setattr__" | "__delattr__", Some(_)) => {
                if let [object, attribute, ..] = *arguments {
                    self.looked_up(frame, occ, object, attribute, NOT_READ);
                }
            }
            ("attrgetter" | "methodcaller" | "getattr_static", _) => {
                for &attribute in arguments {
                    if !matches!(frame.kind(attribute), Node::Str(_)) {
                        self.add_computed(occ, COMPUTED, None, OF_ANY);
                    }
                }
            }
            ("getmembers" | "getmembers_static" | "vars", _) if !arguments.is_empty() => {
                let signature = of(frame, arguments[0]);
                self.add_computed(occ, COMPUTED, None, signature);
            }
            ("globals", None) | ("import_module" | "__import__", _) => {
                self.add_computed(occ, COMPUTED, None, OF_MODULE);
            }
            ("eval" | "exec", None) => self.add_computed(occ, EVALUATED, None, OF_ANY),
            _ => {}
        }
    }

    fn looked_up(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        object: NodeId,
        attribute: NodeId,
        not_read: u32,
    ) {
        let names = &self.db.shared().names;
        let values = frame.node(attribute);
        let known = values.iter().map(|one| match shape(self.db, one) {
            Shape::Str(name) => Some(*name),
            _ => None,
        });
        let known: Option<Vec<NameId>> = known.collect();
        if let Some(known) = known.filter(|known| !known.is_empty() && !values.is_unknown()) {
            // As reads of these attributes.
            self.open.extend(known.into_iter().map(|name| OpenSite {
                name,
                body: self.body,
                occ,
                arguments: OpenSite::ANY_COUNT,
                reason: Reason::DynamicAttribute,
                absent: None,
                signature: READ,
            }));
            return;
        }
        if is_passed_on(frame, attribute) {
            return;
        }
        let start = match frame.kind(attribute) {
            Node::Binary { op, left, .. }
                if matches!(op.kind, BinaryKind::Add | BinaryKind::Mod) =>
            {
                match frame.kind(left) {
                    Node::Str(text) => Some(text),
                    _ => None,
                }
            }
            _ => None,
        };
        let start = start.map(|start| {
            let text = names.text(start);
            names.intern(text.split('%').next().unwrap_or(text))
        });
        self.add_computed(occ, COMPUTED, start, of(frame, object) + not_read);
    }

    fn add_computed(&mut self, occ: u32, kind: &str, start: Option<NameId>, signature: u32) {
        debug_assert_ne!(signature, NONE);
        let name = self.db.shared().names.intern(kind);
        self.open.push(OpenSite {
            name,
            body: self.body,
            occ,
            arguments: OpenSite::ANY_COUNT,
            reason: Reason::DynamicAttribute,
            absent: start,
            signature,
        });
    }
}

/// Whether the name is the one that `__getattr__` is asked for: who asks for it names it, and is
/// an open use of that name already (Python reference, Customizing attribute access).
fn is_passed_on(frame: &Frame<'_>, attribute: NodeId) -> bool {
    let names = &frame.db.shared().names;
    let item = frame.items.items.get(frame.item as usize);
    let is_hook = item.is_some_and(|item| {
        matches!(
            names.text(item.name),
            "__getattr__" | "__getattribute__" | "__setattr__" | "__delattr__"
        )
    });
    is_hook && matches!(frame.kind(attribute), Node::Param(1))
}

/// Whose attribute is looked up.
fn of(frame: &Frame<'_>, object: NodeId) -> u32 {
    let values = frame.node(object);
    let is_own = |one| matches!(shape(frame.db, one), Shape::Me(_) | Shape::MyClass(_));
    let is_super = |one| matches!(shape(frame.db, one), Shape::Super { .. });
    match !values.is_unknown() && !values.is_none() {
        true if values.iter().all(|one| is_own(one) || is_super(one)) => OF_RECEIVER,
        _ => OF_ANY,
    }
}
