//! Declarations: the meaning of package-level names, the definitions of types, their members, and
//! one firewall query per symbol. No query here reads a body.
//!
//! ```text
//! unit_decls(unit)     one run over all declarations of a unit     reruns on any signature edit of the unit
//!  ├─ decl(unit, name)       firewall per name        ┐ equal for every name but the edited one,
//!  ├─ type_def(symbol)       firewall per type        │ so only their dependents run again
//!  └─ members(symbol)        fields and methods       ┘
//! unit_vars(unit)      second run: variables without a written type
//! ```

mod flattening;
mod run;

pub use flattening::{
    Member, MemberKind, Members, flat, flatten, interface_methods, members, method_set,
};
pub(crate) use run::declare_params;
pub use run::{unit_decls, unit_vars};

use std::sync::Arc;

use codeweft_db::{Db, DeclaredIn, NameId, SymbolClass, SymbolId, Unit};

use crate::types::{Integer, MemberName, Ty};
use crate::units::IN_TEST;
use crate::units::unit_scope;

/// The key of [`decl`].
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct DeclKey<'db> {
    /// The unit whose package block is searched, its own files only.
    #[returns(copy)]
    pub unit: Unit,
    /// The name.
    #[returns(copy)]
    pub name: NameId,
}

/// The key of [`type_def`] and [`members`]: a package-level type.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct TypeKey<'db> {
    /// The type.
    #[returns(copy)]
    pub symbol: SymbolId,
}

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
    /// A variable whose type comes from its initialiser; only inside [`run::UnitDecls`].
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

/// Returns the declaration of a name in a unit's package block; `None` if it is not declared there.
/// The firewall per symbol: a dependent reruns only when this declaration changes.
#[salsa::tracked(returns(clone))]
pub fn decl<'db>(db: &'db dyn Db, key: DeclKey<'db>) -> Option<Decl> {
    let (unit, name) = (key.unit(db), key.name(db));
    unit_scope(db, unit).get(name)?;
    match unit_decls(db, unit).get(name)? {
        Decl::Inferred { symbol } => Some(Decl::Var {
            symbol: *symbol,
            ty: unit_vars(db, unit).get(name),
        }),
        other => Some(other.clone()),
    }
}

/// Returns the definition of a package-level type; `None` if it is not declared.
#[salsa::tracked(returns(clone))]
pub fn type_def<'db>(db: &'db dyn Db, key: TypeKey<'db>) -> Option<Arc<TypeDef>> {
    let symbol = key.symbol(db);
    match db.shared().symbols.key(symbol).declared_in {
        DeclaredIn::Unit(unit) => unit_decls(db, unit).type_def(symbol).cloned(),
        DeclaredIn::Builtin(_) => crate::universe::type_def(db, symbol),
        DeclaredIn::Absent(_) => None,
    }
}

/// Returns the declaration of a name as a unit sees it: an in-package test sees the package's names
/// after its own.
pub fn visible_decl(db: &dyn Db, unit: Unit, name: NameId) -> Option<Decl> {
    decl(db, DeclKey::new(db, unit, name)).or_else(|| match unit.kind(db) {
        IN_TEST => decl(db, DeclKey::new(db, unit.base(db)?, name)),
        _ => None,
    })
}

/// Returns the methods that an in-package test declares on types of its package.
#[salsa::tracked(returns(clone))]
pub fn extra_methods(db: &dyn Db, unit: Unit) -> Arc<[(SymbolId, Box<[MethodDef]>)]> {
    unit_decls(db, unit).extra.clone()
}

/// Returns the type parameters of a generic function, method or type.
pub fn type_params(db: &dyn Db, owner: SymbolId) -> Option<TypeParams> {
    let key = db.shared().symbols.key(owner);
    match (key.class, key.declared_in, key.parent) {
        (SymbolClass::Function, DeclaredIn::Unit(unit), _) => {
            match decl(db, DeclKey::new(db, unit, key.name))? {
                Decl::Func { params, .. } => Some(params),
                _ => None,
            }
        }
        (SymbolClass::Type, _, None) => Some(type_def(db, TypeKey::new(db, owner))?.params.clone()),
        (SymbolClass::Method, _, Some(parent)) => {
            let def = type_def(db, TypeKey::new(db, parent))?;
            let method = def.methods.iter().find(|method| method.symbol == owner)?;
            Some(method.params.clone())
        }
        _ => None,
    }
}
