//! Lowers statements (Go spec, Statements; Declarations and scope for declarations in bodies).

use super::ir::*;
use super::kinds::GoKind;
use super::walk::GoLowering;

impl GoLowering<'_, '_> {
    /// Lowers the block under the cursor.
    pub(super) fn block(&mut self) -> StmtId {
        if !self.enter() {
            return self.opaque();
        }
        let start = self.list_start();
        self.push_stmts();
        let stmts = self.list_end(start);
        self.leave();
        self.alloc_stmt(Stmt::Block(stmts))
    }

    fn opaque(&mut self) -> StmtId {
        let expr = self.alloc(Expr::Opaque);
        self.alloc_stmt(Stmt::Expr(expr))
    }

    /// Pushes the statements below the node under the cursor to the current list, each followed by
    /// those recovered from ERROR nodes inside it.
    fn push_stmts(&mut self) {
        let outer = self.recovered.len();
        self.children(|l, kind| {
            if kind == GoKind::StatementList {
                l.push_stmts();
            } else if kind.is_stmt() {
                let stmt = l.stmt(kind);
                if stmt != no_stmt() {
                    l.list_push(stmt);
                }
            }
            l.push_recovered(outer);
        });
        self.push_recovered(outer);
    }

    /// Pushes the recovered statements from number `from` on to the current list.
    pub(super) fn push_recovered(&mut self, from: usize) {
        for at in from..self.recovered.len() {
            let recovered = self.recovered[at];
            self.list_push(recovered);
        }
        self.recovered.truncate(from);
    }

    /// Lowers the statement under the cursor; [`no_stmt`] for statements that have no effect.
    pub(super) fn stmt(&mut self, kind: GoKind) -> StmtId {
        if self.tick() {
            return no_stmt();
        }
        if kind == GoKind::Block {
            return self.block();
        }
        if !self.enter() {
            return self.opaque();
        }
        let stmt = match kind {
            GoKind::IfStatement => self.if_chain(),
            GoKind::LabeledStatement => self.labeled(),
            _ => match self.simple(kind) {
                Stmt::Empty => no_stmt(),
                stmt => self.alloc_stmt(stmt),
            },
        };
        self.leave();
        stmt
    }

    fn simple(&mut self, kind: GoKind) -> Stmt {
        match kind {
            GoKind::ExpressionStatement => Stmt::Expr(self.only_expr()),
            GoKind::SendStatement => {
                let (channel, value) = self.two_exprs();
                Stmt::Send(channel, value)
            }
            GoKind::ReceiveStatement => self.receive(),
            GoKind::IncStatement | GoKind::DecStatement => Stmt::IncDec(self.only_expr()),
            GoKind::Assignment => self.assignment(),
            GoKind::ShortVar => {
                let (lhs, rhs) = self.two_lists();
                Stmt::Define { lhs, rhs }
            }
            GoKind::VarDeclaration => self.local_vars(),
            GoKind::ConstDeclaration => self.local_consts(),
            GoKind::TypeDeclaration => self.local_types(),
            GoKind::ReturnStatement => {
                let mut values = EMPTY_LIST;
                self.children(|l, kind| {
                    if kind == GoKind::ExpressionList {
                        values = l.expr_list();
                    }
                });
                Stmt::Return(values)
            }
            GoKind::BreakStatement | GoKind::ContinueStatement | GoKind::GotoStatement => {
                self.branch()
            }
            GoKind::GoStatement => Stmt::Go(self.only_expr()),
            GoKind::DeferStatement => Stmt::Defer(self.only_expr()),
            GoKind::ForStatement => self.for_statement(),
            GoKind::SwitchStatement => self.switch(),
            GoKind::TypeSwitchStatement => self.type_switch(),
            GoKind::SelectStatement => {
                let start = self.list_start();
                self.children(|l, kind| {
                    if matches!(kind, GoKind::CommunicationCase | GoKind::DefaultCase) {
                        l.comm();
                    }
                });
                Stmt::Select(self.list_end(start))
            }
            _ => Stmt::Empty,
        }
    }

    /// Lowers the first two expression lists below the cursor.
    fn two_lists(&mut self) -> (ListId, ListId) {
        let mut found = [EMPTY_LIST; 2];
        let mut count = 0;
        self.children(|l, kind| {
            if kind == GoKind::ExpressionList && count < 2 {
                found[count] = l.expr_list();
                count += 1;
            }
        });
        (found[0], found[1])
    }

    fn assignment(&mut self) -> Stmt {
        let mut plain = false;
        let mut found = [EMPTY_LIST; 2];
        let mut count = 0;
        self.children(|l, kind| match kind {
            GoKind::Assign => plain = true,
            GoKind::ExpressionList if count < 2 => {
                found[count] = l.expr_list();
                count += 1;
            }
            _ => {}
        });
        let [lhs, rhs] = found;
        if plain {
            Stmt::Assign { lhs, rhs }
        } else {
            Stmt::AssignOp(self.first_of(lhs), self.first_of(rhs))
        }
    }

    /// Returns the first expression of a finished list.
    fn first_of(&self, list: ListId) -> ExprId {
        let at = list.0 as usize;
        match self.out.lists[at] {
            0 => no_expr(),
            _ => ExprId::from_raw(self.out.lists[at + 1].into()),
        }
    }

    /// Lowers the receive operation of a select clause: `x`, `x = <-ch` or `x := <-ch`.
    fn receive(&mut self) -> Stmt {
        let mut lhs = None;
        let mut define = false;
        let mut right = no_expr();
        self.children(|l, kind| match kind {
            GoKind::ExpressionList => lhs = Some(l.expr_list()),
            GoKind::Define => define = true,
            kind if kind.is_expr() => right = l.expr(),
            _ => {}
        });
        let Some(lhs) = lhs else {
            return Stmt::Expr(right);
        };
        let start = self.list_start();
        self.list_push(right);
        let rhs = self.list_end(start);
        if define {
            Stmt::Define { lhs, rhs }
        } else {
            Stmt::Assign { lhs, rhs }
        }
    }

    fn labeled(&mut self) -> StmtId {
        let mut label = None;
        let mut stmt = no_stmt();
        self.children(|l, kind| {
            if kind == GoKind::LabelName {
                label = l.present_token();
            } else if kind.is_stmt() {
                stmt = l.stmt(kind);
            }
        });
        match label {
            Some(label) => self.alloc_stmt(Stmt::Labeled { label, stmt }),
            None => stmt,
        }
    }

    /// Lowers `break`, `continue` or `goto`; dropped if it has no label.
    fn branch(&mut self) -> Stmt {
        let mut branch = Stmt::Empty;
        self.children(|l, kind| {
            if kind == GoKind::LabelName
                && let Some(label) = l.present_token()
            {
                branch = Stmt::Branch(label);
            }
        });
        branch
    }

    /// Lowers `if … else if … else …` of any length, without recursion along the `else` branches.
    fn if_chain(&mut self) -> StmtId {
        // Each `if` of the chain puts init, condition and block on the list stack.
        let start = self.list_start();
        let mut links = 0;
        let mut other = no_stmt();
        loop {
            if self.tick() {
                break;
            }
            let mut parts = (no_stmt(), no_expr(), no_stmt());
            let mut follows = false;
            if !self.cursor.goto_first_child() {
                break;
            }
            loop {
                match self.kind() {
                    GoKind::Comment => {}
                    GoKind::Error => self.recover_children(),
                    GoKind::IfStatement => {
                        follows = true;
                        break;
                    }
                    GoKind::Block if parts.2 == no_stmt() => parts.2 = self.block(),
                    GoKind::Block => other = self.block(),
                    kind if kind.is_expr() => parts.1 = self.expr(),
                    kind if kind.is_stmt() => parts.0 = self.stmt(kind),
                    _ => {}
                }
                if self.stopped || !self.cursor.goto_next_sibling() {
                    break;
                }
            }
            self.list_push(parts.0);
            self.list_push(parts.1);
            self.list_push(parts.2);
            links += 1;
            if !follows {
                self.cursor.goto_parent();
                break;
            }
        }
        for _ in 1..links {
            self.cursor.goto_parent();
        }
        while self.list_peek(start).len() >= 3 {
            let parts = self.list_peek(start);
            let &[init, cond, then] = &parts[parts.len() - 3..] else {
                break;
            };
            let keep = start + parts.len() - 3;
            self.list_drop(keep);
            other = self.alloc_stmt(Stmt::If {
                init: StmtId::from_raw(init.into()),
                cond: ExprId::from_raw(cond.into()),
                then: StmtId::from_raw(then.into()),
                other,
            });
        }
        other
    }

    fn for_statement(&mut self) -> Stmt {
        let mut init = no_stmt();
        let mut cond = no_expr();
        let mut post = no_stmt();
        let mut body = no_stmt();
        let mut range = None;
        self.children(|l, kind| match kind {
            GoKind::ForClause => {
                let mut semicolons = 0;
                l.children(|l, kind| match kind {
                    GoKind::Semicolon => semicolons += 1,
                    kind if kind.is_expr() => cond = l.expr(),
                    kind if kind.is_stmt() && semicolons == 0 => init = l.stmt(kind),
                    kind if kind.is_stmt() => post = l.stmt(kind),
                    _ => {}
                });
            }
            GoKind::RangeClause => range = Some(l.range_clause()),
            GoKind::Block => body = l.block(),
            kind if kind.is_expr() => cond = l.expr(),
            _ => {}
        });
        match range {
            Some((key, value, define, over)) => Stmt::Range {
                key,
                value,
                define,
                over,
                body,
            },
            None => Stmt::For {
                init,
                cond,
                post,
                body,
            },
        }
    }

    fn range_clause(&mut self) -> (ExprId, ExprId, bool, ExprId) {
        let mut targets = [no_expr(); 2];
        let mut define = false;
        let mut over = no_expr();
        self.children(|l, kind| match kind {
            GoKind::ExpressionList => {
                let mut count = 0;
                l.children(|l, kind| {
                    if kind.is_expr() {
                        let target = l.expr();
                        if count < 2 {
                            targets[count] = target;
                            count += 1;
                        }
                    }
                });
            }
            GoKind::Define => define = true,
            kind if kind.is_expr() => over = l.expr(),
            _ => {}
        });
        (targets[0], targets[1], define, over)
    }

    fn switch(&mut self) -> Stmt {
        let mut init = no_stmt();
        let mut tag = no_expr();
        let start = self.list_start();
        self.children(|l, kind| match kind {
            GoKind::ExpressionCase | GoKind::DefaultCase | GoKind::TypeCase => l.clause(),
            kind if kind.is_expr() => tag = l.expr(),
            kind if kind.is_stmt() => init = l.stmt(kind),
            _ => {}
        });
        let clauses = self.list_end(start);
        Stmt::Switch { init, tag, clauses }
    }

    fn type_switch(&mut self) -> Stmt {
        let mut init = no_stmt();
        let mut bind = None;
        let mut over = no_expr();
        let start = self.list_start();
        self.children(|l, kind| match kind {
            GoKind::ExpressionCase | GoKind::DefaultCase | GoKind::TypeCase => l.clause(),
            GoKind::ExpressionList => l.children(|l, kind| {
                if kind == GoKind::Identifier {
                    bind = Some(l.token());
                }
            }),
            kind if kind.is_expr() => over = l.expr(),
            kind if kind.is_stmt() => init = l.stmt(kind),
            _ => {}
        });
        let clauses = self.list_end(start);
        Stmt::TypeSwitch {
            init,
            bind,
            over,
            clauses,
        }
    }

    /// Pushes the clause under the cursor to the current list.
    fn clause(&mut self) {
        let mut exprs = EMPTY_LIST;
        let mut body = EMPTY_LIST;
        // The types of a type switch are direct children of the clause.
        let start = self.list_start();
        self.children(|l, kind| match kind {
            GoKind::ExpressionList => exprs = l.expr_list(),
            GoKind::StatementList => {
                if exprs == EMPTY_LIST {
                    exprs = l.list_end(start);
                }
                let start = l.list_start();
                l.push_stmts();
                body = l.list_end(start);
            }
            kind if kind.is_expr() => {
                let ty = l.expr();
                l.list_push(ty);
            }
            _ => {}
        });
        if exprs == EMPTY_LIST {
            exprs = self.list_end(start);
        }
        self.list_drop(start);
        let clause = self.alloc_stmt(Stmt::Clause { exprs, body });
        self.list_push(clause);
    }

    /// Pushes the select clause under the cursor to the current list.
    fn comm(&mut self) {
        let mut comm = no_stmt();
        let mut body = EMPTY_LIST;
        self.children(|l, kind| match kind {
            GoKind::SendStatement | GoKind::ReceiveStatement => comm = l.stmt(kind),
            GoKind::StatementList => {
                let start = l.list_start();
                l.push_stmts();
                body = l.list_end(start);
            }
            _ => {}
        });
        let clause = self.alloc_stmt(Stmt::Comm { comm, body });
        self.list_push(clause);
    }

    /// Returns one statement for the specs pushed since `start`; a single spec is returned as it
    /// is.
    fn group(&mut self, start: usize) -> Stmt {
        if let &[only] = self.list_peek(start) {
            self.list_drop(start);
            // A spec contains no statements, so it is the last one added.
            if only as usize + 1 == self.out.stmts.len()
                && let Some(stmt) = self.out.stmts.pop()
            {
                return stmt;
            }
            self.list_push(StmtId::from_raw(only.into()));
        }
        Stmt::Group(self.list_end(start))
    }

    fn local_vars(&mut self) -> Stmt {
        let start = self.list_start();
        self.children(|l, kind| match kind {
            GoKind::VarSpec => l.local_var(),
            GoKind::VarSpecList => l.children(|l, kind| {
                if kind == GoKind::VarSpec {
                    l.local_var();
                }
            }),
            _ => {}
        });
        self.group(start)
    }

    fn local_var(&mut self) {
        let (names, ty, values) = self.value_spec();
        let names = self.list_end(names);
        let values = values.unwrap_or(EMPTY_LIST);
        let stmt = self.alloc_stmt(Stmt::Var { names, ty, values });
        self.list_push(stmt);
    }

    /// Lowers the var or const spec under the cursor: returns the start of its names on the list
    /// stack (to be ended or dropped), its type, and its values if it has any.
    pub(super) fn value_spec(&mut self) -> (usize, ExprId, Option<ListId>) {
        let names = self.list_start();
        let mut ty = no_expr();
        let mut values = None;
        self.children(|l, kind| match kind {
            GoKind::Identifier => {
                if let Some(tok) = l.present_token() {
                    l.list_push_tok(tok);
                }
            }
            GoKind::ExpressionList => values = Some(l.expr_list()),
            kind if kind.is_expr() => ty = l.expr(),
            _ => {}
        });
        (names, ty, values)
    }

    fn local_consts(&mut self) -> Stmt {
        let start = self.list_start();
        let mut iota = 0;
        let mut repeated = (no_expr(), EMPTY_LIST);
        self.children(|l, kind| {
            if kind == GoKind::ConstSpec {
                l.measuring += 1;
                let (names, ty, values) = l.value_spec();
                l.measuring -= 1;
                let names = l.list_end(names);
                if let Some(values) = values {
                    repeated = (ty, values);
                }
                let (ty, values) = repeated;
                let stmt = l.alloc_stmt(Stmt::Const {
                    names,
                    ty,
                    values,
                    iota,
                });
                l.list_push(stmt);
                iota += 1;
            }
        });
        self.group(start)
    }

    fn local_types(&mut self) -> Stmt {
        let start = self.list_start();
        self.children(|l, kind| {
            if matches!(kind, GoKind::TypeSpec | GoKind::TypeAlias) {
                let mut tok = None;
                let mut ty = no_expr();
                l.children(|l, kind| match kind {
                    GoKind::TypeIdentifier if tok.is_none() => tok = l.present_token(),
                    GoKind::TypeParameterList => {
                        l.type_params();
                    }
                    kind if kind.is_expr() => ty = l.expr(),
                    _ => {}
                });
                if let Some(tok) = tok {
                    let alias = kind == GoKind::TypeAlias;
                    let stmt = l.alloc_stmt(Stmt::Type { tok, alias, ty });
                    l.list_push(stmt);
                }
            }
        });
        self.group(start)
    }

    /// Recovers the statements in the ERROR node under the cursor, in order.
    pub(super) fn recover_children(&mut self) {
        if !self.enter() {
            return;
        }
        // Not `children`: a nested ERROR node must be visited like any other.
        if self.cursor.goto_first_child() {
            loop {
                self.recover();
                if self.stopped || !self.cursor.goto_next_sibling() {
                    break;
                }
            }
            self.cursor.goto_parent();
        }
        self.leave();
    }

    fn recover(&mut self) {
        let stmt = match self.kind() {
            GoKind::Comment => return,
            kind if kind.is_stmt() => self.stmt(kind),
            kind if kind.is_expr() => match self.expr() {
                missing if missing == no_expr() => return,
                expr => self.alloc_stmt(Stmt::Expr(expr)),
            },
            _ => return self.recover_children(),
        };
        if stmt != no_stmt() {
            self.recovered.push(stmt);
        }
    }
}
