//! Texts that no id ends in. The readings are tried in this order; the first that fits counts, and
//! its answer has a note:
//!
//! ```text
//! a.go:Close               a declaration of a file
//! pkg.render, App.route    the member that the language means: re-exported, inherited, promoted
//! example.com/m/p.F, main.main  of a package by its whole path, the end of it, or its own name
//! Server.close             in another letter case
//! srv.Close                a member of the only type that a variable of this name may have
//! ```

use codeweft_db::{Lang, NameId, NodeKind, SymbolClass, SymbolId, UnitKind};
use rustc_hash::FxHashMap;

use super::choice;
use super::likeness::may_hold;
use super::nearest;
use super::position;
use super::resolved::Target;
use super::suffix::{ending_in, ends_in};
use crate::answer::{ApiError, TargetKinds, TargetRules};
use crate::query_context::QueryContext;
use crate::symbols;

/// Finds the symbols that one reading of a text fits.
type ReadFits<'r> = &'r dyn Fn() -> Result<Vec<SymbolId>, ApiError>;

/// Resolves a text that no id ends in.
///
/// # Errors
///
/// No reading fits, or the first that does fits several symbols.
pub(super) fn resolve(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    langs: &[Lang],
    text: &str,
    plain: &str,
) -> Result<Target, ApiError> {
    let exact = Reading {
        query,
        langs,
        any_case: false,
    };
    let any_case = Reading {
        any_case: true,
        ..exact
    };
    let readings: [(ReadFits<'_>, &str); 5] = [
        (&|| exact.in_file(plain), "that file declares it"),
        (&|| Ok(exact.members(plain)), "the name is declared there"),
        (&|| Ok(exact.packages(plain)), "another name of the package"),
        (&|| Ok(any_case.fits(plain)), "the letter case differs"),
        (
            &|| Ok(exact.of_variable(plain)),
            "the only member of this name of a type that the variable may have",
        ),
    ];
    let only_packages = rules.targets == TargetKinds::Package;
    for (read, why) in readings {
        let mut fits = read()?;
        fits.retain(|&one| !only_packages || query.kind(one) == NodeKind::Package);
        let fits = choice::distinct(query, fits, "");
        if !fits.is_empty() {
            return choice::one_of(query, rules, text, "", fits, Some(why));
        }
    }
    Err(nearest::not_found(query, rules, langs, text, plain))
}

/// A way to read names.
#[derive(Clone, Copy)]
struct Reading<'q, 'a> {
    query: &'q QueryContext<'a>,
    langs: &'q [Lang],
    /// Whether letter case makes no difference.
    any_case: bool,
}

impl Reading<'_, '_> {
    /// Returns the declarations of `path:name`, else the member that the file's module means by it.
    fn in_file(&self, plain: &str) -> Result<Vec<SymbolId>, ApiError> {
        let query = self.query;
        let Some((path, name)) = plain.rsplit_once(':').filter(|(_, name)| !name.is_empty()) else {
            return Ok(Vec::new());
        };
        let Some(file) = position::find_file(query, path.trim_end_matches(':'))? else {
            return Ok(Vec::new());
        };
        let language = query.languages.of(file.lang(query.db));
        let Some((language, unit)) = language.zip(query.owner(file)) else {
            return Ok(Vec::new());
        };
        let files = language.files(query.db, unit);
        let Some(number) = files.iter().position(|&one| one == file) else {
            return Ok(Vec::new());
        };
        let symbols = query.symbols(unit);
        let own = symbols.rows.iter().filter(|row| {
            row.file == number as u32
                && row.kind != NodeKind::Package
                && ends_in(&symbols::id(query, row.symbol), name)
        });
        let own: Vec<SymbolId> = own.map(|row| row.symbol).collect();
        let fits = self.major(own);
        if !fits.is_empty() {
            return Ok(fits);
        }
        let names = self.names_written(name);
        let module = symbols::package_of(query, file).into_iter();
        let members = module.flat_map(|module| self.named(module, &names));
        Ok(members.collect())
    }

    /// Returns what `container.name` means for the containers of that name.
    fn members(&self, plain: &str) -> Vec<SymbolId> {
        let Some((container, name)) = plain.rsplit_once('.') else {
            return Vec::new();
        };
        if container.is_empty() || name.is_empty() || name.contains('/') {
            return Vec::new();
        }
        let names = self.names_written(name);
        if names.is_empty() {
            return Vec::new();
        }
        let members_of = |containers: &[SymbolId]| {
            let containers = containers.iter();
            let members = containers.flat_map(|&of| self.named(of, &names));
            let mut members: Vec<SymbolId> = members.collect();
            members.sort_unstable();
            members.dedup();
            members
        };
        // Declarations of libraries are not read where a container of the workspace has a member.
        let mut has_container = false;
        for external in [false, true] {
            let containers = self.containers(container, external);
            has_container |= !containers.is_empty();
            let members = members_of(&containers);
            if !members.is_empty() {
                return members;
            }
        }
        if has_container {
            return Vec::new();
        }
        let mut inner = self.members(container);
        inner.retain(|&one| self.is_container(one));
        let (own, libraries): (Vec<SymbolId>, Vec<SymbolId>) = inner
            .into_iter()
            .partition(|&one| !symbols::is_external(self.query, one));
        let members = members_of(&own);
        if members.is_empty() {
            members_of(&libraries)
        } else {
            members
        }
    }

    /// Returns the packages and types of libraries (`external`) or of the workspace that a text names.
    fn containers(&self, text: &str, external: bool) -> Vec<SymbolId> {
        let query = self.query;
        let mut found: Vec<SymbolId> = if self.any_case {
            self.ending_in_any_case(text)
        } else {
            let ending = ending_in(query, self.langs, text, external).into_iter();
            ending.chain(self.packages(text)).collect()
        };
        found.retain(|&one| symbols::is_external(query, one) == external && self.is_container(one));
        found
    }

    fn is_container(&self, symbol: SymbolId) -> bool {
        let class = self.query.key(symbol).class;
        matches!(class, SymbolClass::Package | SymbolClass::Type)
    }

    /// Returns the members of a container by these names.
    fn named(&self, of: SymbolId, names: &[NameId]) -> Vec<SymbolId> {
        let query = self.query;
        let Some(language) = query.language(of) else {
            return Vec::new();
        };
        let names = names.iter();
        let members = names.filter_map(|&name| language.member_named(query.db, of, name));
        members.collect()
    }

    /// Returns the packages that have another name: their whole import path, the end of it, or the
    /// name that their own text gives them. Those of the workspace, if any.
    fn packages(&self, text: &str) -> Vec<SymbolId> {
        let query = self.query;
        let names = &query.db.shared().names;
        let mut found: [Vec<SymbolId>; 2] = Default::default();
        for &unit in query.units.all.iter() {
            let lang = unit.lang(query.db);
            if !self.langs.contains(&lang) || unit.kind(query.db) != UnitKind::BASE {
                continue;
            }
            let Some(language) = query.languages.of(lang) else {
                continue;
            };
            let path = names.text(unit.import_path(query.db));
            let is_end = path
                .strip_suffix(text)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'));
            let is_named = || {
                let clause = language.package_clause(query.db, unit);
                clause.is_some_and(|clause| names.text(clause) == text)
            };
            if is_end || is_named() {
                let group = &mut found[usize::from(symbols::is_library(query, unit))];
                group.extend(symbols::own_package(query, unit));
            }
        }
        let mut found = found.into_iter();
        found.find(|group| !group.is_empty()).unwrap_or_default()
    }

    /// Returns what a text fits in any letter case: ids that end in it, else members.
    fn fits(&self, plain: &str) -> Vec<SymbolId> {
        let ending = self.major(self.ending_in_any_case(plain));
        if ending.is_empty() {
            self.members(plain)
        } else {
            ending
        }
    }

    /// Returns the members of the types that a variable of this name may have: `c.Seek` for
    /// `Cursor.Seek`.
    fn of_variable(&self, plain: &str) -> Vec<SymbolId> {
        let query = self.query;
        let Some((variable, name)) = plain.rsplit_once('.') else {
            return Vec::new();
        };
        let is_variable = variable.starts_with(|one: char| one.is_lowercase())
            && variable
                .chars()
                .all(|one| one.is_alphanumeric() || one == '_');
        let members = self.names_written(name);
        if !is_variable || members.is_empty() {
            return Vec::new();
        }
        let names = &query.db.shared().names;
        let mut found = Vec::new();
        for &unit in query.units.all.iter() {
            query.db.unwind_if_cancelled();
            if !self.langs.contains(&unit.lang(query.db)) || symbols::is_library(query, unit) {
                continue;
            }
            for row in query.symbols(unit).rows.iter() {
                if row.kind.is_type()
                    && may_hold(variable, names.text(row.name))
                    && !symbols::in_test(query, row.symbol)
                {
                    let members = self.named(row.symbol, &members).into_iter();
                    found.extend(members.filter(|&one| !symbols::is_external(query, one)));
                }
            }
        }
        found
    }

    /// Returns the symbols whose ids end in a text in any letter case.
    fn ending_in_any_case(&self, text: &str) -> Vec<SymbolId> {
        let query = self.query;
        let lower = text.to_lowercase();
        let last = text.rsplit(['.', '/']).next().unwrap_or(text);
        let wanted = self.names_written(last);
        let ends = |symbol: SymbolId| ends_in(&symbols::id(query, symbol).to_lowercase(), &lower);
        let mut found = Vec::new();
        for &unit in query.units.all.iter() {
            query.db.unwind_if_cancelled();
            if !self.langs.contains(&unit.lang(query.db)) {
                continue;
            }
            let symbols = query.symbols(unit);
            for &name in &wanted {
                let rows = symbols.named(name).map(|row| symbols.rows[row as usize]);
                let rows = rows.filter(|row| row.kind != NodeKind::Package && ends(row.symbol));
                found.extend(rows.map(|row| row.symbol));
            }
        }
        let packages = symbols::packages(query).iter();
        let packages = packages.filter(|one| {
            self.langs.contains(&one.lang) && ends_in(&one.id.to_lowercase(), &lower)
        });
        found.extend(packages.map(|one| one.symbol));
        found
    }

    /// Returns the names that the workspace's units and libraries declare, or use, by this text.
    fn names_written(&self, text: &str) -> Vec<NameId> {
        let query = self.query;
        let names = &query.db.shared().names;
        if !self.any_case {
            return query.db.shared().known_name(text).into_iter().collect();
        }
        let mut known: FxHashMap<NameId, bool> = FxHashMap::default();
        for &unit in query.units.all.iter() {
            query.db.unwind_if_cancelled();
            if self.langs.contains(&unit.lang(query.db)) {
                for &(name, _) in &query.symbols(unit).by_name {
                    let equals = || names.text(name).eq_ignore_ascii_case(text);
                    known.entry(name).or_insert_with(equals);
                }
            }
        }
        let mut equal: Vec<NameId> = known
            .into_iter()
            .filter_map(|(name, equal)| equal.then_some(name))
            .collect();
        equal.sort_unstable_by_key(|&name| names.text(name));
        equal
    }

    /// Returns the first group that is not empty: of the workspace before libraries; packages,
    /// types, functions and methods before fields, constants and variables.
    fn major(&self, found: Vec<SymbolId>) -> Vec<SymbolId> {
        let query = self.query;
        let mut groups: [Vec<SymbolId>; 4] = Default::default();
        for symbol in found {
            let minor = matches!(
                query.kind(symbol),
                NodeKind::Field | NodeKind::Constant | NodeKind::Variable
            );
            let external = symbols::is_external(query, symbol);
            groups[usize::from(external) * 2 + usize::from(minor)].push(symbol);
        }
        let mut groups = groups.into_iter();
        groups.find(|group| !group.is_empty()).unwrap_or_default()
    }
}
