//! The corpora that are measured.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use codeweft_testing::generate::{Size, workspace};
use codeweft_workspace::LoadOptions;
use tempfile::TempDir;

/// A workspace on disk.
pub struct Corpus {
    root: PathBuf,
    settings: BTreeMap<String, String>,
    variables: Option<BTreeMap<String, String>>,
    /// The folder of generated code, removed with the corpus.
    _folder: Option<TempDir>,
}

impl Corpus {
    /// Returns generated code of `packages` packages; it needs no Go distribution.
    pub fn generated(packages: usize) -> Corpus {
        let size = Size {
            packages,
            files: 4,
            functions: 12,
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in workspace(1, size) {
            let path = folder.path().join(path);
            let parent = path.parent().expect("a file lies in a folder");
            std::fs::create_dir_all(parent).expect("a folder of the workspace");
            std::fs::write(path, text).expect("a file of the workspace");
        }
        let goroot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-fixtures/goroot-small");
        Corpus {
            root: folder.path().to_owned(),
            settings: BTreeMap::from([("goroot".to_owned(), goroot.display().to_string())]),
            variables: Some(BTreeMap::new()),
            _folder: Some(folder),
        }
    }

    /// Returns the standard library of this machine: from GOROOT, else from the `go` command.
    pub fn standard_library() -> Result<Corpus, String> {
        let goroot = match std::env::var("GOROOT") {
            Ok(goroot) if !goroot.is_empty() => goroot,
            _ => {
                let output = Command::new("go").args(["env", "GOROOT"]).output();
                let output = output.map_err(|error| format!("no GOROOT, and go: {error}"))?;
                String::from_utf8_lossy(&output.stdout).trim().to_owned()
            }
        };
        let root = Path::new(&goroot).join("src");
        if root.is_dir() {
            Ok(Corpus {
                root,
                settings: BTreeMap::from([("goroot".to_owned(), goroot)]),
                variables: None,
                _folder: None,
            })
        } else {
            Err(format!("{} is no folder", root.display()))
        }
    }

    /// Returns the options to load it with.
    pub fn options(&self) -> LoadOptions<'static> {
        let mut options = LoadOptions::new(&self.root);
        options.settings = self.settings.clone();
        options.variables = self.variables.clone();
        options
    }
}
