//! Guards of imports and bindings: tests of the version or platform, of `TYPE_CHECKING`, and of
//! failed imports.

use super::flat::{Flat, FlatIndex};
use super::ir::Guard;
use super::kinds::{NodeField, PythonKind};
use super::words::SourceNames;

/// Returns the guard inside a branch: the innermost relevant one. A branch without meaning does not
/// hide the enclosing guard.
pub(super) fn inside(around: Guard, branch: Guard) -> Guard {
    if branch == Guard::Other && around != Guard::None {
        around
    } else {
        branch
    }
}

/// Returns the guard of the branch of a test; that of its other branches is [`beside`].
fn of_test(flat: &Flat, words: &SourceNames, test: FlatIndex) -> Guard {
    let name = match flat.kind(test) {
        PythonKind::Identifier => Some(test),
        PythonKind::Attribute => flat.field(test, NodeField::Attribute),
        _ => None,
    };
    if name.is_some_and(|name| words.of(flat, name) == "TYPE_CHECKING") {
        return Guard::TypeChecking;
    }
    let versions = (test..flat.node(test).next)
        .filter(|&at| flat.kind(at) == PythonKind::Attribute)
        .any(|at| {
            matches!(
                words.of(flat, at),
                "sys.version_info" | "sys.platform" | "os.name"
            )
        });
    if versions {
        of_version_test(words.of(flat, test)).unwrap_or(Guard::Version)
    } else {
        Guard::Other
    }
}

/// Returns the guard of `sys.version_info >= (3, N)` and of `sys.version_info < (3, N)`; `None` for another test.
fn of_version_test(test: &str) -> Option<Guard> {
    let text: String = test.chars().filter(|c| !c.is_whitespace()).collect();
    let rest = text.strip_prefix("sys.version_info")?;
    let (guard, release): (fn(u16) -> Guard, _) = match rest.strip_prefix(">=") {
        Some(release) => (Guard::Since, release),
        None => (Guard::Before, rest.strip_prefix('<')?),
    };
    let minor = release.strip_prefix("(3,")?.strip_suffix(')')?;
    minor.parse().ok().map(guard)
}

/// Returns the guard of the branches that are taken if a test fails.
fn beside(test: Guard) -> Guard {
    match test {
        Guard::Version => Guard::Version,
        Guard::Since(minor) => Guard::Before(minor),
        Guard::Before(minor) => Guard::Since(minor),
        _ => Guard::Other,
    }
}

/// The guards along an `if` statement.
///
/// ```python
/// if TYPE_CHECKING: ...                    # TypeChecking
/// elif sys.version_info >= (3, 12): ...    # Since(12)
/// elif debug: ...                          # Before(12)
/// else: ...                                # Before(12)
/// ```
pub(super) struct Branches {
    /// The guard where all tests up to here have failed.
    failed: Guard,
}

impl Branches {
    /// Returns the guards of a statement none of whose tests is read.
    pub(super) fn new() -> Branches {
        Branches {
            failed: Guard::Other,
        }
    }

    /// Returns the guard of the branch of the next test.
    pub(super) fn test(&mut self, flat: &Flat, words: &SourceNames, test: FlatIndex) -> Guard {
        let own = of_test(flat, words, test);
        let taken = inside(self.failed, own);
        self.failed = inside(self.failed, beside(own));
        taken
    }

    /// Returns the guard of what runs if all tests have failed.
    pub(super) fn failed(&self) -> Guard {
        self.failed
    }
}

/// Returns whether an `except` clause handles a failed import.
pub(super) fn takes_import_error(flat: &Flat, words: &SourceNames, clause: FlatIndex) -> bool {
    flat.children(clause)
        .take_while(|&part| flat.kind(part) != PythonKind::Block)
        .flat_map(|part| part..flat.node(part).next)
        .filter(|&at| flat.kind(at) == PythonKind::Identifier)
        .any(|at| matches!(words.of(flat, at), "ImportError" | "ModuleNotFoundError"))
}

/// Returns the guard of the body of a `try` statement.
pub(super) fn of_try(flat: &Flat, words: &SourceNames, statement: FlatIndex) -> Guard {
    let mut clauses = flat
        .children(statement)
        .filter(|&part| flat.kind(part) == PythonKind::Except);
    if clauses.any(|clause| takes_import_error(flat, words, clause)) {
        Guard::ImportError
    } else {
        Guard::Other
    }
}
