//! Uses and calls of one symbol, by fan-out over the units that can name it.

use std::hash::Hash;
use std::sync::Arc;

use codeweft_db::{
    Db, File, FileUses, Language, NONE, NameId, SymbolId, Unit, UnitSymbols, UnresolvedSite, Use,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::link::Link;
use crate::query_context::{Languages, QueryContext};
use crate::revision_cache::{MergedIndex, RevisionCache};

/// How many symbols a question asks of the units one by one.
const FEW: u32 = 64;

/// Call sites, each with its caller.
pub(crate) type CallSites = [(SymbolId, Link)];

/// The calls of a file.
#[derive(Default)]
pub(crate) struct FileCalls {
    /// (caller, target, use), sorted by caller number, then place.
    rows: Box<[(SymbolId, SymbolId, Use)]>,
}

impl FileCalls {
    fn read(db: &dyn Db, language: &dyn Language, file: File, unit: Unit) -> FileCalls {
        let uses = language.uses(db, file);
        let mut rows = Vec::new();
        for (target, sites) in uses.iter() {
            for one in sites.iter().filter(|one| one.role.is_call()) {
                let caller = uses.bodies.get(one.body as usize).copied();
                let caller = caller.unwrap_or_else(|| package_in(language, db, unit, file));
                rows.push((caller, target, *one));
            }
        }
        rows.sort_unstable_by_key(|(caller, target, one)| (*caller, one.body, one.occ, *target));
        FileCalls { rows: rows.into() }
    }

    /// The targets and uses of one caller.
    pub(crate) fn of(&self, caller: SymbolId) -> &[(SymbolId, SymbolId, Use)] {
        let from = self.rows.partition_point(|(other, _, _)| *other < caller);
        let to = self.rows.partition_point(|(other, _, _)| *other <= caller);
        &self.rows[from..to]
    }

    /// Every caller with its targets and uses.
    pub(crate) fn all(&self) -> &[(SymbolId, SymbolId, Use)] {
        &self.rows
    }
}

/// Where the calls of a file are kept for other questions.
struct CallCache<'k> {
    kept: &'k RevisionCache,
    file: File,
    unit: Unit,
    uses: Arc<FileUses>,
}

impl<'k> CallCache<'k> {
    /// The calls of a file where they were read from the very same uses in the same unit.
    fn look(
        kept: &'k RevisionCache,
        db: &dyn Db,
        language: &dyn Language,
        (file, unit): (File, Unit),
    ) -> Result<Arc<FileCalls>, CallCache<'k>> {
        let uses = language.uses(db, file);
        if let Ok(known) = kept.calls_in.lock()
            && let Some((of, in_unit, calls)) = known.get(&file)
            && Arc::ptr_eq(of, &uses)
            && *in_unit == unit
        {
            return Ok(calls.clone());
        }
        Err(CallCache {
            kept,
            file,
            unit,
            uses,
        })
    }

    fn keep(self, calls: FileCalls) -> Arc<FileCalls> {
        let calls = Arc::new(calls);
        if let Ok(mut known) = self.kept.calls_in.lock() {
            known.insert(self.file, (self.uses, self.unit, calls.clone()));
        }
        calls
    }
}

/// The package that a file of a unit belongs to: its module where units hold several.
pub(crate) fn package_in(language: &dyn Language, db: &dyn Db, unit: Unit, file: File) -> SymbolId {
    let module = language.module(db, file);
    module.unwrap_or_else(|| language.package(db, unit))
}

/// Visits the files of a unit by their numbers.
pub(crate) fn over_files(
    db: &dyn Db,
    language: &dyn Language,
    unit: Unit,
    numbers: impl Iterator<Item = u32>,
    visit: impl FnMut(File),
) {
    let files = language.files(db, unit);
    let files = numbers.filter_map(|number| files.get(number as usize).copied());
    files.for_each(visit);
}

/// The declarations of a unit's items: who a use outside bodies belongs to.
struct UnitItems<'a> {
    language: &'a dyn Language,
    unit: Unit,
    by_item: FxHashMap<(u32, u32), SymbolId>,
}

impl<'a> UnitItems<'a> {
    fn new(language: &'a dyn Language, unit: Unit) -> UnitItems<'a> {
        UnitItems {
            language,
            unit,
            by_item: FxHashMap::default(),
        }
    }

    /// The symbol of an item, if it declares one.
    fn symbol(&mut self, db: &dyn Db, file: u32, item: u32) -> Option<SymbolId> {
        if self.by_item.is_empty() {
            let symbols: Arc<UnitSymbols> = self.language.symbols(db, self.unit);
            for row in symbols.rows.iter() {
                if row.field == NONE && row.file != NONE && row.item != NONE {
                    let slot = self.by_item.entry((row.file, row.item));
                    slot.or_insert(row.symbol);
                }
            }
            let package = self.language.package(db, self.unit);
            self.by_item.insert((NONE, NONE), package);
        }
        self.by_item.get(&(file, item)).copied()
    }
}

impl QueryContext<'_> {
    /// The units in reach of a symbol that may use it: those whose texts name it. Where values
    /// carry functions and classes out of sight of their names, and operators run methods that no
    /// text names, every unit in reach: its index says whether. Whoever asks for the uses asks for
    /// what is open in the same units, so that their indexes are there.
    fn naming(&self, symbol: SymbolId) -> Vec<Unit> {
        let Some(language) = self.language(symbol) else {
            return Vec::new();
        };
        let reached = self.reached(symbol);
        if language.is_nominal() {
            return reached.to_vec();
        }
        let names = language.search_names(self.db, symbol);
        let named = self.map(&reached, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            let identifiers = language.identifiers(db, unit);
            names
                .iter()
                .any(|&name| identifiers.contains(name))
                .then_some(unit)
        });
        named.into_iter().flatten().collect()
    }

    /// The joined indexes, made once a question has asked for many symbols.
    fn directory(&self) -> Option<&MergedIndex> {
        let asked = self.caches.asked.get() + 1;
        self.caches.asked.set(asked);
        if asked <= FEW {
            return self.kept.directory.get();
        }
        Some(self.kept.directory.get_or_init(|| {
            let indexes = self.map(&self.units.all, |languages, db, &unit| {
                let language = languages.of(unit.lang(db))?;
                Some(language.index(db, unit))
            });
            fn add<K: Eq + Hash>(units: &mut FxHashMap<K, Vec<Unit>>, key: K, unit: Unit) {
                let units = units.entry(key).or_default();
                if units.last() != Some(&unit) {
                    units.push(unit);
                }
            }
            let mut directory = MergedIndex::default();
            for (&unit, index) in self.units.all.iter().zip(indexes) {
                for group in index.iter().flat_map(|index| &index.groups) {
                    for &target in &group.targets {
                        add(&mut directory.users, target, unit);
                    }
                    for &(name, _) in &group.open {
                        add(&mut directory.open, name, unit);
                    }
                    for &(signature, _) in &group.dynamic {
                        add(&mut directory.dynamic, signature, unit);
                    }
                    directory.escaped.extend(&group.escaped);
                }
            }
            directory
        }))
    }

    /// Runs a job over the uses of a symbol, a file at a time.
    fn over_uses<R: Send>(
        &self,
        symbol: SymbolId,
        job: impl Fn(&mut FileContext<'_, '_>, &[Use]) -> Vec<R> + Sync,
    ) -> Vec<R> {
        let named;
        let units: &[Unit] = match self.directory() {
            Some(directory) => directory.users.get(&symbol).map_or(&[], Vec::as_slice),
            None => {
                named = self.naming(symbol);
                &named
            }
        };
        let found = self.map(units, |languages: Languages<'_>, db, &unit| {
            let mut found = Vec::new();
            let Some(language) = languages.of(unit.lang(db)) else {
                return found;
            };
            let index = language.index(db, unit);
            let mut numbers = index.files_of(symbol).peekable();
            if numbers.peek().is_none() {
                return found;
            }
            let files = language.files(db, unit);
            let mut items = UnitItems::new(language, unit);
            for number in numbers {
                let Some(&file) = files.get(number as usize) else {
                    continue;
                };
                let uses = language.uses(db, file);
                let mut place = FileContext {
                    db,
                    file,
                    number,
                    uses: &uses,
                    items: &mut items,
                };
                found.extend(job(&mut place, &uses.of(symbol)));
            }
            found
        });
        found.into_iter().flatten().collect()
    }

    /// Every site that calls exactly this symbol, with its caller.
    pub(crate) fn calls_of(&self, symbol: SymbolId) -> Arc<CallSites> {
        if let Some(calls) = self.caches.calls_of.borrow().get(&symbol) {
            return calls.clone();
        }
        self.look_up();
        if let Ok(known) = self.kept.calls_of.lock()
            && let Some(calls) = known.get(&symbol)
        {
            return calls.clone();
        }
        let calls: Arc<CallSites> = self
            .over_uses(symbol, |place, uses| {
                let calls = uses.iter().filter(|one| one.role.is_call());
                calls
                    .map(|one| (place.caller(one), Link::of_use(place.file, one)))
                    .collect()
            })
            .into();
        if let Ok(mut known) = self.kept.calls_of.lock() {
            known.insert(symbol, calls.clone());
        }
        self.caches
            .calls_of
            .borrow_mut()
            .insert(symbol, calls.clone());
        calls
    }

    /// Every use of a symbol that a role test keeps, with the declaration around it.
    pub(crate) fn uses_of(
        &self,
        symbol: SymbolId,
        keep: impl Fn(&Use) -> bool + Sync,
    ) -> Vec<(SymbolId, Use, File)> {
        self.over_uses(symbol, |place, uses| {
            uses.iter()
                .filter(|one| keep(one))
                .map(|one| (place.around(one), *one, place.file))
                .collect()
        })
    }

    /// Visits the uses of a file, with the declaration around a body or item of it.
    pub(crate) fn around(
        &self,
        file: File,
        visit: impl FnOnce(&FileUses, &mut dyn FnMut(u32) -> SymbolId),
    ) {
        let Some((language, unit)) = self.languages.of(file.lang(self.db)).zip(self.owner(file))
        else {
            return;
        };
        let mut files = language.files(self.db, unit).to_vec().into_iter();
        let uses = language.uses(self.db, file);
        let mut place = FileContext {
            db: self.db,
            file,
            number: files.position(|one| one == file).unwrap_or(0) as u32,
            uses: &uses,
            items: &mut UnitItems::new(language, unit),
        };
        visit(&uses, &mut |body| place.around_body(body));
    }

    /// Every use in a unit: the declaration around it, what it uses, the use, its file.
    pub(crate) fn uses_in(&self, unit: Unit) -> Vec<(SymbolId, SymbolId, Use, File)> {
        let mut found = Vec::new();
        let Some(language) = self.languages.of(unit.lang(self.db)) else {
            return found;
        };
        let mut items = UnitItems::new(language, unit);
        for (number, &file) in language.files(self.db, unit).iter().enumerate() {
            let uses = language.uses(self.db, file);
            let mut place = FileContext {
                db: self.db,
                file,
                number: number as u32,
                uses: &uses,
                items: &mut items,
            };
            for (target, sites) in uses.iter() {
                found.extend(
                    sites
                        .iter()
                        .map(|one| (place.around(one), target, *one, file)),
                );
            }
        }
        found
    }

    /// The calls in a file, by caller.
    pub(crate) fn calls_in(&self, file: File) -> Arc<FileCalls> {
        if let Some(calls) = self.caches.calls_in.borrow().get(&file) {
            return calls.clone();
        }
        let of_file = self.languages.of(file.lang(self.db)).zip(self.owner(file));
        let read = of_file.map(|(language, unit)| {
            let known = CallCache::look(self.kept, self.db, language, (file, unit));
            known.unwrap_or_else(|known| known.keep(FileCalls::read(self.db, language, file, unit)))
        });
        let calls = read.unwrap_or_default();
        self.caches
            .calls_in
            .borrow_mut()
            .insert(file, calls.clone());
        calls
    }

    /// Reads the calls of many files at once, on all threads.
    pub(crate) fn prepare_calls(&self, symbols: &[SymbolId]) {
        let mut files = Vec::new();
        {
            let known = self.caches.calls_in.borrow();
            let mut seen = FxHashSet::default();
            for &symbol in symbols {
                for file in self.files_of_body(symbol) {
                    if !known.contains_key(&file)
                        && seen.insert(file)
                        && let Some(unit) = self.owner(file)
                    {
                        files.push((file, unit));
                    }
                }
            }
        }
        let kept = self.kept;
        let read = self.map(&files, |languages, db, &(file, unit)| {
            let language = languages.of(file.lang(db))?;
            let known = CallCache::look(kept, db, language, (file, unit));
            Some(
                known.unwrap_or_else(|known| known.keep(FileCalls::read(db, language, file, unit))),
            )
        });
        let mut known = self.caches.calls_in.borrow_mut();
        for ((file, _), calls) in files.into_iter().zip(read) {
            known.insert(file, calls.unwrap_or_default());
        }
    }

    /// The files whose bodies belong to a symbol: its own and the one beside it, or all of its
    /// package's.
    pub(crate) fn files_of_body(&self, symbol: SymbolId) -> Vec<File> {
        if self.kind(symbol) != codeweft_db::NodeKind::Package {
            let own = self.file(symbol);
            let beside = own.and_then(|file| self.language(symbol)?.stub_twin(self.db, file));
            return own.into_iter().chain(beside).collect();
        }
        let codeweft_db::DeclaredIn::Unit(unit) = self.key(symbol).declared_in else {
            return Vec::new();
        };
        let Some(language) = self.languages.of(unit.lang(self.db)) else {
            return Vec::new();
        };
        let units = self.units.named(unit.lang(self.db), unit.name(self.db));
        let files = units
            .iter()
            .flat_map(|&unit| language.files(self.db, unit).to_vec());
        let own = |file: &File| {
            let module = language.module(self.db, *file);
            module.is_none_or(|module| module == symbol)
        };
        files.filter(own).collect()
    }

    /// The open calls of these names in some units, with the caller of each, that `fits` keeps.
    pub(crate) fn open_calls(
        &self,
        units: &[Unit],
        names: &[NameId],
        fits: impl Fn(&dyn Language, &dyn Db, &UnresolvedSite) -> bool + Sync,
    ) -> Vec<(SymbolId, File, UnresolvedSite)> {
        // Symbols that stand for each other share their names.
        let names: FxHashSet<NameId> = names.iter().copied().collect();
        let found = self.map(units, |languages, db, &unit| {
            let mut found = Vec::new();
            let Some(language) = languages.of(unit.lang(db)) else {
                return found;
            };
            let index = language.index(db, unit);
            let mut numbers = Vec::new();
            for &name in &names {
                numbers.extend(index.open(name));
            }
            numbers.sort_unstable();
            numbers.dedup();
            let files = language.files(db, unit);
            for file in numbers.iter().filter_map(|&n| files.get(n as usize)) {
                let uses = language.uses(db, *file);
                for site in &uses.unresolved {
                    if names.contains(&site.name) && fits(language, db, site) {
                        let caller = uses.bodies.get(site.body as usize).copied();
                        let caller =
                            caller.unwrap_or_else(|| package_in(language, db, unit, *file));
                        found.push((caller, *file, *site));
                    }
                }
            }
            found
        });
        found.into_iter().flatten().collect()
    }
}

/// A file whose uses are looked at.
struct FileContext<'p, 'i> {
    db: &'p dyn Db,
    file: File,
    number: u32,
    uses: &'p FileUses,
    items: &'p mut UnitItems<'i>,
}

impl FileContext<'_, '_> {
    fn package(&self) -> SymbolId {
        package_in(self.items.language, self.db, self.items.unit, self.file)
    }

    /// Who makes a call: the function around it, else the package.
    fn caller(&self, one: &Use) -> SymbolId {
        let caller = self.uses.bodies.get(one.body as usize).copied();
        caller.unwrap_or_else(|| self.package())
    }

    /// The declaration around a use: the function, the item, else the package.
    fn around(&mut self, one: &Use) -> SymbolId {
        self.around_body(one.body)
    }

    /// The declaration that a body or item number stands for, else the package.
    fn around_body(&mut self, body: u32) -> SymbolId {
        if let Some(&caller) = self.uses.bodies.get(body as usize) {
            return caller;
        }
        let item = body - self.uses.bodies.len() as u32;
        let declared = self.items.symbol(self.db, self.number, item);
        declared.unwrap_or_else(|| self.package())
    }
}
