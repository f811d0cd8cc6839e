//! The folder of a workspace's socket: the paths where it may be, and the checks that it is private.
//!
//! ```text
//! $XDG_RUNTIME_DIR/codeweft/HASH/sock    parent (not ours) / our folder / folder of the workspace / socket
//! $TMPDIR/codeweft-UID/HASH/sock         HASH: 16 hexadecimal digits of the workspace's canonical root
//! /tmp/codeweft-UID/HASH/sock
//! /run/user/UID/codeweft/HASH/sock       only looked at
//! ```
//!
//! Both folders of ours have mode 0700, belong to this user and are no links. That decides which users may
//! connect; the uid of the peer is checked again at the connection.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, fstat, mkdirat, openat};
use rustix::io::Errno;

use crate::private_files::{open_folder, own_file, uid};
use crate::workspace_folder::{RECORD, ServerRecord, WorkspaceFolder, read_record, write_record};

/// The longest path that a socket can be bound to, in bytes (`sun_path` without its final zero).
const MAX_SOCKET_PATH: usize = 107;

/// The name of the socket that clients connect to.
const SOCKET: &str = "sock";

/// The paths where the socket of one workspace may be, for one user.
#[derive(Clone, Debug)]
pub struct SocketPaths {
    /// The canonical root of the workspace.
    root: String,
    /// Sixteen hexadecimal digits of the hash of the root.
    hash: String,
    /// A new server takes the first that can be used; a running one is looked for in all of them.
    bases: Vec<SocketParent>,
}

/// A folder that may contain our folder of sockets.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SocketParent {
    /// Never made by us.
    folder: PathBuf,
    /// The name of our folder in it.
    name: String,
    /// Whether a new server may make its folder here.
    own: bool,
}

/// A folder that is not used, and the reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} {words}", .path.display())]
pub struct UnsafeFolder {
    /// The folder.
    pub path: PathBuf,
    /// The reason, and how to mend it, in words.
    pub words: String,
}

/// The folder of a socket: private, and held open.
#[derive(Debug)]
pub struct SocketFolder {
    path: PathBuf,
    descriptor: OwnedFd,
}

impl SocketPaths {
    /// Returns the paths for the workspace at `root` (canonical), from `XDG_RUNTIME_DIR` and `TMPDIR` of this
    /// process.
    pub fn new(root: &str) -> SocketPaths {
        let folder = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|folder| folder.is_absolute())
        };
        SocketPaths::among(root, folder("XDG_RUNTIME_DIR"), folder("TMPDIR"), uid())
    }

    /// As [`SocketPaths::new`], from the values of the variables: the folder for runtime files, the folder for
    /// temporary ones.
    pub(super) fn among(
        root: &str,
        runtime: Option<PathBuf>,
        temporary: Option<PathBuf>,
        uid: u32,
    ) -> SocketPaths {
        let base = |folder: PathBuf, name: &str, own: bool| SocketParent {
            folder,
            name: name.to_owned(),
            own,
        };
        let of_user = format!("codeweft-{uid}");
        let named = temporary.is_some();
        // A client whose variables differ from the server's must find it: the usual folders are looked at
        // in any case.
        let mut bases: Vec<SocketParent> = Vec::new();
        for one in [
            runtime.map(|folder| base(folder, "codeweft", true)),
            temporary.map(|folder| base(folder, &of_user, true)),
            Some(base(PathBuf::from("/tmp"), &of_user, !named)),
            Some(base(
                PathBuf::from(format!("/run/user/{uid}")),
                "codeweft",
                false,
            )),
        ]
        .into_iter()
        .flatten()
        {
            if !bases
                .iter()
                .any(|known| known.folder == one.folder && known.name == one.name)
            {
                bases.push(one);
            }
        }
        let hash = blake3::hash(root.as_bytes()).to_hex();
        SocketPaths {
            root: root.to_owned(),
            hash: hash.as_str()[..16].to_owned(),
            bases,
        }
    }

    /// Returns the root of the workspace.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Returns sixteen hexadecimal digits of the hash of the root.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the folder for a new server, made if it is missing: in `$XDG_RUNTIME_DIR/codeweft`, else in
    /// `$TMPDIR/codeweft-UID`, without `TMPDIR` in `/tmp`. A parent that does not exist, or whose sockets would
    /// have too long a path, is skipped.
    ///
    /// # Errors
    /// A folder on the path is a link, belongs to another user, or is open to others; or no parent can be used.
    pub fn make(&self) -> Result<SocketFolder, UnsafeFolder> {
        let mut passed = None;
        for base in self.bases.iter().filter(|base| base.own) {
            let path = self.folder(base);
            // `sock.` and a pid are bound first.
            if path.as_os_str().len() + "/sock.4194304".len() > MAX_SOCKET_PATH {
                passed.get_or_insert(UnsafeFolder {
                    path,
                    words: "is too long a path for a socket".to_owned(),
                });
                continue;
            }
            let Ok(descriptor) = open_folder(CWD, &base.folder, OFlags::empty()) else {
                passed.get_or_insert(UnsafeFolder {
                    path: base.folder.clone(),
                    words: "is not there or cannot be opened".to_owned(),
                });
                continue;
            };
            trusted_base(&base.folder, &descriptor)?;
            let ours = private(&descriptor, &base.folder, &base.name, true)?;
            let above = base.folder.join(&base.name);
            let descriptor = private(&ours, &above, &self.hash, true)?;
            return Ok(SocketFolder { path, descriptor });
        }
        Err(passed.unwrap_or_else(|| UnsafeFolder {
            path: PathBuf::from("/tmp"),
            words: "cannot be used for a socket".to_owned(),
        }))
    }

    /// Returns the sockets where a server of the workspace may listen, the likeliest first: the one in the
    /// workspace's record, if it is at one of these paths, then the others.
    pub fn sockets(&self) -> Vec<PathBuf> {
        let recorded = WorkspaceFolder::open(&self.root)
            .and_then(|own| own.record())
            .map(|record| PathBuf::from(record.socket));
        let mut sockets = Vec::new();
        for base in &self.bases {
            let Some(folder) = self.existing(base) else {
                continue;
            };
            let socket = folder.join(SOCKET);
            if recorded.as_ref() == Some(&socket) {
                sockets.insert(0, socket)
            } else {
                sockets.push(socket)
            }
        }
        sockets
    }

    /// Returns the record of the workspace's server: the one in the workspace, else the one beside the socket. A
    /// record that names a socket at another path is forged, and skipped.
    pub fn record(&self) -> Option<ServerRecord> {
        let sockets = self.sockets();
        let ours =
            |record: &ServerRecord| sockets.iter().any(|one| one == Path::new(&record.socket));
        WorkspaceFolder::open(&self.root)
            .and_then(|own| own.record())
            .filter(ours)
            .or_else(|| {
                let folders = self.bases.iter().filter_map(|base| self.existing(base));
                folders
                    .filter_map(|folder| {
                        let descriptor = open_folder(CWD, &folder, OFlags::NOFOLLOW).ok()?;
                        read_record(&descriptor)
                    })
                    .find(ours)
            })
    }

    fn folder(&self, base: &SocketParent) -> PathBuf {
        base.folder.join(&base.name).join(&self.hash)
    }

    /// Returns the folder in a parent, if it exists and is private.
    fn existing(&self, base: &SocketParent) -> Option<PathBuf> {
        let descriptor = open_folder(CWD, &base.folder, OFlags::empty()).ok()?;
        trusted_base(&base.folder, &descriptor).ok()?;
        let ours = private(&descriptor, &base.folder, &base.name, false).ok()?;
        private(&ours, &base.folder.join(&base.name), &self.hash, false).ok()?;
        Some(self.folder(base))
    }
}

impl SocketFolder {
    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the socket that clients connect to.
    pub(super) fn socket(&self) -> PathBuf {
        self.path.join(SOCKET)
    }

    /// Returns the path that this process binds before the socket replaces an older one.
    pub(super) fn fresh_socket(&self) -> PathBuf {
        self.path.join(format!("{SOCKET}.{}", std::process::id()))
    }

    /// Opens the folder again, so that a lock can outlive the borrow of this one. Closed in child processes.
    pub(super) fn descriptor(&self) -> io::Result<OwnedFd> {
        Ok(openat(
            &self.descriptor,
            ".",
            OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC,
            Mode::empty(),
        )?)
    }

    /// Opens a file of ours in the folder for reading and writing, made if it is missing.
    pub(super) fn file(&self, name: &str) -> io::Result<OwnedFd> {
        own_file(&self.descriptor, name)
    }

    /// Writes the server's record beside its socket.
    pub(super) fn write_record(&self, record: &ServerRecord) -> io::Result<()> {
        write_record(&self.descriptor, record)
    }

    /// Returns the record beside the socket.
    pub(super) fn record(&self) -> Option<ServerRecord> {
        read_record(&self.descriptor)
    }

    /// Removes the record.
    pub(super) fn remove_record(&self) {
        // It may be gone already.
        let _ = rustix::fs::unlinkat(&self.descriptor, RECORD, AtFlags::empty());
    }
}

/// Checks that only root or this user can rename entries of a parent, which others have made.
fn trusted_base(path: &Path, descriptor: &OwnedFd) -> Result<(), UnsafeFolder> {
    let wrong = |words: &str| UnsafeFolder {
        path: path.to_owned(),
        words: words.to_owned(),
    };
    let stat = fstat(descriptor).map_err(|error| wrong(&error.to_string()))?;
    if stat.st_uid != uid() && stat.st_uid != 0 {
        return Err(wrong("belongs to another user"));
    }
    if stat.st_mode & 0o022 != 0 && stat.st_mode & 0o1000 == 0 {
        return Err(wrong("can be written by others and has no sticky bit"));
    }
    Ok(())
}

/// Opens a folder of ours in another; with `make` it is made with mode 0700 if it is missing.
///
/// # Errors
/// It is a link, belongs to another user, or is open to others.
fn private(at: &OwnedFd, above: &Path, name: &str, make: bool) -> Result<OwnedFd, UnsafeFolder> {
    let path = above.join(name);
    let wrong = |words: String| UnsafeFolder {
        path: path.clone(),
        words,
    };
    if make {
        match mkdirat(at, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(wrong(format!("cannot be made: {error}"))),
        }
    }
    let descriptor =
        open_folder(at, Path::new(name), OFlags::NOFOLLOW).map_err(|error| match error {
            Errno::LOOP | Errno::NOTDIR => wrong("is a link or no folder".to_owned()),
            error => wrong(format!("cannot be opened: {error}")),
        })?;
    let stat = fstat(&descriptor).map_err(|error| wrong(error.to_string()))?;
    if stat.st_uid != uid() {
        return Err(wrong("belongs to another user".to_owned()));
    }
    if stat.st_mode & 0o077 != 0 {
        return Err(wrong(format!(
            "is open to others (mode {:o}); `chmod 700` it, or remove it",
            stat.st_mode & 0o777
        )));
    }
    Ok(descriptor)
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, create_dir, create_dir_all, set_permissions, write};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        let metadata = std::fs::symlink_metadata(path).expect("it is there");
        metadata.permissions().mode() & 0o777
    }

    fn chmod(path: &Path, mode: u32) {
        set_permissions(path, Permissions::from_mode(mode)).expect("changed");
    }

    /// Returns the paths of a workspace below a folder of its own.
    fn paths(top: &Path) -> SocketPaths {
        let root = top.join("w");
        create_dir_all(&root).expect("made");
        create_dir_all(top.join("run")).expect("made");
        create_dir_all(top.join("tmp")).expect("made");
        SocketPaths::among(
            root.to_str().expect("UTF-8"),
            Some(top.join("run")),
            Some(top.join("tmp")),
            uid(),
        )
    }

    fn record(socket: &Path) -> ServerRecord {
        ServerRecord {
            socket: socket.to_str().expect("UTF-8").to_owned(),
            pid: 1,
            instance: "0".to_owned(),
            build: "0".to_owned(),
            editors: Vec::new(),
        }
    }

    #[test]
    fn every_level_that_is_ours_has_mode_0700() {
        let top = tempfile::tempdir().expect("a folder");
        let paths = paths(top.path());
        let folder = paths.make().expect("made");
        let above = folder.path().parent().expect("below the base");
        assert_eq!(above, top.path().join("run/codeweft"));
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(above), 0o700);
        // Making it again keeps it.
        assert_eq!(paths.make().expect("there").path(), folder.path());
    }

    #[test]
    fn a_parent_that_does_not_exist_is_skipped() {
        let top = tempfile::tempdir().expect("a folder");
        let paths = paths(top.path());
        std::fs::remove_dir(top.path().join("run")).expect("removed");
        let folder = paths.make().expect("made");
        assert!(folder.path().starts_with(top.path().join("tmp")));
    }

    #[test]
    fn a_folder_that_is_open_to_others_a_link_or_a_file_is_refused() {
        let words = |make: &dyn Fn(&Path)| {
            let top = tempfile::tempdir().expect("a folder");
            let paths = paths(top.path());
            make(&top.path().join("run/codeweft"));
            paths.make().expect_err("refused").words
        };
        let open = words(&|path| {
            create_dir(path).expect("made");
            chmod(path, 0o755);
        });
        assert!(open.starts_with("is open to others (mode 755)"), "{open}");
        let link = words(&|path| {
            let target = path.with_file_name("elsewhere");
            create_dir(&target).expect("made");
            chmod(&target, 0o700);
            symlink(target, path).expect("linked");
        });
        assert_eq!(link, "is a link or no folder");
        assert_eq!(
            words(&|path| write(path, "").expect("written")),
            "is a link or no folder"
        );
    }

    #[test]
    fn the_inner_folder_must_be_private_too() {
        let top = tempfile::tempdir().expect("a folder");
        let paths = paths(top.path());
        let folder = paths.make().expect("made");
        chmod(folder.path(), 0o750);
        assert!(paths.make().is_err());
        assert!(paths.sockets().is_empty());
    }

    #[test]
    fn a_parent_in_which_others_can_rename_is_refused() {
        let top = tempfile::tempdir().expect("a folder");
        let paths = paths(top.path());
        chmod(&top.path().join("run"), 0o777);
        assert!(paths.make().is_err());
        chmod(&top.path().join("run"), 0o1777);
        assert!(paths.make().is_ok());
    }

    #[test]
    fn a_record_counts_only_if_it_names_a_socket_at_one_of_the_paths() {
        let top = tempfile::tempdir().expect("a folder");
        let paths = paths(top.path());
        let folder = paths.make().expect("made");
        let own = WorkspaceFolder::make(paths.root()).expect("made");
        own.write_record(&record(&folder.socket()))
            .expect("written");
        assert_eq!(paths.record().map(|record| record.pid), Some(1));
        assert_eq!(mode(&top.path().join("w/.codeweft/server.json")), 0o600);
        for forged in [
            top.path().join("w/.codeweft/sock"),
            folder.path().join("../sock"),
            folder.path().join("other"),
            PathBuf::from("/run/user/0/bus"),
            PathBuf::from("sock"),
        ] {
            own.write_record(&record(&forged)).expect("written");
            assert_eq!(paths.record(), None, "{}", forged.display());
            assert_eq!(paths.sockets(), [folder.socket()]);
        }
    }

    #[test]
    fn a_client_without_the_runtime_variable_looks_at_the_usual_folder() {
        let uid = 4711;
        let with = SocketPaths::among("/w", Some("/run/user/4711".into()), None, uid);
        let without = SocketPaths::among("/w", None, None, uid);
        for base in &with.bases {
            assert!(without.bases.iter().any(|one| one.folder == base.folder));
        }
        let own = |paths: &SocketPaths| -> Vec<PathBuf> {
            let own = paths.bases.iter().filter(|base| base.own);
            own.map(|base| base.folder.clone()).collect()
        };
        assert_eq!(own(&with), [Path::new("/run/user/4711"), Path::new("/tmp")]);
        assert_eq!(own(&without), [Path::new("/tmp")]);
    }

    #[test]
    fn a_path_that_is_too_long_for_a_socket_is_skipped() {
        let top = tempfile::tempdir().expect("a folder");
        let long = top.path().join("l".repeat(90));
        create_dir(&long).expect("made");
        let paths = SocketPaths::among("/w", Some(long), Some(top.path().to_owned()), uid());
        let folder = paths.make().expect("made");
        let name = format!("codeweft-{}", uid());
        assert_eq!(folder.path().parent(), Some(&*top.path().join(name)));
    }
}
