//! The workspace's own `.codeweft`: the lock of its server, and where that listens.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, fstat, openat, renameat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::private_files::{open_folder, own_and_plain, own_file, uid};

/// What the server writes about itself.
pub(super) const NOTE: &str = "server.json";

/// The longest note that is read, in bytes.
const LONGEST_NOTE: u64 = 64 << 10;

/// What a server writes about itself for clients that look for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ServerRecord {
    /// The path of its socket.
    pub socket: String,
    /// Its process.
    pub pid: u32,
    /// Its Host's instance.
    pub instance: String,
    /// Its build.
    pub build: String,
}

/// The workspace's own `.codeweft`, held open.
#[derive(Debug)]
pub struct WorkspaceFolder {
    descriptor: OwnedFd,
}

impl WorkspaceFolder {
    /// The `.codeweft` of the workspace, where it is there, ours and no link.
    pub fn open(root: &str) -> Option<WorkspaceFolder> {
        let path = Path::new(root).join(".codeweft");
        let descriptor = open_folder(CWD, &path, OFlags::NOFOLLOW).ok()?;
        let stat = fstat(&descriptor).ok()?;
        // What others can write into tells nothing.
        (stat.st_uid == uid() && stat.st_mode & 0o022 == 0)
            .then_some(WorkspaceFolder { descriptor })
    }

    /// The same, made where it is missing; `None` where the workspace cannot be written to, or
    /// where what is there is a link or another's.
    pub fn make(root: &str) -> Option<WorkspaceFolder> {
        let path = Path::new(root).join(".codeweft");
        match rustix::fs::mkdir(&path, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(_) => return None,
        }
        let own = WorkspaceFolder::open(root)?;
        // So that no repository ever shows it as new. Where it cannot be written the folder is
        // still good.
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

    /// A file of ours in it, opened for reading and writing, made where it is missing.
    pub(super) fn file(&self, name: &str) -> io::Result<OwnedFd> {
        own_file(&self.descriptor, name)
    }

    /// The note of the workspace's server.
    pub(super) fn note(&self) -> Option<ServerRecord> {
        read_note(&self.descriptor)
    }

    /// Writes the server's note: whole or not at all.
    pub(super) fn write_note(&self, note: &ServerRecord) -> io::Result<()> {
        write_note(&self.descriptor, note)
    }

    /// Takes the note away.
    pub(super) fn remove_note(&self) {
        // Gone already is as good.
        let _ = rustix::fs::unlinkat(&self.descriptor, NOTE, AtFlags::empty());
    }
}

/// The note in a folder, where it is a plain file of ours and can be read.
pub(super) fn read_note(at: &OwnedFd) -> Option<ServerRecord> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = openat(at, NOTE, flags, Mode::empty()).ok()?;
    if !own_and_plain(&fstat(&file).ok()?) {
        return None;
    }
    let mut text = Vec::new();
    let file = File::from(file);
    file.take(LONGEST_NOTE).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Writes the note into a folder: whole or not at all, with mode 0600.
pub(super) fn write_note(at: &OwnedFd, note: &ServerRecord) -> io::Result<()> {
    let temporary = format!(".{NOTE}.{}", std::process::id());
    let flags = OFlags::CREATE | OFlags::TRUNC | OFlags::WRONLY | OFlags::CLOEXEC;
    let flags = flags | OFlags::NOFOLLOW;
    let file = openat(at, &temporary, flags, Mode::RUSR | Mode::WUSR)?;
    let mut text = serde_json::to_vec(note)?;
    text.push(b'\n');
    File::from(file).write_all(&text)?;
    renameat(at, &temporary, at, NOTE)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir, create_dir_all, write};
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_workspaces_folder_that_is_a_link_is_not_used() {
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
    fn the_workspaces_folder_hides_itself_from_git_once() {
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
    fn a_link_in_place_of_the_lock_is_not_followed() {
        let top = tempfile::tempdir().expect("a folder");
        let own = WorkspaceFolder::make(top.path().to_str().expect("UTF-8")).expect("made");
        symlink(top.path().join("victim"), top.path().join(".codeweft/lock")).expect("linked");
        assert!(own.file("lock").is_err());
        assert!(!top.path().join("victim").exists());
    }
}
