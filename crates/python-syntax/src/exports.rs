//! Collects the changes of a module's `__all__` (Python reference, The import statement).

use super::flat::FlatIndex;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;
use codeweft_syntax::NameId;

impl PythonLowering<'_, '_> {
    /// Records `__all__ = value` or `__all__ += value`.
    pub(super) fn all_changed(&mut self, value: FlatIndex, is_set: bool) {
        let mut changes = Vec::new();
        self.all_parts(value, &mut changes);
        if is_set {
            match changes.first_mut() {
                Some(AllChange::Add(names)) => {
                    let names = std::mem::take(names);
                    changes[0] = AllChange::Set(names);
                }
                _ => changes.insert(0, AllChange::Set(Box::default())),
            }
        }
        self.all.append(&mut changes);
    }

    /// Records `__all__.extend(value)`, `.append` or `.remove`.
    pub(super) fn all_called(&mut self, call: FlatIndex) {
        if self.item != 0 {
            return;
        }
        let Some(callee) = self.flat.field(call, NodeField::Function) else {
            return;
        };
        let base = self.flat.first_expr(callee);
        let is_all = self.kind(callee) == PythonKind::Attribute
            && base.is_some_and(|base| {
                self.kind(base) == PythonKind::Identifier && self.text(base) == "__all__"
            });
        let method = self.flat.field(callee, NodeField::Attribute);
        let (true, Some(method)) = (is_all, method) else {
            return;
        };
        let argument = self
            .flat
            .field(call, NodeField::Arguments)
            .and_then(|arguments| self.flat.first_expr(arguments));
        let Some(argument) = argument else {
            self.all.push(AllChange::Unknown);
            return;
        };
        match self.text(method) {
            "extend" => self.all_changed(argument, false),
            "append" => {
                let change = match self.all_name(argument) {
                    Some(name) => AllChange::Add([name].into()),
                    None => AllChange::Unknown,
                };
                self.all.push(change);
            }
            "remove" => {
                let change = match self.all_name(argument) {
                    Some(name) => AllChange::Remove(name),
                    None => AllChange::Unknown,
                };
                self.all.push(change);
            }
            _ => self.all.push(AllChange::Unknown),
        }
    }

    /// Records `mod.__all__`: the node of the module, if that is a dotted name.
    fn all_of(&mut self, at: FlatIndex) -> AllChange {
        let mut names = Vec::new();
        let mut inner = at;
        while self.kind(inner) == PythonKind::Attribute
            && let Some(name_at) = self.flat.field(inner, NodeField::Attribute)
            && let Some(base) = self.flat.first_expr(inner)
        {
            names.push(name_at);
            inner = base;
        }
        if self.kind(inner) != PythonKind::Identifier {
            return AllChange::Unknown;
        }
        let name = self.name(inner);
        let (mut base, _) = self.read(name);
        for &name_at in names[1..].iter().rev() {
            let name = self.name(name_at);
            base = self.push(Node::Attr { base, name });
        }
        AllChange::AddOf(base)
    }

    fn all_parts(&mut self, at: FlatIndex, changes: &mut Vec<AllChange>) {
        let mut operands = Vec::new();
        let mut at = at;
        while self.kind(at) == PythonKind::Binary
            && self.flat.first(at, PythonKind::Plus).is_some()
            && let (Some(left), Some(right)) = (
                self.flat.field(at, NodeField::Left),
                self.flat.field(at, NodeField::Right),
            )
        {
            operands.push(right);
            at = left;
        }
        operands.push(at);
        for operand in operands.into_iter().rev() {
            match self.kind(operand) {
                PythonKind::List
                | PythonKind::Tuple
                | PythonKind::Paren
                | PythonKind::ExpressionList => {
                    let mut names = Vec::new();
                    for part in self.children(operand) {
                        if self.kind(part) == PythonKind::ListSplat {
                            if !names.is_empty() {
                                changes.push(AllChange::Add(std::mem::take(&mut names).into()));
                            }
                            let inner = self.flat.first_expr(part);
                            changes.push(match inner.filter(|&inner| self.reads_all(inner)) {
                                Some(inner) => self.all_of(inner),
                                None => AllChange::Unknown,
                            });
                        } else if self.kind(part).is_expr() {
                            match self.all_name(part) {
                                Some(name) => names.push(name),
                                None => changes.push(AllChange::Unknown),
                            }
                        }
                    }
                    changes.push(AllChange::Add(names.into()));
                }
                PythonKind::Attribute if self.reads_all(operand) => {
                    changes.push(self.all_of(operand));
                }
                _ => changes.push(AllChange::Unknown),
            }
        }
    }

    /// Returns whether an expression is `mod.__all__`.
    fn reads_all(&self, at: FlatIndex) -> bool {
        self.kind(at) == PythonKind::Attribute
            && self
                .flat
                .field(at, NodeField::Attribute)
                .is_some_and(|name| self.text(name) == "__all__")
    }

    /// Returns the name in a string, and records a use of it.
    fn all_name(&mut self, at: FlatIndex) -> Option<NameId> {
        if self.kind(at) != PythonKind::String || self.has_parts(at) {
            return None;
        }
        let (start, end) = self.content(at)?;
        let name = self.words.intern(self.words.slice(start, end));
        self.record_use(start, UseKind::All(name));
        Some(name)
    }
}
