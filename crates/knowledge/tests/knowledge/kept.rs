//! What is kept from revision to revision, and what an edit computes again.

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_graph::RevisionCache;
use codeweft_knowledge::{BuiltGraph, GraphSource, KeptGraph, KnowledgeSettings};
use codeweft_testing::fixture::texts;
use codeweft_testing::{Fixture, Workspace};

use crate::{SHOP, graph, load};

/// A workspace with the graph that its questions share.
pub(crate) struct Questions {
    pub(crate) workspace: Workspace,
    kept: KeptGraph,
    settings: KnowledgeSettings,
    /// What the questions of a revision share, with the number of the revision.
    cache: RefCell<(u64, RevisionCache)>,
}

impl Questions {
    pub(crate) fn new(workspace: Workspace) -> Questions {
        Questions {
            workspace,
            kept: KeptGraph::default(),
            settings: KnowledgeSettings::default(),
            cache: RefCell::default(),
        }
    }

    fn with<T>(&self, ask: impl FnOnce(&KeptGraph, u64, &GraphSource<'_>) -> T) -> T {
        let host = &self.workspace.host;
        let (revision, cache) = &mut *self.cache.borrow_mut();
        if *revision != host.revision() {
            *revision = host.revision();
            *cache = std::mem::take(cache).next().0;
        }
        let source = GraphSource {
            db: host.db(),
            cache,
            root: "/work/shop",
            settings: &self.settings,
            threads: 2,
        };
        ask(&self.kept, host.revision(), &source)
    }

    pub(crate) fn graph(&self) -> Arc<BuiltGraph> {
        self.with(|kept, revision, source| kept.graph(revision, source))
    }

    /// Edits a file, and returns the graph, which is that of a fresh build.
    fn after(&mut self, path: &str, from: &str, to: &str) -> Arc<BuiltGraph> {
        let text = texts(SHOP)[path].clone();
        // Its queries are others once a file is open: the edit counts, not that.
        self.workspace.open(path, &text);
        self.graph();
        self.workspace.change(path, &text.replace(from, to));
        let built = self.graph();
        assert_eq!(*built.graph, graph(&self.workspace));
        built
    }
}

#[test]
fn equal_facts_keep_the_graph_whatever_the_revision() {
    let mut questions = Questions::new(load(SHOP));
    let first = questions.graph();
    assert!(Arc::ptr_eq(&first, &questions.graph()));
    // The body of a function, and a comment in a document.
    let after = questions.after(
        "orders/main.go",
        "DropOrder(id string) {}",
        "DropOrder(id string) { _ = id }",
    );
    assert!(Arc::ptr_eq(&first.graph, &after.graph));
    let again = questions.graph();
    assert!(Arc::ptr_eq(&after, &again));
}

#[test]
fn a_moved_line_computes_no_rank() {
    let mut questions = Questions::new(load(SHOP));
    let first = questions.graph();
    let after = questions.after("orders/main.go", "package main\n", "package main\n\n");
    assert!(after.has_kept_ranks());
    assert!(first.graph != after.graph, "its lines have moved");
    let after = questions.after(
        "orders/main.go",
        "func (s *server) DropOrder",
        "func (s *server) LoseOrder",
    );
    assert!(!after.has_kept_ranks());
}

#[test]
fn a_graph_is_built_anew_where_that_is_wanted_and_for_other_settings() {
    let mut questions = Questions::new(load(SHOP));
    let first = questions.graph();
    let recent = questions.with(|kept, revision, source| kept.recent(revision, source));
    assert!(Arc::ptr_eq(&first, &recent));
    let anew = questions.with(|kept, revision, source| kept.rebuilt(revision, source));
    assert!(!Arc::ptr_eq(&first.graph, &anew.graph));
    assert_eq!(first.graph, anew.graph);
    assert!(Arc::ptr_eq(&anew, &questions.graph()));
    questions.settings.asyncapi_v2_is_client = true;
    assert!(!Arc::ptr_eq(&anew, &questions.graph()));
    // Of an edit the kept graph is not that of the facts any more.
    questions.settings = KnowledgeSettings::default();
    questions.after("orders/events.yaml", "orders.created", "orders.made");
    let recent = questions.with(|kept, revision, source| kept.recent(revision, source));
    assert!(recent.graph.number("event::orderCreated").is_some());
}

/// Returns the queries that the next question executes after an edit.
fn executed(path: &str, from: &str, to: &str) -> Vec<String> {
    let mut questions = Questions::new(Fixture::new(SHOP).recording().load());
    let text = texts(SHOP)[path].clone();
    questions.workspace.open(path, &text);
    questions.graph();
    let take = |questions: &Questions| {
        let host = &questions.workspace.host;
        host.recording().expect("recording").take(host.db())
    };
    take(&questions);
    questions.workspace.change(path, &text.replace(from, to));
    questions.graph();
    let executed = take(&questions).executed.into_iter();
    let mut names: Vec<String> = executed.map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn an_edit_of_a_body_computes_what_depends_on_that_body() {
    let names = executed("orders/main.go", "s.pay.Charge(id)", "_ = s.pay.Charge(id)");
    expect_test::expect![[r#"
        file_bodies
        file_identifiers
        file_ranges
        file_report
        file_secrets
        file_uses
        lower
        part_uses
        unit_flows
        unit_index"#]]
    .assert_eq(&names.join("\n"));
}

#[test]
fn a_document_is_read_again_with_the_ones_that_it_refers_to() {
    let text = format!(
        "{SHOP}//- web/whole.yaml
openapi: 3.1.0
info: {{title: Whole, version: 1.0.0}}
paths: {{/parts: {{$ref: './part.yaml#/parts'}}}}
//- web/part.yaml
parts: {{get: {{operationId: partList}}}}
"
    );
    let mut questions = Questions::new(Fixture::new(&text).recording().load());
    let first = questions.graph();
    let endpoint = |built: &BuiltGraph, path: &str| built.graph.number(path).is_some();
    assert!(endpoint(&first, "endpoint::web::GET::/parts"));
    let db = |questions: &Questions| {
        let host = &questions.workspace.host;
        let executed = host
            .recording()
            .expect("recording")
            .take(host.db())
            .executed;
        let names = executed.into_iter().map(|(name, _)| name);
        names
            .filter(|name| name.ends_with("contracts"))
            .collect::<Vec<_>>()
    };
    db(&questions);
    questions
        .workspace
        .open("web/part.yaml", "parts: {put: {operationId: partList}}\n");
    let after = questions.graph();
    assert!(endpoint(&after, "endpoint::web::PUT::/parts"));
    assert!(!endpoint(&after, "endpoint::web::GET::/parts"));
    // Its own, now by its text in the editor, and those of the document that refers to it.
    assert_eq!(db(&questions), ["joined_contracts", "own_contracts"]);
}

#[test]
fn an_edit_inside_a_literal_or_of_a_file_that_had_no_facts_is_in_the_next_graph() {
    let text = "
//- main.go
package main

import \"net/http\"

func show(w http.ResponseWriter, r *http.Request) {}

func main() { http.HandleFunc(\"GET /aaaa\", show) }
//- other.go
package main

import \"net/http\"

func other() { show(nil, http.NoBody) }
";
    let mut questions = Questions::new(load(text));
    for (path, text) in texts(text) {
        questions.workspace.open(&path, &text);
    }
    let has = |built: &BuiltGraph, path: &str| {
        let id = format!("endpoint::shop::GET::{path}");
        built.graph.number(&id).is_some()
    };
    assert!(has(&questions.graph(), "/aaaa"));
    let main = texts(text)["main.go"].replace("/aaaa", "/bbbb");
    questions.workspace.change("main.go", &main);
    let built = questions.graph();
    assert!(has(&built, "/bbbb") && !has(&built, "/aaaa"));
    // The graph of the code is the same: the library is not loaded.
    let other =
        texts(text)["other.go"].replace("NoBody)", "NoBody); http.HandleFunc(\"GET /cccc\", show)");
    questions.workspace.change("other.go", &other);
    let built = questions.graph();
    assert!(has(&built, "/cccc"));
    assert_eq!(*built.graph, graph(&questions.workspace));
}
