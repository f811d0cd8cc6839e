//! `textDocument/references`: every use, of locals too.

use codeweft_ide::Class;
use lsp_types::ReferenceParams;

use super::plan::{Asker, Planned};
use super::words::locations;

pub(super) const METHOD: &str = "textDocument/references";

pub(super) fn plan(params: ReferenceParams, asker: &Asker<'_>) -> Planned {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return Planned::none();
    };
    let (document, position, encoding) = at.parts();
    let declaration = params.context.include_declaration;
    let spelling = asker.spelling.clone();
    let path = document.path.clone();
    Planned::ask(
        Class::Editor,
        Some(&document),
        move |snapshot| snapshot.references(&path, position, encoding, declaration),
        move |found| locations(&found, &spelling),
    )
}
