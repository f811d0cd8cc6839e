//! `textDocument/documentHighlight`: the references in the same file.

use codeweft_ide::editor::{self, Access};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use super::plan::{ClientSession, RequestPlan};
use super::proto::range;
use super::query_forms::at_position;

pub(super) const METHOD: &str = "textDocument/documentHighlight";

pub(super) fn plan(params: DocumentHighlightParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    let highlight = |(at, access)| DocumentHighlight {
        range: range(at),
        kind: Some(match access {
            Access::Read => DocumentHighlightKind::Read,
            Access::Write => DocumentHighlightKind::Write,
        }),
    };
    let convert = move |found: Vec<_>| found.into_iter().map(highlight).collect::<Vec<_>>();
    at_position(
        at,
        session,
        RequestPlan::none(),
        editor::highlights,
        convert,
    )
}
