//! The walk over statements (Go spec, Statements): what variables are assigned, what functions return.

use codeweft_db::{NameId, ValueId, WireBranch, WireValue};
use codeweft_go_syntax::{Expr, ExprId, ListId, Stmt, StmtId, no_expr};
use rustc_hash::FxHashMap;

use super::WireWalk;

impl WireWalk<'_> {
    pub(super) fn statement(&mut self, id: StmtId) {
        let code = self.code;
        match code.stmts[id] {
            Stmt::Empty | Stmt::Branch(_) | Stmt::Type { .. } => {}
            Stmt::Expr(value) | Stmt::IncDec(value) | Stmt::Go(value) | Stmt::Defer(value) => {
                self.value(value);
            }
            Stmt::Send(channel, value) => {
                self.value(channel);
                self.value(value);
            }
            Stmt::Assign { lhs, rhs } => {
                let targets: Vec<ExprId> = code.exprs_of(lhs).collect();
                let values = self.assigned(targets.len(), rhs);
                for (target, value) in targets.into_iter().zip(values) {
                    self.assign(target, value);
                }
            }
            Stmt::AssignOp(target, value) => {
                let value = self.value(value);
                self.assign(target, value);
            }
            Stmt::Define { lhs, rhs } => {
                let targets: Vec<ExprId> = code.exprs_of(lhs).collect();
                let values = self.assigned(targets.len(), rhs);
                for (target, value) in targets.into_iter().zip(values) {
                    self.define(target, value);
                }
            }
            Stmt::Var { names, ty, values }
            | Stmt::Const {
                names, ty, values, ..
            } => {
                self.declared_locals(names, ty, values);
            }
            Stmt::Labeled { stmt, .. } => self.statement(stmt),
            Stmt::Return(values) => self.returned(values),
            Stmt::Block(list) => self.scoped(|walk| walk.statements(list)),
            Stmt::Group(list) => self.statements(list),
            Stmt::If {
                init,
                cond,
                then,
                other,
            } => self.scoped(|walk| {
                walk.statement(init);
                walk.value(cond);
                walk.statement(then);
                walk.statement(other);
            }),
            Stmt::For {
                init,
                cond,
                post,
                body,
            } => self.scoped(|walk| {
                walk.statement(init);
                walk.value(cond);
                walk.statement(post);
                walk.statement(body);
            }),
            Stmt::Range {
                key,
                value,
                define,
                over,
                body,
            } => self.scoped(|walk| walk.range((key, value), define, over, body)),
            Stmt::Switch { init, tag, clauses } => self.scoped(|walk| {
                walk.statement(init);
                let subject = walk.value(tag);
                for clause in code.stmts_of(clauses) {
                    walk.clause(subject, clause);
                }
            }),
            Stmt::TypeSwitch {
                init,
                bind,
                over,
                clauses,
            } => self.scoped(|walk| {
                walk.statement(init);
                let over = walk.value(over);
                if let Some(tok) = bind {
                    walk.declare(tok, vec![over]);
                }
                walk.statements(clauses);
            }),
            Stmt::Clause { exprs, body } => self.scoped(|walk| {
                walk.visit(exprs);
                walk.statements(body);
            }),
            Stmt::Select(clauses) => self.statements(clauses),
            Stmt::Comm { comm, body } => self.scoped(|walk| {
                walk.statement(comm);
                walk.statements(body);
            }),
        }
    }

    /// Walks a case of a switch: what it runs only where the tag is one of its values.
    fn clause(&mut self, subject: ValueId, id: StmtId) {
        let code = self.code;
        let Stmt::Clause { exprs, body } = code.stmts[id] else {
            return self.statement(id);
        };
        self.scoped(|walk| {
            let values = code.exprs_of(exprs).map(|value| walk.value(value));
            let values: Vec<ValueId> = values.collect();
            let branch = walk.branch_of(subject, values);
            walk.within(branch, |walk| walk.statements(body));
        });
    }

    /// Returns the branch in which a value is one of several; that around it if one of them is not known.
    fn branch_of(&mut self, subject: ValueId, values: Vec<ValueId>) -> u32 {
        if subject == 0 || values.is_empty() || values.contains(&0) {
            return self.branch;
        }
        self.builder.add_branch(WireBranch {
            subject,
            values: values.into(),
            around: self.branch,
        })
    }

    /// Walks code of a branch.
    fn within(&mut self, branch: u32, work: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.branch, branch);
        work(self);
        self.branch = around;
    }

    fn statements(&mut self, list: ListId) {
        let code = self.code;
        for stmt in code.stmts_of(list) {
            self.statement(stmt);
        }
    }

    fn scoped(&mut self, work: impl FnOnce(&mut Self)) {
        self.scopes.push(FxHashMap::default());
        work(self);
        self.scopes.pop();
    }

    /// Returns the values that so many targets are assigned.
    fn assigned(&mut self, targets: usize, values: ListId) -> Vec<ValueId> {
        let code = self.code;
        let values: Vec<ValueId> = code
            .exprs_of(values)
            .map(|value| self.value(value))
            .collect();
        match values[..] {
            [only] if targets > 1 => (0..targets as u32)
                .map(|number| self.result_of(only, number))
                .collect(),
            _ => values,
        }
    }

    fn assign(&mut self, target: ExprId, value: ValueId) {
        let code = self.code;
        if let Expr::Name(tok) = code.exprs[target]
            && let Some(local) = self.local(code.name(tok))
        {
            if let Some(values) = self.builder.locals.get_mut(local as usize)
                && value != 0
            {
                values.push(value);
            }
            return;
        }
        let target = match code.exprs[target] {
            Expr::Star(inner) => {
                let inner = self.value(inner);
                self.builder.add(WireValue::Pointee(inner))
            }
            _ => self.value(target),
        };
        if target != 0 && value != 0 {
            self.builder.writes.push((target, value));
        }
    }

    /// Declares the name on the left of `:=`, or assigns it if its scope declares it already.
    fn define(&mut self, target: ExprId, value: ValueId) {
        let Expr::Name(tok) = self.code.exprs[target] else {
            return self.assign(target, value);
        };
        let name: NameId = self.code.name(tok);
        let is_known = self
            .scopes
            .last()
            .is_some_and(|scope| scope.contains_key(&name));
        if is_known {
            self.assign(target, value);
        } else {
            self.declare(tok, vec![value]);
        }
    }

    fn declared_locals(&mut self, names: ListId, ty: ExprId, values: ListId) {
        let code = self.code;
        let toks = code.list(names);
        let values = self.assigned(toks.len(), values);
        // A variable without a value is an object of its type.
        let object = if values.is_empty() && ty != no_expr() {
            match self.type_value(ty) {
                0 => 0,
                class => self.builder.add(WireValue::Object {
                    class,
                    fields: Box::default(),
                }),
            }
        } else {
            0
        };
        for (at, &tok) in toks.iter().enumerate() {
            let value = values.get(at).copied().unwrap_or(object);
            self.declare(tok, vec![value]);
        }
    }

    fn returned(&mut self, values: ListId) {
        let code = self.code;
        let mut returned: Vec<ValueId> = code
            .exprs_of(values)
            .map(|value| self.value(value))
            .collect();
        if returned.is_empty() {
            let named = self.results.last().cloned().unwrap_or_default();
            returned = named
                .into_iter()
                .map(|local| self.builder.add(WireValue::Local(local)))
                .collect();
        }
        self.builder.add_return(self.function, returned);
    }

    fn range(&mut self, names: (ExprId, ExprId), define: bool, over: ExprId, body: StmtId) {
        let over = self.value(over);
        let (key, element) = match over {
            0 => (0, 0),
            over => (
                self.builder.add(WireValue::Key(over)),
                self.builder.add(WireValue::Element(over)),
            ),
        };
        for (name, value) in [(names.0, key), (names.1, element)] {
            if name == no_expr() {
                continue;
            }
            if define {
                self.define(name, value);
            } else {
                self.assign(name, value);
            }
        }
        self.statement(body);
    }
}
