//! Lowering of texts and the firewall queries below it.
//!
//! Every query exists twice, in [`saved`] and in [`edited`]; a plain function of the same name
//! picks one:
//!
//! ```text
//! file_bodies(db, file) ─ is_edited? ─ no ──> saved::file_bodies(file)   MEDIUM or HIGH
//!                                    └ yes ─> edited::file_bodies(file)  LOW
//! ```
//!
//! A tracked query that reads `is_edited` would become LOW for every file, and salsa would then
//! verify it after each keystroke anywhere. So only queries in `edited` may call the plain
//! functions.
//!
//! A firewall query projects one part out of [`FileIr`]. `lower` runs after every change of the
//! text; a dependent of, say, [`file_bodies`] runs only if that part compares unequal.

use std::sync::Arc;

use codeweft_syntax::{Bodies, CachedTree, FileIr, Identifiers, Lang, Ranges, Report};

use crate::{Db, File, Unit};

/// The size in bytes from which a text's tree is dropped on another thread, because a writer waits
/// for the thread that drops it.
const LARGE_TEXT: usize = 256 << 10;

/// Lowers a text, or takes the result that the host has already lowered from the very same text.
fn lower_file(db: &dyn Db, file: File, text: &Arc<str>) -> FileIr {
    let same = |_: &File, (lowered, _): &(Arc<str>, FileIr)| Arc::ptr_eq(lowered, text);
    if let Some((_, (_, ir))) = db.shared().lowered.remove_if(&file, same) {
        return ir;
    }
    let stop = || db.wants_stop();
    loop {
        if let Some(ir) = lower_until_stopped(db, text, file.lang(db), &stop) {
            return ir;
        }
        // A writer is about to write but has not cancelled this revision yet: start over until
        // salsa unwinds.
        db.unwind_query_if_cancelled();
        std::thread::yield_now();
    }
}

/// Lowers a text; `None` if `stop` returned true.
fn lower_until_stopped(
    db: &dyn Db,
    text: &str,
    lang: Lang,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let shared = db.shared();
    if text.len() < LARGE_TEXT {
        return codeweft_syntax::lower(text, lang, &shared.names, stop);
    }
    let mut tree = CachedTree::default();
    let ir = codeweft_syntax::lower_next(text, lang, &shared.names, &mut tree, stop);
    shared.defer_drop(tree);
    ir
}

/// Defines the firewall queries below `lower`.
macro_rules! firewalls {
    () => {
        /// Returns the bodies of a file: equal unless code inside a body changed.
        #[salsa::tracked(returns(clone))]
        pub fn file_bodies(db: &dyn Db, file: File) -> Arc<Bodies> {
            lower(db, file).bodies.clone()
        }

        /// Returns the identifiers of a file: equal unless one was added or removed.
        #[salsa::tracked(returns(clone))]
        pub fn file_identifiers(db: &dyn Db, file: File) -> Arc<Identifiers> {
            lower(db, file).identifiers.clone()
        }

        /// Returns the byte offsets of a file, changed by nearly every edit and read only for
        /// printing locations. Never evicted: they take a third of a byte per byte of text, and
        /// reading a file anew costs a parse.
        #[salsa::tracked(returns(clone))]
        pub fn file_ranges(db: &dyn Db, file: File) -> Arc<Ranges> {
            lower(db, file).ranges.clone()
        }

        /// Returns the report of what could not be parsed in a file.
        #[salsa::tracked(returns(clone))]
        pub fn file_report(db: &dyn Db, file: File) -> Arc<Report> {
            lower(db, file).report.clone()
        }
    };
}

/// Queries on texts that were never opened or edited. As durable as the files: nothing here reads
/// [`File::is_edited`].
pub mod saved {
    use super::*;

    /// Parses and walks a file in one query; the tree is dropped inside. The firewalls compare its
    /// parts, so the whole is never compared.
    #[salsa::tracked(no_eq, lru = 64)]
    pub fn lower(db: &dyn Db, file: File) -> FileIr {
        lower_file(db, file, file.saved_text(db))
    }

    firewalls!();

    /// Implements [`super::unit_broken`].
    #[salsa::tracked(returns(clone))]
    pub fn unit_broken(db: &dyn Db, unit: Unit) -> Arc<[(File, u32)]> {
        broken(db, unit, file_report)
    }
}

/// Queries on texts that were opened or edited, and on units with such a file. All of them are LOW.
pub mod edited {
    use super::*;

    /// Lowers the edited text; if that is the saved text, reuses the saved parts.
    #[salsa::tracked(no_eq, lru = 64)]
    pub fn lower(db: &dyn Db, file: File) -> FileIr {
        let text = file.edited_text(db);
        if Arc::ptr_eq(text, file.saved_text(db)) {
            return FileIr {
                header: file.header(db).clone(),
                items: file.items(db).clone(),
                bodies: saved::file_bodies(db, file),
                ranges: saved::file_ranges(db, file),
                identifiers: saved::file_identifiers(db, file),
                report: saved::file_report(db, file),
            };
        }
        lower_file(db, file, text)
    }

    firewalls!();

    /// Implements [`super::unit_broken`].
    #[salsa::tracked(returns(clone))]
    pub fn unit_broken(db: &dyn Db, unit: Unit) -> Arc<[(File, u32)]> {
        broken(db, unit, super::file_report)
    }
}

/// Implements `unit_broken` over the reports of one kind of text.
fn broken(
    db: &dyn Db,
    unit: Unit,
    report: impl Fn(&dyn Db, File) -> Arc<Report>,
) -> Arc<[(File, u32)]> {
    let files = unit.files(db).iter();
    files
        .filter_map(|&file| Some((file, *report(db, file).error_lines.first()?)))
        .collect()
}

/// Returns whether a file was opened or edited. Among tracked queries only those in [`edited`] may
/// call it: see [`File::is_edited`].
pub fn is_edited(db: &dyn Db, file: File) -> bool {
    file.is_edited(db)
}

/// Returns whether a file of a unit was opened or edited. Must not be called in a tracked query:
/// see [`File::is_edited`].
pub fn has_edited(db: &dyn Db, unit: Unit) -> bool {
    unit.has_edited(db)
}

/// Defines a plain function for each pair of queries in [`saved`] and [`edited`]. Among tracked
/// queries only those in [`edited`] may call these functions: see [`File::is_edited`].
macro_rules! by_text {
    ($($(#[$docs:meta])* $name:ident($of:ident: $key:ty) -> $value:ty, $is_edited:ident;)*) => {$(
        $(#[$docs])*
        pub fn $name(db: &dyn Db, $of: $key) -> $value {
            match $is_edited(db, $of) {
                false => saved::$name(db, $of),
                true => edited::$name(db, $of),
            }
        }
    )*};
}

by_text! {
    /// Returns the bodies of a file.
    file_bodies(file: File) -> Arc<Bodies>, is_edited;
    /// Returns the identifiers of a file.
    file_identifiers(file: File) -> Arc<Identifiers>, is_edited;
    /// Returns the byte offsets of a file.
    file_ranges(file: File) -> Arc<Ranges>, is_edited;
    /// Returns the report of what could not be parsed in a file.
    file_report(file: File) -> Arc<Report>, is_edited;
    /// Returns the files of a unit, excluded ones too, that could not be parsed in full, each with
    /// its first faulty line (1-based).
    unit_broken(unit: Unit) -> Arc<[(File, u32)]>, has_edited;
}
