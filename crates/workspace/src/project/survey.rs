//! A survey of a workspace before anything is read: how many source files there are, and how large.

use std::collections::BTreeMap;

use codeweft_graph::languages;

use super::disk::WorkspaceDisk;

/// The source files of one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct SourceCount {
    /// The number of files.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Returns the source files below `root` (absolute) under these settings, by the wire name of their
/// language. Nothing is read, and libraries are not looked for.
pub fn survey(
    root: &str,
    settings: &BTreeMap<String, String>,
) -> BTreeMap<&'static str, SourceCount> {
    let disk = WorkspaceDisk::new(root, languages::ALL, None, settings);
    let mut counts: BTreeMap<&'static str, SourceCount> = BTreeMap::new();
    for (lang, size) in disk.sizes() {
        let count = counts.entry(lang.wire_name()).or_default();
        count.files += 1;
        count.bytes += size;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_that_would_be_read_are_counted_by_language() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| {
            std::fs::write(top.path().join(name), text).expect("written");
        };
        write("a.go", "package a\n");
        write("b.go", "package b\n");
        write("c.py", "c = 1\n");
        write("large.py", "large = 'more than the limit'\n");
        write("ignored.go", "package b\n");
        write(".ignore", "ignored.go\n");
        write("notes.txt", "none\n");
        let root = std::fs::canonicalize(top.path()).expect("there");
        let settings = BTreeMap::from([("max_file_size".to_owned(), "20".to_owned())]);
        let counts = survey(root.to_str().expect("UTF-8"), &settings);
        let of = |files, bytes| SourceCount { files, bytes };
        assert_eq!(
            counts,
            BTreeMap::from([("go", of(2, 20)), ("python", of(1, 6))])
        );
    }
}
