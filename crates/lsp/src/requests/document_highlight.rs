//! `textDocument/documentHighlight`: the references in the same file.

use codeweft_ide::editor::{self, Access};
use codeweft_workspace::Priority;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use super::plan::{ClientSession, RequestPlan};
use super::proto::range;

pub(super) const METHOD: &str = "textDocument/documentHighlight";

pub(super) fn plan(params: DocumentHighlightParams, session: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = session.at(&params.text_document_position_params) else {
        return RequestPlan::none();
    };
    let (document, position, encoding) = at.parts();
    let path = document.path.clone();
    RequestPlan::query(
        Priority::Editor,
        Some(&document),
        move |snapshot| editor::highlights(snapshot, &path, position, encoding),
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
