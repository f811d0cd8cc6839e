//! What the files of a unit use: names, attributes, calls and what operations run.

pub(crate) mod computed;
mod denoted;
mod implicit;
mod operators;
mod parts;
mod receivers;
mod specials;
mod statements;
mod twins;

use std::sync::Arc;

use codeweft_db::{
    Db, File, NameId, Reason, Resolution, Role, SymbolClass, SymbolId, UnresolvedSite, Use,
    UsesByTarget,
};
use codeweft_syntax::python::{self, Access, NONE, Node, NodeId, TypeRole, UseKind};

use crate::completeness::CALLABLE;
use crate::declared::items;
use crate::imports::py_import_targets;
use crate::infer::{
    Callee, FileMemo, Frame, attribute, callees, is_declared, is_modelled, special_method,
};
use crate::values::{Shape, shape};
use denoted::{import_symbol, named, stored};
use parts::PartUses;
pub(crate) use parts::file_uses;
pub(crate) use parts::saved::file_uses as saved_uses;
use rustc_hash::FxHashMap;

/// Reads bodies, of which the first is that of item `first`.
fn read(db: &dyn Db, file: File, first: u32, bodies: &python::Bodies) -> PartUses {
    stacker::maybe_grow(1 << 18, 1 << 20, || read_here(db, file, first, bodies))
}

fn read_here(db: &dyn Db, file: File, first: u32, bodies: &python::Bodies) -> PartUses {
    let Some(items) = items(db, file) else {
        return PartUses::default();
    };
    let mut reader = UseReader {
        db,
        found: Vec::new(),
        open: Vec::new(),
        escaped: Vec::new(),
        behind: Vec::new(),
        hooks: FxHashMap::default(),
        tables: ["__dict__", "modules"].map(|name| db.shared().names.intern(name)),
        twins: FxHashMap::default(),
        body: 0,
    };
    let memo = FileMemo::default();
    for (item, body) in (first..).zip(&bodies.bodies) {
        reader.body = item;
        let frame = Frame::new(db, file, items, item, &bodies.code, body.nodes);
        let frame = frame.sharing(&memo).evaluate_all();
        for one in bodies.uses.get(body.uses.iter()).unwrap_or(&[]) {
            reader.one(&frame, one);
        }
    }
    let UseReader {
        found,
        mut open,
        mut escaped,
        mut behind,
        ..
    } = reader;
    behind.sort_unstable();
    behind.dedup();
    open.sort_unstable();
    open.dedup();
    escaped.sort_unstable();
    escaped.dedup();
    PartUses {
        sites: Arc::new(UsesByTarget::grouped(found)),
        open: open.into(),
        escaped: escaped.into(),
        behind: behind.into(),
    }
}

struct UseReader<'a> {
    db: &'a dyn Db,
    found: Vec<(SymbolId, Use)>,
    open: Vec<UnresolvedSite>,
    escaped: Vec<SymbolId>,
    behind: Vec<(u32, u32, SymbolId)>,
    /// The methods by which classes take attribute references, where they have one.
    hooks: FxHashMap<(SymbolId, &'static str), Option<SymbolId>>,
    /// The attributes that are tables of names: `__dict__`, `modules`.
    tables: [NameId; 2],
    /// The twins of the targets so far.
    twins: FxHashMap<SymbolId, Arc<[SymbolId]>>,
    body: u32,
}

impl UseReader<'_> {
    fn add_one(
        &mut self,
        occ: u32,
        target: SymbolId,
        role: Role,
        resolution: Resolution,
        direct: bool,
    ) {
        let class = self.db.shared().symbols.key(target).class;
        let escapes = match role {
            Role::Value => true,
            // `type[C]` may be called where no text names `C`.
            Role::TypeArgument => class == SymbolClass::Type,
            _ => false,
        };
        if escapes
            && matches!(
                class,
                SymbolClass::Function | SymbolClass::Method | SymbolClass::Type
            )
        {
            self.escaped.push(target);
        }
        self.found.push((
            target,
            Use {
                body: self.body,
                occ,
                role,
                resolution,
                in_literal: false,
                direct,
            },
        ));
    }

    fn add_open(&mut self, occ: u32, name: NameId, arguments: u8, reason: Reason, call: bool) {
        self.open.push(UnresolvedSite {
            name,
            body: self.body,
            occ,
            arguments,
            reason,
            absent: None,
            signature: match call {
                true if self.db.shared().names.text(name).is_empty() => CALLABLE,
                true => codeweft_db::NONE,
                false => READ,
            },
        });
    }

    fn one(&mut self, frame: &Frame<'_>, one: &python::Use) {
        let occ = one.tok;
        match one.kind {
            UseKind::Name {
                scope,
                name,
                access,
                role,
                value,
            } => {
                let symbol = named(frame, scope, name, value);
                if let Some(symbol) = symbol {
                    self.reference(occ, symbol, access, role, Resolution::Exact);
                }
                if access == Access::Load && role == TypeRole::None {
                    self.handed_on(frame, occ, value, symbol);
                    self.class_value(frame, occ, value);
                }
            }
            UseKind::Attr {
                base,
                name,
                access,
                role,
                value,
            } => {
                self.attribute(frame, occ, base, name, access, role);
                if access == Access::Load && self.tables.contains(&name) {
                    self.table(frame, occ, base, name);
                }
                if access == Access::Load && role == TypeRole::None {
                    self.class_value(frame, occ, value);
                }
            }
            UseKind::Call(node) => {
                if let Node::Call(number) = frame.kind(node)
                    && let Some(call) = frame.code.calls.get(number as usize)
                {
                    let arguments = count(frame, call);
                    self.call(frame, occ, call.callee, arguments);
                    self.computed(frame, occ, call);
                    if let Node::Call(number) = frame.kind(node)
                        && calls_type(frame, number)
                    {
                        self.class_value(frame, occ, node);
                    }
                    self.run_by_builtin(frame, occ, call);
                }
            }
            UseKind::Decorate { item, which } => {
                let declared = frame.items.items.get(item as usize);
                // Headers are evaluated here; the items' own numbers are of another arena.
                if declared.is_some() {
                    self.decorate(frame, occ, item, which);
                }
            }
            UseKind::ClassStatement(item) => self.class_statement(frame, occ, item),
            UseKind::Import { import, which } => match import_symbol(frame, import, which) {
                Some(symbol) => self.add(occ, symbol, Role::Import, Resolution::Exact, true),
                None => self.missing_in_module(frame, occ, import, which),
            },
            UseKind::ImportedModule(import) => {
                let targets = py_import_targets(frame.db, frame.file);
                let module = targets.iter().find(|target| target.0 == import);
                if let Some(&(_, module, _)) = module {
                    self.add(occ, module, Role::Import, Resolution::Exact, true);
                }
            }
            UseKind::All(name) => {
                if let Some(symbol) = named(frame, 0, name, NONE) {
                    self.add(occ, symbol, Role::Read, Resolution::Exact, true);
                }
            }
            // What a keyword argument names is local to the function.
            UseKind::Keyword { .. } => {}
            UseKind::Operator(node) => self.operator(frame, occ, node),
            UseKind::SubscriptStore {
                base,
                index,
                access,
            } => {
                let method = match access {
                    Access::Delete => "__delitem__",
                    _ => "__setitem__",
                };
                self.implicit(frame, occ, frame.node(base), method);
                self.by_index(frame, occ, frame.node(base), method, frame.node(index));
            }
            UseKind::Truth(value) => {
                let mut found = Vec::new();
                for one in frame.node(value).iter() {
                    for method in ["__bool__", "__len__"] {
                        if let Some((function, exact, _)) = special_method(frame, one, method) {
                            if !found.contains(&(function, exact)) {
                                found.push((function, exact));
                            }
                            break;
                        }
                    }
                }
                self.implicit_runs(occ, found, frame.node(value));
            }
            UseKind::Iterate { value, is_async } => {
                let (iter, next) = match is_async {
                    true => ("__aiter__", "__anext__"),
                    false => ("__iter__", "__next__"),
                };
                let values = frame.node(value);
                self.implicit(frame, occ, values, iter);
                match is_async {
                    // An object that is its own iterator.
                    true => self.implicit(frame, occ, values, next),
                    false => self.iterators(frame, occ, values),
                }
                if !is_async && values.is_unknown() {
                    self.add_open_operator(occ, next);
                }
            }
            UseKind::With { value, is_async } => {
                let methods = match is_async {
                    true => ["__aenter__", "__aexit__"],
                    false => ["__enter__", "__exit__"],
                };
                for method in methods {
                    self.implicit(frame, occ, frame.node(value), method);
                }
            }
            UseKind::Await(value) => self.implicit(frame, occ, frame.node(value), "__await__"),
            UseKind::Raise(value) => self.raised(frame, occ, value),
        }
    }

    /// A use of a declared thing by its name.
    fn reference(
        &mut self,
        occ: u32,
        symbol: SymbolId,
        access: Access,
        part: TypeRole,
        resolution: Resolution,
    ) {
        let class = self.db.shared().symbols.key(symbol).class;
        let is_value = matches!(
            class,
            SymbolClass::Function | SymbolClass::Method | SymbolClass::Type | SymbolClass::Package
        );
        let role = match (part, access) {
            (TypeRole::Parameter, _) => Role::Parameter,
            (TypeRole::Result, _) => Role::Result,
            (TypeRole::Variable, _) => Role::VariableType,
            (TypeRole::Field, _) => Role::FieldType,
            (TypeRole::Base, _) => Role::Embed,
            (TypeRole::TypeArgument, _) => Role::TypeArgument,
            (TypeRole::Assertion, _) => Role::Assertion,
            (TypeRole::Alias, _) => Role::Base,
            (TypeRole::None, Access::Load) if is_value => Role::Value,
            (TypeRole::None, Access::Load) => Role::Read,
            // The call is a use of its own.
            (TypeRole::None, Access::Callee) if is_value => return,
            (TypeRole::None, Access::Callee) => Role::Read,
            (TypeRole::None, Access::Store | Access::Delete) => Role::Write,
            (TypeRole::None, Access::Augment) => Role::ReadWrite,
        };
        self.add(occ, symbol, role, resolution, true);
    }

    /// A read of a name that may mean several declarations: all of them are handed on, though one
    /// is denoted. What a variable holds was handed on where it was stored.
    fn handed_on(&mut self, frame: &Frame<'_>, occ: u32, value: NodeId, denoted: Option<SymbolId>) {
        let is_several = match frame.kind(value) {
            Node::Phi(_) | Node::Union(_) => true,
            Node::Global(_) | Node::Free { .. } => denoted.is_none_or(|symbol| {
                let class = self.db.shared().symbols.key(symbol).class;
                !matches!(class, SymbolClass::Variable | SymbolClass::Field)
            }),
            Node::Import { .. } => true,
            _ => false,
        };
        let values = frame.node(value);
        if !is_several || values.len() == 0 {
            return;
        }
        for one in values.iter() {
            let symbol = match shape(self.db, one) {
                Shape::Function(symbol) | Shape::Decorated(symbol) => *symbol,
                Shape::Bound { function, .. } => *function,
                Shape::Class(class) => class.symbol,
                _ => continue,
            };
            if Some(symbol) != denoted && !is_modelled(self.db, symbol) {
                let name = self.db.shared().symbols.key(symbol).name;
                self.add_open(occ, name, UnresolvedSite::ANY_COUNT, Reason::Escapes, false);
            }
        }
    }

    /// A class that is a value: an object's class, or the one that a class method runs on. It may be
    /// called wherever it goes.
    fn class_value(&mut self, frame: &Frame<'_>, occ: u32, node: NodeId) {
        let values = frame.node(node);
        let symbols = &self.db.shared().symbols;
        let of_object = match frame.kind(node) {
            Node::Attr { name, .. } => self.db.shared().names.text(name) == CLASS_OF,
            Node::Call(number) => calls_type(frame, number),
            _ => false,
        };
        let mut names: Vec<NameId> = Vec::new();
        for one in values.iter() {
            match shape(self.db, one) {
                Shape::MyClass(class) => names.push(symbols.key(*class).name),
                Shape::Class(class) if of_object => names.push(symbols.key(class.symbol).name),
                _ => {}
            }
        }
        if of_object && values.is_unknown() {
            names.push(self.db.shared().names.intern(CLASS_OF));
        }
        for name in names {
            self.open.push(UnresolvedSite {
                name,
                body: self.body,
                occ,
                arguments: UnresolvedSite::ANY_COUNT,
                reason: Reason::Escapes,
                absent: None,
                signature: CLASS,
            });
        }
    }

    /// A use of an attribute whose target is known by what is promised of its receiver.
    fn promised(&mut self, occ: u32, name: NameId, arguments: u8) {
        self.open.push(UnresolvedSite {
            name,
            body: self.body,
            occ,
            arguments,
            reason: Reason::UnknownReceiver,
            absent: None,
            signature: UnresolvedSite::DECLARED_RECEIVER,
        });
    }

    fn attribute(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        base: NodeId,
        name: NameId,
        access: Access,
        part: TypeRole,
    ) {
        let values = frame.node(base);
        let mut symbols: Vec<SymbolId> = Vec::new();
        let mut run: Vec<(SymbolId, bool)> = Vec::new();
        let mut open = values.is_unknown();
        let is_store = matches!(access, Access::Store | Access::Delete | Access::Augment);
        let mut expected = 1;
        self.hooked(frame, occ, values, access);
        for one in values.iter() {
            if is_store && let Some((symbol, by_setter)) = stored(frame, one, name, access) {
                // `o.x += 1` reads the property, too.
                if by_setter
                    && access == Access::Augment
                    && let Some(getter) = attribute(frame, one, name).runs
                    && !run.contains(&(getter, false))
                {
                    run.push((getter, false));
                    expected = 2;
                }
                match by_setter {
                    true => run.push((symbol, false)),
                    false if !symbols.contains(&symbol) => symbols.push(symbol),
                    false => {}
                }
                continue;
            }
            let found = attribute(frame, one, name);
            open |= found.open;
            if let Some(symbol) = found.symbol
                && !symbols.contains(&symbol)
            {
                symbols.push(symbol);
            }
            if let Some(function) = found.runs
                && !is_store
                && !run.contains(&(function, found.direct))
            {
                run.push((function, found.direct));
            }
        }
        let is_sure = !open && !values.is_loose() && symbols.len() == 1;
        let resolution = match is_sure {
            true => Resolution::Exact,
            false => Resolution::Value,
        };
        for &symbol in &symbols {
            if run.iter().any(|(function, _)| *function == symbol) {
                continue;
            }
            self.reference(occ, symbol, access, part, resolution);
        }
        let is_sure = !open && !values.is_loose() && run.len() == expected;
        for (function, direct) in run {
            let resolution = match is_sure {
                true => Resolution::Exact,
                false => Resolution::Value,
            };
            self.add(occ, function, Role::Call, resolution, direct);
            self.looks_behind(occ, values);
        }
        if open && access != Access::Callee {
            self.add_open(
                occ,
                name,
                UnresolvedSite::ANY_COUNT,
                Reason::UnknownReceiver,
                false,
            );
        } else if access != Access::Callee && !receivers::is_fixed(frame, base) {
            self.promised(occ, name, UnresolvedSite::ANY_COUNT);
        }
    }

    /// A call of what a node evaluates to.
    fn call(&mut self, frame: &Frame<'_>, occ: u32, callee: NodeId, arguments: u8) {
        let values = frame.node(callee);
        let mut targets: Vec<Callee> = Vec::new();
        let mut unresolved = values.is_unknown();
        for one in values.iter() {
            let before = targets.len();
            callees(frame, one, &mut targets);
            let is_silent = matches!(
                shape(self.db, one),
                Shape::None | Shape::Special(_) | Shape::TypeExpression(_) | Shape::TypeVar { .. }
            );
            unresolved |= targets.len() == before && !is_silent;
        }
        if let Node::Attr { base, name } = frame.kind(callee) {
            match self.looks_behind(occ, frame.node(base)) {
                true => targets.iter_mut().for_each(|target| target.direct = true),
                false => self.overridable(frame, base, name, &mut targets),
            }
        }
        let mut main: Vec<SymbolId> = targets
            .iter()
            .filter(|target| !target.of_class)
            .map(|target| target.symbol)
            .collect();
        main.sort_unstable();
        main.dedup();
        let is_sure = !unresolved
            && !values.is_loose()
            && main.len() == 1
            && targets.iter().all(|target| !target.decorated)
            && is_declared(frame, callee, main[0]);
        let mut decorated = false;
        let mut seen: Vec<(SymbolId, bool)> = Vec::new();
        for target in &targets {
            decorated |= target.decorated;
            if seen.contains(&(target.symbol, target.direct)) {
                continue;
            }
            seen.push((target.symbol, target.direct));
            let resolution = match is_sure {
                true => Resolution::Exact,
                false => Resolution::Value,
            };
            self.add(occ, target.symbol, Role::Call, resolution, target.direct);
        }
        if unresolved || decorated {
            let (name, reason) = match frame.kind(callee) {
                _ if decorated && !unresolved => {
                    let symbol = targets.iter().find(|target| target.decorated);
                    let symbol = symbol.map(|target| target.symbol);
                    match symbol {
                        Some(symbol) => {
                            (self.db.shared().symbols.key(symbol).name, Reason::Decorated)
                        }
                        None => return,
                    }
                }
                Node::Attr { name, .. } => (name, Reason::UnknownReceiver),
                Node::Global(name) => (name, Reason::UnknownReceiver),
                // `type(x)(…)` makes an object of the class of `x`, as `x.__class__(…)` does.
                Node::Call(number) if calls_type(frame, number) => (
                    self.db.shared().names.intern(CLASS_OF),
                    Reason::FunctionValue,
                ),
                _ => (self.db.shared().names.intern(""), Reason::FunctionValue),
            };
            self.add_open(occ, name, arguments, reason, true);
        }
        // `cls()` makes objects of the classes below too.
        for one in values.iter() {
            if let Shape::MyClass(class) = shape(self.db, one) {
                let name = self.db.shared().symbols.key(*class).name;
                self.promised(occ, name, arguments);
                if let Some(site) = self.open.last_mut() {
                    site.signature = CALLED_CLASS;
                }
            }
        }
        if !unresolved
            && let Node::Attr { base, name } = frame.kind(callee)
            && !receivers::is_fixed(frame, base)
        {
            self.promised(occ, name, arguments);
        }
    }
}

/// Marks an open site that reads an attribute and calls nothing.
pub(crate) const READ: u32 = 1;

/// The attribute that is an object's class: a call of it constructs.
pub(crate) const CLASS_OF: &str = "__class__";

/// The signature of a place where a class is a value: it stands for the classes below it too.
pub(crate) const CLASS: u32 = UnresolvedSite::DECLARED_RECEIVER - 1;

/// The signature of a call of a class that stands for those below it.
pub(crate) const CALLED_CLASS: u32 = UnresolvedSite::DECLARED_RECEIVER - 2;

/// Whether a call asks for an object's class: `type(x)`.
fn calls_type(frame: &Frame<'_>, number: u32) -> bool {
    let Some(call) = frame.code.calls.get(number as usize) else {
        return false;
    };
    let is_type = |name| frame.db.shared().names.text(name) == "type";
    matches!(frame.kind(call.callee), Node::Global(name) if is_type(name))
        && frame.code.list(call.positional).len() == 1
}

/// How many arguments a call has.
fn count(frame: &Frame<'_>, call: &python::Call) -> u8 {
    let positional = frame.code.list(call.positional);
    let spread = positional
        .iter()
        .any(|&node| matches!(frame.kind(node), Node::Star(_)))
        || call
            .keywords
            .iter()
            .any(|(name, _)| frame.db.shared().names.text(*name).is_empty());
    match spread {
        true => UnresolvedSite::ANY_COUNT,
        false => (positional.len() + call.keywords.len()).min(254) as u8,
    }
}
