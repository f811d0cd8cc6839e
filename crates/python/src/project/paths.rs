//! Functions over `/` paths and dotted names.

/// Returns the parent of a folder: empty for `a`, `None` for the empty path.
pub(crate) fn parent(folder: &str) -> Option<&str> {
    if folder.is_empty() {
        return None;
    }
    Some(folder.rsplit_once('/').map_or("", |(parent, _)| parent))
}

/// Joins two parts of a path; either may be empty.
pub(crate) fn join(base: &str, rest: &str) -> String {
    match (base, rest) {
        ("", rest) => rest.to_owned(),
        (base, "") => base.to_owned(),
        (base, rest) => format!("{base}/{rest}"),
    }
}

/// Returns the part of a path below a folder.
pub(crate) fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    if folder.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

/// Resolves a path written in a file of the folder `base`: absolute, or relative to `base`. `.` and
/// `..` are removed lexically; `None` if a relative result would leave `base` upwards.
pub(crate) fn resolve(base: &str, path: &str) -> Option<String> {
    let path = path.trim().replace('\\', "/");
    let absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
    let whole = if absolute { path } else { join(base, &path) };
    let lead = if whole.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(format!("{lead}{}", parts.join("/")))
}

/// Returns the file name of a path without `.py` or `.pyi`.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".py")
        .or_else(|| name.strip_suffix(".pyi"))
        .unwrap_or(name)
}

/// Returns whether a file is a stub (PEP 484, "Stub files").
pub(crate) fn is_stub(path: &str) -> bool {
    path.ends_with(".pyi")
}

/// Joins two parts of a dotted name; either may be empty.
pub(crate) fn dotted(package: &str, module: &str) -> String {
    match (package, module) {
        ("", name) | (name, "") => name.to_owned(),
        (package, module) => format!("{package}.{module}"),
    }
}

/// Returns the absolute dotted name of a relative import with `level` dots in a package; `None`
/// past its root (Python reference, "Package Relative Imports").
///
/// ```text
/// relative("a.b", 1, "c") = a.b.c      relative("a.b", 2, "c") = a.c      relative("a", 3, "c") = None
/// ```
pub(crate) fn relative(package: &str, level: u32, module: &str) -> Option<String> {
    let Some(up) = level.checked_sub(1) else {
        return Some(module.to_owned());
    };
    let mut package = package;
    for _ in 0..up {
        if package.is_empty() {
            return None;
        }
        package = package.rsplit_once('.').map_or("", |(parent, _)| parent);
    }
    Some(dotted(package, module))
}

/// Returns the prefixes of a dotted name, the shortest first and the name itself last.
pub(crate) fn prefixes(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('.')
        .map(|(at, _)| &name[..at])
        .chain([name])
}

/// Returns the module that a module installs under the name of a submodule: `os` sets
/// `sys.modules["os.path"]` (Python library, "os.path").
pub(crate) fn installed_name(name: &str) -> &str {
    match name {
        "os.path" => "posixpath",
        name => name,
    }
}
