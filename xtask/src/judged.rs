//! `cargo xtask judge go`: one comparison, or those of the modules of the list.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use crate::judge::{self, Comparison, Score};
use crate::modules::{self, Module};
use crate::product::Product;
use crate::{completeness, locals};

/// Which modules of `judges/go/modules.tsv`.
#[derive(clap::Args)]
#[group(multiple = false, conflicts_with_all = ["corpus", "packages", "export", "locals", "dispatch"])]
pub struct Modules {
    /// A module of judges/go/modules.tsv: all of its packages, with tests and references, and the
    /// call graphs of its commands; with `--completeness` its complete answers
    #[arg(long, value_name = "PATH")]
    module: Option<String>,
    /// The same of every module there but those of the test set
    #[arg(long)]
    all_modules: bool,
    /// The same of the modules of the test set. It is judged once, when the work is done
    #[arg(long)]
    test_set: bool,
}

impl Modules {
    fn chosen(&self) -> Result<Option<Vec<Module>>> {
        Ok(match self {
            Modules {
                module: Some(path), ..
            } => Some(vec![modules::find(path)?]),
            Modules {
                all_modules: false,
                test_set: false,
                ..
            } => None,
            Modules { test_set, .. } => {
                let mut all = modules::all()?;
                all.retain(|module| module.is_test == *test_set);
                Some(all)
            }
        })
    }
}

/// The options of one comparison.
pub struct Wanted {
    pub packages: Vec<String>,
    pub corpus: Option<PathBuf>,
    pub export: Option<PathBuf>,
    pub tests: bool,
    pub references: bool,
    pub locals: Option<usize>,
    pub dispatch: Option<String>,
    pub completeness: Option<Vec<String>>,
    pub show: usize,
    pub json: Option<PathBuf>,
}

/// Compares and prints.
pub fn run(chosen: &Modules, wanted: Wanted) -> Result<ExitCode> {
    let figures = match chosen.chosen()? {
        Some(chosen) if wanted.completeness.is_some() => {
            completeness_of_modules(&chosen, wanted.show)?
        }
        Some(chosen) => all_of(&chosen, wanted.show)?,
        None => one(&wanted)?,
    };
    if let Some(file) = &wanted.json {
        std::fs::write(file, serde_json::to_string_pretty(&figures)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn one(wanted: &Wanted) -> Result<Value> {
    if let Some(count) = wanted.locals {
        return locals_of(wanted, count);
    }
    if let Some(commands) = &wanted.completeness {
        return completeness_of(wanted, commands);
    }
    if let Some(command) = &wanted.dispatch {
        let corpus = judge::corpus(wanted.corpus.as_deref())?;
        let export = match &wanted.export {
            Some(file) => file.clone(),
            None => judge::export(&corpus, false)?,
        };
        let score = judge::dispatch(&corpus, &export, command, None, wanted.show)?;
        score.print();
        return Ok(score.to_json());
    }
    let score = judge::score(&Comparison {
        corpus: wanted.corpus.clone(),
        packages: wanted.packages.clone(),
        tests: wanted.tests,
        references: wanted.references,
        export: wanted.export.clone(),
        workspace: None,
        show: wanted.show,
    })?;
    score.print();
    Ok(score.to_json())
}

/// The scores of a module: by the type checker, and by the call graph of each of its commands.
pub struct OfModule {
    pub types: Score,
    pub commands: Vec<(String, Score)>,
}

/// Exports a module and compares it with both judges.
pub fn of_module(module: &Module, show: usize) -> Result<OfModule> {
    let corpus = module.folder()?;
    let workspace = module.workspace()?;
    let export = judge::export(&corpus, true)?;
    let types = judge::score(&Comparison {
        corpus: Some(corpus.clone()),
        packages: module.patterns(),
        tests: true,
        references: true,
        export: Some(export.clone()),
        workspace: Some(workspace.clone()),
        show,
    })?;
    let mut commands = Vec::new();
    for command in &module.commands {
        let score = judge::dispatch(&corpus, &export, command, Some(&workspace), show)?;
        commands.push((command.clone(), score));
    }
    std::fs::remove_file(&export)?; // hundreds of megabytes
    Ok(OfModule { types, commands })
}

/// Queries the callers of a module's functions.
pub fn completeness_of_module(product: &Product, module: &Module) -> Result<completeness::Outcome> {
    let corpus = module.folder()?;
    let workspace = module.workspace()?;
    let patterns = module.patterns();
    let packages: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let commands: Vec<&str> = module.commands.iter().map(String::as_str).collect();
    completeness::measure(
        product,
        &completeness::Comparison {
            corpus: &corpus,
            packages: &packages,
            tests: true,
            commands: &commands,
            workspace: Some(&workspace),
        },
    )
}

/// Queries the callers of the functions of modules and prints the results.
fn completeness_of_modules(chosen: &[Module], show: usize) -> Result<Value> {
    let product = Product::build()?;
    let mut figures = serde_json::Map::new();
    for module in chosen {
        println!("# {} {}", module.path, module.version);
        let outcome = completeness_of_module(&product, module)?;
        outcome.print(show);
        figures.insert(module.path.clone(), rows_of(&outcome));
    }
    Ok(figures.into())
}

fn rows_of(outcome: &completeness::Outcome) -> Value {
    let rows = outcome.rows().into_iter();
    let rows = rows.map(|(name, part, whole)| {
        let row = json!({"part": part, "whole": whole});
        (name.to_owned(), row)
    });
    rows.collect::<serde_json::Map<_, _>>().into()
}

fn all_of(chosen: &[Module], show: usize) -> Result<Value> {
    if chosen.iter().any(|module| module.is_test) {
        println!(
            "The test set is judged once, when the work is done; a second run has to be told of."
        );
    }
    let mut figures = serde_json::Map::new();
    for module in chosen {
        println!("# {} {}", module.path, module.version);
        match of_module(module, show) {
            Ok(scores) => {
                scores.types.print();
                let mut of_it = json!({"types": scores.types.to_json()});
                for (command, score) in &scores.commands {
                    println!("## {command}");
                    score.print();
                    of_it[command] = score.to_json();
                }
                figures.insert(module.path.clone(), of_it);
            }
            // One failure does not hide the other results.
            Err(error) => println!("not judged: {error:#}"),
        }
    }
    Ok(figures.into())
}

/// Queries the callers of all functions.
fn completeness_of(wanted: &Wanted, commands: &[String]) -> Result<Value> {
    let corpus = judge::corpus(wanted.corpus.as_deref())?;
    let packages: Vec<&str> = wanted.packages.iter().map(String::as_str).collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let outcome = completeness::measure(
        &Product::build()?,
        &completeness::Comparison {
            corpus: &corpus,
            packages: &packages,
            tests: wanted.tests,
            commands: &commands,
            workspace: None,
        },
    )?;
    outcome.print(wanted.show);
    Ok(rows_of(&outcome))
}

/// Queries random local identifiers and prints how many answers are right.
fn locals_of(wanted: &Wanted, count: usize) -> Result<Value> {
    let corpus = judge::corpus(wanted.corpus.as_deref())?;
    let packages: Vec<&str> = wanted.packages.iter().map(String::as_str).collect();
    let mut flags = vec!["-uses"];
    flags.extend(wanted.tests.then_some("-tests"));
    let verdict = judge::verdict(&corpus, &packages, &flags)?;
    let lot = locals::sample(&verdict, count)?;
    let outcome = locals::score(&Product::build()?, &corpus, &lot)?;
    println!("{}", outcome.words());
    for one in outcome.differences.iter().take(wanted.show) {
        println!("{one}");
    }
    let (right, all) = outcome.counts();
    Ok(json!({"locals": {"part": right, "whole": all}}))
}
