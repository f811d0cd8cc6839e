//! The sixteen packages that the flow of Python's values is judged on: `flow_packages.tsv`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::product::Product;

use super::completeness::{self, Outcome};
use super::interpreter::Requirements;
use super::judge as judged;
use super::packages::{Package, source};
use super::trace::{self, Tracer};

const LIST: &str = include_str!("../../judges/python/flow_packages.tsv");

/// Every package whose number is a multiple of this belongs to the test set.
const TEST_SET: usize = 4;

/// A call with more targets is a hub: it runs whatever was registered.
const HUB: u64 = 32;

/// The rows of `score.py` that are printed, each below its heading.
const COLUMNS: [(&str, &str); 8] = [
    ("call", "recall call"),
    ("library", "recall library"),
    ("site", "recall site"),
    ("class", "recall class"),
    ("implicit", "recall implicit"),
    ("via_c", "recall via_c"),
    ("precision", "precision exact"),
    ("claimed", "claimed exact"),
];

/// The row of the targets.
const TARGETS: &str = "targets a site";

/// What to judge.
#[derive(clap::Args)]
pub struct Flow {
    /// The packages of the test set, which are judged once, instead of the others
    #[arg(long)]
    test_set: bool,
    /// Only this package
    #[arg(long)]
    package: Option<String>,
    /// Only download the packages and trace their tests, and judge nothing
    #[arg(long, conflicts_with_all = ["binary", "show"])]
    fetch: bool,
    /// Ask for the callers and callees of all that ran, and compare the answers that call themselves complete
    #[arg(long, conflicts_with = "fetch")]
    completeness: bool,
    /// How many misses and wrong edges of each package to print
    #[arg(long, default_value_t = 0)]
    show: usize,
    /// The `codeweft` to judge; without it $CODEWEFT_BINARY, else a release build
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// A package of the list.
struct Listed {
    package: Package,
    /// Whether it belongs to the test set, which is judged only once.
    is_test: bool,
}

/// Reads the list. The packages are sorted by the SHA-256 of their names; every fourth belongs to
/// the test set.
fn read(list: &'static str) -> Result<Vec<Listed>> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let mut all = lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, version, _kind, path, tests, words] = fields[..] else {
                bail!("flow_packages.tsv: not six fields: {line}");
            };
            let path = if path == "." { "" } else { path };
            // The list is a constant; so are its parts.
            let split = |field: &'static str| -> &'static [&'static str] {
                let parts = field.split(' ').filter(|part| *part != "-");
                Vec::leak(parts.collect())
            };
            let module = if name.contains('-') {
                String::leak(name.replace('-', "_"))
            } else {
                name
            };
            let mut package = source(name, version, path, Some(split(words)));
            package.module = module;
            package.tests = split(tests);
            package.requirements = Requirements::Flow;
            Ok(package)
        })
        .collect::<Result<Vec<_>>>()?;
    all.sort_by_cached_key(|package| Sha256::digest(package.name).to_vec());
    let numbered = all.into_iter().enumerate();
    Ok(numbered
        .map(|(at, package)| Listed {
            package,
            is_test: (at + 1).is_multiple_of(TEST_SET),
        })
        .collect())
}

/// Returns the packages to judge.
fn wanted(flow: &Flow) -> Result<Vec<Package>> {
    let mut all = read(LIST)?;
    all.retain(|one| one.is_test == flow.test_set);
    let mut packages: Vec<Package> = all.into_iter().map(|one| one.package).collect();
    if let Some(name) = &flow.package {
        let names: Vec<&str> = packages.iter().map(|one| one.name).collect();
        let names = names.join(", ");
        packages.retain(|one| one.name == name);
        if packages.is_empty() {
            bail!("there is no {name} among {names}");
        }
    }
    Ok(packages)
}

/// A row of `score.py`.
#[derive(Deserialize, Clone, Default, PartialEq, Eq, Debug)]
struct Row {
    part: u64,
    whole: u64,
    /// Of the targets: how many sites have how many.
    #[serde(default)]
    widths: BTreeMap<u64, u64>,
}

/// The figures of one package, or the sums over several.
#[derive(Deserialize, Clone, Default, PartialEq, Eq, Debug)]
#[serde(transparent)]
pub struct Figures {
    rows: BTreeMap<String, Row>,
}

/// How many sites have how many targets.
pub struct Widths(BTreeMap<u64, u64>);

impl Widths {
    fn sites(&self) -> u64 {
        self.0.values().sum()
    }

    /// Returns the mean; 0 without any site.
    pub fn mean(&self) -> f64 {
        let sum: u64 = self.0.iter().map(|(width, sites)| width * sites).sum();
        sum as f64 / self.sites().max(1) as f64
    }

    /// Returns the 99th percentile; 0 without any site.
    pub fn high(&self) -> u64 {
        let sites = self.sites();
        let rank = (sites * 99 / 100).min(sites.saturating_sub(1));
        let mut before = 0;
        let high = self.0.iter().find_map(|(width, sites)| {
            before += sites;
            (before > rank).then_some(*width)
        });
        high.unwrap_or_default()
    }

    /// Returns the mean and the 99th percentile: `1.22/4`.
    fn words(&self) -> String {
        if self.sites() == 0 {
            return "-".to_owned();
        }
        format!("{:.2}/{}", self.mean(), self.high())
    }
}

impl Figures {
    fn read(file: &Path) -> Result<Figures> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Adds the counts of another package.
    fn add(&mut self, other: &Figures) {
        for (name, row) in &other.rows {
            let sum = self.rows.entry(name.clone()).or_default();
            sum.part += row.part;
            sum.whole += row.whole;
            for (width, sites) in &row.widths {
                *sum.widths.entry(*width).or_default() += sites;
            }
        }
    }

    /// Returns a part and the whole of a row.
    pub fn row(&self, name: &str) -> (u64, u64) {
        let row = self.rows.get(name);
        row.map_or((0, 0), |row| (row.part, row.whole))
    }

    fn widths(&self) -> Widths {
        let row = self.rows.get(TARGETS);
        Widths(row.map(|row| row.widths.clone()).unwrap_or_default())
    }

    /// Returns the targets of the sites that are no hubs.
    pub fn outside_of_hubs(&self) -> Widths {
        let mut widths = self.widths();
        widths.0.retain(|width, _| *width <= HUB);
        widths
    }

    /// Returns the number of hubs.
    pub fn hubs(&self) -> u64 {
        self.widths().sites() - self.outside_of_hubs().sites()
    }

    /// Returns the cells of a line: shares in percent, the targets of all sites, those outside of
    /// hubs, and the number of hubs.
    fn cells(&self) -> Vec<String> {
        let mut cells: Vec<String> = COLUMNS
            .iter()
            .map(|(_, name)| match self.rows.get(*name) {
                Some(row) if row.whole > 0 => {
                    format!("{:.1}", 100.0 * row.part as f64 / row.whole as f64)
                }
                _ => "-".to_owned(),
            })
            .collect();
        cells.extend([self.widths().words(), self.outside_of_hubs().words()]);
        cells.push(self.hubs().to_string());
        cells.push(match self.rows.get("recall call") {
            Some(row) => row.whole.to_string(),
            None => "-".to_owned(),
        });
        cells
    }
}

/// Returns the line of the headings.
fn headings() -> Vec<String> {
    let shares = COLUMNS.iter().map(|(heading, _)| *heading);
    let others = ["targets", "no hubs", "hubs", "pairs"];
    shares.chain(others).map(str::to_owned).collect()
}

fn print(name: &str, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| format!(" {cell:>9}")).collect();
    println!("{name:24}{}", cells.concat());
}

/// Traces what is not traced yet, judges, and prints a line for each package and one for all.
pub fn judge(flow: &Flow) -> Result<ExitCode> {
    let packages = wanted(flow)?;
    if flow.fetch {
        return Ok(fetch(&packages));
    }
    let product = match &flow.binary {
        Some(binary) => Product::of(binary.canonicalize()?),
        None => Product::build()?,
    };
    if flow.completeness {
        return Ok(judge_completeness(&product, &packages, flow.show));
    }
    let mut pooled = Figures::default();
    let mut missing = 0;
    print("%", &headings());
    for package in &packages {
        match score(&product, package, flow.show) {
            Ok((figures, printed)) => {
                pooled.add(&figures);
                print(&package.label(), &figures.cells());
                if flow.show > 0 {
                    println!("{printed}");
                }
            }
            Err(error) => {
                missing += 1;
                println!("{}  not measured: {error:#}", package.label());
            }
        }
    }
    print("pooled", &pooled.cells());
    Ok(ExitCode::from(u8::from(missing > 0)))
}

/// Prints a line for each package and one for all: complete answers about callers, those outside of tests, those that lack a
/// caller that ran, and the same of callees.
fn judge_completeness(product: &Product, packages: &[Package], show: usize) -> ExitCode {
    let headings = [
        "asked",
        "complete",
        "%",
        "outside of tests",
        "%",
        "lacking",
        "callees complete",
        "lacking",
    ];
    print("", &headings.map(str::to_owned));
    let mut all = Outcome::default();
    let mut missing = 0;
    for package in packages {
        match completeness::of_package(product, package, show) {
            Ok(judged) => {
                print(&package.label(), &cells_of(&judged.outcome));
                if show > 0 {
                    println!("{}", judged.printed);
                }
                all.add(&judged.outcome);
            }
            Err(error) => {
                missing += 1;
                println!("{}  not measured: {error:#}", package.label());
            }
        }
    }
    print("pooled", &cells_of(&all));
    ExitCode::from(u8::from(missing > 0))
}

fn cells_of(outcome: &Outcome) -> Vec<String> {
    let share = |part: &str, whole: &str| {
        let (part, whole) = (outcome.count(part), outcome.count(whole));
        format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64)
    };
    vec![
        outcome.count("asked").to_string(),
        outcome.count("complete").to_string(),
        share("complete", "asked"),
        outcome.count("complete outside of tests").to_string(),
        share("complete outside of tests", "asked outside of tests"),
        outcome.lacking.len().to_string(),
        outcome.callees.count("complete").to_string(),
        outcome.callees.lacking.len().to_string(),
    ]
}

/// Returns the packages for development.
fn for_development() -> Result<Vec<Package>> {
    let all = read(LIST)?.into_iter();
    Ok(all
        .filter(|one| !one.is_test)
        .map(|one| one.package)
        .collect())
}

/// Returns the sums over the packages for development.
pub fn pooled(product: &Product) -> Result<Figures> {
    let mut pooled = Figures::default();
    for package in for_development()? {
        pooled.add(&score(product, &package, 0)?.0);
    }
    Ok(pooled)
}

/// Returns the same of the answers that call themselves complete.
pub fn pooled_answers(product: &Product) -> Result<Outcome> {
    let mut all = Outcome::default();
    for package in for_development()? {
        all.add(&completeness::of_package(product, &package, 0)?.outcome);
    }
    Ok(all)
}

/// Returns the figures of a package, and what `score.py` prints.
fn score(product: &Product, package: &Package, show: usize) -> Result<(Figures, String)> {
    let trace = trace::of(package, Tracer::Calls)?;
    let export = judged::export(product, package, &trace)?;
    let (figures, printed) = judged::compare(package, &trace, &export, show)?;
    Ok((Figures::read(&figures)?, printed))
}

/// Downloads and traces; prints how many tests passed.
fn fetch(packages: &[Package]) -> ExitCode {
    let mut missing = 0;
    for package in packages {
        match trace::of(package, Tracer::Calls) {
            Ok(trace) => println!("{}  {}", package.label(), trace.tests.words()),
            Err(error) => {
                missing += 1;
                println!("{}  not to be had: {error:#}", package.label());
            }
        }
    }
    ExitCode::from(u8::from(missing > 0))
}

#[cfg(test)]
mod tests;
