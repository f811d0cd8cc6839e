//! Type expressions (Python reference, Annotation scopes; typing documentation).

use super::flat::At;
use super::ir::*;
use super::kinds::Kind;
use super::walk::Lowering;

impl Lowering<'_, '_> {
    /// A type expression: its names do not follow the flow, its strings are parsed.
    pub(super) fn annotation(&mut self, at: At, role: TypeRole) -> NodeId {
        let before = (self.role, self.in_type);
        (self.role, self.in_type) = (role, true);
        let value = self.expr(at);
        (self.role, self.in_type) = before;
        value
    }

    /// The forms that only the grammar of types has, and dotted names.
    pub(super) fn type_form(&mut self, at: At) -> NodeId {
        match self.kind(at) {
            Kind::GenericType => {
                let mut base = 0;
                let mut base_at = at;
                for part in self.children(at) {
                    match self.kind(part) {
                        Kind::Identifier => {
                            base = self.load(part, Access::Load);
                            base_at = part;
                        }
                        Kind::TypeParameter => base = self.type_arguments(part, base, base_at),
                        _ => {}
                    }
                }
                base
            }
            Kind::UnionType => {
                let parts = self.types_in(at);
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
            Kind::SplatType => match self.flat.first(at, Kind::Identifier) {
                Some(name) => {
                    let value = self.load(name, Access::Load);
                    self.push(Node::Star(value))
                }
                None => 0,
            },
            Kind::ConstrainedType => {
                let values = self.exprs(self.types_in(at));
                self.list_of(values).first().copied().unwrap_or(0)
            }
            _ => {
                let mut value = None;
                for part in self.children(at) {
                    value = match (value, self.kind(part)) {
                        (None, Kind::Identifier) => Some(self.load(part, Access::Load)),
                        (None, kind) if kind.is_expr() => Some(self.expr(part)),
                        (Some(base), Kind::Identifier) => {
                            let name = self.name(part);
                            let value = self.push(Node::Attr { base, name });
                            self.note(
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

    fn types_in(&self, at: At) -> Vec<At> {
        self.flat
            .children(at)
            .filter(|&part| self.kind(part).is_expr())
            .collect()
    }

    fn type_arguments(&mut self, at: At, base: NodeId, base_at: At) -> NodeId {
        let parts = self.types_in(at);
        let before = (self.role, self.in_type);
        self.role = TypeRole::TypeArgument;
        let form = self.form(base_at);
        self.in_type &= form != Form::Literal;
        let mut values = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            if form == Form::Annotated && number > 0 {
                self.in_type = false;
            }
            values.push(self.expr(part));
        }
        (self.role, self.in_type) = before;
        let index = match values[..] {
            [only] => only,
            _ => {
                let list = self.list(&values);
                self.push(Node::Tuple(list))
            }
        };
        self.push(Node::Subscript { base, index })
    }

    /// Whether the strings in the brackets behind a name are types.
    pub(super) fn form(&self, at: At) -> Form {
        let node = self.flat.node(at);
        let text = self.words.slice(node.start, node.end);
        match text.rsplit('.').next() {
            Some("Literal") => Form::Literal,
            Some("Annotated") => Form::Annotated,
            _ => Form::Types,
        }
    }
}

/// What the brackets behind a special form hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Types.
    Types,
    /// Values: `Literal`.
    Literal,
    /// A type, then values: `Annotated`.
    Annotated,
}
