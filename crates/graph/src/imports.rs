//! The imports of all units, joined once a revision.

use std::sync::{Arc, OnceLock};

use codeweft_db::{Db, DeclaredIn, File, ImportRow, Lang, NameId, SymbolId, Unit};
use rustc_hash::FxHashMap;

use crate::fan_out::FanOut;
use crate::memo::{Join, Memo};
use crate::units::Units;
use crate::visibility::{UnitSet, VisibilityKey};

/// The imports of one revision.
#[derive(Default)]
pub(crate) struct ImportMemos {
    /// All imports.
    pub(crate) joined: OnceLock<Arc<JoinedImports>>,
    /// All imports of an earlier revision.
    pub(crate) previous: Option<Arc<JoinedImports>>,
    /// The units that can name symbols.
    pub(crate) visible_units: Memo<VisibilityKey, Arc<UnitSet>>,
}

impl ImportMemos {
    /// Returns the memos of the next revision.
    pub(crate) fn next(self) -> ImportMemos {
        ImportMemos {
            joined: OnceLock::new(),
            previous: self.joined.into_inner().or(self.previous),
            visible_units: Memo::default(),
        }
    }
}

/// The import lines of each unit, in the order of [`Units::all`], and what follows from all of them.
pub(crate) type JoinedImports = Join<[ImportRow], Imports>;

/// One import line, seen from one of its two packages.
#[derive(Clone, Copy)]
pub(crate) struct ImportEdge {
    /// The package at the other end.
    pub(crate) other: SymbolId,
    /// The file with the import line.
    pub(crate) file: File,
    /// See [`ImportRow::import`].
    pub(crate) import: u32,
}

/// Import lines by package, in the order of the rows.
type EdgesByPackage = FxHashMap<SymbolId, Vec<ImportEdge>>;

/// The imports of all units.
#[derive(Default)]
pub(crate) struct Imports {
    /// The import lines by importing and by imported package; built for the first query that
    /// follows imports.
    edges: OnceLock<[EdgesByPackage; 2]>,
    /// The units that import a unit.
    importers: FxHashMap<Unit, Vec<Unit>>,
    /// The language of each absent package.
    absent: FxHashMap<NameId, Lang>,
    /// Packages that import lines name but that are not loaded.
    missing: FxHashMap<NameId, SymbolId>,
}

impl Imports {
    /// Reads the rows of every unit.
    pub(crate) fn read(
        fan_out: &FanOut<'_>,
        units: &Units,
        previous: Option<&Arc<JoinedImports>>,
    ) -> Arc<JoinedImports> {
        let rows = fan_out.map(&units.all, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            Some(language.imports(db, unit))
        });
        let rows = rows.into_iter().map(Option::unwrap_or_default);
        Join::next(
            previous,
            units.all.clone(),
            rows.collect(),
            |units, rows| Imports::merge(fan_out, units, rows),
        )
    }

    fn merge(fan_out: &FanOut<'_>, units: &[Unit], rows: &[Arc<[ImportRow]>]) -> Imports {
        let db: &dyn Db = fan_out.root;
        let shared = db.shared();
        let mut imports = Imports::default();
        for (&unit, rows) in units.iter().zip(rows) {
            db.unwind_if_cancelled();
            let lang = unit.lang(db);
            for row in rows.iter() {
                let key = shared.symbols.key(row.to);
                match row.unit {
                    Some(imported) => {
                        // A folder above an imported module need not be an existing package.
                        for parent in named_parents(db, lang, key.name) {
                            imports.absent.entry(parent).or_insert(lang);
                        }
                        let list = imports.importers.entry(imported).or_default();
                        if list.last() != Some(&unit) {
                            list.push(unit);
                        }
                    }
                    None => {
                        if let DeclaredIn::Absent(path) = key.declared_in {
                            imports.missing.entry(path).or_insert(row.to);
                            for path in named_parents(db, lang, path).chain([path]) {
                                imports.absent.entry(path).or_insert(lang);
                            }
                        }
                    }
                }
            }
        }
        imports
    }

    /// Returns the language whose imports name an absent package.
    pub(crate) fn language_of_absent(&self, path: NameId) -> Option<Lang> {
        self.absent.get(&path).copied()
    }

    /// Returns the symbol of a package that an import line names but that is not loaded.
    pub(crate) fn missing(&self, path: NameId) -> Option<SymbolId> {
        self.missing.get(&path).copied()
    }

    /// Returns the units that import a unit.
    pub(crate) fn importers(&self, unit: Unit) -> &[Unit] {
        self.importers.get(&unit).map_or(&[], Vec::as_slice)
    }
}

impl JoinedImports {
    /// Returns the import lines of a package, or (`backward`) those that import it.
    pub(crate) fn edges(&self, package: SymbolId, backward: bool) -> &[ImportEdge] {
        let [forward, back] = self.edges.get_or_init(|| {
            let mut edges: [EdgesByPackage; 2] = Default::default();
            for row in self.parts.iter().flat_map(|rows| rows.iter()) {
                let ends = [(row.from, row.to), (row.to, row.from)];
                for (edges, (package, other)) in edges.iter_mut().zip(ends) {
                    edges.entry(package).or_default().push(ImportEdge {
                        other,
                        file: row.file,
                        import: row.import,
                    });
                }
            }
            edges
        });
        let edges = if backward { back } else { forward };
        edges.get(&package).map_or(&[], Vec::as_slice)
    }
}

/// Returns the packages that the import of one names besides it: `import a.b` names `a` too.
fn named_parents(db: &dyn Db, lang: Lang, package: NameId) -> impl Iterator<Item = NameId> {
    let names = &db.shared().names;
    let text = names.text(package);
    let dots = text
        .match_indices('.')
        .filter(move |_| lang.imports_name_parents);
    dots.filter_map(|(at, _)| names.get(&text[..at]))
}
