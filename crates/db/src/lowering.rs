//! `lower` and the firewalls below it.

use std::sync::Arc;

use codeweft_syntax::{Bodies, FileIr, Lang, LastTree, Mentions, Ranges, Report};

use crate::{Db, File, Unit};

/// The trees of larger texts, in bytes, are dropped elsewhere: a write waits for whom drops one.
const LARGE_TEXT: usize = 256 << 10;

/// Parses and walks a file in one query; the tree is dropped inside. Takes what the Host lowered
/// from the very same text. Compared part by part by the firewalls, so never itself.
#[salsa::tracked(no_eq, lru = 64)]
pub fn lower(db: &dyn Db, file: File) -> FileIr {
    let text = file.text(db);
    if let Some((_, (lowered_text, ir))) = db.shared().lowered.remove(&file)
        && Arc::ptr_eq(&lowered_text, text)
    {
        return ir;
    }
    let stop = || db.wants_stop();
    loop {
        if let Some(ir) = lower_now(db, text, file.lang(db), &stop) {
            return ir;
        }
        // Where the writer is about to write, but has not told salsa yet, the text is begun again.
        db.check_in_query();
        std::thread::yield_now();
    }
}

fn lower_now(db: &dyn Db, text: &str, lang: Lang, stop: &dyn Fn() -> bool) -> Option<FileIr> {
    let shared = db.shared();
    if text.len() < LARGE_TEXT {
        return codeweft_syntax::lower(text, lang, &shared.names, stop);
    }
    let mut last = LastTree::default();
    let ir = codeweft_syntax::lower_next(text, lang, &shared.names, &mut last, stop);
    shared.drop_elsewhere(last);
    ir
}

/// The bodies of a file: equal unless code inside a body changed.
#[salsa::tracked(returns(clone))]
pub fn file_bodies(db: &dyn Db, file: File) -> Arc<Bodies> {
    lower(db, file).bodies.clone()
}

/// The identifiers of a file: equal unless one came or went.
#[salsa::tracked(returns(clone))]
pub fn file_mentions(db: &dyn Db, file: File) -> Arc<Mentions> {
    lower(db, file).mentions.clone()
}

/// Byte offsets: changed by nearly every edit, read only where a place is printed. Kept for every
/// file: they cost a third of a byte for each of the text, and a file read anew costs its parse.
#[salsa::tracked(returns(clone))]
pub fn file_ranges(db: &dyn Db, file: File) -> Arc<Ranges> {
    lower(db, file).ranges.clone()
}

/// The files of a unit that could not be read in full, left-out ones too, each with its first
/// such line (1-based).
#[salsa::tracked(returns(clone))]
pub fn unit_broken(db: &dyn Db, unit: Unit) -> Arc<[(File, u32)]> {
    let files = unit.files(db).iter();
    files
        .filter_map(|&file| Some((file, *file_report(db, file).error_lines.first()?)))
        .collect()
}

/// What could not be read of a file.
#[salsa::tracked(returns(clone))]
pub fn file_report(db: &dyn Db, file: File) -> Arc<Report> {
    lower(db, file).report.clone()
}
