//! Lowers expressions (Python reference, Expressions) to nodes, in evaluation order.

use super::flat::FlatIndex;
use super::implied::Implied;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::types::SpecialForm;
use super::walk::PythonLowering;

impl PythonLowering<'_, '_> {
    /// Lowers an expression and returns its value.
    pub(super) fn expr(&mut self, at: FlatIndex) -> NodeId {
        self.expr_as(at, Access::Load)
    }

    /// Lowers an expression whose last name is accessed in the given way.
    pub(super) fn expr_as(&mut self, at: FlatIndex, access: Access) -> NodeId {
        self.deeper(|l| l.spine(at, access)).unwrap_or(0)
    }

    pub(super) fn imply(&mut self, what: Implied, more: u8) {
        self.implied |= 1 << (what as u8 + more);
    }

    /// Lowers a chain of attributes, calls, subscripts and operators, which grows to the left, from
    /// the innermost operand outwards, without recursion.
    fn spine(&mut self, at: FlatIndex, access: Access) -> NodeId {
        let mut links = Vec::new();
        let mut inner = at;
        let mut is_starred = false;
        loop {
            let kind = self.kind(inner);
            // In type arguments the grammar reads `*a[b]` as `(*a)[b]`.
            let is_star = kind == PythonKind::ListSplat && !links.is_empty();
            let is_link = matches!(
                kind,
                PythonKind::Attribute
                    | PythonKind::Call
                    | PythonKind::Subscript
                    | PythonKind::Binary
            );
            let first = self.flat.first_expr(inner);
            let Some(first) = first.filter(|_| is_star || is_link) else {
                break;
            };
            if is_star {
                is_starred = true;
            } else {
                links.push(inner);
            }
            inner = first;
        }
        let access_at = |l: &Self, depth: usize| match depth.checked_sub(1) {
            None => access,
            Some(outer) if l.kind(links[outer]) == PythonKind::Call => Access::Callee,
            Some(_) => Access::Load,
        };
        let mut value = match self.kind(inner) {
            PythonKind::Identifier => {
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
                PythonKind::Attribute => {
                    let access = access_at(self, depth);
                    self.attribute(link, value, access)
                }
                PythonKind::Call => self.call(link, callee, value),
                PythonKind::Subscript => self.subscript(link, callee, value),
                _ => self.binary(link, value),
            };
            callee = link;
        }
        if is_starred {
            self.starred(at, value)
        } else {
            value
        }
    }

    /// Adds `*value`, where `at` is the value. A type is not iterated over.
    fn starred(&mut self, at: FlatIndex, value: NodeId) -> NodeId {
        if !self.in_type {
            self.iterate(at, value, false);
        }
        self.push(Node::Star(value))
    }

    fn attribute(&mut self, at: FlatIndex, base: NodeId, access: Access) -> NodeId {
        let Some(name_at) = self.flat.field(at, NodeField::Attribute) else {
            return base;
        };
        let name = self.name(name_at);
        let value = self.push(Node::Attr { base, name });
        self.record_use(
            self.start(name_at),
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

    fn binary(&mut self, at: FlatIndex, left: NodeId) -> NodeId {
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

    /// Adds `left op right`, with a use at the operator.
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
        self.record_use(offset, UseKind::Operator(node));
        node
    }

    fn subscript(&mut self, at: FlatIndex, base_at: FlatIndex, base: NodeId) -> NodeId {
        let before = (self.role, self.in_type);
        if self.in_type || self.role != TypeRole::None {
            self.role = TypeRole::TypeArgument;
        }
        let index = if self.in_type {
            match self.form(base_at) {
                SpecialForm::Types => self.index(at, usize::MAX),
                SpecialForm::Literal => self.index(at, 0),
                SpecialForm::Annotated => self.index(at, 1),
            }
        } else {
            self.index(at, usize::MAX)
        };
        (self.role, self.in_type) = before;
        let node = self.push(Node::Subscript { base, index });
        // An annotation may never be evaluated at run time.
        if !self.in_type {
            let offset = self.bracket(at);
            self.imply(Implied::Subscript, 0);
            self.record_use(offset, UseKind::Operator(node));
        }
        node
    }

    /// Returns the offset of the `[` of a subscript.
    pub(super) fn bracket(&self, at: FlatIndex) -> u32 {
        self.flat
            .first(at, PythonKind::Bracket)
            .map_or(self.start(at), |bracket| self.start(bracket))
    }

    /// Lowers the index of a subscript. The parts from number `types` on are no types.
    pub(super) fn index(&mut self, at: FlatIndex, types: usize) -> NodeId {
        let parts: Vec<FlatIndex> = self
            .flat
            .children(at)
            .filter(|&part| self.flat.node(part).field == NodeField::Subscript)
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

    /// Lowers expressions to a list of their values; a starred one becomes [`Node::Star`].
    pub(super) fn exprs(&mut self, parts: impl IntoIterator<Item = FlatIndex>) -> ListId {
        let values: Vec<NodeId> = parts.into_iter().map(|part| self.expr(part)).collect();
        self.list(&values)
    }

    fn expr_children(&self, at: FlatIndex) -> Vec<FlatIndex> {
        self.flat
            .children(at)
            .filter(|&part| self.kind(part).is_expr())
            .collect()
    }

    /// Lowers an expression that does not begin with another one.
    fn operand(&mut self, at: FlatIndex) -> NodeId {
        match self.kind(at) {
            PythonKind::Identifier => self.load(at, Access::Load),
            PythonKind::Paren | PythonKind::Type => {
                let inner = self.flat.first_expr(at);
                inner.map_or(0, |inner| self.expr(inner))
            }
            PythonKind::String | PythonKind::Concatenated => self.string(at),
            PythonKind::Integer => {
                let text = self.text(at);
                let complex = text.ends_with(['j', 'J']) && !text.starts_with("0x");
                self.constant(if complex {
                    Constant::Complex
                } else {
                    Constant::Int
                })
            }
            PythonKind::Float => {
                let complex = self.text(at).ends_with(['j', 'J']);
                self.constant(if complex {
                    Constant::Complex
                } else {
                    Constant::Float
                })
            }
            PythonKind::True | PythonKind::False => self.constant(Constant::Bool),
            PythonKind::None => self.constant(Constant::None),
            PythonKind::Ellipsis => self.constant(Constant::Ellipsis),
            PythonKind::Tuple
            | PythonKind::ExpressionList
            | PythonKind::PatternList
            | PythonKind::TuplePattern => {
                let list = self.exprs(self.expr_children(at));
                self.push(Node::Tuple(list))
            }
            PythonKind::List | PythonKind::ListPattern => {
                let list = self.exprs(self.expr_children(at));
                self.push(Node::List(list))
            }
            PythonKind::Set => {
                let list = self.exprs(self.expr_children(at));
                self.push(Node::Set(list))
            }
            PythonKind::Dictionary => self.dictionary(at),
            PythonKind::ListComprehension
            | PythonKind::SetComprehension
            | PythonKind::DictComprehension
            | PythonKind::Generator => self.comprehension(at),
            PythonKind::Lambda => self.lambda(at),
            PythonKind::Conditional => self.conditional(at),
            PythonKind::Boolean => self.junction_value(at),
            PythonKind::Not => {
                let (value, fails) = self.test(at, true);
                let holds = std::mem::take(&mut self.env);
                self.env = self.join(vec![holds, fails]);
                value
            }
            PythonKind::Comparison => self.comparison(at),
            PythonKind::Unary => self.unary(at),
            PythonKind::Await => {
                let inner = self.flat.first_expr(at);
                let value = inner.map_or(0, |inner| self.expr(inner));
                self.imply(Implied::Await, 0);
                let node = self.push(Node::Await(value));
                self.record_use(self.start(at), UseKind::Await(node));
                node
            }
            PythonKind::Named => self.named(at),
            PythonKind::AsPattern => self.entered(at, false),
            PythonKind::ListSplat | PythonKind::SplatPattern => {
                let inner = self.flat.first_expr(at);
                let Some(inner) = inner else { return 0 };
                let value = self.expr(inner);
                self.starred(inner, value)
            }
            PythonKind::DictSplat | PythonKind::DictSplatPattern => {
                let inner = self.flat.first_expr(at);
                let value = inner.map_or(0, |inner| self.expr(inner));
                self.push(Node::Star(value))
            }
            PythonKind::Yield => self.yielded(at),
            PythonKind::Slice => {
                for part in self.expr_children(at) {
                    self.expr(part);
                }
                self.push(Node::Slice)
            }
            PythonKind::SplatType
            | PythonKind::GenericType
            | PythonKind::UnionType
            | PythonKind::ConstrainedType
            | PythonKind::MemberType
            | PythonKind::DottedName => self.type_form(at),
            // A target in the position of a value.
            _ => 0,
        }
    }

    pub(super) fn constant(&mut self, constant: Constant) -> NodeId {
        self.push(Node::Constant(constant))
    }

    /// Records that a value is iterated over.
    pub(super) fn iterate(&mut self, at: FlatIndex, value: NodeId, is_async: bool) {
        self.imply(
            if is_async {
                Implied::AsyncIterate
            } else {
                Implied::Iterate
            },
            0,
        );
        self.record_use(self.last_byte(at), UseKind::Iterate { value, is_async });
    }

    fn dictionary(&mut self, at: FlatIndex) -> NodeId {
        let mut values = Vec::new();
        for part in self.children(at) {
            match self.kind(part) {
                PythonKind::Pair => {
                    let (key, value) = self.pair(part);
                    values.extend([key, value]);
                }
                PythonKind::DictSplat => values.extend([self.expr(part), 0]),
                _ => {}
            }
        }
        let list = self.list(&values);
        self.push(Node::Dict(list))
    }

    pub(super) fn pair(&mut self, at: FlatIndex) -> (NodeId, NodeId) {
        let key = self.flat.field(at, NodeField::Key);
        let value = self.flat.field(at, NodeField::Value);
        let key = key.map_or(0, |key| self.expr(key));
        (key, value.map_or(0, |value| self.expr(value)))
    }

    fn unary(&mut self, at: FlatIndex) -> NodeId {
        let mut op = None;
        let mut operand = None;
        for part in self.flat.children(at) {
            match self.kind(part) {
                PythonKind::Plus => op = Some((UnaryOp::Pos, Implied::Pos)),
                PythonKind::Minus => op = Some((UnaryOp::Neg, Implied::Neg)),
                PythonKind::Tilde => op = Some((UnaryOp::Invert, Implied::Invert)),
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
        self.record_use(self.start(at), UseKind::Operator(node));
        node
    }

    /// Lowers `a < b < c`: comparisons joined by `and`.
    pub(super) fn comparison(&mut self, at: FlatIndex) -> NodeId {
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
        self.record_use(offset, UseKind::Operator(node));
        node
    }

    /// Lowers `x := value`.
    fn named(&mut self, at: FlatIndex) -> NodeId {
        let value = self.flat.field(at, NodeField::Value);
        let value = value.map_or(0, |value| self.expr(value));
        if let Some(name) = self.flat.field(at, NodeField::Name) {
            self.store(name, value, NONE, Access::Store);
        }
        value
    }

    /// Lowers `a if test else b`.
    fn conditional(&mut self, at: FlatIndex) -> NodeId {
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
            if self.kind(other) == PythonKind::Conditional && !self.tick() {
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

    fn yielded(&mut self, at: FlatIndex) -> NodeId {
        let from = self.flat.first(at, PythonKind::FromKeyword).is_some();
        let inner = self.flat.first_expr(at);
        let value = match inner {
            Some(inner) => self.expr(inner),
            None => self.constant(Constant::None),
        };
        self.pending_item().flags.is_generator = true;
        if let (true, Some(inner)) = (from, inner) {
            self.iterate(inner, value, false);
            let element = self.push(Node::Iter(value));
            self.pending_item().yields.push(element);
            return self.push(Node::YieldFrom(value));
        }
        self.pending_item().yields.push(value);
        self.push(Node::Sent)
    }
}

/// Returns the binary operator of a token.
pub(super) fn binary_kind(kind: PythonKind) -> Option<BinaryKind> {
    Some(match kind {
        PythonKind::Plus | PythonKind::PlusEqual => BinaryKind::Add,
        PythonKind::Minus | PythonKind::MinusEqual => BinaryKind::Sub,
        PythonKind::Star | PythonKind::StarEqual => BinaryKind::Mul,
        PythonKind::At | PythonKind::AtEqual => BinaryKind::MatMul,
        PythonKind::Slash | PythonKind::SlashEqual => BinaryKind::TrueDiv,
        PythonKind::DoubleSlash | PythonKind::DoubleSlashEqual => BinaryKind::FloorDiv,
        PythonKind::Percent | PythonKind::PercentEqual => BinaryKind::Mod,
        PythonKind::DoubleStar | PythonKind::DoubleStarEqual => BinaryKind::Pow,
        PythonKind::ShiftLeft | PythonKind::ShiftLeftEqual => BinaryKind::LShift,
        PythonKind::ShiftRight | PythonKind::ShiftRightEqual => BinaryKind::RShift,
        PythonKind::Amp | PythonKind::AmpEqual => BinaryKind::And,
        PythonKind::Caret | PythonKind::CaretEqual => BinaryKind::Xor,
        PythonKind::Pipe | PythonKind::PipeEqual => BinaryKind::Or,
        _ => return None,
    })
}

fn compare_op(kind: PythonKind) -> Option<CompareOp> {
    Some(match kind {
        PythonKind::Less => CompareOp::Lt,
        PythonKind::LessEqual => CompareOp::Le,
        PythonKind::EqualEqual => CompareOp::Eq,
        PythonKind::NotEqual | PythonKind::NotEqualOld => CompareOp::Ne,
        PythonKind::Greater => CompareOp::Gt,
        PythonKind::GreaterEqual => CompareOp::Ge,
        PythonKind::In => CompareOp::In,
        PythonKind::NotIn => CompareOp::NotIn,
        PythonKind::Is => CompareOp::Is,
        PythonKind::IsNot => CompareOp::IsNot,
        _ => return None,
    })
}
