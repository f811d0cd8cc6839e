//! Lowering of texts and the firewall queries below it.
//!
//! A firewall query projects one part out of [`FileIr`]. `lower` runs after every change of the
//! text; a dependent of, say, [`file_bodies`] runs only if that part compares unequal.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use codeweft_syntax::{Bodies, CachedTree, FileIr, Identifiers, Lang, Ranges, Report};

use crate::{Db, File, Shared, Unit, text_queries};

/// The size in bytes from which a text takes long to lower and its tree to drop, so that both may be
/// done on a thread that no writer waits for.
pub const LARGE_TEXT: usize = 256 << 10;

/// Lowers a text of the disk, or reads from the cache what was lowered from it before; `None` if `stop`
/// returned true.
pub fn lower_saved_text(
    shared: &Shared,
    text: &str,
    lang: Lang,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let cache = shared.cache();
    if let Some(ir) = cache.and_then(|cache| cache.lowered(text, lang, &shared.names)) {
        return Some(ir);
    }
    let ir = lower_until_stopped(shared, text, lang, stop)?;
    if let Some(cache) = cache {
        cache.keep(text, lang, &shared.names, &ir);
    }
    Some(ir)
}

/// Lowers a text, or takes the result that the host has already lowered from the very same text. A text of
/// an editor is not looked up on disk, nor kept there.
fn lower_file(db: &dyn Db, file: File, text: &Arc<str>, is_saved: bool) -> FileIr {
    let same = |_: &File, (lowered, _): &(Arc<str>, FileIr)| Arc::ptr_eq(lowered, text);
    if let Some((_, (_, ir))) = db.shared().lowered.remove_if(&file, same) {
        return ir;
    }
    let stop = || db.wants_stop();
    loop {
        let lower = if is_saved {
            lower_saved_text
        } else {
            lower_until_stopped
        };
        if let Some(ir) = lower(db.shared(), text, file.lang(db), &stop) {
            // The items are no dependency of this query: those of an edited file change with its text.
            if let Some((_, (of, items))) = db.shared().deferred.remove(&file)
                && Arc::ptr_eq(&of, text)
            {
                items.lowered_as(&ir.items);
            }
            return ir;
        }
        // A writer is about to write but has not cancelled this revision yet: start over until
        // salsa unwinds.
        db.unwind_query_if_cancelled();
        std::thread::yield_now();
    }
}

/// Runs the queries of a saved text behind `lower` while its memo exists: the memo is soon evicted, and
/// a part that is queried later would need another parse.
pub fn read_saved_parts(db: &dyn Db, file: File) {
    saved::file_bodies(db, file);
    saved::file_identifiers(db, file);
    saved::file_ranges(db, file);
    saved::file_report(db, file);
}

/// Returns the report of a saved text. While files may be unread, what the cache has of it is read alone:
/// the question may need nothing else of most files.
fn saved_report(db: &dyn Db, file: File) -> Arc<Report> {
    let shared = db.shared();
    let cache = shared.cache().filter(|_| shared.may_have_unread_files());
    let report = cache.and_then(|cache| cache.report(file.saved_text(db), file.lang(db)));
    report.map_or_else(|| saved::file_report(db, file), Arc::new)
}

/// Lowers a text; `None` if `stop` returned true.
fn lower_until_stopped(
    shared: &Shared,
    text: &str,
    lang: Lang,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    shared.parses.fetch_add(1, Ordering::Relaxed);
    if text.len() < LARGE_TEXT || lang.lowers_without_tree {
        return codeweft_syntax::lower(text, lang, &shared.names, stop);
    }
    let mut tree = CachedTree::default();
    let ir = codeweft_syntax::lower_next(text, lang, &shared.names, &mut tree, stop);
    shared.defer_drop(tree);
    ir
}

text_queries! {
    saved {
        /// Parses and walks a file in one query; the tree is dropped inside. The firewalls compare
        /// its parts, so the whole is never compared.
        #[salsa::tracked(no_eq, lru = 64)]
        pub fn lower(db: &dyn Db, file: File) -> FileIr {
            lower_file(db, file, file.saved_text(db), true)
        }

        /// Returns the files of a unit that could not be parsed in full.
        #[salsa::tracked(returns(clone))]
        pub fn unit_broken(db: &dyn Db, unit: Unit) -> Arc<[(File, u32)]> {
            let files = unit.files(db).iter();
            let broken = files.filter_map(|&file| {
                let report = saved_report(db, file);
                Some((file, *report.error_lines.first()?))
            });
            broken.collect()
        }
    }
    edited {
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
            lower_file(db, file, text, false)
        }

        /// Returns the files of a unit that could not be parsed in full. Reads the reports of its
        /// edited files alone; those of the others are in one memo as durable as the files.
        #[salsa::tracked(returns(clone))]
        pub fn unit_broken(db: &dyn Db, unit: Unit) -> Arc<[(File, u32)]> {
            let saved = super::saved::unit_broken(db, unit);
            let mut saved = saved.iter().peekable();
            let files = unit.files(db).iter();
            let broken = files.filter_map(|&file| {
                // In the order of the unit's files too.
                let was_broken = saved.next_if(|(broken, _)| *broken == file);
                if !file.is_edited(db) {
                    return was_broken.copied();
                }
                let report = file_report(db, file);
                Some((file, *report.error_lines.first()?))
            });
            broken.collect()
        }
    }
    both {
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
    }
    /// Returns the bodies of a file.
    fn file_bodies(File) -> Arc<Bodies>;
    /// Returns the identifiers of a file.
    fn file_identifiers(File) -> Arc<Identifiers>;
    /// Returns the byte offsets of a file.
    fn file_ranges(File) -> Arc<Ranges>;
    /// Returns the report of what could not be parsed in a file.
    fn file_report(File) -> Arc<Report>;
    /// Returns the files of a unit, excluded ones too, that could not be parsed in full, each with
    /// its first faulty line (1-based).
    fn unit_broken(Unit) -> Arc<[(File, u32)]>;
}
