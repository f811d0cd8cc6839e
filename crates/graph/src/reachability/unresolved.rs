//! Sites of unknown target that could use a declaration.

use codeweft_db::{Db, Language, NodeKind, SymbolId, UnresolvedSite};

/// Returns whether code calls declarations of a kind.
pub(crate) fn is_called(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Interface
    )
}

/// Returns whether an unresolved site with the name of a declaration could use it.
pub(crate) fn could_use(
    db: &dyn Db,
    language: &dyn Language,
    site: &UnresolvedSite,
    (symbol, kind): (SymbolId, NodeKind),
) -> bool {
    if !is_called(kind) {
        return site.absent.is_none();
    }
    language.could_call(db, site, symbol) || language.could_use_declared_receiver(db, site, symbol)
}
