//! `codeweft eval`: how well retrieval answers tasks whose right answer is known.

mod commit_tasks;
mod plan;
mod ranking;
mod repositories;
mod tree;
mod workers;

use std::path::{Path, PathBuf};

use clap::Args;
use codeweft_eval::{Outcome, Summary, Task};
use codeweft_retrieval::Weights;
use serde_json::json;

use crate::arguments::Quiet;
use crate::output::{counted, print, print_error};
use crate::workspace::WRONG_USE;
use plan::{Formula, Plan};
use workers::Failure;

/// The exit code if no task could be scored.
const NOTHING: u8 = 1;

/// The exit code of an internal error.
const INTERNAL: u8 = 3;

/// At most so many failures are printed.
const PRINTED_FAILURES: usize = 10;

/// `codeweft eval`.
#[derive(Debug, Args)]
#[command(
    after_help = "A task is a line of JSON: task_id, repo, commit_before, description, files_edited; also commit_after,
kind, cursor_file, query_terms, ranges, expected_bundle_should_contain, baseline_tokens_sent, notes. Each is run on the
tree of commit_before, which git reads from the repository's objects: nothing is checked out, and a bare clone is
enough. What is printed is reproducible, but for the times.

Printed are, in per cent: tasks whose edited files are all among the first 1, 3, 5 and 10 files (also of full text
search, BM25); edited files among the first 10; the mean reciprocal rank of the first edited file; of the bundle its
recall, the edited hunks that its rows cover, precision and recall of the files marked as likely; and its tokens beside
those of reading what grep finds for the five rarest names, the edited files, the whole tree. Whether an agent completes
its task with it is not measured: that needs a model.

Examples:
  codeweft eval tasks.jsonl --repositories ~/clones
  codeweft eval tasks.jsonl --repositories ~/clones --acc --json > outcomes.json
  codeweft eval --make-commit-tasks ~/clones/project --count 50 > tasks.jsonl

Exit codes: 0 printed, 1 no task could be run, 2 wrong use, 3 something broke inside."
)]
pub struct Eval {
    /// The file of tasks, a line of JSON each; - for standard input
    #[arg(
        value_name = "TASKS",
        required_unless_present = "make_commit_tasks",
        requires = "repositories"
    )]
    pub tasks: Option<PathBuf>,
    /// The folder with the clones, bare or not: OWNER+NAME, OWNER/NAME, OWNER__NAME or NAME, also with /repo or .git
    /// behind
    #[arg(long, value_name = "DIR")]
    pub repositories: Option<PathBuf>,
    /// The formula; without it all of them, side by side, and bundles by the first
    #[arg(long, value_enum)]
    pub profile: Option<Formula>,
    /// Only rank: no bundles and no tokens
    #[arg(long)]
    pub acc: bool,
    /// Another weight of a term of the measured formula, such as --weight ppr=0.5
    #[arg(long = "weight", value_name = "TERM=NUMBER", value_parser = weight)]
    pub weights: Vec<(String, f64)>,
    /// The tokens that a bundle has at most
    #[arg(long, value_name = "TOKENS", default_value_t = 3_500, value_parser = clap::value_parser!(u32).range(200..=32_000))]
    pub token_budget: u32,
    /// Rank without the history of the repository
    #[arg(long)]
    pub no_history: bool,
    /// Only tasks of this repository
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
    /// How many tasks that were not answered well to print
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub show: usize,
    /// How many threads work on tasks
    #[arg(long, value_name = "COUNT", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub threads: u32,
    /// Print the summary and each task as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Print tasks made of the commits of this clone instead: those that edit one to five source files and are no
    /// merge, the message as the text, newest first
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["tasks", "repositories", "profile", "acc", "json", "show"]
    )]
    pub make_commit_tasks: Option<PathBuf>,
    /// How many tasks are made at most
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 50,
        requires = "make_commit_tasks"
    )]
    pub count: usize,
    /// The commit whose history tasks are made of
    #[arg(
        long,
        value_name = "REVISION",
        default_value = "HEAD",
        requires = "make_commit_tasks"
    )]
    pub revision: String,
    /// How much is said
    #[command(flatten)]
    pub quiet: Quiet,
}

/// Runs tasks or makes them; returns the exit code.
pub fn run(eval: &Eval) -> u8 {
    if let Some(folder) = &eval.make_commit_tasks {
        return make(eval, folder);
    }
    let (Some(tasks), Some(repositories)) = (&eval.tasks, &eval.repositories) else {
        // The arguments are declared so that both are there.
        print_error("name a file of tasks, and the folder with the clones by --repositories");
        return WRONG_USE;
    };
    let mut tasks = match read(tasks) {
        Ok(tasks) => tasks,
        Err(words) => {
            print_error(&words);
            return WRONG_USE;
        }
    };
    if let Some(only) = &eval.only {
        tasks.retain(|task| task.repo == *only);
    }
    if !repositories.is_dir() {
        let folder = repositories.display();
        print_error(&format!(
            "{folder} is no folder: name the one that holds the clones"
        ));
        return WRONG_USE;
    }
    let mut weights = Weights::default();
    for (name, value) in &eval.weights {
        if let Err(words) = weights.set(name, *value) {
            print_error(&words);
            return WRONG_USE;
        }
    }
    let plan = Plan {
        repositories,
        weights,
        formulas: match &eval.profile {
            Some(only) => std::slice::from_ref(only),
            None => &Formula::ALL,
        },
        token_budget: (!eval.acc).then_some(eval.token_budget),
        history: !eval.no_history,
        threads: eval.threads as usize,
        quiet: eval.quiet.quiet,
    };
    match workers::run(&plan, &tasks) {
        Ok((outcomes, failures)) => report(eval, &outcomes, &failures),
        Err(error) => {
            print_error(&format!("the tasks could not be run: {error}"));
            INTERNAL
        }
    }
}

/// Parses a term with its weight.
fn weight(text: &str) -> Result<(String, f64), String> {
    let pair = text.split_once('=');
    let pair =
        pair.and_then(|(name, value)| Some((name.trim().to_owned(), value.trim().parse().ok()?)));
    pair.ok_or_else(|| "write the name of a term, =, and a number".to_owned())
}

fn make(eval: &Eval, folder: &Path) -> u8 {
    match commit_tasks::made_of(folder, &eval.revision, eval.count) {
        Ok(lines) if lines.is_empty() => {
            print_error("no commit edits one to five source files with a message of three words");
            NOTHING
        }
        Ok(lines) => print(&lines, 0),
        Err(words) => {
            print_error(&words);
            WRONG_USE
        }
    }
}

/// Reads a file of tasks.
fn read(path: &Path) -> Result<Vec<Task>, String> {
    let name = path.display();
    let text = if path == Path::new("-") {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(path)
    };
    let text = text.map_err(|error| format!("{name} cannot be read: {error}"))?;
    Task::read_all(&text).map_err(|error| format!("{name}: {error}"))
}

fn report(eval: &Eval, outcomes: &[Outcome], failures: &[Failure]) -> u8 {
    for failure in failures.iter().take(PRINTED_FAILURES) {
        print_error(&format!("{}: {}", failure.task_id, failure.reason));
    }
    if let Some(more) = failures
        .len()
        .checked_sub(PRINTED_FAILURES)
        .filter(|more| *more > 0)
    {
        print_error(&format!("and {}", counted(more as u64, "task", "tasks")));
    }
    let code = if outcomes.is_empty() { NOTHING } else { 0 };
    let summary = Summary::of(outcomes);
    if eval.json {
        let failures: Vec<_> = failures
            .iter()
            .map(|failure| json!({"task_id": failure.task_id, "reason": failure.reason}))
            .collect();
        let all = json!({"summary": summary, "tasks": outcomes, "failures": failures});
        return print(&all.to_string(), code);
    }
    if outcomes.is_empty() {
        print_error("no task could be run");
        return code;
    }
    let mut text = summary.to_string();
    for outcome in hardest(outcomes).into_iter().take(eval.show) {
        text.push_str(&described(outcome));
    }
    print(&text, code)
}

/// The outcomes, those whose last edited file comes last at the beginning.
fn hardest(outcomes: &[Outcome]) -> Vec<&Outcome> {
    let mut all: Vec<(usize, &Outcome)> = outcomes
        .iter()
        .map(|outcome| {
            let positions = outcome.positions.get(Formula::Measured.name());
            let last = positions.and_then(|positions| {
                let each = positions.0.iter().map(|one| one.unwrap_or(usize::MAX));
                each.max()
            });
            (last.unwrap_or(0), outcome)
        })
        .collect();
    all.sort_by(|one, other| {
        other
            .0
            .cmp(&one.0)
            .then(one.1.task_id.cmp(&other.1.task_id))
    });
    all.into_iter().map(|(_, outcome)| outcome).collect()
}

/// A task with the positions of its edited files and what was ranked first.
fn described(outcome: &Outcome) -> String {
    let mut text = format!("\n\n{} ({} files)", outcome.task_id, outcome.files);
    for (name, positions) in &outcome.positions {
        let edited = outcome.edited.iter().zip(&positions.0);
        let edited: Vec<String> = edited
            .map(|(path, position)| match position {
                Some(position) => format!("{path} at {position}"),
                None => format!("{path} not at all"),
            })
            .collect();
        text.push_str(&format!("\n  {name}: {}", edited.join(", ")));
        if let Some(first) = outcome.first.get(name) {
            text.push_str(&format!("\n    first {}", first.join(", ")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use codeweft_eval::Positions;

    use super::*;

    #[test]
    fn a_weight_is_a_name_and_a_number() {
        assert_eq!(weight("ppr = -0.5"), Ok(("ppr".to_owned(), -0.5)));
        assert!(weight("ppr").is_err() && weight("ppr=x").is_err());
    }

    #[test]
    fn tasks_whose_last_edited_file_comes_last_are_the_hardest() {
        let outcome = |task_id: &str, positions: &[Option<usize>]| Outcome {
            task_id: task_id.to_owned(),
            edited: vec!["a".to_owned(), "b".to_owned()],
            positions: [("measured".to_owned(), Positions(positions.to_vec()))].into(),
            first: [("measured".to_owned(), vec!["x".to_owned()])].into(),
            ..Outcome::default()
        };
        let outcomes = [
            outcome("easy", &[Some(1), Some(2)]),
            outcome("hard", &[Some(1), None]),
            outcome("middle", &[Some(9), Some(1)]),
        ];
        let order: Vec<&str> = hardest(&outcomes)
            .iter()
            .map(|one| one.task_id.as_str())
            .collect();
        assert_eq!(order, ["hard", "middle", "easy"]);
        assert_eq!(
            described(&outcomes[1]),
            "\n\nhard (0 files)\n  measured: a at 1, b not at all\n    first x"
        );
    }
}
