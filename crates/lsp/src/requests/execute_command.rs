//! `workspace/executeCommand`: `codeweft.impact` and `codeweft.path`, answered by a
//! `GraphResponse`. A command has one argument, an object with the fields of a `GraphRequest`; that of
//! `codeweft.bundle` those of a `BundleRequest`.

use codeweft_ide::api::{self, ApiError, BundleRequest, CheckedRequest, ErrorType, GraphRequest};
use codeweft_ide::editor;
use codeweft_workspace::Priority;
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{Position, TextDocumentIdentifier, TextDocumentPositionParams};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::plan::{ClientSession, DocumentPosition, RequestPlan};
use crate::messages::error;

pub(super) const METHOD: &str = "workspace/executeCommand";

const IMPACT: &str = "codeweft.impact";
const PATH: &str = "codeweft.path";

const BUNDLE: &str = "codeweft.bundle";

/// The commands that `initialize` announces.
pub(crate) const COMMANDS: [&str; 3] = [IMPACT, PATH, BUNDLE];

#[derive(Deserialize)]
pub(super) struct Params {
    command: String,
    #[serde(default)]
    arguments: Option<Vec<Value>>,
}

pub(super) fn plan(
    params: Params,
    session: &ClientSession<'_>,
) -> Result<RequestPlan, ResponseError> {
    let operation = match params.command.as_str() {
        IMPACT => "impact",
        PATH => "path",
        BUNDLE => "bundle",
        other => return Err(invalid(format!("no command of ours: {other}"))),
    };
    let mut arguments = params.arguments.unwrap_or_default().into_iter();
    let (Some(Value::Object(mut fields)), None) = (arguments.next(), arguments.next()) else {
        return Err(invalid(format!(
            "{} has one argument, an object",
            params.command
        )));
    };
    if params.command == BUNDLE {
        let request = BundleRequest::parse(fields).map_err(|wrong| invalid(wrong.to_string()))?;
        return Ok(bundle(request));
    }
    if fields.contains_key("operation") {
        return Err(invalid("operation: the command says it"));
    }
    let named = take_position(&mut fields)?;
    if named.is_some() {
        // The target is resolved from the position when the database is queried.
        fields.insert("target".to_owned(), Value::String("?".to_owned()));
    }
    fields.insert("operation".to_owned(), Value::String(operation.to_owned()));
    let request =
        api::parse_request(Value::Object(fields)).map_err(|wrong| invalid(wrong.to_string()))?;
    match named {
        None => Ok(impact_or_path(request, None)),
        Some(named) => match session.at(&named) {
            Some(at) => Ok(impact_or_path(request, Some(at))),
            None => Err(invalid("textDocument: no file")),
        },
    }
}

/// Removes `textDocument` and `position`; returns `None` if they are absent.
fn take_position(
    fields: &mut Map<String, Value>,
) -> Result<Option<TextDocumentPositionParams>, ResponseError> {
    let (document, position) = match (fields.remove("textDocument"), fields.remove("position")) {
        (None, None) => return Ok(None),
        (Some(document), Some(position)) => (document, position),
        _ => return Err(invalid("textDocument and position go together")),
    };
    if fields.contains_key("target") {
        return Err(invalid("target and textDocument exclude each other"));
    }
    let text_document: TextDocumentIdentifier =
        serde_json::from_value(document).map_err(|wrong| invalid(wrong.to_string()))?;
    let position: Position =
        serde_json::from_value(position).map_err(|wrong| invalid(wrong.to_string()))?;
    Ok(Some(TextDocumentPositionParams {
        text_document,
        position,
    }))
}

fn impact_or_path(request: CheckedRequest, at: Option<DocumentPosition>) -> RequestPlan {
    let (document, position_at) = match at {
        None => (None, None),
        Some(at) => {
            let (document, position, encoding) = at.parts();
            let path = document.path.clone();
            (Some(document), Some((path, position, encoding)))
        }
    };
    RequestPlan::try_query(
        Priority::Deep,
        document.as_ref(),
        move |snapshot| {
            let Some((path, position, encoding)) = &position_at else {
                return snapshot.graph_whole(&request);
            };
            let id = editor::id_at(snapshot, path, *position, *encoding);
            let at_id = GraphRequest {
                target: id.ok_or_else(nothing_there)?,
                ..GraphRequest::clone(&request)
            };
            snapshot.graph_whole(&at_id.check()?)
        },
        |answer| match answer {
            Ok(response) => Ok(api::response_json(&response)),
            Err(wrong) => Err(refusal(&wrong)),
        },
    )
}

/// The cursor's file is a path, absolute or from the root.
fn bundle(request: BundleRequest) -> RequestPlan {
    RequestPlan::try_query(
        Priority::Deep,
        None,
        move |snapshot| snapshot.bundle(&request),
        |answer| match answer {
            Ok(response) => Ok(api::response_json(&response)),
            Err(wrong) => Err(refusal(&wrong)),
        },
    )
}

fn nothing_there() -> ApiError {
    ApiError::new(
        ErrorType::TargetNotFound,
        "no symbol of the graph stands at this position",
        "put the cursor on a name that is declared outside of functions, or give a target",
    )
}

/// Converts an error of the graph: its message, and the whole error in `data`.
fn refusal(wrong: &ApiError) -> ResponseError {
    let code = match wrong.error_type {
        ErrorType::InvalidRequest => ErrorCode::InvalidParams,
        ErrorType::Internal => ErrorCode::InternalError,
        _ => ErrorCode::RequestFailed,
    };
    ResponseError {
        data: serde_json::to_value(wrong).ok(),
        ..error(code, wrong.to_string())
    }
}

fn invalid(words: impl Into<String>) -> ResponseError {
    error(ErrorCode::InvalidParams, words)
}
