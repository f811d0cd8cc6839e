//! The numbers of words in the tables, the same in all files of a schema version. The views name them
//! too.

use codeweft_db::NodeKind;
use codeweft_graph::export::{EdgeRow, EdgeType};

/// The kind of the top level of a file: of its code outside all declarations.
pub(crate) const TOP_LEVEL: u8 = 0;

/// A use of the owner's home, not of the owner.
pub(crate) const OF_HOME: u8 = 1;

/// A use or run inside a function literal.
pub(crate) const IN_LITERAL: u8 = 2;

/// A call of which only a function literal runs that is made inside the target.
pub(crate) const OF_LITERAL: u8 = 4;

/// The bits of a kind of uses, below the flags.
pub(crate) const FLAGS_BEHIND: u8 = 5;

/// A symbol whose name is public.
pub(crate) const PUBLIC: u8 = 1;

/// A symbol of a library.
pub(crate) const EXTERNAL: u8 = 2;

/// A symbol that is declared in a test.
pub(crate) const TEST: u8 = 4;

/// A class, an abstract one too, or the method of one.
pub(crate) const CLASS: u8 = 8;

/// A method that an interface declares.
pub(crate) const OF_INTERFACE: u8 = 16;

/// A member of a package that is not loaded.
pub(crate) const ABSENT: u8 = 32;

/// An owner of which a use of its home is kept.
pub(crate) const HAS_HOME_USE: u8 = 64;

/// A kind of uses.
pub(crate) struct UseKind {
    pub(crate) code: u8,
    /// The name in the views.
    pub(crate) name: &'static str,
    /// In what a type is written.
    pub(crate) usage: Option<&'static str>,
}

const fn use_kind(code: u8, name: &'static str) -> UseKind {
    let usage = None;
    UseKind { code, name, usage }
}

const fn written(code: u8, usage: &'static str) -> UseKind {
    let (name, usage) = ("type", Some(usage));
    UseKind { code, name, usage }
}

/// The kinds of uses. Those from `read` to the written types are references.
pub(crate) const USE_KINDS: [UseKind; 21] = [
    use_kind(CALL, "call"),
    use_kind(EMBEDS, "embeds"),
    use_kind(IMPORT, "import"),
    use_kind(4, "read"),
    use_kind(5, "write"),
    use_kind(6, "type"),
    UseKind {
        code: EMBED,
        name: "embed",
        usage: Some("embed"),
    },
    use_kind(8, "key"),
    use_kind(VALUE, "value"),
    written(10, "parameter"),
    written(11, "return"),
    written(12, "field"),
    written(13, "variable"),
    written(14, "literal"),
    written(15, "conversion"),
    written(16, "assertion"),
    written(17, "type_argument"),
    written(18, "constraint"),
    written(19, "base"),
    written(20, "annotation"),
    use_kind(NAMED_IN_IMPORT, "import"),
];

/// A call.
pub(crate) const CALL: u8 = 1;

/// A base, or an embedded type.
pub(crate) const EMBEDS: u8 = 2;

/// An import statement, from package to package.
pub(crate) const IMPORT: u8 = 3;

/// A type that is embedded.
pub(crate) const EMBED: u8 = 7;

/// A function as a value.
pub(crate) const VALUE: u8 = 9;

/// A name in an import statement.
pub(crate) const NAMED_IN_IMPORT: u8 = 21;

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
            // What values decide depends on other files than that of the site, however sure it is.
            Some("exact") if edge.reason.is_some() => EdgeForm::Run(0),
            Some("exact") => EdgeForm::Use(CALL),
            Some("dispatch") => EdgeForm::Run(1),
            Some("value") => EdgeForm::Run(2),
            _ => return None,
        },
        EdgeType::Embeds => EdgeForm::Use(EMBEDS),
        EdgeType::Imports => EdgeForm::Use(IMPORT),
        EdgeType::Implements => EdgeForm::Implements,
        EdgeType::References => {
            let kind = edge.kind.as_deref()?;
            let mut kinds = USE_KINDS.iter().filter(|one| one.code > IMPORT);
            let known = kinds.find(|one| one.name == kind && one.usage == edge.usage)?;
            EdgeForm::Use(known.code)
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
