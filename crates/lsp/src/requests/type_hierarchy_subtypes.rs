//! `typeHierarchy/subtypes`: the types that implement, embed or extend a type directly.

use codeweft_ide::editor;
use lsp_server::ResponseError;

use super::plan::{ClientSession, RequestPlan};
use super::proto::ItemParams;
use super::query_forms::of_item;

pub(super) const METHOD: &str = "typeHierarchy/subtypes";

pub(super) fn plan(
    params: ItemParams,
    session: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    of_item(params, session, editor::subtypes, |items, found| {
        items.classes(&found)
    })
}
