//! Which types satisfy which interfaces.

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
    /// Each unit's, and last the universe's; with whether it is a test's.
    units: Vec<(Arc<Hierarchy>, bool)>,
    files: Vec<(Arc<FileUses>, bool)>,
    unit_numbers: FxHashMap<Unit, u32>,
    /// Rows of `files` by method name: they have no index of their own.
    file_types: FxHashMap<NameId, Vec<RowRef>>,
    file_interfaces: FxHashMap<NameId, Vec<RowRef>>,
    /// Rows of `files` by symbol.
    file_symbols: FxHashMap<SymbolId, Vec<RowRef>>,
    /// The rows that have a method of a name.
    with_type: Mutex<FxHashMap<NameId, Arc<[RowRef]>>>,
    with_interface: Mutex<FxHashMap<NameId, Arc<[RowRef]>>>,
    /// Generic interfaces and those with a type set, by method name.
    open: FxHashMap<NameId, Vec<RowRef>>,
    by_method: Mutex<ByMethod>,
}

/// Of each name the rows of types, by the method that the name runs.
type ByMethod = FxHashMap<NameId, Arc<FxHashMap<SymbolId, Vec<RowRef>>>>;

/// A row by its place in [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RowRef {
    in_file: bool,
    pub(crate) interface: bool,
    /// One of [`DispatchCaches::open`].
    open: bool,
    source: u32,
    row: u32,
}

/// A type that satisfies an interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ImplementsPair {
    /// The type.
    pub(crate) ty: SymbolId,
    /// Of an instance its type arguments, printed.
    pub(crate) type_args: Box<[Box<str>]>,
    /// The interface.
    pub(crate) interface: SymbolId,
    /// How.
    pub(crate) receiver: Receiver,
    /// Whether it holds only in a test unit.
    pub(crate) test: bool,
}

impl TypeTable {
    /// Reads the rows of every unit of a language, and of the files that have rows of their own.
    pub(crate) fn read(question: &QueryContext<'_>, lang: Lang) -> Arc<TypeTable> {
        let units = question.units_of(lang);
        let read = question.map(&units, |languages, db, &unit| {
            let Some(language) = languages.of(unit.lang(db)) else {
                return Default::default();
            };
            let hierarchy = language.hierarchy(db, unit);
            let index = language.index(db, unit);
            let files = language.files(db, unit);
            let numbers = index.with_types();
            let with_types: Vec<(File, Arc<FileUses>)> = numbers
                .filter_map(|number| {
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
        if let Some(old) = question.kept.earlier.types.get(&lang).filter(same) {
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
            open: FxHashMap::default(),
            by_method: Mutex::default(),
        };
        for (&unit, (hierarchy, files)) in units.iter().zip(read) {
            let test = unit.kind(question.db) != UnitKind::Base;
            types.unit_numbers.insert(unit, types.units.len() as u32);
            types.add_open(&hierarchy);
            types.units.push((hierarchy, test));
            for (file, uses) in files {
                types.add_file(uses, test || question.is_test(file));
            }
        }
        if let Some(language) = question.languages.of(lang) {
            types.units.push((language.universe(question.db), false));
        }
        Arc::new(types)
    }

    /// Adds the generic interfaces and constraints of the unit that comes next.
    fn add_open(&mut self, hierarchy: &Hierarchy) {
        let source = self.units.len() as u32;
        for (row, content) in (0..).zip(&hierarchy.generic_interfaces) {
            let at = RowRef {
                in_file: false,
                interface: true,
                open: true,
                source,
                row,
            };
            for method in &content.row.methods {
                self.open.entry(method.name).or_default().push(at);
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
                    open: false,
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

    /// A row.
    pub(crate) fn row(&self, at: RowRef) -> &TypeRow {
        let (types, interfaces) = if at.in_file {
            let uses = &self.files[at.source as usize].0;
            (&uses.types, &uses.interfaces)
        } else {
            let hierarchy = &self.units[at.source as usize].0;
            if at.open {
                return &hierarchy.generic_interfaces[at.row as usize].row;
            }
            (&hierarchy.types, &hierarchy.interfaces)
        };
        let rows = if at.interface { interfaces } else { types };
        &rows[at.row as usize]
    }

    /// Every row of an interface.
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
                open: false,
                source: source as u32,
                row: row as u32,
            }));
        }
        for (source, (hierarchy, _)) in (0..).zip(&self.units) {
            rows.extend(
                (0..hierarchy.generic_interfaces.len() as u32).map(|row| RowRef {
                    in_file: false,
                    interface: true,
                    open: true,
                    source,
                    row,
                }),
            );
        }
        rows
    }

    /// Whether a row comes from a test.
    fn is_test(&self, at: RowRef) -> bool {
        if at.in_file {
            self.files[at.source as usize].1
        } else {
            self.units[at.source as usize].1
        }
    }

    /// All rows of interfaces, or of types, that have a method of this name.
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
                open: false,
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

    /// The rows of generic interfaces and constraints that have a method of this name.
    pub(crate) fn open_with_method(&self, name: NameId) -> &[RowRef] {
        self.open.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Whether a row is a constraint's, which no type implements.
    pub(crate) fn has_type_set(&self, at: RowRef) -> bool {
        let hierarchy = &self.units[at.source as usize].0;
        at.open && hierarchy.generic_interfaces[at.row as usize].has_type_set
    }

    /// The rows of types that have a method of this name, by the method that the name runs.
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

    /// The rows of one symbol: in its package's units and in files.
    pub(crate) fn rows_of(&self, question: &QueryContext<'_>, symbol: SymbolId) -> Vec<RowRef> {
        let sources: Vec<u32> = match question.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => {
                let lang = unit.lang(question.db);
                let units = question.units.named(lang, unit.name(question.db));
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
                    open: false,
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

    /// The rows of one generic interface or constraint.
    fn open_rows_of(&self, question: &QueryContext<'_>, symbol: SymbolId) -> Vec<RowRef> {
        let DeclaredIn::Unit(unit) = question.key(symbol).declared_in else {
            return Vec::new();
        };
        let lang = unit.lang(question.db);
        let units = question.units.named(lang, unit.name(question.db));
        let sources = units.iter().filter_map(|unit| self.unit_numbers.get(unit));
        let rows = sources.flat_map(|&source| {
            let open = &self.units[source as usize].0.generic_interfaces;
            (0..)
                .zip(open)
                .map(move |(row, content)| (source, row, content))
        });
        let own = rows.filter(|(.., content)| content.row.symbol == symbol);
        own.map(|(source, row, _)| RowRef {
            in_file: false,
            interface: true,
            open: true,
            source,
            row,
        })
        .collect()
    }

    /// The rows of types that satisfy an interface's row, and how. Asked by the rarest method.
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
        let is_open = interface.open;
        let (ty, interface) = (self.row(ty), self.row(interface));
        if is_open {
            return language.may_satisfy(db, ty, interface);
        }
        if ty.mask & interface.mask != interface.mask {
            return None;
        }
        language.satisfies(db, ty, interface)
    }
}

/// Whether two files have the same rows of their own.
fn same_rows(old: &Arc<FileUses>, new: &Arc<FileUses>) -> bool {
    Arc::ptr_eq(old, new) || (&old.types, &old.interfaces) == (&new.types, &new.interfaces)
}

/// Pairs of one type and interface become one: of several receivers the value's, test only where
/// all are, and without type arguments where the type itself does.
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

/// Without the pairs of open interfaces whose type and interface are a pair for certain.
fn firm_first(pairs: Vec<(ImplementsPair, bool)>) -> Vec<ImplementsPair> {
    let firm: FxHashSet<(SymbolId, SymbolId)> = pairs
        .iter()
        .filter(|(_, open)| !open)
        .map(|(pair, _)| (pair.ty, pair.interface))
        .collect();
    let kept = pairs
        .into_iter()
        .filter(|(pair, open)| !open || !firm.contains(&(pair.ty, pair.interface)));
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

    /// The types that satisfy an interface.
    pub(crate) fn pairs_of_interface(&self, interface: SymbolId) -> Vec<ImplementsPair> {
        let Some((language, types)) = self.language_types(interface) else {
            return Vec::new();
        };
        let rows = self.interface_rows(&types, interface);
        let mut pairs = Vec::new();
        for at in rows.into_iter().filter(|&at| !types.has_type_set(at)) {
            for (ty, receiver) in types.satisfying(self.db, language, at) {
                pairs.push((self.pair(&types, ty, at, receiver), at.open));
            }
        }
        merge_pairs(firm_first(pairs))
    }

    /// The interfaces that a type satisfies.
    pub(crate) fn pairs_of_type(&self, ty: SymbolId) -> Vec<ImplementsPair> {
        let Some((language, types)) = self.language_types(ty) else {
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for at in types.rows_of(self, ty) {
            if at.interface {
                continue;
            }
            let mut asked = FxHashSet::default();
            for method in &types.row(at).methods {
                let declared = types.with_method(true, method.name);
                let open = types.open_with_method(method.name).iter();
                let open = open.filter(|&&at| !types.has_type_set(at));
                for &interface in declared.iter().chain(open) {
                    if asked.insert(interface)
                        && let Some(receiver) = types.satisfies(self.db, language, at, interface)
                    {
                        let pair = self.pair(&types, at, interface, receiver);
                        pairs.push((pair, interface.open));
                    }
                }
            }
        }
        merge_pairs(firm_first(pairs))
    }

    /// Every pair of a language, and of each pair that touches the workspace every pair of methods:
    /// a type's, an interface's, and whether a test is in it. The type's may be promoted from a
    /// library's.
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
                pairs.push((pair, interface.open));
            }
        }
        (merge_pairs(firm_first(pairs)), methods)
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

    /// The rows of an interface.
    pub(crate) fn interface_rows(&self, types: &TypeTable, interface: SymbolId) -> Vec<RowRef> {
        let mut rows = types.rows_of(self, interface);
        rows.retain(|at| at.interface);
        rows.extend(types.open_rows_of(self, interface));
        rows
    }
}
