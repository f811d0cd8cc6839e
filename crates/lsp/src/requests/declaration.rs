//! `textDocument/declaration`: the definition, or in Python its declaration in a stub file.

use codeweft_ide::editor;
use lsp_types::DeclarationParams;

use super::plan::{ClientSession, RequestPlan};
use super::query_forms::locations_at;

pub(super) const METHOD: &str = "textDocument/declaration";

pub(super) fn plan(params: DeclarationParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    locations_at(at, session, editor::declaration)
}
