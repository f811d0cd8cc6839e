//! Suffixes of ids as targets.
//!
//! `Server.Close` resolves to `net/http.Server.Close`: a suffix begins after a `.` or `/`.
//! Candidates fall into four groups; only the first group that is not empty counts, and it must
//! hold one symbol and its redefinitions:
//!
//! ```text
//! 1 workspace: packages, types, functions, methods    2 workspace: fields, constants, variables
//! 3 libraries: packages, types, functions, methods    4 libraries: fields, constants, variables
//! ```

use codeweft_db::{Db, Lang, NodeKind, SymbolId, Unit};

use super::choice;
use super::inexact;
use super::resolved;
use super::resolved::Target;
use crate::answer::{ApiError, TargetKinds, TargetRules};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::symbols::ids::split_number;
use crate::symbols::memo::NamedPackage;

/// Resolves the suffix of an id.
///
/// # Errors
///
/// Several candidates in the first group that the operation and the tests leave open, or none at
/// all, and none by [`inexact`].
pub(super) fn by_suffix(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    langs: &[Lang],
    text: &str,
    plain: &str,
) -> Result<Target, ApiError> {
    let only_packages = rules.targets == TargetKinds::Package;
    // Declarations of libraries are not read where the workspace has a candidate.
    let mut group = Vec::new();
    for external in [false, true] {
        let mut groups: [Vec<SymbolId>; 2] = Default::default();
        for symbol in ending_in(query, langs, plain, external) {
            let kind = query.kind(symbol);
            let minor = matches!(
                kind,
                NodeKind::Field | NodeKind::Constant | NodeKind::Variable
            );
            if !only_packages || kind == NodeKind::Package {
                groups[usize::from(minor)].push(symbol);
            }
        }
        let mut groups = groups.into_iter();
        group = groups.find(|group| !group.is_empty()).unwrap_or_default();
        if !group.is_empty() {
            break;
        }
    }
    let first = choice::distinct(query, group, plain);
    match first[..] {
        [] => inexact::resolve(query, rules, langs, text, plain),
        [symbol] => Ok(resolved::target_of_id(query, symbol, plain)),
        _ => choice::one_of(query, rules, text, plain, first, None),
    }
}

/// Returns the symbols of libraries (`external`) or of the workspace whose ids end in `plain`.
pub(super) fn ending_in(
    query: &QueryContext<'_>,
    langs: &[Lang],
    plain: &str,
    external: bool,
) -> Vec<SymbolId> {
    let mut found = Vec::new();
    let plain = &without_first(plain);
    let last = plain.rsplit(['.', '/']).next().unwrap_or(plain);
    let (last, _) = split_number(last);
    if let Some(name) = query.db.shared().known_name(last) {
        let units = query.units.all.iter().copied();
        let units = units.filter(|&unit| {
            langs.contains(&unit.lang(query.db))
                && symbols::is_library(query, unit) == external
                && may_have_ids(query, unit, plain)
        });
        let units: Vec<Unit> = units.collect();
        let declares = query.map(&units, |languages, db, &unit| {
            let declares = may_declare(db, unit, last);
            if declares && let Some(language) = languages.of(unit.lang(db)) {
                language.symbols(db, unit);
            }
            declares
        });
        let units = units.into_iter().zip(declares);
        for unit in units.filter_map(|(unit, declares)| declares.then_some(unit)) {
            let symbols = query.symbols(unit);
            for row in symbols.named(name) {
                let row = &symbols.rows[row as usize];
                let is_package = row.kind == NodeKind::Package;
                if !is_package && ends_in(&symbols::id(query, row.symbol), plain) {
                    found.push(row.symbol);
                }
            }
        }
    }
    let packages = symbols::packages(query).iter();
    let fits = |package: &&NamedPackage| {
        package.external == external && langs.contains(&package.lang) && ends_in(&package.id, plain)
    };
    found.extend(packages.filter(fits).map(|package| package.symbol));
    found
}

/// Returns whether declarations of a unit may have ids that end in `plain`. No name of a declaration has a
/// slash: what is before the last one, and the name that follows it, end the name of the unit.
///
/// ```text
/// transport.New            any unit
/// internal/transport.New   m/internal/transport, not m/internal/transport/proxy, nor m/transport
/// ```
fn may_have_ids(query: &QueryContext<'_>, unit: Unit, plain: &str) -> bool {
    let name = query.db.shared().names.text(unit.name(query.db));
    // The units of other languages hold packages with names of their own.
    if unit.lang(query.db).packages_are_files || !plain.contains('/') {
        return true;
    }
    let below = name.rfind('/').map_or(0, |at| at + 1);
    let (folder, last) = name.split_at(below);
    let (before, rest) = plain.split_at(plain.rfind('/').map_or(0, |at| at + 1));
    folder.ends_with(before)
        && rest
            .strip_prefix(last)
            .is_some_and(|rest| rest.starts_with('.'))
}

/// Returns whether a unit may declare a name, without reading more of a file whose text does not have it.
fn may_declare(db: &dyn Db, unit: Unit, name: &str) -> bool {
    let is_resolved = !db.shared().may_have_unresolved_files();
    // Elsewhere a name may be written in another form (Python reference, Identifiers).
    let is_literal = unit.lang(db).lower_parts.is_some();
    let mut files = unit.files(db).iter();
    is_resolved || !is_literal || files.any(|file| file.text(db).contains(name))
}

/// Removes `#1` from an id: the first of several definitions is printed without a number.
pub fn without_first(plain: &str) -> String {
    let parts = plain.split('.').map(|part| match split_number(part) {
        (name, 1) => name,
        _ => part,
    });
    parts.collect::<Vec<&str>>().join(".")
}

/// Returns whether an id is `end` or ends in it after a `.` or `/`.
pub fn ends_in(id: &str, end: &str) -> bool {
    id.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with(['.', '/']))
}
