//! What is drawn: boxes, frames and lines with positions, and their SVG.
//!
//! The same elements and classes are made by the script of a page when a folder is folded or unfolded
//! (`page/page.js`): a change here is a change there.

use crate::diagram::{Direction, EdgeStyle, Node};
use crate::escape::xml;
use crate::layered::{Route, Size};
use crate::numbers::{counted, grouped, pixels};
use crate::text_size;

/// The font size of a name, in pixels.
const NAME: f64 = 13.0;
/// The font size of the line below it.
const DETAIL: f64 = 11.0;
/// How wide bold text is beside regular text.
const BOLD: f64 = 1.07;
/// From the edges of a box to its text.
const LEFT: f64 = 14.0;
const RIGHT: f64 = 10.0;
/// No box is wider.
const WIDEST: f64 = 230.0;

/// The lines from which on each is drawn paler.
const MANY: usize = 250;

/// A box with text that fits into it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextBox {
    /// The name, shortened if need be.
    pub(crate) label: String,
    /// The line below; may be empty.
    pub(crate) detail: String,
    pub(crate) size: Size,
}

impl TextBox {
    /// Returns the box of a node. The folder is in it where no frame around it says so.
    pub(crate) fn of(node: &Node, with_group: bool) -> TextBox {
        let mut details = Vec::new();
        if with_group && !node.group.is_empty() {
            details.push(node.group.clone());
        }
        if node.holds > 0 {
            details.push(counted(node.holds, "node"));
        }
        if let Some(lines) = node.lines {
            let plural = if lines == 1 { "" } else { "s" };
            details.push(format!("{} line{plural}", grouped(lines)));
        }
        if details.is_empty() && !node.kind.is_empty() {
            details.push(node.kind.clone());
        }
        let limit = WIDEST - LEFT - RIGHT;
        let label = text_size::fit(&node.label, NAME * BOLD, limit);
        let detail = text_size::fit(&details.join(" · "), DETAIL, limit);
        let text = (text_size::width(&label, NAME) * BOLD).max(text_size::width(&detail, DETAIL));
        let height = if detail.is_empty() { 30.0 } else { 44.0 };
        TextBox {
            label,
            detail,
            size: Size {
                width: (text + LEFT + RIGHT).ceil().max(72.0),
                height,
            },
        }
    }
}

/// The position of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Rect {
    /// Returns the middle, from and to along the cross and the main axis: `(cross, begin, end)`.
    fn along(&self, direction: Direction) -> (f64, f64, f64) {
        match direction {
            Direction::Down => (self.x + self.width / 2.0, self.y, self.y + self.height),
            Direction::Right => (self.y + self.height / 2.0, self.x, self.x + self.width),
        }
    }
}

/// A box to draw.
pub(crate) struct Drawn<'d> {
    /// The number by which a page's script knows it; also that of lines' ends.
    pub(crate) item: usize,
    pub(crate) rect: Rect,
    pub(crate) text: &'d TextBox,
    pub(crate) node: &'d Node,
}

/// A frame around the boxes of an unfolded folder.
pub(crate) struct Frame {
    pub(crate) item: usize,
    pub(crate) rect: Rect,
    pub(crate) label: String,
}

/// A line to draw.
pub(crate) struct Line {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) path: String,
    pub(crate) count: u64,
    pub(crate) style: EdgeStyle,
    /// What a pointer on it shows.
    pub(crate) title: String,
    /// Words beside it and their middle; empty for none.
    pub(crate) label: String,
    pub(crate) middle: (f64, f64),
}

/// Returns the colour class of a kind: `k0` to `k7`.
pub(crate) fn kind_class(kind: &str) -> usize {
    match kind {
        "package" | "module" | "service" => 0,
        "function" | "method" | "endpoint" | "symbol" => 1,
        "struct" | "class" | "type" | "entity" => 2,
        "interface" | "protocol" | "event" => 3,
        crate::fold::FOLDER | "file" => 4,
        "test" => 5,
        "constant" | "variable" | "field" | "contract" => 6,
        _ => 7,
    }
}

/// Returns the class of a style.
pub(crate) fn style_class(style: EdgeStyle) -> &'static str {
    match style {
        EdgeStyle::Solid => "s",
        EdgeStyle::Dashed => "d",
        EdgeStyle::Highlighted => "h",
    }
}

/// Returns the width of a line for a count: each factor of ten adds half a pixel.
pub(crate) fn stroke(count: u64) -> f64 {
    1.2 + (count.max(1) as f64).log10().min(4.0) * 0.5
}

/// Returns the path of a line between two boxes, and where words may be beside it: between two layers, where no boxes
/// are.
pub(crate) fn line_path(
    from: Rect,
    to: Rect,
    route: Option<&Route>,
    direction: Direction,
) -> (String, (f64, f64)) {
    let overlap = |axis| {
        let (_, begin, end) = from.along(axis);
        let (_, to_begin, to_end) = to.along(axis);
        begin < to_end && to_begin < end
    };
    let sideways = match direction {
        Direction::Down => Direction::Right,
        Direction::Right => Direction::Down,
    };
    // Boxes beside each other are connected by their sides.
    let (direction, route) = if overlap(direction) && from != to {
        (sideways, None)
    } else {
        (direction, route)
    };
    let oriented = |cross: f64, main: f64| match direction {
        Direction::Down => (cross, main),
        Direction::Right => (main, cross),
    };
    let point = |cross: f64, main: f64| {
        let (x, y) = oriented(cross, main);
        format!("{},{}", pixels(x), pixels(y))
    };
    let (cross, begin, end) = from.along(direction);
    let (to_cross, to_begin, to_end) = to.along(direction);
    if from == to {
        // A loop at the end of the box.
        let (_, _, high) = from.along(sideways);
        let path = format!(
            "M{}C{} {} {}",
            point(high, begin + 8.0),
            point(high + 18.0, begin + 2.0),
            point(high + 18.0, end - 2.0),
            point(high, end - 8.0)
        );
        return (path, oriented(high + 15.0, (begin + end) / 2.0));
    }
    let none = Route::default();
    let route = route.unwrap_or(&none);
    let down = to_begin >= end;
    let (mut at_cross, mut at) = (cross + route.start, if down { end } else { begin });
    let mut path = format!("M{}", point(at_cross, at));
    let mut words = None;
    let mut curve = |at_cross: f64, at: f64, cross: f64, main: f64| {
        let middle = (at + main) / 2.0;
        words.get_or_insert(oriented((at_cross + cross) / 2.0, middle));
        format!(
            "C{} {} {}",
            point(at_cross, middle),
            point(cross, middle),
            point(cross, main)
        )
    };
    for bend in &route.bends {
        path += &curve(at_cross, at, bend.cross, bend.from);
        path += &format!("L{}", point(bend.cross, bend.to));
        (at_cross, at) = (bend.cross, bend.to);
    }
    path += &curve(
        at_cross,
        at,
        to_cross + route.end,
        if down { to_begin } else { to_end },
    );
    (path, words.unwrap_or_default())
}

/// Returns the name of a box for those that cannot see it: `store, package in internal, 12 nodes folded`.
pub(crate) fn spoken(node: &Node) -> String {
    let mut text = format!("{}, {}", node.label, node.kind);
    if !node.group.is_empty() {
        text += &format!(" in {}", node.group);
    }
    if node.holds > 0 {
        text += &format!(", {} folded", counted(node.holds, "node"));
    }
    text
}

/// Returns the elements of a drawing: frames, lines, boxes. `interactive` ones can be reached by the keyboard;
/// `prefix` makes the names of markers unique in a page.
pub(crate) fn elements(
    frames: &[Frame],
    lines: &[Line],
    boxes: &[Drawn],
    interactive: bool,
    prefix: &str,
) -> String {
    let mut svg = String::from("<g class=\"fs\">");
    for Frame { item, rect, label } in frames {
        let role = if interactive {
            format!(
                " data-i=\"{item}\" tabindex=\"0\" role=\"button\" aria-expanded=\"true\" aria-label=\"{}, unfolded\"",
                xml(label)
            )
        } else {
            String::new()
        };
        svg += &format!(
            "<g class=\"f\"{role}><rect class=\"b\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\"/>\
             <text x=\"{}\" y=\"{}\">{}</text></g>",
            pixels(rect.x),
            pixels(rect.y),
            pixels(rect.width),
            pixels(rect.height),
            pixels(rect.x + 12.0),
            pixels(rect.y + 19.0),
            xml(label)
        );
    }
    // Lines over lines are dark where there are many.
    let many = if lines.len() > MANY { " many" } else { "" };
    svg += &format!("</g><g class=\"es{many}\">");
    for line in lines {
        let class = style_class(line.style);
        let ends = if interactive {
            format!(" data-a=\"{}\" data-b=\"{}\"", line.from, line.to)
        } else {
            String::new()
        };
        svg += &format!(
            "<path class=\"e {class}\"{ends} d=\"{}\" stroke-width=\"{}\" marker-end=\"url(#{prefix}{class})\">\
             <title>{}</title></path>",
            line.path,
            pixels(stroke(line.count)),
            xml(&line.title)
        );
    }
    svg += "</g><g class=\"ns\">";
    for Drawn {
        item,
        rect,
        text,
        node,
    } in boxes
    {
        let spoken = xml(&spoken(node));
        let role = if interactive {
            format!(" data-i=\"{item}\" tabindex=\"0\" role=\"button\" aria-label=\"{spoken}\"")
        } else {
            String::new()
        };
        let folder = if node.holds > 0 { " o" } else { "" };
        svg += &format!(
            "<g class=\"n k{}{folder}\"{role} transform=\"translate({},{})\"><title>{spoken}</title>\
             <rect class=\"b\" width=\"{}\" height=\"{}\" rx=\"6\"/>\
             <rect class=\"a\" x=\"5\" y=\"7\" width=\"3\" height=\"{}\" rx=\"1.5\"/><text x=\"{LEFT}\" y=\"{}\">{}</text>",
            kind_class(&node.kind),
            pixels(rect.x),
            pixels(rect.y),
            pixels(rect.width),
            pixels(rect.height),
            pixels(rect.height - 14.0),
            if text.detail.is_empty() { 20 } else { 19 },
            xml(&text.label)
        );
        if !text.detail.is_empty() {
            svg += &format!(
                "<text class=\"t\" x=\"{LEFT}\" y=\"34\">{}</text>",
                xml(&text.detail)
            );
        }
        svg += "</g>";
    }
    svg += "</g>";
    for line in lines.iter().filter(|line| !line.label.is_empty()) {
        svg += &format!(
            "<text class=\"l\" x=\"{}\" y=\"{}\">{}</text>",
            pixels(line.middle.0),
            pixels(line.middle.1 + 3.5),
            xml(&text_size::fit(&line.label, DETAIL, 150.0))
        );
    }
    svg
}

/// Returns the arrowheads, one for each style.
pub(crate) fn markers(prefix: &str) -> String {
    let mut defs = String::from("<defs>");
    for style in EdgeStyle::ALL {
        let class = style_class(style);
        defs += &format!(
            "<marker id=\"{prefix}{class}\" class=\"m {class}\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" \
             markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0 .8 8 4 0 7.2 1.8 4z\"/></marker>"
        );
    }
    defs + "</defs>"
}

/// The colours and the drawing's styles, of SVG files and of pages.
pub(crate) const STYLE: &str = include_str!("picture.css");
