//! Lowering of whole texts, many in parallel, the largest first.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use codeweft_db::{
    Db as _, EDITED_DURABILITY, File, FileIr, Header, Items, Lang, Origin, RootDb, Shared,
    base_durability, lower_header, lower_items, lower_saved_text, read_saved_parts,
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

/// How much of a text is lowered at the load.
enum Lowered {
    Whole(FileIr),
    /// The header, and items that are there or are got when they are first read. The query `lower` gets the
    /// rest when it runs.
    Header(Arc<Header>, Arc<Items>),
}

/// Lowers texts and makes a file of each. If the database lowers on demand, the header alone is lowered where
/// the language can, and where it cannot, the declarations alone are read of a file in the cache. Results are
/// in the order of the texts; `None` for a text whose lowering panicked.
pub(super) fn create(
    db: &RootDb,
    threads: usize,
    texts: &[UnloweredText],
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<Option<File>> {
    let done = AtomicUsize::new(0);
    let shared = db.tables();
    let on_demand = shared.may_have_unread_files();
    let lowered = in_parallel(
        threads,
        texts,
        |text| text.text.len(),
        |text| {
            let alone = || {
                let header = lower_header_alone(shared, &text.text, text.lang);
                header.or_else(|| kept_declarations(shared, &text.text, text.lang))
            };
            let lowered = match on_demand.then(alone).flatten() {
                Some((header, items)) => Some(Lowered::Header(header, items)),
                None => lower(shared, &text.text, text.lang).map(Lowered::Whole),
            };
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            lowered
        },
    );
    let made = lowered.into_iter().zip(texts);
    made.map(|(lowered, text)| {
        Some(match lowered? {
            Lowered::Whole(ir) => make(db, text, ir, false),
            Lowered::Header(header, items) => {
                let deferred = (!items.is_read()).then(|| (text.text.clone(), items.clone()));
                let file = make_of_parts(db, text, header, items, false);
                if let Some(deferred) = deferred {
                    shared.deferred.insert(file, deferred);
                }
                file
            }
        })
    })
    .collect()
}

/// Returns what the cache has of the header and the items of a text.
fn kept_declarations(shared: &Shared, text: &str, lang: Lang) -> Option<(Arc<Header>, Arc<Items>)> {
    shared.cache()?.declarations(text, lang, &shared.names)
}

/// Lowers the header of a text and defers its items; `None` if the text must be lowered whole.
fn lower_header_alone(
    shared: &Arc<Shared>,
    text: &Arc<str>,
    lang: Lang,
) -> Option<(Arc<Header>, Arc<Items>)> {
    let header = || lower_header(text, lang, &shared.names);
    let header = catch_unwind(AssertUnwindSafe(header)).ok()??;
    let (shared, text, own_header) = (shared.clone(), text.clone(), header.clone());
    let items = Items::deferred(move || {
        if let Some((_, items)) = kept_declarations(&shared, &text, lang) {
            return items;
        }
        let names = &shared.names;
        shared.parses.fetch_add(1, Ordering::Relaxed);
        let items = lower_items(&text, lang, names).expect("a lowering that nothing stops ends");
        if let Some(cache) = shared.cache() {
            cache.keep_declarations(&text, lang, names, (&own_header, &items));
        }
        items
    });
    Some((header, items))
}

/// Makes a file of a lowered text; `touched`: it was opened or edited. It is in no unit yet, so no request
/// sees it.
pub(super) fn make(db: &RootDb, text: &UnloweredText, ir: FileIr, touched: bool) -> File {
    let file = make_of_parts(db, text, ir.header.clone(), ir.items.clone(), touched);
    keep(db.shared(), file, &text.text, ir);
    read_saved_parts(db, file);
    file
}

fn make_of_parts(
    db: &RootDb,
    text: &UnloweredText,
    header: Arc<Header>,
    items: Arc<Items>,
    touched: bool,
) -> File {
    File::builder(
        text.printed.clone(),
        text.lang,
        text.origin,
        text.text.clone(),
        header,
        items,
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
    .new(db)
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
        lower_saved_text(shared, text, lang, &|| false)
    }))
    .ok()?
}
