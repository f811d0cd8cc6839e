//! Export of the graph to files for other programs.

mod atomic;
mod behind;
#[cfg(feature = "parquet")]
mod columns;
mod format;
mod formats;
mod monikers;
mod naming;
mod scip_index;
mod spool;
mod sql_engine;
mod sqlite;
mod timestamp;

pub use atomic::write_atomically;
pub use behind::{Behind, BehindFigures, FollowOptions, FollowStep, FollowedRevision};
pub use codeweft_graph::export::{EdgeType, ExportOptions};
pub use format::{ExportFormat, Exported, NamedExport};
pub use formats::{FORMATS, format_named};
pub use monikers::Moniker;
pub use naming::Naming;
pub use sql_engine::answer_from_file;
pub use sqlite::{FileCheck, SqlAnswer, SqlBounds, SqlError, SqlFile, SqlValue, check_file};
