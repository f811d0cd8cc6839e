//! The SCIP export: an index for code search and navigation across repositories.
//!
//! A SCIP index is one protobuf message. Messages that follow each other in a file are read as one, so the
//! documents are written one by one.

use std::io::{self, Write};

use codeweft_graph::export::{EdgeType, ExportOptions, each_file};
use protobuf::Message as _;
use scip::types::{Document, Index, Metadata, SymbolInformation, TextEncoding, ToolInfo};

use crate::format::{ExportFormat, Exported, NamedInput, Writer};
use crate::monikers::NamedGraph;
use crate::scip_index::Index as GraphIndex;

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "scip",
    about: "A SCIP index: documents with definitions, references and imports; symbols with docs",
    edges: &EdgeType::ALL,
    writer: Writer::Named(write),
};

/// Writes an index. Without edges that only say what may run: they are at no name of their target.
fn write(input: &NamedInput<'_>, out: &mut dyn Write) -> io::Result<Exported> {
    let options = ExportOptions {
        dispatch: false,
        ..input.options.clone()
    };
    let graph = NamedGraph::gather(input.db, &options, input.threads, &input.naming);
    let mut index = GraphIndex::new(&graph);
    message(
        out,
        &Index {
            metadata: Some(metadata(input.naming.root)).into(),
            ..Index::default()
        },
    )?;
    let mut result = Ok(());
    each_file(input.db, input.threads, &mut |file| {
        if result.is_ok()
            && let Some(document) = index.document(&file)
        {
            result = message(out, &of_document(document));
        }
    });
    result?;
    for symbol in index.external_symbols() {
        message(out, &of_external(symbol))?;
    }
    out.flush()?;
    Ok(Exported {
        nodes: graph.symbols.len() as u64,
        edges: graph.edges.len() as u64,
        named_uses: graph.named_uses,
        unnamed_uses: graph.unnamed_uses,
    })
}

fn metadata(root: &str) -> Metadata {
    Metadata {
        tool_info: Some(ToolInfo {
            name: "codeweft".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ..ToolInfo::default()
        })
        .into(),
        project_root: file_url(root),
        text_document_encoding: TextEncoding::UTF8.into(),
        ..Metadata::default()
    }
}

/// Returns the URL of an absolute folder (RFC 8089; RFC 3986, section 2).
fn file_url(folder: &str) -> String {
    let mut url = "file://".to_owned();
    if !folder.starts_with('/') {
        url.push('/');
    }
    for byte in folder.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => {
                url.push(char::from(byte));
            }
            byte => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

fn of_document(document: Document) -> Index {
    Index {
        documents: vec![document],
        ..Index::default()
    }
}

fn of_external(symbol: SymbolInformation) -> Index {
    Index {
        external_symbols: vec![symbol],
        ..Index::default()
    }
}

fn message(out: &mut dyn Write, index: &Index) -> io::Result<()> {
    index.write_to_writer(out).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::file_url;

    #[test]
    fn a_root_is_a_url() {
        assert_eq!(file_url("/w/a b"), "file:///w/a%20b");
        assert_eq!(file_url("c:/w"), "file:///c:/w");
    }
}
