//! Start-up: how long a client waits for its first answers, and which client starts the server.

use std::io;
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use codeweft_testing::clients::{Agent, Editor, Sandbox};

use crate::report::Report;

fn site(root: &Path) -> io::Result<Sandbox> {
    Sandbox::new(env!("CARGO_BIN_EXE_codeweft"), root)
}

/// Measures the time from the start of the process to the answer of `initialize`, with no server
/// running.
pub fn initialize(report: &mut Report, root: &Path, times: usize) -> io::Result<()> {
    let (mut editors, mut agents) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let mut site = site(root)?;
        site.end_server();
        let started = Instant::now();
        let (mut editor, _) = site.editor(&[])?;
        editor.initialize(root.to_str().unwrap_or_default(), &["utf-8"])?;
        editors.push(started.elapsed());
        drop(site);

        let mut site = self::site(root)?;
        let started = Instant::now();
        let (mut agent, _) = site.agent(&[])?;
        agent.initialize()?;
        agents.push(started.elapsed());
    }
    report.spread(
        "initialize-lsp",
        editors,
        "codeweft lsp: start to initialize's answer",
    );
    report.spread(
        "initialize-mcp",
        agents,
        "codeweft mcp: start to initialize's answer",
    );
    Ok(())
}

/// Measures the size of `cortex_graph` in `tools/list`: the characters of its compact JSON.
pub fn tool_size(report: &mut Report, root: &Path) -> io::Result<()> {
    let mut site = site(root)?;
    let (mut agent, _) = site.agent(&[])?;
    agent.initialize()?;
    let list = agent.ask("tools/list", serde_json::json!({}))?;
    let tools = list["tools"].as_array().cloned().unwrap_or_default();
    let tool = tools.iter().find(|tool| tool["name"] == "cortex_graph");
    let size = tool.map_or(0, |tool| tool.to_string().chars().count());
    report.figure(
        "tool-size",
        size as f64,
        "characters",
        "cortex_graph in tools/list",
    );
    Ok(())
}

/// Starts twenty clients at once, `times` times: how often there was not exactly one server, and
/// how many processes remained.
pub fn race(report: &mut Report, root: &Path, times: usize) -> Result<(), String> {
    const CLIENTS: usize = 20;
    let (mut wrong, mut left, mut unanswered) = (0, 0, 0);
    for round in 0..times {
        let site = site(root).map_err(|error| error.to_string())?;
        let start = Arc::new(Barrier::new(CLIENTS));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let subcommand = if client % 2 == 0 { "mcp" } else { "lsp" };
                let mut command = site.command(&[subcommand]);
                command.arg("--root").arg(root);
                let (start, root) = (start.clone(), root.to_owned());
                thread::spawn(move || -> io::Result<std::process::Child> {
                    use std::process::Stdio;
                    command.stdin(Stdio::piped()).stdout(Stdio::piped());
                    start.wait();
                    let mut child = command.spawn()?;
                    let ends = child.stdout.take().zip(child.stdin.take());
                    let (output, input) = ends.ok_or_else(|| io::Error::other("no pipes"))?;
                    let answered = ask(subcommand, &root, output, input);
                    if answered.is_err() {
                        child.kill()?;
                        child.wait()?;
                        answered?;
                    }
                    Ok(child)
                })
            })
            .collect();
        let mut children = Vec::new();
        for client in clients {
            match client.join() {
                Ok(Ok(child)) => children.push(child),
                Ok(Err(error)) => {
                    eprintln!("  round {round}: {error}");
                    unanswered += 1;
                }
                Err(_) => unanswered += 1,
            }
        }
        let ours: Vec<u32> = children.iter().map(std::process::Child::id).collect();
        let servers = |site: &Sandbox| {
            let all = site.processes();
            all.into_iter().filter(|pid| !ours.contains(pid)).count()
        };
        // The small process that starts the server ends by itself.
        let deadline = Instant::now() + Duration::from_secs(5);
        while servers(&site) != 1 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        wrong += usize::from(servers(&site) != 1);
        for mut child in children {
            let _ = child.kill();
            let _ = child.wait();
        }
        site.end_server();
        left += site.processes().len();
    }
    report.figure(
        "race-wrong",
        wrong as f64,
        "times",
        "20 clients at once: not exactly one server",
    );
    report.figure(
        "race-unanswered",
        unanswered as f64,
        "clients",
        "of them without an answer",
    );
    report.figure(
        "race-left",
        left as f64,
        "processes",
        "left over at the end",
    );
    Ok(())
}

/// Does a handshake, and gets an answer that only a server can give. The child continues to run.
fn ask(
    subcommand: &str,
    root: &Path,
    output: std::process::ChildStdout,
    input: std::process::ChildStdin,
) -> io::Result<()> {
    let words = root.to_str().unwrap_or_default();
    if subcommand == "mcp" {
        let mut agent = Agent::over(output, input);
        agent.initialize()?;
        agent.call(serde_json::json!({"operation": "definition", "target": "no.such.thing"}))?;
        std::mem::forget(agent);
    } else {
        let mut editor = Editor::over(output, input);
        editor.initialize(words, &["utf-8"])?;
        editor.ask("workspace/symbol", serde_json::json!({"query": "nosuch"}))?;
        std::mem::forget(editor);
    }
    Ok(())
}
