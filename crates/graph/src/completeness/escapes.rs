//! Escaping uses in dynamically typed languages: where a symbol is passed on as a value.
//!
//! ```python
//! register(handler.emit)      # emit escapes: register may call it
//! ```

use codeweft_db::{File, Language, Reason, Role, SymbolClass, SymbolId, Unit, Use};
use rustc_hash::FxHashSet;

use crate::call_graph::named_files::named_files;
use crate::call_graph::uses::visit_files;
use crate::query_context::QueryContext;
use crate::type_graph;
use crate::visibility;

/// A use in a file.
pub(crate) type EscapingUse = (File, Use);

/// Returns where a symbol is passed on as a value: the symbol itself, a base's method that it
/// may run for, and for a special method the classes whose construction or operators run it.
pub(super) fn escaping_uses(
    query: &QueryContext<'_>,
    language: &dyn Language,
    symbol: SymbolId,
) -> Vec<EscapingUse> {
    if !language.is_dynamically_typed() {
        return Vec::new();
    }
    let key = query.key(symbol);
    let mut roots = vec![symbol];
    let is_special = language.is_special_name(query.db.shared().names.text(key.name));
    // Every object has the special methods of `object`.
    if !is_special {
        roots.extend(type_graph::dispatched_from(query, symbol).iter());
    }
    if let Some(class) = key
        .parent
        .filter(|_| is_special && key.class == SymbolClass::Method)
    {
        roots.push(class);
        if let Some(classes) = type_graph::classes_of(query, class) {
            roots.extend(classes.all_subclasses(class).into_keys());
        }
    }
    escaping_uses_of(query, symbol, roots)
}

/// Returns where a class or one of its subclasses is passed on: code there may derive from it.
pub(super) fn class_escapes(query: &QueryContext<'_>, class: SymbolId) -> Vec<EscapingUse> {
    let mut roots = vec![class];
    if let Some(classes) = type_graph::classes_of(query, class) {
        roots.extend(classes.all_subclasses(class).into_keys());
    }
    escaping_uses_of(query, class, roots)
}

/// Returns where any of `roots` is passed on in the units that can name `symbol`.
fn escaping_uses_of(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    mut roots: Vec<SymbolId>,
) -> Vec<EscapingUse> {
    // No use passes these on.
    roots.retain(|&root| named_files(query, root).is_none());
    let merged_index = query.cache.calls.merged_index.get();
    if let Some(merged_index) = merged_index {
        roots.retain(|root| merged_index.escaped.contains(root));
    }
    if roots.is_empty() {
        return Vec::new();
    }
    let mut units = visibility::visible_units(query, symbol);
    if let Some(merged_index) = merged_index {
        let users: FxHashSet<Unit> = roots
            .iter()
            .filter_map(|root| merged_index.users.get(root))
            .flatten()
            .copied()
            .collect();
        units.retain(|unit| users.contains(unit));
    }
    let found = query.map(&units, |languages, db, &unit| {
        let mut found = Vec::new();
        let Some(language) = languages.of(unit.lang(db)) else {
            return found;
        };
        let index = language.index(db, unit);
        for &root in roots.iter().filter(|&&root| index.escapes(root)) {
            visit_files(db, language, unit, index.files_of(root), |file| {
                let uses = language.uses(db, file);
                for one in uses.of(root).iter() {
                    if one.role == Role::Value && language.escapes(db, file, one.body, one.occ) {
                        found.push((file, *one));
                    }
                }
            });
        }
        found
    });
    found.into_iter().flatten().collect()
}

/// Returns the `super()` calls of subclasses that may run a method, and unknown bases of
/// subclasses, which may inherit it.
pub(super) fn unresolved_super_calls(
    query: &QueryContext<'_>,
    language: &dyn Language,
    method: SymbolId,
) -> Vec<(File, u32, Reason)> {
    let key = query.key(method);
    let class = key.parent.filter(|_| key.class == SymbolClass::Method);
    let Some((class, classes)) = class.zip(type_graph::classes_of(query, method)) else {
        return Vec::new();
    };
    let all_subclasses = classes.all_subclasses(class).into_keys();
    all_subclasses
        .flat_map(|object| language.super_calls(query.db, object, method))
        .collect()
}
