//! What a file uses: its bodies as a whole, or in chunks where it was edited.

use std::sync::Arc;

use codeweft_db::{Bodies, Db, File, FileUses, SymbolId, UnresolvedSite, UsesByTarget, is_edited};
use codeweft_syntax::python::{self, Chunk};

use super::read;
use crate::declared::{items, owners};
use crate::project::model::MODEL_DIR;

/// What a file uses.
pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
    match is_edited(db, file) {
        false => saved::file_uses(db, file),
        true => edited::file_uses(db, file),
    }
}

/// Of texts that nobody has opened or edited.
pub mod saved {
    use super::*;

    /// What a file uses.
    #[salsa::tracked(returns(clone))]
    pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
        whole(
            db,
            file,
            &codeweft_db::saved::file_bodies(db, file),
            |_, bodies| vec![Arc::new(read(db, file, 0, bodies))],
        )
    }
}

/// Of texts that were opened or edited.
pub mod edited {
    use super::*;

    /// What a file uses. Its bodies are read in chunks by [`py_part_uses`].
    #[salsa::tracked(returns(clone))]
    pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
        let bodies = codeweft_db::edited::file_bodies(db, file);
        if bodies == codeweft_db::saved::file_bodies(db, file) {
            return saved::file_uses(db, file);
        }
        whole(db, file, &bodies, |items, bodies| {
            let chunks = bodies.chunks(items, &db.shared().names).into_iter();
            let keys = chunks.map(|chunk| PyPartKey::new(db, file, chunk));
            // The keys first: each chunk is dropped where it is known already.
            let keys: Vec<PyPartKey<'_>> = keys.collect();
            keys.into_iter().map(|key| py_part_uses(db, key)).collect()
        })
    }
}

/// Joins what `parts` says of a file.
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
    // The model tells types; nothing of it runs.
    let parts = match is_model {
        true => Vec::new(),
        false => parts(items, bodies),
    };
    let mut uses = join(&parts);
    uses.bodies = owners(db, file);
    Arc::new(uses)
}

/// The key of [`py_part_uses`]: bodies by what they are, not by where they stand. Only those of
/// files that were opened or edited become keys, and those that no question has met for so many
/// revisions are dropped with what hangs on them.
#[salsa::interned(revisions = 256)]
pub struct PyPartKey<'db> {
    /// The file.
    #[returns(copy)]
    file: File,
    /// The bodies.
    #[returns(ref)]
    chunk: Chunk,
}

/// What some bodies of an edited file use. The text is no input of this query: so it is as
/// durable as the declarations that it read, and no keystroke has them looked at one by one.
#[salsa::tracked(returns(clone))]
pub fn py_part_uses<'db>(db: &'db dyn Db, key: PyPartKey<'db>) -> Arc<PartUses> {
    let chunk = key.chunk(db);
    Arc::new(read(db, key.file(db), chunk.first, &chunk.bodies))
}

/// What some bodies of a file use, as [`FileUses`] has it of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartUses {
    pub(super) sites: Arc<UsesByTarget>,
    pub(super) open: Box<[UnresolvedSite]>,
    pub(super) escaped: Box<[SymbolId]>,
    pub(super) behind: Box<[(u32, u32, SymbolId)]>,
}

/// The parts of a file, in the order of its bodies.
fn join(parts: &[Arc<PartUses>]) -> FileUses {
    let open = parts.iter().flat_map(|part| &part.open).copied();
    let mut open: Vec<UnresolvedSite> = open.collect();
    open.sort_unstable();
    let escaped = parts.iter().flat_map(|part| &part.escaped).copied();
    let mut escaped: Vec<SymbolId> = escaped.collect();
    escaped.sort_unstable();
    escaped.dedup();
    let behind = parts.iter().flat_map(|part| &part.behind).copied();
    let mut behind: Vec<(u32, u32, SymbolId)> = behind.collect();
    behind.sort_unstable();
    FileUses {
        uses_by_target: parts.iter().map(|part| part.sites.clone()).collect(),
        unresolved: open.into(),
        escaped: escaped.into(),
        super_calls: behind.into(),
        ..FileUses::default()
    }
}
