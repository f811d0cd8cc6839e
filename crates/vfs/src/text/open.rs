//! Opens files at paths that may be anything: a pipe, a device, or a link created a moment ago.

use std::fs::{File, Metadata, OpenOptions};
use std::io::Read as _;
use std::path::Path;

use super::{CodingLines, Text, UnreadReason, decode};

/// Whether a link instead of a file is followed. Links in the folders above it always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Links {
    /// Follow: libraries are full of links.
    Follow,
    /// Refuse: a workspace file has its own name, so a link has replaced it.
    Refuse,
}

/// An open regular file.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    metadata: Metadata,
}

/// Opens a regular file for reading. Never blocks, whatever is at the path, even if it changes
/// between the check and the opening.
///
/// # Errors The file does not exist, is no regular file, is a link and links are refused, or the
/// system refuses.
pub fn open_regular(path: &str, links: Links) -> Result<OpenFile, UnreadReason> {
    let checked = match links {
        Links::Follow => std::fs::metadata(path)?,
        Links::Refuse => std::fs::symlink_metadata(path)?,
    };
    // Checked before opening, because opening a device may have effects.
    regular(&checked)?;
    open_unchecked(Path::new(path), links)
}

/// Does the same as [`open_regular`], without a check before opening.
fn open_unchecked(path: &Path, links: Links) -> Result<OpenFile, UnreadReason> {
    let mut options = OpenOptions::new();
    options.read(true);
    without_waiting(&mut options, links);
    let file = options.open(path).map_err(|error| refused(path, error))?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok(OpenFile { file, metadata })
}

/// Sets flags so that opening a pipe does not wait for its writer, and a terminal does not become
/// the controlling terminal of the process (POSIX, open).
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions, links: Links) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;

    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    options.custom_flags(flags.bits() as i32);
}

#[cfg(not(unix))]
fn without_waiting(_options: &mut OpenOptions, _links: Links) {}

/// Returns why a file did not open. Each system has its own error number for a refused link.
fn refused(path: &Path, error: std::io::Error) -> UnreadReason {
    match std::fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() && error.kind() != std::io::ErrorKind::NotFound => {
            UnreadReason::Link
        }
        Ok(metadata) if !metadata.is_file() && !metadata.is_symlink() => UnreadReason::NotRegular,
        _ => error.into(),
    }
}

fn regular(metadata: &Metadata) -> Result<(), UnreadReason> {
    if metadata.is_symlink() {
        Err(UnreadReason::Link)
    } else if metadata.is_file() {
        Ok(())
    } else {
        Err(UnreadReason::NotRegular)
    }
}

impl OpenFile {
    /// Returns the metadata of the opened file, from before it is read.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Returns the text of the file if it has at most `max_size` bytes; see [`crate::read_text`].
    ///
    /// # Errors The reason why the file is unread.
    pub fn text(
        self,
        path: &str,
        max_size: u64,
        coding: &CodingLines,
    ) -> Result<Text, UnreadReason> {
        let too_large = |size| UnreadReason::TooLarge {
            size,
            limit: max_size,
        };
        let size = self.metadata.len();
        if size > max_size {
            return Err(too_large(size));
        }
        let mut bytes = Vec::with_capacity(size as usize + 1);
        // The file may grow between the size check and the last read.
        self.file
            .take(max_size.saturating_add(1))
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 > max_size {
            return Err(too_large(bytes.len() as u64));
        }
        decode(path, bytes, coding)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const MAX: u64 = 1000;

    fn opened(path: &Path, links: Links) -> Result<String, UnreadReason> {
        let path = path.to_str().expect("UTF-8");
        let text = open_regular(path, links)?.text(path, MAX, &CodingLines::default())?;
        Ok(text.text.to_string())
    }

    #[test]
    fn a_pipe_is_reported_without_waiting() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let pipe = top.path().join("a.go");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        for links in [Links::Follow, Links::Refuse] {
            assert_eq!(opened(&pipe, links), Err(UnreadReason::NotRegular));
            // The pipe was created between the check and the opening.
            let unchecked = open_unchecked(&pipe, links).map(|file| file.metadata.len());
            assert_eq!(unchecked, Err(UnreadReason::NotRegular));
        }
    }

    #[test]
    fn a_link_created_between_check_and_opening_is_refused_too() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let file = top.path().join("b.go");
        let link = top.path().join("a.go");
        std::fs::write(&file, "package b").expect("written");
        symlink(&file, &link).expect("linked");
        assert_eq!(opened(&link, Links::Follow), Ok("package b".to_owned()));
        assert_eq!(opened(&file, Links::Refuse), Ok("package b".to_owned()));
        assert_eq!(opened(&link, Links::Refuse), Err(UnreadReason::Link));
        let unchecked = open_unchecked(&link, Links::Refuse).map(|file| file.metadata.len());
        assert_eq!(unchecked, Err(UnreadReason::Link));
    }

    #[test]
    fn a_device_a_socket_and_a_link_to_nothing_have_their_reasons() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| top.path().join(name);
        symlink("/dev/zero", at("zero.go")).expect("linked");
        symlink(at("none"), at("none.go")).expect("linked");
        let _socket = std::os::unix::net::UnixListener::bind(at("s.go")).expect("bound");
        let followed = |name: &str| opened(&at(name), Links::Follow);
        assert_eq!(followed("zero.go"), Err(UnreadReason::NotRegular));
        assert_eq!(followed("none.go"), Err(UnreadReason::Absent));
        assert_eq!(followed("s.go"), Err(UnreadReason::NotRegular));
        let unchecked = open_unchecked(&at("s.go"), Links::Refuse).map(|file| file.metadata.len());
        assert_eq!(unchecked, Err(UnreadReason::NotRegular));
    }
}
