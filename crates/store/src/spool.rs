//! Temporary storage on disk for output whose header is not known yet.

use std::fs::{File, OpenOptions, remove_file};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A temporary file, removed when dropped.
pub(crate) struct Spool {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Spool {
    /// Creates an empty spool in `folder`.
    pub(crate) fn new(folder: &Path) -> io::Result<Spool> {
        let path = temporary_path(folder);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)?;
        Ok(Spool {
            path,
            file: BufWriter::with_capacity(1 << 18, file),
        })
    }

    /// Copies everything written so far to `out`.
    pub(crate) fn copy_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        let mut buffer = vec![0; 1 << 18];
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                return Ok(());
            }
            out.write_all(&buffer[..read])?;
        }
    }
}

/// Returns a path in `folder` that this process has not used.
pub(crate) fn temporary_path(folder: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    folder.join(format!(".codeweft-{}-{number}.tmp", std::process::id()))
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // A file that cannot be removed is left to the system.
        let _ = remove_file(&self.path);
    }
}
