//! `.codeweft/excluded_files.txt`: the files of the workspace that are not visible, because they have a secret.

use codeweft_db::File;
use codeweft_server::WorkspaceFolder;
use codeweft_workspace::{FollowedView, FollowerStep, SkippedFile};

/// Writes the list, sorted by path. A workspace without such files gets no folder for it, and one that cannot be written to no
/// list: answers name the files too.
pub fn write(root: &str, skipped: &[SkippedFile]) {
    let folder = match skipped {
        [] => WorkspaceFolder::open(root),
        _ => WorkspaceFolder::make(root),
    };
    let lines = skipped.iter().map(line);
    let _ = folder.map(|folder| folder.write_excluded_files(&lines.collect::<String>()));
}

fn line(skipped: &SkippedFile) -> String {
    let SkippedFile { file, line, secret } = skipped;
    format!("{file}\t{secret}, line {line}\n")
}

/// Keeps the list of a live workspace up to date.
pub struct ExcludedFiles {
    root: String,
    /// The revision that is scanned.
    revision: Option<u64>,
    /// Its files that are not scanned yet.
    left: Vec<File>,
    found: Vec<SkippedFile>,
    /// The list as it was written last.
    written: Option<Vec<SkippedFile>>,
}

impl ExcludedFiles {
    /// Returns one that has written nothing yet.
    pub fn new(root: &str) -> ExcludedFiles {
        ExcludedFiles {
            root: root.to_owned(),
            revision: None,
            left: Vec::new(),
            found: Vec::new(),
            written: None,
        }
    }

    /// Scans files of a revision until the slice is over; writes the list behind the last one, if it differs.
    pub fn step(&mut self, view: &FollowedView<'_>) -> FollowerStep {
        let snapshot = view.snapshot;
        if self.revision != Some(snapshot.revision()) {
            self.revision = Some(snapshot.revision());
            self.left = snapshot.workspace_files();
            self.found.clear();
        }
        while let Some(&file) = self.left.last() {
            if (view.is_over)() {
                return FollowerStep::Again;
            }
            snapshot.check();
            self.found.extend(SkippedFile::of(snapshot.db(), file));
            self.left.pop();
        }
        self.found.sort();
        if self.written.as_ref() != Some(&self.found) {
            write(&self.root, &self.found);
            self.written = Some(self.found.clone());
        }
        FollowerStep::Done
    }
}
