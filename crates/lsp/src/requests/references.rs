//! `textDocument/references`: all references, of local variables too.

use codeweft_ide::editor;
use codeweft_workspace::Priority;
use lsp_types::ReferenceParams;

use super::plan::{ClientSession, RequestPlan};
use super::proto::locations;

pub(super) const METHOD: &str = "textDocument/references";

pub(super) fn plan(params: ReferenceParams, session: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = session.at(&params.text_document_position_params) else {
        return RequestPlan::none();
    };
    let (document, position, encoding) = at.parts();
    let declaration = params.context.include_declaration;
    let client_uris = session.client_uris.clone();
    let path = document.path.clone();
    RequestPlan::query(
        Priority::Editor,
        Some(&document),
        move |snapshot| editor::references(snapshot, &path, position, encoding, declaration),
        move |found| locations(&found, &client_uris),
    )
}
