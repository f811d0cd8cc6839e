//! The judge of names: 200 questions with names as people say them, about ten projects, and the
//! symbol that each answer is about.
//!
//! ```text
//! bench-data/asks.jsonl -> question ─┐
//! projects.tsv -> projects -> folder ┴> one `codeweft mcp` a project -> outcome -> score
//! ```

mod outcome;
pub mod projects;
mod question;
pub mod score;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::session::Session;

pub use outcome::Outcome;
use projects::{Language, Project};
use question::Question;
use score::{Judged, Score};

/// The languages, in the order of the tables.
pub const LANGUAGES: [Language; 2] = [Language::Go, Language::Python];

/// The outcomes of all questions.
pub struct Asked {
    pub judged: Vec<Judged>,
    /// The questions that were not answered for the symbol that is meant: what came instead.
    pub differences: Vec<String>,
    /// The expected symbols that the graph does not have, so that no answer can be right.
    pub unknown: Vec<String>,
}

/// Fetches the projects from their registries.
pub fn fetch() -> Result<ExitCode> {
    let mut missing = 0;
    for project in projects::all()? {
        match project.fetch() {
            Ok(folder) => println!("{}  {}", project.name, folder.display()),
            Err(error) => {
                missing += 1;
                println!("{}  not to be had: {error:#}", project.name);
            }
        }
    }
    Ok(ExitCode::from(u8::from(missing > 0)))
}

/// Asks a binary all questions, or those about one project, and prints the score.
pub fn run(binary: &Path, project: Option<&str>, show: usize) -> Result<ExitCode> {
    let asked = ask(binary, project)?;
    for language in LANGUAGES {
        let score = Score::of(&asked.judged, language, None);
        if score.asked() > 0 {
            println!(
                "{}\n\n{}\n",
                score::table(&asked.judged, language),
                words(&score)
            );
        }
    }
    for difference in asked.differences.iter().take(show) {
        println!("{difference}");
    }
    for unknown in &asked.unknown {
        println!("the graph has no {unknown}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the figures of a language in words.
pub fn words(score: &Score) -> String {
    format!(
        "{:.0} % answered by the first question, {:.0} % answered or first among the candidates, \
         {} wrong symbols answered",
        score.share(score.answered()),
        score.share(score.answered_or_first()),
        score.count(Outcome::Wrong),
    )
}

/// Asks a binary all questions, or those about one project, and judges the answers.
pub fn ask(binary: &Path, only: Option<&str>) -> Result<Asked> {
    let questions = question::all()?;
    let projects = projects::all()?;
    let chosen: Vec<&Project> = projects
        .iter()
        .filter(|project| only.is_none_or(|only| only == project.name))
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = projects.iter().map(|project| project.name).collect();
        bail!("no such project; there are {}", names.join(", "));
    }
    let mut asked = Asked {
        judged: Vec::new(),
        differences: Vec::new(),
        unknown: Vec::new(),
    };
    for project in chosen {
        eprintln!("asking about {}", project.name);
        let about = questions.iter().filter(|one| one.project == project.name);
        ask_about(binary, project, about, &mut asked)
            .with_context(|| format!("asking about {}", project.name))?;
    }
    Ok(asked)
}

/// Asks the questions about a project. Each is asked before anything is asked about what it expects.
fn ask_about<'a>(
    binary: &Path,
    project: &Project,
    questions: impl Iterator<Item = &'a Question> + Clone,
    asked: &mut Asked,
) -> Result<()> {
    let root = project.folder()?;
    let environment = project.environment()?;
    let variables: Vec<(&str, &Path)> = environment
        .iter()
        .map(|folder| ("VIRTUAL_ENV", folder.as_path()))
        .collect();
    let mut session = Session::start_with(binary, &root, &variables)?;
    for question in questions.clone() {
        let response = session.ask(&question.request())?;
        let outcome = Outcome::of(&response, &question.expected);
        if outcome != Outcome::Answered {
            asked.differences.push(format!(
                "{} {} ({}, expected {}): {}",
                outcome.name(),
                question.words(),
                question.kind,
                question.expected,
                outcome::instead(&response)
            ));
        }
        asked.judged.push(Judged {
            language: project.language,
            kind: question.kind.clone(),
            outcome,
        });
    }
    for question in questions {
        let response = session.ask(&question.request_of_expected())?;
        if Outcome::of(&response, &question.expected) != Outcome::Answered {
            asked
                .unknown
                .push(format!("{} ({})", question.expected, question.id));
        }
    }
    Ok(())
}
