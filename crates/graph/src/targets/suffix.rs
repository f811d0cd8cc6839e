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

use codeweft_db::{Lang, NodeKind, Origin, SymbolId, Unit};
use rustc_hash::FxHashSet;

use super::Target;
use crate::answer::{ApiError, Operation};
use crate::query_context::QueryContext;
use crate::symbols::ids::split_number;
use crate::symbols::memo::NamedPackage;

impl QueryContext<'_> {
    /// Returns whether a unit belongs to a library.
    pub(super) fn is_library(&self, unit: Unit) -> bool {
        unit.origin(self.db) == Origin::Library
    }

    /// Resolves the suffix of an id.
    ///
    /// # Errors
    ///
    /// Several candidates in the first group, or none at all.
    pub(super) fn by_suffix(
        &self,
        operation: Operation,
        langs: &[Lang],
        text: &str,
        plain: &str,
    ) -> Result<Target, ApiError> {
        let only_packages = matches!(operation, Operation::Dependencies | Operation::Dependents);
        let mut groups: [Vec<SymbolId>; 4] = Default::default();
        for (symbol, external) in self.ending_in(langs, plain) {
            let kind = self.kind(symbol);
            let minor = matches!(
                kind,
                NodeKind::Field | NodeKind::Constant | NodeKind::Variable
            );
            if !only_packages || kind == NodeKind::Package {
                groups[usize::from(external) * 2 + usize::from(minor)].push(symbol);
            }
        }
        let group = groups.into_iter().find(|group| !group.is_empty());
        let group = self.in_order(group.unwrap_or_default());
        // Redefinitions of one name are one candidate.
        let mut first: Vec<SymbolId> = Vec::new();
        let mut covered: Vec<SymbolId> = Vec::new();
        for &symbol in &group {
            if !covered.contains(&symbol) {
                first.push(symbol);
                covered.extend(self.definitions_of_id(symbol, plain));
            }
        }
        match first[..] {
            [] => Err(self.not_found(langs, text, plain)),
            [symbol] => Ok(self.target_of_id(symbol, plain)),
            _ => Err(self.ambiguous(text, &first)),
        }
    }

    /// Returns the symbols whose ids end in `plain`, each with whether it belongs to a library.
    fn ending_in(&self, langs: &[Lang], plain: &str) -> Vec<(SymbolId, bool)> {
        let mut found = Vec::new();
        let plain = &without_first(plain);
        let last = plain.rsplit(['.', '/']).next().unwrap_or(plain);
        let (last, _) = split_number(last);
        let name = self.db.shared().names.get(last);
        for &unit in self.units.all.iter() {
            let lang = unit.lang(self.db);
            if !langs.contains(&lang) {
                continue;
            }
            let Some(name) = name else {
                break;
            };
            let external = self.is_library(unit);
            let symbols = self.symbols(unit);
            for row in symbols.named(name) {
                let row = &symbols.rows[row as usize];
                if row.kind != NodeKind::Package && ends_in(&self.id(row.symbol), plain) {
                    found.push((row.symbol, external));
                }
            }
        }
        let packages = self.packages().iter();
        found.extend(
            packages
                .filter(|package| langs.contains(&package.lang) && ends_in(&package.id, plain))
                .map(|package| (package.symbol, package.external)),
        );
        found
    }

    /// Returns all packages and modules, absent ones included.
    fn packages(&self) -> &[NamedPackage] {
        self.cache.symbols.packages.get_or_init(|| {
            let mut packages = Vec::new();
            let mut seen = FxHashSet::default();
            let mut add = |symbol: SymbolId, lang: Lang, external: bool| {
                if seen.insert(symbol) {
                    packages.push(NamedPackage {
                        symbol,
                        lang,
                        id: self.id(symbol),
                        external,
                    });
                }
            };
            for &unit in self.units.all.iter() {
                let lang = unit.lang(self.db);
                let external = self.is_library(unit);
                if let Some(package) = self.own_package(unit) {
                    add(package, lang, external);
                }
                for row in self.symbols(unit).rows.iter() {
                    if row.kind == NodeKind::Package {
                        add(row.symbol, lang, external);
                    }
                }
            }
            for row in self.imports().parts.iter().flat_map(|rows| rows.iter()) {
                if row.unit.is_none()
                    && let Some(lang) = self.lang(row.to)
                {
                    add(row.to, lang, true);
                }
            }
            packages
        })
    }
}

/// Removes `#1` from an id: the first of several definitions is printed without a number.
fn without_first(plain: &str) -> String {
    let parts = plain.split('.').map(|part| match split_number(part) {
        (name, 1) => name,
        _ => part,
    });
    parts.collect::<Vec<&str>>().join(".")
}

/// Returns whether an id is `end` or ends in it after a `.` or `/`.
fn ends_in(id: &str, end: &str) -> bool {
    id.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with(['.', '/']))
}
