//! Operands: the meaning of an expression, and the roles of the names in it.

use codeweft_db::{NameId, Role, SymbolId};

use super::origin::FlowingValue;
use crate::definitions::{Decl, TypeParams};
use crate::types::Ty;
use crate::units::PackageRef;
use crate::universe::{Builtin, Predeclared};

/// The meaning of an expression.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A value of this type; several results are a tuple.
    Value(Ty),
    /// A local variable that has held only function literals so far: its index and type.
    Closure(u32, Ty),
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
