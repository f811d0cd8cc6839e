//! The right to be the server of a workspace, which one process has at a time, and its socket.

use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::build_id::build;
use crate::connect::dial;
use crate::lock::FileLock;
use crate::socket_folder::{SocketFolder, SocketPaths, UnsafeFolder};
use crate::workspace_folder::{RECORD, ServerRecord, WorkspaceFolder};

/// The name of the lock that a server holds for life.
const LOCK: &str = "lock";

/// The pause between two tries to take a lock that another server holds.
const POLL: Duration = Duration::from_millis(10);

/// The right to be the server of a workspace: no other process has it at the same time.
#[derive(Debug)]
pub struct ServerClaim {
    paths: SocketPaths,
    folder: SocketFolder,
    own: Option<WorkspaceFolder>,
    life: FileLock,
    /// Device and inode of the workspace's folder when the lock was taken.
    home: Option<(u64, u64)>,
}

/// The reason why a process may not be the server.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// Another process is, and accepts connections.
    #[error("a server runs already")]
    Lost,
    /// Another process is, and accepts no connections.
    #[error("another process holds {0} and takes no connections")]
    Silent(String),
    /// The folder for a socket cannot be used.
    #[error("the folder for a socket cannot be used: {0}")]
    Folder(#[from] UnsafeFolder),
    /// The lock cannot be taken.
    #[error("the lock cannot be taken: {0}")]
    Lock(#[from] io::Error),
}

/// The reason why a server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be made: {error}", .path.display())]
pub struct ListenError {
    path: PathBuf,
    error: io::Error,
}

impl ListenError {
    fn of(path: &Path, error: io::Error) -> ListenError {
        ListenError {
            path: path.to_owned(),
            error,
        }
    }
}

impl ServerClaim {
    /// Returns whether the workspace's folder is gone or another one than when the lock was taken.
    pub(super) fn workspace_is_gone(&self) -> bool {
        self.home.is_none() || inode(self.paths.root()) != self.home
    }

    /// Removes the cookies that the watcher of a server that ends has left beside the socket. Only the holder of
    /// the claim may: no other process watches from there.
    pub fn sweep(&self) {
        let entries = std::fs::read_dir(self.folder.path());
        for entry in entries.into_iter().flatten().flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(b"cookie-") {
                // The next server removes those that are left.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Takes the lock of the workspace's server: `.codeweft/lock`, or a file beside the socket if the workspace
    /// cannot be written to. If another process holds it and accepts no connections it may be about to end, so it
    /// is waited for, up to `patience`.
    ///
    /// # Errors
    /// See [`ClaimError`].
    pub fn take(paths: &SocketPaths, patience: Duration) -> Result<ServerClaim, ClaimError> {
        let until = Instant::now() + patience;
        let folder = paths.make()?;
        let mut own = WorkspaceFolder::make(paths.root());
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
                    paths: paths.clone(),
                    folder,
                    own,
                    life,
                    home: inode(paths.root()),
                });
            }
            let answers = |socket: &PathBuf| dial(socket, POLL).is_ok();
            if paths.sockets().iter().any(answers) {
                return Err(ClaimError::Lost);
            }
            if Instant::now() >= until {
                let lock = match &own {
                    Some(_) => format!("{}/.codeweft/{LOCK}", paths.root()),
                    None => folder.path().join(LOCK).display().to_string(),
                };
                return Err(ClaimError::Silent(lock));
            }
            thread::sleep(POLL);
        }
    }

    /// Returns the root of the workspace.
    pub fn root(&self) -> &str {
        self.paths.root()
    }

    /// Returns the folder of the socket.
    pub fn folder(&self) -> &SocketFolder {
        &self.folder
    }

    /// Listens, and writes the record that clients find the socket by: in the workspace, or beside the socket if
    /// the workspace cannot be written to or its disk is full.
    ///
    /// # Errors
    /// The socket or the record cannot be made.
    pub fn listen(self, instance: &str) -> Result<Listening, ListenError> {
        let socket = self.folder.socket();
        let listener = self
            .bind(&socket)
            .map_err(|error| ListenError::of(&socket, error))?;
        let record = ServerRecord {
            socket: socket.to_string_lossy().into_owned(),
            pid: std::process::id(),
            instance: instance.to_owned(),
            build: build().to_owned(),
            editors: self.left_editors(),
        };
        let own = self.own.as_ref();
        let in_workspace = own.is_some_and(|own| own.write_record(&record).is_ok());
        if !in_workspace {
            // That of a former server would lead clients astray.
            own.inspect(|own| own.remove_record());
            if let Err(error) = self.folder.write_record(&record) {
                // Nothing listens there once this process ends.
                let _ = std::fs::remove_file(&socket);
                return Err(ListenError::of(&self.folder.path().join(RECORD), error));
            }
        }
        Ok(Listening {
            claim: self,
            listener,
            record,
            in_workspace,
        })
    }

    /// Returns the editors of a server that was killed: one that ends by itself removes its record.
    fn left_editors(&self) -> Vec<u32> {
        let own = self.own.as_ref().and_then(WorkspaceFolder::record);
        let left = own.or_else(|| self.folder.record());
        left.map(|record| record.editors).unwrap_or_default()
    }

    /// Returns a listener at a path, which replaces a stale one: clients never find the path without a socket.
    fn bind(&self, socket: &Path) -> io::Result<UnixListener> {
        let fresh = self.folder.fresh_socket();
        // A former process with this id may have left one.
        let _ = std::fs::remove_file(&fresh);
        let listener = UnixListener::bind(&fresh)?;
        let moved = std::fs::set_permissions(&fresh, std::fs::Permissions::from_mode(0o600))
            .and_then(|()| listener.set_nonblocking(true))
            .and_then(|()| std::fs::rename(&fresh, socket));
        if let Err(error) = moved {
            let _ = std::fs::remove_file(&fresh);
            return Err(error);
        }
        Ok(listener)
    }

    /// Returns whether the lock is still the one that another server would take.
    pub(super) fn holds(&self) -> bool {
        if self.own.is_none() {
            return true;
        }
        let inode = |stat: rustix::fs::Stat| (stat.st_dev, stat.st_ino);
        let held = rustix::fs::fstat(self.life.descriptor()).ok().map(inode);
        let path = format!("{}/.codeweft/{LOCK}", self.paths.root());
        let named = rustix::fs::lstat(path).ok().map(inode);
        // If the name is gone, clients still find the socket.
        named.is_none() || held == named
    }
}

/// A server that accepts connections.
#[derive(Debug)]
pub struct Listening {
    pub(super) claim: ServerClaim,
    pub(super) listener: UnixListener,
    record: ServerRecord,
    /// Whether the record is in the workspace, not beside the socket.
    in_workspace: bool,
}

impl Listening {
    /// Returns the process ids of the editors in the record.
    pub(super) fn editors(&self) -> &[u32] {
        &self.record.editors
    }

    /// Writes the editors into the record.
    pub(super) fn record_editors(&mut self, editors: Vec<u32>) {
        self.record.editors = editors;
        // A record that cannot be written names the editors of before: only the next server looks
        // for them.
        let _ = match self.claim.own.as_ref().filter(|_| self.in_workspace) {
            Some(own) => own.write_record(&self.record),
            None => self.claim.folder.write_record(&self.record),
        };
    }

    /// Returns the path of the socket.
    pub fn socket(&self) -> &str {
        &self.record.socket
    }

    /// Removes the socket and the record.
    pub(super) fn leave(self) -> ServerClaim {
        let ours = |record: Option<ServerRecord>| {
            record.is_some_and(|record| {
                record.pid == self.record.pid && record.instance == self.record.instance
            })
        };
        if let Some(own) = self.claim.own.as_ref().filter(|own| ours(own.record())) {
            own.remove_record();
        }
        if ours(self.claim.folder.record()) {
            self.claim.folder.remove_record();
        }
        // While this process holds the lock, no other server's socket can be here.
        let _ = std::fs::remove_file(self.claim.folder.socket());
        self.claim
    }
}

/// Returns device and inode of the folder at a path.
fn inode(path: &str) -> Option<(u64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}
