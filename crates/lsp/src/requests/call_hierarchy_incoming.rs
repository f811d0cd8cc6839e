//! `callHierarchy/incomingCalls`: the callers of an item.

use codeweft_ide::editor;
use codeweft_workspace::Priority;
use lsp_server::ResponseError;
use lsp_types::CallHierarchyIncomingCall;

use super::plan::{ClientSession, RequestPlan};
use super::proto::{ItemParams, ItemWriter, ranges};

pub(super) const METHOD: &str = "callHierarchy/incomingCalls";

pub(super) fn plan(
    params: ItemParams,
    session: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    let id = params.id()?;
    let encoding = session.encoding();
    let items = ItemWriter::of(session);
    Ok(RequestPlan::query(
        Priority::Editor,
        None,
        move |snapshot| editor::incoming(snapshot, &id, encoding),
        move |found| {
            let call = |calls: &codeweft_ide::editor::CallItem| CallHierarchyIncomingCall {
                from: items.call(&calls.item),
                from_ranges: ranges(&calls.sites),
            };
            found.iter().map(call).collect::<Vec<_>>()
        },
    ))
}
