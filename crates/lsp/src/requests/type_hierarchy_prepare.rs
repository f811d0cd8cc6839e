//! `textDocument/prepareTypeHierarchy`: the types that a type hierarchy begins with.

use codeweft_ide::Priority;
use lsp_types::TypeHierarchyPrepareParams;

use super::plan::{ClientSession, RequestPlan};
use super::words::ItemWriter;

pub(super) const METHOD: &str = "textDocument/prepareTypeHierarchy";

pub(super) fn plan(params: TypeHierarchyPrepareParams, asker: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return RequestPlan::null();
    };
    let (document, position, encoding) = at.parts();
    let items = ItemWriter::of(asker);
    let path = document.path.clone();
    RequestPlan::ask(
        Priority::Editor,
        Some(&document),
        move |snapshot| snapshot.type_items(&path, position, encoding),
        move |found| {
            let shown: Vec<_> = found.iter().map(|item| items.class(item)).collect();
            (!shown.is_empty()).then_some(shown)
        },
    )
}
