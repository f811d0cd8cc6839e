//! Export of the graph to files for other programs.

mod atomic;
mod formats;
mod spool;
mod timestamp;

pub use codeweft_graph::export::{EdgeType, ExportOptions};
pub use formats::{ExportFormat, Exported, FORMATS};
