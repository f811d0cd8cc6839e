//! `callHierarchy/outgoingCalls`: whom an item calls.

use codeweft_ide::Priority;
use codeweft_ide::editor::CallItem;
use lsp_server::ResponseError;
use lsp_types::CallHierarchyOutgoingCall;

use super::plan::{ClientSession, RequestPlan};
use super::words::{ItemParams, ItemWriter, ranges};

pub(super) const METHOD: &str = "callHierarchy/outgoingCalls";

pub(super) fn plan(
    params: ItemParams,
    asker: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    // The ranges are told in the item's file. A package that calls from several has an item in each.
    let path = params.path(asker);
    let id = params.id()?;
    let encoding = asker.encoding();
    let items = ItemWriter::of(asker);
    Ok(RequestPlan::ask(
        Priority::Editor,
        None,
        move |snapshot| snapshot.outgoing(&id, encoding),
        move |found| {
            let call = |calls: &CallItem| CallHierarchyOutgoingCall {
                to: items.call(&calls.item),
                from_ranges: ranges(&calls.sites),
            };
            let here = |calls: &&CallItem| path.as_ref().is_none_or(|path| calls.path == *path);
            found.iter().filter(here).map(call).collect::<Vec<_>>()
        },
    ))
}
