//! The Go files of GOROOT/src without testdata, for tests that run only with `CODEWEFT_SLOW=1`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The files, sorted; `None`, and a word why, where the test is to be skipped.
pub fn files_if_slow() -> Option<Vec<PathBuf>> {
    let root = root_if_slow()?;
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files);
    files.sort();
    Some(files)
}

/// The folder; `None`, and a word why, where the test is to be skipped.
pub fn root_if_slow() -> Option<PathBuf> {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        println!("skipped: CODEWEFT_SLOW is not set");
        return None;
    }
    let root = goroot();
    if root.is_none() {
        println!("skipped: no GOROOT");
    }
    root
}

fn goroot() -> Option<PathBuf> {
    if let Some(root) = std::env::var_os("GOROOT") {
        return Some(root.into());
    }
    let output = std::process::Command::new("go")
        .args(["env", "GOROOT"])
        .output()
        .ok()?;
    let root = String::from_utf8(output.stdout).ok()?;
    Some(root.trim().into())
}

fn collect(dir: &Path, into: &mut Vec<PathBuf>) {
    collect_if(dir, &|name| name != "testdata", into);
}

/// Adds the Go files below a folder, testdata included.
#[allow(dead_code, reason = "each test file uses its part")]
pub fn collect_all(dir: &Path, into: &mut Vec<PathBuf>) {
    collect_if(dir, &|_| true, into);
}

fn collect_if(dir: &Path, enters: &dyn Fn(&OsStr) -> bool, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if enters(&entry.file_name()) {
                collect_if(&path, enters, into);
            }
        } else if path.extension().is_some_and(|extension| extension == "go") {
            into.push(path);
        }
    }
}
