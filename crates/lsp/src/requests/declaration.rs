//! `textDocument/declaration`: as the definition; in Python the stub's.

use codeweft_ide::Class;
use lsp_types::DeclarationParams;

use super::plan::{Asker, Planned};
use super::words::locations;

pub(super) const METHOD: &str = "textDocument/declaration";

pub(super) fn plan(params: DeclarationParams, asker: &Asker<'_>) -> Planned {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return Planned::none();
    };
    let (document, position, encoding) = at.parts();
    let spelling = asker.spelling.clone();
    let path = document.path.clone();
    Planned::ask(
        Class::Editor,
        Some(&document),
        move |snapshot| snapshot.declaration(&path, position, encoding),
        move |found| locations(&found, &spelling),
    )
}
