//! A query by id gives the same answer as an editor's query at each declaration with that id.

use std::collections::BTreeSet;

use codeweft_graph::answer::{GraphRequest, GraphResponse, Operation};
use codeweft_ide::editor;
use codeweft_testing::{Fixture, fixture};
use codeweft_workspace::{Encoding, RequestCancellation};

const ENCODING: Encoding = Encoding::Utf8;

/// A file, a 1-based line and a 1-based column.
type Places = BTreeSet<(String, u32, u32)>;

/// Returns the sites of an answer; `None` if they are truncated.
fn sites(root: &str, response: &GraphResponse) -> Option<Places> {
    let mut places = Places::new();
    for result in &response.results {
        if response.truncated || result.site_count as usize > result.sites.len() {
            return None;
        }
        for site in &result.sites {
            let path = if site.file.starts_with('/') {
                site.file.clone()
            } else {
                format!("{root}/{}", site.file)
            };
            places.insert((path, site.line, site.column));
        }
    }
    Some(places)
}

#[test]
fn at_every_declaration_of_a_name_the_editors_answer_equals_that_of_its_id() {
    let texts = fixture::texts(include_str!("edge_consistency/kinds.txt"));
    let workspace = Fixture::of(texts).load();
    let root = workspace.host.root().to_owned();
    let cancel = RequestCancellation::default();
    let snapshot = workspace.host.snapshot(&cancel);
    let mut items = editor::search(&snapshot, "", usize::MAX, ENCODING);
    items.retain(|item| item.path.starts_with(&root));
    let (mut compared, mut redefinitions) = (0, 0);
    for item in &items {
        let (path, at) = (item.path.as_str(), item.selection.start);
        for called in editor::call_items(&snapshot, path, at, ENCODING) {
            let mut request = GraphRequest::new(Operation::Callers, called.id.as_str());
            request.include_context = false;
            let request = request.check().expect("a request");
            let Ok(response) = snapshot.graph(&request) else {
                continue;
            };
            let Some(listed) = sites(&root, &response) else {
                continue;
            };
            let mut found = Places::new();
            for calls in editor::incoming(&snapshot, &called.id, ENCODING) {
                for range in &calls.sites {
                    let start = range.start;
                    found.insert((calls.path.clone(), start.line + 1, start.character + 1));
                }
            }
            assert_eq!(found, listed, "callers of {} at {path}:{at:?}", called.id);
            compared += usize::from(!found.is_empty());
            redefinitions += usize::from(item.id.contains('#') && !found.is_empty());
        }
    }
    assert!(compared > 15, "{compared}");
    assert!(redefinitions > 1, "{redefinitions}");
}
