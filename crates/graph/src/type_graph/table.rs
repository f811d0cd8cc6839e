//! The types and interfaces of a language, and the search for those that satisfy each other.
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

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, File, FileUses, Hierarchy, Lang, Language, NameId, Receiver, SymbolId, TypeRow,
    Unit, UnitKind,
};
use rustc_hash::FxHashMap;

use crate::fan_out::FanOut;
use crate::memo::{Join, Memo};
use crate::units::Units;

/// The rows of all types and interfaces of one language at one revision.
#[derive(Default)]
pub(crate) struct TypeTable {
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
    with_type: Memo<NameId, Arc<[RowRef]>>,
    with_interface: Memo<NameId, Arc<[RowRef]>>,
    /// Generic interfaces and constraints, by method name.
    generic: FxHashMap<NameId, Vec<RowRef>>,
    /// For each name the rows of types, by the method that the name runs.
    by_method: Memo<NameId, Arc<RowsByMethod>>,
}

/// The rows of types, by the method that a name runs.
type RowsByMethod = FxHashMap<SymbolId, Vec<RowRef>>;

/// The types and interfaces of a language at one revision.
pub(crate) type JoinedTypes = Join<TypesOfUnit, TypeTable>;

/// The types and interfaces of a unit.
#[derive(Default, Debug)]
pub(crate) struct TypesOfUnit {
    hierarchy: Arc<Hierarchy>,
    /// The files that have rows of their own.
    files: Vec<(File, Arc<FileUses>)>,
}

/// Equal if all rows are: most edits of a file change its uses but no row.
impl PartialEq for TypesOfUnit {
    fn eq(&self, other: &TypesOfUnit) -> bool {
        let mut files = self.files.iter().zip(&other.files);
        self.hierarchy == other.hierarchy
            && self.files.len() == other.files.len()
            && files.all(|((file, uses), (other, others))| {
                file == other
                    && (&uses.types, &uses.interfaces) == (&others.types, &others.interfaces)
            })
    }
}

impl Eq for TypesOfUnit {}

/// Returns the types and interfaces of a unit.
#[salsa::tracked(returns(clone))]
fn unit_types(db: &dyn Db, unit: Unit) -> Arc<TypesOfUnit> {
    let Some(language) = db.shared().language(unit.lang(db)) else {
        return Arc::default();
    };
    if language.is_dynamically_typed() {
        // Values have the types that declarations make, and no others: no file need be resolved.
        return Arc::new(TypesOfUnit {
            hierarchy: language.hierarchy(db, unit),
            files: Vec::new(),
        });
    }
    let index = language.index(db, unit);
    let numbers = index.files_with_types().iter();
    let files = match numbers.len() {
        0 => Arc::default(),
        _ => language.files(db, unit),
    };
    let files = numbers.filter_map(|&number| {
        let file = *files.get(number as usize)?;
        let uses = language.uses(db, file);
        let has_rows = !(uses.types.is_empty() && uses.interfaces.is_empty());
        has_rows.then_some((file, uses))
    });
    Arc::new(TypesOfUnit {
        hierarchy: language.hierarchy(db, unit),
        files: files.collect(),
    })
}

/// The position of a row in a [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RowRef {
    in_file: bool,
    pub(crate) interface: bool,
    /// Whether the row is one of [`TypeTable::generic`].
    pub(crate) generic: bool,
    source: u32,
    row: u32,
}

impl TypeTable {
    /// Reads the rows of every unit of a language and of the files with rows.
    pub(crate) fn read(
        fan_out: &FanOut<'_>,
        units: Arc<[Unit]>,
        lang: Lang,
        previous: Option<&Arc<JoinedTypes>>,
    ) -> Arc<JoinedTypes> {
        let parts = fan_out.map(&units, |_, db, &unit| unit_types(db, unit));
        Join::next(previous, units, parts, |units, parts| {
            TypeTable::merge(fan_out, lang, units, parts)
        })
    }

    fn merge(
        fan_out: &FanOut<'_>,
        lang: Lang,
        units: &[Unit],
        parts: &[Arc<TypesOfUnit>],
    ) -> TypeTable {
        let db = fan_out.root;
        let mut types = TypeTable::default();
        let language = fan_out.languages.of(lang);
        for (&unit, part) in units.iter().zip(parts) {
            let test = unit.kind(db) != UnitKind::BASE;
            types.unit_numbers.insert(unit, types.units.len() as u32);
            types.add_unresolved(&part.hierarchy);
            types.units.push((part.hierarchy.clone(), test));
            for (file, uses) in &part.files {
                let is_test = || language.is_some_and(|language| language.is_test(db, *file));
                types.add_file(uses.clone(), test || is_test());
            }
        }
        if let Some(language) = language {
            types.units.push((language.universe(db), false));
        }
        types
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
    pub(crate) fn all_interfaces(&self) -> Vec<RowRef> {
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
    pub(crate) fn is_test(&self, at: RowRef) -> bool {
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
        if let Some(rows) = known.get(&name) {
            return rows;
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
        known.insert(name, found.clone());
        found
    }

    /// Returns the rows of generic interfaces and constraints that have a method of this name.
    pub(crate) fn generic_with_method(&self, name: NameId) -> &[RowRef] {
        self.generic.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a row is a constraint's; no type implements a constraint.
    pub(crate) fn has_type_set(&self, at: RowRef) -> bool {
        // Only rows of units are generic; the source of any other may be a file.
        at.generic && {
            let hierarchy = &self.units[at.source as usize].0;
            hierarchy.generic_interfaces[at.row as usize].has_type_set
        }
    }

    /// Returns the rows of types that have a method of this name, by the method that the name runs.
    pub(crate) fn by_method(&self, name: NameId) -> Arc<RowsByMethod> {
        self.by_method.get_or(name, || {
            let mut by_method = RowsByMethod::default();
            for &at in self.with_method(false, name).iter() {
                if let Some(method) = self.row(at).method(name) {
                    by_method.entry(method.symbol).or_default().push(at);
                }
            }
            Arc::new(by_method)
        })
    }

    /// Returns the rows of one symbol, in its package's units and in files.
    pub(crate) fn rows_of(&self, db: &dyn Db, units: &Units, symbol: SymbolId) -> Vec<RowRef> {
        let sources: Vec<u32> = match db.shared().symbols.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => {
                let lang = unit.lang(db);
                let units = units.named(lang, unit.name(db));
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

    /// Returns the rows of an interface.
    pub(crate) fn interface_rows(
        &self,
        db: &dyn Db,
        units: &Units,
        interface: SymbolId,
    ) -> Vec<RowRef> {
        let mut rows = self.rows_of(db, units, interface);
        rows.retain(|at| at.interface);
        rows.extend(self.generic_rows_of(db, units, interface));
        rows
    }

    /// Returns the rows of one generic interface or constraint.
    fn generic_rows_of(&self, db: &dyn Db, units: &Units, symbol: SymbolId) -> Vec<RowRef> {
        let DeclaredIn::Unit(unit) = db.shared().symbols.key(symbol).declared_in else {
            return Vec::new();
        };
        let lang = unit.lang(db);
        let units = units.named(lang, unit.name(db));
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
