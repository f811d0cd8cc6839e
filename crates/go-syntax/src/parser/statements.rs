//! Parses statements (Go spec, Statements).

use super::GoParser;
use super::scanner::Token;
use crate::flat::{Children, NodeNumber};
use crate::kinds::GoKind;

impl GoParser<'_> {
    /// Parses a block.
    pub(super) fn block(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.expect(Token::OpenBrace)?;
        let mut children = Children::new();
        self.statement_list(&mut children)?;
        self.expect(Token::CloseBrace)?;
        Some(self.node(GoKind::Block, start, children))
    }

    /// Parses the body of a control statement, which is outside of its header.
    fn body(&mut self) -> Option<NodeNumber> {
        self.with_header(false, |p| p.block())
    }

    /// Adds the statements up to the end of a block or clause, if there are any.
    fn statement_list(&mut self, into: &mut Children) -> Option<()> {
        let start = self.start();
        let mut statements = Children::new();
        while !self.ends_list() {
            let statement = self.statement()?;
            self.append(&mut statements, statement);
            if !self.ends_list() {
                self.terminator()?;
            }
        }
        if !statements.is_empty() {
            let list = self.node(GoKind::StatementList, start, statements);
            self.append(into, list);
        }
        Some(())
    }

    fn ends_list(&self) -> bool {
        matches!(
            self.peek(),
            Token::CloseBrace | Token::Case | Token::Default
        )
    }

    fn statement(&mut self) -> Option<NodeNumber> {
        self.nested(|p| p.statement_here())
    }

    fn statement_here(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        match self.peek() {
            Token::Ident if self.peek_at(1) == Token::Colon => self.labeled(),
            Token::Var | Token::Const | Token::Type => self.declaration(),
            Token::Return => {
                self.bump();
                let mut children = Children::new();
                if !self.ends_list() && !matches!(self.peek(), Token::LineEnd | Token::Semicolon) {
                    let values = self.expr_list()?;
                    self.append(&mut children, values);
                }
                Some(self.node(GoKind::ReturnStatement, start, children))
            }
            Token::Break => self.branch(GoKind::BreakStatement),
            Token::Continue => self.branch(GoKind::ContinueStatement),
            Token::Goto if self.peek_at(1) == Token::Ident => self.branch(GoKind::GotoStatement),
            Token::Fallthrough => Some(self.leaf(GoKind::FallthroughStatement)),
            Token::Go => self.prefixed(GoKind::GoStatement),
            Token::Defer => self.prefixed(GoKind::DeferStatement),
            Token::If => self.if_statement(),
            Token::For => self.for_statement(),
            Token::Switch => self.switch_statement(),
            Token::Select => self.select_statement(),
            Token::OpenBrace => self.block(),
            _ => self.simple(),
        }
    }

    fn labeled(&mut self) -> Option<NodeNumber> {
        if self.is_value_at(0) {
            return None;
        }
        let start = self.start();
        let mut children = Children::new();
        let label = self.name(GoKind::LabelName)?;
        self.append(&mut children, label);
        self.bump();
        match self.peek() {
            Token::CloseBrace | Token::Case | Token::Default => {}
            _ => {
                let statement = self.statement()?;
                // Behind a label the grammar has no label without a statement.
                if self.tree.is_empty_label(statement) {
                    return None;
                }
                self.append(&mut children, statement);
            }
        }
        Some(self.node(GoKind::LabeledStatement, start, children))
    }

    fn branch(&mut self, kind: GoKind) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        let mut children = Children::new();
        if self.peek() == Token::Ident {
            let label = self.leaf(GoKind::LabelName);
            self.append(&mut children, label);
        }
        Some(self.node(kind, start, children))
    }

    /// Parses `go` or `defer` with its expression.
    fn prefixed(&mut self, kind: GoKind) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        let expr = self.expr()?;
        Some(self.wrap(kind, start, expr))
    }

    /// Parses a simple statement other than an empty one.
    fn simple(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let first = self.expr()?;
        self.simple_from(first, start)
    }

    /// Parses the rest of a simple statement whose first expression is read.
    fn simple_from(&mut self, first: NodeNumber, start: u32) -> Option<NodeNumber> {
        let (kind, is_plain) = match self.peek() {
            Token::Comma | Token::Assign => (GoKind::Assignment, true),
            Token::AssignOp => (GoKind::Assignment, false),
            Token::Define => (GoKind::ShortVar, false),
            Token::Inc | Token::Dec => {
                let kind = match self.peek() {
                    Token::Inc => GoKind::IncStatement,
                    _ => GoKind::DecStatement,
                };
                self.bump();
                return Some(self.wrap(kind, start, first));
            }
            Token::Arrow => {
                self.bump();
                let mut children = Children::new();
                self.append(&mut children, first);
                let value = self.expr()?;
                self.append(&mut children, value);
                return Some(self.node(GoKind::SendStatement, start, children));
            }
            _ => return Some(self.wrap(GoKind::ExpressionStatement, start, first)),
        };
        let left = self.expr_list_from(first, start)?;
        let mut children = Children::new();
        self.append(&mut children, left);
        let kind = match self.peek() {
            Token::Define => {
                self.bump();
                GoKind::ShortVar
            }
            Token::Assign if is_plain => {
                let assign = self.leaf(GoKind::Assign);
                self.append(&mut children, assign);
                kind
            }
            Token::AssignOp => {
                self.bump();
                kind
            }
            _ => return None,
        };
        let right = self.expr_list()?;
        self.append(&mut children, right);
        Some(self.node(kind, start, children))
    }

    fn if_statement(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        let mut children = Children::new();
        self.with_header(true, |p| {
            let first = p.simple()?;
            if p.eat(Token::Semicolon) {
                p.append(&mut children, first);
                let condition = p.expr()?;
                p.append(&mut children, condition);
            } else {
                p.append_expression(&mut children, first)?;
            }
            Some(())
        })?;
        let then = self.body()?;
        self.append(&mut children, then);
        if self.eat(Token::Else) {
            let other = match self.peek() {
                // A chain of any length nests no deeper for lowering.
                Token::If => self.nested(|p| p.if_statement())?,
                _ => self.body()?,
            };
            self.append(&mut children, other);
        }
        Some(self.node(GoKind::IfStatement, start, children))
    }

    /// Appends the expression of an expression statement; gives up at another statement.
    fn append_expression(&mut self, into: &mut Children, statement: NodeNumber) -> Option<()> {
        let expr = self
            .tree
            .unwrapped(statement, GoKind::ExpressionStatement)?;
        self.append(into, expr);
        Some(())
    }

    fn for_statement(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        let mut children = Children::new();
        if self.peek() != Token::OpenBrace {
            self.with_header(true, |p| p.for_header(&mut children))?;
        }
        let body = self.body()?;
        self.append(&mut children, body);
        Some(self.node(GoKind::ForStatement, start, children))
    }

    fn for_header(&mut self, into: &mut Children) -> Option<()> {
        let start = self.start();
        let mut children = Children::new();
        if self.peek() == Token::Range {
            return self.range(into, children, start);
        }
        if self.peek() != Token::Semicolon {
            let first = self.expr()?;
            if matches!(self.peek(), Token::Comma | Token::Assign | Token::Define) {
                let left = self.expr_list_from(first, start)?;
                let is_define = match self.peek() {
                    Token::Define => true,
                    Token::Assign => false,
                    _ => return None,
                };
                self.append(&mut children, left);
                let operator = self.leaf(if is_define {
                    GoKind::Define
                } else {
                    GoKind::Assign
                });
                self.append(&mut children, operator);
                if self.peek() == Token::Range {
                    return self.range(into, children, start);
                }
                let right = self.expr_list()?;
                self.append(&mut children, right);
                let kind = if is_define {
                    GoKind::ShortVar
                } else {
                    GoKind::Assignment
                };
                let init = self.node(kind, start, children);
                children = Children::new();
                self.append(&mut children, init);
            } else {
                let init = self.simple_from(first, start)?;
                if self.peek() != Token::Semicolon {
                    return self.append_expression(into, init);
                }
                self.append(&mut children, init);
            }
        }
        self.semicolon(&mut children)?;
        if self.peek() != Token::Semicolon {
            let condition = self.expr()?;
            self.append(&mut children, condition);
        }
        self.semicolon(&mut children)?;
        if self.peek() != Token::OpenBrace {
            let post = self.simple()?;
            self.append(&mut children, post);
        }
        let clause = self.node(GoKind::ForClause, start, children);
        self.append(into, clause);
        Some(())
    }

    fn semicolon(&mut self, into: &mut Children) -> Option<()> {
        if self.peek() != Token::Semicolon {
            return None;
        }
        let semicolon = self.leaf(GoKind::Semicolon);
        self.append(into, semicolon);
        Some(())
    }

    fn range(&mut self, into: &mut Children, mut clause: Children, start: u32) -> Option<()> {
        self.bump();
        let over = self.expr()?;
        self.append(&mut clause, over);
        let clause = self.node(GoKind::RangeClause, start, clause);
        self.append(into, clause);
        Some(())
    }

    fn switch_statement(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        let mut children = Children::new();
        let is_type_switch = self.with_header(true, |p| p.switch_header(&mut children))?;
        self.expect(Token::OpenBrace)?;
        self.with_header(false, |p| {
            while !p.eat(Token::CloseBrace) {
                let clause = p.clause(is_type_switch)?;
                p.append(&mut children, clause);
            }
            Some(())
        })?;
        let kind = if is_type_switch {
            GoKind::TypeSwitchStatement
        } else {
            GoKind::SwitchStatement
        };
        Some(self.node(kind, start, children))
    }

    /// Parses the header of a switch; returns whether it is a type switch.
    fn switch_header(&mut self, into: &mut Children) -> Option<bool> {
        if self.peek() == Token::OpenBrace {
            return Some(false);
        }
        let start = self.start();
        let mut first = self.switch_part(into, start)?;
        if first.is_some() && self.eat(Token::Semicolon) {
            if let Some(init) = first {
                self.append(into, init);
            }
            if self.peek() == Token::OpenBrace {
                return Some(false);
            }
            let start = self.start();
            first = self.switch_part(into, start)?;
        }
        let Some(tag) = first else { return Some(true) };
        self.append_expression(into, tag)?;
        Some(false)
    }

    /// Parses a simple statement; returns `Some(None)` after what ends in `.(type)`, which is added.
    fn switch_part(&mut self, into: &mut Children, start: u32) -> Option<Option<NodeNumber>> {
        let first = self.expr()?;
        if self.peek() == Token::Dot {
            self.append(into, first);
            self.guard(first)?;
            return Some(None);
        }
        if self.peek() != Token::Define {
            return Some(Some(self.simple_from(first, start)?));
        }
        let left = self.expr_list_from(first, start)?;
        self.bump();
        let from = self.start();
        let first = self.expr()?;
        if self.peek() == Token::Dot {
            self.append(into, left);
            self.append(into, first);
            self.guard(first)?;
            return Some(None);
        }
        let right = self.expr_list_from(first, from)?;
        let mut children = Children::new();
        self.append(&mut children, left);
        self.append(&mut children, right);
        Some(Some(self.node(GoKind::ShortVar, start, children)))
    }

    /// Moves behind the `.(type)` of an operand; gives up if the dot is inside of a larger expression.
    fn guard(&mut self, operand: NodeNumber) -> Option<()> {
        if matches!(self.tree.node(operand).kind, GoKind::Unary | GoKind::Binary) {
            return None;
        }
        self.expect(Token::Dot)?;
        self.expect(Token::Open)?;
        self.expect(Token::Type)?;
        self.expect(Token::Close)
    }

    fn clause(&mut self, of_types: bool) -> Option<NodeNumber> {
        let start = self.start();
        let mut children = Children::new();
        let kind = match (self.peek(), of_types) {
            (Token::Default, _) => {
                self.bump();
                GoKind::DefaultCase
            }
            (Token::Case, true) => {
                self.bump();
                loop {
                    let ty = self.ty()?;
                    self.append(&mut children, ty);
                    if !self.eat(Token::Comma) {
                        break;
                    }
                }
                GoKind::TypeCase
            }
            (Token::Case, false) => {
                self.bump();
                let values = self.expr_list()?;
                self.append(&mut children, values);
                GoKind::ExpressionCase
            }
            _ => return None,
        };
        self.expect(Token::Colon)?;
        self.statement_list(&mut children)?;
        Some(self.node(kind, start, children))
    }

    fn select_statement(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        self.expect(Token::OpenBrace)?;
        let mut children = Children::new();
        while !self.eat(Token::CloseBrace) {
            let clause = match self.peek() {
                Token::Default => self.clause(false)?,
                _ => self.communication()?,
            };
            self.append(&mut children, clause);
        }
        Some(self.node(GoKind::SelectStatement, start, children))
    }

    fn communication(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.expect(Token::Case)?;
        let from = self.start();
        let first = self.expr()?;
        let mut parts = Children::new();
        let mut kind = GoKind::ReceiveStatement;
        match self.peek() {
            Token::Comma | Token::Assign | Token::Define => {
                let left = self.expr_list_from(first, from)?;
                self.append(&mut parts, left);
                let operator = match self.peek() {
                    Token::Define => GoKind::Define,
                    Token::Assign => GoKind::Assign,
                    _ => return None,
                };
                let operator = self.leaf(operator);
                self.append(&mut parts, operator);
                let right = self.expr()?;
                self.append(&mut parts, right);
            }
            Token::Arrow => {
                kind = GoKind::SendStatement;
                self.bump();
                self.append(&mut parts, first);
                let value = self.expr()?;
                self.append(&mut parts, value);
            }
            _ => self.append(&mut parts, first),
        }
        let statement = self.node(kind, from, parts);
        let mut children = Children::new();
        self.append(&mut children, statement);
        self.expect(Token::Colon)?;
        self.statement_list(&mut children)?;
        Some(self.node(GoKind::CommunicationCase, start, children))
    }
}
