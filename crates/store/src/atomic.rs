//! Atomic writing of files.

use std::fs::{File, create_dir, read_dir, remove_dir_all, remove_file, rename};
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

/// Fills a temporary folder beside `target` and exchanges the two, so that `target` is at every time the old
/// folder or the new one, whole. Refuses a folder that has anything but `files`. If `write` fails, the
/// temporary folder is removed.
pub(crate) fn write_folder_atomically<T>(
    target: &Path,
    files: &[&str],
    write: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    refuse_others(target, files)?;
    let temporary = beside(target)?;
    create_dir(&temporary)?;
    let written = (|| {
        let result = write(&temporary)?;
        for entry in read_dir(&temporary)? {
            File::open(entry?.path())?.sync_all()?;
        }
        if target.exists() {
            exchange(&temporary, target)?;
        } else {
            rename(&temporary, target)?;
        }
        Ok(result)
    })();
    // After an exchange it is the old folder.
    if temporary.exists() {
        let removed = remove_dir_all(&temporary);
        if written.is_ok() {
            removed?;
        }
    }
    if let Some(folder) = folder_of(target).and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
    written
}

/// Fails if there is something at `target` that an export did not write.
fn refuse_others(target: &Path, files: &[&str]) -> io::Result<()> {
    let entries = match read_dir(target) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let name = entry?.file_name();
        if !files.iter().any(|file| name == *file) {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!(
                    "the folder has {}, which no export writes; name a new folder",
                    name.display()
                ),
            ));
        }
    }
    Ok(())
}

/// Exchanges two folders in one step where the system can, else in three.
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    let third = beside(one)?;
    rename(other, &third)?;
    if let Err(error) = rename(one, other) {
        rename(&third, other)?;
        return Err(error);
    }
    rename(&third, one)
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
    fn a_folder_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("tables");
        let fill = |text: &'static str| {
            move |folder: &Path| std::fs::write(folder.join("nodes.parquet"), text)
        };
        let files = ["nodes.parquet", "edges.parquet"];
        write_folder_atomically(&target, &files, fill("old")).expect("written");
        let failed = write_folder_atomically(&target, &files, |folder| {
            std::fs::write(folder.join("nodes.parquet"), "half")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        let text = || std::fs::read_to_string(target.join("nodes.parquet")).expect("there");
        assert_eq!(text(), "old");
        write_folder_atomically(&target, &files, fill("new")).expect("written");
        assert_eq!(text(), "new");
        let left = std::fs::read_dir(folder.path()).expect("the folder");
        assert_eq!(left.count(), 1);
    }

    #[test]
    fn a_folder_with_other_files_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("thesis.txt"), "mine").expect("written");
        let refused = write_folder_atomically(folder.path(), &["nodes.parquet"], |_| Ok(()));
        let words = refused.expect_err("refused").to_string();
        assert!(words.contains("thesis.txt"), "{words}");
        assert!(folder.path().join("thesis.txt").exists());
    }

    #[test]
    fn a_target_without_a_name_is_refused() {
        assert!(write_atomically(Path::new("/"), |_| Ok(())).is_err());
    }
}
