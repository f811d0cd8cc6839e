//! Lowers composite literals (Go spec, Composite literals).
//!
//! Elements without identifiers, calls or function literals collapse into one [`Expr::Const`], so
//! that large tables stay small. Those with the first [`MAX_TEXTS`] strings of a literal are kept: they may be routes.

use super::ir::*;
use super::kinds::GoKind;
use super::walk::GoLowering;

/// The number of strings of a composite literal that are kept.
const MAX_TEXTS: usize = 64;

/// Computes the length of an array literal: the largest index plus one, where a key sets the index.
struct Count {
    next: i128,
    len: i128,
    /// Whether every key so far was a literal.
    known: bool,
}

impl Count {
    fn new() -> Count {
        Count {
            next: 0,
            len: 0,
            known: true,
        }
    }

    fn add(&mut self, key: Option<i128>) {
        let at = key.unwrap_or(self.next);
        self.next = at.saturating_add(1);
        self.len = self.len.max(self.next);
    }
}

/// Returns whether an element is a number by its text alone. Most elements of large tables are, and
/// their nodes need no visit.
fn is_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() <= 32
        && bytes.first().is_some_and(u8::is_ascii_digit)
        && bytes.iter().all(u8::is_ascii_alphanumeric)
}

impl GoLowering<'_, '_> {
    pub(super) fn composite(&mut self) -> ExprId {
        let shape = std::mem::replace(&mut self.shape, false);
        let mut ty = no_expr();
        let mut elems = EMPTY_LIST;
        self.children(|l, kind| match kind {
            GoKind::LiteralValue => {
                let dots = match l.at(ty) {
                    Expr::DotsArray(elem) => Some(elem),
                    _ => None,
                };
                if shape && dots.is_none() {
                    return;
                }
                let mut count = Count::new();
                elems = l.elements(&mut count, dots.is_some(), shape);
                if let Some(elem) = dots.filter(|_| count.known) {
                    let len = l.int(Some(count.len));
                    l.out.exprs[ty.into_raw().into_u32() as usize] = Expr::Array { len, elem };
                    if shape {
                        elems = EMPTY_LIST;
                    }
                }
            }
            kind if kind.is_expr() => ty = l.expr(),
            _ => {}
        });
        self.shape = shape;
        self.alloc(Expr::Composite { ty, elems })
    }

    /// Lowers the elements of the literal value under the cursor. With `dots` (`[...]T{…}`), keys
    /// that are no literals are kept, because the length depends on them; in a shape only keys are
    /// kept.
    fn elements(&mut self, count: &mut Count, dots: bool, shape: bool) -> ListId {
        let start = self.list_start();
        let mut constant = None;
        let texts_before = self.out.texts;
        self.children(|l, kind| {
            if kind == GoKind::LiteralElement && is_number(l.node_text()) {
                count.add(None);
                let shared = *constant.get_or_insert_with(|| l.alloc(Expr::Const));
                return l.list_push(shared);
            }
            let mark = l.out.mark();
            let recovered = l.recovered.len();
            let mut key_is_open = false;
            let value = match kind {
                GoKind::LiteralElement => {
                    count.add(None);
                    if shape { no_expr() } else { l.element() }
                }
                GoKind::KeyedElement => {
                    let (key, value) = l.keyed(shape);
                    let number = match l.at(key) {
                        Expr::Int(number) => l.out.ints[number as usize],
                        Expr::Rune(rune) => Some(i128::from(rune)),
                        _ => None,
                    };
                    count.add(number);
                    count.known &= number.is_some();
                    // One key of unknown value makes the literal keys relevant, too.
                    key_is_open = dots;
                    if shape && key_is_open {
                        let value = l.alloc(Expr::Const);
                        l.alloc(Expr::KeyValue { key, value })
                    } else {
                        l.alloc(Expr::KeyValue { key, value })
                    }
                }
                _ => return,
            };
            let keeps_texts = l.out.has_text_since(mark) && l.out.texts - texts_before <= MAX_TEXTS;
            if !key_is_open && !keeps_texts && l.out.is_constant_since(mark) {
                l.out.rewind(mark);
                l.recovered.truncate(recovered);
                let shared = *constant.get_or_insert_with(|| l.alloc(Expr::Const));
                l.list_push(shared);
            } else {
                l.list_push(value);
            }
        });
        self.list_end(start)
    }

    fn keyed(&mut self, shape: bool) -> (ExprId, ExprId) {
        let mut found = [no_expr(); 2];
        let mut count = 0;
        self.children(|l, kind| {
            if kind == GoKind::LiteralElement && count < 2 && !(shape && count == 1) {
                found[count] = l.element();
                count += 1;
            }
        });
        (found[0], found[1])
    }

    /// Lowers a literal element under the cursor: an expression, or `{ … }` with its type elided.
    fn element(&mut self) -> ExprId {
        let mut value = no_expr();
        self.children(|l, kind| match kind {
            GoKind::LiteralValue => {
                if l.tick() {
                    return;
                }
                if !l.enter() {
                    value = l.alloc(Expr::Opaque);
                    return;
                }
                let elems = l.elements(&mut Count::new(), false, false);
                value = l.alloc(Expr::Composite {
                    ty: no_expr(),
                    elems,
                });
                l.leave();
            }
            kind if kind.is_expr() => value = l.expr(),
            _ => {}
        });
        value
    }
}
