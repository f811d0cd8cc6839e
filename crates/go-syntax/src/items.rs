//! Lowers declarations outside bodies (Go spec, Declarations and scope).

use rustc_hash::FxHashMap;

use super::chunking::Chunks;
use super::ir::*;
use super::kinds::GoKind;
use super::parse::Piece;
use super::repair::BlankedReceiver;
use super::signatures::SigParts;
use super::walk::GoLowering;
use codeweft_syntax::{NameId, Span};

/// The declarations of a file, collected during the walk.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) items: Vec<Item>,
    pub(super) item_spans: Vec<Span>,
    pub(super) bodies: Chunks,
    /// Number of items so far of each name and receiver base.
    counts: FxHashMap<(NameId, Option<NameId>), u16>,
}

impl Declarations {
    /// Marks the declaration in which an unclosed piece of text ends as broken: the last body from
    /// number `bodies` on, or the last item from number `items` on if it has no body. A spec whose
    /// line has ended is complete, even if its group is not closed.
    pub(super) fn mark_last_broken(&mut self, text: &str, end: u32, items: usize, bodies: usize) {
        let last = self.items.len().wrapping_sub(1);
        let Some(span) = self.item_spans.get(last).filter(|_| last >= items) else {
            return;
        };
        let behind = text.get(span.end as usize..end as usize).unwrap_or("");
        if ends_spec(behind) {
            return;
        }
        let body = self.bodies.last_from(bodies);
        let body = body.filter(|body| body.item as usize == last);
        if let Some(body) = body {
            body.broken = true;
        } else if let Some(item) = self.items[items..].last_mut() {
            item.broken = true;
        }
    }
}

/// Returns whether the text behind a spec ends it: a line end, a semicolon or a comment. The end of
/// the text does not: the spec may be incomplete.
fn ends_spec(behind: &str) -> bool {
    let rest = behind.trim_start_matches([' ', '\t', '\r']);
    match rest.as_bytes() {
        [] => !behind.is_empty(),
        [b'\n' | b';', ..] | [b'/', b'/' | b'*', ..] => true,
        _ => false,
    }
}

impl<'e> GoLowering<'_, 'e> {
    fn push_item(&mut self, into: &mut Declarations, tok: Tok, kind: ItemKind, at: (Span, bool)) {
        let name = self.out.names[tok as usize];
        let base = match &kind {
            ItemKind::Method { receiver, .. } => Some(self.out.names[receiver.base as usize]),
            _ => None,
        };
        let counts = into.counts.entry((name, base)).or_insert(0);
        let nth = *counts;
        *counts = counts.saturating_add(1);
        into.items.push(Item {
            name,
            tok,
            nth,
            broken: at.1,
            kind,
        });
        into.item_spans.push(at.0);
    }

    /// Switches between the arenas of the items and those of the bodies.
    fn swap_arenas(&mut self) {
        std::mem::swap(&mut self.out, &mut self.other);
        self.in_bodies = !self.in_bodies;
    }

    /// Returns whether the node under the cursor contains something that could not be read.
    fn is_broken(&self) -> bool {
        self.tree_has_error && (self.cursor.node().has_error || self.is_damaged())
    }

    /// Returns whether the node under the cursor is the remainder of a damaged spec.
    fn is_damaged(&self) -> bool {
        let start = self.span().start;
        let mut damaged = self.damaged.iter();
        damaged.any(|span| span.start <= start && start < span.end)
    }

    /// Lowers the function or method under the cursor.
    pub(super) fn function(&mut self, into: &mut Declarations, blanked: &[BlankedReceiver]) {
        let span = self.span();
        let item = into.items.len() as u32;
        let mut receiver = None;
        let mut expects_receiver = self.kind() == GoKind::MethodDeclaration;
        if let Ok(at) = blanked.binary_search_by_key(&span.start, |receiver| receiver.func) {
            receiver = Some(self.blanked_receiver(&blanked[at]));
        }
        let mut tok = None;
        let mut type_params = Box::default();
        let mut parts = SigParts::default();
        let mut body = None;
        let mut broken = self.guessed;
        self.children_with_errors(|l, kind| {
            broken |= kind != GoKind::Block && (kind == GoKind::Error || l.is_broken());
            match kind {
                GoKind::Identifier | GoKind::FieldIdentifier if tok.is_none() => {
                    tok = l.present_token();
                }
                GoKind::TypeParameterList => type_params = l.type_params(),
                GoKind::ParameterList if expects_receiver => {
                    expects_receiver = false;
                    receiver = l.receiver();
                }
                GoKind::Block => {
                    into.bodies.begin_body(&mut l.other);
                    l.swap_arenas();
                    let first_tok = l.out.names.len() as Tok;
                    let (block, span) = match l.separate_body.take() {
                        Some(piece) => l.separate_block(piece),
                        None => (l.block(), l.span()),
                    };
                    let root = BodyRoot::Block(block);
                    body = Some((
                        Body {
                            item,
                            first_tok,
                            root,
                            broken: l.is_broken(),
                        },
                        span,
                    ));
                    l.swap_arenas();
                }
                GoKind::Error => l.recover_children(),
                kind => l.sig_part(&mut parts, kind),
            }
        });
        self.recovered.clear();
        let Some(tok) = tok else { return };
        let sig = self.alloc_sig(parts.into_sig());
        let has_body = body.is_some();
        let kind = match receiver {
            Some(receiver) => ItemKind::Method {
                receiver,
                type_params,
                sig,
                has_body,
            },
            None => ItemKind::Func {
                type_params,
                sig,
                has_body,
            },
        };
        self.push_item(into, tok, kind, (span, broken));
        if let Some((body, span)) = body {
            into.bodies.push(body, span);
        }
    }

    /// Lowers a body that was parsed separately, without its opening brace; the cursor is on the
    /// brace.
    fn separate_block(&mut self, piece: &'e Piece) -> (StmtId, Span) {
        let span = Span {
            end: piece.end,
            ..self.span()
        };
        let cursor = std::mem::replace(&mut self.cursor, piece.tree.walk());
        let base = std::mem::replace(&mut self.base, piece.base);
        let start = self.list_start();
        self.recover_children();
        self.push_recovered(0);
        let stmts = self.list_end(start);
        (self.cursor, self.base) = (cursor, base);
        (self.alloc_stmt(Stmt::Block(stmts)), span)
    }

    /// Visits the children of the node under the cursor, ERROR nodes included, comments excluded.
    fn children_with_errors(&mut self, mut visit: impl FnMut(&mut Self, GoKind)) {
        if !self.cursor.goto_first_child() {
            return;
        }
        loop {
            match self.kind() {
                GoKind::Comment => {}
                kind => visit(self, kind),
            }
            if self.stopped || !self.cursor.goto_next_sibling() {
                break;
            }
        }
        self.cursor.goto_parent();
    }

    /// Lowers the receiver in the parameter list under the cursor.
    fn receiver(&mut self) -> Option<Receiver> {
        let mut tok = None;
        let mut found = None;
        self.children(|l, kind| {
            if kind == GoKind::Parameter && found.is_none() {
                l.children(|l, kind| match kind {
                    GoKind::Identifier if tok.is_none() => tok = Some(l.token()),
                    kind if kind.is_expr() => {
                        let mut type_params = Vec::new();
                        let mut pointer = false;
                        let base = l.receiver_type(kind, &mut pointer, &mut type_params);
                        found = base.map(|base| (base, pointer, type_params));
                    }
                    _ => {}
                });
            }
        });
        let (base, pointer, type_params) = found?;
        Some(Receiver {
            tok,
            base,
            pointer,
            type_params: type_params.into(),
        })
    }

    /// Finds the base type of a receiver, inside parentheses, a star and type arguments.
    fn receiver_type(
        &mut self,
        kind: GoKind,
        pointer: &mut bool,
        type_params: &mut Vec<Tok>,
    ) -> Option<Tok> {
        if kind == GoKind::TypeIdentifier {
            return Some(self.token());
        }
        *pointer |= kind == GoKind::PointerType;
        if !self.enter() {
            return None;
        }
        let mut base = None;
        self.children(|l, kind| match kind {
            GoKind::TypeArguments => l.children(|l, kind| {
                if kind == GoKind::TypeElem {
                    l.children(|l, kind| {
                        if kind == GoKind::TypeIdentifier {
                            type_params.push(l.token());
                        }
                    });
                }
            }),
            // A qualified receiver type occurs in broken code only; its last name serves as the
            // base.
            kind if kind.is_expr() && kind != GoKind::PackageIdentifier => {
                base = l.receiver_type(kind, pointer, type_params);
            }
            _ => {}
        });
        self.leave();
        base
    }

    fn blanked_receiver(&mut self, receiver: &BlankedReceiver) -> Receiver {
        Receiver {
            tok: receiver.name.map(|span| self.token_at(span)),
            pointer: receiver.pointer,
            base: self.token_at(receiver.base),
            type_params: receiver
                .type_params
                .iter()
                .map(|&span| self.token_at(span))
                .collect(),
        }
    }

    /// Lowers the type declaration under the cursor, grouped or not.
    pub(super) fn types(&mut self, into: &mut Declarations) {
        let whole = self.span();
        let mut grouped = false;
        self.children(|l, kind| match kind {
            GoKind::Open => grouped = true,
            GoKind::TypeSpec | GoKind::TypeAlias => {
                let span = if grouped { l.span() } else { whole };
                let broken = l.is_broken();
                let mut tok = None;
                let mut type_params = Box::default();
                let mut ty = no_expr();
                l.children(|l, kind| match kind {
                    GoKind::TypeIdentifier if tok.is_none() => tok = l.present_token(),
                    GoKind::TypeParameterList => type_params = l.type_params(),
                    kind if kind.is_expr() => ty = l.expr(),
                    _ => {}
                });
                if let Some(tok) = tok {
                    let alias = kind == GoKind::TypeAlias;
                    let kind = ItemKind::Type {
                        alias,
                        type_params,
                        ty,
                    };
                    l.push_item(into, tok, kind, (span, broken));
                }
            }
            _ => {}
        });
        self.recovered.clear();
    }

    /// Lowers the const declaration under the cursor, with implicit repetition undone and `iota`
    /// counted (Go spec, Constant declarations).
    ///
    /// ```go
    /// const (
    ///     A T = iota + 1  // ty T, value iota + 1, iota 0
    ///     B               // the same ty and value nodes, iota 1
    /// )
    /// ```
    pub(super) fn consts(&mut self, into: &mut Declarations) {
        let whole = self.span();
        let mut grouped = false;
        let mut iota = 0;
        let mut repeated = (no_expr(), EMPTY_LIST);
        self.children(|l, kind| match kind {
            GoKind::Open => grouped = true,
            GoKind::ConstSpec => {
                let at = (if grouped { l.span() } else { whole }, l.is_broken());
                let (names, ty, values) = l.value_spec();
                if let Some(values) = values {
                    repeated = (ty, values);
                }
                let (ty, values) = repeated;
                for index in 0..l.list_peek(names).len() {
                    let tok = l.list_peek(names)[index];
                    let value = l.nth_of(values, index);
                    l.push_item(into, tok, ItemKind::Const { ty, value, iota }, at);
                }
                l.list_drop(names);
                iota += 1;
            }
            _ => {}
        });
        self.recovered.clear();
    }

    /// Returns an expression of a finished list; [`no_expr`] beyond its end.
    fn nth_of(&self, list: ListId, index: usize) -> ExprId {
        let at = list.0 as usize;
        if index < self.out.lists[at] as usize {
            ExprId::from_raw(self.out.lists[at + 1 + index].into())
        } else {
            no_expr()
        }
    }

    /// Lowers the var declaration under the cursor, grouped or not.
    pub(super) fn vars(&mut self, into: &mut Declarations) {
        let whole = self.span();
        self.children(|l, kind| match kind {
            GoKind::VarSpec => l.var_spec(into, whole),
            GoKind::VarSpecList => l.children(|l, kind| {
                if kind == GoKind::VarSpec {
                    let span = l.span();
                    l.var_spec(into, span);
                }
            }),
            _ => {}
        });
        self.recovered.clear();
    }

    fn var_spec(&mut self, into: &mut Declarations, span: Span) {
        let broken = self.is_broken();
        let item = into.items.len() as u32;
        let names = self.list_start();
        let mut ty = None;
        let mut shapes = EMPTY_LIST;
        let mut body = None;
        self.children(|l, kind| match kind {
            GoKind::Identifier => {
                if let Some(tok) = l.present_token() {
                    l.list_push_tok(tok);
                }
            }
            GoKind::ExpressionList => {
                if ty.is_none() {
                    l.shape = true;
                    shapes = l.expr_list();
                    l.shape = false;
                    l.recovered.clear();
                }
                into.bodies.begin_body(&mut l.other);
                l.swap_arenas();
                let first_tok = l.out.names.len() as Tok;
                let root = BodyRoot::Values(l.expr_list());
                body = Some((
                    Body {
                        item,
                        first_tok,
                        root,
                        broken: l.is_broken(),
                    },
                    l.span(),
                ));
                l.recovered.clear();
                l.swap_arenas();
            }
            kind if kind.is_expr() => ty = Some(l.expr()),
            _ => {}
        });
        let count = self.list_peek(names).len();
        let spreads = count > 1 && self.out.lists[shapes.0 as usize] == 1;
        for index in 0..count {
            let tok = self.list_peek(names)[index];
            let kind = ItemKind::Var {
                ty: ty.unwrap_or(no_expr()),
                shape: self.nth_of(shapes, if spreads { 0 } else { index }),
                result: spreads.then_some(index as u16),
            };
            self.push_item(into, tok, kind, (span, broken));
        }
        self.list_drop(names);
        if let Some((body, span)) = body.filter(|_| count > 0) {
            into.bodies.push(body, span);
        }
    }
}
