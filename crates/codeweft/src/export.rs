//! `codeweft export`.

use std::io::{self, BufWriter};
use std::path::Path;

use codeweft_store::{EdgeType, ExportOptions, export_json, export_json_file};

use crate::arguments::{EdgeKind, Export, Format};
use crate::output::{counted, print_error};
use crate::workspace;

/// The exit code if the export could not be written.
const FAILED: u8 = 3;

/// Exports the graph; returns the exit code.
pub fn run(export: &Export) -> u8 {
    let mut edges: Vec<EdgeType> = export.edges.iter().map(|&kind| edge_type(kind)).collect();
    edges.sort();
    edges.dedup();
    let options = ExportOptions {
        edges,
        ..ExportOptions::default()
    };
    let host = match workspace::load(&export.workspace, &export.quiet) {
        Ok(host) => host,
        Err(code) => return code,
    };
    let Format::Json = export.format;
    let piped = export.output == Path::new("-");
    let exported = if piped {
        let folder = std::env::temp_dir();
        let mut out = BufWriter::new(io::stdout().lock());
        export_json(host.db(), &options, host.threads(), &folder, &mut out)
    } else {
        export_json_file(host.db(), &options, host.threads(), &export.output)
    };
    // The process ends here: dropping the database would only cost time.
    std::mem::forget(host);
    match exported {
        Ok(exported) => {
            if !piped && !export.quiet.quiet {
                print_error(&format!(
                    "{} and {} written to {}",
                    counted(exported.nodes, "node", "nodes"),
                    counted(exported.edges, "edge", "edges"),
                    export.output.display()
                ));
            }
            0
        }
        // A reader that has gone, like `head`, is no error.
        Err(error) if piped && error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            print_error(&format!(
                "{} cannot be written: {error}",
                export.output.display()
            ));
            FAILED
        }
    }
}

fn edge_type(kind: EdgeKind) -> EdgeType {
    match kind {
        EdgeKind::Calls => EdgeType::Calls,
        EdgeKind::Implements => EdgeType::Implements,
        EdgeKind::Embeds => EdgeType::Embeds,
        EdgeKind::Imports => EdgeType::Imports,
        EdgeKind::References => EdgeType::References,
    }
}
