//! What could still belong to an answer (docs/graph.md §3, `completeness`).

use std::sync::Arc;

use codeweft_db::{
    DeclaredIn, File, FlowNode, Language, NameId, NodeKind, Reason, Resolution, SymbolId, Unit,
    UnresolvedSite, file_identifiers, file_report, first_word, unit_broken,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::incomplete_files::{IncompleteFile, IncompleteFiles};
use crate::link::{InexactReason, Link, SiteKey};
use crate::query_context::QueryContext;

/// Where something is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum SiteLocation {
    /// A line and column.
    Line(u32, u32),
    /// A place free of offsets.
    Key(SiteKey),
}

/// The sites that could belong to an answer, each once.
#[derive(Default)]
pub(crate) struct UnresolvedSites {
    sites: FxHashMap<(File, SiteLocation), Reason>,
}

impl UnresolvedSites {
    fn add(&mut self, file: File, location: SiteLocation, reason: Reason) {
        self.sites
            .entry((file, location))
            .and_modify(|known| *known = (*known).min(reason))
            .or_insert(reason);
    }

    fn add_site(&mut self, file: File, site: &UnresolvedSite) {
        let key = SiteKey::Use {
            body: site.body,
            occ: site.occ,
        };
        self.add(file, SiteLocation::Key(key), site.reason);
    }

    /// A use whose target was chosen by name.
    fn add_guess(&mut self, link: Link) {
        if link.resolution == Resolution::Name {
            self.add(
                link.file,
                SiteLocation::Key(link.key),
                Reason::UnknownReceiver,
            );
        }
    }

    /// Adds the sites of others.
    pub(crate) fn extend(&mut self, others: UnresolvedSites) {
        for ((file, location), reason) in others.sites {
            self.add(file, location, reason);
        }
    }

    /// Adds places by their byte offsets.
    pub(crate) fn add_places(&mut self, places: Vec<(File, u32, Reason)>) {
        for (file, offset, reason) in places {
            self.add(file, SiteLocation::Key(SiteKey::Offset(offset)), reason);
        }
    }

    fn add_line(&mut self, file: File, line: u32, column: u32, reason: Reason) {
        self.add(file, SiteLocation::Line(line, column), reason);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.sites.len() as u32
    }

    /// Each with its least reason; in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (File, SiteLocation, Reason)> {
        let sites = self.sites.iter();
        sites.map(|(&(file, location), &reason)| (file, location, reason))
    }
}

impl QueryContext<'_> {
    /// What could still be a caller of one of these: open calls by name, calls of function values
    /// of the same signature, files that were not read whole, callers that no text shows.
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
                if let Some(InexactReason::Open(reason)) = link.why {
                    unresolved.add(link.file, SiteLocation::Key(link.key), reason);
                }
            }
            if let Some(language) = self.language(symbol) {
                match language.is_nominal() {
                    false => self.calls_by_value(&mut unresolved, symbol),
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

    /// The ways into a symbol of a language that does not follow values.
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
        unresolved.add_places(self.unresolved_super_calls(language, symbol));
    }

    /// Where classes may be made of one that no class statement names it in: it is handed on, or
    /// a class below it, or a base is not known that could be one of them.
    pub(crate) fn possible_classes(&self, class: SymbolId) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        if let Some(language) = self.language(class) {
            unresolved.add_places(language.unknown_subclasses(self.db, class));
        }
        for (file, one) in self.class_escapes(class) {
            let key = Link::of_use(file, &one).key;
            unresolved.add(file, SiteLocation::Key(key), Reason::Escapes);
        }
        unresolved
    }

    /// Where a package may be imported though no import line that was read says so: files that
    /// were not read whole and mention it, names that are computed.
    pub(crate) fn possible_importers(&self, packages: &[SymbolId]) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        let known: FxHashSet<(SymbolId, File)> = {
            let rows = self.imports().rows.iter().flat_map(|rows| rows.iter());
            rows.map(|row| (row.to, row.file)).collect()
        };
        for &package in packages {
            let Some(language) = self.language(package) else {
                continue;
            };
            unresolved.add_places(language.computed_importers(self.db, package));
            let names = language.search_names(self.db, package);
            self.add_incomplete_where(
                &mut unresolved,
                &self.units_of(language.lang()),
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

    /// Where packages may import more than the import lines that were read say: names that are
    /// computed, files with errors, and files that the configuration leaves out and that import
    /// what the package imports nowhere else. `only` is the one file that was asked about, of the
    /// first package.
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
            unresolved.add_places(language.computed_imports(self.db, package));
        }
        let requested: FxHashSet<SymbolId> = packages.iter().copied().collect();
        let known: FxHashSet<(SymbolId, SymbolId)> = {
            let rows = self.imports().rows.iter().flat_map(|rows| rows.iter());
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
            // Tests in a package have a unit of their own, and a unit may hold many modules.
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

    /// Where a symbol leaves what texts show, as a value or a method of one: what calls it there
    /// is not seen.
    fn add_escapes(
        &self,
        unresolved: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
    ) {
        let Some(flow_queries) = self.flow_queries_of(symbol) else {
            return;
        };
        for (place, reason) in flow_queries.escapes_of(symbol) {
            if let Some((file, body, occ)) = language.flow_call(self.db, place) {
                unresolved.add(file, SiteLocation::Key(SiteKey::Use { body, occ }), reason);
                continue;
            }
            let owner = match place {
                FlowNode::Parameter(owner, _)
                | FlowNode::Result(owner, _)
                | FlowNode::Variable(owner) => Some(owner),
                _ => None,
            };
            let own = || language.declaration_range(self.db, symbol);
            let place = owner.and_then(|owner| language.declaration_range(self.db, owner));
            if let Some(place) = place.or_else(own) {
                let key = SiteKey::Offset(place.name.start);
                unresolved.add(place.file, SiteLocation::Key(key), reason);
            }
        }
    }

    /// What could still be a use of one of these: open calls by name, uses that no text shows,
    /// files that were not read whole. A call of a function value uses the value, not the function.
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
        unresolved.add_places(language.hidden_callers(self.db, symbol));
    }

    /// The open calls inside the bodies of these, and the bodies that were not read whole.
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
            // A promise, or a value that is handed on, is no call.
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
                let place = language.declaration_range(self.db, owner);
                let Some(place) = place.filter(|place| place.file == file) else {
                    continue;
                };
                let first = ranges.line_column(place.span.start).0;
                let last = ranges.line_column(place.span.end).0;
                let inside = |line: &&u32| (first..=last).contains(*line);
                if let Some(&line) = report.error_lines.iter().find(inside) {
                    unresolved.add_line(file, line, 1, Reason::ParseError);
                }
            }
        }
        unresolved
    }

    /// Files that were not read whole, mention each of these names, and could declare a method of
    /// one: a left-out file must declare such a method, or a type that could embed one.
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

    /// The open calls, by name, that could be a call of a symbol, and where asked of what it stands
    /// for, with the caller of each.
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
        if let Some(merged_index) = self.cache.merged_index.get()
            && !names
                .iter()
                .any(|name| merged_index.open.contains_key(name))
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

    /// Calls of function values that could be this one, where it is used as a value at all.
    fn calls_by_value(&self, unresolved: &mut UnresolvedSites, symbol: SymbolId) {
        let Some(language) = self.language(symbol) else {
            return;
        };
        let merged_index = self.cache.merged_index.get();
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
        let mut units = self.units_of(language.lang());
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
            let numbers = index.dynamic(signature);
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

    /// Adds an open site, but for a call of a function value all of whose values are known.
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

    /// Files that were not read whole and could use a symbol: those in its reach that mention it.
    /// What is left out can be told by its imports even so.
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

    /// As [`QueryContext::incomplete`], among files that were found for many symbols at once.
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

    /// Where a file that was not read whole, and mentions a symbol's name, could use it.
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

    /// Files of these units that were not read whole, each at the place where it could matter.
    fn add_incomplete_where(
        &self,
        unresolved: &mut UnresolvedSites,
        units: &[Unit],
        place: impl Fn(&IncompleteFile) -> Option<(u32, u32)>,
    ) {
        for &unit in units {
            for incomplete in self.incomplete_files(unit).iter() {
                if let Some((line, column)) = place(incomplete) {
                    unresolved.add_line(incomplete.file, line, column, incomplete.reason);
                }
            }
        }
    }

    /// The files of a unit that were not read whole.
    pub(crate) fn incomplete_files(&self, unit: Unit) -> Arc<[IncompleteFile]> {
        if let Ok(known) = self.cache.incomplete.lock()
            && let Some(incomplete) = known.get(&unit)
        {
            return incomplete.clone();
        }
        let incomplete: Arc<[IncompleteFile]> = self.find_incomplete_files(unit).into();
        if let Ok(mut known) = self.cache.incomplete.lock() {
            known.insert(unit, incomplete.clone());
        }
        incomplete
    }

    fn find_incomplete_files(&self, unit: Unit) -> Vec<IncompleteFile> {
        let db = self.db;
        let Some(language) = self.languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let incomplete = |file, line, reason| IncompleteFile {
            file,
            line,
            reason,
            identifiers: file_identifiers(db, file),
        };
        let excluded = language.excluded(db, unit);
        let mut found: Vec<IncompleteFile> = excluded
            .iter()
            .map(|&file| incomplete(file, None, Reason::ExcludedFile))
            .collect();
        let broken = unit_broken(db, unit);
        for &(file, line) in broken.iter().filter(|(file, _)| !excluded.contains(file)) {
            found.push(incomplete(file, Some(line), Reason::ParseError));
        }
        found
    }
}

/// The line and column of a byte offset, both from 1. The ranges of a file that nothing else reads
/// are not asked for.
fn line_column(text: &str, offset: u32) -> (u32, u32) {
    let before = text.get(..offset as usize).unwrap_or("");
    let line = before.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, (before.len() - start) as u32 + 1)
}
