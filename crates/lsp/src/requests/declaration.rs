//! `textDocument/declaration`: the definition, or in Python its declaration in a stub file.

use codeweft_ide::editor;
use codeweft_workspace::Priority;
use lsp_types::DeclarationParams;

use super::plan::{ClientSession, RequestPlan};
use super::proto::locations;

pub(super) const METHOD: &str = "textDocument/declaration";

pub(super) fn plan(params: DeclarationParams, session: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = session.at(&params.text_document_position_params) else {
        return RequestPlan::none();
    };
    let (document, position, encoding) = at.parts();
    let client_uris = session.client_uris.clone();
    let path = document.path.clone();
    RequestPlan::query(
        Priority::Editor,
        Some(&document),
        move |snapshot| editor::declaration(snapshot, &path, position, encoding),
        move |found| locations(&found, &client_uris),
    )
}
