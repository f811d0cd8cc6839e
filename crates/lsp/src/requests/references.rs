//! `textDocument/references`: all references, of local variables too.

use codeweft_ide::editor;
use lsp_types::ReferenceParams;

use super::plan::{ClientSession, RequestPlan};
use super::query_forms::locations_at;

pub(super) const METHOD: &str = "textDocument/references";

pub(super) fn plan(params: ReferenceParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    let declaration = params.context.include_declaration;
    locations_at(at, session, move |snapshot, path, position, encoding| {
        editor::references(snapshot, path, position, encoding, declaration)
    })
}
