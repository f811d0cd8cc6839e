//! The judge of sizes: default questions by lot about the standard libraries and the projects of the
//! questions with names, asked through a real MCP client; the tokens of each answer, whether it says
//! what it leaves out, and the tokens of the same question answered by grep.
//!
//! ```text
//! corpora -> export -> graph -> targets by lot -> `codeweft mcp` -> answer ─┐
//!                        └─> functions, files  -> grep ─────────────────────┴> score
//! ```

mod answer;
mod corpus;
mod grep;
mod score;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::answers::drawn::{OPERATIONS, kinds};
use crate::answers::mcp_client::McpClient;
use crate::answers::random::Random;
use crate::answers::server::Server;
use crate::answers::targets::Targets;
use crate::asks::projects::Language;

use answer::Answer;
use corpus::Corpus;
use grep::Grep;

pub use score::{Asked, Score};

/// The number of questions.
pub const QUESTIONS: usize = 500;

/// The seed of the questions.
const SEED: u64 = 13;

/// Asks a binary about one folder or all corpora, and prints the figures.
pub fn run(
    binary: &Path,
    only: Option<(PathBuf, Language)>,
    count: usize,
    show: usize,
) -> Result<ExitCode> {
    let corpora = match only {
        Some((root, language)) => vec![Corpus::of(&root, language)?],
        None => corpus::all()?,
    };
    let score = ask(binary, &corpora, count)?;
    println!("{}", score.table());
    for words in score.differences().iter().take(show) {
        println!("{words}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Asks a binary about all corpora.
pub fn measure(binary: &Path) -> Result<Score> {
    ask(binary, &corpus::all()?, QUESTIONS)
}

/// Asks so many questions, as many about each corpus of a kind as about another.
fn ask(binary: &Path, corpora: &[Corpus], count: usize) -> Result<Score> {
    let mut score = Score::default();
    for (corpus, count) in corpora.iter().zip(corpus::shares(corpora, count)) {
        eprintln!("asking {count} questions about {}", corpus.name);
        ask_about(binary, corpus, count, &mut score)
            .with_context(|| format!("asking about {}", corpus.name))?;
    }
    Ok(score)
}

fn ask_about(binary: &Path, corpus: &Corpus, count: usize, score: &mut Score) -> Result<()> {
    let graph = corpus.export(binary)?;
    let mut grep = Grep::read(&corpus.root, corpus.library, &graph)?;
    let mut targets = Targets {
        library: corpus.library,
        graph: &graph,
        random: Random::new(SEED),
    };
    let server = Server::start(binary, &corpus.root)?;
    let mut client = McpClient::start(&server)?;
    client.ask(
        0,
        "initialize",
        &json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "xtask", "version": "0"}}),
    )?;
    for number in 1..=count {
        let operation = OPERATIONS[number % OPERATIONS.len()];
        let mut names = Vec::new();
        let arguments = if operation == "path" {
            let (from, to) = targets.ends();
            names.extend([from.name.clone(), to.name.clone()]);
            json!({"operation": operation, "target": from.id, "to": to.id})
        } else {
            let node = targets.node(kinds(operation, corpus.library));
            names.push(node.name.clone());
            json!({"operation": operation, "target": node.id})
        };
        let params = json!({"name": "cortex_graph", "arguments": arguments});
        let line = client.ask(number, "tools/call", &params)?;
        let message: Value = serde_json::from_str(&line)?;
        let answer =
            Answer::of(&message["result"]).with_context(|| format!("the answer to {arguments}"))?;
        names.sort();
        names.dedup();
        let by_grep = names.iter().map(|name| grep.tokens(name)).sum();
        score.asked.push(Asked {
            words: format!("{}: {arguments}", corpus.name),
            answer,
            by_grep,
        });
    }
    Ok(())
}

/// Returns the number of tokens of a text, in the vocabulary in which the product counts.
fn tokens(text: &str) -> usize {
    match tiktoken::get_encoding("o200k_base") {
        Some(vocabulary) => vocabulary.count(text),
        // It is compiled in.
        None => text.len(),
    }
}
