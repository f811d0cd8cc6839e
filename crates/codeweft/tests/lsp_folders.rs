//! Several workspace folders on one connection of an editor, over real processes.

mod fixture;
mod workspace;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Instant;

use codeweft_testing::clients::Editor;
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use workspace::{LONG, TestWorkspace, output_of, wait_for_end};

const PYTHON: &str = "def shared(): pass\n\ndef uses():\n    shared()\n";

/// A workspace of Go, and beside it a folder of Python.
struct TwoFolders {
    go: TestWorkspace,
    python: PathBuf,
}

impl TwoFolders {
    fn new() -> TwoFolders {
        let go = TestWorkspace::new();
        let root = Path::new(go.root());
        let text = "package m\n\nfunc Shared() {}\n\nfunc Uses() { Shared() }\n";
        fs::write(root.join("shared.go"), text).expect("written");
        let python = root.with_file_name("python");
        fs::create_dir(&python).expect("made");
        fs::write(python.join("pyproject.toml"), "[project]\nname = \"p\"\n").expect("written");
        fs::write(python.join("p.py"), PYTHON).expect("written");
        TwoFolders { go, python }
    }

    fn python(&self) -> &str {
        self.python.to_str().expect("UTF-8")
    }

    /// Starts an editor with these folders.
    fn editor(&self, folders: &[&str]) -> (Editor, Child) {
        let mut command = self.go.site.command(&["lsp"]);
        command
            .env("GOROOT", fixture::fixture("goroot-small"))
            .env("GOPATH", "/nonexistent")
            // Without Python's library, which takes long to read.
            .env("PATH", "/nonexistent")
            .env_remove("VIRTUAL_ENV");
        let (output, input, child) = workspace::start(command);
        let mut editor = Editor::over(output, input);
        let folders: Vec<Value> = folders.iter().map(|path| folder(path)).collect();
        let params = json!({"capabilities": {}, "workspaceFolders": folders});
        editor.ask("initialize", params).expect("answered");
        editor.notify("initialized", json!({})).expect("sent");
        (editor, child)
    }

    /// Returns the callers that the command line gets in a folder.
    fn callers(&self, root: &str, target: &str) -> Vec<String> {
        let arguments = ["query", "callers", target, "--json", "--root", root];
        let asked = output_of(&mut self.go.site.command(&arguments));
        let answer: Value = serde_json::from_str(&asked.out).expect("JSON");
        let results = answer["results"].as_array().expect("a list").iter();
        results
            .map(|one| one["node"]["name"].as_str().expect("a name").to_owned())
            .collect()
    }

    fn status(&self, root: &str) -> Value {
        let arguments = ["serve", "--status", "--json", "--root", root];
        let status = output_of(&mut self.go.site.command(&arguments));
        serde_json::from_str(&status.out).expect("JSON")
    }

    fn end(&self, editor: &mut Editor, mut child: Child, roots: &[&str]) {
        editor.ask("shutdown", Value::Null).expect("answered");
        editor.notify("exit", Value::Null).expect("sent");
        let status = child.wait().expect("it ends");
        assert!(status.success(), "{status}");
        for root in roots {
            let stopped = ["serve", "--stop", "--root", root];
            let stopped = output_of(&mut self.go.site.command(&stopped));
            assert_eq!(stopped.code, 0, "{root}: {stopped:?}");
        }
        self.go.nothing_is_left();
    }
}

fn folder(path: &str) -> Value {
    json!({"uri": format!("file://{path}"), "name": "w"})
}

/// Returns the names of the callers of what is at a place.
fn incoming(editor: &mut Editor, path: &str, line: u32, character: u32) -> Vec<String> {
    let at = Editor::at(path, line, character);
    let items = editor.ask("textDocument/prepareCallHierarchy", at);
    let items = items.expect("answered");
    if items.is_null() {
        return Vec::new();
    }
    let params = json!({"item": items[0]});
    let calls = editor.ask("callHierarchy/incomingCalls", params);
    let calls = calls.expect("answered");
    let mut names: Vec<String> = calls
        .as_array()
        .into_iter()
        .flatten()
        .map(|call| call["from"]["name"].as_str().expect("a name").to_owned())
        .collect();
    names.sort();
    names
}

fn symbols(editor: &mut Editor, query: &str) -> Vec<String> {
    let found = editor.ask("workspace/symbol", json!({"query": query}));
    let found = found.expect("answered");
    let found = found.as_array().expect("a list").iter();
    let mut names: Vec<String> = found
        .map(|one| one["name"].as_str().expect("a name").to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn two_folders_of_two_languages_are_answered_each_from_its_own_database() {
    let two = TwoFolders::new();
    let (go, python) = (two.go.root().to_owned(), two.python().to_owned());
    let (mut editor, child) = two.editor(&[&go, &python]);
    let (in_go, in_python) = (format!("{go}/shared.go"), format!("{python}/p.py"));
    assert_eq!(incoming(&mut editor, &in_go, 2, 5), ["Uses"]);
    assert_eq!(two.status(&python)["running"], false);
    editor.open(&in_python, PYTHON).expect("sent");
    assert_eq!(incoming(&mut editor, &in_python, 0, 4), ["uses"]);
    assert_eq!(symbols(&mut editor, "shared"), ["Shared", "shared"]);
    // Unsaved text of the second folder is in the answers of its own server.
    let typed = "\ndef typed():\n    shared()\n";
    editor
        .edit(&in_python, ((4, 0), (4, 0)), typed)
        .expect("sent");
    assert_eq!(incoming(&mut editor, &in_python, 0, 4), ["typed", "uses"]);
    assert_eq!(two.callers(&python, "p.shared"), ["typed", "uses"]);
    assert_eq!(two.callers(&go, "m.Shared"), ["Uses"]);

    // The server of the second folder is killed: the next one has the unsaved text.
    let killed = two.status(&python)["pid"].as_u64().expect("a number") as u32;
    let process = Pid::from_raw(killed as i32).expect("a process");
    rustix::process::kill_process(process, Signal::KILL).expect("ours");
    wait_for_end(killed);
    assert_eq!(incoming(&mut editor, &in_python, 0, 4), ["typed", "uses"]);
    assert_eq!(two.callers(&python, "p.shared"), ["typed", "uses"]);
    assert_eq!(symbols(&mut editor, "shared"), ["Shared", "shared"]);

    // Without the folder its server has no editor, and is asked nothing.
    let change =
        |added: &[Value], removed: &[Value]| json!({"event": {"added": added, "removed": removed}});
    let removed = change(&[], &[folder(&python)]);
    editor
        .notify("workspace/didChangeWorkspaceFolders", removed)
        .expect("sent");
    assert_eq!(symbols(&mut editor, "shared"), ["Shared"]);
    let until = Instant::now() + LONG;
    while two.callers(&python, "p.shared") != ["uses"] {
        assert!(Instant::now() < until, "the editor's text stays");
    }
    assert_eq!(two.status(&python)["editors"], 0);
    // Added again, the document that is still open is the server's again.
    let added = change(&[folder(&python)], &[]);
    editor
        .notify("workspace/didChangeWorkspaceFolders", added)
        .expect("sent");
    assert_eq!(incoming(&mut editor, &in_python, 0, 4), ["typed", "uses"]);
    assert_eq!(two.callers(&python, "p.shared"), ["typed", "uses"]);
    two.end(&mut editor, child, &[&go, &python]);
}

#[test]
fn a_folder_inside_another_with_a_root_of_its_own_has_its_own_server() {
    let two = TwoFolders::new();
    let go = two.go.root().to_owned();
    let inner = format!("{go}/inner");
    fs::create_dir(&inner).expect("made");
    fs::write(format!("{inner}/codeweft.toml"), "").expect("written");
    fs::write(format!("{inner}/p.py"), PYTHON).expect("written");
    let (mut editor, child) = two.editor(&[&go, &inner]);
    let in_inner = format!("{inner}/p.py");
    editor.open(&in_inner, PYTHON).expect("sent");
    let typed = "\ndef typed():\n    shared()\n";
    editor
        .edit(&in_inner, ((4, 0), (4, 0)), typed)
        .expect("sent");
    assert_eq!(incoming(&mut editor, &in_inner, 0, 4), ["typed", "uses"]);
    assert_eq!(two.callers(&inner, "p.shared"), ["typed", "uses"]);
    let in_go = format!("{go}/shared.go");
    assert_eq!(incoming(&mut editor, &in_go, 2, 5), ["Uses"]);
    two.end(&mut editor, child, &[&go, &inner]);
}

#[test]
fn two_folders_with_one_root_share_a_connection() {
    let two = TwoFolders::new();
    let go = two.go.root().to_owned();
    let folders = ["one", "two"].map(|name| {
        let folder = format!("{go}/{name}");
        fs::create_dir(&folder).expect("made");
        let text = format!("package {name}\n\nfunc F() {{ g() }}\n\nfunc g() {{}}\n");
        fs::write(format!("{folder}/x.go"), text).expect("written");
        folder
    });
    let (mut editor, child) = two.editor(&[&folders[0], &folders[1]]);
    for folder in &folders {
        let path = format!("{folder}/x.go");
        assert_eq!(incoming(&mut editor, &path, 4, 5), ["F"]);
    }
    assert_eq!(symbols(&mut editor, "shared"), ["Shared"]);
    assert_eq!(two.status(&go)["editors"], 1);
    two.end(&mut editor, child, &[&go]);
}
