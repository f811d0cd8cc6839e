//! Uses and calls of symbols, collected from the units that can name them.
//!
//! A look-up of a few symbols scans the indexes of candidate units. After [`MAX_SINGLE_LOOKUPS`]
//! look-ups in one query the indexes of all units are merged once (see [`MergedIndex`]) and later
//! look-ups are a hash access.
//!
//! ```text
//! symbol -> candidate units -> unit index: files that use the symbol -> file uses: sites
//! ```

use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use codeweft_db::{Db, File, FileUses, Language, NONE, SymbolId, Unit, UnitSymbols, Use};
use rustc_hash::FxHashMap;

use super::memo::{CallSites, MergedIndex, NamedFile, NamedFiles, package_in};
use super::named_files::named_files;
use crate::covered_languages::Languages;
use crate::link::Link;
use crate::mentions;
use crate::query_context::QueryContext;
use crate::resolve_ahead::resolve_ahead;
use crate::search_names::search_names;
use crate::visibility;

/// A query that looks up more symbols than this gets the merged index of all units.
const MAX_SINGLE_LOOKUPS: u32 = 64;

/// Visits files of a unit by their numbers.
pub(crate) fn visit_files(
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

/// The declarations of a unit's items: the owners of uses outside bodies.
pub(crate) struct UnitItems<'a> {
    language: &'a dyn Language,
    unit: Unit,
    by_item: FxHashMap<(u32, u32), SymbolId>,
}

impl<'a> UnitItems<'a> {
    /// Returns the declarations of a unit's items, which are read when they are first needed.
    pub(crate) fn new(language: &'a dyn Language, unit: Unit) -> UnitItems<'a> {
        UnitItems {
            language,
            unit,
            by_item: FxHashMap::default(),
        }
    }

    /// Returns the symbol that an item declares.
    pub(crate) fn symbol(&mut self, db: &dyn Db, file: u32, item: u32) -> Option<SymbolId> {
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

/// Returns the visible units whose texts may use a symbol: those that contain its name. For
/// dynamically typed languages these are all visible units, because values carry functions and
/// classes to code that does not name them, and operators call methods without naming them; the
/// units' indexes decide. Completeness reads the same indexes anyway.
fn candidate_units(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<Unit> {
    let Some(language) = query.language(symbol) else {
        return Vec::new();
    };
    let visible_units = visibility::visible_units(query, symbol);
    if language.is_dynamically_typed() {
        return visible_units;
    }
    let names = search_names(query, symbol);
    mentions::units_with_name(query, visible_units, &names)
}

/// Notes that a query is about to look up so many symbols, on other threads too: merges the indexes if they
/// are many.
pub(crate) fn expect_lookups(query: &QueryContext<'_>, symbols: usize) {
    merged_index(query, symbols as u32);
}

/// Returns the merged indexes, which are built once a query has looked up many symbols; counts `lookups`
/// more.
fn merged_index<'q>(query: &'q QueryContext<'_>, lookups: u32) -> Option<&'q MergedIndex> {
    let before = query
        .caches
        .index_lookups
        .fetch_add(lookups, Ordering::Relaxed);
    if before.saturating_add(lookups) <= MAX_SINGLE_LOOKUPS {
        return query.cache.calls.merged_index.get();
    }
    Some(query.cache.calls.merged_index.get_or_init(|| {
        let indexes = query.map(&query.units.all, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            Some(language.index(db, unit))
        });
        fn add<K: Eq + Hash>(units: &mut FxHashMap<K, Vec<Unit>>, key: K, unit: Unit) {
            let units = units.entry(key).or_default();
            if units.last() != Some(&unit) {
                units.push(unit);
            }
        }
        let mut merged_index = MergedIndex::default();
        for (&unit, index) in query.units.all.iter().zip(indexes) {
            for group in index.iter().flat_map(|index| &index.groups) {
                for &target in &group.targets {
                    add(&mut merged_index.users, target, unit);
                }
                for &(name, _) in &group.unresolved {
                    add(&mut merged_index.unresolved, name, unit);
                }
                for &(signature, _) in &group.function_value_calls {
                    add(&mut merged_index.dynamic, signature, unit);
                }
                merged_index.escaped.extend(&group.escaped);
            }
        }
        merged_index
    }))
}

/// Runs a job over the uses of a symbol, file by file.
fn map_uses<R: Send>(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    job: impl Fn(&mut FileContext<'_, '_>, &[Use]) -> Vec<R> + Sync,
) -> Vec<R> {
    let candidates;
    let named = named_files(query, symbol);
    let units: &[Unit] = match merged_index(query, 1) {
        Some(merged_index) => merged_index.users.get(&symbol).map_or(&[], Vec::as_slice),
        None => {
            candidates = match &named {
                Some(named) => {
                    let units = visibility::visible_units(query, symbol).into_iter();
                    units.filter(|unit| named.contains_key(unit)).collect()
                }
                None => candidate_units(query, symbol),
            };
            if named.is_none() {
                resolve_ahead(query, &candidates);
            }
            &candidates
        }
    };
    let found = query.map(units, |languages: Languages<'_>, db, &unit| {
        let mut found = Vec::new();
        let Some(language) = languages.of(unit.lang(db)) else {
            return found;
        };
        let mut items = UnitItems::new(language, unit);
        for one in files_of(db, language, unit, symbol, named.as_deref()) {
            let uses = one.uses(db, language);
            let mut context = FileContext {
                db,
                file: one.file,
                number: one.number,
                uses: &uses,
                items: &mut items,
            };
            found.extend(job(&mut context, &uses.of(symbol)));
        }
        found
    });
    found.into_iter().flatten().collect()
}

/// Returns the files of a unit that may use a symbol, by number: those of `named`, if these are known.
fn files_of(
    db: &dyn Db,
    language: &dyn Language,
    unit: Unit,
    symbol: SymbolId,
    named: Option<&NamedFiles>,
) -> Vec<NamedFile> {
    if let Some(named) = named {
        return named.get(&unit).cloned().unwrap_or_default();
    }
    let index = language.index(db, unit);
    let mut numbers = index.files_of(symbol).peekable();
    if numbers.peek().is_none() {
        return Vec::new();
    }
    NamedFile::of_numbers(numbers, &language.files(db, unit))
}

/// Returns every site that calls exactly this symbol, with its caller.
pub(crate) fn calls_of(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<CallSites> {
    query.caches.calls_of.get_or(symbol, || {
        query.poll_cancellation();
        query.cache.calls.calls_of.get_or(symbol, || {
            let calls = map_uses(query, symbol, |context, uses| {
                let calls = uses.iter().filter(|one| one.role.is_call());
                calls
                    .map(|one| (context.caller(one), Link::of_use(context.file, one)))
                    .collect()
            });
            calls.into()
        })
    })
}

/// Returns the uses of a symbol that `keep` accepts, each with the enclosing declaration.
pub(crate) fn uses_of(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    insert: impl Fn(&Use) -> bool + Sync,
) -> Vec<(SymbolId, Use, File)> {
    map_uses(query, symbol, |context, uses| {
        uses.iter()
            .filter(|one| insert(one))
            .map(|one| (context.enclosing(one), *one, context.file))
            .collect()
    })
}

/// Passes the uses of a file to `visit`, with a function from a body or item number to the
/// enclosing declaration.
pub(crate) fn enclosing(
    query: &QueryContext<'_>,
    file: File,
    visit: impl FnOnce(&FileUses, &mut dyn FnMut(u32) -> SymbolId),
) {
    let Some((language, unit)) = query
        .languages
        .of(file.lang(query.db))
        .zip(query.owner(file))
    else {
        return;
    };
    let mut files = language.files(query.db, unit).to_vec().into_iter();
    let uses = language.uses(query.db, file);
    let mut context = FileContext {
        db: query.db,
        file,
        number: files.position(|one| one == file).unwrap_or(0) as u32,
        uses: &uses,
        items: &mut UnitItems::new(language, unit),
    };
    visit(&uses, &mut |body| context.enclosing_of_body(body));
}

/// Returns every use in the wanted files of a unit as (enclosing declaration, target, use, file).
pub(crate) fn uses_in(
    query: &QueryContext<'_>,
    unit: Unit,
    is_wanted: &dyn Fn(File) -> bool,
) -> Vec<(SymbolId, SymbolId, Use, File)> {
    let mut found = Vec::new();
    let Some(language) = query.languages.of(unit.lang(query.db)) else {
        return found;
    };
    let mut items = UnitItems::new(language, unit);
    for (number, &file) in language.files(query.db, unit).iter().enumerate() {
        if !is_wanted(file) {
            continue;
        }
        let uses = language.uses(query.db, file);
        let mut context = FileContext {
            db: query.db,
            file,
            number: number as u32,
            uses: &uses,
            items: &mut items,
        };
        for (target, sites) in uses.iter() {
            found.extend(
                sites
                    .iter()
                    .map(|one| (context.enclosing(one), target, *one, file)),
            );
        }
    }
    found
}

/// A file whose uses are scanned.
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

    /// Returns the caller of a call: the enclosing function, else the package.
    fn caller(&self, one: &Use) -> SymbolId {
        let caller = self.uses.bodies.get(one.body as usize).copied();
        caller.unwrap_or_else(|| self.package())
    }

    /// Returns the declaration that encloses a use: the function, the item, else the package.
    fn enclosing(&mut self, one: &Use) -> SymbolId {
        self.enclosing_of_body(one.body)
    }

    /// Returns the declaration of a body or item number, else the package.
    fn enclosing_of_body(&mut self, body: u32) -> SymbolId {
        if let Some(&caller) = self.uses.bodies.get(body as usize) {
            return caller;
        }
        let item = body - self.uses.bodies.len() as u32;
        let declared = self.items.symbol(self.db, self.number, item);
        declared.unwrap_or_else(|| self.package())
    }
}
