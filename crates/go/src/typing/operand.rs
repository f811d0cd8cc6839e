//! Operands: the meaning of an expression, and the roles of the names in it.
//!
//! ```go
//! x := 1   // the name x:  kind Value, type int, origin: nothing that is followed
//! f(g)     // the name g:  kind Func(g), type func(), origin Function(g)
//! m[k].h   // the field h: kind Value, its type, origin Node(Variable(h))
//! ```

use codeweft_db::{NameId, Role, SymbolId};

use super::origin::{FlowingValue, ValueOrigin};
use crate::definitions::{Decl, TypeParams};
use crate::types::Ty;
use crate::units::PackageRef;
use crate::universe::{Builtin, Predeclared};

/// The meaning of an expression, with the origin of its value in the value flow graph.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    /// What the expression denotes.
    pub kind: OperandKind,
    /// The type of the operand as a value, a tuple for several results; unknown if it is none, or a
    /// generic function without all its type arguments.
    pub ty: Ty,
    /// The origin of the value.
    pub origin: ValueOrigin,
}

/// The kinds of [`Operand`].
#[derive(Clone, Debug)]
pub(super) enum OperandKind {
    /// A value.
    Value,
    /// A local variable that has held only function literals so far, with its index.
    Closure(u32),
    /// A type.
    Type(Ty),
    /// A generic type or alias without its type arguments.
    Generic {
        /// Its symbol.
        symbol: SymbolId,
        /// For an alias the aliased type.
        alias: Option<Ty>,
    },
    /// A package.
    Package(PackageRef),
    /// A built-in function.
    Builtin(Builtin),
    /// A declared function or method.
    Func(Box<FunctionOperand>),
    /// An unknown operand, with the unloaded package that it comes from, if that is the reason.
    Unknown(Option<NameId>),
}

impl Operand {
    /// Returns a value.
    pub fn value(ty: Ty, origin: ValueOrigin) -> Operand {
        Operand {
            kind: OperandKind::Value,
            ty,
            origin,
        }
    }

    /// Returns a value that is not followed.
    pub fn plain(ty: Ty) -> Operand {
        Operand::value(ty, ValueOrigin::Nothing)
    }

    /// Returns what is no value: a type, a package or a built-in function.
    pub fn no_value(kind: OperandKind) -> Operand {
        Operand {
            kind,
            ty: Ty::UNKNOWN,
            origin: ValueOrigin::Nothing,
        }
    }

    /// Returns a type.
    pub fn of_type(ty: Ty) -> Operand {
        Operand::no_value(OperandKind::Type(ty))
    }

    /// Returns a declared function or method without written type arguments.
    pub fn function(
        symbol: Option<SymbolId>,
        signature: Ty,
        params: TypeParams,
        origin: ValueOrigin,
    ) -> Operand {
        let ty = if params.is_empty() {
            signature
        } else {
            Ty::UNKNOWN
        };
        let function = FunctionOperand {
            symbol,
            signature,
            params,
            explicit: Vec::new(),
        };
        Operand {
            kind: OperandKind::Func(Box::new(function)),
            ty,
            origin,
        }
    }

    /// Returns the type and the origin of the operand as a value.
    pub fn given(&self) -> FlowingValue {
        FlowingValue {
            ty: self.ty,
            origin: self.origin,
        }
    }
}

/// A declared function or method before it is called.
#[derive(Clone, Debug)]
pub struct FunctionOperand {
    /// Its declaration; `None` for methods of interface literals inside bodies.
    pub symbol: Option<SymbolId>,
    /// Its signature.
    pub signature: Ty,
    /// Its type parameters.
    pub params: TypeParams,
    /// The type arguments that are written out.
    pub explicit: Vec<Ty>,
}

/// The meaning of a name outside the blocks of a function.
#[derive(Clone, Debug)]
pub(super) enum OuterName {
    Package(PackageRef),
    Decl(Decl),
    Universe(Predeclared),
    /// Not declared anywhere known.
    Nothing,
}

/// An argument of a call.
pub(super) enum Argument {
    /// A value.
    Value(FlowingValue),
    /// A generic function that is not fully instantiated.
    Generic(Box<FunctionOperand>, FlowingValue),
}

impl Argument {
    /// Returns the value; for a generic function without its type.
    pub(super) fn given(&self) -> FlowingValue {
        match self {
            Argument::Value(given) | Argument::Generic(_, given) => *given,
        }
    }
}

/// Returns the role of a type name in an expression.
pub(super) fn type_role(role: Role) -> Role {
    match role {
        Role::Call
        | Role::Go
        | Role::Defer
        | Role::Read
        | Role::Write
        | Role::ReadWrite
        | Role::Address
        | Role::Value => Role::Conversion,
        other => other,
    }
}

/// Returns the role of a function name.
pub(super) fn function_role(role: Role) -> Role {
    if role.is_call() { role } else { Role::Value }
}

/// Returns the role of the name of a variable, constant or field.
pub(super) fn value_role(role: Role) -> Role {
    match role {
        Role::Write | Role::ReadWrite | Role::Address | Role::Key => role,
        _ => Role::Read,
    }
}

/// Returns the role of the operand before the last name.
pub(super) fn read_role(role: Role) -> Role {
    match role {
        Role::Write | Role::ReadWrite | Role::Address => Role::Read,
        other => other,
    }
}
