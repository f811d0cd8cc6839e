//! The bar of a fresh clone: the minutes that the checks of every change take in one.

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};

use super::lab::Measured;
use crate::place;

/// Clones the committed state and runs the checks of every change.
pub fn measure() -> Result<Measured> {
    let folder = place::work()?.join("fresh-clone");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let mut clone = Command::new("git");
    clone
        .args(["clone", "--quiet"])
        .arg(place::root())
        .arg(&folder);
    place::stdout(&mut clone)?;
    let started = Instant::now();
    let mut run = Command::new("bash");
    run.arg(".ci/run")
        .current_dir(&folder)
        .env("CI", "true")
        .env_remove("CARGO_TARGET_DIR")
        .stdin(std::process::Stdio::null());
    let output = place::output(&mut run)?;
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = printed.lines().last().unwrap_or_default().to_owned();
    if !output.status.success() {
        bail!(
            ".ci/run ended with {} after {minutes:.1} minutes: {last}",
            output.status
        );
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(Measured::number(minutes, last))
}
