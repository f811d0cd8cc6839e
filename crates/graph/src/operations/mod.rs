//! The operations, one module per family. [`operation_table`] lists them.

pub(crate) mod caller_walk;
mod calls;
mod declarations;
pub(crate) mod impact;
mod imports;
pub(crate) mod literal_calls;
mod outline;
mod path;
pub(crate) mod result;
mod search;
pub(crate) mod traversal;
mod types;
pub(crate) mod uses;

use crate::answer::{ApiError, GraphRequest, Operation, operation_table};
use crate::query_context::QueryContext;
use crate::targets::resolved::Target;
use result::OperationResult;

pub(crate) use calls::{IncludedCalls, callees_of, callers_of};
pub(crate) use result::listed;
pub(crate) use types::{implemented, implementers, possible_implementers, possible_supertypes};
pub(crate) use uses::references_of;

/// The function of an operation.
type Run = fn(&QueryContext<'_>, &GraphRequest, &Target) -> Result<OperationResult, ApiError>;

/// Runs the operation of a request.
pub(crate) fn run(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> Result<OperationResult, ApiError> {
    macro_rules! call {
        ($($variant:ident($name:literal) { spec: $spec:expr, run: $run:expr, })*) => {
            match request.operation {
                $(Operation::$variant => {
                    let run: Run = $run;
                    run(query, request, target)
                })*
            }
        };
    }
    operation_table!(call)
}
