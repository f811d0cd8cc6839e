//! Many texts become files of the database, in parallel, the largest first.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use codeweft_db::{
    Db as _, File, FileIr, Lang, LastTree, Origin, RootDb, Setter as _, base_durability,
    file_bodies, file_mentions, file_ranges, file_report, lower_text, lower_text_edited,
    lower_text_next,
};

use crate::parallel;

/// Why a file is left out whose lowering broke.
pub(super) const BROKE: &str = "reading it broke; please report this";

/// A text that is to be a file.
pub(super) struct Text {
    /// Absolute.
    pub path: Arc<str>,
    /// As answers print it.
    pub printed: Arc<str>,
    /// Its language.
    pub lang: Lang,
    /// Whose it is.
    pub origin: Origin,
    /// The text after a byte-order mark.
    pub text: Arc<str>,
}

/// Makes a file of each text, with header and items from what `lower` says of it. `None` stands
/// for a text that lowering broke on. Results stand in the order of the texts.
pub(super) fn create(
    db: &RootDb,
    threads: usize,
    texts: &[Text],
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<Option<File>> {
    let done = std::sync::atomic::AtomicUsize::new(0);
    let lowered = in_parallel(
        db,
        threads,
        texts,
        |text| text.text.len(),
        |db, text| {
            let ir = read(db, &text.text, text.lang);
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
            ir
        },
    );
    let made = lowered.into_iter().zip(texts).map(|(ir, text)| {
        let ir = ir?;
        let file = File::builder(
            text.printed.clone(),
            text.lang,
            text.origin,
            text.text.clone(),
            ir.header.clone(),
            ir.items.clone(),
        )
        .durability(base_durability(text.origin))
        .new(db);
        keep(db, file, ir);
        settle(db, file);
        Some(file)
    });
    made.collect()
}

/// A file whose text was set.
pub(super) struct Changed {
    /// Absolute.
    pub path: Arc<str>,
    pub file: File,
    /// What it was, where that is known.
    pub before: Option<Before>,
}

/// A text with what it said. The database holds the same parts.
#[derive(Clone)]
pub(super) struct Before {
    pub text: Arc<str>,
    pub ir: FileIr,
}

impl Before {
    /// What the database holds of a file.
    pub(super) fn of(db: &RootDb, file: File) -> Before {
        Before {
            text: file.text(db).clone(),
            ir: FileIr {
                header: file.header(db).clone(),
                items: file.items(db).clone(),
                bodies: file_bodies(db, file),
                ranges: file_ranges(db, file),
                mentions: file_mentions(db, file),
                report: file_report(db, file),
            },
        }
    }
}

/// Lowers the text of a file from what it was before, where that is sure to give the same.
fn from_before(db: &RootDb, file: File, before: Option<&Before>) -> Option<FileIr> {
    let before = before?;
    let (text, lang, names) = (file.text(db), file.lang(db), &db.shared().names);
    let lower = || lower_text_edited(&before.text, &before.ir, text, lang, names, &|| false);
    catch_unwind(AssertUnwindSafe(lower)).ok()?
}

/// The trees of the files that were edited last, one by one: the next edit of one of them is
/// parsed from its tree.
#[derive(Default)]
pub(super) struct Trees {
    /// The last one last.
    recent: Vec<(File, LastTree)>,
}

/// A tree costs some thirty times its text.
const MOST_TREES: usize = 4;

impl Trees {
    fn lower(&mut self, db: &RootDb, file: File) -> Option<FileIr> {
        let at = self.recent.iter().position(|(other, _)| *other == file);
        let mut last = at.map(|at| self.recent.remove(at).1).unwrap_or_default();
        let (text, lang, names) = (file.text(db), file.lang(db), &db.shared().names);
        let lower = || lower_text_next(text, lang, names, &mut last, &|| false);
        // A tree that lowering broke on is not kept.
        let ir = catch_unwind(AssertUnwindSafe(lower)).ok()?;
        if self.recent.len() == MOST_TREES {
            self.recent.remove(0);
        }
        self.recent.push((file, last));
        ir
    }
}

/// Lowers files anew whose texts were set.
pub(super) fn again(
    db: &RootDb,
    threads: usize,
    trees: &mut Trees,
    changed: &[Changed],
) -> Vec<Option<FileIr>> {
    if let [one] = changed {
        let edited = from_before(db, one.file, one.before.as_ref());
        return vec![edited.or_else(|| trees.lower(db, one.file))];
    }
    let size = |one: &Changed| one.file.text(db).len();
    in_parallel(db, threads, changed, size, |db, one| {
        let edited = from_before(db, one.file, one.before.as_ref());
        edited.or_else(|| read(db, one.file.text(db), one.file.lang(db)))
    })
}

/// Sets header and items where `ir` says otherwise. Whether the header did.
pub(super) fn set_read(db: &mut RootDb, file: File, ir: &mut FileIr) -> bool {
    let durability = base_durability(file.origin(db));
    let header = *file.header(db) != ir.header;
    if header {
        file.set_header(db)
            .with_durability(durability)
            .to(ir.header.clone());
    }
    if *file.items(db) != ir.items {
        file.set_items(db)
            .with_durability(durability)
            .to(ir.items.clone());
    }
    // Equal parts are soon compared if they are the same.
    ir.items = file.items(db).clone();
    header
}

/// Leaves an intermediate form for `lower` to take, so that nothing is parsed twice.
pub(super) fn keep(db: &RootDb, file: File, ir: FileIr) {
    db.shared()
        .lowered
        .insert(file, (file.text(db).clone(), ir));
}

/// Has the queries below `lower` take their parts while its memo is there: it does not outlive
/// many others, and a part that is asked for later would be parsed for.
fn settle(db: &RootDb, file: File) {
    file_bodies(db, file);
    file_mentions(db, file);
    file_ranges(db, file);
    file_report(db, file);
}

fn in_parallel<T: Sync, R: Send>(
    db: &RootDb,
    threads: usize,
    items: &[T],
    size: impl Fn(&T) -> usize,
    work: impl Fn(&RootDb, &T) -> R + Sync,
) -> Vec<R> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(size(&items[at])));
    let handles = vec![(); threads.min(items.len()).max(1)]
        .iter()
        .map(|()| db.clone())
        .collect();
    let done = parallel::each(handles, &order, |db, &at| (at, work(db, &items[at])));
    let mut results: Vec<Option<R>> = Vec::new();
    results.resize_with(items.len(), || None);
    for (at, result) in done {
        results[at] = Some(result);
    }
    results.into_iter().flatten().collect()
}

/// A hostile text may break lowering, but not the Host.
fn read(db: &RootDb, text: &str, lang: Lang) -> Option<FileIr> {
    let names = &db.shared().names;
    catch_unwind(AssertUnwindSafe(|| {
        lower_text(text, lang, names, &|| false)
    }))
    .ok()?
}
