//! The operations of `cortex_analysis`: questions about a whole workspace or package, not about the
//! edges of one symbol. A file for each; [`analysis_table`] lists them.
//!
//! ```text
//! AnalysisRequest -> target, if there is one -> operation -> symbols with their uses counted
//! ```
//!
//! They are of the workspace: libraries are read only as far as it needs them.

mod circular_dependencies;
mod dependency_graph;
mod detail;
mod elementary_cycles;
mod hotspots;
mod listing;
pub(crate) mod memo;
mod package_files;
mod package_imports;
mod package_summary;
pub(crate) mod reference_counts;
mod scopes;
mod summary;
mod symbol_info;
mod symbols;
mod type_hierarchy;
pub(crate) mod unused;

use codeweft_db::RootDb;

use crate::answer::{
    AnalysisOperation, AnalysisResponse, ApiError, CheckedAnalysis, TargetKinds, analysis_table,
};
use crate::flow;
use crate::query_context::{QueryContext, QueryOptions};
use crate::targets;
use crate::targets::resolved::Target;

/// The function of an operation.
type Run =
    fn(&QueryContext<'_>, &CheckedAnalysis, Option<&Target>) -> Result<AnalysisResponse, ApiError>;

/// Executes a request of `cortex_analysis`. The response is a function of the database and the request;
/// the caller fills `metadata`.
///
/// # Errors
///
/// A pattern that cannot be parsed, and a target that does not resolve or does not suit the operation.
pub fn analyze(
    db: &RootDb,
    request: &CheckedAnalysis,
    options: QueryOptions<'_>,
) -> Result<AnalysisResponse, ApiError> {
    let query = &QueryContext::new(db, options);
    let rules = request.operation.spec().rules;
    let text = request.target.as_deref().map(str::trim);
    let target = match text.filter(|text| !text.is_empty()) {
        Some(text) if rules.targets != TargetKinds::Text => {
            Some(targets::resolve(query, &rules, text)?)
        }
        _ => None,
    };
    let response = run(query, request, target.as_ref())?;
    flow::keep_within_budget(query);
    Ok(response)
}

fn run(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
    target: Option<&Target>,
) -> Result<AnalysisResponse, ApiError> {
    macro_rules! call {
        ($($variant:ident($name:literal) { spec: $spec:expr, run: $run:expr, })*) => {
            match request.operation {
                $(AnalysisOperation::$variant => {
                    let run: Run = $run;
                    run(query, request, target)
                })*
            }
        };
    }
    analysis_table!(call)
}
