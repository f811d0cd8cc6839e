//! `typeHierarchy/supertypes`: what a type implements, embeds or extends directly.

use codeweft_ide::Priority;
use lsp_server::ResponseError;

use super::plan::{ClientSession, RequestPlan};
use super::words::{ItemParams, ItemWriter};

pub(super) const METHOD: &str = "typeHierarchy/supertypes";

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
        move |snapshot| snapshot.supertypes(&id, encoding),
        move |found| items.classes(&found),
    ))
}
