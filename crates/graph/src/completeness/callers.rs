//! Completeness of an answer: the unresolved sites that could still belong to it (docs/graph.md §3,
//! `completeness`).
//!
//! For every operation there is a function that over-approximates: it returns each site that may
//! add a result, with a reason. For `callers` of `T.Run`:
//!
//! ```go
//! x.Run()        // x of unknown type: an unresolved call by name and arity
//! f := t.Run     // a method value that escapes to reflection: callers are invisible
//! // broken.go with a syntax error that contains the identifier Run
//! // run_windows.go, excluded by the build configuration, that contains Run
//! ```
//!
//! No site left means the answer is complete under the build configuration.

use codeweft_db::{
    DeclaredIn, File, FlowNode, Language, NameId, NodeKind, Reason, SymbolId, Unit, UnresolvedSite,
    file_report, first_word,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::incomplete_files::IncompleteFiles;
use super::memo::IncompleteFile;
use crate::completeness::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::link::{InexactReason, Link, SiteKey};
use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// Returns the sites that could call one of `symbols`: unresolved calls by name, calls of
    /// function values of the same signature, incomplete files, and callers outside the analysed
    /// sources.
    pub(crate) fn unresolved_callers(&self, symbols: &[SymbolId]) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        let incomplete = IncompleteFiles::of(self, symbols);
        for &symbol in symbols {
            if self.kind(symbol) == NodeKind::Package {
                continue;
            }
            for (_, file, site) in self.unresolved_calls_by_name(symbol, true) {
                unresolved.add_site(file, &site);
            }
            for &(_, link) in self.calls_of(symbol).iter() {
                unresolved.add_guess(link);
            }
            for &(_, link) in self.indirect_calls(symbol).iter() {
                if let Some(InexactReason::Unresolved(reason)) = link.reason {
                    unresolved.add(link.file, SiteLocation::Key(link.key), reason);
                }
            }
            if let Some(language) = self.language(symbol) {
                match language.is_nominal() {
                    false => self.add_calls_by_value(&mut unresolved, symbol),
                    true => self.add_indirect_uses(&mut unresolved, language, symbol),
                }
                self.add_hidden_callers(&mut unresolved, language, symbol);
                match &incomplete {
                    Some(incomplete) => {
                        self.add_incomplete_among(&mut unresolved, language, symbol, incomplete)
                    }
                    None => self.add_incomplete_files(&mut unresolved, language, symbol),
                }
                self.add_escapes(&mut unresolved, language, symbol);
            }
        }
        unresolved
    }

    /// Adds the ways in which a symbol of a nominal language is called without being named: it
    /// escapes as a value, its receiver has another declared type, `super()` finds it.
    fn add_indirect_uses(
        &self,
        unresolved: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
    ) {
        for (file, one) in self.escaping_uses(language, symbol) {
            let key = Link::of_use(file, &one).key;
            unresolved.add(file, SiteLocation::Key(key), Reason::Escapes);
        }
        let mut listed = FxHashSet::default();
        for &(_, link) in self.calls_of(symbol).iter() {
            listed.insert((link.file, link.key));
        }
        for &(_, link) in self.indirect_calls(symbol).iter() {
            listed.insert((link.file, link.key));
        }
        for (file, site) in self.uses_by_declared_receiver(language, symbol, &listed) {
            unresolved.add_site(file, &site);
        }
        unresolved.add_offsets(self.unresolved_super_calls(language, symbol));
    }

    /// Returns the sites that could declare a subclass of `class` without naming it in a class
    /// statement: the class or a subclass of it escapes as a value, or a class has an unknown base.
    pub(crate) fn possible_classes(&self, class: SymbolId) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        if let Some(language) = self.language(class) {
            unresolved.add_offsets(language.unknown_subclasses(self.db, class));
        }
        for (file, one) in self.class_escapes(class) {
            let key = Link::of_use(file, &one).key;
            unresolved.add(file, SiteLocation::Key(key), Reason::Escapes);
        }
        unresolved
    }

    /// Returns the sites that could import one of `packages` although no import line says so:
    /// incomplete files that mention it, and computed module names.
    pub(crate) fn possible_importers(&self, packages: &[SymbolId]) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        let known: FxHashSet<(SymbolId, File)> = {
            let rows = self.imports().parts.iter().flat_map(|rows| rows.iter());
            rows.map(|row| (row.to, row.file)).collect()
        };
        for &package in packages {
            let Some(language) = self.language(package) else {
                continue;
            };
            unresolved.add_offsets(language.computed_importers(self.db, package));
            let names = language.search_names(self.db, package);
            self.add_incomplete_where(
                &mut unresolved,
                &self.units.of_lang(self.db, language.lang()),
                |incomplete| {
                    let is_known = known.contains(&(package, incomplete.file));
                    let is_whole = incomplete.line.is_none();
                    let identifiers = || {
                        names
                            .iter()
                            .any(|&name| incomplete.identifiers.contains(name))
                    };
                    match !is_known && (is_whole || identifiers()) {
                        true => self.first_use_in(language, package, incomplete),
                        false => None,
                    }
                },
            );
        }
        unresolved
    }

    /// Returns the sites where `packages` could import more than their import lines say: computed
    /// module names, files with errors, and excluded files that import something the package
    /// imports nowhere else. `only` restricts the first package to one file.
    pub(crate) fn possible_imports(
        &self,
        packages: &[SymbolId],
        only: Option<File>,
    ) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        for &package in packages {
            let Some(language) = self.language(package) else {
                continue;
            };
            unresolved.add_offsets(language.computed_imports(self.db, package));
        }
        let requested: FxHashSet<SymbolId> = packages.iter().copied().collect();
        let known: FxHashSet<(SymbolId, SymbolId)> = {
            let rows = self.imports().parts.iter().flat_map(|rows| rows.iter());
            let own = rows.filter(|row| requested.contains(&row.from));
            own.map(|row| (row.from, row.to)).collect()
        };
        let homes: FxHashSet<Unit> = {
            let homes = packages
                .iter()
                .map(|&package| self.key(package).declared_in);
            let units = homes.filter_map(|home| match home {
                DeclaredIn::Unit(unit) => Some(unit),
                _ => None,
            });
            units.collect()
        };
        for &unit in self.units.all.iter() {
            let Some(language) = self.languages.of(unit.lang(self.db)) else {
                continue;
            };
            // In-package tests have their own unit, and a unit may hold many modules.
            let is_requested =
                homes.contains(&unit) || requested.contains(&language.package(self.db, unit));
            if !is_requested {
                continue;
            }
            self.add_incomplete_where(&mut unresolved, &[unit], |incomplete| {
                let package = self.package_of(incomplete.file)?;
                let is_first = packages.first() == Some(&package);
                let is_other = is_first && only.is_some_and(|only| only != incomplete.file);
                if is_other || !requested.contains(&package) {
                    return None;
                }
                if let Some(line) = incomplete.line {
                    return Some((line, 1));
                }
                let imports = language.imports_of_excluded(self.db, incomplete.file);
                let mut new = imports
                    .iter()
                    .filter(|(to, _)| !known.contains(&(package, *to)));
                let (_, place) = new.next()?;
                Some(line_column(incomplete.file.text(self.db), *place))
            });
        }
        unresolved
    }

    /// Adds the places where a symbol escapes the analysed sources as a value or bound method;
    /// callers behind them are unknown.
    fn add_escapes(
        &self,
        unresolved: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
    ) {
        let Some(flow_queries) = self.flow_queries_of(symbol) else {
            return;
        };
        for (node, reason) in flow_queries.escapes_of(symbol) {
            if let Some((file, body, occ)) = language.flow_call(self.db, node) {
                unresolved.add(file, SiteLocation::Key(SiteKey::Use { body, occ }), reason);
                continue;
            }
            let owner = match node {
                FlowNode::Parameter(owner, _)
                | FlowNode::Result(owner, _)
                | FlowNode::Variable(owner) => Some(owner),
                _ => None,
            };
            let own = || language.declaration_range(self.db, symbol);
            let range = owner.and_then(|owner| language.declaration_range(self.db, owner));
            if let Some(range) = range.or_else(own) {
                let key = SiteKey::Offset(range.name.start);
                unresolved.add(range.file, SiteLocation::Key(key), reason);
            }
        }
    }

    /// Returns the sites that could use one of `symbols`: unresolved calls by name, uses outside
    /// the analysed sources, and incomplete files. Calls of function values are not among them:
    /// they use the value, not the function.
    pub(crate) fn possible_users(&self, symbols: &[SymbolId]) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        for &symbol in symbols {
            let Some(language) = self.language(symbol) else {
                continue;
            };
            if self.kind(symbol) == NodeKind::Package {
                continue;
            }
            for (_, file, site) in self.unresolved_calls_by_name(symbol, false) {
                unresolved.add_site(file, &site);
            }
            let listed = self.uses_of(symbol, |_| true).into_iter();
            let listed = listed.map(|(_, one, file)| (file, Link::of_use(file, &one).key));
            for (file, site) in self.uses_by_declared_receiver(language, symbol, &listed.collect())
            {
                unresolved.add_site(file, &site);
            }
            self.add_hidden_callers(&mut unresolved, language, symbol);
            self.add_incomplete_files(&mut unresolved, language, symbol);
        }
        unresolved
    }

    fn add_hidden_callers(
        &self,
        unresolved: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
    ) {
        unresolved.add_offsets(language.hidden_callers(self.db, symbol));
    }

    /// Returns the unresolved calls inside the bodies of `symbols`, and their bodies with syntax
    /// errors.
    pub(crate) fn unresolved_callees(&self, symbols: &FxHashSet<SymbolId>) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        let mut by_file: FxHashMap<File, Vec<SymbolId>> = FxHashMap::default();
        for &symbol in symbols {
            for file in self.files_of_body(symbol) {
                by_file.entry(file).or_default().push(symbol);
            }
        }
        for (file, owners) in by_file {
            let Some(language) = self.languages.of(file.lang(self.db)) else {
                continue;
            };
            let uses = language.uses(self.db, file);
            let in_body = |site: &&UnresolvedSite| {
                let body = uses.bodies.get(site.body as usize);
                body.is_some_and(|body| symbols.contains(body))
            };
            // A use by declared receiver type and an escaping value are not calls of this body.
            let is_open = |site: &&UnresolvedSite| {
                !site.is_possible_other_use() && site.reason != Reason::Escapes
            };
            for site in uses.unresolved.iter().filter(in_body).filter(is_open) {
                self.add_unresolved(&mut unresolved, file, site);
            }
            let calls = self.calls_in(file);
            for owner in &owners {
                for (_, callee, one) in calls.of(*owner) {
                    let link = Link::of_use(file, one);
                    unresolved.add_guess(link);
                    if let Some(reason) = self.unresolved_dispatch(*callee, &link) {
                        unresolved.add(file, SiteLocation::Key(link.key), reason);
                    }
                }
            }
            let report = file_report(self.db, file);
            if report.error_lines.is_empty() {
                continue;
            }
            let ranges = codeweft_db::file_ranges(self.db, file);
            for owner in owners {
                let range = language.declaration_range(self.db, owner);
                let Some(range) = range.filter(|range| range.file == file) else {
                    continue;
                };
                let first = ranges.line_column(range.span.start).0;
                let last = ranges.line_column(range.span.end).0;
                let inside = |line: &&u32| (first..=last).contains(*line);
                if let Some(&line) = report.error_lines.iter().find(inside) {
                    unresolved.add_line(file, line, 1, Reason::ParseError);
                }
            }
        }
        unresolved
    }

    /// Returns incomplete files of `units` that mention all of `names` and could declare one as a
    /// method. An excluded file must declare such a method, or a type that could embed one.
    pub(crate) fn possible_declarers(&self, units: &[Unit], names: &[NameId]) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        if names.is_empty() {
            return unresolved;
        }
        self.add_incomplete_where(&mut unresolved, units, |incomplete| {
            if !names
                .iter()
                .all(|&name| incomplete.identifiers.contains(name))
            {
                return None;
            }
            if let Some(line) = incomplete.line {
                return Some((line, 1));
            }
            let language = self.languages.of(incomplete.file.lang(self.db))?;
            let declared = language.declarations_of_excluded(self.db, incomplete.file);
            let mut methods = declared.iter().filter(|one| one.kind == NodeKind::Method);
            let mut types = declared.iter().filter(|one| one.kind.is_type());
            let first = match methods.find(|one| names.contains(&one.name)) {
                Some(method) => method.place.name.start,
                None => {
                    types.next()?;
                    first_word(self.db, incomplete.file, names).unwrap_or(0)
                }
            };
            Some(line_column(incomplete.file.text(self.db), first))
        });
        unresolved
    }

    /// Returns the unresolved calls, by name, that could call a symbol, each with its caller. With
    /// `include_overridden` also those of the methods it may run for.
    pub(crate) fn unresolved_calls_by_name(
        &self,
        symbol: SymbolId,
        include_overridden: bool,
    ) -> Vec<(SymbolId, File, UnresolvedSite)> {
        let Some(language) = self.language(symbol) else {
            return Vec::new();
        };
        let mut all = vec![symbol];
        if include_overridden {
            all.extend(self.dispatched_from(symbol).iter());
        }
        let mut names = Vec::new();
        for &one in &all {
            names.extend(language.unresolved_names(self.db, one));
        }
        if let Some(merged_index) = self.cache.calls.merged_index.get()
            && !names
                .iter()
                .any(|name| merged_index.unresolved.contains_key(name))
        {
            return Vec::new();
        }
        let mut units = FxHashSet::default();
        for &one in &all {
            units.extend(self.visible_units(one).iter().copied());
        }
        let units: Vec<Unit> = self
            .units
            .all
            .iter()
            .copied()
            .filter(|unit| units.contains(unit))
            .collect();
        let mut found = self.unresolved_calls(&units, &names, |language, db, site| {
            all.iter().any(|&one| language.could_call(db, site, one))
        });
        found.retain(|(_, file, site)| {
            language.unresolved_site_counts(self.db, *file, site, symbol)
        });
        found
    }

    /// Adds the calls of function values with the symbol's signature, if the symbol is used as a
    /// value at all.
    fn add_calls_by_value(&self, unresolved: &mut UnresolvedSites, symbol: SymbolId) {
        let Some(language) = self.language(symbol) else {
            return;
        };
        let merged_index = self.cache.calls.merged_index.get();
        if merged_index.is_some_and(|merged_index| !merged_index.escaped.contains(&symbol)) {
            return;
        }
        let visible_units = self.visible_units(symbol);
        let escapes = self.map(&visible_units, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            let index = language.index(db, unit);
            Some(index.escapes(symbol))
        });
        if !escapes.contains(&Some(true)) {
            return;
        }
        let Some(signature) = language.signature(self.db, symbol) else {
            return;
        };
        let mut units = self.units.of_lang(self.db, language.lang());
        if let Some(merged_index) = merged_index {
            let calling = merged_index.dynamic.get(&signature).into_iter().flatten();
            let own = |unit: &&Unit| unit.lang(self.db) == language.lang();
            units = calling.filter(own).copied().collect();
        }
        let sites = self.map(&units, |languages, db, &unit| {
            let mut sites = Vec::new();
            let Some(language) = languages.of(unit.lang(db)) else {
                return sites;
            };
            let index = language.index(db, unit);
            let files = language.files(db, unit);
            let numbers = index.files_with_function_value_calls(signature);
            for file in numbers.filter_map(|number| files.get(number as usize)) {
                let uses = language.uses(db, *file);
                let same = uses
                    .unresolved
                    .iter()
                    .filter(|site| site.signature == signature);
                sites.extend(same.map(|site| (*file, *site)));
            }
            sites
        });
        for (file, site) in sites.into_iter().flatten() {
            self.add_unresolved(unresolved, file, &site);
        }
    }

    /// Adds an unresolved site, unless it is a call of a function value whose possible values are
    /// all known.
    fn add_unresolved(&self, unresolved: &mut UnresolvedSites, file: File, site: &UnresolvedSite) {
        match site.reason {
            Reason::FunctionValue => {
                let reason = self.unresolved_value_call(file, site.body, site.occ, site.reason);
                if let Some(reason) = reason {
                    unresolved.add_site(file, &UnresolvedSite { reason, ..*site });
                }
            }
            _ => unresolved.add_site(file, site),
        }
    }

    /// Adds incomplete files that could use a symbol: those in visible units that mention it. The
    /// imports of an excluded file may rule it out.
    fn add_incomplete_files(
        &self,
        unresolved: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
    ) {
        let names = language.search_names(self.db, symbol);
        self.add_incomplete_where(unresolved, &self.visible_units(symbol), |incomplete| {
            if !names
                .iter()
                .any(|&name| incomplete.identifiers.contains(name))
            {
                return None;
            }
            self.first_use_in(language, symbol, incomplete)
        });
    }

    /// As [`QueryContext::add_incomplete_files`], with the files found for many symbols at once.
    fn add_incomplete_among(
        &self,
        unresolved: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
        incomplete: &IncompleteFiles,
    ) {
        let names = language.search_names(self.db, symbol);
        let mut mentioning = names.iter().filter_map(|name| incomplete.by_name.get(name));
        if mentioning.clone().next().is_none() {
            return;
        }
        let visible_units = self.visible_units(symbol);
        let visible_units = incomplete.set_of(&visible_units);
        for &(unit, at) in mentioning.by_ref().flatten() {
            let file = incomplete.files.get(&unit).and_then(|files| files.get(at));
            if let Some(file) = file.filter(|_| visible_units.contains(&unit))
                && let Some((line, column)) = self.first_use_in(language, symbol, file)
            {
                unresolved.add_line(file.file, line, column, file.reason);
            }
        }
    }

    /// Returns the 1-based line and column where an incomplete file that mentions a symbol's name
    /// could use it.
    fn first_use_in(
        &self,
        language: &dyn Language,
        symbol: SymbolId,
        incomplete: &IncompleteFile,
    ) -> Option<(u32, u32)> {
        match incomplete.line {
            Some(line) => Some((line, 1)),
            None => {
                let first = language.first_use_in_excluded(self.db, incomplete.file, symbol)?;
                Some(line_column(incomplete.file.text(self.db), first))
            }
        }
    }

    /// Adds the incomplete files of `units` for which `position` returns a line and column.
    fn add_incomplete_where(
        &self,
        unresolved: &mut UnresolvedSites,
        units: &[Unit],
        position: impl Fn(&IncompleteFile) -> Option<(u32, u32)>,
    ) {
        for &unit in units {
            for incomplete in self.incomplete_files(unit).iter() {
                if let Some((line, column)) = position(incomplete) {
                    unresolved.add_line(incomplete.file, line, column, incomplete.reason);
                }
            }
        }
    }
}

/// Returns the line and column of a byte offset, both 1-based. Scans the text, because the ranges
/// of an excluded file are computed for nothing else.
fn line_column(text: &str, offset: u32) -> (u32, u32) {
    let before = text.get(..offset as usize).unwrap_or("");
    let line = before.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, (before.len() - start) as u32 + 1)
}
