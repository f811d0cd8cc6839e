//! `workspace/symbol`: declarations whose names match, best match first.

use codeweft_ide::editor::{self, SymbolItem};
use codeweft_workspace::Priority;
use lsp_types::{BaseSymbolInformation, Location, SymbolInformation, WorkspaceSymbolParams};

use super::plan::{ClientSession, RequestPlan};
use super::proto::{kind, range, some};
use crate::uri::ClientUris;

pub(super) const METHOD: &str = "workspace/symbol";

/// The maximum number of results (docs/editors.md says it): a letter matches half a million names of a
/// large workspace, each keystroke queries anew, and positions are read of every file that is listed.
const MAX_RESULTS: usize = 2_000;

pub(super) fn plan(params: WorkspaceSymbolParams, session: &ClientSession<'_>) -> RequestPlan {
    let encoding = session.encoding();
    let client_uris = session.client_uris.clone();
    RequestPlan::query(
        Priority::Editor,
        None,
        move |snapshot| editor::search(snapshot, &params.query, MAX_RESULTS, encoding),
        move |found| {
            let rows = found.iter().map(|item| information(item, &client_uris));
            rows.collect::<Vec<_>>()
        },
    )
}

fn information(item: &SymbolItem, client_uris: &ClientUris) -> SymbolInformation {
    #[expect(deprecated, reason = "a field without which the struct cannot be made")]
    SymbolInformation {
        deprecated: None,
        location: Location {
            uri: client_uris.uri(&item.path),
            range: range(item.selection),
        },
        base_symbol_information: BaseSymbolInformation {
            name: item.name.clone(),
            kind: kind(item),
            tags: None,
            container_name: some(&item.container),
        },
    }
}
