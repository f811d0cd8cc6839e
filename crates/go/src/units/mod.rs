//! Units: their files, names, imports and scopes. Everything here reads only headers and items.

mod imports;
mod scope;

pub use imports::{FileImports, PackageRef, file_imports};
pub use scope::{
    ReceiverBase, ScopeEntry, UnitScope, item_symbol, package_symbol, receiver_base,
    receiver_symbol, unit_scope,
};

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, Unit, UnitGraph, UnitKind};
use codeweft_go_syntax as go;
use codeweft_go_syntax::AsGo as _;
use rustc_hash::FxHashMap;

use crate::project;

/// The `_test.go` files with the package's own clause. Their scope lies over that of the package.
pub(crate) const IN_TEST: UnitKind = UnitKind::companion(1, "InTest", true);

/// The `_test.go` files with the clause `package p_test`, a package of its own (`go help test`).
pub(crate) const X_TEST: UnitKind = UnitKind::companion(2, "XTest", false);

/// The files of a unit under the build configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitFiles {
    /// The selected files, sorted by path bytes.
    pub chosen: Arc<[File]>,
    /// The files excluded by a constraint, their name or another package clause.
    pub excluded: Arc<[File]>,
}

/// Selects a unit's files (`go help buildconstraint`). If a directory has several package clauses,
/// the package is that of most selected files.
#[salsa::tracked(returns(ref))]
pub fn unit_files(db: &dyn Db, unit: Unit) -> UnitFiles {
    let settings = crate::settings::settings(db);
    let names = &db.shared().names;
    let (mut chosen, mut excluded) = (Vec::new(), Vec::new());
    for &file in unit.files(db).iter() {
        let path = file.path(db);
        let name = path.rsplit('/').next().unwrap_or(path);
        let fits = file
            .header(db)
            .go()
            .zip(settings)
            .is_some_and(|(header, settings)| project::file_matches(name, header, settings, names));
        if fits {
            chosen.push(file)
        } else {
            excluded.push(file)
        }
    }
    let clause = |file: File| file.header(db).go().map(|header| header.package);
    let mut clauses: Vec<Option<NameId>> = chosen.iter().map(|&file| clause(file)).collect();
    clauses.dedup();
    if clauses.len() > 1 {
        let count = |wanted| {
            chosen
                .iter()
                .filter(|&&file| clause(file) == wanted)
                .count()
        };
        // The first in path order wins a tie.
        let mut best = clauses[0];
        for &other in &clauses {
            if count(other) > count(best) {
                best = other;
            }
        }
        let (kept, others): (Vec<_>, Vec<_>) =
            chosen.into_iter().partition(|&file| clause(file) == best);
        chosen = kept;
        excluded.extend(others);
        excluded.sort_by(|left, right| left.path(db).cmp(right.path(db)));
    }
    UnitFiles {
        chosen: chosen.into(),
        excluded: excluded.into(),
    }
}

/// Returns the name in a unit's package clause; `None` for a unit without selected files.
#[salsa::tracked(returns(copy))]
pub fn unit_name(db: &dyn Db, unit: Unit) -> Option<NameId> {
    let file = *unit_files(db, unit).chosen.first()?;
    Some(file.header(db).go()?.package)
}

/// Returns the unit of a file.
pub fn unit_of(db: &dyn Db, file: File) -> Option<Unit> {
    UnitGraph::get(db).owners(db).get(&file).copied()
}

/// Returns the test units of each base unit. No edit of a text changes them.
#[salsa::tracked(returns(ref))]
pub fn companion_units(db: &dyn Db, graph: UnitGraph) -> FxHashMap<Unit, Vec<Unit>> {
    let mut companions: FxHashMap<Unit, Vec<Unit>> = FxHashMap::default();
    for &unit in graph.units(db).iter() {
        if let Some(base) = unit.base(db) {
            companions.entry(base).or_default().push(unit);
        }
    }
    companions
}

/// Returns the Go items of a file.
pub fn items(db: &dyn Db, file: File) -> Option<&go::Items> {
    file.items(db).go()
}

/// Returns the path that qualifies unexported names, equal in all units of a package.
pub fn package_path(db: &dyn Db, unit: Unit) -> NameId {
    match unit.kind(db) {
        IN_TEST => unit.base(db).unwrap_or(unit).import_path(db),
        _ => unit.import_path(db),
    }
}

/// Returns the unit whose test methods are visible in `unit`: InTest itself, and the InTest of an
/// XTest.
pub fn test_view(db: &dyn Db, unit: Unit) -> Option<Unit> {
    match unit.kind(db) {
        UnitKind::BASE => None,
        IN_TEST => Some(unit),
        _ => unit.companion(db),
    }
}
