//! Fixtures: several files in one string, written to a temporary folder and loaded.
//!
//! ```text
//! //- a/a.go
//! package a
//! //- b/b.go
//! package b
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use codeweft_workspace::{LoadOptions, ProjectDatabase};
use tempfile::TempDir;

/// Texts of files by their paths relative to the root, with `/`.
pub type Texts = BTreeMap<String, String>;

/// Files of a workspace that is to be loaded.
#[derive(Clone, Debug)]
pub struct Fixture {
    texts: Texts,
    settings: BTreeMap<String, String>,
    recording: bool,
    threads: usize,
}

impl Fixture {
    /// Returns the files of a string, each headed by a line `//- path`. Without a `go.mod` among
    /// them the module is `m`.
    pub fn new(text: &str) -> Fixture {
        Fixture::of(texts(text))
    }

    /// Returns a fixture of these files.
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

    /// Sets a setting.
    pub fn setting(mut self, name: &str, value: &str) -> Fixture {
        self.settings.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Makes the database record the queries that it executes.
    pub fn recording(mut self) -> Fixture {
        self.recording = true;
        self
    }

    /// Sets the number of threads; the default is one.
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

/// Loads a folder of real code, with the environment of this process.
pub fn load_folder(path: &Path, threads: usize) -> ProjectDatabase {
    ProjectDatabase::load(LoadOptions {
        threads,
        ..LoadOptions::new(path)
    })
    .expect("the folder is a workspace")
}

/// Returns the files of a string, each headed by a line `//- path`.
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

/// Returns the settings of every fixture: the small library, and one platform.
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

/// A loaded workspace; its folder is removed when it is dropped.
pub struct Workspace {
    /// The database.
    pub host: ProjectDatabase,
    folder: TempDir,
}

impl Workspace {
    /// Returns the absolute path of a file.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Opens a file with this text, as an editor does.
    pub fn open(&mut self, path: &str, text: &str) {
        let path = self.path(path);
        self.host.open(&path, text);
    }

    /// Replaces the text of an open file.
    pub fn change(&mut self, path: &str, text: &str) {
        let path = self.path(path);
        self.host.change(&path, text);
    }

    /// Closes a file.
    pub fn close(&mut self, path: &str) {
        let path = self.path(path);
        self.host.close(&path);
    }

    /// Writes files to disk, or removes those without a text, and notifies the database.
    pub fn on_disk(&mut self, changes: &[(String, Option<String>)]) {
        for (path, text) in changes {
            match text {
                Some(text) => write(self.folder.path(), path, text),
                None => {
                    // A file that was never saved does not exist.
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
        let texts = texts(
            r#"
//- a/a.go
package a
//- b.go
package m

var X int
"#,
        );
        assert_eq!(texts["a/a.go"], "package a\n");
        assert_eq!(texts["b.go"], "package m\n\nvar X int\n");
    }

    #[test]
    fn a_fixture_is_loaded() {
        let mut workspace = Fixture::new(
            r#"//- a.go
package m
"#,
        )
        .load();
        assert!(workspace.host.has_sources());
        let before = workspace.host.revision();
        workspace.open("a.go", "package m\n\nfunc F() {}\n");
        assert!(workspace.host.revision() > before);
    }
}
