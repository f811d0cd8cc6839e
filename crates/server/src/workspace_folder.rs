//! The folder `.codeweft` of a workspace: the lock of its server, and the record of where that listens.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, fstat, openat, renameat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::private_files::{open_folder, own_and_plain, own_file, uid};

/// The name of the server's record.
pub(super) const RECORD: &str = "server.json";

/// The name under which a record is written. Only the holder of the lock writes one, so that a file that a killed
/// process has left is taken over.
const NEW_RECORD: &str = ".server.json.new";

/// The name of the list of files that are not visible.
const EXCLUDED: &str = "excluded_files.txt";

/// The name under which that list is written.
const NEW_EXCLUDED: &str = ".excluded_files.txt.new";

/// The longest record that is read, in bytes.
const MAX_RECORD: u64 = 64 << 10;

/// The record that a server writes for clients that look for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ServerRecord {
    /// The path of its socket.
    pub socket: String,
    /// Its process id.
    pub pid: u32,
    /// The instance of its host.
    pub instance: String,
    /// Its build; see [`crate::build`].
    pub build: String,
    /// The process ids of the editors that are connected to it. A record that a killed server has
    /// left names those that come back.
    #[serde(default)]
    pub editors: Vec<u32>,
}

/// The folder `.codeweft` of a workspace, held open.
#[derive(Debug)]
pub struct WorkspaceFolder {
    descriptor: OwnedFd,
}

impl WorkspaceFolder {
    /// Opens the `.codeweft` of the workspace; `None` if there is none, it is a link, or others may write to it.
    pub fn open(root: &str) -> Option<WorkspaceFolder> {
        let path = Path::new(root).join(".codeweft");
        let descriptor = open_folder(CWD, &path, OFlags::NOFOLLOW).ok()?;
        let stat = fstat(&descriptor).ok()?;
        // A record that others can write is not trusted.
        (stat.st_uid == uid() && stat.st_mode & 0o022 == 0)
            .then_some(WorkspaceFolder { descriptor })
    }

    /// As [`WorkspaceFolder::open`], and makes the folder if it is missing; `None` also if the workspace cannot be
    /// written to.
    pub fn make(root: &str) -> Option<WorkspaceFolder> {
        let path = Path::new(root).join(".codeweft");
        match rustix::fs::mkdir(&path, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(_) => return None,
        }
        let own = WorkspaceFolder::open(root)?;
        // The folder is used even if this cannot be written.
        let _ = own.write_ignore_file();
        Some(own)
    }

    /// Writes a `.gitignore`, so that no repository lists the folder as new, unless there is one with a text: an
    /// empty one is left by a full disk.
    fn write_ignore_file(&self) -> io::Result<()> {
        let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let mode = Mode::from_raw_mode(0o644);
        let file = openat(&self.descriptor, ".gitignore", flags, mode)?;
        let stat = fstat(&file)?;
        if own_and_plain(&stat) && stat.st_size == 0 {
            File::from(file).write_all(b"*\n")?;
        }
        Ok(())
    }

    /// Writes the list of the files that are not visible, whole or not at all; removes it if there is none.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn write_excluded_files(&self, list: &str) -> io::Result<()> {
        if list.is_empty() {
            return match rustix::fs::unlinkat(&self.descriptor, EXCLUDED, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => Ok(()),
                Err(error) => Err(error.into()),
            };
        }
        let mode = Mode::from_raw_mode(0o644);
        write_whole(
            &self.descriptor,
            (NEW_EXCLUDED, EXCLUDED),
            mode,
            list.as_bytes(),
        )
    }

    /// Opens a file of ours in the folder for reading and writing, made if it is missing.
    pub(super) fn file(&self, name: &str) -> io::Result<OwnedFd> {
        own_file(&self.descriptor, name)
    }

    /// Returns the record of the workspace's server.
    pub(super) fn record(&self) -> Option<ServerRecord> {
        read_record(&self.descriptor)
    }

    /// Writes the server's record, whole or not at all.
    pub(super) fn write_record(&self, record: &ServerRecord) -> io::Result<()> {
        write_record(&self.descriptor, record)
    }

    /// Removes the record.
    pub(super) fn remove_record(&self) {
        // It may be gone already.
        let _ = rustix::fs::unlinkat(&self.descriptor, RECORD, AtFlags::empty());
    }
}

/// Reads the record in a folder, if it is a plain file of this user.
pub(super) fn read_record(at: &OwnedFd) -> Option<ServerRecord> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = openat(at, RECORD, flags, Mode::empty()).ok()?;
    if !own_and_plain(&fstat(&file).ok()?) {
        return None;
    }
    let mut text = Vec::new();
    let file = File::from(file);
    file.take(MAX_RECORD).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Writes the record into a folder, whole or not at all, with mode 0600.
pub(super) fn write_record(at: &OwnedFd, record: &ServerRecord) -> io::Result<()> {
    let mut text = serde_json::to_vec(record)?;
    text.push(b'\n');
    write_whole(at, (NEW_RECORD, RECORD), Mode::RUSR | Mode::WUSR, &text)
}

/// Writes a file into a folder under a new name, and gives it its own.
fn write_whole(at: &OwnedFd, (new, name): (&str, &str), mode: Mode, text: &[u8]) -> io::Result<()> {
    let flags = OFlags::CREATE | OFlags::TRUNC | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = openat(at, new, flags | OFlags::NOFOLLOW, mode)?;
    let written = File::from(file)
        .write_all(text)
        .and_then(|()| Ok(renameat(at, new, at, name)?));
    if written.is_err() {
        let _ = rustix::fs::unlinkat(at, new, AtFlags::empty());
    }
    written
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir, create_dir_all, write};
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_workspaces_folder_that_is_a_link_is_not_used() {
        let top = tempfile::tempdir().expect("a folder");
        let root = top.path().join("w");
        create_dir_all(&root).expect("made");
        let root = root.to_str().expect("UTF-8");
        create_dir(top.path().join("elsewhere")).expect("made");
        symlink(top.path().join("elsewhere"), top.path().join("w/.codeweft")).expect("linked");
        assert!(WorkspaceFolder::make(root).is_none());
        assert!(!top.path().join("elsewhere/.gitignore").exists());
    }

    #[test]
    fn the_workspaces_folder_writes_gitignore_once() {
        let top = tempfile::tempdir().expect("a folder");
        let root = top.path().to_str().expect("UTF-8");
        WorkspaceFolder::make(root).expect("made");
        let ignore = top.path().join(".codeweft/.gitignore");
        assert_eq!(std::fs::read(&ignore).expect("there"), b"*\n");
        write(&ignore, "mine").expect("written");
        WorkspaceFolder::make(root).expect("there");
        assert_eq!(std::fs::read(&ignore).expect("there"), b"mine");
    }

    #[test]
    fn an_empty_gitignore_is_written_and_a_link_is_not_followed() {
        let top = tempfile::tempdir().expect("a folder");
        let root = top.path().to_str().expect("UTF-8");
        let ignore = top.path().join(".codeweft/.gitignore");
        create_dir(top.path().join(".codeweft")).expect("made");
        write(&ignore, "").expect("written");
        WorkspaceFolder::make(root).expect("there");
        assert_eq!(std::fs::read(&ignore).expect("there"), b"*\n");
        let elsewhere = top.path().join("elsewhere");
        write(&elsewhere, "").expect("written");
        std::fs::remove_file(&ignore).expect("there");
        symlink(&elsewhere, &ignore).expect("linked");
        WorkspaceFolder::make(root).expect("there");
        assert_eq!(std::fs::read(&elsewhere).expect("there"), b"");
    }

    #[test]
    fn a_record_that_cannot_be_written_leaves_nothing() {
        let top = tempfile::tempdir().expect("a folder");
        let own = WorkspaceFolder::make(top.path().to_str().expect("UTF-8")).expect("made");
        // A rename cannot replace a folder.
        create_dir(top.path().join(".codeweft/server.json")).expect("made");
        let record = ServerRecord {
            socket: "/s".to_owned(),
            pid: 1,
            instance: "i".to_owned(),
            build: "b".to_owned(),
            editors: vec![7],
        };
        assert!(own.write_record(&record).is_err());
        let entries = std::fs::read_dir(top.path().join(".codeweft")).expect("there");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("there").file_name())
            .collect();
        names.sort();
        assert_eq!(names, [".gitignore", "server.json"]);
    }

    #[test]
    fn a_link_instead_of_the_lock_is_not_followed() {
        let top = tempfile::tempdir().expect("a folder");
        let own = WorkspaceFolder::make(top.path().to_str().expect("UTF-8")).expect("made");
        symlink(top.path().join("victim"), top.path().join(".codeweft/lock")).expect("linked");
        assert!(own.file("lock").is_err());
        assert!(!top.path().join("victim").exists());
    }
}
