//! `callHierarchy/outgoingCalls`: whom an item calls.

use codeweft_ide::Class;
use codeweft_ide::editor::Calls;
use lsp_server::ResponseError;
use lsp_types::CallHierarchyOutgoingCall;

use super::plan::{Asker, Planned};
use super::words::{ItemParams, Items, ranges};

pub(super) const METHOD: &str = "callHierarchy/outgoingCalls";

pub(super) fn plan(params: ItemParams, asker: &Asker<'_>) -> Result<Planned, ResponseError> {
    // The ranges are told in the item's file. A package that calls from several has an item in each.
    let path = params.path(asker);
    let id = params.id()?;
    let encoding = asker.encoding();
    let items = Items::of(asker);
    Ok(Planned::ask(
        Class::Editor,
        None,
        move |snapshot| snapshot.outgoing(&id, encoding),
        move |found| {
            let call = |calls: &Calls| CallHierarchyOutgoingCall {
                to: items.call(&calls.item),
                from_ranges: ranges(&calls.sites),
            };
            let here = |calls: &&Calls| path.as_ref().is_none_or(|path| calls.path == *path);
            found.iter().filter(here).map(call).collect::<Vec<_>>()
        },
    ))
}
