//! The operation `circular_dependencies`: cycles of packages that import each other.
//!
//! A cycle is listed once, from its smallest id on, with the import statements that make it. Some cycles are
//! none when the code runs:
//!
//! ```text
//! a imports b if TYPE_CHECKING, b imports a          only for types: a is loaded without b
//! a imports b inside a function, b imports a         deferred: b is loaded when the function is called
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use codeweft_db::{ImportTime, SymbolId};
use rustc_hash::FxHashMap;

use super::elementary_cycles::{BOUNDS, Bound, components, elementary_cycles};
use super::package_imports::{PackageImport, package_imports};
use crate::answer::{
    AnalysisOperation, AnalysisResponse, ApiError, CheckedAnalysis, CycleCounts, CycleImport,
    CycleImports,
};
use crate::link::{Link, SiteKey};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::targets::resolved::Target;

/// Lists the cycles of the workspace's packages, or those that have a package of the target: first those of
/// imports that run when the packages are loaded, then the others; of each the short ones first.
pub(super) fn circular_dependencies(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
    target: Option<&Target>,
) -> Result<AnalysisResponse, ApiError> {
    let imports = package_imports(query);
    let mut packages: Vec<(Arc<str>, SymbolId)> = imports
        .keys()
        .flat_map(|&(from, to)| [from, to])
        .map(|package| (symbols::id(query, package), package))
        .collect();
    packages.sort_unstable_by(|one, other| {
        let lang = |package: SymbolId| query.lang(package);
        (&one.0, lang(one.1)).cmp(&(&other.0, lang(other.1)))
    });
    packages.dedup_by_key(|(_, package)| *package);
    let number: FxHashMap<SymbolId, usize> = packages
        .iter()
        .enumerate()
        .map(|(at, &(_, package))| (package, at))
        .collect();
    let successors = |latest: ImportTime| {
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); packages.len()];
        let imports = imports.iter();
        for ((from, to), _) in imports.filter(|(_, import)| import.first.time <= latest) {
            if let (Some(&from), Some(&to)) = (number.get(from), number.get(to)) {
                successors[from].push(to);
            }
        }
        successors
            .iter_mut()
            .for_each(|targets| targets.sort_unstable());
        successors
    };
    query.db.unwind_if_cancelled();
    // Cycles at load time first: a bound that ends the search of all does not hide these.
    let at_load = elementary_cycles(&successors(ImportTime::Load));
    query.db.unwind_if_cancelled();
    let successors = successors(ImportTime::TypeChecking);
    let all = elementary_cycles(&successors);
    let bounded = all.bounded.or(at_load.bounded);
    let at_load: BTreeSet<Vec<usize>> = at_load.cycles.into_iter().collect();
    let is_wanted = |cycle: &[usize]| {
        let of_target = |target: &Target| {
            let mut packages = cycle.iter().map(|&at| packages[at].1);
            packages.any(|package| target.symbols.contains(&package))
        };
        target.is_none_or(of_target)
    };
    let others = all.cycles.into_iter();
    let others = others.filter(|cycle| !at_load.contains(cycle));
    let mut others: Vec<Vec<usize>> = others.collect();
    let mut cycles: Vec<Vec<usize>> = at_load.iter().cloned().collect();
    for part in [&mut cycles, &mut others] {
        part.retain(|cycle| is_wanted(cycle));
        part.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    }
    cycles.append(&mut others);
    let total_found = cycles.len() as u32;
    let components = component_count(&successors, &cycles);
    cycles.truncate(request.max_results as usize);
    let cycle_imports = cycles
        .iter()
        .map(|cycle| imports_of(query, &packages, cycle, &imports))
        .collect();
    let ids = |cycle: &Vec<usize>| cycle.iter().map(|&at| packages[at].0.to_string()).collect();
    Ok(AnalysisResponse {
        target: target.map(|target| target.printed.clone()),
        note: target.and_then(|target| target.note.clone()),
        cycle_counts: Some(CycleCounts {
            total_found,
            total_returned: cycles.len() as u32,
            components,
            bound: bounded.map(words),
        }),
        cycles: Some(cycles.iter().map(ids).collect()),
        cycle_imports,
        ..AnalysisResponse::new(AnalysisOperation::CircularDependencies)
    })
}

/// Returns the number of strongly connected components that have one of the cycles.
fn component_count(successors: &[Vec<usize>], cycles: &[Vec<usize>]) -> u32 {
    let (component_of, _) = components(successors);
    let firsts = cycles.iter().filter_map(|cycle| cycle.first());
    let mut of_cycles: Vec<usize> = firsts.map(|&at| component_of[at]).collect();
    of_cycles.sort_unstable();
    of_cycles.dedup();
    of_cycles.len() as u32
}

/// Returns a bound in words.
fn words(bound: Bound) -> String {
    match bound {
        Bound::Length => format!(
            "cycles of more than {} packages are listed only where an import is on no shorter one",
            BOUNDS.length
        ),
        Bound::Cycles => format!(
            "of a component with more than {} cycles one through each import is listed",
            BOUNDS.cycles
        ),
        Bound::Steps => {
            "of the largest component one cycle through each import is listed".to_owned()
        }
    }
}

fn imports_of(
    query: &QueryContext<'_>,
    packages: &[(Arc<str>, SymbolId)],
    cycle: &[usize],
    imports: &FxHashMap<(SymbolId, SymbolId), PackageImport>,
) -> CycleImports {
    let mut of_cycle = CycleImports::default();
    for (step, &from) in cycle.iter().enumerate() {
        let to = cycle[(step + 1) % cycle.len()];
        let ((from_id, from), (to_id, to)) = (&packages[from], &packages[to]);
        let Some(import) = imports.get(&(*from, *to)) else {
            continue;
        };
        let first = import.first;
        of_cycle.only_types |= first.time == ImportTime::TypeChecking;
        of_cycle.deferred |= first.time == ImportTime::Call;
        let link = Link::plain(first.file, SiteKey::Import(first.import));
        let language = query.languages.of(first.file.lang(query.db));
        let line = language.map_or(0, |language| link.line_column(query.db, language).0);
        of_cycle.imports.push(CycleImport {
            from: from_id.to_string(),
            to: to_id.to_string(),
            file: first.file.path(query.db).to_string(),
            line,
            import_count: import.count,
        });
    }
    of_cycle
}
