//! No secret of a workspace is in anything that Codeweft answers, prints, logs or writes: planted in files of each language, in
//! documents, in literals that become routes and addresses, and in a text that is not saved.

mod fixture;
mod workspace;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use codeweft_testing::clients::{Editor, PATIENCE};
use codeweft_testing::texts;
use serde_json::{Value, json};
use workspace::{LONG, TestWorkspace};

/// The planted files. What is in angle brackets is a number of random letters; see [`Planted`].
const FILES: &str = r##"
//- config/settings.py
"""Settings."""
AWS = "AKIA<16>"
DB_PASSWORD = "<14>"


class Client:
    """Sends to ghp_<36>."""

    api_key: str = "<24>"

    def connect(self, token="<20>"):
        """Uses xoxb-281937465012-<24>."""
        secret = "<18>"
        return secret + token


def use(client: Client):
    return client.connect("glpat-<20>")


__all__ = ["Client", "use"]
//- clean.py
from config.settings import Client, use


def run():
    """Runs."""
    return use(Client())
//- server/main.go
package main

import "net/http"

// Key is AIza<35>.
const Key = "npm_<36>"

var password, name = "<16>", "x"

func hook(w http.ResponseWriter, r *http.Request) { check(password) }

func check(given string) bool { return given == Key }

func main() {
	http.HandleFunc("/hooks/ghp_<36>", hook)
	http.Get("http://app:<12>@pay:8080/charge")
}
//- server/Dockerfile
FROM golang:1.26
ENV SIGNING_SECRET=<30>
//- compose.yaml
services:
  server:
    build: ./server
    environment:
      PAY_ADDR: "http://pay:8080"
      DB_PASSWORD: <15>
      DATABASE: "postgres://app:<13>@db/orders"
  pay: {build: ./pay, env_file: pay/.env}
//- pay/.env
API_TOKEN=<32>
STRIPE=sk_live_<24>
//- pay/Dockerfile
FROM python:3.13
//- pay/openapi.yaml
openapi: 3.0.0
info: {title: Pay, version: 1.0.0}
servers: [{url: "https://app:<17>@shop/v1"}]
paths:
  /charge:
    get: {operationId: charge, summary: Bearer eyJ<20>.eyJ<40>.<43>}
"##;

/// A secret of a text that is not saved.
const UNSAVED: &str = "def clean():\n    \"\"\"Of dop_v1_<x64>.\"\"\"\n    password = \"<14>\"\n    return password\n\n\nclean()\n";

/// Texts with secrets, and the secrets.
struct Planted {
    state: u64,
    secrets: Vec<String>,
}

impl Planted {
    fn new() -> Planted {
        Planted {
            state: 0x9e37_79b9_7f4a_7c15,
            secrets: Vec::new(),
        }
    }

    /// Fills the holes of a text with random letters and digits (`<x64>`: hexadecimal digits).
    fn fill(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('<') {
            let (hole, behind) = behind.split_once('>').expect("a hole ends");
            let letters: &[u8] = match hole.strip_prefix('x') {
                Some(_) => b"0123456789abcdef",
                None if before.ends_with("AKIA") => b"ABCDEFGHJKLMNPQRSTUVWXYZ234567",
                None => b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789",
            };
            let length = hole.trim_start_matches('x').parse().expect("a number");
            let secret: String = (0..length)
                .map(|_| char::from(self.letter(letters)))
                .collect();
            out.push_str(before);
            out.push_str(&secret);
            self.secrets.push(secret);
            rest = behind;
        }
        out + rest
    }

    fn letter(&mut self, letters: &[u8]) -> u8 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        letters[(self.state % letters.len() as u64) as usize]
    }

    /// Fails if one of the secrets, or half of one, is in bytes.
    fn assert_absent(&self, bytes: &[u8], of: &str) {
        for secret in &self.secrets {
            for part in [&secret[..secret.len() / 2], &secret[secret.len() / 2..]] {
                let found = bytes
                    .windows(part.len())
                    .any(|window| window == part.as_bytes());
                assert!(!found, "a secret of {} letters is in {of}", secret.len());
            }
        }
    }

    /// Fails if a file below a folder has a secret, apart from those that the test wrote.
    fn assert_absent_below(&self, folder: &Path, own: &[String]) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.assert_absent_below(&path, own);
            } else if !own.iter().any(|one| path.ends_with(one)) {
                let bytes = fs::read(&path).unwrap_or_default();
                self.assert_absent(&bytes, &path.display().to_string());
            }
        }
    }
}

/// Writes the files; returns their paths.
fn plant(workspace: &TestWorkspace, planted: &mut Planted) -> Vec<String> {
    let mut paths = Vec::new();
    for (path, text) in texts(FILES) {
        let file = workspace.site.root().join(&path);
        fs::create_dir_all(file.parent().expect("below the root")).expect("a folder");
        fs::write(file, planted.fill(&text)).expect("written");
        paths.push(path);
    }
    paths
}

/// Waits until the list of files that are not visible is as it should be.
fn wait_for_list(workspace: &TestWorkspace, expected: &[&str]) {
    let list = workspace.site.root().join(".codeweft/excluded_files.txt");
    let until = Instant::now() + LONG;
    loop {
        let text = fs::read_to_string(&list).unwrap_or_default();
        let files: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split('\t').next())
            .collect();
        if files == expected {
            return;
        }
        assert!(Instant::now() < until, "{text}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

const WITH_SECRETS: &[&str] = &[
    "compose.yaml",
    "config/settings.py",
    "pay/.env",
    "pay/openapi.yaml",
    "server/Dockerfile",
    "server/main.go",
];

#[test]
fn no_command_prints_or_writes_a_secret() {
    let workspace = TestWorkspace::new();
    let mut planted = Planted::new();
    let own = plant(&workspace, &mut planted);
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let mut commands: Vec<Vec<String>> = Vec::new();
    let mut add =
        |words: &[&str]| commands.push(words.iter().map(|&word| word.to_owned()).collect());
    add(&["index", "--json"]);
    for target in ["config/settings.py", "Client.connect", "main.check"] {
        // The answers of a server have all operations.
        for operation in ["outline", "callers", "references"] {
            let context = ["--include-context", "true", "--context-lines", "20"];
            add(&[&["query", operation, target, "--json"], &context[..]].concat());
        }
        add(&["query", "callers", target]);
        add(&["analyze", "detail", target, "--json"]);
        add(&["bundle", target, "--include-snippets"]);
    }
    for operation in ["symbols", "unused_symbols"] {
        add(&["analyze", operation, "--json"]);
    }
    for words in [
        &["overview"][..],
        &["service", "server"],
        &["service", "pay"],
        &["search", "hooks"],
        &["search", "charge"],
        &["around", "service::server"],
        &["graph"],
        &["map", "--format", "mermaid"],
        &["boundaries"],
    ] {
        let mut all = vec!["knowledge"];
        all.extend(words);
        add(&all);
    }
    for (format, name) in [
        ("json", "g.json"),
        ("sqlite", "g.db"),
        ("scip", "g.scip"),
        ("parquet", "tables"),
    ] {
        add(&["export", "--format", format, "-o", &at(name)]);
    }
    add(&["map", "--no-open", "-o", &at("map.html")]);
    add(&["doctor"]);
    for command in &commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let said = workspace.run(&words);
        assert_ne!(said.code, 3, "{words:?}: {said:?}");
        planted.assert_absent(said.out.as_bytes(), &command.join(" "));
        planted.assert_absent(said.err.as_bytes(), &command.join(" "));
    }
    let mut sql = Command::new(env!("CARGO_BIN_EXE_codeweft"));
    let text = "SELECT path, content FROM (SELECT file_path AS path, content FROM file_content)";
    let said =
        workspace::output_of(sql.args(["sql", "--db", &at("g.db"), text, "--format", "csv"]));
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.out.contains("def run()"),
        "texts without secrets are there: {}",
        said.out
    );
    planted.assert_absent(said.out.as_bytes(), "the texts of the database");
    for target in ["config/settings.py", "main.check", "Client.connect"] {
        let said = workspace.run(&["query", "callers", target, "--json", "--db", &at("g.db")]);
        planted.assert_absent(said.out.as_bytes(), "an answer of the database");
    }
    planted.assert_absent_below(folder.path(), &[]);
    // The home of the process: caches, logs, settings.
    let home = workspace.runtime();
    planted.assert_absent_below(home.parent().expect("a folder"), &[]);
    planted.assert_absent_below(workspace.site.root(), &own);
    wait_for_list(&workspace, WITH_SECRETS);
}

#[test]
fn the_answer_has_the_node_and_says_once_why_it_has_no_lines() {
    let workspace = TestWorkspace::new();
    plant(&workspace, &mut Planted::new());
    let said = workspace.run(&["query", "callers", "Client.connect"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.contains("config.settings.use"), "{}", said.out);
    let words = "Skipped config/settings.py: secret detected (AWS key, line 2)";
    assert_eq!(said.out.matches(words).count(), 1, "{}", said.out);
    let said = workspace.run(&["query", "callers", "clean.run"]);
    assert!(!said.out.contains("Skipped"), "{}", said.out);
}

#[test]
fn no_answer_of_a_server_has_a_secret_and_an_unsaved_one_is_hidden_at_once() {
    let mut workspace = TestWorkspace::new();
    let mut planted = Planted::new();
    let own = plant(&workspace, &mut planted);
    let root = workspace.root().to_owned();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let (mut editor, editor_pid) = workspace.site.editor(&[]).expect("an editor");
    editor.initialize(&root, &["utf-16"]).expect("initialized");
    let path = format!("{root}/clean.py");
    let unsaved = planted.fill(UNSAVED);
    editor.open(&path, &unsaved).expect("opened");
    let mut said = String::new();
    let mut ask = |editor: &mut Editor, method: &str, params: Value| {
        let answer = editor.ask(method, params).unwrap_or_default();
        said.push_str(&format!("{method}: {answer}\n"));
        answer
    };
    for (file, line, character) in [
        ("clean.py", 0, 5),
        ("clean.py", 2, 6),
        ("clean.py", 6, 1),
        ("config/settings.py", 1, 1),
        ("config/settings.py", 8, 5),
        ("config/settings.py", 10, 9),
        ("server/main.go", 5, 7),
        ("server/main.go", 9, 45),
        ("server/main.go", 11, 6),
    ] {
        let at = Editor::at(&format!("{root}/{file}"), line, character);
        for method in [
            "hover",
            "definition",
            "documentHighlight",
            "signatureHelp",
            "typeDefinition",
            "prepareCallHierarchy",
        ] {
            ask(&mut editor, &format!("textDocument/{method}"), at.clone());
        }
        let document = json!({"textDocument": at["textDocument"]});
        ask(&mut editor, "textDocument/documentSymbol", document);
    }
    let hover = ask(&mut editor, "textDocument/hover", Editor::at(&path, 6, 1));
    let words = "Skipped clean.py: secret detected (DigitalOcean token, line 2)";
    assert!(hover.to_string().contains(words), "{hover}");
    ask(&mut editor, "workspace/symbol", json!({"query": "connect"}));

    let (mut agent, agent_pid) = workspace.site.agent(&["--tools", "all"]).expect("an agent");
    agent.initialize().expect("initialized");
    let tools = agent.ask("tools/list", json!({})).expect("a list");
    let targets = [
        "config/settings.py",
        "clean.py",
        "clean.clean",
        "server/main.go",
        "Client.connect",
        "main.check",
        "config/settings.py:11:9",
    ];
    for tool in tools["tools"].as_array().expect("a list") {
        let fields = &tool["inputSchema"]["properties"];
        let name = tool["name"].as_str().expect("a name");
        let operations = fields["operation"]["enum"].as_array().cloned();
        let operations = operations.unwrap_or_else(|| vec![Value::Null]);
        for operation in operations {
            for target in targets {
                let mut arguments = json!({});
                if operation != Value::Null {
                    arguments["operation"] = operation.clone();
                }
                for (field, value) in [
                    ("target", json!(target)),
                    ("include_context", json!(true)),
                    ("context_lines", json!(20)),
                    ("pattern", json!("*")),
                    ("query", json!("connect hooks charge")),
                    ("service", json!("server")),
                    ("service_name", json!("server")),
                    ("node_id", json!("service::server")),
                    ("node", json!("service::server")),
                ] {
                    if fields.get(field).is_some() {
                        arguments[field] = value;
                    }
                }
                let params = json!({"name": name, "arguments": arguments});
                let id = agent.send("tools/call", params).expect("sent");
                let answer = agent.answer(id, PATIENCE).expect("an answer").message;
                planted.assert_absent(
                    answer.to_string().as_bytes(),
                    &format!("{name}: {arguments}"),
                );
            }
        }
    }
    planted.assert_absent(said.as_bytes(), "answers to the editor");
    let mut all = WITH_SECRETS.to_vec();
    all.insert(0, "clean.py");
    wait_for_list(&workspace, &all);
    // Without its secret the text is visible again.
    editor.close(&path).expect("closed");
    wait_for_list(&workspace, WITH_SECRETS);
    let at = Editor::at(&path, 3, 5);
    let hover = editor.ask("textDocument/hover", at).expect("a hover");
    assert!(hover.to_string().contains("def run()"), "{hover}");
    let stats = workspace.run(&["stats", "--json"]);
    planted.assert_absent(stats.out.as_bytes(), "the figures");
    // The store is written behind the answers: what the file has on disk comes into it while the server runs.
    let until = Instant::now() + LONG;
    let stored = || {
        workspace.run(&[
            "sql",
            "SELECT file_path, content FROM file_content",
            "--format",
            "csv",
        ])
    };
    let rows = loop {
        let rows = stored();
        if rows.out.contains("def run()") {
            break rows;
        }
        assert!(Instant::now() < until, "the store has texts: {rows:?}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    editor.leave().expect("left");
    drop((editor, agent));
    for pid in [editor_pid, agent_pid] {
        workspace.site.kill(pid).expect("killed");
    }
    workspace.end();
    planted.assert_absent(rows.out.as_bytes(), "the texts of the store");
    let home = workspace.runtime();
    planted.assert_absent_below(home.parent().expect("a folder"), &[]);
    planted.assert_absent_below(workspace.site.root(), &own);
}

#[test]
fn a_baseline_a_pragma_and_a_setting_bring_a_file_back() {
    let workspace = TestWorkspace::new();
    let root = workspace.site.root();
    let value = ["kX9v", "2Lq8"].concat();
    let text = format!("password = \"{value}\"\n\n\ndef f(word=\"visible\"):\n    pass\n");
    let write = |text: &str| fs::write(root.join("a.py"), text).expect("written");
    let is_visible = || {
        let said = workspace.run(&["query", "outline", "a.py"]);
        said.out.contains("visible")
    };
    write(&text);
    assert!(!is_visible());
    write(&text.replacen('\n', "  # pragma: allowlist secret\n", 1));
    assert!(is_visible());
    write(&text);
    // The SHA-1 of the value.
    let hash = "69eafc61b65928d2f1cc4ab5dc30717e29ecfda9";
    let baseline = json!({"version": "1.5.0", "results": {"a.py": [
        {"type": "Secret Keyword", "filename": "a.py", "hashed_secret": hash, "line_number": 1}
    ]}});
    let file = root.join(".secrets.baseline");
    fs::write(&file, baseline.to_string()).expect("written");
    assert!(is_visible());
    fs::write(&file, "{").expect("written");
    assert!(!is_visible());
    let index = workspace.run(&["index"]);
    assert!(
        index
            .out
            .contains(".secrets.baseline: not a baseline of detect-secrets"),
        "{index:?}"
    );
    assert!(
        index
            .out
            .contains("a.py: secret detected (password, line 1)"),
        "{index:?}"
    );
    fs::remove_file(&file).expect("there");
    let settings = format!("[secrets]\nallow = [\"^{value}$\"]\n");
    fs::write(root.join("codeweft.toml"), settings).expect("written");
    assert!(is_visible());
    fs::write(root.join("codeweft.toml"), "[secrets]\nallow = [\"(\"]\n").expect("written");
    let said = workspace.run(&["query", "outline", "a.py"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err
            .contains("[secrets] allow: pattern 1 is no regular expression"),
        "{}",
        said.err
    );
}
