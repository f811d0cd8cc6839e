//! The meaning of a declaration.

use std::sync::Arc;

use codeweft_db::{NameId, SymbolId};

use crate::types::{Integer, MemberName, Ty};

/// The declaration of a package-level name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decl {
    /// A type.
    Type {
        /// Its symbol.
        symbol: SymbolId,
        /// The number of its type parameters.
        params: u16,
        /// For an alias the aliased type, in terms of the alias's own parameters.
        alias: Option<Ty>,
    },
    /// A function.
    Func {
        /// Its symbol.
        symbol: SymbolId,
        /// Its signature, in terms of its own type parameters.
        signature: Ty,
        /// Its type parameters.
        params: TypeParams,
    },
    /// A variable.
    Var {
        /// Its symbol.
        symbol: SymbolId,
        /// Its type.
        ty: Ty,
    },
    /// A variable whose type comes from its initialiser; only inside [`UnitDecls`](crate::decls::unit_decls).
    Inferred {
        /// Its symbol.
        symbol: SymbolId,
    },
    /// A constant.
    Const {
        /// Its symbol.
        symbol: SymbolId,
        /// Its type, which may be untyped.
        ty: Ty,
        /// Its value, as far as types may depend on it.
        value: Option<Value>,
    },
}

/// The value of a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// An integer, or a rune.
    Integer(Integer),
    /// The length of a string in bytes.
    Text(u64),
}

/// The type parameters of a declaration.
pub type TypeParams = Arc<[TypeParamDef]>;

/// A type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeParamDef {
    /// Its name.
    pub name: NameId,
    /// Its constraint, in terms of the type parameters of the same declaration.
    pub constraint: Ty,
}

/// The definition of a defined type (Go spec, Type definitions).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeDef {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its type parameters.
    pub params: TypeParams,
    /// The underlying type, in terms of its own type parameters.
    pub underlying: Ty,
    /// The methods that its own unit declares with it as receiver base type, sorted by name.
    pub methods: Box<[MethodDef]>,
}

/// A declared method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodDef {
    /// Its name.
    pub name: MemberName,
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its signature without receiver, in terms of the type's parameters and its own.
    pub signature: Ty,
    /// Whether the receiver is a pointer.
    pub pointer: bool,
    /// Its own type parameters (Go 1.27).
    pub params: TypeParams,
}

/// Methods that an in-package test declares on types of its package, by type.
pub type ExtraMethods = Arc<[(SymbolId, Box<[MethodDef]>)]>;
