//! `codeweft bundle`: what a text is about.

use std::io::Read as _;

use clap::{Args, ValueEnum};
use codeweft_ide::api::{BundleRequest, BundleResponse, error_json, response_json};

use crate::arguments::Access;
use crate::database::Database;
use crate::output::{print, print_error};

/// The exit code of wrong use.
const WRONG_USE: u8 = 2;

/// `codeweft bundle`.
#[derive(Debug, Args)]
#[command(
    after_help = "The first line of the text weighs most. Names of code, paths and stack traces in it count of their own.
Ranked are words, declarations, imports and the messages of the newest commits; nothing is sent anywhere. Test files are
ranked only with --include-tests, or where the text names one.

Examples:
  codeweft bundle \"quiet mode for the fix command\"
  codeweft bundle - < issue.md
  codeweft bundle \"retry of failed uploads\" --token-budget 1000 --explain
  codeweft bundle Client.send --max-depth 2

Exit codes: 0 found, 1 nothing found, 2 wrong use, 3 an internal error."
)]
pub struct Bundle {
    /// The text, or a symbol; `-` for standard input
    pub query: String,
    /// The size of the answer in tokens, from 200 to 32000; without it `[retrieval] token_budget`, else 3500
    #[arg(long, value_name = "N")]
    pub token_budget: Option<u32>,
    /// The file at hand: what it imports, and what imports it, is lifted
    #[arg(long, value_name = "FILE", default_value = "")]
    pub cursor_file: String,
    /// The hops from a symbol to its callers and callees, from 0 to 3
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub max_depth: u32,
    /// Print code of the best declarations too
    #[arg(long)]
    pub include_snippets: bool,
    /// Rank test files among the others
    #[arg(long)]
    pub include_tests: bool,
    /// Print of what each score is made
    #[arg(long)]
    pub explain: bool,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = BundleFormat::Markdown)]
    pub format: BundleFormat,
    /// Print the answer as JSON: --format json
    #[arg(long)]
    pub json: bool,
    /// Which database
    #[command(flatten)]
    pub access: Access,
}

/// How an answer is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BundleFormat {
    /// A table
    Markdown,
    /// One JSON object
    Json,
}

/// Answers; returns the exit code.
pub fn run(bundle: &Bundle) -> u8 {
    let is_json = bundle.json || bundle.format == BundleFormat::Json;
    let query = match text(&bundle.query) {
        Ok(query) => query,
        Err(words) => {
            print_error(&words);
            return WRONG_USE;
        }
    };
    let request = BundleRequest {
        query,
        cursor_file: bundle.cursor_file.clone(),
        max_depth: bundle.max_depth,
        token_budget: bundle.token_budget,
        include_snippets: bundle.include_snippets,
        include_tests: bundle.include_tests,
        explain: bundle.explain,
    };
    // Wrong values are refused before anything is loaded.
    let answer = request.check().and_then(|request| {
        let mut database = match Database::open(&bundle.access) {
            Ok(database) => database,
            Err(code) => return Ok(Err(code)),
        };
        let answer = database.ask(&request);
        database.close();
        answer.map(Ok)
    });
    match answer {
        Ok(Ok(response)) => {
            let code = u8::from(response.files.is_empty());
            print(&printed(response, is_json), code)
        }
        Ok(Err(code)) => code,
        Err(error) if is_json => print(&error_json(&error), error.error_type.exit_code()),
        Err(error) => {
            print_error(&error.message);
            error.error_type.exit_code()
        }
    }
}

/// Returns the text of the query: the argument, or standard input.
fn text(query: &str) -> Result<String, String> {
    if query != "-" {
        return Ok(query.to_owned());
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| format!("standard input cannot be read: {error}"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn printed(mut response: BundleResponse, is_json: bool) -> String {
    if is_json {
        response.text.clear();
        return response_json(&response);
    }
    if response.files.is_empty() && response.text.is_empty() {
        return "nothing found; use other words".to_owned();
    }
    response.text.trim_end().to_owned()
}
