//! External code for slow tests and figures. None of it is in the repository.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::python::interpreter::{Requirements, environment};
use crate::python::{cycles, packages};
use crate::{modules, place};

/// A Go module with deep generics, for the slow tests.
const GENERIC: (&str, &str) = ("golang.org/x/exp", "latest");

/// Returns `$CODEWEFT_CORPORA`, else a folder below cargo's target; creates it if needed.
pub fn folder() -> Result<PathBuf> {
    let folder = match std::env::var_os("CODEWEFT_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => place::target().join("corpora"),
    };
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder.canonicalize()?)
}

/// Creates an empty folder, removing what it contained.
pub fn emptied(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Prints the location of the Go library and fetches the modules, Python's library and the
/// packages. The modules of the test set, which are judged once, are fetched on request only.
pub fn run(test_set: bool) -> Result<ExitCode> {
    let folder = folder()?;
    let mut missing = 0;
    let mut report = |what: &str, place: Result<PathBuf>| match place {
        Ok(place) => println!("{what}  {}", place.display()),
        Err(error) => {
            missing += 1;
            println!("{what}  not to be had: {error:#}");
        }
    };
    report("go library", place::goroot_src());
    let modules = modules::all()?;
    for module in modules.iter().filter(|one| test_set || !one.is_test) {
        let label = format!("{}@{}", module.path, module.version);
        report(&label, module.bring());
    }
    let (path, version) = GENERIC;
    let place = folder.join(path.replace('/', "_"));
    let copied = modules::copy(path, version, &place);
    report(&format!("{path}@{version}"), copied.map(|()| place));
    report("python library", packages::library());
    report(
        "python tests' environment",
        environment(&folder, Requirements::Traced),
    );
    for package in packages::PACKAGES {
        report(&package.label(), package.bring());
    }
    report("largest import cycles, beside", cycles::of_measured());
    Ok(ExitCode::from(u8::from(missing > 0)))
}
