//! The references that a file makes: names, attributes, calls, and the special methods that
//! operations run.
//!
//! Each body is evaluated by a [`Frame`], then its uses are visited in text order. A use whose
//! target is known becomes a reference; one whose receiver or callee is unknown becomes an
//! unresolved site, which completeness checks count.
//!
//! ```python
//! def f(repo, n):
//!     repo.save(n)     # unresolved: `repo` has no declared class
//!     return len(n)    # reference to builtins.len; runs n.__len__
//! ```

mod calls;
pub(crate) mod computed;
mod implicit;
mod operators;
pub(crate) mod possible;
mod receivers;
pub(crate) mod record;
mod specials;
mod statements;
pub(crate) mod targets;
pub(crate) mod unchanged;

use codeweft_db::{
    Db, File, NameId, PartUses, Reason, Resolution, Role, SymbolClass, SymbolId, UnresolvedSite,
    file_bodies,
};
use codeweft_python_syntax::{
    self as python, Access, AsPython as _, NONE, Node, NodeId, TypeRole, UseKind,
};

use crate::classes::conditional_redefinitions;
use crate::declared::{file_of_module, file_symbols, items};
use crate::imports::py_import_targets;
use crate::infer::{FileMemo, Frame, attribute, file_imports, is_modelled, special_method};
use crate::members::Reading;
use crate::recursion::on_enough_stack;
use crate::values::{Shape, shape};
use crate::whole_file;
use calls::{arguments_of, is_type_call};
use record::{CLASS_OF, CLASS_VALUE, UseRecord};
use rustc_hash::FxHashMap;
use targets::{import_symbol, named_target, stored_target};

/// Reads bodies, the first of which belongs to item `first`.
pub(crate) fn read_bodies(
    db: &dyn Db,
    file: File,
    first: u32,
    bodies: &python::Bodies,
) -> PartUses {
    let module = file_symbols(db, file).first().copied();
    // A stub's own file is not the one that its module's names are looked up in.
    let module = module.filter(|&module| file_of_module(db, module) == Some(file));
    whole_file::reading(module, || {
        on_enough_stack(|| read_bodies_unguarded(db, file, first, bodies))
    })
}

/// Reads what bodies look up by values, and nothing else: no node is evaluated that no look-up depends on.
/// `None` if that may lead to uses of other names: a known name is given by a value.
///
/// ```python
/// def visit(self, node):
///     self.count += len(node.parts)          # not evaluated
///     getattr(self, "on_" + node.kind)()     # a site, by the values of `self` and the sum
///
/// getattr(shop, NAME)()                      # None if NAME is a known string
/// ```
pub(crate) fn read_look_ups(
    db: &dyn Db,
    file: File,
    first: u32,
    bodies: &python::Bodies,
) -> Option<PartUses> {
    let module = file_symbols(db, file).first().copied();
    let module = module.filter(|&module| file_of_module(db, module) == Some(file));
    whole_file::reading(module, || {
        on_enough_stack(|| read_look_ups_unguarded(db, file, first, bodies))
    })
}

/// Returns the symbols that the import statements in a body name, in their order. Resolves nothing else of the body.
pub(crate) fn imports_of_body(db: &dyn Db, file: File, body: u32) -> Vec<SymbolId> {
    let all = resolved_imports(db, file, body, |_| true).into_iter();
    all.map(|(symbol, _)| symbol).collect()
}

/// Returns the symbols that those import statements in a body name whose number `keep` accepts, in their order, each with the name
/// that it is bound to. Resolves nothing else of the body.
pub(crate) fn resolved_imports(
    db: &dyn Db,
    file: File,
    body: u32,
    keep: impl Fn(u32) -> bool,
) -> Vec<(SymbolId, Option<NameId>)> {
    let bodies = file_bodies(db, file);
    let (Some(items), Some(bodies)) = (items(db, file), bodies.python()) else {
        return Vec::new();
    };
    let Some(own) = bodies.bodies.get(body as usize) else {
        return Vec::new();
    };
    let frame = Frame::new(db, file, items, body, &bodies.code, own.nodes);
    let uses = bodies.uses.get(own.uses.iter()).unwrap_or(&[]);
    let mut found = Vec::new();
    for one in uses {
        if let UseKind::Import { import, which } = one.kind
            && keep(import)
            && let Some(named) = import_symbol(&frame, import, which)
        {
            let statement = file_imports(db, file).get(import as usize);
            let bound = statement.and_then(|import| import.bound.get(which as usize).copied());
            found.push((named, bound));
            let others = conditional_redefinitions(db, named, Reading::ByName);
            found.extend(others.into_iter().map(|other| (other, bound)));
        }
    }
    found
}

fn read_look_ups_unguarded(
    db: &dyn Db,
    file: File,
    first: u32,
    bodies: &python::Bodies,
) -> Option<PartUses> {
    let Some(items) = items(db, file) else {
        return Some(PartUses::default());
    };
    let mut reader = UseReader::new(db);
    let memo = FileMemo::default();
    for (item, body) in (first..).zip(&bodies.bodies) {
        reader.record.body = item;
        let uses = bodies.uses.get(body.uses.iter()).unwrap_or(&[]);
        let frame = Frame::new(db, file, items, item, &bodies.code, body.nodes).sharing(&memo);
        let roots = reader.look_up_operands(&frame, uses);
        // Where a loop does not settle, its variables become unknown in the end. Whether it does is only
        // known of all of it; nothing but the variables themselves depends on that.
        let is_variable = |&node: &NodeId| matches!(frame.kind(node), Node::Phi(_));
        let frame = if roots.iter().any(is_variable) {
            frame.evaluate_all()
        } else {
            frame.evaluate(&roots)
        };
        for one in uses {
            reader.visit_look_up(&frame, one);
        }
    }
    let is_known = |site: &UnresolvedSite| computed::names_known(db, site);
    let is_any_known = reader.record.unresolved.iter().any(is_known);
    (!is_any_known).then(|| reader.record.finish())
}

fn read_bodies_unguarded(db: &dyn Db, file: File, first: u32, bodies: &python::Bodies) -> PartUses {
    let Some(items) = items(db, file) else {
        return PartUses::default();
    };
    let mut reader = UseReader::new(db);
    let memo = FileMemo::default();
    for (item, body) in (first..).zip(&bodies.bodies) {
        reader.record.body = item;
        let frame = Frame::new(db, file, items, item, &bodies.code, body.nodes);
        let frame = frame.sharing(&memo).evaluate_all();
        for one in bodies.uses.get(body.uses.iter()).unwrap_or(&[]) {
            reader.visit(&frame, one);
        }
    }
    reader.record.finish()
}

struct UseReader<'a> {
    db: &'a dyn Db,
    record: UseRecord<'a>,
    /// The attribute hooks of classes (`__getattr__` and others) that were looked up so far.
    hooks: FxHashMap<(SymbolId, &'static str), Option<SymbolId>>,
    /// The attributes that are tables of names: `__dict__`, `modules`.
    tables: [NameId; 2],
}

impl<'a> UseReader<'a> {
    fn new(db: &'a dyn Db) -> UseReader<'a> {
        UseReader {
            db,
            record: UseRecord::new(db),
            hooks: FxHashMap::default(),
            tables: computed::TABLES.map(|name| db.shared().names.intern(name)),
        }
    }
}

/// The name of each lambda.
const LAMBDA: &str = "<lambda>";

impl UseReader<'_> {
    fn visit(&mut self, frame: &Frame<'_>, one: &python::Use) {
        let occ = one.tok;
        match one.kind {
            UseKind::Name {
                scope,
                name,
                access,
                role,
                value,
            } => {
                let symbol = named_target(frame, scope, name, value);
                if let Some(symbol) = symbol {
                    self.add_reference(occ, symbol, access, role, Resolution::Exact);
                }
                if access == Access::Load && role == TypeRole::None {
                    self.record_escapes(frame, occ, value, symbol);
                    // The class of an object that a variable holds is a value where it is read of the object.
                    if !self.is_class_of(frame, value) {
                        self.record_class_value(frame, occ, value);
                    }
                }
            }
            UseKind::Attr {
                base,
                name,
                access,
                role,
                value,
            } => {
                self.visit_attribute(frame, occ, base, name, access, role);
                if access == Access::Load && self.tables.contains(&name) {
                    self.table(frame, occ, base, name);
                }
                if access == Access::Load && role == TypeRole::None {
                    self.record_class_value(frame, occ, value);
                }
            }
            UseKind::Call(node) => {
                if let Node::Call(number) = frame.kind(node)
                    && let Some(call) = frame.code.calls.get(number as usize)
                {
                    let arguments = arguments_of(frame, call);
                    self.visit_call(frame, occ, call.callee, arguments);
                    self.computed(frame, occ, call);
                    if let Node::Call(number) = frame.kind(node)
                        && is_type_call(frame, number)
                    {
                        self.record_class_value(frame, occ, node);
                    }
                    self.run_builtin_call(frame, occ, call);
                }
            }
            UseKind::Decorate { item, which, .. } => {
                let declared = frame.items.items.get(item as usize);
                // Headers are evaluated from the file's items: node numbers of items and bodies are
                // of different arenas.
                if declared.is_some() {
                    self.decorate(frame, occ, item, which);
                }
            }
            UseKind::ClassStatement(item) => self.class_statement(frame, occ, item),
            UseKind::Import { import, which } => match import_symbol(frame, import, which) {
                Some(symbol) => self
                    .record
                    .add(occ, symbol, Role::Import, Resolution::Exact, true),
                None => self.missing_in_module(frame, occ, import, which),
            },
            UseKind::ImportedModule(import) => {
                let targets = py_import_targets(frame.db, frame.file);
                let module = targets.iter().find(|target| target.0 == import);
                if let Some(&(_, module, _)) = module {
                    self.record
                        .add(occ, module, Role::Import, Resolution::Exact, true);
                }
            }
            UseKind::All(name) => {
                if let Some(symbol) = named_target(frame, 0, name, NONE) {
                    self.record
                        .add(occ, symbol, Role::Read, Resolution::Exact, true);
                }
            }
            // The name of a keyword argument belongs to the called function.
            UseKind::Keyword { .. } => {}
            UseKind::Operator(node) => self.operator(frame, occ, node),
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
                let (iter, next) = if is_async {
                    ("__aiter__", "__anext__")
                } else {
                    ("__iter__", "__next__")
                };
                let values = frame.node(value);
                self.implicit(frame, occ, values, iter);
                if is_async {
                    self.implicit(frame, occ, values, next)
                } else {
                    self.iterators(frame, occ, values)
                }
                if !is_async && values.is_unknown() {
                    self.record.add_unresolved_operator(occ, next);
                }
            }
            UseKind::With { value, is_async } => {
                let methods = if is_async {
                    ["__aenter__", "__aexit__"]
                } else {
                    ["__enter__", "__exit__"]
                };
                for method in methods {
                    self.implicit(frame, occ, frame.node(value), method);
                }
            }
            UseKind::Await(value) => self.implicit(frame, occ, frame.node(value), "__await__"),
            UseKind::Raise(value) => self.raised(frame, occ, value),
            // What a string says resolves nothing.
            UseKind::Text(_) | UseKind::TextStart { .. } => {}
        }
    }

    /// Adds the reference of a name to a declaration.
    fn add_reference(
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
            // The call itself is a separate use.
            (TypeRole::None, Access::Callee) if is_value => return,
            (TypeRole::None, Access::Callee) => Role::Read,
            (TypeRole::None, Access::Store | Access::Delete) => Role::Write,
            (TypeRole::None, Access::Augment) => Role::ReadWrite,
        };
        self.record.add(occ, symbol, role, resolution, true);
    }

    /// Records a read of a name that may mean several declarations: all of them escape as values,
    /// though the name resolves to one. What a variable holds was recorded where it was stored.
    fn record_escapes(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        value: NodeId,
        resolved: Option<SymbolId>,
    ) {
        let is_several = match frame.kind(value) {
            Node::Phi(_) | Node::Union(_) => true,
            Node::Global(_) | Node::Free { .. } => resolved.is_none_or(|symbol| {
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
            // All lambdas have one name.
            let name = self.db.shared().symbols.key(symbol).name;
            let is_lambda = self.db.shared().names.text(name) == LAMBDA;
            if Some(symbol) != resolved && !is_modelled(self.db, symbol) && !is_lambda {
                self.record.add_unresolved(
                    occ,
                    name,
                    UnresolvedSite::ANY_COUNT,
                    Reason::Escapes,
                    false,
                );
            }
        }
    }

    /// Returns whether an expression reads the class of an object.
    fn is_class_of(&self, frame: &Frame<'_>, node: NodeId) -> bool {
        match frame.kind(node) {
            Node::Attr { name, .. } => self.db.shared().names.text(name) == CLASS_OF,
            Node::Call(number) => is_type_call(frame, number),
            _ => false,
        }
    }

    /// Records a class that is a value: an object's class, or the class that a class method runs
    /// on. It may be called wherever it flows.
    fn record_class_value(&mut self, frame: &Frame<'_>, occ: u32, node: NodeId) {
        let values = frame.node(node);
        let symbols = &self.db.shared().symbols;
        let of_object = self.is_class_of(frame, node);
        let mut names: Vec<NameId> = Vec::new();
        for one in values.iter() {
            match shape(self.db, one) {
                Shape::ReceiverClass(class) => names.push(symbols.key(*class).name),
                Shape::Class(class) if of_object => names.push(symbols.key(class.symbol).name),
                _ => {}
            }
        }
        let is_none = |one| matches!(shape(self.db, one), Shape::None);
        let is_of_none = match frame.kind(node) {
            Node::Call(number) => frame.code.calls.get(number as usize).is_some_and(|call| {
                let argument = frame.code.list(call.positional).first();
                let values = argument.map(|&argument| frame.node(argument));
                values.is_some_and(|values| {
                    values.len() > 0 && !values.is_unknown() && values.iter().all(is_none)
                })
            }),
            _ => false,
        };
        if of_object && values.is_unknown() && !is_of_none {
            names.push(self.db.shared().names.intern(CLASS_OF));
        }
        for name in names {
            self.record.unresolved.push(UnresolvedSite {
                name,
                body: self.record.body,
                occ,
                arguments: UnresolvedSite::ANY_COUNT,
                keywords: None,
                reason: Reason::Escapes,
                absent: None,
                signature: CLASS_VALUE,
            });
        }
    }

    fn visit_attribute(
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
        let mut unresolved = values.is_unknown();
        let is_store = matches!(access, Access::Store | Access::Delete | Access::Augment);
        let mut expected = 1;
        self.hooked(frame, occ, values, access);
        for one in values.iter() {
            if is_store && let Some((symbol, by_setter)) = stored_target(frame, one, name, access) {
                // `o.x += 1` reads the property as well.
                if by_setter
                    && access == Access::Augment
                    && let Some(getter) = attribute(frame, one, name).runs
                    && !run.contains(&(getter, false))
                {
                    run.push((getter, false));
                    expected = 2;
                }
                if by_setter {
                    run.push((symbol, false));
                } else if !symbols.contains(&symbol) {
                    symbols.push(symbol);
                }
                continue;
            }
            let found = attribute(frame, one, name);
            unresolved |= found.unresolved;
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
        let is_sure = !unresolved && !values.is_loose() && symbols.len() == 1;
        let resolution = if is_sure {
            Resolution::Exact
        } else {
            Resolution::Value
        };
        for &symbol in &symbols {
            if run.iter().any(|(function, _)| *function == symbol) {
                continue;
            }
            self.add_reference(occ, symbol, access, part, resolution);
        }
        let is_sure = !unresolved && !values.is_loose() && run.len() == expected;
        for (function, direct) in run {
            let resolution = if is_sure {
                Resolution::Exact
            } else {
                Resolution::Value
            };
            self.record
                .add(occ, function, Role::Call, resolution, direct);
            self.record.record_super_call(occ, values);
        }
        if unresolved && access != Access::Callee {
            self.record.add_unresolved(
                occ,
                name,
                UnresolvedSite::ANY_COUNT,
                Reason::UnknownReceiver,
                false,
            );
        } else if access != Access::Callee && !receivers::is_fixed(frame, base) {
            self.record
                .add_declared_receiver(occ, name, UnresolvedSite::ANY_COUNT);
        }
    }
}
