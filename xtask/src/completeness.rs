//! Soundness of answers that claim to be complete: `callers` of every function is queried, and
//! compared with the type checker's and x/tools' call graphs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use crate::judge::{self, Program};
use crate::product::Product;
use crate::truth::{Key, Truth, node_key, scattered};

/// The maximum number of results that one answer lists.
const LISTED: u64 = 500;

/// The minimum number of functions that are queried, in random order, however long that takes.
const MIN_QUERIED: usize = 5_000;

/// The rows that bars limit: see [`Outcome::rows`].
pub const WITHOUT_STATIC: &str = "complete without a static caller";
pub const NEVER_VALUES: &str = "complete, of those never used as values";
pub const WITHOUT_VTA: &str = "complete without a caller of vta";

/// The time after which only the minimum is queried.
const TIME: Duration = Duration::from_secs(600);

/// The queries, and what they are compared with.
pub struct Comparison<'a> {
    /// The folder to index.
    pub corpus: &'a Path,
    pub packages: &'a [&'a str],
    pub tests: bool,
    /// Packages of commands whose call graphs are compared.
    pub commands: &'a [&'a str],
    /// The value of GOWORK for the go command.
    pub workspace: Option<&'a str>,
}

/// The numbers of answers by kind.
#[derive(Default, Debug)]
pub struct Outcome {
    /// Functions that the judge has, and those queried.
    pub known: usize,
    pub measure: usize,
    /// Answers that are truncated before all callers are listed.
    pub cut: usize,
    /// Answers that are errors.
    pub refused: usize,
    pub complete: usize,
    /// Complete answers that lack a caller of the type checker: caller, site, callee.
    pub lack_static: Vec<String>,
    /// Functions with a body that are never used as values, and those of them with a complete
    /// answer.
    pub never_values: usize,
    pub never_values_complete: usize,
    /// Complete answers about functions that a command's call graph reaches.
    pub reached: usize,
    /// Those of them that lack one of its callers.
    pub lack_vta: Vec<String>,
    /// Complete answers without a caller of the class hierarchy: value flow may exclude such sites.
    pub lack_hierarchy: usize,
    /// The numbers of incomplete answers by their first reason.
    pub reasons: BTreeMap<String, usize>,
}

impl Outcome {
    /// Returns the rows, each a part of a whole.
    pub fn rows(&self) -> [(&'static str, usize, usize); 7] {
        [
            (WITHOUT_STATIC, self.lack_static.len(), self.complete),
            (NEVER_VALUES, self.never_values_complete, self.never_values),
            (WITHOUT_VTA, self.lack_vta.len(), self.reached),
            ("complete, of all", self.complete, self.measure),
            (
                "complete without a class-hierarchy caller",
                self.lack_hierarchy,
                self.complete,
            ),
            ("cut, not compared", self.cut, self.measure),
            ("asked, by lot where not all", self.measure, self.known),
        ]
    }

    /// Returns a row's share.
    pub fn share(&self, name: &str) -> Option<f64> {
        let (_, part, whole) = self.rows().into_iter().find(|row| row.0 == name)?;
        (whole > 0).then(|| part as f64 / whole as f64)
    }

    /// Returns a row as counted.
    pub fn counts(&self, name: &str) -> String {
        match self.rows().into_iter().find(|row| row.0 == name) {
            Some((_, part, whole)) => format!("{part} of {whole}"),
            None => "not in the score".to_owned(),
        }
    }

    pub fn print(&self, show: usize) {
        for (name, part, whole) in self.rows() {
            let share = part as f64 / whole as f64;
            println!("{name:42} {part:8} / {whole:<8} {share:.5}");
        }
        if self.refused > 0 {
            println!("errors {}", self.refused);
        }
        for (reason, count) in &self.reasons {
            println!("not complete, first for {reason}: {count}");
        }
        for (what, lines) in [("static", &self.lack_static), ("vta", &self.lack_vta)] {
            for line in lines.iter().take(show) {
                println!("complete without a caller of {what}\t{line}");
            }
        }
    }
}

/// The callers that the judges know.
#[derive(Default)]
struct Callers {
    /// By callee, the callers and a site of each.
    of: HashMap<Key, BTreeMap<Key, String>>,
}

impl Callers {
    fn add(&mut self, callee: &str, caller: Key, at: &str) {
        let callers = self.of.entry(callee.to_owned()).or_default();
        callers.entry(caller).or_insert_with(|| at.to_owned());
    }

    /// Returns those that an answer does not list.
    fn lacking<'a>(
        &'a self,
        callee: &str,
        listed: &'a BTreeSet<Key>,
    ) -> impl Iterator<Item = (&'a Key, &'a str)> {
        let callers = self.of.get(callee).into_iter().flatten();
        callers
            .filter(|(caller, _)| !listed.contains(*caller))
            .map(|(caller, at)| (caller, at.as_str()))
    }
}

/// The verdicts of both judges.
#[derive(Default)]
struct Known {
    /// Functions and methods with their names, and whether they belong to interfaces.
    functions: BTreeMap<Key, (String, bool)>,
    values: HashSet<Key>,
    calls: Callers,
    vta: Callers,
    reached: HashSet<Key>,
    hierarchy: Truth,
}

impl Known {
    fn read(wanted: &Comparison<'_>) -> Result<Known> {
        let flags: &[&str] = if wanted.tests { &["-tests"] } else { &[] };
        let types = Program::Types;
        let verdict = types.verdict(wanted.corpus, wanted.packages, flags, wanted.workspace)?;
        let mut known = Known::default();
        judge::records(&verdict, |record| known.take(record))?;
        known.hierarchy = Truth::read(&verdict)?;
        for command in wanted.commands {
            let graph =
                Program::CallGraph.verdict(wanted.corpus, &[command], &[], wanted.workspace)?;
            judge::records(&graph, |record| known.take_graph(record))?;
        }
        Ok(known)
    }

    fn take(&mut self, record: judge::Record) {
        match record.k.as_str() {
            "func" if !record.id.contains("._@") => {
                let named = (record.id, record.iface_method);
                self.functions.insert(record.def, named);
            }
            "ref" => {
                self.values.insert(record.target_def);
            }
            "call" if record.kind == "static" => {
                let caller = caller_key(&record);
                self.calls.add(&record.callee_def, caller, &record.at);
            }
            _ => {}
        }
    }

    fn take_graph(&mut self, record: judge::Record) {
        match record.k.as_str() {
            "func" => {
                self.reached.insert(record.def);
            }
            // Calls outside of the workspace are in no answer.
            "site" if !record.at.starts_with('/') => {
                let caller = caller_key(&record);
                for target in record.targets.iter().filter(|target| !target.literal) {
                    self.vta.add(&target.def, caller.clone(), &record.at);
                }
            }
            _ => {}
        }
    }
}

/// Returns the function around a call; the package's folder for initialisers.
fn caller_key(record: &judge::Record) -> Key {
    if record.caller.ends_with(".<vars>") {
        let file = record.at.rsplitn(3, ':').nth(2).unwrap_or_default();
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("in {folder}")
    } else {
        record.caller_def.clone()
    }
}

/// Queries the callers of every function, in random order, and compares.
pub fn measure(product: &Product, wanted: &Comparison<'_>) -> Result<Outcome> {
    let known = Known::read(wanted)?;
    let mut functions: Vec<&Key> = known.functions.keys().collect();
    functions.sort_by_cached_key(|key| scattered(key));
    let mut session = product.session(wanted.corpus)?;
    let mut outcome = Outcome {
        known: functions.len(),
        ..Outcome::default()
    };
    let started = Instant::now();
    for function in functions {
        if outcome.measure >= MIN_QUERIED && started.elapsed() > TIME {
            break;
        }
        let answer = session.ask(&json!({"operation": "callers", "target": function,
            "depth": 1, "max_results": LISTED, "include_context": false}))?;
        outcome.take(&known, function, &answer);
    }
    Ok(outcome)
}

impl Outcome {
    fn take(&mut self, known: &Known, function: &Key, answer: &Value) {
        let Some((name, of_interface)) = known.functions.get(function) else {
            return;
        };
        self.measure += 1;
        let Some(results) = answer["results"].as_array() else {
            self.refused += 1;
            let kind = answer["error_type"].as_str().unwrap_or("without a kind");
            let reason = format!("an error, {kind}");
            *self.reasons.entry(reason).or_default() += 1;
            return;
        };
        let complete = answer["completeness"]["complete"] == true;
        if !of_interface && !known.values.contains(function) {
            self.never_values += 1;
            self.never_values_complete += usize::from(complete);
        }
        if !complete {
            let first = &answer["completeness"]["first"][0]["reason"];
            let reason = first.as_str().unwrap_or("no reason").to_owned();
            *self.reasons.entry(reason).or_default() += 1;
            return;
        }
        self.complete += 1;
        if answer["truncated"] == true {
            self.cut += 1;
            return;
        }
        let listed: BTreeSet<Key> = results.iter().map(|one| node_key(&one["node"])).collect();
        let printed = |(caller, at): (&Key, &str)| format!("{name}\tcalled at {at}\tby {caller}");
        let mut of_calls = known.calls.lacking(function, &listed);
        self.lack_static.extend(of_calls.next().map(printed));
        let of_hierarchy = known.hierarchy.callers(function);
        let mut callers = of_hierarchy.keys();
        self.lack_hierarchy += usize::from(callers.any(|caller| !listed.contains(*caller)));
        if known.reached.contains(function) {
            self.reached += 1;
            let mut of_vta = known.vta.lacking(function, &listed);
            self.lack_vta.extend(of_vta.next().map(printed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        let mut known = Known::default();
        let lines = [
            json!({"k": "func", "id": "p.F", "def": "p/a.go:1:6"}),
            json!({"k": "func", "id": "p.G", "def": "p/a.go:2:6"}),
            json!({"k": "func", "id": "p._@p/a.go:9:6", "def": "p/a.go:9:6"}),
            json!({"k": "ref", "caller": "p.F", "at": "p/a.go:1:9", "target_def": "p/a.go:2:6"}),
            json!({"k": "call", "kind": "static", "caller": "p.<vars>", "caller_def": "p/a.go:5:5",
                "at": "p/a.go:5:9", "callee_def": "p/a.go:1:6"}),
        ];
        for line in lines {
            known.take(serde_json::from_value(line).unwrap());
        }
        let lines = [
            json!({"k": "func", "id": "p.F", "def": "p/a.go:1:6"}),
            json!({"k": "site", "kind": "value", "at": "q/b.go:3:4", "caller": "q.H", "caller_def": "q/b.go:1:6",
                "targets": [{"id": "p.F", "def": "p/a.go:1:6"}, {"id": "p.G", "def": "p/a.go:2:6", "literal": true}]}),
        ];
        for line in lines {
            known.take_graph(serde_json::from_value(line).unwrap());
        }
        known
    }

    fn answer(complete: bool, callers: &[Value]) -> Value {
        let results: Vec<Value> = callers.iter().map(|node| json!({"node": node})).collect();
        json!({"results": results, "completeness": {"complete": complete,
            "first": [{"reason": "function_value"}]}})
    }

    #[test]
    fn a_complete_answer_without_a_caller_is_reported() {
        let known = known();
        let (f, g) = ("p/a.go:1:6".to_owned(), "p/a.go:2:6".to_owned());
        let package = json!({"kind": "package", "file": "p/a.go"});
        let caller =
            json!({"kind": "function", "file": "q/b.go", "name_line": 1, "name_column": 6});
        let outcome_of = |complete, callers: &[Value]| {
            let mut outcome = Outcome::default();
            outcome.take(&known, &f, &answer(complete, callers));
            outcome
        };
        let whole = outcome_of(true, &[package.clone(), caller.clone()]);
        assert_eq!((whole.complete, whole.reached), (1, 1));
        assert!(whole.lack_static.is_empty() && whole.lack_vta.is_empty());
        assert_eq!((whole.never_values, whole.never_values_complete), (1, 1));
        let lacks = outcome_of(true, &[caller]);
        assert_eq!(lacks.lack_static, ["p.F\tcalled at p/a.go:5:9\tby in p"]);
        let lacks = outcome_of(true, &[package]);
        assert_eq!(lacks.lack_vta.len(), 1);
        let open = outcome_of(false, &[]);
        assert_eq!((open.complete, open.lack_static.len()), (0, 0));
        assert_eq!(open.reasons["function_value"], 1);
        assert_eq!((open.never_values, open.never_values_complete), (1, 0));
        // G is used as a value; its literal is another function; the blank function has no callers.
        let mut outcome = Outcome::default();
        outcome.take(&known, &g, &answer(true, &[]));
        assert_eq!((outcome.never_values, outcome.lack_vta.len()), (0, 0));
        outcome.take(&known, &g, &json!({"error_type": "target_not_found"}));
        assert_eq!(outcome.refused, 1);
        assert_eq!(known.functions.len(), 2);
    }
}
