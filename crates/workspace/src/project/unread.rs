//! Files that were not read, and whether answers may be incomplete without them.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A file or folder that was not read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
pub struct UnreadFile {
    /// As answers print it.
    pub file: String,
    /// The reason in words.
    pub reason: String,
    /// Whether it has or may have sources of the workspace, so that no answer is complete without it.
    #[serde(skip)]
    pub hides: bool,
}

/// All unread files: those of the last walk, and those of single reads since.
#[derive(Clone, Default)]
pub(crate) struct UnreadFiles {
    walked: BTreeMap<Arc<str>, UnreadFile>,
    read: BTreeMap<Arc<str>, UnreadFile>,
}

impl UnreadFiles {
    /// Replaces the files of the last walk.
    pub(super) fn set_walked(&mut self, walked: Vec<(Arc<str>, UnreadFile)>) {
        self.walked = walked.into_iter().collect();
    }

    /// Keeps those of single reads whose path fulfils `there`.
    pub(super) fn retain(&mut self, there: impl Fn(&Arc<str>) -> bool) {
        self.read.retain(|path, _| there(path));
    }

    /// Records a file that could not be read.
    pub(super) fn set(&mut self, path: &str, unread: UnreadFile) {
        self.walked.remove(path);
        self.read.insert(path.into(), unread);
    }

    /// Records a file of a walk of one folder.
    pub(super) fn set_found(&mut self, path: Arc<str>, unread: UnreadFile) {
        self.walked.insert(path, unread);
    }

    /// Takes the files of libraries out, sorted.
    pub(super) fn take_libraries(&mut self) -> Vec<Arc<str>> {
        let hides = |unread: &UnreadFile| unread.hides;
        let libraries = self.read.iter().filter(|(_, unread)| !hides(unread));
        let libraries = libraries.map(|(path, _)| path.clone()).collect();
        self.read.retain(|_, unread| hides(unread));
        libraries
    }

    /// Returns whether a path is recorded.
    pub(super) fn has(&self, path: &str) -> bool {
        self.read.contains_key(path) || self.walked.contains_key(path)
    }

    /// Returns whether a file was not read for this reason.
    pub(super) fn has_reason(&self, path: &str, reason: &str) -> bool {
        let unread = self.read.get(path);
        unread.is_some_and(|unread| unread.reason == reason)
    }

    /// Returns whether the path is a file of the workspace that could not be read.
    pub(super) fn is_of_workspace(&self, path: &str) -> bool {
        self.read.get(path).is_some_and(|unread| unread.hides)
    }

    /// Removes a file that was read or is gone.
    pub(super) fn clear(&mut self, path: &str) {
        self.walked.remove(path);
        self.read.remove(path);
    }

    /// Removes the paths that fulfil `gone`.
    pub(super) fn forget(&mut self, gone: impl Fn(&str) -> bool) {
        self.walked.retain(|path, _| !gone(path));
        self.read.retain(|path, _| !gone(path));
    }

    /// Returns all, sorted.
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
