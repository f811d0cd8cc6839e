//! From the database to what the index takes: the words of each file, and what it imports.

use std::sync::Arc;

use codeweft_db::text_parts::TextParts;
use codeweft_db::{
    Db, File, ImportRow, Items, Language, Origin, Ranges, Unit, UnitGraph, text_queries,
};
use codeweft_graph::languages::language_of;

use crate::index::ImportTarget;
use crate::lex::FileLex;

text_queries! {
    saved {
        /// Returns the words of a text of the disk.
        #[salsa::tracked(returns(clone))]
        pub fn file_lex(db: &dyn Db, file: File) -> Arc<FileLex> {
            lex(db, file, file.saved_text(db), &texts::file_ranges(db, file))
        }
    }
    edited {
        /// Returns the words of a file that was opened or edited, of its current text.
        #[salsa::tracked(returns(clone))]
        pub fn file_lex(db: &dyn Db, file: File) -> Arc<FileLex> {
            let text = if file.is_edited(db) {
                file.edited_text(db)
            } else {
                file.saved_text(db)
            };
            lex(db, file, text, &texts::file_ranges(db, file))
        }
    }
    both {}
    /// Returns the words of a file.
    fn file_lex(File) -> Arc<FileLex>;
}

fn lex(db: &dyn Db, file: File, text: &str, ranges: &Ranges) -> Arc<FileLex> {
    let items: &Items = file.items(db);
    let read = file.lang(db).spec().text_parts;
    let parts = read.map_or_else(TextParts::default, |read| {
        read(text, items, ranges, &db.shared().names)
    });
    Arc::new(FileLex::of(text, &parts))
}

/// Returns the units of the workspace.
pub(crate) fn units(db: &dyn Db) -> Vec<Unit> {
    let Some(graph) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let units = graph.units(db).iter().copied();
    units
        .filter(|unit| unit.origin(db) == Origin::Workspace)
        .collect()
}

/// Returns whether a file is kept out of the index, so that no answer has a line of it: it has a secret.
pub(crate) fn is_excluded(db: &dyn Db, file: File) -> bool {
    codeweft_db::has_secret(db, file)
}

/// Returns the words of a file; `None` for one that is kept out.
pub(crate) fn visible_lex(db: &dyn Db, file: File) -> Option<Arc<FileLex>> {
    (!is_excluded(db, file)).then(|| file_lex(db, file))
}

/// Returns the imports of a unit; `None` for one of a language that is not known.
pub(crate) fn import_rows(db: &dyn Db, unit: Unit) -> Option<Arc<[ImportRow]>> {
    Some(language_of(unit.lang(db))?.imports(db, unit))
}

/// Returns what each file of a unit imports of the workspace by its imports, for the files that import something of it.
pub(crate) fn imports(db: &dyn Db, unit: Unit, rows: &[ImportRow]) -> Vec<(File, ImportTarget)> {
    let Some(language) = language_of(unit.lang(db)) else {
        return Vec::new();
    };
    let targets = rows.iter().filter_map(|row| {
        let target = row
            .unit
            .filter(|target| target.origin(db) == Origin::Workspace)?;
        Some((row.file, import_target(db, language, target, row.to)?))
    });
    targets.collect()
}

fn import_target(
    db: &dyn Db,
    language: &dyn Language,
    unit: Unit,
    package: codeweft_db::SymbolId,
) -> Option<ImportTarget> {
    if unit.lang(db).spec().packages_are_files {
        let range = language.declaration_range(db, package)?;
        return Some(ImportTarget::File(range.file.path(db).as_ref().into()));
    }
    Some(ImportTarget::Folder(unit.dir(db).as_ref().into()))
}
