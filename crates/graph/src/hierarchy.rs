//! The types and interfaces of a language, and which types satisfy which interfaces.
//!
//! Rows come from units (declared types) and from files (local types and instances of generic
//! types). To find the types that satisfy an interface, take the interface's method that the fewest
//! types have, compare the 64-bit masks of methods (a hash bit each), and apply the language's rule
//! to what is left:
//!
//! ```text
//! interface ReadCloser {Read, Close}   types with Close: 40, with Read: 900 -> 40 candidates
//! mask(type) & mask(ReadCloser) == mask(ReadCloser) -> 6 -> language.satisfies -> 5
//! ```

use std::sync::{Arc, Mutex};

use codeweft_db::{
    Db, DeclaredIn, File, FileUses, Hierarchy, Lang, Language, NameId, Receiver, SymbolId, TypeRow,
    Unit, UnitKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query_context::QueryContext;

/// The rows of all types and interfaces of one language at one revision.
#[derive(Default)]
pub(crate) struct TypeTable {
    /// The units whose rows these are.
    all: Arc<[Unit]>,
    /// The rows of each unit, then those of the universe; with whether the unit is a test's.
    units: Vec<(Arc<Hierarchy>, bool)>,
    files: Vec<(Arc<FileUses>, bool)>,
    unit_numbers: FxHashMap<Unit, u32>,
    /// The rows of `files`, by method name: files have no index.
    file_types: FxHashMap<NameId, Vec<RowRef>>,
    file_interfaces: FxHashMap<NameId, Vec<RowRef>>,
    /// The rows of `files`, by symbol.
    file_symbols: FxHashMap<SymbolId, Vec<RowRef>>,
    /// Memo of the rows that have a method of a name.
    with_type: Mutex<FxHashMap<NameId, Arc<[RowRef]>>>,
    with_interface: Mutex<FxHashMap<NameId, Arc<[RowRef]>>>,
    /// Generic interfaces and constraints, by method name.
    generic: FxHashMap<NameId, Vec<RowRef>>,
    by_method: Mutex<ByMethod>,
}

/// For each name the rows of types, by the method that the name runs.
type ByMethod = FxHashMap<NameId, Arc<FxHashMap<SymbolId, Vec<RowRef>>>>;

/// The position of a row in a [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RowRef {
    in_file: bool,
    pub(crate) interface: bool,
    /// Whether the row is one of [`TypeTable::generic`].
    generic: bool,
    source: u32,
    row: u32,
}

/// A type that satisfies an interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ImplementsPair {
    /// The type.
    pub(crate) ty: SymbolId,
    /// The printed type arguments of an instance.
    pub(crate) type_args: Box<[Box<str>]>,
    /// The interface.
    pub(crate) interface: SymbolId,
    /// Whether the type itself or only a pointer to it satisfies the interface.
    pub(crate) receiver: Receiver,
    /// Whether the pair exists in test units only.
    pub(crate) test: bool,
}

impl TypeTable {
    /// Reads the rows of every unit of a language and of the files with rows; reuses the earlier
    /// table if all parts are unchanged.
    pub(crate) fn read(query: &QueryContext<'_>, lang: Lang) -> Arc<TypeTable> {
        let units = query.units_of(lang);
        let read = query.map(&units, |languages, db, &unit| {
            let Some(language) = languages.of(unit.lang(db)) else {
                return Default::default();
            };
            let hierarchy = language.hierarchy(db, unit);
            let index = language.index(db, unit);
            let files = language.files(db, unit);
            let numbers = index.files_with_types().iter();
            let with_types: Vec<(File, Arc<FileUses>)> = numbers
                .filter_map(|&number| {
                    let file = *files.get(number as usize)?;
                    let uses = language.uses(db, file);
                    let has_rows = !(uses.types.is_empty() && uses.interfaces.is_empty());
                    has_rows.then_some((file, uses))
                })
                .collect();
            (hierarchy, with_types)
        });
        let same = |old: &&Arc<TypeTable>| {
            let hierarchies = old.units.iter().zip(&read);
            let mut files = read.iter().flat_map(|(_, files)| files);
            old.all == units
                && hierarchies
                    .into_iter()
                    .all(|((old, _), (new, _))| Arc::ptr_eq(old, new))
                && old
                    .files
                    .iter()
                    .all(|(old, _)| files.next().is_some_and(|(_, new)| same_rows(old, new)))
                && files.next().is_none()
        };
        if let Some(old) = query.cache.previous.types.get(&lang).filter(same) {
            return old.clone();
        }
        let mut types = TypeTable {
            all: units.clone(),
            units: Vec::new(),
            files: Vec::new(),
            unit_numbers: FxHashMap::default(),
            file_types: FxHashMap::default(),
            file_interfaces: FxHashMap::default(),
            file_symbols: FxHashMap::default(),
            with_type: Mutex::default(),
            with_interface: Mutex::default(),
            generic: FxHashMap::default(),
            by_method: Mutex::default(),
        };
        for (&unit, (hierarchy, files)) in units.iter().zip(read) {
            let test = unit.kind(query.db) != UnitKind::BASE;
            types.unit_numbers.insert(unit, types.units.len() as u32);
            types.add_unresolved(&hierarchy);
            types.units.push((hierarchy, test));
            for (file, uses) in files {
                types.add_file(uses, test || query.is_test(file));
            }
        }
        if let Some(language) = query.languages.of(lang) {
            types.units.push((language.universe(query.db), false));
        }
        Arc::new(types)
    }

    /// Adds the generic interfaces and constraints of the next unit.
    fn add_unresolved(&mut self, hierarchy: &Hierarchy) {
        let source = self.units.len() as u32;
        for (row, content) in (0..).zip(&hierarchy.generic_interfaces) {
            let at = RowRef {
                in_file: false,
                interface: true,
                generic: true,
                source,
                row,
            };
            for method in &content.row.methods {
                self.generic.entry(method.name).or_default().push(at);
            }
        }
    }

    fn add_file(&mut self, uses: Arc<FileUses>, test: bool) {
        let source = self.files.len() as u32;
        for (interface, rows) in [(false, &uses.types), (true, &uses.interfaces)] {
            for (row, content) in rows.iter().enumerate() {
                let at = RowRef {
                    in_file: true,
                    interface,
                    generic: false,
                    source,
                    row: row as u32,
                };
                let by_name = if interface {
                    &mut self.file_interfaces
                } else {
                    &mut self.file_types
                };
                for method in &content.methods {
                    by_name.entry(method.name).or_default().push(at);
                }
                self.file_symbols
                    .entry(content.symbol)
                    .or_default()
                    .push(at);
            }
        }
        self.files.push((uses, test));
    }

    /// Returns a row.
    pub(crate) fn row(&self, at: RowRef) -> &TypeRow {
        let (types, interfaces) = if at.in_file {
            let uses = &self.files[at.source as usize].0;
            (&uses.types, &uses.interfaces)
        } else {
            let hierarchy = &self.units[at.source as usize].0;
            if at.generic {
                return &hierarchy.generic_interfaces[at.row as usize].row;
            }
            (&hierarchy.types, &hierarchy.interfaces)
        };
        let rows = if at.interface { interfaces } else { types };
        &rows[at.row as usize]
    }

    /// Returns the rows of all interfaces.
    fn all_interfaces(&self) -> Vec<RowRef> {
        let mut rows = Vec::new();
        let units = self
            .units
            .iter()
            .map(|(hierarchy, _)| &hierarchy.interfaces);
        let files = self.files.iter().map(|(uses, _)| &uses.interfaces);
        let sources = units
            .enumerate()
            .map(|(source, rows)| (false, source, rows));
        let in_files = files.enumerate().map(|(source, rows)| (true, source, rows));
        for (in_file, source, interfaces) in sources.chain(in_files) {
            rows.extend((0..interfaces.len()).map(|row| RowRef {
                in_file,
                interface: true,
                generic: false,
                source: source as u32,
                row: row as u32,
            }));
        }
        for (source, (hierarchy, _)) in (0..).zip(&self.units) {
            rows.extend(
                (0..hierarchy.generic_interfaces.len() as u32).map(|row| RowRef {
                    in_file: false,
                    interface: true,
                    generic: true,
                    source,
                    row,
                }),
            );
        }
        rows
    }

    /// Returns whether a row comes from a test.
    fn is_test(&self, at: RowRef) -> bool {
        if at.in_file {
            self.files[at.source as usize].1
        } else {
            self.units[at.source as usize].1
        }
    }

    /// Returns the rows of interfaces, or of types, that have a method of this name.
    pub(crate) fn with_method(&self, interface: bool, name: NameId) -> Arc<[RowRef]> {
        let known = if interface {
            &self.with_interface
        } else {
            &self.with_type
        };
        if let Ok(known) = known.lock()
            && let Some(rows) = known.get(&name)
        {
            return rows.clone();
        }
        let mut found = Vec::new();
        for (source, (hierarchy, _)) in self.units.iter().enumerate() {
            let index = if interface {
                &hierarchy.by_interface_method
            } else {
                &hierarchy.by_method
            };
            found.extend(Hierarchy::with_method(index, name).map(|row| RowRef {
                in_file: false,
                interface,
                generic: false,
                source: source as u32,
                row,
            }));
        }
        let in_files = if interface {
            &self.file_interfaces
        } else {
            &self.file_types
        };
        if let Some(rows) = in_files.get(&name) {
            found.extend(rows);
        }
        let found: Arc<[RowRef]> = found.into();
        if let Ok(mut known) = known.lock() {
            known.insert(name, found.clone());
        }
        found
    }

    /// Returns the rows of generic interfaces and constraints that have a method of this name.
    pub(crate) fn generic_with_method(&self, name: NameId) -> &[RowRef] {
        self.generic.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a row is a constraint's; no type implements a constraint.
    pub(crate) fn has_type_set(&self, at: RowRef) -> bool {
        let hierarchy = &self.units[at.source as usize].0;
        at.generic && hierarchy.generic_interfaces[at.row as usize].has_type_set
    }

    /// Returns the rows of types that have a method of this name, by the method that the name runs.
    pub(crate) fn by_method(&self, name: NameId) -> Arc<FxHashMap<SymbolId, Vec<RowRef>>> {
        if let Ok(known) = self.by_method.lock()
            && let Some(rows) = known.get(&name)
        {
            return rows.clone();
        }
        let mut by_method: FxHashMap<SymbolId, Vec<RowRef>> = FxHashMap::default();
        for &at in self.with_method(false, name).iter() {
            if let Some(method) = self.row(at).method(name) {
                by_method.entry(method.symbol).or_default().push(at);
            }
        }
        let by_method = Arc::new(by_method);
        if let Ok(mut known) = self.by_method.lock() {
            known.insert(name, by_method.clone());
        }
        by_method
    }

    /// Returns the rows of one symbol, in its package's units and in files.
    pub(crate) fn rows_of(&self, query: &QueryContext<'_>, symbol: SymbolId) -> Vec<RowRef> {
        let sources: Vec<u32> = match query.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => {
                let lang = unit.lang(query.db);
                let units = query.units.named(lang, unit.name(query.db));
                let numbers = units.iter().filter_map(|unit| self.unit_numbers.get(unit));
                numbers.copied().collect()
            }
            DeclaredIn::Builtin(_) => vec![self.units.len() as u32 - 1],
            DeclaredIn::Absent(_) => Vec::new(),
        };
        let mut found = Vec::new();
        for source in sources {
            let hierarchy = &self.units[source as usize].0;
            for (interface, rows) in [(false, &hierarchy.types), (true, &hierarchy.interfaces)] {
                let rows = rows.iter().enumerate();
                let own = rows.filter(|(_, row)| row.symbol == symbol);
                found.extend(own.map(|(row, _)| RowRef {
                    in_file: false,
                    interface,
                    generic: false,
                    source,
                    row: row as u32,
                }));
            }
        }
        if let Some(rows) = self.file_symbols.get(&symbol) {
            found.extend(rows);
        }
        found
    }

    /// Returns the rows of one generic interface or constraint.
    fn generic_rows_of(&self, query: &QueryContext<'_>, symbol: SymbolId) -> Vec<RowRef> {
        let DeclaredIn::Unit(unit) = query.key(symbol).declared_in else {
            return Vec::new();
        };
        let lang = unit.lang(query.db);
        let units = query.units.named(lang, unit.name(query.db));
        let sources = units.iter().filter_map(|unit| self.unit_numbers.get(unit));
        let rows = sources.flat_map(|&source| {
            let generic = &self.units[source as usize].0.generic_interfaces;
            (0..)
                .zip(generic)
                .map(move |(row, content)| (source, row, content))
        });
        let own = rows.filter(|(.., content)| content.row.symbol == symbol);
        own.map(|(source, row, _)| RowRef {
            in_file: false,
            interface: true,
            generic: true,
            source,
            row,
        })
        .collect()
    }

    /// Returns the rows of types that satisfy an interface's row, with the receiver. Candidates
    /// come from the rarest method.
    pub(crate) fn satisfying(
        &self,
        db: &dyn Db,
        language: &dyn Language,
        interface: RowRef,
    ) -> Vec<(RowRef, Receiver)> {
        let wanted = self.row(interface);
        let candidates = wanted
            .methods
            .iter()
            .map(|method| self.with_method(false, method.name))
            .min_by_key(|rows| rows.len());
        let Some(candidates) = candidates else {
            return Vec::new();
        };
        candidates
            .iter()
            .filter_map(|&at| {
                db.unwind_if_cancelled();
                Some((at, self.satisfies(db, language, at, interface)?))
            })
            .collect()
    }

    pub(crate) fn satisfies(
        &self,
        db: &dyn Db,
        language: &dyn Language,
        ty: RowRef,
        interface: RowRef,
    ) -> Option<Receiver> {
        let is_generic = interface.generic;
        let (ty, interface) = (self.row(ty), self.row(interface));
        if is_generic {
            return language.may_satisfy(db, ty, interface);
        }
        if ty.mask & interface.mask != interface.mask {
            return None;
        }
        language.satisfies(db, ty, interface)
    }
}

/// Returns whether two versions of a file have the same rows.
fn same_rows(old: &Arc<FileUses>, new: &Arc<FileUses>) -> bool {
    Arc::ptr_eq(old, new) || (&old.types, &old.interfaces) == (&new.types, &new.interfaces)
}

/// Merges pairs of the same type and interface: the value receiver wins, `test` holds only if it
/// holds for all, and an instance is dropped if the type itself satisfies the interface.
pub(crate) fn merge_pairs(pairs: Vec<ImplementsPair>) -> Vec<ImplementsPair> {
    type Key = (SymbolId, SymbolId, Box<[Box<str>]>);
    let mut merged: FxHashMap<Key, (Receiver, bool)> = FxHashMap::default();
    for pair in pairs {
        merged
            .entry((pair.ty, pair.interface, pair.type_args))
            .and_modify(|(receiver, test)| {
                *receiver = (*receiver).min(pair.receiver);
                *test &= pair.test;
            })
            .or_insert((pair.receiver, pair.test));
    }
    let plain: FxHashSet<(SymbolId, SymbolId)> = merged
        .keys()
        .filter(|(_, _, type_args)| type_args.is_empty())
        .map(|(ty, interface, _)| (*ty, *interface))
        .collect();
    let merged = merged.into_iter();
    let mut pairs: Vec<ImplementsPair> = merged
        .filter(|((ty, interface, type_args), _)| {
            type_args.is_empty() || !plain.contains(&(*ty, *interface))
        })
        .map(
            |((ty, interface, type_args), (receiver, test))| ImplementsPair {
                ty,
                type_args,
                interface,
                receiver,
                test,
            },
        )
        .collect();
    pairs.sort_by(|a, b| (a.ty, a.interface, &a.type_args).cmp(&(b.ty, b.interface, &b.type_args)));
    pairs
}

/// Drops pairs with a generic interface if the same type and interface also form a certain pair.
fn prefer_certain(pairs: Vec<(ImplementsPair, bool)>) -> Vec<ImplementsPair> {
    let certain: FxHashSet<(SymbolId, SymbolId)> = pairs
        .iter()
        .filter(|(_, generic)| !generic)
        .map(|(pair, _)| (pair.ty, pair.interface))
        .collect();
    let kept = pairs
        .into_iter()
        .filter(|(pair, generic)| !generic || !certain.contains(&(pair.ty, pair.interface)));
    kept.map(|(pair, _)| pair).collect()
}

impl QueryContext<'_> {
    pub(crate) fn language_types(
        &self,
        symbol: SymbolId,
    ) -> Option<(&dyn Language, Arc<TypeTable>)> {
        let language = self.language(symbol)?;
        Some((language, self.types(language.lang())))
    }

    /// Returns the types that satisfy an interface.
    pub(crate) fn pairs_of_interface(&self, interface: SymbolId) -> Vec<ImplementsPair> {
        let Some((language, types)) = self.language_types(interface) else {
            return Vec::new();
        };
        let rows = self.interface_rows(&types, interface);
        let mut pairs = Vec::new();
        for at in rows.into_iter().filter(|&at| !types.has_type_set(at)) {
            for (ty, receiver) in types.satisfying(self.db, language, at) {
                pairs.push((self.pair(&types, ty, at, receiver), at.generic));
            }
        }
        merge_pairs(prefer_certain(pairs))
    }

    /// Returns the interfaces that a type satisfies.
    pub(crate) fn pairs_of_type(&self, ty: SymbolId) -> Vec<ImplementsPair> {
        let Some((language, types)) = self.language_types(ty) else {
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for at in types.rows_of(self, ty) {
            if at.interface {
                continue;
            }
            let mut checked = FxHashSet::default();
            for method in &types.row(at).methods {
                let declared = types.with_method(true, method.name);
                let generic = types.generic_with_method(method.name).iter();
                let generic = generic.filter(|&&at| !types.has_type_set(at));
                for &interface in declared.iter().chain(generic) {
                    if checked.insert(interface)
                        && let Some(receiver) = types.satisfies(self.db, language, at, interface)
                    {
                        let pair = self.pair(&types, at, interface, receiver);
                        pairs.push((pair, interface.generic));
                    }
                }
            }
        }
        merge_pairs(prefer_certain(pairs))
    }

    /// Returns all pairs of a language and, for pairs that touch the workspace, the pairs of
    /// methods as (type's method, interface's method, only in tests). A type's method may be
    /// promoted from a library's type.
    pub(crate) fn all_pairs(
        &self,
        lang: Lang,
    ) -> (Vec<ImplementsPair>, Vec<(SymbolId, SymbolId, bool)>) {
        let types = self.types(lang);
        let mut rows = types.all_interfaces();
        rows.retain(|&at| !types.has_type_set(at));
        let found = self.map(&rows, |languages, db, &interface| {
            let language = languages.of(lang);
            language.map(|language| types.satisfying(db, language, interface))
        });
        let (mut pairs, mut methods) = (Vec::new(), Vec::new());
        for (&interface, found) in rows.iter().zip(found) {
            for (ty, receiver) in found.into_iter().flatten() {
                let pair = self.pair(&types, ty, interface, receiver);
                let outside = self.is_external(pair.ty) && self.is_external(pair.interface);
                for wanted in types.row(interface).methods.iter().filter(|_| !outside) {
                    if let Some(own) = types.row(ty).method(wanted.name)
                        && !self.is_interface_method(own.symbol)
                    {
                        methods.push((own.symbol, wanted.symbol, pair.test));
                    }
                }
                pairs.push((pair, interface.generic));
            }
        }
        (merge_pairs(prefer_certain(pairs)), methods)
    }

    fn pair(
        &self,
        types: &TypeTable,
        ty: RowRef,
        interface: RowRef,
        receiver: Receiver,
    ) -> ImplementsPair {
        let row = types.row(ty);
        ImplementsPair {
            ty: row.symbol,
            type_args: row.type_args.clone(),
            interface: types.row(interface).symbol,
            receiver,
            test: types.is_test(ty) || types.is_test(interface),
        }
    }

    /// Returns the rows of an interface.
    pub(crate) fn interface_rows(&self, types: &TypeTable, interface: SymbolId) -> Vec<RowRef> {
        let mut rows = types.rows_of(self, interface);
        rows.retain(|at| at.interface);
        rows.extend(types.generic_rows_of(self, interface));
        rows
    }
}
