//! Conversions of values to interface types, and the pairs of type and interface that a method
//! takes part in.

use codeweft_db::{File, SymbolId};
use rustc_hash::FxHashSet;

use super::implements;
use super::satisfaction;
use crate::call_graph;
use crate::link::{Link, SiteKey};
use crate::query_context::QueryContext;
use crate::symbols;

/// A type and an interface that it satisfies.
pub(crate) type TypePair = (SymbolId, SymbolId);

/// Returns the pairs that hold because of a method. For a type's method: every type that has
/// it, with every interface that requires it. For an interface's method: every type with every
/// interface that has it, embedded ones included, unless the type has the method from that very
/// interface.
pub(crate) fn pairs_through(query: &QueryContext<'_>, method: SymbolId) -> FxHashSet<TypePair> {
    let mut pairs = FxHashSet::default();
    let Some((language, types)) = implements::language_types(query, method) else {
        return pairs;
    };
    let Some(name) = satisfaction::row_name(query, method) else {
        return pairs;
    };
    let of_interface = symbols::is_interface_method(query, method);
    let by_method = types.by_method(name);
    let having = by_method.get(&method).map_or(&[][..], Vec::as_slice);
    for &interface in types.with_method(true, name).iter() {
        let row = types.row(interface);
        if !of_interface {
            let matching = having
                .iter()
                .filter(|&&at| types.satisfies(query.db, language, at, interface).is_some());
            pairs.extend(matching.map(|&at| (types.row(at).symbol, row.symbol)));
        } else if row.method(name).is_some_and(|own| own.symbol == method) {
            for (at, _) in types.satisfying(query.db, language, interface) {
                let ty = types.row(at);
                if ty.method(name).is_some_and(|own| own.symbol != method) {
                    pairs.insert((ty.symbol, row.symbol));
                }
            }
        }
    }
    pairs
}

/// Returns the positions where a value of a type becomes an interface's, for all pairs that
/// `keep` accepts, each with the enclosing declaration.
pub(crate) fn conversions(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    keep: impl Fn(TypePair) -> bool + Sync,
) -> Vec<(SymbolId, Link)> {
    let Some(lang) = query.lang(symbol) else {
        return Vec::new();
    };
    let units = query.units.of_lang(lang);
    let files = query.map(&units, |languages, db, &unit| {
        let Some(language) = languages.of(unit.lang(db)) else {
            return Vec::<File>::new();
        };
        let index = language.index(db, unit);
        let matching = index.conversions();
        let matching = matching.filter(|&(interface, ty, _)| keep((ty, interface)));
        let mut numbers: Vec<u32> = matching.map(|(_, _, number)| number).collect();
        if numbers.is_empty() {
            return Vec::new();
        }
        numbers.sort_unstable();
        numbers.dedup();
        let files = language.files(db, unit);
        let numbers = numbers.into_iter();
        numbers
            .filter_map(|number| files.get(number as usize).copied())
            .collect()
    });
    let mut found = Vec::new();
    for file in files.into_iter().flatten() {
        call_graph::enclosing(query, file, |uses, enclosing| {
            for one in uses.conversions.iter() {
                if keep((one.ty, one.interface)) {
                    let key = SiteKey::Use {
                        body: one.body,
                        occ: one.occ,
                    };
                    let link = Link {
                        in_literal: one.in_literal,
                        ..Link::plain(file, key)
                    };
                    found.push((enclosing(one.body), link));
                }
            }
        });
    }
    found
}
