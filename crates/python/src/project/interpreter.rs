//! Selection of the interpreter, and the location of its standard library and installed packages,
//! from folders and settings files alone: no interpreter is run.
//!
//! The rules are those of the Python library's pages "site", "venv" and "sysconfig". The order of
//! [`find`]:
//!
//! ```text
//! setting `python`, $VIRTUAL_ENV, <project>/.venv, <project>/venv, $CONDA_PREFIX, python3 of PATH
//! ```

use std::path::Path;

use super::paths::{join, parent, resolve};
use super::tree::OutsideFiles;
use super::version::Version;

/// The separator of folders in PATH.
const LIST_SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// The file names of an interpreter in a folder of PATH.
const PROGRAMS: [&str; 4] = ["python3", "python", "python3.exe", "python.exe"];

/// The folders of an interpreter, as absolute paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Interpreter {
    /// The sources of the standard library.
    pub(crate) stdlib: Option<String>,
    /// The folders of installed packages, in the order of `sys.path`.
    pub(crate) site: Vec<String>,
    /// The release of the language, if a file or folder says it.
    pub(crate) version: Option<Version>,
}

/// Returns the interpreter of a workspace, the first that exists of: the setting `python` (a
/// program or an environment's folder), `VIRTUAL_ENV`, `.venv` or `venv` in one of the `projects`
/// (absolute folders), `CONDA_PREFIX`, `python3` of PATH. The error is a setting that names none.
pub(crate) fn find(
    tree: &OutsideFiles<'_>,
    setting: Option<&str>,
    root: &str,
    projects: &[String],
) -> Result<Option<Interpreter>, String> {
    if let Some(named) = setting.map(str::trim).filter(|named| !named.is_empty()) {
        let folder = resolve(root, named).unwrap_or_else(|| named.to_owned());
        let found = environment(tree, &folder, None)
            .or_else(|| program(tree, parent(&folder)?, last(&folder)));
        return found.map(Some).ok_or(folder);
    }
    let variable = |name| {
        let value = tree.variable(name)?.replace('\\', "/");
        environment(tree, value.trim_end_matches('/'), None)
    };
    let beside = || {
        projects.iter().find_map(|project| {
            let mut folders = [".venv", "venv"].iter().map(|name| join(project, name));
            folders.find_map(|folder| virtual_environment(tree, &folder))
        })
    };
    Ok(variable("VIRTUAL_ENV")
        .or_else(beside)
        .or_else(|| variable("CONDA_PREFIX"))
        .or_else(|| on_path(tree, root)))
}

/// Returns the interpreter whose environment or installation is the folder `prefix`.
fn environment(
    tree: &OutsideFiles<'_>,
    prefix: &str,
    version: Option<Version>,
) -> Option<Interpreter> {
    virtual_environment(tree, prefix).or_else(|| installation(tree, prefix, version))
}

/// Returns the interpreter of a virtual environment (PEP 405), whose `pyvenv.cfg` names the base
/// installation.
fn virtual_environment(tree: &OutsideFiles<'_>, prefix: &str) -> Option<Interpreter> {
    let text = tree.read(prefix, "pyvenv.cfg")?;
    let value = |key: &str| {
        text.lines()
            .filter_map(|line| line.split_once('='))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case(key))
            .map(|(_, value)| value.trim())
    };
    let version = value("version_info")
        .or_else(|| value("version"))
        .and_then(Version::read);
    let base = value("home").and_then(|home| {
        let home = home.replace('\\', "/");
        let home = home.trim_end_matches('/');
        // On Windows `home` is the installation itself; elsewhere its folder of programs.
        installation(tree, home, version)
            .or_else(|| installation(tree, parent(home)?, version))
            .or_else(|| program(tree, home, "python3"))
    });
    let mut site: Vec<String> = Vec::new();
    for lib in versions(tree, prefix, version) {
        let dir = join(prefix, &format!("{lib}/site-packages"));
        if !tree.list(&dir).is_empty() {
            site.push(dir);
            break;
        }
    }
    let windows = join(prefix, "Lib/site-packages");
    if site.is_empty() && !tree.list(&windows).is_empty() {
        site.push(windows);
    }
    let base = base.unwrap_or_default();
    if value("include-system-site-packages").is_some_and(|value| value.eq_ignore_ascii_case("true"))
    {
        site.extend(base.site);
    }
    Some(Interpreter {
        version: base.version.or(version),
        stdlib: base.stdlib,
        site,
    })
}

/// Returns an installation below `prefix`: with the library of the requested version, else of the
/// highest.
fn installation(
    tree: &OutsideFiles<'_>,
    prefix: &str,
    requested: Option<Version>,
) -> Option<Interpreter> {
    for lib in versions(tree, prefix, requested) {
        let stdlib = join(prefix, &lib);
        if !is_stdlib(tree, &stdlib) {
            continue;
        }
        let name = last(&lib);
        let mut site: Vec<String> = Vec::new();
        // Order: the user's own, the machine's, the distribution's (Debian).
        if let Some(home) = tree.variable("HOME") {
            site.push(join(&home, &format!(".local/lib/{name}/site-packages")));
        }
        site.push(join(prefix, &format!("local/lib/{name}/dist-packages")));
        site.push(join(&stdlib, "site-packages"));
        site.push(join(prefix, "lib/python3/dist-packages"));
        site.retain(|dir| !tree.list(dir).is_empty());
        return Some(Interpreter {
            version: Version::of_folder(name),
            stdlib: Some(stdlib),
            site,
        });
    }
    // Windows.
    let stdlib = join(prefix, "Lib");
    is_stdlib(tree, &stdlib).then(|| Interpreter {
        version: requested,
        site: vec![join(&stdlib, "site-packages")],
        stdlib: Some(stdlib),
    })
}

fn is_stdlib(tree: &OutsideFiles<'_>, dir: &str) -> bool {
    tree.has_file(dir, "os.py") && tree.has_file(dir, "site.py")
}

/// Returns the interpreter of a program in a folder of programs, with links followed.
fn program(tree: &OutsideFiles<'_>, dir: &str, name: &str) -> Option<Interpreter> {
    let prefix = parent(dir)?;
    if let Some(found) = virtual_environment(tree, prefix) {
        return Some(found);
    }
    let path = join(dir, name);
    // Resolving a link is the only direct disk access of a layout.
    let real = std::fs::canonicalize(Path::new(&path))
        .ok()
        .and_then(|real| Some(real.to_str()?.replace('\\', "/")))
        .or_else(|| tree.has_file(dir, name).then_some(path))?;
    let prefix = parent(parent(&real)?)?;
    environment(tree, prefix, Version::of_folder(last(&real)))
}

/// Returns the first interpreter of PATH. A shim of pyenv is a script; the version that it would
/// start is in `.python-version` of the workspace, else in the file `version` next to the shims.
fn on_path(tree: &OutsideFiles<'_>, root: &str) -> Option<Interpreter> {
    let path = tree.variable("PATH")?;
    path.split(LIST_SEPARATOR)
        .filter(|dir| !dir.is_empty())
        .find_map(|dir| {
            let dir = dir.replace('\\', "/");
            let dir = dir.trim_end_matches('/');
            if last(dir) == "shims" {
                return shim(tree, parent(dir)?, root);
            }
            PROGRAMS.iter().find_map(|name| program(tree, dir, name))
        })
}

fn shim(tree: &OutsideFiles<'_>, pyenv: &str, root: &str) -> Option<Interpreter> {
    let text = tree
        .read(root, ".python-version")
        .filter(|text| {
            let version = text.split_whitespace().next();
            version.is_some_and(|version| !tree.list(&of_version(pyenv, version)).is_empty())
        })
        .or_else(|| tree.read(pyenv, "version"))?;
    let version = text.split_whitespace().next()?;
    environment(tree, &of_version(pyenv, version), None)
}

fn of_version(pyenv: &str, version: &str) -> String {
    join(pyenv, &format!("versions/{version}"))
}

/// Returns the folders `lib/pythonX.Y` below a prefix: that of the requested version if it exists,
/// else all, the highest first.
fn versions(tree: &OutsideFiles<'_>, prefix: &str, requested: Option<Version>) -> Vec<String> {
    let mut found: Vec<(Version, String)> = Vec::new();
    for lib in ["lib", "lib64"] {
        for name in tree.list(&join(prefix, lib)).iter() {
            let Some(name) = name.strip_suffix('/') else {
                continue;
            };
            if let Some(version) = Version::of_folder(name) {
                found.push((version, format!("{lib}/{name}")));
            }
        }
    }
    if let Some(requested) = requested
        && found.iter().any(|&(version, _)| version == requested)
    {
        found.retain(|&(version, _)| version == requested);
    }
    // `lib` before `lib64`, and the usual build before the free-threaded one (`3.13t`).
    found.sort_by(|(a, lib), (b, other)| b.cmp(a).then_with(|| lib.cmp(other)));
    found.into_iter().map(|(_, lib)| lib).collect()
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
