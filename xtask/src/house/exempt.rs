//! Types that may have more methods than the floor allows, each with its reason.

use super::types::Wide;

/// A type that the floor of methods does not bind.
pub struct Exempt {
    /// The folder of its crate below `crates/`.
    pub package: &'static str,
    /// How the path of its file below `src` begins.
    pub folder: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Why it may be wide.
    pub reason: &'static str,
}

/// Parsers, and one inference builder a type checker: a method for each form of the grammar, all over one
/// state.
pub const EXEMPT: &[Exempt] = &[
    Exempt {
        package: "go",
        folder: "typing/",
        name: "Typer",
        reason: "the inference builder of Go's type checker",
    },
    Exempt {
        package: "syntax",
        folder: "go/",
        name: "Lowering",
        reason: "the parser of Go",
    },
    Exempt {
        package: "syntax",
        folder: "python/",
        name: "Lowering",
        reason: "the parser of Python",
    },
];

impl Exempt {
    /// Whether the entry names this type of a crate.
    pub fn names(&self, package: &str, wide: &Wide) -> bool {
        self.package == package && self.name == wide.name && wide.declared.starts_with(self.folder)
    }
}
