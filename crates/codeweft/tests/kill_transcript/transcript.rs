//! Running the exchange over real processes and pipes, and what is recorded of it.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Child;

use codeweft_testing::clients::{Agent, Editor};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::steps::{FILES, STEPS, Step};
use crate::workspace::{LONG, TestWorkspace, start, wait_for_end};

/// The fields that differ between two servers: the time that an answer took, the host that made an
/// item, and the number of changes that a server has seen.
const VOLATILE: [&str; 4] = ["took_ms", "query_time_ms", "instance", "revision"];

/// When the server is killed.
#[derive(Clone, Copy, Debug)]
pub enum Kill {
    /// Right before a step.
    Before(usize),
    /// When the step's message is written, before its answer is read.
    During(usize),
}

/// What is recorded of an exchange.
#[derive(PartialEq, Eq, Debug)]
pub struct Transcript {
    /// The answer to each step.
    pub answers: Vec<String>,
    /// The files that remain after the end.
    left: Vec<String>,
}

impl Transcript {
    /// Runs the exchange in a workspace of its own.
    pub fn record(kill: Option<Kill>) -> Transcript {
        let workspace = TestWorkspace::new();
        for (path, text) in FILES {
            let path = workspace.site.root().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        let mut exchange = Exchange::begin(&workspace);
        let mut answers = Vec::new();
        for (number, step) in STEPS.iter().enumerate() {
            if matches!(kill, Some(Kill::Before(at)) if at == number) {
                kill_server(&workspace);
            }
            let asked = exchange.send(step).expect("sent");
            if matches!(kill, Some(Kill::During(at)) if at == number) {
                kill_server(&workspace);
            }
            let answer = exchange.answer(asked).expect("answered");
            answers.push(stable(answer, workspace.root()));
        }
        exchange.end();
        // Nobody is connected any more.
        workspace.end();
        let mut left = Vec::new();
        list(&workspace.site.root().join(".codeweft"), &mut left);
        list(&workspace.runtime(), &mut left);
        left.sort();
        Transcript { answers, left }
    }

    /// Returns the first difference of another transcript from this one.
    pub fn difference(&self, other: &Transcript) -> Option<String> {
        let both = self.answers.iter().zip(&other.answers).enumerate();
        let mut differing = both.filter(|(_, (one, other))| one != other);
        if let Some((step, (one, other))) = differing.next() {
            return Some(format!("step {step}:\n  {one}\n  {other}"));
        }
        (self.left != other.left).then(|| format!("left: {:?}", other.left))
    }
}

/// The two clients.
struct Exchange<'a> {
    workspace: &'a TestWorkspace,
    editor: Editor,
    agent: Agent,
    processes: [Child; 2],
    /// The first item of the editor's last answer.
    item: Value,
}

/// A request that is not answered yet.
enum Asked {
    Editor(i64),
    Agent(i64),
    Nothing,
}

impl Exchange<'_> {
    fn begin(workspace: &TestWorkspace) -> Exchange<'_> {
        let (output, input, agent_process) = start(workspace.command(&["mcp"]));
        let mut agent = Agent::over(output, input);
        agent.initialize().expect("answered");
        let (output, input, editor_process) = start(workspace.command(&["lsp"]));
        let mut editor = Editor::over(output, input);
        let initialized = editor.initialize(workspace.root(), &["utf-16"]);
        initialized.expect("answered");
        let mut exchange = Exchange {
            workspace,
            editor,
            agent,
            processes: [agent_process, editor_process],
            item: Value::Null,
        };
        // Both are connected, and the server has its record.
        for step in [Step::Find("Total"), Step::Call("callers", "m.A", 1)] {
            let asked = exchange.send(&step).expect("sent");
            exchange.answer(asked).expect("answered");
        }
        exchange
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.workspace.root())
    }

    fn send(&mut self, step: &Step) -> io::Result<Asked> {
        let document = |path: &str| json!({"textDocument": {"uri": format!("file://{path}")}});
        match *step {
            Step::Open(name) => {
                let path = self.path(name);
                self.editor.open(&path, &fs::read_to_string(&path)?)?;
            }
            Step::Insert(name, at, text) => {
                self.editor.edit(&self.path(name), (at, at), text)?;
            }
            Step::Reload(name) => {
                let path = self.path(name);
                let mut params = document(&path);
                params["textDocument"]["version"] = 1000.into();
                params["contentChanges"] = json!([{"text": fs::read_to_string(&path)?}]);
                self.editor.notify("textDocument/didChange", params)?;
            }
            Step::Save(name) => {
                let path = self.path(name);
                // The only text that is saved.
                let typed = "package m\n\nfunc A() { B() }\n\nfunc C() { B() }\n\nfunc B() {}\n";
                fs::write(&path, typed)?;
                let params = document(&path);
                self.editor.notify("textDocument/didSave", params)?;
            }
            Step::Close(name) => {
                self.editor.close(&self.path(name))?;
            }
            Step::Append(name, text) => {
                let path = self.path(name);
                let old = fs::read_to_string(&path)?;
                fs::write(&path, format!("{old}{text}"))?;
            }
            Step::At(method, name, (line, character)) => {
                let mut params = Editor::at(&self.path(name), line, character);
                params["context"] = json!({"includeDeclaration": true});
                return Ok(Asked::Editor(self.editor.send(method, params)?));
            }
            Step::Item(method) => {
                let params = json!({"item": self.item});
                return Ok(Asked::Editor(self.editor.send(method, params)?));
            }
            Step::Find(query) => {
                let params = json!({"query": query});
                let id = self.editor.send("workspace/symbol", params)?;
                return Ok(Asked::Editor(id));
            }
            Step::Call(operation, target, depth) => {
                let ask = json!({"operation": operation, "target": target, "depth": depth});
                return Ok(Asked::Agent(self.agent.send_call(ask)?));
            }
        }
        Ok(Asked::Nothing)
    }

    /// Returns the whole answer but its id.
    fn answer(&mut self, asked: Asked) -> io::Result<Value> {
        let mut message = match asked {
            Asked::Editor(id) => self.editor.answer(id, LONG)?.message,
            Asked::Agent(id) => self.agent.answer(id, LONG)?.message,
            Asked::Nothing => return Ok(Value::Null),
        };
        if let Some(item) = message["result"].get(0) {
            self.item = item.clone();
        }
        message["id"].take();
        Ok(message)
    }

    /// Ends both clients as they end by themselves.
    fn end(mut self) {
        self.editor.leave().expect("answered");
        drop((self.editor, self.agent));
        for process in &mut self.processes {
            let status = process.wait().expect("it ends");
            assert!(status.success(), "{status}");
        }
    }
}

fn kill_server(workspace: &TestWorkspace) {
    let server = workspace.server().0;
    let process = Pid::from_raw(server as i32).expect("a process");
    kill_process(process, Signal::KILL).expect("ours");
    wait_for_end(server);
}

/// Returns an answer as it is compared: every byte but the root and the volatile fields.
fn stable(mut answer: Value, root: &str) -> String {
    replace(&mut answer);
    answer.to_string().replace(root, "<root>")
}

fn replace(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if VOLATILE.contains(&name.as_str()) {
                    *value = "<volatile>".into();
                } else {
                    replace(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(replace),
        Value::String(text) => {
            if let Some(stable) = without_revision(text) {
                *text = stable;
            }
        }
        _ => {}
    }
}

/// Returns an answer's text without the revision, which ends its first line: `; r4`.
fn without_revision(text: &str) -> Option<String> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (first, revision) = first.rsplit_once("; r")?;
    let digits = !revision.is_empty() && revision.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| format!("{first}; r<volatile>\n{rest}"))
}

/// Adds the names of the files below a folder. Folders named by a hash of the root have none.
fn list(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            list(&entry.path(), names);
        } else {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
}
