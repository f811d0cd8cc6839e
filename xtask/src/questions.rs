//! The questions about the Go library whose true answers are known from the judge and from `go
//! list`.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::product::Product;
use crate::truth::{Key, Pair, Truth, node_key, plain};
use crate::{judge, place};

/// Whether an answer is the true one, and its differences.
pub struct Verdict {
    pub right: bool,
    /// One line: how much was right.
    pub words: String,
    /// The missing and the excess results, a line each.
    pub differences: Vec<String>,
}

/// Queries the product and has the truth; each source is made on first use.
#[derive(Default)]
pub struct Questions {
    source: OnceCell<PathBuf>,
    truth: OnceCell<Truth>,
    packages: OnceCell<Vec<GoPackage>>,
}

/// The output of `go list` about a package.
struct GoPackage {
    path: String,
    imports: BTreeSet<String>,
    test_imports: BTreeSet<String>,
    external_test_imports: BTreeSet<String>,
}

impl Questions {
    /// Returns GOROOT's sources, which are indexed and queried.
    pub fn source(&self) -> Result<&PathBuf> {
        once(&self.source, place::goroot_src)
    }

    /// Returns the truth about all packages of the library and of the commands, with their tests.
    pub fn truth(&self) -> Result<&Truth> {
        once(&self.truth, || {
            Truth::read(&judge::verdict(
                self.source()?,
                &["std", "cmd"],
                &["-tests"],
            )?)
        })
    }

    fn packages(&self) -> Result<&Vec<GoPackage>> {
        once(&self.packages, || {
            let listed = place::stdout(
                Command::new("go")
                    .args(["list", "-json=ImportPath,Imports,TestImports,XTestImports"])
                    .args(["std", "cmd"])
                    .env("CGO_ENABLED", "0")
                    .current_dir(self.source()?),
            )?;
            let names = |value: &Value| -> BTreeSet<String> {
                let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let names = all.iter().filter_map(|one| one.as_str());
                // These two are part of the compiler and have no nodes.
                names
                    .filter(|one| !matches!(*one, "unsafe" | "C"))
                    .map(str::to_owned)
                    .collect()
            };
            let mut packages = Vec::new();
            for package in serde_json::Deserializer::from_str(&listed).into_iter::<Value>() {
                let package = package.context("go list printed no JSON")?;
                packages.push(GoPackage {
                    path: package["ImportPath"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                    imports: names(&package["Imports"]),
                    test_imports: names(&package["TestImports"]),
                    external_test_imports: names(&package["XTestImports"]),
                });
            }
            Ok(packages)
        })
    }

    fn ask(&self, product: &Product, words: &[&str]) -> Result<Answer> {
        let answer = product.query(words, self.source()?)?;
        if answer["status"] == "error" {
            bail!("{}: {}", words.join(" "), answer["message"]);
        }
        Ok(Answer(answer))
    }

    /// Checks `callers`: every function that calls a function or method by its own name, with every
    /// site. Further sites that may run it must be among those of the class hierarchy; calls of
    /// function values are not judged.
    pub fn callers(&self, product: &Product, of: &str) -> Result<Verdict> {
        let truth = self.truth()?;
        let function = truth.find(of)?;
        let answer = self.ask(product, &["callers", of, "--max-results", "500"])?;
        let expected: BTreeSet<String> = truth
            .direct_sites(function)
            .iter()
            .map(|(caller, at)| site(truth.name(caller), at))
            .collect();
        let callers = truth.callers(function);
        let may_run: BTreeSet<String> = callers
            .iter()
            .flat_map(|(caller, sites)| sites.iter().map(|at| site(truth.name(caller), at)))
            .collect();
        let (mut direct, mut dispatched) = (BTreeSet::new(), BTreeSet::new());
        for result in answer.results() {
            let key = node_key(&result["node"]);
            let caller = if callers.contains_key(&key) {
                truth.name(&key).to_owned()
            } else {
                id(&result["node"])
            };
            for one in sites_of(result) {
                match one.resolution {
                    "exact" => direct.insert(site(&caller, &one.at)),
                    "dispatch" => dispatched.insert(site(&caller, &one.at)),
                    _ => false,
                };
            }
        }
        let mut verdict = compare(&direct, &expected, "sites");
        verdict.within(&dispatched, &may_run, "sites");
        verdict.whole(&answer);
        Ok(verdict)
    }

    /// Checks `callees` to a depth. Everything reachable by calls that declarations decide must be
    /// listed, no deeper than they reach it. Each listed site must be the judge's: of the function
    /// itself if it is `exact`, of an interface's method that it may run for if it is `dispatch`;
    /// calls of function values are not judged. The answer is truncated at each depth: what sorts
    /// after the last name of such a depth may be missing.
    pub fn callees(&self, product: &Product, of: &str, depth: u32) -> Result<Verdict> {
        const EACH: usize = 100;
        let truth = self.truth()?;
        let reached = truth.callees(truth.find(of)?, depth);
        let words = depth.to_string();
        let each = EACH.to_string();
        let mut request = vec!["callees", of, "--depth", &words];
        request.extend(["--max-results", "500", "--max-per-level", &each]);
        let answer = self.ask(product, &request)?;
        let mut listed: BTreeMap<Key, u32> = BTreeMap::new();
        let mut last: BTreeMap<u32, (usize, String)> = BTreeMap::new();
        let mut differences = Vec::new();
        let (mut exact, mut dispatched) = (0, 0);
        for result in answer.results() {
            let key = node_key(&result["node"]);
            let level = result["depth"].as_u64().unwrap_or_default() as u32;
            let name = id(&result["node"]);
            for one in sites_of(result) {
                let called = truth.called_at(&one.at);
                let right = match one.resolution {
                    "exact" => called == Some(&key),
                    "dispatch" => called.is_some_and(|called| truth.may_run(called, &key)),
                    _ => continue,
                };
                match one.resolution {
                    "exact" => exact += usize::from(right),
                    _ => dispatched += usize::from(right),
                }
                if !right {
                    let (at, resolution) = (&one.at, one.resolution);
                    differences.push(format!("too much: {name} at {at}, {resolution}"));
                }
            }
            let end = last.entry(level).or_default();
            *end = (end.0 + 1, name);
            listed.insert(key, level);
        }
        let extra = differences.len();
        let may_be_cut = |level: u32, name: &str| {
            let mut levels = last.range(..=level);
            levels.any(|(_, (count, end))| *count >= EACH && end.as_str() < name)
        };
        let (mut found, mut cut) = (0, 0);
        for (key, level) in &reached {
            let name = plain(truth.name(key));
            match listed.get(*key) {
                Some(at) if at <= level => found += 1,
                Some(at) => differences.push(format!("{name} at depth {at}, not {level}")),
                None if may_be_cut(*level, &name) => cut += 1,
                None => differences.push(format!("missing: {name} at depth {level}")),
            }
        }
        Ok(Verdict {
            right: differences.is_empty() && found > 0,
            words: format!(
                "{found} of {} listed, {cut} cut; {exact} exact sites and {dispatched} within the class \
                 hierarchy, {extra} too much",
                reached.len()
            ),
            differences,
        })
    }

    /// Checks the types of an interface, with their receivers.
    pub fn implementations(&self, product: &Product, of: &str) -> Result<Verdict> {
        let truth = self.truth()?;
        let expected = truth.implementations(truth.find(of)?);
        self.pairs(
            product,
            &["implementations", of, "--max-results", "500"],
            &expected,
        )
    }

    /// Checks the interfaces of a type, with its receivers.
    pub fn implements(&self, product: &Product, of: &str) -> Result<Verdict> {
        let truth = self.truth()?;
        let expected = truth.implements(truth.find(of)?);
        self.pairs(
            product,
            &["implements", of, "--max-results", "500"],
            &expected,
        )
    }

    fn pairs(&self, product: &Product, words: &[&str], pairs: &BTreeSet<Pair>) -> Result<Verdict> {
        let truth = self.truth()?;
        let answer = self.ask(product, words)?;
        let expected: BTreeSet<String> = pairs
            .iter()
            .map(|(key, receiver)| format!("{} by {receiver} ({key})", truth.name(key)))
            .collect();
        let ours: BTreeSet<String> = answer
            .results()
            .iter()
            .map(|result| {
                let key = node_key(&result["node"]);
                let receiver = result["receiver"].as_str().unwrap_or("no receiver");
                let name = match truth.name(&key) {
                    name if name == key => id(&result["node"]),
                    name => name.to_owned(),
                };
                format!("{name} by {receiver} ({key})")
            })
            .collect();
        let mut verdict = compare(&ours, &expected, "pairs");
        verdict.total(&answer, expected.len());
        Ok(verdict)
    }

    /// Checks the imports of a package, its own tests included.
    pub fn dependencies(&self, product: &Product, of: &str) -> Result<Verdict> {
        let package = self.packages()?.iter().find(|one| one.path == of);
        let package = package.with_context(|| format!("go list knows no {of}"))?;
        let expected = package
            .imports
            .union(&package.test_imports)
            .cloned()
            .collect();
        self.names(
            product,
            &["dependencies", of, "--max-results", "500"],
            &expected,
        )
    }

    /// Checks the importers of a package: packages, with their tests, and external test packages.
    pub fn dependents(&self, product: &Product, of: &str) -> Result<Verdict> {
        let mut expected = BTreeSet::new();
        for package in self.packages()? {
            if package.imports.contains(of) || package.test_imports.contains(of) {
                expected.insert(package.path.clone());
            }
            if package.external_test_imports.contains(of) {
                expected.insert(format!("{}_test", package.path));
            }
        }
        self.names(
            product,
            &["dependents", of, "--max-results", "500"],
            &expected,
        )
    }

    fn names(
        &self,
        product: &Product,
        words: &[&str],
        expected: &BTreeSet<String>,
    ) -> Result<Verdict> {
        let answer = self.ask(product, words)?;
        let ours = answer
            .results()
            .iter()
            .map(|result| id(&result["node"]))
            .collect();
        let mut verdict = compare(&ours, expected, "packages");
        verdict.total(&answer, expected.len());
        Ok(verdict)
    }

    /// Checks the shortest path from one function to another over calls that declarations decide.
    pub fn path(&self, product: &Product, from: &str, to: &str) -> Result<Verdict> {
        let truth = self.truth()?;
        let distance = truth.distance(truth.find(from)?, truth.find(to)?);
        let distance =
            distance.with_context(|| format!("the judge sees no way from {from} to {to}"))?;
        let answer = self.ask(product, &["path", from, "--to", to])?;
        let steps = answer.results();
        let mut differences = Vec::new();
        for pair in steps.windows(2) {
            let (before, after) = (node_key(&pair[0]["node"]), node_key(&pair[1]["node"]));
            if !truth.calls(&before, &after) {
                differences.push(format!(
                    "no call from {} to {}",
                    id(&pair[0]["node"]),
                    id(&pair[1]["node"])
                ));
            }
            let sites = pair[1]["sites"].as_array().cloned().unwrap_or_default();
            if !sites.iter().any(|one| one["resolution"] == "exact") {
                differences.push(format!("no exact site of {}", id(&pair[1]["node"])));
            }
        }
        let ends = [steps.first(), steps.last()].map(|one| one.map(|one| node_key(&one["node"])));
        if ends
            != [
                Some(truth.find(from)?.clone()),
                Some(truth.find(to)?.clone()),
            ]
        {
            differences.push("it does not lead from one to the other".to_owned());
        }
        let edges = steps.len().saturating_sub(1);
        Ok(Verdict {
            right: differences.is_empty() && edges == distance,
            words: format!("{edges} edges, the shortest has {distance}"),
            differences,
        })
    }
}

/// A site of an answer.
struct Site<'a> {
    at: String,
    resolution: &'a str,
}

fn sites_of(result: &Value) -> impl Iterator<Item = Site<'_>> {
    let sites = result["sites"].as_array().into_iter().flatten();
    sites.map(|one| {
        let file = one["file"].as_str().unwrap_or_default();
        Site {
            at: format!("{file}:{}:{}", one["line"], one["column"]),
            resolution: one["resolution"].as_str().unwrap_or_default(),
        }
    })
}

/// A response of `cortex_graph`.
struct Answer(Value);

impl Answer {
    fn results(&self) -> &[Value] {
        self.0["results"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default()
    }
}

impl Verdict {
    /// Compares `total_found` too.
    fn total(&mut self, answer: &Answer, expected: usize) {
        let found = answer.0["total_found"].as_u64();
        if found != Some(expected as u64) {
            self.right = false;
            let found = found.map_or("nothing".to_owned(), |found| found.to_string());
            self.words
                .push_str(&format!(", total_found {found} for {expected}"));
        }
    }

    /// Checks that our further results are among permitted ones.
    fn within(&mut self, ours: &BTreeSet<String>, most: &BTreeSet<String>, what: &str) {
        let beyond: Vec<&String> = ours.difference(most).collect();
        self.right &= beyond.is_empty();
        self.words.push_str(&format!(
            "; {} {what} by dispatch within the class hierarchy's {}, {} too much",
            ours.len() - beyond.len(),
            most.len(),
            beyond.len()
        ));
        let beyond = beyond.into_iter();
        self.differences
            .extend(beyond.map(|one| format!("beyond the class hierarchy: {one}")));
    }

    /// Checks that the answer is not truncated.
    fn whole(&mut self, answer: &Answer) {
        if answer.0["truncated"] != false {
            self.right = false;
            self.words.push_str(", cut");
        }
    }
}

fn compare(ours: &BTreeSet<String>, expected: &BTreeSet<String>, what: &str) -> Verdict {
    let missing: Vec<_> = expected
        .difference(ours)
        .map(|one| format!("missing: {one}"))
        .collect();
    let extra: Vec<_> = ours
        .difference(expected)
        .map(|one| format!("too much: {one}"))
        .collect();
    Verdict {
        right: missing.is_empty() && extra.is_empty() && !expected.is_empty(),
        words: format!(
            "{} of {} {what}, {} too much",
            expected.len() - missing.len(),
            expected.len(),
            extra.len()
        ),
        differences: missing.into_iter().chain(extra).collect(),
    }
}

fn site(caller: &str, at: &str) -> String {
    format!("{} at {at}", plain(caller))
}

fn id(node: &Value) -> String {
    node["id"].as_str().unwrap_or_default().to_owned()
}

fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if cell.get().is_none() {
        let value = make()?;
        let _ = cell.set(value);
    }
    cell.get().context("just made")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|one| (*one).to_owned()).collect()
    }

    #[test]
    fn a_comparison_reports_missing_and_excess_results() {
        let verdict = compare(&set(&["a", "c"]), &set(&["a", "b"]), "names");
        assert!(!verdict.right);
        assert_eq!(verdict.words, "1 of 2 names, 1 too much");
        assert_eq!(verdict.differences, ["missing: b", "too much: c"]);
        assert!(compare(&set(&["a"]), &set(&["a"]), "names").right);
    }

    #[test]
    fn nothing_expected_is_no_proof() {
        assert!(!compare(&set(&[]), &set(&[]), "names").right);
    }

    /// The judge knows every name that the bars query. Slow: minutes and gigabytes.
    #[test]
    fn the_judge_knows_the_names_in_the_bars() {
        if std::env::var_os("CODEWEFT_SLOW").is_none() {
            eprintln!("skipped: set CODEWEFT_SLOW=1");
            return;
        }
        let questions = Questions::default();
        let truth = questions.truth().unwrap();
        let key = |id| truth.find(id).unwrap();
        let counts = [
            ("callers", truth.callers(key("net/http.Server.Serve")).len()),
            (
                "callees",
                truth.callees(key("encoding/json.Marshal"), 3).len(),
            ),
            ("readers", truth.implementations(key("io.Reader")).len()),
            (
                "sorters",
                truth.implementations(key("sort.Interface")).len(),
            ),
            (
                "handlers",
                truth.implementations(key("net/http.Handler")).len(),
            ),
            ("of a buffer", truth.implements(key("bytes.Buffer")).len()),
        ];
        for (what, count) in counts {
            eprintln!("{what}: {count}");
            assert!(count > 5, "{what}: {count}");
        }
        let path = truth.distance(key("net/http.ListenAndServe"), key("syscall.Syscall"));
        eprintln!("path: {path:?}");
        assert!(path.is_some());
        assert!(
            questions
                .packages()
                .unwrap()
                .iter()
                .any(|one| one.path == "go/types")
        );
    }
}
