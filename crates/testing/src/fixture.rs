//! Several files in one string, written to a folder of their own and loaded by a World.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use codeweft_ide::{LoadOptions, ProjectDatabase};
use tempfile::TempDir;

/// Files by their paths relative to the root, with `/`.
pub type Texts = BTreeMap<String, String>;

/// Files that are to be a workspace.
#[derive(Clone, Debug)]
pub struct Fixture {
    texts: Texts,
    settings: BTreeMap<String, String>,
    recording: bool,
    threads: usize,
}

impl Fixture {
    /// The files of a string: a line `//- path` begins each. Without a `go.mod` among them the
    /// module is `m`.
    pub fn new(text: &str) -> Fixture {
        Fixture::of(texts(text))
    }

    /// These files.
    pub fn of(mut texts: Texts) -> Fixture {
        texts
            .entry("go.mod".to_owned())
            .or_insert_with(|| "module m\n\ngo 1.26\n".to_owned());
        Fixture {
            texts,
            settings: settings(),
            recording: false,
            threads: 1,
        }
    }

    /// With another value of a setting.
    pub fn setting(mut self, name: &str, value: &str) -> Fixture {
        self.settings.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The database will record what it executes.
    pub fn recording(mut self) -> Fixture {
        self.recording = true;
        self
    }

    /// The World will use so many threads; one, if this is not called.
    pub fn threads(mut self, threads: usize) -> Fixture {
        self.threads = threads;
        self
    }

    /// Writes the files and loads them. The standard library is the small one of
    /// `test-fixtures/goroot-small`, and the environment is empty.
    pub fn load(self) -> Workspace {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in &self.texts {
            write(folder.path(), path, text);
        }
        let mut options = LoadOptions::new(folder.path());
        options.threads = self.threads;
        options.recording = self.recording;
        options.variables = Some(BTreeMap::new());
        options.settings = self.settings;
        let host = ProjectDatabase::load(options).expect("the folder is a workspace");
        Workspace { host, folder }
    }
}

/// The files of a string, each begun by a line `//- path`.
pub fn texts(text: &str) -> Texts {
    let mut texts = Texts::new();
    let mut file: Option<(String, String)> = None;
    for line in text.lines() {
        if let Some(path) = line.trim_start().strip_prefix("//- ") {
            texts.extend(file.take());
            file = Some((path.trim().to_owned(), String::new()));
        } else if let Some((_, body)) = &mut file {
            body.push_str(line);
            body.push('\n');
        }
    }
    texts.extend(file);
    texts
}

/// The settings of every fixture: the small library, and one system.
pub fn settings() -> BTreeMap<String, String> {
    BTreeMap::from([
        ("goroot".to_owned(), goroot().display().to_string()),
        ("goos".to_owned(), "linux".to_owned()),
        ("goarch".to_owned(), "amd64".to_owned()),
    ])
}

fn goroot() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-fixtures/goroot-small")
}

/// Writes one file below a folder.
pub fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).expect("a folder of the workspace");
    }
    std::fs::write(path, text).expect("a file of the workspace");
}

/// A loaded workspace; its folder goes when it does.
pub struct Workspace {
    /// The World of it.
    pub host: ProjectDatabase,
    folder: TempDir,
}

impl Workspace {
    /// The absolute path of a file.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Opens a file in an editor with this text.
    pub fn open(&mut self, path: &str, text: &str) {
        let path = self.path(path);
        self.host.open(&path, text);
    }

    /// Types this text into an open file.
    pub fn change(&mut self, path: &str, text: &str) {
        let path = self.path(path);
        self.host.change(&path, text);
    }

    /// Closes a file.
    pub fn close(&mut self, path: &str) {
        let path = self.path(path);
        self.host.close(&path);
    }

    /// Writes files to the disk, or removes those without a text, and tells the World.
    pub fn on_disk(&mut self, changes: &[(String, Option<String>)]) {
        for (path, text) in changes {
            match text {
                Some(text) => write(self.folder.path(), path, text),
                None => {
                    // A file that was never saved has nothing to remove.
                    let _ = std::fs::remove_file(self.path(path));
                }
            }
        }
        let paths: Vec<PathBuf> = changes.iter().map(|(path, _)| self.path(path)).collect();
        self.host.disk_changed(&paths);
    }
}

#[cfg(test)]
mod tests {
    use super::{Fixture, texts};

    #[test]
    fn a_string_holds_several_files() {
        let texts = texts("\n//- a/a.go\npackage a\n//- b.go\npackage m\n\nvar X int\n");
        assert_eq!(texts["a/a.go"], "package a\n");
        assert_eq!(texts["b.go"], "package m\n\nvar X int\n");
    }

    #[test]
    fn a_fixture_is_loaded_by_a_host() {
        let mut workspace = Fixture::new("//- a.go\npackage m\n").load();
        assert!(workspace.host.has_sources());
        let before = workspace.host.revision();
        workspace.open("a.go", "package m\n\nfunc F() {}\n");
        assert!(workspace.host.revision() > before);
    }
}
