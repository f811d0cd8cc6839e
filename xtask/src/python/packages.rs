//! External Python code: packages by version, and Python's own library.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{corpora, place};

use super::interpreter::{Interpreter, Requirements, environment, module};

/// A package of PyPI.
pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
    form: Form,
    /// One of its modules.
    pub module: &'static str,
    /// The subfolder that its modules are imported from.
    pub path: &'static str,
    /// Further arguments of pytest, if its tests are traced.
    pub traced: Option<&'static [&'static str]>,
    /// The folders of its tests.
    pub tests: &'static [&'static str],
    /// What its tests need.
    pub requirements: Requirements,
}

/// The folder of most packages' tests.
pub const TESTS: &[&str] = &["tests"];

/// The downloaded distribution. A source distribution has the tests; reading the metadata of
/// pandas' own would run its whole build, and its wheel has the tests too.
enum Form {
    Source,
    Wheel,
}

pub const fn source(
    name: &'static str,
    version: &'static str,
    path: &'static str,
    traced: Option<&'static [&'static str]>,
) -> Package {
    Package {
        name,
        version,
        form: Form::Source,
        module: name,
        path,
        traced,
        tests: TESTS,
        requirements: Requirements::Traced,
    }
}

/// The packages whose tests are traced, and two large ones.
pub const PACKAGES: &[Package] = &[
    source("click", "8.1.8", "src", Some(&[])),
    source("jinja2", "3.1.6", "src", Some(&[])),
    // Some of its tests resolve names of the internet.
    source("httpx", "0.28.1", "", Some(&["-m", "not network"])),
    source("flask", "3.1.0", "src", Some(&[])),
    // Its profiler conflicts with the tracer.
    source(
        "werkzeug",
        "3.1.3",
        "src",
        Some(&["--ignore", "tests/middleware/test_profiler.py"]),
    ),
    source("starlette", "0.45.2", "", Some(&[])),
    Package {
        module: "attr",
        ..source("attrs", "24.3.0", "src", Some(&[]))
    },
    source("marshmallow", "3.26.1", "src", Some(&[])),
    source("sympy", "1.14.0", "", None),
    Package {
        name: "pandas",
        version: "2.2.3",
        form: Form::Wheel,
        module: "pandas",
        path: "",
        traced: None,
        tests: TESTS,
        requirements: Requirements::Traced,
    },
];

impl Package {
    /// Returns a package of the list whose tests are traced.
    pub fn traced(name: &str) -> Result<&'static Package> {
        let traced = || PACKAGES.iter().filter(|one| one.traced.is_some());
        traced().find(|one| one.name == name).with_context(|| {
            let names: Vec<_> = traced().map(|one| one.name).collect();
            format!(
                "no tests of {name} are traced; there are {}",
                names.join(", ")
            )
        })
    }

    /// Returns a label: `click-8.1.8`.
    pub fn label(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// Returns its folder among the corpora: downloaded and unpacked once.
    pub fn bring(&self) -> Result<PathBuf> {
        let corpora = corpora::folder()?;
        let place = corpora.join(self.label());
        if place.is_dir() {
            return Ok(place);
        }
        let python = environment(&corpora, self.requirements)?;
        let partial = corpora.join(format!("{}.partial", self.label()));
        corpora::emptied(&partial)?;
        let (only, unpacks) = match self.form {
            Form::Source => ("--no-binary", "tarfile"),
            Form::Wheel => ("--only-binary", "zipfile"),
        };
        place::stdout(
            module(&python, "pip")
                .args([
                    "download",
                    "--quiet",
                    "--no-deps",
                    only,
                    self.name,
                    "--dest",
                ])
                .arg(&partial)
                .arg(format!("{}=={}", self.name, self.version)),
        )?;
        let [archive] = &entries(&partial)?[..] else {
            bail!("pip downloaded other than one file of {}", self.label());
        };
        let unpacked = match self.form {
            Form::Source => partial.clone(),
            Form::Wheel => partial.join(self.label()),
        };
        place::stdout(
            module(&python, unpacks)
                .arg("-e")
                .arg(archive)
                .arg(&unpacked),
        )?;
        let unpacked = match self.form {
            Form::Source => partial.join(stem(archive)),
            Form::Wheel => unpacked,
        };
        std::fs::rename(&unpacked, &place)
            .with_context(|| format!("{} holds no {}", archive.display(), self.label()))?;
        std::fs::remove_dir_all(&partial)?;
        Ok(place)
    }
}

/// Returns Python's own library without installed packages, as a workspace: its sources are copied
/// once.
pub fn library() -> Result<PathBuf> {
    let corpora = corpora::folder()?;
    let place = corpora.join("cpython-3.11");
    if place.is_dir() {
        return Ok(place);
    }
    let from = Interpreter::find()?.library;
    let partial = corpora.join("cpython-3.11.partial");
    corpora::emptied(&partial)?;
    copy_sources(&from, &partial)?;
    if !partial.join("json/__init__.py").is_file() {
        bail!("{} holds no Python library", from.display());
    }
    std::fs::rename(&partial, &place)?;
    Ok(place)
}

/// Copies Python files and the folders around them.
fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    let mut open = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = open.pop() {
        for path in entries(&from)? {
            let Some(name) = path.file_name() else {
                continue;
            };
            let extension = path.extension().and_then(|one| one.to_str());
            let target = to.join(name);
            let kind = std::fs::symlink_metadata(&path)?.file_type();
            if kind.is_dir() && !is_foreign(&name.to_string_lossy()) {
                open.push((path, target));
            } else if kind.is_file() && matches!(extension, Some("py" | "pyi")) {
                std::fs::create_dir_all(&to)?;
                std::fs::copy(&path, &target)
                    .with_context(|| format!("cannot copy {}", path.display()))?;
            }
        }
    }
    Ok(())
}

/// Returns whether a folder has no sources of the library.
fn is_foreign(name: &str) -> bool {
    matches!(
        name,
        "site-packages" | "dist-packages" | "__pycache__" | "lib-dynload"
    )
}

/// Returns the folder that a source distribution unpacks into: `more_itertools-11.2.1` for
/// more-itertools.
fn stem(archive: &Path) -> String {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".tar.gz").unwrap_or(&name).to_owned()
}

/// Returns the paths in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = read
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_sources_are_copied_without_installed_packages() {
        let folder = place::work().unwrap().join("tests/library");
        corpora::emptied(&folder).unwrap();
        let from = folder.join("from");
        for file in [
            "a.py",
            "p/b.py",
            "p/data.txt",
            "p/__pycache__/b.py",
            "site-packages/x.py",
        ] {
            let path = from.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let to = folder.join("to");
        copy_sources(&from, &to).unwrap();
        assert_eq!(entries(&to).unwrap(), [to.join("a.py"), to.join("p")]);
        assert_eq!(entries(&to.join("p")).unwrap(), [to.join("p/b.py")]);
    }

    #[test]
    fn only_listed_packages_are_traced() {
        assert_eq!(Package::traced("click").unwrap().label(), "click-8.1.8");
        assert!(Package::traced("sympy").is_err());
    }
}
