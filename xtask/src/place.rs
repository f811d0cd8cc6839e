//! Folders of the repository, and running of other programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

/// Returns the root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
        .to_owned()
}

/// Returns cargo's target folder.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Returns a folder for what the tasks build and cache.
pub fn work() -> Result<PathBuf> {
    let folder = target().join("xtask");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Returns `$(go env GOROOT)/src`.
pub fn goroot_src() -> Result<PathBuf> {
    let root = stdout(Command::new("go").args(["env", "GOROOT"]))
        .context("the Go library is asked of the `go` command; is Go installed?")?;
    let source = Path::new(root.trim()).join("src");
    if !source.join("io").is_dir() {
        bail!("{} holds no Go library", source.display());
    }
    Ok(source)
}

/// Runs a program and returns its standard output; a non-zero exit code is an error with its
/// standard error.
pub fn stdout(command: &mut Command) -> Result<String> {
    let output = output(command)?;
    if !output.status.success() {
        bail!(
            "{} ended with {}: {}",
            shown(command),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program and returns its output.
pub fn output(command: &mut Command) -> Result<Output> {
    command
        .output()
        .with_context(|| format!("cannot start {}", shown(command)))
}

/// Returns a command as one types it.
pub fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|one| one.to_string_lossy().into_owned()),
    );
    words.join(" ")
}
