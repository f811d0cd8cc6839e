//! Flowcharts of Mermaid, which Markdown of many hosts draws.

use crate::diagram::{Direction, EdgeStyle};
use crate::escape;
use crate::fold::Folded;

/// Returns a flowchart. Nodes are `n0`, `n1`, …: Mermaid has words that are no ids (`end`), and names may be those.
pub fn mermaid(folded: &Folded) -> String {
    let diagram = &folded.diagram;
    let mut text = String::new();
    if !diagram.title.is_empty() {
        // The title of a flowchart is YAML, which reads strings of JSON.
        let title = escape::json(&escape::line(&diagram.title));
        text += &format!("---\ntitle: {title}\n---\n");
    }
    text += match diagram.direction {
        Direction::Down => "flowchart TD\n",
        Direction::Right => "flowchart LR\n",
    };
    if let Some(note) = folded.note() {
        text += &format!("    %% {}\n", escape::line(&note));
    }
    let mut framed = vec![false; diagram.nodes.len()];
    let node = |at: usize, framed: bool, indent: &str| {
        let node = &diagram.nodes[at];
        let label = escape::mermaid(&super::label(node, framed));
        // A folded folder is a box with doubled sides.
        let (open, close) = if node.holds > 0 {
            ("[[", "]]")
        } else {
            ("[", "]")
        };
        format!("{indent}n{at}{open}{label}{close}\n")
    };
    for (number, (group, nodes)) in super::frames(diagram).into_iter().enumerate() {
        text += &format!("    subgraph g{number}[{}]\n", escape::mermaid(group));
        for at in nodes {
            framed[at] = true;
            text += &node(at, true, "        ");
        }
        text += "    end\n";
    }
    for (at, framed) in framed.iter().enumerate() {
        if !framed {
            text += &node(at, false, "    ");
        }
    }
    let mut highlighted = Vec::new();
    for (at, edge) in diagram.drawn_edges().enumerate() {
        let arrow = match edge.style {
            EdgeStyle::Solid => "-->",
            EdgeStyle::Dashed => "-.->",
            EdgeStyle::Highlighted => "==>",
        };
        let words = super::words(edge);
        let words = if words.is_empty() {
            String::new()
        } else {
            format!("|{}|", escape::mermaid(&words))
        };
        text += &format!("    n{} {arrow}{words} n{}\n", edge.from, edge.to);
        if edge.style == EdgeStyle::Highlighted {
            highlighted.push(at.to_string());
        }
    }
    if !highlighted.is_empty() {
        text += &format!("    linkStyle {} stroke:#c2500c\n", highlighted.join(","));
    }
    text
}
