//! The folder of a workspace's socket.
//!
//! The folder of a socket is private: every level that is ours has mode 0700, belongs to us and is
//! no link. Who may connect is decided by that, and again by the uid of the peer.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, fstat, mkdirat, openat};
use rustix::io::Errno;

use crate::private_files::{open_folder, own_file, uid};
use crate::workspace_folder::{NOTE, ServerRecord, WorkspaceFolder, read_note, write_note};

/// The longest path that a socket can be bound to, in bytes (`sun_path` without its final zero).
const LONGEST: usize = 107;

/// The name of the socket that clients connect to.
const SOCKET: &str = "sock";

/// Where the socket of one workspace may lie, for one user.
#[derive(Clone, Debug)]
pub struct SocketPaths {
    /// Of the workspace, canonical.
    root: String,
    /// Sixteen hexadecimal digits of the root.
    hash: String,
    /// The first is preferred for a server that is started; in all of them one is looked for.
    bases: Vec<SocketParent>,
}

/// A folder under which folders of sockets may lie.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SocketParent {
    /// It is not ours to make.
    folder: PathBuf,
    /// The name of our folder in it.
    name: String,
    /// Whether a server that is started may make its folder here.
    own: bool,
}

/// Why a folder is not used: its path and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} {words}", .path.display())]
pub struct UnsafeFolder {
    /// The folder.
    pub path: PathBuf,
    /// What is wrong with it, and how to mend it.
    pub words: String,
}

/// The folder of a socket: private, and held open.
#[derive(Debug)]
pub struct SocketFolder {
    path: PathBuf,
    descriptor: OwnedFd,
}

impl SocketPaths {
    /// The places for the workspace at `root` (canonical), by the environment of this process.
    pub fn new(root: &str) -> SocketPaths {
        let folder = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|folder| folder.is_absolute())
        };
        SocketPaths::among(root, folder("XDG_RUNTIME_DIR"), folder("TMPDIR"), uid())
    }

    /// The same by what the variables say: the runtime folder, the one for temporary files.
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
        // A client with another environment than the server's must find it: the usual places are
        // looked at, whatever the variables say.
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

    /// The root of the workspace.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Sixteen hexadecimal digits that stand for the root.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The folder for a server that is started here, made where it is missing: in
    /// `$XDG_RUNTIME_DIR/codeweft`, else in `$TMPDIR/codeweft-UID`, `/tmp` without it. A base that
    /// is not there, or whose sockets would have too long a path, is passed over.
    ///
    /// # Errors
    /// A folder on the way is a link, another's, or open to others; or there is no base.
    pub fn make(&self) -> Result<SocketFolder, UnsafeFolder> {
        let mut passed = None;
        for base in self.bases.iter().filter(|base| base.own) {
            let path = self.folder(base);
            // `sock.` and a pid are bound first.
            if path.as_os_str().len() + "/sock.4194304".len() > LONGEST {
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

    /// The sockets where a server of the workspace may listen, the likeliest first: the one that
    /// its note in the workspace names, where that is one of our places, then each place.
    pub fn sockets(&self) -> Vec<PathBuf> {
        let noted = WorkspaceFolder::open(&self.root)
            .and_then(|own| own.note())
            .map(|note| PathBuf::from(note.socket));
        let mut sockets = Vec::new();
        for base in &self.bases {
            let Some(folder) = self.existing(base) else {
                continue;
            };
            let socket = folder.join(SOCKET);
            if noted.as_ref() == Some(&socket) {
                sockets.insert(0, socket)
            } else {
                sockets.push(socket)
            }
        }
        sockets
    }

    /// The note of the workspace's server, where it names a socket in one of our places: in the
    /// workspace, else beside the socket. A forged one is none.
    pub fn note(&self) -> Option<ServerRecord> {
        let sockets = self.sockets();
        let ours = |note: &ServerRecord| sockets.iter().any(|one| one == Path::new(&note.socket));
        WorkspaceFolder::open(&self.root)
            .and_then(|own| own.note())
            .filter(ours)
            .or_else(|| {
                let folders = self.bases.iter().filter_map(|base| self.existing(base));
                folders
                    .filter_map(|folder| {
                        let descriptor = open_folder(CWD, &folder, OFlags::NOFOLLOW).ok()?;
                        read_note(&descriptor)
                    })
                    .find(ours)
            })
    }

    fn folder(&self, base: &SocketParent) -> PathBuf {
        base.folder.join(&base.name).join(&self.hash)
    }

    /// The folder in a base, where it is there and safe.
    fn existing(&self, base: &SocketParent) -> Option<PathBuf> {
        let descriptor = open_folder(CWD, &base.folder, OFlags::empty()).ok()?;
        trusted_base(&base.folder, &descriptor).ok()?;
        let ours = private(&descriptor, &base.folder, &base.name, false).ok()?;
        private(&ours, &base.folder.join(&base.name), &self.hash, false).ok()?;
        Some(self.folder(base))
    }
}

impl SocketFolder {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The socket that clients connect to.
    pub(super) fn socket(&self) -> PathBuf {
        self.path.join(SOCKET)
    }

    /// The name under which this process binds before the socket takes the place of an older one.
    pub(super) fn fresh_socket(&self) -> PathBuf {
        self.path.join(format!("{SOCKET}.{}", std::process::id()))
    }

    /// A second descriptor, so that a lock can outlive the borrow of this one; closed in children.
    pub(super) fn descriptor(&self) -> io::Result<OwnedFd> {
        Ok(openat(
            &self.descriptor,
            ".",
            OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC,
            Mode::empty(),
        )?)
    }

    /// A file of ours in it, opened for reading and writing, made where it is missing.
    pub(super) fn file(&self, name: &str) -> io::Result<OwnedFd> {
        own_file(&self.descriptor, name)
    }

    /// Writes the server's note beside its socket.
    pub(super) fn write_note(&self, note: &ServerRecord) -> io::Result<()> {
        write_note(&self.descriptor, note)
    }

    /// The note beside the socket.
    pub(super) fn note(&self) -> Option<ServerRecord> {
        read_note(&self.descriptor)
    }

    /// Takes the note away.
    pub(super) fn remove_note(&self) {
        // Gone already is as good.
        let _ = rustix::fs::unlinkat(&self.descriptor, NOTE, AtFlags::empty());
    }
}

/// A base is another's to make, yet nobody but root or we may take names in it away.
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

/// A folder of ours in another: made with mode 0700 where it is missing and `make`; refused where
/// it is a link, another's, or open to others.
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

    /// A workspace and its places below a folder of its own.
    fn places(top: &Path) -> SocketPaths {
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

    fn note(socket: &Path) -> ServerRecord {
        ServerRecord {
            socket: socket.to_str().expect("UTF-8").to_owned(),
            pid: 1,
            instance: "0".to_owned(),
            build: "0".to_owned(),
        }
    }

    #[test]
    fn every_level_that_is_ours_has_mode_0700() {
        let top = tempfile::tempdir().expect("a folder");
        let places = places(top.path());
        let folder = places.make().expect("made");
        let above = folder.path().parent().expect("below the base");
        assert_eq!(above, top.path().join("run/codeweft"));
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(above), 0o700);
        // And again over what is there.
        assert_eq!(places.make().expect("there").path(), folder.path());
    }

    #[test]
    fn a_base_that_is_not_there_is_passed_over() {
        let top = tempfile::tempdir().expect("a folder");
        let places = places(top.path());
        std::fs::remove_dir(top.path().join("run")).expect("removed");
        let folder = places.make().expect("made");
        assert!(folder.path().starts_with(top.path().join("tmp")));
    }

    #[test]
    fn a_folder_that_is_open_to_others_a_link_or_a_file_is_refused() {
        let words = |make: &dyn Fn(&Path)| {
            let top = tempfile::tempdir().expect("a folder");
            let places = places(top.path());
            make(&top.path().join("run/codeweft"));
            places.make().expect_err("refused").words
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
    fn the_inner_folder_is_held_to_the_same() {
        let top = tempfile::tempdir().expect("a folder");
        let places = places(top.path());
        let folder = places.make().expect("made");
        chmod(folder.path(), 0o750);
        assert!(places.make().is_err());
        assert!(places.sockets().is_empty());
    }

    #[test]
    fn a_base_in_which_others_can_rename_is_refused() {
        let top = tempfile::tempdir().expect("a folder");
        let places = places(top.path());
        chmod(&top.path().join("run"), 0o777);
        assert!(places.make().is_err());
        chmod(&top.path().join("run"), 0o1777);
        assert!(places.make().is_ok());
    }

    #[test]
    fn a_note_counts_where_it_names_a_place_of_ours() {
        let top = tempfile::tempdir().expect("a folder");
        let places = places(top.path());
        let folder = places.make().expect("made");
        let own = WorkspaceFolder::make(places.root()).expect("made");
        own.write_note(&note(&folder.socket())).expect("written");
        assert_eq!(places.note().map(|note| note.pid), Some(1));
        assert_eq!(mode(&top.path().join("w/.codeweft/server.json")), 0o600);
        for forged in [
            top.path().join("w/.codeweft/sock"),
            folder.path().join("../sock"),
            folder.path().join("other"),
            PathBuf::from("/run/user/0/bus"),
            PathBuf::from("sock"),
        ] {
            own.write_note(&note(&forged)).expect("written");
            assert_eq!(places.note(), None, "{}", forged.display());
            assert_eq!(places.sockets(), [folder.socket()]);
        }
    }

    #[test]
    fn a_client_without_the_runtime_folder_looks_where_the_usual_one_is() {
        let uid = 4711;
        let with = SocketPaths::among("/w", Some("/run/user/4711".into()), None, uid);
        let without = SocketPaths::among("/w", None, None, uid);
        for base in &with.bases {
            assert!(without.bases.iter().any(|one| one.folder == base.folder));
        }
        let own = |places: &SocketPaths| -> Vec<PathBuf> {
            let own = places.bases.iter().filter(|base| base.own);
            own.map(|base| base.folder.clone()).collect()
        };
        assert_eq!(own(&with), [Path::new("/run/user/4711"), Path::new("/tmp")]);
        assert_eq!(own(&without), [Path::new("/tmp")]);
    }

    #[test]
    fn a_path_that_is_too_long_for_a_socket_is_passed_over() {
        let top = tempfile::tempdir().expect("a folder");
        let long = top.path().join("l".repeat(90));
        create_dir(&long).expect("made");
        let places = SocketPaths::among("/w", Some(long), Some(top.path().to_owned()), uid());
        let folder = places.make().expect("made");
        let name = format!("codeweft-{}", uid());
        assert_eq!(folder.path().parent(), Some(&*top.path().join(name)));
    }
}
