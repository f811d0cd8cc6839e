//! `textDocument/declaration`: as the definition; in Python the stub's.

use codeweft_ide::Priority;
use lsp_types::DeclarationParams;

use super::plan::{ClientSession, RequestPlan};
use super::words::locations;

pub(super) const METHOD: &str = "textDocument/declaration";

pub(super) fn plan(params: DeclarationParams, asker: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return RequestPlan::none();
    };
    let (document, position, encoding) = at.parts();
    let spelling = asker.spelling.clone();
    let path = document.path.clone();
    RequestPlan::ask(
        Priority::Editor,
        Some(&document),
        move |snapshot| snapshot.declaration(&path, position, encoding),
        move |found| locations(&found, &spelling),
    )
}
