//! The files of a folder that a build configuration selects (`go/build`, `Context.matchFile`).

use crate::settings::GoSettings;
use codeweft_go_syntax as go;
use codeweft_syntax::{NameId, Names};

use super::tags::{KNOWN_ARCH, KNOWN_OS, eval, holds};

/// The reason why a configuration excludes a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Exclusion {
    /// Its name starts with `_` or `.`.
    Hidden,
    /// Its name ends in another operating system or architecture.
    Name,
    /// Its build constraint does not hold.
    Constraint,
    /// Its package clause is `documentation`.
    Documentation,
    /// It imports "C" and cgo is off.
    Cgo,
}

/// Returns whether the configuration selects a file, by its name without folders, its build
/// constraint and its imports. `names` is the interner of the header's names.
pub fn file_matches(
    file_name: &str,
    header: &go::Header,
    settings: &GoSettings,
    names: &Names,
) -> bool {
    excluded_by(file_name, header, settings, names).is_none()
}

/// Returns why a file is excluded; `None` if it is selected. See [`file_matches`].
pub fn excluded_by(
    file_name: &str,
    header: &go::Header,
    settings: &GoSettings,
    names: &Names,
) -> Option<Exclusion> {
    Matcher::new(settings, names).excluded_by(file_name, header)
}

/// A matcher of many files against one configuration: see [`excluded_by`].
pub(super) struct Matcher<'a> {
    settings: &'a GoSettings,
    cgo: Option<NameId>,
    documentation: Option<NameId>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(settings: &'a GoSettings, names: &Names) -> Matcher<'a> {
        Matcher {
            settings,
            cgo: names.get("C"),
            documentation: names.get("documentation"),
        }
    }

    /// Returns why a file is excluded; `None` if it is selected.
    pub(super) fn excluded_by(&self, file_name: &str, header: &go::Header) -> Option<Exclusion> {
        if file_name.starts_with(['_', '.']) {
            return Some(Exclusion::Hidden);
        }
        if !name_matches(file_name, self.settings) {
            return Some(Exclusion::Name);
        }
        if let Some(constraint) = &header.constraint
            && !eval(constraint, self.settings)
        {
            return Some(Exclusion::Constraint);
        }
        if Some(header.package) == self.documentation {
            return Some(Exclusion::Documentation);
        }
        let imports_c = || {
            header
                .imports
                .iter()
                .any(|import| Some(import.path) == self.cgo)
        };
        if !self.settings.cgo && self.cgo.is_some() && imports_c() {
            return Some(Exclusion::Cgo);
        }
        None
    }
}

/// Returns whether a file name fits the configuration (`go/build`, `Context.goodOSArchFile`):
/// `*_GOOS`, `*_GOARCH` and `*_GOOS_GOARCH`, each optionally followed by `_test`. The parts before
/// the first `_` and after the first `.` do not count.
///
/// ```text
/// a_windows.go, a_linux_arm64_test.go   constrained
/// linux.go                              for every system
/// ```
fn name_matches(file_name: &str, settings: &GoSettings) -> bool {
    let stem = file_name.split('.').next().unwrap_or(file_name);
    let mut parts = stem.split('_');
    parts.next();
    let mut parts: Vec<&str> = parts.collect();
    if parts.last() == Some(&"test") {
        parts.pop();
    }
    let os = |part: &str| KNOWN_OS.contains(&part);
    let arch = |part: &str| KNOWN_ARCH.contains(&part);
    match parts.as_slice() {
        [.., first, second] if os(first) && arch(second) => {
            holds(first, settings) && holds(second, settings)
        }
        [.., only] if os(only) || arch(only) => holds(only, settings),
        _ => true,
    }
}
