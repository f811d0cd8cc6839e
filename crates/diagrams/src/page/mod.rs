//! Pages of HTML: a diagram to look around in, or an overview of several sections.
//!
//! A page is one file. Its content security policy lets it load nothing, and run and style only what is in it; names
//! reach it as escaped text and as JSON without `<`.

mod diagram_section;
mod document;
mod table;
mod treemap;

use crate::diagram::Diagram;

pub use self::table::{Cell, Column, Row, Table};
pub use self::treemap::{Tile, Treemap};

/// A page with several sections.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// The sections, from the top.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub enum Section {
    /// A diagram, of which at most so many nodes are visible at the start.
    Diagram(Diagram, usize),
    /// Sizes as areas.
    Treemap(Treemap),
    /// Rows and columns.
    Table(Table),
}

/// Returns a page.
pub fn page_html(page: &Page) -> String {
    let sections = page.sections.iter().enumerate();
    let sections = sections.map(|(number, section)| match section {
        Section::Diagram(diagram, max_nodes) => diagram_section::html(diagram, *max_nodes, number),
        Section::Treemap(treemap) => treemap::html(treemap, number),
        Section::Table(table) => table::html(table, number),
    });
    document::document(&page.title, &sections.collect::<Vec<_>>(), false)
}

/// Returns a page that is one diagram. At most `max_nodes` nodes are visible at the start, and all are in the page.
pub fn diagram_html(diagram: &Diagram, max_nodes: usize) -> String {
    let section = diagram_section::html(diagram, max_nodes, 0);
    document::document(&diagram.title, &[section], true)
}

/// A section as HTML.
struct SectionHtml {
    /// The heading.
    title: String,
    html: String,
}
