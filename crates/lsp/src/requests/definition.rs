//! `textDocument/definition`: where what stands at a position is defined.

use codeweft_ide::Class;
use lsp_types::DefinitionParams;

use super::plan::{Asker, Planned};
use super::words::locations;

pub(super) const METHOD: &str = "textDocument/definition";

pub(super) fn plan(params: DefinitionParams, asker: &Asker<'_>) -> Planned {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return Planned::none();
    };
    let (document, position, encoding) = at.parts();
    let spelling = asker.spelling.clone();
    let path = document.path.clone();
    Planned::ask(
        Class::Editor,
        Some(&document),
        move |snapshot| snapshot.definition(&path, position, encoding),
        move |found| locations(&found, &spelling),
    )
}
