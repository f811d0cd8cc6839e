//! The operation `search`, beside the editors' `workspace/symbol`, in Go and Python.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_ide::editor;
use codeweft_testing::fresh_check;
use codeweft_testing::generate::{self, Size, python};
use codeweft_testing::{Fixture, Texts, Workspace};
use codeweft_workspace::{Encoding, ProjectDatabase, RequestCancellation};

const FIXTURE: &str = "
//- go-bar/bar.go
package bar

type T struct{}

func (*T) Method() {}

func G() {}
//- v2/store.go
package store

type DB struct{}

func (db *DB) Close() error { return nil }

func Open() *DB { return nil }
//- shop.py
class Cart:
    def close(self):
        def open_all(): pass
        return open_all

def opened(): pass
";

/// Returns the ids that a search lists, and the number of those that it found.
fn search(host: &ProjectDatabase, text: &str) -> (Vec<String>, u32) {
    let mut request = GraphRequest::new(Operation::Search, text);
    request.max_results = 500;
    let answer = host.ask(&request).expect("a text can be searched");
    let results = answer.results.into_iter();
    (
        results.map(|result| result.node.id).collect(),
        answer.total_found,
    )
}

/// Returns the ids that an editor lists.
fn in_editor(host: &ProjectDatabase, text: &str, most: usize) -> Vec<String> {
    let cancel = RequestCancellation::default();
    let found = editor::search(&host.snapshot(&cancel), text, most, Encoding::Utf8);
    let plain = |id: &str| {
        let prefixes = ["go:", "py:"];
        let rest = prefixes.iter().find_map(|prefix| id.strip_prefix(prefix));
        rest.unwrap_or(id).to_owned()
    };
    found.iter().map(|item| plain(&item.id)).collect()
}

fn first(host: &ProjectDatabase, text: &str) -> String {
    let (ids, _) = search(host, text);
    ids.first().cloned().unwrap_or_default()
}

#[test]
fn a_name_is_found_by_the_package_clause_where_the_folder_has_another_name() {
    let workspace = Fixture::new(FIXTURE).load();
    let host = &workspace.host;
    for (text, id) in [
        ("bar.G", "go-bar.G"),
        ("bar.T.Method", "go-bar.T.Method"),
        ("bar", "go-bar"),
        ("store.Open", "v2.Open"),
        ("store.DB.Close", "v2.DB.Close"),
        ("store", "v2"),
        ("v2.open", "v2.Open"),
    ] {
        assert_eq!(first(host, text), id, "{text}");
        assert_eq!(in_editor(host, text, 1), [id], "{text}");
    }
}

#[test]
fn a_container_that_is_written_as_a_whole_precedes_one_that_has_its_letters() {
    let workspace = Fixture::new(
        "
//- a/sstore/a.go
package sstore
func Open() {}
//- z/store/z.go
package store
func Open() {}
",
    )
    .load();
    let (ids, _) = search(&workspace.host, "store.Open");
    assert_eq!(ids, ["z/store.Open", "a/sstore.Open"]);
}

fn generated() -> Workspace {
    let mut texts: Texts = generate::workspace(7, Size::SMALL);
    for (path, text) in python::workspace(7, Size::SMALL) {
        texts.entry(path).or_insert(text);
    }
    Fixture::of(texts).load()
}

#[test]
fn agents_and_editors_get_the_same_declarations_in_the_same_order() {
    let workspace = generated();
    let host = &workspace.host;
    let mut compared = 0;
    for text in [
        "f", "get", "T", "m", "close", "p0.f", "err", "in", "run", "__",
    ] {
        let (ids, total) = search(host, text);
        // What no editor can open is not in its list.
        let in_editor = in_editor(host, text, 500);
        let own: Vec<&String> = ids.iter().filter(|id| in_editor.contains(id)).collect();
        let listed: Vec<&String> = in_editor.iter().collect();
        assert!(total as usize >= ids.len(), "{text}");
        if ids.len() < 500 {
            assert_eq!(total as usize, ids.len(), "{text}");
            assert_eq!(own, listed, "{text}");
        } else {
            let both = own.len().min(listed.len());
            assert_eq!(own[..both], listed[..both], "{text}");
        }
        compared += own.len();
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_total_is_that_of_all_matches_whatever_is_listed() {
    let workspace = generated();
    let mut request = GraphRequest::new(Operation::Search, "e");
    request.max_results = 3;
    let few = workspace.host.ask(&request).expect("an answer");
    request.max_results = 500;
    let many = workspace.host.ask(&request).expect("an answer");
    assert_eq!(few.total_found, many.total_found);
    assert!(few.total_found > 100, "{}", few.total_found);
    let counts = few.counts.expect("counts");
    assert_eq!(
        counts.workspace.nodes + counts.libraries.nodes,
        few.total_found
    );
    assert!(counts.workspace.nodes > 0 && counts.libraries.nodes > 0);
}

#[test]
fn unsaved_text_is_searched_and_outlined_as_by_a_fresh_database() {
    let mut workspace = Fixture::new(FIXTURE).load();
    assert_eq!(search(&workspace.host, "Reopen").1, 0);
    workspace.open(
        "v2/store.go",
        "package renamed\n\nfunc Reopen() {}\n\ntype DB struct{ path string }\n",
    );
    assert_eq!(first(&workspace.host, "Reopen"), "v2.Reopen");
    assert_eq!(first(&workspace.host, "renamed.DB"), "v2.DB");
    assert_eq!(search(&workspace.host, "store.DB").1, 0);
    let mut texts = codeweft_testing::fixture::texts(FIXTURE);
    texts.insert(
        "v2/store.go".to_owned(),
        "package renamed\n\nfunc Reopen() {}\n\ntype DB struct{ path string }\n".to_owned(),
    );
    let fresh = Fixture::of(texts).load();
    for (operation, target) in [
        (Operation::Search, "o"),
        (Operation::Search, "renamed.DB"),
        (Operation::Outline, "v2"),
        (Operation::Outline, "v2/store.go"),
        (Operation::Outline, "shop.Cart"),
    ] {
        let request = GraphRequest::new(operation, target);
        assert_eq!(
            fresh_check::ask(workspace.host.db(), &request, 2),
            fresh_check::ask(fresh.host.db(), &request, 1),
            "{operation:?} {target}"
        );
    }
}
