//! After any edits of code and documents the graph is that of a fresh database.

use codeweft_knowledge::{KnowledgeSettings, build};
use codeweft_testing::fixture::texts;
use codeweft_testing::{Fixture, SeededRng};

use crate::kept::Questions;
use crate::{SHOP, check_invariants, graph, load};

/// Returns a text with one of its lines doubled, removed, or with letters changed.
fn edited(text: &str, rng: &mut SeededRng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return "x: 1\n".to_owned();
    }
    let at = rng.below(lines.len());
    match rng.below(5) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => lines[at] = lines[at].replace("Order", "Item"),
        3 => lines[at] = lines[at].replace("get", "put").replace("orders", "pay"),
        _ => lines.insert(at, String::new()),
    }
    lines.join("\n") + "\n"
}

#[test]
fn after_random_edits_of_code_and_documents_the_graph_is_that_of_a_fresh_database() {
    let slow = std::env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1");
    let steps = if slow { 1000 } else { 30 };
    let start = texts(SHOP);
    let paths: Vec<&String> = start.keys().collect();
    let mut now = start.clone();
    now.insert("go.mod".to_owned(), "module m\n\ngo 1.26\n".to_owned());
    let mut questions = Questions::new(load(SHOP));
    let mut rng = SeededRng::new(7);
    for step in 0..steps {
        let path = paths[rng.below(paths.len())];
        // Most edits begin from the first text, so that the workspace does not fall apart.
        let before = if rng.below(4) == 0 {
            &now[path]
        } else {
            &start[path]
        };
        let text = edited(before, &mut rng);
        if rng.below(2) == 0 {
            questions.workspace.open(path, &text);
        } else {
            questions.workspace.close(path);
            questions
                .workspace
                .on_disk(&[(path.clone(), Some(text.clone()))]);
        }
        now.insert(path.clone(), text);
        let incremental = &questions.graph().graph;
        check_invariants(incremental);
        let fresh = graph(&Fixture::of(now.clone()).load());
        assert_eq!(incremental.errors, fresh.errors, "step {step}, {path}");
        assert_eq!(incremental.edges, fresh.edges, "step {step}, {path}");
        assert_eq!(incremental.nodes, fresh.nodes, "step {step}, {path}");
    }
}

#[test]
fn two_builds_are_equal_on_one_thread_and_on_four() {
    let workspace = load(SHOP);
    let one = build(workspace.host.db(), "/w", &KnowledgeSettings::default(), 1);
    let four = build(workspace.host.db(), "/w", &KnowledgeSettings::default(), 4);
    let json =
        |graph: &codeweft_knowledge::graph::Graph| serde_json::to_string(&graph.nodes).unwrap();
    assert_eq!(one.edges, four.edges);
    assert_eq!(json(&one), json(&four));
}

#[test]
fn an_edit_of_a_contract_reads_that_document_alone() {
    let mut workspace = Fixture::new(SHOP).recording().load();
    graph(&workspace);
    let text = texts(SHOP)["orders/openapi.yaml"].clone();
    workspace.open("orders/openapi.yaml", &text);
    graph(&workspace);
    let db = workspace.host.db();
    workspace.host.recording().unwrap().take(db);
    workspace.change(
        "orders/openapi.yaml",
        &text.replace("dropOrder", "removeOrder"),
    );
    graph(&workspace);
    let executed = workspace
        .host
        .recording()
        .unwrap()
        .take(workspace.host.db());
    let names: Vec<&str> = executed
        .executed
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "document_deployment",
            "document_references",
            "document_tree",
            "file_secrets",
            "own_contracts"
        ]
    );
}
