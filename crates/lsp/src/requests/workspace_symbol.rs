//! `workspace/symbol`: declarations whose names match, best first.

use codeweft_ide::Priority;
use codeweft_ide::editor::SymbolItem;
use lsp_types::{BaseSymbolInformation, Location, SymbolInformation, WorkspaceSymbolParams};

use super::plan::{ClientSession, RequestPlan};
use super::words::{kind, range, some};
use crate::uri::Spelling;

pub(super) const METHOD: &str = "workspace/symbol";

/// How many are shown: nobody looks through more, and each keystroke asks anew.
const MOST: usize = 256;

pub(super) fn plan(params: WorkspaceSymbolParams, asker: &ClientSession<'_>) -> RequestPlan {
    let encoding = asker.encoding();
    let spelling = asker.spelling.clone();
    RequestPlan::ask(
        Priority::Editor,
        None,
        move |snapshot| snapshot.search(&params.query, MOST, encoding),
        move |found| {
            let rows = found.iter().map(|item| information(item, &spelling));
            rows.collect::<Vec<_>>()
        },
    )
}

fn information(item: &SymbolItem, spelling: &Spelling) -> SymbolInformation {
    #[expect(deprecated, reason = "a field without which the struct cannot be made")]
    SymbolInformation {
        deprecated: None,
        location: Location {
            uri: spelling.uri(&item.path),
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
