//! Lowers statements (Python reference, Simple statements; Compound statements), in execution
//! order.

use super::flat::FlatIndex;
use super::flow::{Env, LoopHead, UNBOUND};
use super::guards::{self, Branches};
use super::implied::Implied;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;

impl PythonLowering<'_, '_> {
    /// Lowers the statements below a node, and those inside its ERROR nodes.
    pub(super) fn block(&mut self, at: FlatIndex) {
        let mut swallowed = false;
        for part in self.children(at) {
            if self.stopped {
                return;
            }
            // A context manager may have suppressed the exception that left its block.
            if std::mem::take(&mut swallowed) {
                self.env.dead = false;
            }
            let dead = self.env.dead;
            self.stmt(part);
            swallowed = self.kind(part) == PythonKind::With && self.env.dead && !dead;
        }
    }

    /// Lowers a statement, or what an ERROR node has left of one.
    pub(super) fn stmt(&mut self, at: FlatIndex) {
        self.deeper(|l| l.stmt_here(at));
    }

    fn stmt_here(&mut self, at: FlatIndex) {
        let kind = self.kind(at);
        match kind {
            PythonKind::ExpressionStatement => self.expression_statement(at),
            PythonKind::Assignment => self.assignment(at),
            PythonKind::Augmented => self.augmented(at),
            PythonKind::Return => self.returned(at),
            PythonKind::Delete => {
                for part in self.children(at) {
                    self.delete(part);
                }
            }
            PythonKind::Raise => {
                for part in self.children(at) {
                    if self.kind(part).is_expr() {
                        self.raised(part);
                    }
                }
                self.env.dead = true;
            }
            PythonKind::Break | PythonKind::Continue => {
                let env = self.env.clone();
                if let Some(exits) = self.loops.last_mut() {
                    match kind {
                        PythonKind::Break => exits.breaks.push(env),
                        _ => exits.continues.push(env),
                    }
                }
                self.env.dead = true;
            }
            PythonKind::Global | PythonKind::Nonlocal => self.scope_statement(at),
            PythonKind::Assert => self.asserted(at),
            PythonKind::Import | PythonKind::ImportFrom | PythonKind::FutureImport => {
                self.import(at)
            }
            PythonKind::Print | PythonKind::Exec => {
                for part in self.children(at) {
                    let inner = match self.kind(part) {
                        PythonKind::Chevron => self.flat.first_expr(part),
                        kind => kind.is_expr().then_some(part),
                    };
                    if let Some(inner) = inner {
                        self.expr(inner);
                    }
                }
            }
            PythonKind::TypeAlias => self.type_alias(at),
            PythonKind::If => self.branch(at),
            PythonKind::For => self.for_loop(at),
            PythonKind::While => self.while_loop(at),
            PythonKind::Try => self.try_statement(at),
            PythonKind::With => self.with(at),
            PythonKind::Match => self.match_statement(at),
            PythonKind::Function | PythonKind::Class | PythonKind::Decorated => self.definition(at),
            PythonKind::Block | PythonKind::Error | PythonKind::Module => self.block(at),
            kind if kind.is_expr() => {
                self.expr(at);
            }
            _ => {}
        }
        if kind.is_stmt() && self.has_errors {
            for part in self.children(at) {
                if self.kind(part) == PythonKind::Error {
                    self.stmt(part);
                }
            }
        }
    }

    /// Lowers a raised exception, or its cause.
    fn raised(&mut self, at: FlatIndex) {
        let name = match self.kind(at) {
            PythonKind::Identifier => Some(at),
            PythonKind::Attribute => self.flat.field(at, NodeField::Attribute),
            _ => None,
        };
        match name {
            Some(name) => {
                let value = self.expr_as(at, Access::Callee);
                self.record_use(self.start(name), UseKind::Raise(value));
            }
            None => {
                self.expr(at);
            }
        }
    }

    fn expression_statement(&mut self, at: FlatIndex) {
        for part in self.children(at) {
            match self.kind(part) {
                PythonKind::Assignment | PythonKind::Augmented => self.stmt(part),
                // A docstring is no value.
                PythonKind::String if !self.has_parts(part) => {}
                PythonKind::Ellipsis => {}
                PythonKind::Call => {
                    self.expr(part);
                    self.all_called(part);
                }
                kind if kind.is_expr() => {
                    self.expr(part);
                }
                _ => {}
            }
        }
    }

    /// Lowers `a: T = b = value`.
    pub(super) fn assignment(&mut self, at: FlatIndex) {
        let mut lefts = Vec::new();
        let mut at = at;
        let right = loop {
            let left = self.flat.field(at, NodeField::Left);
            let ty = self.flat.field(at, NodeField::Type);
            if let Some(left) = left {
                lefts.push((left, ty));
            }
            match self.flat.field(at, NodeField::Right) {
                Some(right) if self.kind(right) == PythonKind::Assignment => at = right,
                right => break right,
            }
        };
        let value = right.map_or(NONE, |right| self.right_side(right));
        for (left, ty) in lefts {
            let role = if self.is_class() || self.kind(left) == PythonKind::Attribute {
                TypeRole::Field
            } else {
                TypeRole::Variable
            };
            let annotation = ty.map_or(NONE, |ty| self.annotation(ty, role));
            if value == NONE && annotation == NONE {
                continue;
            }
            self.target(left, value, annotation);
            if self.item == 0
                && self.kind(left) == PythonKind::Identifier
                && self.text(left) == "__all__"
                && let Some(right) = right
            {
                self.all_changed(right, true);
            }
        }
    }

    fn returned(&mut self, at: FlatIndex) {
        let value = match self.flat.first_expr(at) {
            Some(value) => self.expr(value),
            None => self.constant(Constant::None),
        };
        if !self.env.dead {
            let bare = self.flat.first_expr(at).is_none();
            let item = self.pending_item();
            item.results.push(value);
            item.flags.falls_through |= bare;
        }
        self.env.dead = true;
    }

    fn scope_statement(&mut self, at: FlatIndex) {
        for part in self.children(at) {
            if self.kind(part) == PythonKind::Identifier {
                let name = self.name(part);
                let (_, scope) = self.read(name);
                let kind = UseKind::Name {
                    scope,
                    name,
                    access: Access::Load,
                    role: self.role,
                    value: NONE,
                };
                self.record_use(self.start(part), kind);
            }
        }
    }

    fn asserted(&mut self, at: FlatIndex) {
        let mut parts = self
            .children(at)
            .into_iter()
            .filter(|&part| self.flat.kind(part).is_expr())
            .collect::<Vec<_>>()
            .into_iter();
        let Some(test) = parts.next() else { return };
        let (_, fails) = self.test(test, false);
        let holds = std::mem::replace(&mut self.env, fails);
        for message in parts {
            self.expr(message);
        }
        self.env = holds;
    }

    /// Lowers an `if` statement with any number of `elif` clauses.
    fn branch(&mut self, at: FlatIndex) {
        let around = self.guard;
        let mut ends = Vec::new();
        let mut guards = Branches::new();
        let mut has_else = false;
        let mut link = Some(at);
        let mut others = self
            .flat
            .children(at)
            .filter(|&part| matches!(self.kind(part), PythonKind::Elif | PythonKind::Else))
            .collect::<Vec<_>>()
            .into_iter();
        while let Some(here) = link {
            if self.kind(here) == PythonKind::Else {
                has_else = true;
                if let Some(body) = self.flat.field(here, NodeField::Body) {
                    self.block(body);
                }
                ends.push(std::mem::take(&mut self.env));
                break;
            }
            let mut fails = self.env.clone();
            let mut guard = guards.failed();
            if let Some(test) = self.flat.field(here, NodeField::Condition) {
                guard = guards.test(&self.flat, &self.words, test);
                fails = self.test(test, false).1;
            }
            self.guard = guards::inside(around, guard);
            if let Some(body) = self.flat.field(here, NodeField::Consequence) {
                self.block(body);
            }
            self.guard = guards::inside(around, guards.failed());
            ends.push(std::mem::replace(&mut self.env, fails));
            link = others.next();
        }
        if !has_else {
            ends.push(std::mem::take(&mut self.env));
        }
        self.guard = around;
        self.env = self.join(ends);
    }

    /// Lowers the body and the `else` of a loop; `done` are the values where the loop's end is reached.
    fn loop_body(&mut self, at: FlatIndex, head: &LoopHead, done: Env) {
        if let Some(body) = self.flat.field(at, NodeField::Body) {
            self.block(body);
        }
        let mut ends = self.leave_loop(head);
        self.env = done;
        self.loop_else(at);
        ends.insert(0, std::mem::take(&mut self.env));
        self.env = self.join(ends);
    }

    /// Lowers the `else` of a loop, on the path that reached the loop's end.
    fn loop_else(&mut self, at: FlatIndex) {
        if let Some(other) = self.flat.first(at, PythonKind::Else)
            && let Some(body) = self.flat.field(other, NodeField::Body)
        {
            self.block(body);
        }
    }

    fn for_loop(&mut self, at: FlatIndex) {
        let is_async = self.flat.first(at, PythonKind::AsyncKeyword).is_some();
        let right = self.flat.field(at, NodeField::Right);
        let value = right.map_or(0, |right| self.expr(right));
        if let Some(right) = right {
            self.iterate(right, value, is_async);
        }
        let around = self.guard;
        self.guard = guards::inside(around, Guard::Other);
        let head = self.enter_loop(at, self.flat.node(at).next);
        let done = self.env.clone();
        let element = self.element(value, is_async);
        if let Some(left) = self.flat.field(at, NodeField::Left) {
            self.target(left, element, NONE);
        }
        self.loop_body(at, &head, done);
        self.guard = around;
    }

    fn while_loop(&mut self, at: FlatIndex) {
        let around = self.guard;
        self.guard = guards::inside(around, Guard::Other);
        let head = self.enter_loop(at, self.flat.node(at).next);
        let mut done = self.env.clone();
        if let Some(test) = self.flat.field(at, NodeField::Condition) {
            done = self.test(test, false).1;
        }
        self.loop_body(at, &head, done);
        self.guard = around;
    }

    fn try_statement(&mut self, at: FlatIndex) {
        let around = self.guard;
        let parts = self.children(at);
        let finally = parts
            .iter()
            .copied()
            .find(|&part| self.kind(part) == PythonKind::Finally);
        let before = self.env.clone();
        if finally.is_some() {
            self.enter_try();
        }
        self.enter_try();
        self.guard = guards::inside(around, guards::of_try(&self.flat, &self.words, at));
        if let Some(body) = self.flat.field(at, NodeField::Body) {
            self.block(body);
        }
        let log = self.leave_try();
        let failed = self.failure_env(&before, &log);
        let mut ends: Vec<Env> = Vec::new();
        let done = std::mem::take(&mut self.env);
        for &part in &parts {
            if self.kind(part) == PythonKind::Except {
                let branch = if guards::takes_import_error(&self.flat, &self.words, part) {
                    Guard::ImportError
                } else {
                    Guard::Other
                };
                self.guard = guards::inside(around, branch);
                self.env = failed.clone();
                self.handler(part);
                ends.push(std::mem::take(&mut self.env));
            }
        }
        self.env = done;
        self.guard = guards::inside(around, Guard::Other);
        if let Some(&other) = parts
            .iter()
            .find(|&&part| self.kind(part) == PythonKind::Else)
            && let Some(body) = self.flat.field(other, NodeField::Body)
        {
            self.block(body);
        }
        ends.insert(0, std::mem::take(&mut self.env));
        self.env = self.join(ends);
        self.guard = around;
        if let Some(finally) = finally {
            self.finally(finally, &before);
        }
    }

    /// Lowers the body of `finally`, which sees every path; the normal path continues after it.
    fn finally(&mut self, at: FlatIndex, before: &Env) {
        let log = self.leave_try();
        let normal = std::mem::take(&mut self.env);
        let failed = self.failure_env(before, &log);
        let live = !normal.dead;
        self.env = self.join(vec![normal.clone(), failed]);
        if let Some(body) = self.flat.first(at, PythonKind::Block) {
            self.block(body);
        }
        let after = std::mem::replace(&mut self.env, normal);
        for slot in self.scope().bound_in(at, self.flat.node(at).next) {
            if let (Some(bound), Some(&value)) = (
                self.env.values.get_mut(slot as usize),
                after.values.get(slot as usize),
            ) {
                *bound = value;
            }
        }
        self.env.dead = !live || after.dead;
    }

    fn handler(&mut self, at: FlatIndex) {
        let mut classes = Vec::new();
        let mut target = self.flat.field(at, NodeField::Alias);
        for part in self.children(at) {
            if self.flat.node(part).field != NodeField::Value {
                continue;
            }
            let mut class = part;
            if self.kind(part) == PythonKind::AsPattern {
                target = self.flat.first(part, PythonKind::AsTarget);
                let Some(inner) = self.flat.first_expr(part) else {
                    continue;
                };
                class = inner;
            }
            self.role = TypeRole::Assertion;
            classes.push(self.expr(class));
            self.role = TypeRole::None;
        }
        let mut bound = Vec::new();
        if let Some(target) = target {
            let class = match classes[..] {
                [] => 0,
                [only] => only,
                _ => {
                    let list = self.list(&classes);
                    self.push(Node::Tuple(list))
                }
            };
            let caught = self.push(Node::Caught(class));
            self.target(target, caught, NONE);
            super::binders::target_names(&self.flat, target, &mut bound);
        }
        if let Some(body) = self.flat.first(at, PythonKind::Block) {
            self.block(body);
        }
        // The name is deleted at the end of the clause.
        for name in bound {
            let name = self.name(name);
            if let super::resolve::NameBinding::Slot(slot) = self.find(name) {
                self.bind_slot(slot, UNBOUND);
            }
        }
    }

    fn with(&mut self, at: FlatIndex) {
        let is_async = self.flat.first(at, PythonKind::AsyncKeyword).is_some();
        let before = self.env.clone();
        self.enter_try();
        if let Some(clause) = self.flat.first(at, PythonKind::WithClause) {
            for item in self.children(clause) {
                if self.kind(item) == PythonKind::WithItem
                    && let Some(value) = self.flat.first_expr(item)
                {
                    self.with_item(value, is_async);
                }
            }
        }
        if let Some(body) = self.flat.field(at, NodeField::Body) {
            self.block(body);
        }
        let log = self.leave_try();
        if self.env.dead {
            self.env = self.failure_env(&before, &log);
            self.env.dead = true;
        }
    }

    fn with_item(&mut self, at: FlatIndex, is_async: bool) {
        let mut at = at;
        while self.kind(at) == PythonKind::Paren
            && let Some(inner) = self.flat.first_expr(at)
        {
            at = inner;
        }
        if self.kind(at) == PythonKind::Tuple {
            for part in self.children(at) {
                if self.kind(part).is_expr() {
                    self.entered(part, is_async);
                }
            }
            return;
        }
        self.entered(at, is_async);
    }

    /// Lowers a value that `with` enters, and the target of its `as`.
    pub(super) fn entered(&mut self, at: FlatIndex, is_async: bool) -> NodeId {
        let is_bound = self.kind(at) == PythonKind::AsPattern;
        let inner = if is_bound {
            self.flat.first_expr(at)
        } else {
            Some(at)
        };
        let Some(inner) = inner else { return 0 };
        let value = self.expr(inner);
        self.imply(
            if is_async {
                Implied::AsyncWith
            } else {
                Implied::With
            },
            0,
        );
        self.record_use(self.last_byte(inner), UseKind::With { value, is_async });
        if !is_bound {
            return value;
        }
        let entered = self.push(if is_async {
            Node::AsyncEnter(value)
        } else {
            Node::Enter(value)
        });
        if let Some(target) = self.flat.first(at, PythonKind::AsTarget) {
            self.target(target, entered, NONE);
        }
        entered
    }
}
