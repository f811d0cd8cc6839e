//! `codeweft query` and `codeweft analyze`.

use std::path::Path;

use codeweft_ide::analysis_text;
use codeweft_ide::api::{
    AnalysisResponse, ApiError, CheckedRequest, ErrorType, GraphResponse, error_json,
    parse_analysis, parse_request, response_json,
};
use codeweft_server::ControlQuestion;
use serde::Serialize;
use serde_json::{Value, json};

use crate::arguments::{Analyze, Answer, Format, Impact, Query};
use crate::database::{Answered, Database};
use crate::output::{self, print, print_error};
use crate::pictures::{self, Drawn};
use crate::sql_query::FromFile;
use crate::table::table;

/// Runs a query and prints the answer; returns the exit code.
pub fn run(query: &Query) -> u8 {
    // An invalid request is refused before anything is read.
    let mut fields = query.fields.given.clone();
    if query.answer.format() != Format::JSON {
        // A table has source code only on request.
        fields
            .entry("include_context")
            .or_insert(Value::Bool(false));
    }
    let request = parse_request(Value::Object(fields));
    match query.file.is_chosen() {
        Ok(false) => answer(request, &query.answer),
        Ok(true) => answer_from(&query.file, request, &query.answer),
        Err(error) => refuse(&error, query.answer.format() == Format::JSON),
    }
}

/// Answers a request from a file and prints the answer; returns the exit code.
fn answer_from(file: &FromFile, request: Result<CheckedRequest, ApiError>, how: &Answer) -> u8 {
    let format = how.format();
    let is_json = format == Format::JSON;
    let drawn = pictures::format(format).map(|_| {
        ApiError::invalid_request("--format: pictures are drawn from the database of a workspace")
    });
    let answer = match drawn {
        Some(error) => Err(error),
        None => request.and_then(|request| file.answer(&request)),
    };
    print_answer::<CheckedRequest>(answer, is_json)
}

/// Says what a change reaches; returns the exit code.
pub fn impact(impact: &Impact) -> u8 {
    let is_json = impact.answer.format() == Format::JSON;
    let target = match (&impact.target, &impact.diff, &impact.patch) {
        (Some(target), ..) => Ok(target.clone()),
        (_, Some(revision), _) => Ok(revision.clone()),
        (_, _, Some(file)) => patch_in(file),
        // The command line has one of them.
        (None, None, None) => Ok("HEAD".to_owned()),
    };
    let target = match target {
        Ok(target) => target,
        Err(error) => return refuse(&error, is_json),
    };
    let mut fields = json!({
        "operation": "impact",
        "target": target,
        "diff": impact.target.is_none(),
        "include_context": is_json,
    });
    let given = [
        ("depth", impact.depth.map(Value::from)),
        ("max_results", impact.max_results.map(Value::from)),
        ("scope", impact.scope.clone().map(Value::from)),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            fields[name] = value;
        }
    }
    answer(parse_request(fields), &impact.answer)
}

/// Returns the text of a patch in a file, or in standard input.
fn patch_in(file: &Path) -> Result<String, ApiError> {
    let text = if file.as_os_str() == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(file)
    };
    text.map_err(|error| {
        ApiError::new(
            ErrorType::InvalidRequest,
            format!("the patch {} cannot be read: {error}", file.display()),
            "name a file with the output of git diff, or - for standard input",
        )
    })
}

/// Runs an analysis and prints the answer; returns the exit code.
pub fn analyze(analyze: &Analyze) -> u8 {
    let fields = Value::Object(analyze.fields.given.clone());
    answer(parse_analysis(fields), &analyze.answer)
}

/// An answer as it is printed.
trait Printed: Serialize {
    /// Returns whether it lists nothing: no error, but scripts can test the exit code.
    fn is_empty(&self) -> bool;

    /// Returns the table for a terminal, or for a file.
    fn table(&self) -> String;
}

impl Printed for GraphResponse {
    fn is_empty(&self) -> bool {
        let change = self.change.as_ref();
        let is_touched = change.is_some_and(|change| change.files_total > 0);
        self.results.is_empty() && !is_touched
    }

    fn table(&self) -> String {
        table(self, output::width())
    }
}

impl Printed for AnalysisResponse {
    fn is_empty(&self) -> bool {
        AnalysisResponse::is_empty(self)
    }

    fn table(&self) -> String {
        output::fitted(&analysis_text(self), output::width())
    }
}

/// Answers a request and prints the answer; returns the exit code.
fn answer<R>(request: Result<R, ApiError>, how: &Answer) -> u8
where
    R: ControlQuestion<Response: Printed> + Drawn,
{
    let format = how.format();
    let is_json = format == Format::JSON;
    let request = match request.and_then(|request| request.check_format(format).map(|()| request)) {
        Ok(request) => request,
        Err(error) => return refuse(&error, is_json),
    };
    let mut database = match Database::open(&how.access) {
        Ok(database) => database,
        Err(code) => return code,
    };
    let answer = database.ask(&request);
    let code = match (&answer, pictures::format(format)) {
        (Ok(response), Some(picture)) => {
            let code = u8::from(response.is_empty());
            match request.diagram(response, &mut database) {
                Ok(diagram) => print(&pictures::drawn(&diagram, picture), code),
                Err(error) => refuse(&error, false),
            }
        }
        _ => print_answer::<R>(answer, is_json),
    };
    database.close();
    code
}

fn print_answer<R: ControlQuestion<Response: Printed>>(answer: Answered<R>, json: bool) -> u8 {
    match answer {
        Ok(response) => {
            let code = u8::from(response.is_empty());
            let text = if json {
                response_json(&response)
            } else {
                response.table()
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
