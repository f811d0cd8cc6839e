//! `codeweft knowledge map`: the services as a picture.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use codeweft_ide::api::{KnowledgeAnswer, KnowledgeRequest};
use codeweft_knowledge::tools::{KnowledgeMap, MapRequest};

use super::refuse;
use crate::arguments::Access;
use crate::database::Database;
use crate::map::{self, Opening};
use crate::output::{print, print_error};
use crate::pictures;

/// `codeweft knowledge map`.
#[derive(Debug, Args)]
#[command(
    after_help = "The page has the services with their endpoints and calls, events, entities, and errors in contracts. It is one
file that loads nothing: it can be kept or sent. The other formats are one drawing and go to standard output.

Examples:
  codeweft knowledge map
  codeweft knowledge map --around \"endpoint::orders::GET::/v1/orders/{}\"
  codeweft knowledge map --format mermaid --service orders

Exit codes: 0 written, 1 there is nothing, or no such service or node, 2 wrong use, 3 it could not be written."
)]
pub struct ServicesMap {
    /// What is written
    #[arg(long, value_enum, default_value_t = MapFormat::Html)]
    pub format: MapFormat,
    /// Only this service and what it is connected with
    #[arg(long, value_name = "NAME", default_value = "")]
    pub service: String,
    /// What is around this node, and which services a change of it may reach
    #[arg(long, value_name = "NODE", default_value = "")]
    pub around: String,
    /// Where it is written; a page without it goes to a new file in the folder for temporary files
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Do not open the page in the browser
    #[arg(long)]
    pub no_open: bool,
    /// Which database
    #[command(flatten)]
    pub access: Access,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MapFormat {
    /// A page to look around in
    Html,
    /// A drawing
    Svg,
    /// A text that Markdown pages draw
    Mermaid,
    /// A text for Graphviz
    Dot,
}

/// Writes the picture; returns the exit code.
pub(super) fn run(map: &ServicesMap) -> u8 {
    let mut database = match Database::open(&map.access) {
        Ok(database) => database,
        Err(code) => return code,
    };
    let request = KnowledgeRequest::KnowledgeMap(MapRequest {
        service: map.service.clone(),
        around: map.around.clone(),
    });
    let answer = database.ask(&request);
    let root = database.root.clone();
    database.close();
    let response = match answer {
        Ok(response) => response,
        Err(error) => return refuse(&error, false),
    };
    if !response.note.is_empty() {
        print_error(&response.note);
    }
    let KnowledgeAnswer::KnowledgeMap(answer) = response.answer else {
        print_error("the server is of another build: end it with `codeweft serve --stop`");
        return map::NOT_WRITTEN;
    };
    let code = u8::from(answer.services.is_empty());
    match map.format {
        MapFormat::Html => write_page(map, &root, &answer, code),
        MapFormat::Svg => write_drawing(map, &answer, codeweft_diagrams::Format::Svg, code),
        MapFormat::Mermaid => write_drawing(map, &answer, codeweft_diagrams::Format::Mermaid, code),
        MapFormat::Dot => write_drawing(map, &answer, codeweft_diagrams::Format::Dot, code),
    }
}

fn write_page(map: &ServicesMap, root: &str, answer: &KnowledgeMap, code: u8) -> u8 {
    let page = codeweft_diagrams::page_html(&pictures::services_page(answer, root));
    let opening = if map.no_open {
        Opening::No
    } else {
        Opening::InBrowser
    };
    map::write_page(map.output.clone(), &page, opening, code)
}

fn write_drawing(
    map: &ServicesMap,
    answer: &KnowledgeMap,
    format: codeweft_diagrams::Format,
    code: u8,
) -> u8 {
    let drawing = pictures::drawn(&pictures::services_diagram(answer), format);
    match &map.output {
        None => print(&drawing, code),
        Some(path) => map::write_file(path, &drawing, code),
    }
}
