//! Statements (Python reference, Simple statements; Compound statements).

use super::flat::At;
use super::flow::{Env, UNBOUND};
use super::guards;
use super::implied::Implied;
use super::ir::*;
use super::kinds::{Field, Kind};
use super::walk::Lowering;

impl Lowering<'_, '_> {
    /// The statements below a node. What an ERROR holds is read through.
    pub(super) fn block(&mut self, at: At) {
        let mut swallowed = false;
        for part in self.children(at) {
            if self.stopped {
                return;
            }
            // A context manager may have swallowed what left its block.
            if std::mem::take(&mut swallowed) {
                self.env.dead = false;
            }
            let dead = self.env.dead;
            self.stmt(part);
            swallowed = self.kind(part) == Kind::With && self.env.dead && !dead;
        }
    }

    /// A statement, or what of one an ERROR left.
    pub(super) fn stmt(&mut self, at: At) {
        self.deeper(|l| l.stmt_here(at));
    }

    fn stmt_here(&mut self, at: At) {
        let kind = self.kind(at);
        match kind {
            Kind::ExpressionStatement => self.expression_statement(at),
            Kind::Assignment => self.assignment(at),
            Kind::Augmented => self.augmented(at),
            Kind::Return => self.returned(at),
            Kind::Delete => {
                for part in self.children(at) {
                    self.delete(part);
                }
            }
            Kind::Raise => {
                for part in self.children(at) {
                    if self.kind(part).is_expr() {
                        self.raised(part);
                    }
                }
                self.env.dead = true;
            }
            Kind::Break | Kind::Continue => {
                let env = self.env.clone();
                if let Some(exits) = self.loops.last_mut() {
                    match kind {
                        Kind::Break => exits.breaks.push(env),
                        _ => exits.continues.push(env),
                    }
                }
                self.env.dead = true;
            }
            Kind::Global | Kind::Nonlocal => self.scope_statement(at),
            Kind::Assert => self.asserted(at),
            Kind::Import | Kind::ImportFrom | Kind::FutureImport => self.import(at),
            Kind::Print | Kind::Exec => {
                for part in self.children(at) {
                    let inner = match self.kind(part) {
                        Kind::Chevron => self.flat.first_expr(part),
                        kind => kind.is_expr().then_some(part),
                    };
                    if let Some(inner) = inner {
                        self.expr(inner);
                    }
                }
            }
            Kind::TypeAlias => self.type_alias(at),
            Kind::If => self.branch(at),
            Kind::For => self.for_loop(at),
            Kind::While => self.while_loop(at),
            Kind::Try => self.try_statement(at),
            Kind::With => self.with(at),
            Kind::Match => self.match_statement(at),
            Kind::Function | Kind::Class | Kind::Decorated => self.definition(at),
            Kind::Block | Kind::Error | Kind::Module => self.block(at),
            kind if kind.is_expr() => {
                self.expr(at);
            }
            _ => {}
        }
        if kind.is_stmt() && self.has_errors {
            for part in self.children(at) {
                if self.kind(part) == Kind::Error {
                    self.stmt(part);
                }
            }
        }
    }

    /// What is raised, or its cause.
    fn raised(&mut self, at: At) {
        let name = match self.kind(at) {
            Kind::Identifier => Some(at),
            Kind::Attribute => self.flat.field(at, Field::Attribute),
            _ => None,
        };
        match name {
            Some(name) => {
                let value = self.expr_as(at, Access::Callee);
                self.note(self.start(name), UseKind::Raise(value));
            }
            None => {
                self.expr(at);
            }
        }
    }

    fn expression_statement(&mut self, at: At) {
        for part in self.children(at) {
            match self.kind(part) {
                Kind::Assignment | Kind::Augmented => self.stmt(part),
                // Docstrings say nothing of values.
                Kind::String if !self.has_parts(part) => {}
                Kind::Ellipsis => {}
                Kind::Call => {
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

    /// `a: T = b = value`
    pub(super) fn assignment(&mut self, at: At) {
        let mut lefts = Vec::new();
        let mut at = at;
        let right = loop {
            let left = self.flat.field(at, Field::Left);
            let ty = self.flat.field(at, Field::Type);
            if let Some(left) = left {
                lefts.push((left, ty));
            }
            match self.flat.field(at, Field::Right) {
                Some(right) if self.kind(right) == Kind::Assignment => at = right,
                right => break right,
            }
        };
        let value = right.map_or(NONE, |right| self.right_side(right));
        for (left, ty) in lefts {
            let role = if self.is_class() || self.kind(left) == Kind::Attribute {
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
                && self.kind(left) == Kind::Identifier
                && self.text(left) == "__all__"
                && let Some(right) = right
            {
                self.all_changed(right, true);
            }
        }
    }

    fn returned(&mut self, at: At) {
        let value = match self.flat.first_expr(at) {
            Some(value) => self.expr(value),
            None => self.constant(Constant::None),
        };
        if !self.env.dead {
            let bare = self.flat.first_expr(at).is_none();
            let draft = self.draft();
            draft.results.push(value);
            draft.flags.falls_through |= bare;
        }
        self.env.dead = true;
    }

    fn scope_statement(&mut self, at: At) {
        for part in self.children(at) {
            if self.kind(part) == Kind::Identifier {
                let name = self.name(part);
                let (_, scope) = self.read(name);
                let kind = UseKind::Name {
                    scope,
                    name,
                    access: Access::Load,
                    role: self.role,
                    value: NONE,
                };
                self.note(self.start(part), kind);
            }
        }
    }

    fn asserted(&mut self, at: At) {
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

    /// `if`, `elif`, `else`: however many.
    fn branch(&mut self, at: At) {
        let around = self.guard;
        let mut ends = Vec::new();
        let mut guard = Guard::Other;
        let mut has_else = false;
        let mut link = Some(at);
        let mut others = self
            .flat
            .children(at)
            .filter(|&part| matches!(self.kind(part), Kind::Elif | Kind::Else))
            .collect::<Vec<_>>()
            .into_iter();
        while let Some(here) = link {
            let first = here == at;
            if self.kind(here) == Kind::Else {
                has_else = true;
                if let Some(body) = self.flat.field(here, Field::Body) {
                    self.block(body);
                }
                ends.push(std::mem::take(&mut self.env));
                break;
            }
            let mut fails = self.env.clone();
            if let Some(test) = self.flat.field(here, Field::Condition) {
                if first {
                    guard = guards::of_test(&self.flat, &self.words, test);
                }
                fails = self.test(test, false).1;
            }
            self.guard = guards::inside(around, if first { guard } else { guards::beside(guard) });
            if let Some(body) = self.flat.field(here, Field::Consequence) {
                self.block(body);
            }
            self.guard = guards::inside(around, guards::beside(guard));
            ends.push(std::mem::replace(&mut self.env, fails));
            link = others.next();
        }
        if !has_else {
            ends.push(std::mem::take(&mut self.env));
        }
        self.guard = around;
        self.env = self.join(ends);
    }

    /// The `else` of a loop, on the path that found its end.
    fn loop_else(&mut self, at: At) {
        if let Some(other) = self.flat.first(at, Kind::Else)
            && let Some(body) = self.flat.field(other, Field::Body)
        {
            self.block(body);
        }
    }

    fn for_loop(&mut self, at: At) {
        let is_async = self.flat.first(at, Kind::AsyncKeyword).is_some();
        let right = self.flat.field(at, Field::Right);
        let value = right.map_or(0, |right| self.expr(right));
        if let Some(right) = right {
            self.iterate(right, value, is_async);
        }
        let around = self.guard;
        self.guard = guards::inside(around, Guard::Other);
        let head = self.enter_loop(at, self.flat.node(at).next);
        let done = self.env.clone();
        let element = self.element(value, is_async);
        if let Some(left) = self.flat.field(at, Field::Left) {
            self.target(left, element, NONE);
        }
        if let Some(body) = self.flat.field(at, Field::Body) {
            self.block(body);
        }
        let mut ends = self.leave_loop(&head);
        self.env = done;
        self.loop_else(at);
        self.guard = around;
        ends.insert(0, std::mem::take(&mut self.env));
        self.env = self.join(ends);
    }

    fn while_loop(&mut self, at: At) {
        let around = self.guard;
        self.guard = guards::inside(around, Guard::Other);
        let head = self.enter_loop(at, self.flat.node(at).next);
        let mut done = self.env.clone();
        if let Some(test) = self.flat.field(at, Field::Condition) {
            done = self.test(test, false).1;
        }
        if let Some(body) = self.flat.field(at, Field::Body) {
            self.block(body);
        }
        let mut ends = self.leave_loop(&head);
        self.env = done;
        self.loop_else(at);
        self.guard = around;
        ends.insert(0, std::mem::take(&mut self.env));
        self.env = self.join(ends);
    }

    fn try_statement(&mut self, at: At) {
        let around = self.guard;
        let parts = self.children(at);
        let finally = parts
            .iter()
            .copied()
            .find(|&part| self.kind(part) == Kind::Finally);
        let before = self.env.clone();
        if finally.is_some() {
            self.enter_try();
        }
        self.enter_try();
        self.guard = guards::inside(around, guards::of_try(&self.flat, &self.words, at));
        if let Some(body) = self.flat.field(at, Field::Body) {
            self.block(body);
        }
        let log = self.leave_try();
        let failed = self.failed(&before, &log);
        let mut ends: Vec<Env> = Vec::new();
        let done = std::mem::take(&mut self.env);
        for &part in &parts {
            if self.kind(part) == Kind::Except {
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
        if let Some(&other) = parts.iter().find(|&&part| self.kind(part) == Kind::Else)
            && let Some(body) = self.flat.field(other, Field::Body)
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

    /// The body of `finally` sees every path; behind it the normal one goes on.
    fn finally(&mut self, at: At, before: &Env) {
        let log = self.leave_try();
        let normal = std::mem::take(&mut self.env);
        let failed = self.failed(before, &log);
        let live = !normal.dead;
        self.env = self.join(vec![normal.clone(), failed]);
        if let Some(body) = self.flat.first(at, Kind::Block) {
            self.block(body);
        }
        let after = std::mem::replace(&mut self.env, normal);
        for slot in self.scope().bound_in(at, self.flat.node(at).next) {
            if let (Some(place), Some(&value)) = (
                self.env.values.get_mut(slot as usize),
                after.values.get(slot as usize),
            ) {
                *place = value;
            }
        }
        self.env.dead = !live || after.dead;
    }

    fn handler(&mut self, at: At) {
        let mut classes = Vec::new();
        let mut target = self.flat.field(at, Field::Alias);
        for part in self.children(at) {
            if self.flat.node(part).field != Field::Value {
                continue;
            }
            let mut class = part;
            if self.kind(part) == Kind::AsPattern {
                target = self.flat.first(part, Kind::AsTarget);
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
        if let Some(body) = self.flat.first(at, Kind::Block) {
            self.block(body);
        }
        // The name is deleted at the end of the clause.
        for name in bound {
            let name = self.name(name);
            if let super::resolve::Found::Slot(slot) = self.find(name) {
                self.bind_slot(slot, UNBOUND);
            }
        }
    }

    fn with(&mut self, at: At) {
        let is_async = self.flat.first(at, Kind::AsyncKeyword).is_some();
        let before = self.env.clone();
        self.enter_try();
        if let Some(clause) = self.flat.first(at, Kind::WithClause) {
            for item in self.children(clause) {
                if self.kind(item) == Kind::WithItem
                    && let Some(value) = self.flat.first_expr(item)
                {
                    self.with_item(value, is_async);
                }
            }
        }
        if let Some(body) = self.flat.field(at, Field::Body) {
            self.block(body);
        }
        let log = self.leave_try();
        if self.env.dead {
            self.env = self.failed(&before, &log);
            self.env.dead = true;
        }
    }

    fn with_item(&mut self, at: At, is_async: bool) {
        let mut at = at;
        while self.kind(at) == Kind::Paren
            && let Some(inner) = self.flat.first_expr(at)
        {
            at = inner;
        }
        if self.kind(at) == Kind::Tuple {
            for part in self.children(at) {
                if self.kind(part).is_expr() {
                    self.entered(part, is_async);
                }
            }
            return;
        }
        self.entered(at, is_async);
    }

    /// A value that is entered, and bound with `as`.
    pub(super) fn entered(&mut self, at: At, is_async: bool) -> NodeId {
        let is_bound = self.kind(at) == Kind::AsPattern;
        let inner = match is_bound {
            true => self.flat.first_expr(at),
            false => Some(at),
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
        self.note(self.last_byte(inner), UseKind::With { value, is_async });
        if !is_bound {
            return value;
        }
        let entered = self.push(if is_async {
            Node::AsyncEnter(value)
        } else {
            Node::Enter(value)
        });
        if let Some(target) = self.flat.first(at, Kind::AsTarget) {
            self.target(target, entered, NONE);
        }
        entered
    }
}
