//! `callHierarchy/incomingCalls`: the callers of an item.

use codeweft_ide::editor::{self, CallItem};
use lsp_server::ResponseError;
use lsp_types::CallHierarchyIncomingCall;

use super::plan::{ClientSession, RequestPlan};
use super::proto::{ItemParams, ranges};
use super::query_forms::of_item;

pub(super) const METHOD: &str = "callHierarchy/incomingCalls";

pub(super) fn plan(
    params: ItemParams,
    session: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    of_item(params, session, editor::incoming, |items, found| {
        let call = |calls: &CallItem| CallHierarchyIncomingCall {
            from: items.call(&calls.item),
            from_ranges: ranges(&calls.sites),
        };
        found.iter().map(call).collect::<Vec<_>>()
    })
}
