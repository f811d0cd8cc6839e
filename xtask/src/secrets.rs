//! The judge of secrets: the script of `xtask/judges/secrets` over clean trees.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};
use serde_json::Value;

use crate::place;
use crate::product::Product;

/// The trees to plant secrets in, and how many.
#[derive(clap::Args)]
pub struct Secrets {
    /// Clean trees; without any Go's library
    trees: Vec<PathBuf>,
    /// How many secrets are planted
    #[arg(long, default_value_t = 100)]
    count: u32,
    /// The seed of files and values
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Lists the files of the clean trees that are not visible
    #[arg(long)]
    show: bool,
}

/// Runs the judge and prints what it says.
pub fn judge(wanted: &Secrets) -> Result<ExitCode> {
    let mut command = command(&wanted.trees, wanted.count, wanted.seed)?;
    if wanted.show {
        command.arg("--show");
    }
    let status = command.status()?;
    if !status.success() {
        bail!("{} ended with {status}", place::shown(&command));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the figures on Go's library: `found`, `false_per_million`, `written`, `detect_secrets` (null where it is not installed).
pub fn figures() -> Result<Value> {
    let text = place::stdout(command(&[], 100, 1)?.arg("--json"))?;
    Ok(serde_json::from_str(&text)?)
}

fn command(trees: &[PathBuf], count: u32, seed: u32) -> Result<Command> {
    let product = Product::build()?;
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(place::root().join("xtask/judges/secrets/judge.py"))
        .arg("--codeweft")
        .arg(product.binary())
        .args(["--count", &count.to_string(), "--seed", &seed.to_string()]);
    match trees {
        [] => command.arg(place::goroot_src()?),
        trees => command.args(trees),
    };
    Ok(command)
}
