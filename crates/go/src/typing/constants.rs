//! Evaluation of constant expressions as far as types depend on them (Go spec, Constant
//! expressions): integers and the lengths of strings, for array lengths.
//!
//! ```go
//! const n = len("abc") << iota // 3
//! var a [n + unsafe.Sizeof(uint16(0))]int // [5]int
//! ```

use codeweft_go_syntax::{BinaryOp, Expr, ExprId, ListId, UnaryOp};

use super::checker::Checker;
use super::operand::{OperandKind, OuterName};
use super::scopes::LocalKind;
use crate::definitions::{Decl, Value};
use crate::types::{Arithmetic, Basic, Integer, MemberName, Ty, Type};
use crate::units::PackageRef;
use crate::universe::{Builtin, Predeclared};

use codeweft_db::Role;

/// The limit on the nesting of constant expressions.
const MAX_DEPTH: u32 = 200;

impl Checker<'_> {
    /// Returns the type of a constant expression.
    pub fn constant_type(&mut self, value: ExprId) -> Ty {
        self.read(value)
    }

    /// Returns the value of an integer constant expression; `None` if it is not constant or
    /// unknown.
    pub fn integer(&mut self, expr: ExprId) -> Option<i128> {
        match self.constant(expr)? {
            Value::Integer(value) => value.small(),
            Value::Text(_) => None,
        }
    }

    /// Returns the value of a constant expression; `None` if it is not constant or unknown.
    pub fn constant(&mut self, expr: ExprId) -> Option<Value> {
        self.unrecorded(|checker| checker.constant_at(expr, 0))
    }

    fn constant_at(&mut self, expr: ExprId, depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        let small = |value: i128| Some(Value::Integer(value.into()));
        match self.code.exprs[expr] {
            Expr::Int(number) => small((*self.code.ints.get(number as usize)?)?),
            Expr::Rune(rune) => small(i128::from(rune)),
            Expr::Str { len, .. } => Some(Value::Text(u64::from(len))),
            Expr::Name(tok) => {
                let name = self.code.name(tok);
                if let Some(local) = self.scopes.local(name) {
                    return match local.kind {
                        LocalKind::Const(_, number) => self.scopes.constant(number).cloned(),
                        _ => None,
                    };
                }
                match self.outer(name) {
                    OuterName::Decl(Decl::Const { value, .. }) => value,
                    OuterName::Universe(Predeclared::Iota) => small(i128::from(self.scopes.iota?)),
                    _ => None,
                }
            }
            Expr::Select { base, tok } => match self.code.exprs[base] {
                Expr::Name(package) if self.scopes.local(self.code.name(package)).is_none() => {
                    match self.outer(self.code.name(package)) {
                        OuterName::Package(PackageRef::Loaded(unit, _)) => {
                            let name = self.code.name(tok);
                            match self.cx.declarations.visible_decl(unit, name)? {
                                Decl::Const { value, .. } => value,
                                _ => None,
                            }
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            Expr::Callee { fun, .. } => self.constant_at(fun, depth + 1),
            Expr::Unary(op, inner) => {
                let Value::Integer(value) = self.constant_at(inner, depth + 1)? else {
                    return None;
                };
                Some(Value::Integer(match op {
                    UnaryOp::Plus => value,
                    UnaryOp::Minus => value.negated()?,
                    UnaryOp::Xor => match self.unsigned_bits(inner) {
                        // Inverts the bits of the type, not of the representation.
                        Some(bits) => {
                            let mask = (1i128 << bits) - 1;
                            value.apply(Arithmetic::Xor, &mask.into())?
                        }
                        None => value.inverted()?,
                    },
                    _ => return None,
                }))
            }
            Expr::Binary(op, left, right) => {
                let left = self.constant_at(left, depth + 1)?;
                let right = self.constant_at(right, depth + 1)?;
                match (left, right) {
                    (Value::Integer(left), Value::Integer(right)) => {
                        Some(Value::Integer(left.apply(arithmetic(op)?, &right)?))
                    }
                    (Value::Text(left), Value::Text(right)) if op == BinaryOp::Add => {
                        Some(Value::Text(left.checked_add(right)?))
                    }
                    _ => None,
                }
            }
            Expr::Call { fun, args, .. } => match self.operand(fun, Role::Call).kind {
                OperandKind::Type(ty) => self.converted(ty, args, depth),
                OperandKind::Builtin(builtin) => self.builtin_constant(builtin, args, depth),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the width in bits of an operand of an unsigned type.
    fn unsigned_bits(&mut self, operand: ExprId) -> Option<u32> {
        let ty = self.constant_type(operand);
        match self.cx.types.as_basic(self.lookup().core(ty))? {
            Basic::Uint
            | Basic::Uint8
            | Basic::Uint16
            | Basic::Uint32
            | Basic::Uint64
            | Basic::Uintptr => u32::try_from(self.size_of(ty)? * 8).ok(),
            _ => None,
        }
    }

    /// Returns the value of a constant conversion.
    fn converted(&mut self, ty: Ty, args: ListId, depth: u32) -> Option<Value> {
        let &[argument] = self.code.exprs_of(args).collect::<Vec<_>>().as_slice() else {
            return None;
        };
        let value = self.constant_at(argument, depth + 1)?;
        let to_text = matches!(
            self.cx.types.as_basic(self.lookup().core(ty)),
            Some(Basic::String)
        );
        match value {
            // A rune becomes its UTF-8 bytes, an invalid one those of U+FFFD.
            Value::Integer(rune) if to_text => {
                let rune = rune.small().and_then(|rune| u32::try_from(rune).ok());
                let rune = rune.and_then(char::from_u32).unwrap_or('\u{fffd}');
                Some(Value::Text(rune.len_utf8() as u64))
            }
            value => Some(value),
        }
    }

    /// Returns the value of a call of a built-in function that may be constant (Go spec, Length and
    /// capacity, Package unsafe).
    fn builtin_constant(&mut self, builtin: Builtin, args: ListId, depth: u32) -> Option<Value> {
        let list: Vec<ExprId> = self.code.exprs_of(args).collect();
        let small = |value: i128| Value::Integer(value.into());
        let &first = list.first()?;
        match builtin {
            Builtin::Len | Builtin::Cap => {
                if let Some(Value::Text(len)) = self.constant_at(first, depth + 1) {
                    return Some(small(i128::from(len)));
                }
                let ty = self.constant_type(first);
                match self
                    .cx
                    .types
                    .get(self.lookup().core(self.lookup().deref(ty)))
                {
                    Type::Array(_, len) => Some(small(i128::from((*len)?))),
                    _ => None,
                }
            }
            Builtin::Min | Builtin::Max => {
                let mut best: Option<Integer> = None;
                for value in list {
                    let Value::Integer(value) = self.constant_at(value, depth + 1)? else {
                        return None;
                    };
                    best = Some(match best {
                        None => value,
                        Some(best) if builtin == Builtin::Min => best.min(value),
                        Some(best) => best.max(value),
                    });
                }
                best.map(Value::Integer)
            }
            Builtin::Sizeof => {
                let ty = self.constant_type(first);
                self.size_of(ty).map(small)
            }
            Builtin::Alignof => {
                let ty = self.constant_type(first);
                self.align_of(ty).map(small)
            }
            Builtin::Offsetof => match self.code.exprs[first] {
                Expr::Select { base, tok } => {
                    let name = MemberName::new(self.cx.db, self.code.name(tok), self.cx.package);
                    let ty = self.constant_type(base);
                    self.offset_of(ty, name).map(small)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn arithmetic(op: BinaryOp) -> Option<Arithmetic> {
    Some(match op {
        BinaryOp::Add => Arithmetic::Add,
        BinaryOp::Sub => Arithmetic::Sub,
        BinaryOp::Mul => Arithmetic::Mul,
        BinaryOp::Div => Arithmetic::Div,
        BinaryOp::Rem => Arithmetic::Rem,
        BinaryOp::And => Arithmetic::And,
        BinaryOp::Or => Arithmetic::Or,
        BinaryOp::Xor => Arithmetic::Xor,
        BinaryOp::AndNot => Arithmetic::AndNot,
        BinaryOp::Shl => Arithmetic::Shl,
        BinaryOp::Shr => Arithmetic::Shr,
        BinaryOp::Compare | BinaryOp::Logic => return None,
    })
}
