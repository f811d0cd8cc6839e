//! The salsa queries of uses: those of a file, and the merged index of a unit, that is, which files
//! use a symbol, which have unresolved sites by a name, and which identifiers occur.
//!
//! Of an edited file the bodies that changed are resolved: see [`codeweft_db::BodyParts`]. The files of a
//! unit are merged in groups ([`PyGroupKey`]), and the groups into the unit, so that an edit of
//! one file re-merges its group and the list of groups only:
//!
//! ```text
//! file_uses(f0..f31) -> group 0 \
//! file_uses(f32..f63) -> group 1 > unit index
//! ```

use std::ops::Range;
use std::sync::Arc;

use codeweft_db::{
    Bodies, BodyParts, Db, EditedPart, File, FileGroupIndex, FileUses, Identifiers, PartUses, Unit,
    UnitIndex, edited_file_uses, join_parts, saved_file_uses, text_queries,
};
use codeweft_python_syntax::AsPython as _;
use codeweft_python_syntax::{self as python, Chunk, ItemKind};

use crate::declared::{body_owners, items};
use crate::file_groups::PyGroupKey;
use crate::project::model::MODEL_DIR;
use crate::uses::read_bodies;
use crate::uses::unchanged::{Run, cut, runs};

/// The key of [`py_part_uses`]: a part of a file by its content. Only parts of edited files become keys. A
/// key that no query has used for that many revisions is dropped together with its memo.
#[salsa::interned(revisions = 256)]
pub struct PyPartKey<'db> {
    /// The file.
    #[returns(copy)]
    file: File,
    /// The content.
    #[returns(ref)]
    part: Chunk,
}

/// Returns the uses in a part of an edited file. The text is no input of this query, so the memo is
/// as durable as the declarations that it read.
#[salsa::tracked(returns(clone))]
pub fn py_part_uses<'db>(db: &'db dyn Db, key: PyPartKey<'db>) -> Arc<PartUses> {
    Arc::new(PythonParts::resolve(db, key.file(db), key.part(db)))
}

text_queries! {
    saved {
        /// Returns the uses in a file.
        #[salsa::tracked(returns(clone))]
        pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
            saved_file_uses::<PythonParts>(db, file)
        }
    }
    edited {
        /// Returns the uses in a file, joined from those of its parts.
        #[salsa::tracked(returns(clone))]
        pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
            edited_file_uses::<PythonParts, _>(
                db,
                file,
                |part| PyPartKey::new(db, file, part),
                |key| py_part_uses(db, key),
                || saved::file_uses(db, file),
            )
        }
    }
    both {
        /// Returns which files of a unit use a target, and which have unresolved sites.
        #[salsa::tracked(returns(clone))]
        pub fn py_unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
            let keys = PyGroupKey::of_unit(db, unit);
            let groups = keys.map(|key| texts::py_group_index(db, key));
            Arc::new(UnitIndex::from_groups(groups.collect()))
        }

        /// Returns the same for a group of a unit's files.
        #[salsa::tracked(returns(clone))]
        pub fn py_group_index<'db>(db: &'db dyn Db, key: PyGroupKey<'db>) -> Arc<FileGroupIndex> {
            let uses = key.files(db).iter().map(|&file| texts::file_uses(db, file));
            let nameless = db.shared().names.intern("");
            Arc::new(FileGroupIndex::join(nameless, key.first(db) as u32, uses))
        }

        /// Returns the identifiers of a unit's files, plus the name of lambdas if there are any: no
        /// text contains it.
        #[salsa::tracked(returns(clone))]
        pub fn py_unit_identifiers(db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
            let mut names = Vec::new();
            for &file in unit.files(db).iter() {
                names.extend_from_slice(&texts::file_identifiers(db, file).names);
                let mut all = items(db, file).into_iter().flat_map(|items| &items.items);
                names.extend(
                    all.find(|item| item.kind == ItemKind::Lambda)
                        .map(|item| item.name),
                );
            }
            Arc::new(Identifiers::from_names(names))
        }
    }
    /// Returns the uses in a file. Recomputed when one of its bodies changes, or a declaration that
    /// it read.
    fn file_uses(File) -> Arc<FileUses>;
    /// Returns which files of a unit use a target, and which have unresolved sites.
    fn py_unit_index(Unit) -> Arc<UnitIndex>;
    /// Returns the same for a group of a unit's files.
    fn py_group_index<'db>(PyGroupKey<'db>) -> Arc<FileGroupIndex>;
    /// Returns the identifiers of a unit's files.
    fn py_unit_identifiers(Unit) -> Arc<Identifiers>;
}

/// The division of a Python file: one part if it is saved. If it was edited, the bodies that changed one
/// by one and the runs of others between them, or chunks of bodies if too many changed.
pub struct PythonParts;

impl BodyParts for PythonParts {
    type Bodies = python::Bodies;
    type Part = Chunk;

    fn bodies(all: &Bodies) -> Option<&python::Bodies> {
        all.python()
    }

    fn saved(db: &dyn Db, file: File, bodies: &python::Bodies) -> Vec<Arc<PartUses>> {
        if is_model(db, file) {
            Vec::new()
        } else {
            vec![Arc::new(read_bodies(db, file, 0, bodies))]
        }
    }

    fn edited<K>(
        db: &dyn Db,
        file: File,
        bodies: &python::Bodies,
        saved: &Bodies,
        key: impl Fn(Chunk) -> K,
    ) -> Vec<EditedPart<K>> {
        let Some(items) = items(db, file).filter(|_| !is_model(db, file)) else {
            return Vec::new();
        };
        let edited = |chunk| EditedPart::Edited(key(chunk));
        let saved = saved.python().filter(|_| file.has_saved_items(db));
        let Some(runs) = saved.and_then(|saved| runs(bodies, saved)) else {
            let chunks = bodies.chunks(items, &db.shared().names).into_iter();
            return chunks.map(edited).collect();
        };
        let unchanged = runs.iter().filter_map(Run::unchanged).cloned();
        let unchanged: Vec<Range<usize>> = unchanged.collect();
        let mut unchanged = cut(db, &saved::file_uses(db, file), &unchanged).into_iter();
        let parts = runs.iter().filter_map(|run| match run {
            Run::Unchanged(_) => unchanged.next().map(EditedPart::Saved),
            &Run::Changed(number) => Some(edited(bodies.one_body(number))),
        });
        parts.collect()
    }

    fn resolve(db: &dyn Db, file: File, part: &Chunk) -> PartUses {
        read_bodies(db, file, part.first, &part.bodies)
    }

    fn join(db: &dyn Db, file: File, parts: &[Arc<PartUses>]) -> FileUses {
        FileUses {
            bodies: body_owners(db, file),
            ..join_parts(parts)
        }
    }
}

/// Returns whether a file is of the model of the builtins, which declares types; none of its code
/// runs.
fn is_model(db: &dyn Db, file: File) -> bool {
    file.path(db).starts_with(MODEL_DIR)
}
