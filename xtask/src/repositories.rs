//! The judge of questions across repositories: `xtask/judges/repositories` over exports of Go modules and Python packages.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::modules::Module;
use crate::product::Product;
use crate::python::interpreter::{Requirements, environment};
use crate::python::packages;
use crate::{corpora, place};

/// The modules: path and version.
const MODULES: &str = include_str!("../judges/repositories/modules.tsv");

const ENGINES: &str = "duckdb,datafusion,spark";
const QUESTIONS: usize = 40;
const SPARK_QUESTIONS: usize = 4;

/// What to ask.
#[derive(clap::Args)]
pub struct Repositories {
    /// The engines, by commas; Spark needs Java
    #[arg(long, default_value = ENGINES)]
    engines: String,
    /// Of how many functions to ask an engine
    #[arg(long, default_value_t = QUESTIONS)]
    questions: usize,
    /// Of how many to ask Spark, which takes minutes for each
    #[arg(long, default_value_t = SPARK_QUESTIONS)]
    spark_questions: usize,
    /// The `codeweft` that exports; without it a release build
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// Runs the judge on the modules and on the packages, and prints what it says; fails if an engine differs.
pub fn judge(wanted: &Repositories) -> Result<ExitCode> {
    let mut differences = 0;
    for (name, said) in [
        ("modules", modules(wanted)?),
        ("packages", packages(wanted)?),
    ] {
        println!(
            "{name}: {} functions are called from another repository, of {} pairs of repositories",
            said["called"], said["pairs"]
        );
        for (engine, outcome) in said["engines"].as_object().into_iter().flatten() {
            let differ = outcome["differ"].as_array().map_or(&[][..], Vec::as_slice);
            println!(
                "  {engine}: {} asked, {} differ",
                outcome["asked"],
                differ.len()
            );
            for words in differ {
                println!("    {}", words.as_str().unwrap_or_default());
            }
            differences += differ.len();
        }
    }
    Ok(ExitCode::from(u8::from(differences > 0)))
}

/// Returns what the judge says of the Go modules and of the Python packages, asked what it asks by default.
pub fn figures() -> Result<[Value; 2]> {
    let wanted = Repositories::default();
    Ok([modules(&wanted)?, packages(&wanted)?])
}

impl Default for Repositories {
    fn default() -> Repositories {
        Repositories {
            engines: ENGINES.to_owned(),
            questions: QUESTIONS,
            spark_questions: SPARK_QUESTIONS,
            binary: None,
        }
    }
}

fn modules(wanted: &Repositories) -> Result<Value> {
    let lines = MODULES.lines().filter(|line| !line.starts_with('#'));
    let mut folders = Vec::new();
    for line in lines {
        let (path, version) = line.split_once('\t').context("modules.tsv: no version")?;
        let module = Module {
            path: path.to_owned(),
            version: version.to_owned(),
            nested: Vec::new(),
            commands: Vec::new(),
            is_test: false,
        };
        folders.push(module.bring()?);
    }
    asked(wanted, "modules", &folders)
}

/// Only those whose tests are traced: they use each other.
fn packages(wanted: &Repositories) -> Result<Value> {
    let traced = packages::PACKAGES.iter().filter(|one| one.traced.is_some());
    let folders = traced
        .map(packages::Package::bring)
        .collect::<Result<Vec<_>>>()?;
    asked(wanted, "packages", &folders)
}

fn asked(wanted: &Repositories, name: &str, folders: &[PathBuf]) -> Result<Value> {
    let python = environment(&corpora::folder()?, Requirements::Engines)?;
    let binary = match &wanted.binary {
        Some(binary) => binary.clone(),
        None => Product::build()?.binary().to_owned(),
    };
    let tables = place::work()?.join("repositories").join(name);
    corpora::emptied(&tables)?;
    let mut command = Command::new(python);
    command
        .arg("-B")
        .arg(place::root().join("xtask/judges/repositories/equal.py"))
        .arg("--codeweft")
        .arg(binary)
        .arg("--script")
        .arg(place::root().join("scripts/repositories.py"))
        .arg("--tables")
        .arg(tables)
        .args(["--engines", &wanted.engines])
        .args(["--questions", &wanted.questions.to_string()])
        .args(["--spark-questions", &wanted.spark_questions.to_string()])
        .args(folders);
    Ok(serde_json::from_str(&place::stdout(&mut command)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_modules_have_a_version_each() {
        let lines: Vec<_> = MODULES
            .lines()
            .filter(|line| !line.starts_with('#'))
            .collect();
        assert_eq!(lines.len(), 12);
        assert!(lines.iter().all(|line| line.split('\t').count() == 2));
    }
}
