//! `codeweft export`.

use std::io::{self, BufWriter};
use std::path::Path;

use codeweft_git::Repository;
use codeweft_store::{ExportOptions, Naming};

use crate::arguments::Export;
use crate::output::{counted, print_error};
use crate::workspace;

/// The exit code if the export could not be written.
const FAILED: u8 = 3;

/// Exports the graph; returns the exit code.
pub fn run(export: &Export) -> u8 {
    let mut edges = if export.edges.is_empty() {
        export.format.edges.to_vec()
    } else {
        export.edges.clone()
    };
    edges.sort();
    edges.dedup();
    let options = ExportOptions {
        edges,
        ..ExportOptions::default()
    };
    let piped = export.output == Path::new("-");
    if piped && export.format.is_folder() {
        let name = export.format.name;
        print_error(&format!(
            "{name} is a folder of files: name one with --output"
        ));
        return workspace::WRONG_USE;
    }
    let host = match workspace::load(&export.workspace, &export.quiet) {
        Ok(host) => host,
        Err(code) => return code,
    };
    let version = match &export.package_version {
        Some(version) => version.clone(),
        None => version_of(host.root()),
    };
    let format = export.format.with_names(Naming {
        root: host.root(),
        reader: host.file_system(),
        version: &version,
    });
    let (db, threads) = (host.db(), host.threads());
    let exported = if piped {
        let folder = std::env::temp_dir();
        let mut out = BufWriter::new(io::stdout().lock());
        format.write(db, &options, threads, &folder, &mut out)
    } else {
        format.write_file(db, &options, threads, &export.output)
    };
    if !export.quiet.quiet {
        for (path, words) in host.notes() {
            print_error(&format!("{path}: {words}"));
        }
    }
    host.leave(workspace::CACHE_WAIT);
    match exported {
        Ok(exported) => {
            if !piped && !export.quiet.quiet {
                print_error(&format!(
                    "{} and {} written to {}",
                    counted(exported.nodes, "node", "nodes"),
                    counted(exported.edges, "edge", "edges"),
                    export.output.display()
                ));
                if exported.named_uses + exported.unnamed_uses > 0 {
                    print_error(&format!(
                        "{} of packages without source by their names; {} of what such packages give \
                         without a name",
                        counted(exported.named_uses, "use", "uses"),
                        counted(exported.unnamed_uses, "call", "calls"),
                    ));
                }
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

/// Returns the version that git names; empty outside a repository and without git.
fn version_of(root: &str) -> String {
    let repository = Repository::around(Path::new(root));
    let version = repository.and_then(|repository| repository.version());
    version.unwrap_or_default()
}
