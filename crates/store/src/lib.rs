//! Export of the graph to files for other programs.

mod atomic;
#[cfg(feature = "parquet")]
mod columns;
mod format;
mod formats;
mod monikers;
mod naming;
mod scip_index;
mod spool;
mod sqlite;
mod timestamp;

pub use atomic::write_atomically;
pub use codeweft_graph::export::{EdgeType, ExportOptions};
pub use format::{ExportFormat, Exported, NamedExport};
pub use formats::{FORMATS, format_named};
pub use monikers::Moniker;
pub use naming::Naming;
pub use sqlite::{SqlAnswer, SqlBounds, SqlError, SqlFile, SqlValue};
