//! Atomic writing of files.

use std::fs::{File, remove_file, rename};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a temporary file beside `target`, syncs it and renames it to `target`, which is unchanged
/// until then. If `write` fails, the temporary file is removed.
pub fn write_atomically<T>(
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let temporary = beside(target)?;
    let written = (|| {
        let file = File::create_new(&temporary)?;
        let mut buffered = BufWriter::with_capacity(1 << 20, file);
        let result = write(&mut buffered)?;
        let file = buffered.into_inner().map_err(|error| error.into_error())?;
        file.sync_all()?;
        rename(&temporary, target)?;
        Ok(result)
    })();
    if written.is_err() {
        // Missing if it was never created, or if renaming it was the last step to fail.
        let _ = remove_file(&temporary);
    } else if let Some(folder) = folder_of(target).and_then(|folder| File::open(folder).ok()) {
        // The rename is durable once the folder is synced; not every system can sync a folder.
        let _ = folder.sync_all();
    }
    written
}

/// Returns the folder that contains a file.
pub(crate) fn folder_of(target: &Path) -> Option<&Path> {
    match target.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Some(Path::new(".")),
        folder => folder,
    }
}

fn beside(target: &Path) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{} names no file", target.display()),
        )
    })?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(target.with_file_name(temporary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("graph.json");
        write_atomically(&target, |out| out.write_all(b"old")).expect("written");
        let failed = write_atomically(&target, |out| {
            out.write_all(b"half of the n")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read(&target).expect("still there"), b"old");
        let names: Vec<_> = std::fs::read_dir(folder.path())
            .expect("the folder")
            .collect();
        assert_eq!(names.len(), 1);
    }

    #[test]
    fn a_target_without_a_name_is_refused() {
        assert!(write_atomically(Path::new("/"), |_| Ok(())).is_err());
    }
}
