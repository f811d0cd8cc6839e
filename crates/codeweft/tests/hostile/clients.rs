//! Clients as processes, and common queries.

use std::fs;
use std::io;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use codeweft_testing::clients::{Agent, Editor};
use serde_json::{Value, json};

use crate::workspace::{self, LONG, TestWorkspace};

/// A process that is killed when the test ends.
pub struct Process(Child);

impl Process {
    /// Kills it (SIGKILL).
    pub fn kill(&mut self) {
        self.0.kill().expect("ours");
        self.0.wait().expect("it ends");
    }

    /// Waits for the process to end by itself; returns its exit code.
    pub fn code(&mut self) -> Option<i32> {
        let until = Instant::now() + LONG;
        loop {
            if let Some(status) = self.0.try_wait().expect("ours") {
                return status.code();
            }
            assert!(Instant::now() < until, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns its process id.
    pub fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that the test has ended it already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a client with pipes as its standard streams.
pub fn start(command: Command) -> (std::process::ChildStdout, std::process::ChildStdin, Process) {
    let (output, input, child) = workspace::start(command);
    (output, input, Process(child))
}

/// Returns an editor before its `initialize`.
pub fn new_editor(workspace: &TestWorkspace) -> (Editor, Process) {
    let (output, input, process) = start(workspace.command(&["lsp"]));
    (Editor::over(output, input), process)
}

/// Returns an editor after `initialize`.
pub fn editor(workspace: &TestWorkspace) -> (Editor, Process) {
    let (mut editor, process) = new_editor(workspace);
    editor
        .initialize(workspace.root(), &["utf-8"])
        .expect("answered");
    (editor, process)
}

/// Returns an agent before its `initialize`.
pub fn new_agent(workspace: &TestWorkspace) -> (Agent, Process) {
    let (output, input, process) = start(workspace.command(&["mcp"]));
    (Agent::over(output, input), process)
}

/// Returns an agent after `initialize`.
pub fn agent(workspace: &TestWorkspace) -> (Agent, Process) {
    let (mut agent, process) = new_agent(workspace);
    agent.initialize().expect("answered");
    (agent, process)
}

/// Returns the names of a function's callers from the agent, sorted.
pub fn callers(agent: &mut Agent, target: &str) -> Vec<String> {
    let reply = agent
        .call(json!({"operation": "callers", "target": target}))
        .expect("answered");
    assert!(!reply.error, "{}", reply.text);
    names(&reply.structured)
}

/// Returns the names of the results of a response, sorted.
pub fn names(response: &Value) -> Vec<String> {
    let results = response["results"].as_array().into_iter().flatten();
    let names = results.filter_map(|one| one["node"]["name"].as_str());
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names
}

/// Returns the names of a document's symbols from the editor, in source order.
pub fn symbols(editor: &mut Editor, path: &str) -> Vec<String> {
    let params = Editor::at(path, 0, 0);
    let symbols = editor.ask("textDocument/documentSymbol", params);
    let symbols = symbols.expect("answered");
    let names = symbols.as_array().into_iter().flatten();
    let names = names.filter_map(|symbol| symbol["name"].as_str());
    names.map(str::to_owned).collect()
}

/// Returns the code of the error that a request gets.
pub fn refused(editor: &mut Editor, method: &str, params: Value) -> i64 {
    let id = editor.send(method, params).expect("sent");
    let answer = editor.answer(id, LONG).expect("answered").message;
    answer["error"]["code"]
        .as_i64()
        .unwrap_or_else(|| panic!("{method}: {answer}"))
}

/// Polls until the condition holds, for at most `LONG`.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + LONG;
    while !holds() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the resident bytes of a process without file-backed pages.
pub fn resident(pid: u32) -> io::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let number = number.and_then(|number| number.parse::<u64>().ok());
    Ok(number.unwrap_or_default() << 10)
}

/// Returns whether the slow tests run.
pub fn slow(what: &str) -> bool {
    let slow = std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1");
    if !slow {
        println!("skipped: {what}; CODEWEFT_SLOW=1 runs it");
    }
    slow
}

/// Returns a message with its LSP header.
pub fn framed(content: &[u8]) -> Vec<u8> {
    let mut bytes = format!("Content-Length: {}\r\n\r\n", content.len()).into_bytes();
    bytes.extend_from_slice(content);
    bytes
}
