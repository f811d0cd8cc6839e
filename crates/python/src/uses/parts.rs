//! The salsa queries of a file's uses: for the whole file if it is saved, in chunks of bodies if it
//! was opened or edited, so that an edit re-evaluates one chunk.

use std::sync::Arc;

use codeweft_db::{Bodies, Db, File, FileUses, SymbolId, UnresolvedSite, UsesByTarget, is_edited};
use codeweft_syntax::python::{self, Chunk};

use super::read_bodies;
use crate::declared::{body_owners, items};
use crate::project::model::MODEL_DIR;

/// Returns the uses of a file.
pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
    if !is_edited(db, file) {
        saved::file_uses(db, file)
    } else {
        edited::file_uses(db, file)
    }
}

/// The query for files that were neither opened nor edited.
pub mod saved {
    use super::*;

    /// Returns the uses of a file.
    #[salsa::tracked(returns(clone))]
    pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
        whole(
            db,
            file,
            &codeweft_db::saved::file_bodies(db, file),
            |_, bodies| vec![Arc::new(read_bodies(db, file, 0, bodies))],
        )
    }
}

/// The queries for files that were opened or edited.
pub mod edited {
    use super::*;

    /// Returns the uses of a file, joined from [`py_part_uses`] of its chunks.
    #[salsa::tracked(returns(clone))]
    pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
        let bodies = codeweft_db::edited::file_bodies(db, file);
        if bodies == codeweft_db::saved::file_bodies(db, file) {
            return saved::file_uses(db, file);
        }
        whole(db, file, &bodies, |items, bodies| {
            let chunks = bodies.chunks(items, &db.shared().names).into_iter();
            let keys = chunks.map(|chunk| PyPartKey::new(db, file, chunk));
            // All keys are interned first, so that the text of a known chunk is freed before the
            // next is evaluated.
            let keys: Vec<PyPartKey<'_>> = keys.collect();
            keys.into_iter().map(|key| py_part_uses(db, key)).collect()
        })
    }
}

/// Joins the uses of a file from its parts.
fn whole(
    db: &dyn Db,
    file: File,
    bodies: &Bodies,
    parts: impl FnOnce(&python::Items, &python::Bodies) -> Vec<Arc<PartUses>>,
) -> Arc<FileUses> {
    let (Some(items), Bodies::Python(bodies)) = (items(db, file), bodies) else {
        return Arc::default();
    };
    let is_model = file.path(db).starts_with(MODEL_DIR);
    // The model declares types; none of its code runs.
    let parts = if is_model {
        Vec::new()
    } else {
        parts(items, bodies)
    };
    let mut uses = join(&parts);
    uses.bodies = body_owners(db, file);
    Arc::new(uses)
}

/// The key of [`py_part_uses`]: bodies by content, not by position. Only bodies of opened or edited
/// files become keys; a key that no query used for this many revisions is collected with its memos.
#[salsa::interned(revisions = 256)]
pub struct PyPartKey<'db> {
    /// The file of the bodies.
    #[returns(copy)]
    file: File,
    /// The content of the bodies.
    #[returns(ref)]
    chunk: Chunk,
}

/// Returns the uses of some bodies of an edited file. The text is no input of this query, so that
/// its memo is as durable as the declarations that it read, and an edit does not re-verify every
/// chunk.
#[salsa::tracked(returns(clone))]
pub fn py_part_uses<'db>(db: &'db dyn Db, key: PyPartKey<'db>) -> Arc<PartUses> {
    let chunk = key.chunk(db);
    Arc::new(read_bodies(db, key.file(db), chunk.first, &chunk.bodies))
}

/// The uses of some bodies of a file, in the form of [`FileUses`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartUses {
    pub(super) sites: Arc<UsesByTarget>,
    pub(super) unresolved: Box<[UnresolvedSite]>,
    pub(super) escaped: Box<[SymbolId]>,
    pub(super) super_calls: Box<[(u32, u32, SymbolId)]>,
}

/// Joins the parts of a file, in the order of its bodies.
fn join(parts: &[Arc<PartUses>]) -> FileUses {
    let unresolved = parts.iter().flat_map(|part| &part.unresolved).copied();
    let mut unresolved: Vec<UnresolvedSite> = unresolved.collect();
    unresolved.sort_unstable();
    let escaped = parts.iter().flat_map(|part| &part.escaped).copied();
    let mut escaped: Vec<SymbolId> = escaped.collect();
    escaped.sort_unstable();
    escaped.dedup();
    let super_calls = parts.iter().flat_map(|part| &part.super_calls).copied();
    let mut super_calls: Vec<(u32, u32, SymbolId)> = super_calls.collect();
    super_calls.sort_unstable();
    FileUses {
        uses_by_target: parts.iter().map(|part| part.sites.clone()).collect(),
        unresolved: unresolved.into(),
        escaped: escaped.into(),
        super_calls: super_calls.into(),
        ..FileUses::default()
    }
}
