//! Writes statements and the blocks that contain them.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{self as ast, ExceptHandler, Expr, Operator, Stmt};
use ruff_text_size::Ranged;

use super::super::kinds::{NodeField, PythonKind};
use super::exprs::bare_tuple;
use super::{TreeWriter, Unsupported, Written, start_of};

impl TreeWriter<'_> {
    /// Writes the tree of a module.
    pub(super) fn module(&mut self, body: &[Stmt]) -> Written {
        self.node(PythonKind::Module, NodeField::Other, 0, |writer| {
            for statement in body {
                writer.statement(statement)?;
            }
            writer.end = writer.text.len() as u32;
            Ok(())
        })
    }

    /// Writes the block behind a colon: on lines of its own, or on the same line.
    pub(super) fn block(&mut self, body: &[Stmt], field: NodeField) -> Written {
        let is_indented = self.eat_line_end() && self.eat(TokenKind::Indent).is_some();
        let first = body.first().ok_or(Unsupported)?;
        let start = start_of(first);
        self.node(PythonKind::Block, field, start, |writer| {
            for statement in body {
                writer.statement(statement)?;
            }
            if is_indented {
                writer.comments_of_block(start);
            }
            Ok(())
        })
    }

    /// Reads the end of a line with the comment before it, which the node around contains. Returns
    /// whether there was one.
    fn eat_line_end(&mut self) -> bool {
        if self.eat(TokenKind::Newline).is_none() {
            return false;
        }
        let before = self.next.checked_sub(2).and_then(|at| self.tokens.get(at));
        self.end = before.map_or(self.end, |token| token.end().to_u32());
        true
    }

    /// Reads the comments behind the last statement of an indented block as far as they belong to
    /// it: those that are indented as the block is, or further. `start` is where the block starts.
    pub(super) fn comments_of_block(&mut self, start: u32) {
        let indent = self.indent_of(start);
        let mut next = self.next;
        while let Some(token) = self.tokens.get(next) {
            match token.kind() {
                TokenKind::Comment if self.indent_of(token.start().to_u32()) < indent => break,
                TokenKind::Comment => {
                    self.end = token.end().to_u32();
                    self.next = next + 1;
                }
                TokenKind::NonLogicalNewline | TokenKind::Dedent => {}
                _ => break,
            }
            next += 1;
        }
    }

    /// Returns the width of the blanks before an offset, as the grammar counts them.
    fn indent_of(&self, offset: u32) -> u32 {
        let before = self.text.get(..offset as usize).unwrap_or("");
        let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
        line.bytes().fold(0, |width, byte| match byte {
            b'\t' => width + 8,
            b'\x0c' | b'\r' => 0,
            _ => width + 1,
        })
    }

    /// Skips what is between two statements.
    pub(super) fn between_statements(&mut self) {
        while let Some(token) = self.tokens.get(self.next) {
            match token.kind() {
                TokenKind::Comment
                | TokenKind::NonLogicalNewline
                | TokenKind::Newline
                | TokenKind::Indent
                | TokenKind::Dedent
                | TokenKind::Semi => self.next += 1,
                _ => return,
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Written {
        self.between_statements();
        let (start, other) = (start_of(statement), NodeField::Other);
        match statement {
            Stmt::FunctionDef(function) => return self.function(function),
            Stmt::ClassDef(class) => return self.class(class),
            Stmt::If(statement) => return self.if_statement(statement),
            Stmt::For(statement) => return self.for_statement(statement),
            Stmt::While(statement) => {
                return self.node(PythonKind::While, other, start, |writer| {
                    writer.expect(TokenKind::While)?;
                    writer.expr(&statement.test, NodeField::Condition)?;
                    writer.expect(TokenKind::Colon)?;
                    writer.block(&statement.body, NodeField::Body)?;
                    writer.else_clause(&statement.orelse, NodeField::Alternative)
                });
            }
            Stmt::Try(statement) => return self.try_statement(statement),
            Stmt::With(statement) => return self.with_statement(statement),
            Stmt::Match(statement) => return self.match_statement(statement),
            Stmt::Expr(statement) => self.expression_statement(&statement.value)?,
            Stmt::Assign(statement) => {
                self.node(PythonKind::ExpressionStatement, other, start, |writer| {
                    writer.assignment(&statement.targets, &statement.value, other, start)
                })?;
            }
            Stmt::AnnAssign(statement) => {
                self.node(PythonKind::ExpressionStatement, other, start, |writer| {
                    writer.node(PythonKind::Assignment, other, start, |writer| {
                        writer.target_list(&statement.target, NodeField::Left)?;
                        writer.expect(TokenKind::Colon)?;
                        writer.annotation(&statement.annotation, NodeField::Type)?;
                        match &statement.value {
                            Some(value) => {
                                writer.expect(TokenKind::Equal)?;
                                writer.expr_list(value, NodeField::Right)
                            }
                            None => Ok(()),
                        }
                    })
                })?;
            }
            Stmt::AugAssign(statement) => {
                self.node(PythonKind::ExpressionStatement, other, start, |writer| {
                    writer.node(PythonKind::Augmented, other, start, |writer| {
                        writer.target_list(&statement.target, NodeField::Left)?;
                        let (token, kind) = augmented(statement.op);
                        writer.token(token, kind)?;
                        writer.expr_list(&statement.value, NodeField::Right)
                    })
                })?;
            }
            Stmt::Return(statement) => {
                self.node(PythonKind::Return, other, start, |writer| {
                    writer.expect(TokenKind::Return)?;
                    match &statement.value {
                        Some(value) => writer.expr_list(value, other),
                        None => Ok(()),
                    }
                })?;
            }
            Stmt::Delete(statement) => self.delete(statement)?,
            Stmt::TypeAlias(statement) => self.type_alias(statement)?,
            Stmt::Raise(statement) => {
                self.node(PythonKind::Raise, other, start, |writer| {
                    writer.expect(TokenKind::Raise)?;
                    if let Some(raised) = &statement.exc {
                        writer.expr_list(raised, other)?;
                    }
                    if let Some(cause) = &statement.cause {
                        writer.expect(TokenKind::From)?;
                        writer.expr(cause, NodeField::Cause)?;
                    }
                    Ok(())
                })?;
            }
            Stmt::Assert(statement) => {
                self.node(PythonKind::Assert, other, start, |writer| {
                    writer.expect(TokenKind::Assert)?;
                    writer.expr(&statement.test, other)?;
                    match &statement.msg {
                        Some(message) => writer.expr(message, other),
                        None => Ok(()),
                    }
                })?;
            }
            Stmt::Import(statement) => self.import(statement)?,
            Stmt::ImportFrom(statement) => self.import_from(statement)?,
            Stmt::Global(ast::StmtGlobal { names, .. })
            | Stmt::Nonlocal(ast::StmtNonlocal { names, .. }) => {
                let kind = match statement {
                    Stmt::Global(_) => PythonKind::Global,
                    _ => PythonKind::Nonlocal,
                };
                self.node(kind, other, start, |writer| {
                    for name in names {
                        writer.leaf(PythonKind::Identifier, other, name.range);
                    }
                    Ok(())
                })?;
            }
            Stmt::Pass(statement) => self.leaf(PythonKind::Pass, other, statement.range),
            Stmt::Break(statement) => self.leaf(PythonKind::Break, other, statement.range),
            Stmt::Continue(statement) => self.leaf(PythonKind::Continue, other, statement.range),
            Stmt::IpyEscapeCommand(_) => return Err(Unsupported),
        }
        self.eat(TokenKind::Semi);
        self.eat_line_end();
        Ok(())
    }

    fn expression_statement(&mut self, value: &Expr) -> Written {
        let start = self.peek().ok_or(Unsupported)?;
        let (kind, other) = (PythonKind::ExpressionStatement, NodeField::Other);
        self.node(kind, other, start_of(&start), |writer| {
            match bare_tuple(value) {
                Some(elements) => writer.bare_elements(elements, other),
                None => writer.expr(value, other),
            }
        })
    }

    /// Writes `a = b = value`, in which each right side is an assignment again.
    fn assignment(
        &mut self,
        targets: &[Expr],
        value: &Expr,
        field: NodeField,
        start: u32,
    ) -> Written {
        let mut open = Vec::new();
        for (number, target) in targets.iter().enumerate() {
            let (field, start) = match number {
                0 => (field, start),
                _ => (NodeField::Right, start_of(target)),
            };
            open.push(self.open(PythonKind::Assignment, field, start));
            self.target_list(target, NodeField::Left)?;
            self.expect(TokenKind::Equal)?;
        }
        self.expr_list(value, NodeField::Right)?;
        for node in open.into_iter().rev() {
            self.close(node);
        }
        Ok(())
    }

    fn delete(&mut self, statement: &ast::StmtDelete) -> Written {
        let (start, other) = (start_of(statement), NodeField::Other);
        self.node(PythonKind::Delete, other, start, |writer| {
            writer.expect(TokenKind::Del)?;
            if let [only] = &statement.targets[..] {
                return writer.expr(only, other);
            }
            let start = writer.peek().ok_or(Unsupported)?;
            let kind = PythonKind::ExpressionList;
            writer.node(kind, other, start_of(&start), |writer| {
                for target in &statement.targets {
                    writer.expr(target, other)?;
                }
                Ok(())
            })
        })
    }

    fn type_alias(&mut self, statement: &ast::StmtTypeAlias) -> Written {
        let (start, other) = (start_of(statement), NodeField::Other);
        self.node(PythonKind::TypeAlias, other, start, |writer| {
            writer.expect(TokenKind::Type)?;
            let Expr::Name(name) = &*statement.name else {
                return Err(Unsupported);
            };
            let start = start_of(name);
            writer.node(PythonKind::Type, NodeField::Left, start, |writer| {
                let Some(params) = &statement.type_params else {
                    writer.leaf(PythonKind::Identifier, other, name.range);
                    return Ok(());
                };
                writer.node(PythonKind::GenericType, other, start, |writer| {
                    writer.leaf(PythonKind::Identifier, other, name.range);
                    writer.type_params(params, other)
                })
            })?;
            writer.expect(TokenKind::Equal)?;
            writer.annotation(&statement.value, NodeField::Right)
        })
    }

    fn import(&mut self, statement: &ast::StmtImport) -> Written {
        let start = start_of(statement);
        self.node(PythonKind::Import, NodeField::Other, start, |writer| {
            writer.eat(TokenKind::Lazy);
            writer.expect(TokenKind::Import)?;
            writer.imported(&statement.names)
        })
    }

    fn import_from(&mut self, statement: &ast::StmtImportFrom) -> Written {
        let module = statement.module.as_ref();
        let is_future = statement.level == 0 && module.is_some_and(|one| one.id == "__future__");
        let kind = if is_future {
            PythonKind::FutureImport
        } else {
            PythonKind::ImportFrom
        };
        let (start, other) = (start_of(statement), NodeField::Other);
        self.node(kind, other, start, |writer| {
            writer.eat(TokenKind::Lazy);
            writer.expect(TokenKind::From)?;
            match module {
                Some(module) if is_future => {
                    writer.leaf(PythonKind::FutureWord, other, module.range);
                }
                Some(module) if statement.level == 0 => {
                    writer.dotted_name(module, NodeField::ModuleName)?;
                }
                _ => writer.relative_import(module)?,
            }
            writer.expect(TokenKind::Import)?;
            let is_star = statement.names.iter().any(|one| one.name.id == "*");
            if is_star {
                return writer.token(TokenKind::Star, PythonKind::Wildcard);
            }
            let paren = writer.eat(TokenKind::Lpar);
            writer.imported(&statement.names)?;
            writer.eat(TokenKind::Comma);
            if paren.is_some() {
                writer.expect(TokenKind::Rpar)?;
            }
            Ok(())
        })
    }

    fn relative_import(&mut self, module: Option<&ast::Identifier>) -> Written {
        let first = self.peek().ok_or(Unsupported)?;
        let (kind, field) = (PythonKind::RelativeImport, NodeField::ModuleName);
        self.node(kind, field, start_of(&first), |writer| {
            let other = NodeField::Other;
            let dots = writer.open(PythonKind::ImportPrefix, other, start_of(&first));
            while writer.eat(TokenKind::Dot).is_some() || writer.eat(TokenKind::Ellipsis).is_some()
            {
            }
            writer.close(dots);
            match module {
                Some(module) => writer.dotted_name(module, other),
                None => Ok(()),
            }
        })
    }

    fn imported(&mut self, names: &[ast::Alias]) -> Written {
        for name in names {
            self.eat(TokenKind::Comma);
            let Some(alias) = &name.asname else {
                self.dotted_name(&name.name, NodeField::Name)?;
                continue;
            };
            let (kind, start) = (PythonKind::AliasedImport, start_of(name));
            self.node(kind, NodeField::Name, start, |writer| {
                writer.dotted_name(&name.name, NodeField::Name)?;
                writer.expect(TokenKind::As)?;
                writer.leaf(PythonKind::Identifier, NodeField::Alias, alias.range);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn dotted_name(&mut self, name: &ast::Identifier, field: NodeField) -> Written {
        let end = name.range.end().to_u32();
        self.node(PythonKind::DottedName, field, start_of(name), |writer| {
            writer.names_before(end)
        })
    }

    /// Writes the names before an offset, which are joined by dots.
    pub(super) fn names_before(&mut self, end: u32) -> Written {
        while let Some(token) = self.peek().filter(|token| token.start().to_u32() < end) {
            match token.kind() {
                TokenKind::Dot => self.next += 1,
                kind if kind == TokenKind::Name || kind.is_soft_keyword() => {
                    self.leaf(PythonKind::Identifier, NodeField::Other, token.range());
                }
                _ => return Err(Unsupported),
            }
        }
        Ok(())
    }

    fn if_statement(&mut self, statement: &ast::StmtIf) -> Written {
        let (start, other) = (start_of(statement), NodeField::Other);
        self.node(PythonKind::If, other, start, |writer| {
            writer.expect(TokenKind::If)?;
            writer.expr(&statement.test, NodeField::Condition)?;
            writer.expect(TokenKind::Colon)?;
            writer.block(&statement.body, NodeField::Consequence)?;
            for clause in &statement.elif_else_clauses {
                let Some(test) = &clause.test else {
                    writer.else_clause(&clause.body, NodeField::Alternative)?;
                    continue;
                };
                writer.between_statements();
                let start = start_of(clause);
                let field = NodeField::Alternative;
                writer.node(PythonKind::Elif, field, start, |writer| {
                    writer.expect(TokenKind::Elif)?;
                    writer.expr(test, NodeField::Condition)?;
                    writer.expect(TokenKind::Colon)?;
                    writer.block(&clause.body, NodeField::Consequence)
                })?;
            }
            Ok(())
        })
    }

    /// Writes an `else` clause, unless its body is empty: then there is none.
    fn else_clause(&mut self, body: &[Stmt], field: NodeField) -> Written {
        if body.is_empty() {
            return Ok(());
        }
        self.between_statements();
        let keyword = self.expect(TokenKind::Else)?;
        self.node(PythonKind::Else, field, start_of(&keyword), |writer| {
            writer.expect(TokenKind::Colon)?;
            writer.block(body, NodeField::Body)
        })
    }

    fn for_statement(&mut self, statement: &ast::StmtFor) -> Written {
        let (start, other) = (start_of(statement), NodeField::Other);
        self.node(PythonKind::For, other, start, |writer| {
            if statement.is_async {
                writer.token(TokenKind::Async, PythonKind::AsyncKeyword)?;
            }
            writer.expect(TokenKind::For)?;
            writer.target_list(&statement.target, NodeField::Left)?;
            writer.expect(TokenKind::In)?;
            writer.expr_list(&statement.iter, NodeField::Right)?;
            writer.expect(TokenKind::Colon)?;
            writer.block(&statement.body, NodeField::Body)?;
            writer.else_clause(&statement.orelse, NodeField::Alternative)
        })
    }

    fn try_statement(&mut self, statement: &ast::StmtTry) -> Written {
        let (start, other) = (start_of(statement), NodeField::Other);
        self.node(PythonKind::Try, other, start, |writer| {
            writer.expect(TokenKind::Try)?;
            writer.expect(TokenKind::Colon)?;
            writer.block(&statement.body, NodeField::Body)?;
            for handler in &statement.handlers {
                let ExceptHandler::ExceptHandler(handler) = handler;
                writer.handler(handler)?;
            }
            writer.else_clause(&statement.orelse, other)?;
            if statement.finalbody.is_empty() {
                return Ok(());
            }
            writer.between_statements();
            let keyword = writer.expect(TokenKind::Finally)?;
            let start = start_of(&keyword);
            writer.node(PythonKind::Finally, other, start, |writer| {
                writer.expect(TokenKind::Colon)?;
                writer.block(&statement.finalbody, other)
            })
        })
    }

    fn handler(&mut self, handler: &ast::ExceptHandlerExceptHandler) -> Written {
        self.between_statements();
        let other = NodeField::Other;
        self.node(PythonKind::Except, other, start_of(handler), |writer| {
            writer.expect(TokenKind::Except)?;
            writer.eat(TokenKind::Star);
            if let Some(class) = &handler.type_ {
                match bare_tuple(class) {
                    Some(classes) => writer.bare_elements(classes, NodeField::Value)?,
                    None => writer.expr(class, NodeField::Value)?,
                }
            }
            if let Some(name) = &handler.name {
                writer.expect(TokenKind::As)?;
                writer.leaf(PythonKind::Identifier, NodeField::Alias, name.range);
            }
            writer.expect(TokenKind::Colon)?;
            writer.block(&handler.body, other)
        })
    }

    fn with_statement(&mut self, statement: &ast::StmtWith) -> Written {
        let (start, other) = (start_of(statement), NodeField::Other);
        self.node(PythonKind::With, other, start, |writer| {
            if statement.is_async {
                writer.token(TokenKind::Async, PythonKind::AsyncKeyword)?;
            }
            writer.expect(TokenKind::With)?;
            let start = writer.peek().ok_or(Unsupported)?;
            writer.node(PythonKind::WithClause, other, start_of(&start), |writer| {
                for item in &statement.items {
                    writer.with_item(item)?;
                }
                writer.eat(TokenKind::Comma);
                writer.eat(TokenKind::Rpar);
                Ok(())
            })?;
            writer.expect(TokenKind::Colon)?;
            writer.block(&statement.body, NodeField::Body)
        })
    }

    fn with_item(&mut self, item: &ast::WithItem) -> Written {
        let value = &item.context_expr;
        let mut parens = self.parens_before(start_of(value));
        // The parentheses that are not closed behind the value enclose all items.
        let behind = self
            .tokens
            .partition_point(|token| token.start() < value.end());
        let closed = self.tokens.iter().skip(behind);
        let closed = closed.filter(|token| {
            !matches!(
                token.kind(),
                TokenKind::Comment | TokenKind::NonLogicalNewline
            )
        });
        let closed = closed
            .take_while(|token| token.kind() == TokenKind::Rpar)
            .count();
        parens.drain(..parens.len() - closed.min(parens.len()));
        let start = parens.first().copied().unwrap_or(start_of(value));
        let other = NodeField::Other;
        self.node(PythonKind::WithItem, other, start, |writer| {
            let field = NodeField::Value;
            let context = |writer: &mut Self, field| {
                writer.in_parens(&parens, PythonKind::Paren, field, |writer, field| {
                    writer.expr(value, field)
                })
            };
            let Some(target) = &item.optional_vars else {
                return context(writer, field);
            };
            writer.node(PythonKind::AsPattern, field, start, |writer| {
                context(writer, other)?;
                writer.expect(TokenKind::As)?;
                let start = writer.peek().ok_or(Unsupported)?;
                let field = NodeField::Alias;
                writer.node(PythonKind::AsTarget, field, start_of(&start), |writer| {
                    writer.expr(target, other)
                })
            })
        })
    }
}

/// Returns the token of an augmented assignment, and the kind of its node.
fn augmented(op: Operator) -> (TokenKind, PythonKind) {
    match op {
        Operator::Add => (TokenKind::PlusEqual, PythonKind::PlusEqual),
        Operator::Sub => (TokenKind::MinusEqual, PythonKind::MinusEqual),
        Operator::Mult => (TokenKind::StarEqual, PythonKind::StarEqual),
        Operator::MatMult => (TokenKind::AtEqual, PythonKind::AtEqual),
        Operator::Div => (TokenKind::SlashEqual, PythonKind::SlashEqual),
        Operator::Mod => (TokenKind::PercentEqual, PythonKind::PercentEqual),
        Operator::Pow => (TokenKind::DoubleStarEqual, PythonKind::DoubleStarEqual),
        Operator::LShift => (TokenKind::LeftShiftEqual, PythonKind::ShiftLeftEqual),
        Operator::RShift => (TokenKind::RightShiftEqual, PythonKind::ShiftRightEqual),
        Operator::BitOr => (TokenKind::VbarEqual, PythonKind::PipeEqual),
        Operator::BitXor => (TokenKind::CircumflexEqual, PythonKind::CaretEqual),
        Operator::BitAnd => (TokenKind::AmperEqual, PythonKind::AmpEqual),
        Operator::FloorDiv => (TokenKind::DoubleSlashEqual, PythonKind::DoubleSlashEqual),
    }
}
