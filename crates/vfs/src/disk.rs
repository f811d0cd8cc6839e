//! The disk as a language's project layout reads it: texts, names in folders, environment
//! variables.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{CodingLines, DEFAULT_MAX_SIZE, Text, UnreadReason, read_text};

/// A reader of files and folders anywhere on the disk.
#[derive(Clone, Debug)]
pub struct Disk {
    variables: BTreeMap<String, String>,
    /// The maximum size of a source file.
    max_size: u64,
    coding: CodingLines,
}

impl Default for Disk {
    fn default() -> Self {
        Disk::new(BTreeMap::new())
    }
}

impl Disk {
    /// Creates a reader with these environment variables.
    pub fn new(variables: BTreeMap<String, String>) -> Disk {
        Disk {
            variables,
            max_size: DEFAULT_MAX_SIZE,
            coding: CodingLines::default(),
        }
    }

    /// Returns the same reader, for which sources of at most `max_size` bytes are read.
    pub fn with_max_size(self, max_size: u64) -> Disk {
        Disk { max_size, ..self }
    }

    /// Returns the same reader, for which these files may have a coding line.
    pub fn with_coding_lines(self, coding: CodingLines) -> Disk {
        Disk { coding, ..self }
    }

    /// Returns the text of a source file.
    ///
    /// # Errors The reason why the file is unread.
    pub fn text(&self, path: &str) -> Result<Text, UnreadReason> {
        read_text(path, self.max_size, &self.coding)
    }

    /// Creates a reader with the current variables of this process, as far as they are UTF-8.
    pub fn of_process() -> Disk {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Disk::new(variables)
    }

    /// Returns the text of a file of a project, such as `go.mod`, whose size has a bound of its own;
    /// `None` if it does not exist or is unread.
    pub fn read(&self, path: &str) -> Option<Arc<str>> {
        let text = read_text(path, DEFAULT_MAX_SIZE, &self.coding);
        text.ok().map(|text| text.text)
    }

    /// Returns the names in a folder, sorted by bytes; folders, and links to folders, end in `/`.
    /// Empty if there is no such folder. Names that are not UTF-8 are skipped.
    pub fn list(&self, dir: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let mut name = entry.file_name().into_string().ok()?;
                let kind = entry.file_type().ok()?;
                if kind.is_dir() || kind.is_symlink() && entry.path().is_dir() {
                    name.push('/');
                }
                Some(name)
            })
            .collect();
        names.sort_unstable();
        names
    }

    /// Returns an environment variable; an empty one counts as unset.
    pub fn variable(&self, name: &str) -> Option<String> {
        self.variables
            .get(name)
            .filter(|value| !value.is_empty())
            .cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lists_its_names_with_a_slash_behind_folders() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let dir = top.path().to_str().expect("UTF-8");
        std::fs::create_dir(top.path().join("b")).expect("made");
        std::fs::write(top.path().join("c.go"), "package c").expect("written");
        std::fs::write(top.path().join("a.bin"), "\0").expect("written");
        let disk = Disk::default();
        assert_eq!(disk.list(dir), ["a.bin", "b/", "c.go"]);
        assert_eq!(disk.list(&format!("{dir}/none")), [""; 0]);
        let read = |name: &str| disk.read(&format!("{dir}/{name}"));
        assert_eq!(read("c.go").as_deref(), Some("package c"));
        assert_eq!(read("a.bin"), None);
        assert_eq!(read("b"), None);
    }

    #[test]
    fn an_empty_variable_counts_as_none() {
        let variables = [("A", "1"), ("B", "")];
        let disk = Disk::new(variables.map(|(k, v)| (k.into(), v.into())).into());
        assert_eq!(disk.variable("A").as_deref(), Some("1"));
        assert_eq!(disk.variable("B"), None);
    }
}
