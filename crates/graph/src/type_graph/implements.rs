//! Which types satisfy which interfaces.

use std::sync::Arc;

use codeweft_db::{Lang, Language, Receiver, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::table::{JoinedTypes, RowRef, TypeTable};
use crate::query_context::QueryContext;
use crate::symbols;

/// A type that satisfies an interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ImplementsPair {
    /// The type.
    pub(crate) ty: SymbolId,
    /// The printed type arguments of an instance.
    pub(crate) type_args: Box<[Box<str>]>,
    /// The interface.
    pub(crate) interface: SymbolId,
    /// Whether the type itself or only a pointer to it satisfies the interface.
    pub(crate) receiver: Receiver,
    /// Whether the pair exists in test units only.
    pub(crate) test: bool,
}

/// Merges pairs of the same type and interface: the value receiver wins, `test` holds only if it
/// holds for all, and an instance is dropped if the type itself satisfies the interface.
pub(crate) fn merge_pairs(pairs: Vec<ImplementsPair>) -> Vec<ImplementsPair> {
    type Key = (SymbolId, SymbolId, Box<[Box<str>]>);
    let mut merged: FxHashMap<Key, (Receiver, bool)> = FxHashMap::default();
    for pair in pairs {
        merged
            .entry((pair.ty, pair.interface, pair.type_args))
            .and_modify(|(receiver, test)| {
                *receiver = (*receiver).min(pair.receiver);
                *test &= pair.test;
            })
            .or_insert((pair.receiver, pair.test));
    }
    let plain: FxHashSet<(SymbolId, SymbolId)> = merged
        .keys()
        .filter(|(_, _, type_args)| type_args.is_empty())
        .map(|(ty, interface, _)| (*ty, *interface))
        .collect();
    let merged = merged.into_iter();
    let mut pairs: Vec<ImplementsPair> = merged
        .filter(|((ty, interface, type_args), _)| {
            type_args.is_empty() || !plain.contains(&(*ty, *interface))
        })
        .map(
            |((ty, interface, type_args), (receiver, test))| ImplementsPair {
                ty,
                type_args,
                interface,
                receiver,
                test,
            },
        )
        .collect();
    pairs.sort_by(|a, b| (a.ty, a.interface, &a.type_args).cmp(&(b.ty, b.interface, &b.type_args)));
    pairs
}

/// Drops pairs with a generic interface if the same type and interface also form a certain pair.
fn prefer_certain(pairs: Vec<(ImplementsPair, bool)>) -> Vec<ImplementsPair> {
    let certain: FxHashSet<(SymbolId, SymbolId)> = pairs
        .iter()
        .filter(|(_, generic)| !generic)
        .map(|(pair, _)| (pair.ty, pair.interface))
        .collect();
    let kept = pairs
        .into_iter()
        .filter(|(pair, generic)| !generic || !certain.contains(&(pair.ty, pair.interface)));
    kept.map(|(pair, _)| pair).collect()
}

/// Returns the types and interfaces of a language.
pub(crate) fn types(query: &QueryContext<'_>, lang: Lang) -> Arc<JoinedTypes> {
    let memos = &query.cache.types;
    memos.types.get_or(lang, || {
        let units = query.units.of_lang(lang);
        TypeTable::read(&query.fan_out, units, lang, memos.previous_types.get(&lang))
    })
}

/// Returns the language crate of a symbol, with the types and interfaces of the language.
pub(super) fn language_types<'q>(
    query: &'q QueryContext<'_>,
    symbol: SymbolId,
) -> Option<(&'q dyn Language, Arc<JoinedTypes>)> {
    let language = query.language(symbol)?;
    Some((language, types(query, language.lang())))
}

/// Returns the types that satisfy an interface.
pub(crate) fn pairs_of_interface(
    query: &QueryContext<'_>,
    interface: SymbolId,
) -> Vec<ImplementsPair> {
    let Some((language, types)) = language_types(query, interface) else {
        return Vec::new();
    };
    let rows = types.interface_rows(query.db, &query.units, interface);
    let mut pairs = Vec::new();
    for at in rows.into_iter().filter(|&at| !types.has_type_set(at)) {
        for (ty, receiver) in types.satisfying(query.db, language, at) {
            pairs.push((pair(&types, ty, at, receiver), at.generic));
        }
    }
    merge_pairs(prefer_certain(pairs))
}

/// Returns the interfaces that a type satisfies.
pub(crate) fn pairs_of_type(query: &QueryContext<'_>, ty: SymbolId) -> Vec<ImplementsPair> {
    let Some((language, types)) = language_types(query, ty) else {
        return Vec::new();
    };
    let mut pairs = Vec::new();
    for at in types.rows_of(query.db, &query.units, ty) {
        if at.interface {
            continue;
        }
        let mut checked = FxHashSet::default();
        for method in &types.row(at).methods {
            let declared = types.with_method(true, method.name);
            let generic = types.generic_with_method(method.name).iter();
            let generic = generic.filter(|&&at| !types.has_type_set(at));
            for &interface in declared.iter().chain(generic) {
                if checked.insert(interface)
                    && let Some(receiver) = types.satisfies(query.db, language, at, interface)
                {
                    let pair = pair(&types, at, interface, receiver);
                    pairs.push((pair, interface.generic));
                }
            }
        }
    }
    merge_pairs(prefer_certain(pairs))
}

/// Returns all pairs of a language and, for pairs that touch the workspace, the pairs of
/// methods as (type's method, interface's method, only in tests). A type's method may be
/// promoted from a library's type.
pub(crate) fn all_pairs(
    query: &QueryContext<'_>,
    lang: Lang,
) -> (Vec<ImplementsPair>, Vec<(SymbolId, SymbolId, bool)>) {
    let types = types(query, lang);
    let mut rows = types.all_interfaces();
    rows.retain(|&at| !types.has_type_set(at));
    let found = query.map(&rows, |languages, db, &interface| {
        let language = languages.of(lang);
        language.map(|language| types.satisfying(db, language, interface))
    });
    let (mut pairs, mut methods) = (Vec::new(), Vec::new());
    for (&interface, found) in rows.iter().zip(found) {
        for (ty, receiver) in found.into_iter().flatten() {
            let pair = pair(&types, ty, interface, receiver);
            let outside =
                symbols::is_external(query, pair.ty) && symbols::is_external(query, pair.interface);
            for wanted in types.row(interface).methods.iter().filter(|_| !outside) {
                if let Some(own) = types.row(ty).method(wanted.name)
                    && !symbols::is_interface_method(query, own.symbol)
                {
                    methods.push((own.symbol, wanted.symbol, pair.test));
                }
            }
            pairs.push((pair, interface.generic));
        }
    }
    (merge_pairs(prefer_certain(pairs)), methods)
}

fn pair(types: &TypeTable, ty: RowRef, interface: RowRef, receiver: Receiver) -> ImplementsPair {
    let row = types.row(ty);
    ImplementsPair {
        ty: row.symbol,
        type_args: row.type_args.clone(),
        interface: types.row(interface).symbol,
        receiver,
        test: types.is_test(ty) || types.is_test(interface),
    }
}
