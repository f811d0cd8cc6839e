//! `textDocument/documentHighlight`: the uses in the same file.

use codeweft_ide::Class;
use codeweft_ide::editor::Access;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use super::plan::{Asker, Planned};
use super::words::range;

pub(super) const METHOD: &str = "textDocument/documentHighlight";

pub(super) fn plan(params: DocumentHighlightParams, asker: &Asker<'_>) -> Planned {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return Planned::none();
    };
    let (document, position, encoding) = at.parts();
    let path = document.path.clone();
    Planned::ask(
        Class::Editor,
        Some(&document),
        move |snapshot| snapshot.highlights(&path, position, encoding),
        |found| {
            let highlight = |(at, access)| DocumentHighlight {
                range: range(at),
                kind: Some(match access {
                    Access::Read => DocumentHighlightKind::Read,
                    Access::Write => DocumentHighlightKind::Write,
                }),
            };
            found.into_iter().map(highlight).collect::<Vec<_>>()
        },
    )
}
