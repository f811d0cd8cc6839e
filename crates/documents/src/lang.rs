//! Documents as files of a database: a language without declarations.

use std::sync::Arc;

use codeweft_syntax::{
    Bodies, FileIr, Header, Identifiers, Items, Lang, LanguageSpec, LowerParts, Ranges, Report,
};

use crate::format::Format;

/// The language of documents. A file of it has a text, and neither declarations nor a unit.
pub const DOCUMENT: Lang = Lang::new(&SPEC);

/// The largest document that is read, in bytes. Larger ones are data.
pub const MAX_DOCUMENT_SIZE: u64 = 2 << 20;

static SPEC: LanguageSpec = LanguageSpec {
    lowers_without_tree: true,
    lower_parts: Some(LowerParts {
        header: |_, _| Some(Arc::new(Header::new(Nothing))),
        items: |_, _| Some(Arc::new(Items::new(Nothing))),
    }),
    ..LanguageSpec::new("document", "documents", "document:", |_, _, _, _| {
        Some(FileIr {
            header: Arc::new(Header::new(Nothing)),
            items: Arc::new(Items::new(Nothing)),
            bodies: Arc::new(Bodies::new(Nothing)),
            ranges: Arc::new(Ranges::default()),
            identifiers: Arc::new(Identifiers::default()),
            report: Arc::new(Report::default()),
        })
    })
};

/// What a document is lowered to: its queries read the text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Nothing;

/// Returns whether a file is a document, by its path with `/`.
pub fn is_document(path: &str) -> bool {
    Format::of_path(path).is_some()
}
