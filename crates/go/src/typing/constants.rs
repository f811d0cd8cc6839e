//! Constant expressions as far as types depend on them: integers, for array lengths.

use codeweft_syntax::go::{BinaryOp, Expr, ExprId, UnaryOp};

use super::{LocalKind, Op, Typer};
use crate::decls::Decl;
use crate::types::{Basic, Ty, Type};
use crate::units::PackageRef;
use crate::universe::{Builtin, Predeclared};

use super::names::Outer;
use codeweft_db::Role;

/// How deep a constant expression is followed.
const MAX_DEPTH: u32 = 200;

impl Typer<'_> {
    /// The type of a constant expression.
    pub fn constant_type(&mut self, value: ExprId) -> Ty {
        let op = self.operand(value, Role::Read);
        self.value(&op)
    }

    /// The value of an integer constant expression; `None` where it is none or unknown.
    pub fn integer(&mut self, expr: ExprId) -> Option<i128> {
        let record = self.record.take();
        let value = self.integer_at(expr, 0);
        self.record = record;
        value
    }

    fn integer_at(&mut self, expr: ExprId, depth: u32) -> Option<i128> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.code.exprs[expr] {
            Expr::Int(number) => *self.code.ints.get(number as usize)?,
            Expr::Rune(rune) => Some(i128::from(rune)),
            Expr::Name(tok) => {
                let name = self.code.name(tok);
                if let Some(local) = self.local(name) {
                    return match local.kind {
                        LocalKind::Const(_, value) => value,
                        _ => None,
                    };
                }
                match self.outer(name) {
                    Outer::Decl(Decl::Const { value, .. }) => value,
                    Outer::Universe(Predeclared::Iota) => self.iota.map(i128::from),
                    _ => None,
                }
            }
            Expr::Select { base, tok } => match self.code.exprs[base] {
                Expr::Name(package) if self.local(self.code.name(package)).is_none() => {
                    match self.outer(self.code.name(package)) {
                        Outer::Package(PackageRef::Loaded(unit, _)) => {
                            let name = self.code.name(tok);
                            match crate::decls::visible_decl(self.db, unit, name)? {
                                Decl::Const { value, .. } => value,
                                _ => None,
                            }
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            Expr::Callee { fun, .. } => self.integer_at(fun, depth + 1),
            Expr::Unary(op, inner) => {
                let inner = self.integer_at(inner, depth + 1)?;
                match op {
                    UnaryOp::Plus => Some(inner),
                    UnaryOp::Minus => inner.checked_neg(),
                    UnaryOp::Xor => Some(!inner),
                    _ => None,
                }
            }
            Expr::Binary(op, left, right) => {
                let left = self.integer_at(left, depth + 1)?;
                let right = self.integer_at(right, depth + 1)?;
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Sub => left.checked_sub(right),
                    BinaryOp::Mul => left.checked_mul(right),
                    BinaryOp::Div => left.checked_div(right),
                    BinaryOp::Rem => left.checked_rem(right),
                    BinaryOp::And => Some(left & right),
                    BinaryOp::Or => Some(left | right),
                    BinaryOp::Xor => Some(left ^ right),
                    BinaryOp::AndNot => Some(left & !right),
                    BinaryOp::Shl => {
                        let by = u32::try_from(right).ok().filter(|&by| by < 120)?;
                        left.checked_mul(1i128.checked_shl(by)?)
                    }
                    BinaryOp::Shr => {
                        let by = u32::try_from(right).ok()?;
                        Some(left >> by.min(127))
                    }
                    BinaryOp::Compare | BinaryOp::Logic => None,
                }
            }
            Expr::Call { fun, args, .. } => {
                let &[argument] = self.code.exprs_of(args).collect::<Vec<_>>().as_slice() else {
                    return None;
                };
                match self.operand(fun, Role::Call) {
                    Op::Type(_) => self.integer_at(argument, depth + 1),
                    Op::Builtin(Builtin::Len | Builtin::Cap) => {
                        if let Expr::Str(len) = self.code.exprs[argument] {
                            return Some(i128::from(len));
                        }
                        let op = self.operand(argument, Role::Read);
                        let ty = self.value(&op);
                        let ty = self.deref(ty);
                        match self.types.get(self.core(ty)) {
                            Type::Array(_, len) => len.map(i128::from),
                            _ => None,
                        }
                    }
                    Op::Builtin(Builtin::Sizeof) => {
                        let op = self.operand(argument, Role::Read);
                        let ty = self.value(&op);
                        self.size_of(ty)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The size of a basic or pointer type with the gc compiler on 64-bit machines.
    fn size_of(&self, ty: Ty) -> Option<i128> {
        Some(match self.types.get(self.core(ty)) {
            Type::Pointer(_) | Type::Map(..) | Type::Chan(..) | Type::Func(_) => 8,
            Type::Slice(_) => 24,
            Type::Interface(_) => 16,
            Type::Array(element, Some(len)) => {
                self.size_of(*element)?.checked_mul(i128::from(*len))?
            }
            Type::Basic(basic) => match basic {
                Basic::Bool | Basic::Int8 | Basic::Uint8 => 1,
                Basic::Int16 | Basic::Uint16 => 2,
                Basic::Int32 | Basic::Uint32 | Basic::Float32 | Basic::UntypedRune => 4,
                Basic::String | Basic::Complex128 => 16,
                Basic::Int
                | Basic::Int64
                | Basic::Uint
                | Basic::Uint64
                | Basic::Uintptr
                | Basic::Float64
                | Basic::Complex64
                | Basic::UnsafePointer
                | Basic::UntypedInt
                | Basic::UntypedFloat => 8,
                _ => return None,
            },
            _ => return None,
        })
    }
}
