//! Making of a recording: all questions, library by library, each library with a server of its own.

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

/// The time above which an answer is reported as slow.
const SLOW: Duration = Duration::from_secs(10);

/// Errors caused by a busy machine or a failure; a difference in such an answer proves little.
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

/// The source of the questions.
#[derive(Clone, Copy)]
pub enum Questions<'a> {
    /// Drawn from exports, with this seed.
    Drawn(u64),
    /// Those of another recording.
    Of(&'a Path),
}

/// Queries a binary and writes the recording.
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
        log_line(started, &format!("{}: the server is ready", library.name()));
        ask(&server, &about, &mut writer)?;
        log_line(
            started,
            &format!("{}: {} asked", library.name(), about.len()),
        );
    }
    writer.finish()?;
    log_line(
        started,
        &format!("{} answers in {}", questions.len(), out.display()),
    );
    Ok(())
}

/// Returns the questions about both libraries, with those about what the protocols announce.
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

/// Sends the questions about one library in order.
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

fn log_line(started: Instant, words: &str) {
    eprintln!("{:.0} s: {words}", started.elapsed().as_secs_f64());
}
