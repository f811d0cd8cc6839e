//! The contents of files in a commit.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::path::Path;

use crate::{Commit, GitError, Objects, Repository};

/// Up to so many bytes of names are given to git as arguments; for more the whole tree of the commit is
/// listed. Systems refuse long lists of arguments, the smallest at 256 KiB.
const MAX_ARGUMENTS: usize = 64 << 10;

/// The mode of a symbolic link in a tree.
const LINK: &str = "120000";

/// The content of a path in a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The commit has no such file: nothing, a folder, a submodule or a symbolic link.
    Absent,
    /// The bytes as git stores them: without what a filter or a conversion of line ends makes of them on
    /// disk.
    Bytes(Vec<u8>),
    /// The file is larger than the limit and was not read.
    TooLarge {
        /// In bytes.
        size: u64,
    },
}

impl Content {
    /// The bytes of a file that was read.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        match self {
            Content::Bytes(bytes) => Some(bytes),
            Content::Absent | Content::TooLarge { .. } => None,
        }
    }
}

impl Repository {
    /// The contents of files in a commit, in the order of the paths.
    ///
    /// Paths are absolute and normalised; one outside [`Repository::top`] is [`Content::Absent`]. A file of
    /// more than `max_size` bytes is [`Content::TooLarge`]. Two runs of git serve any number of paths.
    ///
    /// Errors: [`GitError::ObjectMissing`] if a partial clone lacks one of the files, and those of running git.
    pub fn contents(
        &self,
        commit: &Commit,
        paths: &[String],
        max_size: u64,
    ) -> Result<Vec<Content>, GitError> {
        let names: Vec<Option<&str>> = paths.iter().map(|path| self.relative(path)).collect();
        let blobs = self.blobs(commit, &names)?;
        let blobs: Vec<Option<&String>> = names
            .iter()
            .map(|name| blobs.get(name.as_ref().copied()?))
            .collect();
        let hashes: Vec<String> = blobs.iter().copied().flatten().cloned().collect();
        let read = self.objects().read_blobs(hashes, max_size)?;
        let read: Result<Vec<Content>, String> = read.into_iter().collect();
        let mut read = read
            .map_err(|hash| GitError::ObjectMissing {
                object: format!("the object {hash}"),
            })?
            .into_iter();
        let contents = blobs.iter().map(|blob| match blob {
            Some(_) => read.next().unwrap_or(Content::Absent),
            None => Content::Absent,
        });
        Ok(contents.collect())
    }

    /// The hashes of the regular files that names lead to in a commit; it may hold others too.
    fn blobs(
        &self,
        commit: &Commit,
        names: &[Option<&str>],
    ) -> Result<HashMap<String, String>, GitError> {
        let names: Vec<&str> = names.iter().copied().flatten().collect();
        if names.is_empty() {
            return Ok(HashMap::new());
        }
        let mut arguments = vec!["ls-tree", "-r", "-z", "--full-tree", commit.hash()];
        if names.iter().map(|name| name.len() + 1).sum::<usize>() <= MAX_ARGUMENTS {
            arguments.push("--");
            arguments.extend(names);
        }
        let output = self.run(&arguments)?.into_output()?;
        let entries = output.split(|byte| *byte == 0);
        Ok(entries.filter_map(blob).collect())
    }
}

impl Objects {
    /// The contents of blobs, in the order of their hashes; those of more than `max_size` bytes are not read, and
    /// one that the repository lacks is [`Content::Absent`].
    ///
    /// Errors: those of running git; [`GitError::ObjectMissing`] if git would have to fetch a blob.
    pub fn blobs(&self, hashes: Vec<String>, max_size: u64) -> Result<Vec<Content>, GitError> {
        let read = self.read_blobs(hashes, max_size)?;
        let present = read.into_iter().map(|one| one.unwrap_or(Content::Absent));
        Ok(present.collect())
    }

    /// The contents of blobs, in the order of their hashes; the hash of one that is missing.
    fn read_blobs(
        &self,
        hashes: Vec<String>,
        max_size: u64,
    ) -> Result<Vec<Result<Content, String>>, GitError> {
        if hashes.is_empty() {
            return Ok(Vec::new());
        }
        let input = hashes.iter().map(|hash| format!("{hash}\n"));
        let input = input.collect::<String>().into_bytes();
        let ended = self.git().run(
            Path::new(self.folder()),
            &["cat-file", "--batch", "--buffer"],
            input,
            move |output| {
                let mut contents = Vec::with_capacity(hashes.len());
                for hash in hashes {
                    contents.push(read_blob(output, max_size)?.ok_or(hash));
                }
                Ok(contents)
            },
        )?;
        ended.into_output()
    }
}

/// The name and the hash of an entry of a tree (`mode type hash`, a tab, the name) if it is a regular file.
pub(crate) fn blob(entry: &[u8]) -> Option<(String, String)> {
    let (entry, name) = std::str::from_utf8(entry).ok()?.split_once('\t')?;
    let mut fields = entry.split(' ');
    let (mode, kind, hash) = (fields.next()?, fields.next()?, fields.next()?);
    (kind == "blob" && mode != LINK).then(|| (name.to_owned(), hash.to_owned()))
}

/// Reads one object: `hash blob size`, a line break, the bytes, a line break. `None` if it is missing.
fn read_blob(output: &mut dyn BufRead, max_size: u64) -> io::Result<Option<Content>> {
    let mut header = String::new();
    output.read_line(&mut header)?;
    let mut fields = header.trim_end().split(' ').skip(1);
    let size: u64 = match (fields.next(), fields.next()) {
        (Some("blob"), Some(size)) => size.parse().map_err(io::Error::other)?,
        (Some("missing"), None) => return Ok(None),
        _ => return Err(io::Error::other("no header of an object")),
    };
    let content = if size > max_size {
        let skipped = io::copy(&mut (&mut *output).take(size), &mut io::sink())?;
        (skipped == size).then_some(Content::TooLarge { size })
    } else {
        let mut bytes = Vec::new();
        (&mut *output).take(size).read_to_end(&mut bytes)?;
        (bytes.len() as u64 == size).then_some(Content::Bytes(bytes))
    };
    let mut end = [0];
    output.read_exact(&mut end)?;
    match content {
        Some(content) if end == *b"\n" => Ok(Some(content)),
        _ => Err(io::Error::other("the end of an object is missing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut output: &[u8], max_size: u64) -> io::Result<Option<Content>> {
        read_blob(&mut output, max_size)
    }

    #[test]
    fn an_object_is_read_by_its_size() {
        let bytes = Content::Bytes(b"a\nb".to_vec());
        assert_eq!(read(b"01 blob 3\na\nb\n", 3).expect("read"), Some(bytes));
        let large = Content::TooLarge { size: 3 };
        assert_eq!(read(b"01 blob 3\na\nb\n", 2).expect("read"), Some(large));
        assert_eq!(read(b"01 missing\n", 2).expect("read"), None);
        for broken in [
            &b""[..],
            b"01 blob 3\na\n",
            b"01 blob 3\na\nbc",
            b"01 blob x\n",
            b"01 tree 1\na\n",
            b"01 blob 99999999999999999999\n",
        ] {
            assert!(read(broken, u64::MAX).is_err());
        }
    }

    #[test]
    fn only_regular_files_of_a_tree_are_read() {
        let entry = |text: &str| blob(text.as_bytes()).map(|(name, _)| name);
        assert_eq!(entry("100644 blob 01\ta b").as_deref(), Some("a b"));
        assert_eq!(entry("100755 blob 01\ta\tb").as_deref(), Some("a\tb"));
        assert_eq!(entry("120000 blob 01\ta"), None);
        assert_eq!(entry("160000 commit 01\ta"), None);
        assert_eq!(entry(""), None);
    }
}
