//! `lower` and the firewalls below it.

use std::sync::Arc;

use codeweft_syntax::{Bodies, CachedTree, FileIr, Identifiers, Lang, Ranges, Report};

use crate::{Db, File, Unit};

/// The trees of larger texts, in bytes, are dropped elsewhere: a write waits for whom drops one.
const LARGE_TEXT: usize = 256 << 10;

/// A text to its parts. Takes what the Host lowered from the very same text.
fn lower_file(db: &dyn Db, file: File, text: &Arc<str>) -> FileIr {
    let same = |_: &File, (lowered, _): &(Arc<str>, FileIr)| Arc::ptr_eq(lowered, text);
    if let Some((_, (_, ir))) = db.shared().lowered.remove_if(&file, same) {
        return ir;
    }
    let stop = || db.wants_stop();
    loop {
        if let Some(ir) = lower_now(db, text, file.lang(db), &stop) {
            return ir;
        }
        // Where the writer is about to write, but has not told salsa yet, the text is begun again.
        db.unwind_query_if_cancelled();
        std::thread::yield_now();
    }
}

fn lower_now(db: &dyn Db, text: &str, lang: Lang, stop: &dyn Fn() -> bool) -> Option<FileIr> {
    let shared = db.shared();
    if text.len() < LARGE_TEXT {
        return codeweft_syntax::lower(text, lang, &shared.names, stop);
    }
    let mut last = CachedTree::default();
    let ir = codeweft_syntax::lower_next(text, lang, &shared.names, &mut last, stop);
    shared.defer_drop(last);
    ir
}

/// The firewalls below `lower`.
macro_rules! firewalls {
    () => {
        /// The bodies of a file: equal unless code inside a body changed.
        #[salsa::tracked(returns(clone))]
        pub fn file_bodies(db: &dyn Db, file: File) -> Arc<Bodies> {
            lower(db, file).bodies.clone()
        }

        /// The identifiers of a file: equal unless one came or went.
        #[salsa::tracked(returns(clone))]
        pub fn file_identifiers(db: &dyn Db, file: File) -> Arc<Identifiers> {
            lower(db, file).identifiers.clone()
        }

        /// Byte offsets: changed by nearly every edit, read only where a place is printed. Kept for
        /// every file: they cost a third of a byte for each of the text, and a file read anew costs
        /// its parse.
        #[salsa::tracked(returns(clone))]
        pub fn file_ranges(db: &dyn Db, file: File) -> Arc<Ranges> {
            lower(db, file).ranges.clone()
        }

        /// What could not be read of a file.
        #[salsa::tracked(returns(clone))]
        pub fn file_report(db: &dyn Db, file: File) -> Arc<Report> {
            lower(db, file).report.clone()
        }
    };
}

/// What is read of texts that nobody has opened or edited. As durable as the files: nothing here
/// reads [`File::is_edited`].
pub mod saved {
    use super::*;

    /// Parses and walks a file in one query; the tree is dropped inside. Compared part by part by
    /// the firewalls, so never itself.
    #[salsa::tracked(no_eq, lru = 64)]
    pub fn lower(db: &dyn Db, file: File) -> FileIr {
        lower_file(db, file, file.saved_text(db))
    }

    firewalls!();

    /// As [`super::unit_broken`].
    #[salsa::tracked(returns(clone))]
    pub fn unit_broken(db: &dyn Db, unit: Unit) -> Arc<[(File, u32)]> {
        broken(db, unit, file_report)
    }
}

/// What is read of texts that were opened or edited, and of units with such a file. All of it is
/// LOW.
pub mod edited {
    use super::*;

    /// As [`saved::lower`]; of a text that is the settled one its parts.
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

    /// As [`super::unit_broken`].
    #[salsa::tracked(returns(clone))]
    pub fn unit_broken(db: &dyn Db, unit: Unit) -> Arc<[(File, u32)]> {
        broken(db, unit, super::file_report)
    }
}

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

/// Whether a file was opened or edited. In a tracked query only for [`typed`]: see
/// [`File::is_edited`].
pub fn is_edited(db: &dyn Db, file: File) -> bool {
    file.is_edited(db)
}

/// Whether a file of a unit was opened or edited. Not to be called in a tracked query: see
/// [`File::is_edited`].
pub fn has_edited(db: &dyn Db, unit: Unit) -> bool {
    unit.has_edited(db)
}

/// Each asks the query of this name for the text that a file or unit has. In a tracked query these
/// are for [`typed`] alone: see [`File::is_edited`].
macro_rules! by_text {
    ($($(#[$words:meta])* $name:ident($of:ident: $key:ty) -> $value:ty, $is_edited:ident;)*) => {$(
        $(#[$words])*
        pub fn $name(db: &dyn Db, $of: $key) -> $value {
            match $is_edited(db, $of) {
                false => saved::$name(db, $of),
                true => edited::$name(db, $of),
            }
        }
    )*};
}

by_text! {
    /// The bodies of a file.
    file_bodies(file: File) -> Arc<Bodies>, is_edited;
    /// The identifiers of a file.
    file_identifiers(file: File) -> Arc<Identifiers>, is_edited;
    /// The byte offsets of a file.
    file_ranges(file: File) -> Arc<Ranges>, is_edited;
    /// What could not be read of a file.
    file_report(file: File) -> Arc<Report>, is_edited;
    /// The files of a unit that could not be read in full, left-out ones too, each with its first
    /// such line (1-based).
    unit_broken(unit: Unit) -> Arc<[(File, u32)]>, has_edited;
}
