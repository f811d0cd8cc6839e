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
    Spot(SiteKey),
}

/// The sites that could belong to an answer, each once.
#[derive(Default)]
pub(crate) struct UnresolvedSites {
    sites: FxHashMap<(File, SiteLocation), Reason>,
}

impl UnresolvedSites {
    fn add(&mut self, file: File, stand: SiteLocation, reason: Reason) {
        self.sites
            .entry((file, stand))
            .and_modify(|known| *known = (*known).min(reason))
            .or_insert(reason);
    }

    fn add_site(&mut self, file: File, site: &UnresolvedSite) {
        let spot = SiteKey::Use {
            body: site.body,
            occ: site.occ,
        };
        self.add(file, SiteLocation::Spot(spot), site.reason);
    }

    /// A use whose target was chosen by name.
    fn add_guess(&mut self, link: Link) {
        if link.resolution == Resolution::Name {
            self.add(
                link.file,
                SiteLocation::Spot(link.spot),
                Reason::UnknownReceiver,
            );
        }
    }

    /// Adds the sites of others.
    pub(crate) fn extend(&mut self, others: UnresolvedSites) {
        for ((file, stand), reason) in others.sites {
            self.add(file, stand, reason);
        }
    }

    /// Adds places by their byte offsets.
    pub(crate) fn add_places(&mut self, places: Vec<(File, u32, Reason)>) {
        for (file, offset, reason) in places {
            self.add(file, SiteLocation::Spot(SiteKey::Offset(offset)), reason);
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
        sites.map(|(&(file, stand), &reason)| (file, stand, reason))
    }
}

impl QueryContext<'_> {
    /// What could still be a caller of one of these: open calls by name, calls of function values
    /// of the same signature, files that were not read whole, callers that no text shows.
    pub(crate) fn open_callers(&self, symbols: &[SymbolId]) -> UnresolvedSites {
        let mut openings = UnresolvedSites::default();
        let unread = IncompleteFiles::of(self, symbols);
        for &symbol in symbols {
            if self.kind(symbol) == NodeKind::Package {
                continue;
            }
            for (_, file, site) in self.calls_by_name(symbol, true) {
                openings.add_site(file, &site);
            }
            for &(_, link) in self.calls_of(symbol).iter() {
                openings.add_guess(link);
            }
            for &(_, link) in self.indirect_calls(symbol).iter() {
                if let Some(InexactReason::Open(reason)) = link.why {
                    openings.add(link.file, SiteLocation::Spot(link.spot), reason);
                }
            }
            if let Some(language) = self.language(symbol) {
                match language.is_nominal() {
                    false => self.calls_by_value(&mut openings, symbol),
                    true => self.ways_in(&mut openings, language, symbol),
                }
                self.hidden(&mut openings, language, symbol);
                match &unread {
                    Some(unread) => self.unread_among(&mut openings, language, symbol, unread),
                    None => self.add_incomplete_files(&mut openings, language, symbol),
                }
                self.add_escapes(&mut openings, language, symbol);
            }
        }
        openings
    }

    /// The ways into a symbol of a language that does not follow values.
    fn ways_in(&self, openings: &mut UnresolvedSites, language: &dyn Language, symbol: SymbolId) {
        for (file, one) in self.handed_on(language, symbol) {
            let spot = Link::of_use(file, &one).spot;
            openings.add(file, SiteLocation::Spot(spot), Reason::Escapes);
        }
        let mut listed = FxHashSet::default();
        for &(_, link) in self.calls_of(symbol).iter() {
            listed.insert((link.file, link.spot));
        }
        for &(_, link) in self.indirect_calls(symbol).iter() {
            listed.insert((link.file, link.spot));
        }
        for (file, site) in self.promised(language, symbol, &listed) {
            openings.add_site(file, &site);
        }
        openings.add_places(self.next_calls(language, symbol));
    }

    /// Where classes may be made of one that no class statement names it in: it is handed on, or
    /// a class below it, or a base is not known that could be one of them.
    pub(crate) fn possible_classes(&self, class: SymbolId) -> UnresolvedSites {
        let mut openings = UnresolvedSites::default();
        if let Some(language) = self.language(class) {
            openings.add_places(language.unknown_subclasses(self.db, class));
        }
        for (file, one) in self.derived_from(class) {
            let spot = Link::of_use(file, &one).spot;
            openings.add(file, SiteLocation::Spot(spot), Reason::Escapes);
        }
        openings
    }

    /// Where a package may be imported though no import line that was read says so: files that
    /// were not read whole and mention it, names that are computed.
    pub(crate) fn possible_importers(&self, packages: &[SymbolId]) -> UnresolvedSites {
        let mut openings = UnresolvedSites::default();
        let known: FxHashSet<(SymbolId, File)> = {
            let rows = self.imports().rows.iter().flat_map(|rows| rows.iter());
            rows.map(|row| (row.to, row.file)).collect()
        };
        for &package in packages {
            let Some(language) = self.language(package) else {
                continue;
            };
            openings.add_places(language.computed_importers(self.db, package));
            let names = language.search_names(self.db, package);
            self.unread_where(&mut openings, &self.units_of(language.lang()), |unread| {
                let is_known = known.contains(&(package, unread.file));
                let is_whole = unread.line.is_none();
                let identifiers = || names.iter().any(|&name| unread.identifiers.contains(name));
                match !is_known && (is_whole || identifiers()) {
                    true => self.used_in(language, package, unread),
                    false => None,
                }
            });
        }
        openings
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
        let mut openings = UnresolvedSites::default();
        for &package in packages {
            let Some(language) = self.language(package) else {
                continue;
            };
            openings.add_places(language.computed_imports(self.db, package));
        }
        let asked: FxHashSet<SymbolId> = packages.iter().copied().collect();
        let known: FxHashSet<(SymbolId, SymbolId)> = {
            let rows = self.imports().rows.iter().flat_map(|rows| rows.iter());
            let own = rows.filter(|row| asked.contains(&row.from));
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
            let is_asked =
                homes.contains(&unit) || asked.contains(&language.package(self.db, unit));
            if !is_asked {
                continue;
            }
            self.unread_where(&mut openings, &[unit], |unread| {
                let package = self.package_of(unread.file)?;
                let is_first = packages.first() == Some(&package);
                let is_other = is_first && only.is_some_and(|only| only != unread.file);
                if is_other || !asked.contains(&package) {
                    return None;
                }
                if let Some(line) = unread.line {
                    return Some((line, 1));
                }
                let imports = language.imports_of_excluded(self.db, unread.file);
                let mut new = imports
                    .iter()
                    .filter(|(to, _)| !known.contains(&(package, *to)));
                let (_, place) = new.next()?;
                Some(line_column(unread.file.text(self.db), *place))
            });
        }
        openings
    }

    /// Where a symbol leaves what texts show, as a value or a method of one: what calls it there
    /// is not seen.
    fn add_escapes(
        &self,
        openings: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
    ) {
        let Some(slices) = self.slices_of(symbol) else {
            return;
        };
        for (place, reason) in slices.leaves(symbol) {
            if let Some((file, body, occ)) = language.flow_call(self.db, place) {
                openings.add(file, SiteLocation::Spot(SiteKey::Use { body, occ }), reason);
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
                let spot = SiteKey::Offset(place.name.start);
                openings.add(place.file, SiteLocation::Spot(spot), reason);
            }
        }
    }

    /// What could still be a use of one of these: open calls by name, uses that no text shows,
    /// files that were not read whole. A call of a function value uses the value, not the function.
    pub(crate) fn possible_users(&self, symbols: &[SymbolId]) -> UnresolvedSites {
        let mut openings = UnresolvedSites::default();
        for &symbol in symbols {
            let Some(language) = self.language(symbol) else {
                continue;
            };
            if self.kind(symbol) == NodeKind::Package {
                continue;
            }
            for (_, file, site) in self.calls_by_name(symbol, false) {
                openings.add_site(file, &site);
            }
            let listed = self.uses_of(symbol, |_| true).into_iter();
            let listed = listed.map(|(_, one, file)| (file, Link::of_use(file, &one).spot));
            for (file, site) in self.promised(language, symbol, &listed.collect()) {
                openings.add_site(file, &site);
            }
            self.hidden(&mut openings, language, symbol);
            self.add_incomplete_files(&mut openings, language, symbol);
        }
        openings
    }

    fn hidden(&self, openings: &mut UnresolvedSites, language: &dyn Language, symbol: SymbolId) {
        openings.add_places(language.hidden_callers(self.db, symbol));
    }

    /// The open calls inside the bodies of these, and the bodies that were not read whole.
    pub(crate) fn unresolved_callees(&self, symbols: &FxHashSet<SymbolId>) -> UnresolvedSites {
        let mut openings = UnresolvedSites::default();
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
                self.add_open(&mut openings, file, site);
            }
            let calls = self.calls_in(file);
            for owner in &owners {
                for (_, callee, one) in calls.of(*owner) {
                    let link = Link::of_use(file, one);
                    openings.add_guess(link);
                    if let Some(reason) = self.open_dispatch(*callee, &link) {
                        openings.add(file, SiteLocation::Spot(link.spot), reason);
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
                    openings.add_line(file, line, 1, Reason::ParseError);
                }
            }
        }
        openings
    }

    /// Files that were not read whole, mention each of these names, and could declare a method of
    /// one: a left-out file must declare such a method, or a type that could embed one.
    pub(crate) fn possible_declarers(&self, units: &[Unit], names: &[NameId]) -> UnresolvedSites {
        let mut openings = UnresolvedSites::default();
        if names.is_empty() {
            return openings;
        }
        self.unread_where(&mut openings, units, |unread| {
            if !names.iter().all(|&name| unread.identifiers.contains(name)) {
                return None;
            }
            if let Some(line) = unread.line {
                return Some((line, 1));
            }
            let language = self.languages.of(unread.file.lang(self.db))?;
            let declared = language.declarations_of_excluded(self.db, unread.file);
            let mut methods = declared.iter().filter(|one| one.kind == NodeKind::Method);
            let mut types = declared.iter().filter(|one| one.kind.is_type());
            let first = match methods.find(|one| names.contains(&one.name)) {
                Some(method) => method.place.name.start,
                None => {
                    types.next()?;
                    first_word(self.db, unread.file, names).unwrap_or(0)
                }
            };
            Some(line_column(unread.file.text(self.db), first))
        });
        openings
    }

    /// The open calls, by name, that could be a call of a symbol, and where asked of what it stands
    /// for, with the caller of each.
    pub(crate) fn calls_by_name(
        &self,
        symbol: SymbolId,
        of_what_it_stands_for: bool,
    ) -> Vec<(SymbolId, File, UnresolvedSite)> {
        let Some(language) = self.language(symbol) else {
            return Vec::new();
        };
        let mut all = vec![symbol];
        if of_what_it_stands_for {
            all.extend(self.stands_for(symbol).iter());
        }
        let mut names = Vec::new();
        for &one in &all {
            names.extend(language.unresolved_names(self.db, one));
        }
        if let Some(directory) = self.kept.directory.get()
            && !names.iter().any(|name| directory.open.contains_key(name))
        {
            return Vec::new();
        }
        let mut units = FxHashSet::default();
        for &one in &all {
            units.extend(self.reached(one).iter().copied());
        }
        let units: Vec<Unit> = self
            .units
            .all
            .iter()
            .copied()
            .filter(|unit| units.contains(unit))
            .collect();
        let mut found = self.open_calls(&units, &names, |language, db, site| {
            all.iter().any(|&one| language.could_call(db, site, one))
        });
        found.retain(|(_, file, site)| {
            language.unresolved_site_counts(self.db, *file, site, symbol)
        });
        found
    }

    /// Calls of function values that could be this one, where it is used as a value at all.
    fn calls_by_value(&self, openings: &mut UnresolvedSites, symbol: SymbolId) {
        let Some(language) = self.language(symbol) else {
            return;
        };
        let directory = self.kept.directory.get();
        if directory.is_some_and(|directory| !directory.escaped.contains(&symbol)) {
            return;
        }
        let reached = self.reached(symbol);
        let escapes = self.map(&reached, |languages, db, &unit| {
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
        if let Some(directory) = directory {
            let calling = directory.dynamic.get(&signature).into_iter().flatten();
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
            self.add_open(openings, file, &site);
        }
    }

    /// Adds an open site, but for a call of a function value all of whose values are known.
    fn add_open(&self, openings: &mut UnresolvedSites, file: File, site: &UnresolvedSite) {
        match site.reason {
            Reason::FunctionValue => {
                let reason = self.open_value(file, site.body, site.occ, site.reason);
                if let Some(reason) = reason {
                    openings.add_site(file, &UnresolvedSite { reason, ..*site });
                }
            }
            _ => openings.add_site(file, site),
        }
    }

    /// Files that were not read whole and could use a symbol: those in its reach that mention it.
    /// What is left out can be told by its imports even so.
    fn add_incomplete_files(
        &self,
        openings: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
    ) {
        let names = language.search_names(self.db, symbol);
        self.unread_where(openings, &self.reached(symbol), |unread| {
            if !names.iter().any(|&name| unread.identifiers.contains(name)) {
                return None;
            }
            self.used_in(language, symbol, unread)
        });
    }

    /// As [`QueryContext::unread`], among files that were found for many symbols at once.
    fn unread_among(
        &self,
        openings: &mut UnresolvedSites,
        language: &dyn Language,
        symbol: SymbolId,
        unread: &IncompleteFiles,
    ) {
        let names = language.search_names(self.db, symbol);
        let mut mentioning = names.iter().filter_map(|name| unread.by_name.get(name));
        if mentioning.clone().next().is_none() {
            return;
        }
        let reached = self.reached(symbol);
        let reached = unread.set_of(&reached);
        for &(unit, at) in mentioning.by_ref().flatten() {
            let file = unread.files.get(&unit).and_then(|files| files.get(at));
            if let Some(file) = file.filter(|_| reached.contains(&unit))
                && let Some((line, column)) = self.used_in(language, symbol, file)
            {
                openings.add_line(file.file, line, column, file.reason);
            }
        }
    }

    /// Where a file that was not read whole, and mentions a symbol's name, could use it.
    fn used_in(
        &self,
        language: &dyn Language,
        symbol: SymbolId,
        unread: &IncompleteFile,
    ) -> Option<(u32, u32)> {
        match unread.line {
            Some(line) => Some((line, 1)),
            None => {
                let first = language.first_use_in_excluded(self.db, unread.file, symbol)?;
                Some(line_column(unread.file.text(self.db), first))
            }
        }
    }

    /// Files of these units that were not read whole, each at the place where it could matter.
    fn unread_where(
        &self,
        openings: &mut UnresolvedSites,
        units: &[Unit],
        place: impl Fn(&IncompleteFile) -> Option<(u32, u32)>,
    ) {
        for &unit in units {
            for unread in self.unread_files(unit).iter() {
                if let Some((line, column)) = place(unread) {
                    openings.add_line(unread.file, line, column, unread.reason);
                }
            }
        }
    }

    /// The files of a unit that were not read whole.
    pub(crate) fn unread_files(&self, unit: Unit) -> Arc<[IncompleteFile]> {
        if let Ok(known) = self.kept.unread.lock()
            && let Some(unread) = known.get(&unit)
        {
            return unread.clone();
        }
        let unread: Arc<[IncompleteFile]> = self.find_unread(unit).into();
        if let Ok(mut known) = self.kept.unread.lock() {
            known.insert(unit, unread.clone());
        }
        unread
    }

    fn find_unread(&self, unit: Unit) -> Vec<IncompleteFile> {
        let db = self.db;
        let Some(language) = self.languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let unread = |file, line, reason| IncompleteFile {
            file,
            line,
            reason,
            identifiers: file_identifiers(db, file),
        };
        let excluded = language.excluded(db, unit);
        let mut found: Vec<IncompleteFile> = excluded
            .iter()
            .map(|&file| unread(file, None, Reason::ExcludedFile))
            .collect();
        let broken = unit_broken(db, unit);
        for &(file, line) in broken.iter().filter(|(file, _)| !excluded.contains(file)) {
            found.push(unread(file, Some(line), Reason::ParseError));
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
