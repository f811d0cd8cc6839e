//! The joins of a unit's files.

use std::sync::Arc;

use codeweft_db::{Db, FileGroupIndex, FileUses, Identifiers, Unit, UnitIndex, has_edited};
use codeweft_syntax::python::ItemKind;

use crate::declared::items;

/// So many files of a unit are joined by themselves.
const GROUP_FILES: usize = 32;

/// The key of [`saved::py_group_index`] and [`edited::py_group_index`].
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct PyGroupKey<'db> {
    /// The unit.
    #[returns(copy)]
    pub unit: Unit,
    /// The number of the group in it.
    #[returns(copy)]
    pub number: u32,
}

/// The joins of a unit over what `$uses` and `$mentions` say of its files.
macro_rules! joins {
    ($uses:path, $identifiers:path) => {
        /// The join of a unit's files: which files use a target, and what is open.
        #[salsa::tracked(returns(clone))]
        pub fn py_unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
            let groups = unit.files(db).len().div_ceil(GROUP_FILES) as u32;
            let groups =
                (0..groups).map(|number| py_group_index(db, PyGroupKey::new(db, unit, number)));
            let groups = groups.collect();
            Arc::new(UnitIndex { groups })
        }

        /// The join of a group of a unit's files.
        #[salsa::tracked(returns(clone))]
        pub fn py_group_index<'db>(db: &'db dyn Db, key: PyGroupKey<'db>) -> Arc<FileGroupIndex> {
            let first = key.number(db) as usize * GROUP_FILES;
            let files = key.unit(db).files(db).iter().skip(first).take(GROUP_FILES);
            let uses: Vec<Arc<FileUses>> = files.map(|&file| $uses(db, file)).collect();
            let nameless = db.shared().names.intern("");
            let uses = uses.iter().map(|uses| &**uses);
            Arc::new(FileGroupIndex::join(nameless, first as u32, uses))
        }

        /// The identifiers of a unit's files, and the name of lambdas where there are some: no text
        /// writes it.
        #[salsa::tracked(returns(clone))]
        pub fn py_unit_identifiers(db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
            let mut names = Vec::new();
            for &file in unit.files(db).iter() {
                names.extend_from_slice(&$identifiers(db, file).names);
                let mut all = items(db, file).into_iter().flat_map(|items| &items.items);
                names.extend(
                    all.find(|item| item.kind == ItemKind::Lambda)
                        .map(|item| item.name),
                );
            }
            Arc::new(Identifiers::from_names(names))
        }
    };
}

/// Of units none of whose files were opened or edited.
pub mod saved {
    use super::*;
    joins!(
        crate::uses::saved_uses,
        codeweft_db::saved::file_identifiers
    );
}

/// Of units with such a file.
pub mod edited {
    use super::*;
    joins!(crate::uses::file_uses, codeweft_db::file_identifiers);
}

/// The join of a unit's files: which files use a target, and what is open.
pub fn py_unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
    match has_edited(db, unit) {
        false => saved::py_unit_index(db, unit),
        true => edited::py_unit_index(db, unit),
    }
}

/// The identifiers of a unit's files.
pub fn py_unit_identifiers(db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
    match has_edited(db, unit) {
        false => saved::py_unit_identifiers(db, unit),
        true => edited::py_unit_identifiers(db, unit),
    }
}
