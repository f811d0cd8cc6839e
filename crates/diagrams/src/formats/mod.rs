//! The formats of a diagram, a file for each.

mod dot;
mod mermaid;
mod svg;

use crate::diagram::Diagram;
use crate::fold::{FoldedGroup, fold};

pub use self::dot::dot;
pub use self::mermaid::mermaid;
pub use self::svg::svg;
pub use crate::page::diagram_html as html;

pub(crate) use self::svg::legend_items;

/// A format that a diagram is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A flowchart of Mermaid, for Markdown.
    Mermaid,
    /// The language of Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A page to look around in: one file that loads nothing.
    Html,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 4] = [Format::Mermaid, Format::Dot, Format::Svg, Format::Html];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Mermaid => "mermaid",
            Format::Dot => "dot",
            Format::Svg => "svg",
            Format::Html => "html",
        }
    }
}

/// A diagram as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The text, with a line feed at its end.
    pub text: String,
    /// What was folded to make it fit; the text says so, too.
    pub groups: Vec<FoldedGroup>,
}

/// Returns a diagram in a format, with at most `max_nodes` nodes; a page has them all, and begins with so many.
pub fn render(diagram: &Diagram, format: Format, max_nodes: usize) -> Rendered {
    let folded = fold(diagram, max_nodes);
    let text = match format {
        Format::Mermaid => mermaid(&folded),
        Format::Dot => dot(&folded),
        Format::Svg => svg(&folded),
        Format::Html => html(diagram, max_nodes),
    };
    Rendered {
        text,
        groups: folded.groups,
    }
}

/// Returns the words on an edge: its label, else its count if that says anything.
fn words(edge: &crate::diagram::Edge) -> String {
    match (edge.label.is_empty(), edge.count) {
        (false, _) => edge.label.clone(),
        (true, 0 | 1) => String::new(),
        (true, count) => crate::numbers::grouped(count),
    }
}

/// Returns the folders that at least two nodes of a diagram are in, with those nodes: frames of dot and Mermaid.
fn frames(diagram: &Diagram) -> Vec<(&str, Vec<usize>)> {
    let mut frames = std::collections::BTreeMap::<&str, Vec<usize>>::new();
    for (at, node) in diagram.nodes.iter().enumerate() {
        if !node.group.is_empty() {
            frames.entry(&node.group).or_default().push(at);
        }
    }
    frames.retain(|_, nodes| nodes.len() > 1);
    frames.into_iter().collect()
}

/// Returns the label of a node: its name, and what a drawing cannot show otherwise.
fn label(node: &crate::diagram::Node, framed: bool) -> String {
    let mut label = node.label.clone();
    if !framed && !node.group.is_empty() {
        label += &format!("\n{}", node.group);
    }
    if node.holds > 0 {
        label += &format!("\n{}", crate::numbers::counted(node.holds, "node"));
    }
    label
}
