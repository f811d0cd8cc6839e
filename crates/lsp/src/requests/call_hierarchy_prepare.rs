//! `textDocument/prepareCallHierarchy`: the functions at a position, as roots of a call hierarchy.

use codeweft_ide::editor;
use lsp_types::CallHierarchyPrepareParams;

use super::plan::{ClientSession, RequestPlan};
use super::proto::ItemWriter;
use super::query_forms::roots_at;

pub(super) const METHOD: &str = "textDocument/prepareCallHierarchy";

pub(super) fn plan(params: CallHierarchyPrepareParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    roots_at(at, session, editor::call_items, ItemWriter::call)
}
