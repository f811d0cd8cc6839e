//! `typeHierarchy/supertypes`: the types that a type implements, embeds or extends directly.

use codeweft_ide::editor;
use lsp_server::ResponseError;

use super::plan::{ClientSession, RequestPlan};
use super::proto::ItemParams;
use super::query_forms::of_item;

pub(super) const METHOD: &str = "typeHierarchy/supertypes";

pub(super) fn plan(
    params: ItemParams,
    session: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    of_item(params, session, editor::supertypes, |items, found| {
        items.classes(&found)
    })
}
