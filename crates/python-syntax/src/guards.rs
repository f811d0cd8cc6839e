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
pub(super) fn of_test(flat: &Flat, words: &SourceNames, test: FlatIndex) -> Guard {
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
        Guard::Version
    } else {
        Guard::Other
    }
}

/// Returns the guard of the branches that are taken if a test fails.
pub(super) fn beside(test: Guard) -> Guard {
    match test {
        Guard::Version => Guard::Version,
        _ => Guard::Other,
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
