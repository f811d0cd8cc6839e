//! Classes and the methods that run instead of those of their bases.

use std::cell::LazyCell;
use std::sync::Arc;

use codeweft_db::{Lang, Language, SymbolClass, SymbolId};
use rustc_hash::FxHashMap;

use super::classes::{Classes, Distances, JoinedClasses};
use crate::query_context::QueryContext;
use crate::symbols;

/// Returns the classes of a language.
pub(crate) fn classes(query: &QueryContext<'_>, lang: Lang) -> Arc<JoinedClasses> {
    let memos = &query.cache.types;
    memos.classes.get_or(lang, || {
        let units = query.units.of_lang(lang);
        Classes::read(&query.fan_out, units, memos.previous_classes.get(&lang))
    })
}

/// Returns the classes of the language of a class or of a class's method; `None` for any other
/// symbol.
pub(crate) fn classes_of(query: &QueryContext<'_>, symbol: SymbolId) -> Option<Arc<JoinedClasses>> {
    symbols::is_of_class(query, symbol).then_some(())?;
    Some(classes(query, query.lang(symbol)?))
}

/// Returns the methods that run instead of a class's method for objects of its subclasses, each
/// with the distance of its class. A method of an unrelated class (a mixin) gets the distance
/// of the nearest subclass it runs for:
///
/// ```python
/// class Handler:
///     def emit(query): ...
/// class Loud:
///     def emit(query): ...
/// class LoudHandler(Loud, Handler): ...   # overrides(Handler.emit) = {Loud.emit: 1}
/// ```
pub(crate) fn overrides(query: &QueryContext<'_>, method: SymbolId) -> Distances {
    let mut found = Distances::default();
    let Some((language, classes, class)) = class_method(query, method) else {
        return found;
    };
    let all_subclasses = classes.all_subclasses(class);
    let subclasses: Vec<SymbolId> = all_subclasses.keys().copied().collect();
    let resolved = language.resolve_methods(query.db, &subclasses, method);
    for (&distance, resolved) in all_subclasses.values().zip(resolved) {
        let Some(run) = resolved.filter(|&run| run != method) else {
            continue;
        };
        let own = query
            .key(run)
            .parent
            .and_then(|own| all_subclasses.get(&own));
        let distance = own.copied().unwrap_or(distance);
        for run in [run]
            .into_iter()
            .chain(language.conditional_redefinitions(query.db, run))
        {
            let known = found.entry(run).or_insert(distance);
            *known = (*known).min(distance);
        }
    }
    found
}

/// Returns the methods of bases that a method runs instead of: the inverse of
/// [`overrides`], with the same distances.
pub(crate) fn overridden(query: &QueryContext<'_>, method: SymbolId) -> Distances {
    let mut found = Distances::default();
    let Some((language, classes, class)) = class_method(query, method) else {
        return found;
    };
    let name = query.key(method).name;
    // Most methods have a name that no base declares.
    let own = LazyCell::new(|| {
        let mut own = language.conditional_redefinitions(query.db, method);
        own.push(method);
        own
    });
    let own_bases = classes.all_bases(class);
    let runs_for = |object| language.resolve_method(query.db, object, method) == Some(method);
    let runs_for_own = LazyCell::new(|| runs_for(class));
    let mut running = vec![class];
    // With a single base a class runs what its base runs, or a method of its own.
    running.extend(classes.multi_base_subclasses(class));
    // Few bases declare the name.
    let mut declaring: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
    for object in running {
        let mut bases = classes.all_bases(object);
        bases.retain(|&base, _| {
            let declared = declaring.entry(base);
            let declared = declared.or_insert_with(|| symbols::methods_named(query, base, name));
            !declared.is_empty()
        });
        if bases.is_empty() || !runs_for(object) {
            continue;
        }
        for (base, distance) in bases {
            let of_own = own_bases.get(&base);
            if object != class && *runs_for_own && of_own.is_some() {
                continue;
            }
            let distance = of_own.copied().unwrap_or(distance);
            for &declared in &declaring[&base] {
                let resolved = language.resolve_method(query.db, object, declared);
                if !own.contains(&declared) && resolved.is_some_and(|run| own.contains(&run)) {
                    let known = found.entry(declared).or_insert(distance);
                    *known = (*known).min(distance);
                }
            }
        }
    }
    found
}

/// Returns the language crate, the classes and the class of a class's method.
pub(crate) fn class_method<'q>(
    query: &'q QueryContext<'_>,
    method: SymbolId,
) -> Option<(&'q dyn Language, Arc<JoinedClasses>, SymbolId)> {
    let key = query.key(method);
    if key.class != SymbolClass::Method {
        return None;
    }
    Some((
        query.language(method)?,
        classes_of(query, method)?,
        key.parent?,
    ))
}
