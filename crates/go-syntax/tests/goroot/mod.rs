//! The Go files of GOROOT/src without testdata, for tests that run only with `CODEWEFT_SLOW=1`.

use std::path::{Path, PathBuf};

/// The files, sorted; `None`, and a word why, where the test is to be skipped.
pub fn files_if_slow() -> Option<Vec<PathBuf>> {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        println!("skipped: CODEWEFT_SLOW is not set");
        return None;
    }
    let Some(root) = goroot() else {
        println!("skipped: no GOROOT");
        return None;
    };
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files);
    files.sort();
    Some(files)
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
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if entry.file_name() != "testdata" {
                collect(&path, into);
            }
        } else if path.extension().is_some_and(|extension| extension == "go") {
            into.push(path);
        }
    }
}
