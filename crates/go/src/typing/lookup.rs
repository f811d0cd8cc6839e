//! What stands behind types: underlying types, core types, members.

use std::sync::Arc;

use codeweft_db::SymbolId;
use codeweft_syntax::go::ChanDir;

use super::Typer;
use crate::decls::{
    self, Member, MemberKind, Members, TypeDef, TypeKey, TypeParams, interface_methods, members,
};
use crate::types::{Args, Basic, Behind, MemberName, Ty, Type, Types, subst};

/// How far embedded constraints are followed.
const MAX_CONSTRAINTS: usize = 100;

impl Typer<'_> {
    /// What stands behind a defined type, local ones included.
    pub(super) fn def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>> {
        match self.local_types.get(&symbol) {
            Some(def) => Some(def.clone()),
            None => self.source.type_def(symbol),
        }
    }

    /// The constraint of a type parameter.
    fn constraint_of(&self, owner: SymbolId, index: u16) -> Option<Ty> {
        let params: TypeParams = match &self.function {
            Some((function, params)) if *function == owner => params.clone(),
            _ if !self.source.knows_members() => return None,
            _ => decls::type_params(self.db, owner)?,
        };
        Some(params.get(index as usize)?.constraint)
    }

    /// The type that rules which operations a type has: of a type parameter its core type (Go
    /// spec, Core types), of any other its underlying type.
    pub(super) fn core(&self, ty: Ty) -> Ty {
        match self.types.get(ty) {
            Type::Named(..) => self.underlying(ty),
            Type::Param(owner, index) => self
                .constraint_of(*owner, *index)
                .and_then(|constraint| self.core_of_constraint(constraint))
                .map_or(Ty::UNKNOWN, |(_, core)| core),
            _ => ty,
        }
    }

    /// The type that a pointer points to; anything else as it is.
    pub(super) fn deref(&self, ty: Ty) -> Ty {
        match self.types.get(self.core(ty)) {
            Type::Pointer(target) => *target,
            _ => ty,
        }
    }

    /// Members of a defined type, kept for the rest of the walk.
    fn members_of(&mut self, symbol: SymbolId) -> Arc<Members> {
        if let Some(members) = self.members.get(&symbol) {
            return members.clone();
        }
        let found = if self.local_types.contains_key(&symbol) {
            let ty = self.types.intern(Type::Named(symbol, Box::default()));
            Arc::new(decls::flatten(self.db, ty, self.view, &|symbol| {
                self.def(symbol)
            }))
        } else {
            members(self.db, TypeKey::new(self.db, symbol))
        };
        self.members.insert(symbol, found.clone());
        found
    }

    /// The field or method that `x.name` means for `x` of type `ty` (Go spec, Selectors).
    pub(super) fn member(&mut self, ty: Ty, name: MemberName) -> Option<Member> {
        if !self.source.knows_members() {
            return None;
        }
        let types = self.types;
        let (ty, by_pointer) = match types.get(ty) {
            Type::Pointer(target) => (*target, true),
            _ => (ty, false),
        };
        let found = match types.get(ty) {
            Type::Named(symbol, args) => {
                let args = Args {
                    owner: *symbol,
                    types: args,
                };
                let members = self.members_of(*symbol);
                let mut found = members.get(name).cloned();
                if let Some(view) = self.view
                    && found.as_ref().is_none_or(|member| member.depth > 0)
                {
                    let generic = self.flattened_in_tests(*symbol, view);
                    found = generic.get(name).cloned().or(found);
                }
                if found.is_none() && !by_pointer {
                    // A defined pointer type has the fields of its base, not its methods.
                    let under = self.underlying(ty);
                    if let Type::Pointer(target) = types.get(under) {
                        let field = self.member(*target, name);
                        return field.filter(|member| member.kind == MemberKind::Field);
                    }
                }
                found.map(|mut member| {
                    member.ty = subst(types, member.ty, args);
                    member
                })
            }
            Type::Param(owner, index) => {
                let constraint = self.constraint_of(*owner, *index)?;
                let of_constraint = self.member(constraint, name);
                match of_constraint {
                    Some(member) => Some(member),
                    None => {
                        let core = self.core(ty);
                        match types.get(core) {
                            Type::Pointer(_) | Type::Struct(_) => self.member(core, name),
                            _ => None,
                        }
                    }
                }
            }
            Type::Struct(_) | Type::Interface(_) => {
                let flat = decls::flatten(self.db, ty, self.view, &|symbol| self.def(symbol));
                flat.get(name).cloned()
            }
            _ => None,
        }?;
        (found.kind != MemberKind::Ambiguous).then_some(found)
    }

    /// Members in the view of an in-package test, where its methods are among them.
    fn flattened_in_tests(&self, symbol: SymbolId, view: codeweft_db::Unit) -> Members {
        let Some(def) = self.def(symbol) else {
            return Members::default();
        };
        let args = (0..def.params.len())
            .map(|index| self.types.intern(Type::Param(symbol, index as u16)))
            .collect();
        let ty = self.types.intern(Type::Named(symbol, args));
        decls::flatten(self.db, ty, Some(view), &|symbol| self.def(symbol))
    }

    /// All terms of a constraint, embedded ones included; empty where it has no type set.
    fn terms(&self, constraint: Ty) -> Vec<(bool, Ty)> {
        let mut terms = Vec::new();
        let mut stack = vec![constraint];
        let mut steps = 0;
        while let Some(ty) = stack.pop() {
            steps += 1;
            if steps > MAX_CONSTRAINTS {
                break;
            }
            let under = self.underlying(ty);
            match self.types.get(under) {
                Type::Interface(interface) => {
                    for &(tilde, term) in interface.unions.iter().flatten() {
                        match self.types.get(self.underlying(term)) {
                            Type::Interface(_) => stack.push(term),
                            _ => terms.push((tilde, term)),
                        }
                    }
                    stack.extend(&interface.embeds);
                }
                Type::Unknown => {}
                _ => terms.push((false, ty)),
            }
        }
        terms
    }

    /// The types of a signature's parameters and results, where `ty` is a function type.
    pub(super) fn as_signature(&self, ty: Ty) -> Option<&crate::types::Signature> {
        match self.types.get(self.core(ty)) {
            Type::Func(signature) => Some(signature),
            _ => None,
        }
    }
}

impl Behind for Typer<'_> {
    fn types(&self) -> &Types {
        self.types
    }

    fn underlying(&self, ty: Ty) -> Ty {
        match self.types.get(ty) {
            Type::Named(symbol, args) => match self.def(*symbol) {
                Some(def) => subst(
                    self.types,
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
        interface_methods(self.types, ty, &|symbol| self.def(symbol))
            .into_iter()
            .map(|(name, signature, _)| (name, signature))
            .collect()
    }

    fn method(&self, ty: Ty, name: MemberName) -> Option<Ty> {
        let ty = match self.types.get(ty) {
            Type::Pointer(target) => *target,
            _ => ty,
        };
        let ty = match self.types.get(ty) {
            Type::Param(owner, index) => self.constraint_of(*owner, *index)?,
            _ => ty,
        };
        let flat = match self.types.get(ty) {
            Type::Named(symbol, args) if !self.local_types.contains_key(symbol) => {
                let members = members(self.db, TypeKey::new(self.db, *symbol));
                let member = members.get(name)?;
                let is_method = !matches!(member.kind, MemberKind::Field | MemberKind::Ambiguous);
                let args = Args {
                    owner: *symbol,
                    types: args,
                };
                return is_method.then(|| subst(self.types, member.ty, args));
            }
            _ => decls::flatten(self.db, ty, self.view, &|symbol| self.def(symbol)),
        };
        let member = flat.get(name)?;
        (!matches!(member.kind, MemberKind::Field | MemberKind::Ambiguous)).then_some(member.ty)
    }

    fn core_of_constraint(&self, constraint: Ty) -> Option<(bool, Ty)> {
        let terms = self.terms(constraint);
        let &(_, first) = terms.first()?;
        let core = self.underlying(first);
        if let [(tilde, only)] = *terms {
            return Some((tilde, if tilde { core } else { only }));
        }
        let mut bytes = false;
        for &(_, term) in &terms {
            let under = self.underlying(term);
            if self.types.identical(under, core) {
                continue;
            }
            // Bytes and strings together behave as bytes where the language allows both; channels
            // differ by direction alone.
            let is_bytes = |ty: Ty| match self.types.get(ty) {
                Type::Basic(Basic::String) => true,
                Type::Slice(element) => *element == Ty::basic(Basic::Uint8),
                _ => false,
            };
            match (self.types.get(under), self.types.get(core)) {
                (Type::Chan(_, left), Type::Chan(dir, right))
                    if left == right && *dir != ChanDir::Both => {}
                _ if is_bytes(under) && is_bytes(core) => bytes = true,
                _ => return None,
            }
        }
        if bytes {
            return Some((true, self.types.slice(Ty::basic(Basic::Uint8))));
        }
        Some((true, core))
    }
}
