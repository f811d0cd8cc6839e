//! `textDocument/definition`: where what stands at a position is defined.

use codeweft_ide::Priority;
use lsp_types::DefinitionParams;

use super::plan::{ClientSession, RequestPlan};
use super::words::locations;

pub(super) const METHOD: &str = "textDocument/definition";

pub(super) fn plan(params: DefinitionParams, asker: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return RequestPlan::none();
    };
    let (document, position, encoding) = at.parts();
    let spelling = asker.spelling.clone();
    let path = document.path.clone();
    RequestPlan::ask(
        Priority::Editor,
        Some(&document),
        move |snapshot| snapshot.definition(&path, position, encoding),
        move |found| locations(&found, &spelling),
    )
}
