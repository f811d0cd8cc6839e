//! Resolution of type expressions (Go spec, Types, Instantiations).

use std::sync::Arc;

use codeweft_db::{DeclaredIn, Disambiguator, NodeKind, Role, SymbolClass, SymbolId, SymbolKey};
use codeweft_go_syntax::{Expr, ExprId, FieldKind, ListId, SigId, Tok, TypeParam, no_expr};

use super::checker::Checker;
use super::operand::{Operand, OperandKind};
use super::scopes::LocalKind;
use crate::definitions::{TypeDef, TypeParamDef, TypeParams};
use crate::types::{
    Args, Interface, MemberName, Signature, StructField, Ty, Type, UnderlyingTypes, Union, subst,
};

impl Checker<'_> {
    /// Resolves a type in a declaration; the fields of anonymous types inside belong to `owner`.
    pub fn declared_type(&mut self, ty: ExprId, owner: SymbolId) -> Ty {
        self.owned_by(Some(owner), |checker| checker.resolve_type(ty, Role::Base))
    }

    /// Resolves a signature in a declaration.
    pub fn declared_signature(&mut self, sig: SigId, owner: SymbolId) -> Ty {
        self.owned_by(Some(owner), |checker| checker.signature(sig))
    }

    /// Resolves a signature to a function type; the fields inside belong to the current owner.
    pub fn signature_type(&mut self, sig: SigId) -> Ty {
        self.signature(sig)
    }

    /// Resolves the constraint of a type parameter.
    fn constraint(&mut self, constraint: ExprId, owner: SymbolId) -> Ty {
        self.owned_by(Some(owner), |checker| {
            checker.resolve_type(constraint, Role::Constraint)
        })
    }

    /// Declares type parameters in the innermost block and resolves their constraints.
    pub fn type_params(&mut self, owner: SymbolId, type_params: &[TypeParam]) -> TypeParams {
        if type_params.is_empty() {
            return Arc::new([]);
        }
        for (index, param) in type_params.iter().enumerate() {
            self.declare_type_param(param.tok, owner, index as u16);
        }
        type_params
            .iter()
            .map(|param| TypeParamDef {
                name: self.code.name(param.tok),
                constraint: self.constraint(param.constraint, owner),
            })
            .collect()
    }

    /// Returns the type that an expression denotes; unknown if it denotes none.
    pub fn resolve_type(&mut self, expr: ExprId, role: Role) -> Ty {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.resolve_type_inner(expr, role)
        })
    }

    fn resolve_type_inner(&mut self, expr: ExprId, role: Role) -> Ty {
        match self.code.exprs[expr] {
            Expr::Name(tok) => type_of(&self.name(tok, role)),
            Expr::Select { base, tok } => {
                if let Expr::Name(package) = self.code.exprs[base]
                    && self.scopes.local(self.code.name(package)).is_none()
                    && let OperandKind::Package(package) = self.name(package, Role::Import).kind
                {
                    return type_of(&self.qualified(package, tok, role));
                }
                Ty::UNKNOWN
            }
            Expr::Callee { fun, .. } => self.resolve_type(fun, role),
            Expr::Index { base, args } => {
                let op = self.type_operand(base, role);
                let args: Vec<Ty> = self
                    .code
                    .exprs_of(args)
                    .map(|arg| self.resolve_type(arg, Role::TypeArgument))
                    .collect();
                match op.kind {
                    OperandKind::Generic { symbol, alias } => self.instantiate(symbol, alias, args),
                    _ => Ty::UNKNOWN,
                }
            }
            Expr::Star(target) => {
                let target = self.resolve_type(target, role);
                self.cx.types.pointer(target)
            }
            Expr::SliceOf(element) => {
                let element = self.resolve_type(element, role);
                self.cx.types.slice(element)
            }
            Expr::Array { len, elem } => {
                // Names in the length are uses like any other.
                if self.recording.record.is_some() {
                    self.operand(len, Role::Read);
                }
                let len = self.integer(len).and_then(|len| i64::try_from(len).ok());
                let elem = self.resolve_type(elem, role);
                self.cx.types.intern(Type::Array(elem, len))
            }
            Expr::DotsArray(elem) => {
                let elem = self.resolve_type(elem, role);
                self.cx.types.intern(Type::Array(elem, None))
            }
            Expr::Map { key, value } => {
                let key = self.resolve_type(key, role);
                let value = self.resolve_type(value, role);
                self.cx.types.intern(Type::Map(key, value))
            }
            Expr::Chan(dir, elem) => {
                let elem = self.resolve_type(elem, role);
                self.cx.types.intern(Type::Chan(dir, elem))
            }
            Expr::Func(sig) => self.signature(sig),
            Expr::Struct(fields) => self.struct_type(fields),
            Expr::Interface(elements) => self.interface_type(elements),
            Expr::Union(_) | Expr::Tilde(_) => {
                let union = self.union(expr, role);
                self.cx.types.intern(Type::Interface(Box::new(Interface {
                    unions: Box::new([union]),
                    ..Interface::default()
                })))
            }
            _ => Ty::UNKNOWN,
        }
    }

    /// Resolves the base of an instantiation.
    fn type_operand(&mut self, base: ExprId, role: Role) -> Operand {
        match self.code.exprs[base] {
            Expr::Name(tok) => self.name(tok, role),
            Expr::Select { base, tok } => match self.code.exprs[base] {
                Expr::Name(package) => match self.name(package, Role::Import).kind {
                    OperandKind::Package(package) => self.qualified(package, tok, role),
                    _ => self.unknown(None),
                },
                _ => self.unknown(None),
            },
            _ => self.unknown(None),
        }
    }

    /// Instantiates a generic type (Go spec, Instantiations).
    ///
    /// ```go
    /// type List[T any] struct { next *List[T] }
    /// var l List[int] // Named(List, [int])
    /// ```
    pub(super) fn instantiate(&mut self, symbol: SymbolId, alias: Option<Ty>, args: Vec<Ty>) -> Ty {
        match alias {
            Some(alias) => {
                let args = Args {
                    owner: symbol,
                    types: &args,
                };
                let ty = subst(self.cx.types, alias, args);
                if self.recording.follows {
                    self.note_instances(ty, false);
                }
                ty
            }
            None => {
                self.flows().instance(symbol, &args);
                let ty = self.cx.types.intern(Type::Named(symbol, args.into()));
                if !self.cx.types.has_param(ty) {
                    self.instances.insert(ty);
                }
                ty
            }
        }
    }

    /// Resolves a signature to a function type.
    pub(super) fn signature(&mut self, sig: SigId) -> Ty {
        let code = self.code;
        let sig = &code.sigs[sig];
        // The parameters of a function type have names too, which nothing else refers to.
        for tok in sig
            .params
            .iter()
            .chain(&*sig.results)
            .filter_map(|one| one.tok)
        {
            self.uses().probe_declared_local(tok);
        }
        let last = sig.params.len().wrapping_sub(1);
        let params = sig
            .params
            .iter()
            .enumerate()
            .map(|(at, param)| {
                let ty = self.resolve_type(param.ty, Role::Parameter);
                if sig.variadic && at == last {
                    self.cx.types.slice(ty)
                } else {
                    ty
                }
            })
            .collect();
        let results = sig
            .results
            .iter()
            .map(|result| self.resolve_type(result.ty, Role::Result))
            .collect();
        self.cx.types.intern(Type::Func(Signature {
            params,
            results,
            variadic: sig.variadic,
        }))
    }

    /// Returns the symbol of a field or method that a type literal declares.
    ///
    /// Inside a body it belongs to the enclosing local type. Methods of an interface literal there
    /// belong to the function, numbered in text order. Fields of a struct literal there are no
    /// nodes; they are found the way locals are.
    fn member_symbol(&mut self, class: SymbolClass, tok: Tok) -> Option<SymbolId> {
        let name = self.code.name(tok);
        let owner = self.scopes.owner;
        let owner = owner.filter(|&owner| self.scopes.field(owner).is_none());
        let mut is_node = true;
        let (parent, nth) = match (owner, &self.scopes.function) {
            (Some(owner), _) => {
                if class == SymbolClass::Method && self.in_items {
                    self.scopes.method_in_signature(owner, name);
                }
                (owner, Disambiguator::ONLY)
            }
            (None, &Some((function, _))) => {
                let nth = if class == SymbolClass::Method {
                    self.scopes.next_method(function, name)
                } else {
                    is_node = false;
                    self.scopes.next_field()
                };
                (function, nth)
            }
            (None, None) => return None,
        };
        let symbol = self.cx.db.shared().symbols.intern(SymbolKey {
            declared_in: DeclaredIn::Unit(self.cx.unit),
            parent: Some(parent),
            class,
            name,
            disambiguator: nth,
        });
        if !is_node {
            self.scopes.add_field(symbol, tok);
            return Some(symbol);
        }
        // Declarations at package level have rows among the unit's symbols.
        let in_body = !self.in_items && (self.scopes.in_literal() || !self.scopes.in_initialiser);
        if in_body {
            let kind = match class {
                SymbolClass::Method => NodeKind::Method,
                _ => NodeKind::Field,
            };
            self.uses().declared_in_body(tok, symbol, kind);
        }
        Some(symbol)
    }

    /// Resolves a struct type (Go spec, Struct types).
    fn struct_type(&mut self, fields: ListId) -> Ty {
        let code = self.code;
        let fields = code
            .fields_of(fields)
            .map(|id| {
                let field = code.fields[id];
                let symbol = self.member_symbol(SymbolClass::Field, field.tok);
                if let Some(symbol) = symbol {
                    self.uses().note_declared(field.tok, symbol);
                }
                let embedded = field.kind == FieldKind::Embedded;
                let role = if embedded {
                    Role::Embed
                } else {
                    Role::FieldType
                };
                let ty = self.owned_by(symbol, |checker| checker.resolve_type(field.ty, role));
                StructField {
                    name: MemberName::new(self.cx.db, code.name(field.tok), self.cx.package),
                    ty,
                    embedded,
                    tag: field.tag,
                    symbol,
                }
            })
            .collect();
        self.cx.types.intern(Type::Struct(fields))
    }

    /// Resolves an interface type (Go spec, Interface types).
    fn interface_type(&mut self, elements: ListId) -> Ty {
        let code = self.code;
        let mut methods = Vec::new();
        let mut embeds = Vec::new();
        let mut unions: Vec<Union> = Vec::new();
        let mut comparable = false;
        for id in code.fields_of(elements) {
            let field = code.fields[id];
            match field.kind {
                FieldKind::Method(sig) => {
                    let symbol = self.member_symbol(SymbolClass::Method, field.tok);
                    if let Some(symbol) = symbol {
                        self.uses().note_declared(field.tok, symbol);
                    }
                    let signature = self.owned_by(symbol, |checker| checker.signature(sig));
                    let name = MemberName::new(self.cx.db, code.name(field.tok), self.cx.package);
                    methods.push((name, signature, symbol));
                }
                _ if matches!(code.exprs[field.ty], Expr::Union(_) | Expr::Tilde(_)) => {
                    unions.push(self.union(field.ty, Role::Constraint));
                }
                _ => {
                    let ty = self.resolve_type(field.ty, Role::Embed);
                    match self.cx.types.get(ty) {
                        Type::Interface(interface) if interface.comparable => comparable = true,
                        _ => embeds.push(ty),
                    }
                }
            }
        }
        methods.sort_by_key(|&(name, ..)| name);
        methods.dedup_by_key(|&mut (name, ..)| name);
        self.cx.types.intern(Type::Interface(Box::new(Interface {
            methods: methods.into(),
            embeds: embeds.into(),
            unions: unions.into(),
            comparable,
        })))
    }

    /// Resolves the terms of a union (Go spec, General interfaces).
    fn union(&mut self, expr: ExprId, role: Role) -> Union {
        let code = self.code;
        let term = |checker: &mut Self, term: ExprId| match code.exprs[term] {
            Expr::Tilde(inner) => (true, checker.resolve_type(inner, role)),
            _ => (false, checker.resolve_type(term, role)),
        };
        match code.exprs[expr] {
            Expr::Union(terms) => code.exprs_of(terms).map(|id| term(self, id)).collect(),
            _ => Box::new([term(self, expr)]),
        }
    }

    /// Declares a type inside a function (Go spec, Type declarations).
    pub(super) fn local_type(&mut self, tok: Tok, alias: bool, ty: ExprId) {
        if alias {
            let ty = self.resolve_type(ty, Role::Base);
            self.declare(tok, LocalKind::Alias(ty));
            return;
        }
        let name = self.code.name(tok);
        let nth = self.scopes.next_type(name);
        let symbol = self.cx.db.shared().symbols.intern(SymbolKey {
            declared_in: DeclaredIn::Unit(self.cx.unit),
            parent: self.scopes.function.as_ref().map(|&(function, _)| function),
            class: SymbolClass::Type,
            name,
            disambiguator: nth,
        });
        let named = self.cx.types.intern(Type::Named(symbol, Box::default()));
        self.declare(tok, LocalKind::Type(named));
        self.uses().note_declared(tok, symbol);
        let right = if ty == no_expr() {
            Ty::UNKNOWN
        } else {
            self.declared_type(ty, symbol)
        };
        let underlying = if right == named {
            Ty::UNKNOWN
        } else {
            self.lookup().underlying(right)
        };
        let kind = match self.cx.types.get(underlying) {
            Type::Struct(_) => NodeKind::Struct,
            Type::Interface(_) => NodeKind::Interface,
            _ => NodeKind::Type,
        };
        self.uses().declared_in_body(tok, symbol, kind);
        self.scopes.add_local_type(Arc::new(TypeDef {
            symbol,
            params: Arc::new([]),
            underlying,
            methods: Box::default(),
        }));
    }
}

/// Returns the type that an operand denotes.
fn type_of(op: &Operand) -> Ty {
    match op.kind {
        OperandKind::Type(ty) => ty,
        // A generic type without arguments occurs inside its own declaration only in broken code,
        // where nothing is known of it.
        _ => Ty::UNKNOWN,
    }
}
