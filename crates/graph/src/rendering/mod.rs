//! From results to the rows of a response.

pub(crate) mod context;
pub(crate) mod filtering;
pub(crate) mod hidden;
pub(crate) mod line;
pub(crate) mod node;
pub(crate) mod render;
pub(crate) mod skipped;
pub(crate) mod suggestion;

pub(crate) use filtering::filter_and_cut;
pub(crate) use node::{facts, nodes};
pub(crate) use render::render;
pub(crate) use suggestion::greater_list;
pub use suggestion::narrowing;
