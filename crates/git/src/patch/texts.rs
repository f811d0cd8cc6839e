//! The texts of all files after a patch.

use std::collections::BTreeMap;

use crate::patch::{Change, FilePatch, Patch, PatchError};

impl Patch {
    /// The texts of the files that the patch changes, by their paths as written; `None` for a file that is
    /// gone afterwards. `read` returns the text of a path before the patch.
    ///
    /// Later changes of a file apply to what earlier ones made of it. But a copy is one of the text before
    /// the patch if it applies to that, as for `git apply`: one diff can edit a file after which a copy of it is
    /// listed. Of a file with two names ([`Change::Edited`]) the one is taken that there is. Binary files are skipped.
    ///
    /// Errors: those of [`FilePatch::apply`].
    pub fn apply(
        &self,
        read: impl FnMut(&str) -> Option<String>,
    ) -> Result<BTreeMap<String, Option<String>>, PatchError> {
        let mut texts = Texts {
            read,
            changed: BTreeMap::new(),
        };
        for file in self.files.iter().filter(|file| !file.is_binary) {
            texts.apply(file)?;
        }
        let changed = texts.changed.into_iter();
        Ok(changed.map(|(path, (text, _))| (path, text)).collect())
    }
}

/// The texts while a patch is applied.
struct Texts<F> {
    read: F,
    /// The texts that files of the patch have made, with the kind of the last change.
    changed: BTreeMap<String, (Option<String>, Change)>,
}

impl<F: FnMut(&str) -> Option<String>> Texts<F> {
    fn apply(&mut self, file: &FilePatch) -> Result<(), PatchError> {
        match (file.change, &file.before, &file.after) {
            (Change::Renamed, Some(before), Some(after)) => self.rename(file, before, after),
            (Change::Copied, Some(before), Some(after)) => {
                let original = file.apply((self.read)(before).as_deref());
                let text = original.or_else(|_| file.apply(self.now(before).as_deref()))?;
                self.set(after, text, file.change);
                Ok(())
            }
            (Change::Edited, Some(before), Some(after)) if before != after => {
                self.edit_either(file, before, after)
            }
            _ => {
                let path = file.path();
                let text = file.apply(self.now(path).as_deref())?;
                self.set(path, text, file.change);
                Ok(())
            }
        }
    }

    /// The text of a path now.
    fn now(&mut self, path: &str) -> Option<String> {
        match self.changed.get(path) {
            Some((text, _)) => text.clone(),
            None => (self.read)(path),
        }
    }

    fn set(&mut self, path: &str, text: Option<String>, change: Change) {
        self.changed.insert(path.to_owned(), (text, change));
    }

    /// A file that was edited or added and then renamed is one of a series of patches. If another one got
    /// its name by a rename, this is one diff, and the file before it is meant.
    fn rename(&mut self, file: &FilePatch, before: &str, after: &str) -> Result<(), PatchError> {
        let last = self.changed.get(before).map(|(_, change)| *change);
        let original = match last {
            Some(Change::Renamed | Change::Copied) => {
                file.apply((self.read)(before).as_deref()).ok()
            }
            _ => None,
        };
        match original {
            Some(text) => self.set(after, text, file.change),
            None => {
                let text = file.apply(self.now(before).as_deref())?;
                self.set(before, None, Change::Removed);
                self.set(after, text, file.change);
            }
        }
        Ok(())
    }

    /// Changes the file that has one of two names: the shorter one if the patch fits to both.
    fn edit_either(
        &mut self,
        file: &FilePatch,
        before: &str,
        after: &str,
    ) -> Result<(), PatchError> {
        let mut paths = [before, after];
        paths.sort_by_key(|path| path.len());
        let mut first_error = None;
        for path in paths {
            let Some(text) = self.now(path) else {
                continue;
            };
            match file.apply(Some(&text)) {
                Ok(text) => {
                    self.set(path, text, file.change);
                    return Ok(());
                }
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            Some(error) => Err(error),
            None => {
                let text = file.apply(None)?;
                self.set(after, text, file.change);
                Ok(())
            }
        }
    }
}
