//! The knowledge graph of a live host: after any edits of code and documents, saved or not, every tool answers as on a fresh
//! database.

use std::path::Path;
use std::time::Duration;

use codeweft_ide::api::{KnowledgeAnswer, KnowledgeRequest, KnowledgeResponse};
use codeweft_testing::fixture::{settings, texts, write};
use codeweft_testing::{SHOP, SeededRng, Texts};
use codeweft_workspace::{
    AnalysisHost, ClientId, HostOptions, LoadOptions, Priority, ProjectDatabase,
    RequestCancellation, RequestOptions,
};
use serde_json::json;

/// Returns a request for each tool.
fn requests() -> Vec<KnowledgeRequest> {
    [
        ("build_knowledge_graph", json!({"force_rebuild": false})),
        ("get_service_context", json!({"service_name": "orders"})),
        (
            "query_graph_neighborhood",
            json!({"node_id": "service::orders", "radius": 5, "max_nodes": 500}),
        ),
        (
            "hybrid_search",
            json!({"query": "get order pay", "n_results": 100}),
        ),
        (
            "find_cross_service_impact",
            json!({"node_id": "service::pay", "max_depth": 10}),
        ),
        ("validate_service_boundaries", json!({})),
        ("check_cross_service_events", json!({})),
        ("knowledge_map", json!({})),
    ]
    .into_iter()
    .map(|(tool, arguments)| KnowledgeRequest::parse(tool, arguments).expect(tool))
    .collect()
}

/// Prints an answer without what differs from run to run.
fn printed(answer: Result<KnowledgeResponse, impl std::fmt::Display>) -> String {
    match answer {
        Err(error) => error.to_string(),
        Ok(mut response) => {
            if let KnowledgeAnswer::BuildKnowledgeGraph(overview) = &mut response.answer {
                overview.build_time_ms = 0;
            }
            format!("{:#}", response.answer.to_json())
        }
    }
}

fn fresh(texts: &Texts, threads: usize) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // The name of the folder is that of the service where there is no other.
    let root = folder.path().join("shop");
    for (path, text) in texts {
        write(&root, path, text);
    }
    let database = ProjectDatabase::load(LoadOptions {
        threads,
        settings: settings(),
        ..LoadOptions::new(&root)
    });
    let database = database.expect("a workspace");
    let snapshot = database.snapshot(&RequestCancellation::default());
    let requests = requests();
    let answers = requests.iter();
    answers
        .map(|request| printed(snapshot.knowledge(request)))
        .collect()
}

/// A host, and the texts that it has now.
struct Live {
    host: AnalysisHost,
    editors: [ClientId; 2],
    root: std::path::PathBuf,
    open: Texts,
    version: i32,
}

impl Live {
    fn start(root: &Path, threads: usize) -> Live {
        let host = AnalysisHost::start(HostOptions {
            root: root.canonicalize().expect("it is there"),
            settings: settings(),
            variables: None,
            threads,
            watch: false,
            cache: None,
            cookies: None,
        })
        .expect("a folder for a workspace");
        Live {
            editors: [host.connect("one"), host.connect("two")],
            root: host.root().into(),
            host,
            open: Texts::new(),
            version: 1,
        }
    }

    /// Sets the text of a file in one of two editors, or on disk.
    fn set(&mut self, path: &str, text: &str, is_saved: bool) {
        let absolute = self.root.join(path);
        let absolute = absolute.to_str().expect("UTF-8");
        let editor = self.editors[path.len() % 2];
        self.version += 1;
        if self.open.remove(path).is_some() {
            self.host.close(editor, absolute);
        }
        if is_saved {
            write(&self.root, path, text);
            self.host.disk_changed(vec![absolute.to_owned()]);
        } else {
            self.host.open(editor, absolute, self.version, text);
            self.open.insert(path.to_owned(), text.to_owned());
        }
    }

    fn ask(&self, request: KnowledgeRequest) -> String {
        let options = RequestOptions::new(
            self.editors[0],
            Priority::Agent,
            self.host.now(),
            Duration::from_secs(60),
        );
        let answer = self
            .host
            .ask(options, move |snapshot| snapshot.knowledge(&request));
        match answer {
            Ok(answer) => printed(answer.value),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Returns a text with one of its lines doubled, removed, or with words changed.
fn edited(text: &str, rng: &mut SeededRng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return "x: 1\n".to_owned();
    }
    let at = rng.below(lines.len());
    match rng.below(6) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => lines[at] = lines[at].replace("Order", "Item"),
        3 => lines[at] = lines[at].replace("get", "put").replace("orders", "pay"),
        4 => lines[at].push_str("  "),
        _ => lines.insert(at, String::new()),
    }
    lines.join("\n") + "\n"
}

fn check(threads: usize, seed: u64) {
    let slow = std::env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1");
    let steps = if slow { 400 } else { 8 };
    let mut start = texts(SHOP);
    start.insert("go.mod".to_owned(), "module m\n\ngo 1.26\n".to_owned());
    start.insert("web/.env".to_owned(), "PAY=http://pay:80\n".to_owned());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().join("shop");
    for (path, text) in &start {
        write(&root, path, text);
    }
    let mut live = Live::start(&root, threads);
    let paths: Vec<String> = start.keys().cloned().collect();
    let mut now = start.clone();
    let mut rng = SeededRng::new(seed);
    for step in 0..steps {
        for _ in 0..=rng.below(2) {
            let path = &paths[rng.below(paths.len())];
            // Most edits begin from the first text, so that the workspace does not fall apart.
            let before = if rng.below(4) == 0 {
                &now[path]
            } else {
                &start[path]
            };
            let text = edited(before, &mut rng);
            // What only editors have of a module's file is no layout yet.
            let is_saved = rng.below(2) == 0 || path == "go.mod";
            live.set(path, &text, is_saved);
            now.insert(path.clone(), text);
        }
        let expected = fresh(&now, threads);
        for (request, expected) in requests().into_iter().zip(expected) {
            let tool = request.tool();
            assert_eq!(
                live.ask(request),
                expected,
                "seed {seed}, step {step}, {tool}"
            );
        }
    }
}

#[test]
fn after_random_edits_every_tool_answers_as_on_a_fresh_database_on_one_thread() {
    check(1, 11);
}

#[test]
fn after_random_edits_every_tool_answers_as_on_a_fresh_database_on_four_threads() {
    check(4, 12);
}
