//! `textDocument/prepareTypeHierarchy`: the types that a type hierarchy begins with.

use codeweft_ide::Class;
use lsp_types::TypeHierarchyPrepareParams;

use super::plan::{Asker, Planned};
use super::words::Items;

pub(super) const METHOD: &str = "textDocument/prepareTypeHierarchy";

pub(super) fn plan(params: TypeHierarchyPrepareParams, asker: &Asker<'_>) -> Planned {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return Planned::null();
    };
    let (document, position, encoding) = at.parts();
    let items = Items::of(asker);
    let path = document.path.clone();
    Planned::ask(
        Class::Editor,
        Some(&document),
        move |snapshot| snapshot.type_items(&path, position, encoding),
        move |found| {
            let shown: Vec<_> = found.iter().map(|item| items.class(item)).collect();
            (!shown.is_empty()).then_some(shown)
        },
    )
}
