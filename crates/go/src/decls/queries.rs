//! The queries per declared name and per type.

use std::sync::Arc;

use crate::units::IN_TEST;
use codeweft_db::{Db, DeclaredIn, NameId, SymbolClass, SymbolId, Unit};

use super::run::{unit_decls, unit_vars};
use crate::definitions::{Decl, ExtraMethods, Members, TypeDef, TypeParams, flatten};
use crate::types::{Ty, Type, table};
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
pub fn extra_methods(db: &dyn Db, unit: Unit) -> ExtraMethods {
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

/// Returns all members of a package-level type.
#[salsa::tracked(returns(clone))]
pub fn members<'db>(db: &'db dyn Db, key: TypeKey<'db>) -> Arc<Members> {
    let symbol = key.symbol(db);
    let Some(def) = type_def(db, key) else {
        return Arc::default();
    };
    let types = table(db);
    let args = (0..def.params.len())
        .map(|index| types.intern(Type::Param(symbol, index as u16)))
        .collect();
    let ty = types.intern(Type::Named(symbol, args));
    Arc::new(flatten(types, ty, &[], &|symbol| {
        type_def(db, TypeKey::new(db, symbol))
    }))
}

/// Returns all members of any type. `view` adds the methods of an in-package test; `def_of` returns
/// the definition of a defined type.
pub fn members_in_view(
    db: &dyn Db,
    ty: Ty,
    view: Option<Unit>,
    def_of: &dyn Fn(SymbolId) -> Option<Arc<TypeDef>>,
) -> Members {
    let extra = view.map(|view| extra_methods(db, view));
    flatten(table(db), ty, extra.as_deref().unwrap_or(&[]), def_of)
}
