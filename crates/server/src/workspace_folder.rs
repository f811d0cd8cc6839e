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
        // So that no repository lists the folder as new. It is used even if this cannot be written.
        if let Ok(ignore) = openat(
            &own.descriptor,
            ".gitignore",
            OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC,
            Mode::from_raw_mode(0o644),
        ) {
            let _ = File::from(ignore).write_all(b"*\n");
        }
        Some(own)
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
    let temporary = format!(".{RECORD}.{}", std::process::id());
    let flags = OFlags::CREATE | OFlags::TRUNC | OFlags::WRONLY | OFlags::CLOEXEC;
    let flags = flags | OFlags::NOFOLLOW;
    let file = openat(at, &temporary, flags, Mode::RUSR | Mode::WUSR)?;
    let mut text = serde_json::to_vec(record)?;
    text.push(b'\n');
    File::from(file).write_all(&text)?;
    renameat(at, &temporary, at, RECORD)?;
    Ok(())
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
    fn a_link_instead_of_the_lock_is_not_followed() {
        let top = tempfile::tempdir().expect("a folder");
        let own = WorkspaceFolder::make(top.path().to_str().expect("UTF-8")).expect("made");
        symlink(top.path().join("victim"), top.path().join(".codeweft/lock")).expect("linked");
        assert!(own.file("lock").is_err());
        assert!(!top.path().join("victim").exists());
    }
}
