//! Groups of a unit's files: the keys of queries that join what several files yield.
//!
//! A unit of the workspace may be a folder of hundreds of files. What an edit of one of them
//! recomputes is a group, not the unit; and a group without an edited file is as durable as its
//! files, whatever else of the unit is edited.

use codeweft_db::{Db, File, TextKey, Unit, UnitGraph};
use codeweft_python_syntax::PYTHON;

/// The number of files of a group; the last one of a unit may have fewer.
const GROUP_FILES: usize = 32;

const _: () = assert!(
    GROUP_FILES <= 256,
    "a byte holds the number of a file in its group"
);

/// A group of a unit's files.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct PyGroupKey<'db> {
    /// The unit of the group.
    #[returns(copy)]
    pub unit: Unit,
    /// The number of the group in the unit.
    #[returns(copy)]
    pub number: u32,
}

impl<'db> PyGroupKey<'db> {
    /// Returns the groups of a unit, in order of their files.
    pub fn of_unit(db: &'db dyn Db, unit: Unit) -> impl Iterator<Item = PyGroupKey<'db>> {
        let groups = unit.files(db).len().div_ceil(GROUP_FILES) as u32;
        (0..groups).map(move |number| PyGroupKey::new(db, unit, number))
    }

    /// Returns the groups of all Python units.
    pub fn all(db: &'db dyn Db, universe: UnitGraph) -> impl Iterator<Item = PyGroupKey<'db>> {
        let units = universe.units(db).iter().copied();
        let own = units.filter(|unit| unit.lang(db) == PYTHON);
        own.flat_map(|unit| PyGroupKey::of_unit(db, unit))
    }

    /// Returns the number of the first file in the list of the unit's files.
    pub fn first(self, db: &'db dyn Db) -> usize {
        self.number(db) as usize * GROUP_FILES
    }

    /// Returns the files, in the order of the unit's.
    pub fn files(self, db: &'db dyn Db) -> &'db [File] {
        let rest = self.unit(db).files(db).get(self.first(db)..);
        let rest = rest.unwrap_or_default();
        &rest[..rest.len().min(GROUP_FILES)]
    }
}

impl TextKey for PyGroupKey<'_> {
    fn is_of_edited_text(self, db: &dyn Db) -> bool {
        let is_edited = |file: &File| file.is_edited(db);
        self.unit(db).has_edited(db) && self.files(db).iter().any(is_edited)
    }
}
