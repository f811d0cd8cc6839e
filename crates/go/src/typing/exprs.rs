//! Types and targets of expressions (Go spec, Expressions).

use codeweft_db::{FlowNode, FlowRole, Role};
use codeweft_go_syntax::{BinaryOp, ChanDir, Expr, ExprId, ListId, Tok, UnaryOp, no_expr};

use super::checker::Checker;
use super::operand::{Operand, OperandKind, function_role, read_role, type_role, value_role};
use super::origin::{FlowingValue, ValueOrigin};
use super::unnamed::Unnamed;
use crate::definitions::{Member, MemberKind};
use crate::types::{Basic, MemberName, Signature, Ty, Type, UnderlyingTypes};

impl Checker<'_> {
    /// Returns the type of an expression that is read as a value.
    pub(super) fn read(&mut self, expr: ExprId) -> Ty {
        self.operand(expr, Role::Read).ty
    }

    /// Reads an expression as a value, with its origin.
    pub(super) fn read_given(&mut self, expr: ExprId) -> FlowingValue {
        self.operand(expr, Role::Read).given()
    }

    /// Resolves an expression as an operand; `role` applies to the name that it ends in.
    pub(super) fn operand(&mut self, expr: ExprId, role: Role) -> Operand {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.operand_inner(expr, role))
    }

    fn operand_inner(&mut self, expr: ExprId, role: Role) -> Operand {
        let code = self.code;
        match code.exprs[expr] {
            Expr::Missing | Expr::Opaque | Expr::Const => self.unknown(None),
            Expr::Name(tok) => self.name(tok, role),
            Expr::Select { base, tok } => self.select(base, tok, role),
            Expr::Call { fun, args, spread } => self.call(fun, args, spread, Role::Call),
            Expr::Callee { fun, .. } => self.operand(fun, role),
            Expr::Index { base, args } => self.index(base, args, role),
            Expr::Slice { base, operands } => {
                let ty = self.read(base);
                for operand in code.exprs_of(operands) {
                    self.read(operand);
                }
                Operand::plain(self.slice_type(ty))
            }
            Expr::Assert { base, ty } => {
                let given = self.read_given(base);
                if ty == no_expr() {
                    return self.unknown(None);
                }
                let to = self.resolve_type(ty, Role::Assertion);
                self.uses().assigned(ty, to, given.ty);
                let origin = self.flows().asserted(given, to, base);
                Operand::value(to, origin)
            }
            Expr::Star(inner) => {
                let op = self.operand(inner, read_role(role));
                if let OperandKind::Type(ty) = op.kind {
                    return Operand::of_type(self.cx.types.pointer(ty));
                }
                match self.cx.types.get(self.lookup().core(op.ty)) {
                    Type::Pointer(target) => {
                        let origin = self.flows().dereferenced(op.origin, *target, role);
                        Operand::value(*target, origin)
                    }
                    _ => self.unknown(None),
                }
            }
            Expr::Unary(op, inner) => self.unary(op, inner),
            Expr::Binary(..) => Operand::plain(self.binary(expr)),
            Expr::Composite { ty, elems } => {
                let ty = if ty == no_expr() {
                    Ty::UNKNOWN
                } else {
                    self.composite_type(ty, elems)
                };
                // Declarations inside elements are no part of the type of the enclosing
                // declaration.
                self.owned_by(None, |checker| checker.composite(ty, elems));
                Operand::plain(ty)
            }
            Expr::KeyValue { key, value } => {
                self.read(key);
                self.read(value);
                self.unknown(None)
            }
            Expr::FuncLit(number) => {
                let (sig, body) = code.literals[number as usize];
                let ty = self.signature(sig);
                self.function_literal(number, |checker| {
                    checker.declare_parameters(sig, ty);
                    checker.body(body);
                });
                Operand::value(ty, ValueOrigin::Literal(ty))
            }
            Expr::Int(_) => literal_of(Basic::UntypedInt),
            Expr::Rune(_) => literal_of(Basic::UntypedRune),
            Expr::Float => literal_of(Basic::UntypedFloat),
            Expr::Imag => literal_of(Basic::UntypedComplex),
            Expr::Str { .. } => literal_of(Basic::UntypedString),
            Expr::Array { .. }
            | Expr::DotsArray(_)
            | Expr::SliceOf(_)
            | Expr::Map { .. }
            | Expr::Chan(..)
            | Expr::Func(_)
            | Expr::Struct(_)
            | Expr::Interface(_)
            | Expr::Union(_)
            | Expr::Tilde(_) => Operand::of_type(self.resolve_type(expr, type_role(role))),
        }
    }

    /// Declares the parameters and results of a signature that was resolved to `ty`.
    pub(crate) fn declare_parameters(&mut self, sig: codeweft_go_syntax::SigId, ty: Ty) {
        let code = self.code;
        let Type::Func(signature) = self.cx.types.get(ty) else {
            return;
        };
        self.scopes.signature = ty;
        let sig = &code.sigs[sig];
        let lists = [
            (&sig.params, &signature.params, false),
            (&sig.results, &signature.results, true),
        ];
        for (params, types, are_results) in lists {
            for (number, (param, &one)) in params.iter().zip(types).enumerate() {
                if let Some(tok) = param.tok {
                    let node = self.flows().parameter_node(ty, number, one, are_results);
                    self.declare_var_at(tok, one, false, node);
                }
            }
        }
    }

    /// Declares the receiver of a method.
    pub(crate) fn declare_receiver(&mut self, tok: Tok, ty: Ty) {
        let method = self.scopes.function.as_ref();
        let node = method.map(|(method, _)| FlowNode::Parameter(*method, FlowNode::RECEIVER));
        self.declare_var_at(tok, ty, false, node);
    }

    /// Resolves `x.f` (Go spec, Selectors, Qualified identifiers).
    fn select(&mut self, base: ExprId, tok: Tok, role: Role) -> Operand {
        let code = self.code;
        let op = match code.exprs[base] {
            Expr::Name(name) => self.name(name, Role::Read),
            _ => self.operand(base, Role::Read),
        };
        match op.kind {
            OperandKind::Package(package) => self.qualified(package, tok, role),
            OperandKind::Unknown(_) => op,
            OperandKind::Type(ty) => self.method_expression(ty, tok, role),
            _ => {
                let receiver = op.given();
                let name = MemberName::new(self.cx.db, code.name(tok), self.cx.package);
                let Some(member) = self.member(receiver.ty, name) else {
                    return self.unknown(None);
                };
                let origin = match (member.kind, member.symbol) {
                    (MemberKind::Field, Some(field)) => {
                        let filter = self.lookup().instance_filter(receiver.ty);
                        ValueOrigin::Node(FlowNode::Variable(field), filter)
                    }
                    (MemberKind::Field, None) => ValueOrigin::Nothing,
                    _ => self
                        .flows()
                        .method_selected(&member, tok, role, base, receiver),
                };
                self.selected(member, origin, tok, role)
            }
        }
    }

    /// Returns a field or method of a value as an operand and records the use.
    fn selected(&mut self, member: Member, origin: ValueOrigin, tok: Tok, role: Role) -> Operand {
        match member.kind {
            MemberKind::Field => {
                if let Some(symbol) = member.symbol {
                    self.uses().note(tok, symbol, value_role(role));
                }
                Operand::value(member.ty, origin)
            }
            _ => {
                if let Some(symbol) = member.symbol {
                    self.uses().note(tok, symbol, function_role(role));
                }
                Operand::function(member.symbol, member.ty, member.params, origin)
            }
        }
    }

    /// Resolves `T.Method`, a function whose first parameter is the receiver (Go spec, Method
    /// expressions).
    fn method_expression(&mut self, ty: Ty, tok: Tok, role: Role) -> Operand {
        let name = MemberName::new(self.cx.db, self.code.name(tok), self.cx.package);
        let Some(member) = self.member(ty, name) else {
            return self.unknown(None);
        };
        if member.kind == MemberKind::Field {
            return self.unknown(None);
        }
        let signature = match self.cx.types.get(member.ty) {
            Type::Func(signature) => {
                let params = [ty]
                    .into_iter()
                    .chain(signature.params.iter().copied())
                    .collect();
                self.cx.types.intern(Type::Func(Signature {
                    params,
                    ..signature.clone()
                }))
            }
            _ => Ty::UNKNOWN,
        };
        let origin = self.flows().method_of_type(&member, tok, role, ty);
        let member = Member {
            ty: signature,
            ..member
        };
        self.selected(member, origin, tok, role)
    }

    /// Resolves `x[i]`: an index expression or an instantiation.
    fn index(&mut self, base: ExprId, args: ListId, role: Role) -> Operand {
        let code = self.code;
        let op = self.operand(
            base,
            if role.is_call() {
                role
            } else {
                read_role(role)
            },
        );
        match op.kind {
            OperandKind::Generic { symbol, alias } => {
                let args = code
                    .exprs_of(args)
                    .map(|a| self.resolve_type(a, Role::TypeArgument))
                    .collect();
                Operand::of_type(self.instantiate(symbol, alias, args))
            }
            OperandKind::Func(mut func) => {
                func.explicit = code
                    .exprs_of(args)
                    .map(|a| self.resolve_type(a, Role::TypeArgument))
                    .collect();
                if func.explicit.len() == func.params.len()
                    && let Some(owner) = func.symbol
                {
                    self.flows().instance(owner, &func.explicit);
                }
                Operand {
                    ty: self.function_type(&func),
                    kind: OperandKind::Func(func),
                    origin: op.origin,
                }
            }
            _ => {
                let ty = op.ty;
                for arg in code.exprs_of(args) {
                    let key = self.read_given(arg);
                    if matches!(role, Role::Write | Role::ReadWrite) {
                        self.flows().key_flows(ty, key, arg);
                    }
                }
                if let OperandKind::Unknown(_) = op.kind {
                    return op;
                }
                let element = self.element_type(ty);
                let node = self.lookup().element_node(ty, element);
                Operand::value(element, ValueOrigin::of_node(node))
            }
        }
    }

    /// Returns the type of `x[i]` (Go spec, Index expressions).
    fn element_type(&self, ty: Ty) -> Ty {
        let core = self.lookup().core(ty);
        match self.cx.types.get(core) {
            Type::Slice(element) | Type::Array(element, _) | Type::Map(_, element) => *element,
            Type::Pointer(target) => match self.cx.types.get(self.lookup().core(*target)) {
                Type::Array(element, _) => *element,
                _ => Ty::UNKNOWN,
            },
            Type::Basic(Basic::String | Basic::UntypedString) => Ty::basic(Basic::Uint8),
            Type::Unknown => self
                .lookup()
                .common_type(ty, |term| self.element_type(term)),
            _ => Ty::UNKNOWN,
        }
    }

    /// Returns the type of `x[i:j]` (Go spec, Slice expressions).
    fn slice_type(&self, ty: Ty) -> Ty {
        match self.cx.types.get(self.lookup().core(ty)) {
            Type::Array(element, _) => self.cx.types.slice(*element),
            Type::Pointer(target) => match self.cx.types.get(self.lookup().core(*target)) {
                Type::Array(element, _) => self.cx.types.slice(*element),
                _ => Ty::UNKNOWN,
            },
            Type::Basic(Basic::UntypedString) => Ty::basic(Basic::String),
            Type::Unknown => Ty::UNKNOWN,
            _ => ty,
        }
    }

    /// Resolves a unary operator, address or receive expression.
    fn unary(&mut self, op: UnaryOp, inner: ExprId) -> Operand {
        match op {
            UnaryOp::Address => {
                let op = self.operand(inner, Role::Address);
                if op.ty == Ty::UNKNOWN {
                    return self.unknown(None);
                }
                let origin = self.flows().addressed(op.given());
                Operand::value(self.cx.types.pointer(op.ty), origin)
            }
            UnaryOp::Receive => {
                let ty = self.read(inner);
                match self.cx.types.get(self.lookup().core(ty)) {
                    Type::Chan(_, element) => {
                        let node = Unnamed::Received.of(self.lookup().number(*element));
                        Operand::value(*element, ValueOrigin::of_node(node))
                    }
                    _ => self.unknown(None),
                }
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::Xor => {
                let given = self.read_given(inner);
                Operand::value(given.ty, given.origin)
            }
        }
    }

    /// Returns the type of an operator expression (Go spec, Operators). Operators of equal
    /// precedence nest to the left, so a loop over the left operands avoids deep recursion.
    fn binary(&mut self, expr: ExprId) -> Ty {
        let code = self.code;
        let mut spine = Vec::new();
        let mut leftmost = expr;
        while let Expr::Binary(op, left, right) = code.exprs[leftmost] {
            spine.push((op, right));
            leftmost = left;
        }
        let mut ty = self.read(leftmost);
        for (op, right) in spine.into_iter().rev() {
            let right = self.read(right);
            ty = self.binary_type(op, ty, right);
        }
        ty
    }

    /// Returns the type of a binary operation (Go spec, Arithmetic operators, Comparison operators,
    /// Constant expressions).
    ///
    /// ```go
    /// 1 + 'a'     // untyped rune, the larger kind
    /// x == 1      // untyped bool
    /// 1.0 << s    // an integer
    /// ```
    fn binary_type(&self, op: BinaryOp, left: Ty, right: Ty) -> Ty {
        match op {
            BinaryOp::Compare => Ty::basic(Basic::UntypedBool),
            // A shift of an untyped constant yields an integer.
            BinaryOp::Shl | BinaryOp::Shr => match self.cx.types.as_basic(left) {
                Some(Basic::UntypedFloat | Basic::UntypedComplex) => Ty::basic(Basic::UntypedInt),
                _ => left,
            },
            _ => match (self.cx.types.as_basic(left), self.cx.types.as_basic(right)) {
                (Some(l), Some(r)) if l.is_untyped() && r.is_untyped() => Ty::basic(l.max(r)),
                (Some(l), _) if l.is_untyped() => right,
                // Both operands have the same type, except for untyped constants.
                (_, r) if left == Ty::UNKNOWN => match r {
                    Some(basic) if basic.is_untyped() => Ty::UNKNOWN,
                    _ => right,
                },
                _ => left,
            },
        }
    }

    /// Resolves the type of a composite literal; `[...]T` gets its length.
    fn composite_type(&mut self, ty: ExprId, elems: ListId) -> Ty {
        match self.code.exprs[ty] {
            Expr::DotsArray(element) => {
                let element = self.resolve_type(element, Role::Literal);
                let len = self.element_count(elems);
                self.cx.types.intern(Type::Array(element, len))
            }
            _ => self.resolve_type(ty, Role::Literal),
        }
    }

    /// Returns one more than the greatest index (Go spec, Composite literals).
    fn element_count(&mut self, elems: ListId) -> Option<i64> {
        let code = self.code;
        let (mut next, mut count) = (0i64, 0i64);
        for elem in code.exprs_of(elems) {
            if let Expr::KeyValue { key, .. } = code.exprs[elem] {
                next = i64::try_from(self.integer(key)?).ok()?;
            }
            next = next.checked_add(1)?;
            count = count.max(next);
        }
        Some(count)
    }

    /// Walks the elements of a composite literal of type `ty` (Go spec, Composite literals).
    fn composite(&mut self, ty: Ty, elems: ListId) {
        let code = self.code;
        let core = match self.cx.types.get(self.lookup().core(ty)) {
            // In a slice of pointers, `{…}` is short for `&T{…}`.
            Type::Pointer(target) => self.lookup().core(*target),
            _ => self.lookup().core(ty),
        };
        match self.cx.types.get(core) {
            Type::Struct(fields) => {
                for (at, elem) in code.exprs_of(elems).enumerate() {
                    match code.exprs[elem] {
                        Expr::KeyValue { key, value } => {
                            let mut wanted = Ty::UNKNOWN;
                            let mut node = None;
                            if let Expr::Name(tok) = code.exprs[key] {
                                let name =
                                    MemberName::new(self.cx.db, code.name(tok), self.cx.package);
                                if let Some(field) = fields.iter().find(|f| f.name == name) {
                                    wanted = field.ty;
                                    if let Some(symbol) = field.symbol {
                                        node = Some(FlowNode::Variable(symbol));
                                        self.uses().note(tok, symbol, Role::Key);
                                    }
                                }
                            }
                            self.composite_value(wanted, value, node);
                        }
                        _ => {
                            let field = fields.get(at);
                            let wanted = field.map_or(Ty::UNKNOWN, |field| field.ty);
                            let node = field.and_then(|field| field.symbol);
                            self.uses().field_without_name(node);
                            self.composite_value(wanted, elem, node.map(FlowNode::Variable));
                        }
                    }
                }
            }
            shape => {
                let (key_type, value_type) = match shape {
                    Type::Slice(element) | Type::Array(element, _) => (Ty::UNKNOWN, *element),
                    Type::Map(key, value) => (*key, *value),
                    _ => (Ty::UNKNOWN, Ty::UNKNOWN),
                };
                let (key_node, value_node) = match shape {
                    Type::Map(..) => (
                        Some(Unnamed::Key.of(self.lookup().number(key_type))),
                        Unnamed::MapValue.of(self.lookup().number(value_type)),
                    ),
                    _ => (None, Unnamed::Element.of(self.lookup().number(value_type))),
                };
                for elem in code.exprs_of(elems) {
                    match code.exprs[elem] {
                        Expr::KeyValue { key, value } => {
                            // If the type is unknown, a name may be that of a field.
                            let may_be_field =
                                *shape == Type::Unknown && matches!(code.exprs[key], Expr::Name(_));
                            if !may_be_field {
                                self.composite_value(key_type, key, key_node);
                            }
                            self.composite_value(value_type, value, Some(value_node));
                        }
                        _ => self.composite_value(value_type, elem, Some(value_node)),
                    }
                }
            }
        }
    }

    /// Walks a value of a composite literal, whose own type may be elided, and lets it flow into a
    /// node.
    fn composite_value(&mut self, wanted: Ty, value: ExprId, node: Option<FlowNode>) {
        match self.code.exprs[value] {
            Expr::Composite { ty, elems } if ty == no_expr() => {
                stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.composite(wanted, elems));
            }
            Expr::Const => {}
            _ => {
                let given = self.read_given(value);
                self.uses().assigned(value, given.ty, wanted);
                if let Some(node) = node {
                    self.flows()
                        .flow(given, wanted, node, value, FlowRole::Element);
                }
            }
        }
    }

    /// Returns the value of a variable's initialiser.
    pub(crate) fn initialiser(&mut self, value: ExprId) -> FlowingValue {
        let given = self.read_given(value);
        FlowingValue {
            ty: self.cx.types.default_type(given.ty),
            ..given
        }
    }

    /// Returns the type of a variable's initialiser: a single value, or one result of a call.
    pub fn initialiser_type(&mut self, value: ExprId, result: Option<u16>) -> Ty {
        let ty = self.read(value);
        let ty = match result {
            None => ty,
            Some(number) => self
                .lookup()
                .result_at(self.code, value, ty, number as usize),
        };
        self.cx.types.default_type(ty)
    }

    /// Returns the key and value types of `range` over a type (Go spec, For statements with range
    /// clause).
    pub(super) fn range_types(&self, ty: Ty) -> (Ty, Ty) {
        let int = Ty::basic(Basic::Int);
        match self.cx.types.get(self.lookup().core(ty)) {
            Type::Slice(element) | Type::Array(element, _) => (int, *element),
            Type::Pointer(target) => match self.cx.types.get(self.lookup().core(*target)) {
                Type::Array(element, _) => (int, *element),
                _ => (Ty::UNKNOWN, Ty::UNKNOWN),
            },
            Type::Basic(Basic::String | Basic::UntypedString) => (int, Ty::basic(Basic::Int32)),
            Type::Basic(_) => (self.cx.types.default_type(ty), Ty::UNKNOWN),
            Type::Map(key, value) => (*key, *value),
            Type::Chan(ChanDir::Both | ChanDir::Receive, element) => (*element, Ty::UNKNOWN),
            Type::Func(signature) => match signature.params.first() {
                Some(&yielded) => match self.cx.types.get(self.lookup().underlying(yielded)) {
                    Type::Func(yielded) => {
                        let at = |n: usize| yielded.params.get(n).copied().unwrap_or(Ty::UNKNOWN);
                        (at(0), at(1))
                    }
                    _ => (Ty::UNKNOWN, Ty::UNKNOWN),
                },
                None => (Ty::UNKNOWN, Ty::UNKNOWN),
            },
            _ => match self.cx.types.get(ty) {
                // An integer type parameter ranges over values of itself.
                Type::Param(..) => (ty, Ty::UNKNOWN),
                _ => (Ty::UNKNOWN, Ty::UNKNOWN),
            },
        }
    }
}

/// Returns a basic literal as an operand.
fn literal_of(basic: Basic) -> Operand {
    Operand::plain(Ty::basic(basic))
}
