//! `typeHierarchy/subtypes`: what implements, embeds or extends a type directly.

use codeweft_ide::Priority;
use lsp_server::ResponseError;

use super::plan::{ClientSession, RequestPlan};
use super::words::{ItemParams, ItemWriter};

pub(super) const METHOD: &str = "typeHierarchy/subtypes";

pub(super) fn plan(
    params: ItemParams,
    asker: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    let id = params.id()?;
    let encoding = asker.encoding();
    let items = ItemWriter::of(asker);
    Ok(RequestPlan::ask(
        Priority::Editor,
        None,
        move |snapshot| snapshot.subtypes(&id, encoding),
        move |found| items.classes(&found),
    ))
}
