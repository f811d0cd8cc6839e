//! `codeweft query`.

use codeweft_ide::api::{
    ApiError, GraphResponse, error_json, exit_code, exit_code_of, parse_request, response_json,
    table,
};
use serde_json::Value;

use crate::arguments::Query;
use crate::connection;
use crate::output::{complain, print};
use crate::workspace;

/// Asks and prints; gives the exit code.
pub fn run(query: &Query) -> u8 {
    // A request that is wrong is refused before anything is read.
    let mut fields = query.fields.0.clone();
    if !query.json {
        // A table shows code only where it is asked for.
        fields
            .entry("include_context")
            .or_insert(Value::Bool(false));
    }
    let request = match parse_request(Value::Object(fields)) {
        Ok(request) => request,
        Err(error) => return refuse(&error, query.json),
    };
    if !query.disk {
        let root = match workspace::find(&query.root) {
            Ok(root) => root,
            Err(code) => return code,
        };
        // What editors have typed is known to the server alone.
        if let Some((answer, warnings)) = connection::question(&root, &request) {
            for warning in warnings.iter().filter(|_| !query.quiet.quiet) {
                complain(warning);
            }
            return tell(answer, query.json);
        }
    }
    let host = match workspace::load(&query.root, &query.quiet) {
        Ok(host) => host,
        Err(code) => return code,
    };
    let answer = host.ask(&request);
    // The process ends here: what it holds need not be taken apart.
    std::mem::forget(host);
    tell(answer, query.json)
}

fn tell(answer: Result<GraphResponse, ApiError>, json: bool) -> u8 {
    match answer {
        Ok(response) => {
            let code = exit_code_of(&response);
            let text = match json {
                true => response_json(&response),
                false => table(&response),
            };
            print(&text, code)
        }
        Err(error) => refuse(&error, json),
    }
}

fn refuse(error: &ApiError, json: bool) -> u8 {
    let code = exit_code(error.error_type);
    if json {
        return print(&error_json(error), code);
    }
    complain(&error.message);
    for candidate in &error.candidates {
        if !error.fallback_suggestion.contains(candidate) {
            complain(&format!("  {candidate}"));
        }
    }
    if !error.fallback_suggestion.is_empty() {
        complain(&error.fallback_suggestion);
    }
    code
}
