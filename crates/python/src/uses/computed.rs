//! Attribute lookups whose name is a value (Python library, Built-in Functions: `getattr`,
//! `setattr`, `hasattr`, `delattr`, `vars`, `globals`, `eval`, `exec`).
//!
//! ```python
//! getattr(self, "on_" + event)()   # a site of name COMPUTED, signature OF_RECEIVER, absent "on_"
//! globals()[name]                  # OF_SCOPE
//! importlib.import_module(name)    # OF_IMPORT
//! ```
//!
//! Such sites have names that no text can contain; [`crate::escapes`] matches them with the symbols
//! that they may reach.

use codeweft_db::{Db, NONE, NameId, Reason, UnresolvedSite};
use codeweft_python_syntax::{self as python, Access, BinaryKind, Call, Node, NodeId, UseKind};

use super::UseReader;
use super::record::READ;
use crate::escapes::is_module_object;
use crate::infer::Frame;
use crate::values::{Shape, Values, shape};

/// The name of unresolved sites that look an attribute up by a computed name.
/// [`UnresolvedSite::absent`] is the known prefix of the name, if any.
pub(crate) const COMPUTED: &str = "getattr()";

/// The name of unresolved sites that run code from a string.
pub(crate) const EVALUATED: &str = "eval()";

/// The name of unresolved sites that read `sys.modules`, where modules are values.
pub(crate) const MODULES: &str = "sys.modules";

/// The name of unresolved sites that create a class with unknown bases.
pub(crate) const CREATED_CLASS: &str = "type()";

/// The signature of a computed attribute of the enclosing method's receiver.
pub(crate) const OF_RECEIVER: u32 = 2;

/// The signature of a computed attribute of any object.
pub(crate) const OF_ANY: u32 = 3;

/// The signature of a computed name of a module.
pub(crate) const OF_MODULE: u32 = 4;

/// The signature of a computed name of the enclosing scope; for a function, of what it declares.
pub(crate) const OF_SCOPE: u32 = 5;

/// The signature of the table of names of any object: those of an instance have no functions of its class.
pub(crate) const OF_TABLE: u32 = 7;

/// The signature of a computed name of the module that the text is in.
pub(crate) const OF_OWN_MODULE: u32 = 8;

/// The signature of a computed attribute of an object that is a module.
pub(crate) const OF_MODULE_OBJECT: u32 = 9;

/// The signature of an import by a value. [`UnresolvedSite::absent`] is the known prefix of the
/// name, or the whole name if [`UnresolvedSite::arguments`] is 0.
pub(crate) const OF_IMPORT: u32 = 6;

/// Added to a signature if the attribute is tested, stored or deleted but not read: that runs the
/// functions of a property and nothing else.
pub(crate) const NOT_READ: u32 = 16;

/// The names of functions and attributes by which code looks names up by values.
pub(crate) const LOOK_UPS: &[&str] = &[
    "__delattr__",
    "__dict__",
    "__getattr__",
    "__getattribute__",
    "__import__",
    "__setattr__",
    "attrgetter",
    "delattr",
    "eval",
    "exec",
    "getattr",
    "getattr_static",
    "getmembers",
    "getmembers_static",
    "globals",
    "hasattr",
    "import_module",
    "locals",
    "methodcaller",
    "modules",
    "setattr",
    "vars",
];

/// Those that are tables.
pub(super) const TABLES: [&str; 2] = ["__dict__", "modules"];

/// The functions that create classes.
const CREATING: &[&str] = &["make_dataclass", "new_class", "type"];

/// Returns whether a site is that of a look-up by a name that is a value, but known.
pub(super) fn names_known(db: &dyn Db, site: &UnresolvedSite) -> bool {
    let name = db.shared().names.text(site.name);
    ![COMPUTED, EVALUATED, MODULES, CREATED_CLASS].contains(&name)
}

impl UseReader<'_> {
    /// Returns the nodes whose values [`UseReader::visit_look_up`] reads of the uses of a body.
    pub(super) fn look_up_operands(&self, frame: &Frame<'_>, uses: &[python::Use]) -> Vec<NodeId> {
        let names = &self.db.shared().names;
        let is_known = |name| {
            let name = names.text(name);
            LOOK_UPS.contains(&name) || CREATING.contains(&name)
        };
        let mut found = Vec::new();
        for one in uses {
            match one.kind {
                UseKind::Call(node) => {
                    let Node::Call(number) = frame.kind(node) else {
                        continue;
                    };
                    let Some(call) = frame.code.calls.get(number as usize) else {
                        continue;
                    };
                    match frame.kind(call.callee) {
                        Node::Global(name) if is_known(name) => {}
                        Node::Attr { base, name } if is_known(name) => found.push(base),
                        Node::Import { .. } => {}
                        _ => continue,
                    }
                    found.extend_from_slice(frame.code.list(call.positional));
                    found.extend(call.keywords.iter().map(|&(_, node)| node));
                }
                UseKind::Attr {
                    base, name, access, ..
                } if access == Access::Load && self.tables.contains(&name) => found.push(base),
                _ => {}
            }
        }
        found
    }

    /// Visits a use for what it looks up by values.
    pub(super) fn visit_look_up(&mut self, frame: &Frame<'_>, one: &python::Use) {
        match one.kind {
            UseKind::Call(node) => {
                if let Node::Call(number) = frame.kind(node)
                    && let Some(call) = frame.code.calls.get(number as usize)
                {
                    self.computed(frame, one.tok, call);
                }
            }
            UseKind::Attr {
                base, name, access, ..
            } if access == Access::Load && self.tables.contains(&name) => {
                self.table(frame, one.tok, base, name);
            }
            _ => {}
        }
    }

    /// Adds a site for a call that looks an attribute, or any name, up by a value.
    pub(super) fn computed(&mut self, frame: &Frame<'_>, occ: u32, call: &Call) {
        let names = &self.db.shared().names;
        let (name, base) = match frame.kind(call.callee) {
            Node::Global(name) => (name, None),
            Node::Attr { base, name } => (name, Some(base)),
            Node::Import { import, which } => {
                match crate::infer::import_target(self.db, frame.file, import, which) {
                    Some(crate::infer::ImportTarget::Name(_, name)) => (name, None),
                    _ => return,
                }
            }
            _ => return,
        };
        let arguments = frame.code.list(call.positional);
        let keyword = |wanted: &str| {
            let mut keywords = call.keywords.iter();
            let found = keywords.find(|(name, _)| names.text(*name) == wanted);
            found.map(|&(_, node)| node)
        };
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
            ("locals" | "vars", None) if arguments.is_empty() => {
                self.add_computed(occ, COMPUTED, None, OF_SCOPE);
            }
            ("vars", _) if !arguments.is_empty() => {
                let signature = of_table(frame, arguments[0]);
                self.add_computed(occ, COMPUTED, None, signature);
            }
            ("getmembers" | "getmembers_static", _) if !arguments.is_empty() => {
                let signature = of(frame, arguments[0]);
                self.add_computed(occ, COMPUTED, None, signature);
            }
            ("globals", None) => self.add_computed(occ, COMPUTED, None, OF_OWN_MODULE),
            ("import_module" | "__import__", _) => self.imported(frame, occ, call),
            ("type", None) if arguments.len() == 3 => self.made(frame, occ, arguments.get(1)),
            ("new_class", _) if !arguments.is_empty() => {
                self.made(frame, occ, arguments.get(1).or(keyword("bases").as_ref()));
            }
            ("make_dataclass", _) if keyword("bases").is_some() => {
                self.made(frame, occ, keyword("bases").as_ref());
            }
            ("eval" | "exec", None) => self.add_computed(occ, EVALUATED, None, OF_ANY),
            _ => {}
        }
    }

    /// Adds a site for a call that imports a module by a value (Python library,
    /// `importlib.import_module`; Built-in Functions, `__import__`).
    fn imported(&mut self, frame: &Frame<'_>, occ: u32, call: &Call) {
        let names = &self.db.shared().names;
        let keywords = call.keywords.iter();
        let mut named = keywords.filter(|(name, _)| names.text(*name) == "name");
        let first = frame.code.list(call.positional).first().copied();
        let name = first.or_else(|| named.next().map(|&(_, node)| node));
        let known = name.and_then(|name| frame.node(name).single());
        let known = known.and_then(|known| match shape(self.db, known) {
            Shape::Str(name) => Some(*name),
            _ => None,
        });
        let start = known.or_else(|| start_of(frame, name?));
        self.add_computed(occ, COMPUTED, start, OF_IMPORT);
        if let Some(site) = self
            .record
            .unresolved
            .last_mut()
            .filter(|_| known.is_some())
        {
            site.arguments = 0;
        }
    }

    /// Adds a site for a call that creates a class; each known base is a use of its own.
    fn made(&mut self, frame: &Frame<'_>, occ: u32, bases: Option<&NodeId>) {
        let Some(&bases) = bases else {
            return;
        };
        let is_class = |values: &Values| {
            let one = values.single().map(|one| shape(self.db, one));
            matches!(one, Some(Shape::Class(_)))
        };
        let is_known = frame.node(bases).single().is_some_and(|one| {
            let one = shape(self.db, one);
            matches!(one, Shape::Tuple(parts) if parts.iter().all(is_class))
        });
        if !is_known {
            let name = self.db.shared().names.intern(CREATED_CLASS);
            self.record.unresolved.push(UnresolvedSite {
                name,
                body: self.record.body,
                occ,
                arguments: UnresolvedSite::ANY_COUNT,
                keywords: None,
                reason: Reason::UnknownBase,
                absent: None,
                signature: OF_ANY,
            });
        }
    }

    /// Adds a site for a read of an object's table of names, such as `__dict__` (Python reference,
    /// "The standard type hierarchy"; Python library, `sys.modules`). The table of an instance has
    /// no functions of its class.
    pub(super) fn table(&mut self, frame: &Frame<'_>, occ: u32, base: NodeId, name: NameId) {
        let values = frame.node(base);
        let is_module = |one| matches!(shape(self.db, one), Shape::Module(_));
        if name == self.tables[1] {
            let is_sys = |one| match shape(self.db, one) {
                Shape::Module(module) => {
                    let name = self.db.shared().symbols.key(*module).name;
                    self.db.shared().names.text(name) == "sys"
                }
                _ => false,
            };
            if values.iter().any(is_sys) {
                self.add_table(occ, MODULES, OF_MODULE);
            }
            return;
        }
        let has_functions = |one| {
            is_module(one)
                || matches!(
                    shape(self.db, one),
                    Shape::Class(_) | Shape::Subclass(_) | Shape::ReceiverClass(_)
                )
        };
        if values.is_unknown() || values.iter().any(has_functions) {
            self.add_table(occ, COMPUTED, of_table(frame, base));
        }
    }

    /// Reading the table calls nothing itself.
    fn add_table(&mut self, occ: u32, kind: &str, signature: u32) {
        self.add_computed(occ, kind, None, signature);
        if let Some(site) = self.record.unresolved.last_mut() {
            site.reason = Reason::Escapes;
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
        let values = frame.node(attribute);
        let known = values.iter().map(|one| match shape(self.db, one) {
            Shape::Str(name) => Some(*name),
            _ => None,
        });
        let known: Option<Vec<NameId>> = known.collect();
        if let Some(known) = known.filter(|known| !known.is_empty() && !values.is_unknown()) {
            // Adds the known names as unresolved reads of these attributes.
            self.record
                .unresolved
                .extend(known.into_iter().map(|name| UnresolvedSite {
                    name,
                    body: self.record.body,
                    occ,
                    arguments: UnresolvedSite::ANY_COUNT,
                    keywords: None,
                    reason: Reason::DynamicAttribute,
                    absent: None,
                    signature: READ,
                }));
            return;
        }
        if is_passed_on(frame, attribute) {
            return;
        }
        let start = start_of(frame, attribute);
        self.add_computed(occ, COMPUTED, start, of(frame, object) + not_read);
    }

    fn add_computed(&mut self, occ: u32, kind: &str, start: Option<NameId>, signature: u32) {
        debug_assert_ne!(signature, NONE);
        let name = self.db.shared().names.intern(kind);
        self.record.unresolved.push(UnresolvedSite {
            name,
            body: self.record.body,
            occ,
            arguments: UnresolvedSite::ANY_COUNT,
            keywords: None,
            reason: Reason::DynamicAttribute,
            absent: start,
            signature,
        });
    }
}

/// Returns the known prefix of a concatenated or formatted name.
fn start_of(frame: &Frame<'_>, name: NodeId) -> Option<NameId> {
    let start = start_text(frame, name, MAX_DEPTH)?;
    Some(frame.db.shared().names.intern(&start))
}

/// How many operations a name is looked through.
const MAX_DEPTH: u32 = 4;

/// Returns what a string starts with, through the variable that holds it, and through `lower` and `upper`.
fn start_text(frame: &Frame<'_>, node: NodeId, depth: u32) -> Option<String> {
    let names = &frame.db.shared().names;
    let depth = depth.checked_sub(1)?;
    match frame.kind(node) {
        Node::Str(text) => Some(names.text(text).to_owned()),
        Node::Binary { op, left, .. } => {
            let start = start_text(frame, left, depth)?;
            match op.kind {
                BinaryKind::Add => Some(start),
                BinaryKind::Mod => Some(start.split('%').next().unwrap_or_default().to_owned()),
                _ => None,
            }
        }
        Node::Call(number) => {
            let call = frame.code.calls.get(number as usize)?;
            let Node::Attr { base, name } = frame.kind(call.callee) else {
                return None;
            };
            let start = start_text(frame, base, depth)?;
            match names.text(name) {
                "format" => Some(start.split('{').next().unwrap_or_default().to_owned()),
                // Only of ASCII letters each is one letter again.
                "lower" if start.is_ascii() => Some(start.to_ascii_lowercase()),
                "upper" if start.is_ascii() => Some(start.to_ascii_uppercase()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether the name is the one that `__getattr__` received: the caller's attribute
/// reference is an unresolved site of that name already (Python reference, "Customizing attribute
/// access").
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

/// Returns the signature of a read of an object's table of names.
fn of_table(frame: &Frame<'_>, object: NodeId) -> u32 {
    let names = &frame.db.shared().names;
    // The class of an object is no value that the text names.
    let is_class_of = match frame.kind(object) {
        Node::Attr { name, .. } => names.text(name) == "__class__",
        Node::Call(number) => {
            let call = frame.code.calls.get(number as usize);
            let callee = call.map(|call| frame.kind(call.callee));
            matches!(callee, Some(Node::Global(name)) if names.text(name) == "type")
        }
        _ => false,
    };
    match of(frame, object) {
        OF_ANY if !is_class_of => OF_TABLE,
        signature => signature,
    }
}

/// Returns the signature of a lookup on an object.
fn of(frame: &Frame<'_>, object: NodeId) -> u32 {
    let values = frame.node(object);
    let is_own = |one| {
        matches!(
            shape(frame.db, one),
            Shape::Receiver(_) | Shape::ReceiverClass(_)
        )
    };
    let is_super = |one| matches!(shape(frame.db, one), Shape::Super { .. });
    if values
        .iter()
        .any(|one| matches!(shape(frame.db, one), Shape::Module(_)))
    {
        return OF_MODULE;
    }
    if !values.is_unknown()
        && !values.is_none()
        && values.iter().all(|one| is_own(one) || is_super(one))
    {
        OF_RECEIVER
    } else if is_module_object(frame, object) {
        OF_MODULE_OBJECT
    } else {
        OF_ANY
    }
}
