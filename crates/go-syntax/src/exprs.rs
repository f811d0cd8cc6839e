//! Lowers expressions (Go spec, Expressions). Types have the same entry point, because the grammar
//! cannot always distinguish them; their own nodes are in [`types`](super::types).

use super::ir::*;
use super::kinds::GoKind;
use super::literals;
use super::signatures::SigParts;
use super::walk::GoLowering;

impl GoLowering<'_, '_> {
    /// Lowers the expression or type under the cursor.
    ///
    /// Chains that grow to the left (`a + b + c`, `a.b().c()`) are lowered without recursion:
    /// descend to the leftmost operand, then fold each node on the way up.
    ///
    /// ```text
    /// a.b().c        descend   Select(Call(Select a b)) c  ->  Call(Select a b)  ->  Select a b  ->  a
    ///                fold      a  ->  a.b  ->  a.b()  ->  a.b().c
    /// ```
    pub(super) fn expr(&mut self) -> ExprId {
        if self.tick() {
            return no_expr();
        }
        if !self.enter() {
            return self.alloc(Expr::Opaque);
        }
        let bottom = self.spine.len();
        let mut stars = 0;
        let mut receives = false;
        let mut value = loop {
            let kind = self.kind();
            if !is_spine(kind) {
                break self.operand(kind);
            }
            if !self.cursor.goto_first_child() {
                break no_expr();
            }
            self.spine.push(kind);
            if !self.skip_to_expr() {
                break no_expr();
            }
        };
        while self.spine.len() > bottom {
            let Some(kind) = self.spine.pop() else { break };
            if !self.tick() {
                if !is_postfix(kind) {
                    value = self.received(value, std::mem::take(&mut receives));
                    value = self.starred(value, std::mem::take(&mut stars));
                } else if kind == GoKind::Conversion && self.kind() == GoKind::ChannelType {
                    // `<-chan T(x)` is `<-(chan T(x))` (Go spec, Conversions).
                    if let Expr::Chan(ChanDir::Receive, elem) = self.at(value) {
                        value = self.alloc(Expr::Chan(ChanDir::Both, elem));
                        receives = true;
                    }
                } else if matches!(kind, GoKind::Conversion | GoKind::Instantiation) {
                    // In `*a[i](x)` and `*a[T, U]` the grammar makes the star part of the type.
                    for _ in 0..self.leading_stars() {
                        let Expr::Star(inner) = self.at(value) else {
                            break;
                        };
                        value = inner;
                        stars += 1;
                    }
                }
                value = self.fold(kind, value);
            }
            self.cursor.goto_parent();
        }
        self.leave();
        value = self.received(value, receives);
        self.starred(value, stars)
    }

    fn received(&mut self, value: ExprId, receives: bool) -> ExprId {
        if receives {
            self.alloc(Expr::Unary(UnaryOp::Receive, value))
        } else {
            value
        }
    }

    /// Returns the number of stars, outside parentheses, that the type under the cursor begins
    /// with.
    fn leading_stars(&mut self) -> u32 {
        let mut stars = 0;
        while self.kind() == GoKind::PointerType && self.cursor.goto_first_child() {
            stars += 1;
            while !self.kind().is_expr() && self.cursor.goto_next_sibling() {}
        }
        for _ in 0..stars {
            self.cursor.goto_parent();
        }
        stars
    }

    fn starred(&mut self, mut value: ExprId, stars: u32) -> ExprId {
        for _ in 0..stars {
            value = self.alloc(Expr::Star(value));
        }
        value
    }

    /// Moves to the next sibling that is an expression, starting with the current node.
    fn skip_to_expr(&mut self) -> bool {
        loop {
            match self.kind() {
                GoKind::Error => self.recover_children(),
                kind if kind.is_expr() => return true,
                _ => {}
            }
            if !self.cursor.goto_next_sibling() {
                return false;
            }
        }
    }

    /// Visits the siblings after the cursor.
    fn following(&mut self, mut visit: impl FnMut(&mut Self, GoKind)) {
        while !self.stopped && self.cursor.goto_next_sibling() {
            match self.kind() {
                GoKind::Comment => {}
                GoKind::Error => self.recover_children(),
                kind => visit(self, kind),
            }
        }
    }

    /// Lowers a node of the left spine, given its lowered first operand `base`; the cursor is on
    /// that operand.
    fn fold(&mut self, kind: GoKind, base: ExprId) -> ExprId {
        match kind {
            GoKind::Binary => {
                let mut op = None;
                let mut right = no_expr();
                self.following(|l, kind| match binary_op(kind) {
                    Some(found) => op = Some(found),
                    None if kind.is_expr() => right = l.expr(),
                    None => {}
                });
                match op {
                    Some(op) => self.alloc(Expr::Binary(op, base, right)),
                    None => base,
                }
            }
            GoKind::Selector => {
                let mut tok = None;
                self.following(|l, kind| {
                    if kind == GoKind::FieldIdentifier {
                        tok = l.present_token();
                    }
                });
                match tok {
                    Some(tok) => self.alloc(Expr::Select { base, tok }),
                    None => base,
                }
            }
            GoKind::Call => self.call(base),
            GoKind::Conversion => self.conversion(base),
            GoKind::Index | GoKind::Instantiation => {
                let start = self.list_start();
                self.following(|l, kind| {
                    if kind.is_expr() {
                        let arg = l.expr();
                        l.list_push(arg);
                    }
                });
                let args = self.list_end(start);
                self.alloc(Expr::Index { base, args })
            }
            GoKind::GenericType => {
                let mut args = EMPTY_LIST;
                self.following(|l, kind| {
                    if kind == GoKind::TypeArguments {
                        args = l.expr_list();
                    }
                });
                // In `~F[T]` the grammar puts the tilde inside the instantiated type.
                if let Expr::Tilde(base) = self.at(base) {
                    let inner = self.alloc(Expr::Index { base, args });
                    return self.alloc(Expr::Tilde(inner));
                }
                self.alloc(Expr::Index { base, args })
            }
            GoKind::Slice => {
                let start = self.list_start();
                self.following(|l, kind| {
                    if kind.is_expr() {
                        let operand = l.expr();
                        l.list_push(operand);
                    }
                });
                let operands = self.list_end(start);
                self.alloc(Expr::Slice { base, operands })
            }
            GoKind::Assertion => {
                let mut ty = no_expr();
                self.following(|l, kind| {
                    if kind.is_expr() {
                        ty = l.expr();
                    }
                });
                self.alloc(Expr::Assert { base, ty })
            }
            // A parenthesised expression: only ERROR nodes can follow.
            _ => {
                self.following(|_, _| {});
                base
            }
        }
    }

    /// Lowers `fun(args)` or `fun[types](args)`; the cursor is on `fun`.
    fn call(&mut self, mut fun: ExprId) -> ExprId {
        let mut args = EMPTY_LIST;
        let mut spread = false;
        self.out.calls += 1;
        self.following(|l, kind| match kind {
            GoKind::TypeArguments => {
                let types = l.expr_list();
                fun = l.alloc(Expr::Index {
                    base: fun,
                    args: types,
                });
            }
            GoKind::ArgumentList => {
                fun = l.callee(fun);
                let is_len = match l.at(fun) {
                    Expr::Name(tok) => l.out.names.get(tok as usize) == Some(&l.len),
                    _ => false,
                };
                l.measuring += u32::from(is_len);
                let start = l.list_start();
                l.children(|l, kind| match kind {
                    GoKind::VariadicArgument => {
                        spread = true;
                        let arg = l.only_expr();
                        l.list_push(arg);
                    }
                    kind if kind.is_expr() => {
                        let arg = l.expr();
                        l.list_push(arg);
                    }
                    _ => {}
                });
                args = l.list_end(start);
                l.measuring -= u32::from(is_len);
            }
            _ => {}
        });
        self.alloc(Expr::Call { fun, args, spread })
    }

    /// Lowers `type(operand)`; the cursor is on the type. The grammar reads `a[i](x)` as a
    /// conversion, too.
    fn conversion(&mut self, base: ExprId) -> ExprId {
        let mut fun = base;
        let mut args = EMPTY_LIST;
        self.out.calls += 1;
        self.following(|l, kind| {
            if kind == GoKind::Open {
                fun = l.callee(base);
            } else if kind.is_expr() {
                let start = l.list_start();
                let arg = l.expr();
                l.list_push(arg);
                args = l.list_end(start);
            }
        });
        self.alloc(Expr::Call {
            fun,
            args,
            spread: false,
        })
    }

    /// Wraps the callee of a call whose opening parenthesis is at the start of the node under the
    /// cursor.
    fn callee(&mut self, fun: ExprId) -> ExprId {
        match self.at(fun) {
            Expr::Name(_)
            | Expr::Select { .. }
            | Expr::FuncLit(_)
            | Expr::SliceOf(_)
            | Expr::Array { .. }
            | Expr::DotsArray(_)
            | Expr::Map { .. }
            | Expr::Chan(..)
            | Expr::Func(_)
            | Expr::Struct(_)
            | Expr::Interface(_) => fun,
            _ => {
                let tok = self.paren_token();
                self.alloc(Expr::Callee { fun, tok })
            }
        }
    }

    /// Lowers the expressions below the node under the cursor to a list.
    pub(super) fn expr_list(&mut self) -> ListId {
        let start = self.list_start();
        self.children(|l, kind| {
            if kind.is_expr() {
                let expr = l.expr();
                l.list_push(expr);
            }
        });
        self.list_end(start)
    }

    /// Lowers the last expression below the node under the cursor.
    pub(super) fn only_expr(&mut self) -> ExprId {
        let mut found = no_expr();
        self.children(|l, kind| {
            if kind.is_expr() {
                found = l.expr();
            }
        });
        found
    }

    /// Lowers an expression that does not begin with another one.
    fn operand(&mut self, kind: GoKind) -> ExprId {
        if self.is_missing() {
            return no_expr();
        }
        match kind {
            GoKind::Identifier
            | GoKind::TypeIdentifier
            | GoKind::FieldIdentifier
            | GoKind::PackageIdentifier
            | GoKind::BlankIdentifier
            | GoKind::Nil
            | GoKind::True
            | GoKind::False
            | GoKind::Iota => {
                let tok = self.token();
                self.alloc(Expr::Name(tok))
            }
            GoKind::QualifiedType => {
                let mut value = no_expr();
                self.children(|l, kind| match kind {
                    GoKind::PackageIdentifier => {
                        let tok = l.token();
                        value = l.alloc(Expr::Name(tok));
                    }
                    GoKind::TypeIdentifier if !l.is_missing() => {
                        let tok = l.token();
                        value = l.alloc(Expr::Select { base: value, tok });
                    }
                    _ => {}
                });
                value
            }
            GoKind::Unary => self.unary(),
            GoKind::Composite => self.composite(),
            GoKind::FuncLiteral => self.func_literal(),
            GoKind::InterpretedString | GoKind::RawString => {
                let literal = if self.shape {
                    Expr::Str {
                        len: 0,
                        tok: NO_TOK,
                    }
                } else {
                    let is_measured = !self.in_bodies || self.measuring > 0;
                    let len = match is_measured.then(|| self.node_text()) {
                        Some(text) => literals::string_len(text),
                        None => 0,
                    };
                    let tok = self.text_token();
                    Expr::Str { len, tok }
                };
                self.alloc(literal)
            }
            GoKind::Int => {
                let value = if self.shape {
                    Some(1)
                } else {
                    literals::int(self.node_text())
                };
                self.int(value)
            }
            GoKind::Float => self.alloc(Expr::Float),
            GoKind::Imaginary => self.alloc(Expr::Imag),
            GoKind::Rune => {
                let value = if self.shape {
                    0
                } else {
                    literals::rune(self.node_text())
                };
                self.alloc(Expr::Rune(value))
            }
            kind => {
                // Array lengths and tags are part of a type, so they belong to the shape as well.
                let shape = std::mem::replace(&mut self.shape, false);
                let ty = self.type_node(kind);
                self.shape = shape;
                ty
            }
        }
    }

    pub(super) fn int(&mut self, value: Option<i128>) -> ExprId {
        let number = self.out.ints.len() as u32;
        self.out.ints.push(value);
        self.alloc(Expr::Int(number))
    }

    fn unary(&mut self) -> ExprId {
        let mut op = None;
        let mut star = false;
        let mut value = no_expr();
        self.children(|l, kind| match kind {
            GoKind::Plus => op = Some(UnaryOp::Plus),
            GoKind::Minus => op = Some(UnaryOp::Minus),
            GoKind::Bang => op = Some(UnaryOp::Not),
            GoKind::Caret => op = Some(UnaryOp::Xor),
            GoKind::Amp => op = Some(UnaryOp::Address),
            GoKind::Arrow => op = Some(UnaryOp::Receive),
            GoKind::Star => star = true,
            kind if kind.is_expr() => value = l.expr(),
            _ => {}
        });
        match op {
            _ if star => self.alloc(Expr::Star(value)),
            Some(op) => self.alloc(Expr::Unary(op, value)),
            None => value,
        }
    }

    fn func_literal(&mut self) -> ExprId {
        let (shape, mut parts) = (
            std::mem::replace(&mut self.shape, false),
            SigParts::default(),
        );
        let mut body = no_stmt();
        self.children(|l, kind| match kind {
            GoKind::Block if !shape => body = l.block(),
            GoKind::Block => {}
            kind => l.sig_part(&mut parts, kind),
        });
        self.shape = shape;
        let sig = self.alloc_sig(parts.into_sig());
        let number = self.out.literals.len() as u32;
        self.out.literals.push((sig, body));
        self.alloc(Expr::FuncLit(number))
    }
}

/// Returns whether a node begins with its first operand, so that chains of it grow to the left.
fn is_spine(kind: GoKind) -> bool {
    GoKind::Binary <= kind && kind <= GoKind::GenericType
}

/// Returns whether a node binds more tightly than a unary operator before it.
fn is_postfix(kind: GoKind) -> bool {
    GoKind::Selector <= kind && kind <= GoKind::Instantiation
}

fn binary_op(kind: GoKind) -> Option<BinaryOp> {
    Some(match kind {
        GoKind::Plus => BinaryOp::Add,
        GoKind::Minus => BinaryOp::Sub,
        GoKind::Star => BinaryOp::Mul,
        GoKind::Slash => BinaryOp::Div,
        GoKind::Percent => BinaryOp::Rem,
        GoKind::Amp => BinaryOp::And,
        GoKind::Pipe => BinaryOp::Or,
        GoKind::Caret => BinaryOp::Xor,
        GoKind::AmpCaret => BinaryOp::AndNot,
        GoKind::ShiftLeft => BinaryOp::Shl,
        GoKind::ShiftRight => BinaryOp::Shr,
        GoKind::Equal
        | GoKind::NotEqual
        | GoKind::Less
        | GoKind::LessEqual
        | GoKind::Greater
        | GoKind::GreaterEqual => BinaryOp::Compare,
        GoKind::AndAnd | GoKind::OrOr => BinaryOp::Logic,
        _ => return None,
    })
}
