//! The uses in a file's bodies and declarations, and their joins per unit.
//!
//! [`file_uses`] resolves a file by walking it with a [`Checker`](crate::typing::Checker) and keeps only targets: the types
//! of expressions are dropped. Three variants of that query bound the work after an edit:
//!
//! ```text
//! saved, small file   saved::file_uses(file)      one walk over the whole file
//! saved, large file   saved::file_uses(file)      joins chunk_uses(file, 0..n) and declaration_uses(file);
//!                     └─ chunk_uses(file, n) ─ body_chunk(file, n)   firewall: equal unless its bodies changed
//! edited file         edited::file_uses(file)     joins, per chunk of bodies:
//!                     ├─ unchanged since saved:   saved::chunk_uses(file, n)
//!                     └─ changed:                 part_uses(chunk content)
//! ```
//!
//! The mechanism is that of [`codeweft_db::BodyParts`].

mod walk;

pub use walk::local_type_def;
pub(crate) use walk::{FilePart, WalkedPart, walk};

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codeweft_db::{
    Bodies, BodyParts, BoxedType, Db, EditedPart, File, FileFlows, FileUses, Identifiers, PartUses,
    Unit, UnitIndex, UsesByTarget, distinct, edited_file_uses, saved_file_uses, text_queries,
};
use codeweft_go_syntax::{self as go, AsGo as _, Chunk};

use crate::typing::UseRecord;
use crate::units::unit_files;

/// The key of [`saved::body_chunk`] and [`saved::chunk_uses`].
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ChunkKey<'db> {
    /// The file.
    #[returns(copy)]
    pub file: File,
    /// The number of the chunk in the file.
    #[returns(copy)]
    pub number: u32,
}

/// The key of [`part_uses`]: a part of a file by its content. Only parts of edited files become keys. A
/// key that no query has used for that many revisions is dropped together with its memo.
#[salsa::interned(revisions = 256)]
pub struct PartKey<'db> {
    /// The file.
    #[returns(copy)]
    file: File,
    /// The content.
    #[returns(ref)]
    part: GoPart,
}

/// Returns the uses in a part of an edited file. The text is no input of this query, so the memo is
/// as durable as the declarations that it read.
#[salsa::tracked(returns(clone))]
pub fn part_uses<'db>(db: &'db dyn Db, key: PartKey<'db>) -> Arc<PartUses> {
    Arc::new(GoParts::resolve(db, key.file(db), key.part(db)))
}

text_queries! {
    saved {
        /// Returns the uses in a file.
        #[salsa::tracked(returns(clone))]
        pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
            saved_file_uses::<GoParts>(db, file)
        }

        /// Returns a chunk of a file's bodies: equal unless code inside one of them changed. `None`
        /// beyond the last chunk.
        #[salsa::tracked(returns(clone))]
        pub fn body_chunk<'db>(db: &'db dyn Db, key: ChunkKey<'db>) -> Option<Arc<Chunk>> {
            let all = codeweft_db::saved::file_bodies(db, key.file(db));
            all.go()?.chunks.get(key.number(db) as usize).cloned()
        }

        /// Returns the uses in a chunk of a large file.
        #[salsa::tracked(returns(clone))]
        pub fn chunk_uses<'db>(db: &'db dyn Db, key: ChunkKey<'db>) -> Arc<PartUses> {
            let Some(chunk) = body_chunk(db, key) else {
                return Arc::default();
            };
            let part = GoPart::new(Some(&chunk), None);
            Arc::new(GoParts::resolve(db, key.file(db), &part))
        }

        /// Returns the number of bodies in a large file.
        #[salsa::tracked(returns(copy))]
        pub fn body_count(db: &dyn Db, file: File) -> u32 {
            let all = codeweft_db::saved::file_bodies(db, file);
            all.go().map_or(0, |bodies| bodies.count() as u32)
        }

        /// Returns the uses in the declarations of a large file, outside bodies.
        #[salsa::tracked(returns(clone))]
        pub fn declaration_uses(db: &dyn Db, file: File) -> Arc<PartUses> {
            let part = GoPart::new(None, Some(body_count(db, file)));
            Arc::new(GoParts::resolve(db, file, &part))
        }
    }
    edited {
        /// Returns the uses in a file, joined from those of its parts.
        #[salsa::tracked(returns(clone))]
        pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
            edited_file_uses::<GoParts, _>(
                db,
                file,
                |part| PartKey::new(db, file, part),
                |key| part_uses(db, key),
                || saved::file_uses(db, file),
            )
        }
    }
    both {
        /// Returns the joined index of a unit's files, from target to files.
        #[salsa::tracked(returns(clone))]
        pub fn unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
            let files = unit_files(db, unit).chosen.iter();
            let uses = files.map(|&file| texts::file_uses(db, file));
            Arc::new(UnitIndex::join(db.shared().names.intern(""), uses))
        }

        /// Returns the identifiers of a unit's files.
        #[salsa::tracked(returns(clone))]
        pub fn unit_identifiers(db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
            let mut names = Vec::new();
            for &file in unit_files(db, unit).chosen.iter() {
                names.extend_from_slice(&texts::file_identifiers(db, file).names);
            }
            Arc::new(Identifiers::from_names(names))
        }

        /// Returns the value flow fragments of a unit's files. Recomputed when a body of the unit
        /// changes; the result is equal unless values flow differently or from other positions.
        #[salsa::tracked(returns(clone))]
        pub fn unit_flows(db: &dyn Db, unit: Unit) -> Arc<[FileFlows]> {
            let mut all = Vec::new();
            for &file in unit_files(db, unit).chosen.iter() {
                let uses = texts::file_uses(db, file);
                let flows = uses.flows.iter().cloned();
                all.extend(flows.map(|flows| FileFlows { file, flows }));
            }
            all.into()
        }
    }
    /// Returns the uses in a file. Recomputed when one of its bodies changes, or a declaration that
    /// it read.
    fn file_uses(File) -> Arc<FileUses>;
    /// Returns the joined index of a unit's files, from target to files.
    fn unit_index(Unit) -> Arc<UnitIndex>;
    /// Returns the identifiers of a unit's files.
    fn unit_identifiers(Unit) -> Arc<Identifiers>;
    /// Returns the value flow fragments of a unit's files.
    fn unit_flows(Unit) -> Arc<[FileFlows]>;
}

/// The content of a part of a file: a chunk of its bodies, its declarations, or both.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct GoPart {
    chunk: Option<SharedChunk>,
    /// See [`FilePart::declarations`].
    declarations: Option<u32>,
}

impl GoPart {
    fn new(chunk: Option<&Arc<Chunk>>, declarations: Option<u32>) -> GoPart {
        GoPart {
            chunk: chunk.cloned().map(SharedChunk),
            declarations,
        }
    }
}

/// A chunk compared by identity: equal only to the same allocation.
#[derive(Clone)]
struct SharedChunk(Arc<Chunk>);

impl PartialEq for SharedChunk {
    fn eq(&self, other: &SharedChunk) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedChunk {}

impl Hash for SharedChunk {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

/// The division of a Go file: its chunks of bodies, then its declarations; one part if it is small.
pub struct GoParts;

impl BodyParts for GoParts {
    type Bodies = go::Bodies;
    type Part = GoPart;

    fn bodies(all: &Bodies) -> Option<&go::Bodies> {
        all.go()
    }

    fn saved(db: &dyn Db, file: File, bodies: &go::Bodies) -> Vec<Arc<PartUses>> {
        match &*bodies.chunks {
            chunks @ ([] | [_]) => {
                let part = GoPart::new(chunks.first(), Some(bodies.count() as u32));
                vec![Arc::new(GoParts::resolve(db, file, &part))]
            }
            chunks => {
                let keys = (0..chunks.len() as u32).map(|number| ChunkKey::new(db, file, number));
                let parts = keys.map(|key| saved::chunk_uses(db, key));
                parts.chain([saved::declaration_uses(db, file)]).collect()
            }
        }
    }

    fn edited<K>(
        db: &dyn Db,
        file: File,
        bodies: &go::Bodies,
        before: &Bodies,
        key: impl Fn(GoPart) -> K,
    ) -> Vec<EditedPart<K>> {
        let count = bodies.count() as u32;
        let new = |chunk: Option<&_>, declarations| {
            EditedPart::Edited(key(GoPart::new(chunk, declarations)))
        };
        let chunks = match &*bodies.chunks {
            chunks @ ([] | [_]) => return vec![new(chunks.first(), Some(count))],
            chunks => chunks,
        };
        let before = before.go().filter(|before| before.chunks.len() > 1);
        let old = before.map_or(&[][..], |before| &before.chunks);
        let part = |(number, chunk): (usize, &Arc<Chunk>)| match old.get(number) {
            Some(old) if Arc::ptr_eq(old, chunk) => {
                let key = ChunkKey::new(db, file, number as u32);
                EditedPart::Saved(saved::chunk_uses(db, key))
            }
            _ => new(Some(chunk), None),
        };
        let declarations = match before {
            Some(before) if before.count() as u32 == count => {
                EditedPart::Saved(saved::declaration_uses(db, file))
            }
            _ => new(None, Some(count)),
        };
        let parts = chunks.iter().enumerate().map(part);
        parts.chain([declarations]).collect()
    }

    fn resolve(db: &dyn Db, file: File, part: &GoPart) -> PartUses {
        let chunk = part.chunk.as_ref().map(|same| same.0.clone());
        let part = FilePart {
            chunks: chunk.as_slice(),
            declarations: part.declarations,
        };
        let Some(walked) = walk(db, file, UseRecord::default(), &part, |_, _| true) else {
            return PartUses::default();
        };
        let WalkedPart {
            mut record,
            bodies,
            rows,
            local_types: _,
        } = walked;
        let flows = record.flows.take();
        PartUses {
            uses_by_target: Arc::new(UsesByTarget::grouped(record.uses)),
            unresolved: record.unresolved.into(),
            bodies,
            escaped: record.escaped.into(),
            super_calls: Box::default(),
            locals: record.locals.into(),
            conversions: record.conversions.into(),
            boxed: once_a_body(record.boxed),
            unnamed_fields: distinct(record.unnamed_fields),
            types: rows.types.into(),
            interfaces: rows.interfaces.into(),
            flows: (!flows.is_empty()).then(|| Arc::new(flows)),
        }
    }
}

/// Returns the first occurrence of each type in each body, sorted.
fn once_a_body(mut boxed: Vec<BoxedType>) -> Box<[BoxedType]> {
    boxed.sort_unstable();
    boxed.dedup_by_key(|one| (one.ty, one.body));
    boxed.into()
}
