//! The files of the workspace that are not visible, because they have a secret.

use codeweft_db::{File, Origin, RootDb, file_secrets};
use serde::Serialize;

use super::database::ProjectDatabase;
use super::files::FileTable;
use super::snapshot::Snapshot;

/// A file that is not visible.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct SkippedFile {
    /// As answers print it.
    pub file: String,
    /// The line of its first secret, 1-based.
    pub line: u32,
    /// The kind of that secret: `AWS key`.
    pub secret: &'static str,
}

impl SkippedFile {
    /// Returns what a file is skipped for; `None` if it is visible.
    pub fn of(db: &RootDb, file: File) -> Option<SkippedFile> {
        let secrets = file_secrets(db, file);
        let first = secrets.first()?;
        Some(SkippedFile {
            file: file.path(db).to_string(),
            line: first.line,
            secret: first.kind,
        })
    }
}

impl Snapshot<'_> {
    /// Returns the files of the workspace, documents too, in no order.
    pub fn workspace_files(&self) -> Vec<File> {
        workspace_files(&self.state.files)
    }
}

impl ProjectDatabase {
    /// Returns the files of the workspace that are not visible, by path.
    pub fn skipped_files(&self) -> Vec<SkippedFile> {
        let files = workspace_files(&self.sources.table).into_iter();
        let mut skipped: Vec<_> = files
            .filter_map(|file| SkippedFile::of(&self.db, file))
            .collect();
        skipped.sort();
        skipped
    }
}

fn workspace_files(table: &FileTable) -> Vec<File> {
    let files = table.iter();
    let own = files.filter(|(_, entry)| entry.present && entry.origin == Origin::Workspace);
    own.map(|(_, entry)| entry.file).collect()
}
