//! The numbers of words in the tables, the same in all files of a schema version. The views name them
//! too.

use codeweft_db::NodeKind;
use codeweft_graph::export::{EdgeRow, EdgeType};

/// The kind of the top level of a file: of its code outside all declarations.
pub(crate) const TOP_LEVEL: u8 = 0;

/// A use or run inside a function literal.
pub(crate) const IN_LITERAL: u8 = 1;

/// A call of which only a function literal runs that is made inside the target.
pub(crate) const OF_LITERAL: u8 = 2;

/// A use of the owner's home, not of the owner.
pub(crate) const OF_HOME: u8 = 4;

/// The bits of a kind of uses, below the flags.
pub(crate) const FLAGS_BEHIND: u8 = 4;

/// A symbol whose name is public.
pub(crate) const PUBLIC: u8 = 1;

/// A symbol of a library.
pub(crate) const EXTERNAL: u8 = 2;

/// A symbol that is declared in a test.
pub(crate) const TEST: u8 = 4;

/// The kinds of uses: number and name. The kinds behind `import` are those of references.
pub(crate) const USE_KINDS: [(u8, &str); 9] = [
    (CALL, "call"),
    (2, "embeds"),
    (3, "import"),
    (4, "read"),
    (5, "write"),
    (6, "type"),
    (7, "embed"),
    (8, "key"),
    (9, "value"),
];

/// The kind of a call.
const CALL: u8 = 1;

/// The first kind of a reference.
const FIRST_REFERENCE: usize = 3;

/// Returns the number of a kind of nodes: its position in [`NodeKind::ALL`], from 1; `None` for another word.
pub(crate) fn kind_code(name: &str) -> Option<u8> {
    let found = NodeKind::ALL
        .iter()
        .position(|kind| kind.wire_name() == name);
    found.map(|at| at as u8 + 1)
}

/// The table that an edge is a row of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EdgeForm {
    /// A row of `uses` of this kind.
    Use(u8),
    /// A target of a row of `run_sites` with this resolution.
    Run(u8),
    /// A row of `implement_rows`.
    Implements,
}

/// Returns how an edge is kept; `None` if its words are not known.
pub(crate) fn edge_form(edge: &EdgeRow) -> Option<EdgeForm> {
    Some(match edge.edge_type {
        EdgeType::Calls => match edge.resolution.as_deref() {
            Some("exact") => EdgeForm::Use(CALL),
            Some("dispatch") => EdgeForm::Run(1),
            Some("value") => EdgeForm::Run(2),
            _ => return None,
        },
        EdgeType::Embeds => EdgeForm::Use(2),
        EdgeType::Imports => EdgeForm::Use(3),
        EdgeType::Implements => EdgeForm::Implements,
        EdgeType::References => {
            let kind = edge.kind.as_deref()?;
            let mut kinds = USE_KINDS[FIRST_REFERENCE..].iter();
            let &(code, _) = kinds.find(|(_, name)| *name == kind)?;
            EdgeForm::Use(code)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_views_name_the_kinds_of_functions_types_and_fields() {
        let codes = ["interface", "struct", "class", "type"].map(kind_code);
        assert_eq!(codes, [Some(2), Some(3), Some(4), Some(5)]);
        let codes = ["function", "method", "field", "package", "gopher"].map(kind_code);
        assert_eq!(codes, [Some(6), Some(7), Some(8), Some(1), None]);
    }
}
