//! `textDocument/references`: every use, of locals too.

use codeweft_ide::Priority;
use lsp_types::ReferenceParams;

use super::plan::{ClientSession, RequestPlan};
use super::words::locations;

pub(super) const METHOD: &str = "textDocument/references";

pub(super) fn plan(params: ReferenceParams, asker: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return RequestPlan::none();
    };
    let (document, position, encoding) = at.parts();
    let declaration = params.context.include_declaration;
    let spelling = asker.spelling.clone();
    let path = document.path.clone();
    RequestPlan::ask(
        Priority::Editor,
        Some(&document),
        move |snapshot| snapshot.references(&path, position, encoding, declaration),
        move |found| locations(&found, &spelling),
    )
}
