//! The operations, one module per family.

mod calls;
mod declarations;
mod impact;
mod imports;
mod path;
pub(crate) mod result;
pub(crate) mod traversal;
mod types;
pub(crate) mod uses;

use crate::answer::{ApiError, GraphRequest, Operation};
use crate::query_context::QueryContext;
use crate::targets::resolved::Target;
use result::OperationResult;

/// Runs the operation of a request.
pub(crate) fn run(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> Result<OperationResult, ApiError> {
    Ok(match request.operation {
        Operation::Callers => calls::callers(query, request, target),
        Operation::Callees => calls::callees(query, request, target),
        Operation::Dependencies => imports::dependencies(query, request, target),
        Operation::Dependents => imports::dependents(query, request, target),
        Operation::TypeUsages => uses::type_usages(query, request, target),
        Operation::Implementations => types::implementations(query, target),
        Operation::Implements => types::implements(query, target),
        Operation::References => uses::references(query, request, target),
        Operation::Definition => declarations::definition(query, request, target),
        Operation::Path => path::path(query, request, target)?,
        Operation::Impact => impact::impact(query, request, target),
    })
}

pub(crate) use calls::{callees_of, callers_of};
pub(crate) use result::listed;
pub(crate) use types::{implemented, implementers};
pub(crate) use uses::references_of;
