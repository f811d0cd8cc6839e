//! The joins of a unit's files.

use std::sync::Arc;

use codeweft_db::{Db, FileUses, Mentions, Unit, UnitIndex, file_mentions};
use codeweft_syntax::python::ItemKind;

use crate::declared::items;
use crate::uses::file_uses;

/// The join of a unit's files: which files use a target, and what is open.
#[salsa::tracked(returns(clone))]
pub fn py_unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
    let files = unit.files(db).iter();
    let uses: Vec<Arc<FileUses>> = files.map(|&file| file_uses(db, file)).collect();
    let nameless = db.shared().names.intern("");
    Arc::new(UnitIndex::join(nameless, uses.iter().map(|uses| &**uses)))
}

/// The identifiers of a unit's files, and the name of lambdas where there are some: no text
/// writes it.
#[salsa::tracked(returns(clone))]
pub fn py_unit_mentions(db: &dyn Db, unit: Unit) -> Arc<Mentions> {
    let mut names = Vec::new();
    for &file in unit.files(db).iter() {
        names.extend_from_slice(&file_mentions(db, file).names);
        let mut all = items(db, file).into_iter().flat_map(|items| &items.items);
        names.extend(
            all.find(|item| item.kind == ItemKind::Lambda)
                .map(|item| item.name),
        );
    }
    Arc::new(Mentions::from_names(names))
}
