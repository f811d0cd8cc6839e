//! Diagrams as text: pure functions from plain data to Mermaid, DOT, SVG and HTML.
//!
//! ```text
//! Diagram -> fold (at most 150 nodes) -> mermaid | dot | svg (layered drawing)
//! Diagram -> compound drawing (folders that fold and unfold) -> html
//! Page    -> sections: diagram | treemap | table            -> html
//! ```
//!
//! Equal input gives equal bytes. All names are escaped: they come from source code and may hold anything. An HTML
//! page is one file that loads nothing: its content security policy allows no source but itself.
//!
//! Entry points: [`render`] for a [`Diagram`] in a [`Format`], [`page_html`] for a [`Page`].
//!
//! This crate knows no graph, no language and no disk: callers turn answers into diagrams.

mod compound;
mod diagram;
mod escape;
mod fold;
mod formats;
mod layered;
mod numbers;
mod page;
mod picture;
mod text_size;

pub use diagram::{Diagram, Direction, Edge, EdgeStyle, Fact, Meanings, Node};
pub use fold::{Folded, FoldedGroup, MAX_NODES, fold};
pub use formats::{Format, Rendered, dot, html, mermaid, render, svg};
pub use page::{Cell, Column, Page, Row, Section, Table, Tile, Treemap, page_html};
