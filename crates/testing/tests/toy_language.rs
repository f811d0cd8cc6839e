//! A language is added by two folders and one line for each of two files: the toy language of
//! `crates/toy` and `crates/toy-syntax` is served to an editor and an agent and exported, though no
//! other crate knows it.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use codeweft_db::Language;
use codeweft_graph::languages;
use codeweft_store::{ExportOptions, format_named};
use codeweft_testing::clients::{Agent, Editor};
use codeweft_workspace::{AnalysisHost, HostOptions, LoadOptions, ProjectDatabase};
use serde_json::{Value, json};
use tempfile::TempDir;

static LANGUAGES: &[&dyn Language] = &[languages::ALL[0], languages::ALL[1], &codeweft_toy::Toy];

const MAIN: &str = "# The entry point.\nfn main\n    greet\n    missing\n";
const GREET: &str = "fn greet\n    shout\n\nfn shout\n";

/// Returns a workspace with two files of the toy language and one of another.
fn workspace() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write("app/main.toy", MAIN);
    write("app/greet.toy", GREET);
    write("tool.py", "def greet(): pass\n\ngreet()\n");
    folder
}

fn host(root: &Path) -> AnalysisHost {
    let options = HostOptions {
        root: root.canonicalize().expect("it is there"),
        settings: Default::default(),
        variables: Some(Default::default()),
        threads: 2,
        watch: false,
        cache: None,
        cookies: None,
    };
    AnalysisHost::start_with(options, LANGUAGES).expect("a folder for a workspace")
}

/// Returns an editor that is connected to a host.
fn editor(host: &AnalysisHost) -> Editor {
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    let host = host.clone();
    let capabilities = codeweft_lsp::NegotiatedCapabilities::default();
    std::thread::spawn(move || {
        codeweft_lsp::serve_stream(&host, &capabilities, "test", theirs, &|| {})
    });
    Editor::over(ours.try_clone().expect("cloned"), ours)
}

/// Returns an agent that is connected to a host.
fn agent(host: &AnalysisHost) -> Agent {
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    let host = host.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        theirs.set_nonblocking(true).expect("set");
        runtime.expect("a runtime").block_on(async {
            let stream = tokio::net::UnixStream::from_std(theirs).expect("a stream");
            codeweft_mcp::serve(host, stream).await
        })
    });
    Agent::over(ours.try_clone().expect("cloned"), ours)
}

fn line_of(range: &Value) -> u64 {
    range["start"]["line"].as_u64().expect("a line")
}

#[test]
fn an_editor_reads_a_file_of_a_language_that_no_crate_names() {
    let folder = workspace();
    let host = host(folder.path());
    let mut editor = editor(&host);
    editor
        .initialize(host.root(), &["utf-8"])
        .expect("initialized");
    let path = format!("{}/app/main.toy", host.root());
    editor.open(&path, MAIN).expect("opened");

    let uri = format!("file://{path}");
    let outline = editor
        .ask(
            "textDocument/documentSymbol",
            json!({"textDocument": {"uri": uri}}),
        )
        .expect("an outline");
    let names: Vec<&Value> = outline
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["main"]);

    let definition = editor
        .ask("textDocument/definition", Editor::at(&path, 2, 5))
        .expect("a definition");
    let found = definition.get(0).unwrap_or(&definition);
    assert!(
        found["uri"]
            .as_str()
            .expect("a URI")
            .ends_with("/app/greet.toy")
    );
    assert_eq!(line_of(&found["range"]), 0);

    // The unsaved text counts: `main` now calls `shout` itself.
    let edited = "fn main\n    shout\n";
    let whole = json!([{"text": edited}]);
    let change = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": whole});
    editor
        .notify("textDocument/didChange", change)
        .expect("sent");
    let references = json!({
        "textDocument": {"uri": uri},
        "position": {"line": 1, "character": 5},
        "context": {"includeDeclaration": false},
    });
    let references = editor
        .ask("textDocument/references", references)
        .expect("references");
    assert_eq!(references.as_array().map(Vec::len), Some(2));
}

#[test]
fn an_agent_gets_the_callers_in_a_language_that_no_crate_names() {
    let folder = workspace();
    let host = host(folder.path());
    let mut agent = agent(&host);
    agent.initialize().expect("initialized");
    let call = |agent: &mut Agent, target: &str| {
        let arguments = json!({"operation": "callers", "target": target, "depth": 2});
        let result = agent.call(arguments).expect("an answer");
        assert!(!result.error, "{}", result.text);
        let rows = result.structured["results"].as_array().cloned();
        let ids = rows.expect("results").into_iter();
        let ids = ids.map(|row| row["node"]["id"].as_str().expect("an id").to_owned());
        let mut ids: Vec<String> = ids.collect();
        ids.sort();
        ids
    };
    assert_eq!(call(&mut agent, "app.shout"), ["app.greet", "app.main"]);
    // A name that two languages have is told apart by the prefix of the language.
    assert_eq!(call(&mut agent, "toy:app.greet"), ["app.main"]);
}

#[test]
fn an_export_has_the_nodes_and_edges_of_a_language_that_no_crate_names() {
    let folder = workspace();
    let database = ProjectDatabase::load(LoadOptions {
        languages: LANGUAGES,
        variables: Some(Default::default()),
        ..LoadOptions::new(folder.path())
    })
    .expect("a workspace");
    let mut out = Vec::new();
    let options = ExportOptions::default();
    let format = format_named("json").expect("a format");
    let written = format.write(database.db(), &options, 1, folder.path(), &mut out);
    written.expect("written");
    let exported: Value = serde_json::from_slice(&out).expect("JSON");
    let list = |key: &str| exported[key].as_array().cloned().expect("a list");
    let nodes = list("nodes");
    let mut nodes: Vec<&str> = nodes
        .iter()
        .filter(|node| node["language"] == "toy")
        .filter_map(|node| node["id"].as_str())
        .collect();
    nodes.sort_unstable();
    assert_eq!(nodes, ["app", "app.greet", "app.main", "app.shout"]);
    let edges = list("edges");
    let calls = edges.iter().filter(|edge| edge["type"] == "calls");
    let mut calls: Vec<String> = calls
        .map(|edge| format!("{} -> {}", edge["from"], edge["to"]).replace('"', ""))
        .filter(|edge| edge.starts_with("app"))
        .collect();
    calls.sort();
    assert_eq!(calls, ["app.greet -> app.shout", "app.main -> app.greet"]);
}

/// Returns the lines outside the language's own two folders that name one of its crates.
fn lines_elsewhere() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let root = root.expect("crates/testing is two folders below the root");
    let own = ["crates/toy", "crates/toy-syntax"].map(|own| root.join(own));
    let mut found = Vec::new();
    let mut left: Vec<PathBuf> = ["crates", "xtask", "Cargo.toml"]
        .map(|top| root.join(top))
        .into();
    while let Some(path) = left.pop() {
        if own.contains(&path) {
            continue;
        }
        if let Ok(entries) = std::fs::read_dir(&path) {
            left.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let crate_name = concat!("codeweft", "_toy");
        let names = |line: &&str| line.replace('-', "_").contains(crate_name);
        let code = |line: &&str| !line.trim_start().starts_with("//");
        let path = path.strip_prefix(root).expect("below the root").display();
        let lines = text.lines().filter(code).filter(names);
        found.extend(lines.map(|_| path.to_string()));
    }
    found.sort();
    found
}

#[test]
fn a_language_touches_two_lines_outside_its_own_folders() {
    assert_eq!(
        lines_elsewhere(),
        [
            "crates/testing/Cargo.toml",
            "crates/testing/tests/toy_language.rs",
        ]
    );
}
