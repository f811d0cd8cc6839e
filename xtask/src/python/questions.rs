//! The questions about Python's own library whose true answers are computed with CPython's parser.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use serde_json::Value;

use crate::product::Product;
use crate::questions::Verdict;
use crate::truth::node_key;

use super::declared::{self, Row};
use super::packages::library;

/// A question whose true answer is known.
#[derive(Clone, Copy)]
pub enum Question {
    /// The callers of a function of a module.
    Callers(&'static str),
    /// All subclasses of a class, with their distance.
    Subclasses(&'static str),
    /// The methods that a method reaches by `self.x()`, to a depth, with names that must be among
    /// them.
    Callees(&'static str, u64, &'static [&'static str]),
    /// The impact of a method's change: its overrides and its callers.
    Impact(&'static str),
}

impl Question {
    /// Returns the arguments after `codeweft query`.
    pub fn words(self) -> String {
        match self {
            Question::Callers(of) => format!("callers {of}"),
            Question::Subclasses(of) => format!("implementations {of}"),
            Question::Callees(of, depth, _) => format!("callees {of} --depth {depth}"),
            Question::Impact(of) => format!("impact {of} --depth 1"),
        }
    }

    /// Queries the product over Python's library, and compares.
    pub fn check(self, product: &Product) -> Result<Verdict> {
        match self {
            Question::Callers(of) => {
                let rows = declared::ask(&["callers", of])?;
                Ok(callers(&rows, &self.ask(product)?))
            }
            Question::Subclasses(of) => {
                let rows = declared::ask(&["subclasses", of])?;
                Ok(subclasses(&rows, &self.ask(product)?))
            }
            Question::Callees(of, depth, names) => {
                let rows = declared::ask(&["callees", of, "--depth", &depth.to_string()])?;
                for name in names {
                    if !rows.iter().any(|row| last(&row.id) == *name) {
                        bail!("declared.py sees no {name} below {of}");
                    }
                }
                Ok(callees(&rows, &self.ask(product)?))
            }
            Question::Impact(of) => {
                let rows = declared::ask(&["overrides", of])?;
                Ok(impact(&rows, &self.ask(product)?))
            }
        }
    }

    fn ask(self, product: &Product) -> Result<Vec<Value>> {
        let words = self.words();
        let mut all: Vec<&str> = words.split(' ').collect();
        all.extend(["--max-results", "500"]);
        if matches!(self, Question::Callees(..)) {
            all.extend(["--max-per-level", "100"]);
        }
        let mut answer = product.query(&all, &library()?)?;
        if answer["status"] == "error" {
            bail!("{words}: {}", answer["message"]);
        }
        match answer["results"].take() {
            Value::Array(results) => Ok(results),
            _ => bail!("{words}: an answer without results"),
        }
    }
}

/// Returns the last part of an id.
fn last(id: &str) -> &str {
    id.rsplit('.').next().unwrap_or(id)
}

/// Returns an id without the numbers of redefinitions, which `declared.py` does not give.
fn plain(id: &str) -> String {
    let mut parts = id
        .split('.')
        .map(|part| part.split('#').next().unwrap_or(part));
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |so_far, part| so_far + "." + part)
}

fn id(result: &Value) -> String {
    plain(result["node"]["id"].as_str().unwrap_or_default())
}

/// Returns the sites of a result: position and resolution.
fn sites(result: &Value) -> Vec<(String, &str)> {
    let sites = result["sites"].as_array().map(Vec::as_slice);
    sites
        .unwrap_or_default()
        .iter()
        .map(|site| {
            let place = format!(
                "{}:{}:{}",
                site["file"].as_str().unwrap_or_default(),
                site["line"],
                site["column"]
            );
            (place, site["resolution"].as_str().unwrap_or_default())
        })
        .collect()
}

/// Compares keys: sure ones must be in our answer, unsure ones may be, and all others are excess.
fn compare(rows: Vec<(bool, String)>, ours: &BTreeSet<String>, what: &str) -> Verdict {
    let sure: BTreeSet<&String> = rows.iter().filter(|row| row.0).map(|row| &row.1).collect();
    let known: BTreeSet<&String> = rows.iter().map(|row| &row.1).collect();
    let missing: Vec<String> = sure
        .iter()
        .filter(|key| !ours.contains(**key))
        .map(|key| format!("missing: {key}"))
        .collect();
    let extra: Vec<String> = ours
        .iter()
        .filter(|key| !known.contains(key))
        .map(|key| format!("too much: {key}"))
        .collect();
    Verdict {
        right: missing.is_empty() && extra.is_empty() && !sure.is_empty(),
        words: format!(
            "{} of {} {what}, {} too much",
            sure.len() - missing.len(),
            sure.len(),
            extra.len()
        ),
        differences: missing.into_iter().chain(extra).collect(),
    }
}

/// Compares every site that names decide, with its caller. Sites that the product found through
/// values are not judged.
fn callers(rows: &[Row], results: &[Value]) -> Verdict {
    let label = |caller: &str, place: &str| format!("{caller} at {place}");
    let mut ours = BTreeSet::new();
    let mut otherwise = BTreeSet::new();
    for result in results {
        for (place, resolution) in sites(result) {
            let list = match resolution {
                "exact" => &mut ours,
                _ => &mut otherwise,
            };
            list.insert(label(&id(result), &place));
        }
    }
    let rows: Vec<_> = rows
        .iter()
        .map(|row| (row.sure, label(&row.id, &row.place())))
        .collect();
    let found_otherwise = rows
        .iter()
        .map(|row| &row.1)
        .filter(|key| otherwise.contains(*key));
    ours.extend(found_otherwise.cloned());
    let unjudged = otherwise.difference(&ours).count();
    let mut verdict = compare(rows, &ours, "sites");
    if unjudged > 0 {
        verdict.words += &format!(", {unjudged} not judged");
    }
    verdict
}

fn subclasses(rows: &[Row], results: &[Value]) -> Verdict {
    let label =
        |place: &str, id: &str, distance: u64| format!("{id} at {place}, distance {distance}");
    let ours = results.iter().map(|result| {
        let distance = result["depth"].as_u64().unwrap_or_default();
        label(&node_key(&result["node"]), &id(result), distance)
    });
    let rows = rows
        .iter()
        .map(|row| (row.sure, label(&row.place(), &row.id, row.distance)));
    compare(rows.collect(), &ours.collect(), "subclasses")
}

/// Checks that everything reachable by the class's own calls is listed, no deeper than they reach
/// it; the answer may have more.
fn callees(rows: &[Row], results: &[Value]) -> Verdict {
    let depths: BTreeMap<String, u64> = results
        .iter()
        .map(|result| {
            let depth = result["depth"].as_u64().unwrap_or(u64::MAX);
            (node_key(&result["node"]), depth)
        })
        .collect();
    let label = |row: &Row| format!("{} at depth {}", row.id, row.depth);
    let ours = rows
        .iter()
        .filter(|row| {
            depths
                .get(&row.place())
                .is_some_and(|depth| *depth <= row.depth)
        })
        .map(label);
    let ours = ours.collect();
    let rows = rows.iter().map(|row| (row.sure, label(row))).collect();
    compare(rows, &ours, "methods")
}

/// Checks that the overrides, and nothing else, are `implementation`; that callers of the method
/// itself are `direct_caller`, which others may be too; and that all of them must be updated.
fn impact(rows: &[Row], results: &[Value]) -> Verdict {
    let label = |kind: &str, id: &str| format!("{kind} {id}");
    let overrides: BTreeMap<String, &Row> = rows
        .iter()
        .filter(|row| row.kind == "override")
        .map(|row| (row.place(), row))
        .collect();
    let callers: BTreeMap<String, &Row> = rows
        .iter()
        .filter(|row| row.kind == "caller")
        .map(|row| (row.place(), row))
        .collect();
    let mut ours = BTreeSet::new();
    for result in results {
        let kind = result["impact_type"].as_str().unwrap_or_default();
        let must_update = result["severity"] == "must_update";
        let place = node_key(&result["node"]);
        if kind == "implementation" {
            let key = label("implementation", &id(result));
            ours.insert(match (overrides.contains_key(&place), must_update) {
                (true, true) => key,
                (true, false) => format!("{key}, that need not be updated"),
                (false, _) => format!("{key} at {place}"),
            });
        }
        // A node is listed once: an override that calls the method may be either.
        let is_caller = kind == "direct_caller" || overrides.contains_key(&place);
        for (site, _) in sites(result) {
            if is_caller && must_update && callers.contains_key(&site) {
                ours.insert(label("direct_caller", &id(result)));
            }
        }
    }
    for (place, row) in &overrides {
        let calls_too = results.iter().any(|result| {
            node_key(&result["node"]) == *place && result["impact_type"] == "direct_caller"
        });
        if calls_too && callers.values().any(|caller| caller.id == row.id) {
            ours.insert(label("implementation", &row.id));
        }
    }
    let rows = rows.iter().map(|row| {
        let kind = match row.kind.as_str() {
            "override" => "implementation",
            _ => "direct_caller",
        };
        (row.sure, label(kind, &row.id))
    });
    compare(rows.collect(), &ours, "implementations and callers")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(id: &str, line: u64, kind: &str) -> Row {
        Row {
            id: id.to_owned(),
            file: "a.py".to_owned(),
            line,
            column: 5,
            kind: kind.to_owned(),
            depth: 2,
            distance: 2,
            sure: true,
        }
    }

    fn node(id: &str, line: u64) -> Value {
        json!({"id": id, "kind": "method", "file": "a.py", "name_line": line, "name_column": 5})
    }

    fn site(line: u64, resolution: &str) -> Value {
        json!({"file": "a.py", "line": line, "column": 5, "resolution": resolution})
    }

    #[test]
    fn a_site_that_only_values_reach_is_not_judged() {
        let unsure = Row {
            sure: false,
            ..row("m.g", 9, "")
        };
        let rows = [row("m.f", 3, ""), row("m.f", 4, ""), unsure];
        let result = |sites: Value| [json!({"node": node("m.f#2", 1), "sites": sites})];
        let right = callers(
            &rows,
            &result(json!([
                site(3, "exact"),
                site(4, "value"),
                site(7, "value")
            ])),
        );
        assert!(right.right, "{}", right.words);
        assert_eq!(right.words, "2 of 2 sites, 0 too much, 1 not judged");
        let wrong = callers(&rows, &result(json!([site(3, "exact"), site(7, "exact")])));
        assert_eq!(wrong.words, "1 of 2 sites, 1 too much");
        assert!(!wrong.right);
    }

    #[test]
    fn a_subclass_has_its_distance() {
        let rows = [row("m.C", 3, "")];
        let answer = |depth| [json!({"node": node("m.C", 3), "depth": depth})];
        assert!(subclasses(&rows, &answer(2)).right);
        assert!(!subclasses(&rows, &answer(1)).right);
        assert!(!subclasses(&rows, &[]).right);
    }

    #[test]
    fn a_callee_may_be_reached_sooner_but_not_later() {
        let rows = [row("m.C.f", 3, "")];
        let answer = |depth| {
            let other = json!({"node": node("m.other", 8), "depth": 1});
            [json!({"node": node("m.C.f", 3), "depth": depth}), other]
        };
        assert!(callees(&rows, &answer(1)).right);
        assert!(callees(&rows, &answer(2)).right);
        assert!(!callees(&rows, &answer(3)).right);
    }

    #[test]
    fn an_impact_names_overrides_and_callers() {
        let rows = [
            row("m.A.f", 3, "override"),
            row("m.B.f", 6, "override"),
            row("m.B.f", 7, "caller"),
            row("m.g", 9, "caller"),
        ];
        let one = |id: &str, line, kind: &str, sites: Value| json!({"node": node(id, line), "impact_type": kind, "severity": "must_update", "sites": sites});
        let mut results = vec![
            one("m.A.f", 3, "implementation", json!([])),
            one("m.B.f", 6, "direct_caller", json!([site(7, "exact")])),
            one("m.g", 8, "direct_caller", json!([site(9, "exact")])),
            one("m.h", 20, "direct_caller", json!([site(21, "exact")])),
        ];
        let verdict = impact(&rows, &results);
        assert!(verdict.right, "{:?}", verdict.differences);
        results[0]["severity"] = json!("review_needed");
        assert!(!impact(&rows, &results).right);
        results[0] = one("m.x", 40, "implementation", json!([]));
        let verdict = impact(&rows, &results);
        assert_eq!(
            verdict.differences,
            [
                "missing: implementation m.A.f",
                "too much: implementation m.x at a.py:40:5"
            ]
        );
    }
}
