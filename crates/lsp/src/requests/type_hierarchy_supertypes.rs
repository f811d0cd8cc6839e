//! `typeHierarchy/supertypes`: what a type implements, embeds or extends directly.

use codeweft_ide::Class;
use lsp_server::ResponseError;

use super::plan::{Asker, Planned};
use super::words::{ItemParams, Items};

pub(super) const METHOD: &str = "typeHierarchy/supertypes";

pub(super) fn plan(params: ItemParams, asker: &Asker<'_>) -> Result<Planned, ResponseError> {
    let id = params.id()?;
    let encoding = asker.encoding();
    let items = Items::of(asker);
    Ok(Planned::ask(
        Class::Editor,
        None,
        move |snapshot| snapshot.supertypes(&id, encoding),
        move |found| items.classes(&found),
    ))
}
