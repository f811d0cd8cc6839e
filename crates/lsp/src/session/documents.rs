//! The client's documents (LSP, "Text Document Synchronization"): each notification is passed to
//! the host in order.

use lsp_types::{DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams};

use super::message_loop::{MessageLoop, log_error};
use crate::document_changes::{ChangedDocument, FilesChanged};

impl MessageLoop {
    pub(super) fn did_open(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let uri = document.uri.0;
        let Some(path) = self.paths.path(&uri) else {
            return;
        };
        self.client_uris.open(&path, &uri);
        let change = self
            .host
            .open(self.client, &path, document.version, &document.text);
        self.record_change(change);
    }

    pub(super) fn did_change(&mut self, params: ChangedDocument) {
        let uri = &params.text_document.text_document_identifier.uri.0;
        let Some(path) = self.paths.path(uri) else {
            return;
        };
        let version = params.text_document.version;
        let edits = params.edits();
        let encoding = self.capabilities.encoding();
        match self
            .host
            .edit(self.client, &path, version, &edits, encoding)
        {
            Ok(change) => self.record_change(change),
            Err(error) => log_error(&format!("an edit of {path}: {error}")),
        }
    }

    pub(super) fn did_save(&mut self, params: &DidSaveTextDocumentParams) {
        if let Some(path) = self.paths.path(&params.text_document.uri.0) {
            let change = self.host.save(self.client, &path);
            self.record_change(change);
        }
    }

    pub(super) fn did_close(&mut self, params: &DidCloseTextDocumentParams) {
        if let Some(path) = self.paths.path(&params.text_document.uri.0) {
            self.client_uris.close(&path);
            let change = self.host.close(self.client, &path);
            self.record_change(change);
        }
    }

    pub(super) fn did_change_watched_files(&mut self, params: &FilesChanged) {
        let changes = params.changes.iter();
        let paths: Vec<String> = changes
            .filter_map(|change| self.paths.path(&change.uri))
            .collect();
        if !paths.is_empty() {
            let change = self.host.disk_changed(paths);
            self.record_change(change);
        }
    }
}
