//! The requests of the protocol, a file each: from params to a query of the host, and from its
//! plain data to the protocol's types.

mod call_hierarchy_incoming;
mod call_hierarchy_outgoing;
mod call_hierarchy_prepare;
mod declaration;
mod definition;
mod document_highlight;
mod document_symbol;
mod execute_command;
mod hover;
mod implementation;
mod plan;
mod proto;
mod query_forms;
mod references;
mod type_definition;
mod type_hierarchy_prepare;
mod type_hierarchy_subtypes;
mod type_hierarchy_supertypes;
mod workspace_symbol;

use lsp_server::{ErrorCode, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::messages::error;

pub(crate) use execute_command::COMMANDS;
pub(crate) use plan::{ClientSession, HostRequest, RequestPlan};

/// Plans a request: an immediate answer or a query. Returns `None` for an unknown method.
pub(crate) fn plan(
    method: &str,
    params: Value,
    session: &ClientSession<'_>,
) -> Option<Result<RequestPlan, ResponseError>> {
    Some(match method {
        call_hierarchy_prepare::METHOD => {
            read(params).map(|p| call_hierarchy_prepare::plan(p, session))
        }
        call_hierarchy_incoming::METHOD => {
            read(params).and_then(|p| call_hierarchy_incoming::plan(p, session))
        }
        call_hierarchy_outgoing::METHOD => {
            read(params).and_then(|p| call_hierarchy_outgoing::plan(p, session))
        }
        type_hierarchy_prepare::METHOD => {
            read(params).map(|p| type_hierarchy_prepare::plan(p, session))
        }
        type_hierarchy_supertypes::METHOD => {
            read(params).and_then(|p| type_hierarchy_supertypes::plan(p, session))
        }
        type_hierarchy_subtypes::METHOD => {
            read(params).and_then(|p| type_hierarchy_subtypes::plan(p, session))
        }
        definition::METHOD => read(params).map(|p| definition::plan(p, session)),
        declaration::METHOD => read(params).map(|p| declaration::plan(p, session)),
        type_definition::METHOD => read(params).map(|p| type_definition::plan(p, session)),
        implementation::METHOD => read(params).map(|p| implementation::plan(p, session)),
        references::METHOD => read(params).map(|p| references::plan(p, session)),
        document_highlight::METHOD => read(params).map(|p| document_highlight::plan(p, session)),
        document_symbol::METHOD => read(params).map(|p| document_symbol::plan(p, session)),
        workspace_symbol::METHOD => read(params).map(|p| workspace_symbol::plan(p, session)),
        hover::METHOD => read(params).map(|p| hover::plan(p, session)),
        execute_command::METHOD => read(params).and_then(|p| execute_command::plan(p, session)),
        _ => return None,
    })
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, ResponseError> {
    serde_json::from_value(params)
        .map_err(|wrong| error(ErrorCode::InvalidParams, wrong.to_string()))
}
