//! The documents that the client has open, each with its server, to be replayed to another one.

use std::sync::Arc;

use codeweft_workspace::{Encoding, LineIndex};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::document_changes::{ChangedDocument, FilesChanged};
use crate::{messages, uri};

/// The byte-order mark.
const BOM: char = '\u{feff}';

/// The open documents, in the order in which they were opened.
pub(super) struct OpenDocuments {
    encoding: Encoding,
    documents: Vec<OpenDocument>,
}

struct OpenDocument {
    uri: String,
    /// The number of the server that has it; `None` if there is none yet.
    server: Option<usize>,
    /// `TextDocumentItem` without its text and version.
    item: Value,
    version: i32,
    lines: LineIndex,
    /// The text as it was last on disk as far as the client knows, because it was opened so or
    /// saved; `None`: the document was opened with another text than the disk's.
    saved: Option<LineIndex>,
}

/// `DidOpenTextDocumentParams`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenedDocument {
    text_document: Value,
}

/// The params of `didSave` and `didClose`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NamedDocument {
    text_document: DocumentName,
}

#[derive(Deserialize)]
struct DocumentName {
    uri: String,
}

#[derive(Deserialize)]
struct Params<P> {
    params: P,
}

impl OpenDocuments {
    /// Returns no documents; positions of changes are in `encoding`.
    pub(super) fn new(encoding: Encoding) -> OpenDocuments {
        OpenDocuments {
            encoding,
            documents: Vec::new(),
        }
    }

    /// Follows a notification of the client; a document that it opens is that server's. An invalid
    /// one changes nothing, as in the server.
    pub(super) fn follow(&mut self, method: &str, content: &[u8], server: Option<usize>) {
        match method {
            "textDocument/didOpen" => self.open(content, server),
            "textDocument/didChange" => self.change(content),
            "textDocument/didSave" => {
                if let Some(document) = self.named(content) {
                    document.saved = Some(document.lines.clone());
                }
            }
            "textDocument/didClose" => {
                if let Some(params) = read::<NamedDocument>(content) {
                    self.close(&params.text_document.uri);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                let params = read::<FilesChanged>(content);
                for file in params.into_iter().flat_map(|params| params.changes) {
                    if let Some(document) = self.of(&file.uri)
                        && is_on_disk(document)
                    {
                        document.saved = Some(document.lines.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, content: &[u8], server: Option<usize>) {
        let Some(params) = read::<OpenedDocument>(content) else {
            return;
        };
        let mut item = params.text_document;
        let text = item.get_mut("text").map(Value::take);
        let version = item.get("version").and_then(Value::as_i64);
        let version = version.and_then(|version| i32::try_from(version).ok());
        let uri = item.get("uri").and_then(Value::as_str);
        let (Some(Value::String(text)), Some(version), Some(uri)) = (text, version, uri) else {
            return;
        };
        if uri::path(uri).is_none() {
            return;
        }
        let uri = uri.to_owned();
        self.close(&uri);
        let mut document = OpenDocument {
            uri,
            server,
            item,
            version,
            lines: lines_of(&text),
            saved: None,
        };
        if is_on_disk(&document) {
            document.saved = Some(document.lines.clone());
        }
        self.documents.push(document);
    }

    fn change(&mut self, content: &[u8]) {
        let Some(params) = read::<ChangedDocument>(content) else {
            return;
        };
        let encoding = self.encoding;
        let Some(document) = self.of(params.uri()) else {
            return;
        };
        let version = params.text_document.version;
        let saved = document.saved.as_ref().map(|saved| saved.text().clone());
        if let Some(lines) = document.lines.edited(&params.edits(), encoding, saved) {
            document.lines = lines;
            document.version = version;
        }
    }

    fn close(&mut self, uri: &str) {
        self.documents.retain(|document| document.uri != uri);
    }

    fn of(&mut self, uri: &str) -> Option<&mut OpenDocument> {
        let mut documents = self.documents.iter_mut();
        documents.find(|document| document.uri == uri)
    }

    fn named(&mut self, content: &[u8]) -> Option<&mut OpenDocument> {
        let params = read::<NamedDocument>(content)?;
        self.of(&params.text_document.uri)
    }

    /// Returns the server of an open document.
    pub(super) fn server_of(&self, uri: &str) -> Option<usize> {
        let document = self.documents.iter().find(|document| document.uri == uri)?;
        document.server
    }

    /// Returns the notifications after which another process of a server has its documents as this
    /// client has them: the text that was on disk is saved before the unsaved changes are made, so
    /// that a document without any yields to newer contents of the disk as before.
    pub(super) fn replay(&self, server: usize) -> Vec<Vec<u8>> {
        let documents = self.documents.iter();
        let documents = documents.filter(|document| document.server == Some(server));
        documents.flat_map(OpenDocument::replay).collect()
    }

    /// Gives each document to the server that `server_of` returns for its path. Returns those that
    /// move, with the notifications to both servers.
    pub(super) fn move_to(
        &mut self,
        server_of: impl Fn(&str) -> Option<usize>,
    ) -> Vec<MovedDocument> {
        let mut moved = Vec::new();
        for document in &mut self.documents {
            let to = uri::path(&document.uri).and_then(|path| server_of(&path));
            let from = std::mem::replace(&mut document.server, to);
            if from != to {
                let closed = json!({"textDocument": {"uri": document.uri}});
                let closed = messages::notification("textDocument/didClose", &closed);
                moved.push(MovedDocument {
                    from: from.map(|from| (from, closed.into_bytes())),
                    to: to.map(|to| (to, document.replay())),
                });
            }
        }
        moved
    }
}

/// A document that another server gets.
pub(super) struct MovedDocument {
    /// The server that had it, and the notification that it is closed.
    pub(super) from: Option<(usize, Vec<u8>)>,
    /// The server that gets it, and the notifications after which it has it.
    pub(super) to: Option<(usize, Vec<Vec<u8>>)>,
}

impl OpenDocument {
    fn replay(&self) -> Vec<Vec<u8>> {
        let first = self.saved.as_ref().unwrap_or(&self.lines);
        let mut item = self.item.clone();
        item["text"] = first.client_text().into();
        item["version"] = self.version.into();
        let mut messages = vec![("textDocument/didOpen", json!({"textDocument": item}))];
        if let Some(saved) = &self.saved {
            let document = json!({"uri": self.uri});
            messages.push(("textDocument/didSave", json!({"textDocument": document})));
            if !same(saved, &self.lines) {
                let document = json!({"uri": self.uri, "version": self.version});
                let changes = json!([{"text": self.lines.client_text()}]);
                messages.push((
                    "textDocument/didChange",
                    json!({"textDocument": document, "contentChanges": changes}),
                ));
            }
        }
        let messages = messages.into_iter();
        messages
            .map(|(method, params)| messages::notification(method, &params).into_bytes())
            .collect()
    }
}

fn lines_of(text: &str) -> LineIndex {
    match text.strip_prefix(BOM) {
        Some(text) => LineIndex::after_bom(text.into()),
        None => LineIndex::new(text.into()),
    }
}

fn same(one: &LineIndex, other: &LineIndex) -> bool {
    let (a, b) = (one.text(), other.text());
    one.bom() == other.bom() && (Arc::ptr_eq(a, b) || a == b)
}

/// Returns whether the file on disk has the document's text, in UTF-8.
fn is_on_disk(document: &OpenDocument) -> bool {
    let Some(path) = uri::path(&document.uri) else {
        return false;
    };
    let bom = if document.lines.bom() {
        BOM.len_utf8()
    } else {
        0
    };
    let length = (document.lines.text().len() + bom) as u64;
    // Only a plain file is opened: another could block.
    let plain = std::fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() == length);
    plain
        && std::fs::read(&path).is_ok_and(|bytes| bytes == document.lines.client_text().as_bytes())
}

fn read<P: for<'de> Deserialize<'de>>(content: &[u8]) -> Option<P> {
    let message = serde_json::from_slice::<Params<P>>(content).ok()?;
    Some(message.params)
}
