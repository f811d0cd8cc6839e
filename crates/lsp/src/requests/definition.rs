//! `textDocument/definition`: the definition of the symbol at a position.

use codeweft_ide::editor;
use lsp_types::DefinitionParams;

use super::plan::{ClientSession, RequestPlan};
use super::query_forms::locations_at;

pub(super) const METHOD: &str = "textDocument/definition";

pub(super) fn plan(params: DefinitionParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    locations_at(at, session, editor::definition)
}
