//! Lowers calls (Python reference, Calls), including those whose arguments are type expressions.

use super::flat::FlatIndex;
use super::implied::Implied;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;

/// Calls with arguments that are type expressions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    No,
    /// `isinstance(x, C)`, `issubclass(x, C)`
    Test,
    /// `cast(T, x)`
    Cast,
    /// `TypeVar("T", bound=B)`, `NewType("N", T)`
    Declares,
}

impl PythonLowering<'_, '_> {
    /// Lowers a call whose callee is lowered already.
    pub(super) fn call(&mut self, at: FlatIndex, callee_at: FlatIndex, callee: NodeId) -> NodeId {
        let Some(arguments) = self.flat.field(at, NodeField::Arguments) else {
            return callee;
        };
        let role = std::mem::take(&mut self.role);
        let special = self.special(callee_at, callee);
        let mut positional = Vec::new();
        let mut keywords = Vec::new();
        let mut keyword_offsets = Vec::new();
        if self.kind(arguments) == PythonKind::Generator {
            positional.push(self.expr(arguments));
        } else {
            for part in self.children(arguments) {
                match self.kind(part) {
                    PythonKind::KeywordArgument => {
                        let Some(name) = self.flat.field(part, NodeField::Name) else {
                            continue;
                        };
                        let value = self.flat.field(part, NodeField::Value);
                        let types = special == Special::Declares && self.text(name) == "bound";
                        let value = match value {
                            Some(value) if types => self.type_argument(value, TypeRole::None),
                            Some(value) => self.expr(value),
                            None => 0,
                        };
                        let id = self.name(name);
                        keyword_offsets.push((self.start(name), keywords.len() as u32));
                        keywords.push((id, value));
                    }
                    PythonKind::DictSplat => {
                        let inner = self.flat.first_expr(part);
                        let value = inner.map_or(0, |inner| self.expr(inner));
                        keywords.push((self.words.empty, value));
                    }
                    kind if kind.is_expr() => {
                        let value = match (special, positional.len()) {
                            (Special::Test, 1) => {
                                self.role = TypeRole::Assertion;
                                let value = self.expr(part);
                                self.role = TypeRole::None;
                                value
                            }
                            (Special::Cast, 0) => self.type_argument(part, TypeRole::Assertion),
                            (Special::Declares, 1..) => self.type_argument(part, TypeRole::None),
                            _ => self.expr(part),
                        };
                        positional.push(value);
                    }
                    _ => {}
                }
            }
        }
        self.role = role;
        self.imply(Implied::Call, 0);
        let positional = self.list(&positional);
        let number = self.calls.len() as u32;
        self.calls.push(Call {
            callee,
            positional,
            keywords: keywords.into(),
        });
        let node = self.push(Node::Call(number));
        let offset = self.callee_token(callee_at, arguments);
        self.record_use(offset, UseKind::Call(node));
        for (offset, which) in keyword_offsets {
            self.record_use(offset, UseKind::Keyword { call: node, which });
        }
        node
    }

    /// Returns the offset of a call's token: that of its callee's last name, or else of its
    /// parenthesis.
    fn callee_token(&self, callee: FlatIndex, arguments: FlatIndex) -> u32 {
        match self.kind(callee) {
            PythonKind::Identifier => self.start(callee),
            PythonKind::Attribute => self
                .flat
                .field(callee, NodeField::Attribute)
                .map_or(self.start(arguments), |name| self.start(name)),
            _ => self.start(arguments),
        }
    }

    fn special(&self, callee_at: FlatIndex, callee: NodeId) -> Special {
        let (name, plain) = match self.kind(callee_at) {
            PythonKind::Identifier => (self.text(callee_at), true),
            PythonKind::Attribute => {
                let base = self.flat.first_expr(callee_at).map(|base| self.text(base));
                if !matches!(base, Some("typing" | "t" | "typing_extensions")) {
                    return Special::No;
                }
                let name = self.flat.field(callee_at, NodeField::Attribute);
                (name.map_or("", |name| self.text(name)), false)
            }
            _ => return Special::No,
        };
        let is_global = matches!(self.nodes[callee as usize], Node::Global(_));
        match name {
            "isinstance" | "issubclass" if plain && is_global => Special::Test,
            "cast" => Special::Cast,
            "TypeVar" | "NewType" => Special::Declares,
            _ => Special::No,
        }
    }

    /// Lowers an argument that is a type expression; a string is parsed.
    fn type_argument(&mut self, at: FlatIndex, role: TypeRole) -> NodeId {
        if matches!(self.kind(at), PythonKind::String | PythonKind::Concatenated) {
            return self.annotation(at, role);
        }
        let before = std::mem::replace(&mut self.role, role);
        let value = self.expr(at);
        self.role = before;
        value
    }
}
