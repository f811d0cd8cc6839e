//! Which servers get a message of the client.
//!
//! ```text
//! a document's                        the server that has it open, else its folder's, else the one that
//!                                     found a definition in it (a library's), else the first
//! a hierarchy item's                  the server that made it, else its folder's
//! codeweft.impact, codeweft.path      that of the document in the argument, else the first
//! workspace/symbol                    all; their answers are joined
//! didChangeWatchedFiles               those whose folder or root is around one of the files
//! notifications about no file         all
//! other requests                      the first
//! ```

use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::Proxy;
use super::traffic::MessageHead;
use crate::document_changes::FilesChanged;
use crate::{NegotiatedCapabilities, uri};

/// The parts of a message that name a file; the others are not read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RoutedMessage {
    params: RoutedParams,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RoutedParams {
    text_document: Value,
    item: Value,
    arguments: Value,
}

impl<W, C, L> Proxy<W, C, L>
where
    W: Write + Send + 'static,
    C: Fn(&Path, &NegotiatedCapabilities, &str) -> io::Result<UnixStream> + Send + Sync + 'static,
    L: Fn(&str),
{
    /// Returns the servers that get a message. There is at least one server.
    pub(super) fn route(&self, head: &MessageHead, content: &[u8]) -> Vec<usize> {
        let all: Vec<usize> = self.servers.keys().copied().collect();
        if all.len() == 1 || head.method() == "workspace/symbol" {
            return all;
        }
        if head.method() == "workspace/didChangeWatchedFiles" {
            return self.around_files(content);
        }
        // Params that are none of the protocol's name no file.
        let message: RoutedMessage = serde_json::from_slice(content).unwrap_or_default();
        let RoutedParams {
            text_document,
            item,
            arguments,
        } = message.params;
        let instance = item.pointer("/data/instance").and_then(Value::as_str);
        let made = instance.and_then(|instance| self.exchange().server_of_instance(instance));
        if let Some(server) = made.filter(|server| self.servers.contains_key(server)) {
            return vec![server];
        }
        let uris = [
            text_document.get("uri"),
            item.get("uri"),
            arguments.pointer("/0/textDocument/uri"),
        ];
        match uris.into_iter().flatten().find_map(Value::as_str) {
            Some(uri) => vec![self.server_of(uri)],
            None if head.request().is_some() => vec![self.first_server()],
            None => all,
        }
    }

    /// Returns the server of a file: that which has it open, else its folder's, else for a library's
    /// the one that found a definition in it, else the first.
    fn server_of(&self, uri: &str) -> usize {
        let of_folder = || self.folders.server_of(&uri::path(uri)?);
        let server = self.documents.server_of(uri).or_else(of_folder);
        let server = server.or_else(|| self.exchange().server_defining_in(uri));
        server.unwrap_or_else(|| self.first_server())
    }

    /// Returns the server of files in no folder.
    pub(super) fn first_server(&self) -> usize {
        self.servers.keys().next().copied().unwrap_or_default()
    }

    fn around_files(&self, content: &[u8]) -> Vec<usize> {
        #[derive(Deserialize)]
        struct Message {
            params: FilesChanged,
        }
        let message = serde_json::from_slice::<Message>(content);
        let files = message.map_or_else(|_| Vec::new(), |message| message.params.changes);
        let mut servers: Vec<usize> = Vec::new();
        for file in files {
            let path = uri::path(&file.uri);
            let around = path.map(|path| self.folders.servers_around(&path));
            match around.filter(|around| !around.is_empty()) {
                Some(around) => servers.extend(around),
                None => servers.push(self.first_server()),
            }
        }
        servers.sort_unstable();
        servers.dedup();
        servers
    }
}
