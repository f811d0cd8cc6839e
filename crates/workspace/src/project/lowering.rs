//! Lowering of whole texts, many in parallel, the largest first.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use codeweft_db::{
    Db as _, EDITED_DURABILITY, File, FileIr, Lang, Origin, RootDb, Shared, base_durability,
    lower_text, saved,
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

/// A new text of a file.
#[derive(Clone)]
pub(crate) struct NewText {
    /// Absolute.
    pub path: Arc<str>,
    pub lang: Lang,
    pub text: Arc<str>,
}

/// Lowers new texts of files; `None` for a text whose lowering panicked.
pub(super) fn lower_all(shared: &Shared, threads: usize, texts: &[NewText]) -> Vec<Option<FileIr>> {
    let size = |text: &NewText| text.text.len();
    let lower = |text: &NewText| lower(shared, &text.text, text.lang);
    in_parallel(threads, texts, size, lower)
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
fn lower(shared: &Shared, text: &str, lang: Lang) -> Option<FileIr> {
    catch_unwind(AssertUnwindSafe(|| {
        lower_text(text, lang, &shared.names, &|| false)
    }))
    .ok()?
}
