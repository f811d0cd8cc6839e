//! The protocol's words for plain answers, and back.

use codeweft_ide::editor::{Location, SymbolItem, SymbolKindName};
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{CallHierarchyItem, SymbolKind, TypeHierarchyItem};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::ClientSession;
use crate::messages::error;
use crate::uri::Spelling;

/// The only form of [`Data`] so far.
const DATA_VERSION: u32 = 1;

/// What an item of a hierarchy carries from one request to the next.
#[derive(Serialize, Deserialize)]
struct Data {
    v: u32,
    id: String,
    /// Of the Host that made the item. Ids outlive a Host, so that it decides nothing.
    instance: String,
}

/// The params of a request about an item. Of the item only what we gave it is read, and where it
/// stands.
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
    /// The item's own file, absolute; `None` where it names none.
    pub(super) fn path(&self, asker: &ClientSession<'_>) -> Option<String> {
        asker.paths.path(&self.item.uri)
    }

    /// The id in the item's data.
    pub(super) fn id(self) -> Result<String, ResponseError> {
        match serde_json::from_value(self.item.data) {
            Ok(Data { v, id, .. }) if v == DATA_VERSION => Ok(id),
            _ => Err(error(
                ErrorCode::InvalidParams,
                "the item carries no data of ours",
            )),
        }
    }
}

pub(super) fn range(range: codeweft_ide::Range) -> lsp_types::Range {
    let position = |at: codeweft_ide::Position| lsp_types::Position {
        line: at.line,
        character: at.character,
    };
    lsp_types::Range {
        start: position(range.start),
        end: position(range.end),
    }
}

pub(super) fn ranges(list: &[codeweft_ide::Range]) -> Vec<lsp_types::Range> {
    list.iter().copied().map(range).collect()
}

pub(super) fn locations(list: &[Location], spelling: &Spelling) -> Vec<lsp_types::Location> {
    let location = |at: &Location| lsp_types::Location {
        uri: spelling.uri(&at.path),
        range: range(at.range),
    };
    list.iter().map(location).collect()
}

/// A package is a Module in Python and a Package in Go; a Go type that is neither struct nor
/// interface is a Class, for the protocol has no kind for it.
pub(super) fn kind(item: &SymbolItem) -> SymbolKind {
    let python = item.path.ends_with(".py") || item.path.ends_with(".pyi");
    match item.kind {
        SymbolKindName::Package if python => SymbolKind::Module,
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

/// The ranges of an item: its whole declaration and its name, which lies inside, for clients refuse
/// a whole list for one item where it does not.
pub(super) fn item_ranges(item: &SymbolItem) -> (lsp_types::Range, lsp_types::Range) {
    let whole = codeweft_ide::Range {
        start: item.range.start.min(item.selection.start),
        end: item.range.end.max(item.selection.end),
    };
    (range(whole), range(item.selection))
}

/// `None` of an empty text.
pub(super) fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// How the items of one answer are written.
#[derive(Clone)]
pub(super) struct ItemWriter {
    spelling: Spelling,
    instance: String,
}

impl ItemWriter {
    pub(super) fn of(asker: &ClientSession<'_>) -> ItemWriter {
        ItemWriter {
            spelling: asker.spelling.clone(),
            instance: asker.host.instance().to_owned(),
        }
    }

    fn data(&self, item: &SymbolItem) -> Option<Value> {
        let data = Data {
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
            uri: self.spelling.uri(&item.path),
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
            uri: self.spelling.uri(&item.path),
            range,
            selection_range,
            data: self.data(item),
        }
    }

    pub(super) fn classes(&self, items: &[SymbolItem]) -> Vec<TypeHierarchyItem> {
        items.iter().map(|item| self.class(item)).collect()
    }
}
