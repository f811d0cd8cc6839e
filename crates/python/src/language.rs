//! Python behind the wall to the graph: modules and imports, nothing else yet.

use std::sync::Arc;

use codeweft_db::{
    Coverage, Db, File, FileUses, Found, Hierarchy, Home, ImportRow, Lang, Language, Layout,
    LayoutInput, Mentions, NONE, NameId, NodeKind, OpenSite, Place, Reach, Reason, Receiver,
    SymbolClass, SymbolId, TypeRow, Unit, UnitIndex, UnitSymbols, file_ranges,
};
use smallvec::{SmallVec, smallvec};

use crate::imports::{py_import_targets, py_imports};
use crate::layout;
use crate::modules::{package_symbol, py_symbols};

/// The language Python.
pub struct Python;

impl Language for Python {
    fn lang(&self) -> Lang {
        Lang::Python
    }

    fn coverage(&self) -> Coverage {
        Coverage::Imports
    }

    fn layout(&self, input: &LayoutInput<'_>) -> Layout {
        layout::layout(input)
    }

    fn configuration(&self, _db: &dyn Db) -> String {
        String::new()
    }

    fn files(&self, db: &dyn Db, unit: Unit) -> Arc<[File]> {
        unit.files(db).clone()
    }

    fn excluded(&self, _db: &dyn Db, _unit: Unit) -> Arc<[File]> {
        Arc::default()
    }

    fn package(&self, db: &dyn Db, unit: Unit) -> SymbolId {
        package_symbol(db, unit)
    }

    fn symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
        py_symbols(db, unit)
    }

    fn imports(&self, db: &dyn Db, unit: Unit) -> Arc<[ImportRow]> {
        py_imports(db, unit)
    }

    fn hierarchy(&self, _db: &dyn Db, _unit: Unit) -> Arc<Hierarchy> {
        Arc::default()
    }

    fn uses(&self, _db: &dyn Db, _file: File) -> Arc<FileUses> {
        Arc::default()
    }

    fn index(&self, _db: &dyn Db, _unit: Unit) -> Arc<UnitIndex> {
        Arc::default()
    }

    fn mentions(&self, _db: &dyn Db, _unit: Unit) -> Arc<Mentions> {
        Arc::default()
    }

    fn reach(&self, db: &dyn Db, symbol: SymbolId) -> Reach {
        match db.shared().symbols.key(symbol).home {
            Home::Unit(unit) => Reach::Direct(vec![unit]),
            Home::Absent(_) | Home::Builtin(_) => Reach::Workspace,
        }
    }

    fn search_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        let shared = db.shared();
        let name = shared.names.text(shared.symbols.key(symbol).name);
        let last = name.rsplit('.').next().unwrap_or(name);
        smallvec![shared.names.intern(last)]
    }

    fn satisfies(&self, _db: &dyn Db, _ty: &TypeRow, _interface: &TypeRow) -> Option<Receiver> {
        None
    }

    fn open_fits(&self, _db: &dyn Db, _site: &OpenSite, _symbol: SymbolId) -> bool {
        false
    }

    fn signature(&self, _db: &dyn Db, _symbol: SymbolId) -> Option<u32> {
        None
    }

    fn hidden_callers(&self, _db: &dyn Db, _symbol: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    fn kind(&self, db: &dyn Db, symbol: SymbolId) -> Option<NodeKind> {
        let key = db.shared().symbols.key(symbol);
        if key.class != SymbolClass::Package {
            return None;
        }
        match key.home {
            Home::Unit(unit) => py_symbols(db, unit).row(symbol).map(|_| NodeKind::Package),
            Home::Absent(_) => Some(NodeKind::Package),
            Home::Builtin(_) => None,
        }
    }

    fn at(&self, db: &dyn Db, file: File, offset: u32) -> Option<Found> {
        let ranges = file_ranges(db, file);
        let import = ranges
            .imports
            .iter()
            .position(|span| (span.start..span.end).contains(&offset))?;
        py_import_targets(db, file)
            .iter()
            .find(|&&(number, ..)| number as usize == import)
            .map(|&(_, symbol, _)| Found::Symbol(symbol))
    }

    fn place(&self, db: &dyn Db, symbol: SymbolId) -> Option<Place> {
        let Home::Unit(unit) = db.shared().symbols.key(symbol).home else {
            return None;
        };
        let symbols = py_symbols(db, unit);
        let row = symbols.rows[symbols.row(symbol)? as usize];
        if row.file == NONE {
            return None;
        }
        // A module has no clause: it stands at the start of its text.
        Some(Place {
            file: *unit.files(db).get(row.file as usize)?,
            span: Default::default(),
            name: Default::default(),
        })
    }

    fn offset(&self, _db: &dyn Db, _file: File, _body: u32, _occ: u32) -> Option<u32> {
        None
    }

    /// By the customs of pytest and unittest: `test_x.py`, `x_test.py`, `conftest.py`, and
    /// everything in a folder `test` or `tests`.
    fn is_test(&self, db: &dyn Db, file: File) -> bool {
        let path = file.path(db);
        let (dir, _) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = layout::stem(path);
        stem == "conftest"
            || stem.starts_with("test_")
            || stem.ends_with("_test")
            || dir.split('/').any(|part| matches!(part, "test" | "tests"))
    }
}
