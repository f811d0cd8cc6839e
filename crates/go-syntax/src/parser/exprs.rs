//! Parses expressions (Go spec, Expressions).
//!
//! Where the language needs types to separate an expression from a type (`a.b`, `a[i]`, `*a`), the tree has the
//! expression: lowering makes the same of both.

use super::GoParser;
use super::scanner::Token;
use crate::flat::{Children, NodeNumber};
use crate::kinds::GoKind;

/// An expression, or a type where one is allowed.
#[derive(Clone, Copy)]
struct Operand {
    node: NodeNumber,
    form: Form,
}

/// What an operand can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A value, and no type.
    Value,
    /// A value or a type name, qualified or instantiated.
    Name,
    /// A value or a pointer to a name, or either in parentheses.
    Pointer,
    /// A type, and no value.
    Type,
}

impl GoParser<'_> {
    /// Parses an expression that is no type.
    pub(super) fn expr(&mut self) -> Option<NodeNumber> {
        let operand = self.operand_or_type()?;
        (operand.form != Form::Type).then_some(operand.node)
    }

    /// Parses an expression or a type.
    fn operand_or_type(&mut self) -> Option<Operand> {
        self.nested(|p| p.binary(1))
    }

    /// Parses a comma-separated list of expressions to one node.
    pub(super) fn expr_list(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let first = self.expr()?;
        self.expr_list_from(first, start)
    }

    /// Parses the rest of an expression list whose first expression is read.
    pub(super) fn expr_list_from(&mut self, first: NodeNumber, start: u32) -> Option<NodeNumber> {
        let mut children = Children::new();
        self.append(&mut children, first);
        while self.eat(Token::Comma) {
            let next = self.expr()?;
            self.append(&mut children, next);
        }
        Some(self.node(GoKind::ExpressionList, start, children))
    }

    /// Parses operators of at least a precedence, with their operands.
    fn binary(&mut self, least: u8) -> Option<Operand> {
        let start = self.start();
        let mut left = self.unary()?;
        while let Some((precedence, kind)) = operator(self.peek()) {
            if precedence < least {
                break;
            }
            if left.form == Form::Type {
                return None;
            }
            let mut children = Children::new();
            self.append(&mut children, left.node);
            let operator = self.leaf(kind);
            self.append(&mut children, operator);
            let right = self.nested(|p| p.binary(precedence + 1))?;
            if right.form == Form::Type {
                return None;
            }
            self.append(&mut children, right.node);
            left = Operand {
                node: self.node(GoKind::Binary, start, children),
                form: Form::Value,
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Operand> {
        let start = self.start();
        let kind = match self.peek() {
            Token::Plus => GoKind::Plus,
            Token::Minus => GoKind::Minus,
            Token::Bang => GoKind::Bang,
            Token::Caret => GoKind::Caret,
            Token::Star => GoKind::Star,
            Token::Amp => GoKind::Amp,
            Token::Arrow if self.peek_at(1) == Token::Chan => {
                let ty = self.ty()?;
                // `<-chan T(x)` receives from a conversion.
                return match self.peek() {
                    Token::Open => None,
                    _ => Some(of_type(ty)),
                };
            }
            Token::Arrow => GoKind::Arrow,
            _ => return self.primary(),
        };
        let mut children = Children::new();
        self.stars = match kind {
            GoKind::Star => self.stars + 1,
            _ => 0,
        };
        let operator = self.leaf(kind);
        self.append(&mut children, operator);
        let first = self.at;
        let inner = self.nested(|p| p.unary())?;
        if kind == GoKind::Star && self.absorbed > 0 {
            self.absorbed -= 1;
            return Some(inner);
        }
        if kind == GoKind::Star && self.is_starred_element(first) {
            return None;
        }
        self.append(&mut children, inner.node);
        let (kind, form) = match (kind, inner.form) {
            (GoKind::Star, Form::Type) => (GoKind::PointerType, Form::Type),
            (_, Form::Type) => return None,
            (GoKind::Star, Form::Name | Form::Pointer) => (GoKind::Unary, Form::Pointer),
            _ => (GoKind::Unary, Form::Value),
        };
        Some(Operand {
            node: self.node(kind, start, children),
            form,
        })
    }

    /// Returns whether the operand of a star, from token `first` on, begins as `a[i](x)`, `(*a[i])(x)` or
    /// `a[i, j]` does. The grammar makes the star part of a type there.
    fn is_starred_element(&self, first: usize) -> bool {
        let operand = self.tokens.get(first..self.at).unwrap_or(&[]);
        let kind = |at: usize| operand.get(at).map(|token| token.kind);
        let open = match (kind(0), kind(1)) {
            (Some(Token::Open), _) => 0,
            (Some(Token::Ident), Some(Token::Dot)) => 3,
            (Some(Token::Ident), _) => 1,
            _ => return false,
        };
        if open > 0 && kind(open) != Some(Token::OpenBracket) {
            return false;
        }
        let (mut depth, mut has_index) = (0_u32, false);
        for (number, token) in operand.iter().enumerate().skip(open) {
            has_index |= token.kind == Token::OpenBracket;
            match token.kind {
                Token::OpenBracket | Token::Open | Token::OpenBrace => depth += 1,
                Token::CloseBracket | Token::Close | Token::CloseBrace => depth -= 1,
                Token::Comma if depth == 1 => return true,
                _ => {}
            }
            if depth == 0 {
                return has_index && kind(number + 1) == Some(Token::Open);
            }
        }
        false
    }

    /// Parses an operand and what follows it: selectors, indices, calls, bodies of composite literals.
    fn primary(&mut self) -> Option<Operand> {
        let stars = std::mem::take(&mut self.stars);
        let start = self.start();
        let mut left = self.operand()?;
        // In `*[]T(x)` the grammar makes the star part of the type.
        let absorbs = left.form == Form::Type && self.peek() == Token::Open;
        if absorbs {
            for _ in 0..stars {
                left.node = self.wrap(GoKind::PointerType, start, left.node);
            }
        }
        left = self.suffixes(left, start)?;
        self.absorbed = if absorbs { stars } else { 0 };
        Some(left)
    }

    /// Parses what follows an operand.
    fn suffixes(&mut self, mut left: Operand, start: u32) -> Option<Operand> {
        loop {
            left = match self.peek() {
                Token::Dot if left.form != Form::Type => match self.peek_at(1) {
                    Token::Ident => {
                        self.bump();
                        let name = self.leaf(GoKind::FieldIdentifier);
                        let is_plain = self.tree.node(left.node).kind == GoKind::Identifier;
                        let form = match left.form {
                            Form::Name if is_plain => Form::Name,
                            _ => Form::Value,
                        };
                        let node = self.pair(GoKind::Selector, start, left.node, name);
                        Operand { node, form }
                    }
                    Token::Open if self.peek_at(2) == Token::Type => return Some(left),
                    Token::Open => {
                        self.bump();
                        self.bump();
                        let ty = self.with_header(false, |p| p.ty())?;
                        self.expect(Token::Close)?;
                        self.value(GoKind::Assertion, start, left.node, ty)
                    }
                    _ => return None,
                },
                Token::OpenBracket if left.form != Form::Type => {
                    self.with_header(false, |p| p.index(left, start))?
                }
                Token::Open if left.form == Form::Type => {
                    self.with_header(false, |p| p.conversion(left.node, start))?
                }
                Token::Open => self.with_header(false, |p| p.call(left.node, start))?,
                Token::OpenBrace if self.is_literal_type(left) => {
                    let body = self.with_header(false, |p| p.literal_value())?;
                    self.value(GoKind::Composite, start, left.node, body)
                }
                _ => return Some(left),
            };
        }
    }

    fn pair(
        &mut self,
        kind: GoKind,
        start: u32,
        first: NodeNumber,
        second: NodeNumber,
    ) -> NodeNumber {
        let mut children = Children::new();
        self.append(&mut children, first);
        self.append(&mut children, second);
        self.node(kind, start, children)
    }

    fn value(
        &mut self,
        kind: GoKind,
        start: u32,
        first: NodeNumber,
        second: NodeNumber,
    ) -> Operand {
        Operand {
            node: self.pair(kind, start, first, second),
            form: Form::Value,
        }
    }

    /// Returns whether a brace behind an operand begins the body of a composite literal.
    fn is_literal_type(&self, operand: Operand) -> bool {
        match operand.form {
            Form::Name => !self.in_header && !self.begins_as_value(operand.node),
            Form::Type => matches!(
                self.tree.node(operand.node).kind,
                GoKind::ArrayType
                    | GoKind::DotsArrayType
                    | GoKind::SliceType
                    | GoKind::MapType
                    | GoKind::StructType
            ),
            Form::Value | Form::Pointer => false,
        }
    }

    /// Returns whether an operand begins with a predeclared name that the grammar takes for no type.
    fn begins_as_value(&self, operand: NodeNumber) -> bool {
        let node = self.tree.node(operand);
        let text = self.text.get(node.start as usize..node.end as usize);
        let text = text.unwrap_or_default();
        let mut names = text.split(|char: char| !char.is_alphanumeric() && char != '_');
        names.next().is_some_and(is_value_name)
    }

    /// Returns whether the token `ahead` behind the next is a predeclared name that the grammar takes for a
    /// value wherever one is allowed.
    pub(super) fn is_value_at(&self, ahead: usize) -> bool {
        let token = self.tokens.get(self.at + ahead);
        let text = token.and_then(|token| self.text.get(token.start as usize..token.end as usize));
        text.is_some_and(is_value_name)
    }

    fn operand(&mut self) -> Option<Operand> {
        let start = self.start();
        let literal = match self.peek() {
            Token::Ident => {
                return Some(Operand {
                    node: self.leaf(GoKind::Identifier),
                    form: Form::Name,
                });
            }
            Token::Int => GoKind::Int,
            Token::Float => GoKind::Float,
            Token::Imaginary => GoKind::Imaginary,
            Token::Rune => GoKind::Rune,
            Token::String => GoKind::InterpretedString,
            Token::RawString => GoKind::RawString,
            Token::Open => {
                self.bump();
                let inner = self.with_header(false, |p| p.operand_or_type())?;
                self.expect(Token::Close)?;
                let (kind, form) = match inner.form {
                    Form::Type => (GoKind::ParenType, Form::Type),
                    Form::Value => (GoKind::Paren, Form::Value),
                    Form::Name | Form::Pointer => (GoKind::Paren, Form::Pointer),
                };
                return Some(Operand {
                    node: self.wrap(kind, start, inner.node),
                    form,
                });
            }
            Token::OpenBracket => {
                let ty = self.nested(|p| p.array_type(true))?;
                // Only a composite literal can have `[...]T`.
                let has_dots = self.tree.node(ty).kind == GoKind::DotsArrayType;
                if has_dots && self.peek() != Token::OpenBrace {
                    return None;
                }
                return Some(of_type(ty));
            }
            Token::Map | Token::Chan | Token::Struct | Token::Interface => {
                return Some(of_type(self.ty()?));
            }
            Token::Func => return self.nested(|p| p.function()),
            _ => return None,
        };
        Some(Operand {
            node: self.leaf(literal),
            form: Form::Value,
        })
    }

    /// Parses a function literal or a function type.
    fn function(&mut self) -> Option<Operand> {
        let start = self.start();
        self.bump();
        let mut children = Children::new();
        self.signature(&mut children)?;
        if self.peek() != Token::OpenBrace {
            return Some(of_type(self.node(GoKind::FunctionType, start, children)));
        }
        let body = self.with_header(false, |p| p.block())?;
        self.append(&mut children, body);
        Some(Operand {
            node: self.node(GoKind::FuncLiteral, start, children),
            form: Form::Value,
        })
    }

    /// Parses an index, a slice or type arguments behind an operand.
    fn index(&mut self, base: Operand, start: u32) -> Option<Operand> {
        self.bump();
        let mut children = Children::new();
        self.append(&mut children, base.node);
        if self.peek() != Token::Colon {
            let first = self.operand_or_type()?;
            self.append(&mut children, first.node);
            if self.peek() != Token::Colon {
                return self.arguments(base, first, children, start);
            }
            if first.form == Form::Type {
                return None;
            }
        }
        let mut colons = 0;
        while self.eat(Token::Colon) {
            colons += 1;
            if !matches!(self.peek(), Token::Colon | Token::CloseBracket) {
                let bound = self.expr()?;
                self.append(&mut children, bound);
            } else if colons == 2 || self.peek() == Token::Colon {
                return None;
            }
        }
        self.expect(Token::CloseBracket)?;
        (colons <= 2).then(|| Operand {
            node: self.node(GoKind::Slice, start, children),
            form: Form::Value,
        })
    }

    /// Parses the rest of an index or of type arguments, of which the first is read.
    fn arguments(
        &mut self,
        base: Operand,
        first: Operand,
        mut children: Children,
        start: u32,
    ) -> Option<Operand> {
        let mut are_types = first.form != Form::Value;
        let mut count = 1;
        while self.eat(Token::Comma) {
            if self.peek() == Token::CloseBracket {
                break;
            }
            let next = self.operand_or_type()?;
            are_types &= next.form != Form::Value;
            self.append(&mut children, next.node);
            count += 1;
        }
        self.expect(Token::CloseBracket)?;
        let is_instance = are_types && base.form == Form::Name;
        if count > 1 && !are_types {
            return None;
        }
        Some(Operand {
            node: self.node(GoKind::Index, start, children),
            form: if is_instance { Form::Name } else { Form::Value },
        })
    }

    fn conversion(&mut self, ty: NodeNumber, start: u32) -> Option<Operand> {
        let mut children = Children::new();
        self.append(&mut children, ty);
        let open = self.leaf(GoKind::Open);
        self.append(&mut children, open);
        let operand = self.expr()?;
        self.append(&mut children, operand);
        self.eat(Token::Comma);
        self.expect(Token::Close)?;
        Some(Operand {
            node: self.node(GoKind::Conversion, start, children),
            form: Form::Value,
        })
    }

    fn call(&mut self, fun: NodeNumber, start: u32) -> Option<Operand> {
        let from = self.start();
        // The grammar wants a type in the calls of `new` and `make`.
        let callee = *self.tree.node(fun);
        let name = match callee.kind {
            GoKind::Identifier => self.text.get(callee.start as usize..callee.end as usize)?,
            _ => "",
        };
        let mut wants_type = matches!(name, "new" | "make");
        self.bump();
        let mut children = Children::new();
        while self.peek() != Token::Close {
            let at = self.start();
            let argument = if std::mem::take(&mut wants_type) {
                self.ty()?
            } else {
                let value = self.expr()?;
                if self.eat(Token::Ellipsis) {
                    self.wrap(GoKind::VariadicArgument, at, value)
                } else {
                    value
                }
            };
            self.append(&mut children, argument);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Close)?;
        let arguments = self.node(GoKind::ArgumentList, from, children);
        Some(self.value(GoKind::Call, start, fun, arguments))
    }

    /// Parses the body of a composite literal.
    fn literal_value(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.expect(Token::OpenBrace)?;
        let mut children = Children::new();
        while self.peek() != Token::CloseBrace {
            let from = self.start();
            let mut element = self.element()?;
            if self.eat(Token::Colon) {
                let value = self.element()?;
                element = self.pair(GoKind::KeyedElement, from, element, value);
            }
            self.append(&mut children, element);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseBrace)?;
        Some(self.node(GoKind::LiteralValue, start, children))
    }

    fn element(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let inner = match self.peek() {
            Token::OpenBrace => self.nested(|p| p.literal_value())?,
            _ => self.expr()?,
        };
        Some(self.wrap(GoKind::LiteralElement, start, inner))
    }
}

fn of_type(node: NodeNumber) -> Operand {
    Operand {
        node,
        form: Form::Type,
    }
}

fn is_value_name(name: &str) -> bool {
    matches!(name, "nil" | "true" | "false" | "iota" | "new" | "make")
}

/// Returns the precedence of a binary operator, and the kind of its token.
fn operator(token: Token) -> Option<(u8, GoKind)> {
    Some(match token {
        Token::OrOr => (1, GoKind::OrOr),
        Token::AndAnd => (2, GoKind::AndAnd),
        Token::Equal => (3, GoKind::Equal),
        Token::NotEqual => (3, GoKind::NotEqual),
        Token::Less => (3, GoKind::Less),
        Token::LessEqual => (3, GoKind::LessEqual),
        Token::Greater => (3, GoKind::Greater),
        Token::GreaterEqual => (3, GoKind::GreaterEqual),
        Token::Plus => (4, GoKind::Plus),
        Token::Minus => (4, GoKind::Minus),
        Token::Pipe => (4, GoKind::Pipe),
        Token::Caret => (4, GoKind::Caret),
        Token::Star => (5, GoKind::Star),
        Token::Slash => (5, GoKind::Slash),
        Token::Percent => (5, GoKind::Percent),
        Token::ShiftLeft => (5, GoKind::ShiftLeft),
        Token::ShiftRight => (5, GoKind::ShiftRight),
        Token::Amp => (5, GoKind::Amp),
        Token::AmpCaret => (5, GoKind::AmpCaret),
        _ => return None,
    })
}
