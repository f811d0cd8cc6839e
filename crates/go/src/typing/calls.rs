//! Calls, conversions and built-in functions (Go spec, Calls, Conversions, Built-in functions).

use codeweft_db::{FlowRole, NameId, Reason, Role};
use codeweft_go_syntax::{Expr, ExprId, ListId, Tok};

use super::checker::Checker;
use super::operand::{Argument, FunctionOperand, Operand, OperandKind};
use super::origin::{Callee, FlowingValue, ValueOrigin};
use super::unnamed::Unnamed;
use crate::types::{Args, Basic, InferredTypeParam, Signature, Ty, Type, infer, subst, unknown};
use crate::universe::Builtin;

impl Checker<'_> {
    /// Resolves a call or conversion and returns its value.
    pub(super) fn call(&mut self, fun: ExprId, args: ListId, spread: bool, role: Role) -> Operand {
        let op = self.operand(fun, role);
        match op.kind {
            OperandKind::Type(ty) => {
                let mut origin = ValueOrigin::Nothing;
                for arg in self.code.exprs_of(args) {
                    let given = self.read_given(arg);
                    self.uses().converted_to(arg, given.ty, ty);
                    origin = self.flows().conversion_flows(given, ty, arg);
                }
                Operand::value(ty, origin)
            }
            OperandKind::Builtin(builtin) => {
                let ty = self.builtin(builtin, args, spread);
                match builtin {
                    Builtin::Recover if self.recording.follows => {
                        Operand::value(ty, ValueOrigin::of_node(Unnamed::PANIC))
                    }
                    _ => Operand::plain(ty),
                }
            }
            OperandKind::Func(func) => {
                let callee = match op.origin {
                    ValueOrigin::Function(function) => Some(Callee::Declared(function)),
                    _ => None,
                };
                let given = self.arguments(args);
                self.arguments_converted_to(func.signature, args, &given, spread);
                let result = self.called(&func, callee, args, given, spread);
                Operand::value(result.ty, result.origin)
            }
            OperandKind::Unknown(absent) => {
                let count = self.count(args, spread);
                self.arguments(args);
                let (tok, name) = self.callee_token(fun);
                let cgo = absent.is_some_and(|path| self.cx.names.text(path) == "C");
                let reason = if cgo {
                    Reason::Cgo
                } else {
                    Reason::UnknownReceiver
                };
                self.uses()
                    .note_unresolved(tok, name, count, reason, absent, None);
                op
            }
            kind => {
                let ty = op.ty;
                let function = FlowingValue {
                    ty,
                    origin: op.origin,
                };
                let count = self.count(args, spread);
                let signature = self.lookup().as_signature(ty).cloned();
                let given = self.arguments(args);
                let callee = Callee::Signature(self.lookup().signature_number(ty));
                if let Some(signature) = &signature {
                    self.uses()
                        .arguments_converted(signature, args, &given, spread);
                    self.flows()
                        .arguments_flow(callee, signature, args, &given, spread);
                }
                if !matches!(self.code.exprs[fun], Expr::FuncLit(_)) {
                    // `a[i](x)` has no name: its position is the opening parenthesis.
                    let tok = match self.code.exprs[fun] {
                        Expr::Callee { tok, .. } => tok,
                        _ => self.callee_token(fun).0,
                    };
                    if self.recording.follows {
                        let at = self.flows().node_of(function, fun, FlowRole::Assigned);
                        let in_literal = self.scopes.in_literal();
                        self.recording.site(tok, at, None, in_literal);
                    }
                    let canonical = signature.as_ref().map(|signature| {
                        self.cx
                            .types
                            .canonical(self.cx.types.intern(Type::Func(signature.clone())))
                    });
                    let empty_name = self.cx.names.intern("");
                    self.uses().note_unresolved(
                        tok,
                        empty_name,
                        count,
                        Reason::FunctionValue,
                        None,
                        canonical,
                    );
                    if let OperandKind::Closure(closure) = kind {
                        self.uses().defer_unresolved(closure);
                    }
                }
                match signature {
                    Some(signature) => {
                        let origin = callee.results(false);
                        Operand::value(self.cx.types.tuple(signature.results), origin)
                    }
                    None => self.unknown(None),
                }
            }
        }
    }

    /// Returns the token and the name of a callee, for unresolved sites.
    fn callee_token(&self, fun: ExprId) -> (Tok, NameId) {
        let code = self.code;
        let named = |expr: ExprId| match code.exprs[expr] {
            Expr::Name(tok) | Expr::Select { tok, .. } => Some((tok, code.name(tok))),
            _ => None,
        };
        match code.exprs[fun] {
            Expr::Callee { fun, tok } => match code.exprs[fun] {
                Expr::Index { base, .. } => named(base),
                _ => None,
            }
            .unwrap_or((tok, self.cx.names.intern(""))),
            _ => named(fun).unwrap_or((0, self.cx.names.intern(""))),
        }
    }

    /// Returns the number of arguments of a call; `None` if an argument may expand to several
    /// values.
    fn count(&self, args: ListId, spread: bool) -> Option<usize> {
        let mut list = self.code.exprs_of(args);
        let count = list.len();
        let tuple = count == 1
            && list
                .next()
                .is_some_and(|arg| matches!(self.code.exprs[arg], Expr::Call { .. }));
        (!spread && !tuple).then_some(count)
    }

    /// Walks the arguments. Several results of a single call are several arguments.
    fn arguments(&mut self, args: ListId) -> Vec<Argument> {
        let list = self.code.exprs_of(args);
        let single = list.len() == 1;
        let mut given = Vec::with_capacity(list.len());
        for arg in list {
            let op = self.operand(arg, Role::Read);
            let value = op.given();
            match op.kind {
                OperandKind::Func(func) if func.explicit.len() < func.params.len() => {
                    given.push(Argument::Generic(func, value));
                }
                _ => match self.cx.types.get(value.ty) {
                    Type::Tuple(parts) if single => {
                        for number in 0..parts.len() {
                            given.push(Argument::Value(self.flows().given_at(arg, value, number)));
                        }
                    }
                    _ => given.push(Argument::Value(value)),
                },
            }
        }
        given
    }

    fn arguments_converted_to(
        &mut self,
        signature: Ty,
        args: ListId,
        given: &[Argument],
        spread: bool,
    ) {
        if let Type::Func(signature) = self.cx.types.get(signature) {
            self.uses()
                .arguments_converted(signature, args, given, spread);
        }
    }

    /// Returns the result of calling a declared function and lets the arguments flow into it.
    fn called(
        &mut self,
        func: &FunctionOperand,
        callee: Option<Callee>,
        args: ListId,
        mut given: Vec<Argument>,
        spread: bool,
    ) -> FlowingValue {
        let Type::Func(signature) = self.cx.types.get(func.signature) else {
            return FlowingValue {
                ty: Ty::UNKNOWN,
                origin: ValueOrigin::Unknown(Reason::UnknownReceiver),
            };
        };
        let mut result = self.cx.types.tuple(signature.results.clone());
        let mut actual = func.signature;
        if let (Some(owner), false) = (func.symbol, func.params.is_empty())
            && (self.recording.follows || self.cx.types.has_param(result))
        {
            let types = self.type_arguments(func, &mut given, spread);
            let args = Args {
                owner,
                types: &types,
            };
            if self.cx.types.has_param(result) {
                result = subst(self.cx.types, result, args);
                self.note_instances(result, true);
            }
            if self.recording.follows {
                actual = self.flows().instantiated(func, &types);
            }
        }
        let mut origin = ValueOrigin::Nothing;
        if let (true, Some(callee)) = (self.recording.follows, callee) {
            if let Type::Func(signature) = self.cx.types.get(actual) {
                self.flows()
                    .arguments_flow(callee, signature, args, &given, spread);
            }
            origin = callee.results(!func.params.is_empty());
        }
        FlowingValue { ty: result, origin }
    }

    /// Returns the type arguments of a call. Generic functions among the arguments are instantiated
    /// too.
    fn type_arguments(
        &mut self,
        func: &FunctionOperand,
        given: &mut [Argument],
        spread: bool,
    ) -> Vec<Ty> {
        let any_generic = given
            .iter()
            .any(|argument| matches!(argument, Argument::Generic(..)));
        if func.explicit.len() == func.params.len() && !(any_generic && self.recording.follows) {
            return func.explicit.clone();
        }
        let mut all = self.inferred(func, given, spread);
        let mut rest = all.split_off(func.params.len().min(all.len()));
        for argument in given {
            let Argument::Generic(function, value) = argument else {
                continue;
            };
            let following = rest.split_off(function.params.len().min(rest.len()));
            if self.recording.follows && !rest.contains(&Ty::UNKNOWN) {
                value.ty = self.flows().instantiated(function, &rest);
            }
            rest = following;
        }
        all
    }

    /// Infers the type arguments of a call of a generic function, followed by those of generic
    /// functions among the arguments (Go spec, Type inference).
    fn inferred(&self, func: &FunctionOperand, given: &[Argument], spread: bool) -> Vec<Ty> {
        let mut unknowns = Vec::new();
        let signature = self.with_unknowns(func, &mut unknowns);
        let Type::Func(signature) = self.cx.types.get(signature) else {
            return Vec::new();
        };
        let given: Vec<Ty> = given
            .iter()
            .map(|argument| match argument {
                Argument::Value(given) => given.ty,
                Argument::Generic(func, _) => self.with_unknowns(func, &mut unknowns),
            })
            .collect();
        infer(
            &self.lookup(),
            &unknowns,
            &self.pairs(signature, &given, spread),
        )
    }

    /// Returns the signature of a generic function with inference variables for its type
    /// parameters.
    fn with_unknowns(&self, func: &FunctionOperand, unknowns: &mut Vec<InferredTypeParam>) -> Ty {
        let Some(owner) = func.symbol else {
            return Ty::UNKNOWN;
        };
        let first = unknowns.len();
        let fresh: Vec<Ty> = (first..first + func.params.len())
            .map(|number| unknown(self.cx.types, owner, number))
            .collect();
        let args = Args {
            owner,
            types: &fresh,
        };
        for (at, param) in func.params.iter().enumerate() {
            unknowns.push(InferredTypeParam {
                explicit: func.explicit.get(at).copied(),
                constraint: subst(self.cx.types, param.constraint, args),
            });
        }
        subst(self.cx.types, func.signature, args)
    }

    /// Returns the types of parameters with those of their arguments; a variadic parameter repeats.
    fn pairs(&self, signature: &Signature, given: &[Ty], spread: bool) -> Vec<(Ty, Ty)> {
        let last = signature.params.len().wrapping_sub(1);
        given
            .iter()
            .enumerate()
            .filter_map(|(at, &argument)| {
                let parameter = if signature.variadic && at >= last && !spread {
                    match self.cx.types.get(*signature.params.last()?) {
                        Type::Slice(element) => *element,
                        _ => return None,
                    }
                } else {
                    *signature.params.get(at)?
                };
                Some((parameter, argument))
            })
            .collect()
    }

    /// Records the instances that an inferred type mentions; `rows` says whether they also get rows
    /// in the type hierarchy.
    pub(super) fn note_instances(&mut self, ty: Ty, rows: bool) {
        let mut stack = vec![ty];
        let mut steps = 0;
        while let Some(ty) = stack.pop() {
            steps += 1;
            if steps > 100 {
                break;
            }
            match self.cx.types.get(ty) {
                Type::Named(symbol, args) if !args.is_empty() => {
                    if rows && !self.cx.types.has_param(ty) {
                        self.instances.insert(ty);
                    }
                    self.flows().instance(*symbol, args);
                    stack.extend(&**args);
                }
                Type::Pointer(part)
                | Type::Slice(part)
                | Type::Array(part, _)
                | Type::Chan(_, part) => stack.push(*part),
                Type::Map(key, value) => stack.extend([*key, *value]),
                Type::Tuple(parts) => stack.extend(&**parts),
                _ => {}
            }
        }
    }

    /// Returns the result of a call of a built-in function (Go spec, Built-in functions).
    fn builtin(&mut self, builtin: Builtin, args: ListId, spread: bool) -> Ty {
        let list: Vec<ExprId> = self.code.exprs_of(args).collect();
        let int = Ty::basic(Basic::Int);
        match builtin {
            Builtin::Make => {
                let Some((&ty, sizes)) = list.split_first() else {
                    return Ty::UNKNOWN;
                };
                let ty = self.resolve_type(ty, Role::TypeArgument);
                for &size in sizes {
                    self.read(size);
                }
                ty
            }
            Builtin::New => {
                let Some(&argument) = list.first() else {
                    return Ty::UNKNOWN;
                };
                let op = self.operand(argument, Role::TypeArgument);
                let ty = match op.kind {
                    OperandKind::Type(ty) => ty,
                    _ => {
                        let ty = self.cx.types.default_type(op.ty);
                        let given = FlowingValue {
                            ty,
                            origin: op.origin,
                        };
                        let node = Unnamed::Pointee.of(self.lookup().number(ty));
                        self.flows()
                            .flow(given, ty, node, argument, FlowRole::Assigned);
                        ty
                    }
                };
                if ty == Ty::UNKNOWN {
                    ty
                } else {
                    self.cx.types.pointer(ty)
                }
            }
            _ => {
                let given: Vec<FlowingValue> =
                    list.iter().map(|&arg| self.read_given(arg)).collect();
                let types: Vec<Ty> = given.iter().map(|given| given.ty).collect();
                self.flows().builtin_flows(builtin, &list, &given, spread);
                let first = types.first().copied().unwrap_or(Ty::UNKNOWN);
                if let (Builtin::Append, Type::Slice(element)) =
                    (builtin, self.cx.types.get(self.lookup().core(first)))
                {
                    for (&value, &from) in list.iter().zip(&types).skip(1) {
                        self.uses().assigned(value, from, *element);
                    }
                }
                match builtin {
                    Builtin::Append => match types.get(1) {
                        Some(&element) if self.cx.types.is_untyped(first) => {
                            self.cx.types.slice(self.cx.types.default_type(element))
                        }
                        _ => first,
                    },
                    Builtin::Cap | Builtin::Len | Builtin::Copy => int,
                    Builtin::Min | Builtin::Max => types
                        .iter()
                        .copied()
                        .find(|&ty| !self.cx.types.is_untyped(ty))
                        .unwrap_or_else(|| {
                            types
                                .iter()
                                .copied()
                                .max_by_key(|ty| ty.number())
                                .unwrap_or(first)
                        }),
                    Builtin::Recover => Ty::ANY,
                    Builtin::Complex => {
                        let typed = types
                            .iter()
                            .copied()
                            .find(|&ty| !self.cx.types.is_untyped(ty));
                        match typed.map(|ty| self.cx.types.as_basic(self.lookup().core(ty))) {
                            Some(Some(Basic::Float32)) => Ty::basic(Basic::Complex64),
                            None => Ty::basic(Basic::UntypedComplex),
                            _ => Ty::basic(Basic::Complex128),
                        }
                    }
                    Builtin::Real | Builtin::Imag => {
                        match self.cx.types.as_basic(self.lookup().core(first)) {
                            Some(Basic::Complex64) => Ty::basic(Basic::Float32),
                            Some(basic) if basic.is_untyped() => Ty::basic(Basic::UntypedFloat),
                            _ => Ty::basic(Basic::Float64),
                        }
                    }
                    Builtin::Alignof | Builtin::Offsetof | Builtin::Sizeof => {
                        Ty::basic(Basic::Uintptr)
                    }
                    Builtin::Add => Ty::basic(Basic::UnsafePointer),
                    Builtin::Slice => match self.cx.types.get(self.lookup().core(first)) {
                        Type::Pointer(target) => self.cx.types.slice(*target),
                        _ => Ty::UNKNOWN,
                    },
                    Builtin::SliceData => match self.cx.types.get(self.lookup().core(first)) {
                        Type::Slice(element) => self.cx.types.pointer(*element),
                        _ => Ty::UNKNOWN,
                    },
                    Builtin::String => Ty::basic(Basic::String),
                    Builtin::StringData => self.cx.types.pointer(Ty::basic(Basic::Uint8)),
                    Builtin::Clear
                    | Builtin::Close
                    | Builtin::Delete
                    | Builtin::Panic
                    | Builtin::Print
                    | Builtin::Println
                    | Builtin::Make
                    | Builtin::New => Ty::NOTHING,
                }
            }
        }
    }
}
