//! Python: so far the imports of a module.

use crate::{FileIr, NameId, Names};

/// What is read of a Python module before its items.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Every import statement's target, in text order.
    pub imports: Box<[Import]>,
}

/// One imported module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The dotted name as written, without leading dots; empty in `from . import x`.
    pub module: NameId,
    /// How many leading dots: 0 is an absolute import.
    pub level: u32,
    /// The names of `from … import a, b`; each may be a submodule. Empty for `import m` and `*`.
    pub names: Box<[NameId]>,
}

/// The declarations of a Python module; none yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Items;

/// Lowers a Python text.
pub fn lower(_text: &str, _names: &Names, _stop: &dyn Fn() -> bool) -> Option<FileIr> {
    None
}
