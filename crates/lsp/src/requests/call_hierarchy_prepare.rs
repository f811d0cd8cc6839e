//! `textDocument/prepareCallHierarchy`: the functions at a position, as roots of a call hierarchy.

use codeweft_ide::editor;
use codeweft_workspace::Priority;
use lsp_types::CallHierarchyPrepareParams;

use super::plan::{ClientSession, RequestPlan};
use super::proto::ItemWriter;

pub(super) const METHOD: &str = "textDocument/prepareCallHierarchy";

pub(super) fn plan(params: CallHierarchyPrepareParams, session: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = session.at(&params.text_document_position_params) else {
        return RequestPlan::null();
    };
    let (document, position, encoding) = at.parts();
    let items = ItemWriter::of(session);
    let path = document.path.clone();
    RequestPlan::query(
        Priority::Editor,
        Some(&document),
        move |snapshot| editor::call_items(snapshot, &path, position, encoding),
        move |found| {
            let converted: Vec<_> = found.iter().map(|item| items.call(item)).collect();
            (!converted.is_empty()).then_some(converted)
        },
    )
}
