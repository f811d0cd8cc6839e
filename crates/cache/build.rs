//! Makes the fingerprint of the lowering: a hash of the sources of the crates that turn a text into its
//! intermediate form and that into bytes, and of the versions that they are built with. Records of another
//! fingerprint are not read, and nobody has to raise a number when the lowering changes.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// Folders beside this crate.
const SOURCES: &[&str] = &[
    "cache/src",
    "syntax/src",
    "syntax-derive/src",
    "go-syntax/src",
    "python-syntax/src",
    // What it does not find is written.
    "secrets",
];

fn main() -> std::io::Result<()> {
    let crates = Path::new("..");
    let lock = crates.join("../Cargo.lock");
    let mut files = Vec::new();
    for folder in SOURCES {
        add_files(&crates.join(folder), &mut files)?;
        println!("cargo::rerun-if-changed=../{folder}");
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in &files {
        file.hash(&mut hasher);
        fs::read(file)?.hash(&mut hasher);
    }
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = fs::read_to_string(lock)?;
    let grammars = lock
        .split("[[package]]")
        .filter(|package| package.contains("tree-sitter"));
    for grammar in grammars {
        grammar.hash(&mut hasher);
    }
    println!(
        "cargo::rustc-env=CODEWEFT_LOWERING={:016x}",
        hasher.finish()
    );
    Ok(())
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| {
            ["rs", "toml", "txt"]
                .iter()
                .any(|known| extension == *known)
        }) {
            files.push(path);
        }
    }
    Ok(())
}
