//! The merged index of a unit: which files use a symbol, which have unresolved sites by a name, and
//! which identifiers occur.
//!
//! The files of a unit are merged in groups of [`GROUP_FILES`], and the groups into the unit, so
//! that an edit of one file re-merges its group and the list of groups only:
//!
//! ```text
//! file_uses(f0..f31) -> group 0 \
//! file_uses(f32..f63) -> group 1 > unit index
//! ```

use std::sync::Arc;

use codeweft_db::{Db, FileGroupIndex, FileUses, Identifiers, Unit, UnitIndex, has_edited};
use codeweft_syntax::python::ItemKind;

use crate::declared::items;

/// The number of files that are merged into one group.
const GROUP_FILES: usize = 32;

/// The key of [`saved::py_group_index`] and [`edited::py_group_index`].
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct PyGroupKey<'db> {
    /// The unit of the group.
    #[returns(copy)]
    pub unit: Unit,
    /// The number of the group in the unit.
    #[returns(copy)]
    pub number: u32,
}

/// Defines the index queries of a unit over the per-file queries `$uses` and `$mentions`.
macro_rules! joins {
    ($uses:path, $identifiers:path) => {
        /// Returns which files of a unit use a target, and which have unresolved sites.
        #[salsa::tracked(returns(clone))]
        pub fn py_unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
            let groups = unit.files(db).len().div_ceil(GROUP_FILES) as u32;
            let groups =
                (0..groups).map(|number| py_group_index(db, PyGroupKey::new(db, unit, number)));
            let groups = groups.collect();
            Arc::new(UnitIndex::from_groups(groups))
        }

        /// Returns the same for a group of a unit's files.
        #[salsa::tracked(returns(clone))]
        pub fn py_group_index<'db>(db: &'db dyn Db, key: PyGroupKey<'db>) -> Arc<FileGroupIndex> {
            let first = key.number(db) as usize * GROUP_FILES;
            let files = key.unit(db).files(db).iter().skip(first).take(GROUP_FILES);
            let uses: Vec<Arc<FileUses>> = files.map(|&file| $uses(db, file)).collect();
            let nameless = db.shared().names.intern("");
            let uses = uses.iter().map(|uses| &**uses);
            Arc::new(FileGroupIndex::join(nameless, first as u32, uses))
        }

        /// Returns the identifiers of a unit's files, plus the name of lambdas if there are any: no
        /// text contains it.
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

/// The queries for units none of whose files were opened or edited.
pub mod saved {
    use super::*;
    joins!(
        crate::uses::saved_uses,
        codeweft_db::saved::file_identifiers
    );
}

/// The queries for units with at least one opened or edited file.
pub mod edited {
    use super::*;
    joins!(crate::uses::file_uses, codeweft_db::file_identifiers);
}

/// Returns which files of a unit use a target, and which have unresolved sites.
pub fn py_unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
    if !has_edited(db, unit) {
        saved::py_unit_index(db, unit)
    } else {
        edited::py_unit_index(db, unit)
    }
}

/// Returns the identifiers of a unit's files.
pub fn py_unit_identifiers(db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
    if !has_edited(db, unit) {
        saved::py_unit_identifiers(db, unit)
    } else {
        edited::py_unit_identifiers(db, unit)
    }
}
