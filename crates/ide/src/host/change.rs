//! Changes: what editors type and what happens on disk, compared first and set in one
//! transaction.

use std::path::Path;
use std::sync::Arc;

use codeweft_db::{File, Origin, Setter as _, text_durability};
use codeweft_vfs::{Change, DiskState, LeftOutReason};

use super::{Entry, Host, LeftOut, disk, lowering};
use crate::parallel;

/// Up to so many files a batch from disk is a work of editing; above, it is a checkout, and the
/// texts stay as durable as they were.
const SMALL_BATCH: usize = 8;

/// From so many files on their intermediate forms are kept for `lower`, whose own memory is short.
const LARGE_BATCH: usize = 32;

impl Host {
    /// An editor opened a file with this text. Its text is LOW from now on, before the first
    /// keystroke, unless it is a library's. Gives the revision that shows it.
    pub fn open(&mut self, path: &Path, text: &str) -> u64 {
        let Some(path) = self.absolute(path) else {
            return self.revision;
        };
        let text = self.shared(&path, text);
        self.vfs.open(&path, text.clone());
        self.touch(&path, &text);
        self.show(true, false)
    }

    /// An open file has this text now. Gives the revision that shows it.
    pub fn change(&mut self, path: &Path, text: &str) -> u64 {
        let Some(path) = self.absolute(path) else {
            return self.revision;
        };
        self.vfs.change(&path, self.shared(&path, text));
        self.show(true, false)
    }

    /// An editor closed a file: the text on disk holds again. Gives the revision that shows it.
    pub fn close(&mut self, path: &Path) -> u64 {
        if let Some(path) = self.absolute(path) {
            self.vfs.close(&path);
        }
        self.show(true, false)
    }

    /// Files, folders or settings of the workspace may have changed on disk, come or gone. Gives
    /// the revision that shows it.
    pub fn disk_changed(&mut self, paths: &[impl AsRef<Path>]) -> u64 {
        let paths: Vec<String> = paths
            .iter()
            .filter_map(|path| self.absolute(path.as_ref()))
            .collect();
        let known = |path: &String| self.files.contains_key(path.as_str());
        if paths.iter().all(known) {
            self.read_again(paths.into_iter().map(Arc::from).collect());
        } else {
            // What is new is the walk's to say: ignore files and links have a say in it.
            let old = paths.into_iter().filter(known).map(Arc::from).collect();
            self.read_again(old);
            self.walk_again();
        }
        self.show_disk()
    }

    /// Shows what was read from the disk; a layout that looked at other things is asked again.
    pub(super) fn show_disk(&mut self) -> u64 {
        let (_, changes) = self.vfs.changes_since(self.shown);
        let stale = self.disk.layout_is_stale();
        self.show(changes.len() <= SMALL_BATCH, stale)
    }

    /// Reads files and tells the vfs what they hold now.
    pub(super) fn read_again(&mut self, paths: Vec<Arc<str>>) {
        let disk = &self.disk;
        let handles = vec![(); self.threads.min(paths.len() / LARGE_BATCH + 1)];
        let read = parallel::each(handles, &paths, |(), path| disk.text(path));
        for (path, (stamp, text)) in paths.into_iter().zip(read) {
            if let Some(entry) = self.files.get_mut(&path) {
                entry.stamp = stamp;
            }
            let before = self.vfs.disk(&path);
            let now = match text {
                Ok(text) => DiskState::Text(text),
                Err(LeftOutReason::Absent) => DiskState::Absent,
                Err(reason) => DiskState::LeftOut(reason),
            };
            if let DiskState::LeftOut(reason) = &now {
                self.note_left_out(&path, reason.to_string());
            }
            if now == before {
                continue;
            }
            if !matches!(now, DiskState::LeftOut(_)) {
                self.left_out.clear(&path);
            }
            // A document that its editor has not changed yields to the newer disk.
            let clean = match &before {
                DiskState::Text(text) => self.vfs.text(&path).as_ref() == Some(text),
                DiskState::Absent | DiskState::LeftOut(_) => false,
            };
            self.vfs.set_disk(&path, now);
            if clean {
                self.vfs.close(&path);
            }
        }
    }

    /// Walks the workspace anew: what came is read, what went is gone.
    pub(super) fn walk_again(&mut self) {
        let walked = self.disk.walk();
        let found: rustc_hash::FxHashSet<&Arc<str>> =
            walked.files.iter().map(|(path, _)| path).collect();
        let gone: Vec<Arc<str>> = self
            .files
            .iter()
            .filter(|(path, entry)| {
                entry.origin == Origin::Workspace && entry.present && !found.contains(path)
            })
            .map(|(path, _)| path.clone())
            .collect();
        for path in gone {
            self.vfs.set_disk(&path, DiskState::Absent);
        }
        let present = |path: &Arc<str>| self.files.get(path).is_some_and(|entry| entry.present);
        let new: Vec<Arc<str>> = walked
            .files
            .iter()
            .filter(|(path, _)| !present(path))
            .map(|(path, _)| path.clone())
            .collect();
        self.left_out.set_walked(walked.left_out);
        let files = &self.files;
        self.left_out.retain(|path| {
            let library = |entry: &Entry| entry.origin == Origin::Library;
            found.contains(path) || files.get(path).is_some_and(library)
        });
        self.read_again(new);
    }

    fn note_left_out(&mut self, path: &str, reason: String) {
        let origin = self.files.get(path).map(|entry| entry.origin);
        let origin = origin.unwrap_or(Origin::Workspace);
        let left_out = LeftOut {
            file: self.printed(path, origin).to_owned(),
            reason,
            hides: origin == Origin::Workspace,
        };
        self.left_out.set(path, left_out);
    }

    /// Brings the database to what the vfs shows. `touching`: changed texts fall to LOW.
    /// `stale`: the layout looked at something that is not as it was. Gives the revision.
    fn show(&mut self, touching: bool, stale: bool) -> u64 {
        let (shown, changes) = self.vfs.changes_since(self.shown);
        self.shown = shown;
        let mut changed: Vec<lowering::Changed> = Vec::new();
        let mut new: Vec<lowering::Text> = Vec::new();
        let mut relayout = false;
        for Change { path, text } in changes {
            match (self.files.contains_key(&path), text) {
                (true, Some(text)) => {
                    let before = touching.then(|| self.before(&path)).flatten();
                    let (file, returned) = self.set_text(&path, text, touching);
                    relayout |= returned;
                    changed.extend(file.map(|file| lowering::Changed { path, file, before }));
                }
                (true, None) => relayout |= self.set_gone(&path),
                (false, Some(text)) => new.extend(self.new_text(path, text)),
                (false, None) => {}
            }
        }
        let mut set = !changed.is_empty() || !new.is_empty() || relayout;
        relayout |= self.lower_changed(changed);
        if !new.is_empty() {
            self.make(new, touching);
            relayout = true;
        }
        if relayout || stale {
            set |= self.lay_out(&|_| {});
            // Laying out may have read libraries.
            self.shown = self.vfs.revision();
        }
        if set {
            self.revision += 1;
            self.kept = std::mem::take(&mut self.kept).next();
        }
        self.revision
    }

    /// Sets header and items of files as their new texts have them. Whether the layout must be
    /// asked again.
    fn lower_changed(&mut self, changed: Vec<lowering::Changed>) -> bool {
        let irs = lowering::again(&self.db, self.threads, &mut self.trees, &changed);
        let mut relayout = false;
        for (lowering::Changed { path, file, .. }, ir) in changed.into_iter().zip(irs) {
            match ir {
                Some(mut ir) => {
                    self.left_out.clear(&path);
                    relayout |= lowering::set_read(&mut self.db, file, &mut ir);
                    if let Some(entry) = self.files.get_mut(&path).filter(|entry| entry.touched) {
                        entry.last = Some(lowering::Before {
                            text: file.text(&self.db).clone(),
                            ir: ir.clone(),
                        });
                    }
                    lowering::keep(&self.db, file, ir);
                }
                None => {
                    self.note_left_out(&path, lowering::BROKE.to_owned());
                    relayout |= self.set_gone(&path);
                }
            }
        }
        relayout
    }

    /// Demotes the text of a workspace file that is opened with an equal text.
    fn touch(&mut self, path: &str, text: &Arc<str>) {
        let Some(entry) = self.files.get_mut(path) else {
            return;
        };
        let library = entry.origin == Origin::Library;
        if entry.touched || library || entry.file.text(&self.db) != text {
            return;
        }
        entry.touched = true;
        let (file, low) = (entry.file, text_durability(entry.origin, true));
        // An equal text has the same parts.
        let last = lowering::Before::of(&self.db, file);
        let ir = last.ir.clone();
        entry.last = Some(last);
        file.set_text(&mut self.db)
            .with_durability(low)
            .to(text.clone());
        lowering::keep(&self.db, file, ir);
        file.set_touched(&mut self.db).with_durability(low).to(true);
        self.kept = std::mem::take(&mut self.kept).next();
    }

    /// What the database shows of a file that is there, if that could help to read its next text.
    fn before(&self, path: &str) -> Option<lowering::Before> {
        let entry = self.files.get(path).filter(|entry| entry.present)?;
        let text = entry.file.text(&self.db);
        let last = entry.last.clone();
        let last = last.filter(|last| Arc::ptr_eq(&last.text, text));
        Some(last.unwrap_or_else(|| lowering::Before::of(&self.db, entry.file)))
    }

    /// Sets the text of a known file where it differs: the file, if it was set, and whether the
    /// file has come back.
    fn set_text(&mut self, path: &str, text: Arc<str>, touching: bool) -> (Option<File>, bool) {
        let Some(entry) = self.files.get_mut(path) else {
            return (None, false);
        };
        let returned = !std::mem::replace(&mut entry.present, true);
        if *entry.file.text(&self.db) == text {
            return (None, returned);
        }
        if touching && !std::mem::replace(&mut entry.touched, true) {
            let low = text_durability(entry.origin, true);
            let file = entry.file;
            file.set_touched(&mut self.db).with_durability(low).to(true);
        }
        let durability = text_durability(entry.origin, entry.touched);
        entry
            .file
            .set_text(&mut self.db)
            .with_durability(durability)
            .to(text);
        (Some(entry.file), returned)
    }

    /// A file went: it is in no unit any more. Whether that was new.
    fn set_gone(&mut self, path: &str) -> bool {
        self.files
            .get_mut(path)
            .is_some_and(|entry| std::mem::replace(&mut entry.present, false))
    }

    fn new_text(&self, path: Arc<str>, text: Arc<str>) -> Option<lowering::Text> {
        let lang = disk::language(&path)?;
        codeweft_vfs::relative(&self.root, &path)?;
        Some(lowering::Text {
            printed: self.printed(&path, Origin::Workspace).into(),
            path,
            lang,
            origin: Origin::Workspace,
            text,
        })
    }

    fn make(&mut self, new: Vec<lowering::Text>, touching: bool) {
        let made = lowering::create(&self.db, self.threads, &new, &|_| {});
        for (text, file) in new.into_iter().zip(made) {
            let Some(file) = file else {
                self.note_left_out(&text.path, lowering::BROKE.to_owned());
                continue;
            };
            if touching {
                let low = text_durability(text.origin, true);
                file.set_text(&mut self.db)
                    .with_durability(low)
                    .to(text.text);
                file.set_touched(&mut self.db).with_durability(low).to(true);
            }
            let entry = Entry {
                file,
                lang: text.lang,
                origin: text.origin,
                touched: touching,
                present: true,
                stamp: disk::Stamp::of(&text.path),
                last: None,
            };
            self.files.insert(text.path, entry);
        }
    }

    /// A text as the database holds it: after a byte-order mark, and the very same `Arc` where it
    /// is equal to the one that is there.
    fn shared(&self, path: &str, text: &str) -> Arc<str> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match self.files.get(path) {
            Some(entry) if **entry.file.text(&self.db) == *text => {
                entry.file.text(&self.db).clone()
            }
            _ => text.into(),
        }
    }

    fn absolute(&self, path: &Path) -> Option<String> {
        codeweft_vfs::normalise(Path::new(&self.root), path)
    }
}
