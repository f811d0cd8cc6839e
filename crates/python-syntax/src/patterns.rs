//! Lowers the `match` statement: the names its patterns capture, and how they narrow the subject
//! (Python reference, The match statement).
//!
//! ```python
//! match x:
//!     case C(a):      # x: Narrow { x, C, true }; a: MatchPosition { x, 0 }
//!         ...
//!     case [p, *q]:   # p: Unpack { x, 0 }; q: UnpackRest(x)
//!         ...
//! ```

use super::binders::{captured_last, is_capture};
use super::flat::FlatIndex;
use super::flow::UNBOUND;
use super::guards;
use super::implied::Implied;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;

impl PythonLowering<'_, '_> {
    pub(super) fn match_statement(&mut self, at: FlatIndex) {
        let around = self.guard;
        self.guard = guards::inside(around, Guard::Other);
        let subjects: Vec<FlatIndex> = self
            .flat
            .children(at)
            .filter(|&part| self.flat.node(part).field == NodeField::Subject)
            .collect();
        let subject = match subjects[..] {
            [only] => self.expr(only),
            _ => {
                let list = self.exprs(subjects.iter().copied());
                self.push(Node::Tuple(list))
            }
        };
        let name = match subjects[..] {
            [only] => self.subject_slot(only),
            _ => None,
        };
        let mut ends = Vec::new();
        let mut rest = subject;
        let cases = match self.flat.field(at, NodeField::Body) {
            Some(body) => self.children(body),
            None => Vec::new(),
        };
        let mut takes_all = false;
        for case in cases {
            if self.kind(case) != PythonKind::Case {
                continue;
            }
            let mut fails = self.env.clone();
            let patterns: Vec<FlatIndex> = self
                .flat
                .children(case)
                .filter(|&part| self.kind(part) == PythonKind::CasePattern)
                .collect();
            let mut left = rest;
            let mut all = false;
            match patterns[..] {
                [only] if !self.is_followed_by_comma(only, self.flat.node(case).end) => {
                    let (taken, other) = self.pattern(only, rest);
                    all = self.takes_all(only);
                    left = other;
                    if let Some(slot) = name {
                        self.set_slot(slot, taken);
                    }
                }
                _ => self.sequence(&patterns, rest),
            }
            let guard = self.flat.field(case, NodeField::Guard);
            if let Some(test) = guard.and_then(|guard| self.flat.first_expr(guard)) {
                let (_, unguarded) = self.test(test, false);
                fails = unguarded;
                left = rest;
                all = false;
            }
            if let Some(slot) = name
                && let Some(bound) = fails.values.get_mut(slot as usize)
            {
                *bound = left;
            }
            if let Some(body) = self.flat.field(case, NodeField::Consequence) {
                self.block(body);
            }
            rest = left;
            takes_all |= all;
            fails.dead |= all;
            ends.push(std::mem::replace(&mut self.env, fails));
        }
        if !takes_all {
            ends.push(std::mem::take(&mut self.env));
        }
        self.guard = around;
        self.env = self.join(ends);
    }

    fn subject_slot(&mut self, at: FlatIndex) -> Option<u32> {
        let name = match self.kind(at) {
            PythonKind::Named => self.flat.field(at, NodeField::Name)?,
            _ => self.plain_name(at)?,
        };
        let name = self.name(name);
        let slot = self.narrow_slot(name)?;
        (*self.env.values.get(slot as usize)? != UNBOUND).then_some(slot)
    }

    fn set_slot(&mut self, slot: u32, value: NodeId) {
        if let Some(bound) = self.env.values.get_mut(slot as usize) {
            *bound = value;
        }
    }

    fn is_followed_by_comma(&self, at: FlatIndex, end: u32) -> bool {
        let behind = self.words.slice(self.flat.node(at).end, end);
        behind.trim_start().starts_with(',')
    }

    /// Returns whether a pattern is irrefutable: `_` or a capture.
    fn takes_all(&self, at: FlatIndex) -> bool {
        let inner = self.flat.children(at).next();
        inner.is_some_and(|inner| match self.kind(inner) {
            PythonKind::Underscore => true,
            PythonKind::DottedName => is_capture(&self.flat, inner),
            _ => false,
        })
    }

    /// Lowers a pattern for a subject. Returns the subject where the pattern matches and where it
    /// does not.
    fn pattern(&mut self, at: FlatIndex, subject: NodeId) -> (NodeId, NodeId) {
        self.deeper(|l| l.pattern_here(at, subject))
            .unwrap_or((subject, subject))
    }

    fn pattern_here(&mut self, at: FlatIndex, subject: NodeId) -> (NodeId, NodeId) {
        let same = (subject, subject);
        match self.kind(at) {
            PythonKind::CasePattern => {
                let parts = self.children(at);
                let is_number = parts
                    .first()
                    .is_some_and(|&part| self.kind(part) == PythonKind::Minus);
                match parts.first() {
                    Some(&inner) if !is_number => self.pattern(inner, subject),
                    _ => same,
                }
            }
            PythonKind::DottedName if is_capture(&self.flat, at) => {
                self.target(at + 1, subject, NONE);
                same
            }
            PythonKind::DottedName => {
                let right = self.type_form(at);
                self.push(Node::Compare {
                    op: CompareOp::Eq,
                    left: subject,
                    right,
                });
                self.imply(Implied::Compare, CompareOp::Eq as u8);
                same
            }
            PythonKind::AsPattern => {
                let mut fits = same;
                if let Some(inner) = self.flat.first(at, PythonKind::CasePattern) {
                    fits = self.pattern(inner, subject);
                }
                if let Some(name) = captured_last(&self.flat, at) {
                    self.target(name, fits.0, NONE);
                }
                fits
            }
            PythonKind::ClassPattern => self.class_pattern(at, subject),
            PythonKind::UnionPattern => {
                let mut taken = Vec::new();
                let mut left = subject;
                for part in self.children(at) {
                    let kind = self.kind(part);
                    if kind == PythonKind::Pipe || kind == PythonKind::Minus {
                        continue;
                    }
                    let (fits, other) = self.pattern(part, left);
                    taken.push(fits);
                    left = other;
                }
                (self.phi(&mut taken), left)
            }
            PythonKind::ListPattern | PythonKind::TuplePattern => {
                let parts: Vec<FlatIndex> = self
                    .flat
                    .children(at)
                    .filter(|&part| self.kind(part) == PythonKind::CasePattern)
                    .collect();
                // A single pattern in parentheses is a group.
                if let (PythonKind::TuplePattern, &[only]) = (self.kind(at), &parts[..])
                    && !self.is_followed_by_comma(only, self.flat.node(at).end)
                {
                    return self.pattern(only, subject);
                }
                self.sequence(&parts, subject);
                same
            }
            PythonKind::DictPattern => {
                self.mapping(at, subject);
                same
            }
            PythonKind::None => {
                let fits = self.push(Node::NotNone {
                    value: subject,
                    holds: false,
                });
                let other = self.push(Node::NotNone {
                    value: subject,
                    holds: true,
                });
                (fits, other)
            }
            PythonKind::KeywordPattern => same,
            kind if kind.is_expr() => {
                self.expr(at);
                same
            }
            _ => same,
        }
    }

    fn sequence(&mut self, parts: &[FlatIndex], subject: NodeId) {
        let count = parts.len() as i32;
        let mut behind_star = false;
        for (number, &part) in parts.iter().enumerate() {
            let star = self
                .flat
                .children(part)
                .find(|&inner| self.kind(inner) == PythonKind::StarPattern);
            if let Some(star) = star {
                behind_star = true;
                if let Some(name) = captured_last(&self.flat, star) {
                    let rest = self.push(Node::UnpackRest(subject));
                    self.target(name, rest, NONE);
                }
                continue;
            }
            let at = number as i32 - if behind_star { count } else { 0 };
            let element = self.push(Node::Unpack { base: subject, at });
            self.pattern(part, element);
        }
    }

    fn mapping(&mut self, at: FlatIndex, subject: NodeId) {
        let mut key = 0;
        for part in self.children(at) {
            if self.kind(part) == PythonKind::StarPattern {
                if let Some(name) = captured_last(&self.flat, part) {
                    self.target(name, subject, NONE);
                }
            } else if self.flat.node(part).field == NodeField::Key {
                key = self.expr(part);
            } else if self.kind(part) == PythonKind::CasePattern {
                self.imply(Implied::Subscript, 0);
                let value = self.push(Node::Subscript {
                    base: subject,
                    index: key,
                });
                self.pattern(part, value);
            }
        }
    }

    fn class_pattern(&mut self, at: FlatIndex, subject: NodeId) -> (NodeId, NodeId) {
        let Some(name) = self.flat.first(at, PythonKind::DottedName) else {
            return (subject, subject);
        };
        self.imply(Implied::Match, 0);
        self.role = TypeRole::Assertion;
        let class = self.type_form(name);
        self.role = TypeRole::None;
        let narrow = |holds| Node::Narrow {
            value: subject,
            class,
            holds,
        };
        let fits = self.push(narrow(true));
        let mut position = 0;
        let mut is_plain = true;
        for part in self.children(at) {
            if self.kind(part) != PythonKind::CasePattern {
                continue;
            }
            is_plain = false;
            let keyword = self.flat.first(part, PythonKind::KeywordPattern);
            let Some(keyword) = keyword else {
                let value = self.push(Node::MatchPosition {
                    base: fits,
                    at: position,
                });
                position += 1;
                self.pattern(part, value);
                continue;
            };
            let mut parts = self.children(keyword).into_iter();
            let Some(name_at) = parts.next() else {
                continue;
            };
            let name = self.name(name_at);
            let value = self.push(Node::Attr { base: fits, name });
            self.record_use(
                self.start(name_at),
                UseKind::Attr {
                    base: fits,
                    name,
                    access: Access::Load,
                    role: self.role,
                    value,
                },
            );
            if let Some(inner) = parts.next() {
                self.pattern(inner, value);
            }
        }
        let other = if is_plain {
            self.push(narrow(false))
        } else {
            subject
        };
        (fits, other)
    }
}
