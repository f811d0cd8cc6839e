//! Asks all questions of a recording, library by library, each of a server of its own.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::place;

use super::graph::Graph;
use super::library::LIBRARIES;
use super::lsp_client::LspClient;
use super::mcp_client::McpClient;
use super::question::{Asked, Question};
use super::recording::{Answered, Reader, Roots, Writer};
use super::server::Server;
use super::{command_line, drawn, volatile};

/// Answers that took longer are named.
const SLOW: Duration = Duration::from_secs(10);

/// Errors that a busy machine or a fault gives; where such an answer differs, it proves little.
const FAILED: &[&str] = &[
    "\"error_type\":\"index_stale\"",
    "\"error_type\":\"index_unavailable\"",
    "\"error_type\":\"internal\"",
    "\"code\":-32603",
    "\"code\":-32801",
    "\"code\":-32802",
    "exit code 3\n",
    "it took longer than the deadline",
];

/// Where the questions come from.
#[derive(Clone, Copy)]
pub enum Questions<'a> {
    /// From exports, with this seed.
    Drawn(u64),
    /// From another recording.
    Of(&'a Path),
}

/// Asks a binary and writes the recording.
pub fn record(binary: &Path, out: &Path, questions: Questions<'_>) -> Result<()> {
    let started = Instant::now();
    let (roots, questions) = match questions {
        Questions::Of(recording) => {
            let recording = Reader::open(recording)?;
            (recording.roots.clone(), recording.questions()?)
        }
        Questions::Drawn(seed) => {
            let roots = Roots::find()?;
            let questions = drawn_from_exports(binary, &roots, seed)?;
            (roots, questions)
        }
    };
    roots.check()?;
    let mut writer = Writer::create(out, &roots)?;
    for library in LIBRARIES {
        let about = questions.iter().filter(|one| one.library == library);
        let about: Vec<&Question> = about.collect();
        if about.is_empty() {
            continue;
        }
        let server = Server::start(binary, roots.of(library))?;
        tell(started, &format!("{}: the server is ready", library.name()));
        ask(&server, &about, &mut writer)?;
        tell(
            started,
            &format!("{}: {} asked", library.name(), about.len()),
        );
    }
    writer.finish()?;
    tell(
        started,
        &format!("{} answers in {}", questions.len(), out.display()),
    );
    Ok(())
}

/// The questions about both libraries, with what the protocols offer.
fn drawn_from_exports(binary: &Path, roots: &Roots, seed: u64) -> Result<Vec<Question>> {
    let mut all = Vec::new();
    for library in LIBRARIES {
        let root = roots.of(library);
        let file = place::work()?.join(format!("answers-{}.json", library.name()));
        let mut export = Command::new(binary);
        export.args(["export", "--quiet", "--format", "json", "--edges", "calls"]);
        export.arg("--root").arg(root).arg("--output").arg(&file);
        place::stdout(&mut export)?;
        let graph = Graph::read(BufReader::new(File::open(&file)?))
            .with_context(|| format!("the export of {} cannot be read", root.display()))?;
        all.extend(drawn::handshakes(library));
        all.extend(drawn::questions(library, &graph, root, seed));
        std::fs::remove_file(&file)?;
    }
    Ok(all)
}

/// Asks the questions about one library in their order.
fn ask(server: &Server, questions: &[&Question], writer: &mut Writer) -> Result<()> {
    let mut mcp = McpClient::start(server)?;
    let mut lsp = LspClient::start(server)?;
    let home = server.home();
    for (at, &question) in questions.iter().enumerate() {
        let id = at + 1;
        let started = Instant::now();
        let answer = match &question.asked {
            Asked::CommandLine { words } => command_line::ask(server, words),
            Asked::Mcp { method, params } => mcp.ask(id, method, params),
            Asked::Lsp {
                method,
                params,
                open,
            } => lsp.ask(id, method, params, open.as_deref()),
        };
        let answer = answer.with_context(|| format!("asked {}", question.words()))?;
        if started.elapsed() > SLOW {
            let seconds = started.elapsed().as_secs();
            eprintln!("{seconds} s: {}", question.words());
        }
        if let Some(failed) = FAILED.iter().find(|one| answer.contains(**one)) {
            eprintln!("failed with {}: {}", failed.trim_end(), question.words());
        }
        writer.add(&Answered {
            question: question.clone(),
            answer: volatile::replaced(&answer, &home),
        })?;
    }
    Ok(())
}

fn tell(started: Instant, words: &str) {
    eprintln!("{:.0} s: {words}", started.elapsed().as_secs_f64());
}
