//! Paths with `/`, and dotted names.

/// The folder around a folder; of `a` the empty path, of the empty path none.
pub(crate) fn parent(folder: &str) -> Option<&str> {
    if folder.is_empty() {
        return None;
    }
    Some(folder.rsplit_once('/').map_or("", |(parent, _)| parent))
}

/// Two parts of a path; either may be empty.
pub(crate) fn join(base: &str, rest: &str) -> String {
    match (base, rest) {
        ("", rest) => rest.to_owned(),
        (base, "") => base.to_owned(),
        (base, rest) => format!("{base}/{rest}"),
    }
}

/// The part of a path below a folder.
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

/// A path named in a file of `base`: absolute, or relative to `base`, with `.` and `..` removed by
/// the letter. `None` for one that leaves the relative `base` upwards.
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

/// The name of a file without folders and `.py` or `.pyi`.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".py")
        .or_else(|| name.strip_suffix(".pyi"))
        .unwrap_or(name)
}

/// Whether a file is a stub (PEP 484, "Stub files").
pub(crate) fn is_stub(path: &str) -> bool {
    path.ends_with(".pyi")
}

/// Two parts of a dotted name; either may be empty.
pub(crate) fn dotted(package: &str, module: &str) -> String {
    match (package, module) {
        ("", name) | (name, "") => name.to_owned(),
        (package, module) => format!("{package}.{module}"),
    }
}

/// The dotted name that `level` dots and a name mean in a package; `None` past its root (Python
/// reference, "Package relative imports").
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

/// The beginnings of a dotted name, the shortest first, itself last.
pub(crate) fn prefixes(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('.')
        .map(|(at, _)| &name[..at])
        .chain([name])
}

/// The module that a name means which a module puts in place of a submodule: `os` puts the module of
/// its system into `sys.modules` (Python library, "os.path").
pub(crate) fn in_place_of(name: &str) -> &str {
    match name {
        "os.path" => "posixpath",
        name => name,
    }
}
