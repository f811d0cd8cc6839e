//! Changes: what editors type and what happens on disk, compared first and set in one
//! transaction.

use std::path::Path;
use std::sync::Arc;

use codeweft_db::{
    Db as _, EDITED_DURABILITY, File, FileIr, Lang, Origin, Setter as _, UnitGraph, base_durability,
};
use codeweft_vfs::{Change, ClientId, Edit, Encoding};

use super::database::ProjectDatabase;
use super::files::LoadedFile;
use super::lowering::{NewText, PreviousLowering};
use super::transaction::Transaction;
use super::unread::UnreadFile;
use super::{disk, lowering, units};

/// Up to so many files a batch from disk is a work of editing; above, it is a checkout, and the
/// texts stay as durable as they were.
const SMALL_BATCH: usize = 8;

/// Who opens and changes files through the World itself.
const LOCAL: ClientId = ClientId(0);

/// Larger texts, in bytes, may be lowered by somebody else: a write does not wait for them.
const LARGE_TEXT: usize = 256 << 10;

/// Who lowers large texts, and hands them in later.
pub(crate) trait DeferredLowering {
    /// Whether this text will be handed in with [`PendingInputs::ready`]. One of the same path that was
    /// taken before need not be any more.
    fn accept(&mut self, text: &NewText) -> bool;

    /// What holds at a path is shown: nothing of it need be handed in.
    fn cancel(&mut self, path: &str);
}

/// Nobody: every text is lowered before the next one is set.
struct LowerInline;

impl DeferredLowering for LowerInline {
    fn accept(&mut self, _: &NewText) -> bool {
        false
    }

    fn cancel(&mut self, _: &str) {}
}

/// What has happened beside the changes that the vfs tells.
#[derive(Default)]
pub(crate) struct PendingInputs {
    /// Documents that were opened: their texts count as typed, before the first keystroke.
    pub opened: Vec<Arc<str>>,
    /// The disk was looked at.
    pub looked: bool,
    /// Texts that somebody else lowered; `None`: it broke.
    pub ready: Vec<(NewText, Option<FileIr>)>,
}

impl ProjectDatabase {
    /// An editor opened a file with this text. It counts as typed from now on, before the first
    /// keystroke, unless it is a library's. Gives the revision that shows it.
    pub fn open(&mut self, path: &Path, text: &str) -> u64 {
        let Some(path) = self.absolute(path) else {
            return self.revision;
        };
        self.vfs.open(LOCAL, &path, 0, text);
        self.show(PendingInputs {
            opened: vec![path.into()],
            ..PendingInputs::default()
        })
    }

    /// An open file has this text now. Gives the revision that shows it.
    pub fn change(&mut self, path: &Path, text: &str) -> u64 {
        let Some(path) = self.absolute(path) else {
            return self.revision;
        };
        let whole = [Edit {
            range: None,
            text: text.to_owned(),
        }];
        let edited = self.vfs.edit(LOCAL, &path, 0, &whole, Encoding::Utf8);
        if edited.is_err() {
            self.vfs.open(LOCAL, &path, 0, text);
        }
        self.show(PendingInputs::default())
    }

    /// An editor closed a file: the text on disk holds again. Gives the revision that shows it.
    pub fn close(&mut self, path: &Path) -> u64 {
        if let Some(path) = self.absolute(path) {
            self.vfs.close(LOCAL, &path);
        }
        self.show(PendingInputs::default())
    }

    /// Files, folders or settings of the workspace may have changed on disk, come or gone. Gives
    /// the revision that shows it.
    pub fn disk_changed(&mut self, paths: &[impl AsRef<Path>]) -> u64 {
        self.look(paths);
        self.show_disk()
    }

    /// Looks whether files of the workspace changed, came or went on disk since they were read,
    /// and shows what did. Gives the revision.
    pub fn recheck(&mut self) -> u64 {
        self.look_everywhere();
        self.show_disk()
    }

    /// Shows what was read from the disk; a layout that looked at other things is asked again.
    fn show_disk(&mut self) -> u64 {
        self.show(PendingInputs {
            looked: true,
            ..PendingInputs::default()
        })
    }

    fn show(&mut self, news: PendingInputs) -> u64 {
        let transaction = self.prepare(news, &mut LowerInline);
        self.apply(transaction)
    }

    /// All that brings the database to what the vfs shows, but the setting itself: readers read
    /// meanwhile.
    pub(crate) fn prepare(
        &mut self,
        news: PendingInputs,
        elsewhere: &mut dyn DeferredLowering,
    ) -> Transaction {
        let mut transaction = Transaction::default();
        for path in &news.opened {
            self.touch(&mut transaction, path);
        }
        let (shown, changes) = self.vfs.changes_since(self.shown);
        self.shown = shown;
        let mut flipped = false;
        let mut texts: Vec<NewText> = Vec::new();
        for Change { path, text } in changes {
            match (self.files.get(&path), text) {
                (Some(entry), Some(text)) if *entry.file.text(&self.db) == text => {
                    elsewhere.cancel(&path);
                    flipped |= self.set_present(&path, true);
                }
                (Some(entry), Some(text)) => {
                    let lang = entry.lang;
                    texts.push(NewText { path, lang, text });
                }
                (None, Some(text)) => {
                    if let Some(lang) = self.language_of_new(&path) {
                        texts.push(NewText { path, lang, text });
                    }
                }
                (_, None) => {
                    elsewhere.cancel(&path);
                    flipped |= self.set_present(&path, false);
                }
            }
        }
        let small = texts.len() <= SMALL_BATCH;
        let mut edited: Vec<(NewText, FileIr)> = Vec::new();
        if small {
            texts.retain(|text| match self.lowered_from_last(text) {
                Some(ir) => {
                    elsewhere.cancel(&text.path);
                    edited.push((text.clone(), ir));
                    false
                }
                None => true,
            });
        }
        texts.retain(|text| {
            let taken = text.text.len() >= LARGE_TEXT && elsewhere.accept(text);
            if !taken {
                elsewhere.cancel(&text.path);
            }
            !taken
        });
        let shared = self.db.shared();
        let irs = lowering::again(shared, self.threads, &mut self.trees, &texts);
        let mut relayout = false;
        for (text, ir) in edited {
            relayout |= self.set_text(&mut transaction, text, Some(ir), small);
        }
        // Also one that is not the last any more: a ticket may say that it is shown.
        for (text, ir) in texts.into_iter().zip(irs) {
            relayout |= self.set_text(&mut transaction, text, ir, small);
        }
        for (text, ir) in news.ready {
            let holds = self.vfs.text(&text.path);
            if holds.is_some_and(|holds| Arc::ptr_eq(&holds, &text.text)) {
                elsewhere.cancel(&text.path);
                relayout |= self.set_text(&mut transaction, text, ir, true);
            } else {
                self.db.shared().defer_drop((text, ir));
            }
        }
        let stale = std::mem::take(&mut self.stale);
        transaction.differs |= flipped;
        if flipped || relayout || stale {
            self.lay_out(&mut transaction, &|_| {});
        }
        let unsaved = self.list_unsaved();
        // What was left out may differ.
        transaction.beside |= news.looked || unsaved != self.unsaved;
        self.unsaved = unsaved;
        transaction
    }

    /// What a preparation that broke has lost is found by the next one.
    pub(crate) fn show_all_again(&mut self) {
        self.shown = 0;
        self.stale = true;
    }

    /// Sets what was prepared, once all readers have gone. Gives the revision.
    pub(crate) fn apply(&mut self, transaction: Transaction) -> u64 {
        if transaction.differs {
            self.revision += 1;
        }
        if transaction.writes() {
            // Here readers leave, with what they hold of the last revision.
            self.db.wait_for_readers();
            transaction.apply(&mut self.db);
            self.renew_kept();
        }
        self.revision
    }

    pub(super) fn note_left_out(&mut self, path: &str, reason: String) {
        let origin = self.files.get(path).map(|entry| entry.origin);
        let origin = origin.unwrap_or(Origin::Workspace);
        let left_out = UnreadFile {
            file: self.printed(path).to_owned(),
            reason,
            hides: origin == Origin::Workspace,
        };
        Arc::make_mut(&mut self.left_out).set(path, left_out);
    }

    /// Has the text of a workspace file that is opened count as typed, so that not the first
    /// keystroke pays for it. One that differs is set anyway.
    fn touch(&mut self, transaction: &mut Transaction, path: &Arc<str>) {
        let (Some(text), Some(entry)) = (self.vfs.text(path), self.files.get(&**path)) else {
            return;
        };
        if entry.lang == Lang::Python && text.len() < LARGE_TEXT {
            // The first keystroke is parsed from this tree. Go's is read from what the text said.
            let shared = self.db.shared();
            self.trees.lower(shared, path, &text, entry.lang, &|| false);
        }
        let (file, origin) = (entry.file, entry.origin);
        let own = file.text(&self.db);
        if entry.touched || origin == Origin::Library || *own != text {
            return;
        }
        let own = own.clone();
        if let Some(entry) = Arc::make_mut(&mut self.files).get_mut(&**path) {
            entry.touched = true;
        }
        self.last
            .insert(path.clone(), PreviousLowering::of(&self.db, file));
        transaction.set_equal(move |db| {
            file.set_edited_text(db)
                .with_durability(EDITED_DURABILITY)
                .to(own);
            file.set_is_edited(db)
                .with_durability(EDITED_DURABILITY)
                .to(true);
        });
        self.note_edited(transaction, file);
    }

    /// A file was opened or edited: so its unit has such a file. A unit that it comes to with a new
    /// layout is told then.
    fn note_edited(&self, transaction: &mut Transaction, file: File) {
        let owners = UnitGraph::try_get(&self.db).map(|universe| universe.owners(&self.db));
        if let Some(&unit) = owners.and_then(|owners| owners.get(&file)) {
            units::note_edited(&self.db, transaction, unit);
        }
    }

    /// What the next text of a known file says, where what it said before tells that for sure.
    fn lowered_from_last(&self, text: &NewText) -> Option<FileIr> {
        let entry = self.files.get(&text.path).filter(|entry| entry.present)?;
        let own = entry.file.text(&self.db);
        let last = self.last.get(&text.path);
        match last.filter(|last| Arc::ptr_eq(&last.text, own)) {
            Some(last) => last.next(self.db.shared(), text),
            None => PreviousLowering::of(&self.db, entry.file).next(self.db.shared(), text),
        }
    }

    /// Has a text set with what was read of it; `small`: it is one of few. Whether the layout must
    /// be asked again.
    fn set_text(
        &mut self,
        transaction: &mut Transaction,
        NewText { path, lang, text }: NewText,
        ir: Option<FileIr>,
        small: bool,
    ) -> bool {
        let Some(mut ir) = ir else {
            self.note_left_out(&path, lowering::BROKE.to_owned());
            transaction.beside = true;
            let gone = self.set_present(&path, false);
            transaction.differs |= gone;
            return gone;
        };
        if self.left_out.has(&path) {
            Arc::make_mut(&mut self.left_out).clear(&path);
        }
        let touching = small || self.vfs.is_open(&path);
        let Some(entry) = self.files.get(&path) else {
            self.make(path, lang, text, ir, touching);
            transaction.differs = true;
            return true;
        };
        let (file, origin, touched) = (entry.file, entry.origin, entry.touched || touching);
        let returned = !entry.present;
        if returned || touched != entry.touched {
            let entry = Arc::make_mut(&mut self.files).get_mut(&path);
            if let Some(entry) = entry {
                entry.touched = touched;
                entry.present = true;
            }
        }
        let base = base_durability(origin);
        let set = text.clone();
        // What takes long to drop is dropped behind the gate.
        let large = text.len() >= LARGE_TEXT;
        let newly = touched && !file.is_edited(&self.db);
        if newly {
            self.note_edited(transaction, file);
        }
        transaction.set(move |db| match touched {
            true => {
                file.set_edited_text(db)
                    .with_durability(EDITED_DURABILITY)
                    .to(set);
                if newly {
                    file.set_is_edited(db)
                        .with_durability(EDITED_DURABILITY)
                        .to(true);
                }
            }
            false => {
                file.set_saved_text(db).with_durability(base).to(set);
            }
        });
        let new_header = *file.header(&self.db) != ir.header;
        if new_header {
            let header = ir.header.clone();
            transaction.note_header(file, header.clone());
            transaction.set(move |db| {
                file.set_header(db).with_durability(base).to(header);
            });
        }
        if *file.items(&self.db) != ir.items {
            let items = ir.items.clone();
            transaction.set(move |db| {
                let old = file.set_items(db).with_durability(base).to(items);
                if large {
                    db.shared().defer_drop(old);
                }
            });
        } else {
            // Equal parts are soon compared if they are the same.
            ir.items = file.items(&self.db).clone();
        }
        if touched {
            let (text, ir) = (text.clone(), ir.clone());
            let old = self.last.insert(path, PreviousLowering { text, ir });
            if large {
                self.db.shared().defer_drop(old);
            }
        }
        transaction.set(move |db| lowering::keep(db.shared(), file, &text, ir));
        new_header || returned
    }

    /// A file came back or went: then it is in no unit any more. Whether that was new.
    fn set_present(&mut self, path: &str, present: bool) -> bool {
        let entry = self.files.get(path);
        if entry.is_none_or(|entry| entry.present == present) {
            return false;
        }
        if let Some(entry) = Arc::make_mut(&mut self.files).get_mut(path) {
            entry.present = present;
        }
        true
    }

    /// Joins of the last revision serve the next where they are made of the same parts.
    fn renew_kept(&mut self) {
        let kept = std::mem::take(&mut self.kept);
        // A reader that has its own has gone by now: a write waits for it.
        let (next, spent) = Arc::try_unwrap(kept).unwrap_or_default().next();
        self.kept = Arc::new(next);
        self.db.shared().defer_drop(spent);
    }

    /// The language of a file of the workspace that the database has never held.
    fn language_of_new(&self, path: &str) -> Option<Lang> {
        let lang = disk::language(path)?;
        codeweft_vfs::relative(&self.root, path)?;
        Some(lang)
    }

    fn make(&mut self, path: Arc<str>, lang: Lang, text: Arc<str>, ir: FileIr, touched: bool) {
        let origin = Origin::Workspace;
        let text = lowering::UnloweredText {
            printed: self.printed(&path).into(),
            path: path.clone(),
            lang,
            origin,
            text,
        };
        let entry = LoadedFile {
            file: lowering::make(&self.db, &text, ir, touched),
            lang,
            origin,
            touched,
            present: true,
        };
        Arc::make_mut(&mut self.files).insert(path, entry);
    }

    fn absolute(&self, path: &Path) -> Option<String> {
        codeweft_vfs::normalise(Path::new(&*self.root), path)
    }
}
