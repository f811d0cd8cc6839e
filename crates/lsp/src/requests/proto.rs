//! Conversion of the host's plain data to the protocol's types, and of hierarchy items back.

use codeweft_ide::editor::{Location, SymbolItem, SymbolKindName};
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{CallHierarchyItem, SymbolKind, TypeHierarchyItem};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::ClientSession;
use crate::messages::error;
use crate::uri::ClientUris;

/// The only version of [`ItemData`] so far.
const DATA_VERSION: u32 = 1;

/// The `data` of a hierarchy item, which the client sends back in the next request.
#[derive(Serialize, Deserialize)]
struct ItemData {
    v: u32,
    id: String,
    /// The host that made the item. Ids are valid across hosts, so it is only informative.
    instance: String,
}

/// The params of a request about an item. Only its `data` and its `uri` are read.
#[derive(Deserialize)]
pub(super) struct ItemParams {
    item: GivenItem,
}

#[derive(Deserialize)]
struct GivenItem {
    #[serde(default)]
    data: Value,
    #[serde(default)]
    uri: String,
}

impl ItemParams {
    /// Returns the path of the item's file, absolute; `None` if its URI is no file.
    pub(super) fn path(&self, session: &ClientSession<'_>) -> Option<String> {
        session.paths.path(&self.item.uri)
    }

    /// Returns the symbol id in the item's data.
    pub(super) fn id(self) -> Result<String, ResponseError> {
        match serde_json::from_value(self.item.data) {
            Ok(ItemData { v, id, .. }) if v == DATA_VERSION => Ok(id),
            _ => Err(error(
                ErrorCode::InvalidParams,
                "the item carries no data of ours",
            )),
        }
    }
}

pub(super) fn range(range: codeweft_workspace::Range) -> lsp_types::Range {
    let position = |at: codeweft_workspace::Position| lsp_types::Position {
        line: at.line,
        character: at.character,
    };
    lsp_types::Range {
        start: position(range.start),
        end: position(range.end),
    }
}

pub(super) fn ranges(list: &[codeweft_workspace::Range]) -> Vec<lsp_types::Range> {
    list.iter().copied().map(range).collect()
}

pub(super) fn locations(list: &[Location], client_uris: &ClientUris) -> Vec<lsp_types::Location> {
    let location = |at: &Location| lsp_types::Location {
        uri: client_uris.uri(&at.path),
        range: range(at.range),
    };
    list.iter().map(location).collect()
}

/// Returns the protocol's kind: a package that is one file is a Module; a type that is neither struct
/// nor interface is a Class, for the protocol has no kind for it.
pub(super) fn kind(item: &SymbolItem) -> SymbolKind {
    match item.kind {
        SymbolKindName::Package if item.is_module => SymbolKind::Module,
        SymbolKindName::Package => SymbolKind::Package,
        SymbolKindName::Interface => SymbolKind::Interface,
        SymbolKindName::Struct => SymbolKind::Struct,
        SymbolKindName::Class | SymbolKindName::Type => SymbolKind::Class,
        SymbolKindName::Function => SymbolKind::Function,
        SymbolKindName::Method => SymbolKind::Method,
        SymbolKindName::Field => SymbolKind::Field,
        SymbolKindName::Constant => SymbolKind::Constant,
        SymbolKindName::Variable => SymbolKind::Variable,
    }
}

/// Returns the ranges of an item's whole declaration and of its name. The first always contains the
/// second: clients refuse a whole list for one item that breaks this.
pub(super) fn item_ranges(item: &SymbolItem) -> (lsp_types::Range, lsp_types::Range) {
    let whole = codeweft_workspace::Range {
        start: item.range.start.min(item.selection.start),
        end: item.range.end.max(item.selection.end),
    };
    (range(whole), range(item.selection))
}

/// Returns `None` for an empty text.
pub(super) fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Builds the hierarchy items of one answer.
#[derive(Clone)]
pub(super) struct ItemWriter {
    client_uris: ClientUris,
    instance: String,
}

impl ItemWriter {
    pub(super) fn of(session: &ClientSession<'_>) -> ItemWriter {
        ItemWriter {
            client_uris: session.client_uris.clone(),
            instance: session.host.instance().to_owned(),
        }
    }

    fn data(&self, item: &SymbolItem) -> Option<Value> {
        let data = ItemData {
            v: DATA_VERSION,
            id: item.id.clone(),
            instance: self.instance.clone(),
        };
        serde_json::to_value(data).ok()
    }

    pub(super) fn call(&self, item: &SymbolItem) -> CallHierarchyItem {
        let (range, selection_range) = item_ranges(item);
        CallHierarchyItem {
            name: item.name.clone(),
            kind: kind(item),
            tags: None,
            detail: some(&item.container),
            uri: self.client_uris.uri(&item.path),
            range,
            selection_range,
            data: self.data(item),
        }
    }

    pub(super) fn class(&self, item: &SymbolItem) -> TypeHierarchyItem {
        let (range, selection_range) = item_ranges(item);
        TypeHierarchyItem {
            name: item.name.clone(),
            kind: kind(item),
            tags: None,
            detail: some(&item.container),
            uri: self.client_uris.uri(&item.path),
            range,
            selection_range,
            data: self.data(item),
        }
    }

    pub(super) fn classes(&self, items: &[SymbolItem]) -> Vec<TypeHierarchyItem> {
        items.iter().map(|item| self.class(item)).collect()
    }
}
