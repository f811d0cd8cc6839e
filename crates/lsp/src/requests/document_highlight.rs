//! `textDocument/documentHighlight`: the uses in the same file.

use codeweft_ide::Priority;
use codeweft_ide::editor::Access;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use super::plan::{ClientSession, RequestPlan};
use super::words::range;

pub(super) const METHOD: &str = "textDocument/documentHighlight";

pub(super) fn plan(params: DocumentHighlightParams, asker: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return RequestPlan::none();
    };
    let (document, position, encoding) = at.parts();
    let path = document.path.clone();
    RequestPlan::ask(
        Priority::Editor,
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
