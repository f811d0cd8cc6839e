//! What the disk holds now: looked at and told to the vfs. The database is not touched, so that
//! readers may go on meanwhile.

use std::path::Path;
use std::sync::Arc;

use codeweft_db::Origin;
use codeweft_vfs::{DiskState, ExclusionRules, UnreadReason, WalkVerdict, changes_rules};
use rustc_hash::FxHashSet;

use super::database::ProjectDatabase;
use super::disk::WalkOutcome;
use super::files::LoadedFile;
use super::stamps::{FileStamp, ReadFile};
use super::unread::UnreadFile;
use crate::parallel;

/// From so many files on several threads read.
const MANY: usize = 32;

/// So many stamps are compared by one thread.
const SLICE: usize = 256;

/// What named paths turned out to be.
#[derive(Default)]
struct PathLookup {
    /// Files to read.
    read: Vec<Arc<str>>,
    /// Left out, and told.
    left_out: Vec<(Arc<str>, UnreadReason)>,
    /// Folders to look into.
    folders: Vec<String>,
    /// What is no file that is read: not there, or left out in silence. It may have been a folder.
    nothing: FxHashSet<String>,
}

impl ProjectDatabase {
    /// Looks at files and folders that may have changed, come or gone on disk (absolute or below
    /// the root; a folder stands for all below it). [`ProjectDatabase::show_disk`] shows what it finds.
    pub(crate) fn look(&mut self, paths: &[impl AsRef<Path>]) {
        let mut paths: Vec<String> = paths
            .iter()
            .filter_map(|path| codeweft_vfs::normalise(Path::new(&*self.root), path.as_ref()))
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
            self.find(path, &mut rules, &mut found);
        }
        // A walk looks into all folders.
        let folders = match walk {
            true => Vec::new(),
            false => std::mem::take(&mut found.folders),
        };
        self.look_into(folders, &mut rules, &mut found);
        if !found.left_out.is_empty() {
            self.leave_out(found.left_out);
        }
        found.read.sort_unstable();
        found.read.dedup();
        self.read_files(found.read);
        if walk {
            self.walk_anew();
        }
        self.stale |= self.disk.layout_is_stale();
    }

    /// Looks at everything: files whose stamp is not as it was, what came and what went.
    pub(crate) fn look_everywhere(&mut self) {
        let known: Vec<&Arc<str>> = self
            .files
            .iter()
            .filter(|(path, entry)| self.was_found(path, entry))
            .map(|(path, _)| path)
            .collect();
        let changed = self.changed(&known);
        self.read_files(changed);
        self.walk_anew();
        self.stale |= self.disk.layout_is_stale();
    }

    /// Whether a file of the workspace was found on disk when it was last looked for. One that is
    /// only open may be one that a walk leaves out.
    fn was_found(&self, path: &str, entry: &LoadedFile) -> bool {
        let looked = self.stamps.get(path);
        entry.origin == Origin::Workspace
            && entry.present
            && looked.is_some_and(|looked| looked.stamp.is_some())
    }

    /// Of files those whose stamps are not what they were.
    fn changed(&self, files: &[&Arc<str>]) -> Vec<Arc<str>> {
        let stamps = &self.stamps;
        let slices: Vec<&[&Arc<str>]> = files.chunks(SLICE).collect();
        let handles = vec![(); self.threads.min(slices.len()).max(1)];
        let changed = parallel::each(handles, &slices, |(), slice| {
            let holds = |path: &str| {
                let looked = stamps.get(path).and_then(|looked| looked.stamp);
                looked.is_some_and(|stamp| stamp.holds(FileStamp::of(path)))
            };
            let changed = slice.iter().filter(|path| !holds(path));
            changed.map(|path| (*path).clone()).collect::<Vec<_>>()
        });
        changed.into_iter().flatten().collect()
    }

    fn find(&self, path: String, rules: &mut ExclusionRules, found: &mut PathLookup) {
        let known = self.files.get_key_value(path.as_str());
        if let Some((path, entry)) = known
            && (entry.origin == Origin::Library || self.was_found(path, entry) && is_file(path))
        {
            // No rule is asked for what a walk has found: a changed rule walks anew.
            return found.read.push(path.clone());
        }
        match self.disk.look(rules, &path) {
            WalkVerdict::File(_) => found.read.push(path.into()),
            WalkVerdict::Folder => found.folders.push(path),
            WalkVerdict::LeftOut(reason) => {
                found.left_out.push((path.as_str().into(), reason));
                found.nothing.insert(path);
            }
            WalkVerdict::Absent | WalkVerdict::Silent => {
                found.nothing.insert(path);
            }
        }
    }

    /// Finds what is in folders and what has gone from them and from what is no folder any more.
    fn look_into(
        &mut self,
        folders: Vec<String>,
        rules: &mut ExclusionRules,
        found: &mut PathLookup,
    ) {
        if folders.is_empty() && found.nothing.is_empty() {
            return;
        }
        let mut there: FxHashSet<Arc<str>> = FxHashSet::default();
        let mut told: Vec<(Arc<str>, UnreadFile)> = Vec::new();
        for folder in &folders {
            let WalkOutcome { files, left_out } = self.disk.walk_below(rules, folder);
            there.extend(files.into_iter().map(|(path, _)| path));
            told.extend(left_out);
        }
        let folders: FxHashSet<&str> = folders.iter().map(String::as_str).collect();
        let touched = |path: &str| {
            ancestors(path).any(|at| folders.contains(at) || found.nothing.contains(at))
        };
        let left_out = Arc::make_mut(&mut self.left_out);
        left_out.forget(|path| touched(path) && !there.contains(path));
        for (path, told) in told {
            left_out.set_found(path, told);
        }
        let present = |entry: &LoadedFile| entry.origin == Origin::Workspace && entry.present;
        let mut kept: Vec<&Arc<str>> = Vec::new();
        let mut gone: Vec<Arc<str>> = Vec::new();
        for (path, entry) in self.files.iter() {
            if present(entry) && touched(path) {
                match there.contains(path) {
                    true => kept.push(path),
                    false => gone.push(path.clone()),
                }
            }
        }
        found.read.extend(self.changed(&kept));
        let known = |path: &Arc<str>| {
            let entry = self.files.get(path);
            entry.is_some_and(|entry| self.was_found(path, entry))
        };
        let new: Vec<Arc<str>> = there.iter().filter(|path| !known(path)).cloned().collect();
        self.adopt(&new);
        found.read.extend(new);
        gone.sort_unstable();
        for path in gone {
            // Said of it below.
            if !found.left_out.iter().any(|(told, _)| *told == path) {
                self.tell(&path, None, DiskState::Absent);
            }
        }
    }

    /// Named files that a walk would leave out and tell.
    fn leave_out(&mut self, left_out: Vec<(Arc<str>, UnreadReason)>) {
        for (path, reason) in left_out {
            let told = self.disk.told(&path, &reason);
            Arc::make_mut(&mut self.left_out).set_found(path.clone(), told);
            // As after a walk, the vfs is not told of what was never read.
            if self.files.get(&path).is_some_and(|entry| entry.present) {
                self.tell(&path, FileStamp::of(&path), DiskState::LeftOut(reason));
            }
        }
    }

    /// Reads files and tells the vfs what they hold now.
    fn read_files(&mut self, paths: Vec<Arc<str>>) {
        let disk = &self.disk;
        let handles = vec![(); self.threads.min(paths.len() / MANY + 1)];
        let read = parallel::each(handles, &paths, |(), path| disk.text(path));
        for (path, (stamp, text)) in paths.into_iter().zip(read) {
            let now = match text {
                Ok(text) => DiskState::Text(text),
                Err(UnreadReason::Absent) => DiskState::Absent,
                Err(reason) => DiskState::LeftOut(reason),
            };
            match &now {
                DiskState::LeftOut(reason) => self.note_left_out(&path, reason.to_string()),
                // A text that lowering broke on is told of until it is another one.
                DiskState::Text(_) if now == self.vfs.disk(&path) => {}
                DiskState::Text(_) | DiskState::Absent => {
                    Arc::make_mut(&mut self.left_out).clear(&path);
                }
            }
            self.tell(&path, stamp, now);
        }
    }

    /// Tells the vfs what a file holds, also where that is no news: a document that was saved
    /// since yields to it.
    fn tell(&self, path: &Arc<str>, stamp: Option<FileStamp>, disk: DiskState) {
        let before = self.vfs.revision();
        self.vfs.set_disk(path, disk);
        let after = self.vfs.revision();
        let told = match self.stamps.get(path) {
            Some(looked) if after == before => looked.told,
            _ => after,
        };
        self.stamps.set(path, ReadFile { stamp, told });
    }

    /// Walks the workspace anew: what came is read, what went is gone.
    fn walk_anew(&mut self) {
        let walked = self.disk.walk();
        let found: FxHashSet<&Arc<str>> = walked.files.iter().map(|(path, _)| path).collect();
        let mut gone: Vec<Arc<str>> = self
            .files
            .iter()
            .filter(|(path, entry)| {
                entry.origin == Origin::Workspace && entry.present && !found.contains(path)
            })
            .map(|(path, _)| path.clone())
            .collect();
        gone.sort_unstable();
        for path in gone {
            self.tell(&path, None, DiskState::Absent);
        }
        let known = |path: &Arc<str>| {
            let entry = self.files.get(path);
            entry.is_some_and(|entry| self.was_found(path, entry))
        };
        let paths = walked.files.iter().map(|(path, _)| path);
        let new: Vec<Arc<str>> = paths.filter(|path| !known(path)).cloned().collect();
        let left_out = Arc::make_mut(&mut self.left_out);
        left_out.set_walked(walked.left_out);
        let files = &self.files;
        left_out.retain(|path| {
            let library = |entry: &LoadedFile| entry.origin == Origin::Library;
            found.contains(path) || files.get(path).is_some_and(library)
        });
        self.adopt(&new);
        self.read_files(new);
    }

    /// Files of the workspace that were a library's while a rule left them out are made anew.
    fn adopt(&mut self, found: &[Arc<str>]) {
        let library = |path: &&Arc<str>| {
            let entry = self.files.get(*path);
            entry.is_some_and(|entry| entry.origin == Origin::Library)
        };
        let theirs: Vec<Arc<str>> = found.iter().filter(library).cloned().collect();
        for path in theirs {
            Arc::make_mut(&mut self.files).remove(&path);
            self.vfs.set_disk(&path, DiskState::Absent);
        }
    }
}

/// A path and the folders that it lies in, itself first.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| {
        let (parent, _) = path.rsplit_once('/')?;
        (!parent.is_empty()).then_some(parent)
    })
}

fn is_file(path: &str) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}
