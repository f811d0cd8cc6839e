//! The language of Graphviz.

use crate::diagram::{Direction, EdgeStyle};
use crate::escape;
use crate::fold::Folded;

/// Returns a directed graph. Nodes are `n0`, `n1`, …, with the id as tooltip.
pub fn dot(folded: &Folded) -> String {
    let diagram = &folded.diagram;
    let mut text = String::new();
    if let Some(note) = folded.note() {
        text += &format!("// {}\n", escape::line(&note));
    }
    text += "digraph {\n";
    if !diagram.title.is_empty() {
        text += &format!(
            "    label={}\n    labelloc=t\n",
            escape::dot(&diagram.title)
        );
    }
    text += match diagram.direction {
        Direction::Down => "    rankdir=TB\n",
        Direction::Right => "    rankdir=LR\n",
    };
    // The older way of ranking fails on some folders that depend on each other ("trouble in init_rank").
    text += "    newrank=true\n    graph [fontname=\"Helvetica,Arial,sans-serif\", color=\"#d3d8e0\"]\n    \
             node [shape=box, style=rounded, fontname=\"Helvetica,Arial,sans-serif\", color=\"#667085\"]\n    \
             edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, color=\"#9aa5b4\"]\n";
    let node = |at: usize, framed: bool, indent: &str| {
        let node = &diagram.nodes[at];
        let label = escape::dot(&super::label(node, framed));
        let shape = if node.holds > 0 {
            ", shape=folder, style=\"\""
        } else {
            ""
        };
        let tooltip = escape::dot(&node.id);
        format!("{indent}n{at} [label={label}, tooltip={tooltip}{shape}]\n")
    };
    let mut framed = vec![false; diagram.nodes.len()];
    for (number, (group, nodes)) in super::frames(diagram).into_iter().enumerate() {
        text += &format!(
            "    subgraph cluster_{number} {{\n        label={}\n",
            escape::dot(group)
        );
        for at in nodes {
            framed[at] = true;
            text += &node(at, true, "        ");
        }
        text += "    }\n";
    }
    for (at, framed) in framed.iter().enumerate() {
        if !framed {
            text += &node(at, false, "    ");
        }
    }
    for edge in diagram.drawn_edges() {
        let mut attributes = Vec::new();
        let words = super::words(edge);
        if !words.is_empty() {
            attributes.push(format!("label={}", escape::dot(&words)));
        }
        match edge.style {
            EdgeStyle::Solid => {}
            EdgeStyle::Dashed => attributes.push("style=dashed".to_owned()),
            EdgeStyle::Highlighted => attributes.push("color=\"#c2500c\", penwidth=2".to_owned()),
        }
        let attributes = if attributes.is_empty() {
            String::new()
        } else {
            format!(" [{}]", attributes.join(", "))
        };
        text += &format!("    n{} -> n{}{attributes}\n", edge.from, edge.to);
    }
    text + "}\n"
}
