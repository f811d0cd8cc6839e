//! CPython 3.11, for which the judges are written: positions, qualified names and profile events
//! depend on the version.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::place;

/// The release that the judges need.
const RELEASE: &str = "3.11";

/// A CPython 3.11 that can create virtual environments.
#[derive(Debug)]
pub struct Interpreter {
    pub program: PathBuf,
    /// `3.11.7`.
    pub version: String,
    /// The folder of its library.
    pub library: PathBuf,
}

impl Interpreter {
    /// Finds `python3.11` on PATH, else the newest 3.11 in pyenv's folder of versions.
    pub fn find() -> Result<Interpreter> {
        let mut candidates = vec![OsString::from(format!("python{RELEASE}"))];
        candidates.extend(of_pyenv().into_iter().map(PathBuf::into_os_string));
        let mut reasons = Vec::new();
        for candidate in candidates {
            match Interpreter::ask(Path::new(&candidate)) {
                Ok(found) => return Ok(found),
                Err(error) => reasons.push(format!("{}: {error:#}", candidate.to_string_lossy())),
            }
        }
        bail!(
            "no CPython {RELEASE} that can make a virtual environment. Put `python{RELEASE}` on PATH, \
             or install one with `pyenv install {RELEASE}`. Looked at: {}",
            reasons.join("; ")
        )
    }

    fn ask(program: &Path) -> Result<Interpreter> {
        let output = place::stdout(Command::new(program).args([
            "-c",
            "import sys, sysconfig, venv, ensurepip\n\
             print(sys.implementation.name)\n\
             print('.'.join(map(str, sys.version_info[:3])))\n\
             print(sys.executable)\n\
             print(sysconfig.get_path('stdlib'))",
        ]))?;
        Interpreter::parse(&output)
    }

    fn parse(output: &str) -> Result<Interpreter> {
        let lines: Vec<&str> = output.lines().collect();
        let [implementation, version, program, library] = lines[..] else {
            bail!("it told {output:?}");
        };
        if implementation != "cpython" || !version.starts_with(&format!("{RELEASE}.")) {
            bail!("it is {implementation} {version}");
        }
        Ok(Interpreter {
            program: PathBuf::from(program),
            version: version.to_owned(),
            library: PathBuf::from(library),
        })
    }
}

/// Returns the interpreters of pyenv, the newest first.
fn of_pyenv() -> Vec<PathBuf> {
    let home = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    let Some(versions) = home.map(|home| home.join("versions")) else {
        return Vec::new();
    };
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir(versions)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let patch = name
                .strip_prefix(RELEASE)?
                .strip_prefix('.')?
                .parse()
                .ok()?;
            Some((patch, entry.path().join(format!("bin/python{RELEASE}"))))
        })
        .collect();
    found.sort();
    found
        .into_iter()
        .rev()
        .map(|(_, program)| program)
        .collect()
}

/// Returns `python -m MODULE`, to be continued with arguments.
pub fn module(python: &Path, name: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", name]);
    command
}

/// Packages that are installed for a judge, each with its version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirements {
    /// Those of the packages in `packages.rs`.
    Traced,
    /// Those of the packages in `flow_packages.tsv`.
    Flow,
    /// The engines that read the exports of many repositories.
    Engines,
}

impl Requirements {
    /// Returns the list.
    pub fn file(self) -> PathBuf {
        super::programs().join(match self {
            Requirements::Traced => "requirements.txt",
            Requirements::Flow => "flow_requirements.txt",
            Requirements::Engines => "../repositories/requirements.txt",
        })
    }

    /// Returns the name of the folder of the virtual environment.
    fn folder(self) -> String {
        match self {
            Requirements::Traced => format!("venv-{RELEASE}"),
            Requirements::Flow => format!("venv-{RELEASE}-flow"),
            Requirements::Engines => format!("venv-{RELEASE}-engines"),
        }
    }
}

/// Returns the interpreter of a virtual environment in a folder; recreates the environment if the
/// list of requirements has changed.
pub fn environment(folder: &Path, requirements: Requirements) -> Result<PathBuf> {
    let wanted = requirements.file();
    let list =
        std::fs::read(&wanted).with_context(|| format!("cannot read {}", wanted.display()))?;
    let place = folder.join(requirements.folder());
    let python = place.join("bin/python");
    let mark = place.join("requirements.txt");
    if std::fs::read(&mark).is_ok_and(|made_of| made_of == list) && python.exists() {
        return Ok(python);
    }
    let interpreter = Interpreter::find()?;
    place::stdout(
        module(&interpreter.program, "venv")
            .arg("--clear")
            .arg(&place),
    )?;
    place::stdout(
        module(&python, "pip")
            .args(["install", "--quiet", "--requirement"])
            .arg(&wanted),
    )?;
    std::fs::write(mark, list)?;
    Ok(python)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cpython_of_the_release_is_taken() {
        let found = Interpreter::parse("cpython\n3.11.7\n/a/bin/python3.11\n/a/lib/python3.11\n");
        assert_eq!(found.unwrap().version, "3.11.7");
        assert!(Interpreter::parse("pypy\n3.11.7\n/a\n/b\n").is_err());
        assert!(Interpreter::parse("cpython\n3.110.0\n/a\n/b\n").is_err());
        assert!(Interpreter::parse("cpython\n3.12.1\n/a\n/b\n").is_err());
        assert!(Interpreter::parse("").is_err());
    }
}
