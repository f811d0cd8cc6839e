//! The impact of changing a method of an interface, against the judge of Go.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::product::Product;
use crate::questions::{Questions, Verdict};
use crate::session::Session;
use crate::truth::{Key, Truth, node_key};

/// The maximum number of results that one answer lists.
const LISTED: u64 = 500;

impl Questions {
    /// Checks that every method that may run for an interface's method is an `implementation`,
    /// every function that calls it a `direct_caller`, nothing else is either, and all of them must
    /// be updated.
    pub fn impact(&self, product: &Product, of: &str) -> Result<Verdict> {
        let truth = self.truth()?;
        let method = truth.find(of)?;
        let runs = truth.runs(method);
        let calls: BTreeSet<&Key> = truth.direct_callers(method).into_iter().collect();
        let places = runs.iter().chain(calls.iter().copied());
        let files: BTreeSet<&str> = places.filter_map(|key| file_of(key)).collect();
        let mut session = product.session(self.source()?)?;
        let mut results = Vec::new();
        // A long answer is truncated: then each folder below is queried separately, and the rest.
        let mut open = vec![String::new()];
        while let Some(scope) = open.pop() {
            let (part, truncated) = ask(&mut session, of, &scope, &[])?;
            if !truncated {
                results.extend(part);
                continue;
            }
            let below = below(&files, &scope);
            if below.is_empty() {
                bail!("impact {of} --scope {scope}: more than {LISTED} results");
            }
            // No wanted result is in the rest, so it may be truncated.
            let excluded: Vec<&str> = below.iter().map(String::as_str).collect();
            results.extend(ask(&mut session, of, &scope, &excluded)?.0);
            open.extend(below);
        }
        Ok(compared(truth, &runs, &calls, &results))
    }
}

/// Returns the results below a path, and whether there are more.
fn ask(
    session: &mut Session,
    of: &str,
    scope: &str,
    excluded: &[&str],
) -> Result<(Vec<Value>, bool)> {
    let mut request = json!({"operation": "impact", "target": of, "depth": 1,
        "include_context": false, "max_results": LISTED, "exclude_patterns": excluded});
    if !scope.is_empty() {
        request["scope"] = json!(scope);
    }
    let mut answer = session.ask(&request)?;
    if answer["status"] == "error" {
        bail!("impact {of}: {}", answer["message"]);
    }
    let truncated = answer["truncated"] == true;
    match answer["results"].take() {
        Value::Array(results) => Ok((results, truncated)),
        _ => bail!("impact {of}: an answer without results"),
    }
}

/// Returns the file or folder of a position.
fn file_of(key: &Key) -> Option<&str> {
    if key.starts_with("id:") {
        return None;
    }
    match key.strip_prefix("in ") {
        Some(folder) => Some(folder),
        None => key.rsplitn(3, ':').nth(2),
    }
}

/// Returns the folders and files directly below a path that lead to files.
fn below(files: &BTreeSet<&str>, scope: &str) -> BTreeSet<String> {
    let start = match scope {
        "" => String::new(),
        scope => format!("{scope}/"),
    };
    files
        .iter()
        .filter_map(|file| {
            let first = file.strip_prefix(&start)?.split('/').next()?;
            Some(format!("{start}{first}"))
        })
        .collect()
}

fn compared(
    truth: &Truth,
    runs: &BTreeSet<Key>,
    calls: &BTreeSet<&Key>,
    results: &[Value],
) -> Verdict {
    let ours: BTreeMap<Key, (&str, bool)> = results
        .iter()
        .map(|result| {
            let kind = result["impact_type"].as_str().unwrap_or_default();
            let must_update = result["severity"] == "must_update";
            (node_key(&result["node"]), (kind, must_update))
        })
        .collect();
    let mut differences = Vec::new();
    let mut right = 0;
    let wanted: BTreeSet<&Key> = runs.iter().chain(calls.iter().copied()).collect();
    for &key in &wanted {
        let may_be = [
            ("implementation", runs.contains(key)),
            ("direct_caller", calls.contains(key)),
        ];
        let name = truth.name(key);
        match ours.get(key) {
            // A node that calls the method and runs for it is listed once, as either.
            Some((kind, true)) if may_be.contains(&(kind, true)) => right += 1,
            Some((kind, _)) => differences.push(format!("{name} is listed as {kind} ({key})")),
            None => differences.push(format!("missing: {name} ({key})")),
        }
    }
    let missing = differences.len();
    let mut unread = 0;
    for (key, (kind, _)) in &ours {
        if !matches!(*kind, "implementation" | "direct_caller") || wanted.contains(key) {
            continue;
        }
        if !truth.knows(key) {
            unread += 1;
        } else {
            differences.push(format!("too much: {} as {kind} ({key})", truth.name(key)));
        }
    }
    let extra = differences.len() - missing;
    Verdict {
        right: differences.is_empty() && !runs.is_empty() && !calls.is_empty(),
        words: format!(
            "{right} of {} implementations and callers, {extra} too much, {unread} in code that the \
             judge has not read",
            wanted.len()
        ),
        differences,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implementations_and_callers_are_distinguished() {
        let truth = Truth::of_declarations(&["q/b.go:7:6"]);
        let (method, caller, both) = ("p/a.go:3:6", "q/b.go:5:6", "p/a.go:9:6");
        let runs = BTreeSet::from([method.to_owned(), both.to_owned()]);
        let [caller, both] = [caller, both].map(str::to_owned);
        let calls = BTreeSet::from([&caller, &both]);
        let result = |file: &str, line: u32, kind: &str, severity: &str| {
            json!({"node": {"id": "x", "kind": "method", "file": file, "name_line": line, "name_column": 6},
                "impact_type": kind, "severity": severity})
        };
        let mut results = vec![
            result("p/a.go", 3, "implementation", "must_update"),
            result("p/a.go", 9, "direct_caller", "must_update"),
            result("q/b.go", 5, "direct_caller", "must_update"),
            result("q/b.go", 7, "type_usage", "review_needed"),
        ];
        let verdict = compared(&truth, &runs, &calls, &results);
        assert!(verdict.right, "{:?}", verdict.differences);
        results[0] = result("p/a.go", 3, "direct_caller", "must_update");
        results[2] = result("q/b.go", 5, "direct_caller", "review_needed");
        results[3] = result("q/b.go", 7, "direct_caller", "must_update");
        let verdict = compared(&truth, &runs, &calls, &results);
        assert_eq!(
            verdict.words,
            "1 of 3 implementations and callers, 1 too much, 0 in code that the judge has not read"
        );
        assert_eq!(verdict.differences.len(), 3);
        let verdict = compared(&Truth::default(), &runs, &calls, &results);
        assert_eq!(verdict.differences.len(), 2);
        assert!(!compared(&truth, &runs, &calls, &[]).right);
    }

    #[test]
    fn a_truncated_answer_is_queried_folder_by_folder() {
        let keys = ["net/http/a.go:1:1", "in net/url", "x.go:1:1", "id:error"];
        let keys = keys.map(str::to_owned);
        let files: BTreeSet<&str> = keys.iter().filter_map(file_of).collect();
        let list = |names: &[&str]| BTreeSet::from_iter(names.iter().map(|one| (*one).to_owned()));
        assert_eq!(below(&files, ""), list(&["net", "x.go"]));
        assert_eq!(below(&files, "net"), list(&["net/http", "net/url"]));
        assert_eq!(below(&files, "net/http"), list(&["net/http/a.go"]));
        assert!(below(&files, "net/http/a.go").is_empty());
    }
}
