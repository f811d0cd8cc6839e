//! Expressions (Python reference, Expressions), each a node, in the order of evaluation.

use super::flat::At;
use super::implied::Implied;
use super::ir::*;
use super::kinds::{Field, Kind};
use super::types::Form;
use super::walk::Lowering;

impl Lowering<'_, '_> {
    /// The value of an expression.
    pub(super) fn expr(&mut self, at: At) -> NodeId {
        self.expr_as(at, Access::Load)
    }

    /// The value of an expression whose last name is read for this.
    pub(super) fn expr_as(&mut self, at: At, access: Access) -> NodeId {
        self.deeper(|l| l.spine(at, access)).unwrap_or(0)
    }

    pub(super) fn imply(&mut self, what: Implied, more: u8) {
        self.implied |= 1 << (what as u8 + more);
    }

    /// Attributes, calls, subscripts and operators grow to the left: they are taken from the
    /// innermost on, without recursion.
    fn spine(&mut self, at: At, access: Access) -> NodeId {
        let mut links = Vec::new();
        let mut inner = at;
        let mut starred = None;
        loop {
            let kind = self.kind(inner);
            // Among type arguments the grammar reads `*a[b]` as `(*a)[b]`.
            let is_star = kind == Kind::ListSplat && !links.is_empty();
            let is_link = matches!(
                kind,
                Kind::Attribute | Kind::Call | Kind::Subscript | Kind::Binary
            );
            let first = self.flat.first_expr(inner);
            let Some(first) = first.filter(|_| is_star || is_link) else {
                break;
            };
            if is_star {
                starred = Some(first);
            } else {
                links.push(inner);
            }
            inner = first;
        }
        let access_at = |l: &Self, depth: usize| match depth.checked_sub(1) {
            None => access,
            Some(outer) if l.kind(links[outer]) == Kind::Call => Access::Callee,
            Some(_) => Access::Load,
        };
        let mut value = match self.kind(inner) {
            Kind::Identifier => {
                let access = access_at(self, links.len());
                self.load(inner, access)
            }
            _ => self.operand(inner),
        };
        let mut callee = inner;
        for (depth, &link) in links.iter().enumerate().rev() {
            if self.tick() {
                break;
            }
            value = match self.kind(link) {
                Kind::Attribute => {
                    let access = access_at(self, depth);
                    self.attribute(link, value, access)
                }
                Kind::Call => self.call(link, callee, value),
                Kind::Subscript => self.subscript(link, callee, value),
                _ => self.binary(link, value),
            };
            callee = link;
        }
        match starred {
            Some(first) => {
                self.iterate(first, value, false);
                self.push(Node::Star(value))
            }
            None => value,
        }
    }

    fn attribute(&mut self, at: At, base: NodeId, access: Access) -> NodeId {
        let Some(place) = self.flat.field(at, Field::Attribute) else {
            return base;
        };
        let name = self.name(place);
        let value = self.push(Node::Attr { base, name });
        self.note(
            self.start(place),
            UseKind::Attr {
                base,
                name,
                access,
                role: self.role,
                value,
            },
        );
        value
    }

    fn binary(&mut self, at: At, left: NodeId) -> NodeId {
        let mut op = None;
        let mut right = None;
        for part in self.flat.children(at).skip(1) {
            if let Some(kind) = binary_kind(self.kind(part)) {
                op = Some((kind, part));
            } else if op.is_some() && self.kind(part).is_expr() {
                right = Some(part);
            }
        }
        let (Some((kind, token)), Some(right)) = (op, right) else {
            return left;
        };
        let right = self.expr(right);
        if self.in_type {
            let op = BinaryOp {
                kind,
                augmented: false,
            };
            return self.push(Node::Binary { op, left, right });
        }
        self.operate(kind, false, left, right, self.start(token))
    }

    /// `left op right`, noted at its operator.
    pub(super) fn operate(
        &mut self,
        kind: BinaryKind,
        augmented: bool,
        left: NodeId,
        right: NodeId,
        offset: u32,
    ) -> NodeId {
        self.imply(Implied::Binary, kind as u8);
        if augmented {
            self.imply(Implied::Augmented, kind as u8);
        }
        let op = BinaryOp { kind, augmented };
        let node = self.push(Node::Binary { op, left, right });
        self.note(offset, UseKind::Operator(node));
        node
    }

    fn subscript(&mut self, at: At, base_at: At, base: NodeId) -> NodeId {
        let before = (self.role, self.in_type);
        if self.in_type || self.role != TypeRole::None {
            self.role = TypeRole::TypeArgument;
        }
        let index = if self.in_type {
            match self.form(base_at) {
                Form::Types => self.index(at, usize::MAX),
                Form::Literal => self.index(at, 0),
                Form::Annotated => self.index(at, 1),
            }
        } else {
            self.index(at, usize::MAX)
        };
        (self.role, self.in_type) = before;
        let node = self.push(Node::Subscript { base, index });
        // At run time an annotation may never be evaluated.
        if !self.in_type {
            let offset = self.bracket(at);
            self.imply(Implied::Subscript, 0);
            self.note(offset, UseKind::Operator(node));
        }
        node
    }

    /// Where the `[` of a subscript stands.
    pub(super) fn bracket(&self, at: At) -> u32 {
        self.flat
            .first(at, Kind::Bracket)
            .map_or(self.start(at), |bracket| self.start(bracket))
    }

    /// What stands in the brackets of a subscript; from part `types` on no types.
    pub(super) fn index(&mut self, at: At, types: usize) -> NodeId {
        let parts: Vec<At> = self
            .flat
            .children(at)
            .filter(|&part| self.flat.node(part).field == Field::Subscript)
            .collect();
        let is_tuple = parts.len() != 1
            || self
                .words
                .slice(self.flat.node(parts[0]).end, self.flat.node(at).end)
                .trim_start()
                .starts_with(',');
        let mut values = Vec::with_capacity(parts.len());
        for (number, part) in parts.into_iter().enumerate() {
            self.in_type &= number < types;
            values.push(self.expr(part));
        }
        match values[..] {
            [only] if !is_tuple => only,
            _ => {
                let list = self.list(&values);
                self.push(Node::Tuple(list))
            }
        }
    }

    /// A list of the values of expressions; starred ones as [`Node::Star`].
    pub(super) fn exprs(&mut self, parts: impl IntoIterator<Item = At>) -> ListId {
        let values: Vec<NodeId> = parts.into_iter().map(|part| self.expr(part)).collect();
        self.list(&values)
    }

    fn expr_children(&self, at: At) -> Vec<At> {
        self.flat
            .children(at)
            .filter(|&part| self.kind(part).is_expr())
            .collect()
    }

    /// An expression that does not begin with a link of the spine.
    fn operand(&mut self, at: At) -> NodeId {
        match self.kind(at) {
            Kind::Identifier => self.load(at, Access::Load),
            Kind::Paren | Kind::Type => {
                let inner = self.flat.first_expr(at);
                inner.map_or(0, |inner| self.expr(inner))
            }
            Kind::String | Kind::Concatenated => self.string(at),
            Kind::Integer => {
                let text = self.text(at);
                let complex = text.ends_with(['j', 'J']) && !text.starts_with("0x");
                self.constant(if complex {
                    Constant::Complex
                } else {
                    Constant::Int
                })
            }
            Kind::Float => {
                let complex = self.text(at).ends_with(['j', 'J']);
                self.constant(if complex {
                    Constant::Complex
                } else {
                    Constant::Float
                })
            }
            Kind::True | Kind::False => self.constant(Constant::Bool),
            Kind::None => self.constant(Constant::None),
            Kind::Ellipsis => self.constant(Constant::Ellipsis),
            Kind::Tuple | Kind::ExpressionList | Kind::PatternList | Kind::TuplePattern => {
                let list = self.exprs(self.expr_children(at));
                self.push(Node::Tuple(list))
            }
            Kind::List | Kind::ListPattern => {
                let list = self.exprs(self.expr_children(at));
                self.push(Node::List(list))
            }
            Kind::Set => {
                let list = self.exprs(self.expr_children(at));
                self.push(Node::Set(list))
            }
            Kind::Dictionary => self.dictionary(at),
            Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::DictComprehension
            | Kind::Generator => self.comprehension(at),
            Kind::Lambda => self.lambda(at),
            Kind::Conditional => self.conditional(at),
            Kind::Boolean => self.junction_value(at),
            Kind::Not => {
                let (value, fails) = self.test(at, true);
                let holds = std::mem::take(&mut self.env);
                self.env = self.join(vec![holds, fails]);
                value
            }
            Kind::Comparison => self.comparison(at),
            Kind::Unary => self.unary(at),
            Kind::Await => {
                let inner = self.flat.first_expr(at);
                let value = inner.map_or(0, |inner| self.expr(inner));
                self.imply(Implied::Await, 0);
                let node = self.push(Node::Await(value));
                self.note(self.start(at), UseKind::Await(node));
                node
            }
            Kind::Named => self.named(at),
            Kind::AsPattern => self.entered(at, false),
            Kind::ListSplat | Kind::SplatPattern => {
                let inner = self.flat.first_expr(at);
                let Some(inner) = inner else { return 0 };
                let value = self.expr(inner);
                self.iterate(inner, value, false);
                self.push(Node::Star(value))
            }
            Kind::DictSplat | Kind::DictSplatPattern => {
                let inner = self.flat.first_expr(at);
                let value = inner.map_or(0, |inner| self.expr(inner));
                self.push(Node::Star(value))
            }
            Kind::Yield => self.yielded(at),
            Kind::Slice => {
                for part in self.expr_children(at) {
                    self.expr(part);
                }
                self.push(Node::Slice)
            }
            Kind::SplatType
            | Kind::GenericType
            | Kind::UnionType
            | Kind::ConstrainedType
            | Kind::MemberType
            | Kind::DottedName => self.type_form(at),
            // A target that stands where a value should.
            _ => 0,
        }
    }

    pub(super) fn constant(&mut self, constant: Constant) -> NodeId {
        self.push(Node::Constant(constant))
    }

    /// Notes that a value is iterated over.
    pub(super) fn iterate(&mut self, at: At, value: NodeId, is_async: bool) {
        self.imply(
            if is_async {
                Implied::AsyncIterate
            } else {
                Implied::Iterate
            },
            0,
        );
        self.note(self.last_byte(at), UseKind::Iterate { value, is_async });
    }

    fn dictionary(&mut self, at: At) -> NodeId {
        let mut values = Vec::new();
        for part in self.children(at) {
            match self.kind(part) {
                Kind::Pair => {
                    let (key, value) = self.pair(part);
                    values.extend([key, value]);
                }
                Kind::DictSplat => values.extend([self.expr(part), 0]),
                _ => {}
            }
        }
        let list = self.list(&values);
        self.push(Node::Dict(list))
    }

    pub(super) fn pair(&mut self, at: At) -> (NodeId, NodeId) {
        let key = self.flat.field(at, Field::Key);
        let value = self.flat.field(at, Field::Value);
        let key = key.map_or(0, |key| self.expr(key));
        (key, value.map_or(0, |value| self.expr(value)))
    }

    fn unary(&mut self, at: At) -> NodeId {
        let mut op = None;
        let mut operand = None;
        for part in self.flat.children(at) {
            match self.kind(part) {
                Kind::Plus => op = Some((UnaryOp::Pos, Implied::Pos)),
                Kind::Minus => op = Some((UnaryOp::Neg, Implied::Neg)),
                Kind::Tilde => op = Some((UnaryOp::Invert, Implied::Invert)),
                kind if kind.is_expr() => operand = Some(part),
                _ => {}
            }
        }
        let (Some((op, implied)), Some(operand)) = (op, operand) else {
            return 0;
        };
        let value = self.expr(operand);
        if let Node::Constant(Constant::Int | Constant::Float | Constant::Complex) =
            self.nodes[value as usize]
        {
            return value;
        }
        self.imply(implied, 0);
        let node = self.push(Node::Unary { op, value });
        self.note(self.start(at), UseKind::Operator(node));
        node
    }

    /// `a < b < c`: links that are joined by `and`.
    pub(super) fn comparison(&mut self, at: At) -> NodeId {
        let mut left = None;
        let mut op = None;
        let mut links = Vec::new();
        for part in self.children(at) {
            if let Some(found) = compare_op(self.kind(part)) {
                op = Some((found, self.start(part)));
            } else if self.kind(part).is_expr() {
                let right = self.expr(part);
                if let (Some(left), Some((op, offset))) = (left, op.take()) {
                    links.push(self.compare(op, left, right, offset));
                }
                left = Some(right);
            }
        }
        match links[..] {
            [] => left.unwrap_or(0),
            [only] => only,
            _ => {
                let list = self.list(&links);
                self.push(Node::Union(list))
            }
        }
    }

    fn compare(&mut self, op: CompareOp, left: NodeId, right: NodeId, offset: u32) -> NodeId {
        let node = self.push(Node::Compare { op, left, right });
        match op {
            CompareOp::Is | CompareOp::IsNot => return node,
            CompareOp::In | CompareOp::NotIn => self.imply(Implied::Contains, 0),
            _ => self.imply(Implied::Compare, op as u8),
        }
        self.note(offset, UseKind::Operator(node));
        node
    }

    /// `x := value`
    fn named(&mut self, at: At) -> NodeId {
        let value = self.flat.field(at, Field::Value);
        let value = value.map_or(0, |value| self.expr(value));
        if let Some(name) = self.flat.field(at, Field::Name) {
            self.store(name, value, NONE, Access::Store);
        }
        value
    }

    /// `a if test else b`
    fn conditional(&mut self, at: At) -> NodeId {
        let mut values = Vec::new();
        let mut paths = Vec::new();
        let mut at = at;
        // A chain grows to the right.
        loop {
            let parts = self.expr_children(at);
            let &[chosen, test, other] = &parts[..] else {
                for part in parts {
                    values.push(self.expr(part));
                }
                break;
            };
            let (_, fails) = self.test(test, false);
            values.push(self.expr(chosen));
            paths.push(std::mem::replace(&mut self.env, fails));
            if self.kind(other) == Kind::Conditional && !self.tick() {
                at = other;
                continue;
            }
            values.push(self.expr(other));
            break;
        }
        paths.push(std::mem::take(&mut self.env));
        self.env = self.join(paths);
        let list = self.list(&values);
        self.push(Node::Union(list))
    }

    fn yielded(&mut self, at: At) -> NodeId {
        let from = self.flat.first(at, Kind::FromKeyword).is_some();
        let inner = self.flat.first_expr(at);
        let value = match inner {
            Some(inner) => self.expr(inner),
            None => self.constant(Constant::None),
        };
        self.draft().flags.is_generator = true;
        if let (true, Some(inner)) = (from, inner) {
            self.iterate(inner, value, false);
            let element = self.push(Node::Iter(value));
            self.draft().yields.push(element);
            return self.push(Node::YieldFrom(value));
        }
        self.draft().yields.push(value);
        self.push(Node::Sent)
    }
}

/// The operator at a token.
pub(super) fn binary_kind(kind: Kind) -> Option<BinaryKind> {
    Some(match kind {
        Kind::Plus | Kind::PlusEqual => BinaryKind::Add,
        Kind::Minus | Kind::MinusEqual => BinaryKind::Sub,
        Kind::Star | Kind::StarEqual => BinaryKind::Mul,
        Kind::At | Kind::AtEqual => BinaryKind::MatMul,
        Kind::Slash | Kind::SlashEqual => BinaryKind::TrueDiv,
        Kind::DoubleSlash | Kind::DoubleSlashEqual => BinaryKind::FloorDiv,
        Kind::Percent | Kind::PercentEqual => BinaryKind::Mod,
        Kind::DoubleStar | Kind::DoubleStarEqual => BinaryKind::Pow,
        Kind::ShiftLeft | Kind::ShiftLeftEqual => BinaryKind::LShift,
        Kind::ShiftRight | Kind::ShiftRightEqual => BinaryKind::RShift,
        Kind::Amp | Kind::AmpEqual => BinaryKind::And,
        Kind::Caret | Kind::CaretEqual => BinaryKind::Xor,
        Kind::Pipe | Kind::PipeEqual => BinaryKind::Or,
        _ => return None,
    })
}

fn compare_op(kind: Kind) -> Option<CompareOp> {
    Some(match kind {
        Kind::Less => CompareOp::Lt,
        Kind::LessEqual => CompareOp::Le,
        Kind::EqualEqual => CompareOp::Eq,
        Kind::NotEqual | Kind::NotEqualOld => CompareOp::Ne,
        Kind::Greater => CompareOp::Gt,
        Kind::GreaterEqual => CompareOp::Ge,
        Kind::In => CompareOp::In,
        Kind::NotIn => CompareOp::NotIn,
        Kind::Is => CompareOp::Is,
        Kind::IsNot => CompareOp::IsNot,
        _ => return None,
    })
}
