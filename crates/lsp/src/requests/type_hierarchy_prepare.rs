//! `textDocument/prepareTypeHierarchy`: the types at a position, as roots of a type hierarchy.

use codeweft_ide::editor;
use lsp_types::TypeHierarchyPrepareParams;

use super::plan::{ClientSession, RequestPlan};
use super::proto::ItemWriter;
use super::query_forms::roots_at;

pub(super) const METHOD: &str = "textDocument/prepareTypeHierarchy";

pub(super) fn plan(params: TypeHierarchyPrepareParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    roots_at(at, session, editor::type_items, ItemWriter::class)
}
