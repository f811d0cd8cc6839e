//! Escaping uses in dynamically typed languages: where a symbol is passed on as a value.
//!
//! ```python
//! register(handler.emit)      # emit escapes: register may call it
//! ```

use std::collections::BTreeMap;

use codeweft_db::{Db, File, Language, Reason, Role, SymbolClass, SymbolId, Unit, Use};
use rustc_hash::FxHashMap;

use crate::call_graph::memo::{MergedIndex, NamedFiles};
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
    let mut roots: Vec<SymbolId> = roots.into_iter().filter(may_escape).collect();
    if let Some(merged_index) = query.cache.calls.merged_index.get() {
        roots.retain(|root| merged_index.escaped.contains(root));
        return indexed_uses(query, merged_index, symbol, &roots);
    }
    if roots.is_empty() {
        return Vec::new();
    }
    let roots: Vec<_> = roots
        .into_iter()
        .map(|root| (root, named_files(query, root)))
        .collect();
    let units = visibility::visible_units(query, symbol);
    let found = query.map(&units, |languages, db, &unit| {
        let mut found = Vec::new();
        if let Some(language) = languages.of(unit.lang(db)) {
            for (root, named) in &roots {
                let add = |one| found.push(one);
                visit_escaping_uses(db, language, (unit, *root), named.as_deref(), add);
            }
        }
        found
    });
    found.into_iter().flatten().collect()
}

/// As [`escaping_uses_of`], from the units that use each root. What was found of a root is kept: the
/// constructors of all classes of a hierarchy have the same.
fn indexed_uses(
    query: &QueryContext<'_>,
    merged_index: &MergedIndex,
    symbol: SymbolId,
    roots: &[SymbolId],
) -> Vec<EscapingUse> {
    let known = &query.cache.unresolved.escaping_uses;
    let unknown: Vec<SymbolId> = {
        let known = known.lock();
        let roots = roots.iter().copied();
        roots.filter(|root| !known.contains_key(root)).collect()
    };
    let mut of_units: BTreeMap<usize, Vec<SymbolId>> = BTreeMap::new();
    for &root in &unknown {
        for &unit in merged_index.users.get(&root).into_iter().flatten() {
            if let Some(number) = query.units.number(unit) {
                of_units.entry(number).or_default().push(root);
            }
        }
    }
    let of_units: Vec<(usize, Vec<SymbolId>)> = of_units.into_iter().collect();
    let all = &query.units.all;
    let found = query.map(&of_units, |languages, db, (number, roots)| {
        let mut found = Vec::new();
        let unit = all[*number];
        if let Some(language) = languages.of(unit.lang(db)) {
            for &root in roots {
                let add = |one| found.push((root, (*number, one)));
                visit_escaping_uses(db, language, (unit, root), None, add);
            }
        }
        found
    });
    let mut uses: FxHashMap<SymbolId, Vec<(usize, EscapingUse)>> = FxHashMap::default();
    for (root, one) in found.into_iter().flatten() {
        uses.entry(root).or_default().push(one);
    }
    for root in unknown {
        known.insert(root, uses.remove(&root).unwrap_or_default().into());
    }
    let visible = visibility::visible_set(query, symbol);
    let mut found = Vec::new();
    for uses in roots.iter().filter_map(|root| known.get(root)) {
        let uses = uses.iter().filter(|(unit, _)| visible.contains(*unit));
        found.extend(uses.map(|&(_, one)| one));
    }
    found
}

/// Visits where a unit passes a symbol on.
fn visit_escaping_uses(
    db: &dyn Db,
    language: &dyn Language,
    (unit, symbol): (Unit, SymbolId),
    named: Option<&NamedFiles>,
    mut visit: impl FnMut(EscapingUse),
) {
    for file in files_that_pass_on(db, language, unit, symbol, named) {
        let uses = language.uses(db, file);
        for one in uses.of(symbol).iter() {
            if one.role == Role::Value && language.escapes(db, file, one.body, one.occ) {
                visit((file, *one));
            }
        }
    }
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
