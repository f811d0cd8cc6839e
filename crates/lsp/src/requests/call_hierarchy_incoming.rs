//! `callHierarchy/incomingCalls`: who calls an item.

use codeweft_ide::Priority;
use lsp_server::ResponseError;
use lsp_types::CallHierarchyIncomingCall;

use super::plan::{ClientSession, RequestPlan};
use super::words::{ItemParams, ItemWriter, ranges};

pub(super) const METHOD: &str = "callHierarchy/incomingCalls";

pub(super) fn plan(
    params: ItemParams,
    asker: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    let id = params.id()?;
    let encoding = asker.encoding();
    let items = ItemWriter::of(asker);
    Ok(RequestPlan::ask(
        Priority::Editor,
        None,
        move |snapshot| snapshot.incoming(&id, encoding),
        move |found| {
            let call = |calls: &codeweft_ide::editor::CallItem| CallHierarchyIncomingCall {
                from: items.call(&calls.item),
                from_ranges: ranges(&calls.sites),
            };
            found.iter().map(call).collect::<Vec<_>>()
        },
    ))
}
