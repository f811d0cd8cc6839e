//! `callHierarchy/incomingCalls`: who calls an item.

use codeweft_ide::Class;
use lsp_server::ResponseError;
use lsp_types::CallHierarchyIncomingCall;

use super::plan::{Asker, Planned};
use super::words::{ItemParams, Items, ranges};

pub(super) const METHOD: &str = "callHierarchy/incomingCalls";

pub(super) fn plan(params: ItemParams, asker: &Asker<'_>) -> Result<Planned, ResponseError> {
    let id = params.id()?;
    let encoding = asker.encoding();
    let items = Items::of(asker);
    Ok(Planned::ask(
        Class::Editor,
        None,
        move |snapshot| snapshot.incoming(&id, encoding),
        move |found| {
            let call = |calls: &codeweft_ide::editor::Calls| CallHierarchyIncomingCall {
                from: items.call(&calls.item),
                from_ranges: ranges(&calls.sites),
            };
            found.iter().map(call).collect::<Vec<_>>()
        },
    ))
}
