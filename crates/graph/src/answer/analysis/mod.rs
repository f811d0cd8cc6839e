//! Requests and responses of `cortex_analysis` as plain data (docs/graph.md §5).

mod fields;
mod operation;
mod request;
mod response;

pub use fields::ANALYSIS_FIELDS;
pub use operation::AnalysisOperation;
pub(crate) use operation::analysis_table;
pub use request::{AnalysisRequest, CheckedAnalysis, Visibility};
pub use response::*;
