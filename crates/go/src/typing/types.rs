//! Resolution of type expressions (Go spec, Types, Instantiations).

use std::sync::Arc;

use codeweft_db::{
    DeclaredIn, Disambiguator, LocalDecl, NodeKind, Role, SymbolClass, SymbolId, SymbolKey,
};
use codeweft_syntax::go::{Expr, ExprId, FieldKind, ListId, SigId, Tok, TypeParam, no_expr};

use super::checker::Checker;
use super::operand::{Operand, OperandKind};
use crate::definitions::{TypeDef, TypeParamDef, TypeParams};
use crate::types::{
    Args, Interface, MemberName, Signature, StructField, Ty, Type, UnderlyingTypes, Union, subst,
};

impl Checker<'_> {
    /// Resolves a type in a declaration; the fields of anonymous types inside belong to `owner`.
    pub fn declared_type(&mut self, ty: ExprId, owner: SymbolId) -> Ty {
        self.owner = Some(owner);
        let ty = self.resolve_type(ty, Role::Base);
        self.owner = None;
        ty
    }

    /// Resolves a signature in a declaration.
    pub fn declared_signature(&mut self, sig: SigId, owner: SymbolId) -> Ty {
        self.owner = Some(owner);
        let signature = self.signature(sig);
        self.owner = None;
        signature
    }

    /// Resolves a signature to a function type; the fields inside belong to the current owner.
    pub fn signature_type(&mut self, sig: SigId) -> Ty {
        self.signature(sig)
    }

    /// Resolves the constraint of a type parameter.
    fn constraint(&mut self, constraint: ExprId, owner: SymbolId) -> Ty {
        self.owner = Some(owner);
        let ty = self.resolve_type(constraint, Role::Constraint);
        self.owner = None;
        ty
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
                    && self.local(self.code.name(package)).is_none()
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
                self.types.pointer(target)
            }
            Expr::SliceOf(element) => {
                let element = self.resolve_type(element, role);
                self.types.slice(element)
            }
            Expr::Array { len, elem } => {
                // Names in the length are uses like any other.
                if self.record.is_some() {
                    self.operand(len, Role::Read);
                }
                let len = self.integer(len).and_then(|len| i64::try_from(len).ok());
                let elem = self.resolve_type(elem, role);
                self.types.intern(Type::Array(elem, len))
            }
            Expr::DotsArray(elem) => {
                let elem = self.resolve_type(elem, role);
                self.types.intern(Type::Array(elem, None))
            }
            Expr::Map { key, value } => {
                let key = self.resolve_type(key, role);
                let value = self.resolve_type(value, role);
                self.types.intern(Type::Map(key, value))
            }
            Expr::Chan(dir, elem) => {
                let elem = self.resolve_type(elem, role);
                self.types.intern(Type::Chan(dir, elem))
            }
            Expr::Func(sig) => self.signature(sig),
            Expr::Struct(fields) => self.struct_type(fields),
            Expr::Interface(elements) => self.interface_type(elements),
            Expr::Union(_) | Expr::Tilde(_) => {
                let union = self.union(expr, role);
                self.types.intern(Type::Interface(Box::new(Interface {
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
                let ty = subst(self.types, alias, args);
                if self.follows {
                    self.note_instances(ty, false);
                }
                ty
            }
            None => {
                self.instance(symbol, &args);
                let ty = self.types.intern(Type::Named(symbol, args.into()));
                if !self.types.has_param(ty) {
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
            self.probe_local(tok, self.in_items, tok, self.in_items);
        }
        let last = sig.params.len().wrapping_sub(1);
        let params = sig
            .params
            .iter()
            .enumerate()
            .map(|(at, param)| {
                let ty = self.resolve_type(param.ty, Role::Parameter);
                if sig.variadic && at == last {
                    self.types.slice(ty)
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
        self.types.intern(Type::Func(Signature {
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
        let local_fields = &self.local_fields;
        let owner = self.owner.filter(|owner| !local_fields.contains_key(owner));
        let mut is_node = true;
        let (parent, nth) = match (owner, &self.function) {
            (Some(owner), _) => {
                if class == SymbolClass::Method && self.in_items {
                    self.local_method_count.insert((owner, name), 1);
                }
                (owner, Disambiguator::ONLY)
            }
            (None, Some((function, _))) => {
                let n = if class == SymbolClass::Method {
                    let count = self.local_method_count.entry((*function, name));
                    let count = count.or_insert(0);
                    *count += 1;
                    *count - 1
                } else {
                    is_node = false;
                    local_fields.len() as u32 + 1
                };
                (*function, Disambiguator { file: None, n })
            }
            (None, None) => return None,
        };
        let symbol = self.db.shared().symbols.intern(SymbolKey {
            declared_in: DeclaredIn::Unit(self.unit),
            parent: Some(parent),
            class,
            name,
            disambiguator: nth,
        });
        if !is_node {
            self.local_fields.insert(symbol, tok);
            return Some(symbol);
        }
        // Declarations at package level have rows among the unit's symbols.
        let in_body = !self.in_items && (self.literal_depth > 0 || !self.in_initialiser);
        if in_body && let Some(record) = &mut self.record {
            record.locals.push(LocalDecl {
                symbol,
                kind: match class {
                    SymbolClass::Method => NodeKind::Method,
                    _ => NodeKind::Field,
                },
                body: record.body,
                occ: tok.wrapping_sub(record.first),
            });
        }
        Some(symbol)
    }

    /// Resolves a struct type (Go spec, Struct types).
    fn struct_type(&mut self, fields: ListId) -> Ty {
        let code = self.code;
        let owner = self.owner;
        let fields = code
            .fields_of(fields)
            .map(|id| {
                let field = code.fields[id];
                let symbol = self.member_symbol(SymbolClass::Field, field.tok);
                if let Some(symbol) = symbol {
                    self.note_declared(field.tok, symbol);
                }
                let embedded = field.kind == FieldKind::Embedded;
                self.owner = symbol;
                let role = if embedded {
                    Role::Embed
                } else {
                    Role::FieldType
                };
                let ty = self.resolve_type(field.ty, role);
                self.owner = owner;
                StructField {
                    name: MemberName::new(self.db, code.name(field.tok), self.package),
                    ty,
                    embedded,
                    tag: field.tag,
                    symbol,
                }
            })
            .collect();
        self.types.intern(Type::Struct(fields))
    }

    /// Resolves an interface type (Go spec, Interface types).
    fn interface_type(&mut self, elements: ListId) -> Ty {
        let code = self.code;
        let owner = self.owner;
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
                        self.note_declared(field.tok, symbol);
                    }
                    self.owner = symbol;
                    let signature = self.signature(sig);
                    self.owner = owner;
                    let name = MemberName::new(self.db, code.name(field.tok), self.package);
                    methods.push((name, signature, symbol));
                }
                _ if matches!(code.exprs[field.ty], Expr::Union(_) | Expr::Tilde(_)) => {
                    unions.push(self.union(field.ty, Role::Constraint));
                }
                _ => {
                    let ty = self.resolve_type(field.ty, Role::Embed);
                    match self.types.get(ty) {
                        Type::Interface(interface) if interface.comparable => comparable = true,
                        _ => embeds.push(ty),
                    }
                }
            }
        }
        methods.sort_by_key(|&(name, ..)| name);
        methods.dedup_by_key(|&mut (name, ..)| name);
        self.types.intern(Type::Interface(Box::new(Interface {
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
            self.declare(tok, super::scopes::LocalKind::Alias(ty));
            return;
        }
        let name = self.code.name(tok);
        let count = self.local_type_count.entry(name).or_insert(0);
        let nth = Disambiguator {
            file: None,
            n: *count,
        };
        *count += 1;
        let symbol = self.db.shared().symbols.intern(SymbolKey {
            declared_in: DeclaredIn::Unit(self.unit),
            parent: self.function.as_ref().map(|&(function, _)| function),
            class: SymbolClass::Type,
            name,
            disambiguator: nth,
        });
        let named = self.types.intern(Type::Named(symbol, Box::default()));
        self.declare(tok, super::scopes::LocalKind::Type(named));
        self.note_declared(tok, symbol);
        let outer = self.owner.replace(symbol);
        let right = if ty == no_expr() {
            Ty::UNKNOWN
        } else {
            self.resolve_type(ty, Role::Base)
        };
        self.owner = outer;
        let underlying = if right == named {
            Ty::UNKNOWN
        } else {
            self.underlying(right)
        };
        let kind = match self.types.get(underlying) {
            Type::Struct(_) => codeweft_db::NodeKind::Struct,
            Type::Interface(_) => codeweft_db::NodeKind::Interface,
            _ => codeweft_db::NodeKind::Type,
        };
        if let Some(record) = &mut self.record {
            record.locals.push(LocalDecl {
                symbol,
                kind,
                body: record.body,
                occ: tok.wrapping_sub(record.first),
            });
        }
        self.local_types.insert(
            symbol,
            Arc::new(TypeDef {
                symbol,
                params: Arc::new([]),
                underlying,
                methods: Box::default(),
            }),
        );
    }

    /// Reports to the probe that a token declares a symbol.
    pub(super) fn note_declared(&mut self, tok: Tok, symbol: SymbolId) {
        if self.local_fields.contains_key(&symbol) {
            self.probe_local(tok, self.in_items, tok, self.in_items);
            return;
        }
        self.probe_symbol(tok, symbol);
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
