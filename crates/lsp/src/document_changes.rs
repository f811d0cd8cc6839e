//! Notifications about documents and files, read strictly (LSP, "Text Document Synchronization").

use codeweft_workspace::{Edit, Position, Range};
use lsp_types::VersionedTextDocumentIdentifier;
use serde::Deserialize;

/// `DidChangeTextDocumentParams`, parsed strictly: a change with an invalid range must not become a
/// change of the whole text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangedDocument {
    pub(crate) text_document: VersionedTextDocumentIdentifier,
    content_changes: Vec<ContentChange>,
}

#[derive(Deserialize)]
struct ContentChange {
    #[serde(default)]
    range: Option<lsp_types::Range>,
    text: String,
}

/// `DidChangeWatchedFilesParams`. The kind of a change is not read: the file on disk is.
#[derive(Deserialize)]
pub(crate) struct FilesChanged {
    pub(crate) changes: Vec<FileChanged>,
}

#[derive(Deserialize)]
pub(crate) struct FileChanged {
    pub(crate) uri: String,
}

impl ChangedDocument {
    /// Returns the URI of the document.
    pub(crate) fn uri(&self) -> &str {
        &self.text_document.text_document_identifier.uri.0
    }

    /// Returns the changes in order.
    pub(crate) fn edits(self) -> Vec<Edit> {
        self.content_changes.into_iter().map(edit).collect()
    }
}

fn edit(change: ContentChange) -> Edit {
    let position = |at: lsp_types::Position| Position {
        line: at.line,
        character: at.character,
    };
    Edit {
        range: change.range.map(|range| Range {
            start: position(range.start),
            end: position(range.end),
        }),
        text: change.text,
    }
}
