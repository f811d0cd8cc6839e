//! The questions: `bench-data/asks.jsonl`.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

const ASKS: &str = include_str!("../../../bench-data/asks.jsonl");

/// A question with a name as people say it, and the symbol that is meant.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// `flask-02`.
    pub id: String,
    /// The project's name in `projects.tsv`.
    pub project: String,
    /// The operation of `cortex_graph`.
    pub operation: String,
    /// The name as said.
    pub target: String,
    /// The id of the symbol that is meant.
    pub expected: String,
    /// The same for the language's own tools: `module:Class.method`, `import/path:Type.Method`.
    pub means: String,
    /// The kind of name: `reexport`, `inherited`, `receiver`, …
    pub kind: String,
    /// Where the name was read.
    pub source: String,
}

impl Question {
    /// Returns the request that asks it. The answer is read for its target alone, so it lists little.
    pub fn request(&self) -> Value {
        json!({
            "operation": self.operation,
            "target": self.target,
            "include_context": false,
            "max_results": 1,
        })
    }

    /// Returns a request that every graph with the expected symbol answers.
    pub fn request_of_expected(&self) -> Value {
        json!({"operation": "definition", "target": self.expected, "include_context": false})
    }

    /// Returns it as it is printed.
    pub fn words(&self) -> String {
        format!("{}: {} {}", self.id, self.operation, self.target)
    }
}

/// Returns all questions, in order.
pub fn all() -> Result<Vec<Question>> {
    read(ASKS)
}

fn read(lines: &str) -> Result<Vec<Question>> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).with_context(|| format!("asks.jsonl: {line}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::asks::projects::{self, Language};

    #[test]
    fn there_are_a_hundred_questions_in_each_language_and_none_twice() {
        let questions = all().unwrap();
        let projects = projects::all().unwrap();
        for language in [Language::Go, Language::Python] {
            let of_language = |question: &&Question| {
                let mut projects = projects.iter();
                let project = projects.find(|one| one.name == question.project);
                project.is_some_and(|one| one.language == language)
            };
            let count = questions.iter().filter(of_language).count();
            assert_eq!(count, 100, "{}", language.name());
        }
        let distinct: BTreeSet<_> = questions
            .iter()
            .map(|one| (&one.project, &one.operation, &one.target))
            .collect();
        assert_eq!(distinct.len(), questions.len());
        let ids: BTreeSet<_> = questions.iter().map(|one| &one.id).collect();
        assert_eq!(ids.len(), questions.len());
    }

    #[test]
    fn every_question_says_what_is_meant_and_where_it_was_read() {
        for question in all().unwrap() {
            let words = question.words();
            assert!(question.means.contains(':'), "{words}");
            assert!(!question.source.is_empty(), "{words}");
            assert!(!question.kind.is_empty(), "{words}");
            assert!(!question.expected.starts_with("error"), "{words}");
        }
        assert!(read("{\"id\": \"x\"}\n").is_err());
    }
}
