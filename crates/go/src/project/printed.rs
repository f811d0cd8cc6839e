//! The printed names of packages, which are the prefixes of ids.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::versions::{compare, short_name};

/// The properties that decide the printed name of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PackageNaming {
    /// The full import path.
    pub(super) import_path: String,
    /// For a package of the module at the workspace root: the module's path and the package's path
    /// in it, empty for the module's own folder.
    pub(super) at_root: Option<(String, String)>,
    /// The precedence among several packages with one name: by rank, then by the highest version,
    /// then by `mark`.
    pub(super) rank: Rank,
    /// The version of a library's module.
    pub(super) version: Option<String>,
    /// A path in the workspace; for a library its folder.
    pub(super) mark: String,
}

/// The precedence of a package.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    /// A package of the workspace.
    Own,
    /// A vendored copy in the workspace.
    Vendored,
    /// A package of a library.
    Library,
}

impl PackageNaming {
    /// Compares two packages of one name by precedence.
    fn before(&self, other: &PackageNaming) -> Ordering {
        let version = |named: &PackageNaming| named.version.clone().unwrap_or_default();
        self.rank
            .cmp(&other.rank)
            .then_with(|| compare(&version(other), &version(self)))
            .then_with(|| self.mark.cmp(&other.mark))
    }
}

/// Returns the names of packages, in their order, all distinct.
///
/// - A package of the module at the root is named by its path in it, the module's own folder by the
///   last element of the module's path that is no major version; any other package by its import
///   path.
/// - The import path is kept if the short name is one of the standard library, or if the name of
///   the module's own folder is also that of a folder.
/// - Of several packages with one import path (a module at two versions, two modules of one name)
///   one keeps it; the others get `@` and a distinguishing suffix.
///
/// ```text
/// module example.com/app/v2 at the root:  .  -> app     internal/db -> internal/db    fmt -> example.com/app/v2/fmt
/// libraries:  example.com/lib v1.0, v1.1  -> example.com/lib@v1.0, example.com/lib
/// ```
pub(super) fn printed_names(
    packages: &[PackageNaming],
    is_standard: impl Fn(&str) -> bool,
) -> Vec<String> {
    let in_root: BTreeSet<&str> = packages
        .iter()
        .filter_map(|package| package.at_root.as_ref())
        .map(|(_, rest)| rest.as_str())
        .collect();
    let is_folder = |name: &str| {
        in_root.contains(name)
            || in_root
                .range(format!("{name}/").as_str()..)
                .next()
                .is_some_and(|rest| rest.starts_with(&format!("{name}/")))
    };
    let preferred = |package: &PackageNaming| {
        let short = match &package.at_root {
            None => return package.import_path.clone(),
            Some((module, rest)) if rest.is_empty() => {
                let name = short_name(module);
                (!is_folder(name)).then_some(name)
            }
            Some((_, rest)) => Some(rest.as_str()),
        };
        short
            .filter(|short| !is_standard(short))
            .unwrap_or(&package.import_path)
            .to_owned()
    };
    let mut names: Vec<String> = packages.iter().map(preferred).collect();
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, name) in names.iter().enumerate() {
        by_name.entry(name.clone()).or_default().push(number);
    }
    for (name, mut sharing) in by_name {
        sharing.sort_by(|&a, &b| packages[a].before(&packages[b]));
        for &number in &sharing[1..] {
            let package = &packages[number];
            let mark = package.version.as_ref().unwrap_or(&package.mark);
            names[number] = format!("{name}@{mark}");
        }
    }
    names
}
