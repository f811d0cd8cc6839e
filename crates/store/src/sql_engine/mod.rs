//! The engine of `codeweft query --engine sql`: the graph operations from a file of the SQLite export alone, without
//! sources (docs/user-guide.md, "SQL").
//!
//! ```text
//! CheckedRequest -> targets (text to rows) -> operations (walks over rows) -> open sites
//!                -> filters and limits -> print (positions, code) -> GraphResponse
//! ```
//!
//! The rules of an answer are those of `codeweft_graph`: what is plain data is shared
//! (`codeweft_graph::shaping`), the walks are written again over rows, so that the two engines check each other.
//! Where the file has less than the live database, the answer says that it is not complete.

mod calls;
mod ending;
mod failure;
mod impact;
mod inexact;
mod links;
mod names;
mod nearest;
mod open_sites;
mod operations;
mod package;
mod path;
mod position;
mod print;
mod resolved;
mod result;
mod rows;
mod shape;
mod statements;
mod target;
mod text;
mod verdict;
mod walk;

use std::time::{Duration, Instant};

use codeweft_graph::answer::{
    ApiError, CheckedRequest, ErrorType, GraphRequest, GraphResponse, Operation,
};
use codeweft_graph::shaping::Filter;
use rusqlite::Connection;

use crate::sqlite::{HAS_OPEN_SITES, SqlFile};
use failure::{Failure, Found};
use result::{Answer, STEPS};
use rows::Rows;

/// Answers a request from a file of the SQLite export, in one transaction that reads, within `time`.
///
/// The depth is at most 6: `impact` and `path` are cut to it and say so, for others a greater one is an error. Local
/// variables, `include_unresolved`, changes of texts, `search` and `outline` need the live database.
///
/// # Errors
/// As those of the live engine; [`ErrorType::LimitExceeded`] for what the file does not have, and if the time is over.
pub fn answer_from_file(
    file: &mut SqlFile,
    request: &CheckedRequest,
    time: Duration,
) -> Result<GraphResponse, ApiError> {
    let started = Instant::now();
    let answered = check(request)
        .map_err(Failure::from)
        .and_then(|()| file.in_transaction(time, |connection| respond(connection, request))?);
    let mut response = answered.map_err(Failure::into_error)?;
    response.metadata.took_ms = started.elapsed().as_secs_f64() * 1000.0;
    Ok(response)
}

/// Checks that the engine can answer a request.
fn check(request: &GraphRequest) -> Result<(), ApiError> {
    let beyond = |words: &str| {
        Err(ApiError::new(
            ErrorType::LimitExceeded,
            words,
            "ask the live database: codeweft query without --db",
        ))
    };
    let is_cut = matches!(request.operation, Operation::Impact | Operation::Path);
    if matches!(request.operation, Operation::Search | Operation::Outline) {
        let operation = request.operation.wire_name();
        return beyond(&format!("{operation}: the SQL engine does not answer it"));
    }
    if request.diff {
        return beyond("diff: the database has one state of the texts");
    }
    if request.include_unresolved {
        return beyond("include_unresolved: the database has no calls by name alone");
    }
    if request.depth > STEPS && !is_cut {
        return Err(ApiError::invalid_request(format!(
            "depth: {} is out of bounds 1 to {STEPS} of the SQL engine",
            request.depth
        )));
    }
    Ok(())
}

/// Checks that a file has the sites that answers may lack: the store of a server has none.
fn check_open_sites(connection: &Connection) -> Found<()> {
    let known = "SELECT count(*) FROM cache_metadata WHERE key = ?1";
    let count: i64 = connection.query_row(known, [HAS_OPEN_SITES], |row| row.get(0))?;
    if count > 0 {
        return Ok(());
    }
    let error = ApiError::new(
        ErrorType::LimitExceeded,
        "the file has no open sites, so that no answer could say whether it is complete: it is the store of a server",
        "use a file of codeweft export --format sqlite, or ask the live database: codeweft query without --db",
    );
    Err(error.into())
}

fn respond(connection: &Connection, request: &CheckedRequest) -> Found<GraphResponse> {
    check_open_sites(connection)?;
    let rows = Rows::new(connection)?;
    let filter = Filter::of(request)?;
    let target = target::resolve(&rows, &request.operation.target_rules(), &request.target)?;
    let cut = GraphRequest {
        depth: request.depth.min(STEPS),
        ..GraphRequest::clone(request)
    };
    let mut answer = run(&rows, &cut, &target)?;
    if request.depth > STEPS && request.operation.uses("depth") {
        let last = answer.rows.iter().any(|row| row.depth == Some(STEPS));
        answer.lacks_steps |= request.operation == Operation::Impact && last;
        answer.cut = answer.lacks_steps;
    } else {
        answer.lacks_steps = false;
    }
    shape::respond(&rows, request, &filter, &target, answer)
}

fn run(rows: &Rows<'_>, request: &GraphRequest, target: &resolved::Target) -> Found<Answer> {
    match request.operation {
        Operation::Callers => operations::callers(rows, request, target),
        Operation::Callees => operations::callees(rows, request, target),
        Operation::Dependencies => operations::imports(rows, request, target, false),
        Operation::Dependents => operations::imports(rows, request, target, true),
        Operation::TypeUsages => operations::uses(rows, target, operations::Listed::TypeUsages),
        Operation::Implementations => operations::implementations(rows, target, false),
        Operation::Implements => operations::implementations(rows, target, true),
        Operation::References => operations::uses(rows, target, operations::Listed::References),
        Operation::Definition => operations::definition(rows, target),
        Operation::Impact => impact::impact(rows, request, target),
        Operation::Path => path::path(rows, request, target),
        Operation::Search | Operation::Outline => Ok(Answer::default()),
    }
}
