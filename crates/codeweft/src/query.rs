//! `codeweft query`.

use codeweft_ide::api::{ApiError, GraphResponse, error_json, parse_request, response_json};
use serde_json::Value;

use crate::arguments::Query;
use crate::connection;
use crate::output::{self, print, print_error};
use crate::table::table;
use crate::workspace;

/// Runs the query and prints the answer; returns the exit code.
pub fn run(query: &Query) -> u8 {
    // An invalid request is refused before anything is read.
    let mut fields = query.fields.0.clone();
    if !query.json {
        // A table has source code only on request.
        fields
            .entry("include_context")
            .or_insert(Value::Bool(false));
    }
    let request = match parse_request(Value::Object(fields)) {
        Ok(request) => request,
        Err(error) => return refuse(&error, query.json),
    };
    let found = workspace::find(&query.workspace.root).and_then(|root| {
        let settings = workspace::settings(&root, &query.workspace.build)?;
        Ok((root, settings))
    });
    let (root, settings) = match found {
        Ok(found) => found,
        Err(code) => return code,
    };
    if !query.disk {
        // Only the server knows the unsaved text of editors.
        let (answer, said) = connection::query_server(&root, &settings, &request);
        for words in said.iter().filter(|_| !query.quiet.quiet) {
            print_error(words);
        }
        if let Some(answer) = answer {
            return print_answer(answer, query.json);
        }
    }
    let host = match workspace::load_for_question(&root, settings, &query.quiet) {
        Ok(host) => host,
        Err(code) => return code,
    };
    let code = print_answer(host.answer(&request), query.json);
    host.leave(workspace::CACHE_WAIT);
    code
}

fn print_answer(answer: Result<GraphResponse, ApiError>, json: bool) -> u8 {
    match answer {
        Ok(response) => {
            // An empty answer is no error, but scripts can test the exit code.
            let code = u8::from(response.results.is_empty());
            let text = if json {
                response_json(&response)
            } else {
                table(&response, output::width())
            };
            print(&text, code)
        }
        Err(error) => refuse(&error, json),
    }
}

fn refuse(error: &ApiError, json: bool) -> u8 {
    let code = error.error_type.exit_code();
    if json {
        return print(&error_json(error), code);
    }
    print_error(&error.message);
    for candidate in &error.candidates {
        if !error.fallback_suggestion.contains(candidate) {
            print_error(&format!("  {candidate}"));
        }
    }
    if !error.fallback_suggestion.is_empty() {
        print_error(&error.fallback_suggestion);
    }
    code
}
