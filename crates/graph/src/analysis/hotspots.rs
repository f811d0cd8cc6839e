//! The operation `hotspots`: the functions that most others call.

use std::cmp::Reverse;

use codeweft_db::{NodeKind, Resolution, SymbolId};
use rustc_hash::FxHashMap;

use super::symbol_info::symbol_infos;
use crate::answer::{AnalysisResponse, ApiError, CheckedAnalysis, Hotspot};
use crate::query_context::QueryContext;
use crate::resolve_ahead::resolve_ahead;
use crate::symbols;

/// Lists the functions of the workspace with the most callers.
pub(super) fn hotspots(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
) -> Result<AnalysisResponse, ApiError> {
    let mut callers: FxHashMap<SymbolId, u32> = FxHashMap::default();
    let mut callees: FxHashMap<SymbolId, u32> = FxHashMap::default();
    let units = symbols::own_units(query);
    resolve_ahead(query, &units);
    let of_units = query.map(&units, |languages, db, &unit| {
        let Some(language) = languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for &file in language.files(db, unit).iter() {
            if !request.include_tests && language.is_test(db, file) {
                continue;
            }
            let calls = query.cache.calls.calls_in(db, language, (file, unit));
            let calls = calls.all().iter();
            let calls = calls.filter(|(_, _, one)| one.resolution != Resolution::Name);
            pairs.extend(calls.map(|&(caller, callee, _)| (caller, callee)));
        }
        pairs
    });
    let mut pairs = of_units.concat();
    pairs.sort_unstable();
    pairs.dedup();
    for (caller, callee) in pairs {
        query.poll_cancellation();
        *callers.entry(callee).or_default() += 1;
        *callees.entry(caller).or_default() += 1;
    }
    let mut found: Vec<(Reverse<u32>, SymbolId)> = Vec::new();
    for &unit in &units {
        for row in query.symbols(unit).rows.iter() {
            let is_called = row.kind != NodeKind::Package;
            if let (true, Some(&count)) = (is_called, callers.get(&row.symbol)) {
                found.push((Reverse(count), row.symbol));
            }
        }
    }
    found.sort_by_key(|&(count, _)| count);
    found.truncate(request.top_n as usize);
    let listed: Vec<SymbolId> = found.iter().map(|&(_, symbol)| symbol).collect();
    let infos = symbol_infos(query, &listed).into_iter();
    let hotspots = infos
        .zip(found)
        .map(|(symbol, (Reverse(caller_count), id))| Hotspot {
            symbol,
            caller_count,
            callee_count: callees.get(&id).copied().unwrap_or_default(),
        });
    Ok(AnalysisResponse {
        hotspots: Some(hotspots.collect()),
        ..AnalysisResponse::new(request.operation)
    })
}
