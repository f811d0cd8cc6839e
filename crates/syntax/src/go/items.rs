//! Declarations outside bodies (Go spec, Declarations and scope).

use rustc_hash::FxHashMap;

use super::chunking::Chunks;
use super::ir::*;
use super::kinds::GoKind;
use super::parse::Piece;
use super::signatures::SigParts;
use super::walk::GoLowering;
use crate::{NameId, Span};

/// What the walk over a file's declarations collects.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) items: Vec<Item>,
    pub(super) item_spans: Vec<Span>,
    pub(super) bodies: Chunks,
    /// How many items of a name and receiver base there are.
    twins: FxHashMap<(NameId, Option<NameId>), u16>,
}

impl Declarations {
    /// Marks what a piece of the text ends inside of: the last body from `bodies` on, or, where the
    /// last item from `items` on has none, the item. A spec whose line has ended is whole, though
    /// its group is not closed.
    pub(super) fn break_last(&mut self, text: &str, end: u32, items: usize, bodies: usize) {
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

/// Whether what stands behind a spec ends it: a blank, a semicolon or a comment, where more of the
/// spec could stand. Nothing at all does not: the spec may go on.
fn ends_spec(behind: &str) -> bool {
    let rest = behind.trim_start_matches([' ', '\t', '\r']);
    match rest.as_bytes() {
        [] => !behind.is_empty(),
        [b'\n' | b';', ..] | [b'/', b'/' | b'*', ..] => true,
        _ => false,
    }
}

/// A receiver that the grammar cannot read beside type parameters; see `repair`.
#[derive(Clone, Debug)]
pub(super) struct BlankedReceiver {
    /// Offset of the keyword `func`.
    pub(super) func: u32,
    pub(super) name: Option<Span>,
    pub(super) pointer: bool,
    pub(super) base: Span,
    pub(super) type_params: Vec<Span>,
}

impl<'e> GoLowering<'_, 'e> {
    fn push_item(&mut self, into: &mut Declarations, tok: Tok, kind: ItemKind, at: (Span, bool)) {
        let name = self.out.names[tok as usize];
        let base = match &kind {
            ItemKind::Method { receiver, .. } => Some(self.out.names[receiver.base as usize]),
            _ => None,
        };
        let twins = into.twins.entry((name, base)).or_insert(0);
        let nth = *twins;
        *twins = twins.saturating_add(1);
        into.items.push(Item {
            name,
            tok,
            nth,
            broken: at.1,
            kind,
        });
        into.item_spans.push(at.0);
    }

    /// Changes from the arenas of the items to those of the bodies, or back.
    fn swap_sinks(&mut self) {
        std::mem::swap(&mut self.out, &mut self.other);
    }

    /// Whether the node under the cursor holds something that could not be read.
    fn is_broken(&self) -> bool {
        self.tree_has_error && (self.cursor.node().has_error() || self.is_damaged())
    }

    /// Whether the node under the cursor is all that was read of a damaged spec.
    fn is_damaged(&self) -> bool {
        let start = self.span().start;
        let mut damaged = self.damaged.iter();
        damaged.any(|span| span.start <= start && start < span.end)
    }

    /// The function or method under the cursor.
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
                    l.begin_body(&mut into.bodies);
                    l.swap_sinks();
                    let first_tok = l.out.names.len() as Tok;
                    let (block, span) = match l.apart.take() {
                        Some(piece) => l.block_apart(piece),
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
                    l.swap_sinks();
                }
                GoKind::Error => l.stray_children(),
                kind => l.sig_part(&mut parts, kind),
            }
        });
        self.strays.clear();
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

    /// The block that a piece holds without its opening brace; the cursor is on the brace.
    fn block_apart(&mut self, piece: &'e Piece) -> (StmtId, Span) {
        let span = Span {
            end: piece.end,
            ..self.span()
        };
        let cursor = std::mem::replace(&mut self.cursor, piece.tree.walk());
        let base = std::mem::replace(&mut self.base, piece.base);
        let start = self.list_start();
        self.stray_children();
        self.push_strays(0);
        let stmts = self.list_end(start);
        (self.cursor, self.base) = (cursor, base);
        (self.alloc_stmt(Stmt::Block(stmts)), span)
    }

    /// Visits the children under the cursor, ERROR nodes included, comments not.
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

    /// The receiver in the parameter list under the cursor.
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

    /// The base type of a receiver: below parentheses, a star and type arguments.
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
            // Only broken code has a package here; the last name is the base all the same.
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

    /// The type declaration under the cursor, grouped or not.
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
        self.strays.clear();
    }

    /// The const declaration under the cursor: implicit repetition undone, `iota` counted (Go
    /// spec, Constant declarations).
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
        self.strays.clear();
    }

    /// An expression of a finished list; [`no_expr`] beyond its end.
    fn nth_of(&self, list: ListId, index: usize) -> ExprId {
        let at = list.0 as usize;
        if index < self.out.lists[at] as usize {
            ExprId::from_raw(self.out.lists[at + 1 + index].into())
        } else {
            no_expr()
        }
    }

    /// The var declaration under the cursor, grouped or not.
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
        self.strays.clear();
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
                    l.strays.clear();
                }
                l.begin_body(&mut into.bodies);
                l.swap_sinks();
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
                l.strays.clear();
                l.swap_sinks();
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
