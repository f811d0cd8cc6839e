//! An answer as it was sent: its size, and whether it says what it leaves out.

use anyhow::{Context, Result};
use serde_json::Value;

use super::tokens;

/// What is counted of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The tokens of text and structure together.
    pub tokens: usize,
    /// Whether it is an error.
    pub is_error: bool,
    /// What it leaves out without saying so in both forms.
    pub untold: Vec<String>,
    /// The rows of the structure that the text does not name, and those that only the text has.
    pub missing: Vec<String>,
}

impl Answer {
    /// Reads the result of a call.
    pub fn of(result: &Value) -> Result<Answer> {
        let text = result["content"][0]["text"].as_str();
        let text = text.context("there is no text")?;
        let structure = &result["structuredContent"];
        let is_error = result["isError"] == true;
        let tokens = tokens(text) + tokens(&structure.to_string());
        let rows: &[Value] = structure["results"].as_array().map_or(&[], Vec::as_slice);
        Ok(Answer {
            tokens,
            is_error,
            untold: untold(text, structure, rows),
            missing: if is_error {
                missing_candidates(text, &structure["candidates"])
            } else {
                missing(text, rows)
            },
        })
    }
}

fn untold(text: &str, structure: &Value, rows: &[Value]) -> Vec<String> {
    let mut untold = Vec::new();
    let all = structure["total_found"].as_u64().unwrap_or(0) as usize;
    let is_told = structure["truncated"] == true && text.contains("\ncut: ");
    if rows.len() < all && !is_told {
        untold.push(format!("{} of {all} rows", rows.len()));
    }
    for row in rows {
        let listed = row["sites"].as_array().map_or(0, Vec::len);
        let sites = row["site_count"].as_u64().unwrap_or(0) as usize;
        if listed < sites && !text.contains(&format!("and {} more sites", sites - listed)) {
            untold.push(format!(
                "{listed} of {sites} sites of {}",
                row["node"]["id"]
            ));
        }
        let context = row["context"].as_str();
        if context.is_some_and(|context| !is_whole(context) && !context.contains(" lines dropped"))
        {
            untold.push(format!("lines of {}", row["node"]["id"]));
        }
    }
    let completeness = &structure["completeness"];
    let open = completeness["unresolved_sites"].as_u64().unwrap_or(0);
    let first = completeness["first"].as_array().map_or(0, Vec::len) as u64;
    if first < open && !text.contains(&open.to_string()) {
        untold.push(format!("{first} of {open} open sites"));
    }
    untold
}

/// Returns whether code has all the lines that its first line names: `// Lines 11-27`.
fn is_whole(context: &str) -> bool {
    let mut lines = context.split('\n');
    let numbers = lines.next().and_then(|first| first.split_once(" Lines "));
    let numbers = numbers.and_then(|(_, numbers)| numbers.split_once('-'));
    let Some((Ok(from), Ok(to))) =
        numbers.map(|(from, to)| (from.parse::<usize>(), to.parse::<usize>()))
    else {
        return false;
    };
    lines.count() == to + 1 - from
}

/// Compares the candidates of an error, which are indented as rows are.
fn missing_candidates(text: &str, candidates: &Value) -> Vec<String> {
    let listed = candidates.as_array().map_or(&[][..], Vec::as_slice);
    let listed = listed.iter().filter_map(Value::as_str);
    let is_absent = |candidate: &&str| !text.contains(candidate);
    listed.filter(is_absent).map(str::to_owned).collect()
}

fn missing(text: &str, rows: &[Value]) -> Vec<String> {
    let line = |row: &Value| {
        let node = &row["node"];
        let id = node["id"].as_str().unwrap_or_default();
        format!("  {}-{} {id}", node["start_line"], node["end_line"])
    };
    let mut missing: Vec<String> = rows
        .iter()
        .map(line)
        .filter(|line| !text.lines().any(|one| one.starts_with(line.as_str())))
        .collect();
    let is_row = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let written = text.lines().filter(is_row).count();
    if written != rows.len() {
        missing.push(format!(
            "{written} rows in the text, {} in the structure",
            rows.len()
        ));
    }
    missing
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(text: &str, structure: Value) -> Answer {
        Answer::of(&json!({"content": [{"text": text}], "structuredContent": structure})).unwrap()
    }

    #[test]
    fn what_is_dropped_has_to_be_said_in_both_forms() {
        let row = json!({"node": {"id": "m.f", "start_line": 1, "end_line": 2}, "sites": [],
            "site_count": 3, "context": "// Lines 1-9\na\n// … 7 lines dropped: 2-8\nb"});
        let structure = |truncated: bool| {
            json!({"results": [row], "total_found": 2, "truncated": truncated,
                "completeness": {"unresolved_sites": 7, "first": []}})
        };
        let told = "7 sites could\n  1-2 m.f\n    and 3 more sites\ncut: rows 1 to 1 of 2";
        assert_eq!(answer(told, structure(true)).untold, Vec::<String>::new());
        assert_eq!(answer(told, structure(false)).untold, ["1 of 2 rows"]);
        assert_eq!(answer("  1-2 m.f", structure(true)).untold.len(), 3);
    }

    #[test]
    fn rows_of_one_form_alone_are_missing_in_the_other() {
        let row = json!({"node": {"id": "m.f", "start_line": 1, "end_line": 2}, "sites": []});
        let structure = json!({"results": [row]});
        assert!(answer("f\n  1-2 m.f", structure.clone()).missing.is_empty());
        assert_eq!(answer("f\n  1-3 m.f", structure.clone()).missing.len(), 1);
        assert_eq!(
            answer("f\n  1-2 m.f\n  4-4 m.g", structure).missing.len(),
            1
        );
    }

    #[test]
    fn the_candidates_of_an_error_are_in_its_text() {
        let error = |text: &str| {
            let structure = json!({"status": "error", "candidates": ["a.os", "b.os"]});
            let content = json!([{"text": text}]);
            Answer::of(
                &json!({"isError": true, "content": content, "structuredContent": structure}),
            )
        };
        assert!(
            error("os fits 2:\n  a.os\n  b.os")
                .unwrap()
                .missing
                .is_empty()
        );
        assert_eq!(error("os fits 2:\n  a.os").unwrap().missing, ["b.os"]);
    }

    #[test]
    fn code_is_whole_or_says_that_it_is_not() {
        assert!(is_whole("# Lines 3-4\na\nb"));
        assert!(!is_whole("# Lines 3-5\na\nb"));
        assert!(!is_whole("a"));
    }
}
