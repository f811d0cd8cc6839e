//! Export of the graph to files for other programs.

mod atomic;
mod json;
mod spool;
mod timestamp;

pub use codeweft_graph::export::{EdgeType, ExportOptions};
pub use json::{Exported, export_json, export_json_file};
