//! Escaping uses in dynamically typed languages: where a symbol is passed on as a value.
//!
//! ```python
//! register(handler.emit)      # emit escapes: register may call it
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, Language, Reason, Role, SymbolClass, SymbolId, Unit, Use};
use rustc_hash::FxHashSet;

use crate::call_graph::memo::NamedFiles;
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
    escaping_uses_of(query, symbol, language, roots)
}

/// Returns where a class or one of its subclasses is passed on: code there may derive from it.
pub(super) fn class_escapes(query: &QueryContext<'_>, class: SymbolId) -> Vec<EscapingUse> {
    let mut roots = vec![class];
    if let Some(classes) = type_graph::classes_of(query, class) {
        roots.extend(classes.all_subclasses(class).into_keys());
    }
    let Some(language) = query.language(class) else {
        return Vec::new();
    };
    escaping_uses_of(query, class, language, roots)
}

/// Returns where any of `roots` is passed on in the units that can name `symbol`.
fn escaping_uses_of(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    language: &dyn Language,
    roots: Vec<SymbolId>,
) -> Vec<EscapingUse> {
    let may_escape = |root: &SymbolId| language.may_escape(query.db, *root);
    let roots = roots.into_iter().filter(may_escape);
    let mut roots: Vec<(SymbolId, Option<Arc<NamedFiles>>)> =
        roots.map(|root| (root, named_files(query, root))).collect();
    let merged_index = query.cache.calls.merged_index.get();
    if let Some(merged_index) = merged_index {
        roots.retain(|(root, _)| merged_index.escaped.contains(root));
    }
    if roots.is_empty() {
        return Vec::new();
    }
    let mut units = visibility::visible_units(query, symbol);
    if let Some(merged_index) = merged_index {
        let users: FxHashSet<Unit> = roots
            .iter()
            .filter_map(|(root, _)| merged_index.users.get(root))
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
        for (root, named) in &roots {
            for file in files_that_pass_on(db, language, unit, *root, named.as_deref()) {
                let uses = language.uses(db, file);
                for one in uses.of(*root).iter() {
                    if one.role == Role::Value && language.escapes(db, file, one.body, one.occ) {
                        found.push((file, *one));
                    }
                }
            }
        }
        found
    });
    found.into_iter().flatten().collect()
}

/// Returns the files of a unit that may pass a symbol on: of those that can use it by `named`, those that
/// have a name of it.
fn files_that_pass_on(
    db: &dyn Db,
    language: &dyn Language,
    unit: Unit,
    symbol: SymbolId,
    named: Option<&NamedFiles>,
) -> Vec<File> {
    if let Some(named) = named {
        let files = named.get(&unit).into_iter().flatten();
        let files = files.filter(|one| one.has_name);
        return files.map(|one| one.file).collect();
    }
    let index = language.index(db, unit);
    let mut found = Vec::new();
    if index.escapes(symbol) {
        visit_files(db, language, unit, index.files_of(symbol), |file| {
            found.push(file);
        });
    }
    found
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
    let known = &query.cache.unresolved.unknown_bases_below;
    let unknown_bases = known.get_or(class, || {
        let all_subclasses = classes.all_subclasses(class).into_keys();
        all_subclasses
            .flat_map(|object| language.unknown_bases_beside(query.db, object, class))
            .collect()
    });
    let multi_base_subclasses = classes.multi_base_subclasses(class);
    let mut found: Vec<_> = multi_base_subclasses
        .flat_map(|object| language.super_calls(query.db, object, method))
        .collect();
    found.extend(unknown_bases.iter().copied());
    found
}
