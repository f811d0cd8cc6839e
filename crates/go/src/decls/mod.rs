//! Declarations: what package-level names are, what stands behind types, and the firewalls per
//! symbol. No query here reads a body.

mod flattening;
mod run;

pub use flattening::{
    Member, MemberKind, Members, flat, flatten, interface_methods, members, method_set,
};
pub(crate) use run::declare_params;
pub use run::{unit_decls, unit_vars};

use std::sync::Arc;

use codeweft_db::{Db, DeclaredIn, NameId, SymbolClass, SymbolId, Unit, UnitKind};

use crate::types::{Integer, MemberName, Ty};
use crate::units::unit_scope;

/// The key of [`decl`].
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct DeclKey<'db> {
    /// The unit whose package block is asked, its own files only.
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

/// What a package-level name is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decl {
    /// A type.
    Type {
        /// Its symbol.
        symbol: SymbolId,
        /// How many type parameters it has.
        params: u16,
        /// Of an alias what it stands for, in terms of its own parameters.
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
    /// A variable whose type its initialiser tells; only inside [`UnitDecls`].
    Inferred {
        /// Its symbol.
        symbol: SymbolId,
    },
    /// A constant.
    Const {
        /// Its symbol.
        symbol: SymbolId,
        /// Its type, untyped ones included.
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
    /// A string of this many bytes.
    Text(u64),
}

/// The type parameters of a declaration.
pub type TypeParams = Arc<[TypeParamDef]>;

/// One type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeParamDef {
    /// Its name.
    pub name: NameId,
    /// Its constraint, in terms of the parameters of the same declaration.
    pub constraint: Ty,
}

/// What stands behind a defined type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeDef {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its type parameters.
    pub params: TypeParams,
    /// The underlying type, in terms of its own parameters.
    pub underlying: Ty,
    /// The methods declared with it as receiver base in its own unit, sorted by name.
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

/// What a name of a unit's package block is; `None` where it is not declared there. The firewall
/// per symbol: who asked for a name is asked again only when that declaration changes.
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

/// What stands behind a package-level type; `None` for one that is not declared.
#[salsa::tracked(returns(clone))]
pub fn type_def<'db>(db: &'db dyn Db, key: TypeKey<'db>) -> Option<Arc<TypeDef>> {
    let symbol = key.symbol(db);
    match db.shared().symbols.key(symbol).declared_in {
        DeclaredIn::Unit(unit) => unit_decls(db, unit).type_def(symbol).cloned(),
        DeclaredIn::Builtin(_) => crate::universe::type_def(db, symbol),
        DeclaredIn::Absent(_) => None,
    }
}

/// A name in a unit's view of its package: an in-package test sees the package behind its own
/// names.
pub fn visible_decl(db: &dyn Db, unit: Unit, name: NameId) -> Option<Decl> {
    decl(db, DeclKey::new(db, unit, name)).or_else(|| match unit.kind(db) {
        UnitKind::InTest => decl(db, DeclKey::new(db, unit.base(db)?, name)),
        _ => None,
    })
}

/// The methods that an in-package test declares on a type of its package.
#[salsa::tracked(returns(clone))]
pub fn extra_methods(db: &dyn Db, unit: Unit) -> Arc<[(SymbolId, Box<[MethodDef]>)]> {
    unit_decls(db, unit).extra.clone()
}

/// The type parameters of a generic function, method or type.
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
