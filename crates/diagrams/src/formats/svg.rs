//! A picture: a layered drawing with title, legend, and what was folded.

use std::collections::BTreeMap;

use crate::diagram::{Diagram, Edge, EdgeStyle};
use crate::escape::xml;
use crate::fold::{Folded, joined};
use crate::layered::{self, Size};
use crate::numbers::pixels;
use crate::picture::{self, Drawn, Line, Rect, TextBox};
use crate::text_size;

/// The empty border around a drawing, in pixels.
const MARGIN: f64 = 24.0;
/// More lines with words than this are not legible.
const MAX_LABELS: usize = 60;

/// Returns a drawing of a diagram that fits.
pub fn svg(folded: &Folded) -> String {
    let diagram = &folded.diagram;
    let drawing = Drawing::of(diagram);
    let note = folded.note();
    let top = MARGIN
        + if diagram.title.is_empty() { 0.0 } else { 30.0 }
        + if note.is_some() { 22.0 } else { 0.0 };
    let legend = legend(diagram);
    let heading = text_size::width(&diagram.title, 18.0 * 1.07)
        .max(text_size::width(note.as_deref().unwrap_or(""), 12.0));
    let width = drawing.width.max(legend.1).max(heading) + MARGIN * 2.0;
    let height = top + drawing.height + MARGIN + 22.0 + MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" \
         aria-label=\"{2}\">\n<style>{3}</style>\n{4}\n\
         <rect width=\"100%\" height=\"100%\" style=\"fill:var(--bg)\"/>\n",
        pixels(width),
        pixels(height),
        xml(&diagram.title),
        picture::STYLE,
        picture::markers("m")
    );
    if !diagram.title.is_empty() {
        text += &format!(
            "<text x=\"{MARGIN}\" y=\"{}\" style=\"font-size:18px\">{}</text>\n",
            MARGIN + 14.0,
            xml(&crate::escape::line(&diagram.title))
        );
    }
    if let Some(note) = &note {
        text += &format!(
            "<text class=\"t note\" x=\"{MARGIN}\" y=\"{}\" style=\"font-size:12px\">{}</text>\n",
            top - 8.0,
            xml(note)
        );
    }
    let left = (width - drawing.width) / 2.0;
    text += &format!(
        "<g transform=\"translate({},{})\">{}</g>\n",
        pixels(left.floor()),
        pixels(top),
        drawing.elements(diagram, false, "m")
    );
    text += &format!(
        "<g class=\"legend\" transform=\"translate({MARGIN},{})\">{}</g>\n</svg>\n",
        pixels(top + drawing.height + MARGIN),
        legend.0
    );
    text
}

/// A diagram with positions, each node with a box of its own.
pub(crate) struct Drawing {
    boxes: Vec<TextBox>,
    rects: Vec<Rect>,
    lines: Vec<Line>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Drawing {
    /// Returns the drawing of a diagram.
    pub(crate) fn of(diagram: &Diagram) -> Drawing {
        let boxes: Vec<TextBox> = diagram
            .nodes
            .iter()
            .map(|node| TextBox::of(node, true))
            .collect();
        let sizes: Vec<Size> = boxes.iter().map(|text| text.size).collect();
        let mut pairs: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
        for edge in diagram.drawn_edges() {
            pairs
                .entry((edge.from, edge.to))
                .and_modify(|sum| *sum = joined(sum, edge))
                .or_insert_with(|| edge.clone());
        }
        let ends: Vec<(usize, usize)> = pairs.keys().copied().collect();
        let arranged = layered::arrange(&sizes, &ends, diagram.direction);
        let rects: Vec<Rect> = arranged
            .corners
            .iter()
            .zip(&sizes)
            .map(|(&(x, y), size)| Rect {
                x,
                y,
                width: size.width,
                height: size.height,
            })
            .collect();
        let labelled = pairs.values().filter(|edge| !edge.label.is_empty()).count();
        let lines: Vec<Line> = pairs
            .values()
            .map(|edge| {
                let ends = (edge.from, edge.to);
                let route = arranged.routes.get(&ends);
                let (path, middle) =
                    picture::line_path(rects[ends.0], rects[ends.1], route, diagram.direction);
                Line {
                    from: edge.from,
                    to: edge.to,
                    path,
                    count: edge.count,
                    style: edge.style,
                    title: title(diagram, edge),
                    label: if labelled <= MAX_LABELS {
                        edge.label.clone()
                    } else {
                        String::new()
                    },
                    middle,
                }
            })
            .collect();
        // Loops reach beyond their boxes.
        let loops = if lines.iter().any(|line| line.from == line.to) {
            24.0
        } else {
            0.0
        };
        Drawing {
            boxes,
            rects,
            lines,
            width: arranged.width + loops,
            height: arranged.height + loops,
        }
    }

    /// Returns the elements of the drawing, the boxes numbered as the nodes of the diagram.
    pub(crate) fn elements(&self, diagram: &Diagram, interactive: bool, prefix: &str) -> String {
        let boxes: Vec<Drawn> = diagram
            .nodes
            .iter()
            .enumerate()
            .map(|(item, node)| Drawn {
                item,
                rect: self.rects[item],
                text: &self.boxes[item],
                node,
            })
            .collect();
        picture::elements(&[], &self.lines, &boxes, interactive, prefix)
    }
}

/// Returns what a pointer on an edge shows: `store → db: 12 calls`.
fn title(diagram: &Diagram, edge: &Edge) -> String {
    let mut title = format!(
        "{} → {}",
        diagram.nodes[edge.from].label, diagram.nodes[edge.to].label
    );
    if !edge.label.is_empty() {
        title += &format!(": {}", edge.label);
    }
    if edge.count > 1 {
        title += &format!(" ({})", crate::numbers::grouped(edge.count));
    }
    title
}

/// Returns the kinds and the styles of edges that a diagram has, for a legend.
pub(crate) fn legend_items(diagram: &Diagram) -> (Vec<&str>, Vec<EdgeStyle>) {
    let mut kinds = diagram.kinds();
    kinds.retain(|kind| !kind.is_empty());
    let styles = EdgeStyle::ALL.into_iter();
    let styles = styles.filter(|style| diagram.edges.iter().any(|edge| edge.style == *style));
    (kinds, styles.collect())
}

/// Returns the elements of a legend on one line, and its width.
fn legend(diagram: &Diagram) -> (String, f64) {
    let (kinds, styles) = legend_items(diagram);
    let mut text = String::new();
    let mut x = 0.0;
    for kind in kinds {
        text += &format!(
            "<g class=\"k{}\"><rect class=\"a\" x=\"{}\" y=\"3\" width=\"4\" height=\"14\" rx=\"2\"/></g>\
             <text class=\"t\" x=\"{}\" y=\"14\">{}</text>",
            picture::kind_class(kind),
            pixels(x),
            pixels(x + 10.0),
            xml(kind)
        );
        x += 10.0 + text_size::width(kind, 11.0) + 18.0;
    }
    for style in styles {
        let class = picture::style_class(style);
        let meaning = diagram.meanings.of(style);
        text += &format!(
            "<path class=\"e {class}\" d=\"M{} 10h26\" stroke-width=\"1.5\" marker-end=\"url(#m{class})\"/>\
             <text class=\"t\" x=\"{}\" y=\"14\">{}</text>",
            pixels(x),
            pixels(x + 34.0),
            meaning
        );
        x += 34.0 + text_size::width(meaning, 11.0) + 18.0;
    }
    (text, x)
}
