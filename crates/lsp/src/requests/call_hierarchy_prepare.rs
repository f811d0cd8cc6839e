//! `textDocument/prepareCallHierarchy`: the functions that a call hierarchy begins with.

use codeweft_ide::Class;
use lsp_types::CallHierarchyPrepareParams;

use super::plan::{Asker, Planned};
use super::words::Items;

pub(super) const METHOD: &str = "textDocument/prepareCallHierarchy";

pub(super) fn plan(params: CallHierarchyPrepareParams, asker: &Asker<'_>) -> Planned {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return Planned::null();
    };
    let (document, position, encoding) = at.parts();
    let items = Items::of(asker);
    let path = document.path.clone();
    Planned::ask(
        Class::Editor,
        Some(&document),
        move |snapshot| snapshot.call_items(&path, position, encoding),
        move |found| {
            let shown: Vec<_> = found.iter().map(|item| items.call(item)).collect();
            (!shown.is_empty()).then_some(shown)
        },
    )
}
