//! Lowering of texts: many in parallel, the largest first, or one from its previous lowering.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use codeweft_db::{
    CachedTree, Db as _, EDITED_DURABILITY, File, FileIr, Lang, Origin, RootDb, Shared,
    base_durability, file_bodies, file_identifiers, file_ranges, file_report, lower_text,
    lower_text_edited, lower_text_next, saved,
};

use crate::parallel;

/// The reason of an unread file whose lowering panicked.
pub(super) const BROKE: &str = "reading it broke; please report this";

/// A text that will become a file.
pub(super) struct UnloweredText {
    /// Absolute.
    pub path: Arc<str>,
    /// As answers print it.
    pub printed: Arc<str>,
    /// Its language.
    pub lang: Lang,
    /// The workspace or a library.
    pub origin: Origin,
    /// The text after a byte-order mark.
    pub text: Arc<str>,
}

/// Lowers texts and makes a file of each. Results are in the order of the texts; `None` for a text whose
/// lowering panicked.
pub(super) fn create(
    db: &RootDb,
    threads: usize,
    texts: &[UnloweredText],
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<Option<File>> {
    let done = std::sync::atomic::AtomicUsize::new(0);
    let shared = db.shared();
    let lowered = in_parallel(
        threads,
        texts,
        |text| text.text.len(),
        |text| {
            let ir = lower(shared, &text.text, text.lang);
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
            ir
        },
    );
    let made = lowered.into_iter().zip(texts);
    made.map(|(ir, text)| Some(make(db, text, ir?, false)))
        .collect()
}

/// Makes a file of a lowered text; `touched`: it was opened or edited. It is in no unit yet, so no request
/// sees it.
pub(super) fn make(db: &RootDb, text: &UnloweredText, ir: FileIr, touched: bool) -> File {
    let file = File::builder(
        text.printed.clone(),
        text.lang,
        text.origin,
        text.text.clone(),
        ir.header.clone(),
        ir.items.clone(),
    )
    .is_edited(touched)
    .edited_text(if touched {
        text.text.clone()
    } else {
        Arc::default()
    })
    .durability(base_durability(text.origin))
    .is_edited_durability(EDITED_DURABILITY)
    .edited_text_durability(EDITED_DURABILITY)
    .new(db);
    keep(db.shared(), file, &text.text, ir);
    take_parts(db, file);
    file
}

/// A text with its lowering, whose parts the database shares.
#[derive(Clone)]
pub(super) struct PreviousLowering {
    pub text: Arc<str>,
    pub ir: FileIr,
}

impl PreviousLowering {
    /// Returns the lowering of a file in the database.
    pub(super) fn of(db: &RootDb, file: File) -> PreviousLowering {
        PreviousLowering {
            text: file.text(db).clone(),
            ir: FileIr {
                header: file.header(db).clone(),
                items: file.items(db).clone(),
                bodies: file_bodies(db, file),
                ranges: file_ranges(db, file),
                identifiers: file_identifiers(db, file),
                report: file_report(db, file),
            },
        }
    }

    /// Lowers the next text of the file from this one; `None` if the result might differ from lowering the
    /// whole text.
    pub(super) fn next(&self, shared: &Shared, text: &NewText) -> Option<FileIr> {
        let NewText { text, lang, .. } = text;
        let names = &shared.names;
        let lower = || lower_text_edited(&self.text, &self.ir, text, *lang, names, &|| false);
        catch_unwind(AssertUnwindSafe(lower)).ok()?
    }
}

/// The syntax trees of the files that were edited last: the next edit of one of them is parsed from its tree.
pub(crate) struct RecentTrees {
    /// The most recent one last.
    recent: Vec<(Arc<str>, CachedTree)>,
    /// A tree costs some thirty times its text.
    max: usize,
}

impl RecentTrees {
    /// Keeps the trees of at most this many files.
    pub(crate) fn of(max: usize) -> RecentTrees {
        RecentTrees {
            recent: Vec::new(),
            max,
        }
    }

    /// Lowers the text of the file at `path`; `None` if `stop` returned true or lowering panicked.
    pub(crate) fn lower(
        &mut self,
        shared: &Shared,
        path: &Arc<str>,
        text: &str,
        lang: Lang,
        stop: &dyn Fn() -> bool,
    ) -> Option<FileIr> {
        let at = self.recent.iter().position(|(other, _)| other == path);
        let mut last = at.map(|at| self.recent.remove(at).1).unwrap_or_default();
        let lower = || lower_text_next(text, lang, &shared.names, &mut last, stop);
        // After a panic the tree is not kept.
        let ir = catch_unwind(AssertUnwindSafe(lower)).ok()?;
        shared.defer_drop(last.take_garbage());
        if self.recent.len() >= self.max {
            self.recent.remove(0);
        }
        self.recent.push((path.clone(), last));
        ir
    }
}

/// A new text of a file.
#[derive(Clone)]
pub(crate) struct NewText {
    /// Absolute.
    pub path: Arc<str>,
    pub lang: Lang,
    pub text: Arc<str>,
}

/// Lowers new texts of files; `None` for a text whose lowering panicked.
pub(super) fn lower_again(
    shared: &Shared,
    threads: usize,
    trees: &mut RecentTrees,
    texts: &[NewText],
) -> Vec<Option<FileIr>> {
    let size = |text: &NewText| text.text.len();
    let lower = |text: &NewText| lower(shared, &text.text, text.lang);
    match texts {
        [one] => vec![trees.lower(shared, &one.path, &one.text, one.lang, &|| false)],
        _ => in_parallel(threads, texts, size, lower),
    }
}

/// Leaves a lowering for the query `lower` to take, so that nothing is parsed twice.
pub(super) fn keep(shared: &Shared, file: File, text: &Arc<str>, ir: FileIr) {
    shared.lowered.insert(file, (text.clone(), ir));
}

/// Runs the queries behind `lower` while its memo exists: the memo is soon evicted, and a part that is
/// queried later would need another parse.
fn take_parts(db: &RootDb, file: File) {
    saved::file_bodies(db, file);
    saved::file_identifiers(db, file);
    saved::file_ranges(db, file);
    saved::file_report(db, file);
}

fn in_parallel<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    size: impl Fn(&T) -> usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(size(&items[at])));
    let handles = vec![(); threads.min(items.len()).max(1)];
    let done = parallel::each(handles, &order, |(), &at| (at, work(&items[at])));
    let mut results: Vec<Option<R>> = Vec::new();
    results.resize_with(items.len(), || None);
    for (at, result) in done {
        results[at] = Some(result);
    }
    results.into_iter().flatten().collect()
}

/// Lowers a text; `None` if that panicked.
pub(super) fn lower(shared: &Shared, text: &str, lang: Lang) -> Option<FileIr> {
    catch_unwind(AssertUnwindSafe(|| {
        lower_text(text, lang, &shared.names, &|| false)
    }))
    .ok()?
}
