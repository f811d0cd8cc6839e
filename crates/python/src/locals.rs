//! Local variables for editors: parameters, names bound by functions, and comprehension targets
//! (Python reference, "Naming and binding").

use codeweft_db::{
    Db, DeclarationRange, File, LocalUse, NONE, NameId, NameTarget, file_bodies, file_ranges,
};
use codeweft_python_syntax::{Access, ItemKind, Use, UseKind, is_comprehension};

use crate::declared::file_symbols;
use crate::locations::FileText;

/// Returns the references to a local, including its other bindings, in text order. A lambda is a
/// separate item, so no reference is inside a literal.
pub(crate) fn local_uses(db: &dyn Db, declared: &DeclarationRange) -> Vec<LocalUse> {
    let file: File = declared.file;
    let (bodies, ranges) = (file_bodies(db, file), file_ranges(db, file));
    let symbols = file_symbols(db, file);
    let Some(text) = FileText::of_file(db, file, &bodies, &ranges, &symbols) else {
        return Vec::new();
    };
    let start = declared.name.start;
    let tokens_where = |tokens: &[u32]| -> Vec<u32> {
        let numbered = tokens.iter().zip(0..);
        let here = numbered.filter(|&(&token, _)| token == start);
        here.map(|(_, number)| number).collect()
    };
    let (of_items, of_bodies) = (
        tokens_where(&ranges.item_tokens),
        tokens_where(&ranges.body_tokens),
    );
    let Some((scope, name)) = text.name_at(&of_items, &of_bodies) else {
        return Vec::new();
    };
    let mut offsets: Vec<u32> = text
        .uses_of_name(scope, name)
        .map(|(_, _, offset)| offset)
        .filter(|&offset| offset != start)
        .collect();
    offsets.sort_unstable();
    offsets.dedup();
    let offsets = offsets.into_iter();
    offsets
        .map(|offset| LocalUse {
            offset,
            in_literal: false,
        })
        .collect()
}

impl FileText<'_> {
    /// Returns the scope that binds the name at these tokens, and the name; for a parameter the
    /// scope is its function.
    pub(crate) fn name_at(&self, of_items: &[u32], of_bodies: &[u32]) -> Option<(u32, NameId)> {
        let mut params = self.items.params.iter().zip(0..);
        if let Some((param, number)) = params.find(|(param, _)| of_items.contains(&param.tok)) {
            let mut owners = self.items.items.iter().zip(0..);
            let (_, owner) = owners.find(|(item, _)| item.params.iter().contains(&number))?;
            return Some((owner, param.name));
        }
        of_bodies.iter().find_map(|&tok| {
            let (body, occ) = self.in_body(tok)?;
            let uses = self.bodies.bodies.get(body as usize)?.uses;
            let mut uses = self.bodies.uses.get(uses.iter())?.iter();
            uses.find_map(|one| match one.kind {
                UseKind::Name { scope, name, .. } if one.tok == occ && scope != NONE => {
                    Some((scope, name))
                }
                _ => None,
            })
        })
    }

    /// Returns every reference to a name of a scope: body, access and byte offset.
    fn uses_of_name(
        &self,
        wanted: u32,
        wanted_name: NameId,
    ) -> impl Iterator<Item = (u32, Access, u32)> + '_ {
        let bodies = self.bodies.bodies.iter().zip(0..);
        bodies.flat_map(move |(body, number)| {
            let uses = self.bodies.uses.get(body.uses.iter()).unwrap_or_default();
            uses.iter().filter_map(move |one: &Use| match one.kind {
                UseKind::Name {
                    scope,
                    name,
                    access,
                    ..
                } if scope == wanted && name == wanted_name => {
                    let tok = body.first_tok.checked_add(one.tok)?;
                    let offset = self.ranges.body_tokens.get(tok as usize)?;
                    Some((number, access, *offset))
                }
                _ => None,
            })
        })
    }

    /// Returns whether a name of a scope is a variable of a function or comprehension, not just
    /// imported or declared there.
    pub(crate) fn is_local(&self, scope: u32, name: NameId) -> bool {
        let item = self.items.items.get(scope as usize);
        let in_function =
            item.is_some_and(|item| matches!(item.kind, ItemKind::Function | ItemKind::Lambda));
        (in_function || is_comprehension(scope)) && self.binding_of_local(scope, name).is_some()
    }

    /// Returns a local of a scope, located at its first binding, else at `here`.
    pub(crate) fn local(&self, scope: u32, name: NameId, here: u32) -> Option<NameTarget> {
        let owner = if is_comprehension(scope) {
            self.uses_of_name(scope, name)
                .map(|(body, ..)| body)
                .min()?
        } else {
            scope
        };
        let owner = *self.symbols.get(owner as usize)?;
        let start = self.binding_of_local(scope, name).unwrap_or(here);
        let span = self.token(start);
        let declaration = DeclarationRange {
            file: self.file,
            span,
            name: span,
        };
        Some(NameTarget::Local {
            owner,
            name,
            declaration,
        })
    }

    /// Returns the token of the first binding of a local: its parameter, else the first store in
    /// its scope's own code, else in nested scopes.
    fn binding_of_local(&self, scope: u32, name: NameId) -> Option<u32> {
        let item = self.items.items.get(scope as usize);
        let params = item.map(|item| item.params).unwrap_or_default();
        let mut params = self.items.params.get(params.iter())?.iter();
        if let Some(param) = params.find(|param| param.name == name) {
            return self.item_token(param.tok);
        }
        let stores = self.uses_of_name(scope, name);
        let stores = stores.filter(|&(_, access, _)| access == Access::Store);
        let first = stores
            .map(|(body, _, offset)| (body != scope, offset))
            .min()?;
        Some(first.1)
    }
}
