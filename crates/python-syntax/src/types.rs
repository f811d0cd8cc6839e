//! Lowers type expressions (Python reference, Annotation scopes; typing documentation).

use super::flat::FlatIndex;
use super::ir::*;
use super::kinds::PythonKind;
use super::walk::PythonLowering;

impl PythonLowering<'_, '_> {
    /// Lowers a type expression: its names do not follow the flow, and its strings are parsed.
    pub(super) fn annotation(&mut self, at: FlatIndex, role: TypeRole) -> NodeId {
        let before = (self.role, self.in_type);
        (self.role, self.in_type) = (role, true);
        let value = self.expr(at);
        (self.role, self.in_type) = before;
        value
    }

    /// Lowers dotted names and forms that only the grammar of types has.
    pub(super) fn type_form(&mut self, at: FlatIndex) -> NodeId {
        match self.kind(at) {
            PythonKind::GenericType => {
                let mut base = 0;
                let mut base_at = at;
                for part in self.children(at) {
                    match self.kind(part) {
                        PythonKind::Identifier => {
                            base = self.load(part, Access::Load);
                            base_at = part;
                        }
                        PythonKind::TypeParameter => {
                            base = self.type_arguments(part, base, base_at)
                        }
                        _ => {}
                    }
                }
                base
            }
            PythonKind::UnionType => {
                let mut parts = Vec::new();
                self.union_parts(at, &mut parts);
                let mut values = parts.into_iter();
                let mut left = values.next().map_or(0, |part| self.expr(part));
                for part in values {
                    let right = self.expr(part);
                    let op = BinaryOp {
                        kind: BinaryKind::Or,
                        augmented: false,
                    };
                    left = self.push(Node::Binary { op, left, right });
                }
                left
            }
            PythonKind::SplatType => match self.flat.first(at, PythonKind::Identifier) {
                Some(name) => {
                    let value = self.load(name, Access::Load);
                    self.push(Node::Star(value))
                }
                None => 0,
            },
            PythonKind::ConstrainedType => {
                let values = self.exprs(self.types_in(at));
                self.list_of(values).first().copied().unwrap_or(0)
            }
            _ => {
                let mut value = None;
                for part in self.children(at) {
                    value = match (value, self.kind(part)) {
                        (None, PythonKind::Identifier) => Some(self.load(part, Access::Load)),
                        (None, kind) if kind.is_expr() => Some(self.expr(part)),
                        (Some(base), PythonKind::Identifier) => {
                            let name = self.name(part);
                            let value = self.push(Node::Attr { base, name });
                            self.record_use(
                                self.start(part),
                                UseKind::Attr {
                                    base,
                                    name,
                                    access: Access::Load,
                                    role: self.role,
                                    value,
                                },
                            );
                            Some(value)
                        }
                        _ => value,
                    };
                }
                value.unwrap_or(0)
            }
        }
    }

    /// Collects the operands of `a | b | c` in text order. The grammar reads all behind a subscript as
    /// one operand, though `|` groups to the left.
    fn union_parts(&self, at: FlatIndex, into: &mut Vec<FlatIndex>) {
        let mut open = vec![at];
        while let Some(part) = open.pop() {
            let inner = match self.kind(part) {
                PythonKind::Type => self.flat.first_expr(part).into_iter().collect(),
                PythonKind::UnionType => self.types_in(part),
                PythonKind::Binary if self.flat.first(part, PythonKind::Pipe).is_some() => {
                    self.types_in(part)
                }
                _ => {
                    into.push(part);
                    continue;
                }
            };
            open.extend(inner.into_iter().rev());
        }
    }

    fn types_in(&self, at: FlatIndex) -> Vec<FlatIndex> {
        self.flat
            .children(at)
            .filter(|&part| self.kind(part).is_expr())
            .collect()
    }

    fn type_arguments(&mut self, at: FlatIndex, base: NodeId, base_at: FlatIndex) -> NodeId {
        let parts = self.types_in(at);
        let before = (self.role, self.in_type);
        self.role = TypeRole::TypeArgument;
        let form = self.form(base_at);
        self.in_type &= form != SpecialForm::Literal;
        let mut values = Vec::new();
        for (number, &part) in parts.iter().enumerate() {
            if form == SpecialForm::Annotated && number > 0 {
                self.in_type = false;
            }
            values.push(self.expr(part));
        }
        (self.role, self.in_type) = before;
        let node = self.flat.node(at);
        let last = parts
            .last()
            .map_or(node.start, |&part| self.flat.node(part).end);
        let is_tuple = self
            .words
            .slice(last, node.end)
            .trim_start()
            .starts_with(',');
        let index = match values[..] {
            [only] if !is_tuple => only,
            _ => {
                let list = self.list(&values);
                self.push(Node::Tuple(list))
            }
        };
        self.push(Node::Subscript { base, index })
    }

    /// Returns how the brackets after a name are read.
    pub(super) fn form(&self, at: FlatIndex) -> SpecialForm {
        let node = self.flat.node(at);
        let text = self.words.slice(node.start, node.end);
        match text.rsplit('.').next() {
            Some("Literal") => SpecialForm::Literal,
            Some("Annotated") => SpecialForm::Annotated,
            _ => SpecialForm::Types,
        }
    }
}

/// The contents of the brackets after a special form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecialForm {
    /// Types.
    Types,
    /// Values: `Literal`.
    Literal,
    /// A type, then values: `Annotated`.
    Annotated,
}
