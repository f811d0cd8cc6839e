//! Files that are not read, and whether an answer may lack something for it.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A file or folder that was not read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
pub struct UnreadFile {
    /// As answers print it.
    pub file: String,
    /// Why, in words.
    pub reason: String,
    /// Whether sources of the workspace stand or may stand in it, so that no answer is complete
    /// without it.
    #[serde(skip)]
    pub hides: bool,
}

/// All of them: what the last walk told, and what looking at single files told since.
#[derive(Clone, Default)]
pub(crate) struct UnreadFiles {
    walked: BTreeMap<Arc<str>, UnreadFile>,
    read: BTreeMap<Arc<str>, UnreadFile>,
}

impl UnreadFiles {
    /// What a walk told, in place of what the last one did.
    pub(super) fn set_walked(&mut self, walked: Vec<(Arc<str>, UnreadFile)>) {
        self.walked = walked.into_iter().collect();
    }

    /// Keeps of what reading told what `there` still says of its path.
    pub(super) fn retain(&mut self, there: impl Fn(&Arc<str>) -> bool) {
        self.read.retain(|path, _| there(path));
    }

    /// A file could not be read.
    pub(super) fn set(&mut self, path: &str, left_out: UnreadFile) {
        self.walked.remove(path);
        self.read.insert(path.into(), left_out);
    }

    /// A walk of a part told of it.
    pub(super) fn set_found(&mut self, path: Arc<str>, left_out: UnreadFile) {
        self.walked.insert(path, left_out);
    }

    /// Whether something was told of a path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.read.contains_key(path) || self.walked.contains_key(path)
    }

    /// Whether a file of the workspace could not be read.
    pub(super) fn is_of_workspace(&self, path: &str) -> bool {
        self.read.get(path).is_some_and(|left_out| left_out.hides)
    }

    /// A file was read, or is gone.
    pub(super) fn clear(&mut self, path: &str) {
        self.walked.remove(path);
        self.read.remove(path);
    }

    /// Forgets the paths that `gone` says.
    pub(super) fn forget(&mut self, gone: impl Fn(&str) -> bool) {
        self.walked.retain(|path, _| !gone(path));
        self.read.retain(|path, _| !gone(path));
    }

    /// All, sorted.
    pub(crate) fn all(&self) -> Vec<UnreadFile> {
        let mut all: Vec<UnreadFile> = self
            .walked
            .values()
            .chain(self.read.values())
            .cloned()
            .collect();
        all.sort();
        all.dedup();
        all
    }
}
