//! Calls, conversions and built-in functions (Go spec, Calls, Conversions, Built-in functions).

use codeweft_db::{NameId, Reason, Role};
use codeweft_syntax::go::{Expr, ExprId, ListId, Tok};

use super::names::FuncOp;
use super::{Op, Typer};
use crate::types::{Args, Basic, Signature, Ty, Type, infer, subst};
use crate::universe::Builtin;

impl Typer<'_> {
    /// A call or conversion; gives its value.
    pub(super) fn call(&mut self, fun: ExprId, args: ListId, spread: bool, role: Role) -> Op {
        match self.operand(fun, role) {
            Op::Type(ty) => {
                for arg in self.code.exprs_of(args) {
                    self.read(arg);
                }
                Op::Value(ty)
            }
            Op::Builtin(builtin) => Op::Value(self.builtin(builtin, args)),
            Op::Func(func) => {
                let given = self.arguments(args);
                Op::Value(self.called(&func, &given, spread))
            }
            Op::Unknown(absent) => {
                let count = self.count(args, spread);
                self.arguments(args);
                let (tok, name) = self.callee_token(fun);
                let cgo = absent.is_some_and(|path| self.names.text(path) == "C");
                let reason = if cgo {
                    Reason::Cgo
                } else {
                    Reason::UnknownReceiver
                };
                self.note_open(tok, name, count, reason, absent, None);
                Op::Unknown(absent)
            }
            op => {
                let ty = self.value(&op);
                let count = self.count(args, spread);
                let signature = self.as_signature(ty).cloned();
                self.arguments(args);
                if !matches!(self.code.exprs[fun], Expr::FuncLit(_)) {
                    let (tok, _) = self.callee_token(fun);
                    let canonical = signature.as_ref().map(|signature| {
                        self.types
                            .canonical(self.types.intern(Type::Func(signature.clone())))
                    });
                    let nameless = self.names.intern("");
                    self.note_open(tok, nameless, count, Reason::FunctionValue, None, canonical);
                    if let Op::Closure(closure, _) = op {
                        self.defer_open(closure);
                    }
                }
                match signature {
                    Some(signature) => Op::Value(self.types.tuple(signature.results)),
                    None => Op::Unknown(None),
                }
            }
        }
    }

    /// The token and the name of a callee, for sites without known target.
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
            .unwrap_or((tok, self.names.intern(""))),
            _ => named(fun).unwrap_or((0, self.names.intern(""))),
        }
    }

    /// How many arguments a call passes; `None` where one of them may stand for several.
    fn count(&self, args: ListId, spread: bool) -> Option<usize> {
        let mut list = self.code.exprs_of(args);
        let count = list.len();
        let tuple = count == 1
            && list
                .next()
                .is_some_and(|arg| matches!(self.code.exprs[arg], Expr::Call { .. }));
        (!spread && !tuple).then_some(count)
    }

    /// Walks the arguments and gives their types; several results of one call are several.
    fn arguments(&mut self, args: ListId) -> Vec<Ty> {
        let types: Vec<Ty> = self.code.exprs_of(args).map(|arg| self.read(arg)).collect();
        match *types {
            [only] => match self.types.get(only) {
                Type::Tuple(parts) => parts.to_vec(),
                _ => types,
            },
            _ => types,
        }
    }

    /// The result of calling a declared function with arguments of these types.
    fn called(&mut self, func: &FuncOp, given: &[Ty], spread: bool) -> Ty {
        let Type::Func(signature) = self.types.get(func.signature) else {
            return Ty::UNKNOWN;
        };
        let result = self.types.tuple(signature.results.clone());
        let (Some(owner), false) = (func.symbol, func.params.is_empty()) else {
            return result;
        };
        if !self.types.has_param(result) {
            return result;
        }
        let constraints: Vec<Ty> = func.params.iter().map(|param| param.constraint).collect();
        let pairs = self.pairs(signature, given, spread);
        let args = if func.explicit.len() == constraints.len() {
            func.explicit.clone()
        } else {
            infer(self, owner, &func.explicit, &constraints, &pairs)
        };
        let result = subst(
            self.types,
            result,
            Args {
                owner,
                types: &args,
            },
        );
        self.note_instances(result);
        result
    }

    fn pairs(&self, signature: &Signature, given: &[Ty], spread: bool) -> Vec<(Ty, Ty)> {
        let last = signature.params.len().wrapping_sub(1);
        given
            .iter()
            .enumerate()
            .filter_map(|(at, &argument)| {
                let parameter = if signature.variadic && at >= last && !spread {
                    match self.types.get(*signature.params.last()?) {
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

    /// Keeps the instances that an inferred type mentions.
    fn note_instances(&mut self, ty: Ty) {
        let mut stack = vec![ty];
        let mut steps = 0;
        while let Some(ty) = stack.pop() {
            steps += 1;
            if steps > 100 {
                break;
            }
            match self.types.get(ty) {
                Type::Named(_, args) if !args.is_empty() => {
                    if !self.types.has_param(ty) {
                        self.instances.insert(ty);
                    }
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

    fn builtin(&mut self, builtin: Builtin, args: ListId) -> Ty {
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
                let ty = match self.operand(argument, Role::TypeArgument) {
                    Op::Type(ty) => ty,
                    op => self.types.default_type(self.value(&op)),
                };
                if ty == Ty::UNKNOWN {
                    ty
                } else {
                    self.types.pointer(ty)
                }
            }
            _ => {
                let types: Vec<Ty> = list.iter().map(|&arg| self.read(arg)).collect();
                let first = types.first().copied().unwrap_or(Ty::UNKNOWN);
                match builtin {
                    Builtin::Append => match types.get(1) {
                        Some(&element) if self.types.is_untyped(first) => {
                            self.types.slice(self.types.default_type(element))
                        }
                        _ => first,
                    },
                    Builtin::Cap | Builtin::Len | Builtin::Copy => int,
                    Builtin::Min | Builtin::Max => types
                        .iter()
                        .copied()
                        .find(|&ty| !self.types.is_untyped(ty))
                        .unwrap_or_else(|| {
                            types
                                .iter()
                                .copied()
                                .max_by_key(|ty| ty.number())
                                .unwrap_or(first)
                        }),
                    Builtin::Recover => Ty::ANY,
                    Builtin::Complex => {
                        let typed = types.iter().copied().find(|&ty| !self.types.is_untyped(ty));
                        match typed.map(|ty| self.types.as_basic(self.core(ty))) {
                            Some(Some(Basic::Float32)) => Ty::basic(Basic::Complex64),
                            None => Ty::basic(Basic::UntypedComplex),
                            _ => Ty::basic(Basic::Complex128),
                        }
                    }
                    Builtin::Real | Builtin::Imag => match self.types.as_basic(self.core(first)) {
                        Some(Basic::Complex64) => Ty::basic(Basic::Float32),
                        Some(basic) if basic.is_untyped() => Ty::basic(Basic::UntypedFloat),
                        _ => Ty::basic(Basic::Float64),
                    },
                    Builtin::Alignof | Builtin::Offsetof | Builtin::Sizeof => {
                        Ty::basic(Basic::Uintptr)
                    }
                    Builtin::Add => Ty::basic(Basic::UnsafePointer),
                    Builtin::Slice => match self.types.get(self.core(first)) {
                        Type::Pointer(target) => self.types.slice(*target),
                        _ => Ty::UNKNOWN,
                    },
                    Builtin::SliceData => match self.types.get(self.core(first)) {
                        Type::Slice(element) => self.types.pointer(*element),
                        _ => Ty::UNKNOWN,
                    },
                    Builtin::String => Ty::basic(Basic::String),
                    Builtin::StringData => self.types.pointer(Ty::basic(Basic::Uint8)),
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
