//! The sites that could still use what no code is seen to use: calls on unknown receivers, names in
//! literals, look-ups by values, linker directives, assembly, files that could not be read completely,
//! and reflection on values of a type.
//!
//! ```go
//! x.Close()                       // x of unknown type: any Close of one argument less
//! v.MethodByName("Serve")         // an equal literal
//! json.Marshal(row)               // row's exported fields and methods are seen by reflection
//! ```

use std::sync::Arc;

use codeweft_db::{
    Db, File, Lang, Language, NameId, NodeKind, Reason, SymbolId, Unit, UnresolvedSite,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::find::ReadFile;
use super::memo::DoubtSite;
use crate::answer::UnusedReason;
use crate::completeness::incomplete_files::{self, first_use_in};
use crate::completeness::unresolved_sites::SiteLocation;
use crate::link::SiteKey;
use crate::query_context::QueryContext;
use crate::reachability::declarations::Declarations;
use crate::reachability::unresolved;
use crate::symbols;
use crate::visibility;

/// A declaration that nothing is seen to use.
pub(super) struct Suspect {
    pub(super) symbol: SymbolId,
    pub(super) kind: NodeKind,
    /// Whether its name is public.
    pub(super) public: bool,
    /// Its type, if it is a public member and values of the type become values of an interface.
    pub(super) boxed_parent: Option<SymbolId>,
    pub(super) reason: UnusedReason,
}

/// The sites that could use each suspect.
#[derive(Default)]
pub(super) struct Doubts(FxHashMap<SymbolId, Vec<DoubtSite>>);

/// The suspects of one language, by their names in texts.
struct Suspects<'a> {
    language: &'a dyn Language,
    all: Vec<&'a Suspect>,
    by_name: FxHashMap<NameId, Vec<&'a Suspect>>,
}

impl Doubts {
    /// Finds the sites of all suspects, each kind of site in one pass.
    pub(super) fn of(
        query: &QueryContext<'_>,
        declarations: &Declarations,
        files: &[ReadFile],
        suspects: &[Suspect],
    ) -> Doubts {
        let mut by_lang: FxHashMap<Lang, Vec<&Suspect>> = FxHashMap::default();
        for suspect in suspects {
            if let Some(lang) = query.lang(suspect.symbol) {
                by_lang.entry(lang).or_default().push(suspect);
            }
        }
        let mut doubts = Doubts::default();
        for (lang, all) in by_lang {
            let Some(language) = query.languages.of(lang) else {
                continue;
            };
            let mut by_name: FxHashMap<NameId, Vec<&Suspect>> = FxHashMap::default();
            for &suspect in &all {
                query.poll_cancellation();
                for name in language.search_names(query.db, suspect.symbol) {
                    by_name.entry(name).or_default().push(suspect);
                }
            }
            let suspects = Suspects {
                language,
                all,
                by_name,
            };
            doubts.add_hidden(query, declarations, &suspects);
            doubts.add_unresolved(query, &suspects);
            doubts.add_literals(query, &suspects);
            doubts.add_incomplete(query, &suspects);
            doubts.add_absent(query, declarations, &suspects);
            doubts.add_reflected(query, files, &suspects);
        }
        doubts.add_guesses(files, suspects);
        for sites in doubts.0.values_mut() {
            // One site may be found in several ways.
            sites.sort_unstable_by(|one, other| {
                let key = |site: &DoubtSite| (site.1, site.2);
                let paths = (one.0.path(query.db), other.0.path(query.db));
                paths.0.cmp(paths.1).then_with(|| key(one).cmp(&key(other)))
            });
            sites.dedup_by_key(|&mut (file, location, _)| (file, location));
        }
        doubts
    }

    /// Takes out the sites of a symbol.
    pub(super) fn take(&mut self, symbol: SymbolId) -> Arc<[DoubtSite]> {
        self.0.remove(&symbol).unwrap_or_default().into()
    }

    fn add(&mut self, symbol: SymbolId, file: File, location: SiteLocation, reason: Reason) {
        self.0
            .entry(symbol)
            .or_default()
            .push((file, location, reason));
    }

    fn add_offset(&mut self, symbol: SymbolId, (file, at, reason): (File, u32, Reason)) {
        let location = SiteLocation::Key(SiteKey::Offset(at));
        self.add(symbol, file, location, reason);
    }

    /// Adds what declarations, directives, assembly and look-ups by values show.
    fn add_hidden(
        &mut self,
        query: &QueryContext<'_>,
        declarations: &Declarations,
        suspects: &Suspects<'_>,
    ) {
        let language = suspects.language;
        let mut kinds: FxHashMap<SymbolId, NodeKind> = FxHashMap::default();
        kinds.extend(suspects.all.iter().map(|one| (one.symbol, one.kind)));
        let lang = language.lang();
        let units = declarations.units.iter();
        for own in units.filter(|own| own.unit.lang(query.db) == lang) {
            for &(symbol, site) in &own.keepers.hidden {
                if kinds.contains_key(&symbol) {
                    self.add_offset(symbol, site);
                }
            }
            let Some(site) = own.keepers.hidden_of_all else {
                continue;
            };
            for row in own.symbols.rows.iter() {
                let is_named = matches!(row.kind, NodeKind::Function | NodeKind::Variable);
                if is_named && kinds.contains_key(&row.symbol) {
                    self.add_offset(row.symbol, site);
                }
            }
        }
        let symbols: Vec<SymbolId> = suspects.all.iter().map(|one| one.symbol).collect();
        for (symbol, site) in language.hidden_uses(query.db, &symbols) {
            self.add_offset(symbol, site);
        }
    }

    /// Adds the unresolved sites with a name of a suspect. A library calls what it is given where types
    /// are checked when the code runs, so that its sites count too.
    fn add_unresolved(&mut self, query: &QueryContext<'_>, suspects: &Suspects<'_>) {
        let language = suspects.language;
        let by_name = &suspects.by_name;
        let units = if language.is_dynamically_typed() {
            query.units.of_lang(language.lang()).to_vec()
        } else {
            own_units_of(query, language)
        };
        let found = query.map(&units, |languages, db, &unit| {
            let language = languages.of(unit.lang(db));
            language.map_or_else(Vec::new, |language| sites_in(db, language, unit, by_name))
        });
        for (&unit, sites) in units.iter().zip(&found) {
            let number = query.units.number(unit);
            for (file, site) in sites {
                query.poll_cancellation();
                for suspect in by_name.get(&site.name).into_iter().flatten() {
                    let symbol = suspect.symbol;
                    let sees = || {
                        let visible = visibility::visible_set(query, symbol);
                        number.is_some_and(|number| visible.contains(number))
                    };
                    if could_use(query.db, language, (*file, site), suspect) && sees() {
                        let location = SiteLocation::Key(SiteKey::of(site));
                        self.add(symbol, *file, location, site.reason);
                    }
                }
            }
        }
    }

    /// Adds the literals that are the name of a public suspect: reflection finds no others.
    fn add_literals(&mut self, query: &QueryContext<'_>, suspects: &Suspects<'_>) {
        let names = &query.db.shared().names;
        let public = suspects.all.iter().filter(|suspect| suspect.public);
        let mut by_text: FxHashMap<&str, Vec<SymbolId>> = FxHashMap::default();
        for suspect in public {
            let text = names.text(query.key(suspect.symbol).name);
            by_text.entry(text).or_default().push(suspect.symbol);
        }
        if by_text.is_empty() {
            return;
        }
        let files: Vec<File> = own_units_of(query, suspects.language)
            .iter()
            .flat_map(|unit| unit.files(query.db).iter().copied())
            .collect();
        let found = query.map(&files, |languages, db, &file| {
            let mut found = Vec::new();
            if let Some(language) = languages.of(file.lang(db)) {
                language.named_in_literals(file.text(db), &mut |name, at| {
                    for &symbol in by_text.get(name).into_iter().flatten() {
                        found.push((symbol, (file, at, Reason::Reflection)));
                    }
                });
            }
            found
        });
        for (symbol, site) in found.into_iter().flatten() {
            self.add_offset(symbol, site);
        }
    }

    /// Adds the files that could not be read completely and mention a suspect.
    fn add_incomplete(&mut self, query: &QueryContext<'_>, suspects: &Suspects<'_>) {
        let own = own_units_of(query, suspects.language);
        let incomplete = query.map(&own, |_, db, &unit| {
            incomplete_files::unit_incomplete_files(db, unit)
        });
        for (&unit, files) in own.iter().zip(&incomplete) {
            let number = query.units.number(unit);
            for one in files.iter() {
                for name in one.identifiers.names.iter() {
                    for suspect in suspects.by_name.get(name).into_iter().flatten() {
                        query.poll_cancellation();
                        let visible = visibility::visible_set(query, suspect.symbol);
                        let sees = number.is_some_and(|number| visible.contains(number));
                        if sees
                            && let Some((line, column)) =
                                first_use_in(query, suspects.language, suspect.symbol, one)
                        {
                            let location = SiteLocation::Line(line, column);
                            self.add(suspect.symbol, one.file, location, one.reason);
                        }
                    }
                }
            }
        }
    }

    /// Adds the imports of absent packages, whose code may call a method of a value that it is given.
    fn add_absent(
        &mut self,
        query: &QueryContext<'_>,
        declarations: &Declarations,
        suspects: &Suspects<'_>,
    ) {
        let mut absent: FxHashMap<SymbolId, Vec<(File, u32)>> = FxHashMap::default();
        let rows = query.imports().parts.iter().flat_map(|rows| rows.iter());
        for row in rows.filter(|row| row.unit.is_none()) {
            absent
                .entry(row.from)
                .or_default()
                .push((row.file, row.import));
        }
        if absent.is_empty() {
            return;
        }
        for suspect in &suspects.all {
            let is_of_type = declarations
                .parent(suspect.symbol)
                .and_then(|parent| declarations.kind(parent))
                .is_some_and(NodeKind::is_type);
            if suspect.kind != NodeKind::Method || !suspect.public || !is_of_type {
                continue;
            }
            let package = symbols::package_around(query.db, suspects.language, suspect.symbol);
            let imports = package.and_then(|package| absent.get(&package));
            for &(file, import) in imports.into_iter().flatten() {
                let location = SiteLocation::Key(SiteKey::Import(import));
                self.add(suspect.symbol, file, location, Reason::UnknownReceiver);
            }
        }
    }

    /// Adds for public members of types where values of the type become values of an interface: from
    /// there on reflection finds them. Without such a site, the declaration of the type, whose values
    /// are parts of others that do.
    fn add_reflected(
        &mut self,
        query: &QueryContext<'_>,
        files: &[ReadFile],
        suspects: &Suspects<'_>,
    ) {
        let boxed = suspects.all.iter().filter_map(|one| one.boxed_parent);
        let wanted: FxHashSet<SymbolId> = boxed.collect();
        let mut sites: FxHashMap<SymbolId, Vec<DoubtSite>> = FxHashMap::default();
        for read in files {
            for &(ty, body, occ) in read
                .edges
                .boxed
                .iter()
                .filter(|(ty, ..)| wanted.contains(ty))
            {
                let location = SiteLocation::Key(SiteKey::Use { body, occ });
                let site = (read.file, location, Reason::Reflection);
                sites.entry(ty).or_default().push(site);
            }
        }
        for suspect in &suspects.all {
            let Some(ty) = suspect.boxed_parent else {
                continue;
            };
            match sites.get(&ty) {
                Some(sites) => {
                    let own = self.0.entry(suspect.symbol).or_default();
                    own.extend(sites);
                }
                None => {
                    if let Some(range) = suspects.language.declaration_range(query.db, ty) {
                        let site = (range.file, range.name.start, Reason::Reflection);
                        self.add_offset(suspect.symbol, site);
                    }
                }
            }
        }
    }

    /// Adds the uses whose targets are chosen by name.
    fn add_guesses(&mut self, files: &[ReadFile], suspects: &[Suspect]) {
        let wanted: FxHashSet<SymbolId> = suspects.iter().map(|one| one.symbol).collect();
        for read in files {
            for &(target, body, occ) in read.edges.guesses.iter() {
                if wanted.contains(&target) {
                    let location = SiteLocation::Key(SiteKey::Use { body, occ });
                    self.add(target, read.file, location, Reason::UnknownReceiver);
                }
            }
        }
    }
}

/// Returns the units of the workspace in a language.
fn own_units_of(query: &QueryContext<'_>, language: &dyn Language) -> Vec<Unit> {
    let mut units = symbols::own_units(query);
    units.retain(|unit| unit.lang(query.db) == language.lang());
    units
}

/// Returns the unresolved sites of a unit with one of some names.
fn sites_in(
    db: &dyn Db,
    language: &dyn Language,
    unit: Unit,
    names: &FxHashMap<NameId, Vec<&Suspect>>,
) -> Vec<(File, UnresolvedSite)> {
    let index = language.index(db, unit);
    let rows = index.groups.iter().flat_map(|group| &group.unresolved);
    let rows = rows.filter(|(name, _)| names.contains_key(name));
    let mut numbers: Vec<u32> = rows.map(|&(_, file)| file).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty() {
        return Vec::new();
    }
    let files = language.files(db, unit);
    let mut found = Vec::new();
    for &file in numbers
        .iter()
        .filter_map(|&number| files.get(number as usize))
    {
        db.unwind_if_cancelled();
        let uses = language.uses(db, file);
        let sites = uses.unresolved.iter();
        let sites = sites.filter(|site| names.contains_key(&site.name));
        found.extend(sites.map(|site| (file, *site)));
    }
    found
}

/// Returns whether an unresolved site with the name of a suspect could use it.
fn could_use(
    db: &dyn Db,
    language: &dyn Language,
    (file, site): (File, &UnresolvedSite),
    suspect: &Suspect,
) -> bool {
    let (symbol, kind) = (suspect.symbol, suspect.kind);
    unresolved::could_use(db, language, site, (symbol, kind))
        && (!unresolved::is_called(kind)
            || language.is_open_site(db, file, site)
                && language.open_sites_of(db, symbol)(file, site))
}
