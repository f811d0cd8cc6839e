//! `typeHierarchy/subtypes`: what implements, embeds or extends a type directly.

use codeweft_ide::Class;
use lsp_server::ResponseError;

use super::plan::{Asker, Planned};
use super::words::{ItemParams, Items};

pub(super) const METHOD: &str = "typeHierarchy/subtypes";

pub(super) fn plan(params: ItemParams, asker: &Asker<'_>) -> Result<Planned, ResponseError> {
    let id = params.id()?;
    let encoding = asker.encoding();
    let items = Items::of(asker);
    Ok(Planned::ask(
        Class::Editor,
        None,
        move |snapshot| snapshot.subtypes(&id, encoding),
        move |found| items.classes(&found),
    ))
}
