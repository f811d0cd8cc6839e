//! Fields and methods that selectors denote (Go spec, Selectors).

use std::sync::Arc;

use codeweft_db::SymbolId;

use super::checker::Checker;
use crate::definitions::{Member, MemberKind, Members};
use crate::types::{Args, MemberName, Ty, Type, UnderlyingTypes, subst};

impl Checker<'_> {
    /// Returns the members of a defined type, cached for the rest of the walk.
    fn members_of(&mut self, symbol: SymbolId) -> Arc<Members> {
        if let Some(members) = self.members.get(&symbol) {
            return members.clone();
        }
        let found = if self.scopes.local_type(symbol).is_some() {
            let ty = self.cx.types.intern(Type::Named(symbol, Box::default()));
            Arc::new(self.lookup().flattened(ty, self.cx.view))
        } else {
            self.cx.declarations.members(symbol)
        };
        self.members.insert(symbol, found.clone());
        found
    }

    /// Returns the members of a defined type as an in-package test sees them, cached for the rest of the
    /// walk; `None` if the test declares no methods, so that they are those of [`Checker::members_of`].
    fn members_in_tests(&mut self, symbol: SymbolId) -> Option<Arc<Members>> {
        let view = self.cx.view?;
        if self.cx.declarations.extra_methods(view).is_empty() {
            return None;
        }
        if let Some(members) = self.members_in_tests.get(&symbol) {
            return Some(members.clone());
        }
        let found = Arc::new(self.lookup().flattened_in_tests(symbol, view));
        self.members_in_tests.insert(symbol, found.clone());
        Some(found)
    }

    /// Returns the field or method that `x.name` denotes for `x` of type `ty` (Go spec, Selectors).
    pub(super) fn member(&mut self, ty: Ty, name: MemberName) -> Option<Member> {
        let types = self.cx.types;
        let (ty, by_pointer) = match types.get(ty) {
            Type::Pointer(target) => (*target, true),
            _ => (ty, false),
        };
        // A pointer to an interface or to a type parameter has no members.
        if by_pointer
            && matches!(
                types.get(self.lookup().underlying(ty)),
                Type::Interface(_) | Type::Param(..)
            )
        {
            return None;
        }
        let found = match types.get(ty) {
            // While declarations are being resolved, methods are not known yet.
            Type::Named(..) if !self.cx.declarations.knows_members() => {
                let flat = self.lookup().flattened(ty, None);
                flat.get(name).cloned()
            }
            Type::Named(symbol, args) => {
                let args = Args {
                    owner: *symbol,
                    types: args,
                };
                let members = self.members_of(*symbol);
                let mut found = members.get(name).cloned();
                if found.as_ref().is_none_or(|member| member.depth > 0)
                    && let Some(members) = self.members_in_tests(*symbol)
                {
                    found = members.get(name).cloned().or(found);
                }
                if found.is_none() && !by_pointer {
                    // A defined pointer type has the fields of its base type, not its methods.
                    let under = self.lookup().underlying(ty);
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
                // A type parameter as the constraint of another is an error, and may be cyclic.
                let constraint = self.lookup().constraint_of(*owner, *index)?;
                match types.get(constraint) {
                    Type::Param(..) => None,
                    _ => self.member(constraint, name),
                }
            }
            Type::Struct(_) | Type::Interface(_) => {
                let view = self
                    .cx
                    .view
                    .filter(|_| self.cx.declarations.knows_members());
                let flat = self.lookup().flattened(ty, view);
                flat.get(name).cloned()
            }
            _ => None,
        }?;
        (found.kind != MemberKind::Ambiguous).then_some(found)
    }
}
