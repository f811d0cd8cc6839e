//! What a file uses: its bodies as a whole, or in chunks where its text is LOW.

use std::sync::Arc;

use codeweft_db::{Bodies, Db, File, FileUses, OpenSite, Sites, SymbolId, file_bodies};
use codeweft_syntax::python::Chunk;

use super::read;
use crate::declared::{file_symbols, items};
use crate::project::model::MODEL_DIR;

/// What a file uses. Where its text is LOW, its bodies are read in chunks by [`py_part_uses`].
#[salsa::tracked(returns(clone))]
pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
    let bodies = file_bodies(db, file);
    let (Some(items), Bodies::Python(bodies)) = (items(db, file), &*bodies) else {
        return Arc::default();
    };
    let is_model = file.path(db).starts_with(MODEL_DIR);
    let parts = match (is_model, file.touched(db)) {
        // The model tells types; nothing of it runs.
        (true, _) => Vec::new(),
        (false, false) => vec![Arc::new(read(db, file, 0, bodies))],
        (false, true) => {
            let chunks = bodies.chunks(items, &db.shared().names).into_iter();
            let keys = chunks.map(|chunk| PyPartKey::new(db, file, chunk));
            // The keys first: each chunk is dropped where it is known already.
            let keys: Vec<PyPartKey<'_>> = keys.collect();
            keys.into_iter().map(|key| py_part_uses(db, key)).collect()
        }
    };
    let mut uses = join(&parts);
    uses.bodies = file_symbols(db, file).iter().copied().collect();
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

/// What some bodies of a file use whose text is LOW. The text is no input of this query: so it is as
/// durable as the declarations that it read, and no keystroke has them looked at one by one.
#[salsa::tracked(returns(clone))]
pub fn py_part_uses<'db>(db: &'db dyn Db, key: PyPartKey<'db>) -> Arc<PartUses> {
    let chunk = key.chunk(db);
    Arc::new(read(db, key.file(db), chunk.first, &chunk.bodies))
}

/// What some bodies of a file use, as [`FileUses`] has it of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartUses {
    pub(super) sites: Arc<Sites>,
    pub(super) open: Box<[OpenSite]>,
    pub(super) escaped: Box<[SymbolId]>,
}

/// The parts of a file, in the order of its bodies.
fn join(parts: &[Arc<PartUses>]) -> FileUses {
    let open = parts.iter().flat_map(|part| &part.open).copied();
    let mut open: Vec<OpenSite> = open.collect();
    open.sort_unstable();
    let escaped = parts.iter().flat_map(|part| &part.escaped).copied();
    let mut escaped: Vec<SymbolId> = escaped.collect();
    escaped.sort_unstable();
    escaped.dedup();
    FileUses {
        sites: parts.iter().map(|part| part.sites.clone()).collect(),
        open: open.into(),
        escaped: escaped.into(),
        ..FileUses::default()
    }
}
