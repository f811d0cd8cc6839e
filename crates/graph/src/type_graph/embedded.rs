//! The type of an embedded field.

use codeweft_db::{File, NodeKind, Role, SymbolId};

use crate::query_context::QueryContext;

/// Returns the type that a field embeds if `at` is inside the name that declares the field:
/// that name is also a use of the type (Go spec, Struct types).
pub(crate) fn embedded_at(
    query: &QueryContext<'_>,
    field: SymbolId,
    file: File,
    at: u32,
) -> Option<SymbolId> {
    if query.kind(field) != NodeKind::Field {
        return None;
    }
    let language = query.language(field)?;
    let name = language.declaration_range(query.db, field)?;
    if name.file != file || !(name.name.start..name.name.end).contains(&at) {
        return None;
    }
    let uses = language.uses(query.db, file);
    let mut embeds = uses.iter().filter_map(|(target, sites)| {
        let mut own = sites.iter().filter(|one| one.role == Role::Embed);
        let here = own.any(|one| {
            let offset = language.offset(query.db, file, one.body, one.occ);
            offset == Some(name.name.start)
        });
        (here && query.kind(target).is_type()).then_some(target)
    });
    embeds.next()
}
