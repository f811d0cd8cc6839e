//! `codeweft query`.

use codeweft_ide::api::{ApiError, GraphResponse, error_json, parse_request, response_json};
use serde_json::Value;

use crate::arguments::Query;
use crate::connection;
use crate::output::{complain, print};
use crate::table::table;
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
    let found = workspace::find(&query.workspace.root).and_then(|root| {
        let settings = workspace::settings(&root, &query.workspace.build)?;
        Ok((root, settings))
    });
    let (root, settings) = match found {
        Ok(found) => found,
        Err(code) => return code,
    };
    if !query.disk {
        // What editors have typed is known to the server alone.
        let (answer, said) = connection::question(&root, &settings, &request);
        for words in said.iter().filter(|_| !query.quiet.quiet) {
            complain(words);
        }
        if let Some(answer) = answer {
            return tell(answer, query.json);
        }
    }
    let host = match workspace::load_with(&root, settings, &query.quiet) {
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
            // An empty answer is no error, and yet tells scripts that nothing was found.
            let code = u8::from(response.results.is_empty());
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
    let code = error.error_type.exit_code();
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
