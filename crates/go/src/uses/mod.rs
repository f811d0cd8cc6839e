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
//! `part_uses` is keyed by the content of a chunk and reads no text, so it is as durable as the
//! declarations that it resolves names to. After a keystroke, salsa verifies the untouched parts
//! with one revision check each.

mod walk;

pub use walk::local_type_def;
pub(crate) use walk::{FilePart, WalkedPart, walk};

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codeweft_db::{
    Conversion, Db, File, FileFlows, FileUses, Flows, Identifiers, LocalDecl, SymbolId, TypeRow,
    Unit, UnitIndex, UnresolvedSite, UsesByTarget, has_edited, is_edited,
};
use codeweft_syntax::go::Chunk;

use crate::hierarchy::RowKey;
use crate::typing::UseRecord;
use crate::units::unit_files;

/// Returns the uses in a file. Recomputed when one of its bodies changes, or a declaration that it
/// read.
pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
    match is_edited(db, file) {
        false => saved::file_uses(db, file),
        true => edited::file_uses(db, file),
    }
}

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

/// Defines the joins of a unit over the results of `$uses` and `$identifiers` for its files.
macro_rules! joins {
    ($uses:path, $identifiers:path) => {
        /// Returns the joined index of a unit's files, from target to files.
        #[salsa::tracked(returns(clone))]
        pub fn unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
            let files = unit_files(db, unit).chosen.iter();
            let uses: Vec<_> = files.map(|&file| $uses(db, file)).collect();
            let empty_name = db.shared().names.intern("");
            Arc::new(UnitIndex::join(empty_name, uses.iter().map(|uses| &**uses)))
        }

        /// Returns the identifiers of a unit's files.
        #[salsa::tracked(returns(clone))]
        pub fn unit_identifiers(db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
            let mut names = Vec::new();
            for &file in unit_files(db, unit).chosen.iter() {
                names.extend_from_slice(&$identifiers(db, file).names);
            }
            Arc::new(Identifiers::from_names(names))
        }

        /// Returns the value flow fragments of a unit's files. Recomputed when a body of the unit
        /// changes; the result is equal unless values flow differently or from other positions.
        #[salsa::tracked(returns(clone))]
        pub fn unit_flows(db: &dyn Db, unit: Unit) -> Arc<[FileFlows]> {
            let mut all = Vec::new();
            for &file in unit_files(db, unit).chosen.iter() {
                let uses = $uses(db, file);
                let flows = uses.flows.iter().cloned();
                all.extend(flows.map(|flows| FileFlows { file, flows }));
            }
            all.into()
        }
    };
}

/// Queries on texts that were never opened or edited, and on units that have only such files.
pub mod saved {
    use super::*;

    /// Implements [`super::file_uses`]. A large file joins the results of its chunks.
    #[salsa::tracked(returns(clone))]
    pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
        let all = codeweft_db::saved::file_bodies(db, file);
        let Some(bodies) = all.go() else {
            return Arc::default();
        };
        let parts = match &*bodies.chunks {
            chunks @ ([] | [_]) => {
                let part = FilePart {
                    chunks,
                    declarations: Some(bodies.count() as u32),
                };
                vec![Arc::new(resolve(db, file, &part))]
            }
            chunks => {
                let numbers = 0..chunks.len() as u32;
                let parts = numbers.map(|number| chunk_uses(db, ChunkKey::new(db, file, number)));
                parts.chain([declaration_uses(db, file)]).collect()
            }
        };
        Arc::new(join(&parts))
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
        let part = FilePart {
            chunks: &[chunk],
            declarations: None,
        };
        Arc::new(resolve(db, key.file(db), &part))
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
        let part = FilePart {
            chunks: &[],
            declarations: Some(body_count(db, file)),
        };
        Arc::new(resolve(db, file, &part))
    }

    joins!(file_uses, codeweft_db::saved::file_identifiers);
}

/// Queries on texts that were opened or edited, and on units with such a file.
pub mod edited {
    use super::*;

    /// Implements [`super::file_uses`]. A chunk of bodies that is unchanged since the saved text is
    /// not resolved again.
    #[salsa::tracked(returns(clone))]
    pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
        let all = codeweft_db::edited::file_bodies(db, file);
        let before = codeweft_db::saved::file_bodies(db, file);
        if all == before {
            return saved::file_uses(db, file);
        }
        let Some(bodies) = all.go() else {
            return Arc::default();
        };
        let count = bodies.count() as u32;
        let new = |chunk: Option<&Arc<Chunk>>, declarations| {
            let chunk = chunk.cloned().map(SharedChunk);
            part_uses(db, PartKey::new(db, file, chunk, declarations))
        };
        let parts = match &*bodies.chunks {
            chunks @ ([] | [_]) => vec![new(chunks.first(), Some(count))],
            chunks => {
                let in_chunks = before.go().filter(|before| before.chunks.len() > 1);
                let old = in_chunks.map_or(&[][..], |before| &before.chunks);
                let part = |(number, chunk): (usize, &Arc<Chunk>)| match old.get(number) {
                    Some(old) if Arc::ptr_eq(old, chunk) => {
                        saved::chunk_uses(db, ChunkKey::new(db, file, number as u32))
                    }
                    _ => new(Some(chunk), None),
                };
                let declarations = match in_chunks {
                    Some(before) if before.count() as u32 == count => {
                        saved::declaration_uses(db, file)
                    }
                    _ => new(None, Some(count)),
                };
                let parts = chunks.iter().enumerate().map(part);
                parts.chain([declarations]).collect()
            }
        };
        Arc::new(join(&parts))
    }

    joins!(super::file_uses, codeweft_db::file_identifiers);
}

/// Defines a plain function for each pair of queries in [`saved`] and [`edited`]. Among tracked
/// queries only those in [`edited`] may call these functions: see [`codeweft_db::File::is_edited`].
macro_rules! by_texts {
    ($($(#[$docs:meta])* $name:ident -> $value:ty;)*) => {$(
        $(#[$docs])*
        pub fn $name(db: &dyn Db, unit: Unit) -> $value {
            match has_edited(db, unit) {
                false => saved::$name(db, unit),
                true => edited::$name(db, unit),
            }
        }
    )*};
}

by_texts! {
    /// Returns the joined index of a unit's files, from target to files.
    unit_index -> Arc<UnitIndex>;
    /// Returns the identifiers of a unit's files.
    unit_identifiers -> Arc<Identifiers>;
    /// Returns the value flow fragments of a unit's files.
    unit_flows -> Arc<[FileFlows]>;
}

/// A chunk compared by identity: equal only to the same allocation.
#[derive(Clone)]
pub struct SharedChunk(Arc<Chunk>);

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

/// The key of [`part_uses`]: a part of a file by its content. Only parts of edited files become
/// keys. A key that no query has used for that many revisions is dropped together with its memo.
#[salsa::interned(revisions = 256)]
pub struct PartKey<'db> {
    /// The file.
    #[returns(copy)]
    file: File,
    /// The bodies.
    #[returns(ref)]
    chunk: Option<SharedChunk>,
    /// See [`FilePart::declarations`].
    #[returns(copy)]
    declarations: Option<u32>,
}

/// Returns the uses in a part of an edited file. The text is no input of this query, so the memo is
/// as durable as the declarations that it read, and a keystroke does not make salsa verify these
/// one by one.
#[salsa::tracked(returns(clone))]
pub fn part_uses<'db>(db: &'db dyn Db, key: PartKey<'db>) -> Arc<PartUses> {
    let chunk = key.chunk(db).as_ref().map(|same| same.0.clone());
    let part = FilePart {
        chunks: chunk.as_slice(),
        declarations: key.declarations(db),
    };
    Arc::new(resolve(db, key.file(db), &part))
}

/// The uses in a part of a file, with the fields of [`FileUses`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartUses {
    uses_by_target: Arc<UsesByTarget>,
    unresolved: Box<[UnresolvedSite]>,
    bodies: Box<[SymbolId]>,
    escaped: Box<[SymbolId]>,
    locals: Box<[LocalDecl]>,
    conversions: Box<[Conversion]>,
    types: Box<[(RowKey, TypeRow)]>,
    interfaces: Box<[(RowKey, TypeRow)]>,
    flows: Arc<Flows>,
}

/// Resolves a part of a file.
fn resolve(db: &dyn Db, file: File, part: &FilePart<'_>) -> PartUses {
    let Some(walked) = walk(db, file, UseRecord::default(), part, |_, _| true) else {
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
        locals: record.locals.into(),
        conversions: record.conversions.into(),
        types: rows.types.into(),
        interfaces: rows.interfaces.into(),
        flows: Arc::new(flows),
    }
}

/// Joins the parts of a file: its bodies in order, the declarations last.
fn join(parts: &[Arc<PartUses>]) -> FileUses {
    fn all<T: Clone>(parts: &[Arc<PartUses>], of: impl Fn(&PartUses) -> &[T]) -> Vec<T> {
        parts.iter().flat_map(|part| of(part)).cloned().collect()
    }
    fn distinct<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
        list.sort_unstable();
        list.dedup();
        list.into()
    }
    // Parts may contain the same instance.
    fn rows(mut rows: Vec<(RowKey, TypeRow)>) -> Box<[TypeRow]> {
        rows.sort_by_key(|&(key, _)| key);
        rows.dedup_by_key(|&mut (key, _)| key);
        rows.into_iter().map(|(_, row)| row).collect()
    }
    let mut unresolved = all(parts, |part| &part.unresolved);
    unresolved.sort_unstable();
    let flows = parts.iter().map(|part| &part.flows);
    FileUses {
        uses_by_target: parts
            .iter()
            .map(|part| part.uses_by_target.clone())
            .collect(),
        unresolved: unresolved.into(),
        bodies: all(parts, |part| &part.bodies).into(),
        escaped: distinct(all(parts, |part| &part.escaped)),
        types: rows(all(parts, |part| &part.types)),
        interfaces: rows(all(parts, |part| &part.interfaces)),
        locals: all(parts, |part| &part.locals).into(),
        conversions: distinct(all(parts, |part| &part.conversions)),
        flows: flows.filter(|flows| !flows.is_empty()).cloned().collect(),
        super_calls: Box::default(),
    }
}
