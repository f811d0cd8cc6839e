//! Files and folders that belong to this user alone.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags, Stat, fstat, openat};

/// Returns the effective uid of this process.
pub(super) fn uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Opens a folder. Closed in child processes.
pub(super) fn open_folder(
    at: impl AsFd,
    path: &Path,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    let flags = flags | OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    openat(at, path, flags, Mode::empty())
}

/// Returns whether a file is a plain one that belongs to this user.
pub(super) fn own_and_plain(stat: &Stat) -> bool {
    stat.st_uid == uid() && FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

/// Opens a plain file of this user for reading and writing, made with mode 0600 if it is missing.
pub(super) fn own_file(at: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC;
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = openat(at, name, flags, Mode::RUSR | Mode::WUSR)?;
    if own_and_plain(&fstat(&file)?) {
        Ok(file)
    } else {
        Err(io::Error::other(format!("{name} is no file of ours")))
    }
}
