//! Answers as pictures: Mermaid, DOT, SVG, and a page of HTML.

mod analyses;
mod calls;
mod overview;
mod services;
mod size_groups;

use codeweft_diagrams::{Diagram, MAX_NODES, render};
use codeweft_ide::api::{ApiError, Node};
use codeweft_server::ControlQuestion;

pub use overview::Overview;
pub use services::{diagram as services_diagram, page as services_page};

use crate::arguments::Format;
use crate::database::Database;

/// A request whose answer may be drawn.
pub trait Drawn: ControlQuestion {
    /// Checks that the answer has this format.
    ///
    /// # Errors
    /// Names the operations that have it.
    fn check_format(&self, format: Format) -> Result<(), ApiError>;

    /// Returns the picture of an answer. What the answer does not have, such as which of the callers call
    /// each other, is requested from the database.
    ///
    /// # Errors
    /// As the operations document them.
    fn diagram(
        &self,
        response: &Self::Response,
        database: &mut Database,
    ) -> Result<Diagram, ApiError>;
}

/// Returns the picture that a format is; `None` for a table and JSON.
pub fn format(format: Format) -> Option<codeweft_diagrams::Format> {
    match format {
        Format::Table | Format::JSON => None,
        Format::Mermaid => Some(codeweft_diagrams::Format::Mermaid),
        Format::Graphviz => Some(codeweft_diagrams::Format::Dot),
        Format::Svg => Some(codeweft_diagrams::Format::Svg),
        Format::Html => Some(codeweft_diagrams::Format::Html),
    }
}

/// Returns a picture as text. What is folded to make it fit is in the text too.
pub fn drawn(diagram: &Diagram, format: codeweft_diagrams::Format) -> String {
    render(diagram, format, MAX_NODES).text
}

/// Refuses a picture of an operation that has none.
fn no_picture(name: &str, drawn: &[&str]) -> ApiError {
    ApiError::invalid_request(format!(
        "format: {name} has no picture; {} do. It prints a table or json",
        drawn.join(", ")
    ))
}

/// Returns a node of the graph as a box: its folder is that of its file.
fn node_box(node: &Node) -> codeweft_diagrams::Node {
    let folder = match node.file.rsplit_once('/') {
        Some((folder, _)) if !node.external => folder.to_owned(),
        None if !node.external => String::new(),
        _ => node.package.clone(),
    };
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            facts.push(codeweft_diagrams::Fact::new(name, value));
        }
    };
    if !node.file.is_empty() {
        fact("file", format!("{}:{}", node.file, node.name_line));
    }
    fact("package", node.package.clone());
    fact("signature", node.signature.clone().unwrap_or_default());
    codeweft_diagrams::Node {
        id: node.id.clone(),
        label: short(&node.id, &node.package),
        group: folder,
        kind: node.kind.clone(),
        lines: None,
        facts,
        holds: 0,
    }
}

/// Returns an id without its package, and of a package its last part.
fn short(id: &str, package: &str) -> String {
    let rest = id.strip_prefix(package);
    match rest.and_then(|rest| rest.strip_prefix('.')) {
        Some(name) => name.to_owned(),
        None => id.rsplit('/').next().unwrap_or(id).to_owned(),
    }
}
