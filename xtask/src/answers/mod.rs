//! The check that a refactoring changed no answer: questions by command line, MCP and LSP about
//! both standard libraries are recorded with their answers, and two recordings are compared byte by
//! byte.
//!
//! ```text
//! go, python3 -> library  -> export -> graph -> targets, drawn -> questions
//!                                    or another recording      -> questions
//! questions -> server (command_line, mcp_client, lsp_client) -> answers -> volatile -> recording
//! two recordings -> compare
//! ```

mod command_line;
mod compare;
pub mod drawn;
pub mod graph;
pub mod library;
mod lsp_client;
pub mod mcp_client;
mod question;
pub mod random;
mod record;
mod recording;
pub mod server;
pub mod targets;
mod volatile;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use crate::place;
use crate::product::Product;

pub use compare::Comparison;

/// What is done with answers.
#[derive(Subcommand)]
pub enum Task {
    /// Asks 1,000 questions about the libraries of Go and Python and writes them with their answers.
    /// Takes minutes, and a server in each library's folder, where none may run yet
    Record {
        /// The `codeweft` to ask
        #[arg(long)]
        binary: PathBuf,
        /// The file to write
        #[arg(long)]
        out: PathBuf,
        /// Ask the questions of this recording again; without it they are drawn from exports
        #[arg(long, value_name = "RECORDING")]
        questions: Option<PathBuf>,
        /// What questions are drawn with
        #[arg(long, default_value_t = SEED, conflicts_with = "questions")]
        seed: u64,
    },
    /// Compares two recordings; ends with exit code 4 when an answer differs or is missing
    Compare {
        /// A recording
        before: PathBuf,
        /// A recording of the same questions
        after: PathBuf,
        /// How many differences to print
        #[arg(long, default_value_t = 10)]
        show: usize,
    },
}

/// The default seed of questions.
const SEED: u64 = 12;

/// Records or compares.
pub fn run(task: Task) -> Result<ExitCode> {
    match task {
        Task::Record {
            binary,
            out,
            questions,
            seed,
        } => {
            let questions = match &questions {
                Some(recording) => record::Questions::Of(recording),
                None => record::Questions::Drawn(seed),
            };
            record::record(&binary.canonicalize()?, &out, questions)?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Compare {
            before,
            after,
            show,
        } => {
            let comparison = compare::files(&before, &after)?;
            for one in comparison.differences.iter().take(show) {
                println!("{one}");
            }
            println!("{}", comparison.words());
            Ok(if comparison.differences.is_empty() {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(4)
            })
        }
    }
}

/// Compares the answers of a binary with those of a recording.
pub fn since(recording: &Path, product: &Product) -> Result<Comparison> {
    let after = place::work()?.join("answers.jsonl");
    record::record(product.binary(), &after, record::Questions::Of(recording))?;
    compare::files(recording, &after)
}
