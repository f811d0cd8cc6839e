//! The uses of a file, resolved in parts of its bodies, so that an edit resolves one part.
//!
//! ```text
//! saved::file_uses(file)    joins BodyParts::saved
//! edited::file_uses(file)   bodies as saved?  ─ yes ─> saved::file_uses(file)
//!                                             └ no ──> joins BodyParts::edited:
//!                             ├─ a part as saved        the result of a query of the saved text
//!                             └─ any other              part_uses(content of the part)
//! ```
//!
//! The key of `part_uses` is a part's content, and the text is no input of it. So its memo is as
//! durable as the declarations that it read, and after a keystroke salsa verifies an untouched part
//! with one revision check. The queries are a language's own, over [`saved_file_uses`] and
//! [`edited_file_uses`].

use std::sync::Arc;

use codeweft_syntax::Bodies;

use crate::{
    BoxedType, Conversion, Db, File, FileUses, Flows, LocalDecl, SymbolId, TypeRow, UnresolvedSite,
    UsesByTarget,
};

/// A language's division of the bodies of a file into parts that are resolved one by one.
pub trait BodyParts {
    /// The bodies of a file.
    type Bodies;

    /// The content of a part. The uses of a part depend on its file, its content and declarations,
    /// and not on anything else in the file's bodies.
    type Part;

    /// Returns the bodies of a file in the language; `None` if they are another language's.
    fn bodies(all: &Bodies) -> Option<&Self::Bodies>;

    /// Returns the uses of a saved text, in parts.
    fn saved(db: &dyn Db, file: File, bodies: &Self::Bodies) -> Vec<Arc<PartUses>>;

    /// Returns the parts of an edited text; `saved` are the bodies of the saved text, and `key`
    /// interns a part.
    fn edited<K>(
        db: &dyn Db,
        file: File,
        bodies: &Self::Bodies,
        saved: &Bodies,
        key: impl Fn(Self::Part) -> K,
    ) -> Vec<EditedPart<K>>;

    /// Resolves a part of a file.
    fn resolve(db: &dyn Db, file: File, part: &Self::Part) -> PartUses;

    /// Joins the parts of a file.
    fn join(_db: &dyn Db, _file: File, parts: &[Arc<PartUses>]) -> FileUses {
        join_parts(parts)
    }
}

/// A part of an edited text.
pub enum EditedPart<K> {
    /// A part that the saved text has too, with its uses.
    Saved(Arc<PartUses>),
    /// Any other part, by its interned content.
    Edited(K),
}

/// The uses in a part of a file, with the fields of [`FileUses`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartUses {
    /// The uses by target.
    pub uses_by_target: Arc<UsesByTarget>,
    /// Calls without a known target.
    pub unresolved: Box<[UnresolvedSite]>,
    /// The symbol of each body.
    pub bodies: Box<[SymbolId]>,
    /// Functions and methods used as values.
    pub escaped: Box<[SymbolId]>,
    /// See [`FileUses::super_calls`].
    pub super_calls: Box<[(u32, u32, SymbolId)]>,
    /// Declarations inside bodies.
    pub locals: Box<[LocalDecl]>,
    /// Conversions of values to interface types.
    pub conversions: Box<[Conversion]>,
    /// See [`FileUses::boxed`].
    pub boxed: Box<[BoxedType]>,
    /// See [`FileUses::unnamed_fields`].
    pub unnamed_fields: Box<[SymbolId]>,
    /// Rows of types.
    pub types: Box<[(RowKey, TypeRow)]>,
    /// Rows of interfaces.
    pub interfaces: Box<[(RowKey, TypeRow)]>,
    /// The value flow fragment, if there is any.
    pub flows: Option<Arc<Flows>>,
}

/// The origin of a row of a type that a body uses or declares: equal keys have equal rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RowKey {
    /// An instance of a generic type, by its number in the language's type table.
    Instance(u32),
    /// A type declared in a function.
    Local(SymbolId),
}

/// Joins the parts of a file, in the order of its bodies.
pub fn join_parts(parts: &[Arc<PartUses>]) -> FileUses {
    fn all<T: Clone>(parts: &[Arc<PartUses>], of: impl Fn(&PartUses) -> &[T]) -> Vec<T> {
        parts.iter().flat_map(|part| of(part)).cloned().collect()
    }
    fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
        list.sort_unstable();
        list
    }
    fn distinct<T: Ord>(list: Vec<T>) -> Box<[T]> {
        let mut list = sorted(list);
        list.dedup();
        list.into()
    }
    // Parts may contain the same instance.
    fn rows(mut rows: Vec<(RowKey, TypeRow)>) -> Box<[TypeRow]> {
        rows.sort_by_key(|&(key, _)| key);
        rows.dedup_by_key(|&mut (key, _)| key);
        rows.into_iter().map(|(_, row)| row).collect()
    }
    let uses_by_target = parts.iter().map(|part| part.uses_by_target.clone());
    FileUses {
        uses_by_target: uses_by_target.collect(),
        unresolved: sorted(all(parts, |part| &part.unresolved)).into(),
        bodies: all(parts, |part| &part.bodies).into(),
        escaped: distinct(all(parts, |part| &part.escaped)),
        super_calls: sorted(all(parts, |part| &part.super_calls)).into(),
        types: rows(all(parts, |part| &part.types)),
        interfaces: rows(all(parts, |part| &part.interfaces)),
        locals: all(parts, |part| &part.locals).into(),
        conversions: distinct(all(parts, |part| &part.conversions)),
        boxed: distinct(all(parts, |part| &part.boxed)),
        unnamed_fields: distinct(all(parts, |part| &part.unnamed_fields)),
        flows: parts.iter().filter_map(|part| part.flows.clone()).collect(),
    }
}

/// Implements `saved::file_uses`.
pub fn saved_file_uses<P: BodyParts>(db: &dyn Db, file: File) -> Arc<FileUses> {
    let all = crate::saved::file_bodies(db, file);
    match P::bodies(&all) {
        Some(bodies) => Arc::new(P::join(db, file, &P::saved(db, file, bodies))),
        None => Arc::default(),
    }
}

/// Implements `edited::file_uses` over the interning of a key, the query of its uses, and
/// `saved::file_uses`.
pub fn edited_file_uses<P: BodyParts, K>(
    db: &dyn Db,
    file: File,
    key: impl Fn(P::Part) -> K,
    part_uses: impl Fn(K) -> Arc<PartUses>,
    saved_uses: impl FnOnce() -> Arc<FileUses>,
) -> Arc<FileUses> {
    let all = crate::edited::file_bodies(db, file);
    let saved = crate::saved::file_bodies(db, file);
    if *all == *saved {
        return saved_uses();
    }
    let Some(bodies) = P::bodies(&all) else {
        return Arc::default();
    };
    // All keys are interned first, so that the content of a known part is freed before the next is
    // resolved.
    let parts = P::edited(db, file, bodies, &saved, key);
    let parts = parts.into_iter().map(|part| match part {
        EditedPart::Saved(uses) => uses,
        EditedPart::Edited(key) => part_uses(key),
    });
    Arc::new(P::join(db, file, &parts.collect::<Vec<_>>()))
}
