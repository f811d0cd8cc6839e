//! `textDocument/typeDefinition`: the declaration of the type of the name at a position.

use codeweft_ide::editor;
use lsp_types::TypeDefinitionParams;

use super::plan::{ClientSession, RequestPlan};
use super::query_forms::locations_at;

pub(super) const METHOD: &str = "textDocument/typeDefinition";

pub(super) fn plan(params: TypeDefinitionParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    locations_at(at, session, editor::type_definition)
}
