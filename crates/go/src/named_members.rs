//! Members by name: the declarations of a package, and the fields and methods of a type with those
//! that embedded fields promote (Go spec, Selectors).

use codeweft_db::{Db, DeclaredIn, NameId, SymbolClass, SymbolId};

use crate::decls::{TypeKey, members};
use crate::definitions::MemberKind;
use crate::symbols::unit_symbols;
use crate::types::MemberName;
use crate::units::package_path;

/// Returns the declaration that `of.name` selects from a loaded package or type.
pub(crate) fn member_named(db: &dyn Db, of: SymbolId, name: NameId) -> Option<SymbolId> {
    let symbols = &db.shared().symbols;
    let key = symbols.key(of);
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return None;
    };
    match key.class {
        SymbolClass::Package => {
            let declared = unit_symbols(db, unit);
            let mut rows = declared.named(name).map(|row| declared.rows[row as usize]);
            rows.find(|row| {
                let key = symbols.key(row.symbol);
                key.parent.is_none() && key.class != SymbolClass::Package
            })
            .map(|row| row.symbol)
        }
        SymbolClass::Type => {
            let members = members(db, TypeKey::new(db, of));
            let member = members.get(MemberName::new(db, name, package_path(db, unit)))?;
            member
                .symbol
                .filter(|_| member.kind != MemberKind::Ambiguous)
        }
        _ => None,
    }
}
