//! The queries that an edit makes run, by the events of a recording database.

use std::collections::BTreeMap;

use codeweft_graph::answer::{GraphRequest, Operation};

use crate::{Fixture, Texts, Workspace};

/// A recording workspace, and the request that is repeated on it.
pub struct QueryWatch {
    workspace: Workspace,
    texts: Texts,
    request: GraphRequest,
}

/// The queries that a request ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryRuns {
    /// The number of runs of each query, by `name key`.
    pub executed: BTreeMap<String, usize>,
    /// The number of memos that were validated by comparing their dependencies.
    pub validated: usize,
    /// The answer, printed.
    pub answer: String,
}

impl QueryRuns {
    /// Returns the queries that ran, a line each; queries of symbols only by name and number.
    pub fn printed(&self) -> String {
        let mut printed = String::new();
        for (query, times) in &self.executed {
            printed.push_str(query);
            if *times > 1 {
                printed.push_str(&format!(" × {times}"));
            }
            printed.push('\n');
        }
        printed
    }
}

impl QueryWatch {
    /// Loads files; every request will be for the callers of `target`.
    pub fn new(texts: Texts, target: &str) -> QueryWatch {
        let mut request = GraphRequest::new(Operation::Callers, target);
        request.include_context = false;
        QueryWatch {
            workspace: Fixture::of(texts.clone()).recording().load(),
            texts,
            request,
        }
    }

    /// Returns the current text of a file.
    pub fn text(&self, path: &str) -> &str {
        &self.texts[path]
    }

    /// Opens a file with its text on disk.
    pub fn open(&mut self, path: &str) {
        self.workspace.open(path, &self.texts[path]);
    }

    /// Replaces the text of an open file.
    pub fn type_in(&mut self, path: &str, text: String) {
        self.workspace.change(path, &text);
        self.texts.insert(path.to_owned(), text);
    }

    /// Replaces the first `old` by `new` in an open file.
    pub fn replace(&mut self, path: &str, old: &str, new: &str) {
        let text = &self.texts[path];
        assert!(text.contains(old), "{path} has no {old}");
        self.type_in(path, text.replacen(old, new, 1));
    }

    /// Sends the request; returns the queries that ran since the last one.
    pub fn ask(&mut self) -> QueryRuns {
        let host = &self.workspace.host;
        let answer = match host.ask(&self.request) {
            Ok(mut response) => {
                response.metadata = Default::default();
                for result in &mut response.results {
                    result.node.unsaved = false;
                }
                serde_json::to_string(&response)
            }
            Err(error) => serde_json::to_string(&error),
        };
        let recording = host.recording().expect("it records");
        let happened = recording.take(host.db());
        let mut executed = BTreeMap::new();
        for (name, key) in happened.executed {
            let query = if key.starts_with("Id(") {
                name
            } else {
                format!("{name} {key}")
            };
            *executed.entry(query).or_default() += 1;
        }
        QueryRuns {
            executed,
            validated: happened.validated,
            answer: answer.expect("an answer has a JSON"),
        }
    }
}
