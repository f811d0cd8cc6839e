//! Lowers the headers of functions, classes, lambdas, type aliases and imports, which are evaluated
//! in the enclosing scope (Python reference, Function definitions; Class definitions).

use super::binders::{alias_name, type_param_name};
use super::flat::FlatIndex;
use super::implied::Implied;
use super::imports::{from_path, imported_names};
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;

impl PythonLowering<'_, '_> {
    /// Lowers a function or class statement, decorated or not.
    pub(super) fn definition(&mut self, at: FlatIndex) {
        let mut decorators = Vec::new();
        let mut definition = at;
        if self.kind(at) == PythonKind::Decorated {
            let mut found = None;
            for part in self.children(at) {
                match self.kind(part) {
                    PythonKind::Decorator => decorators.push(part),
                    PythonKind::Function | PythonKind::Class => found = Some(part),
                    _ => {}
                }
            }
            match found {
                Some(found) => definition = found,
                None => {
                    for decorator in decorators {
                        if let Some(value) = self.flat.first_expr(decorator) {
                            self.expr(value);
                        }
                    }
                    return;
                }
            }
        }
        let (Some(item), Some(name)) = (
            self.scopes.item_of(definition),
            self.flat.field(definition, NodeField::Name),
        ) else {
            // A declaration without a name: only its contents are lowered.
            if let Some(body) = self.flat.field(definition, NodeField::Body) {
                self.block(body);
            }
            return;
        };
        let mut values = Vec::new();
        for (which, decorator) in decorators.into_iter().enumerate() {
            values.push(self.decorator(decorator, item, which as u32));
        }
        let is_decorated = !values.is_empty();
        self.pending_items[item as usize].decorators = values;
        if self.kind(definition) == PythonKind::Class {
            self.class_header(definition, item);
            self.imply(Implied::Class, 0);
            self.record_use(self.start(name), UseKind::ClassStatement(item));
        } else {
            self.function_header(definition, item);
        }
        let reaches = self.push(if is_decorated {
            Node::Decorated(item)
        } else {
            Node::Item(item)
        });
        self.bind(name, BindingKind::Item(item), reaches);
    }

    fn decorator(&mut self, at: FlatIndex, item: u32, which: u32) -> NodeId {
        let Some(inner) = self.flat.first_expr(at) else {
            return 0;
        };
        let value = self.expr_as(inner, Access::Callee);
        self.imply(Implied::Call, 0);
        let name = match self.kind(inner) {
            PythonKind::Identifier => Some(inner),
            PythonKind::Attribute => self.flat.field(inner, NodeField::Attribute),
            _ => None,
        };
        let text = name.map_or("", |name| self.text(name));
        self.pending_items[item as usize].is_static |= text == "staticmethod";
        self.record_use(
            self.start(name.unwrap_or(at)),
            UseKind::Decorate { item, which, value },
        );
        value
    }

    /// Lowers PEP 695 type parameters, which are visible in the rest of the header.
    fn type_params(&mut self, at: FlatIndex, item: u32) {
        let Some(params) = self.flat.field(at, NodeField::TypeParameters) else {
            return;
        };
        let names = self.scopes.all[item as usize].type_params.clone();
        let mut bounds = Vec::new();
        for param in self.children(params) {
            if self.kind(param) != PythonKind::Type {
                continue;
            }
            let bound = self.bound_of(param);
            bounds.push(bound.map_or(NONE, |bound| self.annotation(bound, TypeRole::None)));
        }
        self.pending_items[item as usize].type_params = names.into_iter().zip(bounds).collect();
    }

    /// Returns the bound of a type parameter, with its default if it has one.
    fn bound_of(&self, param: FlatIndex) -> Option<FlatIndex> {
        let inner = self.flat.first_expr(param)?;
        let is_bounded = self.kind(inner) == PythonKind::ConstrainedType;
        self.flat.children(inner).nth(1).filter(|_| is_bounded)
    }

    /// Returns the type parameters in the brackets after the name of a `type` statement.
    fn params_behind(&self, name: FlatIndex) -> Vec<FlatIndex> {
        let brackets = self.flat.node(name).next;
        if brackets >= self.flat.len() || self.kind(brackets) != PythonKind::TypeParameter {
            return Vec::new();
        }
        let params = self.flat.children(brackets);
        params
            .filter(|&param| self.kind(param) == PythonKind::Type)
            .collect()
    }

    fn function_header(&mut self, at: FlatIndex, item: u32) {
        let outer = self.declared.replace(item);
        self.type_params(at, item);
        self.declared = outer;
        self.param_header(item);
        if let Some(ty) = self.flat.field(at, NodeField::ReturnType) {
            let outer = self.declared.replace(item);
            let value = self.annotation(ty, TypeRole::Result);
            self.declared = outer;
            self.pending_items[item as usize].returns = Some(value);
        }
        let flags = Flags {
            is_async: self.flat.first(at, PythonKind::AsyncKeyword).is_some(),
            is_stub: self
                .flat
                .field(at, NodeField::Body)
                .is_some_and(|body| self.is_stub(body)),
            ..Flags::default()
        };
        self.pending_items[item as usize].flags = flags;
    }

    /// Lowers defaults, then annotations.
    fn param_header(&mut self, item: u32) {
        let sites = self.scopes.all[item as usize].params.clone();
        let mut params = Vec::with_capacity(sites.len());
        for site in &sites {
            let default = site.default.map_or(NONE, |default| self.expr(default));
            params.push((NONE, default));
        }
        let outer = self.declared.replace(item);
        for (site, param) in sites.iter().zip(&mut params) {
            if let Some(ty) = site.annotation {
                param.0 = self.annotation(ty, TypeRole::Parameter);
            }
        }
        self.declared = outer;
        self.pending_items[item as usize].params = params;
    }

    fn class_header(&mut self, at: FlatIndex, item: u32) {
        let outer = self.declared.replace(item);
        self.type_params(at, item);
        if let Some(arguments) = self.flat.field(at, NodeField::Superclasses) {
            for part in self.children(arguments) {
                match self.kind(part) {
                    PythonKind::KeywordArgument => {
                        let name = self.flat.field(part, NodeField::Name);
                        let value = self.flat.field(part, NodeField::Value);
                        if let (Some(name), Some(value)) = (name, value) {
                            let value = self.expr(value);
                            let name = self.name(name);
                            self.pending_items[item as usize]
                                .keywords
                                .push((name, value));
                        }
                    }
                    PythonKind::DictSplat => {
                        let inner = self.flat.first_expr(part);
                        let value = inner.map_or(0, |inner| self.expr(inner));
                        let name = self.words.empty;
                        self.pending_items[item as usize]
                            .keywords
                            .push((name, value));
                    }
                    kind if kind.is_expr() => {
                        self.role = TypeRole::Base;
                        let value = self.expr(part);
                        self.role = TypeRole::None;
                        let offset = self.last_name(part);
                        let pending = &mut self.pending_items[item as usize];
                        pending.bases.push(value);
                        pending.base_offsets.push(offset);
                    }
                    _ => {}
                }
            }
        }
        self.declared = outer;
    }

    /// Returns the offset of the last name of an expression outside brackets.
    fn last_name(&self, at: FlatIndex) -> u32 {
        let mut at = at;
        loop {
            let inner = match self.kind(at) {
                PythonKind::Attribute => self.flat.field(at, NodeField::Attribute),
                PythonKind::Call
                | PythonKind::Subscript
                | PythonKind::Paren
                | PythonKind::ListSplat => self.flat.first_expr(at),
                _ => None,
            };
            let Some(inner) = inner else {
                return self.start(at);
            };
            at = inner;
        }
    }

    /// Lowers `lambda params: body`.
    pub(super) fn lambda(&mut self, at: FlatIndex) -> NodeId {
        let Some(item) = self.scopes.item_of(at) else {
            return 0;
        };
        let before = (self.role, self.in_type);
        (self.role, self.in_type) = (TypeRole::None, false);
        self.param_header(item);
        (self.role, self.in_type) = before;
        self.push(Node::Item(item))
    }

    /// Binds the parameters of the current function.
    pub(super) fn enter_function(&mut self) {
        let sites = self.scope().params.clone();
        for (number, site) in sites.iter().enumerate() {
            let value = self.push(Node::Param(number as u32));
            self.bind(site.at, BindingKind::Param(number as u32), value);
        }
    }

    /// Records whether the end of the current function is reachable, and whether it is a stub
    /// because all that it does in the end is to raise `NotImplementedError`, or because it is a
    /// method that returns nothing.
    pub(super) fn leave_function(&mut self, body: FlatIndex) {
        let last = self.flat.children(body).last();
        let raises = last.is_some_and(|last| self.raises_not_implemented(last));
        let none = (!self.env.dead).then(|| self.constant(Constant::None));
        let is_method = self.scopes.is_method(self.item);
        let pending = self.pending_item();
        let is_silent = pending.results.is_empty() && pending.yields.is_empty();
        pending.flags.is_stub |= is_silent && (raises || is_method && none.is_some());
        if let Some(none) = none {
            pending.results.push(none);
            pending.flags.falls_through = true;
        }
    }

    /// Returns whether a statement is `raise NotImplementedError`, with or without arguments.
    fn raises_not_implemented(&self, statement: FlatIndex) -> bool {
        if self.kind(statement) != PythonKind::Raise {
            return false;
        }
        let raised = self.flat.first_expr(statement);
        let raised = raised.and_then(|raised| match self.kind(raised) {
            PythonKind::Call => self.flat.first_expr(raised),
            _ => Some(raised),
        });
        raised.is_some_and(|raised| self.text(raised) == "NotImplementedError")
    }

    /// Returns whether a body is only `...`, a docstring or `raise NotImplementedError`.
    fn is_stub(&self, body: FlatIndex) -> bool {
        self.flat.children(body).all(|part| match self.kind(part) {
            PythonKind::ExpressionStatement => self
                .flat
                .children(part)
                .all(|inner| matches!(self.kind(inner), PythonKind::String | PythonKind::Ellipsis)),
            PythonKind::Raise => self.raises_not_implemented(part),
            _ => false,
        })
    }

    /// Lowers `type X[T] = …`. How the value depends on its type parameters is not represented.
    pub(super) fn type_alias(&mut self, at: FlatIndex) {
        let name = alias_name(&self.flat, at);
        let params = name.map_or(Vec::new(), |name| self.params_behind(name));
        let alias = self.scopes.comprehension(at);
        let mut names = Vec::new();
        for &param in &params {
            if let Some(name_at) = type_param_name(&self.flat, param) {
                let name = self.name(name_at);
                names.push(name);
                let kind = UseKind::Name {
                    scope: alias,
                    name,
                    access: Access::Store,
                    role: TypeRole::None,
                    value: 0,
                };
                self.record_use(self.start(name_at), kind);
            }
        }
        self.alias = Some((alias, names));
        for param in params {
            if let Some(bound) = self.bound_of(param) {
                self.annotation(bound, TypeRole::None);
            }
        }
        let value = self
            .flat
            .field(at, NodeField::Right)
            .map_or(0, |right| self.annotation(right, TypeRole::Alias));
        self.alias = None;
        if let Some(name) = name {
            let scope = self.bind(name, BindingKind::TypeAlias(value), value);
            let id = self.name(name);
            let kind = UseKind::Name {
                scope,
                name: id,
                access: Access::Store,
                role: self.role,
                value,
            };
            self.record_use(self.start(name), kind);
        }
    }

    /// Lowers an import statement: its names are uses and bindings.
    pub(super) fn import(&mut self, at: FlatIndex) {
        if self.kind(at) == PythonKind::Import {
            for part in imported_names(&self.flat, at) {
                let Some(import) = self.scopes.imports.number(part.dotted) else {
                    continue;
                };
                let value = self.push(Node::Import { import, which: 0 });
                let first = part.dotted + 1;
                let has_more = self.flat.node(first).next < self.flat.node(part.dotted).next;
                if part.alias.is_none() && has_more {
                    self.record_use(self.start(first), UseKind::Import { import, which: 0 });
                    self.import_use(part.dotted, UseKind::ImportedModule(import));
                } else {
                    self.import_use(part.dotted, UseKind::Import { import, which: 0 });
                }
                let name = part.alias.unwrap_or(part.dotted + 1);
                self.bind(name, BindingKind::Import { import, which: 0 }, value);
            }
            return;
        }
        let Some(import) = self.scopes.imports.number(at) else {
            return;
        };
        if let Some(path) = from_path(&self.flat, at) {
            let which = NONE;
            self.import_use(path, UseKind::Import { import, which });
        }
        if let Some(star) = self.flat.first(at, PythonKind::Wildcard) {
            let offset = self.start(star);
            let (item, name) = (self.item, self.words.empty);
            self.file_binding(item, offset, name, BindingKind::Star(import), false);
        }
        for (which, part) in imported_names(&self.flat, at).into_iter().enumerate() {
            let which = which as u32;
            let value = self.push(Node::Import { import, which });
            self.import_use(part.dotted, UseKind::Import { import, which });
            let name = part.alias.unwrap_or(part.dotted + 1);
            self.bind(name, BindingKind::Import { import, which }, value);
        }
    }

    /// Records a use at the last part of a dotted name.
    fn import_use(&mut self, at: FlatIndex, kind: UseKind) {
        let last =
            (at..self.flat.node(at).next).rfind(|&part| self.kind(part) == PythonKind::Identifier);
        if let Some(last) = last {
            self.record_use(self.start(last), kind);
        }
    }
}
