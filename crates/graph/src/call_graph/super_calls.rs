//! Calls through `super()`, and constructions through a class variable.
//!
//! `super()` continues in the method resolution order of the object's class, which is not known at
//! the call (Python reference, `super`). A subclass with several bases may insert a class in
//! between:
//!
//! ```python
//! class A:
//!     def run(self): ...
//! class B(A):
//!     def run(self): super().run()   # by B's own order: A.run
//! class Mixin(A):
//!     def run(self): ...
//! class C(B, Mixin): ...             # order C, B, Mixin, A: for a C it is Mixin.run
//! ```
//!
//! Likewise `cls()` constructs the declared class or any of its subclasses.

use codeweft_db::{SymbolClass, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses;
use crate::link::{Link, SiteKey};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::symbols::MethodOwner;
use crate::type_graph;

/// Returns the methods that a `super()` call may run besides `method`, which the order of the
/// calling class names: those that a subclass with several bases inserts.
pub(super) fn super_call_targets(
    query: &QueryContext<'_>,
    method: SymbolId,
    link: &Link,
) -> Vec<SymbolId> {
    if symbols::method_owner(query, method) != Some(MethodOwner::Class) {
        return Vec::new();
    }
    let Some(super_call_class) = super_call_class(query, link) else {
        return Vec::new();
    };
    let Some((language, classes, _)) = type_graph::class_method(query, method) else {
        return Vec::new();
    };
    // The target was not found through `super()`: say, the constructor of a class held by an
    // attribute.
    if language.resolve_super_method(query.db, super_call_class, super_call_class, method)
        != Some(method)
    {
        return Vec::new();
    }
    let multi_base_subclasses = classes.multi_base_subclasses(super_call_class);
    let targets = multi_base_subclasses.filter_map(|object| {
        language.resolve_super_method(query.db, object, super_call_class, method)
    });
    let mut targets: Vec<SymbolId> = targets.filter(|&run| run != method).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Returns the `super()` calls that may run `method` although the order of the calling class
/// names another one: the inverse of [`super_call_targets`].
pub(super) fn super_calls_running(
    query: &QueryContext<'_>,
    method: SymbolId,
) -> Vec<(SymbolId, Link)> {
    let mut found = Vec::new();
    let Some((language, classes, class)) = type_graph::class_method(query, method) else {
        return found;
    };
    // By class: the method that its calls through `super()` name, if it has such calls.
    let mut named_by: FxHashMap<SymbolId, Option<SymbolId>> = FxHashMap::default();
    let mut calling: FxHashMap<SymbolId, FxHashSet<SymbolId>> = FxHashMap::default();
    let mut by_own_order = |super_call_class| {
        let own =
            language.resolve_super_method(query.db, super_call_class, super_call_class, method);
        own.filter(|&own| own != method).filter(|&own| {
            let calling = calling
                .entry(own)
                .or_insert_with(|| calling_classes(query, own));
            calling.contains(&super_call_class)
        })
    };
    // By the method that calls name: the classes that contain them.
    let mut named: FxHashMap<SymbolId, FxHashSet<SymbolId>> = FxHashMap::default();
    for object in classes.multi_base_subclasses(class) {
        query.poll_cancellation();
        for super_call_class in classes.all_bases(object).into_keys() {
            let by_own = named_by.entry(super_call_class);
            let by_own = *by_own.or_insert_with(|| by_own_order(super_call_class));
            if super_call_class != class
                && let Some(by_own) = by_own
                && language.resolve_super_method(query.db, object, super_call_class, method)
                    == Some(method)
            {
                named.entry(by_own).or_default().insert(super_call_class);
            }
        }
    }
    for (by_own, makers) in named {
        for &(caller, link) in uses::calls_of(query, by_own).iter() {
            query.poll_cancellation();
            if link.direct
                && super_call_class(query, &link).is_some_and(|one| makers.contains(&one))
            {
                found.push((caller, link.dispatched()));
            }
        }
    }
    found
}

/// Returns the classes that call a method through `super()`.
fn calling_classes(query: &QueryContext<'_>, method: SymbolId) -> FxHashSet<SymbolId> {
    let calls = uses::calls_of(query, method);
    let direct = calls.iter().filter(|(_, link)| link.direct);
    direct
        .filter_map(|(_, link)| super_call_class(query, link))
        .collect()
}

/// Returns the class after which a `super()` call starts its look-up.
fn super_call_class(query: &QueryContext<'_>, link: &Link) -> Option<SymbolId> {
    let SiteKey::Use { body, occ } = link.key else {
        return None;
    };
    let language = query.languages.of(link.file.lang(query.db))?;
    language
        .uses(query.db, link.file)
        .super_call_class(body, occ)
}

/// Returns the subclasses that a construction of `class` may construct when the call knows only
/// "`class` or a subclass".
pub(super) fn constructed_subclasses(query: &QueryContext<'_>, class: SymbolId) -> Vec<SymbolId> {
    let classes = match query.key(class).class {
        SymbolClass::Type => type_graph::classes_of(query, class),
        _ => None,
    };
    classes.map_or_else(Vec::new, |classes| {
        classes.all_subclasses(class).into_keys().collect()
    })
}

/// Returns the calls that may construct `class` although they name one of its bases: the
/// inverse of [`constructed_subclasses`].
pub(super) fn constructor_calls_through_bases(
    query: &QueryContext<'_>,
    class: SymbolId,
) -> Vec<(SymbolId, Link)> {
    let mut found = Vec::new();
    let classes = match query.key(class).class {
        SymbolClass::Type => type_graph::classes_of(query, class),
        _ => None,
    };
    let Some(classes) = classes else {
        return found;
    };
    for base in classes.all_bases(class).into_keys() {
        let calls = uses::calls_of(query, base);
        let calls = calls.iter().filter(|(_, link)| !link.direct);
        found.extend(calls.map(|&(caller, link)| (caller, link.dispatched())));
    }
    found
}
