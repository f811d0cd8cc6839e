//! The operation `package_summary`: what a package declares, and what it is tied to.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use codeweft_db::{DeclaredIn, NodeKind, SymbolId, Unit};

use super::listing;
use super::listing::Selection;
use super::package_files::{PackageFiles, package_files};
use super::reference_counts::reference_counts;
use super::symbol_info::symbol_infos;
use crate::answer::{AnalysisResponse, ApiError, CheckedAnalysis, PackageSummary};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::targets::resolved::Target;

/// Summarises a package; several that the target means, such as the modules of a folder, as one.
///
/// # Errors
///
/// There is no target.
pub(super) fn package_summary(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
    target: Option<&Target>,
) -> Result<AnalysisResponse, ApiError> {
    let target = target
        .ok_or_else(|| ApiError::invalid_request("target: is required by package_summary"))?;
    let selection = Selection::of(request)?;
    let counts = reference_counts(query);
    let mut units: Vec<Unit> = Vec::new();
    let mut files = PackageFiles::default();
    let of_packages = package_files(query);
    for &package in &target.symbols {
        if let DeclaredIn::Unit(unit) = query.key(package).declared_in {
            let units_of_package = query.units.named(unit.lang(query.db), unit.name(query.db));
            units.extend(units_of_package);
        }
        files.add(of_packages.get(&package).copied().unwrap_or_default());
    }
    units.sort_by_key(|&unit| query.units.number(unit));
    units.dedup();
    let mut kind_counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut exported: Vec<(Reverse<u32>, SymbolId)> = Vec::new();
    for symbol in listing::declared_in(query, &units, &selection) {
        let Some((_, row)) = query
            .row(symbol)
            .filter(|(_, row)| row.kind != NodeKind::Package)
        else {
            continue;
        };
        let language = query.language(symbol);
        let package =
            language.and_then(|language| symbols::package_around(query.db, language, symbol));
        if package.is_none_or(|package| !target.symbols.contains(&package)) {
            continue;
        }
        *kind_counts
            .entry(row.kind.wire_name().to_owned())
            .or_default() += 1;
        // A test cannot be used from outside, and a member only through its type.
        let is_exported = row.public
            && query
                .key(symbol)
                .parent
                .is_none_or(|parent| target.symbols.contains(&parent));
        if is_exported && !symbols::in_test(query, symbol) {
            exported.push((Reverse(counts.of(symbol).external), symbol));
        }
    }
    let exported_total = exported.len() as u32;
    exported.sort_by_key(|&(count, _)| count);
    exported.truncate(request.max_results as usize);
    let exported: Vec<SymbolId> = exported.into_iter().map(|(_, symbol)| symbol).collect();
    let tied = |backward: bool| {
        let edges = target.symbols.iter();
        let edges = edges.flat_map(|&package| query.imports().edges(package, backward));
        let others = edges.map(|edge| edge.other);
        let others = others.filter(|other| !target.symbols.contains(other));
        let ids: BTreeSet<String> = others
            .map(|other| symbols::id(query, other).to_string())
            .collect();
        ids.into_iter().collect::<Vec<String>>()
    };
    let name = match target.symbols[..] {
        [package] => package_name(query, package),
        _ => target.printed.clone(),
    };
    Ok(AnalysisResponse {
        target: Some(target.printed.clone()),
        note: target.note.clone(),
        package_summary: Some(PackageSummary {
            package_name: name,
            package_path: target.printed.clone(),
            file_count: files.files,
            exported_symbols: symbol_infos(query, &exported),
            exported_total,
            kind_counts,
            dependencies: tied(false),
            dependents: tied(true),
        }),
        ..AnalysisResponse::new(request.operation)
    })
}

/// Returns the name by which other packages refer to one.
fn package_name(query: &QueryContext<'_>, package: SymbolId) -> String {
    let names = &query.db.shared().names;
    let clause = match query.key(package).declared_in {
        DeclaredIn::Unit(unit) => query
            .language(package)
            .and_then(|language| language.package_clause(query.db, unit)),
        _ => None,
    };
    match clause {
        Some(name) => names.text(name).to_owned(),
        None => crate::rendering::facts(query, package).name().to_owned(),
    }
}
