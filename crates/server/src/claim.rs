//! The right to be the server of a workspace, and the socket of whoever has it.

use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::build_id::build;
use crate::connect::dial;
use crate::lock::FileLock;
use crate::socket_folder::{SocketFolder, SocketPaths, UnsafeFolder};
use crate::workspace_folder::{ServerRecord, WorkspaceFolder};

/// The name of the lock that a server holds for life.
const LOCK: &str = "lock";

/// How often a lock that another server holds is tried again.
const POLL: Duration = Duration::from_millis(10);

/// The right to be the server of a workspace: no other process has it at the same time.
#[derive(Debug)]
pub struct ServerClaim {
    places: SocketPaths,
    folder: SocketFolder,
    own: Option<WorkspaceFolder>,
    life: FileLock,
    /// The folder that the workspace was when the lock was taken.
    home: Option<(u64, u64)>,
}

/// Why a process may not be the server.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// Another is, and takes connections.
    #[error("a server runs already")]
    Lost,
    /// Another is, and takes no connections.
    #[error("another process holds {0} and takes no connections")]
    Silent(String),
    /// The folder for a socket cannot be used.
    #[error("the folder for a socket cannot be used: {0}")]
    Folder(#[from] UnsafeFolder),
    /// The lock cannot be had.
    #[error("the lock cannot be taken: {0}")]
    Lock(#[from] io::Error),
}

impl ServerClaim {
    /// Whether the workspace is not the folder any more that it was when the lock was taken.
    pub(super) fn is_homeless(&self) -> bool {
        self.home.is_none() || inode(self.places.root()) != self.home
    }

    /// Removes what the watcher of a server that ends has left beside the socket. Only the holder
    /// of the claim may: nobody else watches from there.
    pub fn sweep(&self) {
        let entries = std::fs::read_dir(self.folder.path());
        for entry in entries.into_iter().flatten().flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(b"cookie-") {
                // One that is left is found by the next server.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Takes the lock of the workspace's server: `.codeweft/lock`, or beside the socket where the
    /// workspace cannot be written to. Where another holds it and takes no connections it is
    /// waited for (it may be about to end), for as long as `patience`.
    ///
    /// # Errors
    /// See [`ClaimError`].
    pub fn take(places: &SocketPaths, patience: Duration) -> Result<ServerClaim, ClaimError> {
        let until = Instant::now() + patience;
        let folder = places.make()?;
        let mut own = WorkspaceFolder::make(places.root());
        if own.as_ref().is_some_and(|own| own.file(LOCK).is_err()) {
            own = None;
        }
        loop {
            let descriptor = match &own {
                Some(own) => own.file(LOCK)?,
                None => folder.file(LOCK)?,
            };
            if let Some(life) = FileLock::try_take(descriptor)? {
                return Ok(ServerClaim {
                    places: places.clone(),
                    folder,
                    own,
                    life,
                    home: inode(places.root()),
                });
            }
            let answers = |socket: &PathBuf| dial(socket, POLL).is_ok();
            if places.sockets().iter().any(answers) {
                return Err(ClaimError::Lost);
            }
            if Instant::now() >= until {
                let place = match &own {
                    Some(_) => format!("{}/.codeweft/{LOCK}", places.root()),
                    None => folder.path().join(LOCK).display().to_string(),
                };
                return Err(ClaimError::Silent(place));
            }
            thread::sleep(POLL);
        }
    }

    /// The root of the workspace.
    pub fn root(&self) -> &str {
        self.places.root()
    }

    /// The folder of the socket.
    pub fn folder(&self) -> &SocketFolder {
        &self.folder
    }

    /// Listens, and tells clients where.
    ///
    /// # Errors
    /// The socket or the note cannot be made.
    pub fn listen(self, instance: &str) -> io::Result<Listening> {
        let fresh = self.folder.fresh_socket();
        // Of a process of this number that did not come as far as the next step.
        let _ = std::fs::remove_file(&fresh);
        let listener = UnixListener::bind(&fresh)?;
        std::fs::set_permissions(&fresh, std::fs::Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        let socket = self.folder.socket();
        // Over a stale one: nobody ever sees a place without a socket.
        std::fs::rename(&fresh, &socket)?;
        let note = ServerRecord {
            socket: socket.to_string_lossy().into_owned(),
            pid: std::process::id(),
            instance: instance.to_owned(),
            build: build().to_owned(),
        };
        match &self.own {
            Some(own) => own.write_note(&note)?,
            None => self.folder.write_note(&note)?,
        }
        Ok(Listening {
            claim: self,
            listener,
            note,
        })
    }

    /// Whether the lock is still the one that another server would take.
    pub(super) fn holds(&self) -> bool {
        if self.own.is_none() {
            return true;
        }
        let inode = |stat: rustix::fs::Stat| (stat.st_dev, stat.st_ino);
        let held = rustix::fs::fstat(self.life.descriptor()).ok().map(inode);
        let path = format!("{}/.codeweft/{LOCK}", self.places.root());
        let named = rustix::fs::lstat(path).ok().map(inode);
        // Where the name is gone clients still find the socket.
        named.is_none() || held == named
    }
}

/// A server that takes connections.
#[derive(Debug)]
pub struct Listening {
    pub(super) claim: ServerClaim,
    pub(super) listener: UnixListener,
    note: ServerRecord,
}

impl Listening {
    /// The path of the socket.
    pub fn socket(&self) -> &str {
        &self.note.socket
    }

    /// Takes the socket and the note away.
    pub(super) fn leave(self) -> ServerClaim {
        let ours = |note: Option<ServerRecord>| note.is_some_and(|note| note == self.note);
        match &self.claim.own {
            Some(own) if ours(own.note()) => own.remove_note(),
            None if ours(self.claim.folder.note()) => self.claim.folder.remove_note(),
            _ => {}
        }
        // We hold the life lock: no other server's socket can lie here.
        let _ = std::fs::remove_file(self.claim.folder.socket());
        self.claim
    }
}

/// Which folder a path names.
fn inode(path: &str) -> Option<(u64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}
