//! `callHierarchy/outgoingCalls`: the callees of an item.

use codeweft_ide::editor::{self, CallItem};
use lsp_server::ResponseError;
use lsp_types::CallHierarchyOutgoingCall;

use super::plan::{ClientSession, RequestPlan};
use super::proto::{ItemParams, ranges};
use super::query_forms::of_item;

pub(super) const METHOD: &str = "callHierarchy/outgoingCalls";

pub(super) fn plan(
    params: ItemParams,
    session: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    // The ranges are in the item's file. A package that calls from several files has an item in
    // each.
    let path = params.path(session);
    of_item(params, session, editor::outgoing, move |items, found| {
        let call = |calls: &CallItem| CallHierarchyOutgoingCall {
            to: items.call(&calls.item),
            from_ranges: ranges(&calls.sites),
        };
        let here = |calls: &&CallItem| path.as_ref().is_none_or(|path| calls.path == *path);
        found.iter().filter(here).map(call).collect::<Vec<_>>()
    })
}
