//! Scanning the disk for changes and reporting them to the vfs. The database is not written, so that readers
//! may read meanwhile.

use std::path::Path;
use std::sync::Arc;

use codeweft_db::Origin;
use codeweft_vfs::{DiskState, ExclusionRules, UnreadReason, WalkVerdict, changes_rules};
use rustc_hash::FxHashSet;

use super::disk::WalkOutcome;
use super::files::LoadedFile;
use super::sources::SourceFiles;
use super::stamps::{FileStamp, ReadFile};
use super::unread::UnreadFile;
use crate::parallel;

/// From this many files on, several threads read.
const MANY: usize = 32;

/// The number of stamps that a thread compares at a time.
const SLICE: usize = 256;

/// The classification of named paths.
#[derive(Default)]
struct PathLookup {
    /// Files to read.
    read: Vec<Arc<str>>,
    /// Excluded, and reported as unread.
    unread: Vec<(Arc<str>, UnreadReason)>,
    /// Folders to walk.
    folders: Vec<String>,
    /// Absent, or excluded in silence. It may have been a folder.
    nothing: FxHashSet<String>,
}

impl SourceFiles {
    /// Checks files and folders that may have changed, come or gone on disk (absolute or below the root; a
    /// folder means all below it). The next transaction brings the database to what was found.
    pub(super) fn scan(&mut self, paths: &[impl AsRef<Path>]) {
        let mut paths: Vec<String> = paths
            .iter()
            .filter_map(|path| self.absolute(path.as_ref()))
            .collect();
        paths.sort_unstable();
        paths.dedup();
        let mut rules = self.disk.rules();
        let mut found = PathLookup::default();
        let mut walk = false;
        for path in paths {
            let name = path.rsplit('/').next().unwrap_or_default();
            if changes_rules(name) {
                walk = true;
            }
            self.classify(path, &mut rules, &mut found);
        }
        // A walk covers all folders.
        let folders = if walk {
            Vec::new()
        } else {
            std::mem::take(&mut found.folders)
        };
        self.scan_folders(folders, &mut rules, &mut found);
        if !found.unread.is_empty() {
            self.record_unread(found.unread);
        }
        found.read.sort_unstable();
        found.read.dedup();
        self.read_files(found.read);
        if walk {
            self.walk_anew();
        }
        self.layout_is_stale |= self.disk.layout_is_stale();
    }

    /// Checks everything: files whose stamps have changed, new files, deleted ones.
    pub(super) fn scan_all(&mut self) {
        let known: Vec<&Arc<str>> = self
            .table
            .present_in_workspace()
            .filter(|(path, entry)| self.was_found(path, entry))
            .map(|(path, _)| path)
            .collect();
        let changed = self.changed(&known);
        self.read_files(changed);
        self.walk_anew();
        self.layout_is_stale |= self.disk.layout_is_stale();
    }

    /// Returns whether a file of the workspace existed on disk when it was last read. One that is only open may
    /// be excluded.
    fn was_found(&self, path: &str, entry: &LoadedFile) -> bool {
        let read = self.stamps.get(path);
        entry.origin == Origin::Workspace
            && entry.present
            && read.is_some_and(|read| read.stamp.is_some())
    }

    /// Returns the files whose stamps have changed.
    fn changed(&self, files: &[&Arc<str>]) -> Vec<Arc<str>> {
        let stamps = &self.stamps;
        let slices: Vec<&[&Arc<str>]> = files.chunks(SLICE).collect();
        let handles = vec![(); self.threads.min(slices.len()).max(1)];
        let changed = parallel::each(handles, &slices, |(), slice| {
            let holds = |path: &str| {
                let read = stamps.get(path).and_then(|read| read.stamp);
                read.is_some_and(|stamp| stamp.holds(FileStamp::of(path)))
            };
            let changed = slice.iter().filter(|path| !holds(path));
            changed.map(|path| (*path).clone()).collect::<Vec<_>>()
        });
        changed.into_iter().flatten().collect()
    }

    /// Classifies a path.
    fn classify(&self, path: String, rules: &mut ExclusionRules, found: &mut PathLookup) {
        let known = self.table.entry(&path);
        if let Some((path, entry)) = known
            && (entry.origin == Origin::Library || self.was_found(path, entry) && is_file(path))
        {
            // A walk has found it, so no rule excludes it: a changed rule walks anew.
            return found.read.push(path.clone());
        }
        match self.disk.verdict(rules, &path) {
            WalkVerdict::File(_) => found.read.push(path.into()),
            WalkVerdict::Folder => found.folders.push(path),
            WalkVerdict::Unread(reason) => {
                found.unread.push((path.as_str().into(), reason));
                found.nothing.insert(path);
            }
            WalkVerdict::Absent | WalkVerdict::Silent => {
                found.nothing.insert(path);
            }
        }
    }

    /// Finds the files in folders, and those that have gone from them and from former folders.
    fn scan_folders(
        &mut self,
        folders: Vec<String>,
        rules: &mut ExclusionRules,
        found: &mut PathLookup,
    ) {
        if folders.is_empty() && found.nothing.is_empty() {
            return;
        }
        let mut there: FxHashSet<Arc<str>> = FxHashSet::default();
        let mut reported: Vec<(Arc<str>, UnreadFile)> = Vec::new();
        for folder in &folders {
            let WalkOutcome { files, unread } = self.disk.walk_below(rules, folder);
            there.extend(files.into_iter().map(|(path, _)| path));
            reported.extend(unread);
        }
        let folders: FxHashSet<&str> = folders.iter().map(String::as_str).collect();
        let touched = |path: &str| {
            ancestors(path).any(|at| folders.contains(at) || found.nothing.contains(at))
        };
        let unread = Arc::make_mut(&mut self.unread);
        unread.forget(|path| touched(path) && !there.contains(path));
        for (path, file) in reported {
            unread.set_found(path, file);
        }
        let mut kept: Vec<&Arc<str>> = Vec::new();
        let mut gone: Vec<Arc<str>> = Vec::new();
        for (path, _) in self.table.present_in_workspace() {
            if touched(path) {
                if there.contains(path) {
                    kept.push(path);
                } else {
                    gone.push(path.clone());
                }
            }
        }
        found.read.extend(self.changed(&kept));
        let known = |path: &Arc<str>| {
            let entry = self.table.get(path);
            entry.is_some_and(|entry| self.was_found(path, entry))
        };
        let new: Vec<Arc<str>> = there.iter().filter(|path| !known(path)).cloned().collect();
        self.adopt(&new);
        found.read.extend(new);
        gone.sort_unstable();
        for path in gone {
            // Reported with its reason already.
            if !found.unread.iter().any(|(other, _)| *other == path) {
                self.report_to_vfs(&path, None, DiskState::Absent);
            }
        }
    }

    /// Records named files that a walk would exclude and report.
    fn record_unread(&mut self, unread: Vec<(Arc<str>, UnreadReason)>) {
        for (path, reason) in unread {
            let file = self.disk.unread(&path, &reason);
            Arc::make_mut(&mut self.unread).set_found(path.clone(), file);
            // As after a walk, files that were never read are not reported to the vfs.
            if self.table.get(&path).is_some_and(|entry| entry.present) {
                self.report_to_vfs(&path, FileStamp::of(&path), DiskState::Unread(reason));
            }
        }
    }

    /// Reads files and reports their texts to the vfs.
    pub(super) fn read_files(&mut self, paths: Vec<Arc<str>>) {
        let disk = &self.disk;
        let handles = vec![(); self.threads.min(paths.len() / MANY + 1)];
        let read = parallel::each(handles, &paths, |(), path| disk.text(path));
        for (path, (stamp, text)) in paths.into_iter().zip(read) {
            let now = match text {
                Ok(text) => DiskState::Text(text),
                Err(UnreadReason::Absent) => DiskState::Absent,
                Err(reason) => DiskState::Unread(reason),
            };
            match &now {
                DiskState::Unread(reason) => self.note_unread(&path, reason.to_string()),
                // A text whose lowering panicked stays unread until it changes.
                DiskState::Text(_) if now == self.vfs.disk(&path) => {}
                DiskState::Text(_) | DiskState::Absent => {
                    Arc::make_mut(&mut self.unread).clear(&path);
                }
            }
            self.report_to_vfs(&path, stamp, now);
        }
    }

    /// Reports the state of a file to the vfs, also if it is unchanged: a document that was saved since yields to
    /// it.
    fn report_to_vfs(&self, path: &Arc<str>, stamp: Option<FileStamp>, disk: DiskState) {
        let before = self.vfs.revision();
        self.vfs.set_disk(path, disk);
        let after = self.vfs.revision();
        let vfs_revision = match self.stamps.get(path) {
            Some(read) if after == before => read.vfs_revision,
            _ => after,
        };
        self.stamps.set(
            path,
            ReadFile {
                stamp,
                vfs_revision,
            },
        );
    }

    /// Walks the workspace: reads new files, reports deleted ones.
    fn walk_anew(&mut self) {
        let walked = self.disk.walk();
        let found: FxHashSet<&Arc<str>> = walked.files.iter().map(|(path, _)| path).collect();
        let mut gone: Vec<Arc<str>> = self
            .table
            .present_in_workspace()
            .filter(|(path, _)| !found.contains(path))
            .map(|(path, _)| path.clone())
            .collect();
        gone.sort_unstable();
        for path in gone {
            self.report_to_vfs(&path, None, DiskState::Absent);
        }
        let known = |path: &Arc<str>| {
            let entry = self.table.get(path);
            entry.is_some_and(|entry| self.was_found(path, entry))
        };
        let paths = walked.files.iter().map(|(path, _)| path);
        let new: Vec<Arc<str>> = paths.filter(|path| !known(path)).cloned().collect();
        let unread = Arc::make_mut(&mut self.unread);
        unread.set_walked(walked.unread);
        let files = &self.table;
        unread.retain(|path| {
            let library = |entry: &LoadedFile| entry.origin == Origin::Library;
            found.contains(path) || files.get(path).is_some_and(library)
        });
        self.adopt(&new);
        self.read_files(new);
    }

    /// Makes files anew that were a library's while a rule excluded them from the workspace.
    fn adopt(&mut self, found: &[Arc<str>]) {
        let library = |path: &&Arc<str>| {
            let entry = self.table.get(path);
            entry.is_some_and(|entry| entry.origin == Origin::Library)
        };
        let theirs: Vec<Arc<str>> = found.iter().filter(library).cloned().collect();
        for path in theirs {
            Arc::make_mut(&mut self.table).remove(&path);
            self.vfs.set_disk(&path, DiskState::Absent);
        }
    }
}

/// Returns a path and its parent folders, itself first.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| {
        let (parent, _) = path.rsplit_once('/')?;
        (!parent.is_empty()).then_some(parent)
    })
}

fn is_file(path: &str) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}
