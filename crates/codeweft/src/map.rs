//! `codeweft map`: the workspace as a page.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use codeweft_diagrams::page_html;
use codeweft_ide::api::{AnalysisOperation, AnalysisRequest, AnalysisResponse, ApiError};
use codeweft_store::write_atomically;

use crate::arguments::Map;
use crate::database::Database;
use crate::output::{print, print_error};
use crate::pictures::Overview;

/// The exit code if a page or a drawing could not be written.
pub const NOT_WRITTEN: u8 = 3;

/// How many symbols a list of the page has at most.
const MOST: i64 = 100;

/// Writes the page and opens it; prints where it is and returns the exit code.
pub fn run(map: &Map) -> u8 {
    let mut database = match Database::open(&map.access) {
        Ok(database) => database,
        Err(code) => return code,
    };
    let overview = overview(&mut database);
    let root = database.root.clone();
    database.close();
    let overview = match overview {
        Ok(overview) => overview,
        Err(error) => {
            print_error(&error.message);
            return error.error_type.exit_code();
        }
    };
    let page = page_html(&overview.page(&root));
    let opening = if map.no_open {
        Opening::No
    } else {
        Opening::InBrowser
    };
    let code = u8::from(overview.is_empty());
    write_page(map.output.clone(), &page, opening, code)
}

/// What happens to a page that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// It is opened in the browser.
    InBrowser,
    /// Nothing.
    No,
}

/// Writes a page to a file, or to a new one, and prints where it is; returns `code`, or that of an error.
pub fn write_page(output: Option<PathBuf>, page: &str, opening: Opening, code: u8) -> u8 {
    let path = match written(output, page) {
        Ok(path) => path,
        Err(error) => return not_written(&error),
    };
    let path = path.display().to_string();
    if opening == Opening::InBrowser && !opened(&path) {
        print_error("no browser could be started: open the file yourself");
    }
    print(&path, code)
}

/// Writes a text to a file; returns `code`, or that of an error.
pub fn write_file(path: &Path, text: &str, code: u8) -> u8 {
    match write_atomically(path, |out| out.write_all(text.as_bytes())) {
        Ok(()) => code,
        Err(error) => not_written(&error),
    }
}

fn not_written(error: &io::Error) -> u8 {
    print_error(&format!("it could not be written: {error}"));
    NOT_WRITTEN
}

/// Requests what the page shows.
fn overview(database: &mut Database) -> Result<Overview, ApiError> {
    let mut ask = |operation, top_n, max_results| -> Result<AnalysisResponse, ApiError> {
        let request = AnalysisRequest {
            top_n,
            max_results,
            ..AnalysisRequest::new(operation)
        };
        database.ask(&request.check()?)
    };
    Ok(Overview {
        summary: ask(AnalysisOperation::Summary, Some(MOST), None)?,
        packages: ask(AnalysisOperation::DependencyGraph, None, None)?,
        hotspots: ask(AnalysisOperation::Hotspots, Some(MOST), None)?,
        circular: ask(AnalysisOperation::CircularDependencies, None, Some(MOST))?,
        unused: ask(AnalysisOperation::UnusedSymbols, None, Some(MOST))?,
    })
}

/// Writes a page to a file, or to a new one that only the user can read.
fn written(output: Option<PathBuf>, page: &str) -> io::Result<PathBuf> {
    if let Some(path) = output {
        write_atomically(&path, |out| out.write_all(page.as_bytes()))?;
        return Ok(path);
    }
    let mut named = tempfile::Builder::new();
    let mut file = named.prefix("codeweft-map-").suffix(".html").tempfile()?;
    file.write_all(page.as_bytes())?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    Ok(path)
}

/// Opens a file in the browser; returns whether something was started for it.
fn opened(path: &str) -> bool {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(opener);
    command.arg(path).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
