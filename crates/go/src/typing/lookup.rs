//! Underlying types, core types and type sets (Go spec, Underlying types, Core types, General
//! interfaces).

use std::sync::Arc;

use codeweft_db::{FlowNode, SymbolClass, SymbolId, Unit};
use codeweft_go_syntax::{ChanDir, Code, Expr, ExprId, UnaryOp};

use super::context::FileContext;
use super::origin::FlowFilter;
use super::scopes::Scopes;
use super::unnamed::Unnamed;
use crate::definitions::{MemberKind, Members, TypeDef, TypeParams, flatten, interface_methods};
use crate::types::{Args, Basic, MemberName, Signature, Ty, Type, Types, UnderlyingTypes, subst};

/// The terms of a type set: whether written with `~`, and the type.
type Terms = Vec<(bool, Ty)>;

/// The limit on the number of embedded constraints that are followed.
const MAX_CONSTRAINTS: usize = 100;

/// Lookups of types in a file, as far as its open scopes determine them.
#[derive(Clone, Copy)]
pub(super) struct TypeLookup<'c, 'a> {
    pub cx: &'c FileContext<'a>,
    pub scopes: &'c Scopes,
}

impl<'a> TypeLookup<'_, 'a> {
    /// Returns the definition of a defined type, local ones included.
    pub(super) fn def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>> {
        match self.scopes.local_type(symbol) {
            Some(def) => Some(def.clone()),
            None => self.cx.declarations.type_def(symbol),
        }
    }

    /// Returns the constraint of a type parameter.
    pub(super) fn constraint_of(&self, owner: SymbolId, index: u16) -> Option<Ty> {
        let params: TypeParams = match &self.scopes.function {
            Some((function, params)) if *function == owner => params.clone(),
            _ if !self.cx.declarations.knows_members() => return None,
            _ => self.cx.declarations.type_params(owner)?,
        };
        Some(params.get(index as usize)?.constraint)
    }

    /// Returns the type that determines which operations a type has: for a type parameter its core
    /// type (Go spec, Core types), for any other its underlying type.
    pub(super) fn core(&self, ty: Ty) -> Ty {
        match self.cx.types.get(ty) {
            Type::Named(..) => self.underlying(ty),
            Type::Param(owner, index) => self
                .constraint_of(*owner, *index)
                .and_then(|constraint| self.core_of_constraint(constraint))
                .map_or(Ty::UNKNOWN, |(_, core)| core),
            _ => ty,
        }
    }

    /// Returns the type that a pointer points to; any other type as it is.
    pub(super) fn deref(&self, ty: Ty) -> Ty {
        match self.cx.types.get(self.core(ty)) {
            Type::Pointer(target) => *target,
            _ => ty,
        }
    }

    /// Returns all members of a type as it is seen in a view.
    pub(super) fn flattened(&self, ty: Ty, view: Option<Unit>) -> Members {
        let extra = view.map(|view| self.cx.declarations.extra_methods(view));
        let extra = extra.as_deref().unwrap_or(&[]);
        flatten(self.cx.types, ty, extra, &|symbol| self.def(symbol))
    }

    /// Returns the members as an in-package test sees them, with the methods that it declares.
    pub(super) fn flattened_in_tests(&self, symbol: SymbolId, view: Unit) -> Members {
        let Some(def) = self.def(symbol) else {
            return Members::default();
        };
        let args = (0..def.params.len())
            .map(|index| self.cx.types.intern(Type::Param(symbol, index as u16)))
            .collect();
        let ty = self.cx.types.intern(Type::Named(symbol, args));
        self.flattened(ty, Some(view))
    }

    /// Returns the terms of a constraint's type set (Go spec, General interfaces); `None` if every
    /// type is in it, as far as is known.
    ///
    /// ```go
    /// interface{ ~int | ~string; fmt.Stringer } // [~int, ~string]; methods restrict no terms
    /// interface{ ~int | string; ~int }          // [~int], the intersection
    /// ```
    fn terms(&self, constraint: Ty) -> Option<Terms> {
        self.terms_at(constraint, &mut 0)
    }

    fn terms_at(&self, constraint: Ty, steps: &mut usize) -> Option<Terms> {
        *steps += 1;
        if *steps > MAX_CONSTRAINTS {
            return None;
        }
        let interface = match self.cx.types.get(self.underlying(constraint)) {
            Type::Interface(interface) => interface,
            Type::Unknown => return None,
            _ => return Some(vec![(false, constraint)]),
        };
        let of_embeds = interface.embeds.iter().map(|&ty| self.terms_at(ty, steps));
        let mut sets: Vec<Terms> = of_embeds.flatten().collect();
        for union in &interface.unions {
            let mut of_union = Some(Vec::new());
            for &(tilde, term) in union {
                let more = match self.cx.types.get(self.underlying(term)) {
                    Type::Interface(_) => self.terms_at(term, steps),
                    _ => Some(vec![(tilde, term)]),
                };
                of_union = of_union.zip(more).map(|(mut all, more)| {
                    all.extend(more);
                    all
                });
            }
            sets.extend(of_union);
        }
        sets.into_iter()
            .reduce(|left, right| self.intersection(&left, &right))
    }

    /// Returns the intersection of two lists of terms.
    fn intersection(&self, left: &[(bool, Ty)], right: &[(bool, Ty)]) -> Terms {
        let mut both = Vec::new();
        for &(left_tilde, left) in left {
            for &(right_tilde, right) in right {
                let under = |ty| self.underlying(ty);
                let same = self.cx.types.identical(left, right);
                match (left_tilde, right_tilde) {
                    (true, true) if self.cx.types.identical(under(left), under(right)) => {
                        both.push((true, left));
                    }
                    (true, false) if self.cx.types.identical(under(left), under(right)) => {
                        both.push((false, right));
                    }
                    (false, true) if self.cx.types.identical(under(left), under(right)) => {
                        both.push((false, left));
                    }
                    (false, false) if same => both.push((false, left)),
                    _ => {}
                }
            }
        }
        both
    }

    /// Returns the type that `of` yields for every term of a type parameter's constraint; unknown
    /// if they differ.
    pub(super) fn common_type(&self, ty: Ty, of: impl Fn(Ty) -> Ty) -> Ty {
        let Type::Param(owner, index) = self.cx.types.get(ty) else {
            return Ty::UNKNOWN;
        };
        let constraint = self.constraint_of(*owner, *index);
        let terms = constraint.and_then(|constraint| self.terms(constraint));
        let terms = terms.into_iter().flatten().map(|(_, term)| term);
        let terms = terms.filter(|&term| !matches!(self.cx.types.get(term), Type::Param(..)));
        let mut found = terms.map(of);
        let first = found.next().unwrap_or(Ty::UNKNOWN);
        if found.all(|ty| self.cx.types.identical(ty, first)) {
            first
        } else {
            Ty::UNKNOWN
        }
    }

    /// Returns the number that identical types share.
    pub(super) fn number(&self, ty: Ty) -> u32 {
        self.cx.types.canonical(ty).number()
    }

    /// Returns the number of the signature of functions of a type.
    pub(super) fn signature_number(&self, ty: Ty) -> u32 {
        self.number(self.core(ty))
    }

    /// Returns the type of the `number`-th value that an expression yields (Go spec, Assignment
    /// statements): a result of a call, or of a comma-ok form.
    ///
    /// ```go
    /// a, err := f()    // results of a call
    /// v, ok := m[key]  // comma-ok: index, type assertion, receive
    /// ```
    pub(super) fn result_at(&self, code: &Code, value: ExprId, ty: Ty, number: usize) -> Ty {
        if let Type::Tuple(parts) = self.cx.types.get(ty) {
            return parts.get(number).copied().unwrap_or(Ty::UNKNOWN);
        }
        let comma_ok = matches!(
            code.exprs[value],
            Expr::Index { .. } | Expr::Assert { .. } | Expr::Unary(UnaryOp::Receive, _)
        );
        match number {
            0 => ty,
            1 if comma_ok => Ty::basic(Basic::Bool),
            _ => Ty::UNKNOWN,
        }
    }

    /// Returns whether a defined type declares methods itself.
    pub(super) fn declares_methods(&self, ty: Ty) -> bool {
        match self.cx.types.get(ty) {
            Type::Named(symbol, _) => self.def(*symbol).is_some_and(|def| !def.methods.is_empty()),
            _ => false,
        }
    }

    /// Returns the number of the values of a concrete type. A struct literal keeps its own number,
    /// because its own fields decide what a call on it runs.
    pub(super) fn value_number(&self, ty: Ty) -> u32 {
        let target = match self.cx.types.get(ty) {
            Type::Pointer(target) => *target,
            _ => ty,
        };
        match self.cx.types.get(target) {
            Type::Struct(_) => ty.number(),
            _ => self.number(ty),
        }
    }

    /// Returns whether a symbol is a declared interface.
    pub(super) fn is_interface(&self, symbol: SymbolId) -> bool {
        self.cx.db.shared().symbols.key(symbol).class == SymbolClass::Type
            && self
                .def(symbol)
                .is_some_and(|def| matches!(self.cx.types.get(def.underlying), Type::Interface(_)))
    }

    /// Returns whether a defined type is a function type.
    pub(super) fn is_function_type(&self, symbol: SymbolId) -> bool {
        let def = self.def(symbol);
        def.is_some_and(|def| matches!(self.cx.types.get(def.underlying), Type::Func(_)))
    }

    /// Returns the filter for a field or method of a value of this type: that of an instance if the
    /// type is generic.
    pub(super) fn instance_filter(&self, ty: Ty) -> FlowFilter {
        let ty = match self.cx.types.get(ty) {
            Type::Pointer(target) => *target,
            _ => ty,
        };
        match self.cx.types.get(ty) {
            Type::Named(_, args) if !args.is_empty() => FlowFilter::Own,
            _ => FlowFilter::None,
        }
    }

    /// Returns the node of `x[i]`.
    pub(super) fn element_node(&self, container: Ty, element: Ty) -> FlowNode {
        let element = self.number(element);
        match self.cx.types.get(self.core(container)) {
            Type::Map(..) => Unnamed::MapValue.of(element),
            _ => Unnamed::Element.of(element),
        }
    }

    /// Returns the signature if `ty` is a function type.
    pub(super) fn as_signature(&self, ty: Ty) -> Option<&'a Signature> {
        match self.cx.types.get(self.core(ty)) {
            Type::Func(signature) => Some(signature),
            _ => None,
        }
    }
}

impl UnderlyingTypes for TypeLookup<'_, '_> {
    fn types(&self) -> &Types {
        self.cx.types
    }

    fn underlying(&self, ty: Ty) -> Ty {
        match self.cx.types.get(ty) {
            Type::Named(symbol, args) => match self.def(*symbol) {
                Some(def) => subst(
                    self.cx.types,
                    def.underlying,
                    Args {
                        owner: *symbol,
                        types: args,
                    },
                ),
                None => Ty::UNKNOWN,
            },
            _ => ty,
        }
    }

    fn interface_methods(&self, ty: Ty) -> Vec<(MemberName, Ty)> {
        interface_methods(self.cx.types, ty, &|symbol| self.def(symbol))
            .into_iter()
            .map(|(name, signature, _)| (name, signature))
            .collect()
    }

    fn method(&self, ty: Ty, name: MemberName) -> Option<Ty> {
        if !self.cx.declarations.knows_members() {
            return None;
        }
        let ty = match self.cx.types.get(ty) {
            Type::Pointer(target) => *target,
            _ => ty,
        };
        let ty = match self.cx.types.get(ty) {
            Type::Param(owner, index) => self.constraint_of(*owner, *index)?,
            _ => ty,
        };
        let flat = match self.cx.types.get(ty) {
            Type::Named(symbol, args)
                if self.cx.view.is_none() && self.scopes.local_type(*symbol).is_none() =>
            {
                let members = self.cx.declarations.members(*symbol);
                let member = members.get(name)?;
                let is_method = !matches!(member.kind, MemberKind::Field | MemberKind::Ambiguous);
                let args = Args {
                    owner: *symbol,
                    types: args,
                };
                return is_method.then(|| subst(self.cx.types, member.ty, args));
            }
            _ => self.flattened(ty, self.cx.view),
        };
        let member = flat.get(name)?;
        (!matches!(member.kind, MemberKind::Field | MemberKind::Ambiguous)).then_some(member.ty)
    }

    fn core_of_constraint(&self, constraint: Ty) -> Option<(bool, Ty)> {
        let terms = self.terms(constraint)?;
        let &(_, first) = terms.first()?;
        let core = self.underlying(first);
        if let [(tilde, only)] = *terms {
            return Some((tilde, if tilde { core } else { only }));
        }
        let mut bytes = false;
        for &(_, term) in &terms {
            let under = self.underlying(term);
            if self.cx.types.identical(under, core) {
                continue;
            }
            // Bytes and strings together behave as bytes where the language allows both; channels
            // may differ in direction.
            let is_bytes = |ty: Ty| match self.cx.types.get(ty) {
                Type::Basic(Basic::String) => true,
                Type::Slice(element) => *element == Ty::basic(Basic::Uint8),
                _ => false,
            };
            match (self.cx.types.get(under), self.cx.types.get(core)) {
                (Type::Chan(_, left), Type::Chan(dir, right))
                    if left == right && *dir != ChanDir::Both => {}
                _ if is_bytes(under) && is_bytes(core) => bytes = true,
                _ => return None,
            }
        }
        if bytes {
            return Some((true, self.cx.types.slice(Ty::basic(Basic::Uint8))));
        }
        Some((true, core))
    }
}
