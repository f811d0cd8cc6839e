//! Plans of the two common forms: about a position in a document, and about an item of a hierarchy.

use codeweft_ide::editor::{Location, SymbolItem};
use codeweft_workspace::{Encoding, Position, Priority, Snapshot};
use lsp_server::ResponseError;
use lsp_types::TextDocumentPositionParams;
use serde::Serialize;

use super::plan::{ClientSession, RequestPlan};
use super::proto::{ItemParams, ItemWriter, locations};

/// Plans a query about a position, whose result `convert` turns into the protocol's types. Answers
/// `no_file` if the document is none.
pub(super) fn at_position<T, S>(
    params: &TextDocumentPositionParams,
    session: &ClientSession<'_>,
    no_file: RequestPlan,
    mut query: impl FnMut(&Snapshot<'_>, &str, Position, Encoding) -> T + Send + 'static,
    convert: impl FnOnce(T) -> S + Send + 'static,
) -> RequestPlan
where
    T: Send + 'static,
    S: Serialize,
{
    let Some(at) = session.at(params) else {
        return no_file;
    };
    let (document, position, encoding) = at.parts();
    let path = document.path.clone();
    RequestPlan::query(
        Priority::Editor,
        Some(&document),
        move |snapshot| query(snapshot, &path, position, encoding),
        convert,
    )
}

/// Plans a query about a position for a list of locations.
pub(super) fn locations_at(
    params: &TextDocumentPositionParams,
    session: &ClientSession<'_>,
    query: impl FnMut(&Snapshot<'_>, &str, Position, Encoding) -> Vec<Location> + Send + 'static,
) -> RequestPlan {
    let client_uris = session.client_uris.clone();
    let convert = move |found: Vec<Location>| locations(&found, &client_uris);
    at_position(params, session, RequestPlan::none(), query, convert)
}

/// Plans a query about a position for the roots of a hierarchy, which `item` writes; `null` if there
/// are none.
pub(super) fn roots_at<I: Serialize>(
    params: &TextDocumentPositionParams,
    session: &ClientSession<'_>,
    query: impl FnMut(&Snapshot<'_>, &str, Position, Encoding) -> Vec<SymbolItem> + Send + 'static,
    item: impl Fn(&ItemWriter, &SymbolItem) -> I + Send + 'static,
) -> RequestPlan {
    let items = ItemWriter::of(session);
    let convert = move |found: Vec<SymbolItem>| {
        let written: Vec<I> = found.iter().map(|root| item(&items, root)).collect();
        (!written.is_empty()).then_some(written)
    };
    at_position(params, session, RequestPlan::null(), query, convert)
}

/// Plans a query about an item of a hierarchy, by its id, whose result `convert` turns into the
/// protocol's types.
///
/// # Errors
/// The item is not one of this server.
pub(super) fn of_item<T, S>(
    params: ItemParams,
    session: &ClientSession<'_>,
    mut query: impl FnMut(&Snapshot<'_>, &str, Encoding) -> T + Send + 'static,
    convert: impl FnOnce(&ItemWriter, T) -> S + Send + 'static,
) -> Result<RequestPlan, ResponseError>
where
    T: Send + 'static,
    S: Serialize,
{
    let id = params.id()?;
    let encoding = session.encoding();
    let items = ItemWriter::of(session);
    Ok(RequestPlan::query(
        Priority::Editor,
        None,
        move |snapshot| query(snapshot, &id, encoding),
        move |found| convert(&items, found),
    ))
}
