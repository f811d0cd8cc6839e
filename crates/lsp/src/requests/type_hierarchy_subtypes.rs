//! `typeHierarchy/subtypes`: the types that implement, embed or extend a type directly.

use codeweft_ide::editor;
use codeweft_workspace::Priority;
use lsp_server::ResponseError;

use super::plan::{ClientSession, RequestPlan};
use super::proto::{ItemParams, ItemWriter};

pub(super) const METHOD: &str = "typeHierarchy/subtypes";

pub(super) fn plan(
    params: ItemParams,
    session: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    let id = params.id()?;
    let encoding = session.encoding();
    let items = ItemWriter::of(session);
    Ok(RequestPlan::query(
        Priority::Editor,
        None,
        move |snapshot| editor::subtypes(snapshot, &id, encoding),
        move |found| items.classes(&found),
    ))
}
