//! The code of others that slow tests and figures are made on. None of it is in the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::place;
use crate::python::interpreter::environment;
use crate::python::{cycles, packages};

/// Go modules that are copied out of the module cache: one large, one with deep generics.
const MODULES: &[&str] = &["golang.org/x/tools@v0.48.0", "golang.org/x/exp@latest"];

/// `$CODEWEFT_CORPORA`, else a folder below cargo's target; made where it is not there.
pub fn folder() -> Result<PathBuf> {
    let folder = match std::env::var_os("CODEWEFT_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => place::target().join("corpora"),
    };
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder.canonicalize()?)
}

/// A folder with nothing in it.
pub fn emptied(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Says where the Go library is and brings the modules, Python's library and the packages.
pub fn run() -> Result<ExitCode> {
    let folder = folder()?;
    let mut missing = 0;
    let mut tell = |what: &str, place: Result<PathBuf>| match place {
        Ok(place) => println!("{what}  {}", place.display()),
        Err(error) => {
            missing += 1;
            println!("{what}  not to be had: {error:#}");
        }
    };
    tell("go library", place::goroot_src());
    for module in MODULES {
        tell(module, bring(module, &folder));
    }
    tell("python library", packages::library());
    tell("python tests' environment", environment(&folder));
    for package in packages::PACKAGES {
        tell(&package.label(), package.bring());
    }
    tell("largest import cycles, beside", cycles::of_measured());
    Ok(ExitCode::from(u8::from(missing > 0)))
}

/// Downloads a module with the `go` command and copies it, writable, without its parents' links.
fn bring(module: &str, folder: &Path) -> Result<PathBuf> {
    let name = module.split('@').next().unwrap_or(module).replace('/', "_");
    let place = folder.join(name);
    if place.join("go.mod").is_file() {
        return Ok(place);
    }
    let told = place::stdout(
        Command::new("go")
            .args(["mod", "download", "-json", module])
            .current_dir(folder),
    )?;
    let told: Value = serde_json::from_str(&told)?;
    let cached = told["Dir"]
        .as_str()
        .context("go mod download told no folder")?;
    place::stdout(
        Command::new("cp")
            .args(["-R", "--no-preserve=mode", "-T", cached])
            .arg(&place),
    )?;
    // What it imports, so that the judge and we read the same.
    place::stdout(
        Command::new("go")
            .args(["mod", "download"])
            .current_dir(&place),
    )?;
    Ok(place)
}
