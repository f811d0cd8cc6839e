//! The change of one text in the database, as inputs of a transaction: which inputs of a file differ, and at
//! which durability they are set.
//!
//! ```text
//! text of a file that was opened or edited   edited_text   LOW
//! text of any other file                     saved_text    as the origin has it
//! header, items, if they differ                            as the origin has it, never LOW
//! ```

use std::sync::Arc;

use codeweft_db::{
    Db as _, EDITED_DURABILITY, File, FileIr, LARGE_TEXT, Origin, RootDb, Setter as _, UnitGraph,
    base_durability, file_report,
};

use super::files::LoadedFile;
use super::incremental::{PreviousLowering, PreviousLowerings};
use super::lowering::{self, NewText};
use super::sources::SourceFiles;
use super::transaction::Transaction;
use super::units;

/// Queues changes of texts in a transaction, and updates the state beside the database.
pub(super) struct TextChanges<'a> {
    pub(super) db: &'a RootDb,
    pub(super) sources: &'a mut SourceFiles,
    pub(super) lowerings: &'a mut PreviousLowerings,
    pub(super) transaction: &'a mut Transaction,
}

impl TextChanges<'_> {
    /// Marks the text of an opened workspace file as edited, so that the first keystroke does not pay for the
    /// change of durability. A text that differs is set in any case.
    pub(super) fn mark_opened(&mut self, path: &Arc<str>) {
        let text = self.sources.vfs.text(path);
        let (Some(text), Some(entry)) = (text, self.sources.table.get(path)) else {
            return;
        };
        let (file, lang, origin, touched) = (entry.file, entry.lang, entry.origin, entry.touched);
        let own = file.text(self.db);
        // Of a healthy text no tree is made.
        let is_healthy = || *own == text && file_report(self.db, file).error_lines.is_empty();
        if lang.lower_edited.is_none() && text.len() < LARGE_TEXT && !is_healthy() {
            // The first keystroke is parsed from this tree, where it cannot be lowered from the last lowering.
            let text = NewText {
                path: path.clone(),
                lang,
                text: text.clone(),
            };
            self.lowerings.lower_from_tree(self.db.shared(), &text);
        }
        if touched || origin == Origin::Library || *own != text {
            return;
        }
        let own = own.clone();
        Arc::make_mut(&mut self.sources.table).set_touched(path, true);
        self.lowerings
            .set(path.clone(), PreviousLowering::of(self.db, file));
        self.transaction.set_equal(move |db| {
            file.set_edited_text(db)
                .with_durability(EDITED_DURABILITY)
                .to(own);
            file.set_is_edited(db)
                .with_durability(EDITED_DURABILITY)
                .to(true);
        });
        self.note_edited(file);
    }

    /// Marks the unit of an edited file as edited. A new layout does so for the units that it makes.
    fn note_edited(&mut self, file: File) {
        let owners = UnitGraph::try_get(self.db).map(|graph| graph.owners(self.db));
        if let Some(&unit) = owners.and_then(|owners| owners.get(&file)) {
            units::note_edited(self.db, self.transaction, unit);
        }
    }

    /// Lowers the next text of a known file from the last one, if the edit allows.
    pub(super) fn lower_from_last(&self, text: &NewText) -> Option<FileIr> {
        let entry = self.sources.table.get(&text.path);
        let file = entry.filter(|entry| entry.present)?.file;
        self.lowerings.lower_from_last(self.db, file, text)
    }

    /// Queues a new text of a file and its lowering, `None` if that panicked. `small`: it is one of a small
    /// batch. Returns whether the layout must be computed again.
    pub(super) fn set_text(&mut self, text: NewText, ir: Option<FileIr>, small: bool) -> bool {
        let path = &text.path;
        let Some(ir) = ir else {
            self.sources.note_unread(path, lowering::BROKE.to_owned());
            self.transaction.state_differs = true;
            let gone = self.sources.set_present(path, false);
            self.transaction.differs |= gone;
            return gone;
        };
        if self.sources.unread.has(path) {
            Arc::make_mut(&mut self.sources.unread).clear(path);
        }
        let touching = small || self.sources.vfs.is_open(path);
        let Some(entry) = self.sources.table.get(path) else {
            self.make(text, ir, touching);
            self.transaction.differs = true;
            return true;
        };
        let entry = entry.clone();
        let returned = !entry.present;
        let touched = entry.touched || touching;
        if returned || touched != entry.touched {
            let table = Arc::make_mut(&mut self.sources.table);
            table.set_touched(path, touched);
            table.set_present(path, true);
        }
        let new_header = self.set_inputs(&entry, text, ir, touched);
        new_header || returned
    }

    /// Queues the inputs of a known file that differ. Returns whether the header is among them.
    fn set_inputs(
        &mut self,
        entry: &LoadedFile,
        NewText { path, text, .. }: NewText,
        mut ir: FileIr,
        touched: bool,
    ) -> bool {
        let db = self.db;
        let (file, base) = (entry.file, base_durability(entry.origin));
        // Garbage that takes long to drop goes to the janitor.
        let large = text.len() >= LARGE_TEXT;
        let newly = touched && !file.is_edited(db);
        if newly {
            self.note_edited(file);
        }
        let set = text.clone();
        self.transaction.set(move |db| {
            if !touched {
                file.set_saved_text(db).with_durability(base).to(set);
                return;
            }
            file.set_edited_text(db)
                .with_durability(EDITED_DURABILITY)
                .to(set);
            if newly {
                file.set_is_edited(db)
                    .with_durability(EDITED_DURABILITY)
                    .to(true);
            }
        });
        let new_header = **file.header(db) != *ir.header;
        if new_header {
            let header = ir.header.clone();
            self.transaction.note_header(file, header.clone());
            self.transaction.set(move |db| {
                file.set_header(db).with_durability(base).to(header);
            });
        }
        if **file.items(db) != *ir.items {
            let mut languages = db.shared().languages().iter();
            let language = languages.find(|language| language.lang() == entry.lang);
            self.transaction.redeclares |=
                language.is_some_and(|language| language.is_dynamically_typed());
            let items = ir.items.clone();
            let is_first = touched && file.replaced_items(db).is_none();
            let replaced = is_first.then(|| file.items(db).clone());
            self.transaction.set(move |db| {
                if replaced.is_some() {
                    file.set_replaced_items(db)
                        .with_durability(base)
                        .to(replaced);
                }
                let old = file.set_items(db).with_durability(base).to(items);
                if large {
                    db.shared().defer_drop(old);
                }
            });
        } else {
            // Equal parts are compared by pointer from then on.
            ir.items = file.items(db).clone();
        }
        if touched {
            let (text, ir) = (text.clone(), ir.clone());
            let old = self.lowerings.set(path, PreviousLowering { text, ir });
            if large {
                db.shared().defer_drop(old);
            }
        }
        self.transaction
            .set(move |db| lowering::keep(db.shared(), file, &text, ir));
        new_header
    }

    /// Makes the input of a new file of the workspace.
    fn make(&mut self, NewText { path, lang, text }: NewText, ir: FileIr, touched: bool) {
        let origin = Origin::Workspace;
        let text = lowering::UnloweredText {
            printed: self.sources.printed(&path).into(),
            path: path.clone(),
            lang,
            origin,
            text,
        };
        let entry = LoadedFile {
            file: lowering::make(self.db, &text, ir, touched),
            lang,
            origin,
            touched,
            present: true,
        };
        Arc::make_mut(&mut self.sources.table).insert(path, entry);
    }
}
