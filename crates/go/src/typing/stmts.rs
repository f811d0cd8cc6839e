//! Statements (Go spec, Statements): their blocks, declarations, and the expressions inside.

use codeweft_db::{FlowRole, Role};
use codeweft_go_syntax::{Expr, ExprId, ListId, Stmt, StmtId, Tok, no_expr, no_stmt};

use super::checker::Checker;
use super::operand::OperandKind;
use super::origin::FlowingValue;
use super::scopes::LocalKind;
use super::unnamed::Unnamed;
use crate::types::{Basic, Ty, Type};

impl Checker<'_> {
    /// Walks a statement.
    pub fn statement(&mut self, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.statement_inner(stmt));
    }

    /// Walks the body of a function in the block of its parameters (Go spec, Blocks).
    pub(crate) fn body(&mut self, block: StmtId) {
        match self.code.stmts[block] {
            Stmt::Block(list) => self.statements(list),
            _ => self.statement(block),
        }
    }

    fn statements(&mut self, list: ListId) {
        let code = self.code;
        for stmt in code.stmts_of(list) {
            self.statement(stmt);
        }
    }

    fn statement_inner(&mut self, stmt: StmtId) {
        let code = self.code;
        match code.stmts[stmt] {
            Stmt::Empty => {}
            Stmt::Expr(expr) => {
                self.operand(expr, Role::Read);
            }
            Stmt::Send(channel, value) => {
                let channel = self.read(channel);
                let given = self.read_given(value);
                if let Type::Chan(_, element) = self.cx.types.get(self.lookup().core(channel)) {
                    self.uses().assigned(value, given.ty, *element);
                    let node = Unnamed::Received.of(self.lookup().number(*element));
                    self.flows()
                        .flow(given, *element, node, value, FlowRole::Sent);
                }
            }
            Stmt::IncDec(expr) => {
                self.operand(expr, Role::ReadWrite);
            }
            Stmt::Assign { lhs, rhs } => self.assign(lhs, rhs),
            Stmt::AssignOp(left, right) => {
                self.operand(left, Role::ReadWrite);
                self.read(right);
            }
            Stmt::Define { lhs, rhs } => self.define(lhs, rhs),
            Stmt::Var { names, ty, values } => self.local_vars(names, ty, values),
            Stmt::Const {
                names,
                ty,
                values,
                iota,
            } => {
                self.local_consts(names, ty, values, iota);
            }
            Stmt::Type { tok, alias, ty } => self.local_type(tok, alias, ty),
            Stmt::Labeled { label, stmt } => {
                self.uses().probe_label(label, true);
                self.statement(stmt);
            }
            Stmt::Branch(label) => self.uses().probe_label(label, false),
            Stmt::Go(call) => self.statement_call(call, Role::Go),
            Stmt::Defer(call) => self.statement_call(call, Role::Defer),
            Stmt::Return(values) => {
                let list = code.exprs_of(values);
                let values: Vec<(ExprId, FlowingValue)> =
                    list.map(|value| (value, self.read_given(value))).collect();
                if let Type::Func(signature) = self.cx.types.get(self.scopes.signature) {
                    self.uses().assigned_all(&values, &signature.results);
                    self.flows().results_flow(&values, &signature.results);
                }
            }
            Stmt::Block(list) => self.block(|checker| checker.statements(list)),
            Stmt::Group(list) => self.statements(list),
            Stmt::If {
                init,
                cond,
                then,
                other,
            } => self.block(|checker| {
                checker.statement(init);
                checker.read(cond);
                checker.statement(then);
                checker.statement(other);
            }),
            Stmt::For {
                init,
                cond,
                post,
                body,
            } => self.block(|checker| {
                checker.statement(init);
                checker.read(cond);
                checker.statement(post);
                checker.statement(body);
            }),
            Stmt::Range {
                key,
                value,
                define,
                over,
                body,
            } => {
                self.range(key, value, define, over, body);
            }
            Stmt::Switch { init, tag, clauses } => self.block(|checker| {
                checker.statement(init);
                checker.read(tag);
                for clause in code.stmts_of(clauses) {
                    if let Stmt::Clause { exprs, body } = code.stmts[clause] {
                        checker.block(|checker| {
                            for expr in code.exprs_of(exprs) {
                                checker.read(expr);
                            }
                            checker.statements(body);
                        });
                    }
                }
            }),
            Stmt::TypeSwitch {
                init,
                bind,
                over,
                clauses,
            } => self.block(|checker| {
                checker.statement(init);
                let given = checker.read_given(over);
                for clause in code.stmts_of(clauses) {
                    if let Stmt::Clause { exprs, body } = code.stmts[clause] {
                        checker
                            .block(|checker| checker.type_clause(bind, (over, given), exprs, body));
                    }
                }
            }),
            Stmt::Clause { exprs, body } => self.block(|checker| {
                for expr in code.exprs_of(exprs) {
                    checker.read(expr);
                }
                checker.statements(body);
            }),
            Stmt::Select(clauses) => {
                for clause in code.stmts_of(clauses) {
                    if let Stmt::Comm { comm, body } = code.stmts[clause] {
                        self.block(|checker| {
                            checker.statement(comm);
                            checker.statements(body);
                        });
                    }
                }
            }
            Stmt::Comm { comm, body } => self.block(|checker| {
                checker.statement(comm);
                checker.statements(body);
            }),
        }
    }

    /// Walks the call of a `go` or `defer` statement.
    fn statement_call(&mut self, call: ExprId, role: Role) {
        match self.code.exprs[call] {
            Expr::Call { fun, args, spread } => {
                self.call(fun, args, spread, role);
            }
            _ => {
                self.read(call);
            }
        }
    }

    /// Walks a clause of a type switch. It declares the switch's variable with the type of the
    /// clause if that has a single one, else with the type of the operand (Go spec, Type switches).
    ///
    /// ```go
    /// switch v := x.(type) {
    /// case *T:     // v has type *T
    /// case A, B:   // v has the type of x
    /// }
    /// ```
    fn type_clause(
        &mut self,
        bind: Option<Tok>,
        (value, given): (ExprId, FlowingValue),
        exprs: ListId,
        body: ListId,
    ) {
        let code = self.code;
        let over = given.ty;
        let mut ty = over;
        let single = code.exprs_of(exprs).len() == 1;
        for expr in code.exprs_of(exprs) {
            let op = self.operand(expr, Role::Assertion);
            match op.kind {
                OperandKind::Type(only) => {
                    self.uses().assigned(expr, only, over);
                    if single {
                        ty = only;
                    }
                }
                OperandKind::Value if self.cx.types.is_untyped(op.ty) => {}
                _ if single => ty = Ty::UNKNOWN,
                _ => {}
            }
        }
        if let Some(tok) = bind
            && let Some(node) = self.declare_var(tok, ty, false)
        {
            if ty == over {
                self.flows()
                    .flow(given, ty, node, value, FlowRole::Assigned);
            } else {
                self.flows().assertion_flows(given, ty, node, value);
            }
        }
        self.statements(body);
    }

    /// Returns the values of a right side, one per each of `count` variables.
    fn values(&mut self, values: ListId, count: usize) -> Vec<FlowingValue> {
        let code = self.code;
        let list: Vec<ExprId> = code.exprs_of(values).collect();
        match *list {
            [only] if count > 1 => {
                let given = self.read_given(only);
                (0..count)
                    .map(|number| self.flows().given_at(only, given, number))
                    .collect()
            }
            _ => list
                .into_iter()
                .map(|value| self.read_given(value))
                .collect(),
        }
    }

    fn is_literal(&self, expr: Option<ExprId>) -> bool {
        expr.is_some_and(|expr| matches!(self.code.exprs[expr], Expr::FuncLit(_)))
    }

    /// Walks an assignment.
    fn assign(&mut self, lhs: ListId, rhs: ListId) {
        let code = self.code;
        let mut types = Vec::new();
        let mut targets = Vec::new();
        for (at, target) in code.exprs_of(lhs).enumerate() {
            // A local that is assigned a function literal still holds only function literals.
            if let Expr::Name(tok) = code.exprs[target]
                && self.is_literal(code.exprs_of(rhs).nth(at))
                && let Some(local) = self.scopes.local(code.name(tok))
                && let LocalKind::Var(ty, number) = local.kind
            {
                let before = self.scopes.holds_literals(number);
                let op = self.operand(target, Role::Write);
                self.scopes.variable(number).holds_literals = before;
                types.push(Ty::UNKNOWN);
                targets.push((ty, op.origin.node()));
                continue;
            }
            let op = self.operand(target, Role::Write);
            types.push(op.ty);
            targets.push((op.ty, op.origin.node()));
        }
        let list = code.exprs_of(rhs);
        let values: Vec<(ExprId, FlowingValue)> =
            list.map(|value| (value, self.read_given(value))).collect();
        self.uses().assigned_all(&values, &types);
        self.flows().flow_all(&values, &targets, FlowRole::Assigned);
    }

    /// Walks a short variable declaration: only names that are new in this block are declared (Go
    /// spec, Short variable declarations).
    ///
    /// ```go
    /// a, err := f()
    /// b, err := g() // declares b, assigns err
    /// ```
    fn define(&mut self, lhs: ListId, rhs: ListId) {
        let code = self.code;
        let targets: Vec<ExprId> = code.exprs_of(lhs).collect();
        let values = self.values(rhs, targets.len());
        for (at, target) in targets.into_iter().enumerate() {
            let Expr::Name(tok) = code.exprs[target] else {
                self.operand(target, Role::Write);
                continue;
            };
            if self.scopes.declares(code.name(tok)) {
                let op = self.operand(target, Role::Write);
                let (to, value) = (op.ty, code.exprs_of(rhs).nth(at));
                let node = op.origin.node();
                let value = value.or_else(|| code.exprs_of(rhs).next());
                if let Some((value, &given)) = value.zip(values.get(at)) {
                    self.uses().assigned(value, given.ty, to);
                    if let Some(node) = node {
                        self.flows()
                            .flow(given, to, node, value, FlowRole::Assigned);
                    }
                }
            } else {
                let literal = self.is_literal(code.exprs_of(rhs).nth(at));
                let given = values.get(at).copied();
                let ty = given.map_or(Ty::UNKNOWN, |given| given.ty);
                let node = self.declare_var(tok, ty, literal);
                let value = code.exprs_of(rhs).nth(at);
                let value = value.or_else(|| code.exprs_of(rhs).next());
                if let (Some(given), Some(node), Some(value)) = (given, node, value) {
                    self.flows()
                        .flow(given, ty, node, value, FlowRole::Assigned);
                }
            }
        }
    }

    /// Walks a variable declaration. The names are declared after the values (Go spec, Declarations
    /// and scope).
    fn local_vars(&mut self, names: ListId, ty: ExprId, values: ListId) {
        let code = self.code;
        let names: Vec<Tok> = code.list(names).to_vec();
        let declared = (ty != no_expr()).then(|| self.resolve_type(ty, Role::VariableType));
        let given = self.values(values, names.len());
        let value_at = |at| {
            let value = code.exprs_of(values).nth(at);
            value.or_else(|| code.exprs_of(values).next())
        };
        if let Some(to) = declared {
            for (at, from) in given.iter().enumerate() {
                if let Some(value) = value_at(at) {
                    self.uses().assigned(value, from.ty, to);
                }
            }
        }
        let without_values = code.exprs_of(values).len() == 0;
        for (at, tok) in names.into_iter().enumerate() {
            let from = given.get(at).copied();
            let own = from.map(|given| given.ty);
            let ty = declared.or(own).unwrap_or(Ty::UNKNOWN);
            let literal = without_values || self.is_literal(code.exprs_of(values).nth(at));
            let node = self.declare_var(tok, ty, literal);
            if let (Some(given), Some(node), Some(value)) = (from, node, value_at(at)) {
                self.flows()
                    .flow(given, ty, node, value, FlowRole::Assigned);
            }
        }
    }

    /// Walks a constant spec. The names are declared after the values.
    fn local_consts(&mut self, names: ListId, ty: ExprId, values: ListId, iota: u32) {
        let code = self.code;
        let mut consts = Vec::new();
        self.with_iota(iota, |checker| {
            let has_type = ty != no_expr();
            let declared = has_type.then(|| checker.resolve_type(ty, Role::VariableType));
            for (at, &tok) in code.list(names).iter().enumerate() {
                let (own, value) = match code.exprs_of(values).nth(at) {
                    Some(value) => (checker.read(value), checker.constant(value)),
                    None => (Ty::UNKNOWN, None),
                };
                let number = checker.scopes.add_constant(value);
                consts.push((tok, LocalKind::Const(declared.unwrap_or(own), number)));
            }
        });
        for (tok, kind) in consts {
            self.declare(tok, kind);
        }
    }

    /// Walks a `for` statement with a range clause.
    fn range(&mut self, key: ExprId, value: ExprId, define: bool, over: ExprId, body: StmtId) {
        let code = self.code;
        let given = self.read_given(over);
        let (key_type, value_type) = self.range_types(given.ty);
        let [key_origin, value_origin] = self.flows().range_origins(given, over);
        self.block(|checker| {
            let parts = [
                (key, key_type, key_origin),
                (value, value_type, value_origin),
            ];
            for (target, ty, origin) in parts {
                if target == no_expr() {
                    continue;
                }
                let given = FlowingValue { ty, origin };
                match code.exprs[target] {
                    Expr::Name(tok) if define => {
                        let ty = if checker.cx.types.is_untyped(ty) {
                            Ty::basic(Basic::Int)
                        } else {
                            ty
                        };
                        if let Some(node) = checker.declare_var(tok, ty, false) {
                            checker
                                .flows()
                                .flow(given, ty, node, over, FlowRole::Assigned);
                        }
                    }
                    _ => {
                        let op = checker.operand(target, Role::Write);
                        if let Some(node) = op.origin.node() {
                            checker
                                .flows()
                                .flow(given, op.ty, node, over, FlowRole::Assigned);
                        }
                    }
                }
            }
            if body != no_stmt() {
                checker.statement(body);
            }
        });
    }
}
