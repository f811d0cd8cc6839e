//! Changes of editors and of the disk: compared with the database first, then set in one transaction.
//!
//! ```text
//! vfs.changes_since(vfs_revision)   text equal to the database's: nothing, or the file is back
//!                                   new text: lower (from the last lowering, if the edit allows), then
//!                                     edited_text | saved_text, header and items if they differ
//!                                   no text: the file is gone
//! a file came or went, a header changed, or the layout is stale: lay out units
//! ```

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
use super::{lowering, units};

/// A batch of up to this many files from disk counts as editing; a larger one is a checkout, and the texts
/// keep their durability.
const SMALL_BATCH: usize = 8;

/// The client of [`ProjectDatabase::open`], [`change`](ProjectDatabase::change) and
/// [`close`](ProjectDatabase::close).
const LOCAL: ClientId = ClientId(0);

/// Texts from this size (bytes) may be lowered on another thread: a write does not wait for them.
const LARGE_TEXT: usize = 256 << 10;

/// Lowers large texts deferred; they come back as [`PendingInputs::ready`].
pub(crate) trait DeferredLowering {
    /// Returns whether the text was accepted and will come back. It replaces an earlier one of the same path.
    fn accept(&mut self, text: &NewText) -> bool;

    /// Forgets the path: its current text is in the database.
    fn cancel(&mut self, path: &str);
}

/// Defers nothing: every text is lowered inside the transaction.
struct LowerInline;

impl DeferredLowering for LowerInline {
    fn accept(&mut self, _: &NewText) -> bool {
        false
    }

    fn cancel(&mut self, _: &str) {}
}

/// Inputs of a transaction beside the changes of the vfs.
#[derive(Default)]
pub(crate) struct PendingInputs {
    /// Documents that were opened: their texts count as edited, before the first keystroke.
    pub opened: Vec<Arc<str>>,
    /// Whether the disk was checked.
    pub disk_checked: bool,
    /// Deferred texts that are lowered now; `None` if lowering panicked.
    pub ready: Vec<(NewText, Option<FileIr>)>,
}

impl ProjectDatabase {
    /// Opens a document with this text. It counts as edited from now on, before the first keystroke, unless it
    /// is a library's. Returns the revision that contains it.
    pub fn open(&mut self, path: &Path, text: &str) -> u64 {
        let Some(path) = self.absolute(path) else {
            return self.revision;
        };
        self.vfs.open(LOCAL, &path, 0, text);
        self.commit(PendingInputs {
            opened: vec![path.into()],
            ..PendingInputs::default()
        })
    }

    /// Replaces the text of an open document. Returns the revision that contains it.
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
        self.commit(PendingInputs::default())
    }

    /// Closes a document: the text on disk is effective again. Returns the revision that contains it.
    pub fn close(&mut self, path: &Path) -> u64 {
        if let Some(path) = self.absolute(path) {
            self.vfs.close(LOCAL, &path);
        }
        self.commit(PendingInputs::default())
    }

    /// Checks files and folders that may have changed, come or gone on disk. Returns the revision that contains
    /// what was found.
    pub fn disk_changed(&mut self, paths: &[impl AsRef<Path>]) -> u64 {
        self.scan(paths);
        self.commit_disk()
    }

    /// Checks all files of the workspace on disk. Returns the revision that contains what was found.
    pub fn recheck(&mut self) -> u64 {
        self.scan_all();
        self.commit_disk()
    }

    /// Brings the database to what was read from disk, and lays units out anew if the layout is stale.
    fn commit_disk(&mut self) -> u64 {
        self.commit(PendingInputs {
            disk_checked: true,
            ..PendingInputs::default()
        })
    }

    fn commit(&mut self, inputs: PendingInputs) -> u64 {
        let transaction = self.prepare(inputs, &mut LowerInline);
        self.apply(transaction)
    }

    /// Prepares the transaction that brings the database to the state of the vfs. Readers may read meanwhile.
    pub(crate) fn prepare(
        &mut self,
        inputs: PendingInputs,
        deferred: &mut dyn DeferredLowering,
    ) -> Transaction {
        let mut transaction = Transaction::default();
        for path in &inputs.opened {
            self.mark_opened(&mut transaction, path);
        }
        let (vfs_revision, changes) = self.vfs.changes_since(self.vfs_revision);
        self.vfs_revision = vfs_revision;
        let mut flipped = false;
        let mut texts: Vec<NewText> = Vec::new();
        for Change { path, text } in changes {
            match (self.files.get(&path), text) {
                (Some(entry), Some(text)) if *entry.file.text(&self.db) == text => {
                    deferred.cancel(&path);
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
                    deferred.cancel(&path);
                    flipped |= self.set_present(&path, false);
                }
            }
        }
        let small = texts.len() <= SMALL_BATCH;
        let mut edited: Vec<(NewText, FileIr)> = Vec::new();
        if small {
            texts.retain(|text| match self.lowered_from_last(text) {
                Some(ir) => {
                    deferred.cancel(&text.path);
                    edited.push((text.clone(), ir));
                    false
                }
                None => true,
            });
        }
        texts.retain(|text| {
            let taken = text.text.len() >= LARGE_TEXT && deferred.accept(text);
            if !taken {
                deferred.cancel(&text.path);
            }
            !taken
        });
        let shared = self.db.shared();
        let irs = lowering::lower_again(shared, self.threads, &mut self.trees, &texts);
        let mut relayout = false;
        for (text, ir) in edited {
            relayout |= self.set_text(&mut transaction, text, Some(ir), small);
        }
        // Also a text that is not the newest any more: a change id may promise that readers see it.
        for (text, ir) in texts.into_iter().zip(irs) {
            relayout |= self.set_text(&mut transaction, text, ir, small);
        }
        for (text, ir) in inputs.ready {
            let holds = self.vfs.text(&text.path);
            if holds.is_some_and(|holds| Arc::ptr_eq(&holds, &text.text)) {
                deferred.cancel(&text.path);
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
        // The list of unread files may differ.
        transaction.state_differs |= inputs.disk_checked || unsaved != self.unsaved;
        self.unsaved = unsaved;
        transaction
    }

    /// Makes the next preparation compare everything, after one that panicked.
    pub(crate) fn compare_all_again(&mut self) {
        self.vfs_revision = 0;
        self.stale = true;
    }

    /// Sets the prepared inputs, once all readers have left. Returns the revision.
    pub(crate) fn apply(&mut self, transaction: Transaction) -> u64 {
        if transaction.differs {
            self.revision += 1;
        }
        if transaction.writes() {
            // Readers leave, and drop their clones of the last revision's state.
            self.db.wait_for_readers();
            transaction.apply(&mut self.db);
            self.renew_cache();
        }
        self.revision
    }

    pub(super) fn note_unread(&mut self, path: &str, reason: String) {
        let origin = self.files.get(path).map(|entry| entry.origin);
        let origin = origin.unwrap_or(Origin::Workspace);
        let unread = UnreadFile {
            file: self.printed(path).to_owned(),
            reason,
            hides: origin == Origin::Workspace,
        };
        Arc::make_mut(&mut self.unread).set(path, unread);
    }

    /// Marks the text of an opened workspace file as edited, so that the first keystroke does not pay for the
    /// change of durability. A text that differs is set in any case.
    fn mark_opened(&mut self, transaction: &mut Transaction, path: &Arc<str>) {
        let (Some(text), Some(entry)) = (self.vfs.text(path), self.files.get(&**path)) else {
            return;
        };
        if entry.lang.lower_edited.is_none() && text.len() < LARGE_TEXT {
            // The first keystroke is parsed from this tree, where it cannot be lowered from the last lowering.
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
        self.last_lowered
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

    /// Marks the unit of an edited file as edited. A new layout does so for the units that it makes.
    fn note_edited(&self, transaction: &mut Transaction, file: File) {
        let owners = UnitGraph::try_get(&self.db).map(|universe| universe.owners(&self.db));
        if let Some(&unit) = owners.and_then(|owners| owners.get(&file)) {
            units::note_edited(&self.db, transaction, unit);
        }
    }

    /// Lowers the next text of a known file from the last one, if the edit allows.
    fn lowered_from_last(&self, text: &NewText) -> Option<FileIr> {
        let entry = self.files.get(&text.path).filter(|entry| entry.present)?;
        let own = entry.file.text(&self.db);
        let last = self.last_lowered.get(&text.path);
        match last.filter(|last| Arc::ptr_eq(&last.text, own)) {
            Some(last) => last.next(self.db.shared(), text),
            None => PreviousLowering::of(&self.db, entry.file).next(self.db.shared(), text),
        }
    }

    /// Queues a new text of a file and its lowering. `small`: it is one of a small batch. Returns whether the
    /// layout must be computed again.
    fn set_text(
        &mut self,
        transaction: &mut Transaction,
        NewText { path, lang, text }: NewText,
        ir: Option<FileIr>,
        small: bool,
    ) -> bool {
        let Some(mut ir) = ir else {
            self.note_unread(&path, lowering::BROKE.to_owned());
            transaction.state_differs = true;
            let gone = self.set_present(&path, false);
            transaction.differs |= gone;
            return gone;
        };
        if self.unread.has(&path) {
            Arc::make_mut(&mut self.unread).clear(&path);
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
        // Garbage that takes long to drop goes to the janitor.
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
        let new_header = **file.header(&self.db) != *ir.header;
        if new_header {
            let header = ir.header.clone();
            transaction.note_header(file, header.clone());
            transaction.set(move |db| {
                file.set_header(db).with_durability(base).to(header);
            });
        }
        if **file.items(&self.db) != *ir.items {
            let items = ir.items.clone();
            transaction.set(move |db| {
                let old = file.set_items(db).with_durability(base).to(items);
                if large {
                    db.shared().defer_drop(old);
                }
            });
        } else {
            // Equal parts are compared by pointer from then on.
            ir.items = file.items(&self.db).clone();
        }
        if touched {
            let (text, ir) = (text.clone(), ir.clone());
            let old = self
                .last_lowered
                .insert(path, PreviousLowering { text, ir });
            if large {
                self.db.shared().defer_drop(old);
            }
        }
        transaction.set(move |db| lowering::keep(db.shared(), file, &text, ir));
        new_header || returned
    }

    /// Marks a file as existing or not; one that does not exist is in no unit. Returns whether that changed.
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

    /// Makes the cache of the next revision, which keeps joins whose parts are the same.
    fn renew_cache(&mut self) {
        let cache = std::mem::take(&mut self.cache);
        // No reader has a clone any more: the write has waited for them.
        let (next, garbage) = Arc::try_unwrap(cache).unwrap_or_default().next();
        self.cache = Arc::new(next);
        self.db.shared().defer_drop(garbage);
    }

    /// Returns the language of a new file of the workspace.
    fn language_of_new(&self, path: &str) -> Option<Lang> {
        let lang = self.disk.language(path)?;
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
