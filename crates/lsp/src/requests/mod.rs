//! What clients ask: a file a request, each from params to a question, its plain answer, and the
//! protocol's words for it.

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
mod references;
mod type_hierarchy_prepare;
mod type_hierarchy_subtypes;
mod type_hierarchy_supertypes;
mod words;
mod workspace_symbol;

use lsp_server::{ErrorCode, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::messages::error;

pub(crate) use execute_command::COMMANDS;
pub(crate) use plan::{ClientSession, HostRequest, RequestPlan};

/// What a request comes to: an answer or a question. `None`: there is no such method.
pub(crate) fn plan(
    method: &str,
    params: Value,
    asker: &ClientSession<'_>,
) -> Option<Result<RequestPlan, ResponseError>> {
    Some(match method {
        call_hierarchy_prepare::METHOD => {
            read(params).map(|p| call_hierarchy_prepare::plan(p, asker))
        }
        call_hierarchy_incoming::METHOD => {
            read(params).and_then(|p| call_hierarchy_incoming::plan(p, asker))
        }
        call_hierarchy_outgoing::METHOD => {
            read(params).and_then(|p| call_hierarchy_outgoing::plan(p, asker))
        }
        type_hierarchy_prepare::METHOD => {
            read(params).map(|p| type_hierarchy_prepare::plan(p, asker))
        }
        type_hierarchy_supertypes::METHOD => {
            read(params).and_then(|p| type_hierarchy_supertypes::plan(p, asker))
        }
        type_hierarchy_subtypes::METHOD => {
            read(params).and_then(|p| type_hierarchy_subtypes::plan(p, asker))
        }
        definition::METHOD => read(params).map(|p| definition::plan(p, asker)),
        declaration::METHOD => read(params).map(|p| declaration::plan(p, asker)),
        implementation::METHOD => read(params).map(|p| implementation::plan(p, asker)),
        references::METHOD => read(params).map(|p| references::plan(p, asker)),
        document_highlight::METHOD => read(params).map(|p| document_highlight::plan(p, asker)),
        document_symbol::METHOD => read(params).map(|p| document_symbol::plan(p, asker)),
        workspace_symbol::METHOD => read(params).map(|p| workspace_symbol::plan(p, asker)),
        hover::METHOD => read(params).map(|p| hover::plan(p, asker)),
        execute_command::METHOD => read(params).and_then(|p| execute_command::plan(p, asker)),
        _ => return None,
    })
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, ResponseError> {
    serde_json::from_value(params)
        .map_err(|wrong| error(ErrorCode::InvalidParams, wrong.to_string()))
}
