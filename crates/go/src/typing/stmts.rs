//! Statements (Go spec, Statements): scopes, and the expressions inside.

use codeweft_db::{FlowNode, FlowRole, Role};
use codeweft_syntax::go::{Expr, ExprId, ListId, Stmt, StmtId, Tok, no_expr, no_stmt};

use super::flows::FlowingValue;
use super::{LocalKind, Operand, Typer};
use crate::types::{Basic, Ty, Type};

impl Typer<'_> {
    /// Walks a statement.
    pub fn statement(&mut self, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.statement_here(stmt));
    }

    /// Walks the block of a function in the block of its parameters (Go spec, Blocks).
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

    fn statement_here(&mut self, stmt: StmtId) {
        let code = self.code;
        match code.stmts[stmt] {
            Stmt::Empty => {}
            Stmt::Expr(expr) => {
                self.operand(expr, Role::Read);
            }
            Stmt::Send(channel, value) => {
                let channel = self.read(channel);
                let given = self.read_given(value);
                if let Type::Chan(_, element) = self.types.get(self.core(channel)) {
                    self.assigned(value, given.ty, *element);
                    let place = FlowNode::Received(self.number(*element));
                    self.flow(given, *element, place, value, FlowRole::Sent);
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
                self.probe_label(label, true);
                self.statement(stmt);
            }
            Stmt::Branch(label) => self.probe_label(label, false),
            Stmt::Go(call) => self.statement_call(call, Role::Go),
            Stmt::Defer(call) => self.statement_call(call, Role::Defer),
            Stmt::Return(values) => {
                let list = code.exprs_of(values);
                let values: Vec<(ExprId, FlowingValue)> =
                    list.map(|value| (value, self.read_given(value))).collect();
                if let Type::Func(signature) = self.types.get(self.signature) {
                    self.assigned_all(&values, &signature.results);
                    self.results_flow(&values, &signature.results);
                }
            }
            Stmt::Block(list) => self.block(|typer| typer.statements(list)),
            Stmt::Group(list) => self.statements(list),
            Stmt::If {
                init,
                cond,
                then,
                other,
            } => self.block(|typer| {
                typer.statement(init);
                typer.read(cond);
                typer.statement(then);
                typer.statement(other);
            }),
            Stmt::For {
                init,
                cond,
                post,
                body,
            } => self.block(|typer| {
                typer.statement(init);
                typer.read(cond);
                typer.statement(post);
                typer.statement(body);
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
            Stmt::Switch { init, tag, clauses } => self.block(|typer| {
                typer.statement(init);
                typer.read(tag);
                for clause in code.stmts_of(clauses) {
                    if let Stmt::Clause { exprs, body } = code.stmts[clause] {
                        typer.block(|typer| {
                            for expr in code.exprs_of(exprs) {
                                typer.read(expr);
                            }
                            typer.statements(body);
                        });
                    }
                }
            }),
            Stmt::TypeSwitch {
                init,
                bind,
                over,
                clauses,
            } => self.block(|typer| {
                typer.statement(init);
                let given = typer.read_given(over);
                for clause in code.stmts_of(clauses) {
                    if let Stmt::Clause { exprs, body } = code.stmts[clause] {
                        typer.block(|typer| typer.type_clause(bind, (over, given), exprs, body));
                    }
                }
            }),
            Stmt::Clause { exprs, body } => self.block(|typer| {
                for expr in code.exprs_of(exprs) {
                    typer.read(expr);
                }
                typer.statements(body);
            }),
            Stmt::Select(clauses) => {
                for clause in code.stmts_of(clauses) {
                    if let Stmt::Comm { comm, body } = code.stmts[clause] {
                        self.block(|typer| {
                            typer.statement(comm);
                            typer.statements(body);
                        });
                    }
                }
            }
            Stmt::Comm { comm, body } => self.block(|typer| {
                typer.statement(comm);
                typer.statements(body);
            }),
        }
    }

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

    /// The symbol of a type switch is declared in each clause: with the clause's type where it
    /// has one, else with the operand's.
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
            match self.operand(expr, Role::Assertion) {
                Operand::Type(only) => {
                    self.assigned(expr, only, over);
                    if single {
                        ty = only;
                    }
                }
                Operand::Value(value) if self.types.is_untyped(value) => {}
                _ if single => ty = Ty::UNKNOWN,
                _ => {}
            }
        }
        if let Some(tok) = bind
            && let Some(place) = self.declare_var(tok, ty, false)
        {
            if ty == over {
                self.flow(given, ty, place, value, FlowRole::Assigned);
            } else {
                self.assertion_flows(given, ty, place, value);
            }
        }
        self.statements(body);
    }

    /// The values on a right side, one for each of `count` places.
    fn values(&mut self, values: ListId, count: usize) -> Vec<FlowingValue> {
        let code = self.code;
        let list: Vec<ExprId> = code.exprs_of(values).collect();
        match *list {
            [only] if count > 1 => {
                let given = self.read_given(only);
                (0..count)
                    .map(|number| self.given_at(only, given, number))
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

    fn assign(&mut self, lhs: ListId, rhs: ListId) {
        let code = self.code;
        let mut types = Vec::new();
        let mut places = Vec::new();
        for (at, place) in code.exprs_of(lhs).enumerate() {
            // A literal assigned to a local keeps it a holder of literals.
            if let Expr::Name(tok) = code.exprs[place]
                && self.is_literal(code.exprs_of(rhs).nth(at))
                && let Some(local) = self.local(code.name(tok))
                && let LocalKind::Var(ty, closure) = local.kind
            {
                let before = self.closures[closure as usize];
                self.operand(place, Role::Write);
                self.closures[closure as usize] = before;
                types.push(Ty::UNKNOWN);
                places.push((ty, self.written_place()));
                continue;
            }
            let op = self.operand(place, Role::Write);
            let ty = self.value(&op);
            types.push(ty);
            places.push((ty, self.written_place()));
        }
        let list = code.exprs_of(rhs);
        let values: Vec<(ExprId, FlowingValue)> =
            list.map(|value| (value, self.read_given(value))).collect();
        self.assigned_all(&values, &types);
        self.flow_all(&values, &places, FlowRole::Assigned);
    }

    /// Short variable declarations (Go spec): only names that are new in this block are declared.
    fn define(&mut self, lhs: ListId, rhs: ListId) {
        let code = self.code;
        let places: Vec<ExprId> = code.exprs_of(lhs).collect();
        let values = self.values(rhs, places.len());
        let from = self.block_start();
        for (at, place) in places.into_iter().enumerate() {
            let Expr::Name(tok) = code.exprs[place] else {
                self.operand(place, Role::Write);
                continue;
            };
            if self.local_names[from..].contains(&code.name(tok)) {
                let op = self.operand(place, Role::Write);
                let (to, value) = (self.value(&op), code.exprs_of(rhs).nth(at));
                let place = self.written_place();
                let value = value.or_else(|| code.exprs_of(rhs).next());
                if let Some((value, &given)) = value.zip(values.get(at)) {
                    self.assigned(value, given.ty, to);
                    if let Some(place) = place {
                        self.flow(given, to, place, value, FlowRole::Assigned);
                    }
                }
            } else {
                let literal = self.is_literal(code.exprs_of(rhs).nth(at));
                let given = values.get(at).copied();
                let ty = given.map_or(Ty::UNKNOWN, |given| given.ty);
                let place = self.declare_var(tok, ty, literal);
                let value = code.exprs_of(rhs).nth(at);
                let value = value.or_else(|| code.exprs_of(rhs).next());
                if let (Some(given), Some(place), Some(value)) = (given, place, value) {
                    self.flow(given, ty, place, value, FlowRole::Assigned);
                }
            }
        }
    }

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
                    self.assigned(value, from.ty, to);
                }
            }
        }
        let without_values = code.exprs_of(values).len() == 0;
        for (at, tok) in names.into_iter().enumerate() {
            let from = given.get(at).copied();
            let own = from.map(|given| given.ty);
            let ty = declared.or(own).unwrap_or(Ty::UNKNOWN);
            let literal = without_values || self.is_literal(code.exprs_of(values).nth(at));
            let place = self.declare_var(tok, ty, literal);
            if let (Some(given), Some(place), Some(value)) = (from, place, value_at(at)) {
                self.flow(given, ty, place, value, FlowRole::Assigned);
            }
        }
    }

    fn local_consts(&mut self, names: ListId, ty: ExprId, values: ListId, iota: u32) {
        let code = self.code;
        let outer = self.iota.replace(i64::from(iota));
        let declared = (ty != no_expr()).then(|| self.resolve_type(ty, Role::VariableType));
        let mut consts = Vec::new();
        for (at, &tok) in code.list(names).iter().enumerate() {
            let (own, value) = match code.exprs_of(values).nth(at) {
                Some(value) => (self.read(value), self.constant(value)),
                None => (Ty::UNKNOWN, None),
            };
            let number = self.values.len() as u32;
            self.values.push(value);
            consts.push((tok, LocalKind::Const(declared.unwrap_or(own), number)));
        }
        self.iota = outer;
        for (tok, kind) in consts {
            self.declare(tok, kind);
        }
    }

    fn range(&mut self, key: ExprId, value: ExprId, define: bool, over: ExprId, body: StmtId) {
        let code = self.code;
        let given = self.read_given(over);
        let (key_type, value_type) = self.ranged(given.ty);
        let [key_origin, value_origin] = self.ranged_places(given, over);
        self.block(|typer| {
            let parts = [
                (key, key_type, key_origin),
                (value, value_type, value_origin),
            ];
            for (place, ty, origin) in parts {
                if place == no_expr() {
                    continue;
                }
                let given = FlowingValue { ty, origin };
                match code.exprs[place] {
                    Expr::Name(tok) if define => {
                        let ty = if typer.types.is_untyped(ty) {
                            Ty::basic(Basic::Int)
                        } else {
                            ty
                        };
                        if let Some(place) = typer.declare_var(tok, ty, false) {
                            typer.flow(given, ty, place, over, FlowRole::Assigned);
                        }
                    }
                    _ => {
                        let op = typer.operand(place, Role::Write);
                        let to = typer.value(&op);
                        if let Some(place) = typer.written_place() {
                            typer.flow(given, to, place, over, FlowRole::Assigned);
                        }
                    }
                }
            }
            if body != no_stmt() {
                typer.statement(body);
            }
        });
    }
}
