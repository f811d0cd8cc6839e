//! Lowers types that have nodes of their own (Go spec, Types).

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::ir::*;
use super::kinds::GoKind;
use super::literals;
use super::signatures::SigParts;
use super::walk::GoLowering;

impl GoLowering<'_, '_> {
    /// Lowers a type that is neither a name nor an instantiation.
    pub(super) fn type_node(&mut self, kind: GoKind) -> ExprId {
        match kind {
            GoKind::PointerType => {
                let inner = self.only_expr();
                self.alloc(Expr::Star(inner))
            }
            GoKind::SliceType => {
                let elem = self.only_expr();
                self.alloc(Expr::SliceOf(elem))
            }
            GoKind::DotsArrayType => {
                let elem = self.only_expr();
                self.alloc(Expr::DotsArray(elem))
            }
            GoKind::NegatedType => {
                let inner = self.only_expr();
                self.alloc(Expr::Tilde(inner))
            }
            GoKind::ArrayType => {
                let (len, elem) = self.two_exprs();
                self.alloc(Expr::Array { len, elem })
            }
            GoKind::MapType => {
                let (key, value) = self.two_exprs();
                self.alloc(Expr::Map { key, value })
            }
            GoKind::ChannelType => self.channel(),
            GoKind::FunctionType => {
                let mut parts = SigParts::default();
                self.children(|l, kind| l.sig_part(&mut parts, kind));
                let sig = self.alloc_sig(parts.into_sig());
                self.alloc(Expr::Func(sig))
            }
            GoKind::StructType => {
                let start = self.list_start();
                self.children(|l, kind| {
                    if kind == GoKind::FieldDeclarationList {
                        l.children(|l, kind| {
                            if kind == GoKind::FieldDeclaration {
                                l.field_declaration();
                            }
                        });
                    }
                });
                let fields = self.list_end(start);
                self.alloc(Expr::Struct(fields))
            }
            GoKind::InterfaceType => {
                let start = self.list_start();
                self.children(|l, kind| match kind {
                    GoKind::MethodElem => l.method_elem(),
                    GoKind::TypeElem => l.type_elem(),
                    _ => {}
                });
                let elements = self.list_end(start);
                self.alloc(Expr::Interface(elements))
            }
            GoKind::TypeElem | GoKind::TypeConstraint => self.union(),
            _ => no_expr(),
        }
    }

    /// Lowers `a | b`; a single term is returned as it is.
    fn union(&mut self) -> ExprId {
        let start = self.list_start();
        self.children(|l, kind| {
            if kind.is_expr() {
                let term = l.expr();
                l.list_push(term);
            }
        });
        if let &[only] = self.list_peek(start) {
            self.list_drop(start);
            return ExprId::from_raw(only.into());
        }
        let terms = self.list_end(start);
        self.alloc(Expr::Union(terms))
    }

    /// Lowers the first two expressions below the cursor.
    pub(super) fn two_exprs(&mut self) -> (ExprId, ExprId) {
        let mut found = [no_expr(); 2];
        let mut count = 0;
        self.children(|l, kind| {
            if kind.is_expr() && count < 2 {
                found[count] = l.expr();
                count += 1;
            }
        });
        (found[0], found[1])
    }

    /// Lowers directly nested channel types from their tokens: in `chan<- chan T` the arrow belongs
    /// to the leftmost `chan` (Go spec, Channel types), but the grammar gives it to the second.
    fn channel(&mut self) -> ExprId {
        let mut tokens = Vec::new();
        let mut elem = no_expr();
        let mut levels = 0;
        while self.kind() == GoKind::ChannelType && self.cursor.goto_first_child() {
            levels += 1;
            loop {
                match self.kind() {
                    GoKind::ChannelType => break,
                    GoKind::Error => self.recover_children(),
                    kind @ (GoKind::Chan | GoKind::Arrow) => tokens.push(kind),
                    kind if kind.is_expr() => elem = self.expr(),
                    _ => {}
                }
                if self.stopped || !self.cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        for _ in 0..levels {
            self.cursor.goto_parent();
        }
        let mut directions = Vec::new();
        let mut tokens = tokens.as_slice();
        loop {
            let (direction, rest) = match tokens {
                [GoKind::Chan, GoKind::Arrow, rest @ ..] => (ChanDir::Send, rest),
                [GoKind::Arrow, GoKind::Chan, rest @ ..] => (ChanDir::Receive, rest),
                [GoKind::Chan, rest @ ..] => (ChanDir::Both, rest),
                _ => break,
            };
            directions.push(direction);
            tokens = rest;
        }
        for direction in directions.into_iter().rev() {
            elem = self.alloc(Expr::Chan(direction, elem));
        }
        elem
    }

    /// Pushes the fields of a declaration to the current list, one per name.
    fn field_declaration(&mut self) {
        let span = self.span();
        let names = self.params.len();
        let mut ty = no_expr();
        let mut star = false;
        let mut tag = 0;
        self.children(|l, kind| match kind {
            GoKind::FieldIdentifier => {
                let tok = Some(l.token());
                l.params.push(Param { tok, ty: no_expr() });
            }
            GoKind::Star => star = true,
            GoKind::InterpretedString | GoKind::RawString => tag = tag_hash(l.node_text()),
            kind if kind.is_expr() => ty = l.expr(),
            _ => {}
        });
        if star {
            ty = self.alloc(Expr::Star(ty));
        }
        if self.params.len() == names {
            let tok = self.last_name(ty).unwrap_or(0);
            let field = self.alloc_field(
                Field {
                    kind: FieldKind::Embedded,
                    tok,
                    ty,
                    tag,
                },
                span,
            );
            self.list_push(field);
        }
        for at in names..self.params.len() {
            let tok = self.params[at].tok.unwrap_or(0);
            let field = self.alloc_field(
                Field {
                    kind: FieldKind::Named,
                    tok,
                    ty,
                    tag,
                },
                span,
            );
            self.list_push(field);
        }
        self.params.truncate(names);
    }

    fn method_elem(&mut self) {
        let span = self.span();
        let mut parts = SigParts::default();
        let mut tok = 0;
        self.children(|l, kind| match kind {
            GoKind::FieldIdentifier => tok = l.token(),
            kind => l.sig_part(&mut parts, kind),
        });
        let kind = FieldKind::Method(self.alloc_sig(parts.into_sig()));
        let field = self.alloc_field(
            Field {
                kind,
                tok,
                ty: no_expr(),
                tag: 0,
            },
            span,
        );
        self.list_push(field);
    }

    fn type_elem(&mut self) {
        let span = self.span();
        let ty = self.union();
        let tok = self.last_name(ty).unwrap_or(0);
        let field = self.alloc_field(
            Field {
                kind: FieldKind::Element,
                tok,
                ty,
                tag: 0,
            },
            span,
        );
        self.list_push(field);
    }

    /// Returns the token of the name of a type: `T` in `T`, `*T`, `~T`, `p.T`, `T[A]`.
    fn last_name(&self, mut ty: ExprId) -> Option<Tok> {
        loop {
            match self.at(ty) {
                Expr::Star(inner) | Expr::Tilde(inner) => ty = inner,
                Expr::Index { base, .. } => ty = base,
                Expr::Name(tok) | Expr::Select { tok, .. } => return Some(tok),
                _ => return None,
            }
        }
    }

    /// Lowers the type parameter list under the cursor.
    pub(super) fn type_params(&mut self) -> Box<[TypeParam]> {
        let start = self.params.len();
        self.children(|l, kind| {
            if kind == GoKind::TypeParameter {
                let names = l.params.len();
                let mut ty = no_expr();
                l.children(|l, kind| match kind {
                    GoKind::Identifier => {
                        let tok = Some(l.token());
                        l.params.push(Param { tok, ty: no_expr() });
                    }
                    kind if kind.is_expr() => ty = l.expr(),
                    _ => {}
                });
                for param in &mut l.params[names..] {
                    param.ty = ty;
                }
            }
        });
        let params = self.params.drain(start..);
        params
            .filter_map(|param| {
                Some(TypeParam {
                    tok: param.tok?,
                    constraint: param.ty,
                })
            })
            .collect()
    }
}

/// Returns a hash of the value of a field's tag, so that raw and interpreted strings of the same
/// value agree; never 0.
fn tag_hash(text: &str) -> u32 {
    let mut hasher = FxHasher::default();
    literals::string(text).hash(&mut hasher);
    let hash = hasher.finish();
    ((hash ^ (hash >> 32)) as u32).max(1)
}
