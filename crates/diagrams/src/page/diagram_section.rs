//! A diagram in a page: its drawing at the start, and all its nodes and edges as data for the script.

use super::SectionHtml;
use crate::compound::{Compound, Visible};
use crate::diagram::{Diagram, Direction};
use crate::escape::{json, xml};
use crate::formats::legend_items;
use crate::numbers::{counted, pixels};
use crate::picture;

/// Returns the section of a diagram.
pub(super) fn html(diagram: &Diagram, max_nodes: usize, number: usize) -> SectionHtml {
    let compound = Compound::new(diagram, max_nodes);
    let prefix = format!("m{number}");
    let Visible {
        frames,
        boxes,
        lines,
        size,
    } = compound.picture(&compound.open);
    let (width, height) = (size.width + 48.0, size.height + 48.0);
    let drawing = format!(
        "<svg viewBox=\"-24 -24 {} {}\" role=\"group\" aria-label=\"{}\">{}{}</svg>",
        pixels(width),
        pixels(height),
        xml(&format!("Diagram: {}", diagram.title)),
        picture::markers(&prefix),
        picture::elements(&frames, &lines, &boxes, true, &prefix)
    );
    let note = compound.folded.note();
    let note = note.map_or_else(String::new, |note| {
        format!(
            "<p class=\"note\">{} Unfold a folder by selecting it and pressing Enter, or find a node by name.</p>",
            xml(&note)
        )
    });
    let counts = format!(
        "{}, {}",
        counted(diagram.nodes.len(), "node"),
        counted(diagram.edges.len(), "edge")
    );
    let html = format!(
        "<section class=\"diagram\" id=\"s{number}\" aria-label=\"{title}\">\n<div class=\"bar\"><h2>{title}</h2>\
         <span class=\"counts\">{counts}</span><span class=\"find\"><input type=\"search\" placeholder=\"Find a node  /\" \
         aria-label=\"Find a node by a part of its name\" autocomplete=\"off\" spellcheck=\"false\">\
         <span class=\"found\" role=\"status\"></span></span>\
         <span class=\"zoom\" role=\"group\" aria-label=\"Zoom\"><button data-z=\"-\" aria-label=\"Zoom out\">−</button>\
         <button data-z=\"0\" aria-label=\"Show all\">Fit</button>\
         <button data-z=\"+\" aria-label=\"Zoom in\">+</button></span></div>\n{note}\
         <div class=\"stage\">{drawing}<aside aria-live=\"polite\" hidden></aside></div>\n{legend}\n\
         <script type=\"application/json\" class=\"data\">{data}</script>\n</section>\n",
        title = xml(&diagram.title),
        legend = legend(diagram),
        data = data(&compound, &prefix),
    );
    SectionHtml {
        title: diagram.title.clone(),
        html,
    }
}

/// Returns what the colours and lines mean, and the keys.
fn legend(diagram: &Diagram) -> String {
    let (kinds, styles) = legend_items(diagram);
    let mut html = String::from("<p class=\"legend\">");
    for kind in kinds {
        html += &format!(
            "<span><i class=\"k{}\"></i>{}</span>",
            picture::kind_class(kind),
            xml(kind)
        );
    }
    for style in styles {
        html += &format!(
            "<span><svg width=\"28\" height=\"8\" aria-hidden=\"true\"><path class=\"e {}\" d=\"M0 4h28\" \
             stroke-width=\"1.5\"/></svg>{}</span>",
            picture::style_class(style),
            diagram.meanings.of(style)
        );
    }
    html + "<span class=\"keys\"><kbd>Tab</kbd> <kbd>↑</kbd><kbd>↓</kbd><kbd>←</kbd><kbd>→</kbd> move \
            <kbd>Enter</kbd> select, unfold <kbd>/</kbd> find <kbd>+</kbd><kbd>−</kbd> zoom <kbd>Esc</kbd> clear</span></p>"
}

/// Returns the data of the script, as JSON. `page.js` says which field is which.
fn data(compound: &Compound, prefix: &str) -> String {
    let root = compound.items.len() - 1;
    let mut items = Vec::new();
    for (at, item) in compound.items.iter().enumerate() {
        let facts = item.node.facts.iter();
        let facts: Vec<String> = facts
            .map(|fact| format!("[{},{}]", json(&fact.name), json(&fact.value)))
            .collect();
        let parent = item.parent.map_or(-1, |parent| parent as i64);
        let mut fields = vec![
            json(&item.text.label),
            json(&item.text.detail),
            picture::kind_class(&item.node.kind).to_string(),
            pixels(item.text.size.width),
            pixels(item.text.size.height),
            pixels(item.corner.0),
            pixels(item.corner.1),
            parent.to_string(),
            json(&item.node.label),
            json(&item.node.kind),
            json(&item.node.group),
            json(&item.node.id),
            format!("[{}]", facts.join(",")),
        ];
        if !item.children.is_empty() || at == root {
            fields.push(pixels(item.inner.width));
            fields.push(pixels(item.inner.height));
            fields.push(item.node.holds.to_string());
        }
        items.push(format!("[{}]", fields.join(",")));
    }
    let edges = compound.diagram.drawn_edges().map(|edge| {
        let style = json(picture::style_class(edge.style));
        let mut fields = format!("{},{},{},{style}", edge.from, edge.to, edge.count);
        if !edge.label.is_empty() {
            fields += &format!(",{}", json(&edge.label));
        }
        format!("[{fields}]")
    });
    let routes = compound.routes.iter().map(|((from, to), route)| {
        let mut numbers = vec![pixels(route.start), pixels(route.end)];
        for bend in &route.bends {
            numbers.extend([bend.cross, bend.from, bend.to].map(pixels));
        }
        format!("\"{from},{to}\":[{}]", numbers.join(","))
    });
    let open: Vec<String> = compound.open.iter().map(usize::to_string).collect();
    format!(
        "{{\"prefix\":{},\"right\":{},\"items\":[{}],\n\"edges\":[{}],\n\"routes\":{{{}}},\n\"open\":[{}]}}",
        json(prefix),
        compound.diagram.direction == Direction::Right,
        items.join(",\n"),
        edges.collect::<Vec<_>>().join(","),
        routes.collect::<Vec<_>>().join(","),
        open.join(",")
    )
}
