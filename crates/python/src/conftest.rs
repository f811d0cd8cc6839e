//! The modules that pytest reads before the tests of a folder: `conftest.py` there and in the folders above
//! (pytest, How-to guides, conftest.py: sharing fixtures across multiple files).

use codeweft_db::{Db, Origin, SymbolId, Unit, UnitGraph};
use codeweft_python_syntax::PYTHON;

use crate::declared;
use crate::layout::stem;

/// Returns the modules `conftest` of the folder of a unit and of those above it.
pub(crate) fn modules(db: &dyn Db, unit: Unit) -> Vec<SymbolId> {
    let Some(graph) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let dir = unit.dir(db);
    let is_above = |other: &str| {
        let rest = dir.strip_prefix(other);
        rest.is_some_and(|rest| other.is_empty() || rest.is_empty() || rest.starts_with('/'))
    };
    let units = graph.units(db).iter().filter(|other| {
        other.lang(db) == PYTHON && other.origin(db) == Origin::Workspace && is_above(other.dir(db))
    });
    let files = units.flat_map(|other| other.files(db).iter());
    let files = files.filter(|file| stem(file.path(db)) == "conftest");
    let modules = files.filter_map(|&file| declared::module_of(db, file));
    modules.map(|(_, module)| module.symbol).collect()
}
